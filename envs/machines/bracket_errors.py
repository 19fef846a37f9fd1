"""Errors in rows of brackets, found with a stack as compilers do (Samelson and Bauer, 1957)."""

from random import Random
from typing import Self

from palaestra.generators.machines.brackets import (
    CLOSING,
    OPENING,
    PARTNER,
    Verdict,
    balanced,
    judged,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import choice, joined
from palaestra.verifiers.reading.words import numbers_and_words

ERRORS = ("fine", "stray", "mismatch", "unclosed")


class BracketErrors(Puzzle):
    """Find where several rows of brackets first go wrong, and what kind of error it is."""

    tags = {"formal-languages", "stack", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(2, 3, 3, 4, 5, 6, low=2, high=10)
        pairs: int = ladder(5, 6, 9, 12, 16, 24, low=4, high=40)
        kinds: int = ladder(2, 3, 3, 4, low=1, high=4)

    rows: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(rows=tuple(_with_error(rng, knobs) for _ in range(knobs.rows)))

    def is_valid(self) -> bool:
        verdicts = self.verdicts()
        return len(set(verdicts)) > 1 and any(verdict.position > 2 for verdict in verdicts)

    def canonical(self) -> str:
        return repr(sorted(self.rows))

    def verdicts(self) -> list[Verdict]:
        """The first error of each row."""
        return [judged(row) for row in self.rows]

    def prompt(self) -> str:
        rows = "\n".join(f"{n}: {' '.join(row)}" for n, row in enumerate(self.rows, 1))
        examples = ["7 stray", "0 fine", "12 mismatch", *["3 unclosed"] * 9]
        ask = self.phrase(
            "Read each of these rows of brackets from left to right, and state where its first "
            "error is.",
            "Where is the first error in each of these rows of brackets, if there is any?",
        )
        return (
            f"{ask}\n\n{rows}\n\nThe brackets are read one by one. A closing bracket closes the "
            "last bracket before it that is still open, and must be of the same kind. There are "
            "three kinds of errors:\nstray: a closing bracket where no bracket is open\nmismatch: "
            "a closing bracket of another kind than the last open bracket\nunclosed: the row ends "
            "without any of the errors above, but brackets are still open; the position of this "
            "error is that of the rightmost open bracket\n\nFor each row in order, give the "
            "position of its first error, where the first bracket of the row has position 1, and "
            "the kind of that error; for a row without errors, give '0 fine'. Separate the rows by "
            f"commas, such as '{joined(examples[: len(self.rows)])}'."
        )

    def answer(self) -> str:
        return joined([f"{verdict.position} {verdict.error}" for verdict in self.verdicts()])

    def verify(self, answer: str) -> Score:
        entries = numbers_and_words(answer, "positions, each with the kind of its error")
        errors = [(position, choice(error, ERRORS)) for position, error in entries]
        if len(errors) != len(self.rows):
            raise InvalidAnswer(f"{len(self.rows)} verdicts are required, not {len(errors)}")
        right = [one == other for one, other in zip(errors, self.verdicts())]
        if all(right):
            return Score(1, parts={"progress": 1})
        parts = {"progress": sum(right) / len(right)}
        return Score(0, f"the verdict on row {right.index(False) + 1} is wrong", parts)

    def difficulty(self) -> float:
        return float(
            sum(verdict.position or len(row) for verdict, row in zip(self.verdicts(), self.rows))
        )


def _with_error(rng: Random, knobs: BracketErrors.Knobs) -> str:
    """A random row with an error in its later part, and in a few cases without one."""
    row = balanced(rng, knobs.pairs, knobs.kinds)
    position = rng.randrange(len(row) // 3, len(row))
    error = rng.choice(("none", "change", "change", "drop", "add", "cut"))
    if error == "change" and knobs.kinds > 1:
        brackets = (OPENING if row[position] in OPENING else CLOSING)[: knobs.kinds]
        return (
            row[:position] + rng.choice(brackets.replace(row[position], "")) + row[position + 1 :]
        )
    if error == "drop":
        return row[:position] + row[position + 1 :]
    if error == "add":
        return row[:position] + rng.choice((PARTNER[row[position]], row[position])) + row[position:]
    return row[: max(position, 4)] if error == "cut" else row
