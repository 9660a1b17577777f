/** What the engine found: switch, status, lines with scores, and the position of a line on a small board. */

import { Board } from "./board.js";
import { button, el, toast } from "./dom.js";
import { engine } from "./engine.js";
import { settingsPanel } from "./engine-settings.js";
import { lineNumbers, short } from "./score.js";
import { ServerError, describe } from "./session.js";
import { study } from "./study.js";

/** @param {{hasValues: boolean, toggleValues: () => void}} studyBoard */
export function linesPanel(studyBoard) {
  const power = button("", () => engine.toggle(), { class: "switch", role: "switch", "aria-label": "Engine" });
  const score = el("strong", { class: "big-score number" });
  const status = el("div", { class: "status number faint" });
  const bar = el(
    "div",
    { class: "wdl", role: "img", "aria-label": "No evaluation" },
    ...["white", "draw", "black"].map((side) => el("span", { class: `wdl-${side}` })),
  );
  const list = el("ol", { class: "lines", "aria-label": "Lines of the engine" });
  const threat = button("Threat", () => engine.toggleThreat(), {
    class: "small",
    title: "What the other side threatens (t)",
    "aria-pressed": "false",
  });
  const values = button(
    "Values",
    () => {
      studyBoard.toggleValues();
      press(values, studyBoard.hasValues);
    },
    { class: "small", title: "Evaluation by piece (v)", "aria-pressed": "false" },
  );
  const settings = settingsPanel();
  const gear = button(
    "\u2699\uFE0E",
    () => {
      settings.hidden = !settings.hidden;
      press(gear, !settings.hidden);
    },
    { class: "small", "aria-label": "Engine settings", title: "Engine settings", "aria-pressed": "false" },
  );
  const popup = linePopup();

  const show = () => {
    const found = engine.found,
      first = found?.lines?.[0];
    power.setAttribute("aria-checked", String(engine.isOn));
    press(threat, engine.isThreat);
    score.textContent = first?.text ?? (engine.isOn ? "\u2026" : "");
    score.classList.toggle("losing", !!first && first.text.includes("-"));
    status.textContent = statusText(found);
    showBar(bar, first?.wdl);
    drawLines(list, found, popup);
  };
  engine.addEventListener("lines", show);
  engine.addEventListener("state", show);
  engine.addEventListener("refused", (event) => toast(/** @type {CustomEvent} */ (event).detail, "fault"));
  show();
  return el(
    "section",
    { class: "panel engine", "aria-label": "Engine" },
    el("div", { class: "row engine-head" }, power, score, el("div", { class: "grow" }, status), threat, values, gear),
    bar,
    settings,
    list,
    popup.element,
  );
}

/** @param {Element} element @param {boolean} isPressed */
const press = (element, isPressed) => element.setAttribute("aria-pressed", String(isPressed));

/** @param {any} found */
function statusText(found) {
  if (!engine.isOn) return "Engine off";
  if (!found) return "Starting";
  if (engine.isTaken) return "Another tab uses the engine.";
  if (found.state === "failed") return found.message ?? "The engine failed.";
  const state = found.state === "running" ? "" : ` \u00B7 ${found.state}`;
  const hits = found.tablebase_hits ? ` \u00B7 ${short(found.tablebase_hits)} tb` : "";
  return `depth ${found.depth}/${found.seldepth} \u00B7 ${short(found.nps)} n/s \u00B7 ${short(found.nodes)} nodes${hits}${state}`;
}

/** @param {HTMLElement} bar @param {number[]|undefined} wdl */
function showBar(bar, wdl) {
  const values = wdl ?? [0, 1, 0];
  [...bar.children].forEach((part, at) => {
    /** @type {HTMLElement} */ (part).style.flexGrow = String(values[at]);
    part.textContent = wdl && values[at] >= 90 ? `${Math.round(values[at] / 10)}%` : "";
  });
  bar.classList.toggle("none", !wdl);
  bar.setAttribute(
    "aria-label",
    wdl ? `White wins ${wdl[0] / 10}%, draw ${wdl[1] / 10}%, Black wins ${wdl[2] / 10}%` : "No evaluation",
  );
}

