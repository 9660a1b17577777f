/** The review view: games with accuracy, mistakes with their reasons, "try again" at each mistake, exports. */

import { Board } from "./board.js";
import { BoardInput } from "./board-input.js";
import { button, el, labelled, select, stepButtons, table, toast } from "./dom.js";
import { acceptDrops, pgnText } from "./files.js";
import { Graph } from "./graph.js";
import { MoveList } from "./move-list.js";
import { ReviewNotes } from "./review-notes.js";
import { session } from "./session.js";
import { Retry } from "./retry.js";
import { study } from "./study.js";

export function create() {
  const view = new ReviewView();
  return {
    element: view.element,
    show: () => {
      view.isShown = true;
    },
    hide: () => {
      view.isShown = false;
    },
  };
}

class ReviewView {
  constructor() {
    this.isShown = false;
    /** @type {any[]} */ this.games = [];
    this.index = Number(localStorage.getItem("rukh.review.game")) || 0;
    this.ply = Number(localStorage.getItem("rukh.review.ply")) || 0;
    this.loaded = "";
    this.board = new Board({ label: "Reviewed game", cells: true });
    this.retry = new Retry(this.board, () => this.draw());
    this.input = new BoardInput(this.board, { onmove: (move) => this.retry.answer(move), canMove: () => this.retry.isOn });
    this.retry.input = this.input;
    this.list = new MoveList((ply) => this.look(ply));
    this.graph = new Graph((ply) => this.look(ply));
    this.notes = new ReviewNotes({
      onpick: (ply) => this.look(ply),
      onretry: (move) => this.retry.start(move),
      onanalyse: (ply) => this.analyse(ply),
    });
    this.progress = el("progress", { max: 1, value: 0, "aria-label": "Progress of the review" });
    this.status = el("span", { class: "number grow", role: "status" });
    this.stop = button("Stop", () => session.command("stop", {}), { class: "small" });
    this.progressRow = el("div", { class: "row panel pad", hidden: true }, this.status, this.progress, this.stop);
    this.table = el("div", { class: "review-games" });
    this.exports = el("div", { class: "row", hidden: true });
    this.result = el(
      "div",
      { class: "analysis", hidden: true },
      el(
        "section",
        { class: "board-column stack", "aria-label": "Board" },
        this.board.element,
        this.retry.element,
        el("div", { class: "row board-tools bare" }, this.steps()),
        el("div", { class: "panel graph-panel bare" }, this.graph.element),
      ),
      el(
        "div",
        { class: "side-column stack" },
        this.notes.element,
        el("section", { class: "panel moves-panel", "aria-label": "Moves" }, this.list.element),
      ),
    );
    this.element = el(
      "div",
      { class: "review-view stack" },
      this.form(),
      this.progressRow,
      this.table,
      this.exports,
      this.result,
    );
    document.addEventListener("keydown", (event) => this.key(event));
    acceptDrops(this.element, async (file) => this.start(await file.text()));
    session.on("review", (snapshot) => this.receive(snapshot));
  }

  form() {
    this.text = el("textarea", {
      "aria-label": "PGN to review",
      placeholder: "Paste a PGN of one or several games, or drop a file here.",
      spellcheck: "false",
    });
    const file = el("input", {
      type: "file",
      accept: ".pgn,.txt",
      hidden: true,
      onchange: async () => {
        if (file.files[0]) this.start(await file.files[0].text());
        file.value = "";
      },
    });
    this.time = select(
      [
        ["50", "0.05 s"],
        ["100", "0.1 s"],
        ["200", "0.2 s"],
        ["500", "0.5 s"],
        ["1000", "1 s"],
        ["3000", "3 s"],
      ],
      localStorage.getItem("rukh.review.time") ?? "200",
      (value) => localStorage.setItem("rukh.review.time", value),
    );
    this.details = el(
      "details",
      { class: "panel pad", open: true },
      el("summary", {}, el("strong", { text: "Review games" })),
      el(
        "div",
        { class: "stack" },
        this.text,
        el(
          "div",
          { class: "row" },
          labelled("Time per position", this.time),
          button("Review the text", () => this.start(this.text.value), { class: "primary" }),
          button("Review the game of the analysis", async () => this.start(await pgnText())),
          button("Open file", () => file.click()),
          file,
        ),
      ),
    );
    return this.details;
  }

  steps() {
    return stepButtons(
      {
        first: () => this.look(0),
        back: () => this.look(this.ply - 1),
        forward: () => this.look(this.ply + 1),
        last: () => this.look(Infinity),
        flip: () => this.board.flip(),
      },
      button("Next mistake", () => this.nextMistake(), { title: "Next mistake (n)" }),
    );
  }

  /** @param {string} pgn */
  async start(pgn) {
    if (!pgn.trim()) {
      toast("There is no game in the text.", "fault");
      return;
    }
    this.index = 0;
    this.ply = 0;
    await session.command("review", { pgn, movetime_ms: Number(this.time.value) }, "review");
  }

