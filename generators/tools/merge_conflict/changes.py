"""Drawing programs, and pairs of changes to them that conflict."""

from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple, TypedDict

from palaestra.generators.tools.merge_conflict.functions import (
    Function,
    Mapped,
    Program,
    Style,
    Summed,
    text_of,
)
from palaestra.generators.tools.merge_conflict.merging import Chunk, chunks, conflicts

VERBS = ("adjust", "settle", "weigh", "grade", "trim", "rate", "balance", "refine", "convert")
NOUNS = ("prices", "scores", "levels", "loads", "depths", "ages", "points", "fees", "counts")
SHIFTS = ("bonus", "offset", "margin", "surplus")

PROBE = tuple(range(-30, 90))
"""Values at which functions are compared."""

ORDERS: tuple[Literal["ascending", "descending"], ...] = ("ascending", "descending")
STYLES: tuple[Style, ...] = ("loop", "comprehension")


class Changed(TypedDict, total=False):
    """Fields of a function with new values."""

    least: int
    factor: int
    term: int
    multiple: int
    floor: int
    cap: int
    order: Literal["ascending", "descending"]
    first: int


class Change(NamedTuple):
    """What a branch changes in a function, and how its commit message says it."""

    fields: Changed
    message: str


class Branches(NamedTuple):
    """A program, two changes of it, and the program that has both; with the commit messages."""

    base: Program
    ours: Program
    theirs: Program
    merged: Program
    messages: tuple[tuple[str, ...], tuple[str, ...]]


def names_for(rng: Random, number: int) -> list[str]:
    """New names of functions."""
    return rng.sample([f"{verb}_{noun}" for verb in VERBS for noun in NOUNS], number)


def random_function(rng: Random, name: str) -> Mapped:
    """A function without limits on its results."""
    style = rng.choice(STYLES)
    return Mapped(name, style, rng.randint(-9, 9), rng.randint(2, 6), rng.randint(1, 30))


def random_changes(rng: Random, function: Mapped) -> tuple[Change, Change]:
    """Two changes of a function that touch the same line, or lines without another between."""
    options = _ending(rng) if rng.random() < 0.25 else _value(rng, function)
    one, two = rng.sample(options, 2)
    return one, two


def _ending(rng: Random) -> list[Change]:
    order = rng.choice(ORDERS)
    first = rng.randint(3, 9)
    return [
        Change(
            {"order": order},
            rng.choice(["return its results in {0} order", "sort what it returns, {0}"]).format(
                order
            ),
        ),
        Change(
            {"first": first},
            rng.choice(
                ["return the first {0} results at most", "return no more than {0} results"]
            ).format(first),
        ),
    ]


def _value(rng: Random, function: Mapped) -> list[Change]:
    """Changes of the condition and of the expression. A result is first multiplied and added to,
    then raised to a floor, then lowered to a cap.
    """
    least = function.least + rng.choice([-5, -4, -3, 4, 5, 6])
    multiple, factor = rng.randint(3, 9), function.factor + rng.randint(1, 4)
    term = function.term + rng.choice([-7, 6, 8, 11])
    floor, cap = rng.randint(25, 60), rng.randint(90, 140)
    return [
        Change({"least": least}, rng.choice([
            f"skip values below {least}, no longer below {function.least}",
            f"the smallest value that counts is {least} and not {function.least}",
        ])),
        Change({"multiple": multiple}, rng.choice([
            f"also skip values that are multiples of {multiple}",
            f"values divisible by {multiple} are left out, too",
        ])),
        Change({"factor": factor}, rng.choice([
            f"multiply by {factor} in place of {function.factor}",
            f"the factor is {factor}, it was {function.factor}",
        ])),
        Change({"term": term}, rng.choice([
            f"add {term} in place of {function.term}",
            f"the number that is added is {term}, it was {function.term}",
        ])),
        Change({"floor": floor}, rng.choice([
            f"raise results below {floor} to {floor}",
            f"no result is less than {floor}; smaller ones become {floor}",
        ])),
        Change({"cap": cap}, rng.choice([
            f"lower results above {cap} to {cap}",
            f"no result is more than {cap}; larger ones become {cap}",
        ])),
    ]  # fmt: skip


