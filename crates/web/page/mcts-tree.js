/** The tree of a Monte Carlo search: moves with visits, priors and values. Children are read when a row is opened. */

import { el } from "./dom.js";
import { whole } from "./score.js";
import { ServerError, session } from "./session.js";

const HEADS = ["Move", "Visits", "Prior", "Value", "Win / draw / loss", "Proved"];

/** @typedef {{uci: string, san: string, fen: string, visits: number, prior: number, value: number|null, wdl: number[], bounds: number[]}} Move */

export class MctsTree {
  /** @param {{onselect: (move: Move) => void, onroot: (node: any) => void}} options */
  constructor({ onselect, onroot }) {
    this.onselect = onselect;
    this.onroot = onroot;
    this.search = -1;
    /** The opened lines. @type {Set<string>} */
    this.opened = new Set();
    /** Whether a row has been chosen: the board then stays with it. */
    this.isChosen = false;
    this.turn = 0;
    this.body = el("tbody", { role: "rowgroup", onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(event) });
    this.element = el(
      "table",
      { class: "mcts-table", role: "treegrid", "aria-label": "Monte Carlo tree" },
      el("thead", {}, el("tr", {}, ...HEADS.map((text) => el("th", { scope: "col", text })))),
      this.body,
    );
  }

  /** Shows the tree of a search, or what has become of it. @param {number} search */
  async show(search) {
    if (search !== this.search) {
      this.opened.clear();
      this.isChosen = false;
    }
    this.search = search;
    await this.draw();
  }

  async draw() {
    this.turn += 1;
    const turn = this.turn;
    try {
      const rows = await this.rows("", 1);
      if (turn === this.turn) this.replace(rows);
    } catch (error) {
      // The tree goes with the next search; the last rows stay.
      if (!(error instanceof ServerError) || error.code !== "not-found") throw error;
    }
  }

  /** The rows below a line. @param {string} line @param {number} level @returns {Promise<HTMLElement[]>} */
  async rows(line, level) {
    const node = await session.read(`mcts?search=${this.search}&line=${line}`);
    if (level === 1 && !this.isChosen) this.onroot(node);
    const most = node.moves[0]?.visits || 1,
      shown = node.moves.filter((/** @type {Move} */ { visits }) => visits);
    const rows = [];
    for (const move of shown) {
      const below = line ? `${line}.${move.uci}` : move.uci;
      rows.push(this.row(move, below, level, most));
      if (this.opened.has(below)) rows.push(...(await this.rows(below, level + 1)));
    }
    const hidden = node.moves.length - shown.length;
    if (hidden) rows.push(restRow(hidden, level));
    return rows;
  }

  /** @param {Move} move @param {string} line @param {number} level @param {number} most visits of the row above all */
  row(move, line, level, most) {
    const canOpen = move.visits > 1,
      isOpen = this.opened.has(line);
    const toggle = el("span", { class: "toggle", "aria-hidden": "true", text: canOpen ? (isOpen ? "\u25BE" : "\u25B8") : "" });
    const head = el("th", { scope: "row" }, toggle, move.san);
    indent(head, level);
    const bar = el("span", { class: "reason r-raised-alpha" });
    bar.style.width = `${Math.max(1, (100 * move.visits) / most)}%`;
    const row = el(
      "tr",
      {
        role: "row",
        tabindex: -1,
        dataset: { line },
        "aria-level": level,
        "aria-expanded": canOpen ? String(isOpen) : null,
        onclick: () => {
          row.focus();
          if (canOpen) this.toggle(line);
        },
        onfocus: () => {
          this.isChosen = true;
          this.onselect(move);
        },
      },
      head,
      el("td", { class: "bar-cell" }, bar, el("span", { text: whole(move.visits) })),
      el("td", { text: `${(100 * move.prior).toFixed(1)}%` }),
      el("td", { text: move.value?.toFixed(3).replace("-", "\u2212") ?? "" }),
      el("td", {}, wdlBar(move.wdl)),
      el("td", { text: provedText(move.bounds) }),
    );
    return row;
  }

  /** @param {string} line */
  toggle(line) {
    if (!this.opened.delete(line)) this.opened.add(line);
    return this.draw();
  }

  /** Puts new rows in place of the old ones; the focus stays on its line. @param {HTMLElement[]} rows */
  replace(rows) {
    const focused = this.body.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.line
      : null;
    this.body.replaceChildren(...rows);
    const again = focused ? rows.find((row) => row.dataset.line === focused) : null;
    const first = again ?? rows[0];
    if (first) first.tabIndex = 0;
    again?.focus();
  }

  /** Arrow keys walk through the rows, open and close them. @param {KeyboardEvent} event */
  walk(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest("tr"),
      line = row?.dataset.line;
    if (!row || !line) return;
    const isOpen = this.opened.has(line),
      canOpen = row.hasAttribute("aria-expanded");
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => /** @type {HTMLElement|null} */ (row.nextElementSibling)?.focus(),
      ArrowUp: () => /** @type {HTMLElement|null} */ (row.previousElementSibling)?.focus(),
      ArrowRight: () => canOpen && !isOpen && this.toggle(line),
      ArrowLeft: () => isOpen && this.toggle(line),
      Enter: () => canOpen && this.toggle(line),
    });
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** @param {number} count @param {number} level */
function restRow(count, level) {
  const head = el("th", { class: "faint rest", colspan: HEADS.length, text: `${whole(count)} moves without visits` });
  indent(head, level);
  return el("tr", { role: "row", "aria-level": level, tabindex: -1 }, head);
}

/** @param {HTMLElement} head @param {number} level */
function indent(head, level) {
  head.style.paddingInlineStart = `${level - 0.5}rem`;
}

/** @param {number[]} wdl for the side that moves */
function wdlBar(wdl) {
  const parts = ["white", "draw", "black"].map((side, at) => {
    const part = el("span", { class: `wdl-${side}` });
    part.style.flexGrow = String(wdl[at]);
    return part;
  });
  const text = `win ${wdl[0] / 10}%, draw ${wdl[1] / 10}%, loss ${wdl[2] / 10}%`;
  return el("span", { class: "wdl", role: "img", "aria-label": text, title: text }, ...parts);
}

/** @param {number[]} bounds lower and upper, from -1 for a loss to 1 for a win */
function provedText([low, high]) {
  if (low === high) return low > 0 ? "win" : low < 0 ? "loss" : "draw";
  if (low === 0) return "at least a draw";
  return high === 0 ? "at most a draw" : "";
}
