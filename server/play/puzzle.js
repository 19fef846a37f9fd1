// A task of one reply: its prompt, a box for replies, and what each of them scored.

import * as api from "./api.js";
import { drawn } from "./boards.js";
import { copy, fill, h } from "./dom.js";
import { replyBox } from "./replies.js";
import { problem, scored } from "./result.js";

const KEPT = 20;

export class Puzzle {
  /** `host` says `plain()` and hears `changed()`. */
  constructor(task, answer_format, host) {
    Object.assign(this, { task, answer_format, host });
    this.replies = [];
    this.prompt = h("div", { class: "stage" });
    this.attempts = h("div", { class: "attempts", "aria-live": "polite" });
    this.box = replyBox({ answer_format, label: "Your reply", button: "Score", send: (reply) => this.say(reply) });
    const text = task.messages.map((message) => message.content).join("\n\n");
    const button = h("button", { type: "button", on: { click: () => copy(text, button) } }, "Copy prompt");
    this.node = h(
      "section", { class: "puzzle", "aria-label": "Task" },
      h("header", null, h("h2", null, "Prompt"), h("div", { class: "buttons" }, button)),
      this.prompt, this.box.node, this.attempts,
    );
    this.render();
  }

  render() {
    const plain = this.host.plain();
    const several = this.task.messages.length > 1;
    fill(this.prompt, this.task.messages.map(({ role, content }) => [several && h("h3", null, role), drawn(content, { plain })]));
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

  key() {
    return false;
  }

  leave() {}
}
