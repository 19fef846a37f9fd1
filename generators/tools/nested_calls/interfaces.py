"""Interfaces of documented functions on hidden records, whose names are made up."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
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
from palaestra.generators.tools.nested_calls.steps import Schema, Step, family_of
from palaestra.generators.vocabulary import VOWELS, words

Work = Literal[
    "find", "related", "owned", "details", "measure", "select", "both", "without", "either",
    "extreme", "total", "mean", "count", "plus", "minus", "times", "parts", "charge", "convert",
]  # fmt: skip

SAMPLES: tuple[Work, ...] = (
    "find",
    "related",
    "owned",
    "measure",
    "select",
    "extreme",
    "total",
    "charge",
    "convert",
)
"""What functions that nobody needs do."""

MOST_FIELDS = 5
"""How many fields the object of a function has at most."""


class Field(NamedTuple):
    """A field of an object: a quantity in a unit, or with no unit the id of a linked record."""

    name: str
    key: str
    unit: str


class Function(NamedTuple):
    """What a function does; which fields matter depends on ``work``."""

    work: Work
    record: int = -1
    """The type of the records that it takes, or that it lists; of the one that ``find`` returns."""
    key: str = ""
    unit: str = ""
    """That of the result; of the bound of ``select``; of the argument of ``convert``."""
    other_unit: str = ""
    """That of the argument of ``charge``, and of the result of ``convert``."""
    above: bool = True
    """Which side of a bound or end of an order counts; whether the first argument comes first."""
    inclusive: bool = False
    has_option: bool = False
    """Whether a last parameter may be left out: a rank, whether a bound is within, or a unit."""
    fields: tuple[Field, ...] = ()
    name: str = ""
    parameters: tuple[str, ...] = ()

    def meaning(self) -> tuple[object, ...]:
        """What it does, without names."""
        return (*self[:8], tuple(each[1:] for each in self.fields))

    def family(self) -> Family:
        """The family of the quantity that it is about."""
        if self.work == "charge":
            return CHARGES[self.key].family
        if self.work == "convert":
            return next(family for family, units in UNITS.items() if self.unit in units)
        return MEASURES[self.key].family

    def units(self) -> tuple[str, ...]:
        """The units that its result may be in."""
        if not self.has_option or self.work not in {"measure", "total", "mean"}:
            return (self.unit,)
        return (self.unit, *(unit for unit in UNITS[self.family()] if unit != self.unit))

    def field(self, key: str) -> Field | None:
        """The field of its object that is about a relation or a measure."""
        return next((each for each in self.fields if each.key == key), None)


ARITY = {
    "find": 1, "related": 1, "owned": 1, "details": 1, "measure": 1, "select": 2, "both": 2,
    "without": 2, "either": 2, "extreme": 1, "total": 1, "mean": 1, "count": 1, "plus": 2,
    "minus": 2, "times": 2, "parts": 2, "charge": 2, "convert": 1,
}  # fmt: skip
"""How many arguments a function has that may not be left out."""

OPTIONS = {"select": "boolean", "extreme": "number", "measure": "text", "total": "text",
           "mean": "text"}  # fmt: skip
"""The types of the optional arguments of those that may have one."""

LISTS = frozenset({"select", "both", "without", "either", "extreme", "total", "mean", "count"})
"""Those whose first argument is a list of records."""


def argument_types(function: Function) -> tuple[str, ...]:
    """The type of each parameter: ``id``, ``ids``, ``number``, ``text`` or ``boolean``."""
    first = {"find": "text", "convert": "number"}
    if function.work in {"plus", "minus", "times", "parts"}:
        types = ["number", "number"]
    else:
        types = [first.get(function.work, "ids" if function.work in LISTS else "id")]
        if ARITY[function.work] == 2:
            types.append("number" if function.work in {"select", "charge"} else "ids")
    return (*types, *([OPTIONS[function.work]] if function.has_option else []))


def taken(schema: Schema, function: Function) -> int:
    """The type of the records that a function takes."""
    if function.work == "owned":
        return schema.link(function.record, function.key).target
    return function.record


def result_type(schema: Schema, function: Function) -> tuple[str, int]:
    """What a function returns: ``id`` or ``ids`` of a type of records, ``number`` or ``object``."""
    if function.work in {"find", "extreme"}:
        return "id", function.record
    if function.work == "related":
        return "id", schema.link(function.record, function.key).target
    if function.work in {"owned", "select", "both", "without", "either"}:
        return "ids", function.record
    return ("object" if function.work == "details" else "number"), -1


PURPOSES: Mapping[Work, str] = {
    "find": "Looks up {a} by name. Returns the id.",
    "related": "Returns the id of {relation}.",
    "owned": "Lists {relation}, by their ids.",
    "details": "Returns an object about {a} with these fields:",
    "measure": "Returns the {measure} of {a}{in_unit}.",
    "select": "Returns those {some} of a list whose {measure} is {side} a bound in {unit}.",
    "both": "Returns the {some} that are in both of two lists.",
    "either": "Returns the {some} that are in at least one of two lists.",
    "without": "Returns the {some} that are in {one} but not in {other}.",
    "extreme": "Returns the one of several {some} with the {end} {measure}: the id.",
    "total": "Adds up the {measure} of several {some}. Returns the sum{in_unit}.",
    "mean": "Returns the average {measure} of several {some}{in_unit}.",
    "count": "Returns how many {some} a list has.",
    "charge": "Returns {charge}, in {unit}.",
    "convert": "Converts an amount from {unit} to {other_unit}.",
    "plus": "Returns {one} plus {other}.",
    "minus": "Returns {one} less {other}.",
    "times": "Returns {one} times {other}.",
    "parts": "Returns {one} divided by {other}.",
}
"""What each function does."""


def article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[0] in VOWELS else 'a'} {noun}"


class Documentation:
    """What a player reads of the functions on the records of a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.nouns = [NOUNS[n].gloss for n in schema.nouns]
        self.plurals = [NOUNS[n].glosses for n in schema.nouns]

    def of(self, function: Function) -> str:
        """The signature, the purpose and the arguments of a function."""
        types = argument_types(function)
        default = {"boolean": "false", "number": "1", "text": f'"{function.unit}"'}
        texts = [self._type(each, taken(self.schema, function)) for each in types]
        if function.has_option:
            texts[-1] += f" = {default[types[-1]]}"
        signature = ", ".join(map(": ".join, zip(function.parameters, texts)))
        result = self._type(*result_type(self.schema, function))
        lines = [f"{function.name}({signature}) -> {result}", f"  {self.purpose(function)}"]
        lines += [f"  {line}" for line in self._notes(function)]
        return "\n".join(lines)

    def _type(self, name: str, record: int) -> str:
        if name in {"id", "ids"}:
            noun = f"{self.nouns[record]}_id"
            return noun if name == "id" else f"list[{noun}]"
        return name

    def purpose(self, function: Function) -> str:
        """What a function does, in a sentence or two."""
        record, key = function.record, function.key
        noun, some = (self.nouns[record], self.plurals[record]) if record >= 0 else ("", "")
        one, other = (*function.parameters, "", "")[:2]
        if not function.above:
            one, other = other, one
        relation = ""
        if function.work == "related":
            relation = self._forward(record, key, article(noun))
        if function.work == "owned":
            owner = article(self.nouns[self.schema.link(record, key).target])
            relation = RELATIONS[key].gloss_back.format(es=some, f=owner)
        charge = CHARGES[key].gloss.format(e=article(noun)) if key in CHARGES else ""
        return PURPOSES[function.work].format(
            a=article(noun) if noun else "",
            some=some,
            relation=relation,
            measure=MEASURES[key].gloss if key in MEASURES else "",
            charge=charge,
            unit=function.unit,
            other_unit=function.other_unit,
            in_unit="" if function.has_option else f" in {function.unit}",
            side=_side(function.above, function.inclusive),
            end="greatest" if function.above else "smallest",
            one=one,
            other=other,
        )

    def _forward(self, record: int, key: str, noun: str) -> str:
        target = self.nouns[self.schema.link(record, key).target]
        return RELATIONS[key].gloss.format(F=target, e=noun)

    def _notes(self, function: Function) -> Iterator[str]:
        """Lines on fields and on arguments that need an explanation."""
        noun = self.nouns[function.record] if function.record >= 0 else ""
        for name, key, unit in function.fields:
            if unit:
                yield f"  {name}: the {MEASURES[key].gloss} in {unit}"
            else:
                yield f"  {name}: the id of {self._forward(function.record, key, f'the {noun}')}"
        last = function.parameters[-1]
        if function.work == "charge":
            yield f"{last}: The {function.family()} in {function.other_unit}."
        if function.has_option and function.work == "select":
            yield f"{last}: Whether {article(noun)} exactly at the bound is returned as well."
        elif function.has_option and function.work == "extreme":
            end = "greatest" if function.above else "smallest"
            yield f"{last}: 1 for the {end}, 2 for the next after it, and so on."
        elif function.has_option:
            yield f"{last}: The unit of the result: {', '.join(UNITS[function.family()])}."


