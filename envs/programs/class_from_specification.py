"""Writing classes from their specifications: data types told by what their operations return, after
B. Liskov and S. Zilles, "Programming with abstract data types" (1974).
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.programs.class_from_specification.composing import (
    DRIVER,
    TITLES,
    Built,
    Row,
    as_text,
    driven,
    is_told,
    kinds_told,
    methods,
    passing,
    random_class,
    running,
    tested,
    without,
    written,
)
from palaestra.generators.programs.class_from_specification.sufficient import others, sufficient
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import class_with, graded_calls
from palaestra.verifiers.sandbox import Limits

TESTS = 64
"""How many rows of calls a class is tried on, beside those that kill mutants."""

TELLING = 3
"""How many of them at least show that a rule is missing."""


LIMITS = Limits(cpu_s=1.0, sleep_s=0.3, memory_mb=256, output_kb=256)


class ClassFromSpecification(Puzzle):
    """Write a Python class from a description of its methods and of the rules that they follow."""

    version = 3
    tags = {"sandboxed", "code", "specification", "data-structures"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        rules: int = ladder(1, 2, 3, 4, 5, 6, low=0, high=7)
        calls: int = ladder(10, 12, 15, 18, 24, 30, low=8, high=40)  # in a row, of its methods

    built: Built
    title: str
    calls: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        built, title = random_class(rng, knobs.rules), rng.choice(TITLES)
        return cls(built=built, title=title, calls=knobs.calls, seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        """Whether the hidden calls show it when any of the rules is missing."""
        rows = self.rows()
        return all(is_told(running(less), rows, TELLING) for less in without(self.built))

    def cases(self) -> tuple[Row, ...]:
        """The hidden calls, and those that kill the mutants of the class."""
        return sufficient(self.built, self.seed, TESTS, self.calls)

    def rows(self) -> tuple[Row, ...]:
        """Random calls, with what they return."""
        return tested(self.built, self.seed, TESTS, self.calls)

    def canonical(self) -> str:
        return repr(self.built)

    def prompt(self) -> str:
        about, *rules = as_text(self.built)
        ask = self.phrase(
            f"Write a Python class {self.title}, {about}.",
            f"Define a class {self.title} in Python, {about}.",
        )
        described = "\n".join(f"- {call}: {what}." for call, what in methods(self.built))
        numbered = "\n".join(f"{n}. {rule}" for n, rule in enumerate(rules, 1))
        if rules:
            numbered = (
                "These rules hold as well. If a rule contradicts the text above, follow the "
                f"rule.\n\n{numbered}\n\n"
            )
        return (
            f"{ask} {self.title}() creates an empty object. It has these "
            f"methods:\n\n{described}\n\n{numbered}Here {'; '.join(kinds_told(self.built))}. No "
            "method is called with other arguments.\n\nAn example, with the result of each "
            f"call, in order:\n\nb = {self.title}()\n{self._example()}\n\nAnswer with the class "
            "and all imports that it needs. Only Python's standard library is available."
        )

    def _example(self) -> str:
        """The calls of the example, each with its result."""
        return "\n".join(
            f"b.{name}({', '.join(map(repr, args))}) -> {result!r}"
            for (name, args), result in zip(*self._example_row())
        )

    def _example_row(self) -> Row:
        """Of a few rows of calls, the one that returns most different things."""
        rows = tested(self.built, -1, 12, 12)
        return max(rows, key=lambda row: len({*map(repr, row[1])}))

    def answer(self) -> str:
        return written(self.built, self.title)

    def verify(self, answer: str) -> Score:
        return self._graded(answer, self.cases())

    def _graded(self, answer: str, rows: tuple[Row, ...]) -> Score:
        names = [call.partition("(")[0] for call, _ in methods(self.built)]
        source = driven(class_with(answer, self.title, names), self.title)
        free = passing(running(self.built, hooked=False), rows)
        cases = [((calls,), results) for calls, results in rows]
        return graded_calls(source, DRIVER, cases, LIMITS, free)

    def audit(self, answer: str) -> bool:
        """Whether it stands other and many more calls, drawn in another way."""
        return self._graded(answer, others(self.built, self.seed, 5 * TESTS)).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players whose methods return the same always, their argument, or a count of calls."""
        names = [call.partition("(")[0] for call, _ in methods(self.built)]
        results: dict[str, list[Any]] = {name: [] for name in names}
        for (name, _), result in zip(*self._example_row()):
            results[name].append(result)
        usual = {n: max(row, key=row.count, default=None) for n, row in results.items()}
        bodies = {
            "commonest result of each method": {n: f"return {usual[n]!r}" for n in names},
            "argument": dict.fromkeys(names, "return values[0] if values else None"),
            "number of calls": dict.fromkeys(names, "self.calls += 1\n        return self.calls"),
            "all arguments": dict.fromkeys(names, "self.held += values\n        return self.held"),
            "number of arguments": dict.fromkeys(
                names, "self.held += values\n        return len(self.held)"
            ),
        }
        start = "    def __init__(self):\n        self.calls, self.held = 0, []"
        return {
            player: "\n\n".join(
                [
                    f"class {self.title}:\n{start}",
                    *(f"    def {n}(self, *values):\n        {body[n]}" for n in names),
                ]
            )
            for player, body in bodies.items()
        }

    def difficulty(self) -> float:
        """The length of the class, in lines, and how many pairs of rules there are."""
        rules = len(self.built.rules)
        return float(self.answer().count("\n") + rules * (rules - 1))

    def shortcuts(self) -> Iterable[str]:
        """Classes without the rules, and one of which every method returns the same."""
        bare = written(self.built, self.title, hooked=False)
        if bare != self.answer():
            yield bare
        yield written(self.built._replace(rules=self.built.rules[:-1]), self.title)
        names = [call.partition("(")[0] for call, _ in methods(self.built)]
        for value in ("None", "True", "0", "[]", "self"):
            rows = [f"    def {name}(self, *given):\n        return {value}" for name in names]
            yield "\n\n".join([f"class {self.title}:", *rows])
