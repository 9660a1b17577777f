/** Monte Carlo tree search of the current position: its controls, its progress and its tree. */

import { button, el, labelled, select, throttled } from "./dom.js";
import { MctsTree } from "./mcts-tree.js";
import { whole } from "./score.js";
import { session } from "./session.js";
import { study } from "./study.js";

const REDRAW_MS = 500;

/** @param {import("./board.js").Board} board */
export function mctsPanel(board) {
  const nodes = el("input", { type: "number", min: 1, max: 5000000, value: "2000" });
  const kind = select(
    [
      ["mcts", "MCTS (PUCT, network)"],
      ["uct", "UCT (random playouts)"],
    ],
    "mcts",
    () => {},
  );
  const start = button("Search", run, { class: "primary" });
  const stop = button("Stop", () => session.command("stop", {}), { hidden: true });
  const status = el("span", { class: "faint number", role: "status" });
  const tree = new MctsTree({
    onroot: (node) => showRoot(board, node),
    onselect: (move) => {
      board.setArrows([]);
      board.show(move.fen, { last: [move.uci.slice(0, 2), move.uci.slice(2, 4)], slide: false });
    },
  });
  const draw = throttled(REDRAW_MS, (number) => tree.show(number));
  let search = -1,
    isShown = false,
    /** The search of the settings before, which comes back at the end. */
    before = "";

  async function run() {
    before ||= session.snapshots.settings?.search ?? "alphabeta";
    await session.command("settings", { search: kind.value }, "settings");
    const snapshot = await session.command("analysis", {
      fen: study.tree.start,
      moves: study.node.line().map(({ uci }) => uci),
      limits: { nodes: Math.max(1, Number(nodes.value) || 2000) },
    });
    search = snapshot.search;
    show(snapshot);
  }

  /** @param {any} snapshot */
  function show(snapshot) {
    if (snapshot.search !== search) return;
    const isRunning = snapshot.state === "running";
    stop.hidden = !isRunning;
    status.textContent =
      snapshot.message ?? `${snapshot.state}: ${whole(snapshot.nodes)} nodes, ${whole(snapshot.nps)} nodes per second`;
    if (snapshot.nodes) draw(search);
    if (!isRunning && before) {
      const name = before;
      before = "";
      session.command("settings", { search: name }, "settings");
    }
  }

  session.on("analysis", (snapshot) => {
    if (isShown) show(snapshot);
  });
  const element = el(
    "div",
    { class: "stack" },
    el("div", { class: "row" }, labelled("Nodes", nodes), labelled("Search", kind), start, stop, status),
    el("p", {
      class: "faint small-text",
      text: "Visits, the prior of the policy, the mean value (\u22121 to 1) for the side that moves, and proved bounds. A row opens to the replies; their visits sum to those of the row less one, which evaluated it.",
    }),
    el("div", { class: "mcts-scroll" }, tree.element),
  );
  return {
    element,
    show() {
      isShown = true;
    },
    hide() {
      isShown = false;
    },
  };
}

/** The root on the board, with arrows for the most visited moves. @param {import("./board.js").Board} board @param {any} node */
function showRoot(board, node) {
  const moves = node.moves.filter((/** @type {any} */ { visits }) => visits);
  board.flip(study.isFlipped);
  board.show(node.fen, { slide: false });
  board.setArrows(
    moves.slice(0, 4).map((/** @type {any} */ { uci, visits }, /** @type {number} */ at) => ({
      from: uci.slice(0, 2),
      to: uci.slice(2, 4),
      kind: "engine",
      rank: at + 1,
      label: `${Math.round((100 * visits) / Math.max(1, node.visits - 1))}%`,
    })),
  );
}