def _side(above: bool, inclusive: bool) -> str:
    if inclusive:
        return "at least" if above else "at most"
    return "more than" if above else "less than"


class Shares(NamedTuple):
    """How an interface is drawn: the number of functions, how many near duplicates each needed one
    has, and in which percentages of cases units differ and arguments are optional.
    """

    functions: int
    near: int
    conversions: int
    options: int


def random_functions(
    rng: Random, schema: Schema, steps: Sequence[Step], unit: str, shares: Shares
) -> tuple[Function, ...]:
    """Functions that the steps to a result in a unit need, near duplicates of them, and others up
    to the number wanted, in random order.
    """
    drawing = _Drawing(rng, schema, steps, shares)
    drawing.need(len(steps) - 1, unit)
    functions = {each.meaning(): each for each in drawing.functions}
    options = [[*near_duplicates(schema, each)] for each in drawing.functions]
    for each in options:
        rng.shuffle(each)
    near = [each[n] for n in range(shares.near) for each in options if n < len(each)]
    others = (random_function(rng, schema, shares.options) for _ in range(20 * shares.functions))
    for other in chain(near, others):
        if len(functions) >= shares.functions:
            break
        if drawing.is_shortcut(other):
            continue
        functions.setdefault(other.meaning(), other)
    shuffled = [*functions.values()]
    rng.shuffle(shuffled)
    return named(rng, shuffled)


