/** The game tree: moves, variations, comments, marks. Converts from and to the PGN form of the server; knows no rules. */

import { START } from "./squares.js";

let counter = 0;

/** A position of the tree and the move that led to it. */
export class Node {
  /** @param {Node|null} parent @param {{uci: string, san: string, fen: string, nags?: number[], comments?: string[]}} move */
  constructor(parent, { uci, san, fen, nags = [], comments = [] }) {
    counter += 1;
    this.id = counter;
    this.parent = parent;
    this.uci = uci;
    this.san = san;
    this.fen = fen;
    this.nags = [...nags];
    this.comment = comments.join(" ");
    /** @type {Node[]} the first is the main line */
    this.children = [];
  }

  /** The moves from the start. @returns {Node[]} */
  line() {
    return this.parent ? [...this.parent.line(), this] : [];
  }

  /** The indices from the root. @returns {number[]} */
  path() {
    return this.parent ? [...this.parent.path(), this.parent.children.indexOf(this)] : [];
  }

  /** The plies played before this position. @returns {number} */
  ply() {
    return this.parent ? this.parent.ply() + 1 : 0;
  }

  isMain() {
    for (let at = /** @type {Node} */ (this); at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }
}

export class GameTree {
  /** @param {any} [game] in the form of the server */
  constructor(game = {}) {
    /** @type {[string, string][]} */
    this.tags = (game.tags ?? []).map((/** @type {[string, string]} */ tag) => [...tag]);
    this.result = game.result ?? "*";
    this.start = game.start ?? START;
    this.root = new Node(null, { uci: "", san: "", fen: this.start, comments: game.comments });
    attach(this.root, game.moves ?? []);
  }

  /** @param {string} name */
  tag(name) {
    return this.tags.find(([key]) => key === name)?.[1] ?? "";
  }

  /** Sets a tag; an empty value removes it. @param {string} name @param {string} value */
  setTag(name, value) {
    const at = this.tags.findIndex(([key]) => key === name);
    if (at >= 0) this.tags.splice(at, 1, ...(value ? [/** @type {[string, string]} */ ([name, value])] : []));
    else if (value) this.tags.push([name, value]);
  }

  isEmpty() {
    return this.root.children.length === 0 && !this.root.comment && this.start === START;
  }

  /** The node of a path, or the last one that is there. @param {number[]} path */
  at(path) {
    let node = this.root;
    for (const index of path) {
      if (!node.children[index]) break;
      node = node.children[index];
    }
    return node;
  }

  /** Follows or adds a move. @param {Node} node @param {{uci: string, san: string, fen: string}} move */
  play(node, move) {
    const there = node.children.find(({ uci }) => uci === move.uci);
    if (there) return there;
    const child = new Node(node, move);
    node.children.push(child);
    return child;
  }

  /** Removes a move and all below it. @param {Node} node @returns {Node} its parent */
  remove(node) {
    const parent = node.parent;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /**
   * Makes the variation of a node the first one.
   * @param {Node} node
   * @param {boolean} toMain up to the root, not one level only
   */
  promote(node, toMain) {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children,
        index = siblings.indexOf(at);
      if (index === 0) continue;
      siblings.splice(index, 1);
      siblings.splice(toMain ? 0 : index - 1, 0, at);
      if (!toMain) return;
    }
  }

  /** The main line with the start. @returns {Node[]} */
  mainLine() {
    const line = [this.root];
    for (let node = this.root; node.children[0]; node = node.children[0]) line.push(node.children[0]);
    return line;
  }

  /** The form of the server. */
  toGame() {
    return {
      tags: this.tags,
      start: this.start,
      result: this.result,
      comments: this.root.comment ? [this.root.comment] : [],
      moves: movesBelow(this.root),
    };
  }
}

/** Adds the moves of a line in the form of the server. @param {Node} parent @param {any[]} moves */
function attach(parent, moves) {
  let node = parent;
  for (const move of moves) {
    const child = new Node(node, move);
    node.children.push(child);
    for (const variation of move.variations ?? []) {
      const count = node.children.length;
      attach(node, variation.moves ?? []);
      const first = node.children[count],
        before = (variation.comments ?? []).join(" ");
      if (first && before) first.comment = first.comment ? `${before} ${first.comment}` : before;
    }
    node = child;
  }
}

/** The line below a node: the first child with the others as its variations, and so on. @param {Node} start */
function movesBelow(start) {
  const moves = [];
  for (let node = start; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    moves.push({
      ...plain(main),
      variations: others.map((other) => ({ comments: [], moves: [{ ...plain(other), variations: [] }, ...movesBelow(other)] })),
    });
  }
  return moves;
}

/** @param {Node} node */
const plain = ({ uci, san, fen, nags, comment }) => ({ uci, san, fen, nags, comments: comment ? [comment] : [] });

/** The marks of the PGN standard that the page knows: number, sign, meaning. @type {[number, string, string][]} */
export const NAGS = [
  [1, "!", "good move"],
  [2, "?", "mistake"],
  [3, "!!", "brilliant move"],
  [4, "??", "blunder"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
  [7, "\u25A1", "only move"],
  [10, "=", "equal"],
  [13, "\u221E", "unclear"],
  [14, "\u2A72", "White is slightly better"],
  [15, "\u2A71", "Black is slightly better"],
  [16, "\u00B1", "White is better"],
  [17, "\u2213", "Black is better"],
  [18, "+\u2212", "White is winning"],
  [19, "\u2212+", "Black is winning"],
  [22, "\u2A00", "zugzwang"],
  [36, "\u2191", "initiative"],
  [40, "\u2192", "attack"],
  [132, "\u21C6", "counterplay"],
  [138, "\u2295", "time trouble"],
  [146, "N", "novelty"],
];

/** The sign of a mark. @param {number} nag */
export const signOf = (nag) => NAGS.find(([number]) => number === nag)?.[1] ?? `$${nag}`;
