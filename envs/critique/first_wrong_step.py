"""The first wrong step of a solution, as in BIG-Bench Mistake (Tyen et al., 2024).

ProcessBench (Zheng et al., 2024) asks for it in solutions by language models; here, solutions are
written step by step with faults whose consequences are carried on.
"""

import re
from collections.abc import Iterable, Mapping
from random import Random
from string import ascii_lowercase
from typing import Literal, Self

from palaestra.generators.critique.first_wrong_step import (
    SIGNS,
    SUBJECTS,
    Derivation,
    Step,
    Subject,
    fact_text,
    first_broken_fact,
    first_fault,
    random_derivation,
    step_text,
)
from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.quantities import THINGS
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.expressions import worked
from palaestra.verifiers.reading.answer_lines import answer_lines, number_list
from palaestra.verifiers.reading.labels import matched, numbered

NONE = "none"
SYNONYMS = frozenset(
    {
        NONE,
        "no error",
        "correct",
        "no wrong step",
        "no step is wrong",
        "no step",
        "all correct",
        "all right",
    }
)

PEOPLE = (*NAMES, *MORE_NAMES)
LETTERS = ascii_lowercase.replace("o", "")
_QUANTITY = re.compile(r"(?<=[,;:\s])[^\W\d]\w{0,20}[ \t]{0,3}=[ \t]{0,3}(?=[-\d])")

INTRODUCTIONS: Mapping[Subject, str] = {
    "story": "Facts about some people:",
    "equations": "Equations:",
    "remainders": "Equations, where 'x mod m' is the remainder of x divided by m:",
}

Fault = tuple[int, int] | None
"""The number of the first wrong step with its right value, or none."""


