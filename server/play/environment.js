// An environment: which task of it, the task itself, its card, and snippets.

import * as api from "./api.js";
import { Arena } from "./arena.js";
import { figures } from "./card.js";
import { combinators } from "./combinators.js";
import { controls, randomSeed, typed } from "./controls.js";
import { copy, fill, h, notice, remember, remembered, settled } from "./dom.js";
import { listen } from "./keys.js";
import { SEEDS, start, write } from "./route.js";
import { Puzzle } from "./puzzle.js";
import { problem } from "./result.js";
import { snippets } from "./snippets.js";
import { capital, KINDS, title } from "./words.js";

export class Environment {
  /** `host` gives `cards()` and hears `moved(route)` when the route changes. */
  constructor(route, host) {
    Object.assign(this, { route, host, game: null, drawing: null });
    this.plain = remembered("plain") === "yes";
    this.node = h("div", { class: "environment" });
    this.task = h("div", { class: "task" });
    this.redraw = settled(() => this.draw());
    this.ready = this.load();
  }

  get title() {
    return title(this.route.env);
  }

  /** Whether a route is one of this view; then it shows it. */
  goes(route) {
    if (route.env !== this.route.env || route.version !== this.route.version) return false;
    if (write(route) === write(this.route)) return true;
    this.route = route;
    this.controls?.update(route);
    this.card?.update(route.level);
    this.draw();
    return true;
  }

  async load() {
    try {
      const { env, version } = this.route;
      const [card, all] = await Promise.all([api.card(env, version), this.host.cards()]);
      if (this.left) return;
      this.lay(card, all);
      await this.draw();
    } catch (fault) {
      const latest = fault.slug === "stale-version" && h("p", null, h("a", { href: start({ name: this.route.env }) }, "Open the installed version"));
      fill(this.node, problem(fault, () => this.host.reload()), latest);
    }
  }

  lay(card, all) {
    if (card.name !== this.route.env) this.named(card.name);
    this.kind = card.kind ?? "puzzle";
    this.about = card;
    this.card = figures(card, all);
    this.controls = controls(card, (part) => this.change(part));
    this.snippets = snippets();
    const [category] = card.name.split("/");
    fill(
      this.node,
      h(
        "header", { class: "heading" },
        h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Catalog"), " / ", h("a", { href: `#/?category=${encodeURIComponent(category)}` }, capital(category))),
        h("h1", { tabindex: "-1" }, title(card.name)),
        h("p", { class: "lede" }, card.summary ?? ""),
        h("p", { class: "meta" }, h("code", null, card.name), h("span", { class: "kind", data: { kind: card.kind ?? "" } }, KINDS[card.kind] ?? ""),
          (card.tags ?? []).map((tag) => h("a", { class: "tag", href: `#/?tag=${encodeURIComponent(tag)}` }, tag))),
      ),
      this.controls.node,
      this.task,
      h("aside", { class: "rail", "aria-label": "About" }, this.snippets.node, this.card.node),
    );
    const combining = combinators(card, (name) => this.combine(name));
    if (combining) this.controls.node.append(combining);
    this.controls.update(this.route);
    this.card.update(this.route.level);
    this.unlisten = listen("This environment", this.bindings());
  }

  /** The name of a combination has all arguments of its combinators. */
  named(name) {
    this.route = { ...this.route, env: name };
    this.host.moved(this.route);
  }

  /** Goes to the same task with a combinator more or less. */
  combine(name) {
    location.hash = write({ ...this.route, env: name, version: "", sessions: [] });
  }

  change(part) {
    this.route = { ...this.route, ...part, sessions: [] };
    this.host.moved(this.route);
    this.controls.update(this.route);
    this.card.update(this.route.level);
    this.redraw();
  }

  // ---------------------------------------------------------------- the task

  /** Draws the task of the route; a drawing in progress is aborted. */
  async draw() {
    if (this.left) return null;
    this.drawing?.abort();
    const { signal } = (this.drawing = new AbortController());
    this.task.setAttribute("aria-busy", "true");
    try {
      const game = await (this.kind === "puzzle" ? this.puzzle(signal) : this.arena(signal));
      if (signal.aborted) return game.leave();
      this.show(game);
    } catch (fault) {
      if (signal.aborted) return null;
      this.close();
      fill(this.task, problem(fault, () => this.draw()));
    }
    this.task.removeAttribute("aria-busy");
    return null;
  }

  wish() {
    const { env, level, seed, split, answer_format, knobs } = this.route;
    return { env, level, seed, split, answer_format, knobs: typed(this.about, knobs) };
  }

