/** The frame of the page: views by address, state of the connection. */

import { el, toast } from "./dom.js";
import { ServerError, session } from "./session.js";
import { study } from "./study.js";

/** @typedef {{element: HTMLElement, show?: (query: URLSearchParams) => void, hide?: () => void}} View */

/** @type {Record<string, {title: string, load: () => Promise<{create: () => View}>}>} */
const VIEWS = {
  analysis: { title: "Analysis", load: () => import("./analysis-view.js") },
  search: { title: "Search", load: () => import("./search-view.js") },
  play: { title: "Play", load: () => import("./play-view.js") },
  review: { title: "Review", load: () => import("./review-view.js") },
  lab: { title: "Laboratory", load: () => import("./lab-view.js") },
};

const main = /** @type {HTMLElement} */ (document.getElementById("view"));
/** @type {Map<string, View>} */
const made = new Map();
let current = "";

/** The style sheets of the views; the first paint does not wait for them. */
const styled = Promise.all(
  ["board.css", "analysis.css", "views.css"].map(
    (href) =>
      new Promise((resolve) => {
        document.head.append(el("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
      }),
  ),
);

/** The view and the query of the address. */
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { name: VIEWS[path] ? path : "analysis", query: new URLSearchParams(query) };
}

/** Shows the view of the address; a view is made once and keeps its state. */
async function route() {
  const { name, query } = address();
  const module = made.has(name) ? null : await VIEWS[name].load();
  await styled;
  if (address().name !== name) return;
  if (module && !made.has(name)) made.set(name, module.create());
  const view = /** @type {View} */ (made.get(name));
  if (current !== name) {
    made.get(current)?.hide?.();
    main.replaceChildren(view.element);
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${VIEWS[name].title} \u2013 Rukh`;
    document.body.dataset.view = name;
    current = name;
  }
  view.show?.(query);
}

function showConnection() {
  const pill = /** @type {HTMLElement} */ (document.getElementById("connection"));
  const texts = {
    starting: "Connecting",
    connected: session.info?.name ?? "Connected",
    lost: session.problem || "Server lost, trying again",
  };
  pill.textContent = texts[session.state];
  pill.className = `connection ${session.state}`;
}

/** A refused command is one sentence for the person; anything else is a fault of the page. */
window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof ServerError) && event.reason?.constructor?.name !== "Lost") return;
  event.preventDefault();
  toast(event.reason.message, "fault");
});

session.addEventListener("state", showConnection);
window.addEventListener("hashchange", () => route());
showConnection();
study.start();
session.addEventListener("state", () => {
  if (session.state === "connected" && !current) route();
});
// The modules of the first view come while the session connects.
VIEWS[address().name].load();
session.connect();
