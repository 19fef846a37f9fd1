"""Ways in which models write the same answer: wrappings for all, and layouts by type of answer.

A variant is the right answer in another form, so that it has to score 1; the same form of a wrong
answer has to score 0. Which layouts apply follows from how the answer is written: a list is
separated by commas, a grid has rows of equal length, labelled values have a colon on each line.
"""

import json
import random
import re
from collections.abc import Callable, Iterator

from palaestra.episode import TAGS, Episode
from palaestra.registry import load
from palaestra.task import Puzzle, Task
from palaestra.testing import cell_formats, move_formats, number_formats
from palaestra.testing.judging import spoils
from palaestra.testing.players import judged, levels, moves_of, played, task

Wrap = Callable[[str], str]

_INTEGER = re.compile(r"-?\d+", re.ASCII)
_JSON_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)  # none begins with a zero
_NUMBER = re.compile(r"-?\d+(?:\.\d+|/\d+)?", re.ASCII)
_WORD = re.compile(r"\w[\w ]*")
_EDGE = re.compile(r"(\w+)(?:-|->)(\w+)")
_WORD_AND_NUMBER = re.compile(r"[a-z]+ \d+|\d+ [a-z]+", re.ASCII)
_TRUTH_VALUES = re.compile(r"[TF]{2,}")
_WEEKDAY_TIME = re.compile(r"(\w+day) (\d\d):(\d\d)", re.ASCII)


def _in(before: str, after: str) -> Wrap:
    return lambda text: f"{before}{text}{after}"


INLINE: dict[str, Wrap] = {
    "bold": _in("**", "**"),
    "dollars": _in("$", "$"),
    "double dollars": _in("$$", "$$"),
    "round math": _in("\\(", "\\)"),
    "square math": _in("\\[", "\\]"),
    "boxed": _in("\\boxed{", "}"),
    "boxed in dollars": _in("$\\boxed{", "}$"),
    "text": _in("\\text{", "}"),
    "boxed text": _in("\\boxed{\\text{", "}}"),
    "backticks": _in("`", "`"),
    "double quotes": _in('"', '"'),
    "lead-in": _in("The answer is ", "."),
    "lead-in with a colon": _in("The answer is: ", ""),
    "label": _in("Answer: ", ""),
    "final label": _in("**Final answer:** ", ""),
}
"""Wrappings of an answer that has one line."""

AROUND: dict[str, Wrap] = {
    "spaces": _in("  ", "\n"),
    "fence": _in("```\n", "\n```"),
    "fence with a language": _in("```text\n", "\n```"),
    "full stop": _in("", "."),
    "lead-in on a line of its own": _in("The answer is:\n", ""),
    "label on a line of its own": _in("Answer:\n\n", ""),
}
"""Wrappings of every answer."""


