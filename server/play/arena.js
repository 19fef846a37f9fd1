// Sessions side by side: the one that was opened, and a fork of it.

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { Session } from "./session.js";

const MOST = 2;

export class Arena {
  /** `host` says `plain()` and hears `changed()` whenever replies or sessions did. */
  constructor(standings, answer_format, host) {
    Object.assign(this, { answer_format, host });
    this.node = h("div", { class: "arena" });
    this.columns = [];
    for (const standing of standings) this.add(standing);
    this.active = this.columns[0];
    this.show();
  }

  get replies() {
    return this.active.replies;
  }

  /** The sessions to come back to: those that somebody replied in. */
  get sessions() {
    const begun = this.columns.some((column) => column.at.step > 0);
    return begun ? this.columns.map((column) => column.id) : [];
  }

  get task() {
    return { address: this.active.at.address };
  }

  add(standing, after = null) {
    const name = this.columns.length ? "Fork" : "Session";
    const column = new Session(standing, this.answer_format, name, {
      plain: () => this.host.plain(),
      room: () => this.columns.length < MOST,
      changed: () => this.host.changed(),
      entered: (one) => this.enter(one),
      forked: (fork, from) => this.fork(fork, from),
      closed: (one) => this.close(one),
    });
    this.columns.splice(after ? this.columns.indexOf(after) + 1 : this.columns.length, 0, column);
    return column;
  }

  fork(standing, from) {
    const fork = this.add(standing, from);
    fork.rewards = [...from.rewards];
    this.active = fork;
    this.render();
    this.show();
    fork.node.focus();
    this.host.changed();
  }

  close(column) {
    if (this.columns.length === 1) return;
    api.forget(column.id);
    this.columns = this.columns.filter((other) => other !== column);
    this.active = this.columns[0];
    this.render();
    this.show();
    this.active.node.focus();
    this.host.changed();
  }

  enter(column) {
    if (this.active === column) return;
    this.active = column;
    this.mark();
    this.host.changed();
  }

  show() {
    this.node.classList.toggle("forked", this.columns.length > 1);
    fill(this.node, this.columns.map((column) => column.node));
    this.mark();
  }

  mark() {
    for (const column of this.columns) column.node.classList.toggle("active", column === this.active);
  }

  render() {
    for (const column of this.columns) column.render();
  }

  key(key) {
    const wishes = { u: () => this.active.undo(), f: () => this.room() && this.active.fork() };
    if (this.active.key(key)) return true;
    wishes[key]?.();
    return key in wishes;
  }

  room() {
    return this.columns.length < MOST;
  }

  focus() {
    this.active.box.focus();
  }

  /** Sessions that nobody replied in are not kept. */
  leave() {
    for (const { at } of this.columns) if (at.step === 0) api.forget(at.session);
  }
}
