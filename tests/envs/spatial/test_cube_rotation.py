"""Tests of spatial/cube_rotation."""

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.spatial.cube_rotation import CubeRotation
from palaestra.generators.spatial.cube_rotation import CYCLES, ended, rolled, turnings

turns = st.lists(st.sampled_from(sorted(CYCLES)), max_size=30)


@given(turns)
def test_cube_turns_keep_opposites(turns: list[str]) -> None:
    """However it is rolled, opposite faces stay opposite, and four equal turns change nothing."""
    cube = ("T", "B", "F", "K", "L", "R")
    for turn in turns:
        cube = rolled(cube, turn)
    opposite = [{*cube[n : n + 2]} for n in (0, 2, 4)]
    assert all(pair in ({"T", "B"}, {"F", "K"}, {"L", "R"}) for pair in opposite)
    for turn in CYCLES:
        again = cube
        for _ in range(4):
            again = rolled(again, turn)
        assert again == cube
    assert len(turnings(cube)) == len({*turnings(cube)}) == 24


@given(turns, st.integers(0, 99))
def test_cube_steps_by_making_every_turn(turns: list[str], times: int) -> None:
    start = cube = ("T", "B", "F", "K", "L", "R")
    for turn in turns * times:
        cube = rolled(cube, turn)
    assert ended(start, ((tuple(turns), times),)) == cube


def test_cube_by_hand() -> None:
    task = CubeRotation(
        colours=("red", "blue", "green", "yellow", "white", "black"),
        steps=((("forward",), 1), (("clockwise",), 1)),
    )
    # Rolled towards me, red comes to the front; seen from above, clockwise takes it to the left.
    wanted = dict(line.split(": ") for line in task.answer().splitlines())
    assert wanted["left"] == "red"
    assert wanted["top"] == "yellow"
    assert (
        "no rotation of the cube"
        in task.verify(
            task.answer()
            .replace("yellow", "pin")
            .replace("green", "yellow")
            .replace("pin", "green")
        ).reason
    )
