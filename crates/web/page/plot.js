/** Line plots with axes as SVG. Knows only numbers. */

import { svg } from "./dom.js";

const LEFT = 52,
  RIGHT = 12,
  TOP = 12,
  BOTTOM = 28,
  NAME = 80;

/**
 * @typedef {{points: [number, number][], name?: string, kind?: string}} Series
 * @param {Series[]} series @param {{label: string, x: string, y: string, rules?: {at: number, text: string, kind: string}[], size?: [number, number]}} options
 */
export function plot(series, { label, x, y, rules = [], size = innerWidth < 640 ? [380, 220] : [720, 260] }) {
  const [width, height] = size;
  const all = series.flatMap(({ points }) => points);
  const xs = all.map(([value]) => value),
    ys = [...all.map(([, value]) => value), ...rules.map(({ at }) => at)];
  const [x0, x1] = span(xs),
    [y0, y1] = padded(span(ys));
  const px = (/** @type {number} */ value) => LEFT + ((width - LEFT - RIGHT) * (value - x0)) / (x1 - x0 || 1);
  const py = (/** @type {number} */ value) => TOP + (height - TOP - BOTTOM) * (1 - (value - y0) / (y1 - y0 || 1));
  const grid = ticks(y0, y1, height / 50).flatMap((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: py(value), y2: py(value) }),
    svg("text", { class: "tick-y", x: LEFT - 6, y: py(value) + 4, text: compact(value) }),
  ]);
  // The x axis counts whole things; its name stands at the end.
  const below = ticks(x0, x1, Math.min(width / 110, x1 - x0 || 1))
    .filter((value) => !x || px(value) < width - NAME)
    .map((value) => svg("text", { class: "tick-x", x: px(value), y: height - 10, text: compact(value) }));
  const ruled = rules.flatMap(({ at, text, kind }) => [
    svg("line", { class: `rule ${kind}`, x1: LEFT, x2: width - RIGHT, y1: py(at), y2: py(at) }),
    svg("text", { class: `rule-text ${kind}`, x: width - RIGHT - 4, y: py(at) - 4, text }),
  ]);
  const curves = series.map(({ points, kind = "s0" }) =>
    svg("path", {
      class: `series ${kind}`,
      d: points.length
        ? `M${thinned(points)
            .map(([a, b]) => `${px(a).toFixed(1)} ${py(b).toFixed(1)}`)
            .join("L")}`
        : "",
    }),
  );
  return svg(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...grid,
    ...below,
    ...ruled,
    ...curves,
    svg("text", { class: "axis", x: LEFT, y: TOP - 1, text: y }),
    svg("text", { class: "axis end", x: width - RIGHT, y: height - 10, text: x }),
  );
}

/** @param {number[]} values @returns {[number, number]} */
function span(values) {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least > most ? [0, 1] : [least, most];
}

/** @param {[number, number]} range @returns {[number, number]} */
function padded([least, most]) {
  const room = (most - least) * 0.08 || Math.abs(most) * 0.05 || 1;
  return [least - room, most + room];
}

/** Round values between two ends. @param {number} from @param {number} to @param {number} count */
function ticks(from, to, count) {
  const raw = (to - from) / count || 1,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw;
  const values = [];
  for (let value = Math.ceil(from / step) * step; value <= to + step * 1e-9 && values.length < 20; value += step)
    values.push(Number(value.toPrecision(10)));
  return values;
}

/** @param {number} value */
const compact = (value) =>
  Math.abs(value) >= 10000 ? `${(value / 1000).toFixed(0)}k` : String(Number(value.toFixed(3))).replace("-", "\u2212");

/** At most a thousand points; the last stays. @param {[number, number][]} points */
function thinned(points) {
  const step = Math.ceil(points.length / 1000);
  return step <= 1 ? points : points.filter((_, at) => at % step === 0 || at === points.length - 1);
}
