/** Scores and numbers as people read them. All scores are White's unless a function says otherwise. */

import { moveNumber, turnOf } from "./squares.js";

/** @typedef {{cp?: number, mate?: number, tablebase_win?: number, tablebase_loss?: number}} Score */

/** "+0.31", "#3", "#-2". @param {Score|null|undefined} score */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) return `#${score.mate}`;
  if (score.tablebase_win !== undefined) return "TB+";
  if (score.tablebase_loss !== undefined) return "TB\u2212";
  const pawns = (score.cp ?? 0) / 100;
  return pawns < 0 ? `\u2212${(-pawns).toFixed(2)}` : `+${pawns.toFixed(2)}`;
}

/** The expected score of White from win, draw, loss in permille, from 0 to 1. @param {number[]} wdl */
export const expected = ([win, draw]) => (win + draw / 2) / 1000;

/** 1234567 as "1.23 M". @param {number} count */
export function short(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(Math.round(count));
}

/** 1234567 as "1,234,567". @param {number} count */
export const whole = (count) => Math.round(count).toLocaleString("en");

/** The number before a move: "3.", "3...", or "" where none stands. @param {string} fenBefore @param {boolean} isFirst */
export function numberBefore(fenBefore, isFirst) {
  const number = moveNumber(fenBefore);
  if (turnOf(fenBefore) === "white") return `${number}.`;
  return isFirst ? `${number}...` : "";
}

/** The numbers of a line of moves. @param {string} fen before the first @param {number} count @returns {string[]} */
export function lineNumbers(fen, count) {
  const isWhite = turnOf(fen) === "white",
    first = moveNumber(fen);
  return [...Array(count).keys()].map((at) => {
    const ply = at + (isWhite ? 0 : 1),
      number = first + Math.floor(ply / 2);
    if (ply % 2 === 0) return `${number}.`;
    return at === 0 ? `${number}...` : "";
  });
}

/** A clock: "4:05", below twenty seconds "0:09.4". @param {number} milliseconds */
export function clockText(milliseconds) {
  const left = Math.max(0, milliseconds),
    seconds = Math.floor(left / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return left < 20000 ? `${text}.${Math.floor(left / 100) % 10}` : text;
}