def random_branches(
    rng: Random, number: int, spare: int, semantic: int, rewrites: bool
) -> Branches | None:
    """Two branches with so many conflicts in as many functions, beside spare functions, and some
    changes of one branch that break what the other one adds; ``rewrites`` says whether branches
    also change the style of functions. Nothing where the draw does not conflict as it should.
    """
    names = names_for(rng, number + 2 * spare + 4 * semantic + 4)
    draft = _Draft(rng, names)
    for n in range(number + spare):
        draft.add(random_function(rng, names.pop()))
        if n < number and not draft.conflict(n, rewrites):
            return None
    for n in range(semantic):
        draft.breaking(rename=bool((n + rng.randrange(2)) % 2))
    branches = draft.branches()
    parts = parts_of(branches.base, branches.ours, branches.theirs)
    return branches if conflicts(parts) >= number else None


@lru_cache(maxsize=64)
def parts_of(base: Program, ours: Program, theirs: Program) -> tuple[Chunk, ...]:
    """The merge of two programs, part by part."""
    return tuple(chunks(text_of(base), text_of(ours), text_of(theirs)))


class _Draft:
    """Four versions of a program that grow together; ``None`` stands for a missing function."""

    def __init__(self, rng: Random, names: list[str]) -> None:
        self.rng, self.names = rng, names
        self.rows: list[tuple[Function | None, Function | None, Function | None, Function | None]]
        self.rows = []
        self.messages: tuple[list[str], list[str]] = ([], [])

    def add(self, function: Function) -> None:
        """Add a function that no branch changes so far."""
        self.rows.append((function, function, function, function))

    def conflict(self, n: int, rewrites: bool) -> bool:
        """Change the function with a number in both branches; whether its results differ."""
        function = self.rows[n][0]
        assert isinstance(function, Mapped)
        one, two = random_changes(self.rng, function)
        if {"order", "first"} & one.fields.keys():
            function = function._replace(style="loop") if self.rng.random() < 0.5 else function
        other: Style = "loop" if function.style == "comprehension" else "comprehension"
        is_rewritten = rewrites and self.rng.random() < 0.5
        ours = function._replace(**one.fields)
        ours = ours._replace(style=other) if is_rewritten else ours
        theirs = function._replace(**two.fields)
        merged = ours._replace(**two.fields)
        self.rows[n] = (function, ours, theirs, merged)
        rewritten = f"; rewrite it as a {other}" if is_rewritten else ""
        self.messages[0].append(f"{function.name}: {one.message}{rewritten}")
        self.messages[1].append(f"{function.name}: {two.message}")
        results = [each.result(PROBE) for each in (function, ours, theirs, merged)]
        return results[3] not in results[:3] and results[0] not in results[1:3]

    def breaking(self, rename: bool) -> None:
        """Our branch changes how a function is called, and theirs adds a call of it."""
        rng = self.rng
        function = random_function(rng, self.names.pop())
        caller, new = (Summed(self.names.pop(), function.name, rng.randint(1, 99)) for _ in "ab")
        callers = (caller, new)
        if rename:
            changed = function._replace(name=self.names.pop())
            adapted, added = (each._replace(callee=changed.name) for each in callers)
            self.messages[0].append(f"{function.name} is now called {changed.name}")
        else:
            name, shift = rng.choice(SHIFTS), rng.randint(3, 30)
            changed = function._replace(shift=name)
            adapted, added = (each._replace(shift=shift) for each in callers)
            article = "an" if name == "offset" else "a"
            self.messages[0].append(
                f"{function.name}: new parameter {name}, which is added to each result; callers "
                f"without {article} {name} of their own pass {shift}"
            )
        self.messages[1].append(
            f"new function {new.name}: the sum of what {function.name} returns, and {new.constant}"
        )
        self.rows.append((function, changed, function, changed))
        self.rows.append((caller, adapted, caller, adapted))
        self.rows.append((None, None, new, added))

    def branches(self) -> Branches:
        """The four programs, whose functions are in one random order."""
        rows = self.rng.sample(self.rows, len(self.rows))
        base, ours, theirs, merged = (
            tuple(each for row in rows if (each := row[n])) for n in range(4)
        )
        return Branches(
            base, ours, theirs, merged, (tuple(self.messages[0]), tuple(self.messages[1]))
        )
