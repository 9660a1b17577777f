/** The laboratory view: matches, SPRTs and tunings from their state files, and games to replay. */

import { button, el } from "./dom.js";
import { loadPgn } from "./files.js";
import { matchPanel, otherPanel, tunePanel } from "./lab-panels.js";
import { short } from "./score.js";
import { Lost, session } from "./session.js";

const POLL_MS = 3000;

export function create() {
  const view = new LabView();
  return { element: view.element, show: () => view.show(), hide: () => view.hide() };
}

class LabView {
  constructor() {
    this.list = el("div", { class: "lab-list", role: "list", "aria-label": "Runs" });
    this.body = el("div", { class: "lab-body stack" });
    this.element = el(
      "div",
      { class: "lab-view" },
      el("section", { class: "panel pad", "aria-label": "Runs" }, el("h2", { text: "Runs" }), this.list),
      this.body,
    );
    this.name = localStorage.getItem("rukh.lab") ?? "";
    /** What the person has changed of the SPRT of the chosen run. @type {Record<string, string|number>} */
    this.test = {};
    this.timer = 0;
    /** @type {string} the last drawn answer */
    this.drawn = "";
    this.isShown = false;
  }

  show() {
    this.isShown = true;
    this.poll();
  }

  hide() {
    this.isShown = false;
    clearTimeout(this.timer);
  }

  /** Reads the list and the chosen run again and again while the view is shown. */
  async poll() {
    clearTimeout(this.timer);
    if (!this.isShown) return;
    try {
      if (session.state === "connected" && !document.hidden) await this.refresh();
    } catch (error) {
      if (!(error instanceof Lost))
        this.body.replaceChildren(el("p", { class: "fault", text: /** @type {Error} */ (error).message }));
      this.drawn = "";
    }
    if (this.isShown) this.timer = window.setTimeout(() => this.poll(), POLL_MS);
  }

  async refresh() {
    const { runs, faults } = await session.get("/api/lab");
    const chosen =
      runs.find((/** @type {any} */ run) => run.name === this.name) ??
      runs.find((/** @type {any} */ run) => run.kind !== "games");
    if (chosen && chosen.kind !== "games") this.name = chosen.name;
    this.drawList(runs, faults ?? []);
    if (!runs.length) {
      this.body.replaceChildren(
        el("p", {
          class: "notice",
          text: session.info?.has_lab
            ? "The directory has no state files yet."
            : "Start the server with --lab DIR to see matches, SPRTs and tunings here: the directory of their --state files.",
        }),
      );
      return;
    }
    if (!chosen || chosen.kind === "games") return;
    const query = new URLSearchParams({ name: this.name });
    if (chosen.kind === "match") for (const [key, value] of Object.entries(this.test)) query.set(key, String(value));
    const run = await session.get(`/api/lab/run?${query}`);
    const text = JSON.stringify(run);
    const isEditing = this.body.contains(document.activeElement) && document.activeElement?.matches("input, select");
    if (text === this.drawn || isEditing) return;
    this.drawn = text;
    const replay = runs.find((/** @type {any} */ other) => other.kind === "games" && stem(other.name) === stem(this.name));
    this.body.replaceChildren(
      panelOf(run, this.name, {
        replay: replay ? () => this.replay({ name: replay.name }) : null,
        open: (index) => this.replay({ name: this.name, game: String(index) }),
        setTest: (change) => {
          this.test = change ? { ...this.test, ...change } : {};
          /** @type {HTMLElement|null} */ (document.activeElement)?.blur();
          this.poll();
        },
      }),
    );
  }

  /** @param {any[]} runs @param {any[]} faults */
  drawList(runs, faults) {
    this.list.replaceChildren(
      ...runs
        .map((run) =>
          el(
            "div",
            { role: "listitem" },
            button("", () => this.choose(run), {
              class: "lab-run plain",
              "aria-current": run.name === this.name ? "true" : false,
            }),
          ),
        )
        .map((item, at) => {
          const run = runs[at];
          item.firstElementChild?.append(
            el("strong", { text: run.name }),
            el("span", {
              class: "faint small-text",
              text: `${run.kind}${run.engines?.length ? `, ${run.engines.join(" \u2013 ")}` : ""}`,
            }),
            el("span", { class: "faint small-text", text: `${age(run.modified_ms)}, ${short(run.bytes)} bytes` }),
          );
          return item;
        }),
      ...faults.map(({ name, error }) => el("p", { class: "fault small-text", text: `${name}: ${error}` })),
    );
  }

  /** @param {any} run */
  async choose(run) {
    if (run.kind === "games") {
      await this.replay({ name: run.name });
      return;
    }
    this.name = run.name;
    this.test = {};
    this.drawn = "";
    localStorage.setItem("rukh.lab", run.name);
    await this.poll();
  }

  /** Opens games in the analysis: those of a PGN file, or one of a match. @param {Record<string, string>} which */
  async replay(which) {
    const { pgn } = await session.get(`/api/lab/games?${new URLSearchParams(which)}`);
    location.hash = "#/analysis";
    await loadPgn(pgn);
  }
}

/** @param {string} name */
const stem = (name) => name.replace(/\.[^.]*$/, "");

/** @param {any} run @param {string} name @param {import("./lab-panels.js").MatchActions} actions */
function panelOf(run, name, actions) {
  if (run.kind === "match") return matchPanel(run, name, actions);
  if (run.kind === "tune") return tunePanel(run, name);
  return otherPanel(run, name);
}

/** @param {number} modified */
function age(modified) {
  const seconds = Math.max(0, (Date.now() - modified) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86400)} days ago`;
}