class _Drawing:
    """Draws the functions that steps need."""

    def __init__(self, rng: Random, schema: Schema, steps: Sequence[Step], shares: Shares) -> None:
        self.rng, self.schema, self.steps, self.shares = rng, schema, steps, shares
        self.functions: list[Function] = []
        self.seen: set[tuple[int, str]] = set()
        self.converted: set[tuple[int, str, str]] = set()
        """Types of records, measures or charges, and units in which only conversions give them."""

    def is_shortcut(self, function: Function) -> bool:
        """Whether a function would make a conversion idle."""
        results = [(function.key, unit) for unit in function.units()] if function.key else []
        results += [(field.key, field.unit) for field in function.fields]
        return any((function.record, *each) in self.converted for each in results)

    def _percent(self, percentage: int) -> bool:
        return self.rng.randrange(100) < percentage

    def _add(self, function: Function) -> Function:
        """A function that does the same as one wanted, in whatever unit it has."""
        for each in self.functions:
            if each[:3] == function[:3] and function.work not in {"select", "extreme", "convert"}:
                return each
            if each.meaning() == function.meaning():
                return each
        self.functions.append(function)
        return function

    def need(self, n: int, unit: str = "") -> None:
        """Add the functions for a step, whose result is wanted in a unit."""
        if (n, unit) in self.seen:
            return
        self.seen.add((n, unit))
        step = self.steps[n]
        if step.operation in {"measure", "total", "mean", "charge"}:
            self._need_amount(n, unit)
            return
        for source in step.sources:
            self.need(source, unit)
        if step.operation in {"plus", "minus", "times", "parts"}:
            self._add(Function(step.operation, above=self.rng.random() < 0.5))
        elif step.operation == "related":
            if not self._in_object(step.origin, step.key):
                self._add(Function("related", step.origin, step.key))
        elif step.operation == "select":
            self._add(self._selection(step))
        elif step.operation == "extreme":
            option = step.number > 1 or self._percent(self.shares.options)
            self._add(
                Function("extreme", step.record, step.key, above=step.above, has_option=option)
            )
        else:
            work: Work = "find" if step.operation == "named" else step.operation
            self._add(Function(work, step.record, step.key))

    def _need_amount(self, n: int, unit: str) -> None:
        step, family = self.steps[n], family_of(self.steps, n)
        fields = step.operation == "measure" and n < len(self.steps) - 1
        if fields and (field := self._in_object(step.record, step.key)):
            self.need(step.sources[0])
            self._convert(step, [field.unit], unit)
            return
        own, other_unit = self._unit(unit, family), ""
        if step.operation == "charge":
            argument = CHARGES[step.key].family
            other_unit = self.rng.choice([*UNITS[argument]])
        option = step.operation != "charge" and self._percent(self.shares.options)
        work = step.operation
        assert work in {"measure", "total", "mean", "charge"}
        function = self._add(
            Function(work, step.record, step.key, own, other_unit, has_option=option)
        )
        if step.operation == "charge":
            self.need(step.sources[1], function.other_unit)
        self.need(step.sources[0])
        self._convert(step, function.units(), unit)

    def _unit(self, unit: str, family: Family) -> str:
        """The unit that is wanted, or another one."""
        others = [each for each in UNITS[family] if each != unit]
        return self.rng.choice(others) if self._percent(self.shares.conversions) else unit

    def _convert(self, step: Step, units: Sequence[str], unit: str) -> None:
        if unit not in units:
            self.converted.add((step.record, step.key, unit))
            self._add(Function("convert", unit=units[0], other_unit=unit))

    def _selection(self, step: Step) -> Function:
        sizes = UNITS[MEASURES[step.key].family]
        units = [each for each, size in sizes.items() if size <= sizes[step.unit]]
        option = self._percent(self.shares.options)
        return Function(
            "select",
            step.record,
            step.key,
            self.rng.choice(units) if self._percent(self.shares.conversions) else step.unit,
            above=step.above,
            inclusive=step.inclusive and not option,
            has_option=option,
        )

    def _in_object(self, record: int, key: str) -> Field | None:
        """The field of an object that is about a relation or a measure; the object may be new."""
        objects = [each for each in self.functions if each[:2] == ("details", record)]
        if not objects and self._percent(self.shares.options // 3):
            objects = [random_object(self.rng, self.schema, record, key)]
            self.functions += objects
        return next((field for each in objects if (field := each.field(key))), None)


def random_object(rng: Random, schema: Schema, record: int, key: str = "") -> Function:
    """A function that returns an object about a record, with a field for a key among others."""
    keys = [each for each, measure in MEASURES.items() if measure.sort == schema.sort(record)]
    keys += [link.key for link in schema.links if link.source == record]
    keys = [each for each in keys if each != key]
    chosen = rng.sample(keys, min(len(keys), MOST_FIELDS - 1)) + ([key] if key else [])
    rng.shuffle(chosen)
    fields = [
        Field("", each, rng.choice([*UNITS[MEASURES[each].family]]) if each in MEASURES else "")
        for each in chosen
    ]
    return Function("details", record, fields=tuple(fields))


SIMILAR: Mapping[str, tuple[Work, ...]] = {
    "total": ("mean",), "both": ("without", "either"), "without": ("both", "either"),
    "times": ("parts",), "parts": ("times",), "plus": ("minus",), "minus": ("plus",),
}  # fmt: skip
"""What takes the same arguments as another."""


def near_duplicates(schema: Schema, function: Function) -> Iterator[Function]:
    """Functions that differ from one in a unit, a direction, a relation or a measure."""
    work, key = function.work, function.key
    if work in {"related", "owned"}:
        source = schema.link(function.record, key).source
        keys = [each.key for each in schema.links if each.source == source]
    else:
        keys = [each for each in MEASURES if key in MEASURES and _alike(each, key)]
    yield from (function._replace(key=each) for each in keys if each != key)
    yield from _in_other_units(function)
    if work in {"select", "extreme", "minus", "without"}:
        yield function._replace(above=not function.above)
    if work == "select" and not function.has_option:
        yield function._replace(inclusive=not function.inclusive)
    yield from (function._replace(work=each) for each in SIMILAR.get(work, ()))


def _alike(one: str, other: str) -> bool:
    """Whether two measures are of the same family and records."""
    return MEASURES[one][:2] == MEASURES[other][:2]


def _in_other_units(function: Function) -> Iterator[Function]:
    if function.work == "convert":
        yield function._replace(unit=function.other_unit, other_unit=function.unit)
        for unit in UNITS[function.family()]:
            if unit not in {function.unit, function.other_unit}:
                yield function._replace(other_unit=unit)
                yield function._replace(unit=unit)
    elif function.work in {"measure", "total", "mean", "select", "charge"}:
        family = "money" if function.work == "charge" else function.family()
        for unit in UNITS[family]:
            if unit != function.unit:
                yield function._replace(unit=unit)


def random_function(rng: Random, schema: Schema, options: int) -> Function:
    """A function that may be of no use."""
    work = rng.choice(SAMPLES)
    record = rng.randrange(len(schema.nouns))
    option = work in OPTIONS and rng.randrange(100) < options
    sort = schema.sort(record)
    if work == "find":
        return rng.choice((Function("find", record), random_object(rng, schema, record)))
    if work in {"related", "owned"}:
        link = rng.choice(schema.links)
        return Function(work, link.source, link.key)
    if work == "convert":
        family = rng.choice([each for each in UNITS if each != "number"])
        unit, other = rng.sample([*UNITS[family]], 2)
        return Function("convert", unit=unit, other_unit=other)
    if work == "charge":
        key = rng.choice([each for each, charge in CHARGES.items() if charge.sort == sort])
        unit, other = (rng.choice([*UNITS[each]]) for each in ("money", CHARGES[key].family))
        return Function("charge", record, key, unit, other)
    key = rng.choice([each for each, measure in MEASURES.items() if measure.sort == sort])
    unit = "" if work == "extreme" else rng.choice([*UNITS[MEASURES[key].family]])
    above = work not in {"select", "extreme"} or rng.random() < 0.5
    return Function(work, record, key, unit, above=above, has_option=option)


def named(rng: Random, functions: Sequence[Function]) -> tuple[Function, ...]:
    """The functions with names for themselves, their parameters and fields; no name comes twice."""
    counts = [ARITY[each.work] + each.has_option + len(each.fields) + 1 for each in functions]
    names = iter(words(rng, sum(counts), 4, 7))
    result = []
    for each in functions:
        fields = tuple(field._replace(name=next(names)) for field in each.fields)
        parameters = tuple(next(names) for _ in range(ARITY[each.work] + each.has_option))
        result.append(each._replace(name=next(names), fields=fields, parameters=parameters))
    return tuple(result)
