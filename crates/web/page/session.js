/** The connection to the server: token, session, commands, stream of snapshots, and how all of them come back after a loss. */

import { Stream } from "./stream.js";

/** @typedef {"game"|"settings"|"analysis"|"play"|"review"|"tree"} Topic */

export const TOPICS = /** @type {Topic[]} */ (["game", "settings", "analysis", "play", "review", "tree"]);

/** An error that the server gave in words. */
export class ServerError extends Error {
  /** @param {number} status @param {{error?: string, code?: string, snapshot?: any}} body */
  constructor(status, body) {
    super(body.error ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
    this.snapshot = body.snapshot;
  }
}

/** Thrown when no server answers. */
export class Lost extends Error {
  constructor() {
    super("The server does not answer.");
  }
}

const meta = () => document.querySelector("meta[name=rukh-token]")?.getAttribute("content") ?? "";

export class Session extends EventTarget {
  constructor() {
    super();
    this.token = meta();
    this.id = localStorage.getItem("rukh.session") ?? "";
    /** @type {Record<string, any>} the last snapshot of each topic */
    this.snapshots = {};
    /** @type {any} the answer of /api/info */
    this.info = null;
    /** @type {"starting"|"connected"|"lost"} */
    this.state = "starting";
    this.stream = new Stream(
      TOPICS,
      (topic, snapshot) => this.publish(/** @type {Topic} */ (topic), snapshot),
      () => this.lose(),
    );
    /** Why the server refuses the page, in its own words. */
    this.problem = "";
    this.retry = 0;
    this.isEnding = false;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.stream.close() : this.openStream()));
    window.addEventListener("pagehide", () => {
      this.isEnding = true;
      this.stream.close();
    });
    window.addEventListener("pageshow", () => {
      if (this.isEnding) {
        this.isEnding = false;
        this.openStream();
      }
    });
  }

  /** Connects for the first time or again; every failure is followed by another try. */
  async connect() {
    clearTimeout(this.retry);
    try {
      if (this.state === "lost") await this.renewToken();
      this.info = await this.get("/api/info");
      await this.join();
      this.setState("connected");
      this.openStream();
    } catch (error) {
      if (!(error instanceof Lost) && !(error instanceof ServerError)) throw error;
      this.problem = error instanceof ServerError ? error.message : "";
      this.lose();
    }
  }

  /** Takes up the session of the last visit, or a new one if it has ended. */
  async join() {
    let all = null;
    if (this.id) {
      try {
        all = await this.get(`/api/sessions/${this.id}`);
      } catch (error) {
        if (!(error instanceof ServerError) || error.code !== "no-session") throw error;
      }
    }
    const isNew = !all;
    if (!all) {
      this.id = (await this.send("/api/sessions", {})).session;
      localStorage.setItem("rukh.session", this.id);
      all = await this.get(`/api/sessions/${this.id}`);
    }
    for (const topic of TOPICS) if (all[topic]) this.snapshots[topic] = all[topic];
    if (isNew) this.dispatchEvent(new Event("new-session"));
    for (const topic of TOPICS) this.publish(topic, this.snapshots[topic]);
  }

  /** The token of a restarted server stands in its page. */
  async renewToken() {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" }).catch(() => {
      throw new Lost();
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("meta[name=rukh-token]")?.getAttribute("content");
    if (answer.ok && token) this.token = token;
  }

  openStream() {
    if (this.state !== "connected" || document.hidden || this.stream.isOpen) return;
    this.stream.open(this.id, this.address("events"));
  }

  /** The server is gone: says so and tries again until it is back. */
  lose() {
    this.stream.close();
    if (this.isEnding) return;
    this.setState("lost");
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.connect(), 1000);
  }

  /** @param {"starting"|"connected"|"lost"} state */
  setState(state) {
    if (state === this.state && !this.problem) return;
    if (state === "connected") this.problem = "";
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  /** @param {Topic} topic @param {any} snapshot */
  publish(topic, snapshot) {
    if (!snapshot) return;
    this.snapshots[topic] = snapshot;
    this.dispatchEvent(new CustomEvent(topic, { detail: snapshot }));
  }

  /**
   * Calls `work` with each snapshot of a topic, and at once with the last one.
   * @param {Topic} topic
   * @param {(snapshot: any) => void} work
   */
  on(topic, work) {
    this.addEventListener(topic, (event) => work(/** @type {CustomEvent} */ (event).detail));
    if (this.snapshots[topic]) work(this.snapshots[topic]);
  }

  /**
   * A command of the session; its answer is the changed snapshot.
   * @param {string} command
   * @param {any} body
   * @param {Topic} [topic]
   */
  async command(command, body, topic) {
    try {
      const answer = await this.send(`/api/sessions/${this.id}/${command}`, body);
      if (topic) this.publish(topic, answer);
      return answer;
    } catch (error) {
      if (error instanceof Lost || (error instanceof ServerError && ["no-session", "bad-token"].includes(error.code)))
        this.lose();
      throw error;
    }
  }

  /** @param {string} path below the session */
  read(path) {
    return this.get(`/api/sessions/${this.id}/${path}`);
  }

  /** The address of a download. @param {string} path below the session */
  address(path) {
    return `/api/sessions/${this.id}/${path}?token=${encodeURIComponent(this.token)}`;
  }

  /** @param {string} path */
  get(path) {
    return this.request(path, {});
  }

  /** @param {string} path @param {any} body */
  send(path, body) {
    return this.request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  }

  /** @param {string} path @param {RequestInit} init @returns {Promise<any>} */
  async request(path, init) {
    const headers = { ...init.headers, "X-Rukh-Token": this.token };
    const answer = await fetch(path, { ...init, headers, cache: "no-store" }).catch(() => {
      throw new Lost();
    });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new ServerError(answer.status, body);
    return body;
  }
}

export const session = new Session();

/** @type {Map<string, any>} positions that the server has described, by request */
const known = new Map();

/**
 * The rules' description of a position: legal moves, check, ending, opening, tablebase.
 * @param {{fen?: string, moves?: string[], chess960?: number}} position
 */
export async function describe(position) {
  const key = JSON.stringify(position);
  const found = known.get(key);
  if (found) return found;
  const answer = await session.send("/api/position", position);
  if (known.size > 500) known.delete(/** @type {string} */ (known.keys().next().value));
  known.set(key, answer);
  return answer;
}
