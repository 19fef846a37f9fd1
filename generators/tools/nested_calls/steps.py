"""What a request wants, as steps that take the results of earlier ones."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.nested_calls.meanings import (
    CHARGES,
    MEASURES,
    NOUNS,
    RELATIONS,
    UNITS,
    Family,
)
from palaestra.generators.vocabulary import words

Operation = Literal[
    "named", "related", "owned", "select", "both", "without", "extreme",
    "measure", "total", "mean", "count", "plus", "minus", "times", "parts", "charge",
]  # fmt: skip

SETS = frozenset({"owned", "select", "both", "without"})
"""The operations whose results are lists of records."""

RECORDS = frozenset({"named", "related", "extreme"})
"""The operations whose results are records."""


class Link(NamedTuple):
    """A relation from a type of records to another, by their numbers in the schema."""

    key: str
    source: int
    target: int


class Schema(NamedTuple):
    """The types of records, by their numbers in the table of nouns, and how they are linked."""

    nouns: tuple[int, ...]
    links: tuple[Link, ...]

    def sort(self, record: int) -> str:
        """The sort of a type."""
        return NOUNS[self.nouns[record]].sort

    def link(self, source: int, key: str) -> Link:
        """The link of a type with a key."""
        return next(each for each in self.links if each[:2] == (key, source))


class Step(NamedTuple):
    """One step: an operation on the results of ``sources``, which are numbers of earlier steps."""

    operation: Operation
    record: int = -1
    """The type of the result, or of the records that are measured."""
    key: str = ""
    """A relation, a measure or a charge, as the tables name it."""
    sources: tuple[int, ...] = ()
    number: int = 0
    """A rank from 1, a bound in ``unit``, or a factor."""
    unit: str = ""
    text: str = ""
    """The name of a record."""
    above: bool = True
    """Whether a bound is a lower one; whether the rank counts from the greatest."""
    inclusive: bool = False
    """Whether the bound itself is within."""
    origin: int = -1
    """The type of the records that a relation starts from, where another type is reached."""

    def bound(self) -> Fraction:
        """The bound in the smallest unit."""
        return Fraction(self.number * UNITS[MEASURES[self.key].family][self.unit])


def family_of(steps: Sequence[Step], n: int) -> Family:
    """The family of the quantity that a step results in."""
    step = steps[n]
    if step.operation in {"measure", "total", "mean"}:
        return MEASURES[step.key].family
    if step.operation == "charge":
        return "money"
    return "number" if step.operation == "count" else family_of(steps, step.sources[0])


def random_schema(rng: Random, types: int, more: int) -> Schema:
    """A schema of so many types, each of which leads to others by up to ``more`` relations."""
    nouns = rng.sample(range(len(NOUNS)), types)
    links: list[Link] = []
    for source, noun in enumerate(nouns):
        options = [
            Link(key, source, target)
            for key, relation in RELATIONS.items()
            for target, other in enumerate(nouns)
            if (relation.source, relation.target) == (NOUNS[noun].sort, NOUNS[other].sort)
        ]
        rng.shuffle(options)
        own = {link.key: link for link in options}
        links += [*own.values()][:more]
    return Schema(tuple(nouns), tuple(links))


class Unsuitable(Exception):
    """What is drawn cannot be used; the drawing begins anew."""


class Sizes(NamedTuple):
    """How many steps a request has; ``sharing`` and ``options`` are percentages."""

    steps: int
    sharing: int
    """How often a step takes the result of one that another step takes as well."""
    options: int
    """How often a step needs an optional argument."""


def random_steps(rng: Random, schema: Schema, sizes: Sizes) -> tuple[Step, ...]:
    """Steps to a quantity, or none where luck does not lead to that many."""
    for _ in range(200):
        drawing = _Drawing(rng, schema, sizes)
        try:
            drawing.quantity(sizes.steps, "")
        except Unsuitable:
            continue
        if len(drawing.steps) == sizes.steps:
            return tuple(drawing.steps)
    return ()


class _Drawing:
    """Draws steps, of which each method adds at most ``budget`` and returns the last."""

    def __init__(self, rng: Random, schema: Schema, sizes: Sizes) -> None:
        self.rng, self.schema, self.sizes = rng, schema, sizes
        self.steps: list[Step] = []
        self.labels = iter(words(rng, 12, 5, 7))

    def _add(self, step: Step) -> int:
        if step in self.steps:
            raise Unsuitable
        self.steps.append(step)
        return len(self.steps) - 1

    def _percent(self, percentage: int) -> bool:
        return self.rng.randrange(100) < percentage

    def quantity(self, budget: int, family: str) -> int:
        """A quantity, of a family unless that is empty."""
        options = ["measure"] if budget < 4 and family != "number" else []
        if budget >= 3:
            options += ["total", "total", "count"] if family in {"", "number"} else ["total"]
            options += ["scaled"]
        if budget >= 4 and family in {"", "money"}:
            options += ["charge"] * 2
        if budget >= 4 and family != "number":
            options += ["measure"]
        if budget >= 5:
            options += ["plus", "minus", "minus"]
        if not options or budget < 2:
            raise Unsuitable
        option = self.rng.choice(options)
        if option in {"measure", "total"}:
            return self._measured(option, budget, family)
        if option == "count":
            items = self.records(self.rng.randrange(len(self.schema.nouns)), budget - 1)
            return self._add(Step("count", self.steps[items].record, sources=(items,)))
        if option == "charge":
            return self._charge(budget)
        if option == "scaled":
            source = self.quantity(budget - 1, family)
            if self.steps[source].operation in {"times", "parts"}:
                raise Unsuitable
            operation: Operation = self.rng.choice(("times", "parts"))
            return self._add(Step(operation, sources=(source,), number=self.rng.randint(2, 9)))
        return self._pair("plus" if option == "plus" else "minus", budget, family)

    def _measured(self, option: str, budget: int, family: str) -> int:
        pairs = [
            (record, key)
            for record in range(len(self.schema.nouns))
            for key, measure in MEASURES.items()
            if measure.sort == self.schema.sort(record) and family in {"", measure.family}
        ]
        if not pairs:
            raise Unsuitable
        record, key = self.rng.choice(pairs)
        if option == "total":
            return self._add(Step("total", record, key, (self.records(record, budget - 1),)))
        return self._add(Step("measure", record, key, (self.record(record, budget - 1),)))

    def _charge(self, budget: int) -> int:
        pairs = [
            (record, key)
            for record in range(len(self.schema.nouns))
            for key, charge in CHARGES.items()
            if charge.sort == self.schema.sort(record)
        ]
        record, key = self.rng.choice(pairs)
        first = self.rng.randint(1, budget - 3)
        one = self.record(record, first)
        other = self.quantity(budget - 1 - first, CHARGES[key].family)
        return self._add(Step("charge", record, key, (one, other)))

    def _pair(self, operation: Operation, budget: int, family: str) -> int:
        first = self.rng.randint(2, budget - 3)
        one = self.quantity(first, family)
        other = self.quantity(budget - 1 - first, family_of(self.steps, one))
        if one == other:
            raise Unsuitable
        return self._add(Step(operation, sources=(one, other)))

    def _shared(self, record: int, operations: frozenset[str]) -> int | None:
        """A step so far whose result has a type, if there is to be one."""
        if not self._percent(self.sizes.sharing):
            return None
        options = [
            n
            for n, step in enumerate(self.steps)
            if step.record == record and step.operation in operations
        ]
        return self.rng.choice(options) if options else None

    def record(self, record: int, budget: int) -> int:
        """A record of a type."""
        shared = self._shared(record, RECORDS)
        if shared is not None:
            return shared
        links = [link for link in self.schema.links if link.target == record]
        options = ["related"] * 2 * (budget >= 2 and bool(links)) + ["extreme"] * (budget >= 3)
        option = self.rng.choice(options) if options else "named"
        if option == "related":
            link = self.rng.choice(links)
            source = self.record(link.source, budget - 1)
            return self._add(Step("related", record, link.key, (source,), origin=link.source))
        if option == "extreme":
            source = self.records(record, budget - 1)
            rank = self.rng.randint(2, 3) if self._percent(self.sizes.options) else 1
            above = self.rng.random() < 0.5
            return self._add(
                Step("extreme", record, self._key(record), (source,), rank, above=above)
            )
        return self._add(Step("named", record, text=next(self.labels).title()))

    def _key(self, record: int) -> str:
        sort = self.schema.sort(record)
        return self.rng.choice([key for key, each in MEASURES.items() if each.sort == sort])

    def records(self, record: int, budget: int) -> int:
        """A list of records of a type."""
        shared = self._shared(record, SETS)
        if shared is not None:
            return shared
        links = [link for link in self.schema.links if link.source == record]
        if budget < 2 or not links:
            raise Unsuitable
        options = ["owned"] + ["select"] * (budget >= 3)
        options += ["both"] * (budget >= 5 and len(links) > 1)
        option = self.rng.choice(options)
        if option == "select":
            return self._selection(record, self.records(record, budget - 1))
        if option == "both":
            return self._overlap(record, self.rng.sample(links, 2), budget)
        return self._owned(self.rng.choice(links), budget)

    def _owned(self, link: Link, budget: int) -> int:
        source = self.record(link.target, budget - 1)
        return self._add(Step("owned", link.source, link.key, (source,)))

    def _overlap(self, record: int, links: Sequence[Link], budget: int) -> int:
        first = self.rng.randint(2, budget - 3)
        sources = self._owned(links[0], first), self._owned(links[1], budget - 1 - first)
        operation: Operation = self.rng.choice(("both", "without"))
        return self._add(Step(operation, record, sources=sources))

    def _selection(self, record: int, source: int) -> int:
        key = self._key(record)
        if self.steps[source].operation == "select" and self.steps[source].key == key:
            raise Unsuitable
        units = [*UNITS[MEASURES[key].family]]
        return self._add(
            Step(
                "select",
                record,
                key,
                (source,),
                number=self.rng.randint(6, 40),
                unit=self.rng.choice(units[1:]),
                above=self.rng.random() < 0.5,
                inclusive=self._percent(self.sizes.options),
            )
        )


def slips(schema: Schema, steps: Sequence[Step]) -> Iterator[tuple[int, Step]]:
    """Single steps that differ a little from those of a request, with their numbers."""
    for n, step in enumerate(steps):
        match step.operation:
            case "related" | "owned":
                source = step.record if step.operation == "owned" else step.origin
                target = schema.link(source, step.key).target
                for link in schema.links:
                    if link[1:] == (source, target) and link.key != step.key:
                        yield n, step._replace(key=link.key)
            case "extreme":
                yield n, step._replace(above=not step.above)
                yield n, step._replace(number=step.number % 3 + 1)
                yield from ((n, each) for each in _other_keys(step))
            case "select":
                yield n, step._replace(above=not step.above)
                yield n, step._replace(inclusive=not step.inclusive)
                yield n, step._replace(number=step.number + 1)
                yield n, step._replace(number=step.number - 1)
                yield from ((n, each) for each in _other_keys(step))
            case "measure":
                yield from ((n, each) for each in _other_keys(step))
            case "total":
                yield n, step._replace(operation="mean")
                yield from ((n, each) for each in _other_keys(step))
            case "both":
                yield n, step._replace(operation="without")
            case "without":
                yield n, step._replace(operation="both")
                yield n, step._replace(sources=step.sources[::-1])
            case "minus":
                yield n, step._replace(sources=step.sources[::-1])


def _other_keys(step: Step) -> Iterator[Step]:
    """The step with another measure of the same family."""
    own = MEASURES[step.key]
    for key, each in MEASURES.items():
        if each[:2] == own[:2] and key != step.key:
            yield step._replace(key=key)
