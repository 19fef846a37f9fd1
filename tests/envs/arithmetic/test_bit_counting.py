"""Tests of arithmetic/bit_counting."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20)
@given(SEEDS)
def test_bits_are_counted_as_arithmetic_counts_them(seed: int) -> None:
    task = sampled("arithmetic/bit_counting", seed, 6)
    number = task.number  # type: ignore[attr-defined]
    places = [n for n in range(number.bit_length()) if number >> n & 1]
    values = dict(zip(task.questions, map(int, task.answer().split(","))))  # type: ignore[attr-defined]
    assert values["sum"] == sum(places)
    expected = {
        "ones": len(places),
        "changes": ((number ^ number >> 1) & ~(1 << number.bit_length() - 1)).bit_count(),
        "pairs": (number & number >> 1).bit_count(),
        "third": places[2],
    }
    assert all(values[ask] == value for ask, value in expected.items() if ask in values)
