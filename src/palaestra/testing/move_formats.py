"""Forms in which models write moves."""

import json
import re
from collections.abc import Iterator, Sequence

ARROWS = {"up": "\u2191", "down": "\u2193", "left": "\u2190", "right": "\u2192"}
WAYS = {word[0].upper(): word for word in ARROWS}


_HOP = re.compile(r"(\w+) -> (\w+)")
_ORDER = re.compile(r"(\w+) (up|down|left|right)(?: (\d))?")


def of(answer: str) -> Iterator[tuple[str, str]]:
    """Forms of an answer that consists of moves."""
    lines = answer.split("\n")
    if all(map(_HOP.fullmatch, lines)):
        yield from hops([tuple(line.split(" -> ")) for line in lines])
    elif all(map(_ORDER.fullmatch, lines)):
        yield from orders([tuple(line.split()) for line in lines])
    elif not answer.strip("UDLR"):
        yield from directions(answer)
    elif answer.isdecimal():
        yield from column(int(answer))
    elif answer in ARROWS:
        yield from direction(answer)


def direction(word: str) -> Iterator[tuple[str, str]]:
    """Forms of a direction."""
    yield "letter", word[0]
    yield "capital letter", word[0].upper()
    yield "capitals", word.upper()
    yield "capitalised with a stop", f"{word.capitalize()}."
    yield "move", f"move {word}"
    yield "Move", f"Move {word}"
    yield "ward", f"{word}ward"
    yield "arrow", ARROWS[word]
    yield "LaTeX arrow", f"\\{word}arrow"
    yield "bold", f"**{word}**"


def directions(letters: str) -> Iterator[tuple[str, str]]:
    """Forms of a sequence of the letters U, D, L and R."""
    words = [WAYS[letter] for letter in letters]
    yield "small letters", letters.lower()
    yield "spaces", " ".join(letters)
    yield "commas", ", ".join(letters)
    yield "JSON", json.dumps([*letters])
    yield "words", ", ".join(words)
    yield "words with spaces", " ".join(words)
    yield "JSON words", json.dumps(words)
    yield "arrows", "".join(ARROWS[word] for word in words)
    yield "numbered", "\n".join(f"{n}. {word}" for n, word in enumerate(words, 1))
    yield "moves", "\n".join(f"move {word}" for word in words)
    yield "bold", f"**{letters}**"


def column(number: int) -> Iterator[tuple[str, str]]:
    """Forms of a column."""
    yield "column", f"column {number}"
    yield "Column", f"Column {number}."
    yield "col", f"col {number}"
    yield "letter", f"c{number}"
    yield "colon", f"Column: {number}"
    yield "drop", f"Drop in column {number}"
    yield "drop a stone", f"drop a stone into column {number}"
    yield "play", f"play column {number}"
    yield "bold", f"**{number}**"


def hops(moves: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Forms of moves from one position to another."""
    for name, form in {
        "arrow": "{} -> {}",
        "arrow without spaces": "{}->{}",
        "double arrow": "{} => {}",
        "arrow sign": "{} \u2192 {}",
        "LaTeX arrow": "{} \\to {}",
        "to": "{} to {}",
        "comma": "{}, {}",
        "space": "{} {}",
        "brackets": "({}, {})",
        "from": "from {} to {}",
        "move": "move {} to {}",
        "disk": "Move the disk from {} to {}",
        "peg": "Move a disk from peg {} to peg {}.",
        "code": "`{} -> {}`",
    }.items():
        lines = [form.format(*move) for move in moves]
        yield name, "\n".join(lines)
        yield f"{name}, numbered", "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    yield "moves", "\n".join(f"Move {n}: {a} -> {b}" for n, (a, b) in enumerate(moves, 1))
    yield "one line", ", ".join(f"{a} -> {b}" for a, b in moves)
    yield "JSON", json.dumps([[*move] for move in moves])
    yield "JSON strings", json.dumps([" -> ".join(move) for move in moves])
    if all(len(name) == 1 and name.isalpha() for move in moves for name in move):
        yield "letters", "\n".join("".join(move) for move in moves)


def orders(moves: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Forms of moves with a name, a direction and perhaps a number of cells."""
    lines = [" ".join(move) for move in moves]
    yield "one line", ", ".join(lines)
    yield "semicolons", "; ".join(lines)
    yield "move", "\n".join(f"Move {line}" for line in lines)
    yield "moves", "\n".join(f"Move {n}: {line}" for n, line in enumerate(lines, 1))
    yield "colon", "\n".join(f"{move[0]}: {' '.join(move[1:])}" for move in moves)
    yield "arrows", "\n".join(" ".join((m[0], ARROWS[m[1]], *m[2:])) for m in moves)
    yield "letters", "\n".join(" ".join((m[0], m[1][0], *m[2:])) for m in moves)
    yield "capitals", "\n".join(line.upper() for line in lines)
    yield "brackets", "\n".join(f"({', '.join(move)})" for move in moves)
    yield "JSON", json.dumps([[*move] for move in moves])
    if len(moves[0]) > 2:
        yield "by", "\n".join(f"Move car {a} {b} by {c} cells" for a, b, c in moves)
        yield "number first", "\n".join(f"Move {a} {c} cells {b}" for a, b, c in moves)
    else:
        yield "block", "\n".join(f"Move block {a} to the {b}." for a, b in moves)
