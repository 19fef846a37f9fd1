"""Circle the Cat, a browser game that is also known as Chat Noir."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.games.boards.circle_the_cat import (
    Walls,
    around,
    caught_by_blocking,
    distances,
    edge,
    route,
    step,
    trapped,
)
from palaestra.generators.search import Plan
from palaestra.scenes import Cell, Hex, Hexagons
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.cells import cell, cell_name
from palaestra.verifiers.reading.lead_ins import read_move


@lru_cache(maxsize=256)
def solved(size: int, walls: Walls, cat: int) -> Plan[int] | None:
    """Walls that trap the cat."""
    return trapped(size, walls, cat)


class CircleTheCat(Task):
    """Trap a cat that runs to the edge of a hexagonal board by building one wall in each turn."""

    tags = {"planning", "spatial", "graphs"}
    baseline_note = (
        "the wall that lengthens the cat's way most is often part of a trap on a board with "
        "many walls"
    )
    answer_type = "cells"

    class Knobs(Task.Knobs):
        size: int = ladder(5, 5, 7, 7, 9, 9, low=5, high=11)
        walls: int = ladder(8, 6, 14, 11, 20, 16, low=5, high=24)  # at the start

    size: int
    walls: tuple[int, ...]
    cat: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size, cat = knobs.size, knobs.size**2 // 2
        cells = [n for n in range(size * size) if n != cat]
        walls = rng.sample(cells, min(knobs.walls, len(cells) // 2))
        return cls(size=size, walls=tuple(sorted(walls)), cat=cat)

    def plan(self) -> tuple[int, ...]:
        """The walls that the solver builds; none if it fails."""
        plan = solved(self.size, frozenset(self.walls), self.cat)
        return plan.moves if plan else ()

    def is_valid(self) -> bool:
        """Whether the cat can be trapped, but not without looking ahead.

        It escapes a player who always builds on the next cell of its path, or on the last one.
        """
        size, walls, cat = self.size, frozenset(self.walls), self.cat
        if not route(size, walls, cat):
            return False
        if any(caught_by_blocking(size, walls, cat, index) for index in (0, -1)):
            return False
        return len(self.plan()) > 2

    def canonical(self) -> str:
        return repr((self.size, self.walls))

    def shown(self, walls: Walls, cat: int) -> str:
        """The board as text."""
        lines = []
        for row in range(self.size):
            cells = range(row * self.size, (row + 1) * self.size)
            signs = ["C" if n == cat else "#" if n in walls else "." for n in cells]
            lines.append(" " * (row % 2) + " ".join(signs))
        return "\n".join(lines)

    def pictured(self, walls: Walls, cat: int, built: tuple[int, ...] = ()) -> Hexagons:
        """What there is to see of a board, with the wall that was built last."""
        free, wall, animal = Cell(), Cell(fill="dark"), Cell(mark="cat", tone="c3")
        names = tuple(str(n + 1) for n in range(self.size))
        return Hexagons(
            tuple(
                Hex(*divmod(n, self.size), animal if n == cat else wall if n in walls else free)
                for n in range(self.size**2)
            ),
            left=names,
            top=names,
            last=tuple(divmod(n, self.size) for n in built),
        )

    def rules(self) -> str:
        """The rules in words."""
        task = self.phrase(
            "A cat (C) is on a board of hexagonal cells, some of which are walls (#). Wall it in.",
            "Catch the cat (C) on this board of hexagons by building walls (#) all around it.",
        )
        return (
            f"{task} Every second row (row 2, row 4 and so on) is shifted to the right by half a "
            "cell. A cell therefore has up to six neighbours: left, right, upper left, upper "
            "right, lower left, lower right. A cell is named by its row, counted from 1 at the "
            "top, and its position in the row, counted from 1 at the left.\n\nIn each turn you "
            "build a wall on one empty cell, such as 'r1c1'. Then the cat moves to a neighbouring "
            "cell without a wall: it follows a shortest path, around the walls, to any edge cell "
            "(in the first or last row, or first or last in its row), and if several neighbours "
            "lie on shortest paths, it takes the first of them in this order: left, right, upper "
            "left, upper right, lower left, lower right. If it reaches an edge cell, it has "
            "escaped and you have lost. If no path leads to one, you have won. A reply that does "
            "not name an empty cell builds nothing, but the cat moves."
        )

    def _cell(self, text: str) -> tuple[int, int]:
        return cell(text, self.size, self.size)

    def play(self) -> Play:
        walls, cat = frozenset(self.walls), self.cat
        observation = (
            f"{self.rules()}\n\n{self.shown(walls, cat)}\n\nWhere do you build your first wall?"
        )
        built: tuple[int, ...] = ()
        while True:
            free = [n for n in range(self.size**2) if n != cat and n not in walls]
            names = {cell_name(*divmod(n, self.size)): n for n in free}
            try:
                move = yield Turn(
                    observation,
                    legal_moves=[*names],
                    state=self.shown(walls, cat),
                    scene=partial(self.pictured, walls, cat, built),
                )
                built = ()
                wall = names.get(cell_name(*read_move(self._cell, move)))
                if wall is None:
                    raise InvalidAnswer("expected an empty cell")
                walls |= {wall}
                built = (wall,)
                observation = ""
            except InvalidAnswer:
                observation = (
                    "That is not the name of an empty cell, such as 'r1c1'. Nothing is built. "
                )
            next_cell = step(self.size, walls, cat)
            if next_cell is None:
                return Score(1)
            cat = next_cell
            if cat in edge(self.size):
                return Score(0, "the cat has reached the edge of the board")
            observation += (
                f"The cat is at {cell_name(*divmod(cat, self.size))}.\n\n{self.shown(walls, cat)}"
            )

    def solve(self) -> Iterable[str]:
        return [cell_name(*divmod(cell, self.size)) for cell in self.plan()]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who look one wall ahead, for the longest way of the cat and the fewest ways on,
        or build beside the cat, where it goes next or opposite.
        """
        size = self.size

        def player(value: Callable[[Walls, int, int], float]) -> Policy:
            def move(turn: Turn) -> str:
                signs = turn.state.replace(" ", "").replace("\n", "")
                walls = frozenset(n for n, sign in enumerate(signs) if sign == "#")
                cat = signs.index("C")
                free = shuffled((n for n, sign in enumerate(signs) if sign == "."), rng)
                wall = max(free, key=lambda n: value(walls, cat, n))
                return cell_name(*divmod(wall, size))

            return move

        def longest_way(walls: Walls, cat: int, wall: int) -> float:
            distance = distances(size, walls | {wall})
            return distance.get(cat, size * size)

        def fewest_ways(walls: Walls, cat: int, wall: int) -> float:
            distance = distances(size, walls | {wall})
            ahead = sum(distance.get(n, size) < distance.get(cat, 0) for n in around(size)[cat])
            return 10 * longest_way(walls, cat, wall) - ahead

        return {
            "longest way": player(longest_way),
            "longest way, then fewest ways": player(fewest_ways),
            "beside the cat": player(lambda walls, cat, wall: wall in around(size)[cat]),
        }

    def difficulty(self) -> float:
        return float(len(self.plan()) * (self.size**2 - len(self.walls)))

    def shortcuts(self) -> Iterable[str]:
        left = self.cat - 1
        return [cell_name(*divmod(cell, self.size)) for cell in (left, left + 2, 0)]
