"""Shortest edit scripts between two texts, whose length is the Levenshtein distance (1965)."""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from random import Random
from typing import Self

from palaestra.generators.strings.alignments import Edit, common, distances, longest_block, script
from palaestra.generators.strings.renaming import renaming
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.layout import ARROW
from palaestra.verifiers.reading.moves import steps, words
from palaestra.verifiers.reading.numbers import integer

WAYS = ((1, 0), (0, 1), (1, 1))
"""The numbers of letters that an edit inserts and removes."""

FILLERS = frozenset({"the", "letter", "character", "position", "at", "by", "with", "to"})
"""Words that an edit may contain, none of them of one letter."""

MARKS = str.maketrans(dict.fromkeys("'\"`:*", " "))


class EditScript(Puzzle):
    """Turn one text into another by the fewest insertions, deletions and replacements."""

    version = 2
    tags = {"strings", "optimisation", "dynamic-programming", "planning"}

    class Knobs(Puzzle.Knobs):
        length: int = ladder(6, 8, 12, 20, 26, 32, 40, low=5)
        letters: int = ladder(3, high=10)
        edits: int = ladder(3, 5, 10, 30, 40, 50, 60)  # between the two texts

    first: str
    second: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)
        first = "".join(rng.choices(alphabet, k=knobs.length))
        second = first
        for _ in range(knobs.edits):
            n = rng.randrange(len(second))
            inserted, removed = rng.choice(WAYS[: 3 if len(second) > 2 else 1])
            second = second[:n] + rng.choice(alphabet) * inserted + second[n + removed :]
        return cls(first=first, second=second)

    def is_valid(self) -> bool:
        """Whether no shortcut is a shortest list of edits."""
        fewest = self.fewest()
        return fewest > 1 and all(len(steps(shortcut)) > fewest for shortcut in self.shortcuts())

    def fewest(self) -> int:
        """The length of a shortest list of edits."""
        return distances(self.first, self.second)[-1][-1]

    def canonical(self) -> str:
        text = f"{self.first} {self.second}"
        return text.translate(renaming(text))

    def prompt(self) -> str:
        task = self.phrase(
            f"Turn '{self.first}' into '{self.second}' by as few edits as possible.",
            f"Find a shortest list of edits that turns '{self.first}' into '{self.second}'.",
        )
        return (
            f"{task} An edit deletes a letter, replaces a letter by another one, or inserts a "
            "letter. Edits are carried out one after the other. Positions count from 1 at the "
            "left, in the text before the edit; an inserted letter takes the stated position, and "
            "the letters from that position on move right by one (inserting at the position after "
            "the last letter appends it).\n\nAny shortest list is accepted. Write one edit "
            "per line, such as 'delete 3', 'replace 7 by q' or 'insert q at 5'."
        )

    def answer(self) -> str:
        return as_text(script(self.first, self.second))

    def verify(self, answer: str) -> Score:
        text = list(self.first)
        edits = [_read(line) for line in steps(answer.casefold())]
        for number, edit in enumerate(edits, 1):
            insert = edit.operation == "insert"
            if not 1 <= edit.position <= len(text) + insert:
                return Score(0, f"edit {number} is at a position that the text does not have")
            text[edit.position - 1 : edit.position - insert] = edit.letter
        if "".join(text) != self.second:
            return Score(0, "the edits lead to another text")
        if len(edits) > self.fewest():
            return Score(0, f"fewer than {len(edits)} edits are enough")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Carry out the edits; find the least number of edits by breadth-first search."""
        text, edits = self.first, [_read(line) for line in steps(answer.casefold())]
        for edit in edits:
            if edit.operation == "insert":
                text = text[: edit.position - 1] + edit.letter + text[edit.position - 1 :]
            elif edit.position > len(text):
                return False
            else:
                text = text[: edit.position - 1] + edit.letter + text[edit.position :]
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
        """Replace letters position by position, or keep a longest common subsequence."""
        one, other = self.first, self.second
        yield as_text(replacements(one, other))
        kept = common(one, other)
        yield as_text([*script(one, kept), *script(kept, other)])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Replace letter by letter what lies between equal ends, or between common blocks."""
        one, other = self.first, self.second
        start = equal_start(one, other)
        end = equal_start(one[start:][::-1], other[start:][::-1])
        middles = one[start : len(one) - end], other[start : len(other) - end]
        first = replacements(one, other, from_right=True)
        return {
            "position by position from the right": as_text(first),
            "equal ends kept": as_text(replacements(*middles, start)),
            "longest common block first": as_text(blocks_kept(one, other)),
        }


def equal_start(one: str, other: str) -> int:
    """How many letters two texts have in common at their beginning.

    >>> equal_start("kitten", "kite")
    3
    """
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other))])


def replacements(one: str, other: str, offset: int = 0, from_right: bool = False) -> list[Edit]:
    """Edits that replace position by position, and insert or delete what one text has more.

    That is at the end of the text, or at its beginning where the positions count from the right.
    The texts begin after so many letters that stay.
    """
    more = len(other) - len(one)
    if from_right:
        edits = [Edit("delete", offset + 1)] * -more
        edits += [Edit("insert", offset + n + 1, other[n]) for n in range(more)]
        one = other[:more] + one if more > 0 else one[-more:]
        return edits + replacements(one, other, offset)
    pairs = enumerate(zip(one, other), offset + 1)
    edits = [Edit("replace", n, b) for n, (a, b) in pairs if a != b]
    edits += [Edit("delete", offset + len(other) + 1)] * -more
    return edits + [Edit("insert", offset + n + 1, other[n]) for n in range(len(one), len(other))]


def blocks_kept(one: str, other: str, offset: int = 0) -> list[Edit]:
    """Edits that keep the longest common block, and the longest ones on either side of it."""
    i, j, length = longest_block(one, other)
    if not length:
        return replacements(one, other, offset)
    before = blocks_kept(one[:i], other[:j], offset)
    return before + blocks_kept(one[i + length :], other[j + length :], offset + j + length)


def as_text(edits: Iterable[Edit]) -> str:
    """The answer that states these edits."""
    ways = {"insert": "insert {2} at {1}", "delete": "delete {1}", "replace": "replace {1} by {2}"}
    return "\n".join(ways[edit.operation].format(*edit) for edit in edits)


def _read(line: str) -> Edit:
    match words(ARROW.sub(" ", line.translate(MARKS)), FILLERS):
        case ["delete", position]:
            return Edit("delete", integer(position))
        case ["replace", position, letter] if len(letter) == 1:
            return Edit("replace", integer(position), letter)
        case ["insert", letter, position] if len(letter) == 1:
            return Edit("insert", integer(position), letter)
    raise InvalidAnswer("not one edit per line: 'delete 3', 'replace 7 by q' or 'insert q at 5'")


def _slid(i: int, j: int, one: str, other: str) -> tuple[int, int]:
    """The positions after the equal letters from two positions on."""
    while i < len(one) and j < len(other) and one[i] == other[j]:
        i, j = i + 1, j + 1
    return i, j
