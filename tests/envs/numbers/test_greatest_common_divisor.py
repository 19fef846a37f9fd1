"""Tests of numbers/greatest_common_divisor."""

from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address


@given(st.integers(0, 6), st.integers(0, 500))
def test_divisors_and_multiples(level, seed):
    task = Address.of("numbers/greatest_common_divisor", seed, level).task()
    most = task.value()
    assert not any(n % most for n in task.numbers)
    rest = [n // most for n in task.numbers]
    assert not any(all(n % prime == 0 for n in rest) for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23))
    other = task.model_copy(update={"what": "multiple"})
    assert not any(other.value() % n for n in task.numbers)
    if len(rest) == 2:
        assert other.value() * most == task.numbers[0] * task.numbers[1]
