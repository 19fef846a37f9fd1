"""Walks on lattices described in words, which require a mental map.

The task follows "Evaluating Spatial Understanding of Large Language Models" (Yamada and others,
2023), whose maps are squares, triangles, hexagons, rings and trees.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Literal, Self

from palaestra.generators.simulations import Simulation
from palaestra.generators.spatial.lattice_walk import AROUND, RINGS, roam, visited, wander
from palaestra.generators.tiles import level, stacked
from palaestra.generators.vocabulary import words
from palaestra.scenes import Card, Cards, Cell, Grid, Panels
from palaestra.scenes.elements import Mark
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list

Shape = Literal["square", "hexagonal", "triangular", "ring", "tree"]

GROUND: Mapping[str, str] = {
    "square": "The places lie on a square grid: north and south are opposite, and so are east and "
    "west; going north and then east leads to the same place as going east and then north.",
    "triangular": "The places lie on a triangular lattice, at equal distances: each has six "
    "neighbours, in the directions east, north-east, north-west, west, south-west and south-east, "
    "60 degrees apart. So north-east and then south-east leads to the same place as east would.",
    "hexagonal": "The places are the cells of a honeycomb: each cell has six neighbours, to the "
    "east, north-east, north-west, west, south-west and south-east. So a step north-west and then "
    "one east leads to the same cell as one step north-east.",
    "ring": "The places lie on {rings} rings, one within the other, with {around} places on each "
    "ring. A step clockwise or anticlockwise leads to the next place on the same ring, and after "
    "{around} of them one is back. A step inward or outward leads to the place with the same "
    "bearing on the next smaller or larger ring.",
    "tree": "The places are the rooms of a burrow. From each room tunnels lead down to the left "
    "and to the right, and one leads up to the room from which it is reached; the burrow has no "
    "other tunnels, so going down to the left and up again leads back.",
}

ARROWS: Mapping[str, Mapping[str, Mark]] = {
    "square": {"north": "up", "east": "right", "south": "down", "west": "left"},
    "ring": {"clockwise": "right", "anticlockwise": "left", "inward": "down", "outward": "up"},
    "tree": {"left": "down-left", "right": "down-right", "up": "up"},
}
"""The arrow of each step; on a triangular lattice and on a honeycomb, those of a map."""

SLANTED: Mapping[str, Mark] = {
    "east": "right", "west": "left", "north-east": "up-right", "north-west": "up-left",
    "south-east": "down-right", "south-west": "down-left",
}  # fmt: skip

LEGEND = {
    "ring": "right: clockwise, up: outward",
    "tree": "up: back up, others: down",
}
"""What arrows mean where there are no points of the compass."""

NORTH = "up: north"


class LatticeWalk(Simulation):
    """Walk on a lattice described in words, and name the words at the places where walks end."""

    version = 2
    tags = {"spatial", "state-tracking", "simulation", "unique-solution"}
    item = "walk"

    class Knobs(Simulation.Knobs):
        shape: Shape = ladder("square", "square", "tree", "triangular", "hexagonal", "ring")
        steps: int = ladder(6, 9, 12, 15, 20, 26, 36, high=80)  # in which words are seen
        blind: int = ladder(3, 4, 5, 7, 9, 11, 14, high=40)  # steps of each walk without sight
        walks: int = ladder(2, 2, 2, 2, 3, 3, 4, low=1, high=6)

    shape: str
    things: tuple[str, ...]
    """The word at each new place, in the order of the walk."""

    walk: tuple[str, ...]
    blind: tuple[tuple[str, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shape = knobs.shape
        walk, spots = wander(rng, shape, knobs.steps)
        things = words(rng, len({*spots}), 4, 6)
        spot, blind = spots[-1], []
        for _ in range(knobs.walks):
            path, spot = roam(rng, shape, {*spots}, spot, knobs.blind)
            blind.append(path)
        return cls(shape=shape, things=things, walk=walk, blind=tuple(blind))

    def seen(self) -> list[str]:
        """The word at the start, and at the end of each step."""
        spots = visited(self.shape, self.walk, (0, 0))
        known = dict(zip(dict.fromkeys(spots), self.things))
        return [known[spot] for spot in spots]

    def result(self) -> list[str]:
        spots = visited(self.shape, self.walk, (0, 0))
        known = dict(zip(dict.fromkeys(spots), self.things))
        spot, ends = spots[-1], []
        for path in self.blind:
            spot = visited(self.shape, path, spot)[-1]
            ends.append(known[spot])
        return ends

    def is_valid(self) -> bool:
        """Whether no walk leads back to its start."""
        ends = self.result()
        return self.seen()[-1] != ends[0] and all(a != b for a, b in pairwise(ends))

    def canonical(self) -> str:
        return repr((self.shape, self.walk, self.blind))

    def prompt(self) -> str:
        first, *rest = self.seen()
        way, met = [f"You start at a place with the word {first}."], {first}
        for step, thing in zip(self.walk, rest):
            again = "again the word" if thing in met else "the word"
            way.append(f"You go {step_text(step)} and find {again} {thing}.")
            met.add(thing)
        ground = GROUND[self.shape].format(rings=RINGS, around=AROUND)
        opening = self.phrase(
            "At every place a sign shows a word, a different word at each place.",
            "You walk through a world in which every place has its own word.",
        )
        paths = [", ".join(map(step_text, path)) for path in self.blind]
        walks = "\n".join(f"{n}. {path}" for n, path in enumerate(paths, 1))
        return (
            f"{opening} {ground}\n\n{' '.join(way)}\n\nFrom there you continue without seeing the "
            f"words. Each walk in this list begins where the previous one ended:\n{walks}\n\nWhich "
            f"word is at the place where each walk ends? Answer with {len(self.blind)} "
            f"word{'s' * (len(self.blind) > 1)}, one for each walk in order, separated by commas, "
            f"such as '{', '.join([self.things[0]] * len(self.blind))}'."
        )

    def scene(self) -> Panels:
        return self.pictured([])

    def solved_scene(self, answer: str) -> Panels:
        return self.pictured(self.read(answer))

    def pictured(self, ends: Sequence[str]) -> Panels:
        """The steps as arrows, each with the word at its end, and the walks without sight.

        A map of the words would be half of the answer. ``ends`` are the words at the ends of walks.
        """
        arrows = ARROWS.get(self.shape, SLANTED)
        first, *rest = self.seen()
        cards = [Card(first, fill="t0")]
        cards += [Card(word, arrows[step], "c0") for step, word in zip(self.walk, rest)]
        wide = 4 if len(cards) < 12 else 6 if len(cards) < 24 else 10
        rows = [tuple(cards[n : n + wide]) for n in range(0, len(cards), wide)]
        blind = [[Cell(mark=arrows[step]) for step in path] for path in self.blind]
        grid = Grid(
            level(blind),
            left=tuple((str(n),) for n in range(1, len(blind) + 1)),
            right=tuple((word,) for word in ends),
        )
        legend = LEGEND.get(self.shape, NORTH)
        return stacked({f"Seen ({legend})": Cards(tuple(rows)), "Without seeing": grid})

    def read(self, answer: str) -> list[str]:
        number = len(self.blind)
        words = word_list(answer, number, f"{number} words, separated by commas")
        if len(words) != number:
            raise InvalidAnswer(f"expected {number} words, separated by commas, got {len(words)}")
        if not all(word in self.things for word in words):
            raise InvalidAnswer("one of the words is at no place")
        return words

    def difficulty(self) -> float | None:
        return len(self.things) + 2 * sum(map(len, self.blind))

    def random_baseline(self) -> float:
        return float(len(self.things)) ** -len(self.blind)

    def shortcuts(self) -> Sequence[str]:
        return [joined([thing] * len(self.blind)) for thing in (self.things[0], self.seen()[-1])]


def step_text(step: str) -> str:
    """A step in words."""
    return {"left": "down to the left", "right": "down to the right"}.get(step, step)
