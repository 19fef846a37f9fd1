"""Tasks of space and shape, held to hand-worked cases and to referees of another kind."""

import random
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.spatial.ascii_banner import AsciiBanner, dressed
from palaestra.envs.spatial.compass_bearings import CompassBearings
from palaestra.envs.spatial.cube_rotation import CubeRotation
from palaestra.envs.spatial.lattice_walk import LatticeWalk
from palaestra.envs.spatial.map_walk import MapWalk
from palaestra.envs.spatial.rectangle_counting import RectangleCounting
from palaestra.generators.spatial.ascii_banner import CODES, FONT, inked, written
from palaestra.generators.spatial.cube_rotation import CYCLES, ended, rolled, turnings
from palaestra.generators.spatial.lattice_walk import STEPS, visited
from palaestra.generators.spatial.map_walk import moved
from palaestra.generators.spatial.rectangle_counting import rectangles
from palaestra.task import Puzzle, Unreadable

seeds = st.integers(0, 10**6)


def drawn(kind: type[Puzzle], seed: int, level: int = 1, **chosen: object) -> Puzzle:
    return kind.draw(random.Random(seed), kind.Knobs.at(level, **chosen))


@pytest.mark.parametrize("kind", [CompassBearings, MapWalk, RectangleCounting])
def test_no_answer_is_usual_at_the_first_level(kind: type[Puzzle]) -> None:
    answers = Counter(drawn(kind, seed, 0).answer() for seed in range(1000))
    assert max(answers.values()) < 50


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
        "another cube"
        in task.verify(
            task.answer()
            .replace("yellow", "pin")
            .replace("green", "yellow")
            .replace("pin", "green")
        ).reason
    )


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_rectangles_by_trying_all_corners(seed: int) -> None:
    task = drawn(RectangleCounting, seed, 2)
    picture = task.picture
    high, wide = range(len(picture)), range(len(picture[0]))
    across = [[sign in "-+" for sign in row] for row in picture]
    down = [[sign in "|+" for sign in row] for row in picture]
    found = [
        (t, l_, b, r)
        for t, b in product(high, high)
        for l_, r in product(wide, wide)
        if t < b
        and l_ < r
        and all(across[t][l_ : r + 1])
        and all(across[b][l_ : r + 1])
        and all(down[n][l_] and down[n][r] for n in range(t, b + 1))
    ]
    assert rectangles(picture) == tuple(sorted(found))


def test_map_walk_by_hand() -> None:
    assert moved(("S~~.", "...."), (0, 0), "right") == [(0, 1), (0, 2), (0, 3)]
    assert moved(("S~~#", "...."), (0, 0), "right") == [(0, 1), (0, 2)]
    assert moved(("S>v.", "..*."), (0, 0), "right") == [(0, 1), (0, 2), (1, 2)]
    assert moved(("SA..", "..A."), (0, 0), "right") == [(0, 1), (1, 2)]
    assert len(moved(("S><.", "....", "....", "...."), (0, 0), "right")) == 16
    assert moved(("S#", ".."), (0, 0), "up") == []
    task = MapWalk(board=("..*", "#.~", ".*."), start=(0, 0), moves=("down", "right", "right"))
    assert task.answer() == "end: r1c3\ncoins: 1\nblocked: 1"
    with pytest.raises(Unreadable):
        task.verify("end: r9c9\ncoins: 1\nblocked: 1")


@pytest.mark.parametrize("shape", sorted(STEPS))
def test_lattice_steps_have_a_way_back(shape: str) -> None:
    back = {"inward": "outward", "clockwise": "anticlockwise", "north": "south", "east": "west"}
    back |= {"north-east": "south-west", "north-west": "south-east"}
    for step, other in back.items():
        if step in STEPS[shape]:
            start = (0, 1)
            assert visited(shape, (step, other), start)[-1] == start
    if shape in ("hexagonal", "triangular"):
        assert visited(shape, ("north-east", "south-east"), (0, 0))[-1] == (1, 0)
        assert visited(shape, ("north-west", "east"), (0, 0))[-1] == (0, 1)
    if shape == "ring":
        assert visited(shape, ("clockwise",) * 7, (0, 0))[-1] == (0, 0)


@settings(max_examples=15, deadline=None)
@given(seed=seeds, level=st.integers(0, 6))
def test_lattice_walk_tells_the_words_it_asks_for(seed: int, level: int) -> None:
    task = drawn(LatticeWalk, seed, level)
    assert {*task.found()} <= {*task.seen()}
    wrong = ", ".join(reversed(task.found())) if len(task.blind) > 1 else task.seen()[-1]
    assert task.verify(wrong).value == (wrong == task.answer())


def test_lattice_walk_takes_its_words_however_they_are_set_apart() -> None:
    task = drawn(LatticeWalk, 5, 4)
    words = task.found()
    said = (" ".join(words), "\n".join(words), f"[{', '.join(words)}]", "; ".join(words).upper())
    for told in said:
        assert task.verify(told).value == 1
    for bad in (", ".join(words[:-1]), ", ".join([*words, words[0]]), "", "zibbo, zibbo, zibbo"):
        with pytest.raises(Unreadable):
            task.verify(bad)


def test_no_two_letters_look_alike() -> None:
    """All letters can come up: a picture is only drawn if each is plainly itself."""
    assert min((a ^ b).bit_count() for a, b in combinations(CODES.values(), 2)) >= 4


@settings(max_examples=20, deadline=None)
@given(word=st.text("".join(FONT), min_size=3, max_size=8))
@pytest.mark.parametrize("style", ["plain", "inverted", "sheared", "mirrored", "upended"])
def test_banner_is_read_back(word: str, style: str) -> None:
    slope = -1 if style == "sheared" else 0
    picture = inked(dressed(written(word), style, slope, (2, 2)), "#.")
    task = AsciiBanner(
        picture=picture, ink="#.", style=style, size=(2, 2), slope=slope, letters=len(word)
    )
    assert task.answer() == word
    assert task.fair()
    assert task.verify(" ".join(word.lower())).value == 1


def test_banner_tells_which_way_it_reads() -> None:
    tasks = [drawn(AsciiBanner, seed, 4) for seed in range(60)]
    ways = {"mirrored": "reads from right to left", "upended": "reads from the top down"}
    for task in tasks:
        assert all((way in task.prompt()) == (task.style == style) for style, way in ways.items())
    assert {*ways} <= {task.style for task in tasks}


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_bearings_by_relaxation(seed: int) -> None:
    """Places are put where the claims want them, again and again, until nothing moves."""
    task = drawn(CompassBearings, seed, 4)
    by = {"north": 1j, "south": -1j, "east": 1, "west": -1}
    spots: dict[int, complex] = {task.claims[0][0]: 0}
    for _ in task.names:
        for one, parts, other in task.claims:
            way = sum(far * by[point] for far, point in parts)
            if other in spots:
                spots.setdefault(one, spots[other] + way)
            if one in spots:
                spots.setdefault(other, spots[one] - way)
        for place, one, other in task.middles:
            if one in spots and other in spots:
                spots.setdefault(place, (spots[one] + spots[other]) / 2)
    way = spots[task.asked[0]] - spots[task.asked[1]]
    east, north = map(float, task.displaced())
    assert (east, north) == (way.real, way.imag)
    assert task.verify(f"{east}, {north}").value == 1
    assert task.verify(f"{east}, {north + 1}").value == 0
