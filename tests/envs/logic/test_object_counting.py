"""Tests of logic/object_counting."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic import object_counting

SEEDS = st.integers(0, 10**6)


def test_one_wrong_value_of_several_scores_0() -> None:
    task = sampled("logic/object_counting", 1, 2)
    lines = task.answer().splitlines()
    name, _, numbers = lines[0].partition(": ")
    first, *rest = numbers.split(", ")
    wrong = "\n".join([f"{name}: {', '.join([str(int(first) + 1), *rest])}", *lines[1:]])
    score = task.verify(wrong)
    assert score.value == 0
    assert "1 of the" in score.reason
    assert task.verify("\n".join(lines[::-1])).correct


@settings(max_examples=10)
@given(SEEDS)
def test_unused_fields_are_0(seed: int) -> None:
    """Fields that the text of an event does not show may not make equal tasks differ."""
    for deal in sampled("logic/object_counting", seed, 6).deals:  # type: ignore[attr-defined]
        used = set(re.findall(r"\{([Qya])\}", object_counting.WORDS[deal.action][0]))
        assert all(("Q" in used or not deal.other, "y" in used or not deal.second))
        assert "a" in used or not deal.number
    for event in sampled("logic/object_properties", seed, 6).events:  # type: ignore[attr-defined]
        assert event.other == 0 or event.action in {"swap", "copy"}
        assert event.value == 0 or event.action not in {"swap", "copy"}
