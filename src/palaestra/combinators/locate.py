"""The first wrong step of a solution."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar, Self

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import Combinator, OfOne
from palaestra.combinators.headers import SEPARATOR, header, uncovered, unmarked
from palaestra.combinators.slips import Value, largest_number, slips
from palaestra.task import InvalidAnswer, Puzzle, Score, Step, Task
from palaestra.verifiers.reading.numbers import integer

LEAST = 6
"""How many pairs of a step and a wrong value a guess chooses from, at least."""

FEWEST, MOST = 3, 60
"""How many steps a solution may have."""

LONGEST = 400
"""How many characters a step may have."""

_STEP = re.compile(r"(?:step[ \t]{0,3})?#?(\d{1,3})(?!\d)", re.IGNORECASE)
_BEHIND = re.compile(rf"[ \t]{{0,3}}[.,)]|{SEPARATOR.pattern}")


class LocatePuzzle(OfOne, Puzzle):
    """A puzzle with a solution of which one step is calculated wrongly."""

    lines: tuple[str, ...]
    """The steps, each an expression and its value."""

    step: int
    """The number of the wrong step, counted from 1."""

    value: str
    """The right value of that step."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        right = derived(task)
        wrongs = wrong_values(right)
        open_steps = [n for n, values in enumerate(wrongs) if values]
        if len(open_steps) < FEWEST:
            raise Unsuitable(f"its solutions have fewer than {FEWEST} steps that may be wrong")
        if len(open_steps) * min(len(values) for values in wrongs if values) < LEAST:
            raise Unsuitable("too few wrong values look like the right ones")
        wrong = rng.choice(open_steps)
        value = rng.choice(wrongs[wrong])
        steps = derived(task, lambda number, step: value if number == wrong else step.value)
        return cls(
            task=task,
            lines=tuple(f"{step.expression} = {step.value}" for step in steps),
            step=wrong + 1,
            value=str(right[wrong].value),
        )

    def prompt(self) -> str:
        lines = "\n".join(f"Step {n}: {line}" for n, line in enumerate(self.lines, 1))
        request = self.phrase(
            "Exactly one of these steps has a wrong value.",
            "The value of exactly one of these steps is wrong.",
        )
        return (
            f"Here is a task:\n\n{self.task.prompt()}\n\nThe following is part of a solution to "
            f"it, step by step:\n\n{lines}\n\n{request} All later steps follow from this value and "
            "are calculated rightly from it. Do not solve the task: find the wrong step, and give "
            "its number and its right value, as in '2: 640'."
        )

    def answer(self) -> str:
        return f"{self.step}: {self.value}"

    def verify(self, answer: str) -> Score:
        """Both the number and the value have to be right."""
        number, value = self.read(answer)
        located = number == self.step
        parts = {"located": float(located)}
        if located and value == self.value:
            return Score(1, parts=parts)
        return Score(0, "the value is wrong" if located else "it is another step", parts)

    def read(self, answer: str) -> tuple[int, str]:
        """The number of a step and a value. Raises :class:`InvalidAnswer`."""
        first, _, below = uncovered(answer).partition("\n")
        head = header(first, _STEP, _BEHIND)
        stated = f"{head.rest}\n{below}".strip() if head else ""
        is_bare = unmarked(first).isdecimal()  # a number below another is no value of a step
        if head is None or not stated or len(stated) > 1_000 or is_bare:
            raise InvalidAnswer("expected the number of a step, a colon and a value")
        value = stated.rpartition("=")[2].strip(" '\"`")
        if self.value.lstrip("-").isdigit() and not self._is_row():
            value = str(integer(value))
        return int(head.label[1]), value

    def _is_row(self) -> bool:
        """Whether the value is a row of digits rather than a number."""
        return str(int(self.value)) != self.value

    def audit(self, answer: str) -> bool:
        """Take the solution once more, and compare the first line that differs."""
        right = derived(self.task)
        first = next(
            n
            for n, (step, line) in enumerate(zip(right, self.lines), 1)
            if f"{step.expression} = {step.value}" != line
        )
        return "".join(answer.split()) == f"{first}:{right[first - 1].value}".replace(" ", "")

    def random_baseline(self) -> float:
        """The chance of a player who changes a digit or letter of the step with fewest others."""
        numbers = [len(values) for values in wrong_values(derived(self.task)) if values]
        return 1 / len(numbers) / min(numbers)


class Locate(Combinator):
    """A solution is shown step by step, with one slip; its number and the right value are asked.

    The slip is at a random step whose value does not show without a calculation, and later steps
    are calculated from its value. The number of the step alone scores 0, and is the part
    ``located``. It applies to environments whose tasks have a
    :meth:`~palaestra.task.Puzzle.derivation`.
    """

    name: ClassVar[str] = "locate"
    version: ClassVar[int] = 3
    template: ClassVar[type[Combination]] = LocatePuzzle

    def refusal(self, base: type[Task]) -> str:
        if refusal := super().refusal(base):
            return refusal
        assert issubclass(base, Puzzle)
        return "its solutions have no steps" if base.derivation is Puzzle.derivation else ""

    def class_variables(self, base: type[Task]) -> dict[str, object]:
        return super().class_variables(base) | {"verbatim": False, "longest": Task.longest}


def derived(task: Puzzle, sent: Callable[[int, Step], Value] | None = None) -> list[Step]:
    """The steps of a solution. Each goes on with the value that ``sent`` maps its position to.

    Raises :class:`Unsuitable` where they are too many or too long.
    """
    derivation, steps = task.derivation(), list[Step]()
    step = next(derivation, None)
    while step is not None:
        value = sent(len(steps), step) if sent else step.value
        steps.append(Step(step.expression, value))
        if len(steps) > MOST or len(f"{step.expression}{value}") > LONGEST:
            raise Unsuitable(f"its solutions have more than {MOST} steps or too long ones")
        try:
            step = derivation.send(value)
        except StopIteration:
            break
    return steps


def wrong_values(steps: Sequence[Step]) -> list[list[Value]]:
    """The values that a slip may give each step of a solution; none for steps without slips."""
    largest = largest_number([f"{step.expression} = {step.value}" for step in steps])
    return [slips(step.expression, step.value, largest) for step in steps]
