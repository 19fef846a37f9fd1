"""Tracking exchanged things, as in "tracking shuffled objects" of BIG-Bench (2022)."""

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import permutations
from math import cos, factorial, pi, sin
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.shuffled_objects import (
    Holding,
    Kind,
    Move,
    as_text,
    moved,
    random_moves,
)
from palaestra.generators.people import NAMES
from palaestra.scenes import Graph, Node
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs

THINGS = (
    "apple", "ball", "coin", "drum", "egg", "fork", "glove", "hat", "jar", "key", "lamp", "mug",
    "needle", "orange", "pen", "ring", "spoon", "torch", "vase", "whistle", "yoyo",
)  # fmt: skip

KINDS: dict[str, tuple[Kind, ...]] = {
    "people": ("people",),
    "holders": ("people", "holder", "things"),
    "all": ("holder", "things", "holder", "things", "pass", "back", "reverse", "condition"),
}


class ShuffledObjects(Puzzle):
    """Track things that people exchange many times, and state who holds what in the end."""

    version = 2
    tags = {"tracking", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        people: int = ladder(4, 5, 6, 7, 9, 12, 16, low=4, high=20)
        moves: int = ladder(5, 6, 8, 12, 20, 35, 60, low=2, high=200)
        kinds: Literal["people", "holders", "all"] = ladder("people", "people", "holders", "all")

    names: tuple[str, ...]
    things: tuple[str, ...]
    moves: tuple[Move, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            things=tuple(rng.sample(THINGS, knobs.people)),
            moves=random_moves(rng, knobs.people, KINDS[knobs.kinds], knobs.moves),
        )

    def is_valid(self) -> bool:
        return self.end() != list(range(len(self.names)))

    def canonical(self) -> str:
        return f"{len(self.names)} {self.moves}"

    def prompt(self) -> str:
        start = "\n".join(f"{name}: {thing}" for name, thing in zip(self.names, self.things))
        story = " ".join(
            as_text(move, self.names, self.things, self.wording + n)
            for n, move in enumerate(self.moves)
        )
        ask = self.phrase("Who holds what in the end?", "What does each of them hold after that?")
        setting = self.phrase(
            "Some people sit in a circle, each to the right of the one named before, the first to "
            "the right of the last. Each holds one thing:",
            "Each of these people holds one thing. They sit in a circle; the right neighbour of "
            "each is the next one in the list, and that of the last is the first:",
        )
        return (
            f"{setting}\n\n{start}\n\nThen they do this, in this order: {story}\n\nTwo people who "
            f"exchange give each other what they hold at that moment. {ask} Write one line for "
            f"each person, such as '{self.names[0]}: {self.things[-1]}'."
        )

    def end(self) -> Holding:
        """Who holds what in the end."""
        return reduce(moved, self.moves, list(range(len(self.names))))

    def _table(self, held: Holding) -> str:
        return "\n".join(f"{name}: {self.things[t]}" for name, t in zip(self.names, held))

    def answer(self) -> str:
        return self._table(self.end())

    def scene(self) -> Graph:
        return self.circle(dict(zip(self.names, self.things)), "ink")

    def solved_scene(self, answer: str) -> Graph:
        return self.circle(self.read(answer), "accent")

    def circle(self, held: Mapping[str, str], tone: str) -> Graph:
        """The people in their circle, seen from above, each with what they hold.

        A person faces the middle, so that the next one, to the right, comes anticlockwise.
        """
        nodes = []
        for n, name in enumerate(self.names):
            turn = 2 * pi * n / len(self.names)
            x, y = 0.5 - sin(turn) / 2, 0.5 - cos(turn) / 2
            nodes.append(Node(name, "t0", x, y, held[name], tone, "box"))
        return Graph(tuple(nodes))

    def read(self, answer: str) -> dict[str, str]:
        """The thing that each person holds, in an answer."""
        return pairs(answer, self.names, self.things)

    def verify(self, answer: str) -> Score:
        values = self.read(answer)
        if len(set(values.values())) < len(values):
            return Score(0, "two people hold the same thing")
        right = {name: self.things[t] for name, t in zip(self.names, self.end())}
        return matched(values, right)

    def difficulty(self) -> float:
        return float(len(self.moves) * 2 + len(self.names))

    def random_baseline(self) -> float:
        return 1 / factorial(len(self.names))

    def shortcuts(self) -> Iterable[str]:
        yield self._table(list(range(len(self.names))))
        yield "\n".join(f"{name}: {thing}" for name, thing in zip(self.names, self.things[::-1]))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=4, moves=3)

    def candidates(self) -> Iterable[str]:
        for held in permutations(range(len(self.names))):
            yield self._table(list(held))
