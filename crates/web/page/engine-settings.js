/** The settings of the engine: threads, hash, lines, search, evaluation, limit. */

import { el, labelled, select } from "./dom.js";
import { engine } from "./engine.js";
import { session } from "./session.js";

const SEARCHES = /** @type {Record<string, string>} */ ({
  alphabeta: "Alpha-beta",
  mcts: "MCTS (PUCT)",
  uct: "UCT (random playouts)",
});
const EVALUATIONS = /** @type {Record<string, string>} */ ({ network: "NNUE network", classical: "Classical" });

/** The evaluations that the server offers. @returns {{name: string, description: string}[]} */
const evaluations = () => session.info?.evaluations ?? [];

export function settingsPanel() {
  const element = el("div", { class: "settings", hidden: true });
  /** @param {any} settings */
  const draw = (settings) => {
    const most = session.info?.most ?? { threads: 1, hash: 64, multipv: 5 };
    const change = (/** @type {string} */ name) => (/** @type {string} */ value) => engine.setSettings({ [name]: value });
    const number = (/** @type {string} */ name) => (/** @type {string} */ value) => engine.setSettings({ [name]: Number(value) });
    element.replaceChildren(
      labelled("Lines", select(range(1, most.multipv), String(settings.multipv), number("multipv"))),
      labelled("Threads", select(range(1, most.threads), String(settings.threads), number("threads"))),
      labelled("Hash, MiB", select(powers(most.hash, settings.hash), String(settings.hash), number("hash"))),
      labelled("Search", select(named(session.info?.searches ?? ["alphabeta"], SEARCHES), settings.search, change("search"))),
      labelled(
        "Evaluation",
        select(
          named(
            evaluations().map(({ name }) => name),
            EVALUATIONS,
          ),
          settings.evaluation,
          change("evaluation"),
        ),
      ),
      limitField(),
      el("p", {
        class: "faint small-text",
        text: evaluations().find(({ name }) => name === settings.evaluation)?.description ?? "",
      }),
    );
  };
  session.on("settings", draw);
  return element;
}

/** @param {number} least @param {number} most @returns {[string, string][]} */
const range = (least, most) =>
  [...Array(Math.max(1, most - least + 1)).keys()].map((at) => [String(at + least), String(at + least)]);

/** @param {string[]} names @param {Record<string, string>} texts @returns {[string, string][]} */
const named = (names, texts) => names.map((name) => [name, texts[name] ?? name]);

/**
 * Powers of two up to the most, and the current value.
 * @param {number} most
 * @param {number} current
 * @returns {[string, string][]}
 */
function powers(most, current) {
  const sizes = new Set([current]);
  for (let size = 1; size <= most; size *= 2) sizes.add(size);
  return [...sizes].sort((a, b) => a - b).map((size) => [String(size), String(size)]);
}

function limitField() {
  const value = el("input", { type: "number", min: 1, "aria-label": "Value of the limit", value: String(engine.limit.value) });
  const kind = select(
    [
      ["infinite", "until stopped"],
      ["depth", "depth"],
      ["nodes", "nodes"],
      ["movetime_ms", "milliseconds"],
    ],
    engine.limit.kind,
    apply,
    { "aria-label": "Limit" },
  );
  function apply() {
    value.hidden = kind.value === "infinite";
    const amount = Math.max(1, Math.round(Number(value.value)) || 1);
    engine.setLimit({ kind: kind.value, value: amount });
  }
  value.hidden = engine.limit.kind === "infinite";
  value.addEventListener("change", apply);
  return labelled("Limit", el("span", { class: "row" }, kind, value));
}
