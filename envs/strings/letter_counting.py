"""Counting letters in words and texts, also by their positions and neighbours."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers

VOWELS = "aeiou"


class Count(NamedTuple):
    """How to count a letter in a word, and two ways to ask for it."""

    number: Callable[[str, str], int]
    ask: str
    again: str


def _before_vowel(word: str, letter: str) -> int:
    return sum(one == letter and other in VOWELS for one, other in pairwise(word))


def _between(word: str, letter: str) -> int:
    return sum(
        two == letter and one not in VOWELS and three in VOWELS
        for one, two, three in zip(word, word[1:], word[2:])
    )


COUNTS = {
    # Models of 0.1 M parameters start here, so these questions have only one wording.
    "letter": Count(str.count, "Count", "Count"),
    "ends": Count(
        lambda word, letter: word.startswith(letter) + word.endswith(letter),
        "For each of the letters {letters}: at how many ends of these words is it? A word has two "
        "ends, its first letter and its last one; both count if both are the letter.",
        "Count, for each of the letters {letters}, the words that begin with it, and add the "
        "number of the words that end with it.",
    ),
    "vowel": Count(
        _before_vowel,
        "How often is each of the letters {letters} directly followed by one of a, e, i, o, u in "
        "the same word?",
        "For each of the letters {letters}, count the places where the next letter of the word is "
        "a, e, i, o or u.",
    ),
    "between": Count(
        _between,
        "How often is each of the letters {letters}, within a word, directly after a letter "
        "other than a, e, i, o, u and directly before one of a, e, i, o, u?",
        "For each of the letters {letters}, count the places where the letter before it in the "
        "word is none of a, e, i, o, u, and the letter after it in the word is one of them.",
    ),
}


class LetterCounting(Puzzle):
    """Count several letters in invented words, everywhere or only in some positions."""

    version = 4
    tags = {"strings", "counting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        words: int = ladder(1, 3, 6, 12, 20, 32, 45, 60, high=80)
        letters: int = ladder(3, 4, 4, 4, 5, 5, low=2, high=6)
        what: Literal["letter", "ends", "vowel", "between"] = ladder(
            "letter", "letter", "ends", "vowel", "between", "between"
        )

    text: str
    letters: str
    what: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        counted = "".join(rng.sample("abcdefghij", knobs.letters))
        letters = counted + ("" if knobs.what == "letter" else "".join(rng.sample("klmou", 2)))
        weights = [rng.randint(1, 4) for _ in letters]
        sizes = (10, 15) if knobs.words == 1 else (3, 9)
        words = [
            "".join(rng.choices(letters, weights, k=rng.randint(*sizes)))
            for _ in range(knobs.words)
        ]
        return cls(text=" ".join(words), letters=counted, what=knobs.what)

    def is_valid(self) -> bool:
        """Whether at least two counts are not 0."""
        return sum(map(bool, self.counts())) > 1

    def counts(self) -> list[int]:
        """The counts, in the order of the letters of the question."""
        number, words = COUNTS[self.what].number, self.text.split()
        return [sum(number(word, letter) for word in words) for letter in self.letters]

    def prompt(self) -> str:
        counted = " ".join(self.letters)
        if self.what == "letter":
            example = " ".join(str(20 + n) for n in range(len(self.letters)))
            return f"Count {counted}, such as '{example}': {self.text}"
        ask = self.phrase(*COUNTS[self.what][1:]).format(letters=counted)
        example = " ".join(str(30 + n) for n in range(len(self.letters)))
        return (
            f"{ask}\n{self.text}\nAnswer with the {len(self.letters)} counts, in the order of the "
            f"letters, such as '{example}'."
        )

    def answer(self) -> str:
        return " ".join(map(str, self.counts()))

    def verify(self, answer: str) -> Score:
        numbers, right = integers(answer, len(self.letters)), self.counts()
        parts = {"progress": sum(map(int.__eq__, numbers, right)) / len(right)}
        if numbers == right:
            return Score(1, "", parts)
        letter = next(letter for letter, a, b in zip(self.letters, numbers, right) if a != b)
        return Score(0, f"the count of {letter} is wrong", parts)

    def difficulty(self) -> float:
        """The number of letters of the text, weighted by how many each decision depends on."""
        return len(self.text) * {"letter": 1, "ends": 1, "vowel": 2, "between": 3}[self.what]

    def shortcuts(self) -> Iterable[str]:
        even = max(1, len(self.text) // (len(self.letters) + 1))
        for number in (0, 1, 2, 3, even):
            yield " ".join([str(number)] * len(self.letters))
