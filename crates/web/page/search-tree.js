/** The recorded search as an indented tree with lazy children. */

import { el } from "./dom.js";
import { boundText, depthText, readable, reasonClass, sentence, windowText } from "./reasons.js";
import { whole } from "./score.js";

export class SearchTree {
  /**
   * @param {{fetchNode: (at: string) => Promise<any>, onselect: (node: any, line: any[]) => void}} options `line` is the nodes from the root to the node
   */
  constructor({ fetchNode, onselect }) {
    this.fetchNode = fetchNode;
    this.onselect = onselect;
    this.total = 1;
    this.list = el("div", {
      class: "search-rows",
      role: "tree",
      "aria-label": "Search tree",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.element = el(
      "div",
      { class: "search-tree" },
      el(
        "div",
        { class: "search-head", "aria-hidden": "true" },
        ...["Move", "Depth", "Window", "Score", "Reason", "Nodes"].map((text) => el("span", { text })),
      ),
      this.list,
    );
    /** @type {WeakMap<Element, {node: any, line: any[], children: Element[]|null}>} */
    this.rows = new WeakMap();
  }

  /** Shows one root, opened. @param {any} root */
  async setRoot(root) {
    this.total = root.nodes || 1;
    const row = this.row(root, []);
    this.list.replaceChildren(row);
    row.setAttribute("tabindex", "0");
    await this.open(row);
    this.select(row, false);
  }

  /** @param {any} node @param {any[]} above */
  row(node, above) {
    const line = [...above, node],
      hasChildren = node.child_count > 0 || node.collapsed?.children > 0;
    const share = node.nodes / this.total,
      bar = el("span", { class: "share" });
    bar.style.width = `${Math.max(0.5, 100 * share)}%`;
    const twisty = el("span", { class: "twisty", text: hasChildren ? "\u25B8" : "", "aria-hidden": "true" });
    const element = el(
      "div",
      {
        class: `search-row k-${node.kind}`,
        role: "treeitem",
        tabindex: -1,
        "aria-level": line.length,
        "aria-label": `${node.san}, ${readable(node.purpose)}, depth ${node.depth}, score ${boundText(node)}, ${readable(node.reason)}, ${node.nodes} nodes`,
        ...(hasChildren ? { "aria-expanded": "false" } : {}),
        onclick: (/** @type {Event} */ event) => {
          this.select(element, true);
          if (/** @type {Element} */ (event.target).closest(".twisty")) this.toggle(element);
        },
        ondblclick: () => this.toggle(element),
      },
      el(
        "span",
        { class: "cell-move" },
        twisty,
        el("strong", { text: node.san }),
        el("span", { class: "chip", text: readable(node.purpose), title: sentence("purposes", node.purpose) }),
      ),
      el("span", { class: "number", text: depthText(node) }),
      el("span", { class: "number faint", text: windowText(node) }),
      el("span", { class: "number", text: boundText(node) }),
      el(
        "span",
        {},
        el("span", { class: reasonClass(node.reason), text: readable(node.reason), title: sentence("reasons", node.reason) }),
        node.best_san ? el("span", { class: "faint", text: ` ${node.best_san}` }) : null,
      ),
      el("span", { class: "number cell-nodes" }, bar, el("span", { text: whole(node.nodes) })),
    );
    const indent = /** @type {HTMLElement} */ (element.firstElementChild);
    indent.style.paddingLeft = `${0.9 * (line.length - 1)}rem`;
    this.rows.set(element, { node, line, children: null });
    return element;
  }

  /** @param {Element} row */
  async open(row) {
    const entry = this.rows.get(row);
    if (!entry || row.getAttribute("aria-expanded") !== "false") return;
    row.setAttribute("aria-expanded", "true");
    setTwisty(row, "\u25BE");
    if (!entry.children) {
      const full = entry.node.child_count
        ? await this.fetchNode(entry.node.at)
        : { children: [], collapsed: entry.node.collapsed };
      entry.children = full.children.map((/** @type {any} */ child) => this.row(child, entry.line));
      const { children, nodes } = full.collapsed ?? { children: 0, nodes: 0 };
      if (children) entry.children?.push(this.rest(children, nodes, entry.line.length));
    }
    if (row.getAttribute("aria-expanded") === "true") row.after(...(entry.children ?? []));
  }

  /** The line of what was counted, not recorded. @param {number} count @param {number} nodes @param {number} level */
  rest(count, nodes, level) {
    const bar = el("span", { class: "share" });
    bar.style.width = `${(100 * nodes) / this.total}%`;
    const text = el("span", { class: "cell-move faint", text: `${whole(count)} other searches, counted only` });
    text.style.paddingLeft = `${0.9 * level + 1}rem`;
    return el(
      "div",
      { class: "search-row rest", role: "treeitem", "aria-level": level + 1 },
      text,
      el("span", { class: "number cell-nodes" }, bar, el("span", { text: whole(nodes) })),
    );
  }

  /** @param {Element} row */
  close(row) {
    const entry = this.rows.get(row);
    if (!entry || row.getAttribute("aria-expanded") !== "true") return;
    row.setAttribute("aria-expanded", "false");
    setTwisty(row, "\u25B8");
    for (const child of entry.children ?? []) {
      this.close(child);
      child.remove();
    }
  }

  /** @param {Element} row */
  toggle(row) {
    if (row.getAttribute("aria-expanded") === "true") this.close(row);
    else this.open(row);
  }

  /** @param {HTMLElement} row @param {boolean} isFocused */
  select(row, isFocused) {
    const entry = this.rows.get(row);
    if (!entry) return;
    for (const old of this.list.querySelectorAll(".chosen")) {
      old.classList.remove("chosen");
      old.setAttribute("tabindex", "-1");
      old.removeAttribute("aria-selected");
    }
    row.classList.add("chosen");
    row.setAttribute("tabindex", "0");
    row.setAttribute("aria-selected", "true");
    if (isFocused) row.focus();
    this.onselect(entry.node, entry.line);
  }

  /** Opens the way to a node and selects it. @param {string} at */
  async reveal(at) {
    let row = this.list.firstElementChild;
    const steps = at.split(".").slice(1).map(Number);
    for (const step of steps) {
      if (!row) return;
      await this.open(row);
      row = this.rows.get(row)?.children?.[step] ?? null;
    }
    if (!row) return;
    this.select(/** @type {HTMLElement} */ (row), true);
    row.scrollIntoView({ block: "nearest" });
  }

  /**
   * Opens all visits of a line of moves and selects the heaviest.
   * @param {string[]} path in SAN or UCI notation
   * @returns {Promise<{node: any, missing: string|null}|null>} the node that is selected, and the first move that it does not have
   */
  async follow(path) {
    let rows = [...this.list.children].slice(0, 1);
    for (const move of path) {
      const next = [];
      for (const row of rows) {
        await this.open(row);
        next.push(...(this.rows.get(row)?.children ?? []).filter((child) => isMove(this.rows.get(child)?.node, move)));
      }
      if (!next.length) return this.selectHeaviest(rows, move);
      rows = next;
    }
    return this.selectHeaviest(rows, null);
  }

  /** @param {HTMLElement[]} rows @param {string|null} missing */
  selectHeaviest(rows, missing) {
    const nodes = (/** @type {Element} */ row) => this.rows.get(row)?.node.nodes ?? 0;
    const row = rows.reduce((best, other) => (nodes(other) > nodes(best) ? other : best), rows[0]);
    if (!row) return null;
    this.select(row, false);
    scrollInside(this.list, row);
    return { node: this.rows.get(row)?.node, missing };
  }

  /** The keys of the tree pattern. @param {KeyboardEvent} event */
  key(event) {
    const row = /** @type {HTMLElement} */ (event.target),
      all = [...this.list.querySelectorAll(".search-row:not(.rest)")],
      at = all.indexOf(row);
    if (at < 0) return;
    const isOpen = row.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowDown" && all[at + 1]) this.select(all[at + 1], true);
    else if (event.key === "ArrowUp" && all[at - 1]) this.select(all[at - 1], true);
    else if (event.key === "ArrowRight") {
      if (isOpen) {
        if (all[at + 1]) this.select(all[at + 1], true);
      } else this.open(row);
    } else if (event.key === "ArrowLeft") {
      if (isOpen) this.close(row);
      else this.selectParent(row, all, at);
    } else if (event.key === "Enter" || event.key === " ") this.toggle(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Element} row @param {HTMLElement[]} all @param {number} at */
  selectParent(row, all, at) {
    const level = Number(row.getAttribute("aria-level"));
    for (let above = at - 1; above >= 0; above -= 1) {
      if (Number(all[above].getAttribute("aria-level")) < level) {
        this.select(all[above], true);
        return;
      }
    }
  }
}

/** Whether a node was reached by a move, in SAN or UCI notation. @param {any} node @param {string} move */
function isMove(node, move) {
  const bare = (/** @type {string} */ text) => text.replace(/[+#!?]/g, "");
  return !!node?.move && (node.move === move || bare(node.san) === bare(move));
}

/** Scrolls the box only, never the page. @param {HTMLElement} box @param {HTMLElement} item */
function scrollInside(box, item) {
  const top = item.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
}

/** @param {Element} row @param {string} sign */
function setTwisty(row, sign) {
  const twisty = row.querySelector(".twisty");
  if (twisty) twisty.textContent = sign;
}
