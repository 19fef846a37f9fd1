"""Tests of planning/river_crossing."""

import pytest

from palaestra.envs.planning.river_crossing import RiverCrossing
from palaestra.generators.planning import river_crossing
from palaestra.task import InvalidAnswer

FARMER = RiverCrossing(
    names=("farmer", "wolf", "goat", "cabbage"), weights=(6, 3, 3, 3), rowers=1,
    clashes=((1, 2), (2, 3)), capacity=9, least=7,
)  # fmt: skip
KNOWN = "farmer, goat\nfarmer\nfarmer and wolf\nfarmer goat\nFarmer, cabbage\nfarmer\n"


def test_farmer_wolf_goat_cabbage():
    assert len(FARMER.answer().splitlines()) == 7
    for answer in (KNOWN + "farmer, goat", KNOWN + "The farmer and the goat"):
        assert FARMER.verify(answer).value == 1
        assert FARMER.audit(answer)
    assert "the farmer keeps the peace" in FARMER.prompt()
    for answer in ("", "ferryman", "farmer, farmer"):
        with pytest.raises(InvalidAnswer):
            FARMER.verify(answer or "nobody")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("farmer, wolf", "in crossing 1, goat and cabbage are left together"),
        ("goat", "in crossing 1, nobody in the boat can row"),
        ("farmer, wolf, goat, cabbage", "in crossing 1, the boat is too heavy"),
        ("farmer, goat\nwolf", "in crossing 2, someone is in the boat who is not on its bank"),
        (KNOWN, "somebody is still on the left bank in the end"),
        (KNOWN + "farmer, goat\nfarmer\nfarmer", "9 crossings exceed the limit of 7"),
    ],
)
def test_crossings_that_fail(answer, reason):
    assert FARMER.verify(answer).reason == reason
    assert not FARMER.audit(answer)


def test_a_boat_may_be_full():
    """All who are light enough can cross at once, however many they are."""
    light = river_crossing.Ferry(
        weights=(6, 1, 1, 1, 1, 1, 1), rowers=1, clashes=((1, 2),), capacity=12
    )
    assert river_crossing.shortest(light) == (0b1111111,)
