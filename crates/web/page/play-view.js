/** The play view: a game against the engine, with clocks, hint, takeback, resignation and draw. */

import { Board } from "./board.js";
import { BoardInput, typedMove } from "./board-input.js";
import { Clock } from "./clock.js";
import { announce, button, download, el, stepButtons, toast } from "./dom.js";
import { MoveList } from "./move-list.js";
import { newGameForm } from "./play-form.js";
import { session } from "./session.js";
import { piecesOf, spoken } from "./squares.js";
import { study } from "./study.js";

export function create() {
  const view = new PlayView();
  return {
    element: view.element,
    show: () => {
      view.isShown = true;
    },
    hide: () => {
      view.isShown = false;
    },
  };
}

class PlayView {
  constructor() {
    this.isShown = false;
    this.board = new Board({ cells: true });
    this.input = new BoardInput(this.board, {
      onmove: (move) => this.move(move),
      canMove: () => this.isAtEnd() && this.state.state === "playing",
    });
    /** @type {any} */ this.state = { state: "none", moves: [], legal: [] };
    /** The ply on the board; null is the last. @type {number|null} */
    this.shown = null;
    this.clocks = { white: new Clock("white"), black: new Clock("black") };
    this.list = new MoveList((ply) => this.look(ply));
    this.message = el("p", { class: "play-message", role: "status" });
    this.opening = el("div", { class: "facts" });
    this.top = el("div");
    this.bottom = el("div");
    this.field = el("input", {
      placeholder: "Move: Nf3 or g1f3",
      "aria-label": "Type a move in SAN or UCI notation",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      class: "grow",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") this.typed();
      },
    });
    this.form = newGameForm((options) => this.command({ command: "new", ...options }));
    this.actions = this.makeActions();
    this.after = el(
      "div",
      { class: "row" },
      button("Review this game", () => this.review(), { class: "primary" }),
      button("Analyse", () => this.analyse()),
      button("Save PGN", async () => download("game.pgn", await this.pgn(), "application/x-chess-pgn")),
      button("New game", () => this.showForm()),
    );
    this.game = el(
      "section",
      { class: "panel moves-panel", "aria-label": "Game" },
      this.opening,
      this.list.element,
      el("div", { class: "pad stack" }, this.message, this.actions, this.after),
    );
    this.element = el(
      "div",
      { class: "analysis play" },
      el(
        "section",
        { class: "board-column stack", "aria-label": "Board" },
        this.top,
        this.board.element,
        this.bottom,
        el("div", { class: "row board-tools bare" }, this.steps(), this.field),
      ),
      el("div", { class: "side-column stack" }, this.form, this.game),
    );
    document.addEventListener("keydown", (event) => this.key(event));
    session.on("play", (snapshot) => this.receive(snapshot));
  }

  steps() {
    return stepButtons({
      first: () => this.look(0),
      back: () => this.look(this.ply() - 1),
      forward: () => this.look(this.ply() + 1),
      last: () => this.look(Infinity),
      flip: () => this.flip(),
    });
  }

  makeActions() {
    const act = (/** @type {string} */ text, /** @type {string} */ command) =>
      button(text, () => this.command({ command }), { dataset: { command } });
    const resign = button("Resign", () => {
      if (resign.dataset.sure) {
        delete resign.dataset.sure;
        this.command({ command: "resign" });
      } else {
        resign.dataset.sure = "1";
        resign.textContent = "Really resign?";
        setTimeout(() => {
          delete resign.dataset.sure;
          resign.textContent = "Resign";
        }, 4000);
      }
    });
    return el(
      "div",
      { class: "row" },
      act("Hint", "hint"),
      act("Take back", "takeback"),
      act("Offer draw", "draw"),
      act("Move now", "move_now"),
      resign,
    );
  }

  /** @param {any} snapshot */
  receive(snapshot) {
    const before = this.state,
      isNew = snapshot.game !== before.game;
    this.state = { moves: [], legal: [], ...snapshot };
    if (isNew || (snapshot.moves?.length ?? 0) !== before.moves.length) this.shown = null;
    if (snapshot.state === "none") {
      this.showForm();
      this.board.show("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
      return;
    }
    if (isNew) {
      this.form.hidden = true;
      this.game.hidden = false;
      this.board.flip(snapshot.color === "black");
    }
    this.announceMove(before);
    this.draw();
  }

  /** @param {any} before */
  announceMove(before) {
    const { moves, ending, message } = this.state;
    if (moves.length > before.moves.length) {
      const last = moves[moves.length - 1],
        fen = moves.length > 1 ? moves[moves.length - 2].fen : this.state.start;
      announce(spoken(last.san, last.uci, piecesOf(fen).get(last.uci.slice(0, 2))));
    }
    if (ending && !before.ending) announce(ending.text);
    else if (message && message !== before.message) announce(message);
  }

  draw() {
    const { state, moves, hint, start, legal } = this.state,
      ply = this.ply(),
      move = moves[ply - 1];
    this.board.show(ply ? move.fen : start, {
      last: move ? [move.uci.slice(0, 2), move.uci.slice(2, 4)] : [],
      check: this.checkSquare(move, ply),
    });
    this.input.setLegal(this.isAtEnd() ? legal : []);
    this.board.setArrows(
      hint && this.isAtEnd() ? [{ from: hint.uci.slice(0, 2), to: hint.uci.slice(2, 4), kind: "engine", label: hint.text }] : [],
    );
    this.list.set(start, moves, ply);
    const isPlaying = state === "playing";
    this.actions.hidden = !isPlaying;
    this.after.hidden = isPlaying;
    for (const one of this.actions.querySelectorAll("button"))
      one.disabled =
        one.dataset.command === "move_now" ? !this.state.is_thinking : one.dataset.command === "hint" && this.state.is_thinking;
    this.opening.textContent = this.state.opening ? `${this.state.opening.code} ${this.state.opening.name}` : "";
    this.message.textContent = this.messageText();
    this.message.classList.toggle("over", state === "over");
    this.drawClocks();
  }

  messageText() {
    const { ending, hint, message, is_thinking: isThinking, side, color } = this.state;
    if (ending) return `${ending.text} (${ending.result.replace("1/2-1/2", "\u00BD\u2013\u00BD")})`;
    if (hint) return `Hint: ${hint.san} (${hint.text})`;
    if (message) return message;
    return isThinking ? "The engine is thinking." : side === color ? "Your move." : "";
  }

  drawClocks() {
    const { color, skill, clock } = this.state,
      other = color === "white" ? "black" : "white";
    this.clocks[/** @type {"white"|"black"} */ (color)].set("You", clock);
    this.clocks[/** @type {"white"|"black"} */ (other)].set(`Rukh${skill ? `, ${skill}` : ""}`, clock);
    this.top.replaceChildren(this.clocks[this.board.flipped ? "white" : "black"].element);
    this.bottom.replaceChildren(this.clocks[this.board.flipped ? "black" : "white"].element);
  }

  /** The king that a check is given to, from the sign of the move. @param {any} move @param {number} ply */
  checkSquare(move, ply) {
    if (!move || !/[+#]/.test(move.san)) return null;
    const king = ply && move.fen.split(" ")[1] === "w" ? "K" : "k";
    return [...piecesOf(move.fen)].find(([, letter]) => letter === king)?.[0] ?? null;
  }

  ply() {
    return this.shown ?? this.state.moves.length;
  }

  isAtEnd() {
    return this.shown === null || this.shown === this.state.moves.length;
  }

  /** Shows an earlier position. @param {number} ply */
  look(ply) {
    const last = this.state.moves.length;
    if (this.state.state === "none") return;
    this.shown = ply >= last ? null : Math.max(0, ply);
    this.draw();
  }

  flip() {
    this.board.flip();
    if (this.state.state !== "none") this.draw();
  }

  /** @param {{uci: string, san: string}} move */
  async move(move) {
    const full = /** @type {any} */ (move);
    if (full.fen) this.board.show(full.fen, { last: [move.uci.slice(0, 2), move.uci.slice(2, 4)] });
    this.input.setLegal([]);
    await this.command({ command: "move", move: move.uci, ply: this.state.moves.length });
  }

  typed() {
    const move = typedMove(this.field.value, this.isAtEnd() ? this.state.legal : []);
    if (move) {
      this.field.value = "";
      this.move(move);
    } else if (this.field.value.trim()) toast(`"${this.field.value.trim()}" is not a legal move here.`, "fault");
  }

  /** @param {any} body */
  async command(body) {
    try {
      await session.command("play", body, "play");
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "fault");
      if (this.state.state !== "none") this.draw();
    }
  }

  showForm() {
    this.form.hidden = false;
    this.game.hidden = this.state.state === "none";
  }

  /** The record of this game. */
  async pgn() {
    return (await fetch(`${session.address("play.pgn")}&game=${this.state.game}`)).text();
  }

  async review() {
    const snapshot = await session.command("review", { pgn: await this.pgn(), movetime_ms: 200 });
    session.publish("review", snapshot);
    location.hash = "#/review";
  }

  async analyse() {
    study.load((await session.send("/api/pgn/read", { pgn: await this.pgn(), game: 0 })).game);
    location.hash = "#/analysis";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.isShown || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, textarea, select, .promotion"))
      return;
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.look(this.ply() - 1),
      ArrowRight: () => this.look(this.ply() + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      f: () => this.flip(),
    });
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}
