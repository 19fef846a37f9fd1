"""Made-up codes of diagnoses, drugs and measurements."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.vocabulary import changed, words

Type = Literal["diagnosis", "drug", "measurement"]

LETTERS: dict[Type, str] = {"diagnosis": "D", "drug": "R", "measurement": "M"}
"""What the codes of each type begin with."""

NOUNS: dict[Type, tuple[str, ...]] = {
    "diagnosis": ("fever", "syndrome", "anaemia", "colic", "disorder", "palsy", "dermatitis"),
    "drug": ("tablets", "drops", "syrup", "capsules", "ointment", "spray", "powder"),
    "measurement": ("level", "index", "count", "rate", "ratio"),
}

FACTORS = (20, 25, 40, 50, 125, 200, 250, 400, 500, 2_000)
"""How many hundredths of the first unit another unit is."""

SCALE = 100
"""Values have two decimals and are integers of hundredths of their unit."""


class Code(NamedTuple):
    """An entry of the code book; ``parent`` is the number of another one, or -1."""

    code: str
    name: str
    type: Type
    parent: int
    units: tuple[str, ...] = ()
    """Those of a measurement."""
    factors: tuple[int, ...] = ()
    """What each of the units is in hundredths of the first one."""
    low: int = 0
    high: int = 0
    """The ends of the reference range, in hundredths of the first unit."""


class CodeBook:
    """All codes of a task, and how they are below each other."""

    def __init__(self, codes: Sequence[Code]) -> None:
        self.codes = codes
        self.children: list[list[int]] = [[] for _ in codes]
        for number, code in enumerate(codes):
            if code.parent >= 0:
                self.children[code.parent].append(number)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers by code."""
        return {code.code: number for number, code in enumerate(self.codes)}

    def below(self, number: int) -> list[int]:
        """A code with its sub-codes at every depth."""
        return [number, *(each for child in self.children[number] for each in self.below(child))]

    def of(self, code_type: Type) -> list[int]:
        """The numbers of the codes of a type."""
        return [number for number, code in enumerate(self.codes) if code.type == code_type]


def random_code_book(rng: Random, diagnoses: int, drugs: int, measurements: int) -> CodeBook:
    """A code book with so many codes of each type.

    Diagnoses and drugs are trees of up to four levels. The name of a sub-code tells nothing of its
    parent, and some names differ in a letter.
    """
    total = diagnoses + drugs + measurements
    stems = iter(words(rng, total + 2 * measurements, 5, 7))
    numbers = iter(rng.sample(range(100, 1_000), total))
    codes: list[Code] = []
    for shape in (_Tree("diagnosis", diagnoses, 0), _Tree("drug", drugs, diagnoses)):
        codes += _tree(rng, shape, stems, numbers)
    for _ in range(measurements):
        codes.append(_measurement(rng, next(stems), [next(stems), next(stems)], next(numbers)))
    return CodeBook(codes)


class _Tree(NamedTuple):
    type: Type
    size: int
    offset: int
    """How many codes come before it in the code book."""


def _tree(
    rng: Random, shape: _Tree, stems: Iterator[str], numbers: Iterator[int]
) -> Iterator[Code]:
    """Codes of which a sixth are roots, at least two; the others are below earlier ones."""
    names: list[str] = []
    depths: list[int] = []
    roots = max(2, shape.size // 6)
    for n in range(shape.size):
        parent = -1
        if n >= roots:
            parent = n - roots if n < 2 * roots else rng.randrange(n)
            while depths[parent] == 3:
                parent = rng.randrange(n)
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        name = f"{next(stems)} {rng.choice(NOUNS[shape.type])}"
        if names and rng.random() < 0.2:
            stem, _, noun = rng.choice(names).partition(" ")
            near_name = f"{changed(rng, stem)} {noun}"
            name = name if near_name in names else near_name
        names.append(name)
        above = parent + shape.offset if parent >= 0 else -1
        yield Code(f"{LETTERS[shape.type]}{next(numbers)}", name, shape.type, above)


def _measurement(rng: Random, stem: str, units: Sequence[str], number: int) -> Code:
    low = rng.randint(20, 60) * 10
    return Code(
        f"M{number}",
        f"{stem} {rng.choice(NOUNS['measurement'])}",
        "measurement",
        -1,
        (f"{units[0][:4]}/l", f"{units[1][:5]}/ml"),
        (SCALE, rng.choice(FACTORS)),
        low,
        low + rng.randint(20, 50) * 10,
    )


def decimal(hundredths: int) -> str:
    """A number of hundredths in digits.

    >>> decimal(540), decimal(1205), decimal(7)
    ('5.4', '12.05', '0.07')
    """
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".removesuffix("0") if rest else f"{whole}.0"
