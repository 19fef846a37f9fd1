// Which task of an environment: level, seed, split, answer format, and knobs by hand.

import { fill, h, unique } from "./dom.js";
import { SEEDS, ANSWER_FORMATS } from "./route.js";

/**
 * The controls of an environment. `change(part)` hears of every choice; `update(route)` shows the
 * choices of a route.
 */
export function controls(card, change) {
  const top = Math.max(0, (card.levels ?? 1) - 1);
  const names = Object.keys(card.knobs_schema?.properties ?? {});
  let route = null;

  const level = h("input", {
    type: "range", id: unique("level"), min: 0, max: top, step: 1, disabled: top === 0,
    on: { input: () => change({ level: Number(level.value), knobs: {} }) },
  });
  const levelTold = h("output", { for: level.id });
  const seed = h("input", {
    type: "number", id: unique("seed"), min: 0, max: SEEDS - 1, step: 1, inputmode: "numeric",
    on: { change: () => change({ seed: clamped(seed.value) }) },
  });
  const seedButton = (sign, label, next) =>
    h("button", { type: "button", title: label, "aria-label": label, on: { click: () => change({ seed: next(route.seed) }) } }, sign);
  const split = choices("Split", ["train", "eval"], (chosen) => change({ split: chosen }));
  // Formats with options, such as tags-last, are chosen in the address: there are too many to show.
  const plain = ANSWER_FORMATS.filter((name) => !name.includes("-"));
  const answer_format = choices("Answer format", plain, (chosen) => change({ answer_format: chosen }));
  const byHand = names.map((name) => knob(card.knobs_schema.properties[name], name, (value) => {
    change({ knobs: { ...route.knobs, [name]: String(value) } });
  }));
  const reset = h("button", { type: "button", on: { click: () => change({ knobs: {} }) } }, "Reset to the level");
  const summary = h("summary");

  function update(next) {
    route = next;
    level.value = next.level;
    levelTold.textContent = `${Math.min(next.level, top)} of 0–${top}`;
    level.setAttribute("aria-valuetext", `Level ${next.level} of 0 to ${top}`);
    if (document.activeElement !== seed) seed.value = next.seed;
    split.update(next.split);
    answer_format.update(next.answer_format);
    const values = names.map((name) => [name, next.knobs[name] ?? atLevel(card, name, next.level)]);
    fill(summary, h("span", { class: "label" }, "Knobs"), values.map(([name, value]) =>
      h("span", { class: name in next.knobs ? "knob own" : "knob" }, name.replaceAll("_", " "), " ", h("b", null, String(value)))));
    values.forEach(([, value], n) => byHand[n].update(value));
    reset.hidden = Object.keys(next.knobs).length === 0;
  }

  const node = h(
    "section", { class: "choosing", "aria-label": "Task settings" },
    h("div", { class: "choice level" }, h("label", { for: level.id, class: "label" }, "Level"), levelTold, level),
    h(
      "div", { class: "choice seed" }, h("label", { for: seed.id, class: "label" }, "Seed"),
      h(
        "div", { class: "joined" },
        seedButton("‹", "Previous seed (p)", (now) => Math.max(0, now - 1)), seed,
        seedButton("›", "Next seed (n)", (now) => Math.min(SEEDS - 1, now + 1)),
        seedButton("Random", "Random seed (r)", randomSeed),
      ),
    ),
    split.node, answer_format.node,
    names.length > 0 && h("details", { class: "byhand" }, summary, h("div", { class: "knobs" }, byHand.map((each) => each.node), reset)),
  );
  return { node, update };
}

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;

const clamped = (text) => Math.min(SEEDS - 1, Math.max(0, Math.trunc(Number(text)) || 0));

/** What a knob is at a level: its last value holds from there on. */
function atLevel(card, name, level) {
  const rungs = card.knobs?.[name] ?? card.knobs_schema.properties[name].examples ?? [];
  return rungs[Math.min(level, rungs.length - 1)] ?? card.knobs_schema.properties[name].default;
}

/** Knobs set by hand, in the types that the service wants them in. */
export function typed(card, knobs) {
  const known = card.knobs_schema?.properties ?? {};
  const read = { integer: Number, number: Number, boolean: (text) => text === "true" };
  return Object.fromEntries(Object.entries(knobs).map(([name, text]) => [name, (read[known[name]?.type] ?? String)(text)]));
}

function choices(label, options, choose) {
  const name = unique("choice");
  const inputs = options.map((value) => h("input", { type: "radio", name, value, id: `${name}-${value}`, on: { change: () => choose(value) } }));
  const node = h(
    "fieldset", { class: "choice" }, h("legend", { class: "label" }, label),
    h("div", { class: "segments" }, inputs.map((input) => [input, h("label", { for: input.id }, input.value)])),
  );
  return { node, update: (value) => inputs.forEach((input) => (input.checked = input.value === value)) };
}

/** A box for one knob, or one argument of a combinator, within its bounds. */
export function knob(schema, name, set) {
  const id = unique("knob");
  let input;
  if (Array.isArray(schema.enum) || schema.type === "boolean") {
    const options = (schema.enum ?? [false, true]).map((each) => h("option", { value: String(each) }, String(each)));
    input = h("select", { id, on: { change: () => set(input.value) } }, options);
  } else if (schema.type === "string") {
    input = h("input", { id, type: "text", pattern: schema.pattern, on: { change: () => input.reportValidity() && set(input.value) } });
  } else {
    const max = schema.maximum ?? schema.exclusiveMaximum - 1;
    input = h("input", {
      id, type: "number", min: schema.minimum, max, step: schema.type === "integer" ? 1 : "any",
      on: { change: () => input.value !== "" && input.reportValidity() && set(input.value) },
    });
  }
  const range = schema.minimum !== undefined && h("span", { class: "hint" }, `${input.min} to ${input.max}`);
  const node = h("div", { class: "field" }, h("label", { for: id }, name.replaceAll("_", " ")), input, range);
  return { node, update: (value) => (input.value = String(value)) };
}
