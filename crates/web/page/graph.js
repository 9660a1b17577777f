/** The evaluation graph: White's expected score at each ply. Knows only numbers. */

import { el, svg } from "./dom.js";

const WIDTH = 720,
  HEIGHT = 130;

/**
 * @typedef {{expected: number|null, judgement?: string|null, label?: string}} Point
 */
export class Graph {
  /** @param {(ply: number) => void} onpick */
  constructor(onpick) {
    /** @type {Point[]} */ this.points = [];
    this.ply = 0;
    this.onpick = onpick;
    this.svg = svg("svg", {
      class: "graph",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      tabindex: 0,
      role: "slider",
      "aria-label": "Evaluation graph",
      "aria-valuemin": 0,
      onclick: (/** @type {MouseEvent} */ event) => this.click(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onpointermove: (/** @type {MouseEvent} */ event) => this.hover(event),
      onpointerleave: () => {
        this.tip.hidden = true;
      },
    });
    this.tip = el("div", { class: "graph-tip number", hidden: true });
    this.element = el("div", { class: "graph-box" }, this.svg, this.tip);
  }

  /** @param {Point[]} points one per ply, the start first */
  set(points) {
    this.points = points;
    this.svg.setAttribute("aria-valuemax", String(Math.max(0, points.length - 1)));
    const known = points
      .map((point, ply) => ({ ...point, ply }))
      .filter(({ expected }) => expected !== null && expected !== undefined);
    const curve = known.map(({ ply, expected }) => `${this.x(ply).toFixed(1)} ${y(/** @type {number} */ (expected)).toFixed(1)}`);
    const area = known.length
      ? `M${this.x(known[0].ply).toFixed(1)} ${HEIGHT}L${curve.join("L")}L${this.x(known[known.length - 1].ply).toFixed(1)} ${HEIGHT}z`
      : "";
    this.svg.replaceChildren(
      svg("rect", { class: known.length ? "lost" : "unknown", width: WIDTH, height: HEIGHT }),
      ...(known.length > 0
        ? [svg("path", { class: "won", d: area }), svg("path", { class: "curve", d: `M${curve.join("L")}` })]
        : []),
      svg("line", { class: "level", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      ...known
        .filter(({ judgement }) => judgement)
        .map(({ ply, expected, judgement }) =>
          svg("ellipse", { class: judgement, cx: this.x(ply), cy: y(/** @type {number} */ (expected)), rx: 4.5, ry: 4.5 }),
        ),
      (this.cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT })),
    );
    this.setPly(this.ply);
  }

  /** @param {number} ply */
  setPly(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
    const point = this.points[ply];
    this.svg.setAttribute("aria-valuenow", String(ply));
    this.svg.setAttribute(
      "aria-valuetext",
      point
        ? `${point.label ?? `ply ${ply}`}${point.expected === null ? "" : `, expected score ${point.expected.toFixed(2)}`}`
        : `ply ${ply}`,
    );
  }

  /** @param {number} ply */
  x(ply) {
    return 4 + ((WIDTH - 8) * ply) / Math.max(1, this.points.length - 1);
  }

  /** @param {MouseEvent} event */
  plyAt(event) {
    const box = this.svg.getBoundingClientRect(),
      x = ((event.clientX - box.left) * WIDTH) / box.width;
    return Math.max(
      0,
      Math.min(this.points.length - 1, Math.round(((x - 4) * Math.max(1, this.points.length - 1)) / (WIDTH - 8))),
    );
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.points.length) this.onpick(this.plyAt(event));
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const ply = this.plyAt(event),
      point = this.points[ply];
    this.tip.hidden = !point;
    if (!point) return;
    this.tip.textContent = `${point.label ?? ""}${point.expected === null ? "" : `  ${(100 * point.expected).toFixed(0)}%`}`;
    const box = this.svg.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(box.width - 90, event.clientX - box.left - 40))}px`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.onpick(Math.max(0, Math.min(this.points.length - 1, this.ply + by)));
  }
}

/** @param {number} expected */
const y = (expected) => 4 + (HEIGHT - 8) * (1 - expected);
