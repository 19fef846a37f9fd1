"""Shortest lists of edits between two texts; their length is Vladimir Levenshtein's (1965)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.strings.alignments import Edit, common, distances, script
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import steps
from palaestra.verifiers.reading.values import integer

WAYS = ((1, 0), (0, 1), (1, 1))
"""How many letters an edit puts in, and how many it takes out."""


class EditScript(Puzzle):
    """Turn one text into another by the fewest insertions, deletions and replacements."""

    tags = {"strings", "optimisation", "dynamic-programming", "planning"}

    class Knobs(Puzzle.Knobs):
        length: int = ladder(6, 8, 11, 15, 20, 28, low=5, high=40)
        letters: int = ladder(3, 3, 4, 4, 4, 5, low=3, high=10)
        edits: int = ladder(3, 4, 6, 8, 11, 15, high=20)  # that the second text is made by

    first: str
    second: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)
        first = "".join(rng.choices(kinds, k=knobs.length))
        second = first
        for _ in range(knobs.edits):
            place = rng.randrange(len(second))
            new, keep = rng.choice(WAYS[: 3 if len(second) > 2 else 1])
            second = second[:place] + rng.choice(kinds) * new + second[place + keep :]
        return cls(first=first, second=second)

    def is_valid(self) -> bool:
        """Whether neither replacing place by place nor keeping all that is common is shortest."""
        fewest = self.fewest()
        return fewest > 1 and all(len(steps(shortcut)) > fewest for shortcut in self.shortcuts())

    def fewest(self) -> int:
        """The length of a shortest list of edits."""
        return distances(self.first, self.second)[-1][-1]

    def canonical(self) -> str:
        text = f"{self.first} {self.second}"
        kinds = "".join(dict.fromkeys(text.replace(" ", "")))
        return text.translate(str.maketrans(kinds, "abcdefghij"[: len(kinds)]))

    def prompt(self) -> str:
        task = self.phrase(
            f"Turn '{self.first}' into '{self.second}' by as few edits as possible.",
            f"Find a shortest list of edits that makes '{self.second}' out of '{self.first}'.",
        )
        return (
            f"{task} An edit deletes a letter, replaces a letter by another one, or inserts a "
            "letter. Edits are made one after the other. Positions count from 1 at the left, in "
            "the text as it is when the edit is made; an inserted letter takes the position named, "
            "and the letters from that position on move right by one (inserting at the position "
            "after the last letter appends it).\n\nAny shortest list is accepted. Write one edit "
            "per line, such as 'delete 3', 'replace 7 by q' or 'insert q at 5'."
        )

    def answer(self) -> str:
        return as_text(script(self.first, self.second))

    def verify(self, answer: str) -> Score:
        text = list(self.first)
        edits = [_read(line) for line in steps(answer.casefold())]
        for number, (kind, place, letter) in enumerate(edits, 1):
            if not 1 <= place <= len(text) + (kind == "insert"):
                return Score(0, f"edit {number} is at a position that the text does not have")
            text[place - 1 : place - (kind == "insert")] = letter
        if "".join(text) != self.second:
            return Score(0, "the edits lead to another text")
        if len(edits) > self.fewest():
            return Score(0, f"it can be done with fewer than {len(edits)} edits")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Makes the edits on a text; counts the fewest by what can be reached with one more."""
        text, edits = self.first, [_read(line) for line in steps(answer.casefold())]
        for kind, place, letter in edits:
            if kind == "insert":
                text = text[: place - 1] + letter + text[place - 1 :]
            elif place > len(text):
                return False
            else:
                text = text[: place - 1] + letter + text[place:]
        frontier, fewest = {(0, 0)}, 0
        end = len(self.first), len(self.second)
        while True:
            frontier = {_slid(i, j, self.first, self.second) for i, j in frontier}
            if end in frontier:
                return text == self.second and len(edits) == fewest
            fewest += 1
            moves = {(i + a, j + b) for i, j in frontier for a, b in ((0, 1), (1, 0), (1, 1))}
            frontier = {(i, j) for i, j in moves if i <= end[0] and j <= end[1]}

    def difficulty(self) -> float:
        return float(len(self.first) * len(self.second) * self.fewest())

    def shortcuts(self) -> Iterable[str]:
        """Replace place by place and add or drop the rest; drop and insert all but the common."""
        one, other = self.first, self.second
        both = list(enumerate(zip(one, other), 1))
        edits = [Edit("replace", place, b) for place, (a, b) in both if a != b]
        edits += [Edit("delete", len(other) + 1)] * (len(one) - len(other))
        edits += [Edit("insert", n + 1, other[n]) for n in range(len(one), len(other))]
        yield as_text(edits)
        kept = common(one, other)
        yield as_text([*script(one, kept), *script(kept, other)])


def as_text(edits: Iterable[Edit]) -> str:
    """Edits as an answer."""
    ways = {"insert": "insert {2} at {1}", "delete": "delete {1}", "replace": "replace {1} by {2}"}
    return "\n".join(ways[edit.kind].format(*edit) for edit in edits)


def _read(line: str) -> Edit:
    match line.replace("'", "").split():
        case ["delete", place]:
            return Edit("delete", integer(place))
        case ["replace", place, "by" | "with", letter] if len(letter) == 1:
            return Edit("replace", integer(place), letter)
        case ["insert", letter, "at", place] if len(letter) == 1:
            return Edit("insert", integer(place), letter)
    raise InvalidAnswer("not one edit per line: 'delete 3', 'replace 7 by q' or 'insert q at 5'")


def _slid(i: int, j: int, one: str, other: str) -> tuple[int, int]:
    """How far equal letters lead on from two places."""
    while i < len(one) and j < len(other) and one[i] == other[j]:
        i, j = i + 1, j + 1
    return i, j
