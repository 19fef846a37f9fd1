"""A partial program: its names, its lines, and random constants and conditions.

Divisions follow the language in which the program is shown. Exactly the names of arrays end in s.
"""

from collections.abc import Callable
from random import Random

from palaestra.generators.programs.translate_program.writing import ROW, Language

NAMES = {
    "number": ("total", "score", "value", "level", "result", "amount", "weight", "mark", "tally"),
    "row": ("parts", "marks", "levels", "steps", "counts", "sums", "values", "places", "terms"),
    "item": ("x", "v", "item", "entry", "e"),
    "index": ("i", "j", "p", "q", "at", "turn", "round"),
    "function": ("grade", "fold", "rate", "measure", "weigh", "climb", "ways", "settle", "mix"),
}


class Draft:
    """A partial program."""

    def __init__(self, rng: Random, shown: Language) -> None:
        self.rng = rng
        self.shown = shown
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.taken: set[str] = set()
        self.numbers: list[str] = []
        self.rows: list[str] = []
        """Rows that may be changed, with at least one number in them."""
        self.unused: list[str] = []

    # ---------------------------------------------------------------------------------- names

    def fresh(self, use: str) -> str:
        """A name not used yet."""
        free = [name for name in NAMES[use] if name not in self.taken]
        rows = (f"{name[:-1]}{n}s" for name in NAMES["row"] for n in range(2, 9))
        others = (f"{name}{n}" for name in NAMES[use] for n in range(2, 9))
        name = self.rng.choice(free) if free else ""
        if not name:
            more = rows if use == "row" else others
            name = next(each for each in more if each not in self.taken)
        self.taken.add(name)
        return name

    def number(self) -> str:
        """A new number, which a later statement uses or prints."""
        return self.fresh("number")

    def known_number(self) -> str:
        """An existing number, preferably an unused one."""
        fresh = [name for name in self.numbers if name in self.unused]
        name = self.rng.choice(fresh or self.numbers)
        self.use(name)
        return name

    def row(self) -> str:
        """An existing array, which may only be read."""
        name = self.rng.choice([r for r in self.rows if r in self.unused] or [*self.rows, ROW])
        self.use(name)
        return name

    def use(self, name: str) -> None:
        """Mark a variable as used."""
        if name in self.unused:
            self.unused.remove(name)

    def computed(self, *names: str) -> None:
        """Make variables available to later idioms."""
        for name in names:
            (self.rows if name.endswith("s") else self.numbers).append(name)
            self.unused.append(name)

    # ---------------------------------------------------------------------------------- texts

    def add(self, text: str) -> None:
        """Append lines to the main function."""
        self.lines += [f"    {line}" for line in text.strip("\n").split("\n")]

    def help(self, text: str) -> None:
        """Add a helper function."""
        self.helpers.append(text.strip("\n"))

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def k(self, low: int = 2, high: int = 9) -> int:
        """A random constant."""
        return self.rng.randint(low, high)

    def mod(self, one: str, other: object) -> str:
        """A remainder, in the sense of the language that is shown."""
        return f"{one} % {other}" if self.shown == "python" else f"tmod({one}, {other})"

    def div(self, one: str, other: object) -> str:
        """A quotient, in the sense of the language that is shown."""
        return f"{one} // {other}" if self.shown == "python" else f"tdiv({one}, {other})"

    def small(self, name: str, most: int = 9) -> str:
        """A number from 0 to less than so many, made of one."""
        return self.mod(f"abs({name})", most)

    def amount(self, x: str, *others: str) -> str:
        """A number made of one, and perhaps of others."""
        k, other = self.k(), self.rng.choice([*others, str(self.k())])
        return self.pick(
            f"{x} + {other}", f"{x} * {k}", f"{x} - {other}", f"{other} - {x}",
            f"{x} * {k} - {other}", f"abs({x} - {other})", f"max({x}, {other})",
            f"min({x}, {other})", self.mod(x, k), self.div(x, k), f"{self.div(x, k)} + {other}",
            f"{self.mod(f'({x} + {other})', k)} * {self.k()}",
        )  # fmt: skip

    def test(self, x: str, *others: str) -> str:
        """A test of a number."""
        k, m = self.k(-6, 9), self.k(2, 4)
        tests = [
            f"{x} > {k}", f"{x} < {k}", f"{self.mod(x, m)} == {self.k(0, m - 1)}",
            f"{self.mod(x, m)} != 0", f"{x} > {k - 8} and {x} < {k + 8}",
            f"{x} < {k - 4} or {self.mod(x, 2)} == 0",
        ]  # fmt: skip
        tests += [f"{self.mod(f'({x} + {other})', m + 1)} == 1" for other in others]
        return self.rng.choice(tests)


Idiom = Callable[[Draft], None]

IDIOMS: dict[int, list[Idiom]] = {tier: [] for tier in range(5)}
"""By tier: plain loops; rows; loops in loops and functions; recursion and the like; bits."""


def idiom(tier: int) -> Callable[[Idiom], Idiom]:
    """Register an idiom of a tier."""

    def add(function: Idiom) -> Idiom:
        IDIOMS[tier].append(function)
        return function

    return add
