"""Large letters composed of characters, as the Unix program banner prints them."""

from itertools import product
from random import Random
from typing import Self

from palaestra.generators.spatial.ascii_banner import (
    CODES,
    FONT,
    Dots,
    code,
    inked,
    inverted,
    mirrored,
    noisy,
    sheared,
    stretched,
    upended,
    written,
)
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.words import letters

INKS = ("#.", "@ ", "X-", "o ", "10", "+.", "%:", "*_")
STYLES = ("plain", "inverted", "sheared", "mirrored", "upended")


class AsciiBanner(Puzzle):
    """Read letters drawn large with characters: slanted, inverted, mirrored, turned or noisy."""

    tags = {"spatial", "perception", "text", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(3, 4, 5, 6, 7, 8, 10, low=2, high=16)
        styles: int = ladder(1, 2, 3, 4, 5)  # number of styles in use
        noise: float = ladder(0.0, 0.0, 0.0, 0.01, 0.02, 0.03, 0.05, high=0.06)

    picture: tuple[str, ...]
    ink: str
    style: str
    size: tuple[int, int]
    """The numbers of columns and rows of each dot."""

    slope: int
    letters: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        word = "".join(rng.choices([*FONT], k=knobs.letters))
        # The last style of a level is the most frequent one, since it makes the level hard.
        style = STYLES[max(rng.randrange(knobs.styles) for _ in range(2))]
        slope = rng.choice((-1, 1)) if style == "sheared" else 0
        size = rng.choice([(1, 1), (2, 1), (1, 1), (2, 2)])
        dots = noisy(rng, written(word), knobs.noise)
        ink = rng.choice(INKS)
        picture = inked(dressed(dots, style, slope, size), ink)
        letters = knobs.letters
        return cls(picture=picture, ink=ink, style=style, slope=slope, size=size, letters=letters)

    def is_valid(self) -> bool:
        """Whether each letter is clearly nearest to one letter of the alphabet."""
        return all(second - first >= 3 for first, second, _ in self.matches())

    def canonical(self) -> str:
        return f"{self.style} {self.slope} {self.dots()}"

    def matches(self) -> list[tuple[int, int, str]]:
        """For each letter: the distances to the two nearest letters, and the nearest letter."""
        dots, spots = self.dots(), []
        for start in range(0, 6 * self.letters, 6):
            read = code([row[start : start + 5] for row in dots])
            near = sorted(((read ^ seen).bit_count(), letter) for letter, seen in CODES.items())
            spots.append((near[0][0], near[1][0], near[0][1]))
        return spots

    def dots(self) -> Dots:
        """The dots of the picture without its style."""
        wide, high = self.size
        dots = [[sign == self.ink[0] for sign in row[::wide]] for row in self.picture[::high]]
        if self.style == "inverted":
            return [[not dot for dot in row[1:-1]] for row in dots[1:-1]]
        if self.style == "sheared":
            shifts = range(len(dots)) if self.slope < 0 else range(len(dots) - 1, -1, -1)
            wide = len(dots[0]) - len(dots) + 1
            return [row[by : by + wide] for by, row in zip(shifts, dots)]
        if self.style == "upended":
            return [[*column] for column in zip(*dots)][::-1]
        return mirrored(dots) if self.style == "mirrored" else dots

    def prompt(self) -> str:
        dressed = {
            "plain": "",
            "inverted": " It is in negative: the letters are what the background leaves out.",
            "sheared": " The letters are slanted.",
            "mirrored": " It is seen in a mirror, so that it reads from right to left.",
            "upended": " It is turned by a quarter clockwise, so that it reads from the top down.",
        }[self.style]
        rules = self.phrase(
            f"The picture below shows {self.letters} capital letters of the English alphabet in "
            "one line, drawn large with characters.",
            f"Read the {self.letters} big capital letters (A to Z) in this drawing.",
        )
        noise = " A few of its dots may be wrong." if any(n for n, _, _ in self.matches()) else ""
        drawing = "\n".join(self.picture)
        return (
            f"{rules}{dressed}{noise} The letters need not form a word.\n\n{drawing}\n\nAnswer "
            "with the letters in the order in which they are read, such as "
            f"'{'KQXEB' * 9:.{self.letters}}'."
        )

    def answer(self) -> str:
        return "".join(letter for *_, letter in self.matches())

    def read(self, answer: str) -> str:
        """The letters of an answer."""
        text = letters(answer.replace("-", " "), FONT, f"a row of {self.letters} letters")
        if len(text) != self.letters:
            raise InvalidAnswer(f"expected {self.letters} letters, got {len(text)}")
        return text

    def verify(self, answer: str) -> Score:
        text = self.read(answer)
        right = sum(a == b for a, b in zip(text, self.answer()))
        if right == self.letters:
            return Score(1)
        return Score(0, f"{self.letters - right} of the letters are wrong")

    def scene(self) -> Grid:
        signs = {self.ink[0]: Cell(fill="dark"), self.ink[1]: Cell()}
        return Grid(cells_of(self.picture, signs), style="plain")

    def solved_scene(self, answer: str) -> Panels:
        wide, high = self.size
        large = stretched(written(self.read(answer)), wide, high)
        signs = {"True": Cell(fill="accent"), "False": Cell()}
        read = Grid(cells_of(large, signs), style="plain")
        return Panels((self.scene(), read), columns=1)

    def difficulty(self) -> float | None:
        return self.letters * (1 + STYLES.index(self.style)) + sum(n for n, _, _ in self.matches())

    def random_baseline(self) -> float:
        return float(len(FONT)) ** -self.letters

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(letters=2)

    def candidates(self) -> list[str]:
        return ["".join(some) for some in product(FONT, repeat=2)]


def dressed(dots: Dots, style: str, slope: int, size: tuple[int, int]) -> Dots:
    """Dots in a style and a size."""
    if style == "inverted":
        dots = inverted(dots)
    elif style == "sheared":
        dots = sheared(dots, slope)
    elif style == "mirrored":
        dots = mirrored(dots)
    elif style == "upended":
        dots = upended(dots)
    return stretched(dots, *size)
