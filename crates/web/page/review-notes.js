/** The summary of a reviewed game and the list of its mistakes with their reasons. */

import { button, el } from "./dom.js";

export class ReviewNotes {
  /** @param {{onpick: (ply: number) => void, onretry: (move: any) => void, onanalyse: (ply: number) => void}} actions */
  constructor(actions) {
    this.actions = actions;
    this.summary = el("div", { class: "review-summary" });
    this.list = el("ol", { class: "mistakes", "aria-label": "Mistakes" });
    this.element = el("section", { class: "panel review-notes", "aria-label": "Review" }, this.summary, this.list);
    /** @type {any} */ this.game = null;
  }

  /** @param {any} game @param {number} ply */
  set(game, ply) {
    if (game !== this.game) this.draw(game);
    this.game = game;
    for (const item of this.list.children) {
      const isHere = item.dataset.ply === String(ply);
      item.classList.toggle("chosen", isHere);
      if (isHere) this.list.scrollTop = Math.max(0, item.offsetTop - this.list.offsetTop - 40);
    }
  }

  /** @param {any} game */
  draw(game) {
    this.summary.replaceChildren(
      side(game.white, "white"),
      el("span", { class: "review-result number", text: game.result.replace("1/2-1/2", "\u00BD\u2013\u00BD") }),
      side(game.black, "black"),
    );
    const mistakes = game.moves
      .map((/** @type {any} */ move, /** @type {number} */ at) => ({ move, ply: at + 1 }))
      .filter((/** @type {any} */ { move }) => move.judgement);
    this.list.replaceChildren(
      ...(mistakes.length
        ? mistakes.map(({ move, ply }) => this.item(move, ply))
        : [el("li", { class: "faint", text: "No mistakes." })]),
    );
  }

  /** @param {any} move @param {number} ply */
  item(move, ply) {
    const sign = { inaccuracy: "?!", mistake: "?", blunder: "??" }[/** @type {"mistake"} */ (move.judgement)] ?? "";
    const number = `${move.number}${move.side === "white" ? "." : "..."}`;
    return el(
      "li",
      { class: `mistake-item b-${move.judgement}`, dataset: { ply: String(ply) } },
      el(
        "button",
        { type: "button", class: `plain mistake-head ${move.judgement}`, onclick: () => this.actions.onpick(ply) },
        el("strong", { text: `${number} ${move.move}${sign}` }),
        el("span", { class: "faint number", text: `${move.eval}, lost ${(100 * move.loss).toFixed(0)}%` }),
      ),
      ...(move.reasons ?? []).map((/** @type {string} */ reason) => el("p", { text: reason })),
      move.best_line ? el("p", { class: "faint" }, "Better: ", el("span", { class: "number", text: move.best_line })) : null,
      el(
        "div",
        { class: "row" },
        button("Try again", () => this.actions.onretry(move), { class: "small" }),
        button("Analyse", () => this.actions.onanalyse(ply), { class: "small" }),
      ),
    );
  }
}

/** @param {any} player @param {"white"|"black"} color */
function side(player, color) {
  const accuracy = player.accuracy;
  return el(
    "div",
    { class: `review-side ${color}` },
    el("strong", { text: player.name || (color === "white" ? "White" : "Black") }),
    el("span", { class: "accuracy number", text: accuracy === null || accuracy === undefined ? "\u2013" : accuracy.toFixed(1) }),
    el("span", { class: "faint small-text", text: "accuracy" }),
    el(
      "span",
      { class: "row tight small-text" },
      el("span", { class: "inaccuracy", text: `${player.inaccuracies} ?!` }),
      el("span", { class: "mistake", text: `${player.mistakes} ?` }),
      el("span", { class: "blunder", text: `${player.blunders} ??` }),
    ),
  );
}
