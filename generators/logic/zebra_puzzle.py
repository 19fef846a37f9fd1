"""Clues about people in a row of houses, and a solver.

An *item* is a value of an attribute, such as drinking tea. Items are numbered attribute by
attribute, ``houses`` of them each. Items of one attribute are in different houses, counted from 0.
The possible houses of an item are a *mask* with one bit for each house.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple


class Clue(NamedTuple):
    """A clue: its relation in ``KINDS``, its items, and a house if the relation needs one."""

    relation: str
    items: tuple[int, ...]
    house: int = 0


Masks = tuple[int, ...]
Scoped = Sequence[tuple[Clue, int]]
"""Clues, each with the mask of its items."""

KINDS: dict[str, tuple[int, Callable[..., bool]]] = {
    "at": (1, lambda house, last, a: a == house),
    "not at": (1, lambda house, last, a: a != house),
    "end": (1, lambda house, last, a: a in {0, last}),
    "same": (2, lambda house, last, a, b: a == b),
    "not same": (2, lambda house, last, a, b: a != b),
    "next": (2, lambda house, last, a, b: abs(a - b) == 1),
    "not next": (2, lambda house, last, a, b: abs(a - b) > 1),
    "just left": (2, lambda house, last, a, b: b - a == 1),
    "left": (2, lambda house, last, a, b: a < b),
    "between": (3, lambda house, last, a, b, c: b < a < c or c < a < b),
    "either": (3, lambda house, last, a, b, c: a in {b, c}),
}
"""For each relation, the number of items and the check; ``last`` is the last house."""


def true(clue: Clue, places: Sequence[int], houses: int) -> bool:
    """Whether a clue holds, where ``places`` has the house of each item.

    >>> true(Clue("just left", (0, 3)), [1, 0, 1, 2], 3)
    True
    """
    return KINDS[clue.relation][1](clue.house, houses - 1, *(places[item] for item in clue.items))


@lru_cache(maxsize=1 << 15)
def supported(relation: str, house: int, houses: int, masks: Masks) -> Masks:
    """The masks of a clue's items without the houses that contradict it.

    >>> supported("just left", 0, 3, (0b111, 0b110))
    (3, 6)
    """
    kept = [0] * len(masks)
    options = [[h for h in range(houses) if mask >> h & 1] for mask in masks]
    for places in product(*options):
        if KINDS[relation][1](house, houses - 1, *places):
            for n, spot in enumerate(places):
                kept[n] |= 1 << spot
    return tuple(kept)


@lru_cache(maxsize=1 << 15)
def different(masks: Masks) -> Masks:
    """The masks of items in different houses, after elimination.

    A house that is the only one of an item is excluded for the others, and an item that is the
    only one for a house is in it.

    >>> different((0b001, 0b011, 0b111))
    (1, 2, 4)
    """
    kept = list(masks)
    while True:
        before = tuple(kept)
        for n, mask in enumerate(before):
            others = [m for i, m in enumerate(before) if i != n]
            taken = sum({m for m in others if m.bit_count() == 1})
            possible = 0
            for other in others:
                possible |= other
            kept[n] = (mask & ~taken) & (~possible if mask & ~possible else -1)
        if tuple(kept) == before:
            return before


class Row:
    """A row of houses, with a solver that combines clues."""

    def __init__(self, houses: int, attributes: int) -> None:
        self.houses = houses
        self.groups = [range(a * houses, (a + 1) * houses) for a in range(attributes)]
        self.steps = 0

    def solutions(self, clues: Sequence[Clue]) -> Iterator[tuple[int, ...]]:
        """All solutions: the houses of the items that satisfy the clues."""
        unknown = [(1 << self.houses) - 1] * (self.houses * len(self.groups))
        scoped = [(clue, sum(1 << item for item in clue.items)) for clue in clues]
        yield from self._search(unknown, scoped, -1)

    def _search(self, masks: list[int], clues: Scoped, fresh: int) -> Iterator[tuple[int, ...]]:
        if not self._narrow(masks, clues, fresh):
            return
        open_items = [item for item, mask in enumerate(masks) if mask.bit_count() > 1]
        if not open_items:
            yield tuple(mask.bit_length() - 1 for mask in masks)
            return
        item = min(open_items, key=lambda i: masks[i].bit_count())
        for house in range(self.houses):
            if masks[item] >> house & 1:
                guess = masks.copy()
                guess[item] = 1 << house
                yield from self._search(guess, clues, 1 << item)

    def _narrow(self, masks: list[int], clues: Scoped, fresh: int) -> bool:
        """Eliminate houses until nothing changes; returns whether every item keeps a house.

        Only clues about changed items (a mask, ``fresh``) are applied again.
        """
        while fresh:
            changed = 0
            for (relation, items, house), scope in clues:
                if scope & (fresh | changed):
                    self.steps += 1
                    old = tuple([masks[item] for item in items])
                    new = supported(relation, house, self.houses, old)
                    if new != old:
                        changed |= self._put(masks, items, old, new)
            for group in self.groups:
                if (fresh | changed) >> group.start & (1 << self.houses) - 1:
                    old = tuple(masks[group.start : group.stop])
                    changed |= self._put(masks, group, old, different(old))
            if 0 in masks:
                return False
            fresh = changed
        return True

    @staticmethod
    def _put(masks: list[int], items: Sequence[int], old: Masks, new: Masks) -> int:
        """Store new masks; returns the mask of the changed items."""
        changed = 0
        for item, before, now in zip(items, old, new):
            if now != before:
                masks[item] = now
                changed |= 1 << item
        return changed


def distinguishing_clue(
    rng: Random, kinds: Sequence[str], row: Row, places: Sequence[int], other: Sequence[int]
) -> Clue:
    """A random clue that holds for one placement of the items and not for another one."""
    while True:
        relation = rng.choice(kinds)
        items = rng.sample(range(len(places)), KINDS[relation][0])
        house = 0
        if relation in {"at", "not at"}:
            house = places[items[0]] if relation == "at" else other[items[0]]
        if relation in {"next", "not next", "same", "not same"}:
            items.sort()
        clue = Clue(relation, tuple(items), house)
        groups = [item // row.houses for item in items]
        if relation == "either":
            # The alternatives belong to one attribute, so that they exclude each other.
            suitable = groups[1] == groups[2] != groups[0]
        else:
            suitable = len(set(groups)) == len(groups) or relation in {"left", "between"}
        if suitable and true(clue, places, row.houses) and not true(clue, other, row.houses):
            return clue


def minimal(rng: Random, kinds: Sequence[str], row: Row, places: tuple[int, ...]) -> list[Clue]:
    """Clues with a unique solution, none of which is redundant.

    Each clue excludes a rival solution of the ones before it, until there is no rival.
    """

    def rival(clues: Sequence[Clue]) -> tuple[int, ...] | None:
        return next((solution for solution in row.solutions(clues) if solution != places), None)

    clues: list[Clue] = []
    rivals: list[tuple[int, ...]] = []
    while second := rival(clues):
        rivals.append(second)
        clues.append(distinguishing_clue(rng, kinds, row, places, second))
    for clue in rng.sample(clues, len(clues)):
        rest = [each for each in clues if each is not clue]
        if any(all(true(each, old, row.houses) for each in rest) for old in rivals):
            continue
        if second := rival(rest):
            rivals.append(second)
        else:
            clues = rest
    return clues
