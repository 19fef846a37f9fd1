// Boards on which a loop is drawn: a click between two nodes draws a line, another one crosses it out.

import { Board } from "./boards.js";
import { fill, h, svg } from "./dom.js";
import { picture, roam } from "./scenes.js";
import { plural } from "./words.js";

const SIDES = { U: [-1, 0, "v"], L: [0, -1, "h"], D: [0, 0, "v"], R: [0, 0, "h"] };
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NEXT = { "": "on", on: "crossed", crossed: "" };
const WORDS = { "": "", on: ", drawn", crossed: ", crossed out" };

const lineName = (way, row, column) => `${way}${row}-${column}`;

export class LoopBoard extends Board {
  constructor(drawing, entry, write) {
    super(write);
    Object.assign(this, { drawing, entry, pen: false }); // a step is [name of a line, its state]
    const rows = entry.start.length;
    const columns = entry.start[0].length;
    const centres = entry.via === "centres";
    Object.assign(this, { centres, rows, columns, height: centres ? rows : rows + 1, width: centres ? columns : columns + 1 });
    this.hint = h("p", { class: "hint" });
    this.node.append(...this.build());
    this.show();
  }

  get lines() {
    return [...this.states()].filter(([, state]) => state === "on").map(([name]) => name);
  }

  // ---------------------------------------------------------------- the board

  build() {
    this.figure = picture(this.drawing, { label: "The board; arrow keys go from node to node, with Shift they draw a line" });
    const image = this.figure.querySelector("svg");
    image.setAttribute("role", "group");
    const corner = this.drawing.shapes.find((shape) => shape.name === "r1c1");
    const inset = this.centres ? 0.5 : 0;
    this.origin = [corner.x + inset, corner.y + inset];
    this.lineNodes = new Map(this.allLines().map(([name, ...where]) => [name, this.line(name, ...where)]));
    image.append(...this.lineNodes.values(), ...this.nodes());
    image.addEventListener("keydown", (event) => this.pressed(event));
    roam(image, ".node");
    this.penButton = h(
      "button", { type: "button", class: "tab", "aria-pressed": "false", title: "While this is on, arrow keys draw (Enter on a node)", on: { click: () => this.togglePen() } },
      "Draw with arrow keys",
    );
    fill(this.buttons, this.penButton, this.undoButton, this.clearButton);
    return [this.figure, this.hint, this.buttons];
  }

  /** All lines between neighbouring nodes, as `[name, row, column, way]`. */
  allLines() {
    const lines = [];
    for (let r = 0; r < this.height; r += 1) {
      for (let c = 0; c < this.width; c += 1) {
        if (c + 1 < this.width) lines.push([lineName("h", r, c), r, c, "h"]);
        if (r + 1 < this.height) lines.push([lineName("v", r, c), r, c, "v"]);
      }
    }
    return lines;
  }

  line(name, row, column, way) {
    const [x, y] = this.origin;
    const [right, down] = way === "h" ? [0.5, 0] : [0, 0.5];
    return svg(
      "g",
      {
        class: "element line", role: "button", tabindex: "-1", data: { name, label: this.label(row, column, way) },
        transform: `translate(${x + column + right} ${y + row + down})`, on: { click: () => this.cycle(name) },
      },
      svg("polygon", { class: "halo", points: "-0.5,0 0,-0.5 0.5,0 0,0.5" }),
      svg("line", { class: "stroke", x1: -right, y1: -down, x2: right, y2: down }),
      svg("path", { class: "cross", d: "M-0.09 -0.09 L0.09 0.09 M-0.09 0.09 L0.09 -0.09" }),
    );
  }

  label(row, column, way) {
    const unit = this.centres ? "cell" : "corner";
    return `line ${way === "h" ? "to the right of" : "below"} ${unit} ${row + 1}, ${column + 1}`;
  }

