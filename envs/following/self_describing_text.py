"""Self-enumerating sentences: Lee Sallows (1982), in Hofstadter's "Metamagical Themas" (1985)."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.following.self_describing_text import (
    MOST,
    NUMBER_WORDS,
    Claim,
    Solved,
    completed,
    fixed_counts,
    is_true,
    passes,
    passes_in_turn,
    random_claims,
    random_end,
    solve,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import number_lines
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined, plain

LIMIT = 4_000
"""How many assignments are tried before a text counts as one without a solution."""

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?", re.IGNORECASE)


class SelfDescribingText(Puzzle):
    """Fill the gaps of a text with number words so that all that it states about itself is true."""

    tags = {"self-reference", "counting", "search"}

    class Knobs(Puzzle.Knobs):
        claims: int = ladder(2, 3, 4, 5, 6, 7, 8, high=9)
        passes: int = ladder(2, 2, 4, 8, 12, low=1)  # counts that are not enough

    claims: tuple[Claim, ...]
    end: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            task = cls(claims=random_claims(rng, knobs.claims), end=random_end(rng))
            if not task.is_reached(knobs.passes):
                return task

    def is_valid(self) -> bool:
        """Whether there is a solution, and counting twice does not end at one."""
        return bool(solved(self).numbers) and not self.is_reached(2)

    def is_reached(self, number: int) -> bool:
        """Whether a number of counts ends at a solution, of all gaps at once or in turn."""
        ways = (each(self.claims, self.end, number + 1) for each in (passes, passes_in_turn))
        return any(rows[-1] == rows[-2] for rows in ways)

    def prompt(self) -> str:
        gaps = [f"[{number}]" for number in range(1, len(self.claims) + 1)]
        text = completed(self.claims, self.end, gaps)
        task = self.phrase(
            "Fill each gap of this text with a number, so that all that the text states about "
            "itself is true:",
            "Replace the numbers in brackets by number words. The text that results has to "
            "describe itself correctly:",
        )
        example = joined([11 * (7 - n % 7) + n for n in range(len(gaps))])
        return (
            f"{task}\n\n{text}\n\nThe numbers are from 0 to {MOST} and are written as English "
            "words, with a hyphen in those such as 'forty-two', and no other form: zero, one, two, "
            f"..., ninety-nine. Everything is counted in the whole text above, with the number "
            "words in place of all gaps with their brackets. Capital and small letters are the "
            "same, and hyphens are no letters. Words are separated by spaces and punctuation "
            "marks, a word with a hyphen is one word, and a letter that stands alone is a word, "
            "too. The vowels are a, e, i, o and u. 'Letters e' means all occurrences of the letter "
            "e. If several solutions exist, any of them will do. Answer with the numbers for "
            f"[1] to [{len(gaps)}] in order, in "
            f"digits, such as '{example}'."
        )

    def answer(self) -> str:
        return joined(solved(self).numbers)

    def read(self, answer: str) -> list[int]:
        """The numbers, which may also be written as words. Raises :class:`InvalidAnswer`."""
        text = plain(answer)
        text = _WORD.sub(_digits, text) if text.isascii() else text
        try:
            numbers = integers(text, what="a list of numbers")
        except InvalidAnswer:
            if ":" not in text:
                raise
            numbers = [*number_lines(text, len(self.claims), ["gap", "claim"]).values()]
        if len(numbers) != len(self.claims):
            raise InvalidAnswer(f"expected {len(self.claims)} numbers, got {len(numbers)}")
        if not all(0 <= number <= MOST for number in numbers):
            raise InvalidAnswer(f"the numbers are from 0 to {MOST}")
        return numbers

    def verify(self, answer: str) -> Score:
        numbers = self.read(answer)
        text = completed(self.claims, self.end, [NUMBER_WORDS[number] for number in numbers])
        right = sum(each.count(text) == number for each, number in zip(self.claims, numbers))
        parts = {"progress": right / len(numbers)}
        if right == len(numbers):
            return Score(1, parts=parts)
        return Score(0, f"{len(numbers) - right} of the {len(numbers)} claims are false", parts)

    def audit(self, answer: str) -> bool:
        """Add up what each claim counts in the fixed text and in each number word."""
        return is_true(self.claims, self.end, self.read(answer))

    def difficulty(self) -> float:
        """The assignments that a search with bounds tries, each for all claims."""
        return float(solved(self).examined * len(self.claims))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who count once or a few times, from empty gaps or from random numbers."""
        fixed = fixed_counts(self.claims, self.end)
        start = [min(MOST, each + rng.randint(0, 5)) for each in fixed]
        rows = {
            "counts of the fixed words": fixed,
            "fourth count": passes(self.claims, self.end, 4)[-1],
            "tenth count": passes(self.claims, self.end, 10)[-1],
            "fifth count in turn": passes_in_turn(self.claims, self.end, 5)[-1],
            "twelfth count in turn": passes_in_turn(self.claims, self.end, 12)[-1],
            "third count from random numbers": passes(self.claims, self.end, 3, start)[-1],
        }
        return {player: joined(row) for player, row in rows.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(claims=2)

    def candidates(self) -> Iterable[str]:
        return map(joined, product(range(MOST + 1), repeat=len(self.claims)))


@lru_cache(maxsize=64)
def solved(task: SelfDescribingText) -> Solved:
    """Numbers that make all claims of a task true."""
    return solve(task.claims, task.end, LIMIT)


def _digits(match: re.Match[str]) -> str:
    word = match[0].casefold()
    return str(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else match[0]
