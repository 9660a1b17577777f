/** The analysis view: board, engine, moves, graph, files. */

import { annotateBar } from "./annotate.js";
import { button, el, throttled, toast } from "./dom.js";
import { engine } from "./engine.js";
import { acceptDrops, filesPanel, linkOf, permalink, pgnText } from "./files.js";
import { Graph } from "./graph.js";
import { linesPanel } from "./lines-panel.js";
import { MoveTree } from "./move-tree.js";
import { numberBefore } from "./score.js";
import { session } from "./session.js";
import { openSetup } from "./setup.js";
import { StudyBoard, go } from "./study-board.js";
import { study } from "./study.js";

export function create() {
  engine.start();
  const board = new StudyBoard(),
    moves = new MoveTree(),
    graph = gamePanel();
  const facts = factsLine(board);
  const element = el(
    "div",
    { class: "analysis" },
    el("section", { class: "board-column stack", "aria-label": "Board" }, board.element, graph.element),
    el(
      "div",
      { class: "side-column stack" },
      linesPanel(board),
      el("section", { class: "panel moves-panel", "aria-label": "Game" }, facts, moves.element, annotateBar(moves)),
      filesPanel(openSetup),
    ),
  );
  acceptDrops(element);
  let isShown = false;
  const keys = shortcuts(board, moves);
  document.addEventListener("keydown", (event) => {
    if (isShown) keys(event);
  });
  const writeAddress = () => {
    if (isShown) history.replaceState(null, "", `#/analysis${permalink()}`);
  };
  study.addEventListener("node", writeAddress);
  return {
    element,
    /** @param {URLSearchParams} query */
    async show(query) {
      const isFirst = !isShown;
      isShown = true;
      engine.watch("analysis", true);
      const link = linkOf(query);
      if (link) await study.follow(link).catch((error) => toast(`The link does not work: ${error.message}`, "fault"));
      else if (isFirst) writeAddress();
    },
    hide() {
      isShown = false;
      engine.watch("analysis", false);
    },
  };
}

/** Opening, tablebase, ending. @param {StudyBoard} board */
function factsLine(board) {
  const players = el("strong", {}),
    opening = el("span", { class: "faint" }),
    verdict = el("span", { class: "verdict" });
  let lastOpening = "";
  board.addEventListener("position", () => {
    const { position } = board;
    if (position.opening) lastOpening = `${position.opening.code} ${position.opening.name}`;
    else if (!study.node.parent) lastOpening = "";
    opening.textContent = lastOpening;
    const { tablebase, ending } = position;
    verdict.textContent =
      ending?.text ?? (tablebase ? `Tablebase: ${tablebase.text}${tablebase.dtz ? `, DTZ ${Math.abs(tablebase.dtz)}` : ""}` : "");
  });
  const show = () => {
    const [white, black] = [study.tree.tag("White"), study.tree.tag("Black")];
    players.textContent = (white && white !== "?") || (black && black !== "?") ? `${white} \u2013 ${black}` : "";
  };
  study.addEventListener("tree", show);
  show();
  return el("div", { class: "facts" }, players, opening, verdict);
}

/** The graph of the main line and the button that evaluates every position of it. */
function gamePanel() {
  const graph = new Graph((ply) => study.go(study.tree.mainLine()[ply] ?? study.node));
  const evaluate = button("Evaluate the game", evaluateGame, { class: "small" });
  const progress = el("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress" });
  /** @type {Map<string, string>} judgement by FEN after the move */
  const judged = new Map();
  const draw = throttled(120, () => {
    const line = study.tree.mainLine();
    graph.set(
      line.map((node, at) => ({
        expected: engine.evaluations.get(node.fen)?.expected ?? null,
        judgement: judged.get(node.fen) ?? null,
        label: at ? `${numberBefore(line[at - 1].fen, true)} ${node.san}` : "Start",
      })),
    );
    const main = study.node.line().filter((node) => node.isMain()).length;
    graph.setPly(main);
    element.hidden = line.length < 2;
  });
  const element = el(
    "section",
    { class: "panel graph-panel", "aria-label": "Evaluation graph", hidden: true },
    graph.element,
    el(
      "div",
      { class: "row spread" },
      el("span", { class: "faint small-text", text: "White's expected score" }),
      progress,
      evaluate,
    ),
  );
  for (const name of ["tree", "node"]) study.addEventListener(name, draw);
  engine.addEventListener("lines", draw);
  session.on("review", async (snapshot) => {
    const isMine = localStorage.getItem("rukh.evaluated") === String(snapshot.review);
    progress.hidden = evaluate.disabled = !(isMine && snapshot.state === "running");
    evaluate.disabled = snapshot.state === "running";
    if (snapshot.positions) progress.value = snapshot.position / snapshot.positions;
    if (!isMine || snapshot.state !== "done") return;
    for (const game of (await session.read("review")).games) takeReview(game, judged);
    draw();
  });
  draw();
  return { element };
}

async function evaluateGame() {
  const snapshot = await session.command("review", { pgn: await pgnText(), movetime_ms: 100 });
  localStorage.setItem("rukh.evaluated", String(snapshot.review));
  session.publish("review", snapshot);
}

/** @param {any} game a reviewed game @param {Map<string, string>} judged */
function takeReview(game, judged) {
  engine.note(game.start, { expected: game.expected[0], depth: 1, text: "" });
  game.moves.forEach((/** @type {any} */ move, /** @type {number} */ at) => {
    engine.note(move.fen_after, { expected: game.expected[at + 1], depth: 1, text: move.eval });
    if (move.judgement) judged.set(move.fen_after, move.judgement);
  });
}

/** @param {StudyBoard} board @param {MoveTree} moves */
function shortcuts(board, moves) {
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: go.back,
    ArrowRight: go.forward,
    Home: go.first,
    End: go.last,
    ArrowUp: () => go.sibling(-1),
    ArrowDown: () => go.sibling(1),
    f: () => study.flip(),
    e: () => engine.toggle(),
    t: () => engine.toggleThreat(),
    v: () => board.toggleValues(),
    c: () => moves.editComment(study.node),
    m: () => board.field.focus(),
  });
  return (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, textarea, select, dialog, .promotion")) return;
    const work = keys[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  };
}
