/** The study: the game tree on the board, the current node, and how both are saved, shared between tabs and found again. */

import { toast } from "./dom.js";
import { GameTree } from "./game.js";
import { Lost, ServerError, describe, session } from "./session.js";
import { START } from "./squares.js";

const SAVE_AFTER_MS = 250;

class Study extends EventTarget {
  constructor() {
    super();
    this.tree = new GameTree();
    this.node = this.tree.root;
    this.isFlipped = false;
    this.revision = -1;
    this.isDirty = false;
    /** Whether the server has not yet answered a change of this tab; its snapshot may come before the answer. */
    this.isSaving = false;
    this.timer = 0;
    /** @type {any} the game that the last load replaced */
    this.before = null;
  }

  /** Finds the game again: that of the session, or of this browser if the session is new. */
  start() {
    session.addEventListener("new-session", () => this.restore());
    session.on("game", (snapshot) => this.receive(snapshot));
    session.addEventListener("state", () => {
      if (session.state === "connected" && this.isDirty) this.save();
    });
    window.addEventListener("pagehide", () => {
      this.remember();
      this.keepUnsaved();
    });
  }

  /** A page that goes before its change is saved leaves it to the next one. */
  keepUnsaved() {
    if (!this.isDirty && !this.isSaving) return;
    const unsaved = { session: session.id, revision: this.revision, game: this.tree.toGame() };
    localStorage.setItem("rukh.unsaved", JSON.stringify(unsaved));
  }

  /** Takes over what the last page could not save, if nobody has changed the game since. @param {any} snapshot */
  takeUnsaved(snapshot) {
    const unsaved = JSON.parse(localStorage.getItem("rukh.unsaved") ?? "null");
    localStorage.removeItem("rukh.unsaved");
    if (unsaved?.session !== session.id || unsaved.revision !== snapshot.revision) return false;
    this.adopt(unsaved.game);
    this.changed();
    return true;
  }

  /** A new session has an empty game; the copy of this browser goes to the server. */
  restore() {
    const copy = JSON.parse(localStorage.getItem("rukh.game") ?? "null");
    const mine = this.revision >= 0 ? this.tree.toGame() : copy;
    if (!mine) return;
    this.revision = session.snapshots.game.revision;
    this.adopt(mine);
    this.isDirty = true;
    this.save();
  }

  /** A snapshot from the server: the first one, or the change of another tab. @param {any} snapshot */
  receive(snapshot) {
    if (snapshot.revision <= this.revision || this.isDirty || this.isSaving) return;
    const isFirst = this.revision < 0;
    this.revision = snapshot.revision;
    if (!isFirst || !this.takeUnsaved(snapshot)) this.adopt(snapshot.game);
  }

  /** Replaces the tree and keeps the place in it. @param {any} game */
  adopt(game) {
    const view = JSON.parse(localStorage.getItem("rukh.view") ?? "{}");
    const isFirst = this.tree.isEmpty() && this.node === this.tree.root;
    const path = isFirst ? (view.path ?? []) : this.node.path();
    if (isFirst) this.isFlipped = !!view.flipped;
    this.tree = new GameTree(game);
    this.node = this.tree.at(path);
    this.dispatchEvent(new Event("tree"));
    this.dispatchEvent(new Event("node"));
  }

  /** @param {import("./game.js").Node} node */
  go(node) {
    if (node === this.node) return;
    this.node = node;
    this.remember();
    this.dispatchEvent(new Event("node"));
  }

  /** Plays a move at the current node. @param {{uci: string, san: string, fen: string}} move */
  play(move) {
    const count = this.node.children.length,
      next = this.tree.play(this.node, move);
    if (next.parent && next.parent.children.length > count) this.changed();
    this.go(next);
  }

  /** Adds a line below the current node without leaving it. @param {{uci: string, san: string, fen: string}[]} moves */
  addLine(moves) {
    let node = this.node;
    for (const move of moves) node = this.tree.play(node, move);
    this.changed();
  }

  /**
   * Changes the tree by `work`, which may return the node to show.
   * @param {(tree: GameTree) => import("./game.js").Node|void} work
   */
  edit(work) {
    const node = work(this.tree);
    this.changed();
    if (node) this.go(node);
  }

  changed() {
    this.isDirty = true;
    this.dispatchEvent(new Event("tree"));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  /** Replaces the game; the one before can be called back. @param {any} game @param {number[]} [path] */
  load(game, path = []) {
    this.before = this.tree.isEmpty() ? null : this.tree.toGame();
    this.tree = new GameTree(game);
    this.node = this.tree.at(path);
    this.changed();
    this.remember();
    this.dispatchEvent(new Event("node"));
    this.dispatchEvent(new Event("loaded"));
  }

  /** Calls back the game that the last load replaced. */
  undoLoad() {
    if (this.before) this.load(this.before);
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.remember();
    this.dispatchEvent(new Event("flip"));
  }

  remember() {
    localStorage.setItem("rukh.view", JSON.stringify({ path: this.node.path(), flipped: this.isFlipped }));
  }

  /** Sends the game. A change of another tab in between is joined with ours. */
  async save() {
    const game = this.tree.toGame();
    localStorage.setItem("rukh.game", JSON.stringify(game));
    if (session.state !== "connected") return;
    const body = { revision: this.revision, game, view: { path: this.node.path(), flipped: this.isFlipped } };
    this.isDirty = false;
    this.isSaving = true;
    try {
      const snapshot = await session.command("game", body);
      this.revision = Math.max(this.revision, snapshot.revision);
      this.isSaving = false;
      this.receive(session.snapshots.game);
    } catch (error) {
      this.isSaving = false;
      this.isDirty = true;
      if (error instanceof Lost) return;
      if (!(error instanceof ServerError)) throw error;
      if (error.code === "conflict" && error.snapshot) this.join(error.snapshot);
      else toast(error.message, "fault");
    }
  }

  /** Joins our tree with a newer one of the server. @param {any} snapshot */
  join(snapshot) {
    this.revision = snapshot.revision;
    const other = new GameTree(snapshot.game);
    if (other.start === this.tree.start) unite(this.tree.root, other.root);
    this.changed();
  }

  /** Makes sure that the place of a link is on the board. @param {{fen?: string, moves: string[]}} link */
  async follow({ fen = START, moves }) {
    const shown = this.node
      .line()
      .map(({ uci }) => uci)
      .join();
    if (fen === this.tree.start && moves.join() === shown) return;
    const position = await describe({ fen, moves });
    const start = position.path.length ? fen : position.fen;
    if (start !== this.tree.start && fen !== this.tree.start) this.load({ start: fen === "startpos" ? START : fen });
    const count = this.tree.root.children.length;
    let node = this.tree.root;
    for (const move of position.path) node = this.tree.play(node, move);
    if (count !== this.tree.root.children.length || moves.length) this.changed();
    this.go(node);
  }
}

/** Adds what only `other` has. @param {import("./game.js").Node} node @param {import("./game.js").Node} other */
function unite(node, other) {
  if (!node.comment) node.comment = other.comment;
  if (!node.nags.length) node.nags = other.nags;
  for (const theirs of other.children) {
    const ours = node.children.find(({ uci }) => uci === theirs.uci);
    if (ours) unite(ours, theirs);
    else {
      theirs.parent = node;
      node.children.push(theirs);
    }
  }
}

export const study = new Study();
