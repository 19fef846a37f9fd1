"""Expectations case by case: every course of a process is gone through."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, permutations, product
from math import comb, factorial, prod
from types import MappingProxyType

from palaestra.generators.probability.random_process_expectation.cases import Case, Process
from palaestra.generators.probability.random_process_expectation.values import (
    added,
    payment,
    upwards,
)

MOST = 6_000
"""The most courses that are gone through."""

Course = tuple[Fraction, int]
"""A probability and a total."""


@lru_cache(maxsize=256)
def by_cases(case: Case) -> Fraction | None:
    """The expected total from all courses of a process; None if there are too many.

    Where a process has no last step, or its next step depends on the past, the expectations from
    all its states on are computed instead.
    """
    if case.total == "all":
        return _until_all(case.numbers)
    if case.process == "elimination":
        return _eliminated(case) if len(case.numbers) < 11 else None
    if number_of_courses(case) > MOST:
        return None
    courses = _COURSES[case.process](case)
    squared = case.total == "square"
    return added(chance * (total**2 if squared else total) for chance, total in courses)


def number_of_courses(case: Case) -> int:
    """How many courses a process has, at most."""
    numbers, values, count = len(case.numbers), len(case.values), case.rounds
    match case.process:
        case "records" | "neighbours":
            return factorial(values)
        case "coins":
            return 1 << numbers
        case "urn" | "coupons" | "lamps":
            return int(numbers**count)
        case "tree":
            return prod(min(n, case.limit or n) for n in range(1, count))
        case "sample":
            return comb(numbers, count)
        case _:
            return int(numbers ** (4 if case.total == "overlap" else 2))


def _orders(size: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    chance = Fraction(1, factorial(size))
    return ((chance, order) for order in permutations(range(size)))


def _records(case: Case) -> Iterator[Course]:
    for chance, order in _orders(len(case.values)):
        counts = [sum(a > b for a in order[:n]) < case.limit for n, b in enumerate(order)]
        yield chance, sum(value for value, each in zip(case.values, counts) if each)


def _coins(case: Case) -> Iterator[Course]:
    for flips in product((0, 1), repeat=len(case.numbers)):
        heads = [n if up else case.rounds - n for n, up in zip(case.numbers, flips)]
        chance = Fraction(prod(heads), case.rounds ** len(flips))
        if case.total == "runs":
            runs = "".join(map(str, flips)).split("0")
            yield chance, sum(len(run) ** case.limit for run in runs)
        else:
            yield chance, sum(v for v, (a, b) in zip(case.values, pairwise(flips)) if a != b)


def _urn(case: Case) -> Iterator[Course]:
    for draws in product(range(len(case.numbers)), repeat=case.rounds):
        balls, chance = [*case.numbers], Fraction(1)
        for colour in draws:
            chance *= Fraction(balls[colour], sum(balls))
            balls[colour] += case.limit
        yield chance, _of_draws(case, draws)


def _of_draws(case: Case, draws: Sequence[int]) -> int:
    same = [a == b for a, b in pairwise(draws)]
    return {
        "matches": sum(value for value, each in zip(case.values, same) if each),
        "colours": len({*draws}),
        "pairs": sum(a == b for a, b in combinations(draws, 2)),
        "square": draws.count(0),
    }[case.total]


def _coupons(case: Case) -> Iterator[Course]:
    whole = sum(case.numbers)
    for draws in product(range(len(case.numbers)), repeat=case.rounds):
        chance = Fraction(prod(case.numbers[each] for each in draws), whole**case.rounds)
        times = [draws.count(each) for each in range(len(case.numbers))]
        counts = [n == 1 if case.total == "once" else n > 0 for n in times]
        yield chance, sum(value for value, each in zip(case.values, counts) if each)


def _until_all(weights: Sequence[int]) -> Fraction:
    """The expected number of draws until all types are drawn, from sets of those that are left."""
    whole = sum(weights)

    @cache
    def draws(left: tuple[int, ...]) -> Fraction:
        if not left:
            return Fraction(0)
        new = sum(weights[each] for each in left)
        after = added(
            draws(tuple(other for other in left if other != each)) * weights[each] for each in left
        )
        return (after + whole) / new

    return draws(tuple(range(len(weights))))


def _tree(case: Case) -> Iterator[Course]:
    ranges = [range(max(0, n - case.limit) if case.limit else 0, n) for n in range(1, case.rounds)]
    chance = Fraction(1, prod(map(len, ranges)))
    for joins in product(*ranges):
        parents = (-1, *joins)
        if case.total == "depths":
            nodes = range(case.rounds)
            yield chance, sum(case.values[n] * (len(upwards(parents, n)) - 1) for n in nodes)
        else:
            wanted = case.numbers[0] if case.total == "children" else 0
            yield chance, sum(v for n, v in enumerate(case.values) if joins.count(n) == wanted)


def _eliminated(case: Case) -> Fraction:
    """The expected total of a tree that is removed part by part, from the nodes that are left."""
    size = len(case.numbers)
    above = [{*upwards(case.numbers, node)} for node in range(size)]

    @cache
    def rest(left: frozenset[int]) -> Fraction:
        if not left:
            return Fraction(0)
        total = Fraction(0)
        for node in left:
            gone = {each for each in left if node in above[each]}
            gain = case.values[node] * (len(gone) if case.total == "sizes" else 1)
            total += gain + rest(left - gone)
        return total / len(left)

    return rest(frozenset(range(size)))


def _windows(case: Case) -> Iterator[Course]:
    size = len(case.numbers)
    windows = [range(a, b) for a in range(size) for b in range(a + 1, size + 1)]
    if case.total == "overlap":
        chance = Fraction(1, len(windows) ** 2)
        for one, other in product(windows, repeat=2):
            yield chance, sum(case.numbers[n] for n in {*one} & {*other})
        return
    for window in windows:
        row = case.numbers[window.start : window.stop]
        totals = {"greatest": max(row), "spread": max(row) - min(row), "distinct": len({*row})}
        yield Fraction(1, len(windows)), totals[case.total]


def _lamps(case: Case) -> Iterator[Course]:
    chance = Fraction(1, len(case.numbers) ** case.rounds)
    for steps in product(case.numbers, repeat=case.rounds):
        lit = [
            lamp for lamp in range(1, case.limit + 1) if sum(lamp % n == 0 for n in steps) % 2 == 1
        ]
        yield chance, sum(lit) if case.total == "sum" else len(lit)


def _neighbours(case: Case) -> Iterator[Course]:
    for chance, order in _orders(len(case.values)):
        row, total = [*range(len(case.values))], 0
        for card in order:
            at = row.index(card)
            near = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
            total += sum(payment(case.total, case.values[card], case.values[n]) for n in near)
            row.remove(card)
        yield chance, total


def _sample(case: Case) -> Iterator[Course]:
    chance = Fraction(1, comb(len(case.numbers), case.rounds))
    for chosen in combinations(case.numbers, case.rounds):
        totals = {
            "greatest": chosen[-1],
            "second": chosen[-2],
            "spread": chosen[-1] - chosen[0],
            "gaps": sum((b - a) ** 2 for a, b in pairwise(chosen)),
        }
        yield chance, totals[case.total]


_COURSES: Mapping[Process, Callable[[Case], Iterator[Course]]] = MappingProxyType(
    {
        "records": _records, "coins": _coins, "urn": _urn, "coupons": _coupons, "tree": _tree,
        "windows": _windows, "lamps": _lamps, "neighbours": _neighbours, "sample": _sample,
    }
)  # fmt: skip
