"""Players who do not understand a request, for its baselines."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from random import Random
from typing import Any

from palaestra.generators.tools.nested_calls.compiler import Compiler, Line, NoProgram, Source
from palaestra.generators.tools.nested_calls.interfaces import (
    ARITY,
    Documentation,
    Function,
    argument_types,
    result_type,
    taken,
)
from palaestra.generators.tools.nested_calls.steps import Schema, Step

_WORD = re.compile(r"[a-z]{3,}")


def program_in_words(lines: Iterable[Line]) -> str:
    """A program as one answer; the last call needs no name."""
    entries = [{"tool": tool, "args": arguments, "as": label} for tool, arguments, label in lines]
    entries[-1].pop("as")
    return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]"


class Guesser:
    """Chains functions whose types fit, with the names and numbers of the request."""

    def __init__(
        self, schema: Schema, functions: Sequence[Function], names: Sequence[str], number: int
    ) -> None:
        self.schema, self.functions = schema, functions
        self.names, self.number = names, number

    def program(self, calls: int, choice: Callable[[Sequence[Function]], Function]) -> str:
        """A program of so many calls; each is chosen among those that have their arguments."""
        lines: list[Line] = []
        results: dict[tuple[str, int], str] = {}
        names = cycle(self.names)
        for n in range(calls):
            last = n == calls - 1
            options = [each for each in self.functions if self._fits(each, results)]
            numeric = [each for each in options if result_type(self.schema, each)[0] == "number"]
            function = choice((numeric if last else options) or options or self.functions)
            arguments = self._arguments(function, results, names)
            lines.append(Line(function.name, arguments, f"r{n}"))
            results[result_type(self.schema, function)] = f"$r{n}"
        return program_in_words(lines)

    def _fits(self, function: Function, results: dict[tuple[str, int], str]) -> bool:
        types = argument_types(function)[: ARITY[function.work]]
        return all(
            each == "text" or (each, self._record(function, each)) in results for each in types
        )

    def _record(self, function: Function, name: str) -> int:
        return taken(self.schema, function) if name in {"id", "ids"} else -1

    def _arguments(
        self, function: Function, results: dict[tuple[str, int], str], names: Any
    ) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        for name, each in zip(
            function.parameters[: ARITY[function.work]], argument_types(function)
        ):
            if each == "text":
                arguments[name] = next(names)
            else:
                arguments[name] = results.get((each, self._record(function, each)), self.number)
        return arguments


def by_shared_words(schema: Schema, request: str) -> Callable[[Sequence[Function]], Function]:
    """The choice of the function whose documentation shares most words with a request, none twice
    as long as there are others.
    """
    wanted, documentation = {*_WORD.findall(request.casefold())}, Documentation(schema)
    used: set[str] = set()

    def choice(options: Sequence[Function]) -> Function:
        fresh = [each for each in options if each.name not in used] or options
        best = max(
            fresh,
            key=lambda each: len(wanted & {*_WORD.findall(documentation.of(each).casefold())}),
        )
        used.add(best.name)
        return best

    return choice


def at_random(rng: Random) -> Callable[[Sequence[Function]], Function]:
    """The choice of any function."""
    return rng.choice


def first_unused() -> Callable[[Sequence[Function]], Function]:
    """The choice of the first function in the documentation that is not chosen yet."""
    used: set[str] = set()

    def choice(options: Sequence[Function]) -> Function:
        function = next((each for each in options if each.name not in used), options[0])
        used.add(function.name)
        return function

    return choice


class _Careless(Compiler):
    """Takes the first function of the right types for each step, in whatever unit."""

    def _all(self, *fields: Any) -> Iterator[Function]:
        return (each for each in self.functions if each[:2] == fields[:2])

    def _selection(self, step: Step) -> str:
        function = self._one("select", step.record)
        return self._call(function, self.records(step.sources[0]), step.number)

    def _paths(self, n: int) -> dict[str, tuple[Source, tuple[Function, ...]]]:
        source = next(iter(self._origins(n)), None)
        if source is None:
            raise NoProgram
        units = {unit for each in self.functions for unit in each[3:5]}
        return dict.fromkeys(units, (source, ()))


def careless(functions: Sequence[Function], steps: Sequence[Step], unit: str) -> str:
    """The program of a player who understands which types lead to the result, and no more."""
    try:
        return program_in_words(_Careless(functions, steps).program(unit))
    except NoProgram:
        return "[]"
