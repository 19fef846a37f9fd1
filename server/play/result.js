// A score, with all that is told of it, and what else may come instead of one.

import { h } from "./dom.js";
import { shown } from "./replies.js";
import { micros, number } from "./words.js";

/** The score of a reply. Without a value nothing was judged, which is not a 0. */
export function scored(result, answer_format, reply = null) {
  const none = result.value === null;
  const tone = none ? "none" : result.value === 1 ? "right" : result.value > 0 ? "partly" : "wrong";
  const word = { none: "Not scored", right: "Solved", partly: "Partly solved", wrong: "Not solved" }[tone];
  return h(
    "section", { class: `score ${tone}`, "aria-label": "Score", data: { status: result.status } },
    h(
      "div", { class: "head" },
      h("output", { class: "value" }, none ? "—" : number(result.value)),
      h("div", { class: "verdict" }, h("strong", null, word), h("span", { class: "status" }, result.status.replaceAll("_", " "))),
      h("span", { class: "hint" }, result.micros > 0 && `judged in ${micros(result.micros)}`),
    ),
    result.reason && h("p", { class: "reason" }, result.reason),
    partsOf(result.parts),
    reply !== null && shown(answer_format, reply, result.extracted ?? ""),
  );
}

function partsOf(parts) {
  const entries = Object.entries(parts ?? {});
  if (!entries.length) return null;
  const most = Math.max(1, ...entries.map(([, value]) => Math.abs(value)));
  const rows = entries.map(([name, value]) => {
    const bar = h("span", { class: "bar" });
    bar.style.setProperty("--share", `${(100 * Math.max(0, value)) / most}%`);
    return h("div", { class: "part" }, h("dt", null, name.replaceAll("_", " ")), h("dd", null, bar, number(value)));
  });
  return h("dl", { class: "parts", "aria-label": "Parts of the score" }, rows);
}

/** What went wrong, and a way to try it again. */
export function problem(fault, again = null) {
  return h(
    "div", { class: "problem", role: "alert" },
    h("p", null, fault.message || String(fault)),
    fault.request && h("p", { class: "hint" }, `Request ${fault.request}`),
    again && h("button", { type: "button", on: { click: again } }, "Try again"),
  );
}
