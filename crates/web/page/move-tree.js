/** The moves of the study as text: main line in two columns, variations between, comments edited in place. */

import { el } from "./dom.js";
import { signOf } from "./game.js";
import { numberBefore } from "./score.js";
import { proseOf, withProse } from "./shapes.js";
import { turnOf } from "./squares.js";
import { study } from "./study.js";

const JUDGED = /** @type {Record<number, string>} */ ({
  1: "good",
  3: "good",
  2: "mistake",
  4: "blunder",
  5: "interesting",
  6: "inaccuracy",
});

/** @typedef {import("./game.js").Node} Node */

export class MoveTree {
  constructor() {
    this.element = el("div", {
      class: "tree",
      role: "tree",
      "aria-label": "Moves",
      onclick: (/** @type {Event} */ event) => this.click(event),
      ondblclick: (/** @type {Event} */ event) => this.doubleClick(event),
    });
    /** @type {Map<string, Node>} */ this.nodes = new Map();
    study.addEventListener("tree", () => this.draw());
    study.addEventListener("node", () => this.choose(true));
    this.draw();
  }

  draw() {
    this.nodes.clear();
    const rows = [],
      { root } = study.tree;
    if (root.comment) rows.push(this.comment(root));
    for (let node = root; node.children.length; node = node.children[0]) rows.push(...this.mainMove(node));
    if (!root.children.length)
      rows.push(el("p", { class: "faint tree-empty", text: "Play a move on the board, type it, or paste a game below." }));
    else if (study.tree.result !== "*")
      rows.push(el("div", { class: "result", text: study.tree.result.replace("1/2-1/2", "\u00BD\u2013\u00BD") }));
    this.element.replaceChildren(...rows);
    this.choose(false);
  }

  /** A move of the main line, with what interrupts the columns. @param {Node} parent */
  mainMove(parent) {
    const [main, ...others] = parent.children,
      isWhite = turnOf(parent.fen) === "white",
      parts = [];
    const before = /** @type {Node|null} */ (parent.parent);
    const isInterrupted = !before || proseOf(parent.comment) || before.children.length > 1;
    if (isWhite || isInterrupted)
      parts.push(el("span", { class: "index number", text: numberBefore(parent.fen, true).replace("...", "") }));
    if (!isWhite && isInterrupted) parts.push(el("span", { class: "gap", text: "\u2026" }));
    parts.push(this.move(main, "main", ""));
    const extra = [proseOf(main.comment) ? this.comment(main) : null, ...others.map((other) => this.variation(other, 0))].filter(
      Boolean,
    );
    if (extra.length && isWhite) parts.push(el("span", { class: "gap", text: "\u2026" }));
    if (extra.length) parts.push(el("div", { class: "between" }, ...extra));
    return parts;
  }

  /** A variation as running text, deeper ones indented. @param {Node} first @param {number} level */
  variation(first, level) {
    const parts = [];
    let isFirst = true;
    for (let node = first; ;) {
      const parent = /** @type {Node} */ (node.parent);
      parts.push(this.move(node, "inline", numberBefore(parent.fen, isFirst)), " ");
      isFirst = false;
      if (proseOf(node.comment)) {
        parts.push(this.comment(node), " ");
        isFirst = true;
      }
      if (node !== first && parent.children.length > 1 && parent.children[0] === node) {
        parts.push(...parent.children.slice(1).map((other) => this.variation(other, level + 1)));
        isFirst = true;
      }
      if (!node.children.length) break;
      node = node.children[0];
    }
    return el("div", { class: `variation level${Math.min(level, 4)}`, role: "group" }, ...parts);
  }

  /** @param {Node} node @param {"main"|"inline"} kind @param {string} number */
  move(node, kind, number) {
    this.nodes.set(String(node.id), node);
    const judged = node.nags.map((nag) => JUDGED[nag]).find(Boolean) ?? "";
    return el(
      "button",
      { type: "button", class: `move ${kind} ${judged}`, role: "treeitem", tabindex: -1, dataset: { node: String(node.id) } },
      number ? el("span", { class: "index number", text: number }) : null,
      el("span", {
        text:
          node.san +
          node.nags
            .filter((nag) => nag < 10)
            .map(signOf)
            .join(""),
      }),
      node.nags.some((nag) => nag >= 10)
        ? el("span", {
            class: "marks",
            text: node.nags
              .filter((nag) => nag >= 10)
              .map(signOf)
              .join(" "),
          })
        : null,
    );
  }

  /** @param {Node} node */
  comment(node) {
    this.nodes.set(String(node.id), node);
    return el("span", {
      class: "comment",
      dataset: { comment: String(node.id) },
      title: "Double-click to edit",
      text: proseOf(node.comment),
    });
  }

  /** @param {Event} event */
  click(event) {
    const move = /** @type {HTMLElement} */ (event.target).closest("[data-node]");
    const node = move && this.nodes.get(/** @type {HTMLElement} */ (move).dataset.node ?? "");
    if (node) study.go(node);
  }

  /** @param {Event} event */
  doubleClick(event) {
    const place = /** @type {HTMLElement|null} */ (
      /** @type {HTMLElement} */ (event.target).closest("[data-comment], [data-node]")
    );
    const node = place && this.nodes.get(place.dataset.comment ?? place.dataset.node ?? "");
    if (node) this.editComment(node);
  }

  /** Marks the current move. @param {boolean} isScrolled */
  choose(isScrolled) {
    for (const old of this.element.querySelectorAll(".chosen")) {
      old.classList.remove("chosen");
      old.setAttribute("tabindex", "-1");
      old.removeAttribute("aria-selected");
    }
    const here = this.element.querySelector(`[data-node="${study.node.id}"]`) ?? this.element.querySelector("[data-node]");
    here?.setAttribute("tabindex", "0");
    if (!here || here.dataset.node !== String(study.node.id)) return;
    here.classList.add("chosen");
    here.setAttribute("aria-selected", "true");
    if (isScrolled) scrollInside(this.element, here);
  }

  /** Opens a field at the place of the comment. @param {Node} node */
  editComment(node) {
    const field = el("textarea", { class: "comment-field", "aria-label": `Comment on ${node.san || "the start"}`, rows: 2 });
    field.value = proseOf(node.comment);
    let isDone = false;
    const finish = (/** @type {boolean} */ isKept) => {
      if (isDone) return;
      isDone = true;
      if (isKept)
        study.edit(() => {
          node.comment = withProse(node.comment, field.value);
        });
      else this.draw();
    };
    field.addEventListener("blur", () => finish(true));
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      event.stopPropagation();
      if (event.key === "Escape") finish(false);
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        finish(true);
      }
    });
    const shown = this.element.querySelector(`[data-comment="${node.id}"]`),
      move = this.element.querySelector(`[data-node="${node.id}"]`);
    const box = el("div", { class: "between" }, field);
    if (shown) shown.replaceWith(field);
    else if (move) move.after(move.classList.contains("main") ? box : field);
    else this.element.prepend(box);
    field.focus();
  }
}

/** Scrolls the box only, never the page. @param {HTMLElement} box @param {Element} item */
function scrollInside(box, item) {
  const outer = box.getBoundingClientRect(),
    inner = item.getBoundingClientRect();
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + outer.height / 3;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
}
