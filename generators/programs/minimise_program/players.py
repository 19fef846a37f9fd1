"""Players who shorten a program as a linter does, by the look of its lines."""

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random

_ASSIGNMENT = re.compile(r"([a-z_]+) = ")


def shortenings(source: str, rng: Random) -> dict[str, str]:
    """A program after one rule of a linter, after all of them, and without a line at random."""
    rows = source.split("\n")
    rules: dict[str, Callable[[list[str]], list[str]]] = {
        "no lines with pass": lambda lines: [row for row in lines if row.strip() != "pass"],
        "no repeated lines": _without_repetition,
        "no unused variables": _without_unused,
        "nothing behind return": _without_unreachable,
    }
    players = {name: rule(rows) for name, rule in rules.items()}
    linted = rows
    for rule in rules.values():
        linted = rule(linted)
    index = rng.randrange(1, len(rows))
    players |= {"linter": linted, "random line left out": rows[:index] + rows[index + 1 :]}
    return {name: "\n".join(lines) for name, lines in players.items()}


def _without_repetition(rows: list[str]) -> list[str]:
    """Lines that differ from the line above them."""
    return rows[:1] + [row for above, row in pairwise(rows) if row != above]


def _without_unused(rows: list[str]) -> list[str]:
    """Lines other than assignments to a variable that occurs nowhere else."""
    words = re.findall(r"\w+", "\n".join(rows))
    matches = [_ASSIGNMENT.match(row.strip()) for row in rows]
    return [row for row, match in zip(rows, matches) if not match or words.count(match[1]) > 1]


def _without_unreachable(rows: list[str]) -> list[str]:
    """Lines that do not follow a ``return`` in its own block."""
    kept, ended = list[str](), -1  # the indentation of the block that has ended
    for row in rows:
        depth = len(row) - len(row.lstrip(" "))
        if 0 <= ended <= depth:
            continue
        kept.append(row)
        ended = depth if row.strip().startswith("return") else -1
    return kept
