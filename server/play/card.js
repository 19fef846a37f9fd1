// What is known of an environment: its kind and levels, and its measured figures as drawings.

import { fill, h } from "./dom.js";
import { among, line } from "./spark.js";
import { KINDS, micros, number, percent } from "./words.js";

const BY_LEVEL = [
  ["difficulty", "Difficulty", "what the solver has to search, level by level", false, number],
  ["tokens", "Tokens", "of the opening, about, level by level", false, number],
  ["moves", "Moves", "of a perfect player, level by level", false, number],
  ["floor", "Floor", "earned by the best player without skill, level by level", true, number],
  ["random_baseline", "Random baseline", "earned by a blind guess, level by level", true, number],
];
const TIMES = [
  ["sample_us", "Sample", "time to sample a task at the middle level, among all environments"],
  ["verify_us", "Verify", "time to judge a reply, among all environments"],
];

/** The card of an environment among `all`; `update(level)` marks another level in the drawings. */
export function figures(card, all) {
  const table = h("div", { class: "figures" });
  const node = h(
    "section", { class: "card", "aria-label": "Card" },
    h("h2", null, "Card"),
    h("dl", { class: "facts" }, facts(card).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    table,
  );
  return { node, update: (level) => fill(table, rows(card.measured ?? {}, all, level)) };
}

function facts(card) {
  const [low, high] = card.reward_range ?? [0, 1];
  return [
    ["Kind", KINDS[card.kind] ?? card.kind ?? "—"],
    ["Levels", card.levels ? `0 to ${card.levels - 1}` : "—"],
    ["Score", `${low} to ${high}`],
    card.tools?.length && ["Tools", card.tools.length],
    card.tags?.includes("sandboxed") && ["Needs", "the sandbox"],
    card.measured?.duplicates !== undefined && ["Repeats", `${percent(card.measured.duplicates)} of seeds`],
    ["Version", card.version ?? "—"],
    ["Fingerprint", h("code", null, card.fingerprint ?? "—")],
  ].filter(Boolean);
}

function rows(measured, all, level) {
  const levels = BY_LEVEL.filter(([key]) => worth(measured[key])).map(([key, name, what, bounded, told]) => {
    const values = measured[key];
    const at = Math.min(level, values.length - 1);
    const label = `${name}: ${what}: ${values.map(told).join(", ")}`;
    return row(name, what, line(values, { label, at, bounded }), told(values[at]));
  });
  const times = TIMES.filter(([key]) => measured[key] > 0).map(([key, name, what]) => {
    const each = all.map((other) => other.measured?.[key] ?? 0);
    return row(name, what, among(each, measured[key], `${name}: ${what}: ${micros(measured[key])}`), micros(measured[key]));
  });
  return [levels, times];
}

/** Figures that are the same small number at every level say nothing in a drawing. */
const worth = (values) => Array.isArray(values) && values.length > 1 && values.some((value) => value !== values[0] || value > 1);

function row(name, what, drawing, value) {
  return h("div", { class: "figure", title: what }, h("span", { class: "what" }, name), drawing, h("span", { class: "amount" }, value));
}