  async puzzle(signal) {
    return new Puzzle(await api.task(this.wish(), signal), this.route.answer_format, this.watcher());
  }

  async arena(signal) {
    const standings = (await this.restored(signal)) ?? [await api.open(this.wish(), signal)];
    return new Arena(standings, this.route.answer_format, this.watcher());
  }

  /** The sessions that the route names, unless they have expired. */
  async restored(signal) {
    const { sessions, env, seed, split } = this.route;
    if (!sessions.length) return null;
    const results = await Promise.allSettled(sessions.map((id) => api.see(id, signal)));
    const last = seed + (split === "eval" ? SEEDS : 0);
    const ours = results.flatMap(({ value }) => (value?.address.startsWith(`${env}@`) && value.address.endsWith(`seed=${last}`) ? [value] : []));
    if (!ours.length) notice("The session of this link has ended; this is a new session.");
    return ours.length ? ours : null;
  }

  watcher() {
    return { plain: () => this.plain, changed: () => this.changed() };
  }

  show(game) {
    this.close();
    this.game = game;
    fill(this.task, this.looks(), game.node);
    this.changed();
  }

  /** Boards drawn, or the text as the model reads it. */
  looks() {
    const check = h("input", { type: "checkbox", checked: this.plain });
    check.addEventListener("change", () => this.look(check.checked));
    this.plainCheck = check;
    const link = h("button", { type: "button", class: "plain", title: "Copy a link to this task", on: { click: () => copy(this.permalink(), link) } }, "Copy link");
    return h("div", { class: "looks" }, link, h("label", { class: "check" }, check, "Show the text that the model reads"));
  }

  /** A link to the task; sessions are of those who opened them. */
  permalink() {
    return location.href.replace(/#.*/, "") + write({ ...this.route, sessions: [] });
  }

  look(plain) {
    this.plain = plain;
    this.plainCheck.checked = plain;
    remember("plain", plain ? "yes" : null);
    this.game.render();
  }

  /** Replies were made, or sessions opened and closed: the link and the snippets say so. */
  changed() {
    if (!this.game) return;
    const { env, level, split, answer_format, knobs } = this.route;
    this.snippets.update({
      env, level, split, answer_format, kind: this.kind, knobs: typed(this.about, knobs),
      address: this.game.task.address, replies: this.game.replies,
    });
    this.node.classList.toggle("wide", (this.game.columns?.length ?? 1) > 1);
    const sessions = this.game.sessions ?? [];
    if (String(sessions) === String(this.route.sessions)) return;
    this.route = { ...this.route, sessions };
    this.host.moved(this.route);
  }

  close() {
    this.game?.leave();
    this.game = null;
  }

  leave() {
    this.left = true;
    this.drawing?.abort();
    this.unlisten?.();
    this.close();
  }

  // ---------------------------------------------------------------- the keyboard

  bindings() {
    const seed = (next) => () => this.change({ seed: Math.min(SEEDS - 1, Math.max(0, next(this.route.seed))) });
    const level = (by) => () => {
      const next = this.route.level + by;
      if (next >= 0 && next < this.about.levels) this.change({ level: next, knobs: {} });
    };
    const played = (key) => this.game?.key(key) ?? false;
    const playing = this.kind !== "puzzle" ? [
      { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], says: ["←", "→", "↑", "↓"], what: "Move in this direction, if it is a legal move", run: played },
      { keys: [..."123456789"], says: ["1", "…", "9"], what: "Play this move of the list", run: played },
      { keys: ["u"], what: "Undo the last reply", run: played },
      { keys: ["f"], what: "Fork into a second column", run: played },
    ] : [
      { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], says: ["←", "→", "↑", "↓"], what: "Move in this direction, on boards where that is a move", run: played },
      { keys: ["u"], what: "Undo the last entry on the board", run: played },
      { keys: ["c"], what: "Check the entries so far, if the service shows answers", run: played },
    ];
    return [
      ...playing,
      { keys: ["n"], what: "Next seed", run: seed((now) => now + 1) },
      { keys: ["p"], what: "Previous seed", run: seed((now) => now - 1) },
      { keys: ["r"], what: "Random seed", run: seed(randomSeed) },
      { keys: ["["], what: "Lower level", run: level(-1) },
      { keys: ["]"], what: "Higher level", run: level(1) },
      { keys: ["e"], what: "Switch between training and evaluation split", run: () => this.change({ split: this.route.split === "eval" ? "train" : "eval" }) },
      { keys: ["b"], what: "Show boards as drawings or as text", run: () => this.look(!this.plain) },
      { keys: ["i"], what: "Write a reply", run: () => this.game?.focus() },
    ];
  }
}
