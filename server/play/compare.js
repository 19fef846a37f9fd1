// Two evaluations side by side: the transcripts of the same tasks, from files that stay in the browser.

import { fill, h, scrollable, unique } from "./dom.js";
import { listen } from "./keys.js";
import { shown } from "./replies.js";
import { attemptsIn, linkTo, matched, OUTCOMES, tally } from "./transcripts.js";
import { number, plural, title } from "./words.js";

const SIDES = ["A", "B"];
const PAGE = 100;
const SHOWN_CHARACTERS = 20_000;

export class Compare {
  constructor(route) {
    this.route = route;
    this.sides = SIDES.map(() => null);
    this.filter = { outcome: "", env: "" };
    this.node = h("div", { class: "compare" });
    this.ready = Promise.resolve();
    this.build();
    this.unlisten = listen("Comparison", [
      { keys: ["ArrowDown", "ArrowUp"], says: ["↓", "↑"], what: "Show the next or previous task", run: (key) => this.walk(key === "ArrowDown" ? 1 : -1) },
      { keys: ["1", "2", "3", "4", "5"], says: ["1", "…", "5"], what: "All tasks, only A right, only B right, both, neither", run: (key) => this.narrow({ outcome: ["", ...Object.keys(OUTCOMES)][key - 1] }) },
    ]);
  }

  get title() {
    return "Compare";
  }

  goes(route) {
    return route.view === "compare";
  }

  leave() {
    this.unlisten();
  }

  // ---------------------------------------------------------------- files

  build() {
    this.results = h("div", { class: "comparison" });
    fill(
      this.node,
      h(
        "header", { class: "heading" },
        h("h1", { tabindex: "-1" }, "Compare two evaluations"),
        h("p", { class: "lede" }, "Choose the files ", h("code", null, "attempts.jsonl"), " of two evaluations by ", h("code", null, "palaestra eval"), ". They are read in this browser and are not uploaded."),
      ),
      h("div", { class: "files" }, SIDES.map((name, side) => this.chooser(name, side))),
      this.results,
    );
  }

  chooser(name, side) {
    const id = unique("file");
    const status = h("p", { class: "hint", id: `${id}-status`, role: "status" });
    const input = h("input", {
      type: "file", id, accept: ".jsonl,.ndjson,.json", "aria-describedby": `${id}-status`,
      on: { change: () => input.files.length && this.load(side, input.files[0], status) },
    });
    return h("div", { class: "file" }, h("label", { for: id, class: "label" }, `Evaluation ${name}`), input, status);
  }

  async load(side, file, status) {
    status.textContent = "Reading…";
    try {
      const { attempts, skipped } = await attemptsIn(file);
      this.sides[side] = attempts.length ? attempts : null;
      status.textContent = [plural(attempts.length, "attempt"), skipped && `${plural(skipped, "line")} without an attempt skipped`].filter(Boolean).join(", ");
    } catch (fault) {
      this.sides[side] = null;
      status.textContent = `The file cannot be read: ${fault.message}`;
    }
    this.match();
  }

  // ---------------------------------------------------------------- tasks

  match() {
    if (!this.sides.every(Boolean)) {
      fill(this.results);
      return;
    }
    const { tasks, alone } = matched(...this.sides);
    Object.assign(this, { tasks, alone, filter: { outcome: "", env: "" } });
    this.summary = h("p", { class: "hint" }, this.counts());
    this.filters = h("div", { class: "filters" });
    this.list = h("ol", { class: "tasks", "aria-label": "Tasks" });
    this.more = h("button", { type: "button", on: { click: () => this.show(this.limit + PAGE) } }, "Show more");
    this.detail = h("section", { class: "detail", "aria-label": "Transcripts", "aria-live": "polite" });
    fill(this.results, this.summary, this.filters, h("div", { class: "chosen-tasks" }, h("div", { class: "listing" }, this.list, this.more), this.detail));
    this.narrow({});
  }

  counts() {
    const alone = this.alone.map((count, side) => count > 0 && `${plural(count, "task")} only in ${SIDES[side]}`);
    return [`${plural(this.tasks.length, "task")} in both files`, ...alone].filter(Boolean).join(", ");
  }

  /** Applies a filter and shows the first task that is left. */
  narrow(part) {
    if (!this.tasks) return false;
    this.filter = { ...this.filter, ...part };
    const { outcome, env } = this.filter;
    const here = this.tasks.filter((task) => !env || task.sides[0][0].env === env);
    this.visible = here.filter((task) => !outcome || task.outcome === outcome);
    fill(this.filters, this.outcomes(here), this.environments());
    this.show(PAGE);
    this.open(this.visible[0] ?? null);
    return true;
  }

