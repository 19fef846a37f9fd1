"""Lexicographic order of words by the usual alphabet, by other alphabets, and from the end."""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.tiles import written
from palaestra.scenes import Text
from palaestra.scenes.entries import WordsEntry
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import word_list

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FORM = "Answer with the words on one line, separated by spaces, such as 'pa le ro'."


class WordSorting(Puzzle):
    """Sort invented words by the usual alphabet or another one, also backwards."""

    version = 2
    tags = {"strings", "sorting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        words: int = ladder(3, 5, 8, 12, 16, 24, 40, 60, low=2, high=100)
        letters: int = ladder(2, 3, 4, 5, 6, 8, low=2, high=20)  # of the longest word
        stem: int = ladder(0, 0, 1, 2, 3, 5, low=0, high=10)  # length of the common beginnings
        order: Literal["usual", "falling", "strange", "backwards"] = ladder(
            "usual", "usual", "falling", "strange", "strange", "backwards"
        )

    words: tuple[str, ...]
    order: str
    alphabet: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = "".join(rng.sample(LETTERS, 26)) if knobs.order in STRANGE else LETTERS
        stems = ["".join(rng.choices(LETTERS, k=knobs.stem)) for _ in range(2)]
        words: dict[str, None] = {}
        while len(words) < knobs.words:
            tail = "".join(rng.choices(LETTERS, k=rng.randint(1, knobs.letters)))
            stem = rng.choice(stems)
            words[tail + stem if knobs.order == "backwards" else stem + tail] = None
        return cls(words=tuple(words), order=knobs.order, alphabet=alphabet)

    def is_valid(self) -> bool:
        return self.sorted() != list(self.words)

    def canonical(self) -> str:
        return f"{self.order} {self.alphabet} {sorted(self.words)}"

    def sorted(self) -> list[str]:
        """The words in order."""
        ranks = str.maketrans(self.alphabet, LETTERS)

        def key(word: str) -> str:
            return (word[::-1] if self.order == "backwards" else word).translate(ranks)

        usual = self.alphabet == LETTERS and self.order != "backwards"
        return sorted(self.words, key=None if usual else key, reverse=self.order == "falling")

    def prompt(self) -> str:
        row = " ".join(self.words)
        if self.order == "usual":
            # A short prompt for the smallest models.
            return f"Alphabetical order, such as 'ab b c': {row}"
        if self.order == "falling":
            ask = self.phrase(
                "Put these words in reverse alphabetical order, beginning with the word that a "
                "dictionary lists last.",
                "Sort these words from z to a: the word that would come last in a dictionary is "
                "the first. If one word is the beginning of another, the longer word comes first.",
            )
            return f"{ask}\n{row}\n{FORM}"
        ask = self.phrase(
            "Sort these words as a dictionary would if the alphabet had this order:",
            "In another alphabet the letters have the order below. Put the words in the order that "
            "a dictionary of it would have:",
        )
        order = f"{ask} {' '.join(self.alphabet)}\n"
        if self.order == "backwards":
            order += (
                "Words are compared from their last letter to their first one, as if they were "
                "spelled backwards. If one word is the end of another, the shorter word comes "
                "first."
            )
        else:
            order += "If one word is the beginning of another, the shorter word comes first."
        return f"{order}\nThe words: {row}\n{FORM}"

    def answer(self) -> str:
        return " ".join(self.sorted())

    def scene(self) -> Text:
        return written(self.words)

    def entry(self) -> WordsEntry:
        return WordsEntry(self.words, repeats=False)

    def verify(self, answer: str) -> Score:
        right = self.sorted()
        listed = word_list(answer, len(right))
        parts = {"progress": sum(map(str.__eq__, listed, right)) / max(len(listed), len(right))}
        if listed == right:
            return Score(1, "", parts)
        if sorted(listed) != sorted(right):
            return Score(0, "these are not the words to sort", parts)
        first = next(n for n, (one, other) in enumerate(zip(listed, right), 1) if one != other)
        return Score(0, f"the order is wrong from word {first} on", parts)

    def difficulty(self) -> float:
        """The number of letters, counted twice if the alphabet has to be looked up."""
        return sum(map(len, self.words)) * (2 if self.order in STRANGE else 1)

    def random_baseline(self) -> float:
        order = 1.0
        for n in range(2, len(self.words) + 1):
            order /= n
        return order

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(words=4, letters=2, stem=1, order="backwards")

    def candidates(self) -> Iterable[str]:
        return (" ".join(row) for row in permutations(self.words))


STRANGE = {"strange", "backwards"}
