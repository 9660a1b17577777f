/** The panels of the laboratory: a match or SPRT, a tuning, anything else. */

import { button, el, labelled, select, table } from "./dom.js";
import { plot } from "./plot.js";
import { whole } from "./score.js";

/** @param {string} title @param {...(Node|null)} content */
const panel = (title, ...content) => el("section", { class: "panel pad" }, el("h3", { text: title }), ...content);

/** @param {number} value @param {number} digits */
const signed = (value, digits) => (value < 0 ? `\u2212${(-value).toFixed(digits)}` : `+${value.toFixed(digits)}`);

/**
 * @typedef {{replay: (() => void)|null, open: (index: number) => void, setTest: (change: Record<string, any>|null) => void}}
 *   MatchActions `setTest` changes the SPRT that is shown; with null it is that of the state file again
 * @param {any} run @param {string} name @param {MatchActions} actions
 */
export function matchPanel(run, name, actions) {
  return el(
    "div",
    { class: "stack" },
    panel(
      `${run.event && run.event !== "?" ? run.event : name}: ${run.engines.join(" \u2013 ")}`,
      el("p", { class: "number", text: `${whole(run.finished)} of ${whole(run.games)} games` }),
      el("progress", { max: 1, value: run.games ? run.finished / run.games : 0, "aria-label": "Games played" }),
      table(["Engine", "Points", "Wins", "Draws", "Losses", "Elo"], run.rows.map(engineRow)),
      actions.replay ? button("Replay the games", actions.replay) : null,
    ),
    run.llr?.length ? panel("SPRT: log-likelihood ratio", hypothesesRow(run, actions), llrPlot(run)) : null,
    run.pairs?.some((/** @type {number} */ count) => count) ? panel("Game pairs by points", pairBars(run.pairs)) : null,
    run.results?.length ? panel("Last games", resultTable(run.results, actions.open)) : null,
  );
}

/** @param {any} row */
function engineRow(row) {
  const error = Number.isFinite(row.error) ? row.error.toFixed(1) : "?";
  const elo = Number.isFinite(row.elo) ? `${signed(row.elo, 1)} \u00B1 ${error}` : "";
  const cells = [row.points, whole(row.wins), whole(row.draws), whole(row.losses), elo];
  return el("tr", {}, el("th", { scope: "row", text: row.name }), ...cells.map((text) => el("td", { text })));
}

const SOURCES = /** @type {Record<string, string>} */ ({
  state: "as in the state file",
  default: "the state file has no test: these are the defaults of rukh sprt",
  request: "changed here",
});

/** The hypotheses and error rates, which can be changed, and the verdict. @param {any} run @param {MatchActions} actions */
function hypothesesRow(run, { setTest }) {
  const { sprt } = run;
  const field = (/** @type {string} */ label, /** @type {string} */ key, /** @type {string} */ step) =>
    labelled(
      label,
      el("input", {
        type: "number",
        step,
        value: String(sprt[key]),
        onchange: (/** @type {any} */ event) => setTest({ [key]: Number(event.target.value) || 0 }),
      }),
    );
  const models = /** @type {[string, string][]} */ ([
    ["normalized", "normalized"],
    ["logistic", "logistic"],
  ]);
  return el(
    "div",
    { class: "row" },
    field("H0, Elo", "elo0", "0.5"),
    field("H1, Elo", "elo1", "0.5"),
    field("alpha", "alpha", "0.01"),
    field("beta", "beta", "0.01"),
    labelled(
      "Model",
      select(models, sprt.model, (model) => setTest({ model })),
    ),
    sprt.source === "request" ? button("Reset", () => setTest(null), { class: "small" }) : null,
    el("strong", { class: "number", text: verdict(run) }),
    el("span", { class: "faint small-text", text: SOURCES[sprt.source] ?? "" }),
  );
}

const VERDICTS = /** @type {Record<string, string>} */ ({ open: "undecided", passed: "passed (H1)", failed: "failed (H0)" });

/** @param {any} run */
function verdict(run) {
  const last = run.llr?.[run.llr.length - 1]?.[1];
  if (last === undefined || !run.sprt) return "";
  const { lower, upper } = run.sprt;
  return `LLR ${signed(last, 2)} (${signed(lower, 2)}, ${signed(upper, 2)}): ${VERDICTS[run.verdict] ?? run.verdict ?? ""}`;
}

