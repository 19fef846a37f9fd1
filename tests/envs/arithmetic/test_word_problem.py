"""Tests of arithmetic/word_problem."""

import re

from tests.envs.sampling import sampled

from palaestra.generators import quantities


def test_a_story_worked_by_hand() -> None:
    story = [
        quantities.Quantity("given", (), (12,)),
        quantities.Quantity("share", (0,), (3, 4)),
        quantities.Quantity("packs", (1,), (2, 5)),
        quantities.Quantity("average", (2, 1), ()),
    ]
    assert quantities.values(story) == [12, 9, 23, 16]


def test_nouns_after_1_are_singular() -> None:
    for seed in range(60):
        assert not re.search(r"\b1 [a-z]+s\b", sampled("arithmetic/word_problem", seed, 6).prompt())
