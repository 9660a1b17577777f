/** A recorded search on the server: its options, its data, and what its techniques saved. */

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
      evaluation: session.snapshots.settings?.evaluation,
    };
    sessionStorage.setItem("rukh.search.request", JSON.stringify(this.request));
    return session.command("tree", this.request, "tree");
  }

  /** @param {any} snapshot */
  async load(snapshot) {
    if (this.data?.tree === snapshot.tree) return;
    this.data = await session.read(`tree?tree=${snapshot.tree}`);
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

  /** Measures what each technique saved; the snapshots of the search tell how far it is. */
  measure() {
    return session.command("tree/savings", { tree: this.data.tree }, "tree");
  }
}
