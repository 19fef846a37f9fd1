// The catalog: every environment, found by words, category, kind and tag.

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { listen } from "./keys.js";
import { start } from "./route.js";
import { picture } from "./scenes.js";
import { line } from "./spark.js";
import { capital, KINDS, number, plural, title } from "./words.js";

/** Environments to begin with, each with a level at which its picture shows what it is about. */
const FIRST = [
  ["grids/sudoku", 3], ["grids/slitherlink", 2], ["games/minesweeper", 2], ["games/circle_the_cat", 1],
  ["matches/connect_four", 1], ["planning/sokoban", 2], ["planning/rush_hour", 2], ["planning/rubiks_cube", 2],
  ["graphs/shortest_path", 0], ["games/chess_mate", 0], ["planning/ball_sort", 1], ["geometry/point_in_polygon", 1],
];

export class Catalog {
  /** `host` gives `cards()` and hears `moved(route)` when the route changes. */
  constructor(route, host) {
    Object.assign(this, { route, host, entries: [] });
    this.node = h("div", { class: "catalog" });
    this.unlisten = listen("Catalog", [
      { keys: ["ArrowDown", "ArrowUp"], says: ["↓", "↑"], what: "Go to the next or previous environment", run: (key) => this.walk(key === "ArrowDown" ? 1 : -1) },
    ]);
    this.ready = this.load();
  }

  get title() {
    return "Catalog";
  }

  goes(route) {
    if (route.env || route.view) return false;
    this.route = route;
    this.filter();
    return true;
  }

  leave() {
    this.unlisten();
  }

  async load() {
    const cards = await this.host.cards();
    this.entries = cards.map(entry);
    this.search = h("input", {
      type: "search", id: "search", placeholder: "Search names, summaries and tags", autocomplete: "off", spellcheck: "false",
      value: this.route.q, "aria-controls": "listing",
      on: { input: () => this.change({ q: this.search.value }), keydown: (event) => this.searching(event) },
    });
    this.count = h("p", { class: "hint", role: "status" });
    this.listing = h("div", { id: "listing", class: "listing" });
    this.groups = grouped(this.entries);
    this.ranked = this.entries;
    this.results = h("div", { class: "entries" });
    this.best = h("section", { class: "group", "aria-label": "Results", hidden: true }, h("h2", null, "Results"), this.results);
    this.first = this.featured(cards);
    this.choices = {
      category: this.facet("category", "Categories", (card) => [card.category], capital),
      kind: this.facet("kind", "Kinds", (card) => [card.kind], (kind) => KINDS[kind] ?? kind),
      tag: this.facet("tag", "Tags", (card) => card.tags, (tag) => tag),
    };
    const narrow = matchMedia("(max-width: 56rem)").matches;
    fill(
      this.node,
      h(
        "header", { class: "heading" },
        h("h1", { tabindex: "-1" }, `${cards.length} environments`),
        h("p", { class: "lede" }, "Reinforcement learning environments for language models. Choose one, play it, and see how replies are scored."),
      ),
      h("div", { class: "seek" }, h("label", { for: "search", class: "unseen" }, "Search"), this.search, this.count),
      h("details", { class: "facets", open: !narrow }, h("summary", null, "Filters"), Object.values(this.choices).map(({ node }) => node)),
      fill(this.listing, this.first, this.best, this.groups.map(({ node }) => node)),
    );
    this.filter();
  }

  // ---------------------------------------------------------------- finding

  change(part) {
    this.route = { ...this.route, ...part };
    this.host.moved(this.route);
    this.filter();
  }

  /** Shows what fits; the numbers beside each choice are of what it would leave. */
  filter() {
    if (!this.choices) return;
    if (this.search.value !== this.route.q) this.search.value = this.route.q;
    const words = this.route.q.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.entries.filter(({ text }) => words.every((word) => text.includes(word)));
    this.arrange(words, matching);
    const shown = new Set(matching.filter(({ card }) => this.fits(card)));
    for (const each of this.entries) each.node.hidden = !shown.has(each);
    this.best.hidden = !words.length || !shown.size;
    this.first.hidden = shown.size < this.entries.length;
    for (const { node, members } of this.groups) node.hidden = words.length > 0 || !members.some((each) => shown.has(each));
    for (const [name, choice] of Object.entries(this.choices)) {
      choice.update(matching.filter(({ card }) => this.fits(card, name)).map(({ card }) => card), this.route[name]);
    }
    const all = shown.size === this.entries.length;
    this.count.textContent = shown.size ? (all ? "" : `${plural(shown.size, "environment")} of ${this.entries.length}`) : "No environment matches. Try fewer words, or other filters.";
  }

