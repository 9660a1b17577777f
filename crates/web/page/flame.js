/** The flame graph: one row per ply, width by nodes, colour by reason. */

import { el } from "./dom.js";
import { readable, reasonClass } from "./reasons.js";
import { whole } from "./score.js";

const PLIES = 10,
  LEAST_SHARE = 0.0015;

export class Flame {
  /** @param {{fetchFlame: (at: string, plies: number) => Promise<any>, onselect: (at: string) => void}} options */
  constructor({ fetchFlame, onselect }) {
    this.fetchFlame = fetchFlame;
    this.onselect = onselect;
    this.rows = el("div", { class: "flame-rows" });
    this.crumbs = el("div", { class: "row tight flame-crumbs" });
    this.caption = el("p", { class: "flame-caption number", "aria-live": "polite", text: "" });
    this.element = el("div", { class: "flame" }, this.crumbs, this.rows, this.caption, legend());
    /** @type {{at: string, san: string}[]} */ this.line = [];
    this.turn = 0;
  }

  /** @param {string} at @param {string} name */
  async setRoot(at, name) {
    this.line = [{ at, san: name }];
    await this.draw();
  }

  async draw() {
    this.turn += 1;
    const turn = this.turn,
      top = this.line[this.line.length - 1];
    const root = await this.fetchFlame(top.at, PLIES);
    if (turn !== this.turn) return;
    /** @type {HTMLElement[][]} */
    const levels = [];
    this.place(root, 0, 1, 0, levels, root.nodes || 1);
    this.rows.replaceChildren(...levels.map((bars) => el("div", { class: "flame-row" }, ...bars)));
    this.crumbs.replaceChildren(
      ...this.line.map(({ san }, index) =>
        el("button", {
          type: "button",
          class: "small",
          text: san,
          disabled: index === this.line.length - 1,
          onclick: () => {
            this.line.length = index + 1;
            this.draw();
          },
        }),
      ),
    );
    this.caption.textContent = describe(root, root.nodes);
  }

  /**
   * @param {any} node
   * @param {number} left
   * @param {number} width
   * @param {number} level
   * @param {HTMLElement[][]} levels
   * @param {number} total
   */
  place(node, left, width, level, levels, total) {
    (levels[level] ??= []).push(this.bar(node, left, width, total));
    let start = left + width * (1 / node.nodes);
    for (const child of node.children) {
      const share = width * (child.nodes / node.nodes);
      if (share >= LEAST_SHARE) this.place(child, start, share, level + 1, levels, total);
      start += share;
    }
    const rest = width * ((node.collapsed_nodes ?? 0) / node.nodes);
    if (rest >= LEAST_SHARE) (levels[level + 1] ??= []).push(this.collapsed(node, start, rest));
  }

  /** @param {any} node @param {number} left @param {number} width @param {number} total */
  bar(node, left, width, total) {
    const text = describe(node, total);
    const element = el("button", {
      type: "button",
      class: `flame-bar ${reasonClass(node.reason)}`,
      title: text,
      "aria-label": text,
      text: width > 0.025 ? node.san : "",
      onclick: () => this.zoom(node),
      onpointerenter: () => {
        this.caption.textContent = text;
      },
      onfocus: () => {
        this.caption.textContent = text;
      },
    });
    position(element, left, width);
    return element;
  }

  /** @param {any} node @param {number} left @param {number} width */
  collapsed(node, left, width) {
    const text = `${whole(node.collapsed_nodes)} nodes below ${node.san} are counted, not recorded; record below the node to see them`;
    const element = el("div", { class: "flame-bar collapsed", title: text });
    position(element, left, width);
    return element;
  }

  /** @param {any} node */
  zoom(node) {
    this.onselect(node.at);
    if (!node.children.length || node.at === this.line[this.line.length - 1].at) return;
    this.line.push({ at: node.at, san: node.san });
    this.draw();
  }
}

/** @param {HTMLElement} element @param {number} left @param {number} width */
function position(element, left, width) {
  element.style.left = `${100 * left}%`;
  element.style.width = `${100 * width}%`;
}

/** @param {any} node @param {number} total */
const describe = (node, total) =>
  `${node.san}: ${whole(node.nodes)} nodes (${((100 * node.nodes) / total).toFixed(1)}%), depth ${node.depth}, ${node.text ?? ""} by ${readable(node.reason)}`;

/** Reasons with a colour of their own, in the order of the legend. */
const REASONS = [
  "beta-cutoff",
  "raised-alpha",
  "failed-low",
  "table-cutoff",
  "reverse-futility",
  "null-move",
  "razoring",
  "probcut",
  "multicut",
  "stand-pat",
  "delta-pruning",
  "tablebase",
  "draw",
  "mate-distance",
  "no-moves",
  "stopped",
];

function legend() {
  return el(
    "div",
    { class: "row legend", "aria-label": "Colours of the reasons" },
    ...REASONS.map((reason) => el("span", { class: reasonClass(reason), text: readable(reason) })),
  );
}
