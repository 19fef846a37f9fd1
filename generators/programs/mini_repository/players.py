"""Players of a repository who change a line by how it looks, and run the tests only once."""

import re
from collections.abc import Generator, Mapping, Sequence
from random import Random

from palaestra.task import Policy, Turn
from palaestra.toolbox import call

_EXCHANGES: Mapping[str, str] = {
    " + ": " - ",
    " - ": " + ",
    " * ": " + ",
    " // ": " % ",
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " == ": " != ",
    " and ": " or ",
    " or ": " and ",
    "min(": "max(",
    "max(": "min(",
}
"""Signs, and what may have been meant by each."""

_NUMBER = re.compile(r"(?<![\w.])\d+")

Moves = Generator[str, str, None]
"""Moves, each of which is answered with an observation."""


def _policy(moves: Moves) -> Policy:
    """The policy that makes these moves, and then stops."""
    begun = False

    def move(turn: Turn) -> str:
        nonlocal begun
        try:
            text = moves.send(turn.observation) if begun else next(moves)
        except StopIteration:
            return "done"
        begun = True
        return text

    return move


def _lines(observation: str) -> list[str]:
    """Lines of code that occur once, without those of docstrings."""
    rows = observation.split("\n")
    return [
        row
        for row in rows
        if row.startswith("    ") and '"""' not in row and observation.count(row) == 1
    ]


def _exchanges(row: str) -> list[str]:
    """A line with one of its signs exchanged, or one of its numbers changed by one."""
    signs = [row.replace(old, new, 1) for old, new in _EXCHANGES.items() if old in row]
    numbers = [
        row[: match.start()] + str(int(match[0]) + step) + row[match.end() :]
        for match in _NUMBER.finditer(row)
        for step in (-1, 1)
    ]
    return signs + numbers


def _changes(rng: Random, files: Sequence[str], number: int, failing: bool) -> Moves:
    """Change lines at random, in modules whose tests fail or in any."""
    modules = list(files)
    if failing:
        observation = yield call("run_tests")
        named = re.findall(r"^test_(\w+\.py) ", observation, re.MULTILINE)
        modules = [file for file in dict.fromkeys(named) if file in files] or modules
    for _ in range(number):
        file = rng.choice(modules)
        text = yield call("read", file=file)
        options = [(row, new) for row in _lines(text) for new in _exchanges(row)]
        if options:
            old, new = rng.choice(options)
            yield call("edit", file=file, old=old, new=new)


def _emptied(files: Sequence[str]) -> Moves:
    """Let each line that returns a value of the first module return nothing."""
    text = yield call("read", file=files[0])
    for row in _lines(text):
        if row.strip().startswith("return "):
            yield call("edit", file=files[0], old=row, new=row.partition("return")[0] + "return")


def careless_editors(rng: Random, files: Sequence[str], bugs: int) -> dict[str, Policy]:
    """Policies that know the types of mistakes, but do not understand the modules."""
    return {
        "nothing is changed": lambda turn: "done",
        "random exchange in a failing module": _policy(_changes(rng, files, bugs, True)),
        "random exchange in any module": _policy(_changes(rng, files, bugs, False)),
        "first module returns nothing": _policy(_emptied(files)),
    }
