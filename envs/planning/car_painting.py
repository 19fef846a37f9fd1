"""Resequencing cars before the paint shop to minimise colour changes.

A car may move a few places only, as buffers allow (Epping, Hochstaettler and Oertel, 2004, study
such paint shop problems); dynamic programming over how many of each colour are painted is exact.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import TONES
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.moves import numbers
from palaestra.verifiers.reading.values import joined

COLOURS = ("red", "blue", "green", "white", "black", "silver")

Row = tuple[int, ...]


def changes(row: Iterable[int]) -> int:
    """How often a colour is followed by another one.

    >>> changes([1, 1, 2, 1])
    2
    """
    return len(list(groupby(row))) - 1


@lru_cache(maxsize=256)
def best_order(colours: Row, reach: int) -> Row:
    """An order of the cars with the fewest changes, none further than ``reach`` from its place.

    Cars of one colour may keep their order, so the number painted of each colour is the state.

    >>> best_order((0, 1, 0), 1)
    (0, 2, 1)
    """
    paints = sorted(set(colours))
    cars = {paint: [n for n, colour in enumerate(colours) if colour == paint] for paint in paints}
    layer: dict[tuple[Row, int], tuple[int, Row]] = {((0,) * len(paints), -1): (0, ())}
    for position in range(len(colours)):
        after: dict[tuple[Row, int], tuple[int, Row]] = {}
        for (counts, last), (cost, order) in layer.items():
            waiting = [(cars[paint][n], i) for i, (paint, n) in enumerate(zip(paints, counts))
                       if n < len(cars[paint])]  # fmt: skip
            due = [each for each in waiting if each[0] == position - reach]
            for car, i in due or waiting:
                if abs(car - position) <= reach:
                    key = (*counts[:i], counts[i] + 1, *counts[i + 1 :]), i
                    new = cost + (last not in {-1, i})
                    if key not in after or new < after[key][0]:
                        after[key] = new, (*order, car)
        layer = after
    return min(layer.values())[1]


def greedy_order(colours: Row, reach: int) -> Row:
    """An order that continues with the same colour whenever that is possible."""
    left, order = list(range(len(colours))), list[int]()
    for position in range(len(colours)):
        near = [car for car in left if car <= position + reach]
        same = [car for car in near if order and colours[car] == colours[order[-1]]]
        car = left[0] if left[0] == position - reach or not same else same[0]
        left.remove(car)
        order.append(car)
    return tuple(order)


class CarPainting(Puzzle):
    """Reorder cars, each by a few places at most, so that the paint colour changes least often."""

    version = 3
    tags = {"planning", "optimisation"}

    class Knobs(Puzzle.Knobs):
        cars: int = ladder(13, 14, 16, 20, 23, 26, low=12, high=26)
        colours: int = ladder(3, 3, 3, 5, 5, 5, low=3)
        reach: int = ladder(2, 2, 2, 3, 3, 3)

    colours: Row
    reach: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        colours = tuple(rng.randrange(knobs.colours) for _ in range(knobs.cars))
        return cls(colours=colours, reach=knobs.reach)

    def best(self) -> int:
        """The fewest possible changes."""
        return changes(self.colours[car] for car in best_order(self.colours, self.reach))

    def baseline(self) -> int:
        """The fewer changes of the original and the greedy order."""
        greedy = (self.colours[car] for car in greedy_order(self.colours, self.reach))
        return min(changes(self.colours), changes(greedy))

    def is_valid(self) -> bool:
        # A gap of a single change is too often closed by luck.
        return self.best() < self.baseline() - 1

    def canonical(self) -> str:
        first: dict[int, int] = {}
        return repr(([first.setdefault(c, len(first)) for c in self.colours], self.reach))

    def prompt(self) -> str:
        cars = ", ".join(f"{n} {COLOURS[colour]}" for n, colour in enumerate(self.colours, 1))
        task = self.phrase(
            "Cars arrive at a paint shop in a row, each with the colour that it must get:",
            "A paint shop gets this row of cars, from first to last, with the colours they need:",
        )
        example = joined(range(len(self.colours), 0, -1))
        return (
            f"{task} {cars}.\n\nThe row may be put into another order before it is painted, but no "
            f"car may end more than {self.reach} places before or behind the place it has now. "
            "Find an order in which the colour changes from one car to the next as few times as "
            "possible.\n\nAnswer with the numbers of all cars in their new order, separated by "
            f"commas, such as '{example}' (which moves cars too far)."
        )

    def scene(self) -> Grid:
        return self.row_picture(range(1, len(self.colours) + 1))

    def solved_scene(self, answer: str) -> Panels:
        """The cars before and after they are put into the order of an answer."""
        order = self.read(answer)
        rows = (self.scene(), self.row_picture([car for car in order if self.has(car)]))
        return Panels(rows, ("Arrival", "New order"), columns=1)

    def row_picture(self, cars: Sequence[int]) -> Grid:
        """Cars in an order, in lines of equal length, with lines where the colour changes."""
        colours = [COLOURS[self.colours[car - 1]] for car in cars]
        cells = [Cell(str(car), TONES[c], corner=c) for car, c in zip(cars, colours)]
        width = -(-len(self.colours) // (2 if len(self.colours) < 20 else 3))
        cells += [Cell(fill="none")] * (-len(cells) % width)
        rows = (tuple(cells[n : n + width]) for n in range(0, len(cells), width))
        return Grid(tuple(rows))

    def has(self, car: int) -> bool:
        """Whether there is a car with a number."""
        return 1 <= car <= len(self.colours)

    def read(self, answer: str) -> list[int]:
        """The order of the cars in an answer, which may have wrong numbers."""
        return numbers(answer, "the numbers of all cars, in order", len(self.colours))

    def answer(self) -> str:
        return joined([car + 1 for car in best_order(self.colours, self.reach)])

    def verify(self, answer: str) -> Score:
        order = self.read(answer)
        if sorted(order) != list(range(1, len(order) + 1)):
            return Score(0, "not every car is in the order exactly once")
        far = [car for position, car in enumerate(order, 1) if abs(car - position) > self.reach]
        if far:
            return Score(0, f"car {far[0]} is more than {self.reach} places from its old place")
        count = changes(self.colours[car - 1] for car in order)
        progress = gap(count, self.baseline(), self.best())
        fewest = count == self.best()
        reason = "" if fewest else f"{count} colour changes are not the fewest possible"
        return Score(float(fewest), reason, {"progress": progress})

    def audit(self, answer: str) -> bool:
        """Counts the neighbours of equal colour."""
        order = numbers(answer, "cars")
        positions = {car: position for position, car in enumerate(order, 1)}
        if set(positions) != set(range(1, len(self.colours) + 1)) or len(order) != len(positions):
            return False
        near = max(abs(car - position) for car, position in positions.items()) <= self.reach
        pairs = pairwise(order)
        kept = sum(self.colours[a - 1] == self.colours[b - 1] for a, b in pairs)
        return near and len(order) - 1 - kept == self.best()

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Orders that keep the colour while they can, and go on with the oldest car, the colour of
        most cars within reach or left, or a random one; and the order of the colours within reach.
        """

        def player(key: Callable[[int, list[int], list[int]], float]) -> str:
            left, order = list(range(len(self.colours))), list[int]()
            for position in range(len(self.colours)):
                near = [car for car in left if car <= position + self.reach]
                same = [c for c in near if order and self.colours[c] == self.colours[order[-1]]]
                car = left[0]
                if car > position - self.reach:
                    car = same[0] if same else min(near, key=lambda n: key(n, near, left))
                left.remove(car)
                order.append(car)
            return joined([car + 1 for car in order])

        def others(car: int, cars: list[int]) -> int:
            return sum(self.colours[other] == self.colours[car] for other in cars)

        return {
            "same colour, then random": player(lambda car, near, left: rng.random()),
            "same colour, then most within reach": player(lambda car, near, _: -others(car, near)),
            "same colour, then most left": player(lambda car, near, left: -others(car, left)),
            "same colour, then fewest left": player(lambda car, near, left: others(car, left)),
        }

    def difficulty(self) -> float:
        return float(len(self.colours) * len(set(self.colours)) * (2 * self.reach + 1) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield joined(range(1, len(self.colours) + 1))
        yield joined([car + 1 for car in greedy_order(self.colours, self.reach)])
