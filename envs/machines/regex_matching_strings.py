"""Words of a regular language; the expressions are Stephen Kleene's (1951)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice, product
from math import comb
from random import Random
from typing import Self

from palaestra.generators.regexes import (
    Common,
    derives,
    generalised,
    matches,
    plain_texts,
    written,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import items

RARE = 0.03
"""The largest share of the strings of the right length that may be right."""


@lru_cache(maxsize=64)
def common(yes: tuple[str, ...], no: tuple[str, ...], letters: str, length: int) -> Common:
    """All right strings."""
    return Common(yes, no, letters, length)


LOOSE = (0.0, 0.3, 0.6, 0.7)
"""How general expressions are, by their number, so that together they match a few strings."""

TRIES = 6


class RegexMatchingStrings(Puzzle):
    """Write strings of a given length that match some regular expressions and not others."""

    tags = {"regular-expressions", "automata", "constraint-satisfaction"}

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(3, 3, 3, 4, 4, 4, high=5)
        length: int = ladder(5, 7, 8, 10, 12, 15, high=20)
        depth: int = ladder(2, 3, 3, 4, 4, 5, high=6)  # of the expressions
        match: int = ladder(1, 1, 2, 2, 2, 3)
        avoid: int = ladder(0, 1, 1, 1, 2, 2)
        strings: int = ladder(1, 1, 1, 2, 2, 3)

    letters: str
    length: int
    strings: int
    match: tuple[str, ...]
    avoid: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Start from a string that is to be right, so that one exists."""
        letters, length = "abcde"[: knobs.letters], knobs.length
        right = "".join(rng.choices(letters, k=length))

        def pattern(text: str, loose: float) -> str:
            return written(generalised(rng, text, letters, knobs.depth, loose))

        match = tuple(pattern(right, LOOSE[knobs.match]) for _ in range(knobs.match))
        avoid: list[str] = []
        for _ in range(knobs.avoid):
            # Each expression to avoid is derived from a string that would be right without it.
            rivals = common(match, tuple(avoid), letters, length)
            if rivals.total <= knobs.strings:
                break
            rival = rivals.text(rng.randrange(rivals.total))
            tries = (pattern(rival, LOOSE[1]) for _ in range(TRIES))
            avoid += islice((p for p in tries if not matches(p, right)), 1)
        avoid += match[:1] * (knobs.avoid - len(avoid))  # which is not valid
        return cls(
            letters=letters, length=length, strings=knobs.strings, match=match, avoid=tuple(avoid)
        )

    def is_valid(self) -> bool:
        patterns = (*self.match, *self.avoid)
        if len(set(patterns)) < len(patterns) or any(p.isalpha() for p in patterns):
            return False
        right = self.right()
        return self.strings < right.total <= RARE * len(self.letters) ** self.length and not any(
            self.violation(text) is None for text in plain_texts(self.letters, self.length)
        )

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who write random strings, or strings that the first expression matches."""
        texts = {
            "random strings": ["".join(rng.choices(self.letters, k=self.length)) for _ in range(9)],
            "one expression": [],
        }
        alike = common(self.match[:1], (), self.letters, self.length)
        texts["one expression"] = [alike.text(rng.randrange(alike.total)) for _ in range(9)]
        return {
            name: "\n".join([*dict.fromkeys(strings)][: self.strings])
            for name, strings in texts.items()
        }

    def right(self) -> Common:
        """All right strings."""
        return common(self.match, self.avoid, self.letters, self.length)

    def canonical(self) -> str:
        return repr((self.length, self.strings, sorted(self.match), sorted(self.avoid)))

    def prompt(self) -> str:
        number = "one string" if self.strings == 1 else f"{self.strings} different strings"
        each = "It" if self.strings == 1 else "Each"
        listed = "\n".join(f"matches:  {p}" for p in self.match)
        if self.avoid:
            listed += "\n" + "\n".join(f"does not: {p}" for p in self.avoid)
        what = "all expressions after 'matches'" + (
            " and none of those after 'does not'" if self.avoid else ""
        )
        ask = self.phrase(
            f"Write {number} of exactly {self.length} letters, all from {self.letters}. {each} "
            f"must match {what}.",
            f"Find {number} made of the letters {self.letters}, exactly {self.length} letters "
            f"long. {each} must match {what}.",
        )
        shape = "the string" if self.strings == 1 else "the strings, one per line,"
        return (
            f"{ask} An expression matches a string if it fits the whole string, from the first "
            "letter to the last.\n\nIn an expression a letter stands for itself, [ab] for one of "
            "the letters in the brackets, X|Y for X or Y, XY for X followed by Y, X* for X any "
            "number of times (or not at all), X+ for X once or more, X? for X once or not at all. "
            "*, + and ? apply to the single letter, bracket [...] or group (...) right before "
            f"them; | extends as far as the group that it is in.\n\n{listed}\n\nAnswer "
            f"with {shape} such as '{self.letters[0] * self.length}'."
        )

    def answer(self) -> str:
        return "\n".join(islice(self.right(), self.strings))

    def verify(self, answer: str) -> Score:
        texts = items(answer)
        if len(texts) != self.strings:
            raise InvalidAnswer(f"the number of strings must be {self.strings}, not {len(texts)}")
        violations = [self.violation(text) for text in texts]
        right = {text for text, reason in zip(texts, violations) if reason is None}
        parts = {"progress": len(right) / len(texts)}
        for number, violation in enumerate(violations, 1):
            if violation is not None:
                return Score(0, f"string {number} {violation}", parts)
        if len(set(texts)) < len(texts):
            return Score(0, "a string is listed twice", parts)
        return Score(1, "", parts)

    def violation(self, text: str) -> str | None:
        """The condition that a string violates, or ``None``."""
        if len(text) != self.length:
            return f"has {len(text)} letters"
        if not set(text) <= set(self.letters):
            return f"has other letters than {self.letters}"
        for pattern in self.match:
            if not matches(pattern, text):
                return f"does not match {pattern}"
        for pattern in self.avoid:
            if matches(pattern, text):
                return f"matches {pattern}"
        return None

    def audit(self, answer: str) -> bool:
        texts = items(answer)
        return len({*texts}) == self.strings == len(texts) and all(
            len(text) == self.length
            and set(text) <= set(self.letters)
            and all(derives(pattern, text) for pattern in self.match)
            and not any(derives(pattern, text) for pattern in self.avoid)
            for text in texts
        )

    def difficulty(self) -> float:
        return float(len(self.right().counts) * self.strings)

    def random_baseline(self) -> float:
        every = len(self.letters) ** self.length
        return comb(self.right().total, self.strings) / comb(every, self.strings)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(letters=3, length=5, depth=3, match=1, avoid=1, strings=1)

    def candidates(self) -> Iterable[str]:
        return map("".join, product(self.letters, repeat=self.length))
