/**
 * Gestures on a board: click, drag, keyboard, drawn arrows, promotion. Reports moves in UCI notation; knows legal moves only as
 * a list.
 */

import { announce, el } from "./dom.js";
import { GLYPHS, colorOf, coordinates, pieceName, squareAt, squareName, turnOf } from "./squares.js";

/** @typedef {{uci: string, san: string}} LegalMove */

/** Where the king of a castling move may be dropped: on the rook and on its own destination. @param {LegalMove} move */
function castlingTarget({ uci, san }) {
  if (!san.startsWith("O-O")) return null;
  return (san.startsWith("O-O-O") ? "c" : "g") + uci[1];
}

/**
 * The legal moves by origin and target. Castling gets both targets, unless another king move has the second one.
 * @param {LegalMove[]} legal @returns {Map<string, Map<string, LegalMove[]>>}
 */
export function targetsOf(legal) {
  /** @type {Map<string, Map<string, LegalMove[]>>} */
  const origins = new Map();
  const add = (/** @type {string} */ from, /** @type {string} */ to, /** @type {LegalMove} */ move) => {
    const targets = origins.get(from) ?? new Map();
    origins.set(from, targets.set(to, [...(targets.get(to) ?? []), move]));
  };
  for (const move of legal) add(move.uci.slice(0, 2), move.uci.slice(2, 4), move);
  for (const move of legal) {
    const from = move.uci.slice(0, 2),
      second = castlingTarget(move);
    if (second && second !== from && !origins.get(from)?.has(second)) add(from, second, move);
    // In the notation of standard chess the king is dropped on g1; the rook's corner means the same.
    const rook = second && (second[0] === "g" ? "h" : "a") + from[1];
    if (rook && move.uci.slice(2, 4) === second && !origins.get(from)?.has(rook)) add(from, rook, move);
  }
  return origins;
}

