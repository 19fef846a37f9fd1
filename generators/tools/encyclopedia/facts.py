"""Random facts of an encyclopaedia, by columns: for a relation, a value for each article that may
state it.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence

from palaestra.generators.tools.encyclopedia.schema import FACTS, RELATIONS, TRAIT, TRAITS, Type
from palaestra.rng import Rng

BIRTHS = range(520, 941)
"""The years in which people are born."""

TEACHERS = range(15, 51)
"""By how many years teachers are older than their pupils."""

FOUNDATIONS = {"town_founded": range(100, 501), "house_founded": range(300, 501)}
"""The years in which towns and houses are founded."""

AGES = {"published": range(25, 61), "guild_founded": range(25, 41)}
"""How old authors are when their books come out, and masters when their guilds are founded."""

HEADS = 8
"""How many heads a house has at most."""

Value = int | str
"""The number of an article, a year, or a trait."""

Column = Sequence[Value | None]
"""A value for each article of a type."""


class Facts:
    """The facts of all articles, before any is left out.

    Each column is drawn when it is first asked for, from a stream of chance of its own, so that
    it does not depend on which others are needed.
    """

    def __init__(self, seed: int, articles: int) -> None:
        self.seed = seed
        sizes = {
            "province": max(3, articles // 24),
            "house": max(3, articles // 40),
            "guild": max(3, articles // 24),
            "town": articles // 4,
            "book": articles // 5,
        }
        sizes["person"] = articles - sum(sizes.values())
        self.ranges: dict[Type, range] = {}
        """The numbers of the articles of each type. Those of people start from 0."""
        start = 0
        for name in FACTS:
            self.ranges[name] = range(start, start + sizes[name])
            start += sizes[name]
        self._links: dict[str, Sequence[int]] = {}
        self._years: dict[str, Sequence[int]] = {}

    def stream(self, name: str) -> Rng:
        """The chance for one purpose."""
        return Rng(f"{self.seed} {name}")

    def column(self, relation: str) -> Column:
        """The values of a relation, which few articles lack for good reason."""
        draws: dict[str, Callable[[], Column]] = {
            "teacher": self._teachers,
            "rival": self._rivals,
            "dedicated": self._dedicatees,
            "capital": self._capitals,
        }
        if relation in draws:
            return draws[relation]()
        source, target = RELATIONS[relation].source, RELATIONS[relation].target
        if target == TRAIT:
            return self.stream(relation).choices(TRAITS[source][1], k=len(self.ranges[source]))
        return self._linked(relation) if target in self.ranges else self.years(relation)

    def years(self, relation: str) -> Sequence[int]:
        """The years of a relation, in the order of the articles; people are in order of birth."""
        if relation not in self._years:
            self._years[relation] = self._dated(relation)
        return self._years[relation]

    def _dated(self, relation: str) -> Sequence[int]:
        rng, number = self.stream(relation), len(self.ranges[RELATIONS[relation].source])
        if relation == "born":
            return sorted(rng.choices(BIRTHS, k=number))
        if relation in FOUNDATIONS:
            return rng.choices(FOUNDATIONS[relation], k=number)
        person = {"published": "author", "guild_founded": "master"}[relation]
        births, ages = self.years("born"), rng.choices(AGES[relation], k=number)
        return [births[n] + age for n, age in zip(self._linked(person), ages)]

    def _linked(self, relation: str) -> Sequence[int]:
        """A random article of the right type for each article."""
        if relation not in self._links:
            source, target = RELATIONS[relation].source, RELATIONS[relation].target
            numbers = next(each for name, each in self.ranges.items() if name == target)
            links = self.stream(relation).choices(numbers, k=len(self.ranges[source]))
            if relation == "province":  # each province has a town
                links[: len(numbers)] = numbers
            self._links[relation] = links
        return self._links[relation]

    def _teachers(self) -> Column:
        chance, births = self.stream("teacher").random, self.years("born")
        first = BIRTHS.start - TEACHERS.stop
        before = [bisect_left(births, year) for year in range(first, BIRTHS.stop)]
        bounds = [
            (before[birth - TEACHERS[-1] - first], before[birth - TEACHERS[0] - first])
            for birth in births
        ]
        return [
            oldest + int(chance() * (end - oldest)) if oldest < end else None
            for oldest, end in bounds
        ]

    def _rivals(self) -> Column:
        pairs = zip(self.ranges["town"], self._linked("rival"))
        return [rival if rival != town else None for town, rival in pairs]

    def _dedicatees(self) -> Column:
        pairs = zip(self._linked("author"), self._linked("dedicated"))
        return [other if other != author else None for author, other in pairs]

    def _capitals(self) -> Column:
        towns: dict[int, list[int]] = {}
        for town, province in zip(self.ranges["town"], self._linked("province")):
            towns.setdefault(province, []).append(town)
        rng = self.stream("capital")
        return [rng.choice(towns[province]) for province in self.ranges["province"]]

    def heads(self) -> list[tuple[Sequence[int], Sequence[int]]]:
        """For each house people of growing age who lead it, and the years from which on."""
        rng = self.stream("heads")
        return [self._heads(rng) for _ in self.ranges["house"]]

    def _heads(self, rng: Rng) -> tuple[Sequence[int], Sequence[int]]:
        births, members = self.years("born"), list[int]()
        n = rng.randrange(1 + len(births) // 8)
        while len(members) < HEADS:
            members.append(n)
            first, last = (bisect_left(births, births[n] + gap) for gap in (15, 45))
            if first >= last:
                break
            n = rng.randrange(first, last)
        return members, [births[n] + 30 for n in members]
