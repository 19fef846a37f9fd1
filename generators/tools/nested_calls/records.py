"""Hidden records, and what the steps of a request come to on them."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from palaestra.generators.tools.nested_calls.meanings import CHARGES, MEASURES, UNITS
from palaestra.generators.tools.nested_calls.steps import (
    Schema,
    Step,
    Unsuitable,
    slips,
)

RECORDS = 14
"""How many records there are of each type."""

LEAST = 3
"""How many records a list has at least that others belong to."""

DATA_SETS = 5
"""On how many data sets a program is run."""

Value = int | Fraction | tuple[int, ...]
"""A record by its number, a quantity in the smallest unit, or a list of records."""


class Records:
    """One data set: all of it follows from a seed, the schema and the steps of a request.

    The steps are what its records are arranged for, so that lists have several records and lie on
    both sides of bounds.
    """

    def __init__(self, seed: int, schema: Schema, steps: Sequence[Step]) -> None:
        self.seed, self.schema = seed, schema
        self.names = {
            (step.record, step.text.casefold()): n
            for n, step in enumerate(steps)
            if step.operation == "named"
        }
        self._links: dict[tuple[int, str], list[int]] = {}
        self._values: dict[tuple[int, str], list[int]] = {}
        self._arrange(steps)

    def links(self, source: int, key: str) -> list[int]:
        """For each record of a type the one that it is linked to."""
        if (source, key) not in self._links:
            rng = Random(f"{self.seed} {source} {key}")
            self._links[source, key] = rng.choices(range(RECORDS), k=RECORDS)
        return self._links[source, key]

    def values(self, record: int, key: str) -> list[int]:
        """For each record of a type a quantity of it, in the smallest unit."""
        if (record, key) not in self._values:
            rng = Random(f"{self.seed} {record} {key}")
            unit = [*UNITS[MEASURES[key].family].values()][1]
            self._values[record, key] = rng.choices(range(2 * unit, 50 * unit), k=RECORDS)
        return self._values[record, key]

    def charge(self, record: int, key: str, number: int, amount: Fraction) -> Fraction:
        """What a record charges for a quantity in the smallest unit, in cents."""
        rng = Random(f"{self.seed} {record} {key} {number}")
        unit = [*UNITS[CHARGES[key].family].values()][1]
        return rng.randint(100, 2_000) + amount * rng.randint(20, 900) / unit

    def _arrange(self, steps: Sequence[Step]) -> None:
        rng = Random(f"{self.seed}")
        results: list[Value] = []
        for step in steps:
            try:
                if step.operation == "owned":
                    self._fill(rng, step, results, steps)
                if step.operation == "select":
                    self._spread(rng, step, _records(results[step.sources[0]]))
                results.append(evaluated(self, step, results))
            except Unsuitable:
                return

    def _fill(
        self, rng: Random, step: Step, results: Sequence[Value], steps: Sequence[Step]
    ) -> None:
        """Let enough records belong to one."""
        column, target = self.links(step.record, step.key), results[step.sources[0]]
        assert isinstance(target, int)
        siblings = [
            number
            for other, result in zip(steps, results)
            if other.operation == "owned" and other.record == step.record
            for number in _records(result)
        ]
        wanted = rng.randint(LEAST + 2, LEAST + 5)
        preferred = rng.sample(siblings, min(len(siblings), 3)) + rng.sample(range(RECORDS), wanted)
        for number in preferred:
            if column.count(target) < wanted:
                column[number] = target

    def _spread(self, rng: Random, step: Step, numbers: Sequence[int]) -> None:
        """Let values lie at a bound and close to it on both sides."""
        column, unit = self.values(step.record, step.key), UNITS[MEASURES[step.key].family]
        bound, size = int(step.bound()), unit[step.unit]
        near = [bound, bound + size, bound - size, bound + size // 2, bound - size // 2]
        for number in numbers:
            far = bound + rng.choice((-1, 1)) * rng.randrange(1, bound)
            column[number] = near.pop(rng.randrange(len(near))) if near else far


def _records(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def evaluated(records: Records, step: Step, results: Sequence[Value]) -> Value:
    """What a step comes to after the results of earlier ones.

    Raises :class:`Unsuitable` where it comes to nothing.
    """
    sources = [results[n] for n in step.sources]
    match step.operation, sources:
        case "named", _:
            return records.names[step.record, step.text.casefold()]
        case "related", [int(one)]:
            return records.links(step.origin, step.key)[one]
        case "owned", [int(one)]:
            column = records.links(step.record, step.key)
            return tuple(n for n, target in enumerate(column) if target == one)
        case "select", [tuple(some)]:
            return _selected(records, step, some)
        case "both", [tuple(some), tuple(others)]:
            return tuple(n for n in some if n in others)
        case "without", [tuple(some), tuple(others)]:
            return tuple(n for n in some if n not in others)
        case "extreme", [tuple(some)]:
            return _extreme(records, step, some)
        case "measure", [int(one)]:
            return Fraction(records.values(step.record, step.key)[one])
        case "charge", [int(one), Fraction() as amount]:
            return records.charge(step.record, step.key, one, amount)
    return _number(records, step, sources)


def _selected(records: Records, step: Step, some: Sequence[int]) -> tuple[int, ...]:
    column, bound = records.values(step.record, step.key), step.bound()
    sign = 1 if step.above else -1
    return tuple(
        n for n in some if sign * (column[n] - bound) > 0 or (step.inclusive and column[n] == bound)
    )


def _extreme(records: Records, step: Step, some: Sequence[int]) -> int:
    """The record with a rank; of equal ones the first comes first."""
    if step.number > len(some):
        raise Unsuitable
    column, sign = records.values(step.record, step.key), -1 if step.above else 1
    return sorted(some, key=lambda n: (sign * column[n], n))[step.number - 1]


def _number(records: Records, step: Step, sources: Sequence[Value]) -> Fraction:
    match step.operation, sources:
        case "count", [tuple(some)]:
            return Fraction(len(some))
        case "total" | "mean", [tuple(some)]:
            column = records.values(step.record, step.key)
            if step.operation == "mean" and not some:
                raise Unsuitable
            return Fraction(
                sum(column[n] for n in some), 1 if step.operation == "total" else len(some)
            )
        case "plus", [Fraction() as one, Fraction() as other]:
            return one + other
        case "minus", [Fraction() as one, Fraction() as other]:
            return one - other
        case "times", [Fraction() as one]:
            return one * step.number
        case "parts", [Fraction() as one]:
            return one / step.number
    raise Unsuitable


def all_results(
    records: Records, steps: Sequence[Step], known: Sequence[Value] = ()
) -> list[Value]:
    """What all steps come to, where the results of the first ones are known."""
    results = [*known]
    for step in steps[len(known) :]:
        results.append(evaluated(records, step, results))
    return results


def _suits(records: Records, steps: Sequence[Step], results: Sequence[Value]) -> bool:
    """Whether no list is too short, no bound idle, and no rank shared."""
    for step, result in zip(steps, results):
        sources = [results[n] for n in step.sources]
        if step.operation == "owned" and len(_records(result)) < LEAST:
            return False
        if step.operation in {"select", "both", "without"} and not (
            0 < len(_records(result)) < len(_records(sources[0]))
        ):
            return False
        if step.operation == "extreme":
            column, some = records.values(step.record, step.key), _records(sources[0])
            if len({column[n] for n in some}) < max(len(some), step.number + 1):
                return False
    return True


def random_data_sets(rng: Random, schema: Schema, steps: Sequence[Step]) -> tuple[int, ...]:
    """The seeds of data sets which tell apart all programs that differ from the steps in one slip;
    none where luck does not lead to them.
    """
    seeds: list[int] = []
    known: list[tuple[Records, list[Value]]] = []
    for tries in range(6 * DATA_SETS):
        if tries >= 2 * DATA_SETS and len(seeds) < tries // DATA_SETS:
            break  # the steps hardly suit any records
        seed = rng.getrandbits(32)
        records = Records(seed, schema, steps)
        try:
            results = all_results(records, steps)
        except Unsuitable:
            continue
        if _suits(records, steps, results):
            seeds.append(seed)
            known.append((records, results))
        if len(seeds) == DATA_SETS:
            break
    final = {results[-1] for _, results in known}
    if len(seeds) < DATA_SETS or len(final) < LEAST:
        return ()
    shows = all(
        any(_differs(one, results, steps, n, slip) for one, results in known)
        for n, slip in slips(schema, steps)
    )
    return tuple(seeds) if shows else ()


def _differs(
    records: Records, results: Sequence[Value], steps: Sequence[Step], n: int, slip: Step
) -> bool:
    changed = [*steps[:n], slip, *steps[n + 1 :]]
    try:
        return all_results(records, changed, results[:n])[-1] != results[-1]
    except Unsuitable:
        return True
