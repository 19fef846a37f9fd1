"""Sliding tiles, against a search of its own and the published numbers of the eight puzzle."""

from collections import Counter
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.puzzles.fifteen_puzzle import FifteenPuzzle
from palaestra.task import InvalidAnswer

RULES = FifteenPuzzle(3)
BOARD = (1, 2, 3, 4, 0, 5, 7, 8, 6)


def around(text, width=3):
    """The boards one slide away, as texts of one sign a cell."""
    gap = text.index("_")
    row, column = divmod(gap, width)
    for r, c in (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1):
        if 0 <= r < len(text) // width and 0 <= c < width:
            cells = [*text]
            cells[gap], cells[r * width + c] = cells[r * width + c], "_"
            yield "".join(cells)


@pytest.fixture(scope="module")
def fewest():
    """The moves to the goal from each board of the eight puzzle."""
    known = {"12345678_": 0}
    wave = [*known]
    for moves in range(1, 40):
        wave = [
            new for board in wave for new in around(board) if known.setdefault(new, moves) == moves
        ]
        wave = [*dict.fromkeys(wave)]
    return known


def test_the_eight_puzzle_has_its_known_size_and_depth(fewest):
    """Alexander Reinefeld, Complete solution of the eight-puzzle (1993): 181,440 boards, of which
    two take 31 moves.
    """
    assert len(fewest) == 181_440
    assert max(fewest.values()) == 31
    assert Counter(fewest.values())[31] == 2


def test_plans_are_shortest_and_the_estimate_is_never_too_high(fewest):
    for board in Random(1).sample(sorted(fewest), 300):
        state = tuple(0 if sign == "_" else int(sign) for sign in board)
        assert RULES.distance(state) <= fewest[board]
        assert (RULES.distance(state) == 0) == (fewest[board] == 0)


@pytest.mark.parametrize("seed", range(12))
def test_tasks_have_shortest_plans_of_the_stated_length(seed, fewest):
    level = 1 + seed % 3
    task = Address.of("games/fifteen_puzzle", seed, level).task()
    text = "".join(task.rules().show(task.start()).removeprefix("Board:").split())
    plan = [*task.solve()]
    assert len(plan) == fewest[text] == task.moves - type(task).Knobs.at(level).spare
    for tile in plan:
        text = next(new for new in around(text) if new.index("_") == text.index(tile))
    assert text == "12345678_"


def test_a_linear_conflict_counts_two_moves():
    assert RULES.distance((2, 1, 3, 4, 5, 6, 7, 8, 0)) == 2 + 2


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "tile 5",
        "I slide tile 5.",
        "**5**",
        "slide 5 into the gap",
        "swap 5 with the gap",
        "#5",
        "tile no. 5",
        "move 5",
        "My move: 5",
        "5.",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.read(BOARD, text) == 5


@pytest.mark.parametrize(
    "text", ["", "6", "0", "5, 4", "5 or 4", "not 5", "no 5", "left", "5" * 4000]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(BOARD, text)


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(BOARD)
    assert [[cell.text for cell in row] for row in scene.cells] == [
        ["1", "2", "3"],
        ["4", "", "5"],
        ["7", "8", "6"],
    ]
