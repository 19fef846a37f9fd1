// Tools as forms, made from the JSON Schema of their arguments.

import { fill, h, unique } from "./dom.js";

/** A text of so many characters may have several lines. */
const LONG = 2000;

/**
 * A form for each tool, one of them open at a time; `call` gets a tool's name and arguments. Without
 * `done` there is no button for it, because a session ends with an answer.
 */
export function toolbox(tools, call, done) {
  const functions = tools.map((tool) => tool.function ?? tool);
  const panel = h("div", { class: "tool" });
  const tabs = functions.map((tool, n) =>
    h("button", { type: "button", class: "tab", "aria-pressed": "false", on: { click: () => open(n) } }, tool.name),
  );
  function open(n) {
    tabs.forEach((tab, other) => tab.setAttribute("aria-pressed", String(other === n)));
    fill(panel, form(functions[n], call));
  }
  open(0);
  return h(
    "section", { class: "toolbox", "aria-label": "Tools" },
    h("h3", null, "Tools"),
    h("div", { class: "tabs" }, tabs, done && h("button", { type: "button", class: "tab done", on: { click: done } }, "done")),
    panel,
  );
}

function form(tool, call) {
  const schema = tool.parameters ?? {};
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    field(name, settled(property, schema), required.has(name)),
  );
  const submit = (event) => {
    event.preventDefault();
    const values = fields.map((each) => [each.name, each.read()]);
    if (event.target.reportValidity()) call(tool.name, Object.fromEntries(values.filter(([, value]) => value !== undefined)));
  };
  return h(
    "form", { on: { submit } },
    tool.description && h("p", { class: "about" }, tool.description),
    fields.map((each) => each.node),
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, `Call ${tool.name}`)),
  );
}

/** A schema without its references, and without the null that stands for leaving it out. */
function settled(schema, whole, depth = 0) {
  if (depth > 8) return schema;
  if (schema.$ref) {
    const target = schema.$ref.replace(/^#\//, "").split("/").reduce((at, key) => at?.[key], whole);
    return settled({ ...(target ?? {}), ...without(schema, "$ref") }, whole, depth + 1);
  }
  const kinds = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => each.type !== "null");
  if (kinds.length === 1) return settled({ ...without(schema, "anyOf", "oneOf"), ...kinds[0] }, whole, depth + 1);
  return schema;
}

function without(schema, ...names) {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

/** One argument: its label, what it is entered with, and how that is read. */
function field(name, schema, required) {
  const id = unique("field");
  const about = [schema.description, bounds(schema)].filter(Boolean).join(" ");
  const common = { id, name, "aria-describedby": about ? `${id}-about` : null };
  const { input, read } = entry(schema, common, required);
  const label = h("label", { for: id }, name, required && h("span", { class: "must", title: "needed" }, " *"));
  const hint = about && h("span", { class: "hint", id: `${id}-about` }, about);
  const flat = schema.type === "boolean";
  return { name, read, node: h("div", { class: flat ? "field flat" : "field" }, flat ? [input, label] : [label, input], hint) };
}

function bounds(schema) {
  const [low, high] = [schema.minimum, schema.maximum];
  const kind = { integer: "A whole number", number: "A number" }[schema.type];
  if (kind && low !== undefined && high !== undefined) return `${kind} from ${low} to ${high}.`;
  return kind ? `${kind}.` : "";
}

function entry(schema, common, required) {
  const start = schema.default ?? undefined;
  if (schema.const !== undefined || Array.isArray(schema.enum)) return choice(schema.enum ?? [schema.const], common, required, start);
  if (schema.type === "boolean") {
    const input = h("input", { ...common, type: "checkbox", checked: start === true });
    return { input, read: () => (input.checked || required || start === true ? input.checked : undefined) };
  }
  if (schema.type === "integer" || schema.type === "number") {
    const input = h("input", {
      ...common, type: "number", required, step: schema.type === "integer" ? 1 : "any",
      min: schema.minimum, max: schema.maximum, value: start ?? "",
    });
    return { input, read: () => (input.value === "" ? undefined : Number(input.value)) };
  }
  if (schema.type === "string" && schema.maxLength >= LONG) {
    const input = h("textarea", {
      ...common, required, maxlength: schema.maxLength, rows: 6, spellcheck: "false", class: "code", value: start ?? "",
    });
    return { input, read: () => (input.value === "" ? undefined : input.value) };
  }
  if (schema.type === "string") {
    const input = h("input", {
      ...common, type: "text", required, maxlength: schema.maxLength, minlength: schema.minLength,
      value: start ?? "", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    });
    return { input, read: () => (input.value === "" ? undefined : input.value) };
  }
  return json(common, required, start);
}

function choice(values, common, required, start) {
  const options = values.map((value, n) => h("option", { value: String(n) }, String(value)));
  const input = h("select", { ...common, required }, h("option", { value: "" }, required ? "Choose…" : "—"), options);
  if (start !== undefined) input.value = String(values.indexOf(start));
  return { input, read: () => (input.value === "" ? undefined : values[Number(input.value)]) };
}

/** Lists, objects and whatever else: written as JSON. */
function json(common, required, start) {
  const input = h("textarea", {
    ...common, required, rows: 3, spellcheck: "false", placeholder: "JSON", class: "code",
    value: start === undefined ? "" : JSON.stringify(start),
  });
  const read = () => {
    input.setCustomValidity("");
    if (!input.value.trim()) return undefined;
    try {
      return JSON.parse(input.value);
    } catch {
      input.setCustomValidity("Enter JSON, such as [1, 2] or {\"name\": \"x\"}.");
      return undefined;
    }
  };
  input.addEventListener("input", () => input.setCustomValidity(""));
  return { input, read };
}
