// Boards in what a task says: found in plain text, drawn as cells, and played on where the legal
// moves are about cells. Only the drawing is ours; the text stays what the model reads.

import { h } from "./dom.js";

const SPACED = /^(-?\d{1,6}|[A-Za-z]|[.\-_#?*@$~]|[^\x00-\x7f]{1,2})$/;
const SOLID = /^[A-Za-z0-9.\-_#?*@$+~^]{3,}$/;
const BLANK = /^[.\-_?]$/; // what can be moved to

/** A text in parts: `{kind: "board", board}`, `{kind: "aligned", text}` and `{kind: "prose", text}`. */
export function parts(text) {
  const found = [];
  const lines = text.split("\n");
  let prose = [];
  const flush = () => {
    found.push(...paragraphs(prose));
    prose = [];
  };
  for (let n = 0; n < lines.length; ) {
    const board = spaced(lines, n) ?? solid(lines, n);
    if (board) {
      flush();
      found.push({ kind: "board", board });
      n += board.lines;
    } else {
      prose.push(lines[n]);
      n += 1;
    }
  }
  flush();
  return found;
}

/** The first board of a text. */
export const boardIn = (text) => parts(text).find((part) => part.kind === "board")?.board ?? null;

function paragraphs(lines) {
  const groups = [[]];
  for (const line of lines) {
    if (line.trim()) groups.at(-1).push(line);
    else if (groups.at(-1).length) groups.push([]);
  }
  return groups.filter((group) => group.length).map((group) => {
    const aligned = group.some((line) => /^( {2,}|\t)|\S {2,}\S|^```/.test(line.trimEnd()));
    return { kind: aligned ? "aligned" : "prose", text: group.join("\n") };
  });
}

/** Lines of as many signs each, with blanks between them; one line may name the columns. */
function spaced(lines, from) {
  const rows = [];
  for (const line of lines.slice(from)) {
    const cells = line.trim().split(/ +/);
    if (cells.length < 2 || !cells.every((cell) => SPACED.test(cell))) break;
    rows.push(cells);
  }
  const named = withNames(rows, lines.slice(from, from + rows.length));
  if (named) return named;
  const wide = rows.findIndex((row) => row.length !== rows[0].length);
  return plain(wide < 0 ? rows : rows.slice(0, wide));
}

function plain(rows) {
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  if (height < 2 || height * width < 6) return null;
  const counted = rows.at(-1).every((cell, n) => cell === String(n + 1));
  if (height > 2 && width > 2 && counted && !rows.slice(0, -1).flat().some((cell) => /\d/.test(cell)))
    return { rows: rows.slice(0, -1), below: rows.at(-1), lines: height };
  return { rows, lines: height };
}

/** A board whose first or last line stands aside, because the rows have names and it has none. */
function withNames(rows, lines) {
  if (rows.length < 3) return null;
  const body = (some) => some.map((row) => row.slice(1));
  const names = (some) => some.map((row) => row[0]);
  const alike = (some, width) => some.every((row) => row.length === width + 1);
  const [top, bottom] = [rows[0], rows.at(-1)];
  if (/^ /.test(lines.at(-1)) && bottom.length > 1 && alike(rows.slice(0, -1), bottom.length)) {
    const rest = rows.slice(0, -1);
    return { rows: body(rest), left: names(rest), below: bottom, lines: rows.length };
  }
  if (/^ /.test(lines[0]) && top.length > 1 && alike(rows.slice(1), top.length)) {
    const rest = rows.slice(1);
    return { rows: body(rest), left: names(rest), above: top, lines: rows.length };
  }
  return null;
}

/** Lines of one length without blanks, such as `#@.$#`. */
function solid(lines, from) {
  const rows = [];
  for (const line of lines.slice(from)) {
    const text = line.trim();
    if (!SOLID.test(text) || (rows.length && text.length !== rows[0].length)) break;
    rows.push(text);
  }
  const signs = rows.join("");
  const drawn = signs.replace(/[A-Za-z0-9+^~]/g, "").length;
  if (rows.length < 3 || drawn < 0.4 * signs.length) return null;
  return { rows: rows.map((row) => [...row]), lines: rows.length };
}

// ------------------------------------------------------------------ moves on cells

/** Which move a cell stands for, as `"row,column" -> move`; empty where moves are not about cells. */
export function cellMoves(board, moves) {
  const told = (moves ?? []).map((move) => ({ move, numbers: (move.match(/\d+/g) ?? []).map(Number) }));
  const shapes = new Set((moves ?? []).map((move) => move.replace(/\d+/g, "0")));
  if (!told.length || shapes.size > 1) return new Map();
  if (told.every(({ numbers }) => numbers.length === 2)) {
    const across = told.map(({ move, numbers: [row, column] }) => [row - 1, column - 1, move]);
    const down = across.map(([row, column, move]) => [column, row, move]);
    const fitting = [across, down].find((way) => way.every(([row, column]) => blank(board, row, column)));
    return new Map((fitting ?? []).map(([row, column, move]) => [`${row},${column}`, move]));
  }
  if (told.every(({ numbers }) => numbers.length === 1) && (board.below || board.above)) {
    const names = board.below ?? board.above;
    const places = told.flatMap(({ move, numbers: [name] }) => {
      const column = names.indexOf(String(name));
      return board.rows.flatMap((_, row) => (blank(board, row, column) ? [[`${row},${column}`, move]] : []));
    });
    return new Map(places);
  }
  return new Map();
}

const blank = (board, row, column) => BLANK.test(board.rows[row]?.[column] ?? "");

// ------------------------------------------------------------------ drawing

/** A text with its boards drawn, or word for word; `moves` and `play` make cells that are played. */
export function drawn(text, { plain: raw = false, moves = null, play = null } = {}) {
  if (raw) return h("pre", { class: "raw" }, text);
  return h("div", { class: "said" }, parts(text).map((part) => {
    if (part.kind === "board") return board(part.board, moves, play);
    return h(part.kind === "prose" ? "p" : "pre", null, part.text);
  }));
}

/** A board as cells. */
export function board(told, moves = null, play = null) {
  const places = play ? cellMoves(told, moves) : new Map();
  const kind = shade(told.rows.flat());
  const nothing = ["-", "_", "."].find((sign) => told.rows.flat().includes(sign));
  const row = (cells, n) => [
    told.left && h("span", { class: "name" }, told.left[n]),
    cells.map((text, column) => cell(text, text === nothing, kind, places.get(`${n},${column}`), `${n},${column}`, play)),
  ];
  const names = (given) => given && [told.left && h("span", { class: "name" }), given.map((name) => h("span", { class: "name" }, name))];
  const size = `${told.rows.length} rows and ${told.rows[0].length} columns`;
  const text = told.rows.map((cells) => cells.join(" ")).join("; ");
  const node = h(
    "div",
    {
      class: `board ${kind}`,
      role: places.size ? "group" : "img",
      "aria-label": places.size ? `Board of ${size}; arrow keys go from cell to cell` : `Board of ${size}: ${text}`,
    },
    names(told.above),
    told.rows.map(row),
    names(told.below),
  );
  node.style.setProperty("--columns", told.rows[0].length + (told.left ? 1 : 0));
  const longest = Math.max(...told.rows.flat().map((each) => each.length));
  node.style.setProperty("--signs", longest);
  if (places.size) roam(node);
  return h("div", { class: "boardroom" }, node);
}

function cell(text, empty, kind, move, place, play) {
  const look = { v: empty ? "empty" : text.length === 1 ? text : "many" };
  if (kind === "tiles" && !empty) look.heat = Math.min(11, Math.log2(Number(text)));
  if (!move) return h("span", { class: "cell", data: look }, text);
  return h(
    "button",
    { type: "button", class: "cell", tabindex: "-1", title: move, "aria-label": move, data: { ...look, key: `cell ${place}`, place }, on: { click: () => play(move) } },
    text,
  );
}

/** What colours mean on a board: the powers of 2 of merged tiles, the counts of a minefield. */
function shade(cells) {
  const numbers = cells.filter((text) => /^\d+$/.test(text)).map(Number);
  if (numbers.length && Math.max(...numbers) > 3 && numbers.every((n) => n > 1 && Number.isInteger(Math.log2(n))))
    return "tiles";
  return cells.includes("?") ? "covered" : "plain";
}

/** One stop for the tabulator, arrow keys from cell to cell. */
function roam(node) {
  const cells = [...node.querySelectorAll("button.cell")];
  cells[0].tabIndex = 0;
  const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  node.addEventListener("keydown", (event) => {
    const way = ways[event.key];
    if (!way || !event.target.dataset.place) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(cells, event.target.dataset.place.split(",").map(Number), way);
    if (!next) return;
    for (const each of cells) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  });
}

/** The nearest cell that way: straight on first, then aside. */
function neighbour(cells, [row, column], [down, right]) {
  const ahead = cells.flatMap((each) => {
    const [y, x] = each.dataset.place.split(",").map(Number);
    const along = (y - row) * down + (x - column) * right;
    const aside = Math.abs((y - row) * right) + Math.abs((x - column) * down);
    return along > 0 ? [[along + 100 * aside, each]] : [];
  });
  return ahead.sort((one, other) => one[0] - other[0])[0]?.[1];
}
