"""Guessing a word from hints about its letters, as in Jotto (Rosenfeld, 1955) and Lingo (1987)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.games.deduction.word_guessing import fitting, hint
from palaestra.generators.phrases import WORDS
from palaestra.generators.vocabulary import words
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move
from palaestra.verifiers.reading.values import plain


class WordGuessing(Task):
    """Find a hidden word of a list from hints about the letters of each guess."""

    tags = {"deduction", "words", "hidden-state"}
    baseline_note = (
        "each hint leaves few words of the list, so that going through the list for those "
        "that fit is most of the task; a player who does so for the last hint only is seldom "
        "led astray"
    )
    hidden = {"word"}

    class Knobs(Task.Knobs):
        length: int = ladder(4, 4, 5, 5, 6, 5, low=4, high=8)
        listed: int = ladder(60, 120, 120, 170, 250, 400, low=40, high=500)
        guesses: int = ladder(7, 7, 6, 6, 5, 5, low=4, high=12)
        real: bool = ladder(True, True, True, True, False)  # English words, or invented ones

    word: str
    listed: tuple[str, ...]
    guesses: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        known = [word for word in WORDS if len(word) == knobs.length]
        if knobs.real and knobs.listed <= len(known):
            listed = tuple(rng.sample(known, knobs.listed))
        else:
            listed = words(rng, knobs.listed, knobs.length, knobs.length)
        word = rng.choice(listed)
        return cls(word=word, listed=tuple(sorted(listed)), guesses=knobs.guesses)

    def is_valid(self) -> bool:
        """Whether the solver finds the word, but not with the first guess."""
        solution = self.solve()
        return solution[-1] == self.word and len(solution) > 1

    def canonical(self) -> str:
        return f"{self.word} {' '.join(self.listed)} {self.guesses}"

    def play(self) -> Play:
        length = len(self.word)
        ask = self.phrase(
            "I have chosen one of these words:", "One of the words of this list is the hidden one:"
        )
        observation = (
            f"{ask}\n\n{' '.join(self.listed)}\n\nFind it with at most {self.guesses} guesses, "
            "each of them a word of the list. Each wrong guess gets a hint, with a sign for each "
            "of its letters: = if the hidden word has the same letter in that position; + if the "
            "hidden word has the letter in another position, where the guess has a different "
            "letter, and each such position of the hidden word accounts for only one letter of "
            "the guess, the leftmost first; - otherwise. A guess that is not in the list is "
            "wasted. A guess "
            f"looks like '{self.listed[0]}'. What is your first guess?"
        )
        log: list[str] = []
        for left in reversed(range(self.guesses)):
            state = "; ".join([*log, f"{left + 1} left"])
            try:
                move = yield Turn(
                    observation, state=state, scene=partial(pictured, tuple(log), length, left + 1)
                )
                guess = read_move(self._guess, move)
            except InvalidAnswer as error:
                observation = f"That is not a guess: {error}. {left} guesses left."
                continue
            if guess == self.word:
                return Score(1)
            log.append(f"{guess} {hint(guess, self.word)}")
            observation = f"{log[-1]}. {left} guesses left."
        return Score(0, "the guesses ran out before the word was found")

    def _guess(self, text: str) -> str:
        guess = plain(text).casefold()
        if guess not in self.listed:
            raise InvalidAnswer(f"expected a word of {len(self.word)} letters from the list")
        return guess

    def solve(self) -> list[str]:
        """Always guess a word that fits all hints and divides the others into small classes."""
        candidates: Sequence[str] = self.listed
        guesses = [opening(self.listed)]
        while self.word not in guesses and len(guesses) < self.guesses:
            candidates = fitting(candidates, [(guesses[-1], hint(guesses[-1], self.word))])
            guesses.append(_best_guess(candidates))
        return guesses

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who guess random words of the list, those that fit the last hint, or those that
        share the most letters in position with the last guess.
        """

        def clues(turn: Turn) -> list[tuple[str, str]]:
            rows = [text.split() for text in turn.state.split("; ")[:-1]]
            return [(guess, signs) for guess, signs in rows]

        def random_word(turn: Turn) -> str:
            return rng.choice(self.listed)

        def last_hint(turn: Turn) -> str:
            return rng.choice(fitting(self.listed, clues(turn)[-1:]))

        def same_letters(turn: Turn) -> str:
            guesses = [guess for guess, _ in clues(turn)]
            left = [word for word in self.listed if word not in guesses]
            fixed = {(n, guess[n]) for guess, signs in clues(turn)
                     for n, sign in enumerate(signs) if sign == "="}  # fmt: skip
            rng.shuffle(left)
            return max(left, key=lambda word: sum(word[n] == letter for n, letter in fixed))

        return {
            "random word": random_word,
            "fits the last hint": last_hint,
            "same letters in position": same_letters,
        }

    def difficulty(self) -> float:
        return len(self.listed) * float(len(self.word)) / self.guesses

    def random_baseline(self) -> float:
        return self.guesses / len(self.listed)


def _best_guess(words: Sequence[str], tried: int = 8) -> str:
    """The one of the first few words with the smallest largest class of words by hint."""
    return min(
        words[:tried], key=lambda guess: max(Counter(hint(guess, w) for w in words).values())
    )


@lru_cache(maxsize=256)
def opening(listed: tuple[str, ...]) -> str:
    """The first guess: a word with frequent letters."""
    common = Counter(letter for word in listed for letter in set(word))
    return max(listed, key=lambda word: (sum(common[letter] for letter in set(word)), word))


FILLS = {"=": "c2", "+": "c6", "-": "muted"}
"""The grounds of letters by their signs, which stand in a corner as well."""


def pictured(log: Sequence[str], length: int, left: int) -> Grid:
    """The guesses with a sign for each letter, and an empty row for each guess that is left."""
    rows = [
        tuple(Cell(letter, FILLS[sign], corner=sign) for letter, sign in zip(*line.split()))
        for line in log
    ]
    return Grid((*rows, *[(Cell(),) * length] * left))
