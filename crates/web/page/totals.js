/** Totals of a recorded search: how often each reason, purpose and technique, and what a technique saved. */

import { button, el, table } from "./dom.js";
import { readable, reasonClass, sentence, techniqueOf } from "./reasons.js";
import { whole } from "./score.js";

/**
 * @param {any} totals
 * @param {{savings: Record<string, any>, measured: [number, number]|null, measure: () => void, stop: () => void}} options
 */
export function totalsPanel(totals, { savings, measured, measure, stop }) {
  const saving = (/** @type {string} */ name) => savingCell(savings[techniqueOf(name)], techniqueOf(name));
  const changes = Object.entries(totals.depth_changes ?? {}).map(
    ([name, { count, plies }]) => /** @type {[string, number, number]} */ ([name, count, plies]),
  );
  for (const name of ["extensions", "negative_extensions"])
    if (totals[name]?.count) changes.push([name.replace("_", "-"), totals[name].count, totals[name].plies]);
  return el(
    "div",
    { class: "totals" },
    el(
      "div",
      { class: "row totals-head" },
      measured ? button("Stop", stop) : button("Measure the savings", measure),
      el("span", {
        class: "faint small-text",
        role: "status",
        text: measured
          ? `Measuring technique ${measured[0] + 1} of ${measured[1]}`
          : "Searches a sample of the nodes of each technique again, with it and without it.",
      }),
    ),
    titled("Nodes by reason", ["Reason", "Nodes", "Share", "Without it"], rows(totals.decided, "reasons", true, saving)),
    titled(
      "Skipped moves by technique",
      ["Technique", "Moves", "Share", "Without it"],
      rows(totals.skipped, "techniques", false, saving),
    ),
    titled("Nodes by purpose", ["Purpose", "Nodes", "Share"], rows(totals.searched, "purposes", false, null)),
    titled(
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
      text: `${whole(totals.table_hits ?? 0)} nodes had a transposition table entry. "Without it" is the factor by which the nodes of the sample grow when the technique is switched off, and how many of its nodes then have another result.`,
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

/** What a technique saved at its sample. @param {any} saving @param {string} technique */
function savingCell(saving, technique) {
  if (!saving?.sampled) return el("td");
  const { uses, sampled, with: less, without, changed, limited } = saving,
    factor = without / Math.max(1, less);
  return el("td", {
    class: `saving ${factor > 1.05 ? "saves" : factor < 0.95 ? "costs" : ""}`,
    title:
      `${readable(technique)}: used at ${whole(uses)} nodes, ${whole(sampled)} of them searched again: ` +
      `${whole(less)} nodes with it, ${whole(without)} without it; ${whole(changed)} had another result`,
    text: `${limited ? "> " : ""}\u00D7${factor.toFixed(factor < 10 ? 1 : 0)}${changed ? `, ${changed} differ` : ""}`,
  });
}

/** @param {string} title @param {string[]} heads @param {Element[]} body */
const titled = (title, heads, body) =>
  el(
    "section",
    { class: "panel pad" },
    el("h3", { text: title }),
    body.length ? table(heads, body) : el("p", { class: "faint", text: "none" }),
  );
