"""A complete search for the values that the four operations make from a few numbers.

An expression of several numbers joins two expressions of complementary parts by one sign. The
search therefore lists all values of small parts. For a large part, it takes each value of a small
subset and searches the rest for the value that completes the target. If it fails, no expression
exists.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import gcd, prod

Ratio = tuple[int, int]
"""Numerator and positive denominator in lowest terms; faster than ``Fraction``."""

Recipe = tuple[str, int, Ratio, int, Ratio] | None
"""A sign between a value of one part and one of another; ``None`` for a single number."""

ZERO: Ratio = (0, 1)


def ratio(above: int, below: int) -> Ratio:
    """A fraction in lowest terms.

    >>> ratio(6, -4)
    (-3, 2)
    """
    shared = gcd(above, below) if below > 0 else -gcd(above, below)
    return above // shared, below // shared


class Reach:
    """The values of parts of some numbers. A part is a mask: bit ``n`` stands for ``numbers[n]``.

    With ``whole``, every intermediate result must be a positive whole number.
    """

    def __init__(self, numbers: Iterable[int], signs: str = "+-*/", whole: bool = False) -> None:
        self.numbers = tuple(numbers)
        self.signs = signs
        self.whole = whole
        self.nodes = 0
        self._full = 3 if len(self.numbers) < 6 else 4
        self._values: dict[int, dict[Ratio, Recipe]] = {}
        self._recipes: dict[tuple[int, Ratio], Recipe | bool] = {}

    def values(self, part: int) -> dict[Ratio, Recipe]:
        """The values that exactly these numbers make, each with a recipe."""
        if part in self._values:
            return self._values[part]
        recipes: dict[Ratio, Recipe] = {}
        if part.bit_count() == 1:
            recipes[self.numbers[part.bit_length() - 1], 1] = None
        for left, right in splits(part):
            rights = self.values(right)
            for a in self.values(left):
                for b in rights:
                    for sign, swapped, value in self._results(a, b):
                        if value not in recipes:
                            recipes[value] = (
                                (sign, right, b, left, a) if swapped else (sign, left, a, right, b)
                            )
        self.nodes += len(recipes)
        self._values[part] = recipes
        return recipes

    def find(self, part: int, target: Ratio) -> Recipe | bool:
        """A recipe that makes the target from exactly these numbers; ``False`` if there is none."""
        if part.bit_count() <= self._full:
            return self.values(part).get(target, False)
        key = part, target
        if key not in self._recipes:
            self._recipes[key] = self._search(part, target)
        return self._recipes[key]

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
        """The expression of a value of a part, without redundant brackets."""
        return self._expression(part, value)[0]

    def _expression(self, part: int, value: Ratio) -> tuple[str, str]:
        """An expression and its outermost sign."""
        recipe = self.find(part, value)
        if not isinstance(recipe, tuple):
            return str(self.numbers[part.bit_length() - 1]), ""
        sign, left, a, right, b = recipe
        (one, outer), (other, inner) = self._expression(left, a), self._expression(right, b)
        if sign in "*/" and outer in ("+", "-"):
            one = f"({one})"
        if (sign in "*/-" and inner in ("+", "-")) or (sign == "/" and inner in ("*", "/")):
            other = f"({other})"
        return f"{one} {sign} {other}", sign

    def _results(self, a: Ratio, b: Ratio) -> Iterator[tuple[str, bool, Ratio]]:
        """The results of two values: the sign, whether the operands are swapped, the result."""
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
        """What completes a value to the target: sign, whether it stands left, other operand."""
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
    """All ways to divide a part in two, the smaller half first.

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
    """The masks of ``size`` of ``length`` bits."""
    return [sum(1 << bit for bit in chosen) for chosen in combinations(range(length), size)]


@lru_cache(maxsize=256)
def values(hand: tuple[int, ...], signs: str) -> frozenset[Fraction]:
    """The values that all numbers of a hand make, by exhaustive enumeration, to check the search.

    >>> [str(value) for value in sorted(values((1, 2), "+-*/"))]
    ['-1', '1/2', '1', '2', '3']
    """
    if len(hand) == 1:
        return frozenset({Fraction(hand[0])})
    results: set[Fraction] = set()
    for chosen in range(2 ** (len(hand) - 1) - 1):
        some = [n for bit, n in enumerate(hand[1:]) if chosen >> bit & 1]
        rest = [n for bit, n in enumerate(hand[1:]) if not chosen >> bit & 1]
        for a in values((hand[0], *some), signs):
            for b in values(tuple(rest), signs):
                results.update((a + b, a - b, b - a, a * b))
                if "/" in signs:
                    results.update(([a / b] if b else []) + ([b / a] if a else []))
    return frozenset(results)
