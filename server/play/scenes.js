// Scenes: the shapes that the service describes, as SVG. Colours are roles of scene.css, so that
// the theme of the page holds in drawings, too.

import { h, svg } from "./dom.js";

const NOTHING = new Set(["none", undefined]);
const UNIT = 44; // pixels of a cell, where there is room

/**
 * A drawing as a figure; one without a `label` is decoration. `choose(name)` is called with the name of an element, such as `r1c2`, when
 * it is clicked or chosen with the keyboard; `choices` are the names that can be chosen, with what
 * is said of each.
 */
export function picture(drawing, { label, choices = new Map(), choose = null } = {}) {
  const { width, height, shapes } = drawing;
  const image = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`, width: Math.round(width * UNIT), height: Math.round(height * UNIT),
      ...(label ? { role: choices.size ? "group" : "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    shapes.map((shape) => element(shape, choices, choose)),
  );
  if (choices.size) roam(image);
  return h("figure", { class: "scene" }, image);
}

function element(shape, choices, choose) {
  if (shape.type !== "tile") return DRAWN[shape.type](shape);
  const props = { transform: `translate(${shape.x} ${shape.y})`, data: { name: shape.name ?? "" } };
  const label = choices.get(shape.name);
  if (label === undefined) return svg("g", props, shape.shapes.map((part) => element(part)));
  return svg(
    "g",
    {
      ...props, class: "element", role: "button", tabindex: "-1", "aria-label": label,
      data: { name: shape.name, key: `tile ${shape.name}` }, on: { click: () => choose(shape.name) },
    },
    shape.shapes.map((part) => element(part)),
    halo(shape.shapes[0]),
  );
}

/** Shapes that are put into a tile. */
export const stamp = (shapes) => svg("g", { class: "stamp" }, shapes.map((shape) => element(shape)));

const DRAWN = {
  rect: (s) => painted("rect", s, { x: s.x, y: s.y, width: s.width, height: s.height, rx: s.radius }),
  disc: (s) => painted("circle", s, { cx: s.x, cy: s.y, r: s.radius }),
  path: (s) =>
    painted(s.closed ? "polygon" : "polyline", s, {
      points: s.points.map(([x, y]) => `${x},${y}`).join(" "),
      "stroke-dasharray": s.dashed ? "0.15 0.12" : null,
      "stroke-linejoin": "round", "stroke-linecap": "round",
    }),
  label: (s) => {
    const text = svg(
      "text",
      { x: s.x, y: s.y + 0.35 * s.size, "font-size": s.size, "font-weight": s.bold ? 700 : null, "text-anchor": s.anchor ?? "middle" },
      s.text,
    );
    text.style.fill = role(s.tone ?? "ink");
    return text;
  },
};

/** What shows that an element is pointed at or chosen: a frame as large as the element. */
function halo(shape) {
  if (shape?.type === "disc") return svg("circle", { class: "halo", cx: shape.x, cy: shape.y, r: shape.radius });
  if (shape?.type === "rect") {
    return svg("rect", { class: "halo", x: shape.x + 0.04, y: shape.y + 0.04, width: shape.width - 0.08, height: shape.height - 0.08, rx: 0.08 });
  }
  return svg("rect", { class: "halo", x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.08 });
}

function painted(tag, shape, props) {
  const node = svg(tag, props);
  node.style.fill = NOTHING.has(shape.fill) ? "none" : role(shape.fill);
  if (!NOTHING.has(shape.stroke)) {
    node.style.stroke = role(shape.stroke);
    node.style.strokeWidth = shape.line ?? 0;
  }
  return node;
}

const role = (tone) => `var(--scene-${tone})`;

/** One stop for the tabulator, arrow keys from element to element, Enter and space to choose. */
export function roam(image, selector = ".element") {
  const nodes = [...image.querySelectorAll(selector)];
  if (!nodes.length) return;
  nodes[0].tabIndex = 0;
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  image.addEventListener("keydown", (event) => {
    const node = event.target.closest(selector);
    if (!node || event.defaultPrevented) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(nodes, node, way);
    if (!next) return;
    for (const each of nodes) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  });
}

/** The nearest element that way: straight on first, then aside. */
function neighbour(nodes, from, [right, down]) {
  const at = (node) => {
    const { e, f } = node.transform.baseVal.consolidate().matrix;
    return [e, f];
  };
  const [x, y] = at(from);
  const ahead = nodes.flatMap((node) => {
    const [nx, ny] = at(node);
    const along = (nx - x) * right + (ny - y) * down;
    const aside = Math.abs((nx - x) * down) + Math.abs((ny - y) * right);
    return along > 0.1 ? [[along + 4 * aside, node]] : [];
  });
  return ahead.sort((one, other) => one[0] - other[0])[0]?.[1];
}

/**
 * Which move an element stands for, as `name -> move`: moves that name a cell, such as `open r1c2`
 * or `1 2`, and moves that name a column, for the free cells of the column.
 */
export function movesOfElements(drawing, moves) {
  if (!drawing) return new Map();
  const names = new Set(drawing.shapes.map((shape) => shape.name).filter(Boolean));
  const choices = new Map();
  const shapes = new Set((moves ?? []).map((move) => move.replace(/\d+/g, "0")));
  if (shapes.size !== 1) return choices;
  for (const move of moves) {
    const numbers = (move.match(/\d+/g) ?? []).map(Number);
    if (numbers.length === 2 && names.has(`r${numbers[0]}c${numbers[1]}`)) choices.set(`r${numbers[0]}c${numbers[1]}`, move);
    if (numbers.length === 1) {
      const column = drawing.shapes.filter((shape) => shape.name?.endsWith(`c${numbers[0]}`));
      for (const tile of column) if (!tile.shapes.some((part) => part.type === "label")) choices.set(tile.name, move);
    }
  }
  return choices;
}
