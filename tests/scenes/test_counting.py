"""Scenes of coins, dice and urns, compared with their prompts as these are read here."""

import re
from collections import Counter
from itertools import groupby

import pytest
from tests.scenes.reading import drawable, tasks

import palaestra

NAMES = [
    "counting/coin_flips",
    "counting/combinatorial_design",
    "counting/dice_probability",
    "counting/subarrays_and_subsets",
    "counting/urn_probability",
]
SOLVED = {"counting/combinatorial_design"}
"""Questions whose answers are drawn."""
UNDRAWN = {"counting/restricted_permutations", "counting/words_with_pattern"}
"""Questions about objects that are too many to draw."""


def test_all_environments_are_here():
    names = {name for name in palaestra.names() if name.startswith("counting/")}
    assert names == UNDRAWN | {*NAMES}
    assert all(tasks(name)[0].scene() is None for name in UNDRAWN)


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.scene())


@pytest.mark.parametrize("name", sorted({*NAMES} - SOLVED))
def test_answers_are_not_drawn(name):
    for task in tasks(name):
        assert task.solved_scene(task.answer()) is None


def test_coins_are_those_of_the_prompt():
    for task in tasks("counting/coin_flips"):
        *coins, flips = task.scene().rows
        *labels, number = task.scene().labels
        shares = re.findall(r"with probability (\d+/\d+)", task.prompt())
        assert labels == [f"heads: {share}" for share in shares]
        assert [coin.text for (coin,) in coins] == [*"ABC"[: len(shares)]]
        assert all(card.shape == "coin" for row in task.scene().rows for card in row)
        order = re.search(r"in the order ((?:[ABC] ?)+)\.", task.prompt())
        count = int(re.search(r"(\d+) times", task.prompt())[1])
        expected = order[1].split() if order else ["A"] * count
        assert [coin.text for coin in flips] == expected
        assert number == f"{count} flips"


def test_dice_are_those_of_the_prompt():
    for task in tasks("counting/dice_probability"):
        (row,) = task.scene().rows
        sides = re.search(r"(\d+(?:, \d+)+) sides", task.prompt())[1].split(", ")
        assert [card.text for card in row] == [f"d{number}" for number in sides]
        assert {card.shape for card in row} == {"die"}


def test_balls_are_those_of_the_prompt():
    for task in tasks("counting/urn_probability"):
        scene = task.scene()
        urn = re.search(r"((?:\d+ \w+, )+\d+ \w+) balls", task.prompt())[1]
        stated = {colour: int(number) for number, colour in
                  (part.split() for part in urn.split(", "))}  # fmt: skip
        counts, colour = Counter(), ""
        letters = {"red": "R", "blue": "B", "green": "G", "white": "W", "black": "K"}
        for (name, number), row in zip(scene.left, scene.cells, strict=True):
            colour = name or colour
            balls = [cell for cell in row if cell.mark == "disc"]
            assert {ball.text for ball in balls} == {letters[colour]}
            counts[colour] += len(balls)
            assert not name or number == str(stated[name])
            assert len(balls) <= 10
        assert counts == stated


def test_colours_of_balls_differ():
    for task in tasks("counting/urn_probability"):
        looks = {(cell.text, cell.tone) for row in task.scene().cells for cell in row if cell.mark}
        assert len(looks) == len(task.balls) == len({tone for _, tone in looks})


def tables(text):
    """The tables of a text: lines of numbers and dots."""
    lines = [line.split() for line in text.splitlines()]
    return [
        [*block]
        for is_row, block in groupby(
            lines, lambda line: bool(line) and ROW.issuperset("".join(line))
        )
        if is_row
    ]


ROW = {*"0123456789."}


def test_designs_are_those_of_the_prompt():
    for task in tasks("counting/combinatorial_design"):
        table, *square = tables(task.prompt())
        scene = task.scene()
        grids = scene.scenes if square else [scene]
        shown = [[[cell.text or "." for cell in row] for row in grid.cells] for grid in grids]
        assert shown == [*square, table]
        solved = task.solved_scene(task.answer())
        grid = solved.scenes[-1] if square else solved
        assert "\n".join(" ".join(cell.text for cell in row) for row in grid.cells) == task.answer()
        assert drawable(solved)
        fixed = [[cell.fixed for cell in row] for row in grid.cells]
        assert fixed == [[number != "." for number in row] for row in table]
