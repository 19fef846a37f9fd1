// One session as a column: what the task says now, ways to move, and all that was said before.

import * as api from "./api.js";
import { fill, h, notice } from "./dom.js";
import { moveOfKey, pad, steered } from "./moves.js";
import { marked, replyBox, shown } from "./replies.js";
import { problem, scored } from "./result.js";
import { movesOfElements, picture } from "./scenes.js";
import { prose } from "./texts.js";
import { toolbox } from "./tools.js";
import { number, plural } from "./words.js";

export class Session {
  /**
   * `standing` is what the service told of it, whole. `host` hears of what concerns others:
   * `changed()`, `forked(session)`, `closed(session)`, `entered(session)`, and says `plain()`.
   */
  constructor(standing, answer_format, name, host) {
    Object.assign(this, { answer_format, name, host });
    this.tools = standing.tools ?? [];
    this.rewards = [];
    this.fault = null;
    this.drawing = null;
    this.scenic = true;
    this.busy = Promise.resolve();
    this.build();
    this.take(standing);
  }

  get id() {
    return this.at.session;
  }

  get replies() {
    return this.turns.map((turn) => turn.reply).filter((reply) => reply !== null);
  }

  // ---------------------------------------------------------------- talking with the service

  /** One thing after the other: keys may be quicker than the service. */
  queue(work) {
    this.busy = this.busy.then(async () => {
      this.node.setAttribute("aria-busy", "true");
      try {
        this.fault = null;
        await work();
      } catch (fault) {
        await this.failed(fault);
      } finally {
        this.node.removeAttribute("aria-busy");
        this.render();
      }
    });
    return this.busy;
  }

  async failed(fault) {
    this.fault = fault;
    if (fault.slug !== "step-conflict") return;
    try {
      this.take(await api.see(this.id)); // somebody else went on with it
      this.fault = null;
      notice("This session continued in another window; this is its current state.");
    } catch (again) {
      this.fault = again;
    }
  }

  /** Plays a legal move, marked as the answer format asks for. */
  play(move) {
    return this.say(marked(this.answer_format, move), (moves) => !moves || moves.includes(move));
  }

  say(reply, allowed = () => true) {
    return this.queue(async () => allowed(this.at.legal_moves) && this.sent(reply));
  }

  async sent(reply) {
    if (this.at.done) return;
    const now = await api.step(this.id, this.at.step, reply);
    this.turns.at(-1).reply = reply;
    this.rewards[now.step - 1] = now.reward;
    if (!now.done) this.turns.push({ observation: now.observation, reply: null });
    this.at = now;
    await this.look();
    this.host.changed();
  }

  /** Asks for the scene of the state; a task without one at its beginning is not asked again. */
  async look() {
    if (!this.scenic) return;
    try {
      this.drawing = (await api.sceneOf(this.id)).drawing;
      this.scenic = this.drawing !== null || this.at.step > 0;
    } catch (fault) {
      this.scenic = fault.retryable;
    }
  }

  rewind(step) {
    return this.queue(async () => {
      if (step < 0 || step >= this.at.step) return;
      this.take(await api.rewind(this.id, step));
      this.host.changed();
    });
  }

  undo() {
    return this.rewind(this.at.step - 1);
  }

  fork() {
    return this.queue(async () => this.host.forked(await api.fork(this.id), this));
  }

  /** Takes over where the service says that the session stands. */
  take(standing) {
    this.at = standing;
    this.turns = [];
    for (const { role, content } of standing.messages ?? []) {
      if (role === "assistant") this.turns.at(-1).reply = content;
      else this.turns.push({ observation: content, reply: null });
    }
    this.rewards.length = Math.min(this.rewards.length, standing.step);
    this.shownTurns = new Map();
    this.render();
    this.queue(() => this.look());
  }

  // ---------------------------------------------------------------- showing it

  build() {
    const button = (label, what, key, run) =>
      h("button", { type: "button", title: key ? `${what} (${key})` : what, data: { key: label }, on: { click: run } }, label);
    this.buttons = {
      undo: button("Undo", "Undo the last reply", "u", () => this.undo()),
      fork: button("Fork", "Open a copy of this session in a second column", "f", () => this.fork()),
      restart: button("Restart", "Undo all replies", "", () => this.rewind(0)),
    };
    this.meta = h("span", { class: "meta" });
    this.brief = h("div", { class: "briefing" });
    this.stage = h("div", { class: "stage", "aria-live": "polite" });
    this.controls = h("div", { class: "controls" });
    this.wrong = h("div");
    this.box = replyBox({
      answer_format: this.answer_format, label: "Your reply", button: "Send", brief: true,
      send: (reply) => this.say(reply).then(() => this.fault ?? this.box.clear()),
    });
    this.entry = h("div", { class: "entering" });
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": "Transcript" });
    this.history = h("details", { class: "history", open: true }, h("summary", null, "Transcript"), this.log);
    this.node = h(
      "section",
      { class: "session", tabindex: "-1", "aria-label": this.name, on: { focusin: () => this.host.entered(this), pointerdown: () => this.host.entered(this) } },
      h(
        "header", null,
        h("h2", null, this.name), this.meta,
        h("div", { class: "buttons" }, Object.values(this.buttons), this.closer()),
      ),
      this.brief, h("div", { class: "playing" }, this.stage, this.controls), this.wrong, this.entry, this.history,
    );
    fill(this.entry, this.tools.length > 0 && this.toolForms(), this.box.node);
  }

