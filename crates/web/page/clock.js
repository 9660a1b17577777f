/** A chess clock that counts down between two snapshots. */

import { el } from "./dom.js";
import { clockText } from "./score.js";

export class Clock {
  /** @param {"white"|"black"} color */
  constructor(color) {
    this.color = color;
    this.name = el("span", { class: "clock-name" });
    this.time = el("span", {
      class: "clock-time number",
      role: "timer",
      "aria-label": `Clock of ${color === "white" ? "White" : "Black"}`,
    });
    this.element = el("div", { class: "clock" }, this.name, this.time);
    this.left = 0;
    this.since = 0;
    this.isRunning = false;
    this.timer = 0;
  }

  /** @param {string} name @param {{white_ms: number, black_ms: number, running: string|null}|null} clock */
  set(name, clock) {
    this.name.textContent = name;
    this.time.hidden = !clock;
    clearInterval(this.timer);
    if (!clock) return;
    this.left = this.color === "white" ? clock.white_ms : clock.black_ms;
    this.since = performance.now();
    this.isRunning = clock.running === this.color;
    this.element.classList.toggle("running", this.isRunning);
    this.draw();
    if (this.isRunning) this.timer = window.setInterval(() => this.draw(), 100);
  }

  draw() {
    const left = this.left - (this.isRunning ? performance.now() - this.since : 0);
    this.time.textContent = clockText(left);
    this.element.classList.toggle("short", this.isRunning && left < 20000);
  }
}
