"""A program for a request, put together from the documentation of functions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from palaestra.generators.tools.nested_calls.interfaces import Function
from palaestra.generators.tools.nested_calls.meanings import MEASURES, UNITS, converted
from palaestra.generators.tools.nested_calls.steps import Step, family_of


class Line(NamedTuple):
    """A call of a program, whose result has a name."""

    tool: str
    arguments: dict[str, Any]
    label: str


class Source(NamedTuple):
    """A function that gives a quantity in a unit: through a field of its object, if it has one."""

    function: Function
    unit: str
    field: str = ""


class NoProgram(Exception):
    """No function does what a step needs."""


class Compiler:
    """Writes the program of some steps with functions, of which it knows the documentation."""

    def __init__(self, functions: Sequence[Function], steps: Sequence[Step]) -> None:
        self.functions, self.steps = functions, steps
        self.lines: list[Line] = []
        self.known: dict[tuple[int, str], str] = {}

    def program(self, unit: str) -> list[Line]:
        """The calls that lead to the result of the last step in a unit."""
        self.amount(len(self.steps) - 1, unit)
        return self.lines

    def _call(self, function: Function, *values: Any) -> str:
        """Add a call, and give the reference to its result. Values of None are left out."""
        arguments = {
            name: value for name, value in zip(function.parameters, values) if value is not None
        }
        for line in self.lines:
            if (line.tool, line.arguments) == (function.name, arguments):
                return f"${line.label}"
        self.lines.append(Line(function.name, arguments, f"r{len(self.lines) + 1}"))
        return f"${self.lines[-1].label}"

    def _all(self, *fields: Any) -> Iterator[Function]:
        """The functions whose first fields have these values."""
        return (each for each in self.functions if each[: len(fields)] == fields)

    def _one(self, *fields: Any) -> Function:
        function = next(self._all(*fields), None)
        if function is None:
            raise NoProgram(f"no function {fields}")
        return function

    def records(self, n: int) -> str:
        """A reference to the record or the list that a step results in."""
        if (n, "") not in self.known:
            self.known[n, ""] = self._records(self.steps[n])
        return self.known[n, ""]

    def _records(self, step: Step) -> str:
        match step.operation:
            case "named":
                return self._call(self._one("find", step.record), step.text)
            case "related":
                return self._related(step)
            case "select":
                return self._selection(step)
            case "extreme":
                return self._extreme(step)
        function = self._one(step.operation, step.record, step.key)
        sources = [self.records(n) for n in step.sources]
        return self._call(function, *(sources if function.above else sources[::-1]))

    def _related(self, step: Step) -> str:
        source = self.records(step.sources[0])
        if function := next(self._all("related", step.origin, step.key), None):
            return self._call(function, source)
        for function in self._all("details", step.origin):
            if field := function.field(step.key):
                return f"{self._call(function, source)}.{field.name}"
        raise NoProgram(step.key)

    def _selection(self, step: Step) -> str:
        family = MEASURES[step.key].family
        for function in self._all("select", step.record, step.key):
            bound = converted(Fraction(step.number), family, step.unit, function.unit)
            fits = function.has_option or function.inclusive == step.inclusive
            if function.above == step.above and fits and _is_decimal(bound):
                literal = int(bound) if bound.denominator == 1 else float(bound)
                option = True if function.has_option and step.inclusive else None
                return self._call(function, self.records(step.sources[0]), literal, option)
        raise NoProgram(step.key)

    def _extreme(self, step: Step) -> str:
        for function in self._all("extreme", step.record, step.key):
            if function.above == step.above and (function.has_option or step.number == 1):
                rank = step.number if step.number > 1 else None
                return self._call(function, self.records(step.sources[0]), rank)
        raise NoProgram(step.key)

    def _origins(self, n: int) -> list[Source]:
        """What gives the quantity of a step in one call, in the units that it may be in."""
        step, is_last = self.steps[n], n == len(self.steps) - 1
        sources: list[Source] = []
        if step.operation in {"measure", "total", "mean", "count", "charge"}:
            for function in self._all(step.operation, step.record, step.key):
                units = ("",) if step.operation == "count" else function.units()
                sources += [Source(function, unit) for unit in units]
            for function in (
                self._all("details", step.record) if step.operation == "measure" else ()
            ):
                field = function.field(step.key)
                sources += [Source(function, field.unit, field.name)] if field else []
        else:
            reachable = [set(self._paths(source)) for source in step.sources]
            function = self._one(step.operation)
            units = tuple(UNITS[family_of(self.steps, n)])
            sources += [
                Source(function, unit) for unit in units if all(unit in each for each in reachable)
            ]
        return [each for each in sources if not (is_last and each.field)]

    def _paths(self, n: int) -> dict[str, tuple[Source, tuple[Function, ...]]]:
        """For each unit that the quantity of a step may be in, where it comes from and the shortest
        row of conversions.
        """
        paths: dict[str, tuple[Source, tuple[Function, ...]]] = {}
        for source in self._origins(n):
            paths.setdefault(source.unit, (source, ()))
        queue = [*paths]
        for unit in queue:
            for function in self.functions:
                leads = function.work == "convert" and function.unit == unit
                if leads and function.other_unit not in paths:
                    source, row = paths[unit]
                    paths[function.other_unit] = source, (*row, function)
                    queue.append(function.other_unit)
        return paths

    def amount(self, n: int, unit: str) -> str:
        """A reference to the quantity of a step in a unit."""
        if (n, unit) not in self.known:
            paths = self._paths(n)
            if unit not in paths:
                raise NoProgram(unit)
            source, conversions = paths[unit]
            value = self._amount(n, source)
            for function in conversions:
                value = self._call(function, value)
            self.known[n, unit] = value
        return self.known[n, unit]

    def _amount(self, n: int, source: Source) -> str:
        step, function = self.steps[n], source.function
        if step.operation in {"plus", "minus", "times", "parts"}:
            values: list[Any] = [self.amount(each, source.unit) for each in step.sources]
            values += [step.number] if len(values) == 1 else []
            return self._call(function, *(values if function.above else values[::-1]))
        record = self.records(step.sources[0])
        if source.field:
            return f"{self._call(function, record)}.{source.field}"
        if step.operation == "charge":
            return self._call(function, record, self.amount(step.sources[1], function.other_unit))
        unit = source.unit if source.unit not in {"", function.unit} else None
        return self._call(function, record, unit)


def _is_decimal(number: Fraction) -> bool:
    """Whether a number has a finite decimal."""
    return 10**12 % number.denominator == 0