  closer() {
    return this.host.closed && h(
      "button", { type: "button", class: "close", title: "Close this column", "aria-label": `Close ${this.name}`, on: { click: () => this.host.closed(this) } },
      "×",
    );
  }

  toolForms() {
    const call = (tool, args) => this.play(JSON.stringify({ tool, args }));
    const answered = this.tools.some((tool) => (tool.function ?? tool).name === "answer"); // and not by "done"
    return toolbox(this.tools, call, answered ? null : () => this.play("done"));
  }

  render() {
    const held = this.node.contains(document.activeElement) && document.activeElement.dataset.key;
    const { at } = this;
    fill(this.meta, plural(at.step, "reply", "replies"), at.earned !== 0 && ` · earned ${number(at.earned)}`);
    this.set("undo", at.step === 0);
    this.set("restart", at.step === 0);
    this.set("fork", !this.host.forked || !this.host.room());
    fill(this.brief, this.briefing());
    fill(this.stage, at.done ? [this.scene(), scored(at.score, this.answer_format)] : this.saying());
    fill(this.controls, at.done ? null : this.pad());
    fill(this.wrong, this.fault && problem(this.fault, this.fault.retryable || !this.fault.status ? () => this.again() : null));
    this.entry.hidden = at.done;
    this.transcript();
    if (held) this.refocus(held);
  }

  set(name, disabled) {
    this.buttons[name].disabled = disabled;
  }

  /** The brief, which stays in view above the board. */
  briefing() {
    const brief = this.at.step > 0 && this.turns[0]?.observation;
    if (!brief) return null;
    return h("details", { class: "brief", open: true }, h("summary", null, "Task"), prose(brief, { plain: this.host.plain() }));
  }

  /** What there is to see, and what the task says now. */
  saying() {
    const { at } = this;
    const plain = this.host.plain();
    const observation = this.turns.at(-1)?.observation ?? at.observation;
    return [
      this.scene(),
      prose(observation, { plain }),
      at.state && h("details", { class: "state" }, h("summary", null, "State"), h("pre", null, at.state)),
    ];
  }

  /** What there is to see; elements that stand for a legal move can be chosen. */
  scene() {
    if (!this.drawing || this.host.plain()) return null;
    const choices = this.at.done ? new Map() : this.choices();
    return picture(this.drawing, {
      label: "The state as a picture; the text says the same", choices,
      choose: (name) => this.play(choices.get(name)),
    });
  }

  choices() {
    return movesOfElements(this.drawing, this.at.legal_moves);
  }

  pad() {
    const folded = !this.host.plain() && this.choices().size > 0;
    return pad(this.at.legal_moves, (move) => this.play(move), { folded });
  }

  /** All turns but the one on the stage. What was shown once is kept, for there may be hundreds. */
  transcript() {
    const raw = this.host.plain();
    const entries = this.turns.flatMap((turn, n) => {
      const now = n === this.turns.length - 1 && turn.reply === null;
      return now ? [] : [this.kept(`says ${n} ${raw}`, () => this.observed(turn)), turn.reply !== null && this.kept(`reply ${n}`, () => this.replied(turn, n))];
    });
    fill(this.log, entries);
    this.history.hidden = !this.log.hasChildNodes();
    this.log.scrollTop = this.log.scrollHeight;
  }

  kept(key, make) {
    if (!this.shownTurns.has(key)) this.shownTurns.set(key, make());
    return this.shownTurns.get(key);
  }

  observed(turn) {
    return h("li", { class: "observed" }, prose(turn.observation, { plain: this.host.plain() }));
  }

  replied(turn, n) {
    const earned = this.rewards[n];
    return h(
      "li", { class: "replied" },
      h("span", { class: "hint" }, n + 1, earned ? ` · ${earned > 0 ? "+" : ""}${number(earned)}` : ""),
      shown(this.answer_format, turn.reply),
      h("button", { type: "button", class: "plain", title: "Undo this reply and all later ones", "aria-label": `Back to before reply ${n + 1}`, on: { click: () => this.rewind(n) } }, "Back"),
    );
  }

  // ---------------------------------------------------------------- the keyboard

  /** After a move its button may be gone; the focus stays where it was, or close to it. */
  refocus(key) {
    const again = [...this.node.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key && !each.disabled);
    const near = this.node.querySelector('.stage .element[tabindex="0"], .controls button');
    if (document.activeElement === again) return;
    (again ?? near ?? this.node).focus({ preventScroll: true });
  }

  /** Whether a key is for this session; then it is done. */
  key(key) {
    if (this.at.done) return false;
    const move = moveOfKey(key, this.at.legal_moves);
    if (key.startsWith("Arrow") && steered(this.at.legal_moves)) this.steer(key);
    else if (move) this.play(move);
    else return false;
    return true;
  }

  /** Which move an arrow is, is seen when its turn comes: the board may be another one by then. */
  steer(key) {
    this.queue(async () => {
      const move = moveOfKey(key, this.at.legal_moves);
      if (move) await this.sent(marked(this.answer_format, move));
    });
  }

  again() {
    this.queue(async () => this.take(await api.see(this.id)));
  }
}
