// The combinators of an environment: those that it has, and those that can be added.

import { knob } from "./controls.js";
import { fill, h, unique } from "./dom.js";

/**
 * A box with the combinators of an environment. `choose(name)` hears of the name of another one,
 * which has a combinator more or less. Empty where the service lists none.
 */
export function combinators(card, choose) {
  const [base, ...own] = card.name.split("+");
  const more = card.combinators ?? [];
  if (!own.length && !more.length) return null;
  const without = (n) => [base, ...own.filter((_, other) => other !== n)].join("+");
  const chips = own.map((text, n) =>
    h("span", { class: "knob own" }, h("b", null, text), " ",
      h("button", { type: "button", class: "plain", title: `Remove ${text}`, "aria-label": `Remove ${text}`, on: { click: () => choose(without(n)) } }, "×")));
  return h(
    "details", { class: "byhand combining", open: own.length > 0 },
    h("summary", null, h("span", { class: "label" }, "Combinators"), own.length ? chips : h("span", { class: "knob" }, "none")),
    more.length ? adder(more, (text) => choose(`${card.name}+${text}`)) : h("p", { class: "hint" }, "No further combinator applies."),
  );
}

/** A choice among combinators with their arguments; `add(text)` hears of the chosen one. */
function adder(more, add) {
  const id = unique("combinator");
  const about = h("p", { class: "hint" });
  const boxes = h("div", { class: "knobs" });
  const select = h("select", { id, on: { change: show } }, more.map(({ name }) => h("option", { value: name }, name.replaceAll("_", " "))));
  const button = h("button", { type: "button", class: "primary", on: { click: () => valid() && add(text()) } }, "Add");
  let values = {};

  const chosen = () => more.find(({ name }) => name === select.value);
  const valid = () => [...boxes.querySelectorAll("input")].every((input) => input.reportValidity());

  function text() {
    const listed = chosen().arguments.map(({ name }) => values[name]);
    return listed.length ? `${select.value}(${listed.join(",")})` : select.value;
  }

  function show() {
    const { summary, arguments: schemas } = chosen();
    values = Object.fromEntries(schemas.map((schema) => [schema.name, schema.default]));
    const fields = schemas.map((schema) => knob(schema, schema.name, (value) => (values[schema.name] = value)));
    schemas.forEach((schema, n) => fields[n].update(schema.default));
    fill(about, summary);
    fill(boxes, h("div", { class: "field" }, h("label", { for: id }, "Combinator"), select), fields.map((each) => each.node), button);
  }

  show();
  return h("div", null, boxes, about);
}
