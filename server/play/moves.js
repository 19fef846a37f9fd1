// Legal moves as buttons and keys.

import { h } from "./dom.js";

const WAYS = {
  up: { key: "ArrowUp", sign: "↑", words: ["up", "north"] },
  left: { key: "ArrowLeft", sign: "←", words: ["left", "west"] },
  down: { key: "ArrowDown", sign: "↓", words: ["down", "south"] },
  right: { key: "ArrowRight", sign: "→", words: ["right", "east"] },
};
const SHOWN = 60;

/** Moves by their meaning: directions (`left`, `go north`, `U` where all are such letters), and others. */
function sorted(moves, steer = true) {
  const ways = new Map();
  const others = [];
  const letters = moves?.every((move) => /^[UDLR]$/.test(move));
  for (const move of moves ?? []) {
    const word = move.trim().split(/\s+/).pop().toLowerCase();
    const way = Object.keys(WAYS).find((name) => WAYS[name].words.includes(word) || (letters && name[0] === word));
    if (steer && way && !ways.has(way)) ways.set(way, move);
    else others.push(move);
  }
  return { ways, others };
}

/** The move that a key stands for: an arrow, a digit that is a move, or the place in the list. */
export function moveOfKey(key, moves) {
  const { ways, others } = sorted(moves);
  const way = Object.keys(WAYS).find((name) => WAYS[name].key === key);
  if (way) return ways.get(way) ?? null;
  if (!/^[1-9]$/.test(key)) return null;
  if (others.every((move) => /^\d$/.test(move))) return others.includes(key) ? key : null;
  return others[Number(key) - 1] ?? null;
}

/** Whether arrow keys are moves here, also where one of them is not legal just now. */
export const steered = (moves) => sorted(moves).ways.size > 0;

/**
 * Buttons for the moves. Where elements of a board can be clicked instead, they are folded away;
 * without `way`, directions are buttons like all others.
 */
export function pad(moves, play, { folded = false, way = true } = {}) {
  const { ways, others } = sorted(moves, way);
  if (!moves?.length) return null;
  const digits = others.every((move) => /^\d$/.test(move));
  const button = (move, n) =>
    h(
      "button", { type: "button", class: "move", data: { key: `move ${move}` }, on: { click: () => play(move) } },
      move, n < 9 && !digits && h("kbd", { "aria-hidden": "true" }, n + 1),
    );
  const list = others.length > 0 && h(
    "div", { class: "moves" }, others.slice(0, SHOWN).map(button),
    others.length > SHOWN && h("span", { class: "hint" }, `and ${others.length - SHOWN} more; type them`),
  );
  return h(
    "div", { class: "pad", role: "group", "aria-label": "Legal moves" },
    ways.size > 0 && steering(ways, play),
    list && (folded ? h("details", null, h("summary", null, `All ${others.length} legal moves (or choose on the board)`), list) : list),
  );
}

function steering(ways, play) {
  const buttons = Object.entries(WAYS).map(([name, way]) => {
    const move = ways.get(name);
    return h(
      "button",
      {
        type: "button", class: `way ${name}`, data: { key: `way ${name}` }, title: move ?? `${name} is not a legal move`,
        "aria-label": move ?? name, "aria-disabled": move ? null : "true",
        on: { click: () => move && play(move) },
      },
      way.sign,
    );
  });
  return h("div", { class: "ways" }, buttons);
}