  /** With words to search for, the best match stands first; without, each stands in its category. */
  arrange(words, matching) {
    if (!words.length) {
      this.ranked = this.entries;
      for (const { list, members } of this.groups) list.append(...members.map(({ node }) => node));
      return;
    }
    const others = this.entries.filter((each) => !matching.includes(each));
    this.ranked = [...matching].sort((one, other) => rank(other, words) - rank(one, words)).concat(others);
    this.results.append(...this.ranked.map(({ node }) => node));
  }

  /** A dozen to begin with, with pictures that are asked for once they come into view. */
  featured(cards) {
    const known = new Map(cards.map((card) => [card.name, card]));
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        api.scene(target.dataset.address).then(({ drawing }) => drawing && target.prepend(picture(drawing, { label: "" })), () => null);
      }
    });
    const tiles = FIRST.filter(([name]) => known.has(name)).map(([name, level]) => {
      const card = known.get(name);
      const tile = h("a", { class: "shot", href: start(card), data: { address: `${name}?level=${level}&seed=0` } }, h("h3", null, title(name)));
      seen.observe(tile);
      return tile;
    });
    return h("section", { class: "group first", "aria-label": "Worth trying" }, h("h2", null, "Worth trying"), h("div", { class: "entries" }, tiles));
  }

  fits(card, but = "") {
    const { category, kind, tag } = this.route;
    return (but === "category" || !category || card.category === category)
      && (but === "kind" || !kind || card.kind === kind)
      && (but === "tag" || !tag || card.tags.includes(tag));
  }

  facet(name, label, values, caption) {
    const all = [...new Set(this.entries.flatMap(({ card }) => values(card)))].sort();
    const buttons = all.map((value) => {
      const count = h("span", { class: "count" });
      const choose = () => this.change({ [name]: this.route[name] === value ? "" : value });
      return { value, count, node: h("button", { type: "button", class: "facet", "aria-pressed": "false", on: { click: choose } }, caption(value), count) };
    });
    const update = (cards, chosen) => {
      const counts = new Map();
      for (const value of cards.flatMap(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
      for (const { value, count, node } of buttons) {
        count.textContent = counts.get(value) ?? 0;
        node.setAttribute("aria-pressed", String(value === chosen));
        node.hidden = !counts.has(value) && value !== chosen;
      }
    };
    return { node: h("section", { data: { facet: name }, "aria-label": label }, h("h2", null, label), h("div", { class: "options" }, buttons.map(({ node }) => node))), update };
  }

  // ---------------------------------------------------------------- the keyboard

  focus() {
    this.search?.focus();
    this.search?.select();
  }

  searching(event) {
    const first = this.ranked.find(({ node }) => !node.hidden)?.node;
    if (event.key === "Enter" && first) first.click();
    else if (event.key === "ArrowDown") this.walk(1);
    else if (event.key === "Escape" && this.search.value) this.change({ q: "" });
    else if (event.key === "Escape") this.search.blur();
    else return;
    event.preventDefault();
  }

  walk(by) {
    const shown = this.ranked.map(({ node }) => node).filter((node) => !node.hidden);
    const now = shown.indexOf(document.activeElement);
    if (now < 0 && by < 0) return false;
    if (now === 0 && by < 0) this.focus();
    else shown[Math.min(shown.length - 1, now + by)]?.focus();
    return true;
  }
}

function entry(card) {
  const difficulty = card.measured?.difficulty ?? card.measured?.tokens ?? [];
  const what = card.measured?.difficulty ? "effort of the solver" : "tokens of the first observation";
  const label = `${capital(what)}, by level: ${difficulty.map(number).join(", ")}`;
  const node = h(
    "a", { class: "entry", href: start(card) },
    h("h3", null, title(card.name)),
    h("p", null, card.summary),
    h("span", { class: "kind", data: { kind: card.kind } }, KINDS[card.kind] ?? card.kind),
    h("span", { class: "levels" }, plural(card.levels, "level")),
    difficulty.length > 1 && line(difficulty, { label }),
  );
  return { card, node, text: [card.name, title(card.name), card.summary, ...card.tags].join(" ").toLowerCase() };
}

/** How well an entry fits: its title counts most, then its tags, then what it is about. */
function rank({ card }, words) {
  const own = title(card.name).toLowerCase();
  const whole = own === words.join(" ") ? 1000 : own.startsWith(words.join(" ")) ? 100 : 0;
  const each = (word) => {
    if (own.split(" ").includes(word)) return 12;
    if (own.includes(word)) return 8;
    return card.tags.some((tag) => tag.includes(word)) ? 3 : card.name.includes(word) ? 2 : 1;
  };
  return whole + words.reduce((sum, word) => sum + each(word), 0);
}

function grouped(entries) {
  const groups = new Map();
  for (const each of entries) groups.set(each.card.category, [...(groups.get(each.card.category) ?? []), each]);
  return [...groups].map(([category, members]) => {
    const list = h("div", { class: "entries" }, members.map(({ node }) => node));
    return { members, list, node: h("section", { class: "group", "aria-label": capital(category) }, h("h2", null, capital(category)), list) };
  });
}
