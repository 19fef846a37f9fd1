"""Tests of algebra/complete_the_square."""

from fractions import Fraction
from random import Random

from palaestra.address import Address


def test_the_sum_of_squares_equals_the_polynomial() -> None:
    for level in range(7):
        task = Address.of("algebra/complete_the_square", 2, level).task()
        names = "xyzw"[: len(task.form) - 1]
        rng = Random(level)
        for _ in range(5):
            point = {name: Fraction(rng.randint(-9, 9)) for name in names}
            pattern = task.pattern()[0]
            values = dict(zip("abcdefghijklmnopq", task.values())) | point
            terms = task.polynomial().replace("^", "**")
            whole = eval(terms, {}, dict(point))  # noqa: S307
            assert eval(pattern.replace("^", "**"), {}, values) == whole  # noqa: S307
