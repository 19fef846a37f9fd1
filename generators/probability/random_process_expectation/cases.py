"""Random processes, the totals that are asked about, and random ones of a size."""

from collections.abc import Callable, Mapping
from math import comb
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Process = Literal[
    "records", "coins", "urn", "coupons", "tree", "elimination", "windows", "lamps", "neighbours",
    "sample",
]  # fmt: skip
PROCESSES: tuple[Process, ...] = get_args(Process)

TOTALS: Mapping[Process, tuple[str, ...]] = MappingProxyType(
    {
        "records": ("sum", "square"),
        "coins": ("changes", "runs", "square"),
        "urn": ("matches", "colours", "pairs", "square"),
        "coupons": ("seen", "once", "all", "square"),
        "tree": ("leaves", "depths", "children"),
        "elimination": ("sum", "sizes"),
        "windows": ("greatest", "spread", "distinct", "overlap"),
        "lamps": ("number", "sum"),
        "neighbours": ("products", "differences", "greater"),
        "sample": ("greatest", "second", "spread", "gaps"),
    }
)
"""The totals of each process, the simple ones first."""


class Case(NamedTuple):
    """A process and a total. What the numbers mean depends on the process.

    - ``records``: ``values`` are the points of each position, and a card counts if fewer than
      ``limit`` of those before it are greater;
    - ``coins``: ``numbers`` are the chances of heads in parts of ``rounds``, ``values`` the points
      of changes, ``limit`` the power of the lengths of runs;
    - ``urn``: ``numbers`` are the balls of each colour, ``limit`` is how many are added after each
      of ``rounds`` draws, ``values`` are the points of draws from the second on;
    - ``coupons``: ``numbers`` are the weights of the types, ``values`` their points, ``rounds`` is
      the number of draws;
    - ``tree``: node k of ``rounds`` joins one of the ``limit`` nodes before it (0: of all),
      ``values`` are points of nodes, ``numbers`` holds a number of children;
    - ``elimination``: ``numbers`` are the parents of the nodes, -1 for the root, ``values`` points;
    - ``windows``: ``numbers`` are those of a row;
    - ``lamps``: ``numbers`` can be chosen in each of ``rounds`` steps, ``limit`` is how many lamps
      there are;
    - ``neighbours``: ``values`` are those of a row of cards;
    - ``sample``: ``rounds`` of ``numbers``, which rise, are chosen.
    """

    process: Process
    total: str
    numbers: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    rounds: int = 0
    limit: int = 0


def random_case(rng: Random, process: Process, totals: int, size: int, greatest: int) -> Case:
    """A case with one of the first ``totals`` totals of a process, of about this size.

    Values are at most ``greatest``.
    """
    total = rng.choice(TOTALS[process][:totals])
    return _RANDOM[process](rng, Case(process, total), size, greatest)


def points(rng: Random, number: int, greatest: int) -> tuple[int, ...]:
    """Random points, which are not all equal."""
    values = [rng.randint(1, greatest) for _ in range(number)]
    values[rng.randrange(number)] = greatest
    values[rng.randrange(number)] = 1
    return tuple(values)


LONGEST = 20
"""The greatest size where fractions become long: of squares, products and powers."""


def _records(rng: Random, case: Case, size: int, greatest: int) -> Case:
    size = min(size, LONGEST) if case.total == "square" else size
    limit = rng.randint(1, 1 + size // 4)
    return case._replace(values=points(rng, size, greatest), limit=limit)


def _coins(rng: Random, case: Case, size: int, greatest: int) -> Case:
    parts = rng.choice((3, 4, 5, 6)) if case.total != "runs" else rng.choice((3, 4, 5))
    size = min(size, {"runs": 10, "square": LONGEST}.get(case.total, size))
    chances = tuple(rng.randint(1, parts - 1) for _ in range(size))
    values = points(rng, size - 1, greatest) if case.total != "runs" else ()
    return case._replace(numbers=chances, values=values, rounds=parts, limit=rng.randint(2, 3))


def _urn(rng: Random, case: Case, size: int, greatest: int) -> Case:
    colours = 2 + (size > 6 and rng.random() < 0.6)
    draws = max(3, min(size, LONGEST) - 1)
    balls = tuple(rng.sample(range(1, 6 + size), colours))
    values = points(rng, draws - 1, greatest) if case.total == "matches" else ()
    return case._replace(numbers=balls, values=values, rounds=draws, limit=rng.randint(1, 4))


def _coupons(rng: Random, case: Case, size: int, greatest: int) -> Case:
    types = 3 + size // 4 if case.total != "all" else min(5, 3 + size // 8)
    weights = tuple(rng.randint(1, 5 + size // 4) for _ in range(types))
    values = points(rng, types, greatest) if case.total in {"seen", "once", "square"} else ()
    draws = 0 if case.total == "all" else rng.randint(3, 3 + size // 5)
    return case._replace(numbers=weights, values=values, rounds=draws)


def _tree(rng: Random, case: Case, size: int, greatest: int) -> Case:
    size = min(size, LONGEST) if case.total == "children" else size
    window = rng.choice((0, 2, 3)) if size > 4 else 0
    values = points(rng, size, greatest)
    children = (rng.randint(1, 2),) if case.total == "children" else ()
    return case._replace(numbers=children, values=values, rounds=size, limit=window)


def _elimination(rng: Random, case: Case, size: int, greatest: int) -> Case:
    parents = [-1, *(max(0, n - 1 - int(4 * rng.random() ** 2)) for n in range(1, size))]
    return case._replace(numbers=tuple(parents), values=points(rng, size, greatest))


def _windows(rng: Random, case: Case, size: int, greatest: int) -> Case:
    high = max(3, size // 2) if case.total == "distinct" else max(2 * greatest, 9)
    return case._replace(numbers=tuple(rng.randint(1, high) for _ in range(size)))


def _lamps(rng: Random, case: Case, size: int, greatest: int) -> Case:
    numbers = sorted(rng.sample(range(1, size + 4), 3 + size // 6))
    return case._replace(numbers=tuple(numbers), rounds=2 + size // 8, limit=size + 2)


def _neighbours(rng: Random, case: Case, size: int, greatest: int) -> Case:
    return case._replace(values=points(rng, size, max(greatest, 5)))


def _sample(rng: Random, case: Case, size: int, greatest: int) -> Case:
    numbers = sorted(rng.sample(range(1, 3 * size + greatest), size + 1))
    chosen = rng.randint(3, max(3, size // 2))
    return case._replace(numbers=tuple(numbers), rounds=min(chosen, size))


_RANDOM: Mapping[Process, Callable[[Random, Case, int, int], Case]] = MappingProxyType(
    {
        "records": _records, "coins": _coins, "urn": _urn, "coupons": _coupons, "tree": _tree,
        "elimination": _elimination, "windows": _windows, "lamps": _lamps,
        "neighbours": _neighbours, "sample": _sample,
    }
)  # fmt: skip


def terms(case: Case) -> int:
    """How many terms the expectation has as a sum, which shows how much work it is."""
    size = max(len(case.numbers), len(case.values), case.rounds, case.limit)
    if case.total in {"square", "gaps"} or case.process == "neighbours":
        return comb(size + 1, 2)
    if case.total == "all":
        return 1 << len(case.numbers)
    return 2 * size if case.total in {"sizes", "spread", "depths", "children"} else size
