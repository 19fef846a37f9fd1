"""Bridges, or hashiwokakero, by Nikoli (1990): islands that become one by single or double bridges.

Islands are added one by one, each across open water from an earlier one. Where other bridges
are possible as well, the number between two islands is given, until the solution is unique.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import Key, natural_orders
from palaestra.generators.cells import COUNTED, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.bridges import (
    WATER,
    Link,
    crossing,
    links_of,
    settled,
    solve,
    spanning,
)
from palaestra.generators.grids.pencil import Pencil, SearchResult, revealed
from palaestra.generators.grids.shapes import turns
from palaestra.scenes import Cell, Grid, Line
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.cells import cell_name, cell_pair
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.values import choice, plain


class Bridges(Pencil):
    """Join islands by bridges, as many at each island as its digit, into a single network."""

    version = 2
    tags = {"grid", "graph", "connectivity", "constraint-satisfaction", "unique-solution"}
    answer_type = "cells"

    class Knobs(Pencil.Knobs):
        size: int = ladder(5, 6, 7, 8, 9, 10, 12, low=4)
        islands: int = ladder(6, 9, 11, 14, 18, 22, 30, low=4)

    sea: tuple[str, ...]
    known: tuple[tuple[int, int, int], ...]
    """Two islands, as cells in reading order, and how many bridges there are between them."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        built = settled(rng, size, min(knobs.islands, size * size // 3))
        numbers = [0] * (size * size)
        for link, many in built.items():
            for island in link:
                numbers[island] += many
        signs = "".join(str(number or WATER) for number in numbers)
        links = links_of(signs, size)
        truth = [built.get(link, 0) for link in links]
        known = revealed(lambda some: solve(signs, size, some), truth, {}, rng)
        sea = tuple(in_rows(signs, size))
        return cls(sea=sea, known=tuple((*links[n], truth[n]) for n in sorted(known)))

    def is_valid(self) -> bool:
        return len(self.known) < len(self.links()) / 3 and self.solved().unique

    def links(self) -> tuple[Link, ...]:
        """All pairs of islands that bridges may join."""
        return links_of("".join(self.sea), len(self.sea))

    def solved(self) -> SearchResult[tuple[int, ...]]:
        links = self.links()
        known = {links.index((one, other)): many for one, other, many in self.known}
        return solve("".join(self.sea), len(self.sea), known)

    def canonical(self) -> str:
        signs = "".join(self.sea)
        classes = []
        for turn in turns(len(self.sea)):
            islands = sorted((turn[n], sign) for n, sign in enumerate(signs) if sign != WATER)
            chosen = sorted((sorted((turn[a], turn[b])), many) for a, b, many in self.known)
            classes.append((islands, chosen))
        return f"{len(self.sea)} {min(classes)}"

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The digits of two islands change places."""
        flat, size = "".join(self.sea), len(self.sea)
        for signs in exchanges(flat, rng, lambda cell: None if flat[cell] == WATER else True):
            yield self.model_copy(update={"sea": tuple(in_rows("".join(signs), size))})

    def prompt(self) -> str:
        rules = self.phrase(
            "Digits in this grid are islands and dots are water. Join the islands by bridges. A "
            "bridge runs straight, across or down, over water only, from one island to the next "
            "one in that line. Between two islands there are at most two bridges. Bridges never "
            "cross. The digit of an island is the number of bridges that end there. Every island "
            "must be reachable from every other over bridges.",
            "Build bridges between the islands of this map, where a digit is an island and a dot "
            "is open water. Two islands can be linked if they are in the same row or column with "
            "nothing but water between them; such a pair gets no bridge, one, or two side by side. "
            "No bridge may cross another one. Each island must have exactly as many bridges as its "
            "digit says, and all islands must be connected into one network.",
        )
        hint = "\n".join(self.line(*some) for some in self.known) or "nothing"
        return (
            f"{rules} There is exactly one way to do it. {COUNTED}: r1c2 is the cell in row 1, "
            f"column 2.\n\n{text(self.sea)}\n\nAlready known numbers of bridges between two "
            f"islands:\n{hint}\n\nAnswer with one line for each pair of islands that is joined by "
            "bridges, known ones included, and leave out pairs without a bridge. A line has the "
            "two islands, the one further up or to the left first, and the number of bridges, such "
            f"as '{self.line(*self.links()[0], 2)}'."
        )

    def line(self, one: int, other: int, many: int) -> str:
        """Bridges as a line of an answer."""
        places = (cell_name(*divmod(island, len(self.sea))) for island in (one, other))
        return f"{'-'.join(places)}: {many}"

    def written(self, bridges: Sequence[int]) -> str:
        """The numbers of bridges, link by link, as an answer."""
        built = ((link, many) for link, many in zip(self.links(), bridges) if many)
        return "\n".join(self.line(*link, many) for link, many in built)

    def answer(self) -> str:
        (bridges,) = self.solved().solutions
        return self.written(bridges)

    def read(self, answer: str) -> list[int]:
        """The numbers of bridges, link by link."""
        size, links = len(self.sea), self.links()
        bridges = labelled(plain(answer))
        if len(bridges) > len(links):
            raise InvalidAnswer("the answer has more lines than there are pairs of islands")
        numbers = [0] * len(links)
        for name, number in bridges:
            many = choice(number, ["1", "2"])
            ends = cell_pair(name, size, size, "r1c2-r3c2: 1")
            link = tuple(row * size + column for row, column in sorted(ends))
            if link not in links:
                raise InvalidAnswer(f"{name[:20]} are not two islands with only water between")
            if numbers[links.index(link)]:
                raise InvalidAnswer("a pair of islands is listed twice")
            numbers[links.index(link)] = int(many)
        return numbers

    def scene(self) -> Grid:
        return self.picture({(one, other): many for one, other, many in self.known})

    def solved_scene(self, answer: str) -> Grid:
        return self.picture(dict(zip(self.links(), self.read(answer))))

    def picture(self, built: Mapping[Link, int]) -> Grid:
        """The scene of the map with these numbers of bridges."""
        known = {(one, other): many for one, other, many in self.known}
        cells = (
            tuple(Cell() if sign == WATER else Cell(sign, mark="disc", tone="t6") for sign in row)
            for row in self.sea
        )
        lines = (
            line
            for link, many in built.items()
            for line in planks(link, many, len(self.sea), "ink" if link in known else "accent")
        )
        return Grid(tuple(cells), lines=tuple(lines), coordinates=True)

    def verify(self, answer: str) -> Score:
        size, links = len(self.sea), self.links()
        bridges = dict(zip(links, self.read(answer)))
        for one, other, many in self.known:
            if bridges[one, other] != many:
                return Score(0, "bridges that are already known are missing")
        degree = Counter({island: 0 for link in links for island in link})
        for (first, last), many in bridges.items():
            degree[first] += many
            degree[last] += many
        for island, sign in enumerate("".join(self.sea)):
            ends = degree[island]
            if sign != WATER and ends != int(sign):
                return Score(0, f"{cell_name(*divmod(island, size))} has {ends} bridges")
        built = [link for link, many in bridges.items() if many]
        across = [link for link in built if link[1] - link[0] < size]
        down = [link for link in built if link[1] - link[0] >= size]
        for link, second in product(across, down):
            if crossing(link, second, size):
                names = (self.line(*some, 1).partition(":")[0] for some in (link, second))
                return Score(0, f"{' and '.join(names)} cross")
        islands = {island for link in links for island in link}
        if not spanning(islands, built):
            return Score(0, "the islands are not all connected")
        return Score(1)

    def audit(self, answer: str) -> bool:
        return self.read(answer) == [*self.solved().solutions[0]]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=4, islands=4)

    def candidates(self) -> Iterable[str]:
        return map(self.written, product((0, 1, 2), repeat=len(self.links())))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Build as many bridges as both islands and those built before allow, link by link."""
        size, links = len(self.sea), self.links()
        signs = "".join(self.sea)

        def built(order: Iterable[Link]) -> list[int]:
            wanted = {n: int(sign) for n, sign in enumerate(signs) if sign != WATER}
            bridges = dict.fromkeys(links, 0)
            for one, other, many in self.known:
                bridges[one, other] = many
                wanted[one], wanted[other] = wanted[one] - many, wanted[other] - many
            for link in order:
                crossed = any(
                    many and (crossing(link, other, size) or crossing(other, link, size))
                    for other, many in bridges.items()
                    if (link[1] - link[0] < size) != (other[1] - other[0] < size)
                )
                if not bridges[link] and not crossed:
                    bridges[link] = min(2, wanted[link[0]], wanted[link[1]])
                    for island in link:
                        wanted[island] -= bridges[link]
            return [*bridges.values()]

        keys: Mapping[str, Key[Link]] = {
            "numbers": lambda link: sum(int(signs[island]) for island in link),
            "length": lambda link: (
                link[1] - link[0] if link[1] - link[0] < size else (link[1] - link[0]) / size
            ),
        }
        orders = natural_orders(links, rng, keys)
        return {player: self.written(built(order)) for player, order in orders.items()}


def planks(link: Link, many: int, size: int, tone: str) -> Iterator[Line]:
    """The lines of so many bridges between two islands, from rim to rim.

    >>> [line.points for line in planks((0, 2), 1, 3, "ink")]
    [((0.0, 0.38), (0.0, 1.62))]
    """
    (top, left), (bottom, right) = (divmod(island, size) for island in link)
    down, across = int(bottom > top), int(right > left)
    for n in range(many):
        aside = 0.22 * (n - (many - 1) / 2)
        y, x = aside * across, aside * down
        start = top + 0.38 * down + y, left + 0.38 * across + x
        end = bottom - 0.38 * down + y, right - 0.38 * across + x
        yield Line((start, end), tone, width=0.09)
