/** A recorded search on the server: its options, its data, and measurements without a technique. */

import { toast } from "./dom.js";
import { session } from "./session.js";

export class TreeRecord extends EventTarget {
  constructor() {
    super();
    /**
     * @type {{depth: number|null, nodes: number|null, max_nodes: number|null, iteration: string, path: string[], switch:
     * string[], [name: string]: any}}
     */
    this.options = {
      depth: 10,
      nodes: null,
      max_nodes: 3000,
      iteration: "last",
      path: [],
      switch: [],
      ...JSON.parse(localStorage.getItem("rukh.search") ?? "{}"),
    };
    /** @type {any} totals and roots */
    this.data = null;
    /** @type {Map<string, number>} nodes without a technique */
    this.measured = new Map(JSON.parse(sessionStorage.getItem("rukh.measured") ?? "[]"));
    this.measuredFor = sessionStorage.getItem("rukh.measured.for") ?? "";
    /** @type {Set<number>} recordings that are measurements only */
    this.measurements = new Set();
    this.isBusy = false;
    /** @type {any} the last request */
    this.request = JSON.parse(sessionStorage.getItem("rukh.search.request") ?? "null");
  }

  keep() {
    localStorage.setItem("rukh.search", JSON.stringify(this.options));
  }

  /** @param {{fen: string, moves: string[]}} position */
  start(position) {
    const { depth, nodes, max_nodes: most, iteration, path, switch: switched } = this.options;
    this.request = {
      ...position,
      ...(depth || !nodes ? { depth: depth || 8 } : {}),
      ...(nodes ? { nodes } : {}),
      iteration,
      path,
      ...(most ? { max_nodes: most } : {}),
      switch: switched,
    };
    sessionStorage.setItem("rukh.search.request", JSON.stringify(this.request));
    return session.command("tree", this.request, "tree");
  }

  /** @param {any} snapshot */
  isMeasuring(snapshot) {
    return this.isBusy || this.measurements.has(snapshot.tree);
  }

  /** @param {any} snapshot */
  async load(snapshot) {
    if (this.data?.tree === snapshot.tree) return;
    const data = await session.read(`tree?tree=${snapshot.tree}`);
    this.data = data;
    const key = JSON.stringify([snapshot.fen, snapshot.depth, snapshot.nodes_limit, snapshot.switched]);
    if (key !== this.measuredFor) {
      this.measured.clear();
      this.measuredFor = key;
    }
    this.dispatchEvent(new Event("loaded"));
  }

  /** @param {string} at */
  node(at) {
    return session.read(`tree/node?tree=${this.data.tree}&at=${at}`);
  }

  /** @param {string} at @param {number} plies */
  flame(at, plies) {
    return session.read(`tree/flame?tree=${this.data.tree}&at=${at}&plies=${plies}`);
  }

  /**
   * Repeats the search with one technique switched, notes its nodes, and records the first search again.
   * @param {string} technique
   */
  async measure(technique) {
    if (!this.request || this.isBusy) {
      if (!this.request) toast("Record the search first.", "fault");
      return;
    }
    this.isBusy = true;
    this.dispatchEvent(new Event("measured"));
    const original = this.request;
    try {
      const switched = original.switch.includes(technique)
        ? original.switch.filter((/** @type {string} */ name) => name !== technique)
        : [...original.switch, technique];
      const done = await this.finished({ ...original, path: [], max_nodes: 1, iteration: "last", switch: switched });
      if (done.state === "done") this.measured.set(technique, done.nodes);
      sessionStorage.setItem("rukh.measured", JSON.stringify([...this.measured]));
      sessionStorage.setItem("rukh.measured.for", this.measuredFor);
      const again = await this.finished(original);
      this.isBusy = false;
      await this.load(again);
    } finally {
      this.isBusy = false;
      this.dispatchEvent(new Event("measured"));
    }
  }

  /** Starts a recording and waits for its end. @param {any} request @returns {Promise<any>} */
  async finished(request) {
    const started = await session.command("tree", request, "tree");
    return new Promise((resolve) => {
      const watch = (/** @type {Event} */ event) => {
        const snapshot = /** @type {CustomEvent} */ (event).detail;
        if (snapshot.tree < started.tree || snapshot.state === "running") return;
        session.removeEventListener("tree", watch);
        resolve(snapshot);
      };
      session.addEventListener("tree", watch);
      const now = session.snapshots.tree;
      if (now.tree >= started.tree && now.state !== "running") {
        session.removeEventListener("tree", watch);
        resolve(now);
      }
    });
  }
}
