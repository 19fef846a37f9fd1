"""The inverse of the block-sorting transform of Michael Burrows and David Wheeler (1994)."""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Self

from palaestra.generators.strings.phrase_codes import repetitive
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import letters

END = "!"


def transformed(text: str) -> str:
    """The last characters of all sorted rotations of a text with an end mark.

    >>> transformed("banana")
    'annb!aa'
    """
    marked = text + END
    return "".join(row[-1] for row in sorted(marked[n:] + marked[:n] for n in range(len(marked))))


def restored(column: str) -> str:
    """The text with a transform: equal letters keep their order in both columns of the rotations.

    >>> restored("annb!aa")
    'banana'
    """
    follows = sorted(range(len(column)), key=lambda row: column[row])
    row, text = follows[0], ""
    for _ in column[1:]:
        row = follows[row]
        text += column[row]
    return text


class BurrowsWheeler(Puzzle):
    """Find the text whose sorted rotations end with the given letters."""

    tags = {"strings", "coding", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        length: int = ladder(5, 7, 9, 12, 16, 22, low=5, high=40)
        letters: int = ladder(5, 5, 4, 4, 3, 3, low=2, high=8)

    column: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = "".join(rng.sample("abcdefghijklmnoprstuvwxyz", knobs.letters))
        if knobs.length <= 12:
            text = "".join(rng.choices(alphabet, k=knobs.length))
        else:
            text = repetitive(rng, knobs.length, alphabet)
        return cls(column=transformed(text))

    def is_valid(self) -> bool:
        text = restored(self.column)
        return len(set(text)) > 1 and text not in {*self.shortcuts(), self.column.replace(END, "")}

    def canonical(self) -> str:
        alphabet = "".join(sorted(set(self.column) - {END}))
        return self.column.translate(str.maketrans(alphabet, "abcdefgh"[: len(alphabet)]))

    def prompt(self) -> str:
        size = len(self.column) - 1
        example = "".join(sorted(set(self.column) - {END}))
        task = self.phrase(
            "A text was scrambled in this way; find the text.",
            "Find out which text was turned into the row below by these steps.",
        )
        return (
            f"{task} First the character {END} was appended to the text. Then all rotations of the "
            "result were listed: each begins at one of its characters, goes on to the end, and "
            "continues with the characters before that one. The rotations were sorted as in a "
            f"dictionary, with {END} before all letters, and the last characters were written in "
            f"this order (for 'xyx' the sorted rotations are '{END}xyx', 'x{END}xy', 'xyx{END}', "
            f"'yx{END}x', and the result is 'xy{END}x').\n\n{self.column}\n\nAnswer with the "
            f"text of {size} letters, without {END}, such as '{example}'."
        )

    def answer(self) -> str:
        return restored(self.column)

    def verify(self, answer: str) -> Score:
        row = letters(answer, set(self.column) - {END})
        if len(row) != len(self.column) - 1:
            return Score(0, f"the text has {len(self.column) - 1} letters, not {len(row)}")
        if transformed(row) == self.column:
            return Score(1)
        same = sorted(row + END) == sorted(self.column)
        return Score(0, f"the steps turn it into {'another order' if same else 'other letters'}")

    def difficulty(self) -> float:
        return float(len(self.column) ** 2)

    def shortcuts(self) -> Iterable[str]:
        plain = self.column.replace(END, "")
        yield plain[::-1]
        yield "".join(sorted(plain))
        yield "".join(sorted(plain, reverse=True))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=5, letters=4)

    def candidates(self) -> Iterable[str]:
        return sorted({"".join(row) for row in permutations(self.column.replace(END, ""))})
