/** Elements: building, text, and small helpers. Knows nothing of the rules of chess. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes, properties and listeners. A key that starts with "on" is a listener; `class`, `text` and `dataset`
 * have their own meaning; a value of null, undefined or false is left out. No style attribute is ever written.
 * @param {Element} element @param {Record<string, any>} attributes
 */
function dress(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else if (key === "dataset") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
    else if (key === "value") /** @type {HTMLInputElement} */ (element).value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/**
 * A new HTML element.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...(Node|string|null|undefined|false)} children
 * @returns {any}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  dress(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * A new SVG element.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...(Node|string)} children
 * @returns {any}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  dress(element, attributes);
  element.append(...children);
  return element;
}

/**
 * A button with a visible text or symbol and a name for screen readers.
 * @param {string} text @param {() => void} onclick @param {Record<string, any>} [attributes]
 */
export const button = (text, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, text);

/**
 * A labelled control in one line.
 * @param {string} label @param {Element} control
 */
export const labelled = (label, control) => el("label", { class: "field" }, el("span", { text: label }), control);

/**
 * A drop-down list.
 * @param {Array<[string, string]>} options value and text @param {string} value @param {(value: string) => void} onchange
 * @param {Record<string, any>} [attributes]
 */
export function select(options, value, onchange, attributes = {}) {
  const element = el(
    "select",
    { ...attributes, onchange: () => onchange(element.value) },
    ...options.map(([key, text]) => el("option", { value: key, text })),
  );
  element.value = value;
  return element;
}

/** A table with column heads. @param {string[]} heads @param {Element[]} rows */
export const table = (heads, rows) =>
  el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, ...rows),
  );

/**
 * The buttons that walk through the moves of a game.
 * @param {{first: () => void, back: () => void, forward: () => void, last: () => void, flip: () => void}} go @param {...Element} more
 */
export function stepButtons(go, ...more) {
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ work) =>
    button(sign, work, { class: "step", "aria-label": name, title: name });
  return el(
    "div",
    { class: "row tight", role: "group", "aria-label": "Moves" },
    step("\u00AB", "First position", go.first),
    step("\u2039", "Previous move", go.back),
    step("\u203A", "Next move", go.forward),
    step("\u00BB", "Last position", go.last),
    step("\u21C5", "Flip the board", go.flip),
    ...more,
  );
}

/** Text for the status line that screen readers read aloud. @param {string} text */
export function announce(text) {
  const region = document.getElementById("live");
  if (region) region.textContent = text;
}

/** A short message at the foot of the page. @param {string} text @param {"note"|"fault"} [kind] */
export function toast(text, kind = "note") {
  const box = document.getElementById("toasts");
  if (!box) return;
  const note = el("div", { class: `toast ${kind}`, role: kind === "fault" ? "alert" : "status", text });
  box.append(note);
  setTimeout(() => note.remove(), kind === "fault" ? 8000 : 3500);
}

/** Starts a download of a text. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copies a text and reports it. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast(`The browser does not allow copying. ${what}: ${text}`, "fault");
  }
}

/**
 * Calls `work` at most once per `milliseconds`, the last call always.
 * @param {number} milliseconds @param {(...values: any[]) => void} work
 */
export function throttled(milliseconds, work) {
  let timer = 0,
    last = 0,
    /** @type {any[]} */ values = [];
  return (/** @type {any[]} */ ...given) => {
    values = given;
    if (timer) return;
    const wait = Math.max(0, last + milliseconds - performance.now());
    timer = window.setTimeout(() => {
      timer = 0;
      last = performance.now();
      work(...values);
    }, wait);
  };
}
