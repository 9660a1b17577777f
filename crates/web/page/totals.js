/** Totals of a recorded search: how often each reason, purpose and technique, and what a technique saves. */

import { button, el } from "./dom.js";
import { readable, reasonClass, sentence } from "./reasons.js";
import { whole } from "./score.js";

/** Reasons that bear another name than their technique. @type {Record<string, string>} */
const TECHNIQUES = { extensions: "singular", "negative-extensions": "singular", multicut: "singular" };

/**
 * @param {any} totals @param {{nodes: number, measured: Map<string, number>, measure: (technique: string) => void, isBusy: boolean}} options
 */
export function totalsPanel(totals, { nodes, measured, measure, isBusy }) {
  const saving = (/** @type {string} */ name) => savingCell(name, nodes, measured, measure, isBusy);
  const changes = Object.entries(totals.depth_changes ?? {}).map(
    ([name, { count, plies }]) => /** @type {[string, number, number]} */ ([name, count, plies]),
  );
  for (const name of ["extensions", "negative_extensions"])
    if (totals[name]?.count) changes.push([name.replace("_", "-"), totals[name].count, totals[name].plies]);
  return el(
    "div",
    { class: "totals" },
    table("Nodes by reason", ["Reason", "Nodes", "Share", "Without it"], rows(totals.decided, "reasons", true, saving)),
    table(
      "Skipped moves by technique",
      ["Technique", "Moves", "Share", "Without it"],
      rows(totals.skipped, "techniques", false, saving),
    ),
    table("Nodes by purpose", ["Purpose", "Nodes", "Share"], rows(totals.searched, "purposes", false, null)),
    table(
      "Changes of depth",
      ["By", "Times", "Plies", "Without it"],
      changes
        .sort((a, b) => b[1] - a[1])
        .map(([name, count, plies]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", text: readable(name), title: sentence("techniques", name) }),
            el("td", { text: whole(count) }),
            el("td", { text: plies > 0 ? `+${whole(plies)}` : `\u2212${whole(-plies)}` }),
            saving(name),
          ),
        ),
    ),
    el("p", {
      class: "faint small-text",
      text: `${whole(totals.table_hits ?? 0)} nodes had a transposition table entry. "Without it" repeats the search with the technique switched off and compares the nodes to the same limit.`,
    }),
  );
}

/**
 * @param {Record<string, number>} counts
 * @param {"reasons"|"techniques"|"purposes"} group
 * @param {boolean} isColoured
 * @param {((name: string) => Element)|null} saving
 */
function rows(counts, group, isColoured, saving) {
  const entries = Object.entries(counts ?? {}).sort((a, b) => b[1] - a[1]);
  const total = entries.reduce((sum, [, count]) => sum + count, 0) || 1,
    most = entries[0]?.[1] || 1;
  return entries.map(([name, count]) => {
    const bar = el("span", { class: isColoured ? reasonClass(name) : "reason" });
    bar.style.width = `${Math.max(1, (100 * count) / most)}%`;
    return el(
      "tr",
      {},
      el("th", { scope: "row", text: readable(name), title: sentence(group, name) }),
      el("td", { text: whole(count) }),
      el("td", { class: "bar-cell" }, bar, el("span", { text: `${((100 * count) / total).toFixed(1)}%` })),
      saving ? saving(name) : null,
    );
  });
}

/**
 * @param {string} name
 * @param {number} nodes
 * @param {Map<string, number>} measured
 * @param {(name: string) => void} measure
 * @param {boolean} isBusy
 */
function savingCell(name, nodes, measured, measure, isBusy) {
  const technique = TECHNIQUES[name] ?? name;
  if (!sentence("techniques", technique)) return el("td");
  const other = measured.get(technique);
  if (other !== undefined) {
    const percent = (100 * (other - nodes)) / nodes;
    return el("td", {
      class: percent >= 0 ? "saves" : "costs",
      title: `${whole(other)} nodes without ${readable(technique)}, ${whole(nodes)} with it`,
      text: `${percent >= 0 ? "+" : "\u2212"}${Math.abs(percent).toFixed(0)}% nodes`,
    });
  }
  return el(
    "td",
    {},
    button("measure", () => measure(technique), {
      class: "small plain",
      disabled: isBusy,
      "aria-label": `Measure the search without ${readable(technique)}`,
    }),
  );
}

/** @param {string} title @param {string[]} heads @param {Element[]} body */
function table(title, heads, body) {
  return el(
    "section",
    { class: "panel pad" },
    el("h3", { text: title }),
    body.length
      ? el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))),
          el("tbody", {}, ...body),
        )
      : el("p", { class: "faint", text: "none" }),
  );
}
