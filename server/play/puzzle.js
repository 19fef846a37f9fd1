// A task of one reply: its prompt, a box for replies, and what each of them scored.

import * as api from "./api.js";
import { copy, fill, h, notice } from "./dom.js";
import { replyBox } from "./replies.js";
import { Entry } from "./entries.js";
import { LoopBoard } from "./loops.js";
import { PlanBoard } from "./plans.js";
import { problem, scored } from "./result.js";
import { picture } from "./scenes.js";
import { prose } from "./texts.js";

const KEPT = 20;

/** The board on which an answer is entered, by the type of the entry. */
function boardOf(address, { drawing, entry }, write) {
  if (!entry) return null;
  if (entry.type === "moves") return new PlanBoard(address, entry, write);
  if (entry.type === "loop") return new LoopBoard(drawing, entry, write);
  return new Entry(drawing, entry, write);
}

export class Puzzle {
  /** `host` says `plain()` and hears `changed()`. */
  constructor(task, answer_format, host) {
    Object.assign(this, { task, answer_format, host });
    this.replies = [];
    this.prompt = h("div", { class: "stage" });
    this.solution = h("div", { class: "solution", "aria-live": "polite" });
    this.drawing = null;
    this.board = null;
    this.verdict = h("div", { class: "checking", "aria-live": "polite" });
    this.attempts = h("div", { class: "attempts", "aria-live": "polite" });
    this.box = replyBox({ answer_format, label: "Your reply", button: "Score", send: (reply) => this.say(reply) });
    const text = task.messages.map((message) => message.content).join("\n\n");
    const button = h("button", { type: "button", on: { click: () => copy(text, button) } }, "Copy prompt");
    const give = h("button", { type: "button", title: "Show a perfect reply", on: { click: () => this.solve() } }, "Give up");
    this.node = h(
      "section", { class: "puzzle", "aria-label": "Task" },
      h("header", null, h("h2", null, "Prompt"), h("div", { class: "buttons" }, button, give)),
      this.prompt, this.solution, this.box.node, this.attempts,
    );
    this.render();
    this.look();
  }

  /** Asks for the scene of the task, and shows it where there is one. */
  async look() {
    try {
      const fields = await api.scene(this.task.address);
      this.drawing = fields.drawing;
      this.board = boardOf(this.task.address, fields, (text) => this.written(text));
    } catch (fault) {
      notice(`The picture is missing: ${fault.message}`);
    }
    if (this.drawing) this.render();
    if (this.board) await this.offerCheck();
  }

  written(text) {
    this.box.write(text);
    fill(this.verdict);
  }

  /** A check of entries shows what is right, so only a service that shows answers offers it. */
  async offerCheck() {
    if (!(await api.showsAnswers().catch(() => false))) return;
    this.board.buttons.append(h("button", { type: "button", title: "State what contradicts the rules already (c)", on: { click: () => this.check() } }, "Check so far"));
    this.board.node.append(this.verdict);
    this.checks = true;
  }

  async check() {
    const entries = () => [this.box.answer(), this.board.lines];
    const [answer, lines] = entries();
    try {
      const { verdict, message, elements } = await api.check(this.task.address, answer, lines);
      if (String(entries()) !== String([answer, lines])) return; // the board is another one by now
      fill(this.verdict, h("p", { class: `check-result ${verdict}`, data: { verdict } }, message));
      this.board.mark(elements);
    } catch (fault) {
      fill(this.verdict, problem(fault, () => this.check()));
    }
  }

  /** Shows a perfect reply, where the service lets this token see answers. */
  async solve() {
    try {
      const { moves } = await api.oracle(this.task.address);
      const { drawing, reason } = await api.scene(this.task.address, moves[0]);
      fill(
        this.solution, h("h3", null, "A perfect answer"), h("pre", null, moves[0]),
        drawing && !reason && picture(drawing, { label: "The task with this answer drawn in" }),
      );
    } catch (fault) {
      fill(this.solution, problem(fault, null));
    }
  }

  render() {
    const plain = this.host.plain();
    const several = this.task.messages.length > 1;
    fill(this.prompt, !plain && this.scene(), this.task.messages.map(({ role, content }) => [several && h("h3", null, role), prose(content, { plain })]));
  }

  scene() {
    if (this.board) return this.board.node;
    return this.drawing && picture(this.drawing, { label: "The task as a picture; the text says the same" });
  }

  async say(reply) {
    this.node.setAttribute("aria-busy", "true");
    const attempt = await this.judged(reply);
    this.node.removeAttribute("aria-busy");
    for (const older of this.attempts.children) older.classList.add("older");
    this.attempts.prepend(attempt);
    while (this.attempts.children.length > KEPT) this.attempts.lastChild.remove();
    attempt.scrollIntoView({ block: "nearest" });
  }

  async judged(reply) {
    try {
      const result = await api.score(this.task.address, reply, this.answer_format);
      this.replies = [reply];
      this.host.changed();
      return scored(result, this.answer_format, reply);
    } catch (fault) {
      return problem(fault, () => this.say(reply));
    }
  }

  focus() {
    this.box.focus();
  }

  key(key) {
    if (key === "c" && this.checks) {
      this.check();
      return true;
    }
    return this.board?.key(key) ?? false;
  }

  leave() {}
}
