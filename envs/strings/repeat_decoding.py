"""Nested run-length coding, after A. H. Robinson and C. Cherry (1967) on television signals."""

from functools import lru_cache
from math import log
from random import Random
from typing import Self

from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

LETTERS = "abcdefgh"


@lru_cache(maxsize=256)
def expanded(code: str) -> str:
    """The text that a code of letters, numbers and groups stands for.

    >>> expanded("2(a3b)c")
    'abbbabbbc'
    """
    stack, number = [""], ""
    counts: list[int] = []
    for sign in code:
        if sign.isdigit():
            number += sign
        elif sign == "(":
            counts.append(int(number or 1))
            stack.append("")
            number = ""
        elif sign == ")":
            group = stack.pop()
            stack[-1] += group * counts.pop()
        else:
            stack[-1] += sign * int(number or 1)
            number = ""
    return stack[0]


class RepeatDecoding(Puzzle):
    """Expand a text with nested repetitions, or find single letters of the expansion."""

    version = 2
    tags = {"strings", "coding", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        depth: int = ladder(1, 2, 2, 3, 4, 5)
        parts: int = ladder(4, 3, 4, 4, 4, 4, low=3, high=5)  # of the code and of each group
        most: int = ladder(4, 3, 4, 5, 6, 7, low=3, high=9)  # the most repetitions of a part
        size: int = ladder(18, 30, 45, 200, 1200, 6000, low=12)  # approximate length of the text
        positions: int = ladder(0, 0, 0, 8, 10, 12, high=20)  # letters of the text; 0 for all

    code: str
    positions: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        codes = [_code(rng, knobs, knobs.depth) for _ in range(8)]
        code = min(codes, key=lambda code: abs(log(len(expanded(code)) / knobs.size)))
        size = len(expanded(code))
        positions = sorted(rng.sample(range(1, size + 1), min(knobs.positions, size)))
        return cls(code=code, positions=tuple(positions))

    def is_valid(self) -> bool:
        return len(set(self.right())) > 1

    def right(self) -> str:
        """The letters to give."""
        text = expanded(self.code)
        return (
            "".join(text[position - 1] for position in self.positions) if self.positions else text
        )

    def canonical(self) -> str:
        return f"{self.code.translate(renaming(self.code))} {self.positions}"

    def prompt(self) -> str:
        task = self.phrase(
            "This code stands for a longer text.",
            "This is a short notation for a longer text.",
        )
        rules = (
            "A number before a letter is the number of times that the letter is written. A number "
            "before a bracket is the number of times that the content of the brackets is written, "
            "with nothing in between; groups may contain groups. A letter without a number is "
            "written once."
        )
        if self.positions:
            ask = (
                "Which letters are at these positions of the text, counted from 1 at the "
                f"left?\n\n{', '.join(map(str, self.positions))}\n\nAnswer with the "
                f"{len(self.positions)} letters in this order, as one word, such as "
            )
        else:
            ask = "Write out the whole text, such as "
        return f"{task} {rules}\n\n{self.code}\n\n{ask}'aabcaa'."

    def answer(self) -> str:
        return self.right()

    def verify(self, answer: str) -> Score:
        return compared(letters(answer, LETTERS), self.right(), "letter")

    def difficulty(self) -> float:
        nesting = max(self.code[:n].count("(") - self.code[:n].count(")")
                      for n in range(len(self.code)))  # fmt: skip
        return float(len(self.right()) * (1 + nesting) + len(self.code) * len(self.positions))


def _code(rng: Random, knobs: RepeatDecoding.Knobs, depth: int) -> str:
    """A code of several parts, one of which is a group of depth ``depth`` - 1."""
    groups = {rng.randrange(knobs.parts)} if depth else set[int]()
    parts = []
    for part in range(knobs.parts):
        number = rng.randint(2, knobs.most)
        if part in groups:
            parts.append(f"{number}({_code(rng, knobs, depth - 1)})")
        else:
            parts.append((str(number) if rng.random() < 0.4 else "") + rng.choice(LETTERS))
    return "".join(parts)
