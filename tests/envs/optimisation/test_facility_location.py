"""Tests of optimisation/facility_location."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.optimisation.facility_location import FacilityLocation
from palaestra.generators.optimisation.facility_location import cheapest_sites, total_cost

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
