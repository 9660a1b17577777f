/** The search view: records a search node by node and shows why each node has its score. */

import { Board } from "./board.js";
import { button, el, labelled, select, toast } from "./dom.js";
import { Flame } from "./flame.js";
import { mctsPanel } from "./mcts-panel.js";
import { sentence, readable, skippedByReason, storyOf } from "./reasons.js";
import { scoreText, whole } from "./score.js";
import { SearchTree } from "./search-tree.js";
import { ServerError, session } from "./session.js";
import { TreeRecord } from "./tree-record.js";
import { totalsPanel } from "./totals.js";
import { study } from "./study.js";

const TABS = /** @type {[string, string][]} */ ([
  ["tree", "Tree"],
  ["flame", "Flame graph"],
  ["totals", "Totals"],
  ["mcts", "Monte Carlo"],
]);

export function create() {
  const view = new SearchView();
  return { element: view.element, show: () => view.show(), hide: () => view.mcts.hide() };
}

class SearchView {
  constructor() {
    this.record = new TreeRecord();
    this.board = new Board({ label: "Position of the node" });
    this.tree = new SearchTree({ fetchNode: (at) => this.record.node(at), onselect: (node, line) => this.select(node, line) });
    this.flame = new Flame({ fetchFlame: (at, plies) => this.record.flame(at, plies), onselect: (at) => this.tree.reveal(at) });
    this.mcts = mctsPanel(this.board);
    this.story = el("div", { class: "story", "aria-live": "polite" });
    this.summary = el("div", { class: "grow number" });
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: 0,
      value: "0",
      "aria-label": "Iteration",
      oninput: () => this.showRoot(Number(this.slider.value)),
    });
    this.iterationText = el("output", { class: "number" });
    this.totals = el("div");
    this.tab = localStorage.getItem("rukh.search.tab") ?? "tree";
    this.tabs = el(
      "div",
      { class: "tabs", role: "tablist" },
      ...TABS.map(([name, text]) =>
        button(text, () => this.setTab(name), { role: "tab", id: `tab-${name}`, dataset: { tab: name } }),
      ),
    );
    this.body = el("div", { class: "search-body", role: "tabpanel" });
    this.sliderRow = el(
      "div",
      { class: "row slider-row" },
      el("span", { class: "faint", text: "Iteration" }),
      this.slider,
      this.iterationText,
    );
    this.element = el(
      "div",
      { class: "search-view" },
      el(
        "section",
        { class: "panel pad stack", "aria-label": "Recording" },
        this.controls(),
        el("div", { class: "row" }, this.place, this.summary),
      ),
      el(
        "div",
        { class: "search-sides" },
        el(
          "section",
          { class: "panel pad stack search-main", "aria-label": "Search" },
          el("div", { class: "row spread" }, this.tabs, this.sliderRow),
          this.body,
        ),
        el("aside", { class: "panel pad stack search-aside", "aria-label": "Node" }, this.board.element, this.story),
      ),
    );
    session.on("tree", (snapshot) => this.receive(snapshot));
    study.addEventListener("node", () => this.showPlace());
    study.addEventListener("flip", () => this.board.flip(study.isFlipped));
    this.record.addEventListener("loaded", () => this.showLoaded());
    this.setTab(this.tab);
    this.showPlace();
  }

  show() {
    this.mcts.show();
    if (!this.record.data && session.snapshots.tree?.state === "done") this.receive(session.snapshots.tree);
  }

  /** The row of settings. */
  controls() {
    const kept = this.record.options,
      number = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ most) =>
        labelled(
          label,
          el("input", {
            type: "number",
            min: 0,
            max: most,
            value: kept[name] ?? "",
            onchange: (/** @type {any} */ event) => {
              kept[name] = Number(event.target.value) || null;
              this.record.keep();
            },
          }),
        );
    const line = el("input", {
      placeholder: "such as dxc5 Bxc5 h4",
      "aria-label": "Record below these moves",
      spellcheck: "false",
      autocomplete: "off",
      value: (kept.path ?? []).join(" "),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") this.start();
      },
    });
    this.line = line;
    this.go = button("Record the search", () => this.start(), { class: "primary" });
    this.stopButton = button("Stop", () => session.command("stop", {}), { hidden: true });
    this.place = el("strong");
    return el(
      "div",
      { class: "row search-controls" },
      number("depth", "Depth", 40),
      number("nodes", "or nodes", 5e6),
      number("max_nodes", "Nodes kept", 50000),
      labelled(
        "Iterations",
        select(
          [
            ["last", "last two"],
            ["all", "all"],
          ],
          kept.iteration,
          (value) => {
            kept.iteration = value;
            this.record.keep();
          },
        ),
      ),
      labelled("Below", line),
      this.switches(),
      this.go,
      this.stopButton,
    );
  }

  /** The techniques that can be switched. */
  switches() {
    const count = el("span"),
      { options } = this.record;
    const show = () => {
      count.textContent = options.switch.length ? ` (${options.switch.length} switched)` : "";
    };
    const boxes = (session.info?.words?.techniques ?? []).map((/** @type {any} */ { name, sentence: text, is_on: isOn }) =>
      el(
        "label",
        { class: "tick", title: text },
        el("input", {
          type: "checkbox",
          checked: isOn !== options.switch.includes(name),
          onchange: (/** @type {any} */ event) => {
            options.switch = options.switch.filter((other) => other !== name).concat(event.target.checked === isOn ? [] : [name]);
            this.record.keep();
            show();
          },
        }),
        ` ${readable(name)}`,
      ),
    );
    show();
    return el(
      "details",
      { class: "switches" },
      el("summary", {}, "Techniques", count),
      el("div", { class: "panel pad switch-list" }, ...boxes),
    );
  }

  showPlace() {
    const { node } = study;
    this.place.textContent = node.parent
      ? `Position after ${node
          .line()
          .slice(-4)
          .map(({ san }) => san)
          .join(" ")}`
      : study.tree.start === node.fen && !study.tree.isEmpty()
        ? "Start of the game"
        : "Start position";
    if (!this.record.data) {
      this.board.flip(study.isFlipped);
      this.board.show(node.fen, { slide: false });
    }
  }

  /** Records the search of the current position of the study. @param {string[]} [path] */
  async start(path) {
    const { options } = this.record;
    options.path =
      path ??
      this.line.value
        .split(/[\s,]+/)
        .map((/** @type {string} */ move) => move.replace(/^\d+\.+/, ""))
        .filter(Boolean);
    this.line.value = options.path.join(" ");
    this.record.keep();
    await this.record.start({ fen: study.tree.start, moves: study.node.line().map(({ uci }) => uci) });
  }

  /** @param {any} snapshot */
  async receive(snapshot) {
    const isRunning = snapshot.state === "running" || snapshot.measured;
    this.go.disabled = isRunning;
    this.stopButton.hidden = snapshot.state !== "running";
    this.element.setAttribute("aria-busy", String(!!isRunning));
    this.summary.textContent = summaryOf(snapshot, this.record.request?.path ?? []);
    this.summary.classList.toggle("fault", snapshot.state === "failed");
    if (!["done", "stopped"].includes(snapshot.state)) return;
    try {
      await this.record.load(snapshot);
      this.drawTotals();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (error.code !== "not-found") toast(error.message, "fault");
    }
  }

  showLoaded() {
    const { roots } = this.record.data;
    this.slider.max = String(Math.max(0, roots.length - 1));
    this.slider.value = this.slider.max;
    this.sliderRow.classList.toggle("single", roots.length < 2);
    this.board.flip(study.isFlipped);
    if (roots.length) this.showRoot(roots.length - 1);
    else this.story.replaceChildren(el("p", { class: "faint", text: "The search did not visit this position." }));
  }

  /** @param {number} index */
  showRoot(index) {
    const root = this.record.data?.roots[index];
    if (!root) return;
    this.iterationText.textContent = `${root.iteration}${this.record.data.roots.length > 1 ? ` (${index + 1} of ${this.record.data.roots.length})` : ""}, ${whole(root.nodes)} nodes`;
    this.flame.setRoot(root.at, root.san);
    this.openRoot(root);
  }

  /** Opens a root and, where a line was asked for, what became of it. @param {any} root */
  async openRoot(root) {
    await this.tree.setRoot(root);
    const path = session.snapshots.tree?.path ?? [];
    const found = path.length ? await this.tree.follow(path) : null;
    if (found?.missing) this.story.prepend(el("p", { class: "answer", text: absence(found.missing, found.node) }));
  }

  drawTotals() {
    const snapshot = session.snapshots.tree;
    if (!this.record.data || this.record.data.tree !== snapshot?.tree) return;
    this.totals.replaceChildren(
      totalsPanel(this.record.data.totals, {
        savings: snapshot.savings ?? {},
        measured: snapshot.measured,
        measure: () => this.record.measure(),
        stop: () => session.command("stop", {}),
      }),
    );
  }

  /** @param {string} name */
  setTab(name) {
    this.tab = name;
    localStorage.setItem("rukh.search.tab", name);
    const pages = /** @type {Record<string, HTMLElement>} */ ({
      tree: this.tree.element,
      flame: this.flame.element,
      totals: this.totals,
      mcts: this.mcts.element,
    });
    for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    this.body.setAttribute("aria-labelledby", `tab-${name}`);
    this.body.replaceChildren(pages[name] ?? pages.tree);
    this.sliderRow.hidden = name === "totals" || name === "mcts";
    this.story.hidden = name === "mcts";
  }

  /** Shows a node: its position, its story, and what can be done with it. @param {any} node @param {any[]} line */
  select(node, line) {
    const before = line[line.length - 2],
      last = node.move && before ? [node.move.slice(0, 2), node.move.slice(2, 4)] : [];
    this.board.show(node.fen, { last, slide: false });
    this.board.setArrows(
      node.best && node.best !== "0000"
        ? [{ from: node.best.slice(0, 2), to: node.best.slice(2, 4), kind: "line", rank: 2 }]
        : [],
    );
    const moves = line.slice(1),
      isReal = moves.every((one) => one.move);
    const path = moves.map((one) => one.san);
    const skipped = skippedByReason(node);
    this.story.replaceChildren(
      el("h3", { text: moves.length ? moves.map((one) => one.san).join(" ") : node.san }),
      el("ol", { class: "story-list" }, ...storyOf(node).map((text) => el("li", { text }))),
      ...(skipped.length
        ? [
            el("h3", { text: "Not searched here" }),
            el(
              "dl",
              { class: "skipped" },
              ...skipped.flatMap(([reason, sans]) => [
                el("dt", { text: `${readable(reason)} (${sans.length})`, title: sentence("techniques", reason) }),
                el("dd", { text: sans.join(" ") }),
              ]),
            ),
          ]
        : []),
      el(
        "div",
        { class: "row" },
        button("Record below this node", () => this.start(path), {
          class: "small",
          disabled: !isReal || !path.length,
          title: isReal
            ? "Repeat the search and keep the nodes below this one"
            : "A null move or a search in the same position is on the way",
        }),
        button(
          "Analyse this position",
          () => {
            study.load({ start: node.fen });
            location.hash = "#/analysis";
          },
          { class: "small" },
        ),
      ),
    );
  }
}

