"""Tests of strings/string_insertion."""

import random

from palaestra.envs.strings.string_insertion import StringInsertion


def test_a_text_with_few_patterns_has_few_rules():
    class Same(random.Random):
        """A generator that always chooses the first item."""

        def choices(self, population, weights=None, *, cum_weights=None, k=1):
            return [population[0]] * k

    task = StringInsertion.generate(Same(0), StringInsertion.Knobs.at(1))
    assert task.text == "A" * 10
    assert {pattern for pattern, _ in task.rules} <= {"AA", "AAA"}