def check_formats(name: str) -> None:
    """A right answer is right in every form in which models write it, and a wrong one in none.

    There are at least 20 forms, except for programs and texts, whose layout counts.
    """
    task_type = load(name)
    if not issubclass(task_type, Puzzle):
        _check_moves(name)
        return
    rungs = [*levels(name)]
    for level in sorted({0, len(rungs) // 2, rungs[-1]}):
        instance = task(name, 0, level)
        assert isinstance(instance, Puzzle)
        right = instance.answer()
        forms = [*variants(task_type, right)]
        least = 1 if task_type.verbatim else 6 if task_type.answer_type.startswith("code") else 20
        assert len(forms) >= least, f"only {len(forms)} forms of {right!r}"
        for variant, text in forms:
            result = judged(instance, text)
            assert result.value == 1, f"{variant}: {text!r} is refused: {result.reason}"
        if not task_type.expensive:
            _check_wrong(name, instance, level)
        _check_answer_formats(instance, right)


def _check_moves(name: str) -> None:
    """The moves of the perfect player win in every form: each move of an episode in another."""
    for level in sorted({0, levels(name)[-1]}):
        instance = task(name, 0, level)
        moves = [[*move_variants(type(instance), move)] for move in moves_of(instance)]
        for first in range(0, max(map(len, moves)), len(moves)):
            forms = [each[(first + n) % len(each)] for n, each in enumerate(moves)]
            episode = played(instance, [text for _, text in forms])
            assert episode.score is not None, f"not all moves are taken: {forms}"
            assert episode.score.value == 1, f"{forms} earn less: {episode.score.reason}"


def move_variants(task_type: type[Task], move: str) -> Iterator[tuple[str, str]]:
    """A move in each form that applies to its type, each with the name of the form."""
    yield "bare", move
    if move.startswith("{"):  # a call of a tool, in which quotes and brackets count
        yield from ((name, wrap(move)) for name, wrap in AROUND.items())
    elif not task_type.verbatim:
        yield from wrapped(move)
        yield from of_type(task_type, move)


def of_type(task_type: type[Task], answer: str) -> Iterator[tuple[str, str]]:
    """The forms of the type that a task states for its answers or moves."""
    if task_type.answer_type == "cells":
        yield from cell_formats.inside(answer)
    if task_type.answer_type == "moves":
        yield from move_formats.of(answer)
    yield from number_formats.of(task_type.answer_type, answer)


def _check_wrong(name: str, instance: Puzzle, level: int) -> None:
    """Answers to other tasks, and single edits of the right one, stay wrong in every form."""
    others = [task(name, seed, level) for seed in (1, 2)]
    wrong = [other.answer() for other in others if isinstance(other, Puzzle)]
    wrong += spoils(instance.answer(), random.Random(name), 4)
    # A full stop after a space would be a cell of its own in grids, where it may be the right one.
    for answer in map(str.rstrip, wrong):
        bare = judged(instance, answer).value
        if bare == 1 or answer.split() == instance.answer().split():  # only white space differs
            continue
        for variant, text in variants(type(instance), answer):
            earned = judged(instance, text).value
            assert earned < 1 or instance.audit(text), f"{variant}: {text!r} is taken for right"


def _check_answer_formats(instance: Puzzle, right: str) -> None:
    for answer_format, thought in (
        (TAGS, "<think><answer>0</answer></think>"),
        ("boxed", "I think: "),
    ):
        episode = Episode(instance, answer_format)
        episode.step(thought + episode.answer_format.write(right))
        assert episode.score is not None
        assert episode.score.value == 1, f"not read in {episode.answer_format.name}: {right!r}"


def variants(task_type: type[Puzzle], answer: str) -> Iterator[tuple[str, str]]:
    """The answer in each form that applies to its type, each with the name of the form."""
    if task_type.verbatim:
        yield "spaces", f"  {answer}\n"
        return
    yield from wrapped(answer)
    if task_type.answer_type == "code-lines":
        yield from code_lines(answer.split("\n"))
    elif task_type.answer_type != "code":
        digits = task_type.answer_type == "digits"  # a row of digits that is no number
        yield from ((n, t) for n, t in laid_out(answer) if not (digits and n in NUMERIC))
    yield from of_type(task_type, answer)


def code_lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Layouts of lines of code of which each is an entry of its own."""
    yield "Python fence", f"```python\n{_joined(lines)}\n```"
    yield "blank lines", "\n\n".join(lines)
    yield "spaces at the ends", "\n".join(f"  {line}  " for line in lines)
    yield "Windows lines", "\r\n".join(lines)
    for name, form in {"stops": "{}. {}", "brackets": "{}) {}", "code": "{}. `{}`"}.items():
        yield f"numbered, {name}", _joined([form.format(*each) for each in enumerate(lines, 1)])
    yield "code of each line", _joined([f"`{line}`" for line in lines])
    yield "bold lines", _joined([f"**{line}**" for line in lines])
    yield "bullets with code", _joined([f"- `{line}`" for line in lines])


def _joined(lines: list[str]) -> str:
    return "\n".join(lines)


NUMERIC = frozenset({"thousands", "LaTeX thousands", "equation", "indexed name", "function"})
"""Forms of a number that a row of digits does not have."""


def wrapped(answer: str) -> Iterator[tuple[str, str]]:
    """The answer in each wrapping that applies to it."""
    for name, wrap in AROUND.items():
        yield name, wrap(answer)
    if "\n" not in answer:
        for name, wrap in INLINE.items():
            if "boxed" in name and answer.count("{") != answer.count("}"):
                continue
            yield name, wrap(answer)


def laid_out(answer: str) -> Iterator[tuple[str, str]]:
    """The answer in each layout that applies to its type."""
    lines = answer.split("\n")
    rows = [line.split() for line in lines]
    if all(": " in line and ":: " not in line for line in lines):
        yield from labelled(
            [(name, value) for name, _, value in (x.partition(": ") for x in lines)]
        )
    elif all(" = " in line and line.count("=") == 1 for line in lines):
        yield from labelled(
            [(name, value) for name, _, value in (x.partition(" = ") for x in lines)]
        )
    elif len(lines) > 1 and len({len(row) for row in rows}) == 1 and is_grid(rows):
        yield from grid(rows)
    elif is_compact(lines):
        yield from grid([[*line] for line in lines])
    elif len(lines) > 1:
        yield from steps(lines)
    elif " -> " in answer:
        yield from walk(answer.split(" -> "))
    elif ", " in answer:
        items = answer.split(", ")
        yield from listed(items)
        yield from words_and_numbers(items)
        ends = [_EDGE.fullmatch(item) for item in items]
        if all(ends):
            yield from edges([(end[1], end[2]) for end in ends if end])
    elif _NUMBER.fullmatch(answer):
        yield from number(answer)
    elif _WORD.fullmatch(answer):
        yield from word(answer)
        if " " in answer:
            yield from listed(answer.split(" "))
            yield from words_and_numbers([answer])


def is_compact(lines: list[str]) -> bool:
    """Whether all lines are rows of digits, or of at most four symbols, without spaces."""
    cells = set("".join(lines))
    return (
        len(lines) > 1
        and len({*map(len, lines)}) == 1
        and len(lines[0]) > 1
        and ("".join(cells).isdecimal() or (len(cells) <= 4 and not cells & set(" abcdefr")))
    )


def is_grid(rows: list[list[str]]) -> bool:
    """Whether all rows hold numbers and signs, or short words and signs, at least two of them."""
    cells = [cell for row in rows for cell in row]
    if any("," in cell for cell in cells):
        return False
    others = [cell for cell in cells if not _INTEGER.fullmatch(cell)]
    signs = all(len(cell) <= 2 and not cell.isalnum() for cell in others)
    words = all(len(cell) <= 2 and not cell.isdecimal() for cell in cells)
    return len(rows[0]) > 1 and "->" not in cells and (signs or words)


def number(text: str) -> Iterator[tuple[str, str]]:
    """Forms of a number."""
    yield "equals sign", f"= {text}"
    yield "equation", f"x = {text}"
    yield "plus zero width", f"\u200b{text}"
    yield "full-width digits", "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)
    if _JSON_INTEGER.fullmatch(text):  # a zero in front is lost when thousands are set off
        yield "thousands", f"{int(text):,}"
        yield "LaTeX thousands", f"{int(text):,}".replace(",", "{,}")
    if "/" in text:
        above, below = text.lstrip("-").split("/")
        sign = "-" * text.startswith("-")
        yield "frac", f"{sign}\\frac{{{above}}}{{{below}}}"
        yield "dfrac", f"{sign}\\dfrac{{{above}}}{{{below}}}"
        yield from number_formats.equal_values(text)
    yield "indexed name", f"x_{{10}} = {text}"
    yield "function", f"f(10, 2) = {text}"


def word(text: str) -> Iterator[tuple[str, str]]:
    """Forms of a word or a text of one line."""
    yield "single quotes", f"'{text}'"
    yield "italics", f"*{text}*"
    yield "curly quotes", f"\u201c{text}\u201d"


def words_and_numbers(items: list[str]) -> Iterator[tuple[str, str]]:
    """Layouts of a list if each of its items is a word and a number."""
    if not all(map(_WORD_AND_NUMBER.fullmatch, items)):
        return
    pairs = [item.split() for item in items]
    forms = {
        "colons": "{}: {}", "brackets behind": "{} ({})", "brackets": "({}, {})", "bars": "{} | {}",
        "arrow": "{} -> {}", "bold": "**{}** **{}**", "code": "`{}` `{}`", "quotes": "'{}' '{}'",
        "equals sign": "{} = {}",
    }  # fmt: skip
    for name, form in forms.items():
        yield f"{name} in pairs", ", ".join(form.format(*pair) for pair in pairs)
    yield "numbered pairs", "\n".join(f"{n}. {' '.join(pair)}" for n, pair in enumerate(pairs, 1))
    yield "pairs in rows", "\n".join(f"Row {n}: {' '.join(p)}" for n, p in enumerate(pairs, 1))
    yield "JSON pairs", json.dumps(pairs[0] if len(pairs) == 1 else pairs)


def listed(items: list[str]) -> Iterator[tuple[str, str]]:
    """Layouts of a list."""
    yield "and", ", ".join(items[:-1]) + " and " + items[-1]
    yield "Oxford comma", ", ".join(items[:-1]) + ", and " + items[-1]
    yield "square brackets", f"[{', '.join(items)}]"
    yield "round brackets", f"({', '.join(items)})"
    yield "braces", f"{{{', '.join(items)}}}"
    yield "LaTeX braces", f"\\{{{', '.join(items)}\\}}"
    yield "semicolons", "; ".join(items)
    yield "no spaces", ",".join(items)
    yield "trailing comma", ", ".join(items) + ","
    yield "one per line", "\n".join(items)
    yield "bullets", "\n".join(f"- {item}" for item in items)
    yield "numbered", "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1))
    yield "stops", "\n".join(f"{item}." for item in items)
    yield "bold items", ", ".join(f"**{item}**" for item in items)
    yield "JSON strings", json.dumps(items)
    if all(map(_JSON_INTEGER.fullmatch, items)):
        yield "JSON numbers", json.dumps([int(item) for item in items])
    yield "quoted", ", ".join(f'"{item}"' for item in items)
    yield "code items", ", ".join(f"`{item}`" for item in items)


def grid(rows: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Layouts of a grid."""
    yield "JSON", json.dumps(rows)
    if all(_JSON_INTEGER.fullmatch(cell) for row in rows for cell in row):
        yield "JSON numbers", json.dumps([[int(cell) for cell in row] for row in rows])
    yield "row labels", "\n".join(f"Row {n}: {' '.join(row)}" for n, row in enumerate(rows, 1))
    yield "numbered rows", "\n".join(f"{n}: {' '.join(row)}" for n, row in enumerate(rows, 1))
    yield "commas", "\n".join(", ".join(row) for row in rows)
    yield "commas without spaces", "\n".join(",".join(row) for row in rows)
    yield "bars", "\n".join(f"| {' | '.join(row)} |" for row in rows)
    yield "row brackets", "\n".join(f"[{', '.join(row)}]" for row in rows)
    yield "nested brackets", "[" + ",\n ".join(f"[{', '.join(row)}]" for row in rows) + "]"
    yield "semicolons", "; ".join(" ".join(row) for row in rows)
    yield (
        "LaTeX",
        "\\begin{bmatrix} " + " \\\\ ".join(" & ".join(r) for r in rows) + " \\end{bmatrix}",
    )
    yield "blank lines", "\n\n".join(" ".join(row) for row in rows)
    yield "tabs", "\n".join("\t".join(row) for row in rows)
    edge = "+" + "-" * (2 * len(rows[0]) + 1) + "+"
    yield "border", "\n".join([edge, *(f"| {' '.join(row)} |" for row in rows), edge])
    yield (
        "markdown table",
        "\n".join(
            [
                "| " + " | ".join(rows[0]) + " |",
                "|" + "---|" * len(rows[0]),
                *("| " + " | ".join(row) + " |" for row in rows[1:]),
            ]
        ),
    )
    if all(len(cell) == 1 and not cell.isdigit() for row in rows for cell in row):
        yield "no spaces", "\n".join("".join(row) for row in rows)
    cells = {cell for row in rows for cell in row}
    if "-" in cells and "." not in cells:
        yield (
            "dots for empty cells",
            "\n".join(" ".join("." if cell == "-" else cell for cell in row) for row in rows),
        )


def truth_values(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Forms of rows of truth values with labels; other values stay."""
    for name, (between, form) in {
        "spaces": (" ", "{}"),
        "commas": (", ", "{}"),
        "brackets": (", ", "({})"),
        "square brackets": (", ", "[{}]"),
        "counterexample": ("", "counterexample {}"),
    }.items():
        values = [
            form.format(between.join(v)) if _TRUTH_VALUES.fullmatch(v) else v for _, v in pairs
        ]
        yield (
            f"truth values with {name}",
            "\n".join(f"{k}: {value}" for (k, _), value in zip(pairs, values)),
        )


def weekday_times(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Forms of weekdays with times, with labels."""
    for name, form in {
        "comma": "{}, {}:{}", "at": "{} at {}:{}", "UTC": "{} {}:{} UTC",
        "UTC in brackets": "{} {}:{} (UTC)", "short": "{:.3} {}:{}", "time first": "{1}:{2} {0}",
        "on": "{1}:{2} on {0}", "half of the day": "{0} {3}:{2} {4}",
    }.items():  # fmt: skip
        lines = []
        for label, value in pairs:
            match = _WEEKDAY_TIME.fullmatch(value)
            assert match, value
            hour = int(match[2])
            half = ((hour - 1) % 12 + 1, "PM" if hour >= 12 else "AM")
            lines.append(f"{label}: {form.format(*match.groups(), *half)}")
        yield f"times with {name}", "\n".join(lines)


def labelled(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Layouts of labelled values."""
    yield "equals signs", "\n".join(f"{k} = {v}" for k, v in pairs)
    yield "no space", "\n".join(f"{k}:{v}" for k, v in pairs)
    yield "bold labels", "\n".join(f"**{k}**: {v}" for k, v in pairs)
    yield "bold labels with the colon", "\n".join(f"**{k}:** {v}" for k, v in pairs)
    yield "bold values", "\n".join(f"{k}: **{v}**" for k, v in pairs)
    yield "bullets", "\n".join(f"- {k}: {v}" for k, v in pairs)
    yield "stars", "\n".join(f"* {k}: {v}" for k, v in pairs)
    yield "stops", "\n".join(f"{k}: {v}." for k, v in pairs)
    yield "trailing commas", ",\n".join(f"{k}: {v}" for k, v in pairs)
    yield "blank lines", "\n\n".join(f"{k}: {v}" for k, v in pairs)
    if not any("-" in k or "-" in v for k, v in pairs):
        yield "arrows", "\n".join(f"{k} -> {v}" for k, v in pairs)
    yield "code labels", "\n".join(f"`{k}`: `{v}`" for k, v in pairs)
    yield "JSON", json.dumps(dict(pairs))
    if not any("'" in k or "'" in v for k, v in pairs):
        yield "Python dictionary", str(dict(pairs))
    if not any("|" in k or "|" in v for k, v in pairs):
        rows = (f"| {k} | {v} |" for k, v in pairs)
        yield "table", "\n".join(["| name | value |", "|---|---|", *rows])
    if any(_TRUTH_VALUES.fullmatch(v) for _, v in pairs):
        yield from truth_values(pairs)
    if all(_WEEKDAY_TIME.fullmatch(v) for _, v in pairs):
        yield from weekday_times(pairs)
    yield "heading", "\n".join(["These are the values:", *(f"{k}: {v}" for k, v in pairs)])
    if not any("-" in k for k, _ in pairs):
        yield "is", "\n".join(f"{k} is {v}" for k, v in pairs)
    yield "capitals", "\n".join(f"{k.upper()}: {v}" for k, v in pairs)
    if not any("," in v for _, v in pairs):
        yield "one line", ", ".join(f"{k}: {v}" for k, v in pairs)
        yield "one line with semicolons", "; ".join(f"{k}: {v}" for k, v in pairs)
        yield "one line with equals signs", ", ".join(f"{k} = {v}" for k, v in pairs)
    if not all(k.isdigit() for k, _ in pairs):
        yield "numbered", "\n".join(f"{n}. {k}: {v}" for n, (k, v) in enumerate(pairs, 1))
    else:
        yield "numbers with a stop", "\n".join(f"{k}. {v}" for k, v in pairs)
        yield "numbers in brackets", "\n".join(f"{k}) {v}" for k, v in pairs)
        yield "bracketed numbers", "\n".join(f"({k}) {v}" for k, v in pairs)


def steps(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Layouts of lines such as the moves of a plan."""
    yield "numbers in brackets", _joined([f"({n}) {line}" for n, line in enumerate(lines, 1)])
    yield "numbered with colons", _joined([f"{n}: {line}" for n, line in enumerate(lines, 1)])
    yield "numbered", "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    yield "numbered with brackets", "\n".join(f"{n}) {line}" for n, line in enumerate(lines, 1))
    yield "steps", "\n".join(f"Step {n}: {line}" for n, line in enumerate(lines, 1))
    yield "bullets", "\n".join(f"- {line}" for line in lines)
    yield "stars", "\n".join(f"* {line}" for line in lines)
    if all(line[-1:].isalnum() for line in lines):
        yield "stops", "\n".join(f"{line}." for line in lines)
    yield "trailing commas", ",\n".join(lines)
    yield "semicolons at the ends", ";\n".join(lines)
    yield "blank lines", "\n\n".join(lines)
    yield "bold", "\n".join(f"**{line}**" for line in lines)
    yield "code", "\n".join(f"`{line}`" for line in lines)
    nested = any(", " in line for line in lines)
    yield "JSON", json.dumps([line.split(", ") for line in lines] if nested else lines)
    yield "semicolons", "; ".join(lines)


def edges(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Layouts of pairs such as the edges of a graph."""
    yield "pairs in brackets", ", ".join(f"({a}, {b})" for a, b in pairs)
    yield "list of pairs", f"[{', '.join(f'({a}, {b})' for a, b in pairs)}]"
    yield "pairs in braces", ", ".join(f"{{{a}, {b}}}" for a, b in pairs)
    yield "JSON pairs", json.dumps(pairs)
    yield "en dashes", ", ".join(f"{a}\u2013{b}" for a, b in pairs)
    yield "spaced hyphens", ", ".join(f"{a} - {b}" for a, b in pairs)
    yield "pairs with to", ", ".join(f"{a} to {b}" for a, b in pairs)
    yield "pairs with arrows", "\n".join(f"{a} -> {b}" for a, b in pairs)
    yield "numbered pairs", "\n".join(f"{n}. ({a}, {b})" for n, (a, b) in enumerate(pairs, 1))


def walk(nodes: list[str]) -> Iterator[tuple[str, str]]:
    """Layouts of a walk on a graph."""
    yield "no spaces", "->".join(nodes)
    yield "arrows", " \u2192 ".join(nodes)
    yield "LaTeX arrows", " \\to ".join(nodes)
    yield "long LaTeX arrows", " \\rightarrow ".join(nodes)
    yield "commas", ", ".join(nodes)
    yield "dashes", " - ".join(nodes)
    yield "JSON", json.dumps(nodes)
    yield "brackets", f"[{', '.join(nodes)}]"
    yield "spaces only", " ".join(nodes)
    yield "to", " to ".join(nodes)
    yield "bold nodes", " -> ".join(f"**{node}**" for node in nodes)
    yield "double arrows", " => ".join(nodes)
    yield "lines", "\n".join(nodes)
    yield "steps", "\n".join(f"Step {n}: {node}" for n, node in enumerate(nodes, 1))
    yield "numbered", "\n".join(f"{n}. {node}" for n, node in enumerate(nodes, 1))