/** Why a move of the line was not searched at a node. @param {string} move @param {any} node */
function absence(move, node) {
  const bare = (/** @type {string} */ text) => text.replace(/[+#!?]/g, "");
  const skipped = node.skipped?.find((/** @type {any} */ one) => one.move === move || bare(one.san) === bare(move));
  if (skipped) return `${move} was not searched here: skipped by ${readable(skipped.reason)}.`;
  return `${move} was not searched here: the node was decided by ${readable(node.reason)} before it.`;
}

/** @param {any} snapshot @param {string[]} asked the line as it was asked for, in the words of the person */
function summaryOf(snapshot, asked) {
  const path = asked.length === snapshot.path?.length ? asked : (snapshot.path ?? []);
  if (snapshot.state === "none")
    return "Nothing is recorded. The search runs on one thread with an empty transposition table: the same settings give the same tree.";
  if (snapshot.state === "running") return `Recording${snapshot.depth ? ` to depth ${snapshot.depth}` : ""} \u2026`;
  if (snapshot.state === "failed") return snapshot.message ?? "The recording failed.";
  const below = path.length ? `, below ${path.join(" ")}` : "";
  const switched = snapshot.switched?.length ? `, switched: ${snapshot.switched.map(readable).join(", ")}` : "";
  return `${snapshot.state === "stopped" ? "Stopped: " : ""}${whole(snapshot.nodes)} nodes, ${whole(snapshot.recorded)} kept${below}${switched}; best ${snapshot.best?.san ?? "none"} ${scoreText(snapshot.score)}, ${whole(snapshot.time_ms)} ms`;
}
