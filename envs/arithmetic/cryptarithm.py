"""Cryptarithms: Henry Dudeney's SEND + MORE = MONEY in The Strand Magazine (1924)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import perm
from random import Random
from string import ascii_uppercase
from typing import Self

from palaestra.generators.exchanges import exchanges
from palaestra.scenes import Border, Cell, Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.arithmetic.cryptarithm import Columns
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import choice, plain

SUMS = 1_000
"""The most sums to try for one in which few letters are interchangeable."""

Known = tuple[tuple[str, int], ...]


class Cryptarithm(Puzzle):
    """Find which digit each letter of a sum stands for; different letters are different digits."""

    version = 4
    tags = {"calculation", "deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(6, 7, 8, 9, 9, 10, 10, low=5, high=10)  # at least
        length: int = ladder(3, 3, 4, 4, 5, 5, 6, low=3, high=9)
        addends: int = ladder(2, high=4)
        known: int = ladder(3, 3, 3, 2, 1, 1, 0, low=0, high=3)  # at least so many digits are shown

    words: tuple[str, ...]
    total: str
    known: tuple[tuple[str, int], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw a sum, and show digits of interchangeable letters first, which need a hint."""
        low, high = 10 ** (knobs.length - 1), 10**knobs.length
        # A sum of short words cannot have more letters than these.
        most = min(knobs.letters, knobs.length * (knobs.addends + 1) - 1)
        # With short words or many addends, fewer hints leave more than one solution.
        hints = max(knobs.known, min(3, max(0, 6 - knobs.length) + knobs.addends - 2))
        for _ in range(SUMS):
            numbers = [rng.randrange(low, high) for _ in range(knobs.addends)]
            rows = list(map(str, [*numbers, sum(numbers)]))
            if len(used := sorted({*"".join(rows)})) < most:
                continue
            alike = [digits for digits in interchangeable(rows) if len(digits) > 1]
            if sum(map(len, alike)) - len(alike) <= hints:
                break
        shown = [digit for digits in alike for digit in rng.sample(digits, len(digits) - 1)][:hints]
        rest = [digit for digit in used if digit not in shown]
        shown += rng.sample(rest, min(hints - len(shown), len(rest)))
        code = dict(zip(used, rng.sample(ascii_uppercase, len(used))))
        words = ["".join([code[digit] for digit in row]) for row in rows]
        known = sorted((code[digit], int(digit)) for digit in shown)
        return cls(words=tuple(words[:-1]), total=words[-1], known=tuple(known))

    def is_valid(self) -> bool:
        return solution(self.words, self.total, self.known)[0] is not None

    def canonical(self) -> str:
        """The pattern, with the letters renamed in the order in which they appear."""
        text = " ".join([*sorted(self.words), self.total])
        names = dict(zip(dict.fromkeys(text.replace(" ", "")), ascii_uppercase))
        known = sorted((names[letter], digit) for letter, digit in self.known)
        return f"{''.join(names.get(sign, sign) for sign in text)} {known}"

    @property
    def letters(self) -> list[str]:
        """All letters of the sum."""
        return sorted({*"".join((*self.words, self.total))})

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two letters change places."""
        rows = (*self.words, self.total)
        for letters in exchanges("".join(rows), rng):
            rest = iter(letters)
            *words, total = ("".join(next(rest) for _ in row) for row in rows)
            yield self.model_copy(update={"words": tuple(words), "total": total})

    def refutation(self, altered: Self) -> float | None:
        """The nodes of an exhaustive search, which are at least half as many as for the puzzle
        itself unless a glance is enough.
        """
        search = Columns(altered.words, altered.total, dict(altered.known))
        if search.solutions(1):
            return None
        return float(search.nodes) if 2 * search.nodes >= self.difficulty() else 0.0

    def prompt(self) -> str:
        ask = self.phrase(
            "In this sum each letter stands for a digit from 0 to 9, the same one everywhere, and "
            "different letters stand for different digits.",
            "The digits of a sum were replaced by letters: equal digits by the same letter, "
            "different digits by different letters.",
        )
        known = ", ".join(f"{letter} = {digit}" for letter, digit in self.known)
        hint = f" It is known that {known}." if known else ""
        return (
            f"{ask} No number begins with 0. There is exactly one solution.\n\n"
            f"{' + '.join(self.words)} = {self.total}\n\nWhich digit does each letter stand for?"
            f"{hint} Write one line for each of the letters {', '.join(self.letters)}, such as "
            f"'{self.letters[0]} = 7'."
        )

    def answer(self) -> str:
        digits = solution(self.words, self.total, self.known)[0] or {}
        return "\n".join(f"{letter} = {digits[letter]}" for letter in self.letters)

    def scene(self) -> Grid:
        known = dict(self.known)
        cells = {x: Cell(x, corner=str(known.get(x, ""))) for x in self.letters}
        return self.column(cells)

    def solved_scene(self, answer: str) -> Grid:
        digits = self.read(answer).items()
        return self.column({x: Cell(str(n), tone="accent", corner=x) for x, n in digits})

    def column(self, cells: Mapping[str, Cell]) -> Grid:
        """The sum with its numbers one below the other, and a line above the total."""
        wide = max(map(len, (*self.words, self.total))) + 1
        signs = [""] * (len(self.words) - 1) + ["+", "="]
        rows = [
            (Cell(sign), *[Cell()] * (wide - 1 - len(word)), *(cells[letter] for letter in word))
            for sign, word in zip(signs, (*self.words, self.total))
        ]
        line = Border(((len(self.words), 0), (len(self.words), wide)))
        return Grid(tuple(rows), style="plain", borders=(line,))

    def read(self, answer: str) -> dict[str, int]:
        """The digit of each letter in an answer."""
        read = pairs(answer, names=self.letters, variables=True)
        return {letter: int(choice(plain(digit), "0123456789")) for letter, digit in read.items()}

    def verify(self, answer: str) -> Score:
        digits = self.read(answer)
        if len(set(digits.values())) < len(digits):
            return Score(0, "two letters stand for the same digit")
        for letter, digit in self.known:
            if digits[letter] != digit:
                return Score(0, f"{letter} does not have its known digit")
        if any(digits[word[0]] == 0 for word in (*self.words, self.total)):
            return Score(0, "a number begins with 0")
        *parts, total = (_number(word, digits) for word in (*self.words, self.total))
        return Score(1) if sum(parts) == total else Score(0, "the sum does not hold")

    def difficulty(self) -> float:
        return float(solution(self.words, self.total, self.known)[1])

    def random_baseline(self) -> float:
        free = 10 - len(self.known)
        return 1 / perm(free, len(self.letters) - len(self.known))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(letters=6, length=3, known=3)

    def candidates(self) -> Iterable[str]:
        known = dict(self.known)
        free = [digit for digit in range(10) if digit not in known.values()]
        open_letters = [letter for letter in self.letters if letter not in known]
        for row in permutations(free, len(open_letters)):
            digits = {**known, **dict(zip(open_letters, row))}
            yield "\n".join(f"{letter} = {digits[letter]}" for letter in self.letters)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Different digits for the letters, the first ones of words before others."""
        known = dict(self.known)
        left = [digit for digit in range(9, -1, -1) if digit not in known.values()]
        first = {word[0] for word in (*self.words, self.total)}

        def assigned(digits: Iterable[int]) -> str:
            rest = iter(digits)
            order = sorted(self.letters, key=lambda letter: letter not in first)
            values = {**known, **{letter: next(rest) for letter in order if letter not in known}}
            return "\n".join(f"{letter} = {values[letter]}" for letter in self.letters)

        return {
            "greatest digits first": assigned(left),
            "random digits": assigned([*rng.sample(left[:-1], len(left) - 1), left[-1]]),
        }


def interchangeable(rows: Sequence[str]) -> list[list[str]]:
    """The digits of a sum, grouped by their weights in it; the total counts negatively.

    Two digits of one weight are interchangeable: unless one of them is known, swapping them gives
    another solution.

    >>> interchangeable(["12", "34", "46"])
    [['2'], ['1', '3'], ['4'], ['6']]
    """
    weights: dict[str, int] = {}
    for row, sign in zip(rows, [1] * (len(rows) - 1) + [-1]):
        for power, digit in enumerate(reversed(row)):
            weights[digit] = weights.get(digit, 0) + sign * 10**power
    groups: dict[int, list[str]] = {}
    for digit, weight in weights.items():
        groups.setdefault(weight, []).append(digit)
    return list(groups.values())


def _number(word: str, digits: dict[str, int]) -> int:
    return int("".join(str(digits[letter]) for letter in word))


@lru_cache(maxsize=256)
def solution(words: tuple[str, ...], total: str, known: Known) -> tuple[dict[str, int] | None, int]:
    """The digits, if the solution is unique, and the nodes that the search visits."""
    search = Columns(words, total, dict(known))
    solutions = search.solutions(2)
    return (solutions[0] if len(solutions) == 1 else None), search.nodes