class FirstWrongStep(Puzzle):
    """Find the first wrong step of each of several solutions, and its right value."""

    tags = {"verification", "arithmetic", "word-problems", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        solutions: int = ladder(2, 2, 3, 3, 3, 4, 4, low=1, high=6)
        steps: int = ladder(4, 5, 6, 8, 10, 12, 16, low=3, high=20)
        numbers: int = ladder(12, 15, 20, 30, 40, 60, 99, low=10)  # in facts, at most
        faults: int = ladder(1, 1, 1, 2, 2, 3, 3, high=4)  # of a solution, at most
        subjects: Literal["story", "equations", "any"] = ladder("story", "equations", "any")

    solutions: tuple[Derivation, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        subjects: list[Subject] = [*SUBJECTS]
        if knobs.subjects != "any":
            subjects = [knobs.subjects]
        # Some solutions have no fault, but not all of them.
        numbers = [
            0 if rng.random() < 0.25 else rng.randint(1, min(knobs.faults, knobs.steps - 2))
            for _ in range(knobs.solutions)
        ]
        if not any(numbers):
            numbers[rng.randrange(len(numbers))] = 1
        solutions = []
        for thing, faults in zip(rng.sample(THINGS, knobs.solutions), numbers):
            subject = rng.choice(subjects)
            pool = PEOPLE if subject == "story" else LETTERS
            words = (rng.sample(pool, knobs.steps), thing)
            solutions.append(random_derivation(rng, subject, words, knobs.numbers, faults))
        return cls(solutions=tuple(solutions))

    def prompt(self) -> str:
        text = self.phrase(
            "Each of these problems has a solution that was written step by step. Some solutions "
            "are right, others have one or more wrong steps.",
            "Check these solutions. Each of them may be right, or have wrong steps.",
        )
        blocks = []
        for number, solution in enumerate(self.solutions, 1):
            facts = [fact_text(solution, n) for n in solution.order]
            steps = [f"step {n}: {step_text(solution, n - 1)}" for n in self.numbers(solution)]
            listed = "\n".join(facts)
            blocks.append(
                f"Problem {number}. {INTRODUCTIONS[solution.subject]}\n{listed}\n\n"
                f"Solution {number}.\n" + "\n".join(steps)
            )
        problems = "\n\n".join(blocks)
        return (
            f"{text}\n\n{problems}\n\nA step is wrong if its calculation does not follow from the "
            "facts of the problem with the values of the earlier steps as they are written, or if "
            "the calculation has another value than the one written. (So a step behind a wrong one "
            "may well be right.) Find the first wrong step of each solution, and the value that "
            f"it should have. Answer with a line for each solution: its number, and the word "
            f"{NONE} if no step is wrong, or otherwise the number of its first wrong step and the "
            "right value of that step. The answer looks like this:\n"
            + numbered([NONE, "3, 9999", *[NONE] * len(self.solutions)][: len(self.solutions)])
        )

    @staticmethod
    def numbers(solution: Derivation) -> range:
        """The numbers of the steps."""
        return range(1, len(solution.steps) + 1)

    def faults(self) -> list[Fault]:
        """The first wrong step of each solution."""
        return [first_fault(solution) for solution in self.solutions]

    def answer(self) -> str:
        return _as_text(self.faults())

    def verify(self, answer: str) -> Score:
        right = dict(enumerate(self.faults()))
        return matched(dict(enumerate(self.read(answer))), right)

    def read(self, answer: str) -> list[Fault]:
        """The wrong step that an answer states for each solution. Raises :class:`InvalidAnswer`."""
        lines = answer_lines(answer, len(self.solutions), ["solution", "problem"])
        return [_fault(text) for text in lines]

    def audit(self, answer: str) -> bool:
        """Try all values of each quantity, and take the first fact that is not satisfied."""
        most = 10 * max(max(abs(step.value) for step in each.steps) for each in self.solutions)
        return self.read(answer) == [first_broken_fact(each, most) for each in self.solutions]

    def difficulty(self) -> float:
        """The number of characters of all calculations with their values."""
        steps = [step for solution in self.solutions for step in solution.steps]
        return float(sum(len(f"{calculation}{value}") for calculation, value in steps))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not compare steps with facts, or guess the step."""
        guesses = [rng.randint(3, len(solution.steps)) for solution in self.solutions]
        return {
            "calculator": _as_text([_miscalculated(each) for each in self.solutions]),
            "calculator and numbers": _as_text(
                [_miscalculated(each) or _unknown_number(each) for each in self.solutions]
            ),
            "random step, as a calculator": _as_text(
                [(n, _value(each.steps[n - 1])) for n, each in zip(guesses, self.solutions)]
            ),
        }

    def shortcuts(self) -> Iterable[str]:
        return [_as_text([None] * len(self.solutions))]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(solutions=1, steps=3, numbers=10, faults=1)

    def candidates(self) -> Iterable[str]:
        faults = [(step, value) for step in (1, 2, 3) for value in range(1, 101)]
        return (_as_text([fault]) for fault in (None, *faults))


def _as_text(faults: Iterable[Fault]) -> str:
    return numbered(NONE if fault is None else f"{fault[0]}, {fault[1]}" for fault in faults)


def _fault(text: str) -> Fault:
    words = text.casefold().strip(" .")
    if words in SYNONYMS:
        return None
    for filler in ("first wrong ", "step", "value"):
        words = words.replace(filler, " ")
    words = _QUANTITY.sub(" ", words).strip().replace(":", ",").replace("=", ",")
    numbers = number_list(words, what="a step and a value")
    if len(numbers) != 2:
        raise InvalidAnswer(f"expected the word {NONE}, or a step and its right value")
    return numbers[0], numbers[1]


def _value(step: Step) -> int:
    return int(worked(step.calculation, SIGNS).value)


def _miscalculated(solution: Derivation) -> Fault:
    """The first step whose calculation has another value than the one written."""
    for n, step in enumerate(solution.steps, 1):
        if _value(step) != step.value:
            return n, _value(step)
    return None


def _unknown_number(solution: Derivation) -> Fault:
    """The first step with a number that is neither in a fact nor the value of an earlier step."""
    known = {number for fact in solution.facts for number in fact.numbers} | {2, solution.modulus}
    for n, step in enumerate(solution.steps, 1):
        if not known.issuperset(worked(step.calculation, SIGNS).numbers):
            return n, step.value
        known.add(step.value)
    return None
