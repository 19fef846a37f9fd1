"""What can be made of a handful of numbers with the four operations: search that is complete.

Whatever is made of all of some numbers is made of two parts of them, put together by one sign. So
small parts are worked out in full, and a target is sought in large ones by taking each value of
one part and asking for what is missing in the other. "Impossible" is thereby proved.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import gcd, prod

Ratio = tuple[int, int]
"""A fraction in lowest terms: above, and below, which is positive. Quicker than ``Fraction``."""

Recipe = tuple[str, int, Ratio, int, Ratio] | None
"""A sign between a value of one part and one of another; nothing for a number as it stands."""

ZERO: Ratio = (0, 1)


def ratio(above: int, below: int) -> Ratio:
    """A fraction in lowest terms.

    >>> ratio(6, -4)
    (-3, 2)
    """
    shared = gcd(above, below) if below > 0 else -gcd(above, below)
    return above // shared, below // shared


class Reach:
    """The values of parts of some numbers. A part is a mask: bit ``n`` is for ``numbers[n]``.

    With ``whole``, every value on the way must be a positive whole number, as on television.
    """

    def __init__(self, numbers: Iterable[int], signs: str = "+-*/", whole: bool = False) -> None:
        self.numbers = tuple(numbers)
        self.signs = signs
        self.whole = whole
        self.nodes = 0
        self._full = 3 if len(self.numbers) < 6 else 4
        self._values: dict[int, dict[Ratio, Recipe]] = {}
        self._found: dict[tuple[int, Ratio], Recipe | bool] = {}

    def values(self, part: int) -> dict[Ratio, Recipe]:
        """All that can be made of exactly these numbers, and how."""
        if part in self._values:
            return self._values[part]
        made: dict[Ratio, Recipe] = {}
        if part.bit_count() == 1:
            made[self.numbers[part.bit_length() - 1], 1] = None
        for left, right in splits(part):
            rights = self.values(right)
            for a in self.values(left):
                for b in rights:
                    for sign, swapped, value in self._results(a, b):
                        if value not in made:
                            made[value] = (
                                (sign, right, b, left, a) if swapped else (sign, left, a, right, b)
                            )
        self.nodes += len(made)
        self._values[part] = made
        return made

    def find(self, part: int, target: Ratio) -> Recipe | bool:
        """How the target is made of exactly these numbers; ``False`` if it cannot be."""
        if part.bit_count() <= self._full:
            return self.values(part).get(target, False)
        key = part, target
        if key not in self._found:
            self._found[key] = self._search(part, target)
        return self._found[key]

    def _search(self, part: int, target: Ratio) -> Recipe | bool:
        for few, many in splits(part):
            for known in self.values(few):
                self.nodes += 1
                if known == target == ZERO and "*" in self.signs:  # zero times anything
                    rest = prod(self.numbers[n] for n in range(len(self.numbers)) if many >> n & 1)
                    return "*", few, known, many, (rest, 1)
                for sign, known_first, missing in self._missing(known, target):
                    if self.find(many, missing) is not False:
                        if known_first:
                            return sign, few, known, many, missing
                        return sign, many, missing, few, known
        return False

    def text(self, part: int, value: Ratio) -> str:
        """The expression that makes a value of a part, with no more brackets than it needs."""
        return self._told(part, value)[0]

    def _told(self, part: int, value: Ratio) -> tuple[str, str]:
        """An expression and its outermost sign."""
        recipe = self.find(part, value)
        if not isinstance(recipe, tuple):
            return str(self.numbers[part.bit_length() - 1]), ""
        sign, left, a, right, b = recipe
        (one, outer), (other, inner) = self._told(left, a), self._told(right, b)
        if sign in "*/" and outer in ("+", "-"):
            one = f"({one})"
        if (sign in "*/-" and inner in ("+", "-")) or (sign == "/" and inner in ("*", "/")):
            other = f"({other})"
        return f"{one} {sign} {other}", sign

    def _results(self, a: Ratio, b: Ratio) -> Iterator[tuple[str, bool, Ratio]]:
        """What two values give: the sign, whether they change places, the result."""
        (p, q), (r, s) = a, b
        if "+" in self.signs:
            yield "+", False, (p + r, 1) if q == s == 1 else ratio(p * s + r * q, q * s)
        if "-" in self.signs:
            gap = (p - r, 1) if q == s == 1 else ratio(p * s - r * q, q * s)
            if gap[0] > 0 or not self.whole:
                yield "-", False, gap
            if gap[0] < 0 or (gap[0] and not self.whole):
                yield "-", True, (-gap[0], gap[1])
        if "*" in self.signs:
            yield "*", False, (p * r, 1) if q == s == 1 else ratio(p * r, q * s)
        if "/" in self.signs:
            if r and not (self.whole and p % r):
                yield "/", False, ratio(p * s, q * r)
            if p and not (self.whole and r % p):
                yield "/", True, ratio(q * r, p * s)

    def _missing(self, a: Ratio, target: Ratio) -> Iterator[tuple[str, bool, Ratio]]:
        """What makes the target with a value: the sign, whether the value comes first, the rest."""
        for sign, first, missing in self._inverted(a, target):
            if not self.whole or (missing[1] == 1 and missing[0] > 0):
                yield sign, first, missing

    def _inverted(self, a: Ratio, target: Ratio) -> Iterator[tuple[str, bool, Ratio]]:
        (p, q), (r, s) = a, target
        if "+" in self.signs:
            yield "+", True, ratio(r * q - p * s, q * s)
        if "-" in self.signs:
            yield "-", True, ratio(p * s - r * q, q * s)
            yield "-", False, ratio(r * q + p * s, q * s)
        if "*" in self.signs and p:
            yield "*", True, ratio(r * q, p * s)
        if "/" in self.signs and p:
            yield "/", False, ratio(r * p, q * s)
            if r:
                yield "/", True, ratio(p * s, q * r)


@lru_cache(maxsize=4_096)
def splits(part: int) -> tuple[tuple[int, int], ...]:
    """Every way to cut a part in two, the smaller one first, each way once.

    >>> splits(0b111)
    ((1, 6), (2, 5), (4, 3))
    """
    options = []
    few = (part - 1) & part
    while few:
        many = part ^ few
        if (few.bit_count(), few) < (many.bit_count(), many):
            options.append((few, many))
        few = (few - 1) & part
    return tuple(sorted(options, key=lambda split: (split[0].bit_count(), split)))


def masks(length: int, size: int) -> list[int]:
    """The parts of so many numbers that have a given size."""
    return [sum(1 << place for place in chosen) for chosen in combinations(range(length), size)]


@lru_cache(maxsize=256)
def values(hand: tuple[int, ...], signs: str) -> frozenset[Fraction]:
    """All that can be made of all the numbers of a hand, without a shortcut: a second opinion.

    The first number goes into one of the two parts; whatever is left over is the other.

    >>> [str(value) for value in sorted(values((1, 2), "+-*/"))]
    ['-1', '1/2', '1', '2', '3']
    """
    if len(hand) == 1:
        return frozenset({Fraction(hand[0])})
    made: set[Fraction] = set()
    for chosen in range(2 ** (len(hand) - 1) - 1):
        some = [n for place, n in enumerate(hand[1:]) if chosen >> place & 1]
        rest = [n for place, n in enumerate(hand[1:]) if not chosen >> place & 1]
        for a in values((hand[0], *some), signs):
            for b in values(tuple(rest), signs):
                made.update((a + b, a - b, b - a, a * b))
                if "/" in signs:
                    made.update(([a / b] if b else []) + ([b / a] if a else []))
    return frozenset(made)
