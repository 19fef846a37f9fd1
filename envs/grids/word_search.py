"""Word search, by Norman Gibat (Selenby Digest, Oklahoma, 1968): words hidden among letters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, text
from palaestra.generators.grids.lines import TONES
from palaestra.generators.vocabulary import words
from palaestra.scenes import Border, Grid, Panels, Text, cells_of
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name, cell_pair
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined, plain

STEPS = ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1), (-1, 1), (1, -1))
"""How words may run, as rows and columns from letter to letter; the easier ways come first."""

Cell = tuple[int, int]


class WordSearch(Puzzle):
    """Find where made-up words run through a grid of letters, in up to eight directions."""

    tags = {"grid", "search", "words"}
    calculation = True
    answer_type = "cells"

    class Knobs(Puzzle.Knobs):
        size: int = ladder(6, 7, 8, 10, 12, 15, 18, low=6)
        words: int = ladder(2, 3, 4, 5, 7, 9, 12, low=1)
        ways: int = ladder(2, 2, 3, 5, 8, 8, 8, low=1)  # in how many directions they may run
        decoys: int = ladder(0, 1, 2, 4, 8, 14, 22)  # beginnings of words that break off

    letters: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        ways = STEPS[: knobs.ways]
        cells: dict[Cell, str] = {}
        hidden = tuple(
            word
            for word in words(rng, knobs.words, 4, 6)
            if any(written(rng, cells, word, size, ways) for _ in range(200))
        )
        for _ in range(knobs.decoys):
            start = rng.choice(hidden)
            written(rng, cells, start[: rng.randint(2, len(start) - 1)], size, STEPS)
        spare = "".join(hidden)
        side = range(size)
        rows = ("".join(cells.get((r, c)) or rng.choice(spare) for c in side) for r in side)
        return cls(letters=tuple(rows), words=hidden)

    def canonical(self) -> str:
        return f"{self.letters} {sorted(self.words)}"

    def prompt(self) -> str:
        rules = self.phrase(
            "Words are hidden in this grid of letters. Each runs in a straight line over cells "
            "next to one another: to the right, to the left, down, up, or along a diagonal in any "
            "of the four directions. Words may cross and share letters.",
            "Find the words below in the grid of letters. A word is read along a row, a column or "
            "a diagonal, forwards or backwards, without skipping a cell; several words may use the "
            "same cell.",
        )
        return (
            f"{rules} {COUNTED}: r1c2 is the cell in row 1, column 2.\n\n{text(self.letters)}\n\n"
            f"Words: {joined(self.words)}\n\nAnswer with one line for each word: the word, a "
            "colon, the cell of its first letter, a hyphen and the cell of its last letter, such "
            f"as '{self.words[0]}: r1c1-r1c{len(self.words[0])}'. If a word occurs more than "
            "once, any of its places will do."
        )

    def scene(self) -> Panels:
        return self.picture({})

    def solved_scene(self, answer: str) -> Panels:
        return self.picture(self.read(answer))

    def picture(self, ends: Mapping[str, tuple[Cell, Cell]]) -> Panels:
        """The letters and the words, with a frame around each word whose ends are known."""
        frames = tuple(
            Border(frame(*ends[word]), tone=TONES[number % len(TONES)], width=0.07)
            for number, word in enumerate(self.words)
            if word in ends
        )
        letters = Grid(cells_of(self.letters), style="plain", borders=frames, coordinates=True)
        return Panels((letters, Text(self.words)))

    def read(self, answer: str) -> dict[str, tuple[Cell, Cell]]:
        """The first and the last cell of each word of an answer."""
        size = len(self.letters)
        values = pairs(plain(answer), names=self.words)
        return {word: cell_pair(value, size, size, "r1c2-r1c5") for word, value in values.items()}

    def answer(self) -> str:
        lines = []
        for word in self.words:
            start, step = next(occurrences(self.letters, word))
            end = run(start, step, len(word))[-1]
            lines.append(f"{word}: {cell_name(*start)}-{cell_name(*end)}")
        return "\n".join(lines)

    def verify(self, answer: str) -> Score:
        missed = []
        for word, ends in self.read(answer).items():
            if spelt(self.letters, *ends) != word:
                missed.append(word)
        if not missed:
            return Score(1, parts={"progress": 1})
        share = 1 - len(missed) / len(self.words)
        return Score(share / 2, f"{missed[0]} is not in the given cells", {"progress": share})

    def audit(self, answer: str) -> bool:
        """List all occurrences of each word."""
        every = {}
        for word in self.words:
            for start, step in occurrences(self.letters, word):
                end = run(start, step, len(word))[-1]
                every[word, start, end] = True
        size = len(self.letters)
        values = pairs(plain(answer), names=self.words)
        return all((word, *cell_pair(value, size, size)) in every for word, value in values.items())

    def difficulty(self) -> float:
        return float(len(self.letters) ** 2 * len(self.words))


def run(start: Cell, step: Cell, length: int) -> list[Cell]:
    """The cells of a word.

    >>> run((0, 0), (1, 1), 3)
    [(0, 0), (1, 1), (2, 2)]
    """
    return [(start[0] + n * step[0], start[1] + n * step[1]) for n in range(length)]


def inside(cells: Iterable[Cell], size: int) -> bool:
    """Whether cells are all in a square."""
    return all(0 <= row < size and 0 <= column < size for row, column in cells)


def written(
    rng: Random, cells: dict[Cell, str], word: str, size: int, steps: Sequence[Cell]
) -> bool:
    """Write a word at a random position if the letters there allow it; return whether they do."""
    path = run((rng.randrange(size), rng.randrange(size)), rng.choice(steps), len(word))
    fits = inside((path[0], path[-1]), size) and all(
        cells.get(where, letter) == letter for where, letter in zip(path, word)
    )
    if fits:
        cells.update(zip(path, word))
    return fits


def occurrences(letters: Sequence[str], word: str) -> Iterator[tuple[Cell, Cell]]:
    """The start and the step of each occurrence of a word."""
    size = len(letters)
    starts = ((row, column) for row in range(size) for column in range(size))
    for start in starts:
        if letters[start[0]][start[1]] == word[0]:
            for step in STEPS:
                path = run(start, step, len(word))
                if inside(path[-1:], size) and all(
                    letters[r][c] == letter for (r, c), letter in zip(path, word)
                ):
                    yield start, step


def spelt(letters: Sequence[str], start: Cell, end: Cell) -> str:
    """What is read from one cell to another; empty if they are not in line.

    >>> spelt(["ab", "cd"], (1, 1), (0, 0)), spelt(["abc", "def"], (0, 0), (1, 2))
    ('da', '')
    """
    down, across = end[0] - start[0], end[1] - start[1]
    length = max(abs(down), abs(across))
    if length and (down % length or across % length):
        return ""
    step = (down // length, across // length) if length else (0, 0)
    return "".join(letters[r][c] for r, c in run(start, step, length + 1))


def frame(start: Cell, end: Cell) -> tuple[tuple[float, float], ...]:
    """The corners of a closed frame around the letters from one cell to another.

    >>> [(round(r, 2), round(c, 2)) for r, c in frame((0, 0), (0, 1))][:2]
    [(0.1, 0.34), (0.32, 0.12)]
    """
    down, across = end[0] - start[0], end[1] - start[1]
    length = hypot(down, across) or 1.0
    way = (down / length, across / length) if start != end else (0.0, 1.0)
    corners = [
        (
            row + 0.5 + sign * (along * way[0] + aside * way[1]),
            column + 0.5 + sign * (along * way[1] - aside * way[0]),
        )
        for (row, column), sign in ((start, 1), (end, -1))
        for along, aside in ((-0.16, -0.4), (-0.38, -0.18), (-0.38, 0.18), (-0.16, 0.4))
    ]
    return (*corners, corners[0])
