"""Tests of algebra/complete_the_square."""

from fractions import Fraction
from random import Random

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_squares_that_are_completed_give_the_polynomial_back() -> None:
    for level in range(7):
        drawn = task("algebra/complete_the_square", 2, level)
        names = "xyzw"[: len(drawn.form) - 1]
        rng = Random(level)
        for _ in range(5):
            point = {name: Fraction(rng.randint(-9, 9)) for name in names}
            pattern = drawn.pattern()[0]
            values = dict(zip("abcdefghijklmnopq", drawn.values())) | point
            terms = drawn.polynomial().replace("^", "**")
            whole = eval(terms, {}, dict(point))  # noqa: S307
            assert eval(pattern.replace("^", "**"), {}, values) == whole  # noqa: S307
