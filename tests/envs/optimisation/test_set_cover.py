"""Tests of optimisation/set_cover."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.set_cover import SetCover
from palaestra.generators.optimisation.covers import cheapest_cover
from palaestra.task import InvalidAnswer

SETS = st.lists(st.tuples(st.integers(1, 127), st.integers(1, 9)), min_size=1, max_size=9)


@settings(deadline=None)
@given(SETS)
def test_no_other_cover_costs_less(pairs):
    masks, costs = zip(*pairs)
    whole = 0
    for mask in masks:
        whole |= mask
    best = None
    for size in range(1, len(masks) + 1):
        for chosen in combinations(range(len(masks)), size):
            union = 0
            for n in chosen:
                union |= masks[n]
            cost = sum(costs[n] for n in chosen)
            if union == whole and (best is None or cost < best):
                best = cost
    chosen, _ = cheapest_cover(masks, costs, whole)
    assert sum(costs[n] for n in chosen) == best


TASK = SetCover(sets=((1, 2), (2, 3), (3, 4), (1, 4), (1, 2, 3)), costs=(2, 2, 2, 2, 5))


def test_scores():
    assert TASK.verify("1, 3").value == 1
    assert TASK.verify("4 and 2").value == 1
    assert TASK.verify("1, 2, 4").reason == "the cost is 6, and a better solution exists"
    assert TASK.verify("1, 2").reason == "element 4 is not covered"
    assert TASK.verify("1, 1, 3").reason == "a set is listed twice"
    assert TASK.verify("6").reason == "the sets have numbers from 1 to 5 only"


RIGHT, WRONG = (1, 3), (2, 3)


@pytest.mark.parametrize(
    "form",
    [
        "{noun} {0}, {noun} {1}", "{noun}s {0} and {1}", "{Noun}s: {0}, {1}", "#{0}, #{1}",
        "- {noun} {0}\n- {noun} {1}", "1. {noun} {0}\n2. {noun} {1}",
        "The {noun}s are {0} and {1}.",
        "{Noun} {0} and {noun} {1}", "**{Noun}s:** {0}, {1}", "{{{0}, {1}}}", "[{0}, {1}]",
        "Optimal {noun}s: {{{0}, {1}}}", "{noun} #{0}, {noun} #{1}", "* {noun} {0}\n* {noun} {1}",
    ],
)  # fmt: skip
def test_names_of_items(form):
    noun = "set"
    good = form.format(*RIGHT, noun=noun, Noun=noun.capitalize())
    assert TASK.verify(good).value == 1
    bad = form.format(*WRONG, noun=noun, Noun=noun.capitalize())
    assert TASK.verify(bad).value == 0


@pytest.mark.parametrize(
    "reply", ["not set {0}, {1}", "set {0}: cost 5, set {1}", "{0}.5, {1}", "set -{0}, set {1}"]
)
def test_other_words_are_refused(reply):
    try:
        score = TASK.verify(reply.format(*RIGHT))
    except InvalidAnswer:
        score = None
    assert score is None or score.value == 0


def rarest_first(task):
    """The rarest element first, by the rules of the test's own, without ties at random."""
    left, chosen = {element for each in task.sets for element in each}, []
    while left:
        holders = {x: [n for n, each in enumerate(task.sets) if x in each] for x in left}
        element = min(sorted(left), key=lambda x: len(holders[x]))
        best = min(holders[element], key=lambda n: task.costs[n] / len(left & {*task.sets[n]}))
        chosen.append(best)
        left -= {*task.sets[best]}
    for n in sorted(chosen, key=lambda n: -task.costs[n]):
        rest = [other for other in chosen if other != n]
        if not task.violation(rest):
            chosen = rest
    return chosen


def test_the_rarest_element_first_seldom_ends_at_the_cheapest_cover():
    right = number = 0
    for level in range(7):
        for seed in range(15):
            task = Address.of("optimisation/set_cover", seed, level).task()
            right += task.verify(task.as_text(rarest_first(task))).value == 1
            number += 1
            assert not task.violation(task.rarest_first(Random(seed)))
            assert "rarest element first" in task.baselines(Random(seed))
    assert right / number < 0.15