/** @param {HTMLElement} list @param {any} found @param {ReturnType<typeof linePopup>} popup */
function drawLines(list, found, popup) {
  const lines = found?.lines ?? [];
  while (list.children.length > lines.length) list.lastElementChild?.remove();
  lines.forEach((/** @type {any} */ line, /** @type {number} */ at) => {
    const key = `${line.text} ${line.bound} ${line.depth} ${line.pv.map((/** @type {any} */ move) => move.uci).join()}`;
    const there = /** @type {HTMLElement|undefined} */ (list.children[at]);
    if (there?.dataset.key === key) return;
    const item = lineItem(line, found, popup);
    item.dataset.key = key;
    if (there) there.replaceWith(item);
    else list.append(item);
  });
}

/** @param {any} line @param {any} found @param {ReturnType<typeof linePopup>} popup */
function lineItem(line, found, popup) {
  const numbers = lineNumbers(found.fen, line.pv.length),
    ucis = line.pv.map((/** @type {any} */ move) => move.uci);
  const moves = line.pv.flatMap((/** @type {any} */ move, /** @type {number} */ at) => [
    numbers[at] ? el("span", { class: "faint", text: numbers[at] }) : "",
    el("button", {
      type: "button",
      class: "pv",
      tabindex: at ? -1 : 0,
      text: move.san,
      dataset: { at: String(at) },
      onclick: () => !found.is_threat && addLine(found.fen, ucis.slice(0, at + 1)),
      onpointerenter: (/** @type {Event} */ event) => popup.show(event.currentTarget, found.fen, ucis, at),
      onfocus: (/** @type {Event} */ event) => popup.show(event.currentTarget, found.fen, ucis, at),
      onblur: () => popup.hide(),
    }),
    " ",
  ]);
  const sign = line.bound === "lower" ? "\u2265" : line.bound === "upper" ? "\u2264" : "";
  return el(
    "li",
    { class: "line", onpointerleave: () => popup.hide(), onkeydown: walk },
    el("span", { class: `score number ${line.text.includes("-") ? "losing" : "winning"}`, text: sign + line.text }),
    el("div", { class: "line-moves" }, ...moves),
  );
}

/** Arrow keys go from move to move of a line. @param {KeyboardEvent} event */
function walk(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const here = /** @type {HTMLElement} */ (event.target);
  if (!by || !here.classList.contains("pv")) return;
  const all = [...(here.parentElement?.querySelectorAll(".pv") ?? [])];
  /** @type {HTMLElement|undefined} */ (all[all.indexOf(here) + by])?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** Adds a line of the engine to the tree. @param {string} fen @param {string[]} moves */
async function addLine(fen, moves) {
  const { node } = study;
  const position = await describe({ fen, moves });
  if (study.node !== node) return;
  if (moves.length === 1) study.play(position.path[0]);
  else {
    study.addLine(position.path);
    toast("The line is in the moves.");
  }
}

/** A small board beside a move of a line. */
function linePopup() {
  const board = new Board({ label: "Position of the line" });
  const caption = el("div", { class: "faint number" });
  const element = el("div", { class: "popup panel", hidden: true }, board.element, caption);
  let turn = 0;
  return {
    element,
    /** @param {any} anchor @param {string} fen @param {string[]} moves @param {number} at */
    async show(anchor, fen, moves, at) {
      turn += 1;
      const mine = turn;
      try {
        const { path } = await describe({ fen, moves });
        if (mine !== turn || !anchor.isConnected) return;
        const move = path[at];
        board.flip(study.isFlipped);
        board.show(move.fen, { last: [move.uci.slice(0, 2), move.uci.slice(2, 4)] });
        caption.textContent = `${lineNumbers(fen, at + 1)[at] || ""} ${move.san}`.trim();
        element.hidden = false;
        const box = anchor.getBoundingClientRect(),
          size = element.getBoundingClientRect();
        element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - size.width - 8))}px`;
        element.style.top = `${box.bottom + 8 + size.height > innerHeight ? Math.max(8, box.top - size.height - 8) : box.bottom + 8}px`;
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
      }
    },
    hide() {
      turn += 1;
      element.hidden = true;
    },
  };
}