  outcomes(tasks) {
    const button = (outcome, label) => {
      const count = tasks.filter((task) => !outcome || task.outcome === outcome).length;
      if (outcome === "unscored" && !count) return null;
      const press = () => {
        this.narrow({ outcome });
        this.filters.querySelector('[aria-pressed="true"]')?.focus();
      };
      return h("button", { type: "button", class: "tab", "aria-pressed": String(this.filter.outcome === outcome), data: { outcome }, on: { click: press } }, `${label} (${count})`);
    };
    return h("div", { class: "tabs", role: "group", "aria-label": "Outcome" }, button("", "All"), Object.entries(OUTCOMES).map(([outcome, label]) => button(outcome, label)));
  }

  environments() {
    const names = [...new Set(this.tasks.map((task) => task.sides[0][0].env))].sort();
    if (names.length < 2) return null;
    const id = unique("env");
    const choice = h(
      "select", { id, on: { change: () => (this.narrow({ env: choice.value }), this.filters.querySelector("select").focus()) } },
      h("option", { value: "" }, "All environments"), names.map((name) => h("option", { value: name }, name)),
    );
    choice.value = this.filter.env;
    return h("div", { class: "field" }, h("label", { for: id, class: "unseen" }, "Environment"), choice);
  }

  show(limit) {
    this.limit = limit;
    this.items = this.visible.slice(0, limit).map((task) => this.item(task));
    fill(this.list, this.items.length ? this.items.map((item) => h("li", null, item)) : h("li", { class: "hint" }, "No task matches."));
    this.more.hidden = this.visible.length <= limit;
  }

  item(task) {
    const { env, level } = task.sides[0][0];
    const seed = /[?&]seed=(\d+)/.exec(task.address)?.[1];
    return h(
      "button", { type: "button", class: "task-item", "aria-pressed": String(task === this.task), data: { address: task.address }, on: { click: () => this.open(task) } },
      h("span", { class: "name" }, title(env), h("span", { class: "hint" }, ` level ${level}${seed ? `, seed ${seed}` : ""}`)),
      task.sides.map((attempts, side) => h("span", { class: `share ${toneOf(attempts)}` }, `${SIDES[side]}: ${tally(attempts)}`)),
    );
  }

  walk(by) {
    if (!this.visible?.length) return false;
    const next = Math.min(this.visible.length - 1, Math.max(0, this.visible.indexOf(this.task) + by));
    if (next >= this.limit) this.show(this.limit + PAGE);
    this.open(this.visible[next]);
    this.items[next].focus();
    return true;
  }

  // ---------------------------------------------------------------- transcripts

  open(task) {
    this.task = task;
    for (const item of this.items) item.setAttribute("aria-pressed", String(item.dataset.address === task?.address));
    if (!task) {
      fill(this.detail);
      return;
    }
    const link = linkTo(task);
    fill(
      this.detail,
      h("h2", { class: "address" }, task.address),
      link && h("p", null, h("a", { href: link }, "Open this task in the playground")),
      h("div", { class: "pair" }, task.sides.map((attempts, side) => this.column(attempts, side))),
    );
  }

  column(attempts, side) {
    return h("section", { class: "side", "aria-label": `Evaluation ${SIDES[side]}` }, h("h3", null, `Evaluation ${SIDES[side]}`), attempts.map((attempt) => transcript(attempt, attempts.length > 1)));
  }
}

function toneOf(attempts) {
  const scores = attempts.map(({ score }) => score).filter((score) => score !== null);
  if (!scores.length) return "none";
  return scores.includes(1) ? "right" : "wrong";
}

function transcript(attempt, several) {
  const { score, status, reason, tokens, replies, cut } = attempt;
  const tone = score === null ? "none" : score === 1 ? "right" : score > 0 ? "partly" : "wrong";
  return h(
    "article", { class: `score ${tone}` },
    h(
      "div", { class: "head" },
      h("span", { class: "value" }, score === null ? "—" : number(score)),
      h("div", { class: "verdict" }, h("strong", null, several ? `Sample ${attempt.sample}` : "Score"), h("span", { class: "status" }, status.replaceAll("_", " "))),
      tokens > 0 && h("span", { class: "hint" }, plural(tokens, "token")),
    ),
    reason && h("p", { class: "reason" }, reason),
    replies.length ? replies.map((reply, n) => turn(attempt, reply, n)) : h("p", { class: "reply empty" }, "No reply."),
    cut && h("p", { class: "hint" }, "The file holds the beginning of a longer reply."),
  );
}

function turn(attempt, reply, n) {
  const many = attempt.replies.length > 1;
  const earned = attempt.rewards[n];
  const node = h("div", { class: "turn" }, many && h("p", { class: "label" }, `Reply ${n + 1}${earned ? `, reward ${number(earned)}` : ""}`));
  const text = (all) => (all || reply.length <= SHOWN_CHARACTERS ? shown(attempt.answer_format, reply) : scrollable(h("pre", { class: "reply" }, reply.slice(0, SHOWN_CHARACTERS)), "Reply"));
  const body = h("div", null, text(false));
  node.append(body);
  if (reply.length > SHOWN_CHARACTERS) {
    const button = h("button", { type: "button", on: { click: () => (fill(body, text(true)), button.remove()) } }, `Show all ${number(reply.length)} characters`);
    node.append(button);
  }
  return node;
}
