/** Nodes of a recorded search in words. Scores are for the side to move at the node. */

import { session } from "./session.js";
import { scoreText, whole } from "./score.js";

/**
 * The sentence of a reason, purpose, kind or technique.
 * @param {"reasons"|"purposes"|"kinds"|"techniques"} group
 * @param {string} name
 */
export const sentence = (group, name) =>
  session.info?.words?.[group]?.find((/** @type {any} */ word) => word.name === name)?.sentence ?? "";

/** The technique behind a reason, a skipped move or a change of depth. @param {string} name */
export function techniqueOf(name) {
  if (name === "extensions" || name === "negative-extensions") return "singular";
  const reason = session.info?.words?.reasons?.find((/** @type {any} */ word) => word.name === name);
  return reason?.technique ?? name;
}

/** "late-move-pruning" as "late move pruning". @param {string} name */
export const readable = (name) => (name ?? "").replaceAll("-", " ").replace("re search", "re-search");

/** The CSS class that gives the colour of a reason. @param {string} reason */
export const reasonClass = (reason) => `reason r-${reason}`;

/** "\u2265 +0.25". @param {any} node */
export function boundText(node) {
  if (!node.score) return "no score";
  const sign = node.bound === "lower" ? "\u2265\u2009" : node.bound === "upper" ? "\u2264\u2009" : "";
  return sign + (node.text?.replace("-", "\u2212") || scoreText(node.score));
}

/** "[\u22120.22, \u22120.21]". @param {any} node */
export const windowText = (node) =>
  `${node.alpha ? scoreText(node.alpha) : "\u2212\u221E"} \u2026 ${node.beta ? scoreText(node.beta) : "+\u221E"}`;

/** "depth 3" with what changed it, in short form. @param {any} node */
export function depthText(node) {
  const parts = [];
  if (node.extension) parts.push(signed(node.extension));
  if (node.reduction) parts.push(signed(-node.reduction));
  for (const [, plies] of node.depth_changes ?? []) parts.push(signed(plies));
  return `${node.depth}${parts.length ? ` (${parts.join(" ")})` : ""}`;
}

/** @param {number} number */
const signed = (number) => (number < 0 ? `\u2212${-number}` : `+${number}`);

/** The changes of depth in words. @param {any} node */
function depthSentence(node) {
  const parts = [];
  if (node.extension)
    parts.push(node.extension > 0 ? `extended by ${node.extension}` : `negative extension of ${-node.extension}`);
  if (node.reduction) parts.push(`late move reductions took ${node.reduction} ${node.reduction === 1 ? "ply" : "plies"}`);
  for (const [name, plies] of node.depth_changes ?? []) parts.push(`${readable(name)} at the node: ${signed(plies)}`);
  return `Entered with depth ${node.depth}${parts.length ? `: ${parts.join("; ")}` : ", with no reduction or extension"}.`;
}

/** Whether the move was searched deeper afterwards, as far as the node itself shows it. @param {any} node */
function consequence(node) {
  const failedLow = node.bound === "lower";
  if (node.purpose === "reduced") {
    return failedLow
      ? "The move failed low at reduced depth, so it was not searched again at full depth."
      : "The move failed high at reduced depth; the next line with the same move is its re-search.";
  }
  if (node.purpose === "zero-window" && failedLow)
    return "The move failed low with a zero window, so it was not searched again with the full window.";
  return "";
}

/** Why the node has its score. @param {any} node */
function resultSentence(node) {
  const by = node.best_san ? (node.reason === "beta-cutoff" ? ` by ${node.best_san}` : `; best move ${node.best_san}`) : "";
  return `Score ${boundText(node)}: ${readable(node.reason)}${by}. ${sentence("reasons", node.reason)}`.trim();
}

/** The skipped moves by technique. @param {any} node @returns {[string, string[]][]} */
export function skippedByReason(node) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { reason, san, move } of node.skipped ?? []) groups.set(reason, [...(groups.get(reason) ?? []), san ?? move]);
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

/** The story of a node, one sentence per item. @param {any} node @returns {string[]} */
export function storyOf(node) {
  const evaluation = node.static_eval ? `, static evaluation ${scoreText(node.static_eval)}` : "";
  const table = node.table
    ? `Transposition table entry: depth ${node.table.depth}, ${node.table.bound} ${scoreText(node.table.score)}${node.table.san ? `, ${node.table.san}` : ""}.`
    : "";
  const collapsed = node.collapsed?.children
    ? `${whole(node.collapsed.children)} other searches below it with ${whole(node.collapsed.nodes)} nodes are counted, not recorded.`
    : "";
  return [
    `Searched as ${readable(node.purpose)} (${readable(node.kind)} node). ${sentence("purposes", node.purpose)}`.trim(),
    depthSentence(node),
    `Window ${windowText(node)}${evaluation}.`,
    table,
    resultSentence(node),
    consequence(node),
    collapsed,
  ].filter(Boolean);
}
