// The page: which view the hash of the URL asks for, the theme, the token, the list of keys.

import * as api from "./api.js";
import { Catalog } from "./catalog.js";
import { Compare } from "./compare.js";
import { fill, h, notice, remember } from "./dom.js";
import { Environment } from "./environment.js";
import { dialog, hear, help, listen } from "./keys.js";
import { read, write } from "./route.js";
import { problem } from "./result.js";

const main = document.getElementById("main");
let view = null;
let known = null;

const host = {
  /** All cards, requested once. */
  cards() {
    known ??= api.cards().catch((fault) => {
      known = null;
      throw fault;
    });
    return known;
  },
  /** The route changes, and the view stays. */
  moved(route) {
    history.replaceState(null, "", write(route));
  },
  reload() {
    view?.leave();
    view = null;
    show();
  },
};

const viewOf = ({ view: name, env }) => (name === "compare" ? Compare : env ? Environment : Catalog);

async function show() {
  const route = read(location.hash);
  if (view?.goes(route)) return;
  const first = view === null;
  view?.leave();
  view = new (viewOf(route))(route, host);
  const { node, ready, title } = view;
  document.title = `${title} · Palaestra`;
  fill(main, node);
  node.setAttribute("aria-busy", "true");
  try {
    await ready;
  } catch (fault) {
    fill(node, problem(fault, host.reload));
  }
  node.removeAttribute("aria-busy");
  if (!first) {
    scrollTo(0, 0);
    node.querySelector("h1")?.focus({ preventScroll: true });
  }
}

// ------------------------------------------------------------------ theme

const THEMES = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

function theme(next) {
  const root = document.documentElement;
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  remember("theme", next === "auto" ? null : next);
  const button = document.getElementById("theme");
  button.textContent = THEMES[next];
  button.title = "Switch between the system's theme, light and dark (t)";
}

function nextTheme() {
  const names = Object.keys(THEMES);
  theme(names[(names.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % names.length]);
}

// ------------------------------------------------------------------ token

let asking = null;

/** Asks for a token, once however many requests wait for it; whether one was entered. */
function askForToken() {
  asking ??= tokenDialog().finally(() => {
    asking = null;
    tokenButton();
  });
  return asking;
}

async function tokenDialog() {
  const box = h("input", { type: "password", id: "token-box", autocomplete: "off", spellcheck: "false", required: true, autofocus: true });
  const give = (event) => {
    event.preventDefault();
    event.target.closest("dialog").close(box.value);
  };
  const question = api.hasToken() ? "The service does not accept this token. Enter another token:" : "This service requires a token.";
  const entered = await dialog("Token", h(
    "form", { on: { submit: give } },
    h("label", { for: "token-box" }, question), box,
    h("p", { class: "hint" }, "The token is kept until you close this tab, and is sent to this service only."),
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Sign in")),
  ));
  if (entered) api.keepToken(entered);
  return Boolean(entered);
}

function tokenButton() {
  document.getElementById("token").hidden = !api.hasToken();
}

function forgetToken() {
  api.keepToken("");
  tokenButton();
  known = null;
  notice("The token was removed.");
  host.reload();
}

// ------------------------------------------------------------------ the page

function toSearch() {
  if (view?.search) return view.focus(); // at once, for what is typed next is meant for it
  if (read(location.hash).env) location.hash = "#/";
  setTimeout(() => view?.ready.then(() => view.focus?.()));
}

async function footer() {
  const info = await api.service();
  fill(
    document.getElementById("foot"),
    h("span", null, `${info.name} ${info.version}`),
    h("a", { href: "docs" }, "HTTP API"),
    info.isolation && h("span", null, `Sandbox: ${info.isolation}`),
  );
}

api.onMissingToken(askForToken);
hear();
listen("Everywhere", [
  { keys: ["/"], what: "Search the catalog", run: toSearch },
  { keys: ["t"], what: "Change the theme", run: nextTheme },
  { keys: ["?"], what: "Show this list", run: help },
]);
theme(document.documentElement.dataset.theme ?? "auto");
tokenButton();
document.getElementById("theme").addEventListener("click", nextTheme);
document.getElementById("help").addEventListener("click", help);
document.getElementById("token").addEventListener("click", forgetToken);
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the route
  main.focus();
});
addEventListener("hashchange", show);
await show();
footer().catch(() => null); // reported already, where the view failed for the same reason
