"""Mastermind, the board game of Mordecai Meirowitz (1970): a hidden code and a hint a guess."""

from itertools import product
from random import Random
from typing import Self

from palaestra.task import Play, Score, Task, Turn, Unreadable, ladder
from palaestra.verifiers.reading import digit_row

Hint = tuple[int, int]
"""How many digits stand in their place, and how many more are elsewhere in the code."""


def compare(guess: str, code: str) -> Hint:
    """The hint that a guess earns.

    >>> compare("1123", "1344")
    (1, 1)
    """
    exact = sum(g == c for g, c in zip(guess, code))
    shared = sum(min(guess.count(d), code.count(d)) for d in set(code))
    return exact, shared - exact


class Mastermind(Task):
    """Find a hidden code from hints on how close each guess comes."""

    tags = {"deduction", "hidden-state"}
    hidden = {"code"}

    class Knobs(Task.Knobs):
        length: int = ladder(2, 3, 3, 4, 4, 5)
        digits: int = ladder(4, 4, 6, 6, 7, 6)
        guesses: int = ladder(10, 10, 9, 9, 8, 8)

    code: str
    digits: int
    guesses: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        code = "".join(str(rng.randint(1, knobs.digits)) for _ in range(knobs.length))
        return cls(code=code, digits=knobs.digits, guesses=knobs.guesses)

    def fair(self) -> bool:
        return len(self.solve()) <= self.guesses

    def play(self) -> Play:
        shape = f"{len(self.code)} digits from 1 to {self.digits}"
        says = (
            f"I have a code of {shape}; a digit may come up more than once. You have "
            f"{self.guesses} guesses. After each I say how many of its digits are exact, that is, "
            "right and in the right place, and how many are misplaced, that is, elsewhere in the "
            f"code. A guess looks like '{'1' * len(self.code)}'. What is your first guess?"
        )
        log: list[str] = []
        for left in reversed(range(self.guesses)):
            try:
                move = yield Turn(says, state=" ".join([*log, f"{left + 1} left"]))
                guess = digit_row(move, len(self.code), 1, self.digits)
            except Unreadable as flaw:
                says = f"A guess is {shape}, but this is {flaw}. {left} guesses left."
                continue
            if guess == self.code:
                return Score(1)
            exact, misplaced = compare(guess, self.code)
            log.append(f"{guess}:{exact}+{misplaced}")
            says = f"{guess}: {exact} exact, {misplaced} misplaced. {left} guesses left."
        return Score(0, "the guesses ran out before the code was found")

    def solve(self) -> list[str]:
        """Always guess the first code that every hint so far allows."""
        codes = [*map("".join, product(self.signs(), repeat=len(self.code)))]
        guesses: list[str] = []
        while codes:
            guess = codes[0]
            guesses.append(guess)
            hint = compare(guess, self.code)
            codes = [c for c in codes if c != guess and compare(guess, c) == hint]
        return guesses

    def signs(self) -> str:
        """The digits that a code may have."""
        return "".join(str(digit) for digit in range(1, self.digits + 1))

    def effort(self) -> float:
        return float(len(self.signs()) ** len(self.code))

    def chance(self) -> float:
        return self.guesses / self.digits ** len(self.code)
