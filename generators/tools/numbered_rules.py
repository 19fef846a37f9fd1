"""Policies of numbered rules, some of which are exceptions from others."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

Rule = TypeVar("Rule", bound=str)


def random_rules(
    rng: Random, rules: Sequence[Rule], excepted: Mapping[Rule, Sequence[Rule]], number: int
) -> tuple[Rule, ...]:
    """So many rules in random order, each after those that it is an exception from or builds on,
    which ``excepted`` lists; fewer if those of the remaining rules are too many.
    """
    chosen = list[Rule]()
    for rule in rng.sample(rules, len(rules)):
        new = [each for each in (*excepted.get(rule, ()), rule) if each not in chosen]
        if len(chosen) + len(new) <= number:
            chosen += new
    return tuple(chosen)


def policy_text(general: Iterable[str], rules: Iterable[str]) -> str:
    """What holds always, line by line, and then the rules with their numbers.

    >>> print(policy_text(["Be quick."], ["Nothing is sold.", "Rule 1 holds on Sundays only."]))
    - Be quick.
    Rule 1: Nothing is sold.
    Rule 2: Rule 1 holds on Sundays only.
    """
    lines = [f"- {line}" for line in general]
    return "\n".join([*lines, *(f"Rule {n}: {rule}" for n, rule in enumerate(rules, 1))])
