"""Tests of logic/sibling_counts."""

import re

from tests.envs.sampling import sampled

from palaestra.generators.logic import sibling_counts


def test_the_prompt_states_who_stays() -> None:
    for seed in range(10):
        task = sampled("logic/sibling_counts", seed, 6)
        moving = any(any(group.change) for group in task.groups)  # type: ignore[attr-defined]
        assert ("Nobody who is named below leaves" in task.prompt()) == moving
        assert not re.search(r"\b1 (more|fewer) (\w+ )?\w+s than", task.prompt())
    assert sibling_counts.many(2, "woman") == "2 women"
