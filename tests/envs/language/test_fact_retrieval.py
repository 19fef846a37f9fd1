"""Tests of language/fact_retrieval."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

SEEDS = st.integers(0, 10**6)


STATEMENTS = (
    r"The (?P<what>.+) of the \w+ (?P<name>\w+) is (?P<value>\d+)",
    r"It is (?P<value>\d+) that is given as the (?P<what>.+) of the \w+ (?P<name>\w+)",
    r"As for the \w+ (?P<name>\w+), its (?P<what>.+) is (?P<value>\d+)",
    r"At the \w+ (?P<name>\w+), (?P<value>\d+) is the (?P<what>.+)",
    r"Correction: the (?P<what>.+) of the \w+ (?P<name>\w+) is not what .* but (?P<value>\d+)",
    r"This corrects an error: the \w+ (?P<name>\w+) has (?P<value>\d+) as its (?P<what>.+), not.*",
    r"The (?P<what>twin) of the \w+ (?P<name>\w+) is the \w+ (?P<value>\w+)",
    r"For its (?P<what>twin), the \w+ (?P<name>\w+) has the \w+ (?P<value>\w+)",
)


@settings(max_examples=10)
@given(SEEDS, st.integers(0, 6))
def test_facts_are_found_by_reading_the_prompt(seed: int, level: int) -> None:
    """Find the facts in the text alone, sentence by sentence."""
    task = sampled("language/fact_retrieval", seed, level)
    text, questions = task.prompt().split("\n\n")[:2]
    known = {}
    for sentence in text.removesuffix(".").split(". "):
        (match,) = filter(None, (re.fullmatch(pattern, sentence) for pattern in STATEMENTS))
        known[match["what"], match["name"]] = match["value"]
    values = []
    for line in questions.splitlines()[1:]:
        what, *twins = line.split(". the ")[1].split(" of the ")
        name = twins.pop().split()[1]
        for _ in twins:
            name = known["twin", name]
        values.append(known[what, name])
    assert task.verify("\n".join(f"{n}: {value}" for n, value in enumerate(values, 1))).correct


def test_long_texts_are_not_too_long() -> None:
    lengths = [len(sampled("language/fact_retrieval", seed, 6).prompt()) for seed in range(30)]
    assert min(lengths) > 18_000
    assert max(lengths) <= 20_000
