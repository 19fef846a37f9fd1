"""Cutting holes into programs, and what comes to mind first to fill them."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.mini_python.draw import Drawn
from palaestra.generators.mini_python.mutate import Slip, replaced, spoilt_lines
from palaestra.generators.mini_python.parse import head, tokens
from palaestra.generators.mini_python.run import Program
from palaestra.generators.mini_python.syntax import (
    Assign,
    Augment,
    Const,
    Def,
    Do,
    Else,
    For,
    Head,
    If,
    Jump,
    Keyword,
    Name,
    Node,
    Return,
    nodes,
    written,
)
from palaestra.generators.mini_python.trials import (
    Trial,
    drawn_calls,
    first_to_tell,
    telling,
    trials,
)

BLANK = "____"
"""What stands in a hole."""

INPUTS = 12
"""How many inputs examples are chosen from."""

Size = Literal["part", "whole", "line"]
"""Whether a hole is some part of a line, the whole of a value or test in it, or all of the line."""


class Hole(NamedTuple):
    """A line with a hole."""

    line: int
    blank: str
    """The line with the hole, without its indentation."""
    right: str
    """The line as it was."""


def holes(source: str, size: Size) -> list[Hole]:
    r"""Every hole of a size in a program, in lines that are not there twice.

    >>> [hole.blank for hole in holes("def f(n):\n    return abs(n + 1)", "part")]
    ['return abs(____)']
    """
    rows = [row.strip() for row in source.split("\n")]
    return [
        Hole(number, blank, row)
        for number, row in enumerate(rows, 1)
        if row and rows.count(row) == 1
        for blank in _blanks(row, size)
    ]


def _blanks(row: str, size: Size) -> Iterator[str]:
    found = head(row)
    if size == "line":
        if isinstance(found, Assign | Augment | Do):
            yield BLANK
        return
    whole = _whole(found)
    if whole is None or (size == "whole" and isinstance(found, Return | Do)):
        return
    for node in [whole] if size == "whole" else nodes(whole)[1:]:
        blank = "" if isinstance(node, Const | Name | Keyword) else written(_without(found, node))
        if blank and f"for {BLANK} in" not in blank:
            yield blank


def _whole(found: Head) -> Node | None:
    """The value or test of a line."""
    match found:
        case If(_, test):
            return test
        case For(_, iterable):
            return iterable
        case Assign(value=value) | Augment(value=value) | Do(value) | Return(value):
            return value
        case Def() | Else() | Jump():
            return None


def _without(node: Node, part: Node) -> Node:
    """A node with a hole where a part of it was."""
    if node is part:
        return Name(BLANK)
    if type(node) is tuple:
        return tuple(_without(each, part) for each in node)
    if not hasattr(node, "__slots__"):
        return node
    return type(node)(*(_without(getattr(node, field), part) for field in node.__slots__))


def fits(blank: str, line: str) -> bool:
    """Whether a line is another one with its hole filled, and with nothing else changed.

    >>> fits("total += ____", "total += x % 3"), fits("total += ____", "total = 3")
    (True, False)
    """
    wanted, told = tokens(blank), tokens(line)
    place = wanted.index(BLANK)
    after = wanted[place + 1 :]
    return (
        len(told) >= len(wanted)
        and told[:place] == wanted[:place]
        and told[len(told) - len(after) :] == after
    )


def cut(source: str, cuts: Iterable[Hole]) -> str:
    """A program with holes in it."""
    for hole in cuts:
        source = replaced(source, hole.line, hole.blank)
    return source


def first_fillings(hole: Hole) -> list[str]:
    """What needs no thought: to leave a line out, a small number, a variable of the line.

    >>> first_fillings(Hole(2, "return abs(____)", "return abs(n + 1)"))
    ['return abs(0)', 'return abs(1)', 'return abs(n)']
    """
    if hole.blank == BLANK:
        return ["pass"]
    names = [part.name for part in nodes(head(hole.right)) if isinstance(part, Name)]
    options = dict.fromkeys(["0", "1", *names])
    return [hole.blank.replace(BLANK, option) for option in options]


def wrong_turns(hole: Hole) -> list[Slip]:
    """What may be taken for the right filling: those without thought, and slips."""
    first = [head(line) for line in first_fillings(hole)]
    return [Slip(hole.line, found) for found in (*first, *spoilt_lines(hole.right))]


def holed(
    rng: Random, drawn: Drawn, size: Size, number: int, fewest: int
) -> tuple[list[Hole], list[Trial]] | None:
    """Holes for a program, and examples, so many or more, that tell the right filling from others.

    There are none where the program has too few places, or where any filling would do.
    """
    source, name, signature = drawn
    found = holes(source, size)
    rng.shuffle(found)
    cuts = sorted({hole.line: hole for hole in found[: 2 * number]}.values())[:number]
    if len(cuts) < number:
        return None
    program = Program(source)
    wanted = trials(program, drawn_calls(name, signature, source, INPUTS))
    shown = wanted[:fewest]
    for hole in cuts:
        shown = telling(program, wrong_turns(hole), wanted, shown)
        lazy = [Slip(hole.line, head(line)) for line in first_fillings(hole)]
        if not all(first_to_tell(program, slip, shown) for slip in lazy):
            return None
    rng.shuffle(shown)
    return cuts, shown
