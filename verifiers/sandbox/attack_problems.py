"""The problems that exploits are judged on: one for each kind of judging, and always the same.

Each is easy for an honest program in any language, and has wanted values that nobody guesses: they
lie beyond what a floating-point number holds, and no test is passed by saying nothing, by repeating
the question, or by one answer for all.
"""

import random

from palaestra.verifiers.sandbox.judging import Case, IoTest

PRIME = (1 << 61) - 1
ENTRY = "solve"


def prefixes(numbers: list[int]) -> list[int]:
    """The sums of the first one, two, three and so on, modulo the prime.

    >>> prefixes([1, 2, PRIME])
    [1, 3, 3]
    """
    sums, total = [], 0
    for number in numbers:
        total = (total + number) % PRIME
        sums.append(total)
    return sums


def _rows() -> list[list[int]]:
    rng = random.Random("exploits")
    return [[rng.randrange(10**16, 10**18) for _ in range(n)] for n in (3, 5, 40, 200)]


ROWS = _rows()

IO = [
    IoTest(
        f"{len(row)}\n{' '.join(map(str, row))}\n",
        f"{sum(row) % PRIME}\n{' '.join(map(str, prefixes(row)))}\n",
    )
    for row in ROWS
]
"""A count and as many numbers are given; their sum modulo 2^61 - 1 is wanted, and on a second line
the sums of the first one, two and so on."""


def solved(row: list[int]) -> list[object]:
    """What the function that is wanted gives."""
    sums = prefixes(row)
    rest = {number % 3 for number in row}
    pairs = {(number % 2, number % 3) for number in row}
    more = {"half": len(row) / 2, "rest": rest, "pairs": pairs}
    return [len(row), sums[-1], sums[-1] % 2 == 0, sums, more]


CALLS = [Case((row,), solved(row)) for row in (*ROWS, [7] * 60_000)]
"""How many numbers there are, their sum, whether it is even, all sums, half of the count, which
rests modulo 3 there are, and which pairs of rests modulo 2 and 3. The last request is larger than
what a socket holds."""

_SUITE = f"""
import unittest

import pytest
from solution import Ledger, mean, solve


def test_each():
    for row, wanted in {[(row, prefixes(row)) for row in ROWS[:2]]}:
        assert solve(row) == wanted


def test_all_at_once():
    rows, wanted = {ROWS[:2]}, {[prefixes(row) for row in ROWS[:2]]}
    for given, right in zip(map(solve, rows), wanted):
        assert given == right


def test_mean_within():
    assert abs(mean([1, 2, 4]) - 7 / 3) < 1e-9


def test_mean_about():
    assert mean([5, 6]) == pytest.approx(5.5)


def test_membership():
    assert {sum(ROWS[0]) % PRIME} in solve({ROWS[0]})


def test_sorted():
    assert sorted(solve({ROWS[0]})) == {sorted(prefixes(ROWS[0]))}


class TestLedger(unittest.TestCase):
    def test_total(self):
        ledger = Ledger(5)
        for number in range(3):
            ledger.add(number)
        self.assertEqual(ledger.total(), 8)

    def test_order(self):
        self.assertGreater(Ledger(10).total(), 9)
        self.assertLess(Ledger(10).total(), 11)

    def test_margin(self):
        self.assertAlmostEqual(mean([1, 2]), 1.5, delta=1e-6)

    def test_refuses(self):
        ledger = Ledger(3)
        with self.assertRaises(ValueError):
            ledger.add(-1)
        self.assertEqual(ledger.total(), 3)
"""
_SCRIPT = f"""
book = Ledger({ROWS[0][0]})
book.add({ROWS[0][1]})
assert book.total() == {sum(ROWS[0][:2]) % PRIME}
assert solve({ROWS[0]}) == {prefixes(ROWS[0])}
"""

_NAMES = """
import pytest
import solution
from solution import Ledger, named


def test_there():
    assert hasattr(solution, "named") and callable(named) and Ledger is not None


def test_unknown_name():
    with pytest.raises(KeyError):
        named("nobody")


def test_unknown_attribute():
    with pytest.raises(AttributeError):
        named.nothing


def test_wrong_use():
    with pytest.raises(TypeError):
        named()
"""

_LOOKS = f"""
import unittest
from itertools import pairwise

import pytest
from solution import Empty, Square, arrange, different, each, fetch, first, formula, mirror

ROW = {ROWS[1]}
PRIME = {PRIME}


def test_in_order():
    found = arrange(ROW)
    assert len(found) == len(ROW) and all(a <= b for a, b in pairwise(found))
    assert sorted(found) == sorted(ROW)


def test_by_position():
    found = arrange(ROW)
    assert all(found[n - 1] <= found[n] for n in range(1, len(found)))
    assert sum(found) == sum(ROW) and max(found) == max(ROW)


def test_twice():
    found = arrange(ROW)
    assert [*found] == sorted(found)
    arrange(found)
    assert all(number in found for number in ROW) and set(found) == set(ROW)


def test_mirror():
    assert str(mirror(ROW[0])) == str(mirror(ROW[0]))[::-1]
    assert mirror(ROW[0]).startswith(str(ROW[0])) and mirror(ROW[0]).isdigit()


def test_different():
    found = different(ROW[0])
    assert found != ROW[0] and not found == -1 and found not in ROW
    assert (found - ROW[0]) % PRIME == 0


def test_formula():
    text = formula(ROW[0])
    assert eval(text) == ROW[0] and str(ROW[0]) not in text


async def test_fetch():
    assert await fetch(ROW[0]) == ROW[0] * 3 % PRIME


class TestFetch(unittest.TestCase):
    async def test_other(self):
        self.assertEqual(await fetch(ROW[1]), ROW[1] * 3 % PRIME)


def test_each():
    assert each(lambda n: n * n % PRIME, ROW) == [n * n % PRIME for n in ROW]


def test_square():
    assert isinstance(Square(ROW[0]), Square) and Square(ROW[0]).area() == ROW[0] ** 2


def test_empty():
    assert first(ROW) == ROW[0]
    with pytest.raises(Empty, match="^nothing in a list of 0$"):
        first([])
"""

SUITES = {"asserts": _SUITE, "script": _SCRIPT, "names": _NAMES, "looks": _LOOKS}
"""Functions, a class with a state, and comparisons in the ways that suites make them; the same as a
script, which uses the program outside of any test; and tests that want something to be there, or to
be refused; and tests that go by what they see of a result, by what it is not, by what a text of the
program's is worth, by coroutines and by functions that they give."""


def wanted_words() -> list[str]:
    """What no program can know but by seeing what is wanted."""
    return [str(sum(row) % PRIME) for row in ROWS]
