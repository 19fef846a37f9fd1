"""Tests of arithmetic/bitwise_arithmetic: expressions evaluated bit by bit."""

import re

import pytest

from palaestra.address import Address

Word = list[int]
"""The bits of a word, the lowest first."""

EXPRESSION = re.compile(r"^.* (?:AND|OR|XOR|SHL|SHR|ROL|ADD|SUB) .*[\dA-F]\)*$", re.MULTILINE)
TOKEN = re.compile(r"[()]|[A-Z]{2,3}|0x[0-9A-F]+|\d+")


def bits(number: int, width: int) -> Word:
    return [number >> position & 1 for position in range(width)]


def number(word: Word) -> int:
    return sum(bit << position for position, bit in enumerate(word))


def added(left: Word, right: Word, carry: int = 0) -> Word:
    """The sum, column by column; the last carry leaves the word."""
    total = []
    for one, other in zip(left, right):
        total.append((one + other + carry) % 2)
        carry = (one + other + carry) // 2
    return total


def joined(sign: str, left: Word, right: Word) -> Word:
    width, places = len(left), number(right)
    match sign:
        case "AND":
            return [one * other for one, other in zip(left, right)]
        case "OR":
            return [max(one, other) for one, other in zip(left, right)]
        case "XOR":
            return [int(one != other) for one, other in zip(left, right)]
        case "SHL":
            return ([0] * places + left)[:width]
        case "SHR":
            return (left + [0] * places)[places:][:width]
        case "ROL":
            return left[width - places :] + left[: width - places]
        case "ADD":
            return added(left, right)
        case "SUB":
            return added(left, [1 - bit for bit in right], carry=1)
    raise AssertionError(sign)


def evaluated(expression: str, width: int, base: int) -> Word:
    """The value of an expression with brackets around every part but the whole."""
    stack: list[list[Word | str]] = [[]]
    for token in TOKEN.findall(expression):
        if token == "(":
            stack.append([])
        elif token == ")":
            part = stack.pop()
            assert len(part) == 3, "every pair of brackets joins two parts by one sign"
            left, sign, right = part
            stack[-1].append(joined(sign, left, right))
        elif token.isalpha():
            stack[-1].append(token)
        else:
            stack[-1].append(bits(int(token, 0 if token.startswith("0x") else base), width))
    (left, sign, right), *rest = stack
    assert not rest
    return joined(sign, left, right)


@pytest.mark.parametrize("numerals", ["binary", "decimal", "hexadecimal"])
@pytest.mark.parametrize("signs", ["logic", "shifts", "machine"])
@pytest.mark.parametrize("level", [0, 2, 5])
def test_the_value_is_that_of_the_bits(level, signs, numerals):
    for seed in range(4):
        address = Address.of(
            "arithmetic/bitwise_arithmetic", seed, level, signs=signs, numerals=numerals
        )
        task = address.task()
        (expression,) = EXPRESSION.findall(task.prompt())
        word = evaluated(expression, task.width, 2 if numerals == "binary" else 10)
        assert task.answer() == str(number(word))
        assert task.verify(str(number(word))).value == 1
        for position in range(task.width):
            flipped = [bit ^ (position == n) for n, bit in enumerate(word)]
            assert task.verify(str(number(flipped))).value == 0
        for wrong in (number(word) + (1 << task.width), number(word) - (1 << task.width)):
            assert task.verify(str(wrong)).value == 0


def test_small_words_by_hand():
    assert number(joined("SUB", bits(3, 6), bits(5, 6))) == 62
    assert number(joined("ROL", bits(0b100001, 6), bits(1, 6))) == 0b000011
    assert number(joined("SHR", bits(0b100001, 6), bits(2, 6))) == 0b001000
