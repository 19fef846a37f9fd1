"""Systems of conditions on truth values with one solution or two, and one of them known.

The solutions of a condition are the bits of a whole number: bit n is 1 if the values that are the
bits of n satisfy it. So those of a system are an "and" of numbers.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.bitsets import ones

Sort = Literal["some", "one", "odd"]

TEXTS: dict[Sort, str] = {
    "some": "at least one of these is true: {}",
    "one": "exactly one of these is true: {}",
    "odd": "an odd number of these is true: {}",
}


class Condition(NamedTuple):
    """A condition on literals: n is the n-th variable, counted from 1, and -n its negation."""

    sort: Sort
    literals: tuple[int, ...]

    def holds(self, values: Sequence[bool]) -> bool:
        """Whether values of the variables satisfy it."""
        true = sum(values[abs(each) - 1] == (each > 0) for each in self.literals)
        return {"some": true > 0, "one": true == 1, "odd": true % 2 == 1}[self.sort]


class System(NamedTuple):
    """Conditions on some variables, and a solution of them."""

    variables: int
    conditions: tuple[Condition, ...]
    known: tuple[bool, ...]


@lru_cache(maxsize=64)
def _columns(variables: int) -> tuple[int, ...]:
    """For each variable the assignments in which it is true."""
    size = 1 << variables
    columns = []
    for n in range(variables):
        block = ((1 << (1 << n)) - 1) << (1 << n)
        period = 2 << n
        columns.append(sum(block << start for start in range(0, size, period)))
    return tuple(columns)


@lru_cache(maxsize=8_192)
def solutions_of(variables: int, condition: Condition) -> int:
    """The assignments that satisfy a condition."""
    every = (1 << (1 << variables)) - 1
    none, odd, single = every, 0, 0
    for literal in condition.literals:
        column = _columns(variables)[abs(literal) - 1]
        column = column if literal > 0 else every & ~column
        single = single & ~column | none & column
        none &= ~column
        odd ^= column
    return {"some": every & ~none, "one": single, "odd": odd}[condition.sort]


def solutions(system: System) -> list[tuple[bool, ...]]:
    """All solutions of a system."""
    left = (1 << (1 << system.variables)) - 1
    for condition in system.conditions:
        left &= solutions_of(system.variables, condition)
    return [values(system.variables, number) for number in ones(left)]


def values(variables: int, number: int) -> tuple[bool, ...]:
    """The values that are the bits of a number."""
    return tuple(bool(number >> n & 1) for n in range(variables))


def searched(system: System) -> tuple[list[tuple[bool, ...]], int]:
    """All solutions by a search that assigns one variable after another, and its steps."""
    rows, steps = list[tuple[bool, ...]](), 0
    by_last: dict[int, list[Condition]] = {}
    for condition in system.conditions:
        by_last.setdefault(max(map(abs, condition.literals)), []).append(condition)
    stack: list[tuple[bool, ...]] = [()]
    while stack:
        row = stack.pop()
        steps += 1
        if not all(condition.holds(row) for condition in by_last.get(len(row), [])):
            continue
        if len(row) == system.variables:
            rows.append(row)
        else:
            stack += [(*row, False), (*row, True)]
    return rows, steps


def random_system(rng: Random, variables: int, distance: int, unique: bool) -> System:
    """A system with one solution, or with two that differ in ``distance`` variables or more.

    In either case, the conditions but the last are those of a system with two solutions.
    """
    while True:
        known = rng.getrandbits(variables)
        flipped = rng.sample(range(variables), rng.randint(distance, variables - 1))
        other = known ^ sum(1 << n for n in flipped)
        if not known or not other:
            continue
        left, conditions = (1 << (1 << variables)) - 1, list[Condition]()
        wanted = 1 << known | 1 << other
        while left != wanted:
            condition = _condition(rng, variables)
            table = solutions_of(variables, condition)
            # Each condition excludes a tenth of the other solutions, or one of the last ones.
            excluded = (left & ~table).bit_count()
            if wanted & ~table or not excluded or 10 * excluded < left.bit_count():
                continue
            left &= table
            conditions.append(condition)
        while unique:
            condition = _condition(rng, variables)
            table = solutions_of(variables, condition)
            if table >> known & 1 and not table >> other & 1:
                conditions.append(condition)
                break
        rng.shuffle(conditions)
        return System(variables, tuple(conditions), values(variables, known))


def _condition(rng: Random, variables: int) -> Condition:
    sort: Sort = rng.choice(("some", "some", "one", "odd"))
    number = rng.randint(2, 4)
    chosen = rng.sample(range(1, variables + 1), min(number, variables))
    return Condition(sort, tuple(sorted((n * rng.choice((-1, 1)) for n in chosen), key=abs)))
