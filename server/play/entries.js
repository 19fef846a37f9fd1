// Answers that are written by choosing elements of a scene. The text of the answer is written along
// and stays what is sent; it can be typed over at any time.

import { Board } from "./boards.js";
import { fill, h } from "./dom.js";
import { picture, stamp } from "./scenes.js";

/**
 * A picture on which an answer is entered. `write(text)` is called with the answer so far. Keys:
 * arrows go from element to element, Enter or space chooses, and letters and digits enter symbols.
 */
export class Entry extends Board {
  constructor(drawing, entry, write) {
    super(write);
    Object.assign(this, { drawing, entry }); // a step is [name or word, symbol]
    this.symbol = null; // of the pad, for clicks; null goes through all of them
    this.node.append(...this.build());
    this.show();
  }

  build() {
    const { entry } = this;
    this.names = new Map(entry.type === "cells" ? this.cells() : (entry.names ?? []));
    this.figure = picture(this.drawing, {
      label: "The board; arrow keys go from element to element, Enter chooses",
      choices: this.names, choose: (name) => this.choose(name),
    });
    this.figure.addEventListener("keydown", (event) => this.typed(event));
    const pad = entry.type === "cells" ? this.symbols() : entry.type === "words" ? this.words() : null;
    fill(this.buttons, pad, this.undoButton, this.clearButton);
    return [this.figure, this.buttons];
  }

  cells() {
    // Fixed cells are stops of the arrow keys, too, so that a step leads to the next cell.
    const label = (symbol, r, c) => `row ${r + 1}, column ${c + 1}${symbol && `: ${symbol}, fixed`}`;
    return this.entry.start.flatMap((row, r) => row.map((symbol, c) => [`r${r + 1}c${c + 1}`, label(symbol, r, c)]));
  }

  symbols() {
    const button = (symbol, label, title) =>
      h("button", { type: "button", class: "tab", "aria-pressed": String(symbol === this.symbol), title, on: { click: (event) => this.pick(symbol, event.currentTarget) } }, label);
    return h(
      "div", { class: "symbols", role: "group", "aria-label": "Symbol that a click enters" },
      this.entry.symbols.map((symbol) => button(symbol, symbol, `A click enters ${symbol}`)),
      button(null, "any", "A click goes through all symbols"),
    );
  }

  pick(symbol, pressed) {
    this.symbol = symbol;
    for (const button of pressed.parentElement.children) button.setAttribute("aria-pressed", String(button === pressed));
  }

  words() {
    return h(
      "div", { class: "symbols", role: "group", "aria-label": "Words of the answer" },
      this.entry.words.map((word) => h("button", { type: "button", data: { word }, on: { click: () => this.add(word) } }, word)),
    );
  }

  // ---------------------------------------------------------------- entering

  choose(name) {
    const { entry } = this;
    if (this.isFixed(name)) return;
    if (entry.type === "cells") this.enter(name, this.symbol === null ? this.next(this.filled().get(name)) : this.symbol);
    else if (entry.type === "elements" && !entry.repeats && this.steps.some(([each]) => each === name)) this.remove(name);
    else this.add(name);
  }

  isFixed(name) {
    if (this.entry.type !== "cells") return false;
    const [r, c] = name.slice(1).split("c");
    return this.entry.start[r - 1][c - 1] !== "";
  }

  /** The symbol after this one; after the last the cell is empty again. */
  next(symbol) {
    const { symbols } = this.entry;
    return symbol ? (symbols[symbols.indexOf(symbol) + 1] ?? "") : symbols[0];
  }

  enter(name, symbol) {
    this.add(name, this.filled().get(name) === symbol ? "" : symbol);
  }

  add(name, symbol = "") {
    this.push([name, symbol]);
  }

  remove(name) {
    this.steps = this.steps.filter(([each]) => each !== name);
    this.show();
  }

  typed(event) {
    const name = event.target.closest(".element")?.dataset.name;
    if (!name || event.ctrlKey || event.metaKey || event.altKey || this.entry.type !== "cells") return;
    const symbol = this.entry.symbols.find((each) => each.toLowerCase() === event.key.toLowerCase());
    const empty = event.key === "Backspace" || event.key === "Delete";
    if ((symbol === undefined && !empty) || this.isFixed(name)) return;
    event.preventDefault();
    event.stopPropagation();
    this.add(name, empty ? "" : symbol);
  }

  // ---------------------------------------------------------------- what it is so far

  filled() {
    const filled = new Map();
    for (const [name, symbol] of this.steps) filled.set(name, symbol);
    return filled;
  }

  text() {
    const { entry, steps } = this;
    if (!steps.length) return "";
    if (entry.type === "cells") {
      const filled = this.filled();
      const symbol = (fixed, r, c) => fixed || filled.get(`r${r + 1}c${c + 1}`) || entry.empty || ".";
      return entry.start.map((row, r) => row.map((fixed, c) => symbol(fixed, r, c)).join(entry.separator ?? " ")).join("\n");
    }
    const separator = entry.separator ?? (entry.type === "words" ? " " : ", ");
    if (entry.type === "words") return steps.map(([word]) => word).join(separator);
    const names = steps.map(([name]) => this.names.get(name));
    if (entry.type === "pairs") {
      const pairs = [];
      for (let n = 0; n + 1 < names.length; n += 2) pairs.push(`${names[n]}${entry.joined ?? "-"}${names[n + 1]}`);
      return pairs.join(separator);
    }
    if (entry.ordered) return names.join(separator);
    const order = [...this.names.values()];
    return names.sort((one, other) => order.indexOf(one) - order.indexOf(other)).join(separator);
  }

  show() {
    const { entry, steps } = this;
    for (const node of this.figure.querySelectorAll(".stamp")) node.remove();
    const chosen = new Map(steps.map(([name], n) => [name, n + 1]));
    for (const node of this.figure.querySelectorAll(".element")) {
      const { name } = node.dataset;
      const label = this.names.get(name);
      if (entry.type === "cells") {
        node.classList.toggle("fixed", this.isFixed(name));
        const symbol = this.filled().get(name);
        if (symbol) node.append(stamp(entry.shapes[entry.symbols.indexOf(symbol)]));
        node.setAttribute("aria-label", symbol ? `${label}: ${symbol}` : label);
      } else {
        node.classList.toggle("chosen", chosen.has(name));
        node.setAttribute("aria-label", chosen.has(name) ? `${label}, chosen` : label);
      }
    }
    if (entry.type === "words" && entry.repeats === false) {
      for (const button of this.node.querySelectorAll("[data-word]")) {
        const used = steps.filter(([word]) => word === button.dataset.word).length;
        button.disabled = used >= entry.words.filter((word) => word === button.dataset.word).length;
      }
    }
    this.changed();
  }
}
