"""A partial program: its variables, its lines, and random constants and conditions."""

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

Kind = str
"""The type of a variable: number, numbers, word, words or counts."""

POOLS: dict[Kind, tuple[str, ...]] = {
    "number": ("total", "score", "value", "level", "result", "amount", "weight", "mark", "tally"),
    "numbers": (
        "out",
        "row",
        "found",
        "parts",
        "kept",
        "line",
        "trail",
        "queue",
        "steps",
        "series",
    ),
    "word": ("text", "made", "name", "label", "code", "spelt"),
    "words": ("pieces", "tokens", "names"),
    "counts": ("counts", "seen", "table"),
    "item": ("x", "v", "item", "entry", "e"),
    "letter": ("c", "letter", "sign", "ch"),
    "given number": ("n", "k", "limit", "size", "gap"),
    "given numbers": ("xs", "nums", "values", "data", "items_in"),
    "given word": ("s", "word", "string"),
    "given words": ("words", "texts", "labels"),
}
"""Names of variables by type."""


class Draft:
    """A partial program."""

    def __init__(self, rng: Random, tier: int) -> None:
        self.rng = rng
        self.tier = tier
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.kinds: dict[str, Kind] = {}
        self.unused: list[str] = []
        """Variables that nothing has used yet."""
        self.names: set[str] = set()
        self.wide: set[str] = set()
        """Lists of numbers that may be large or negative."""
        self.unused_arguments: list[str] = []
        """Arguments that are numbers and that no statement has used."""
        self.coming: dict[str, Kind] = {}
        """Variables of the current idiom, which later idioms can use."""

    # ------------------------------------------------------------------------------------ variables

    def fresh(self, *pool: str) -> str:
        """A name not used yet."""
        free = [name for name in pool if name not in self.names]
        name = self.rng.choice(free or [f"{name}{n}" for name in pool[:1] for n in range(2, 9)])
        while name in self.names:
            name += "_"
        self.names.add(name)
        return name

    def item(self) -> str:
        """A name for an item of a list."""
        return self.fresh(*POOLS["item"])

    def new(self, type_name: Kind, *pool: str, wide: bool = False) -> str:
        """A new variable, which a later statement must use."""
        name = self.fresh(*(pool or POOLS[type_name]))
        self.coming[name] = type_name
        if wide:
            self.wide.add(name)
        return name

    def settle(self) -> None:
        """Make the new variables available, and update which numbers are used."""
        words = set(re.findall(r"\w+", "\n".join(self.lines)))
        for name in [name for name in self.unused_arguments if name in words]:
            self.use(name)
            self.unused_arguments.remove(name)
        self.kinds |= self.coming
        self.unused += self.coming
        self.coming = {}

    def have(self, type_name: Kind) -> list[str]:
        """The variables of a type."""
        return [name for name, its in self.kinds.items() if its == type_name]

    def take(self, type_name: Kind) -> str:
        """A variable of a type, preferably an unused one."""
        known = self.have(type_name)
        name = self.rng.choice([name for name in known if name in self.unused] or known)
        self.use(name)
        return name

    def use(self, name: str) -> str:
        """Mark a variable as used."""
        if name in self.unused:
            self.unused.remove(name)
        return name

    # ---------------------------------------------------------------------------------------- lines

    def add(self, lines: str) -> None:
        """Append lines to the main function."""
        self.lines += [f"    {line}" for line in lines.strip("\n").split("\n")]

    def help(self, lines: str) -> None:
        """Add a helper function."""
        self.helpers += [*lines.strip("\n").split("\n"), ""]

    def loop(self, i: str, x: str, row: str, body: str) -> str:
        """The head of a loop that numbers its items if its body needs their numbers."""
        numbered = re.search(rf"\b{i}\b", body)
        return f"for {i}, {x} in enumerate({row}):" if numbered else f"for {x} in {row}:"

    # ---------------------------------------------------------------------------------- expressions

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def number(self, low: int = 2, high: int = 7) -> str:
        """A constant, or sometimes a numeric argument of the program."""
        if self.unused_arguments and low > 1 and self.chance(0.6):
            return self.unused_arguments[-1]
        return str(self.rng.randint(low, high))

    def amount(self, x: str, *others: str) -> str:
        """An expression of a number."""
        k, m = self.number(2, 9), self.rng.randint(3, 9)
        other = self.pick(*others) if others and self.chance(0.7) else k
        return self.pick(
            f"{x} + {other}", f"{x} * {other}", f"{x} - {other}", f"{other} - {x}", f"{x} % {m}",
            f"{x} * {x} % {m + 4}", f"abs({x} - {other})", f"{x} // 2 + {other}",
            f"max({x}, {other})", f"min({x}, {other})", f"{x} % {m} + {other}",
            f"2 * {x} - {other}",
        )  # fmt: skip

    def test(self, x: str, *others: str, wide: bool = False) -> str:
        """A condition on a number, such as an item of a list."""
        m = self.rng.randint(2, 4)
        k, r = self.rng.randint(6, 13), self.rng.randrange(m)
        forms = [f"{x} % {m} == {r}", f"{x} % {m} != {r}"]
        if not wide:
            forms += [f"{x} > {k}", f"{x} < {k}", f"{k - 4} <= {x} < {k + 4}"]
            if self.tier:
                forms.append(
                    f"{x} > {k} {self.pick('and', 'or')} {x} % 2 == {self.rng.randrange(2)}"
                )
        for other in others:
            forms += [f"({x} + {other}) % {m + 1} < 2", f"{x} % 2 == {other} % 2"]
        return self.rng.choice(forms)

    def letters(self) -> str:
        """Some letters to look for."""
        return repr("".join(sorted(self.rng.sample("abcde", self.rng.choice((2, 3))))))


class Idiom(NamedTuple):
    """A step that extends a program."""

    write: Callable[[Draft], None]
    tier: int
    """The lowest tier that uses it."""
    needs: tuple[Kind, ...]
    """The types of the variables that it needs."""


def idiom(tier: int, *needs: Kind) -> Callable[[Callable[[Draft], None]], Idiom]:
    """Turn a function that writes an idiom into an :class:`Idiom`."""
    return lambda write: Idiom(write, tier, needs)
