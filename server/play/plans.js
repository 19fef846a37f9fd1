// Boards on which a plan is entered move by move: pieces are dragged, or chosen and then the element that
// they go to. The service gives the state after the moves so far, and the legal moves.

import * as api from "./api.js";
import { Board } from "./boards.js";
import { fill, h } from "./dom.js";
import { draggable } from "./drags.js";
import { moveOfKey, pad } from "./moves.js";
import { problem } from "./result.js";
import { picture } from "./scenes.js";

export class PlanBoard extends Board {
  constructor(address, entry, write) {
    super(write);
    Object.assign(this, { address, entry, chosen: null, start: entry, busy: Promise.resolve() }); // a step is the state after it
    this.boards = h("div", { class: "panels" });
    this.status = h("p", { class: "hint", "aria-live": "polite" });
    this.pad = h("div", { class: "controls" });
    this.node.append(this.boards, this.status, this.pad, this.buttons);
    this.show();
  }

  /** The state after the moves so far, as the service describes it. */
  get state() {
    return this.steps.at(-1)?.state ?? this.start;
  }

  text() {
    return this.steps.at(-1)?.answer ?? "";
  }

  // ---------------------------------------------------------------- moves

  /** One move after the other: clicks may be faster than the service. */
  play(text) {
    this.busy = this.busy.then(async () => {
      const { state } = this;
      const move = state.moves.find((each) => each.text === text);
      if (!move) return;
      try {
        const { entry } = await api.scene(this.address, move.answer);
        if (this.state === state) this.push({ answer: move.answer, state: entry, text });
      } catch (fault) {
        fill(this.status, problem(fault, () => this.play(text)));
      }
    });
    return this.busy;
  }

  /** The elements to which the piece at an element can go. */
  targets(name) {
    return this.state.moves.flatMap(({ pairs }) => pairs.filter(([from]) => from === name).map(([, to]) => to));
  }

  /** The elements that move together with one. */
  piece(name) {
    const move = this.state.moves.find(({ pairs }) => pairs.some(([from]) => from === name));
    return move.pairs.map(([from]) => from);
  }

  go(from, to) {
    const move = this.state.moves.find(({ pairs }) => pairs.some((pair) => pair[0] === from && pair[1] === to));
    if (!move) return;
    this.landing = to;
    this.play(move.text);
  }

  /** Chooses a piece, or the element where the chosen piece goes. */
  choose(name) {
    if (this.chosen && this.chosen !== name && this.targets(this.chosen).includes(name)) {
      this.go(this.chosen, name);
      return;
    }
    const targets = this.targets(name);
    const ends = new Set(this.state.moves.flatMap(({ pairs }) => pairs.map(([, to]) => to)));
    if (targets.length === 1 && ends.size === 1) this.go(name, targets[0]); // there is no choice
    else this.select(targets.length && this.chosen !== name ? name : null);
  }

  select(name) {
    this.chosen = name;
    const piece = new Set(name ? this.piece(name) : []);
    const targets = new Set(name ? this.targets(name) : []);
    for (const node of this.figure.querySelectorAll(".element")) {
      node.classList.toggle("chosen", piece.has(node.dataset.name));
      node.classList.toggle("target", targets.has(node.dataset.name));
      node.setAttribute("aria-label", this.label(node.dataset.name, piece, targets));
    }
  }

  label(name, piece, targets) {
    const role = piece.has(name) ? ", chosen" : targets.has(name) ? ", can be reached" : "";
    return `${this.names.get(name)}${role}`;
  }

  key(key) {
    const move = key.startsWith("Arrow") && moveOfKey(key, this.texts());
    if (!move) return super.key(key);
    this.play(move);
    return true;
  }

  /** Directions are moves of arrow keys only where a direction alone is a move. */
  texts() {
    const texts = this.state.moves.map(({ text }) => text);
    return texts.every((text) => !/\s/.test(text)) ? texts : [];
  }

  // ---------------------------------------------------------------- showing it

  show() {
    const { state } = this;
    const active = this.node.contains(document.activeElement);
    this.chosen = null;
    this.names = new Map(state.names);
    this.figure = picture(state.drawing, {
      label: "The board; arrow keys go from element to element, Enter chooses a piece and where it goes",
      choices: this.names, choose: (name) => this.choose(name),
    });
    if (this.names.size) {
      draggable(this.figure.querySelector("svg"), {
        targets: (name) => this.targets(name), piece: (name) => this.piece(name), drop: (from, to) => this.go(from, to),
      });
    }
    fill(this.boards, panel("Now", this.figure), state.goal && panel("Goal", picture(state.goal, { label: "The goal" })));
    this.status.textContent = this.progress();
    fill(this.pad, pad(state.moves.map(({ text }) => text), (text) => this.play(text), { folded: this.names.size > 0, way: this.texts().length > 0 }));
    this.changed();
    if (active) this.refocus();
  }

  progress() {
    const { number, limit, units, reason, moves } = this.state;
    const count = limit === null ? `${number} ${units}` : `${number} of at most ${limit} ${units}`;
    const rest = reason || (moves.length ? "" : "There is no legal move.");
    return rest ? `${count}. ${rest}` : count;
  }

  /** The focus follows the piece that moved. */
  refocus() {
    const nodes = [...this.figure.querySelectorAll(".element")];
    const landed = nodes.find((node) => node.dataset.name === this.landing) ?? nodes[0];
    if (!landed) {
      (this.pad.querySelector("button") ?? this.undoButton).focus({ preventScroll: true });
      return;
    }
    for (const node of nodes) node.tabIndex = node === landed ? 0 : -1;
    landed.focus({ preventScroll: true });
  }
}

const panel = (title, figure) => h("div", { class: "panel" }, h("p", { class: "label" }, title), figure);
