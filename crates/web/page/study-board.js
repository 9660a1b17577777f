/** The board of the study: shows the current node, plays moves into the tree, draws what the engine found. */

import { Board } from "./board.js";
import { BoardInput, typedMove } from "./board-input.js";
import { announce, el, stepButtons, toast } from "./dom.js";
import { engine } from "./engine.js";
import { expected, scoreText } from "./score.js";
import { Lost, ServerError, describe, session } from "./session.js";
import { shapesOf, toggleShape } from "./shapes.js";
import { piecesOf, spoken } from "./squares.js";
import { study } from "./study.js";

export class StudyBoard extends EventTarget {
  constructor() {
    super();
    this.board = new Board({ cells: true });
    this.input = new BoardInput(this.board, {
      onmove: (move) => study.play(/** @type {any} */ (move)),
      ondraw: (shapes) => this.draw(shapes),
    });
    /** @type {any} the rules' description of the current node */
    this.position = null;
    this.hasValues = false;
    this.gauge = makeGauge();
    this.field = this.moveField();
    this.element = el(
      "div",
      { class: "board-pane" },
      el("div", { class: "board-and-gauge" }, this.gauge.element, this.board.element),
      el("div", { class: "row board-tools" }, stepButtons({ ...go, flip: () => study.flip() }), this.field),
    );
    study.addEventListener("node", () => this.show());
    study.addEventListener("tree", () => this.drawShapes());
    study.addEventListener("flip", () => this.flip());
    engine.addEventListener("lines", () => this.drawEngine());
    session.addEventListener("state", () => {
      if (session.state === "connected" && !this.position) this.show();
    });
    this.flip();
    this.show();
  }

  /** Shows the node at once and its legal moves when the rules have answered. */
  async show() {
    const { node } = study,
      last = node.uci && node.uci !== "0000" ? [node.uci.slice(0, 2), node.uci.slice(2, 4)] : [];
    this.position = null;
    this.board.show(node.fen, { last });
    this.input.setLegal([]);
    this.drawShapes();
    if (node.parent) announce(spoken(node.san, node.uci, piecesOf(node.parent.fen).get(node.uci.slice(0, 2))));
    try {
      const position = await describe({ fen: study.tree.start, moves: node.line().map(({ uci }) => uci) });
      if (study.node !== node) return;
      this.position = position;
      this.board.show(node.fen, { last, check: position.check });
      this.input.setLegal(position.legal);
      if (position.ending) announce(position.ending.text);
      this.dispatchEvent(new Event("position"));
      if (this.hasValues) this.showValues();
    } catch (error) {
      if (error instanceof Lost) session.lose();
      else if (error instanceof ServerError) toast(error.message, "fault");
      else throw error;
    }
  }

  flip() {
    this.board.flip(study.isFlipped);
    this.gauge.element.classList.toggle("flipped", study.isFlipped);
  }

  drawEngine() {
    const found = engine.found,
      lines = found?.lines ?? [];
    const kind = found?.is_threat ? "threat" : "engine";
    this.engineArrows = lines
      .filter((/** @type {any} */ line) => line.pv.length)
      .map((/** @type {any} */ line, /** @type {number} */ at) => {
        const { uci } = line.pv[0];
        return { from: uci.slice(0, 2), to: uci.slice(2, 4), kind, rank: at + 1, label: line.text };
      });
    this.drawShapes();
    if (lines[0]?.wdl) this.gauge.set(lines[0].wdl, lines[0].text);
    else {
      const known = engine.evaluations.get(study.node.fen);
      if (known) this.gauge.setExpected(known.expected, known.text);
    }
  }

  drawShapes() {
    const { arrows, circles } = shapesOf(study.node.comment);
    this.board.setArrows([...(this.engineArrows ?? []), ...arrows]);
    this.board.mark("user", circles);
  }

  /** @param {import("./board.js").Arrow[]} shapes none after a plain click */
  draw(shapes) {
    if (shapes.length)
      study.edit(() => {
        study.node.comment = toggleShape(study.node.comment, shapes[0]);
      });
  }

  toggleValues() {
    this.hasValues = !this.hasValues;
    if (this.hasValues) this.showValues();
    else this.board.setLabels(new Map());
  }

  /** The value of each piece, as `eval` prints it. */
  async showValues() {
    const { node } = study;
    const answer = await session.send("/api/evaluate", {
      fen: node.fen,
      evaluation: session.snapshots.settings?.evaluation,
    });
    if (study.node !== node || !this.hasValues) return;
    this.board.setLabels(
      new Map(
        answer.pieces
          .filter((/** @type {any} */ piece) => piece.value)
          .map((/** @type {any} */ piece) => [piece.square, scoreText(piece.value)]),
      ),
    );
  }

  /** A field for moves in SAN or UCI notation. */
  moveField() {
    const input = el("input", {
      placeholder: "Move: Nf3 or g1f3",
      "aria-label": "Type a move in SAN or UCI notation",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      class: "grow",
      id: "move-field",
    });
    const enter = () => {
      const move = typedMove(input.value, this.position?.legal ?? []);
      if (move) {
        input.value = "";
        study.play(/** @type {any} */ (move));
        return;
      }
      if (input.value.trim()) toast(`"${input.value.trim()}" is not a legal move here.`, "fault");
    };
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") enter();
    });
    return input;
  }
}

/** Walking through the tree. */
export const go = {
  back: () => study.node.parent && study.go(study.node.parent),
  forward: () => study.node.children[0] && study.go(study.node.children[0]),
  first: () => study.go(study.tree.root),
  last: () => {
    let { node } = study;
    while (node.children[0]) node = node.children[0];
    study.go(node);
  },
  /** The next or previous variation at this move. @param {number} by */
  sibling: (by) => {
    const { node } = study,
      siblings = node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(node) + by + siblings.length) % siblings.length];
    if (next) study.go(next);
  },
};

/** The bar of win, draw and loss beside the board. */
function makeGauge() {
  const parts = ["black", "draw", "white"].map((side) => el("div", { class: `gauge-${side}` }));
  const text = el("span", { class: "gauge-text" });
  const element = el("div", { class: "gauge", role: "img", "aria-label": "No evaluation" }, ...parts, text);
  const apply = (/** @type {number[]} */ shares, /** @type {string} */ score, /** @type {string} */ label) => {
    shares.forEach((share, at) => {
      parts[at].style.flexGrow = String(share);
    });
    text.textContent = score.replace(/^([+-]?)(\d+)\.(\d)\d$/, "$2.$3").replace("-", "");
    text.classList.toggle("below", !score.includes("-"));
    element.setAttribute("aria-label", label);
    element.title = label;
  };
  return {
    element,
    /** @param {number[]} wdl @param {string} score */
    set(wdl, score) {
      const percent = wdl.map((value) => `${(value / 10).toFixed(0)}%`);
      apply(
        [wdl[2], wdl[1], wdl[0]],
        score,
        `${score}; White wins ${percent[0]}, draw ${percent[1]}, Black wins ${percent[2]}; expected ${expected(wdl).toFixed(2)}`,
      );
    },
    /** @param {number} value @param {string} score */
    setExpected(value, score) {
      apply([1 - value, 0, value], score, `${score}; expected score of White ${value.toFixed(2)}`);
    },
  };
}
