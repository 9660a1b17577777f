/** The form of a new game: colour, strength, clock, start position. */

import { button, el, labelled, select } from "./dom.js";
import { session } from "./session.js";
import { START } from "./squares.js";
import { study } from "./study.js";

const CLOCKS = /** @type {[string, string][]} */ ([
  ["", "no clock"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes + 2 s"],
  ["5+3", "5 minutes + 3 s"],
  ["10+5", "10 minutes + 5 s"],
  ["15+10", "15 minutes + 10 s"],
  ["30+0", "30 minutes"],
]);

/** @param {(options: Record<string, any>) => void} start */
export function newGameForm(start) {
  const kept = {
    color: "white",
    level: 3,
    clock: "",
    start: "standard",
    search: "alphabeta",
    ...JSON.parse(localStorage.getItem("rukh.play") ?? "{}"),
  };
  const keep = (/** @type {string} */ name, /** @type {any} */ value) => {
    kept[name] = value;
    localStorage.setItem("rukh.play", JSON.stringify(kept));
  };
  const levels = session.info?.levels ?? [];
  const strength = el("output", { class: "number" });
  const showLevel = () => {
    const known = levels.find((/** @type {any} */ { level }) => level === kept.level);
    strength.textContent =
      kept.level > 20 ? "full strength" : `level ${kept.level}${known?.elo ? `, about ${known.elo} Elo` : ""}`;
  };
  const level = el("input", {
    type: "range",
    min: 0,
    max: 21,
    value: String(kept.level),
    "aria-label": "Level of the engine",
    oninput: () => {
      keep("level", Number(level.value));
      showLevel();
    },
  });
  const number = el("input", {
    type: "number",
    min: 0,
    max: 959,
    value: String(Math.floor(Math.random() * 960)),
    "aria-label": "Number of the Chess960 position",
    hidden: kept.start !== "chess960",
  });
  const colors = ["white", "random", "black"].map((color) =>
    button(
      { white: "White", random: "Random", black: "Black" }[color] ?? color,
      () => {
        keep("color", color);
        press();
      },
      { dataset: { color }, class: "grow" },
    ),
  );
  const press = () => {
    for (const one of colors) one.setAttribute("aria-pressed", String(one.dataset.color === kept.color));
  };
  const place = select(
    [
      ["standard", "Start position"],
      ["board", "Position of the analysis"],
      ["chess960", "Chess960"],
    ],
    kept.start,
    (value) => {
      keep("start", value);
      number.hidden = value !== "chess960";
    },
  );
  const begin = () =>
    start({
      color: kept.color,
      ...(kept.level > 20 ? {} : { level: kept.level }),
      ...(kept.clock ? { clock: kept.clock } : {}),
      search: kept.search,
      ...(kept.start === "chess960"
        ? { chess960: Math.max(0, Math.min(959, Number(number.value) || 0)) }
        : kept.start === "board"
          ? { fen: study.node.fen }
          : { fen: START }),
    });
  press();
  showLevel();
  return el(
    "section",
    { class: "panel pad stack play-form", "aria-label": "New game" },
    el("h2", { text: "Play against the engine" }),
    el("div", { class: "row", role: "group", "aria-label": "Your colour" }, ...colors),
    labelled("Strength", strength),
    level,
    labelled(
      "Clock",
      select(CLOCKS, kept.clock, (value) => keep("clock", value)),
    ),
    labelled("Start", el("span", { class: "row" }, place, number)),
    labelled(
      "Search",
      select(
        [
          ["alphabeta", "Alpha-beta"],
          ["mcts", "MCTS"],
        ],
        kept.search,
        (value) => keep("search", value),
      ),
    ),
    button("Start the game", begin, { class: "primary" }),
  );
}