export class BoardInput {
  /**
   * @param {import("./board.js").Board} board
   * @param {{onmove: (move: LegalMove) => void, ondraw?: (shapes: import("./board.js").Arrow[]) => void, canMove?: () => boolean}} options
   */
  constructor(board, { onmove, ondraw, canMove = () => true }) {
    this.board = board;
    this.onmove = onmove;
    this.ondraw = ondraw;
    this.canMove = canMove;
    /** @type {Map<string, Map<string, LegalMove[]>>} */
    this.origins = new Map();
    this.legalKey = "";
    /** @type {string|null} */ this.selected = null;
    /** @type {{square: string, wasSelected: boolean, piece: SVGElement|undefined, id: number}|null} */ this.drag = null;
    /** @type {string|null} */ this.drawing = null;
    const target = board.svg;
    target.classList.add("live");
    target.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.press(event));
    target.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.moveTo(event));
    target.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.release(event));
    target.addEventListener("pointercancel", () => this.drop());
    target.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
    target.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /** The legal moves of the shown position. The same list again does not disturb a drag. @param {LegalMove[]} legal */
  setLegal(legal) {
    const key = legal.map(({ uci }) => uci).join();
    if (key === this.legalKey) return;
    this.legalKey = key;
    this.origins = targetsOf(legal);
    this.choose(null);
    this.closePromotion();
  }

  /** Selects the piece of a square and marks its targets. @param {string|null} square */
  choose(square) {
    this.selected = square && this.origins.has(square) && this.canMove() ? square : null;
    const targets = this.selected ? [...(this.origins.get(this.selected)?.keys() ?? [])] : [];
    this.board.mark("selection", [
      ...(this.selected ? [{ square: this.selected, kind: "selected" }] : []),
      ...targets.map((to) => ({ square: to, kind: this.board.pieces.has(to) ? "capture" : "target" })),
    ]);
    this.board.nameCells();
  }

  /** Plays from the selected square, with a question where a pawn promotes. @param {string} to @returns {boolean} */
  tryMove(to) {
    const moves = this.origins.get(this.selected ?? "")?.get(to);
    if (!moves?.length || !this.canMove()) return false;
    this.choose(null);
    if (moves.length === 1) this.onmove(moves[0]);
    else this.askPromotion(to, moves);
    return true;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    if (!square) return;
    if (event.button === 2) {
      this.drawing = square;
      return;
    }
    if (event.button !== 0) return;
    this.closePromotion();
    this.board.setCursor(square, false);
    this.ondraw?.([]);
    if (this.selected && this.selected !== square && this.tryMove(square)) return;
    const wasSelected = this.selected === square;
    this.choose(square);
    if (!this.selected) return;
    event.preventDefault();
    this.board.svg.setPointerCapture(event.pointerId);
    this.drag = { square, wasSelected, piece: this.board.shown.get(square), id: event.pointerId };
  }

  /** @param {PointerEvent} event */
  moveTo(event) {
    if (!this.drag || event.pointerId !== this.drag.id) {
      const square = this.board.squareAtPoint(event.clientX, event.clientY);
      this.board.svg.classList.toggle(
        "grab",
        !!square && this.canMove() && (this.origins.has(square) || !!this.origins.get(this.selected ?? "")?.has(square)),
      );
      return;
    }
    const [x, y] = this.board.pointAt(event.clientX, event.clientY),
      { piece } = this.drag;
    if (!piece) return;
    piece.classList.remove("slides");
    piece.classList.add("held");
    this.board.layers.held.append(piece);
    piece.style.transform = `translate(${x - 22.5}px, ${y - 22.5}px)`;
    const over = this.board.squareAtPoint(event.clientX, event.clientY);
    this.board.mark(
      "over",
      over && over !== this.drag.square && this.origins.get(this.drag.square)?.has(over) ? [{ square: over, kind: "over" }] : [],
    );
  }

  /** @param {PointerEvent} event */
  release(event) {
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    if (event.button === 2 && this.drawing) {
      if (square) this.ondraw?.([{ from: this.drawing, to: square, kind: "user" }]);
      this.drawing = null;
      return;
    }
    const drag = this.drag;
    this.drop();
    if (!drag || !square) return;
    if (square === drag.square) {
      if (drag.wasSelected) this.choose(null);
      return;
    }
    if (!this.tryMove(square)) this.choose(null);
  }

  /** Ends a drag; the piece goes back until the position changes. */
  drop() {
    const drag = this.drag;
    this.drag = null;
    this.board.mark("over", []);
    if (!drag?.piece) return;
    drag.piece.classList.remove("held");
    this.board.layers.pieces.append(drag.piece);
    this.board.place(drag.piece, drag.square);
  }

  /** Arrow keys move the cursor, Enter or Space selects and moves. @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) {
      const sign = this.board.flipped ? -1 : 1,
        [file, rank] = coordinates(this.board.cursor);
      const next = squareAt(file + sign * steps[event.key][0], rank + sign * steps[event.key][1]);
      if (next) this.board.setCursor(next);
    } else if (event.key === "Enter" || event.key === " ") this.enter();
    else if (event.key === "Escape") this.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  enter() {
    const square = this.board.cursor,
      piece = this.board.pieces.get(square);
    if (this.selected === square) {
      this.choose(null);
      announce("Selection removed.");
      return;
    }
    if (this.selected && this.tryMove(square)) return;
    this.choose(square);
    const count = this.selected ? this.origins.get(square)?.size : 0;
    announce(
      count
        ? `${squareName(square, piece)} selected, ${count} target${count === 1 ? "" : "s"}.`
        : `${squareName(square, piece)}: no legal move.`,
    );
  }

  /** A choice of pieces beside the promotion square. @param {string} to @param {LegalMove[]} moves */
  askPromotion(to, moves) {
    const color = turnOf(this.board.fen),
      [file, rank] = coordinates(to);
    const column = this.board.flipped ? 7 - file : file,
      isTop = (rank === 7) !== this.board.flipped;
    const order = ["q", "n", "r", "b"].flatMap((kind) => moves.filter(({ uci }) => uci[4] === kind));
    const close = () => {
      this.closePromotion();
      this.board.setCursor(this.board.cursor);
    };
    const box = el(
      "div",
      {
        class: "promotion",
        role: "dialog",
        "aria-label": "Promote to",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const buttons = [...box.querySelectorAll("button")],
            at = buttons.indexOf(document.activeElement);
          const named = order.findIndex(({ uci }) => uci[4] === event.key.toLowerCase());
          if (event.key === "Escape") close();
          else if (named >= 0) buttons[named].click();
          else if (event.key === "ArrowDown" || event.key === "ArrowRight") buttons[(at + 1) % buttons.length].focus();
          else if (event.key === "ArrowUp" || event.key === "ArrowLeft")
            buttons[(at + buttons.length - 1) % buttons.length].focus();
          else return;
          event.preventDefault();
          event.stopPropagation();
        },
      },
      ...order.map((move) => {
        const letter = color === "white" ? move.uci[4].toUpperCase() : move.uci[4];
        return el("button", {
          type: "button",
          class: colorOf(letter),
          "aria-label": pieceName(letter),
          text: GLYPHS[move.uci[4]],
          onclick: () => {
            this.closePromotion();
            this.onmove(move);
          },
        });
      }),
    );
    box.style.left = `${column * 12.5}%`;
    box.style[isTop ? "top" : "bottom"] = "0";
    if (!isTop) box.classList.add("upward");
    this.board.element.append(box);
    box.querySelector("button")?.focus();
  }

  closePromotion() {
    this.board.element.querySelector(".promotion")?.remove();
  }
}

/**
 * The legal move that a text means, in SAN or UCI notation; case and signs such as x, + and = do not matter
 * unless two moves differ by them.
 * @template {LegalMove} M
 * @param {string} text @param {M[]} legal @returns {M|null}
 */
export function typedMove(text, legal) {
  const bare = (/** @type {string} */ move) => move.replace(/[x+#=!?\s.-]/g, "").replace(/0/g, "O");
  const wanted = bare(text.replace(/^\d+\.+/, ""));
  if (!wanted) return null;
  const exact = legal.find(({ san, uci }) => bare(san) === wanted || uci === wanted);
  if (exact) return exact;
  const loose = legal.filter(({ san, uci }) => [bare(san), uci].some((name) => name.toLowerCase() === wanted.toLowerCase()));
  return loose.length === 1 ? loose[0] : null;
}
