"""Expectations of totals as sums over their parts (Mitzenmacher and Upfal 2005, chapter 2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from types import MappingProxyType

from palaestra.generators.probability.random_process_expectation.cases import Case, Process


@lru_cache(maxsize=512)
def expectation(case: Case) -> Fraction:
    """The expected total."""
    return _VALUES[case.process](case)


def added(parts: Iterable[Fraction]) -> Fraction:
    """The sum of fractions, which is a fraction if there are none."""
    total = Fraction(0)
    for part in parts:
        total += part
    return total


ONE = Fraction(1)


def missed(chance: Fraction, times: int) -> Fraction:
    """How likely it is that something does not happen in so many independent trials."""
    return Fraction((ONE - chance) ** times)


def square_of_sum(values: Sequence[int], both: Callable[[int, int], Fraction]) -> Fraction:
    """The expected square of a sum of values that count or not, from how likely it is that two of
    them both count.
    """
    numbers = range(len(values))
    return added(both(i, j) * values[i] * values[j] for i in numbers for j in numbers)


def _records(case: Case) -> Fraction:
    chances = [min(Fraction(1), Fraction(case.limit, n)) for n in range(1, len(case.values) + 1)]
    if case.total == "square":
        return square_of_sum(
            case.values, lambda i, j: chances[i] if i == j else chances[i] * chances[j]
        )
    return _weighted(case.values, chances)


def _weighted(values: Sequence[int], chances: Sequence[Fraction]) -> Fraction:
    return added((chance * value for value, chance in zip(values, chances)))


def _coins(case: Case) -> Fraction:
    heads = [Fraction(number, case.rounds) for number in case.numbers]
    tails = [ONE - chance for chance in heads]
    size = len(heads)
    if case.total == "runs":
        total = Fraction(0)
        for first in range(size):
            before = tails[first - 1] if first else 1
            for end in range(first + 1, size + 1):
                after = tails[end] if end < size else 1
                total += before * prod(heads[first:end]) * after * (end - first) ** case.limit
        return total
    changes = [heads[n] * tails[n + 1] + tails[n] * heads[n + 1] for n in range(size - 1)]
    if case.total == "changes":
        return _weighted(case.values, changes)

    def both(i: int, j: int) -> Fraction:
        if i == j:
            return changes[i]
        if abs(i - j) > 1:
            return changes[i] * changes[j]
        a, b, c = range(min(i, j), min(i, j) + 3)
        return heads[a] * tails[b] * heads[c] + tails[a] * heads[b] * tails[c]

    return square_of_sum(case.values, both)


def _urn(case: Case) -> Fraction:
    balls, more, draws = case.numbers, case.limit, case.rounds
    whole = sum(balls)
    same = added(Fraction(each * (each + more), whole * (whole + more)) for each in balls)
    match case.total:
        case "matches":
            return same * sum(case.values)
        case "pairs":
            return same * comb(draws, 2)
        case "colours":
            return added(

                    ONE - prod(Fraction(whole - each + n * more, whole + n * more)
                             for n in range(draws))
                    for each in balls

            )  # fmt: skip
    first = Fraction(balls[0], whole)
    return first * draws + first * Fraction(balls[0] + more, whole + more) * draws * (draws - 1)


def _coupons(case: Case) -> Fraction:
    weights, draws = case.numbers, case.rounds
    whole = sum(weights)
    chances = [Fraction(weight, whole) for weight in weights]
    match case.total:
        case "seen":
            return _weighted(case.values, [ONE - missed(chance, draws) for chance in chances])
        case "once":
            return _weighted(
                case.values, [chance * missed(chance, draws - 1) * draws for chance in chances]
            )
        case "all":
            sets = (some for n in range(len(weights)) for some in combinations(weights, n + 1))
            return added(Fraction(whole if len(s) % 2 else -whole, sum(s)) for s in sets)

    def both(i: int, j: int) -> Fraction:
        missing = [missed(chances[n], draws) for n in (i, j)]
        if i == j:
            return ONE - missing[0]
        return ONE - missing[0] - missing[1] + missed(chances[i] + chances[j], draws)

    return square_of_sum(case.values, both)


def chance_to_join(case: Case, node: int, earlier: int) -> Fraction:
    """How likely it is that a node of a tree joins an earlier one; both count from 0."""
    first = max(0, node - case.limit) if case.limit else 0
    return Fraction(int(first <= earlier < node), node - first)


def _tree(case: Case) -> Fraction:
    nodes = range(case.rounds)
    if case.total == "depths":
        depths = [Fraction(0)]
        for node in nodes[1:]:
            depths.append(
                ONE + added(chance_to_join(case, node, n) * depths[n] for n in range(node))
            )
        return _weighted(case.values, depths)
    wanted = case.numbers[0] if case.total == "children" else 0
    total = Fraction(0)
    for node in nodes:
        chances = [Fraction(1)] + [Fraction(0)] * wanted  # of 0, 1, ... children
        for later in range(node + 1, case.rounds):
            joins = chance_to_join(case, later, node)
            chances = [
                chance * (ONE - joins) + (chances[n - 1] * joins if n else 0)
                for n, chance in enumerate(chances)
            ]
        total += chances[wanted] * case.values[node]
    return total


def upwards(parents: Sequence[int], node: int) -> list[int]:
    """A node and all above it."""
    path = [node]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


def _elimination(case: Case) -> Fraction:
    total = Fraction(0)
    for node in range(len(case.numbers)):
        path = upwards(case.numbers, node)
        who = path if case.total == "sizes" else path[:1]
        total += Fraction(sum(case.values[each] for each in who), len(path))
    return total


def _windows(case: Case) -> Fraction:
    size = len(case.numbers)
    number = comb(size + 1, 2)
    if case.total == "overlap":
        ways = [(n + 1) * (size - n) for n in range(size)]
        return _weighted(case.numbers, [Fraction(each**2, number**2) for each in ways])
    if case.total == "distinct":
        last: dict[int, int] = {}
        total = 0
        for n, value in enumerate(case.numbers):  # windows in which it stands here first
            total += (n - last.get(value, -1)) * (size - n)
            last[value] = n
        return Fraction(total, number)
    greatest = sum_of_greatest(case.numbers)
    if case.total == "greatest":
        return Fraction(greatest, number)
    return Fraction(greatest + sum_of_greatest([-each for each in case.numbers]), number)


def sum_of_greatest(row: Sequence[int]) -> int:
    """The sum of the greatest numbers of all windows of a row.

    >>> sum_of_greatest([2, 1, 2])
    11
    """
    total = 0
    for n, value in enumerate(row):
        left = next((n - k for k in range(n - 1, -1, -1) if row[k] >= value), n + 1)
        right = next((k - n for k in range(n + 1, len(row)) if row[k] > value), len(row) - n)
        total += value * left * right
    return total


def _lamps(case: Case) -> Fraction:
    total = Fraction(0)
    for lamp in range(1, case.limit + 1):
        flips = Fraction(sum(lamp % number == 0 for number in case.numbers), len(case.numbers))
        lit = (ONE - (ONE - 2 * flips) ** case.rounds) / 2
        total += lit * (lamp if case.total == "sum" else 1)
    return total


def payment(total: str, one: int, other: int) -> int:
    """What two cards that are neighbours pay."""
    return {"products": one * other, "differences": abs(one - other), "greater": max(one, other)}[
        total
    ]


def _neighbours(case: Case) -> Fraction:
    pairs = combinations(enumerate(case.values), 2)
    return added(
        (Fraction(2 * payment(case.total, a, b), (j - i) * (j - i + 1)) for (i, a), (j, b) in pairs)
    )


def _sample(case: Case) -> Fraction:
    numbers, chosen = case.numbers, case.rounds
    size = len(numbers)
    ways = comb(size, chosen)
    if case.total == "gaps":
        pairs = combinations(range(size), 2)
        return Fraction(
            sum(
                (numbers[j] - numbers[i]) ** 2 * comb(size - (j - i + 1), chosen - 2)
                for i, j in pairs
            ),
            ways,
        )
    from_top = 1 if case.total == "second" else 0
    top = sum(
        number * comb(n, chosen - 1 - from_top) * comb(size - 1 - n, from_top)
        for n, number in enumerate(numbers)
    )
    least = sum(number * comb(size - 1 - n, chosen - 1) for n, number in enumerate(numbers))
    return Fraction(top - least if case.total == "spread" else top, ways)


_VALUES: Mapping[Process, Callable[[Case], Fraction]] = MappingProxyType(
    {
        "records": _records, "coins": _coins, "urn": _urn, "coupons": _coupons, "tree": _tree,
        "elimination": _elimination, "windows": _windows, "lamps": _lamps,
        "neighbours": _neighbours, "sample": _sample,
    }
)  # fmt: skip
