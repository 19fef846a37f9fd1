"""Tests of generators/tools/numbered_rules.py."""

from random import Random

from palaestra.generators.tools.numbered_rules import policy_text, random_rules

RULES = ("base", "exception", "other", "second", "last")
EXCEPTED = {"exception": ("base", "other"), "second": ("base",)}


def test_rules_come_after_those_that_they_build_on():
    orders = set()
    for seed in range(300):
        for number in range(len(RULES) + 1):
            rules = random_rules(Random(seed), RULES, EXCEPTED, number)
            assert len(rules) == len({*rules}) <= number
            for rule, bases in EXCEPTED.items():
                if rule in rules:
                    assert all(base in rules[: rules.index(rule)] for base in bases)
            orders.add(rules)
        assert {*rules} == {*RULES}
    assert len(orders) > 60
    assert {len(rules) for rules in orders} == {*range(len(RULES) + 1)}


def test_numbers_of_the_text_are_places_in_the_order():
    text = policy_text(["Always.", "Often."], (f"This is {n}." for n in "ab"))
    assert text.splitlines() == [
        "- Always.",
        "- Often.",
        "Rule 1: This is a.",
        "Rule 2: This is b.",
    ]
