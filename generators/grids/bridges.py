"""Islands and the bridges between them, single or double: maps, rules and solutions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random

from palaestra.generators.grids.constraints import Board, Rows, Rule, Table, Total
from palaestra.generators.grids.pencil import SearchResult

WATER = "."


Link = tuple[int, int]
"""Two islands in a line with only water between, the first one in reading order first."""


MAX_NODES = 200
"""Limit of the search nodes when proving that there is one solution."""


@lru_cache(maxsize=64)
def links_of(signs: str, size: int) -> tuple[Link, ...]:
    """All pairs of islands in a line with only water between.

    >>> links_of("1.1.", 2)
    ((0, 2),)
    """
    links = []
    for island, sign in enumerate(signs):
        row = range(island + 1, (island // size + 1) * size)
        column = range(island + size, size * size, size)
        for line in (row, column) if sign != WATER else ():
            met = next((n for n in line if signs[n] != WATER), None)
            if met is not None:
                links.append((island, met))
    return tuple(links)


def crossing(one: Link, other: Link, size: int) -> bool:
    """Whether bridges between these islands would cross.

    >>> crossing((3, 5), (1, 7), 3), crossing((0, 2), (1, 7), 3)
    (True, False)
    """
    if one[1] - one[0] >= size:
        one, other = other, one
    if one[1] - one[0] >= size or other[1] - other[0] < size:
        return False
    row, column = one[0] // size, other[0] % size
    return one[0] % size < column < one[1] % size and other[0] // size < row < other[1] // size


def spanning(islands: set[int], links: Iterable[Link]) -> bool:
    """Whether links form one network of all islands."""
    reached = {min(islands)}
    waiting = [*links]
    while True:
        open_links = [link for link in waiting if not reached.issuperset(link)]
        fresh = [link for link in open_links if not reached.isdisjoint(link)]
        if not fresh:
            return reached == islands
        reached.update(island for link in fresh for island in link)
        waiting = open_links


@dataclass(frozen=True)
class Joined:
    """The links that may still have bridges form one network."""

    scope: tuple[int, ...]
    links: tuple[Link, ...]

    def narrow(self, domains: list[int]) -> bool:
        islands = {island for link in self.links for island in link}
        return spanning(islands, [self.links[n] for n in self.scope if domains[n] & 0b110])


@lru_cache(maxsize=64)
def rules(signs: str, size: int) -> tuple[Rule, ...]:
    """All rules of a map."""
    links = links_of(signs, size)
    one_is_free = Rows([(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)], 3)
    rules: list[Rule] = [
        Total(tuple(n for n, link in enumerate(links) if island in link), int(sign))
        for island, sign in enumerate(signs)
        if sign != WATER
    ]
    for (n, one), (m, other) in combinations(enumerate(links), 2):
        if crossing(one, other, size):
            rules.append(Table((n, m), one_is_free))
    return (*rules, Joined(tuple(range(len(links))), links))


def solve(signs: str, size: int, known: Mapping[int, int]) -> SearchResult[tuple[int, ...]]:
    """Up to two solutions, as the number of bridges of each link."""
    links = links_of(signs, size)
    domains = [1 << known[n] if n in known else 0b111 for n in range(len(links))]
    return Board(len(links), rules(signs, size)).solve(domains, most=MAX_NODES)


def settled(rng: Random, size: int, islands: int) -> dict[Link, int]:
    """Islands at random with the bridges between them, fewer where there is no room."""
    start = rng.randrange(size * size)
    places = [start]
    taken = {start}
    built: dict[Link, int] = {}
    for _ in range(8 * islands):
        if len(places) == islands:
            break
        one, step = rng.choice(places), rng.choice((1, -1, size, -size))
        row, column = divmod(one, size)
        room = {1: size - 1 - column, -1: column, size: size - 1 - row, -size: row}[step]
        if room < 2:
            continue
        way = [one + step * n for n in range(1, rng.randint(2, min(room, 5)) + 1)]
        beside = {way[-1] + near for near in (1, -1, size, -size)} - {way[-2]}
        if taken.isdisjoint(way) and beside.isdisjoint(places):
            places.append(way[-1])
            taken.update(way)
            built[min(one, way[-1]), max(one, way[-1])] = rng.randint(1, 2)
    for link in links_of("".join("1" if n in places else WATER for n in range(size**2)), size):
        free = not any(crossing(link, other, size) for other in built)
        if free and link not in built and rng.random() < 0.3:
            built[link] = rng.randint(1, 2)
    return built
