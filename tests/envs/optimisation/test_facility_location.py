"""Tests of optimisation/facility_location."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.optimisation.facility_location import FacilityLocation
from palaestra.generators.optimisation.facility_location import cheapest_sites, total_cost
from palaestra.task import InvalidAnswer

PROBLEMS = st.integers(1, 6).flatmap(
    lambda sites: st.tuples(
        st.lists(st.integers(0, 20), min_size=sites, max_size=sites),
        st.lists(
            st.lists(st.integers(0, 20), min_size=sites, max_size=sites), min_size=1, max_size=6
        ),
    )
)


@settings(deadline=None)
@given(PROBLEMS)
def test_no_other_sites_cost_less(problem):
    opening, serving = problem
    sites = range(len(opening))
    sets = (each for size in sites for each in combinations(sites, size + 1))
    chosen, _ = cheapest_sites(opening, serving)
    assert total_cost(opening, serving, chosen) == min(
        total_cost(opening, serving, each) for each in sets
    )


TASK = FacilityLocation(
    opening=(3, 3, 9), sites=((1, 1), (6, 6), (3, 3)), customers=((1, 2), (2, 1), (6, 5)), width=6
)


def test_scores():
    assert TASK.serving[2] == [9, 1, 5]
    assert TASK.verify("1, 2").value == 1
    assert TASK.verify("2 and 1").value == 1
    assert TASK.verify("1").reason == "the cost is 14, and a better solution exists"
    assert TASK.verify("1, 1").reason == "a site is listed twice"
    assert TASK.verify("4").reason == "the sites have numbers from 1 to 3 only"


RIGHT, WRONG = (1, 2), (1, 3)


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
    noun = "site"
    good = form.format(*RIGHT, noun=noun, Noun=noun.capitalize())
    assert TASK.verify(good).value == 1
    bad = form.format(*WRONG, noun=noun, Noun=noun.capitalize())
    assert TASK.verify(bad).value == 0


@pytest.mark.parametrize(
    "reply",
    ["not site {0}, {1}", "site {0}: cost 5, site {1}", "{0}.5, {1}", "site -{0}, site {1}"],
)
def test_other_words_are_refused(reply):
    try:
        score = TASK.verify(reply.format(*RIGHT))
    except InvalidAnswer:
        score = None
    assert score is None or score.value == 0


def test_prompt_adds_up_costs_and_distances():
    for seed in range(6):
        prompt = Address.of("optimisation/facility_location", seed, 0).task().prompt()
        assert "plus the distances of all customers to the sites" in " ".join(prompt.split())
