"""The second opinion on an answer agrees with the first, and can disagree with an answer."""

import pytest

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize(
    "name",
    [
        "counting/coin_flips",
        "counting/urn_probability",
        "algebra/partial_fractions",
        "numbers/continued_fractions",
        "numbers/diophantine_equation",
        "numbers/recurrence",
    ],
)
def test_the_second_opinion_agrees_and_can_disagree(name: str) -> None:
    opinions = []
    for level in range(6):
        for seed in range(3):
            drawn, other = task(name, seed, level), task(name, seed + 50, level)
            assert drawn.audit(drawn.answer()) in (True, None)
            if len(other.answer().split(",")) == len(drawn.answer().split(",")):
                opinion = drawn.audit(other.answer())
                assert opinion is None or opinion == (drawn.verify(other.answer()).value == 1)
                opinions.append(opinion)
    assert False in opinions
