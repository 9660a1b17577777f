"use strict";
// Shows the position of the selected move. The page can be read without this script.
(() => {
  const SVG = "http://www.w3.org/2000/svg", SQUARE = 45, BASELINE = 38;
  const GLYPHS = { p: "\u265F", n: "\u265E", b: "\u265D", r: "\u265C", q: "\u265B", k: "\u265A" };

  const added = (parent, name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return parent.appendChild(element);
  };

  const drawPieces = (board, field) => {
    const pieces = board.querySelector(".pieces");
    pieces.replaceChildren();
    field.split("/").forEach((row, rank) => {
      let file = 0;
      for (const sign of row) {
        if (sign >= "1" && sign <= "8") { file += Number(sign); continue; }
        const kind = sign.toLowerCase();
        const piece = added(pieces, "text", {
          class: sign === kind ? "black" : "white", x: (file + 0.5) * SQUARE, y: rank * SQUARE + BASELINE,
        });
        piece.textContent = GLYPHS[kind] + "\uFE0E";
        file += 1;
      }
    });
  };

  const corner = (square) => [(square.charCodeAt(0) - 97) * SQUARE, (8 - Number(square[1])) * SQUARE];

  // The squares of the move; in a variation also an arrow from one to the other, and the squares that a claim is about.
  const drawMarks = (board, squares, claim) => {
    const marks = board.querySelector(".marks");
    marks.replaceChildren();
    const markSquare = (square, kind) => {
      const [x, y] = corner(square);
      added(marks, "rect", { x, y, width: SQUARE, height: SQUARE, class: kind });
    };
    for (const square of squares) markSquare(square, "moved");
    if (claim === undefined || squares.length !== 2) return;
    for (const square of claim.split(" ").filter(Boolean)) markSquare(square, "claim");
    const [[x1, y1], [x2, y2]] = squares.map((square) => corner(square).map((edge) => edge + SQUARE / 2));
    const length = Math.hypot(x2 - x1, y2 - y1), [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length], HEAD = 12;
    const [bx, by] = [x2 - HEAD * dx, y2 - HEAD * dy];
    added(marks, "line", { x1, y1, x2: bx, y2: by, class: "arrow" });
    added(marks, "path", { class: "head", d: `M${x2} ${y2}L${bx - 6 * dy} ${by + 6 * dx}L${bx + 6 * dy} ${by - 6 * dx}z` });
  };

  // A game: its move list and the current index in it, the number of moves played. The list is the main line or a
  // variation.
  const games = [...document.querySelectorAll(".game")].map((section) => {
    const board = section.querySelector(".board"), graph = section.querySelector(".graph");
    const main = [...section.querySelectorAll(".move.main")];
    let list = main, index = 0;

    const show = (newList, newIndex, isScrolled) => {
      list = newList;
      index = Math.max(0, Math.min(newIndex, list.length));
      // Before the first move of a variation comes the main line.
      if (index === 0 && list !== main) { index = Number(list[0].parentElement.dataset.plies); list = main; }
      const move = list[index - 1];
      section.querySelector(".chosen")?.classList.remove("chosen");
      move?.classList.add("chosen");
      if (isScrolled) move?.scrollIntoView({ block: "nearest" });
      drawPieces(board, move ? move.dataset.board : board.dataset.start);
      drawMarks(board, move ? move.dataset.squares.split(" ") : [], move?.closest(".line")?.dataset.claim);
      if (graph) {
        const plies = list === main ? index : Number(list[0].parentElement.dataset.plies);
        const { plies: all, edge, width } = graph.dataset;
        const x = Number(edge) + (width - 2 * edge) * plies / all;
        graph.querySelector(".cursor").setAttribute("x1", x);
        graph.querySelector(".cursor").setAttribute("x2", x);
      }
    };

    const game = {
      step: (by) => show(list, index + by, true),
      first: () => show(main, 0, true),
      last: () => show(main, main.length, true),
    };
    section.addEventListener("click", (event) => {
      current = game;
      const move = event.target.closest(".move");
      if (!move) return;
      event.preventDefault();
      const line = move.closest(".line");
      const around = line ? [...line.querySelectorAll(".move")] : main;
      show(around, around.indexOf(move) + 1, false);
    });
    graph?.addEventListener("click", (event) => {
      const box = graph.getBoundingClientRect(), { plies, edge, width } = graph.dataset;
      const x = (event.clientX - box.left) * width / box.width;
      show(main, Math.round((x - edge) * plies / (width - 2 * edge)), false);
    });
    show(main, 0, false);
    return game;
  });

  let current = games[0];
  const keys = {
    ArrowLeft: () => current.step(-1), ArrowRight: () => current.step(1),
    Home: () => current.first(), End: () => current.last(),
  };
  document.addEventListener("keydown", (event) => {
    if (!current || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    keys[event.key]();
  });
})();
