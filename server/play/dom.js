// Making elements. Every text becomes a text node: there is no way from here to markup, and the
// page's Content-Security-Policy (trusted types) bars the others.

const DRAWING = "http://www.w3.org/2000/svg";

/**
 * An element. In `props`, `on` holds listeners and `data` the data attributes; `value`, `checked`
 * and `indeterminate` are set as properties; whatever is null, undefined or false is left out.
 */
export function h(tag, props, ...children) {
  return assemble(document.createElement(tag), props, children);
}

/** The same for the elements of a drawing. */
export function svg(tag, props, ...children) {
  return assemble(document.createElementNS(DRAWING, tag), props, children);
}

function assemble(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...kept(children));
  return node;
}

/** Puts other children into an element. */
export function fill(node, ...children) {
  node.replaceChildren(...kept(children));
  return node;
}

function kept(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Makes an element a stop of the tabulator while it has more content than fits, so that keys scroll it. */
export function scrollable(node, label) {
  const sizes = new ResizeObserver(() => {
    const overflows = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
    for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", label]]) {
      if (overflows) node.setAttribute(name, value);
      else node.removeAttribute(name);
    }
  });
  sizes.observe(node);
  return node;
}

let number = 0;

/** A name that no other element has. */
export function unique(stem) {
  number += 1;
  return `${stem}-${number}`;
}

/** Waits until nothing has been asked for a while, and then does what was asked last. */
export function settled(work, pause = 120) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), pause);
  };
}

/** Puts a text on the clipboard and says so on the button that asked for it. */
export async function copy(text, button) {
  const done = (await written(text)) ? "Copied" : "Not allowed";
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = done;
  setTimeout(() => (button.textContent = label), 1500);
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writtenByHand(text); // pages that came by plain HTTP have no clipboard
  }
}

function writtenByHand(text) {
  const before = document.activeElement;
  const box = h("textarea", { class: "unseen", value: text, readonly: true });
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  before?.focus();
  return done;
}

/** A small store in the browser; without it, nothing is remembered. */
export function remembered(name, store = localStorage) {
  try {
    return store.getItem(`palaestra.${name}`);
  } catch {
    return null;
  }
}

export function remember(name, value, store = localStorage) {
  try {
    if (value === null) store.removeItem(`palaestra.${name}`);
    else store.setItem(`palaestra.${name}`, value);
  } catch {
    // then it holds until the page is left
  }
}

let timer = 0;

/** Says something in passing, also to those who listen. */
export function notice(text) {
  const area = document.getElementById("notices");
  fill(area, h("p", null, text));
  clearTimeout(timer);
  timer = setTimeout(() => fill(area), 6000);
}
