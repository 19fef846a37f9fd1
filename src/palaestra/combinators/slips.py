"""Slips: wrong values of a step of a solution that do not show without calculating the step."""

import re
from collections.abc import Sequence
from fractions import Fraction

Value = int | Fraction | str

_NUMBER = re.compile(r"-?\d{1,400}", re.ASCII)
_MODULUS = re.compile(r"mod (\d{1,400})$", re.ASCII)
_SUM = re.compile(r"(-?\d{1,400}) [+-] (-?\d{1,400})", re.ASCII)
_OPERATION = re.compile(r"\d{1,400} ([^\s\d]{1,9}) \d{1,400}", re.ASCII)
_USUAL = {"+", "-", "*", "mod"}
"""The operators whose results may be larger than all numbers in a solution."""


def slips(expression: str, value: Value, largest: int) -> list[Value]:
    """The values that differ from the value of an expression in one digit or sign, in order.

    All of them have what is seen at a glance: as many digits, the final zeros of the value and
    those final digits of a sum that one of its terms has zeros for, a remainder below the modulus,
    and at most ``largest`` for operators that a task defines. There are none for fractions and 0,
    and where the value is that of an operand but for final zeros, as in ``12 * 100`` and
    ``5 mod 8``. If one value is a slip for another, so is that for this one.

    >>> slips("7 * 30", 210, 999)
    [110, 310, 410, 510, 610, 710, 810, 910, 220, 230, 240, 250, 260, 270, 280, 290]
    >>> slips("38 mod 7", 3, 38), slips("5 mod 8", 5, 8), slips("the row", "0110", 0)[:2]
    ([1, 2, 4, 5, 6], [], ['1110', '0010'])
    """
    if isinstance(value, Fraction):
        return []
    if isinstance(value, str):
        return [*_other_rows(value)]
    operands = {_significant(int(each)) for each in _NUMBER.findall(expression)}
    if not value or _significant(value) in operands:
        return []
    bound = _bound(expression, largest)
    return [
        each
        for each in _other_numbers(value, _kept(expression))
        if (bound is None or each <= bound) and _significant(each) not in operands
    ]


def largest_number(lines: Sequence[str]) -> int:
    """The largest number in the lines of a solution; 0 if there is none."""
    return max((int(each) for line in lines for each in _NUMBER.findall(line)), default=0)


def _other_rows(row: str) -> list[str]:
    signs = sorted(set(row) - {" "})
    return [
        f"{row[:n]}{other}{row[n + 1 :]}"
        for n, sign in enumerate(row)
        if sign != " "
        for other in signs
        if other != sign
    ]


def _other_numbers(value: int, kept: int) -> list[int]:
    """Numbers with another digit, but for a number of final digits and all final zeros."""
    digits = str(abs(value))
    last = len(digits.rstrip("0")) - 1
    numbers = []
    for n in range(min(last + 1, len(digits) - kept)):
        low = 1 if n in {0, last} else 0
        for other in range(low, 10):
            if str(other) != digits[n]:
                number = int(f"{digits[:n]}{other}{digits[n + 1 :]}")
                numbers.append(-number if value < 0 else number)
    return numbers


def _kept(expression: str) -> int:
    """How many final digits of a sum are those of one of its terms, as the other has zeros."""
    terms = _SUM.fullmatch(expression)
    return max(map(_zeros, terms.groups())) if terms else 0


def _bound(expression: str, largest: int) -> int | None:
    """The largest value that an expression may have, as far as its form shows it."""
    if modulus := _MODULUS.search(expression):
        return int(modulus[1]) - 1
    operation = _OPERATION.fullmatch(expression)
    return largest if operation and operation[1] not in _USUAL else None


def _zeros(number: str) -> int:
    return len(number) - len(number.rstrip("0"))


def _significant(number: int) -> str:
    """The digits of a number without its sign and its final zeros."""
    return str(abs(number)).rstrip("0")
