/** Games in and out: FEN, PGN as text and as files, the list of games of a PGN, permalink. */

import { button, copy, download, el, labelled, toast } from "./dom.js";
import { describe, session } from "./session.js";
import { START } from "./squares.js";
import { study } from "./study.js";

const MOST_BYTES = 4 << 20;

/** The panel below the board. @param {() => void} openSetup */
export function filesPanel(openSetup) {
  const fen = el("input", { class: "grow mono", "aria-label": "FEN", spellcheck: "false", autocomplete: "off" });
  fen.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") loadFen(fen.value).then(() => (fen.value = study.node.fen));
  });
  fen.addEventListener("focus", () => fen.select());
  fen.addEventListener("blur", () => show());
  const text = el("textarea", {
    "aria-label": "PGN",
    placeholder: "Paste a PGN here, or drop a file anywhere on the page.",
    spellcheck: "false",
  });
  const chosen = el("input", {
    type: "file",
    accept: ".pgn,.txt,.fen,.epd",
    hidden: true,
    onchange: () => {
      if (chosen.files[0]) readFile(chosen.files[0]);
      chosen.value = "";
    },
  });
  const undo = button("Back to the game before", () => study.undoLoad(), { class: "small", hidden: true });
  const show = () => {
    if (document.activeElement !== fen) fen.value = study.node.fen;
    undo.hidden = !study.before;
  };
  study.addEventListener("node", show);
  study.addEventListener("tree", show);
  show();
  return el(
    "section",
    { class: "panel pad stack files", "aria-label": "Position and game" },
    el(
      "div",
      { class: "row" },
      labelled("FEN", fen),
      button("Copy", () => copy(study.node.fen, "FEN"), { class: "small" }),
    ),
    el(
      "div",
      { class: "row" },
      button("New game", () => study.load({ start: START }), { class: "small" }),
      button("Set up position", openSetup, { class: "small" }),
      button("Open file", () => chosen.click(), { class: "small" }),
      button("Save PGN", savePgn, { class: "small" }),
      button("Copy PGN", async () => copy(await pgnText(), "PGN"), { class: "small" }),
      button("Copy link", () => copy(location.href, "Link"), { class: "small" }),
      undo,
      chosen,
    ),
    el(
      "details",
      {},
      el("summary", { text: "Paste PGN" }),
      text,
      el(
        "div",
        { class: "row" },
        button(
          "Load",
          async () => {
            if (await loadPgn(text.value)) text.value = "";
          },
          { class: "small primary" },
        ),
      ),
    ),
    el("details", {}, el("summary", { text: "Tags" }), tagTable()),
    el("details", {}, el("summary", { text: "Keys" }), keyTable()),
  );
}

/** @param {string} text */
export async function loadFen(text) {
  const fen = text.trim() || "startpos";
  const position = await describe({ fen });
  study.load({ start: position.fen });
}

/** The current game as PGN, written by the server. @returns {Promise<string>} */
export async function pgnText() {
  return (await session.send("/api/pgn/write", { game: study.tree.toGame() })).pgn;
}

async function savePgn() {
  const names = [study.tree.tag("White"), study.tree.tag("Black")].filter((name) => name && name !== "?");
  download(`${names.join("-").replace(/[^\w-]+/g, "_") || "game"}.pgn`, await pgnText(), "application/x-chess-pgn");
}

/** Reads a PGN; with several games the person chooses. @param {string} pgn @returns {Promise<boolean>} */
export async function loadPgn(pgn) {
  if (!pgn.trim()) return false;
  if (looksLikeFen(pgn)) {
    await loadFen(pgn);
    return true;
  }
  const answer = await session.send("/api/pgn/read", { pgn, game: 0 });
  for (const { line, fault } of answer.faults.slice(0, 3)) toast(`Line ${line}: ${fault}`, "fault");
  if (answer.games.length > 1) chooseGame(pgn, answer.games);
  else if (answer.game) study.load(answer.game);
  return true;
}

