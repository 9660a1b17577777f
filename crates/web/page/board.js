/** The board as SVG: squares, pieces, marks, arrows. Knows no rules; `board-input.js` turns gestures into moves. */

import { el, svg } from "./dom.js";
import { drawArrows } from "./arrows.js";
import { BASELINE, GLYPHS, SIDE, SQUARE, SQUARES, colorOf, coordinates, corner, piecesOf, squareName } from "./squares.js";

/**
 * @typedef {{from: string, to: string, kind: string, label?: string, rank?: number}} Arrow
 * @typedef {{square: string, kind: string}} Mark
 */

/** The path of the dark squares; it is the same from both sides. */
const DARK = SQUARES.filter((square) => {
  const [file, rank] = coordinates(square);
  return (file + rank) % 2 === 0;
})
  .map((square) => corner(square, false))
  .map(([x, y]) => `M${x} ${y}h${SQUARE}v${SQUARE}h-${SQUARE}z`)
  .join("");

export class Board {
  /**
   * @param {{label?: string, cells?: boolean}} [options] `cells` adds a grid of labelled squares for keyboard and screen reader
   */
  constructor({ label = "Board", cells = false } = {}) {
    this.flipped = false;
    this.fen = "8/8/8/8/8/8/8/8 w - - 0 1";
    /** @type {Map<string, string>} */
    this.pieces = new Map();
    /** @type {Map<string, SVGTextElement>} */
    this.shown = new Map();
    /** @type {Arrow[]} */ this.arrows = [];
    /** @type {Map<string, Mark[]>} */ this.markLayers = new Map();
    /** @type {Map<string, string>} */ this.labels = new Map();
    this.layers = Object.fromEntries(
      ["marks", "names", "cells", "pieces", "labels", "arrows", "held"].map((name) => [name, svg("g", { class: name })]),
    );
    this.svg = svg(
      "svg",
      cells
        ? { class: "board", viewBox: `0 0 ${SIDE} ${SIDE}`, role: "grid", "aria-label": label }
        : { class: "board", viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": label },
      svg("rect", { class: "light", width: SIDE, height: SIDE }),
      svg("path", { class: "dark", d: DARK }),
      ...Object.values(this.layers),
    );
    this.element = el("div", { class: "board-box" }, this.svg);
    this.hasCells = cells;
    this.cursor = "e2";
    for (const name of ["pieces", "labels", "arrows", "held", "marks", "names"])
      this.layers[name].setAttribute("aria-hidden", "true");
    this.drawFrame();
  }

  /**
   * Shows a position. Pieces that moved slide to their squares.
   * @param {string} fen @param {{last?: string[], check?: string|null, slide?: boolean}} [extra]
   */
  show(fen, { last = [], check = null, slide = true } = {}) {
    this.fen = fen;
    const next = piecesOf(fen);
    this.placePieces(next, slide);
    this.pieces = next;
    this.mark(
      "last",
      last.map((square) => ({ square, kind: "moved" })),
    );
    this.mark("check", check ? [{ square: check, kind: "check" }] : []);
    this.nameCells();
  }

  /** Turns the board. @param {boolean} [flipped] */
  flip(flipped = !this.flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.drawFrame();
    for (const [square, piece] of this.shown) this.place(piece, square);
    this.drawMarks();
    this.drawLabels();
    drawArrows(this.layers.arrows, this.arrows, this.flipped);
    this.nameCells();
  }

  /** Replaces the marks of one layer. @param {string} layer @param {Mark[]} marks */
  mark(layer, marks) {
    if (!marks.length && !this.markLayers.get(layer)?.length) return;
    this.markLayers.set(layer, marks);
    this.drawMarks();
  }

  /** @param {Arrow[]} arrows */
  setArrows(arrows) {
    this.arrows = arrows;
    drawArrows(this.layers.arrows, arrows, this.flipped);
  }

  /** Short texts on squares, such as the value of each piece. @param {Map<string, string>} labels */
  setLabels(labels) {
    this.labels = labels;
    this.drawLabels();
  }

  /** The square under a point of the screen. @param {number} clientX @param {number} clientY @returns {string|null} */
  squareAtPoint(clientX, clientY) {
    const [x, y] = this.pointAt(clientX, clientY);
    const file = Math.floor(x / SQUARE),
      down = Math.floor(y / SQUARE);
    if (file < 0 || file > 7 || down < 0 || down > 7) return null;
    return this.flipped ? "abcdefgh"[7 - file] + (down + 1) : "abcdefgh"[file] + (8 - down);
  }

  /** A point of the screen in units of the drawing. @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    return [((clientX - box.left) * SIDE) / box.width, ((clientY - box.top) * SIDE) / box.height];
  }

  /** Puts the keyboard cursor on a square. @param {string} square @param {boolean} [focus] */
  setCursor(square, focus = true) {
    this.cursor = square;
    for (const cell of this.layers.cells.querySelectorAll(".cell")) {
      const isHere = cell.dataset.square === square;
      cell.setAttribute("tabindex", isHere ? "0" : "-1");
      if (isHere && focus) cell.focus();
    }
  }

  /** The names of files and ranks and, where wanted, the grid of cells; both follow the side at the bottom. */
  drawFrame() {
    const names = [...Array(8).keys()].flatMap((at) => [
      svg("text", {
        x: (at + 1) * SQUARE - 6.5,
        y: SIDE - 2.6,
        class: at % 2 ? "on-light" : "on-dark",
        text: "abcdefgh"[this.flipped ? 7 - at : at],
      }),
      svg("text", {
        x: 1.8,
        y: at * SQUARE + 8.6,
        class: at % 2 ? "on-dark" : "on-light",
        text: String(this.flipped ? at + 1 : 8 - at),
      }),
    ]);
    this.layers.names.replaceChildren(...names);
    if (this.hasCells) this.drawCells();
  }

  drawCells() {
    const order = this.flipped ? [...SQUARES].reverse() : SQUARES;
    const rows = [...Array(8).keys()].map((row) =>
      svg(
        "g",
        { role: "row" },
        ...order.slice(8 * row, 8 * row + 8).map((square) => {
          const [x, y] = corner(square, this.flipped);
          return svg("rect", {
            class: "cell",
            role: "gridcell",
            x: x + 1.5,
            y: y + 1.5,
            width: SQUARE - 3,
            height: SQUARE - 3,
            tabindex: square === this.cursor ? 0 : -1,
            dataset: { square },
          });
        }),
      ),
    );
    this.layers.cells.replaceChildren(...rows);
    this.nameCells();
  }

  nameCells() {
    const selected = new Set(
      (this.markLayers.get("selection") ?? []).filter((mark) => mark.kind === "selected").map((mark) => mark.square),
    );
    for (const cell of this.layers.cells.querySelectorAll(".cell")) {
      const square = cell.dataset.square;
      cell.setAttribute("aria-label", squareName(square, this.pieces.get(square)));
      if (selected.has(square)) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
    }
  }

  drawMarks() {
    const drawn = [...this.markLayers.values()].flat().map(({ square, kind }) => {
      const [x, y] = corner(square, this.flipped);
      const [mx, my] = [x + SQUARE / 2, y + SQUARE / 2];
      if (kind === "target") return svg("circle", { class: kind, cx: mx, cy: my, r: 6.5 });
      if (kind === "capture") return svg("path", { class: kind, d: ring(x, y) });
      if (kind === "circle") return svg("circle", { class: kind, cx: mx, cy: my, r: SQUARE / 2 - 2.5 });
      if (kind === "check") return svg("circle", { class: kind, cx: mx, cy: my, r: SQUARE / 2 });
      return svg("rect", { class: kind, x, y, width: SQUARE, height: SQUARE });
    });
    this.layers.marks.replaceChildren(...drawn);
  }

  drawLabels() {
    const drawn = [...this.labels].map(([square, text]) => {
      const [x, y] = corner(square, this.flipped);
      const width = 4.6 * text.length + 4;
      return svg(
        "g",
        { class: /^[-\u2212]/.test(text) ? "bad" : "good" },
        svg("rect", { x: x + (SQUARE - width) / 2, y: y + SQUARE - 10.5, width, height: 10, rx: 3 }),
        svg("text", { x: x + SQUARE / 2, y: y + SQUARE - 2.9, text }),
      );
    });
    this.layers.labels.replaceChildren(...drawn);
  }

  /**
   * Moves the drawn pieces: those that stay stay, those that moved slide, the rest comes and goes.
   * @param {Map<string, string>} next @param {boolean} slide
   */
  placePieces(next, slide) {
    const leaving = [...this.shown].filter(([square]) => this.pieces.get(square) !== next.get(square));
    const coming = [...next].filter(([square, letter]) => this.pieces.get(square) !== letter || !this.shown.has(square));
    for (const [square] of leaving) this.shown.delete(square);
    for (const [square, letter] of coming) {
      const at = leaving.findIndex(([from]) => this.pieces.get(from) === letter);
      const piece = at >= 0 ? leaving.splice(at, 1)[0][1] : this.newPiece(letter);
      piece.classList.toggle("slides", slide && at >= 0);
      this.layers.pieces.append(piece);
      this.place(piece, square);
      this.shown.set(square, piece);
    }
    for (const [, piece] of leaving) piece.remove();
  }

  /** @param {string} letter @returns {SVGTextElement} */
  newPiece(letter) {
    return svg("text", { class: colorOf(letter), x: SQUARE / 2, y: BASELINE, text: GLYPHS[letter.toLowerCase()] });
  }

  /** @param {SVGElement} piece @param {string} square */
  place(piece, square) {
    const [x, y] = corner(square, this.flipped);
    piece.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** A square frame with a round hole: a piece that can be captured. @param {number} x @param {number} y */
const ring = (x, y) => `M${x} ${y}h${SQUARE}v${SQUARE}h-${SQUARE}zM${x + SQUARE / 2} ${y - 3.5}a26 26 0 1 0 .01 0z`;
