/** Monte Carlo tree search: the root table with visits, priors and values. */

import { button, el, labelled, select } from "./dom.js";
import { whole } from "./score.js";
import { session } from "./session.js";
import { study } from "./study.js";

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
  const status = el("span", { class: "faint number" });
  const body = el("div", { class: "mcts-table" });
  let search = -1,
    isShown = false;

  async function run() {
    const before = session.snapshots.settings?.search ?? "alphabeta";
    await session.command("settings", { search: kind.value }, "settings");
    try {
      const snapshot = await session.command("analysis", {
        fen: study.tree.start,
        moves: study.node.line().map(({ uci }) => uci),
        limits: { nodes: Math.max(1, Number(nodes.value) || 2000) },
      });
      search = snapshot.search;
      show(snapshot);
    } finally {
      restore = before;
    }
  }
  let restore = "";
  /** @param {any} snapshot */
  function show(snapshot) {
    if (snapshot.search !== search) return;
    status.textContent = `${snapshot.state}: ${whole(snapshot.nodes)} nodes, ${whole(snapshot.nps)} nodes per second`;
    if (snapshot.root?.length) draw(snapshot.root);
    if (snapshot.state !== "running" && restore && restore !== kind.value) {
      const name = restore;
      restore = "";
      session.command("settings", { search: name }, "settings");
    }
  }
  /** @param {any[]} rows */
  function draw(rows) {
    const sorted = [...rows].sort((a, b) => b.visits - a.visits),
      most = sorted[0]?.visits || 1;
    board.flip(study.isFlipped);
    board.show(study.node.fen, { slide: false });
    board.setArrows(
      sorted
        .slice(0, 4)
        .filter(({ visits }) => visits)
        .map(({ uci, visits }, at) => ({
          from: uci.slice(0, 2),
          to: uci.slice(2, 4),
          kind: "engine",
          rank: at + 1,
          label: `${Math.round((100 * visits) / sorted.reduce((sum, row) => sum + row.visits, 0))}%`,
        })),
    );
    body.replaceChildren(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...["Move", "Visits", "Prior", "Value", "Win / draw / loss", "Proved"].map((text) =>
              el("th", { scope: "col", text }),
            ),
          ),
        ),
        el("tbody", {}, ...sorted.map((row) => rowOf(row, most))),
      ),
    );
  }
  session.on("analysis", (snapshot) => {
    if (isShown) show(snapshot);
  });
  const element = el(
    "div",
    { class: "stack" },
    el("div", { class: "row" }, labelled("Nodes", nodes), labelled("Search", kind), start, status),
    el("p", {
      class: "faint small-text",
      text: "The table of the root moves: visits, the prior of the policy, the mean value (\u22121 to 1) for the side to move, and proved bounds.",
    }),
    body,
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

/** @param {any} row @param {number} most */
function rowOf(row, most) {
  const bar = el("span", { class: "reason r-raised-alpha" });
  bar.style.width = `${Math.max(1, (100 * row.visits) / most)}%`;
  const [low, high] = row.bounds ?? [-1, 1];
  const proved = low === high ? (low > 0 ? "win" : low < 0 ? "loss" : "draw") : "";
  const wdl = el(
    "span",
    { class: "wdl" },
    ...["white", "draw", "black"].map((side, at) => {
      const part = el("span", { class: `wdl-${side}` });
      part.style.flexGrow = String(row.wdl?.[at] ?? 1);
      return part;
    }),
  );
  return el(
    "tr",
    {},
    el("th", { scope: "row", text: row.san }),
    el("td", { class: "bar-cell" }, bar, el("span", { text: whole(row.visits) })),
    el("td", { text: row.prior === null || row.prior === undefined ? "" : `${(100 * row.prior).toFixed(1)}%` }),
    el("td", { text: row.value?.toFixed(3) ?? "" }),
    el("td", {}, row.wdl ? wdl : ""),
    el("td", { text: proved }),
  );
}
