"""The rule files that ship with the engine, and levels for them.

A file begins with a comment that describes the game in words and says, after ``place:``, what a
random level contains: signs with the least and the greatest number of them, or the sign that there
are as many of. A name of two signs is a pair of neighbours in a row.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from palaestra.generators.games.puzzles.puzzlescript.compiler import Game, Start, compile_game
from palaestra.generators.games.puzzles.puzzlescript.engine import Play, State

FILES = Path(__file__).parent / "files"

NAMES = (
    "beam", "belts", "blast", "bond", "boulders", "chain", "crates", "crumble", "dye", "embers",
    "gates", "gems", "glide", "holes", "hook", "keys", "lamps", "lure", "mirror", "oneway", "pairs",
    "portals", "pull", "slide", "sticky", "swap", "sweep", "team", "topple", "words",
)  # fmt: skip
"""The games, by the names of their files."""

DEEP = (
    "beam", "belts", "bond", "boulders", "chain", "crates", "dye", "embers", "gems", "glide",
    "lure", "mirror", "pairs", "sticky", "sweep", "team", "topple",
)  # fmt: skip
"""The games that players who look two moves ahead lose at long solutions."""

EXPLORED = 600
"""How many states of a random level are explored."""


class Entry(NamedTuple):
    """A rule file."""

    text: str
    game: Game
    description: str
    contents: tuple[tuple[str, ...], ...]
    """What random levels contain: signs with two numbers, or with ``=`` and another sign."""


@cache
def library(name: str) -> Entry:
    """A rule file by its name."""
    text = (FILES / f"{name}.txt").read_text("utf-8")
    comment = text[text.index("(") + 1 : text.index("\n)")]
    description, _, contents = comment.rpartition("place:")
    parts = tuple(tuple(part.split()) for part in contents.split(";"))
    return Entry(text, compile_game(text), " ".join(description.split()), parts)


def random_level(entry: Entry, rng: Random, width: int, height: int) -> Start | None:
    """A level with the contents of a file in random cells; None if they do not fit."""
    rows = [["."] * width for _ in range(height)]
    counts = dict[str, int]()
    for signs, *bounds in entry.contents:
        if bounds[0] == "=":
            counts[signs] = counts[bounds[1]]
        else:
            counts[signs] = rng.randint(int(bounds[0]), int(bounds[1]))
    for signs, count in sorted(counts.items(), key=lambda item: -len(item[0])):
        for _ in range(count):
            cells = [
                (y, x)
                for y in range(height)
                for x in range(width - len(signs) + 1)
                if set(rows[y][x : x + len(signs)]) == {"."}
            ]
            if not cells:
                return None
            y, x = rng.choice(cells)
            rows[y][x : x + len(signs)] = signs
    return entry.game.level("".join(row) for row in rows)


def moves_of(game: Game) -> tuple[str, ...]:
    """The moves of a game."""
    return ("up", "down", "left", "right", *([] if game.has("noaction") else ["action"]))


def distances(play: Play, bound: int = EXPLORED) -> dict[State, int]:
    """States of a level that can be won, with the least number of moves to a win among those states
    that a breadth-first search finds first.
    """
    first = play.first()
    known, before, won = {first: None}, dict[State, list[State]](), list[State]()
    queue = [first]
    for state in queue:
        if state.won or len(queue) > bound:
            continue
        for move in moves_of(play.game):
            new = play.after(state, move)
            before.setdefault(new, []).append(state)
            if new not in known:
                known[new] = None
                queue.append(new)
                if new.won:
                    won.append(new)
    return dict(_backwards(won, before))


def _backwards(won: list[State], before: dict[State, list[State]]) -> Iterator[tuple[State, int]]:
    seen, layer, depth = set(won), won, 0
    while layer:
        yield from ((state, depth) for state in layer)
        following = list[State]()
        for state in layer:
            for earlier in before.get(state, ()):
                if earlier not in seen:
                    seen.add(earlier)
                    following.append(earlier)
        layer, depth = following, depth + 1


class Position(NamedTuple):
    """The start of a task: a level, and the number of moves to a win."""

    name: str
    start: Start
    length: int


def position_of_length(
    names: list[str], rng: Random, size: int, bounds: tuple[int, int], tries: int
) -> Position | None:
    """A position of a random level of the first game that has one whose number of moves to a win is
    within bounds. If no game has, that of the position that comes nearest to them; None if no level
    can be won.
    """
    best: Position | None = None
    for name in names:
        for _ in range(tries):
            position = _random_position(name, rng, size, bounds)
            if position is None:
                continue
            if bounds[0] <= position.length <= bounds[1]:
                return position
            if best is None or _off(position, bounds) < _off(best, bounds):
                best = position
    return best


def _off(position: Position, bounds: tuple[int, int]) -> int:
    """How far a number of moves is from its bounds."""
    return max(bounds[0] - position.length, position.length - bounds[1])


def _random_position(name: str, rng: Random, size: int, bounds: tuple[int, int]) -> Position | None:
    """A position of a random level: any one within the bounds, or else the one nearest to them."""
    entry = library(name)
    width, height = size, size - rng.randrange(2)
    start = random_level(entry, rng, width, height)
    if start is None:
        return None
    options = dict[int, list[State]]()
    for state, distance in distances(Play(entry.game, start)).items():
        options.setdefault(distance, []).append(state)
    lengths = [length for length in sorted(options) if bounds[0] <= length <= bounds[1]]
    short = [length for length in sorted(options) if 2 <= length < bounds[0]]
    if not lengths and not short:
        return None
    length = rng.choice(lengths) if lengths else short[-1]
    return Position(name, Start(width, height, rng.choice(options[length]).masks), length)
