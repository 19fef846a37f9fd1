// What is known of an environment: its kind and levels, and its measured figures as drawings.

import { fill, h } from "./dom.js";
import { among, line } from "./spark.js";
import { KINDS, micros, number, percent } from "./words.js";

const BY_LEVEL = [
  ["difficulty", "Difficulty", "effort of the solver, by level", false, number],
  ["tokens", "Tokens", "tokens of the first observation, by level (approximate)", false, number],
  ["moves", "Turns", "turns of an optimal player, by level", false, number],
  ["floor", "Floor", "highest score of a player without skill, by level", true, number],
  ["baseline", "Baseline", "highest score of a player without search, by level", true, number],
  ["random_baseline", "Random baseline", "score of a random guess, by level", true, number],
];
const TIMES = [
  ["sample_us", "Sample", "time to sample a task at the middle level, compared with all environments"],
  ["verify_us", "Verify", "time to score a reply, compared with all environments"],
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
    ["Type", KINDS[card.kind] ?? card.kind ?? "—"],
    ["Levels", card.levels ? `0 to ${card.levels - 1}` : "—"],
    ["Score", `${low} to ${high}`],
    card.tools?.length && ["Tools", card.tools.length],
    card.tags?.includes("sandboxed") && ["Requires", "the sandbox"],
    card.measured?.duplicates !== undefined && ["Duplicates", `${percent(card.measured.duplicates)} of seeds`],
    ["Version", card.version ?? "—"],
    ["Fingerprint", h("code", null, card.fingerprint ?? "—")],
  ].filter(Boolean);
}

function rows(measured, all, level) {
  const levels = BY_LEVEL.filter(([key]) => worth(measured[key])).map(([key, name, what, bounded, format]) => {
    const values = measured[key];
    const at = Math.min(level, values.length - 1);
    const label = `${name}: ${what}: ${values.map(format).join(", ")}`;
    return row(name, what, line(values, { label, at, bounded }), format(values[at]));
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
