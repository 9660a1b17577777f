/** A plain list of moves in two columns, for games without variations. */

import { el } from "./dom.js";
import { numberBefore } from "./score.js";
import { turnOf } from "./squares.js";

/** @typedef {{san: string, fen: string, judgement?: string|null, text?: string}} ListedMove */

export class MoveList {
  /** @param {(ply: number) => void} onpick */
  constructor(onpick) {
    this.onpick = onpick;
    this.element = el("div", { class: "tree list", role: "list", "aria-label": "Moves" });
    this.key = "";
  }

  /** @param {string} start @param {ListedMove[]} moves @param {number} shown the ply on the board */
  set(start, moves, shown) {
    const key = start + moves.map(({ san, judgement }) => san + (judgement ?? "")).join();
    if (key !== this.key) this.draw(start, moves);
    this.key = key;
    for (const old of this.element.querySelectorAll(".chosen")) {
      old.classList.remove("chosen");
      old.removeAttribute("aria-current");
    }
    const here = this.element.querySelector(`[data-ply="${shown}"]`);
    here?.classList.add("chosen");
    here?.setAttribute("aria-current", "true");
    if (here) this.element.scrollTop = Math.max(0, here.offsetTop - this.element.offsetTop - this.element.clientHeight / 2);
  }

  /** @param {string} start @param {ListedMove[]} moves */
  draw(start, moves) {
    const parts = moves.flatMap((move, at) => {
      const before = at ? moves[at - 1].fen : start,
        isWhite = turnOf(before) === "white";
      const index =
        isWhite || at === 0 ? [el("span", { class: "index number", text: numberBefore(before, true).replace("...", ".") })] : [];
      if (!isWhite && at === 0) index.push(el("span", { class: "gap", text: "\u2026" }));
      return [
        ...index,
        el(
          "button",
          {
            type: "button",
            class: `move main ${move.judgement ?? ""}`,
            role: "listitem",
            dataset: { ply: String(at + 1) },
            onclick: () => this.onpick(at + 1),
          },
          el("span", { text: move.san }),
          move.text ? el("span", { class: "marks number", text: move.text }) : null,
        ),
      ];
    });
    this.element.replaceChildren(...(parts.length ? parts : [el("p", { class: "faint tree-empty", text: "No moves yet." })]));
  }
}