  /** @param {any} snapshot */
  async receive(snapshot) {
    const isRunning = snapshot.state === "running";
    this.progressRow.hidden = !isRunning && snapshot.state !== "failed";
    this.stop.hidden = this.progress.hidden = !isRunning;
    this.status.textContent = isRunning
      ? `Game ${snapshot.game} of ${snapshot.games}, position ${snapshot.position} of ${snapshot.positions}`
      : (snapshot.message ?? "");
    if (snapshot.positions) this.progress.value = snapshot.position / snapshot.positions;
    const key = `${snapshot.review} ${snapshot.state} ${snapshot.game}`;
    if (key === this.loaded || snapshot.state === "none") return;
    this.loaded = key;
    for (const { line, fault } of snapshot.faults ?? []) if (!isRunning) toast(`Line ${line}: ${fault}`, "fault");
    const answer = await session.read("review");
    this.games = answer.games;
    this.index = Math.min(this.index, Math.max(0, this.games.length - 1));
    if (!isRunning && this.games.length) this.details.open = false;
    this.drawTable();
    this.draw();
  }

  drawTable() {
    const heads = ["Game", "Result", "Accuracy of White", "?! / ? / ??", "Accuracy of Black", "?! / ? / ??"];
    const rows = this.games.map((game, at) => this.gameRow(game, at));
    this.table.replaceChildren(
      ...(rows.length > 1 ? [el("section", { class: "panel pad", "aria-label": "Games" }, table(heads, rows))] : []),
    );
    this.exports.hidden = !this.games.length;
    this.exports.replaceChildren(
      el("span", { class: "faint", text: "Export:" }),
      el("a", { class: "button small", href: session.address("review.pgn"), download: "review.pgn", text: "Annotated PGN" }),
      el("a", { class: "button small", href: session.address("review.html"), download: "review.html", text: "Page (HTML)" }),
    );
  }

  /** @param {any} game @param {number} at */
  gameRow(game, at) {
    const choose = () => {
      this.index = at;
      this.ply = 0;
      this.drawTable();
      this.draw();
    };
    const name = `${game.number}. ${game.white.name} \u2013 ${game.black.name}`;
    const accuracy = (/** @type {any} */ side) => side.accuracy?.toFixed(1) ?? "\u2013";
    const faults = (/** @type {any} */ side) => `${side.inaccuracies} / ${side.mistakes} / ${side.blunders}`;
    const cells = [game.result, accuracy(game.white), faults(game.white), accuracy(game.black), faults(game.black)];
    return el(
      "tr",
      { class: at === this.index ? "chosen" : "" },
      el("td", {}, button(name, choose, { class: "plain small" })),
      ...cells.map((text) => el("td", { text })),
    );
  }

  draw() {
    const game = this.games[this.index];
    this.result.hidden = !game;
    if (!game || this.retry.isOn) return;
    this.ply = Math.max(0, Math.min(this.ply, game.moves.length));
    localStorage.setItem("rukh.review.game", String(this.index));
    localStorage.setItem("rukh.review.ply", String(this.ply));
    const move = game.moves[this.ply - 1];
    this.board.show(move ? move.fen_after : game.start, { last: move ? [move.uci.slice(0, 2), move.uci.slice(2, 4)] : [] });
    this.input.setLegal([]);
    const better = move?.judgement && move.best?.[0];
    this.board.setArrows(
      better ? [{ from: better.uci.slice(0, 2), to: better.uci.slice(2, 4), kind: "user", label: better.san }] : [],
    );
    this.list.set(
      game.start,
      game.moves.map((/** @type {any} */ one) => ({
        san: one.move + ({ inaccuracy: "?!", mistake: "?", blunder: "??" }[/** @type {string} */ (one.judgement)] ?? ""),
        fen: one.fen_after,
        judgement: one.judgement,
        text: one.eval,
      })),
      this.ply,
    );
    this.graph.set(
      game.expected.map((/** @type {number} */ expected, /** @type {number} */ at) => ({
        expected,
        judgement: at ? game.moves[at - 1]?.judgement : null,
        label: at ? game.moves[at - 1]?.move : "Start",
      })),
    );
    this.graph.setPly(this.ply);
    this.notes.set(game, this.ply);
  }

  /** @param {number} ply */
  look(ply) {
    this.retry.end();
    this.ply = Math.max(0, Math.min(ply, this.games[this.index]?.moves.length ?? 0));
    this.draw();
  }

  nextMistake() {
    const moves = this.games[this.index]?.moves ?? [];
    const next = moves.findIndex((/** @type {any} */ move, /** @type {number} */ at) => at >= this.ply && move.judgement);
    if (next >= 0) this.look(next + 1);
    else toast("No further mistake in this game.");
  }

  /** Opens the position before a move in the analysis. @param {number} ply */
  analyse(ply) {
    const game = this.games[this.index];
    study.load(
      {
        start: game.start,
        tags: [
          ["White", game.white.name],
          ["Black", game.black.name],
        ],
        result: game.result,
        moves: game.moves.map((/** @type {any} */ move) => ({
          uci: move.uci,
          san: move.move,
          fen: move.fen_after,
          nags: move.judgement ? [{ inaccuracy: 6, mistake: 2, blunder: 4 }[/** @type {"mistake"} */ (move.judgement)]] : [],
          comments: move.reasons?.length ? [move.reasons.join(" ")] : [],
        })),
      },
      Array(Math.max(0, ply - 1)).fill(0),
    );
    location.hash = "#/analysis";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.isShown || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, textarea, select, .promotion"))
      return;
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.look(this.ply - 1),
      ArrowRight: () => this.look(this.ply + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      n: () => this.nextMistake(),
      f: () => this.board.flip(),
    });
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}
