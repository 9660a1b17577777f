/** "Try again": the position before a mistake, and whether the person's move is better. */

import { announce, button, el } from "./dom.js";
import { expected } from "./score.js";
import { describe, session } from "./session.js";

const GOOD_LOSS = 0.05,
  THINK_MS = 700;

export class Retry {
  /** @param {import("./board.js").Board} board @param {() => void} onend */
  constructor(board, onend) {
    this.board = board;
    this.onend = onend;
    this.isOn = false;
    /** @type {any} */ this.mistake = null;
    /** @type {import("./board-input.js").BoardInput|null} */ this.input = null;
    this.text = el("p", { class: "grow", role: "status" });
    this.element = el(
      "div",
      { class: "panel pad row retry", hidden: true },
      this.text,
      button("Again", () => this.start(this.mistake), { class: "small" }),
      button("Show the best move", () => this.reveal(), { class: "small" }),
      button("Close", () => this.end(), { class: "small" }),
    );
  }

  /** @param {any} mistake a reviewed move */
  async start(mistake) {
    this.isOn = true;
    this.mistake = mistake;
    this.element.hidden = false;
    this.board.show(mistake.fen);
    this.board.setArrows([]);
    this.say(`${mistake.side === "white" ? "White" : "Black"} played ${mistake.move}. Find a better move.`, "");
    const position = await describe({ fen: mistake.fen });
    if (this.isOn && this.mistake === mistake) this.input?.setLegal(position.legal);
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {any} move the move of the person */
  async answer(move) {
    const { mistake } = this;
    this.board.show(move.fen, { last: [move.uci.slice(0, 2), move.uci.slice(2, 4)] });
    this.input?.setLegal([]);
    if (move.uci === mistake.best?.[0]?.uci) {
      this.say(`${move.san} is the best move.`, "good");
      return;
    }
    if (move.uci === mistake.uci) {
      this.say(`${move.san} is the move of the game.`, "bad");
      return;
    }
    this.say(`${move.san}: the engine looks at it.`, "");
    const after = await this.evaluated(mistake.fen, move.uci);
    if (this.mistake !== mistake || !this.isOn) return;
    const own = mistake.side === "white" ? after : 1 - after,
      loss = mistake.expected_before - own;
    if (loss <= GOOD_LOSS) this.say(`${move.san} is good too.`, "good");
    else
      this.say(
        `${move.san} loses ${(100 * loss).toFixed(0)}% of the expected score; ${mistake.move} lost ${(100 * mistake.loss).toFixed(0)}%.`,
        loss < mistake.loss ? "" : "bad",
      );
  }

  /** White's expected score after a move. @param {string} fen @param {string} move @returns {Promise<number>} */
  async evaluated(fen, move) {
    const started = await session.command(
      "analysis",
      { fen, search_moves: [move], limits: { movetime_ms: THINK_MS } },
      "analysis",
    );
    return new Promise((resolve) => {
      const watch = () => {
        const found = session.snapshots.analysis;
        if (found.search < started.search || (found.search === started.search && found.state === "running")) return;
        session.removeEventListener("analysis", watch);
        resolve(found.lines?.[0]?.wdl ? expected(found.lines[0].wdl) : 0.5);
      };
      session.addEventListener("analysis", watch);
      watch();
    });
  }

  reveal() {
    const best = this.mistake?.best?.[0];
    if (!best) return;
    this.board.show(this.mistake.fen);
    this.board.setArrows([{ from: best.uci.slice(0, 2), to: best.uci.slice(2, 4), kind: "user", label: best.san }]);
    this.say(`Best was ${this.mistake.best_line}.`, "");
  }

  /** @param {string} text @param {string} kind */
  say(text, kind) {
    this.text.textContent = text;
    this.element.className = `panel pad row retry ${kind}`;
    announce(text);
  }

  end() {
    if (!this.isOn) return;
    this.isOn = false;
    this.element.hidden = true;
    this.onend();
  }
}
