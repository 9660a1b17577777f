/** Drawn arrows and circles in comments: the commands [%cal Gd2d4] and [%csl Re5] of PGN. */

const COLORS = /** @type {Record<string, string>} */ ({ G: "green", R: "red", B: "blue", Y: "yellow" });

/** The comment without its commands. @param {string} comment */
export const proseOf = (comment) =>
  comment
    .replace(/\[%[^\]]*\]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** The commands of a comment other than its prose. @param {string} comment */
const commandsOf = (comment) => comment.match(/\[%[^\]]*\]/g) ?? [];

/** The comment with another prose. @param {string} comment @param {string} prose */
export const withProse = (comment, prose) => [...commandsOf(comment), prose.trim()].filter(Boolean).join(" ");

/** @param {string} comment @returns {{arrows: import("./board.js").Arrow[], circles: import("./board.js").Mark[]}} */
export function shapesOf(comment) {
  const values = (/** @type {string} */ name) =>
    [...comment.matchAll(new RegExp(`\\[%${name} ([^\\]]*)\\]`, "g"))].flatMap((match) => match[1].split(","));
  return {
    arrows: values("cal")
      .filter((value) => /^[GRBY]([a-h][1-8]){2}$/.test(value))
      .map((value) => ({ kind: COLORS[value[0]], from: value.slice(1, 3), to: value.slice(3, 5) })),
    circles: values("csl")
      .filter((value) => /^[GRBY][a-h][1-8]$/.test(value))
      .map((value) => ({ kind: "circle", square: value.slice(1) })),
  };
}

/**
 * Adds a drawn arrow or circle, or removes it if it is there.
 * @param {string} comment
 * @param {{from: string, to: string}} shape
 */
export function toggleShape(comment, { from, to }) {
  const { arrows, circles } = shapesOf(comment),
    others = commandsOf(comment).filter((command) => !/^\[%(cal|csl) /.test(command));
  const lines = arrows.map((arrow) => `G${arrow.from}${arrow.to}`),
    dots = circles.map(({ square }) => `G${square}`);
  const [list, value] = from === to ? [dots, `G${from}`] : [lines, `G${from}${to}`];
  const at = list.findIndex((one) => one.slice(1) === value.slice(1));
  if (at >= 0) list.splice(at, 1);
  else list.push(value);
  return [...others, lines.length ? `[%cal ${lines}]` : "", dots.length ? `[%csl ${dots}]` : "", proseOf(comment)]
    .filter(Boolean)
    .join(" ");
}
