"""Cutting holes into programs, and what comes to mind first to fill them."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.programs.mini_python.cuts import shorter
from palaestra.generators.programs.mini_python.draw import Function
from palaestra.generators.programs.mini_python.mutate import slipped
from palaestra.generators.programs.mini_python.parse import head, tokens
from palaestra.generators.programs.mini_python.rewriting import Change, replaced, swapped
from palaestra.generators.programs.mini_python.run import Program
from palaestra.generators.programs.mini_python.syntax import (
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
)
from palaestra.generators.programs.mini_python.trials import (
    Trial,
    killer,
    pool_of,
    telling,
)
from palaestra.generators.programs.mini_python.writing import written

BLANK = "____"
"""What stands in a hole."""

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
    line_head = head(row)
    if size == "line":
        if isinstance(line_head, Assign | Augment | Do):
            yield BLANK
        return
    whole = _whole(line_head)
    if whole is None or (size == "whole" and isinstance(line_head, Return | Do)):
        return
    for node in [whole] if size == "whole" else nodes(whole)[1:]:
        if not isinstance(node, Const | Name | Keyword):
            blank = written(swapped(line_head, node, Name(BLANK)))
            if f"for {BLANK} in" not in blank:
                yield blank


def _whole(node: Head) -> Node | None:
    """The value or test of a line."""
    match node:
        case If(_, test):
            return test
        case For(_, iterable):
            return iterable
        case Assign(value=value) | Augment(value=value) | Do(value) | Return(value):
            return value
        case Def() | Else() | Jump():
            return None


def fits(blank: str, line: str) -> bool:
    """Whether a line is another one with its hole filled, and with nothing else changed.

    >>> fits("total += ____", "total += x % 3"), fits("total += ____", "total = 3")
    (True, False)
    """
    wanted, words = tokens(blank), tokens(line)
    index = wanted.index(BLANK)
    after = wanted[index + 1 :]
    return (
        len(words) >= len(wanted)
        and words[:index] == wanted[:index]
        and words[len(words) - len(after) :] == after
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


def wrong_turns(hole: Hole) -> list[Change]:
    """What may be taken for the right filling: what needs no thought, slips, and shorter ones."""
    first, right = [head(line) for line in first_fillings(hole)], head(hole.right)
    return [Change(hole.line, other) for other in (*first, *slipped(right), *shorter(right))]


def holed(
    rng: Random, function: Function, size: Size, number: int, fewest: int
) -> tuple[list[Hole], list[Trial]] | None:
    """Holes for a program, and examples, so many or more, that tell the right filling from others.

    There are none where the program has too few places, or where any filling would do.
    """
    source, name, signature = function
    hole_ = holes(source, size)
    rng.shuffle(hole_)
    cuts = sorted({hole.line: hole for hole in hole_[: 2 * number]}.values())[:number]
    if len(cuts) < number:
        return None
    program, pool = Program(source), pool_of(source, name, signature)
    shown = pool.first(fewest)
    for hole in cuts:
        shown = telling(program, wrong_turns(hole), pool, shown)
        shortcut = [Change(hole.line, head(line)) for line in first_fillings(hole)]
        if not all(killer(program, change, shown) for change in shortcut):
            return None
    rng.shuffle(shown)
    return cuts, shown
