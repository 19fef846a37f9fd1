"""Tests of arithmetic/long_multiplication: products by repeated addition, digit by digit."""

import re

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer


def total(rows: list[str]) -> str:
    """The sum of numbers in decimal, column by column with a carry."""
    width = max(map(len, rows)) + 3
    carry, digits = 0, []
    for column in zip(*(row.zfill(width)[::-1] for row in rows)):
        carry, digit = divmod(carry + sum(map(int, column)), 10)
        digits.append(str(digit))
    return "".join(digits)[::-1].lstrip("0") or "0"


def multiplied(first: str, second: str) -> list[str]:
    """The partial products, the last digit of the second number first, and the product."""
    parts = [
        total(["0", *[first + "0" * power] * int(digit)])
        for power, digit in enumerate(reversed(second))
    ]
    return [*parts, total(parts)]


def test_the_example_of_the_prompt():
    assert multiplied("43", "12") == ["86", "430", "516"]
    assert multiplied("12", "43") == ["36", "480", "516"]


@pytest.mark.parametrize("level", [0, 2, 4, 6])
@pytest.mark.parametrize("seed", range(5))
def test_partial_products_are_repeated_sums(seed, level):
    task = Address.of("arithmetic/long_multiplication", seed, level).task()
    first, second = re.search(r"(\d+) \* (\d+)", task.prompt()).groups()
    row = multiplied(first, second)
    assert task.answer() == ", ".join(row)
    assert task.verify(" , ".join(row)).value == 1
    for n, entry in enumerate(row):
        for near in (int(entry) + 1, int(entry) * 10 + 10, int(entry) - 1):
            wrong = [*row[:n], str(near), *row[n + 1 :]]
            assert task.verify(", ".join(wrong)).value == 0
    backwards = [*row[-2::-1], row[-1]]
    assert task.verify(", ".join(backwards)).value == (backwards == row)
    for short in (row[:-1], row[-1:], [*row, row[-1]]):
        with pytest.raises(InvalidAnswer):
            task.verify(", ".join(short))


def test_a_digit_0_makes_a_partial_product_of_0():
    task = Address.of("arithmetic/long_multiplication", 1, 0).task()
    task = task.model_copy(update={"first": 31, "second": 205})
    assert task.answer() == ", ".join(multiplied("31", "205")) == "155, 0, 6200, 6355"
