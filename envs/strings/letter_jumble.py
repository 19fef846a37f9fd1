"""Jumbled words, as in Martin Naydel's newspaper puzzle (1954), from a list of invented words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Self

from palaestra.generators.tiles import LONGEST, NOTHING, level, tiles, written
from palaestra.generators.vocabulary import CONSONANTS, VOWELS, changed, words
from palaestra.scenes import Cell, Grid, Panels
from palaestra.scenes.entries import WordsEntry
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list


class LetterJumble(Puzzle):
    """Find the words of a list whose letters are shuffled, with extra letters at higher levels."""

    tags = {"strings", "words", "search"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        jumbles: int = ladder(2, 3, 3, 4, 5, 6, high=10)
        listed: int = ladder(8, 14, 22, 30, 45, 70, low=6, high=100)
        length: int = ladder(5, 6, 6, 7, 8, 9, low=4, high=12)
        extra: int = ladder(0, 0, 1, 1, 2, 3)  # letters added to each jumble

    listed: tuple[str, ...]
    jumbles: tuple[str, ...]
    extra: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw half of the words anew, and the others by changing and shuffling these."""
        known = list(words(rng, -(-knobs.listed // 2), knobs.length, knobs.length))
        while len(known) < knobs.listed:
            similar = "".join(rng.sample(changed(rng, rng.choice(known)), knobs.length))
            known += [similar] if similar not in known else []
        rng.shuffle(known)
        jumbles = []
        for word in rng.choices(known, k=knobs.jumbles):
            letters = [*word, *rng.choices(CONSONANTS + VOWELS, k=knobs.extra)]
            jumbles.append("".join(rng.sample(letters, len(letters))))
        return cls(listed=tuple(known), jumbles=tuple(jumbles), extra=knobs.extra)

    def is_valid(self) -> bool:
        return not set(self.jumbles) & set(self.listed) and self.random_baseline() <= 0.05

    def canonical(self) -> str:
        return repr((sorted("".join(sorted(j)) for j in self.jumbles), sorted(self.listed)))

    def prompt(self) -> str:
        mixed = {0: "", 1: ", to which one extra letter was added"}.get(
            self.extra, f", to which {self.extra} extra letters were added"
        )
        task = self.phrase(
            f"Each jumble below holds the letters of one word of the list, in another order{mixed}."
            " Find the word of each.",
            f"The letters of some words of the list were shuffled{mixed}. Which word does each "
            "jumble hold?",
        )
        condition = "if all of its letters are in the jumble, each at least as often as in the word"
        if not self.extra:
            condition = "if it has the same letters as the jumble, each the same number of times"
        rows = "\n".join(f"{n}: {jumble}" for n, jumble in enumerate(self.jumbles, 1))
        return (
            f"{task}\n\nThe list: {' '.join(self.listed)}\n\nThe jumbles:\n{rows}\n\nAny word of "
            f"the list is accepted {condition}; the same word may be used twice. Answer with one "
            "word for each jumble, in their order, such as "
            f"'{joined(['word'] * len(self.jumbles))}'."
        )

    def fitting(self, jumble: str) -> list[str]:
        """The words of the list that fit a jumble."""
        return [word for word in self.listed if self.holds(jumble, word)]

    def holds(self, jumble: str, word: str) -> bool:
        """Whether a jumble consists of a word's letters and the extra ones."""
        return len(jumble) == len(word) + self.extra and Counter(word) <= Counter(jumble)

    def answer(self) -> str:
        return joined([self.fitting(jumble)[0] for jumble in self.jumbles])

    def scene(self) -> Panels:
        return self.pictured([])

    def solved_scene(self, answer: str) -> Panels:
        return self.pictured(self.read(answer))

    def entry(self) -> WordsEntry:
        return WordsEntry(self.listed, ", ")

    def pictured(self, chosen: Sequence[str]) -> Panels:
        """The jumbles as tiles, each above the word that it holds if there is one, and the list."""
        rows, left = list[list[Cell]](), list[tuple[str]]()
        for n, jumble in enumerate(self.jumbles):
            rows.append(tiles(jumble, "t1"))
            left.append((str(n + 1),))
            if chosen:
                rows += [tiles(chosen[n][:LONGEST], tone="accent"), [NOTHING]]
                left += [("",), ("",)]
        return Panels((Grid(level(rows), left=tuple(left)), written(self.listed)), columns=1)

    def read(self, answer: str) -> list[str]:
        """The words of an answer, one for each jumble."""
        chosen = word_list(answer, len(self.jumbles))
        if len(chosen) != len(self.jumbles):
            raise InvalidAnswer(f"{len(chosen)} words instead of {len(self.jumbles)}")
        return chosen

    def verify(self, answer: str) -> Score:
        chosen = self.read(answer)
        right = [
            word in self.listed and self.holds(jumble, word)
            for jumble, word in zip(self.jumbles, chosen)
        ]
        if all(right):
            return Score(1, parts={"progress": 1})
        n = right.index(False)
        reason = "does not fit its jumble" if chosen[n] in self.listed else "is not in the list"
        return Score(0, f"word {n + 1} {reason}", {"progress": sum(right) / len(right)})

    def audit(self, answer: str) -> bool:
        """Whether removing a word's letters leaves the number of extra ones."""
        chosen = word_list(answer, len(self.jumbles))
        for jumble, word in zip(self.jumbles, chosen):
            left = jumble
            for letter in word:
                left = left.replace(letter, "", 1)
            if len(jumble) - len(left) != len(word) or len(left) != self.extra:
                return False
        return len(chosen) == len(self.jumbles) and set(chosen) <= set(self.listed)

    def difficulty(self) -> float:
        return float(len(self.listed) * sum(map(len, self.jumbles)))

    def random_baseline(self) -> float:
        return prod(len(self.fitting(jumble)) / len(self.listed) for jumble in self.jumbles)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(jumbles=2, listed=8, length=4, extra=1)

    def candidates(self) -> Iterable[str]:
        return map(joined, product(self.listed, repeat=len(self.jumbles)))
