// The task that is shown, for other ways in: curl, Python, TRL.

import { BASE, hasToken } from "./api.js";
import { copy, fill, h } from "./dom.js";

/** Snippets with buttons to copy them; `update(shown)` puts another task into them. */
export function snippets() {
  const code = h("code");
  const tabs = {};
  let shown = null;
  let chosen = "curl";
  const draw = () => {
    for (const [name, tab] of Object.entries(tabs)) tab.setAttribute("aria-pressed", String(name === chosen));
    fill(code, shown ? MAKERS[chosen](shown) : "");
  };
  for (const name of Object.keys(MAKERS)) {
    tabs[name] = h("button", { type: "button", class: "tab", on: { click: () => ((chosen = name), draw()) } }, name);
  }
  const button = h("button", { type: "button", on: { click: () => copy(code.textContent, button) } }, "Copy");
  const node = h(
    "section", { class: "snippets", "aria-label": "Snippets" },
    h("div", { class: "row" }, h("h2", null, "Use from code"), button),
    h("div", { class: "tabs" }, Object.values(tabs)),
    h("pre", { class: "code", tabindex: "0" }, code),
  );
  return { node, update: (task) => ((shown = task), draw()) };
}

const MAKERS = { curl, Python: python, TRL: trl };

/** A text for a POSIX shell. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text for Python: a string of JSON is one of Python's too. */
const literal = (text) => JSON.stringify(text);

function curl({ address, replies, answer_format, kind }) {
  const token = hasToken() ? ` \\\n  -H "authorization: Bearer $PALAESTRA_TOKEN"` : "";
  const body = { address, replies: repliesOf(replies, kind) };
  if (answer_format !== "tags") body.answer_format = answer_format;
  return `curl -s ${quoted(`${BASE}/v1/score`)}${token} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body, null, 2))}`;
}

function python({ address, replies, answer_format, kind }) {
  const token = hasToken() ? `, token=os.environ["PALAESTRA_TOKEN"]` : "";
  const content = repliesOf(replies, kind);
  const text = typeof content === "string" ? literal(content) : `[\n${content.map((reply) => `    ${literal(reply)},\n`).join("")}]`;
  return [
    token && "import os\n",
    "from palaestra.client import Client\n",
    `address = ${literal(address)}`,
    `replies = ${text}\n`,
    `with Client(${literal(BASE)}${token}) as client:`,
    `    score = client.score(address, replies${answer_format === "tags" ? "" : `, answer_format=${literal(answer_format)}`})`,
    "    print(score)",
  ].filter(Boolean).join("\n");
}

function trl({ env, level, split, knobs, kind }) {
  const wish = [literal(env), "range(1_000)", `level=${level}`];
  if (split !== "train") wish.push(`split=${literal(split)}`);
  for (const [name, value] of Object.entries(knobs)) wish.push(`${name}=${typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)}`);
  const note = kind === "puzzle" ? "" : "# trl.reward judges one completion as the whole episode; for\n# several turns, play palaestra.Episode in a rollout function.\n";
  return `${note}from trl import GRPOTrainer

from palaestra.trainers import trl

trainer = GRPOTrainer(
    model="Qwen/Qwen3-0.6B",
    reward_funcs=trl.reward,
    train_dataset=trl.dataset(
        ${wish.join(",\n        ")},
    ),
)
trainer.train()`;
}

const repliesOf = (replies, kind) => (kind === "puzzle" ? (replies[0] ?? "<answer>…</answer>") : replies);