/** @param {any[]} results @param {(index: number) => void} open */
function resultTable(results, open) {
  const rows = results
    .slice(-30)
    .reverse()
    .map((game) => {
      const number = whole(game.index + 1);
      const first = game.has_game
        ? button(number, () => open(game.index), { class: "small plain", "aria-label": `Replay game ${number}` })
        : number;
      const cells = [game.white, game.black, game.result, game.reason ?? ""];
      return el("tr", {}, el("td", {}, first), ...cells.map((text) => el("td", { text })));
    });
  return table(["Game", "White", "Black", "Result", "Reason"], rows);
}

/** @param {any} run */
function llrPlot(run) {
  const rules = run.sprt
    ? [
        { at: run.sprt.upper, text: "H1", kind: "upper" },
        { at: run.sprt.lower, text: "H0", kind: "lower" },
      ]
    : [];
  return plot([{ points: run.llr }], { label: "Log-likelihood ratio by games", x: "games", y: "LLR", rules });
}

/** The pentanomial counts: points of a pair from 0 to 2. @param {number[]} pairs */
function pairBars(pairs) {
  const most = Math.max(...pairs, 1);
  return el(
    "div",
    { class: "pairs" },
    ...pairs.map((count, at) => {
      const bar = el("span", { class: "pair-bar" });
      bar.style.height = `${Math.max(1, (100 * count) / most)}%`;
      return el(
        "div",
        { class: "pair", title: `${count} pairs with ${at / 2} points` },
        el("div", { class: "pair-room" }, bar),
        el("span", { class: "number", text: whole(count) }),
        el("span", { class: "faint small-text", text: `${at / 2}` }),
      );
    }),
  );
}

/** @param {any} run @param {string} name */
export function tunePanel(run, name) {
  const last = run.values[run.values.length - 1] ?? [],
    first = run.values[0] ?? [];
  const rows = run.parameters.map((/** @type {any} */ parameter, /** @type {number} */ at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: parameter.name }),
      el("td", { text: number(first[at]) }),
      el("td", { text: number(last[at]) }),
      el("td", { text: change(first[at], last[at]) }),
      el("td", { text: `${number(parameter.least)} \u2026 ${number(parameter.most)}` }),
    ),
  );
  return el(
    "div",
    { class: "stack" },
    panel(
      `${name}: tuning of ${run.parameters.length} parameters`,
      el("p", { class: "number", text: `${whole(run.finished)} of ${whole(run.iterations)} iterations` }),
      el("progress", { max: 1, value: run.iterations ? run.finished / run.iterations : 0, "aria-label": "Iterations" }),
      table(["Parameter", "Start", "Now", "Change", "Range"], rows),
    ),
    el(
      "div",
      { class: "tune-plots" },
      ...run.parameters.map((/** @type {any} */ parameter, /** @type {number} */ at) =>
        panel(
          parameter.name,
          plot(
            [
              {
                points: run.values.map((/** @type {number[]} */ row, /** @type {number} */ index) => [
                  run.value_iterations?.[index] ?? index,
                  row[at],
                ]),
              },
            ],
            {
              label: `Path of ${parameter.name}`,
              x: "iterations",
              y: "",
              size: [400, 190],
            },
          ),
        ),
      ),
    ),
  );
}

/** @param {number|undefined} value */
const number = (value) =>
  value === undefined || value === null
    ? ""
    : Math.abs(value) >= 1000
      ? whole(value)
      : String(Number(value.toFixed(2))).replace("-", "\u2212");

/** @param {number} from @param {number} to */
const change = (from, to) => (from ? `${signed((100 * (to - from)) / Math.abs(from), 1)}%` : "");

/** @param {any} run @param {string} name */
export function otherPanel(run, name) {
  return panel(
    `${name}: ${run.kind}`,
    el("pre", {
      class: "lab-text mono",
      tabindex: 0,
      text: [
        JSON.stringify(run.header ?? {}, null, 1),
        ...(run.lines ?? []).map((/** @type {any} */ line) => (typeof line === "string" ? line : JSON.stringify(line))),
      ].join("\n"),
    }),
  );
}