  nodes() {
    const [x, y] = this.origin;
    const unit = this.centres ? "cell" : "corner";
    const all = [];
    for (let r = 0; r < this.height; r += 1) {
      for (let c = 0; c < this.width; c += 1) {
        all.push(svg(
          "g",
          { class: "element node", role: "button", tabindex: "-1", transform: `translate(${x + c} ${y + r})`, data: { name: `${r} ${c}`, label: `${unit} ${r + 1}, ${c + 1}` }, on: { click: () => this.togglePen() } },
          svg("circle", { class: "halo", cx: 0, cy: 0, r: 0.2 }),
        ));
      }
    }
    return all;
  }

  // ---------------------------------------------------------------- entering

  cycle(name) {
    this.push([name, NEXT[this.states().get(name) ?? ""]]);
  }

  togglePen() {
    this.pen = !this.pen;
    this.penButton.setAttribute("aria-pressed", String(this.pen));
  }

  /** With Shift, or while the pen is on, an arrow key draws or removes the line that it goes along. */
  pressed(event) {
    const step = STEPS[event.key];
    const node = event.target.closest(".node");
    if (!step || !node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.shiftKey && !this.pen) return;
    const [row, column] = node.dataset.name.split(" ").map(Number);
    const name = lineName(step[0] ? "v" : "h", row + Math.min(step[0], 0), column + Math.min(step[1], 0));
    if (!this.lineNodes.has(name)) return;
    this.push([name, this.states().get(name) === "on" ? "" : "on"]);
  }

  // ---------------------------------------------------------------- the answer

  states() {
    const states = new Map();
    for (const [name, state] of this.steps) states.set(name, state);
    return states;
  }

  /** The sides on which lines leave a node. */
  exits(row, column, lines) {
    return Object.keys(SIDES).filter((side) => {
      const [down, right, way] = SIDES[side];
      return lines.has(lineName(way, row + down, column + right));
    });
  }

  isClosed(lines) {
    if (!lines.size) return false;
    for (let r = 0; r < this.height; r += 1) {
      for (let c = 0; c < this.width; c += 1) if (![0, 2].includes(this.exits(r, c, lines).length)) return false;
    }
    return true;
  }

  text() {
    const lines = new Set(this.lines);
    if (!this.centres && !this.isClosed(lines)) return "";
    const row = this.centres ? (r) => this.signs(r, lines) : (r) => this.sides(r, lines);
    return Array.from({ length: this.rows }, (_, r) => row(r).join(this.entry.separator ?? " ")).join("\n");
  }

  /** The signs of a row by how the loop leaves its cells. */
  signs(row, lines) {
    const same = (one, other) => [...one].sort().join("") === [...other].sort().join("");
    return Array.from({ length: this.columns }, (_, c) => {
      const exits = this.exits(row, c, lines);
      const sign = this.entry.exits.findIndex((each) => same(each, exits));
      return sign < 0 ? (this.entry.empty ?? ".") : this.entry.symbols[sign];
    });
  }

  /** Which cells of a row are inside: those with an odd number of lines to their left. */
  sides(row, lines) {
    let inside = false;
    return Array.from({ length: this.columns }, (_, c) => {
      if (lines.has(lineName("v", row, c))) inside = !inside;
      return this.entry.symbols[inside ? 0 : 1];
    });
  }

  show() {
    const states = this.states();
    for (const [name, node] of this.lineNodes) {
      const state = states.get(name) ?? "";
      node.classList.toggle("on", state === "on");
      node.classList.toggle("crossed", state === "crossed");
      node.setAttribute("aria-label", node.dataset.label + WORDS[state]);
    }
    const lines = new Set(this.lines);
    for (const node of this.figure.querySelectorAll(".node")) {
      const [row, column] = node.dataset.name.split(" ").map(Number);
      const number = this.exits(row, column, lines).length;
      node.setAttribute("aria-label", `${node.dataset.label}, ${plural(number, "line")}`);
    }
    this.hint.textContent = this.advice(lines);
    this.changed();
  }

  advice(lines) {
    if (this.isClosed(lines)) return "The loop is closed, and the answer is written below.";
    if (lines.size) return "The loop is not closed yet.";
    return `Click between two ${this.centres ? "cells" : "dots"} to draw a line, and again to cross it out. Keys: arrows move, Shift with an arrow draws.`;
  }
}