/** @param {string} text */
const looksLikeFen = (text) => /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}\s/.test(`${text} `);

/** @param {string} pgn @param {any[]} games */
function chooseGame(pgn, games) {
  const dialog = el(
    "dialog",
    { "aria-label": "Choose a game" },
    el("h2", { text: `${games.length} games` }),
    el(
      "div",
      { class: "game-list" },
      ...games
        .map((game) =>
          button(
            "",
            async () => {
              dialog.close();
              study.load((await session.send("/api/pgn/read", { pgn, game: game.index })).game);
            },
            { class: "game-row plain" },
          ),
        )
        .map((row, at) => {
          const game = games[at];
          row.append(
            el("span", { class: "grow", text: `${game.white} \u2013 ${game.black}` }),
            el("span", { class: "faint", text: `${game.event} ${game.date}` }),
            el("strong", { text: game.result }),
          );
          return row;
        }),
    ),
    el(
      "div",
      { class: "row" },
      button("Close", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {File} file */
async function readFile(file) {
  if (file.size > MOST_BYTES) {
    toast(`${file.name} is larger than 4 MiB.`, "fault");
    return;
  }
  await loadPgn(await file.text());
}

/** Accepts files and text that are dropped on an element. @param {HTMLElement} element @param {(file: File) => void} [read] */
export function acceptDrops(element, read = readFile) {
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("dropping");
  });
  element.addEventListener("dragleave", () => element.classList.remove("dropping"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("dropping");
    const file = event.dataTransfer?.files[0],
      text = event.dataTransfer?.getData("text/plain");
    if (file) read(file);
    else if (text) loadPgn(text);
  });
}

/** @type {[string, string][]} */
const KEYS = [
  ["\u2190 \u2192", "previous and next move"],
  ["\u2191 \u2193", "other variation at this move"],
  ["Home End", "start and end"],
  ["f", "flip the board"],
  ["e", "engine on and off"],
  ["t", "threat"],
  ["v", "evaluation by piece"],
  ["c", "comment"],
  ["m", "type a move"],
  ["Tab, then arrows and Enter", "move pieces on the board"],
  ["right-click and drag", "draw circles and arrows"],
];

const keyTable = () =>
  el("dl", { class: "keys" }, ...KEYS.flatMap(([key, text]) => [el("dt", { text: key }), el("dd", { text })]));

const TAGS = ["White", "Black", "WhiteElo", "BlackElo", "Event", "Site", "Date", "Round", "Result"];

function tagTable() {
  const fields = TAGS.map(
    (name) =>
      /** @type {[string, any]} */ ([
        name,
        el("input", {
          "aria-label": name,
          onchange: (/** @type {any} */ event) =>
            study.edit((tree) => {
              tree.setTag(name, event.target.value.trim());
              if (name === "Result")
                tree.result = ["1-0", "0-1", "1/2-1/2"].includes(event.target.value) ? event.target.value : "*";
            }),
        }),
      ]),
  );
  const show = () => {
    for (const [name, field] of fields) if (document.activeElement !== field) field.value = study.tree.tag(name);
  };
  study.addEventListener("tree", show);
  show();
  return el("div", { class: "tags" }, ...fields.map(([name, field]) => labelled(name, field)));
}

/** The address of the current node. */
export function permalink() {
  const query = new URLSearchParams(),
    moves = study.node.line().map(({ uci }) => uci);
  if (study.tree.start !== START) query.set("fen", study.tree.start);
  if (moves.length) query.set("moves", moves.join("."));
  return [...query].length ? `?${query}` : "";
}

/** What an address asks for, or null. @param {URLSearchParams} query @returns {{fen?: string, moves: string[]}|null} */
export function linkOf(query) {
  const fen = query.get("fen") ?? undefined,
    moves = query.get("moves")?.split(".").filter(Boolean) ?? [];
  return fen || moves.length ? { fen, moves } : null;
}
