"""The zebra puzzle, often ascribed to Einstein; first printed in Life International (1962)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from math import factorial
from random import Random
from typing import Literal, Self

from palaestra.generators.baselines import fillings
from palaestra.generators.exchanges import exchanges
from palaestra.generators.logic.zebra_puzzle import Clue, Row, minimal, true
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.grids import grid
from palaestra.verifiers.reading.values import joined

THEMES = {
    "name": ("{}", "is {}", "Ada Bo Cleo Dev Esme Finn Gita Hugo Ines Jun"),
    "drink": ("whoever drinks {}", "drinks {}", "tea coffee milk water juice cocoa cider"),
    "pet": ("whoever keeps the {}", "keeps the {}", "cat dog zebra parrot snail horse rabbit"),
    "colour": ("whoever has the {} door", "has the {} door", "red blue green white yellow black"),
    "job": ("the {}", "is the {}", "baker doctor painter farmer singer pilot tailor"),
    "sport": ("whoever enjoys {}", "enjoys {}", "tennis chess golf judo rowing skiing polo"),
    "plant": ("whoever grows {}", "grows {}", "roses tulips beans lilies herbs ferns figs"),
    "music": ("whoever plays the {}", "plays the {}", "flute harp drums cello piano banjo organ"),
}
"""Attributes: a phrase for the person, a predicate, and the values."""

WORDS = {
    "at": "{A} lives in house {house}.",
    "not at": "{A} does not live in house {house}.",
    "end": "{A} lives at one end of the row.",
    "same": "{A} {b}.",
    "not same": "{A} and {B} are two different people.",
    "next": "{A} and {B} live next door to each other.",
    "not next": "{A} and {B} live neither in the same house nor next door to each other.",
    "just left": "{A} lives directly to the left of {B}.",
    "left": "{A} lives somewhere to the left of {B}.",
    "between": "{A} lives somewhere between {B} and {C}.",
    "either": "{A} either {b} or {c}.",
}

PLAIN = ("at", "same", "same", "next", "just left", "left", "end", "not at")
WIDE = (*PLAIN, "between", "not same", "either")
FULL = ("same", "next", "just left", "left", "between", "not at", "either", "not next", "not same")


class ZebraPuzzle(Puzzle):
    """Deduce from clues who lives in which house of a row, and all other attributes."""

    tags = {"deduction", "constraints", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        houses: int = ladder(3, 3, 4, 4, 5, 5, high=6)
        attributes: int = ladder(2, 3, 3, 4, 4, 5)
        clues: Literal["plain", "wide", "full"] = ladder(
            "plain", "plain", "wide", "wide", "full", "full"
        )

    themes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    clues: tuple[Clue, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # Items are numbered by the house of the solution, and get random values.
        row = Row(knobs.houses, knobs.attributes)
        kinds = {"plain": PLAIN, "wide": WIDE, "full": FULL}[knobs.clues]
        clues = minimal(rng, kinds, row, tuple(range(knobs.houses)) * knobs.attributes)
        themes = ("name", *rng.sample(list(THEMES)[1:], knobs.attributes - 1))
        values = (tuple(rng.sample(THEMES[t][2].split(), knobs.houses)) for t in themes)
        rng.shuffle(clues)
        return cls(themes=themes, values=tuple(values), clues=tuple(clues))

    @property
    def houses(self) -> int:
        """The number of houses."""
        return len(self.values[0])

    def canonical(self) -> str:
        """The clues, with the attributes in an order that does not depend on their names."""
        roles: list[list[tuple[str, int, int]]] = [[] for _ in self.themes]
        for relation, items, _ in self.clues:
            for n, item in enumerate(items):
                roles[item // self.houses].append((relation, n, item % self.houses))
        order = sorted(range(len(roles)), key=lambda attribute: sorted(roles[attribute]))
        return repr(sorted((c.relation, self._moved(c.items, order), c.house) for c in self.clues))

    def _moved(self, items: Iterable[int], order: list[int]) -> tuple[int, ...]:
        return tuple(order.index(i // self.houses) * self.houses + i % self.houses for i in items)

    def sentences(self) -> Sequence[Sentence]:
        return [Sentence(self.as_text(clue)) for clue in self.clues]

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two items of one attribute change places in the clues."""
        flat = [item for clue in self.clues for item in clue.items]
        for items in exchanges(flat, rng, lambda position: flat[position] // self.houses):
            rest = iter(items)
            clues = tuple(
                clue._replace(items=tuple(next(rest) for _ in clue.items)) for clue in self.clues
            )
            if all(len({*clue.items}) == len(clue.items) for clue in clues):
                yield self.model_copy(update={"clues": clues})

    def refutation(self, altered: Self) -> float | None:
        """The steps of an exhaustive search, which are at least half as many as for the puzzle
        itself unless a glance is enough, as where two clues on the same attributes contradict each
        other.
        """
        row = Row(self.houses, len(self.themes))
        if next(row.solutions(altered.clues), None):
            return None
        if any(contradict(*both, self.houses) for both in combinations(altered.clues, 2)):
            return 0.0
        return float(row.steps) if 2 * row.steps >= self.difficulty() else 0.0

    def prompt(self) -> str:
        columns = "\n".join(f"{t}: {joined(sorted(v))}" for t, v in zip(self.themes, self.values))
        clues = "\n".join(f"{n}. {self.as_text(clue)}" for n, clue in enumerate(self.clues, 1))
        setting = self.phrase(
            f"{self.houses} houses are in a row, numbered 1 to {self.houses} from left to right.",
            f"A street has {self.houses} houses side by side; house 1 is the leftmost one, house "
            f"{self.houses} the rightmost.",
        )
        form = joined([f"<{theme}>" for theme in self.themes])
        example = joined([min(values) for values in self.values])
        return (
            f"{setting} One person lives in each. No two of them share a value of any of these "
            f"attributes, and each value belongs to someone:\n\n{columns}\n\nClues:\n{clues}\n\n"
            f"Who lives where? Write {self.houses} lines, one for each house from left to right, "
            f"each of the form '{form}', with the values in that order, such as '{example}'."
        )

    def as_text(self, clue: Clue) -> str:
        """A clue in words."""
        values = {}
        for letter, item in zip("ABC", clue.items):
            attribute, value = divmod(item, self.houses)
            noun, verb, _ = THEMES[self.themes[attribute]]
            values[letter] = noun.format(self.values[attribute][value])
            values[letter.lower()] = verb.format(self.values[attribute][value])
        sentence = WORDS[clue.relation].format(**values, house=clue.house + 1)
        return sentence[0].upper() + sentence[1:]

    def scene(self) -> Panels:
        return self.view([[""] * len(self.themes)] * self.houses)

    def solved_scene(self, answer: str) -> Panels:
        return self.view(self.read(answer))

    def view(self, rows: Sequence[Sequence[str]]) -> Panels:
        """A table with a column for each house, and the values of each attribute."""
        cells = [tuple(Cell(value, tone="accent") for value in column) for column in zip(*rows)]
        left = tuple((theme,) for theme in self.themes)
        top = tuple((str(number + 1),) for number in range(self.houses))
        values = tuple(tuple(map(Cell, sorted(some))) for some in self.values)
        houses = Grid(tuple(cells), top=top, left=left)
        return Panels((houses, Grid(values, style="plain")), ("houses", "values"), columns=2)

    def read(self, answer: str) -> list[list[str]]:
        """The values of each house."""
        known = [value for values in self.values for value in values]
        return grid(answer, self.houses, len(self.themes), known)

    def answer(self) -> str:
        return self.table(solved(self.clues, self.houses, len(self.themes))[0])

    def table(self, places: Iterable[int]) -> str:
        """The answer that states the house of each item."""
        table = [[""] * len(self.themes) for _ in range(self.houses)]
        for item, house in enumerate(places):
            attribute, value = divmod(item, self.houses)
            table[house][attribute] = self.values[attribute][value]
        return "\n".join(map(joined, table))

    def verify(self, answer: str) -> Score:
        rows = self.read(answer)
        places = []
        for theme, values, column in zip(self.themes, self.values, zip(*rows)):
            if set(column) != set(values):
                return Score(0, f"the {theme} column does not have each {theme} exactly once")
            places += [column.index(value) for value in values]
        for number, clue in enumerate(self.clues, 1):
            if not true(clue, places, self.houses):
                return Score(0, f"clue {number} does not hold")
        return Score(1)

    def difficulty(self) -> float:
        return solved(self.clues, self.houses, len(self.themes))[1]

    def random_baseline(self) -> float:
        return float(factorial(self.houses)) ** -len(self.themes)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(houses=3, attributes=2)

    def candidates(self) -> Iterable[str]:
        orders = list(permutations(range(self.houses)))
        for chosen in product(orders, repeat=len(self.themes)):
            yield self.table(house for order in chosen for house in order)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The values in the order of their lists, or at random where no clue names a house."""
        values = len(self.themes) * self.houses
        named = {c.items[0]: c.house for c in self.clues if c.relation == "at"}

        def options(item: int, houses: Mapping[int, int]) -> list[int]:
            taken = {
                h for other, h in houses.items() if other // self.houses == item // self.houses
            }
            free = [house for house in range(self.houses) if house not in taken]
            return [named[item]] if named.get(item) in free else free

        players = fillings(range(values), options, rng)
        listed = [sorted(some) for some in self.values]
        in_order = [row.index(value) for row, some in zip(listed, self.values) for value in some]
        rows = {
            player: self.table([houses.get(n, 0) for n in range(values)])
            for player, houses in players.items()
        }
        return {"values as listed": self.table(in_order), **rows}


@lru_cache(maxsize=64)
def solved(clues: tuple[Clue, ...], houses: int, attributes: int) -> tuple[tuple[int, ...], int]:
    """The houses of the items in the only solution, and the steps of the search."""
    row = Row(houses, attributes)
    (places,) = row.solutions(clues)
    return places, row.steps


def contradict(one: Clue, other: Clue, houses: int) -> bool:
    """Whether two clues on one or two attributes cannot both be true; False for more attributes.

    >>> ada_drinks_tea, bo_drinks_tea = Clue("same", (0, 3)), Clue("same", (1, 3))
    >>> contradict(ada_drinks_tea, bo_drinks_tea, houses=3)
    True
    """
    attributes = sorted({item // houses for clue in (one, other) for item in clue.items})
    if len(attributes) > 2:
        return False
    clues = [
        clue._replace(
            items=tuple(
                attributes.index(item // houses) * houses + item % houses for item in clue.items
            )
        )
        for clue in (one, other)
    ]
    return next(Row(houses, len(attributes)).solutions(clues), None) is None
