// Keys of the page: who listens to which, and the list of them under `?`.

import { fill, h, remember, remembered } from "./dom.js";

const lists = [];
let single = remembered("keys") !== "off";

/**
 * Listens to keys until the function that this gives is called. A binding is `{keys, what, run}`,
 * where `run` may tell by `false` that the key was not for it; `says` is how the list puts it.
 */
export function listen(title, bindings) {
  const list = { title, bindings };
  lists.push(list);
  return () => lists.splice(lists.indexOf(list), 1);
}

/** Hears the keyboard, except for what is somebody else's, and leaves all combinations alone. */
export function hear() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!single || isTaken(event) || document.querySelector("dialog[open]")) return;
    for (const { bindings } of [...lists].reverse()) {
      const binding = bindings.find(({ keys }) => keys.includes(event.key));
      if (binding && binding.run(event.key) !== false) {
        event.preventDefault();
        return;
      }
    }
  });
}

/** Whether a key is for what has the focus: all are for a box, arrows for a slider or a choice. */
function isTaken({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=range], input[type=radio]")) return key.startsWith("Arrow");
  return target.matches("input:not([type=checkbox]), textarea, select");
}

/** The list of keys. */
export function help() {
  const check = h("input", { type: "checkbox", checked: single });
  check.addEventListener("change", () => {
    single = check.checked;
    remember("keys", single ? null : "off");
  });
  const sections = [...lists].reverse().map(({ title, bindings }) => [
    h("h3", null, title),
    h("dl", { class: "keys" }, bindings.map(({ keys, says, what }) => h(
      "div", null,
      h("dt", null, (says ?? keys).map((key) => h("kbd", null, key))),
      h("dd", null, what),
    ))),
  ]);
  dialog(
    "Keys",
    sections,
    h("p", { class: "hint" }, "Tab moves through the page; Escape leaves a text box. In boxes for moves, Enter sends; in all others, Ctrl or ⌘ with Enter does."),
    h("label", { class: "check" }, check, "Enable keys without Ctrl"),
  );
}

/** A dialog; the focus returns to where it was when it closes. Gives what it was closed with. */
export function dialog(title, ...content) {
  const before = document.activeElement;
  const close = h("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  const heading = h("h2", { id: "dialog-title" }, title);
  const node = h("dialog", { "aria-labelledby": "dialog-title" }, h("header", null, heading, close));
  node.append(...fill(h("div"), ...content).childNodes);
  close.addEventListener("click", () => node.close());
  node.addEventListener("click", (event) => event.target === node && node.close());
  document.body.append(node);
  node.showModal();
  return new Promise((resolve) => {
    node.addEventListener("close", () => {
      node.remove();
      before?.focus?.();
      resolve(node.returnValue);
    });
  });
}
