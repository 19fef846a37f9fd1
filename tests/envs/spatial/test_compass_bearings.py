"""Tests of spatial/compass_bearings."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.spatial.compass_bearings import CompassBearings

seeds = st.integers(0, 10**6)


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_bearings_by_relaxation(seed: int) -> None:
    """Places are put where the claims want them, again and again, until nothing moves."""
    task = sample(CompassBearings, seed, 4)
    by = {"north": 1j, "south": -1j, "east": 1, "west": -1}
    spots: dict[int, complex] = {task.claims[0][0]: 0}
    for _ in task.names:
        for one, parts, other in task.claims:
            way = sum(far * by[point] for far, point in parts)
            if other in spots:
                spots.setdefault(one, spots[other] + way)
            if one in spots:
                spots.setdefault(other, spots[one] - way)
        for middle, one, other in task.middles:
            if one in spots and other in spots:
                spots.setdefault(middle, (spots[one] + spots[other]) / 2)
    way = spots[task.endpoints[0]] - spots[task.endpoints[1]]
    east, north = map(float, task.displaced())
    assert (east, north) == (way.real, way.imag)
    assert task.verify(f"{east}, {north}").value == 1
    assert task.verify(f"{east}, {north + 1}").value == 0
