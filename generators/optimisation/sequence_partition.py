"""Rows that are cut into parts of neighbours at the least cost.

What a row costs is put together from its parts, as a sum, a greatest value or bit by bit, and from
the fees of its cuts. So the best way to cut off the first part depends on nothing but the rest of
the row (Richard Bellman, 1957).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from random import Random
from typing import Literal, NamedTuple, get_args

Cost = Literal[
    "target", "quadratic", "lines", "spread", "peak", "plots", "kinds", "jobs", "largest",
    "either", "bits", "products",
]  # fmt: skip
COSTS: tuple[Cost, ...] = get_args(Cost)

GREATEST: tuple[Cost, ...] = ("products",)
"""Costs that are to be as great as possible; inside this module they are negative."""

TWO_ROWS: tuple[Cost, ...] = ("plots", "jobs", "either")

Part = tuple[int, int]
"""The first position of a part, and the position behind its last one, counted from 0."""


class Division(NamedTuple):
    """A row to be cut, or two rows that are cut at the same positions; 0 stands for no rule."""

    cost: Cost
    rows: tuple[tuple[int, ...], ...]
    number: int = 0
    """The target, the width of a line, the start-up time, or the constant of the quadratic."""

    fees: tuple[int, ...] = ()
    """What each cut costs, the one behind the first position first; none if it is empty."""

    parts: int = 0
    """How many parts there have to be."""

    turns: tuple[int, ...] = ()
    """Factors of the costs of the parts, in turn."""

    lengths: tuple[int, ...] = ()
    """How many numbers a part may have."""

    divisor: int = 0
    remainders: tuple[int, ...] = ()
    """What the sum of a part, in the first row, may leave when divided by ``divisor``."""

    @property
    def size(self) -> int:
        """How many numbers a row has."""
        return len(self.rows[0])

    def factor(self, number: int) -> int:
        """The factor of a part behind so many others."""
        return self.turns[number % len(self.turns)] if self.turns else 1

    def counted(self, number: int) -> int:
        """A number of parts, as far as what comes behind them depends on it."""
        return number if self.parts else number % (len(self.turns) or 1)


def part_cost(division: Division, start: int, end: int) -> int | None:
    """What a part costs; None if it is too long for its line."""
    row = division.rows[0][start:end]
    other = division.rows[-1][start:end]
    total, number = sum(row), division.number
    match division.cost:
        case "target":
            return (total - number) ** 2
        case "quadratic":
            return total**2 + number
        case "lines":
            blank = number - total - (len(row) - 1)
            return None if blank < 0 else 0 if end == division.size else blank**2
        case "spread":
            return max(row) - min(row)
        case "peak":
            return max(row) * len(row)
        case "plots":
            return max(row) * max(other)
        case "kinds":
            return len({*row}) ** 2
        case "jobs":
            return (number + total) * sum(division.rows[1][start:])
        case "either":
            return max(abs(total), abs(sum(other)))
        case "products":
            return -total * sum(division.rows[0][:start])
        case "largest" | "bits":
            return total


@lru_cache(maxsize=64)
def costs_of_parts(division: Division) -> Mapping[Part, int | None]:
    """What every part costs."""
    size = division.size
    return {
        (start, end): part_cost(division, start, end)
        for start in range(size)
        for end in range(start + 1, size + 1)
    }


@lru_cache(maxsize=64)
def allowed_parts(division: Division) -> Mapping[Part, int]:
    """The parts that satisfy the rules, and what they cost."""
    sums = [0, *accumulate(division.rows[0])]
    costs: dict[Part, int] = {}
    for (start, end), cost in costs_of_parts(division).items():
        if division.lengths and end - start not in division.lengths:
            continue
        remainder = (sums[end] - sums[start]) % (division.divisor or 1)
        if cost is not None and (not division.divisor or remainder in division.remainders):
            costs[start, end] = cost
    return costs


def parts_of(lengths: Iterable[int]) -> list[Part]:
    """Parts of these lengths.

    >>> parts_of([2, 1])
    [(0, 2), (2, 3)]
    """
    return [*pairwise([0, *accumulate(lengths)])]


def together(cost: Cost, one: int, other: int) -> int:
    """What the costs of some parts and of one more come to."""
    if cost in {"largest", "either"}:
        return max(one, other)
    return one | other if cost == "bits" else one + other


def total_cost(division: Division, lengths: Sequence[int]) -> int:
    """The cost of parts of these lengths, which fill the row; negative if it has to be great.

    >>> total_cost(Division("target", ((3, 4, 5),), 6, (9, 2)), [2, 1])
    4
    """
    parts = parts_of(lengths)
    cost = -(10**9) if division.cost == "either" else 0
    costs = costs_of_parts(division)
    for number, part in enumerate(parts):
        cost = together(division.cost, cost, (costs[part] or 0) * division.factor(number))
    return cost + sum(division.fees[end - 1] for _, end in parts[:-1] if division.fees)


class Cut(NamedTuple):
    """A first stretch of the row that is cut: what its parts cost, its fees, its parts."""

    cost: int
    fees: int
    lengths: tuple[int, ...]


def undominated(cost: Cost, cuts: Iterable[Cut]) -> list[Cut]:
    """The ways to cut a stretch that may turn out to be best for the whole row."""
    ordered = sorted(cuts, key=lambda cut: (cut.cost, cut.fees))
    if cost in {"largest", "either"}:
        kept, least = list[Cut](), None
        for cut in ordered:
            if least is None or cut.fees < least:
                kept.append(cut)
                least = cut.fees
        return kept
    if cost == "bits":
        masks = list[Cut]()
        for cut in ordered:
            if all(cut.cost & old.cost != old.cost for old in masks):
                masks.append(cut)
        return masks
    return [min(ordered, key=lambda cut: cut.cost + cut.fees)]


def best_parts(division: Division) -> tuple[list[int], int]:
    """The lengths of the parts of the least cost, and how many ways to go on were examined.

    The list is empty if no parts satisfy the rules.

    >>> best_parts(Division("spread", ((1, 2, 9, 8),), 0, (3, 3, 3)))
    ([2, 2], 10)
    """
    cost, size = division.cost, division.size
    begun = -(10**9) if cost == "either" else 0
    table: list[dict[int, list[Cut]]] = [{0: [Cut(begun, 0, ())]}]
    starts: dict[int, list[tuple[int, int]]] = {}
    for (start, end), value in allowed_parts(division).items():
        starts.setdefault(end, []).append((start, value))
    examined = 0
    for end in range(1, size + 1):
        by_number: dict[int, list[Cut]] = {}
        for start, value in starts.get(end, ()):
            fee = division.fees[start - 1] if start and division.fees else 0
            for number, cuts in table[start].items():
                after = division.counted(number + 1)
                if after > (division.parts or after):
                    continue
                examined += len(cuts)
                more = value * division.factor(number)
                by_number.setdefault(after, []).extend(
                    Cut(together(cost, so_far, more), fees + fee, (*lengths, end - start))
                    for so_far, fees, lengths in cuts
                )
        table.append({n: undominated(cost, cuts) for n, cuts in by_number.items()})
    ended = [cut for n, cuts in table[size].items() if n == (division.parts or n) for cut in cuts]
    best = min(ended, key=lambda cut: cut.cost + cut.fees, default=Cut(0, 0, ()))
    return [*best.lengths], examined


# ---------------------------------------------------------------------------- another method


Weight = Callable[[int], int | None]
"""What a step costs whose part costs so much, times its factor; None if it is not allowed."""


def shortest_way(division: Division, weight: Weight) -> int | None:
    """The least sum of weights and fees, by relaxing steps to the end of the row.

    This is the method of Richard Bellman (1958) and Lester Ford (1956) for shortest paths.
    """
    numbers = range(division.parts or len(division.turns) or 1)
    ends = [division.parts] if division.parts else [*numbers]
    left: dict[Part, int] = {(division.size, number): 0 for number in ends}
    parts = dict(sorted(allowed_parts(division).items(), reverse=True))
    changed = True
    while changed:
        changed = False
        for (start, end), value in parts.items():
            fee = division.fees[start - 1] if start and division.fees else 0
            for number in numbers:
                rest = left.get((end, division.counted(number + 1)))
                more = weight(value * division.factor(number))
                if rest is None or more is None:
                    continue
                new = rest + more + fee
                if new < left.get((start, number), new + 1):
                    left[start, number], changed = new, True
    return left.get((0, 0))


def least_cost(division: Division) -> int | None:
    """The least cost by another method than that of :func:`best_parts`; None if there is none.

    Sums by shortest paths, a greatest value by a bound on it, bits from the highest one on.
    """
    values = {
        value * factor
        for value in allowed_parts(division).values()
        for factor in division.turns or (1,)
    }
    if division.cost in {"largest", "either"}:
        best: int | None = None
        for bound in sorted(values):
            if best is not None and bound >= best:
                break
            fees = shortest_way(division, lambda v, bound=bound: 0 if v <= bound else None)  # type: ignore[misc]
            if fees is not None and (best is None or bound + fees < best):
                best = bound + fees
        return best
    if division.cost == "bits":
        bits = max(values, default=0).bit_length()
        mask = (1 << bits) - 1
        for bit in reversed(range(bits)):
            fewer = mask & ~(1 << bit)
            if shortest_way(division, lambda v, fewer=fewer: None if v & ~fewer else 0) is not None:  # type: ignore[misc]
                mask = fewer
        return mask if shortest_way(division, lambda v: 0) is not None else None
    return shortest_way(division, lambda v: v)


# ---------------------------------------------------------------------------------- tasks


class Scale(NamedTuple):
    """How large a task is."""

    size: int
    high: int
    """About the greatest number."""

    rules: int
    varied: bool
    """Whether the fees of cuts differ."""


def number_of_ways(division: Division) -> int:
    """In how many ways the row can be cut into parts that satisfy the rules.

    >>> number_of_ways(Division("spread", ((1, 2, 9, 8),), lengths=(1, 2)))
    5
    """
    ways: list[dict[int, int]] = [{0: 1}]
    starts: dict[int, list[int]] = {}
    for start, end in allowed_parts(division):
        starts.setdefault(end, []).append(start)
    for end in range(1, division.size + 1):
        by_number: dict[int, int] = {}
        for start in starts.get(end, ()):
            for number, count in ways[start].items():
                after = number + 1 if division.parts else 0
                by_number[after] = by_number.get(after, 0) + count
        ways.append(by_number)
    return ways[-1].get(division.parts, 0)


SPARSE = 10
"""A row of n numbers can usually be cut in at least n * n / SPARSE ways."""


def random_division(rng: Random, cost: Cost, scale: Scale) -> Division:
    """A row with rules that its best parts are likely to break without them. There are many ways
    to cut it, so that whoever only avoids dead ends does not arrive at the best one by chance.
    """
    size, high, rules, varied = scale
    fewest = size**2 / SPARSE
    while True:
        division = bare_division(rng, cost, size, high, varied)
        if cost == "bits":
            division = division._replace(parts=max(3, round(size / rng.uniform(2.6, 4))))
        names = rng.sample(RULES, len(RULES))
        division = with_rules(rng, division, names[:rules])
        if number_of_ways(division) < fewest:
            fewest *= 0.95  # short rows with many rules have few ways
            continue
        if len(best_parts(division)[0]) > 2:
            return division


RULES = ("turns", "lengths", "remainders")


def with_rules(rng: Random, division: Division, names: Iterable[str]) -> Division:
    """A division with more rules, chosen so that the best parts without them often break them.

    A change of one cut breaks most of the rules: it takes two lengths and two sums that are
    allowed, and one cut more or less changes the factors of all parts behind it.
    """
    for name in names:
        if name == "turns":
            turns = rng.choice(((1, 2), (1, 3), (2, 1), (1, 2, 3), (1, 3, 2), (2, 1, 3), (3, 1, 2)))
            division = division._replace(turns=turns)
        if name == "lengths":
            # The bits of many parts take long to compute while any length is allowed.
            lengths = [3] if division.cost == "bits" else best_parts(division)[0]
            often = max(lengths, key=lengths.count, default=3)
            others = [n for n in range(1, 7) if n != often]
            division = division._replace(lengths=tuple(sorted(rng.sample(others, 3))))
        if name == "remainders":
            divisor = rng.randint(4, 7)
            some = rng.sample(range(divisor), (divisor + 1) // 2)
            division = division._replace(divisor=divisor, remainders=tuple(sorted(some)))
    return division


def bare_division(rng: Random, cost: Cost, size: int, high: int, varied: bool) -> Division:
    """A row without rules, whose best parts have about three numbers."""
    row, other = [rng.randint(1, high) for _ in range(size)], list[int]()
    usual = (high + 1) / 2 * rng.uniform(2.3, 3.6)  # the sum of about three numbers
    number, fee = 0, 0.0
    match cost:
        case "target":
            number = round(usual)
            fee = high if varied else 0
        case "quadratic":
            row = [n if rng.random() < 0.8 else -n for n in row]
            number = round(usual**2 * 0.5)
            fee = usual if varied else 0
        case "lines":
            row = [min(n, m) for n, m in zip(row, (rng.randint(2, 13) for _ in row))]
            number = max(*row, round(sum(row) / size * rng.uniform(3, 4.5)) + 3)
            fee = number / 2 if varied else 0
        case "spread":
            row, fee = levels(rng, size, high), high / 4
        case "peak":
            row, fee = levels(rng, size, high), high * 0.5
        case "plots":
            other = [rng.randint(1, high) for _ in range(size)]
            fee = high**2 / 8
        case "kinds":
            row = repeats(rng, size)
            fee = 2 if varied else 0
        case "jobs":
            other = [rng.randint(1, high) for _ in range(size)]
            number = round(high * rng.uniform(0.6, 1.4))
            fee = high**2 * 0.6 if varied else 0
        case "largest":
            fee = 9 * high / size
        case "either":
            row, other = ([rng.randint(-high, high) for _ in range(size)] for _ in range(2))
            fee = 2 * high / size
        case "products":
            fee = usual**2 / 2
        case "bits":
            row = [min(n, rng.randint(1, 25)) for n in row]
    fees = random_fees(rng, size - 1, fee, varied or cost in {"largest", "either"})
    return Division(cost, (tuple(row), tuple(other)) if other else (tuple(row),), number, fees)


def random_fees(rng: Random, number: int, about: float, varied: bool) -> tuple[int, ...]:
    """Fees of cuts: different ones or the same one for all; none if they are about 0."""
    if not about:
        return ()
    if not varied:
        return (max(1, round(about * rng.uniform(0.7, 1.3))),) * number
    return tuple(max(1, round(about * rng.uniform(0.4, 1.6))) for _ in range(number))


def levels(rng: Random, size: int, high: int) -> list[int]:
    """Numbers that stay near a level, jump to another one now and then, and have a few spikes."""
    level, row = rng.randint(1, high), list[int]()
    for _ in range(size):
        if rng.random() < 0.3:
            level = rng.randint(1, high)
        reach = high if rng.random() < 0.15 else max(1, high // 5)
        row.append(min(high, max(1, level + rng.randint(-reach, reach))))
    return row


def repeats(rng: Random, size: int) -> list[int]:
    """Numbers from 1 to 9 of which two or three alternate for a while."""
    row = list[int]()
    while len(row) < size:
        few = rng.sample(range(1, 10), rng.choice((1, 2, 2, 3)))
        row += rng.choices(few, k=rng.randint(2, 7))
    return row[:size]


# ---------------------------------------------------------------------- players without search

Badness = tuple[int, int]


def badness(division: Division, lengths: Sequence[int]) -> Badness:
    """How many rules parts break, and what they cost: the less, the better."""
    parts = allowed_parts(division)
    broken = sum(part not in parts for part in parts_of(lengths))
    if division.parts:
        broken += abs(len(lengths) - division.parts)
    return broken, total_cost(division, lengths)


def first_parts(division: Division, key: Callable[[int, int, int], float]) -> list[int]:
    """The next part that is least by a key of its start, end and cost, until the row is over."""
    parts, lengths, start = allowed_parts(division), list[int](), 0
    while start < division.size:
        ends = [end for end in range(start + 1, division.size + 1) if (start, end) in parts]
        end = min(ends, key=lambda e: key(start, e, parts[start, e]), default=division.size)
        lengths.append(end - start)
        start = end
    return lengths


def equal_parts(size: int, number: int) -> list[int]:
    """Parts that are as equally long as can be.

    >>> equal_parts(8, 3)
    [3, 3, 2]
    """
    return [(size + n) // number for n in reversed(range(number))]


def at_jumps(division: Division, number: int) -> list[int]:
    """So many parts, cut where neighbours in the first row differ most."""
    row = division.rows[0]
    order = sorted(range(1, len(row)), key=lambda n: -abs(row[n] - row[n - 1]))
    return lengths_of(order[: number - 1], len(row))


def lengths_of(cuts: Iterable[int], size: int) -> list[int]:
    """The lengths of the parts between cuts."""
    return [b - a for a, b in pairwise([0, *sorted(cuts), size])]


def changed_cuts(division: Division, lengths: Sequence[int], moves: str) -> list[int]:
    """Parts after the best changes of one cut, while one helps.

    ``moves`` has ``a`` if cuts may be added, ``r`` if they may be removed, and ``m`` if one may be
    moved as far as to its neighbours.
    """
    size, cuts = division.size, {end for _, end in parts_of(lengths)[:-1]}
    least = badness(division, lengths)
    while True:
        options = list[set[int]]()
        if "a" in moves:
            options += [cuts | {n} for n in range(1, size) if n not in cuts]
        if "r" in moves:
            options += [cuts - {n} for n in cuts]
        if "m" in moves:
            for before, cut, after in zip(
                [0, *sorted(cuts)], sorted(cuts), [*sorted(cuts)[1:], size]
            ):
                options += [cuts - {cut} | {n} for n in range(before + 1, after) if n != cut]
        scored = [(badness(division, lengths_of(option, size)), option) for option in options]
        best = min(scored, key=lambda pair: pair[0], default=(least, cuts))
        if best[0] >= least:
            return lengths_of(cuts, size)
        least, cuts = best
