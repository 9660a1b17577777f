/** The bar below the moves: marks, comment, promote, delete. */

import { button, el, select } from "./dom.js";
import { NAGS } from "./game.js";
import { study } from "./study.js";

/** @param {import("./move-tree.js").MoveTree} moves */
export function annotateBar(moves) {
  const marks = NAGS.slice(0, 6).map(([nag, sign, name]) =>
    button(sign, () => toggleNag(nag), {
      class: "small mark",
      title: name,
      "aria-label": name,
      "aria-pressed": "false",
      dataset: { nag: String(nag) },
    }),
  );
  const others = select(
    [
      ["", "\u22EF"],
      ...NAGS.slice(6).map(([nag, sign, name]) => /** @type {[string, string]} */ ([String(nag), `${sign}  ${name}`])),
    ],
    "",
    (value) => {
      if (value) toggleNag(Number(value));
      others.value = "";
    },
    { "aria-label": "Other marks", class: "small-select" },
  );
  const tools = [
    button("Comment", () => moves.editComment(study.node), { class: "small", title: "Comment on this move (c)" }),
    button("\u2191", () => study.edit((tree) => tree.promote(study.node, false)), {
      class: "small",
      "aria-label": "Promote the variation",
      title: "Promote the variation",
    }),
    button("\u21C8", () => study.edit((tree) => tree.promote(study.node, true)), {
      class: "small",
      "aria-label": "Make it the main line",
      title: "Make it the main line",
    }),
    button("\u2715", () => study.edit((tree) => tree.remove(study.node)), {
      class: "small",
      "aria-label": "Delete from here",
      title: "Delete from here",
    }),
  ];
  const show = () => {
    for (const mark of marks) mark.setAttribute("aria-pressed", String(study.node.nags.includes(Number(mark.dataset.nag))));
    const isMove = !!study.node.parent,
      isMain = study.node.isMain();
    for (const control of [...marks, others, tools[3]]) control.disabled = !isMove;
    tools[1].disabled = tools[2].disabled = !isMove || isMain;
  };
  study.addEventListener("node", show);
  study.addEventListener("tree", show);
  show();
  return el(
    "div",
    { class: "row annotate", role: "group", "aria-label": "Marks and comments" },
    el("span", { class: "row tight" }, ...marks, others),
    el("span", { class: "row tight" }, ...tools),
  );
}

/** A move has one mark of quality (1 to 6) and any others. @param {number} nag */
function toggleNag(nag) {
  study.edit(() => {
    const { node } = study,
      had = node.nags.includes(nag);
    const others = node.nags.filter((other) => other !== nag && !(nag <= 6 && other <= 6));
    node.nags = had ? others : [...others, nag];
  });
}
