// For the website that mdbook makes: links to the sources, and the simple graphs of Mermaid blocks.
"use strict";

// The book is built into target/book, one folder deeper than docs: a link that leaves the book goes up once more.
function mendLinks() {
  const root = new URL(typeof path_to_root === "string" && path_to_root ? path_to_root : "./", document.baseURI);
  for (const link of document.querySelectorAll("main a[href]")) {
    const href = link.getAttribute("href");
    const target = new URL(href, document.baseURI);
    if (target.protocol !== document.location.protocol || target.host !== document.location.host) continue;
    if (target.pathname.startsWith(root.pathname)) {
      // The page of a README is the index of its folder.
      link.setAttribute("href", href.replace(/README\.html(#|$)/, "index.html$1"));
    } else {
      link.setAttribute("href", "../" + href.replace(/\.html(#|$)/, ".md$1"));
    }
  }
}

// Nodes and edges of a Mermaid graph: A["text"] -->|"label"| B, with -->, -.->, --- and <-->.
function parseGraph(source) {
  const lines = source.trim().split("\n").map((line) => line.trim());
  const head = /^graph (TD|LR)$/.exec(lines[0]);
  if (!head) return null;
  const nodes = new Map(), edges = [];
  const node = (text) => {
    const [, id, name] = /^(\w+)(?:\["(.*)"\])?$/.exec(text.trim()) || [];
    if (!id) return null;
    if (!nodes.has(id)) nodes.set(id, { id, name: name || id });
    if (name) nodes.get(id).name = name;
    return id;
  };
  for (const line of lines.slice(1)) {
    const parts = line.split(/\s(<-->|-->|-\.->|---)(?:\|"([^"]*)"\|)?\s/);
    let from = node(parts[0]);
    for (let at = 1; at + 2 < parts.length; at += 3) {
      const to = node(parts[at + 2]);
      if (from === null || to === null) return null;
      edges.push({ from, to, arrow: parts[at], label: parts[at + 1] || "" });
      from = to;
    }
  }
  return { isDown: head[1] === "TD", nodes, edges };
}

function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines[lines.length - 1] && (lines[lines.length - 1] + " " + word).length > width) lines.push("");
    lines[lines.length - 1] += (lines[lines.length - 1] ? " " : "") + word;
  }
  return lines;
}

// The rank of a node is the longest way to it; edges that close a circle do not count.
function setRanks(graph) {
  const visit = (id, rank, above) => {
    const node = graph.nodes.get(id);
    if (node.rank >= rank) return;
    node.rank = rank;
    for (const edge of graph.edges.filter((edge) => edge.from === id && !above.includes(edge.to))) {
      visit(edge.to, rank + 1, above.concat(id));
    }
  };
  const targets = new Set(graph.edges.map((edge) => edge.to));
  const starts = [...graph.nodes.keys()].filter((id) => !targets.has(id));
  for (const id of starts.length ? starts : [...graph.nodes.keys()].slice(0, 1)) visit(id, 0, []);
  for (const node of graph.nodes.values()) node.rank ??= 0;
  // A node that nothing leads to stands just before what it leads to.
  for (const id of starts) {
    const next = graph.edges.filter((edge) => edge.from === id).map((edge) => graph.nodes.get(edge.to).rank);
    if (next.length) graph.nodes.get(id).rank = Math.max(0, Math.min(...next) - 1);
  }
}

function place(graph) {
  const ranks = [];
  for (const node of graph.nodes.values()) {
    node.lines = wrapped(node.name, 24);
    node.width = Math.max(...node.lines.map((line) => line.length)) * 7.4 + 18;
    node.height = node.lines.length * 16 + 12;
    (ranks[node.rank] ??= []).push(node);
  }
  for (const edge of graph.edges) edge.lines = edge.label ? wrapped(edge.label, 20) : [];
  const { isDown } = graph;
  const labelSize = (edge) => isDown ? edge.lines.length * 13 : Math.max(0, ...edge.lines.map((line) => line.length * 6.2));
  // A node needs room for itself and for the labels of what leads to it.
  const room = (node) => {
    const lines = graph.edges.filter((edge) => edge.to === node.id).map((edge) => edge.lines);
    const labels = lines.map((lines) => isDown ? Math.max(0, ...lines.map((line) => line.length * 6.2 + 8)) * 1.6 : lines.length * 13);
    return Math.max(isDown ? node.width : node.height, ...labels);
  };
  const across = (rank) => rank.reduce((sum, node) => sum + room(node) + 26, -26);
  const size = Math.max(...ranks.map(across));
  let along = 12;
  ranks.forEach((rank, number) => {
    const depth = Math.max(...rank.map((node) => isDown ? node.height : node.width));
    let at = 12 + (size - across(rank)) / 2;
    for (const node of rank) {
      const step = room(node);
      [node.x, node.y] = isDown ? [at + step / 2, along + depth / 2] : [along + depth / 2, at + step / 2];
      at += step + 26;
    }
    const leaving = graph.edges.filter((edge) => rank.some((node) => node.id === edge.from || node.id === edge.to));
    along += depth + 34 + Math.max(0, ...leaving.map(labelSize));
  });
  const length = Math.max(...[...graph.nodes.values()].map((node) => isDown ? node.y + node.height / 2 : node.x + node.width / 2)) + 12;
  const isBack = (edge) => graph.nodes.get(edge.to).rank <= graph.nodes.get(edge.from).rank;
  const bends = graph.edges.some(isBack) ? 26 : 0;
  return isDown ? [size + 24 + bends, length] : [length, size + 24 + bends];
}

// The point where the line to `other` leaves the box of a node.
function border(node, other) {
  const dx = other.x - node.x, dy = other.y - node.y;
  const scale = Math.min(node.width / 2 / Math.max(Math.abs(dx), 1e-6), node.height / 2 / Math.max(Math.abs(dy), 1e-6));
  return [node.x + dx * scale, node.y + dy * scale];
}

function make(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

// A Mermaid sequence of two participants: `participant G as GUI`, `G->>E: text`.
function drawSequence(source) {
  if (!source.trim().startsWith("sequenceDiagram")) return null;
  const names = [...source.matchAll(/participant (\w+) as (.*)/g)].map(([, id, name]) => ({ id, name }));
  const messages = [...source.matchAll(/(\w+)->>(\w+): (.*)/g)].map(([, from, to, text]) => ({ from, to, text }));
  const left = 60, step = 340, height = 60 + 30 * messages.length, width = 2 * left + step * (names.length - 1);
  const x = (id) => left + step * names.findIndex((name) => name.id === id);
  const svg = make("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  for (const { id, name } of names) {
    svg.append(make("rect", { class: "node", x: x(id) - 40, y: 6, width: 80, height: 26, rx: 5 }));
    svg.append(make("text", { x: x(id), y: 24 }, name));
    svg.append(make("path", { class: "edge dotted", d: `M${x(id)} 32V${height - 6}` }));
  }
  messages.forEach(({ from, to, text }, at) => {
    const y = 62 + 30 * at, sign = Math.sign(x(to) - x(from));
    svg.append(make("text", { class: "label", x: (x(from) + x(to)) / 2, y: y - 5 }, text));
    svg.append(make("path", { class: "edge", d: `M${x(from)} ${y}H${x(to)}` }));
    svg.append(make("path", { class: "head", d: `M${x(to)} ${y}l${-9 * sign} -4v8z` }));
  });
  return svg;
}

function draw(graph) {
  setRanks(graph);
  const [width, height] = place(graph);
  const svg = make("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  const head = ([x, y], [fromX, fromY]) => {
    const angle = Math.atan2(y - fromY, x - fromX), at = (turn) => `${x - 9 * Math.cos(angle + turn)} ${y - 9 * Math.sin(angle + turn)}`;
    svg.append(make("path", { class: "head", d: `M${x} ${y}L${at(0.4)}L${at(-0.4)}z` }));
  };
  const labels = [];
  for (const edge of graph.edges) {
    const from = graph.nodes.get(edge.from), to = graph.nodes.get(edge.to);
    const isBack = to.rank <= from.rank;
    const start = border(from, to), end = border(to, from);
    const bend = isBack ? (graph.isDown ? [46, 0] : [0, 46]) : [0, 0];
    const middle = [(start[0] + end[0]) / 2 + bend[0], (start[1] + end[1]) / 2 + bend[1]];
    const kind = edge.arrow === "-.->" ? "edge dotted" : "edge";
    svg.append(make("path", { class: kind, d: `M${start}Q${middle} ${end}` }));
    if (edge.arrow !== "---") head(end, isBack ? middle : start);
    if (edge.arrow === "<-->") head(start, end);
    // A curve passes half-way to the point that bends it.
    labels.push([edge.lines, [middle[0] - bend[0] / 2, middle[1] - bend[1] / 2]]);
  }
  for (const [lines, [x, y]] of labels.filter(([lines]) => lines.length)) {
    const wide = Math.max(...lines.map((line) => line.length)) * 6.2 + 6, top = y - lines.length * 6.5;
    svg.append(make("rect", { class: "back", x: x - wide / 2, y: top, width: wide, height: lines.length * 13 }));
    lines.forEach((line, at) => svg.append(make("text", { class: "label", x, y: top + 10 + 13 * at }, line)));
  }
  for (const node of graph.nodes.values()) {
    const [x, y] = [node.x - node.width / 2, node.y - node.height / 2];
    svg.append(make("rect", { class: "node", x, y, width: node.width, height: node.height, rx: 5 }));
    node.lines.forEach((line, at) => svg.append(make("text", { x: node.x, y: y + 19 + 16 * at }, line)));
  }
  return svg;
}

function drawGraphs() {
  for (const code of document.querySelectorAll("code.language-mermaid")) {
    const graph = parseGraph(code.textContent);
    const drawn = graph && graph.nodes.size ? draw(graph) : drawSequence(code.textContent);
    if (drawn) code.closest("pre").replaceWith(drawn);
  }
}

document.addEventListener("DOMContentLoaded", () => { mendLinks(); drawGraphs(); });
