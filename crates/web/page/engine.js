/** The analysis of the current node: switched on and off, restarted when the node changes, and what it found. */

import { toast } from "./dom.js";
import { expected } from "./score.js";
import { Lost, ServerError, session } from "./session.js";
import { study } from "./study.js";

const KEPT_EVALUATIONS = 800;
const RESUME_AFTER_MS = 400;

/** @typedef {{kind: "infinite"|"depth"|"nodes"|"movetime_ms", value: number}} Limit */

/** Start and moves of the current node. @param {typeof study} study */
const lineOf = ({ tree, node }) => [tree.start, ...node.line().map(({ uci }) => uci)].join();

class Engine extends EventTarget {
  constructor() {
    super();
    this.isOn = localStorage.getItem("rukh.engine") === "on";
    this.isThreat = false;
    /** @type {Limit} */
    this.limit = JSON.parse(localStorage.getItem("rukh.limit") ?? '{"kind":"infinite","value":20}');
    /** @type {any} the snapshot that belongs to the current node, or null */
    this.found = null;
    this.search = -1;
    /** Whether another tab has taken the engine for another position. */
    this.isTaken = false;
    this.turn = 0;
    /** The line of the last start. */
    this.line = "";
    /** Commands that have not been answered. */
    this.pending = 0;
    /** @type {Map<string, {expected: number, depth: number, text: string}>} by FEN */
    this.evaluations = new Map(JSON.parse(localStorage.getItem("rukh.evaluations") ?? "[]"));
    /** Views that show the analysis; without any it rests. @type {Set<string>} */
    this.viewers = new Set();
  }

  start() {
    study.addEventListener("node", () => {
      // A change of the tree by another tab leaves this one where it is.
      if (lineOf(study) === this.line) return;
      this.isThreat = false;
      this.restart();
    });
    session.on("analysis", (snapshot) => this.receive(snapshot));
    session.addEventListener("state", () => {
      if (session.state === "connected") this.restart();
    });
    window.addEventListener("pagehide", () => this.keep());
    const resume = () => {
      if (!document.hidden) setTimeout(() => this.resume(), RESUME_AFTER_MS);
    };
    document.addEventListener("visibilitychange", resume);
    window.addEventListener("focus", resume);
  }

  /** Back on the page: another tab has taken the engine, or the server has stopped it because nobody watched. */
  resume() {
    const now = session.snapshots.analysis;
    if (this.isOn && this.viewers.size && now && (now.search !== this.search || now.state === "stopped")) this.restart();
  }

  /** Whether a snapshot is about the position and the question of this tab. @param {any} snapshot */
  isMine(snapshot) {
    return snapshot.fen === study.node.fen && snapshot.is_threat === this.isThreat;
  }

  /** @param {string} view @param {boolean} isShown */
  watch(view, isShown) {
    const before = this.viewers.size;
    if (isShown) this.viewers.add(view);
    else this.viewers.delete(view);
    if (before === 0 && this.viewers.size === 1) this.restart();
    if (before === 1 && this.viewers.size === 0) this.stop();
  }

  toggle() {
    this.isOn = !this.isOn;
    localStorage.setItem("rukh.engine", this.isOn ? "on" : "off");
    if (this.isOn) this.restart();
    else this.stop();
    this.dispatchEvent(new Event("state"));
  }

  toggleThreat() {
    this.isThreat = !this.isThreat;
    if (!this.isOn) this.toggle();
    else this.restart();
  }

  /** @param {Limit} limit */
  setLimit(limit) {
    this.limit = limit;
    localStorage.setItem("rukh.limit", JSON.stringify(limit));
    this.restart();
  }

  /** @param {Record<string, any>} settings */
  async setSettings(settings) {
    await session.command("settings", settings, "settings");
    this.restart();
  }

  /** Starts the analysis of the current node, if it is switched on and watched. */
  async restart() {
    this.turn += 1;
    const turn = this.turn;
    this.found = null;
    this.search = -1;
    this.isTaken = false;
    this.line = lineOf(study);
    this.dispatchEvent(new Event("lines"));
    if (!this.isOn || !this.viewers.size || session.state !== "connected") return;
    const now = session.snapshots.analysis;
    if (!this.pending && this.limit.kind === "infinite" && now?.state === "running" && this.isMine(now)) {
      // Another tab analyses the same position already.
      this.search = now.search;
      this.receive(now);
      return;
    }
    const body = {
      fen: study.tree.start,
      moves: study.node.line().map(({ uci }) => uci),
      ...(this.isThreat ? { is_threat: true } : {}),
      ...(this.limit.kind === "infinite" ? {} : { limits: { [this.limit.kind]: this.limit.value } }),
    };
    this.pending += 1;
    try {
      const snapshot = await session.command("analysis", body, "analysis");
      if (turn !== this.turn) return;
      this.search = snapshot.search;
      this.receive(snapshot);
    } catch (error) {
      if (error instanceof Lost || turn !== this.turn) return;
      if (!(error instanceof ServerError)) throw error;
      if (this.isThreat) {
        this.isThreat = false;
        this.restart();
      }
      this.dispatchEvent(new CustomEvent("refused", { detail: error.message }));
    } finally {
      this.pending -= 1;
    }
    this.dispatchEvent(new Event("state"));
  }

  async stop() {
    this.turn += 1;
    this.search = -1;
    if (session.state === "connected") await session.command("stop", {}).catch((error) => toast(error.message, "fault"));
  }

  /** @param {any} snapshot */
  receive(snapshot) {
    if (snapshot.search < this.search || this.search < 0) return;
    if (snapshot.search > this.search && !this.isMine(snapshot)) {
      if (!this.isTaken) {
        this.isTaken = true;
        this.dispatchEvent(new Event("lines"));
      }
      return;
    }
    this.search = snapshot.search;
    this.isTaken = false;
    this.found = snapshot;
    const line = snapshot.lines?.[0];
    if (line?.wdl && !snapshot.is_threat)
      this.note(study.node.fen, { expected: expected(line.wdl), depth: line.depth, text: line.text });
    this.dispatchEvent(new Event("lines"));
  }

  /**
   * Remembers the deepest evaluation of a position for the graph.
   * @param {string} fen
   * @param {{expected: number, depth: number, text: string}} value
   */
  note(fen, value) {
    const before = this.evaluations.get(fen);
    if (before && before.depth > value.depth) return;
    this.evaluations.delete(fen);
    this.evaluations.set(fen, value);
    if (this.evaluations.size > KEPT_EVALUATIONS)
      this.evaluations.delete(/** @type {string} */ (this.evaluations.keys().next().value));
  }

  keep() {
    localStorage.setItem("rukh.evaluations", JSON.stringify([...this.evaluations]));
  }
}

export const engine = new Engine();
