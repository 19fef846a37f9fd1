"""Composing calls of an interface that is new with every task.

Requests whose calls take the results of other calls are after K. Basu and others, "NESTFUL: A
Benchmark for Evaluating LLMs on Nested Sequences of API Calls" (2024), L. Zhong and others,
"ComplexFuncBench: Exploring Multi-Step and Constrained Function Calling under Long-Context
Scenario" (2025), and S. Patil and others, "The Berkeley Function Calling Leaderboard" (2025).
Programs are compared by what they return, not by their calls.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.nested_calls.compiler import Compiler
from palaestra.generators.tools.nested_calls.interfaces import (
    Documentation,
    Function,
    Shares,
    random_functions,
)
from palaestra.generators.tools.nested_calls.meanings import UNITS, Family, converted
from palaestra.generators.tools.nested_calls.players import (
    Guesser,
    at_random,
    by_shared_words,
    careless,
    first_unused,
    program_in_words,
)
from palaestra.generators.tools.nested_calls.programs import (
    Failure,
    Id,
    Ids,
    Invocation,
    Result,
    read_program,
    run,
)
from palaestra.generators.tools.nested_calls.records import (
    Records,
    Value,
    all_results,
    random_data_sets,
)
from palaestra.generators.tools.nested_calls.steps import (
    Link,
    Schema,
    Sizes,
    Step,
    Unsuitable,
    family_of,
    random_schema,
    random_steps,
)
from palaestra.generators.tools.nested_calls.wording import request_in_words
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder

EXPECTED = (
    'an answer is a list of calls in JSON such as [{"tool": "find_parcel", "args": {"code": "X"}, '
    '"as": "p"}, {"tool": "weigh", "args": {"parcel": "$p"}}]'
)

ALMOST = 0.99
"""The most progress of a program that is not right."""

FRESH = 3
"""On how many more data sets the second opinion runs a program."""


class NestedCalls(Puzzle):
    """Write a program of calls whose arguments are results of other calls, to answer a question.

    It runs on hidden data sets, and is right if its last result is right on each of them. The parts
    of the score are ``format`` (1 for an answer that can be read) and ``progress`` (the share of
    the results on the way that the program has, and 1 only for a right one).
    """

    tags = {"tool-use", "function-calling", "reading", "composition"}
    hidden = {"data_sets"}
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        functions: int = ladder(8, 10, 14, 22, 32, 45, 60)  # more where more are needed
        steps: int = ladder(2, 3, 4, 5, 7, 9, 12)  # of the question, without conversions of units
        types: int = ladder(2, 3, 3, 4, 5, 5, 6, high=8)  # of records
        relations: int = ladder(2, 2, 3, 3, 3, 4, 4, high=6)  # of each type, at most
        near: int = ladder(3, 3, 3, 3, 3, 4, 5, low=0, high=8)  # near duplicates of each needed one
        conversions: int = ladder(0, 30, 50, 60, 70, 80, 80, high=100)  # percentage of quantities
        options: int = ladder(0, 0, 30, 40, 50, 60, 60, high=100)  # percentage of such functions
        sharing: int = ladder(0, 0, 10, 20, 30, 40, 40, high=60)  # percentage of steps used twice

    nouns: tuple[int, ...]
    links: tuple[Link, ...]
    steps: tuple[Step, ...]
    unit: str
    functions: tuple[Function, ...]
    data_sets: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        schema = random_schema(rng, knobs.types, knobs.relations)
        steps = random_steps(rng, schema, Sizes(knobs.steps, knobs.sharing, knobs.options))
        data_sets = random_data_sets(rng, schema, steps) if steps else ()
        unit, functions = "", tuple[Function, ...]()
        if data_sets:
            unit = rng.choice([*UNITS[family_of(steps, len(steps) - 1)]])
            shares = Shares(knobs.functions, knobs.near, knobs.conversions, knobs.options)
            functions = random_functions(rng, schema, steps, unit, shares)
        return cls(
            nouns=schema.nouns,
            links=schema.links,
            steps=steps,
            unit=unit,
            functions=functions,
            data_sets=data_sets,
        )

    def is_valid(self) -> bool:
        """Whether there are data sets on which each slip shows."""
        return bool(self.data_sets)

    def canonical(self) -> str:
        functions = sorted(self.functions, key=lambda each: each.name)
        return repr((self.nouns, self.links, self.steps, self.unit, functions, self.data_sets))

    @cached_property
    def records_schema(self) -> Schema:
        """The types of records and how they are linked."""
        return Schema(self.nouns, self.links)

    @cached_property
    def by_name(self) -> Mapping[str, Function]:
        """The functions by their names."""
        return {each.name: each for each in self.functions}

    @property
    def family(self) -> Family:
        """The family of the quantity that is wanted."""
        return family_of(self.steps, len(self.steps) - 1)

    @cached_property
    def expected(self) -> Sequence[tuple[Records, Sequence[Value]]]:
        """Each data set with what the steps of the question come to on it."""
        sets = [Records(seed, self.records_schema, self.steps) for seed in self.data_sets]
        return [(each, all_results(each, self.steps)) for each in sets]

    def prompt(self) -> str:
        work = self.phrase(
            "Write a program of function calls that answers a question about hidden records.",
            "There are functions on records that you cannot see. Compose calls of them.",
            "Which calls answer this question? Their arguments may be results of other calls.",
            "Answer a question by a list of calls; you do not see what the calls return.",
        )
        documentation = Documentation(self.records_schema)
        functions = "\n\n".join(map(documentation.of, self.functions))
        request = request_in_words(self.records_schema, self.steps, self.unit, self.wording)
        return (
            f"{work} Names are made up; the documentation explains them.\n\n"
            f"Functions:\n\n{functions}\n\nQuestion:\n{request}\n\n{self._rules()}"
        )

    def _rules(self) -> str:
        return (
            "Answer with a JSON list of calls, which are run in order. A call is an object with "
            'the name of a function ("tool"), its arguments by name ("args") and, if another call '
            'uses its result, a name for that ("as"). As the value of an argument, "$x" means the '
            'result of an earlier call named x, and "$x.f" the field f of an object; "$1" is the '
            "result of the first call, and so on. Ids can only come from calls. Numbers are exact, "
            "and no argument is rounded. A difference may be negative. The result of the last call "
            "has to be the number that the question asks for, in its unit; the program runs on "
            "several sets of records and has to be right on each of them. The form, with other "
            'functions:\n[\n{"tool": "find_parcel", "args": {"code": "X7"}, "as": "p"},\n'
            '{"tool": "weigh", "args": {"parcel": "$p"}}\n]'
        )

    def answer(self) -> str:
        return program_in_words(Compiler(self.functions, self.steps).program(self.unit))

    def verify(self, answer: str) -> Score:
        program = _read(answer, self.by_name)
        vectors: list[list[Any]] = [[] for _ in program]
        reason, right = "", True
        for records, expected in self.expected:
            results = list[Result]()
            try:
                results.extend(run(program, self.by_name, self.records_schema, records))
            except Failure as failure:
                reason = reason or str(failure)
            right = right and len(results) == len(program) and self._is_right(results, expected)
            for vector, result in zip(vectors, results):
                vector.append(_comparable(result))
        progress = 1.0 if right else min(ALMOST, self._progress(vectors))
        parts = {"format": 1.0, "progress": progress}
        if right:
            return Score(1, parts=parts)
        return Score(0, reason or "the result of the last call is another one", parts)

    def _is_right(self, results: Sequence[Result], expected: Sequence[Value]) -> bool:
        """Whether the last result of a program is the last one expected, in the unit wanted."""
        last, wanted = results[-1], expected[-1]
        assert isinstance(wanted, Fraction)
        smallest = next(iter(UNITS[self.family]))
        return last == converted(wanted, self.family, smallest, self.unit)

    def _progress(self, vectors: Sequence[Sequence[Any]]) -> float:
        """The share of the steps whose results a program has on all data sets, in any unit."""
        known = {tuple(vector) for vector in vectors}
        reached = sum(
            any(vector in known for vector in self._forms(n)) for n in range(len(self.steps))
        )
        return reached / max(len(self.steps), len(vectors) // 2)

    def _forms(self, n: int) -> Iterator[tuple[Any, ...]]:
        """The results of a step on all data sets, in each unit that they may be in."""
        values, record = [results[n] for _, results in self.expected], self.steps[n].record
        if isinstance(values[0], int):
            yield tuple(("id", record, value) for value in values)
        elif isinstance(values[0], tuple):
            yield tuple(("ids", record, value) for value in values)
        else:
            family = family_of(self.steps, n)
            for size in UNITS[family].values():
                yield tuple(value / size for value in values if isinstance(value, Fraction))

    def audit(self, answer: str) -> bool:
        """Run a program from its last call backwards, on other data sets."""
        try:
            program = _read(answer, self.by_name)
        except InvalidAnswer:
            return False
        start, checked = sum(self.data_sets), 0
        for seed in range(start, start + 50):
            records = Records(seed, self.records_schema, self.steps)
            try:
                expected = all_results(records, self.steps)
            except Unsuitable:
                continue
            try:
                results = [*run(program, self.by_name, self.records_schema, records)]
            except Failure:
                return False
            if not self._is_right(results, expected):
                return False
            checked += 1
            if checked == FRESH:
                break
        return checked > 0

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who chain functions whose types fit, without a look at what they do."""
        names = [step.text for step in self.steps if step.text]
        number = next((step.number for step in self.steps if step.unit), 2)
        guesser, calls = (
            Guesser(self.records_schema, self.functions, names, number),
            len(self.steps),
        )
        request = request_in_words(self.records_schema, self.steps, self.unit, self.wording)
        choices: dict[str, Callable[[Sequence[Function]], Function]] = {
            "random calls": at_random(rng),
            "first functions": first_unused(),
            "most shared words": by_shared_words(self.records_schema, request),
        }
        guesses = {name: guesser.program(calls, choice) for name, choice in choices.items()}
        return guesses | {"right types": careless(self.functions, self.steps, self.unit)}

    def difficulty(self) -> float:
        """The number of calls of the answer times that of the functions."""
        program = Compiler(self.functions, self.steps).program(self.unit)
        return float(len(program) * len(self.functions))


def _read(answer: str, functions: Mapping[str, Function]) -> list[Invocation]:
    """The program that an answer is. Raises :class:`InvalidAnswer` for anything else."""
    try:
        return read_program(answer, functions)
    except InvalidAnswer as error:
        raise InvalidAnswer(f"{error}; {EXPECTED}", error.status) from None


def _comparable(result: Result) -> Any:
    """A result as it is compared with that of a step."""
    match result:
        case Id(record, number):
            return "id", record, number
        case Ids(record, numbers):
            return "ids", record, numbers
        case dict():
            return "object"
    return result
