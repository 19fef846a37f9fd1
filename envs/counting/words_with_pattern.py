"""Words that avoid or contain patterns, after Leonidas Guibas and Andrew Odlyzko (1981)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self, get_args

from palaestra.generators.counting.puzzle import CountingPuzzle, read_count
from palaestra.generators.counting.words_with_pattern import (
    Condition,
    Rule,
    automaton,
    number_of_words,
    power_count,
    random_condition,
)
from palaestra.task import ladder

RULES: tuple[Rule, ...] = get_args(Rule)

WITH_WORD = {"avoids", "contains", "times", "hidden"}
"""Rules about a word, of which a task has one at least."""

LONG = 20
"""From this length on, remainders are asked for."""

MOST_STATES = 40
MOST_WORDS = 5_000
"""The most words that the second opinion goes through."""


@lru_cache(maxsize=64)
def second_count(conditions: tuple[Condition, ...], letters: int, length: int, modulus: int) -> int:
    """The number of words from a look at all of them, or from powers of the matrix."""
    if length < LONG and letters**length <= MOST_WORDS:
        words = map("".join, product("ABCD"[:letters], repeat=length))
        return sum(all(c.holds(word) for c in conditions) for word in words)
    return power_count(
        automaton(conditions, letters), length, modulus or letters ** min(length, LONG) + 1
    )


class WordsWithPattern(CountingPuzzle):
    """Count the words of a length that avoid, contain or repeat patterns."""

    tags = {"counting", "strings", "automata", "unique-solution"}

    class Knobs(CountingPuzzle.Knobs):
        length: int = ladder(5, 7, 9, 12, 20, 60, 10**15, low=4, high=10**18)
        letters: int = ladder(3, 3, 3, 3, 3, 3, 3, low=2, high=4)
        conditions: int = ladder(2, 2, 2, 2, 2, 3, 3, low=1, high=3)

    letters: int
    length: int
    conditions: tuple[Condition, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        length = knobs.length + rng.randint(0, max(3, knobs.length // 4))
        rules = [
            rule for rule in RULES if rule != "hidden" or length < LONG
        ]  # few long words have it
        first = rng.choice([rule for rule in rules if rule in WITH_WORD])
        rules.remove(first)
        chosen = [first, *rng.sample(rules, knobs.conditions - 1)]
        return cls(
            letters=knobs.letters,
            length=length,
            conditions=tuple(
                random_condition(rng, rule, knobs.letters, knobs.length) for rule in chosen
            ),
            modulus=cls.random_modulus(rng) if length >= LONG else 0,
        )

    def is_valid(self) -> bool:
        """Whether the words that satisfy the conditions are many, and fewer than those of each."""
        if len(automaton(self.conditions, self.letters).steps) > MOST_STATES:
            return False
        number, words = self.count(), self.power(self.length)
        if self.modulus:
            return number not in {0, 1, words}
        return 12 <= number <= words - 12 and all(
            number < number_of_words((each,), self.letters, self.length, 0)
            for each in self.conditions
            if len(self.conditions) > 1
        )

    def power(self, length: int, letters: int = 0) -> int:
        """The number of all words of a length, or its remainder."""
        letters = letters or self.letters
        return pow(letters, length, self.modulus) if self.modulus else letters**length

    def canonical(self) -> str:
        return repr((self.letters, self.length, self.modulus, sorted(self.conditions)))

    def prompt(self) -> str:
        names = [*"ABCD"[: self.letters]]
        alphabet = f"{', '.join(names[:-1])} and {names[-1]}"
        rules = [f"- {each.text()}" for each in self.conditions]
        ask = self.phrase(
            f"How many words of {self.length} letters, of which each is one of {alphabet}, satisfy "
            "the following?",
            f"A word is any sequence of {self.length} letters, each of them one of {alphabet}. "
            "Count the words that satisfy the following.",
        )
        return "\n".join(
            [
                ask,
                *rules,
                "",
                f"A word occurs in another where its letters stand side by side. {self.ending()}",
            ]
        )

    def count(self) -> int:
        return number_of_words(self.conditions, self.letters, self.length, self.modulus)

    def audit(self, answer: str) -> bool:
        """Go through all words if there are few; else raise the matrix of the automaton."""
        number = second_count(self.conditions, self.letters, self.length, self.modulus)
        return read_count(answer, self.modulus) == self.reduced(number)

    def difficulty(self) -> float:
        """The steps of the automaton: one for each letter, or for each squaring and state."""
        states = len(automaton(self.conditions, self.letters).steps)
        direct = states * min(self.length, 1_000)
        return float(direct if self.length < 1_000 else direct * self.length.bit_length())

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All words, shares of them, and those without a word at one position."""
        words = self.power(self.length)
        size = max(len(each.word) for each in self.conditions) or 1
        with_it = (self.length - size + 1) * self.power(self.length - size)
        near = min(self.length, 60)
        first = number_of_words(self.conditions[:1], self.letters, near, self.modulus)
        guesses = {
            "all words": words,
            "words with an occurrence": with_it,
            "words less those with an occurrence": abs(words - with_it),
            "half of the words": words // 2,
            "a third of the words": words // 3,
            "no equal neighbours": self.letters * self.power(self.length - 1, self.letters - 1),
            "words of length 60 at most for the first condition": first,
        }
        if len(self.conditions) == 1:
            del guesses["words of length 60 at most for the first condition"]
        return {player: str(self.reduced(guess)) for player, guess in guesses.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=4, letters=3, conditions=2)

    def candidates(self) -> Iterable[str]:
        return map(str, range(self.letters**self.length + 1))
