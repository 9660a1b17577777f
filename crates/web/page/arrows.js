/** Arrows on the board, with a label near the head. */

import { svg } from "./dom.js";
import { middle } from "./squares.js";

/**
 * @param {SVGGElement} layer @param {import("./board.js").Arrow[]} arrows @param {boolean} flipped
 */
export function drawArrows(layer, arrows, flipped) {
  const shapes = [...arrows]
    .reverse()
    .filter(({ from, to }) => from !== to)
    .map((arrow) => shape(arrow, flipped));
  const labels = placed(
    arrows.filter(({ label, from, to }) => label && from !== to),
    flipped,
  );
  layer.replaceChildren(...shapes, ...labels);
}

/** One outline, so that a translucent arrow has one shade. @param {import("./board.js").Arrow} arrow @param {boolean} flipped */
function shape({ from, to, kind, rank = 1 }, flipped) {
  const [x1, y1] = middle(from, flipped),
    [x2, y2] = middle(to, flipped);
  const length = Math.hypot(x2 - x1, y2 - y1),
    [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const half = Math.max(1.8, 4.2 - 0.6 * rank),
    head = 3.2 * half + 4,
    wing = half + 4.2;
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(x1 + along * dx - aside * dy).toFixed(2)} ${(y1 + along * dy + aside * dx).toFixed(2)}`;
  const start = 12,
    neck = length - head;
  const d = `M${at(start, half)}L${at(neck, half)}L${at(neck, wing)}L${at(length, 0)}L${at(neck, -wing)}L${at(neck, -half)}L${at(start, -half)}z`;
  return svg("path", { class: `arrow ${kind} rank${rank}`, d });
}

/** Labels along the arrows, each where none stands yet. @param {import("./board.js").Arrow[]} arrows @param {boolean} flipped */
function placed(arrows, flipped) {
  /** @type {[number, number][]} */
  const taken = [];
  return arrows.map(({ from, to, label = "", kind, rank = 1 }) => {
    const [x1, y1] = middle(from, flipped),
      [x2, y2] = middle(to, flipped),
      width = 5.2 * label.length + 6;
    const places = [0.6, 0.42, 0.78, 0.25, 0.95].map(
      (share) => /** @type {[number, number]} */ ([x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]),
    );
    const isFree = ([x, y]) => taken.every(([tx, ty]) => Math.abs(tx - x) > width || Math.abs(ty - y) > 13);
    const [x, y] = places.find(isFree) ?? places[0];
    taken.push([x, y]);
    return svg(
      "g",
      { class: `arrow-label ${kind} rank${rank}` },
      svg("rect", { x: x - width / 2, y: y - 6, width, height: 12, rx: 6 }),
      svg("text", { x, y: y + 3, text: label }),
    );
  });
}
