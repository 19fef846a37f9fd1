// What all boards have in common on which an answer is entered: steps that can be taken back, the text
// of the answer, and marks on entries that contradict the rules.

import { h } from "./dom.js";

export class Board {
  /** `write(text)` is called with the answer after each step. */
  constructor(write) {
    Object.assign(this, { write, steps: [], figure: null });
    this.node = h("div", { class: "board-entry" });
    this.undoButton = h("button", { type: "button", title: "Undo the last entry (u)", on: { click: () => this.undo() } }, "Undo");
    this.clearButton = h("button", { type: "button", title: "Undo all entries", on: { click: () => this.clear() } }, "Clear");
    this.buttons = h("div", { class: "row" }, this.undoButton, this.clearButton);
  }

  /** The lines of a loop; other boards have none. */
  get lines() {
    return [];
  }

  push(step) {
    this.steps.push(step);
    this.show();
  }

  undo() {
    this.steps.pop();
    this.show();
  }

  clear() {
    this.steps = [];
    this.show();
  }

  /** Writes the answer along; a board on which nothing was entered leaves the text alone. */
  changed() {
    this.undoButton.disabled = this.clearButton.disabled = this.steps.length === 0;
    this.mark([]);
    if (this.steps.length || this.wrote) this.write(this.text());
    this.wrote = this.wrote || this.steps.length > 0;
  }

  /** Marks elements that contradict the rules. */
  mark(names) {
    const wrong = new Set(names);
    for (const node of this.figure?.querySelectorAll(".element") ?? []) {
      node.classList.toggle("contradicting", wrong.has(node.dataset.name));
    }
  }

  /** Whether a key is for this board; then it is done. */
  key(key) {
    if (key !== "u") return false;
    this.undo();
    return true;
  }
}
