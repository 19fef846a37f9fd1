"""Reversing a word, each word, the order of words, pairs or blocks of letters."""

from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple, Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import word_list


class Way(NamedTuple):
    """A rearrangement of letters, and two ways to ask for it."""

    turn: Callable[[str], str]
    ask: str
    again: str


def _blocks(text: str, size: int) -> str:
    """The text with each block of ``size`` letters reversed, the shorter last one included."""
    return "".join(text[n : n + size][::-1] for n in range(0, len(text), size))


WAYS = {
    # Models of 0.1 M parameters start here, so these questions have only one wording.
    "whole": Way(lambda text: text[::-1], "Backwards", "Backwards"),
    "words": Way(
        lambda text: " ".join(text.split(" ")[::-1]),
        "Write these words in the opposite order, each word as it is",
        "Put the last of these words first, then the one before it, and so on; do not change the "
        "words themselves",
    ),
    "each": Way(
        lambda text: " ".join(word[::-1] for word in text.split(" ")),
        "Spell each of these words backwards and keep the order of the words",
        "Reverse the letters of every word; the order of the words stays as it is",
    ),
    "threes": Way(
        lambda text: " ".join(_blocks(word, 3) for word in text.split(" ")),
        "Cut each of these words into blocks of three letters from its left end (the last block "
        "may be shorter), and spell each block backwards where it is",
        "In each word, reverse letters 1 to 3, letters 4 to 6, and so on, each group separately "
        "and in its place; a last group of one or two letters is reversed, too",
    ),
    "both": Way(
        lambda text: " ".join(_blocks(word, 2) for word in text.split(" ")[::-1]),
        "Write these words in the opposite order, and in each word swap letters 1 and 2, letters 3 "
        "and 4, and so on; the last letter of a word of odd length does not move",
        "Begin with the last word and end with the first one. Within each word swap its first two "
        "letters, then the next two, and so on; a letter that is left over at the end does not "
        "move",
    ),
}


class SpellBackwards(Puzzle):
    """Write words of random letters backwards, as a whole, word by word or in blocks."""

    tags = {"strings", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        words: int = ladder(1, 1, 4, 5, 6, 10, 16, high=40)
        letters: int = ladder(5, 9, 5, 7, 9, 11, 13, low=3, high=40)  # of the longest word
        alphabet: int = ladder(4, 26, 26, 26, 26, 26, 26, low=3, high=26)
        way: Literal["whole", "words", "each", "threes", "both"] = ladder(
            "whole", "whole", "words", "each", "threes", "both", "both"
        )

    text: str
    way: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        letters = "abcdefghijklmnopqrstuvwxyz"[: knobs.alphabet]
        shortest = knobs.letters if knobs.words == 1 else -(-knobs.letters // 2)
        words = max(knobs.words, 2) if knobs.way == "words" else knobs.words  # one has no order
        sizes = [rng.randint(shortest, knobs.letters) for _ in range(words)]
        text = " ".join(["".join(rng.choices(letters, k=size)) for size in sizes])
        return cls(text=text, way=knobs.way)

    def is_valid(self) -> bool:
        return self.answer() != self.text

    def prompt(self) -> str:
        ask = self.phrase(*WAYS[self.way][1:])
        if self.way == "whole":
            return f"{ask}, such as 'cba': {self.text}"
        return (
            f"{ask}:\n{self.text}\nAnswer with the words alone, separated by spaces, such as "
            "'edoc txet'."
        )

    def answer(self) -> str:
        return WAYS[self.way].turn(self.text)

    def verify(self, answer: str) -> Score:
        right = self.answer()
        spelled = " ".join(word_list(answer, right.count(" ") + 1))
        places = sum(map(str.__eq__, spelled, right)) / max(len(spelled), len(right))
        parts = {"progress": places}
        if spelled == right:
            return Score(1, "", parts)
        if sorted(spelled) != sorted(right):
            return Score(0, "the letters are not those of the words", parts)
        return Score(0, "the letters are right, but some are in wrong positions", parts)

    def difficulty(self) -> float:
        """The number of letters to move, counted twice if they move in blocks."""
        return len(self.text) * (2 if self.way in {"threes", "both"} else 1)
