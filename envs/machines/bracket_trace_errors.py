"""Errors in the trace of a stack, such as that of a pushdown automaton (Oettinger, 1961)."""

from random import Random
from typing import Self

from palaestra.generators.machines.brackets import OPENING, PARTNER, balanced
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

EMPTY = "empty"


class BracketTraceErrors(Puzzle):
    """Find the wrong steps in a trace of a stack that reads a row of brackets."""

    tags = {"formal-languages", "stack", "verification", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        pairs: int = ladder(5, 7, 10, 14, 20, 28, low=4, high=40)
        kinds: int = ladder(2, 3, 3, 4, low=2, high=4)
        wrong: int = ladder(3, 3, 3, 4, 6, 8, high=10)

    row: str
    stacks: tuple[str, ...]
    """The stack after each step, according to the trace."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        row = balanced(rng, knobs.pairs, knobs.kinds)
        # The number of errors is random, so that nobody can rely on it.
        number = min(rng.randint(max(2, knobs.wrong - 2), knobs.wrong), len(row) // 2)
        wrong = set(rng.sample(range(1, len(row)), number))
        stacks: list[str] = []
        for n, sign in enumerate(row):
            after = moved(stacks[-1] if stacks else "", sign)
            stacks.append(_mistaken(rng, after, knobs.kinds) if n in wrong else after)
        return cls(row=row, stacks=tuple(stacks))

    def is_valid(self) -> bool:
        return bool(self.wrong())

    def canonical(self) -> str:
        return f"{self.row} {self.stacks}"

    def wrong(self) -> list[int]:
        """The steps that do not follow from the step before."""
        before = ("", *self.stacks)
        steps = enumerate(zip(self.row, before, self.stacks), 1)
        return [n for n, (sign, stack, after) in steps if moved(stack, sign) != after]

    def prompt(self) -> str:
        ask = self.phrase(
            "Someone read a row of brackets with a stack and wrote down the stack after each step. "
            "Some steps are wrong.",
            "Below is the trace of a stack while a row of brackets is read. Not all of its steps "
            "are right.",
        )
        rows = "\n".join(
            f"step {n}: read {sign}, stack: {' '.join(stack) or EMPTY}"
            for n, (sign, stack) in enumerate(zip(self.row, self.stacks), 1)
        )
        return (
            f"{ask} The stack is empty at first and is written from bottom to top. An opening "
            "bracket is pushed onto the stack when it is read. A closing bracket removes the top "
            "bracket if that is an opening bracket of its own kind; otherwise, or if the stack is "
            f"empty, nothing changes.\n\n{rows}\n\nA step is wrong if its stack does not follow "
            "from the bracket read and the stack that the trace shows for the previous step "
            "(whether that step is right or wrong). Which steps are wrong? There is at least one. "
            "Answer with their numbers in any order, such as '4, 8, 31'."
        )

    def answer(self) -> str:
        return joined(self.wrong())

    def verify(self, answer: str) -> Score:
        steps = integers(answer, what="a list of steps")
        if len(set(steps)) < len(steps):
            raise InvalidAnswer("a step is listed twice")
        if extra := set(steps) - set(self.wrong()):
            return Score(0, f"{len(extra)} of the steps listed are not wrong, or do not exist")
        return Score(1) if len(steps) == len(self.wrong()) else Score(0, "a wrong step is missing")

    def audit(self, answer: str) -> bool:
        """Compares the brackets that each step adds and removes."""
        wrong = set()
        for n, (sign, after) in enumerate(zip(self.row, self.stacks), 1):
            before = self.stacks[n - 2] if n > 1 else ""
            closes = sign not in OPENING and before.endswith(PARTNER[sign])
            if before + sign * (sign in OPENING) != after + PARTNER[sign] * closes:
                wrong.add(n)
        return {int(step) for step in answer.replace(",", " ").split()} == wrong

    def difficulty(self) -> float:
        return float(len(self.row) + sum(map(len, self.stacks)))


def moved(stack: str, sign: str) -> str:
    """The stack after a bracket is read.

    >>> moved("([", "]"), moved("(", "]"), moved("", "{")
    ('(', '(', '{')
    """
    if sign in OPENING:
        return stack + sign
    return stack[:-1] if stack[-1:] == PARTNER[sign] else stack


def _mistaken(rng: Random, stack: str, kinds: int) -> str:
    """A stack with one error."""
    mistakes = [stack + rng.choice(OPENING[:kinds])]
    if stack:
        position = rng.randrange(len(stack))
        other = rng.choice(OPENING[:kinds].replace(stack[position], ""))
        mistakes += [stack[:-1], stack[:position] + other + stack[position + 1 :]]
    if len(set(stack)) > 1:
        position = next(n for n in range(len(stack) - 1, 0, -1) if stack[n] != stack[n - 1])
        mistakes.append(
            stack[: position - 1] + stack[position] + stack[position - 1] + stack[position + 1 :]
        )
    return rng.choice(mistakes)
