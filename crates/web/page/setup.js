/** The set-up of positions: a dialog with pieces to place, side to move, castling, en passant, Chess960. */

import { Board } from "./board.js";
import { button, el, labelled, select } from "./dom.js";
import { ServerError, describe } from "./session.js";
import { GLYPHS, START, boardField, colorOf, pieceName, piecesOf } from "./squares.js";
import { study } from "./study.js";

const LETTERS = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

export function openSetup() {
  const [, side = "w", castling = "KQkq", passant = "-"] = study.node.fen.split(" ");
  const state = { pieces: piecesOf(study.node.fen), side, castling, passant, held: "P" };
  const board = new Board({ label: "Position to set up", cells: true });
  const fault = el("p", { class: "fault", role: "alert" });
  const fen = el("input", { class: "mono grow", "aria-label": "FEN of the position", spellcheck: "false" });
  const toFen = () => `${boardField(state.pieces)} ${state.side} ${state.castling || "-"} ${state.passant || "-"} 0 1`;
  const show = () => {
    board.show(toFen(), { slide: false });
    fen.value = toFen();
    fault.textContent = "";
  };
  const take = (/** @type {string} */ text) => {
    const [field, s = "w", c = "-", p = "-"] = text.trim().split(/\s+/);
    Object.assign(state, { pieces: piecesOf(field), side: s, castling: c === "-" ? "" : c, passant: p === "-" ? "" : p });
    sideField.value = state.side;
    castlingField.value = state.castling;
    passantField.value = state.passant;
    show();
  };
  const sideField = select(
    [
      ["w", "White"],
      ["b", "Black"],
    ],
    state.side,
    (value) => {
      state.side = value;
      show();
    },
  );
  const castlingField = el("input", {
    value: state.castling === "-" ? "" : state.castling,
    placeholder: "KQkq or files",
    onchange: () => {
      state.castling = castlingField.value.trim();
      show();
    },
  });
  const passantField = el("input", {
    value: state.passant === "-" ? "" : state.passant,
    placeholder: "e.g. e3",
    onchange: () => {
      state.passant = passantField.value.trim();
      show();
    },
  });
  const number = el("input", { type: "number", min: 0, max: 959, value: "518" });
  fen.addEventListener("change", () => take(fen.value));
  const dialog = el(
    "dialog",
    { class: "setup", "aria-label": "Set up a position" },
    el(
      "div",
      { class: "setup-sides" },
      el("div", { class: "setup-board" }, board.element, palette(state)),
      el(
        "div",
        { class: "stack" },
        el("h2", { text: "Set up a position" }),
        labelled("To move", sideField),
        labelled("Castling", castlingField),
        labelled("En passant", passantField),
        el(
          "div",
          { class: "row" },
          button("Start position", () => take(START), { class: "small" }),
          button("Clear", () => take("8/8/8/8/8/8/8/8 w - - 0 1"), { class: "small" }),
          button("Flip", () => board.flip(), { class: "small" }),
        ),
        el(
          "div",
          { class: "row" },
          labelled("Chess960 number", number),
          button(
            "Set",
            async () => {
              const position = await ask({ chess960: Number(number.value) });
              if (position) take(position.fen);
            },
            { class: "small" },
          ),
        ),
        labelled("FEN", fen),
        fault,
        el("p", {
          class: "faint small-text",
          text: "Choose a piece and click squares; click a piece again to remove it. With the keyboard: arrow keys, a letter (P, n, ...) places, Delete removes.",
        }),
        el(
          "div",
          { class: "row" },
          button("Use this position", use, { class: "primary" }),
          button("Cancel", () => dialog.close()),
        ),
      ),
    ),
  );

  /** Asks the rules; a fault is shown in words. @param {any} position */
  async function ask(position) {
    try {
      return await describe(position);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      fault.textContent = error.message;
      return null;
    }
  }
  async function use() {
    const position = await ask({ fen: toFen() });
    if (!position) return;
    dialog.close();
    study.load({ start: position.fen });
  }
  /** @param {string} square @param {string|null} letter */
  const put = (square, letter) => {
    if (letter) state.pieces.set(square, letter);
    else state.pieces.delete(square);
    show();
  };
  placing(board, state, put);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}

/** The pieces to choose from. @param {{held: string}} state */
function palette(state) {
  const buttons = [...LETTERS.slice(0, 6), "", ...LETTERS.slice(6)].map((letter) =>
    button(
      letter ? GLYPHS[letter.toLowerCase()] : "\u2715",
      () => {
        state.held = letter;
        press();
      },
      {
        class: letter ? colorOf(letter) : "eraser",
        "aria-label": letter ? pieceName(letter) : "Remove pieces",
        dataset: { letter },
      },
    ),
  );
  const press = () => {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.letter === state.held));
  };
  press();
  return el("div", { class: "palette", role: "group", "aria-label": "Pieces" }, ...buttons);
}

/**
 * Clicks place the held piece, drags move pieces, letters place at the cursor.
 * @param {Board} board
 * @param {{pieces: Map<string, string>, held: string}} state
 * @param {(square: string, letter: string|null) => void} put
 */
function placing(board, state, put) {
  board.svg.classList.add("live");
  /** @type {string|null} */ let from = null;
  board.svg.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    from = board.squareAtPoint(event.clientX, event.clientY);
    board.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  board.svg.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
    const to = board.squareAtPoint(event.clientX, event.clientY),
      start = from;
    from = null;
    if (!start) return;
    if (start === to) {
      put(start, state.held && state.pieces.get(start) !== state.held ? state.held : null);
      return;
    }
    const moved = state.pieces.get(start);
    if (!moved) return;
    put(start, null);
    if (to) put(to, moved);
  });
  board.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    });
    const step = steps[event.key],
      sign = board.flipped ? -1 : 1;
    if (step) {
      const file = board.cursor.charCodeAt(0) - 97 + sign * step[0],
        rank = Number(board.cursor[1]) + sign * step[1];
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) board.setCursor("abcdefgh"[file] + rank);
    } else if (LETTERS.includes(event.key)) put(board.cursor, event.key);
    else if (event.key === "Delete" || event.key === "Backspace") put(board.cursor, null);
    else return;
    event.preventDefault();
  });
}
