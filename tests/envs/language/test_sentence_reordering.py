"""Tests of language/sentence_reordering."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15)
@given(SEEDS)
def test_the_words_of_a_phrase_are_adjacent(seed: int) -> None:
    task = sampled("language/sentence_reordering", seed, 4)
    words = [w for w in task.answer().split() if w[-1] in "aoeiu"]
    ends = [word[-1] for word in words]
    assert sum(a != b for a, b in pairwise(ends)) == len(set(ends)) - 1
    assert not task.verify(" ".join(reversed(task.answer().split()))).correct
    with pytest.raises(InvalidAnswer):
        task.verify(task.answer() + " extra")


def test_the_knob_is_the_number_of_twists() -> None:
    for twists in range(6):
        for seed in range(20):
            task = sampled("language/sentence_reordering", seed, 3, twists=twists)
            rules = [line for line in task.prompt().splitlines() if line[:1].isdigit()]
            assert len(rules) == 4 + twists


def test_shuffled_words_are_not_yet_in_order() -> None:
    tasks = [sampled("language/sentence_reordering", seed, 0) for seed in range(150)]
    assert not any(task.verify(reply).correct for task in tasks for reply in task.shortcuts())


def rows_of(prompt: str) -> Iterator[tuple[str, list[str]]]:
    """Each class of words, and its stems."""
    for line in prompt.partition("without endings:\n")[2].partition("\n\n")[0].splitlines():
        name, _, stems = line.partition("s: ")
        yield name, [stem.removesuffix("-") for stem in stems.split(", ")]


@settings(max_examples=40)
@given(SEEDS, st.integers(0, 6))
def test_sentences_by_the_rules_of_the_prompt(seed: int, level: int) -> None:
    task = sampled("language/sentence_reordering", seed, level)
    prompt = task.prompt()
    words = prompt.split("\n\n")[4].split()
    kinds = {stem: name for name, stems in rows_of(prompt) for stem in stems}
    role = dict(re.findall(r"-(\w) in the (\w+)", prompt))
    first, last, verb = [], [], re.findall(r"verb '(\w+)'", prompt)
    at = 0
    for line in re.findall(r"^\d\. (.*)$", prompt, re.MULTILINE):
        named = re.findall(r"If the word '(\w+)'", line)
        if "phrases come in this order" in line:
            order = line.rstrip(".").split(": ")[1].split(", ")
        elif "In a phrase" in line:
            classes = line.rstrip(".").split(": ")[1].split(", ")
            phrases = {
                name: sorted(
                    (w for w in words if w[:-1] in kinds and role[w[-1]] == name),
                    key=lambda w: classes.index(kinds[w[:-1]]),
                )
                for name in order
            }
        elif "after phrase number" in line:
            at = int(line.split("number ")[1][0])
        elif line.startswith("A phrase of"):
            phrases = {
                k: v[::-1] if len(v) >= int(line.split()[3]) else v for k, v in phrases.items()
            }
        elif line.startswith("If the object"):
            if len(phrases["object"]) < len(phrases["subject"]):
                one, other = order.index("object"), order.index("subject")
                order[one], order[other] = order[other], order[one]
        elif named and named[0] in words:
            if "first" in line:
                first, order = named, order[::-1]
            elif "last" in line:
                last, at = named, 0
            else:
                verb += named
    rows = [phrases[name] for name in order]
    rows.insert(at, verb)
    sentence = [*first, *(word for row in rows for word in row), *last]
    assert task.verify(" ".join(sentence)).correct
