// Texts as they are read: paragraphs, and lines whose columns matter as they stand.

import { h, scrollable } from "./dom.js";

/** A text as an element; `plain` shows it word for word. */
export function prose(text, { plain = false } = {}) {
  if (plain) return scrollable(h("pre", { class: "raw" }, text), "Text");
  const block = ({ aligned, lines }) => (aligned ? scrollable(h("pre", null, lines.join("\n")), "Text") : h("p", null, lines.join("\n")));
  return h("div", { class: "prose" }, paragraphs(text).map(block));
}

function paragraphs(text) {
  const groups = [[]];
  for (const line of text.split("\n")) {
    if (line.trim()) groups.at(-1).push(line);
    else if (groups.at(-1).length) groups.push([]);
  }
  return groups.filter((lines) => lines.length).map((lines) => ({ lines, aligned: isAligned(lines) }));
}

/** Whether columns matter: indented lines, wide spaces, fences, or several lines of signs. */
function isAligned(lines) {
  if (lines.some((line) => /^( {2,}|\t)|\S {2,}\S|^```/.test(line.trimEnd()))) return true;
  return lines.filter((line) => isBoard(line)).length > 1;
}

/** Single signs with spaces between them, or a run of signs without any word. */
function isBoard(line) {
  const cells = line.trim().split(/ +/);
  if (cells.length > 1) return cells.every((cell) => /^(-?\d{1,6}|\S|[^\x00-\x7f]{1,2})$/u.test(cell));
  return /^[A-Za-z0-9.\-_#?*@$+~^|/\\]{3,}$/.test(cells[0]) && /[.\-_#?*@$+~^|/\\]|\d/.test(cells[0]);
}
