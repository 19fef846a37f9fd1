// What is said to a task: how an answer is marked, and where in a reply it was found.

import { h, scrollable, unique } from "./dom.js";

const MARKS = {
  tags: { label: "<answer> tags", has: (text) => /<answer>/i.test(text), put: (text) => `<answer>${text}</answer>` },
  boxed: { label: "\\boxed{}", has: (text) => text.includes("\\boxed{"), put: (text) => `\\boxed{${text}}` },
  bare: { label: "", has: () => true, put: (text) => text },
};

/** The marks of an answer format, whose options follow its name: `tags-last` has those of `tags`. */
const marksOf = (answer_format) => MARKS[nameOf(answer_format)];
const nameOf = (answer_format) => String(answer_format).split("-")[0];

/** A text as a reply in an answer format, marked unless it is marked already. */
export const marked = (answer_format, text) => (marksOf(answer_format).has(text) ? text : marksOf(answer_format).put(text));

/**
 * Where in a reply the judge found the answer, as `[start, end]`; `extracted` is what it says it
 * read. Without that, where the last mark is.
 */
export function span(answer_format, reply, extracted = null) {
  const mark = lastMark(answer_format, reply);
  const wanted = extracted?.trim();
  if (!wanted) return extracted === null ? trimmed(reply, mark) : null;
  const inside = mark ? reply.lastIndexOf(wanted, mark[1] - wanted.length) : -1;
  const start = inside >= (mark?.[0] ?? 0) ? inside : reply.lastIndexOf(wanted);
  return start < 0 ? null : [start, start + wanted.length];
}

function lastMark(answer_format, reply) {
  if (nameOf(answer_format) === "bare") return [0, reply.length];
  if (nameOf(answer_format) === "tags") {
    const match = [...reply.matchAll(/<answer>((?:(?!<answer>)[^])*?)<\/answer>/gi)].at(-1);
    return match ? [match.index + 8, match.index + 8 + match[1].length] : null;
  }
  const start = reply.lastIndexOf("\\boxed{") + 7;
  if (start < 7) return null;
  let depth = 1;
  for (let n = start; n < reply.length; n += 1) {
    depth += { "{": 1, "}": -1 }[reply[n]] ?? 0;
    if (depth === 0) return [start, n];
  }
  return null;
}

function trimmed(reply, mark) {
  if (!mark) return null;
  const inner = reply.slice(...mark);
  const start = mark[0] + inner.length - inner.trimStart().length;
  return inner.trim() ? [start, start + inner.trim().length] : null;
}

/** A reply with the answer in it marked. */
export function shown(answer_format, reply, extracted = null) {
  if (!reply) return h("p", { class: "reply empty" }, "An empty reply.");
  const range = span(answer_format, reply, extracted);
  const parts = range && [
    reply.slice(0, range[0]),
    h("mark", { title: "The answer that was read" }, reply.slice(...range)),
    reply.slice(range[1]),
  ];
  return scrollable(h("pre", { class: "reply" }, parts ?? reply), "Reply");
}

/**
 * A box to write replies in. `send` gets each as it goes out. With `brief`, Enter sends, for moves
 * of a word; otherwise Enter is a new line, and Ctrl or ⌘ with Enter sends.
 */
export function replyBox({ answer_format, label, button, brief = false, send }) {
  const id = unique("reply");
  const box = h("textarea", {
    id, rows: brief ? 2 : 6, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    placeholder: brief ? "Your move" : "Your answer, with or without reasoning",
    "aria-describedby": `${id}-hint`,
  });
  const check = h("input", { type: "checkbox", checked: answer_format !== "bare" });
  const reply = () => (check.checked ? marked(answer_format, box.value) : box.value);
  const go = (event) => {
    event?.preventDefault();
    send(reply());
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && (event.ctrlKey || event.metaKey || (brief && !event.shiftKey))) go(event);
    if (event.key === "Escape") box.blur();
  });
  const node = h(
    "form", { class: "replying", on: { submit: go } },
    h("label", { for: id, class: "label" }, label),
    box,
    h(
      "div", { class: "row" },
      h("button", { type: "submit", class: "primary" }, button),
      answer_format !== "bare" && h("label", { class: "check" }, check, `Add ${marksOf(answer_format).label} where missing`),
      h("span", { class: "hint", id: `${id}-hint` }, brief ? "Enter sends" : "Ctrl or ⌘ + Enter sends"),
    ),
  );
  const write = (text) => (box.value = text);
  const answer = () => {
    const range = answer_format === "bare" ? null : span(answer_format, box.value);
    return range ? box.value.slice(...range) : box.value;
  };
  return { node, focus: () => box.focus(), clear: () => write(""), reply, write, answer };
}
