"""Undoing the block-sorting transform of Michael Burrows and David Wheeler (1994)."""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Self

from palaestra.generators.strings.phrase_codes import repetitive
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import letters

END = "!"


def transformed(text: str) -> str:
    """The last letters of all sorted rotations of a text with an end mark.

    >>> transformed("banana")
    'annb!aa'
    """
    whole = text + END
    return "".join(row[-1] for row in sorted(whole[n:] + whole[:n] for n in range(len(whole))))


def restored(column: str) -> str:
    """The text whose transform is given: letters of one kind keep their order among themselves.

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

    class Knobs(Puzzle.Knobs):
        length: int = ladder(5, 7, 9, 12, 16, 22, low=5, high=40)
        letters: int = ladder(5, 5, 4, 4, 3, 3, low=2, high=8)

    column: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = "".join(rng.sample("abcdefghijklmnoprstuvwxyz", knobs.letters))
        if knobs.length <= 12:
            text = "".join(rng.choices(kinds, k=knobs.length))
        else:
            text = repetitive(rng, knobs.length, kinds)
        return cls(column=transformed(text))

    def is_valid(self) -> bool:
        text = restored(self.column)
        return len(set(text)) > 1 and text not in {*self.shortcuts(), self.column.replace(END, "")}

    def canonical(self) -> str:
        kinds = "".join(sorted(set(self.column) - {END}))
        return self.column.translate(str.maketrans(kinds, "abcdefgh"[: len(kinds)]))

    def prompt(self) -> str:
        size = len(self.column) - 1
        task = self.phrase(
            "A text was scrambled in this way; find the text.",
            "Find out which text was turned into the row below by these steps.",
        )
        return (
            f"{task} First the sign {END} was put after its last letter. Then all rotations of "
            "the result were written down: one begins at each of its signs, goes on to the end, "
            "and continues with what stands before that sign. The rotations were sorted as in a "
            f"dictionary, with {END} before all letters, and the last sign of each was taken, in "
            f"this order (for 'xyx' the sorted rotations are '{END}xyx', 'x{END}xy', 'xyx{END}', "
            f"'yx{END}x', and what is taken is 'xy{END}x').\n\n{self.column}\n\nAnswer with the "
            f"text of {size} letters, without {END}, such as 'xyx'."
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
        return Score(0, f"it is scrambled to {'another order' if same else 'other letters'}")

    def difficulty(self) -> float:
        return float(len(self.column) ** 2)

    def shortcuts(self) -> Iterable[str]:
        bare = self.column.replace(END, "")
        yield bare[::-1]
        yield "".join(sorted(bare))
        yield "".join(sorted(bare, reverse=True))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=5, letters=4)

    def candidates(self) -> Iterable[str]:
        return sorted({"".join(row) for row in permutations(self.column.replace(END, ""))})
