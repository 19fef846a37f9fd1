"""Tests of counting/coin_flips."""

import pytest

from palaestra.generators.counting.bounds import Bound
from palaestra.generators.counting.coin_flips import Claim


@pytest.mark.parametrize(
    ("statistic", "number", "words"),
    [
        ("heads", 1, "heads comes up at most once"),
        ("heads", 3, "heads comes up at most 3 times"),
        ("changes", 1, "at most 1 flip shows a different side from the flip just before it"),
        ("changes", 2, "at most 2 flips show a different side from the flip just before them"),
        ("early", 1, "at most 1 of the first 4 flips shows heads"),
    ],
)
def test_claims_about_coins_are_correct_english(statistic, number: int, words: str) -> None:
    assert Claim(statistic, Bound("at most", number)).as_text(8) == words


def test_the_prompt_states_the_longest_run_without_heads() -> None:
    text = Claim("run", Bound("at most", 1)).as_text(8)
    assert "its length is 0 if none does" in text
    assert text.endswith("has at most 1 flip")
