"""Certificates that share out time, places and room: schedules, assignments, packings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.certificates import schedule_violation
from palaestra.verifiers.certified.grading import Certificate, Number, exact
from palaestra.verifiers.certified.reading import assigned, number_rows, numbers
from palaestra.verifiers.verifier import GoldError

MOST = 2_000
"""How many operations, rows or items there may be."""


@dataclass(frozen=True, slots=True)
class ScheduleCertificate(Certificate):
    r"""A line for each job with the start times of its operations; the cost is when all is done.

    ``jobs`` are rows of (machine, duration), with machines from 0 and durations from 1. The
    operations of a job run in order, and a machine runs one at a time, without a break; times are
    whole numbers from 0.

    >>> judge = ScheduleCertificate([[(0, 3), (1, 1)], [(1, 2), (0, 2)]], optimum=5)
    >>> judge("0, 3\n0, 3").correct, judge("0, 4\n0, 5").correct, judge("0, 0\n0, 0").reason
    (True, False, 'operation 2 of job 1 starts before operation 1 has ended')
    """

    jobs: Sequence[Sequence[tuple[int, int]]]

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        jobs = tuple(tuple(map(tuple, job)) for job in self.jobs)
        operations = [operation for job in jobs for operation in job]
        if not all(jobs) or not 1 <= len(operations) <= MOST:
            raise GoldError(f"there are jobs of operations, from 1 to {MOST} in all")
        if not all(len(operation) == 2 for operation in operations):
            raise GoldError("an operation is its machine and its duration")
        exact([machine for machine, _ in operations], "machines", lowest=0)
        exact([duration for _, duration in operations], "durations", lowest=1)
        object.__setattr__(self, "jobs", jobs)

    def verify(self, answer: str) -> Score:
        starts = number_rows(answer, ordered=True)
        if list(map(len, starts)) != list(map(len, self.jobs)):
            raise InvalidAnswer("not a line for each job with the start time of each operation")
        if problem := schedule_violation(starts, self.jobs):
            return Score(0, problem)
        return self.graded(max(begun[-1] + job[-1][1] for begun, job in zip(starts, self.jobs)))


@dataclass(frozen=True, slots=True)
class AssignmentCertificate(Certificate):
    """A column for each row of a table, no column twice, such as ``2, 1, 3``; they count from 1.

    The cost is the sum of the numbers chosen in the table, or the value, where ``maximise`` asks
    for as much as possible. There are at least as many columns as rows. A bound or an optimum is
    needed.

    >>> judge = AssignmentCertificate([[4, 1], [2, 3]], optimum=3)
    >>> judge("2, 1").correct, judge("1, 2").correct, judge("2, 2").reason
    (True, False, 'column 2 is taken twice')
    """

    table: Sequence[Sequence[Number]]
    maximise: bool = False

    needs_bound: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        table = tuple(exact(row, "the numbers of the table") for row in self.table)
        if not 1 <= len(table) <= MOST or {len(row) for row in table} != {len(table[0])}:
            raise GoldError(f"a table has from 1 to {MOST} rows, all of one length")
        if len(table[0]) < len(table):
            raise GoldError("there are fewer columns than rows")
        object.__setattr__(self, "table", table)

    @property
    def more_is_better(self) -> bool:
        return self.maximise

    def verify(self, answer: str) -> Score:
        columns = assigned(answer, len(self.table))
        if not all(1 <= column <= len(self.table[0]) for column in columns):
            return Score(0, f"the columns go from 1 to {len(self.table[0])} only")
        if problem := _twice(columns, "column"):
            return Score(0, problem)
        return self.graded(sum(row[column - 1] for row, column in zip(self.table, columns)))


def _twice(numbers: Sequence[int], what: str) -> str:
    """What is wrong with a row of numbers where one stands twice."""
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            return f"{what} {number} is taken twice"
        seen.add(number)
    return ""


@dataclass(frozen=True, slots=True)
class KnapsackCertificate(Certificate):
    """Numbers of items that fit together, such as ``1, 4``; the value is the sum of theirs.

    ``items`` are pairs of weight and value, each at least 0, and count from 1; each is there
    once. A bound or an optimum is needed.

    >>> judge = KnapsackCertificate([(3, 5), (2, 3), (4, 6)], capacity=6, optimum=9)
    >>> judge("2, 3").correct, judge("1, 2").correct, judge("1, 2, 3").reason
    (True, False, 'a weight of 9 is more than the capacity')
    """

    items: Sequence[tuple[Number, Number]]
    capacity: Number

    needs_bound: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        items = tuple(map(tuple, self.items))
        if not 1 <= len(items) <= MOST or not all(len(item) == 2 for item in items):
            raise GoldError(f"there are from 1 to {MOST} items, pairs of weight and value")
        exact([number for item in items for number in item], "weights and values", lowest=0)
        exact([self.capacity], "capacities", lowest=0)
        object.__setattr__(self, "items", items)

    @property
    def more_is_better(self) -> bool:
        return True

    def verify(self, answer: str) -> Score:
        chosen = numbers(answer, what="a list of item numbers")
        if not all(1 <= number <= len(self.items) for number in chosen):
            return Score(0, f"the items have numbers from 1 to {len(self.items)} only")
        if problem := _twice(chosen, "item"):
            return Score(0, problem)
        taken = [self.items[number - 1] for number in chosen]
        weight = sum(weight for weight, _ in taken)
        if weight > self.capacity:
            return Score(0, f"a weight of {weight} is more than the capacity")
        return self.graded(sum(value for _, value in taken))


@dataclass(frozen=True, slots=True)
class BinPackingCertificate(Certificate):
    r"""A line for each bin with the numbers of its items; the cost is the number of bins.

    Items count from 1, have ``sizes`` from 0 up to the ``capacity`` of a bin, and stand in one bin
    each. A line may open with a label such as ``bin 1:``. A bound or an optimum is needed.

    >>> judge = BinPackingCertificate([4, 3, 2, 1], capacity=5, at_most=2)
    >>> judge("1, 4\n2, 3").correct, judge("1, 2, 3, 4").reason
    (True, 'bin 1 is too full')
    """

    sizes: Sequence[Number]
    capacity: Number

    needs_bound: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        exact([self.capacity], "capacities", lowest=0)
        object.__setattr__(self, "sizes", exact(self.sizes, "sizes", lowest=0))
        if not 1 <= len(self.sizes) <= MOST or max(self.sizes) > self.capacity:
            raise GoldError(f"there are from 1 to {MOST} items, each fitting into a bin")

    def verify(self, answer: str) -> Score:
        bins = number_rows(answer)
        packed = [number for row in bins for number in row]
        if not all(1 <= number <= len(self.sizes) for number in packed):
            return Score(0, f"the items have numbers from 1 to {len(self.sizes)} only")
        if problem := _twice(packed, "item"):
            return Score(0, problem)
        if len(packed) < len(self.sizes):
            return Score(0, "not every item is in a bin")
        for number, row in enumerate(bins, 1):
            if sum(self.sizes[item - 1] for item in row) > self.capacity:
                return Score(0, f"bin {number} is too full")
        return self.graded(len(bins))
