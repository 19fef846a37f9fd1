"""Players of a repository who choose a file by its looks, and change a line of it."""

import re
from collections.abc import Callable, Generator, Mapping
from random import Random

from palaestra.generators.tools.engine import BUSY
from palaestra.task import Policy, Turn
from palaestra.toolbox import call

Moves = Generator[str, str, None]
"""Moves, each of which is answered with an observation."""

EXCHANGES: Mapping[str, str] = {
    " + ": " - ", " - ": " + ", " * ": " + ", " // ": " % ", " < ": " <= ", " <= ": " < ",
    " > ": " >= ", " >= ": " > ", " == ": " != ", " and ": " or ", " or ": " and ",
    "min(": "max(", "max(": "min(", "rounded_up": "rounded_down", "rounded_down": "rounded_up",
    "share(": "share_up(", "share_up(": "share(", "+=": "-=", "-=": "+=",
}  # fmt: skip
"""What a line has, and what may have been meant."""

_NUMBER = re.compile(r"(?<![\w.])\d+")
_WORD = re.compile(r"[a-z]+")
_NUMBERED = re.compile(r"^\d+: ", re.MULTILINE)


def policy(moves: Callable[[str], Moves]) -> Policy:
    """The policy that makes these moves for an issue, and then stops."""
    running: list[Moves] = []

    def move(turn: Turn) -> str:
        try:
            if running:
                return running[0].send(turn.observation)
            running.append(moves(turn.observation))
            return next(running[0])
        except StopIteration:
            return "done"

    return move


def _exchanges(row: str) -> list[str]:
    """A line with one of its signs exchanged, or one of its numbers changed by one."""
    signs = [row.replace(old, new, 1) for old, new in EXCHANGES.items() if old in row]
    numbers = [
        row[: match.start()] + str(int(match[0]) + step) + row[match.end() :]
        for match in _NUMBER.finditer(row)
        for step in (-1, 1)
    ]
    return signs + numbers


def _changed_line(rng: Random, path: str) -> Moves:
    """Change a random line of a file."""
    text = _NUMBERED.sub("", (yield call("read_file", path=path)))
    rows = [row for row in text.split("\n") if row.startswith("    ") and text.count(row) == 1]
    options = [(row, new) for row in rows for new in _exchanges(row)]
    if options:
        old, new = rng.choice(options)
        yield call("edit", path=path, old=old, new=new)


def shared_words(rng: Random) -> Callable[[str], Moves]:
    """Change a line of the module that shares most words with the issue."""

    def moves(issue: str) -> Moves:
        words = {*_WORD.findall(issue.lower())}
        listed = yield call("list_files")
        texts = {}
        while listed == BUSY:
            listed = yield call("list_files")
        for path in re.findall(r"^(\S+\.py) ", listed, re.MULTILINE):
            if not path.startswith("tests/"):
                texts[path] = yield call("read_file", path=path)
        shared = {path: len(words & {*_WORD.findall(t.lower())}) for path, t in texts.items()}
        yield from _changed_line(rng, max(shared, key=lambda path: shared[path]))

    return moves


def last_commit(rng: Random) -> Callable[[str], Moves]:
    """Change a line of the module that the last commit changed."""

    def moves(issue: str) -> Moves:
        history = yield call("show_history")
        paths = re.findall(r"\((\S+\.py)\)", history)
        if paths:
            yield from _changed_line(rng, paths[0])

    return moves


def failing_module(rng: Random) -> Callable[[str], Moves]:
    """Change a line of the module whose tests fail, or of the desk."""

    def moves(issue: str) -> Moves:
        results = yield call("run_tests")
        listed = yield call("list_files")
        while listed == BUSY:
            listed = yield call("list_files")
        paths = re.findall(r"^(\w\S+\.py) ", listed, re.MULTILINE)
        named = re.findall(r"^tests/test_(\w+)\.py ", results, re.MULTILINE)
        chosen = [p for p in paths if not p.startswith("tests/") and p.endswith("desk.py")]
        for path in paths:
            if named and path.removesuffix(".py").split("/")[1:] == named[0].split("_"):
                chosen = [path]
        yield from _changed_line(rng, chosen[0])

    return moves
