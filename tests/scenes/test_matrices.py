"""Scenes of matrices against their prompts and answers, which are read as texts."""

import re
from functools import cache

import pytest

import palaestra
from palaestra.registry import load
from palaestra.scenes import Panels, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.raster import rgb
from palaestra.task import InvalidAnswer

NAMES = ("distance_to_nearest", "flood_regions", "matrix_moves", "pooling", "spreading")
DRAWN = tuple(name for name in NAMES if name != "flood_regions")
"""Those whose answers are drawn in."""


def each_level(names):
    return [
        (name, level) for name in names for level in range(load(f"matrices/{name}").Knobs.levels())
    ]


@cache
def task_of(name, level, seed):
    return palaestra.Address.of(f"matrices/{name}", seed, level).task()


def rows(text):
    return [line.split() for line in text.splitlines()]


def table(prompt):
    return rows(prompt.split("\n\n")[1])


def signs(grid, sign_of=lambda cell: cell.text):
    return [[sign_of(cell) for cell in row] for row in grid.cells]


def cells_with(grid, condition):
    return {
        f"r{r + 1}c{c + 1}"
        for r, row in enumerate(grid.cells)
        for c, cell in enumerate(row)
        if condition(cell)
    }


def board(scene):
    """The first grid of a scene."""
    return scene.scenes[0] if isinstance(scene, Panels) else scene


# ------------------------------------------------------------------ what prompts show


def shown_distance_to_nearest(prompt, scene):
    ground = {"dark": "#", "paper": "."}
    assert signs(scene, lambda cell: cell.text or ground[cell.fill]) == table(prompt)


def shown_flood_regions(prompt, scene):
    assert signs(scene) == table(prompt)
    fills = {(cell.text, cell.fill) for row in scene.cells for cell in row}
    assert len(fills) == len({text for text, _ in fills}) == len({fill for _, fill in fills})


def shown_matrix_moves(prompt, scene):
    assert signs(scene) == table(prompt)
    assert scene.coordinates


def shown_pooling(prompt, scene):
    assert signs(scene) == table(prompt)
    size = int(re.search(r"window of (\d+) by \1 cells", prompt)[1])
    (window,) = scene.borders
    assert (min(window.points), max(window.points)) == ((0, 0), (size, size))


def shown_spreading(prompt, scene):
    assert signs(scene, lambda cell: cell.text or {"dark": "#"}[cell.fill]) == table(prompt)
    starts = re.search(r"At minute 0 the cells (.*) are on fire", prompt)[1]
    assert cells_with(scene, lambda cell: cell.corner == "fire") == {*starts.split(" and ")}
    targets = re.search(r"catch fire: (.*)\? And", prompt)[1]
    assert cells_with(scene, lambda cell: cell.corner == "?") == {*targets.split(", ")}


SHOWN = {
    "distance_to_nearest": shown_distance_to_nearest,
    "flood_regions": shown_flood_regions,
    "matrix_moves": shown_matrix_moves,
    "pooling": shown_pooling,
    "spreading": shown_spreading,
}


@pytest.mark.parametrize(("name", "level"), each_level(NAMES))
def test_a_scene_shows_what_the_prompt_shows(name, level):
    for seed in (1, 2, 3):
        task = task_of(name, level, seed)
        scene = task.scene()
        SHOWN[name](task.prompt(), scene)
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        assert not any(cell.tone for row in scene.cells for cell in row)


# ------------------------------------------------------------------ what answers add


def added_distance_to_nearest(answer, scene, prompt):
    assert signs(scene, lambda cell: cell.corner or cell.text) == rows(answer)
    marked = [[sign == "X" for sign in row] for row in table(prompt)]
    assert signs(scene, lambda cell: cell.text == "X") == marked


def added_matrix_moves(answer, scene, prompt):
    before, after = scene.scenes
    assert signs(before) == table(prompt)
    assert {cell.tone for row in after.cells for cell in row} == {"accent"}
    if "spiral" in prompt:
        assert unrolled(signs(after)) == answer.split(", ")
    else:
        assert signs(after) == rows(answer)


def unrolled(numbers):
    """The numbers of a matrix, clockwise from the top left corner inwards."""
    read, (r, c), step = [], (0, -1), (0, 1)
    left = {(i, j): n for i, row in enumerate(numbers) for j, n in enumerate(row)}
    while left:
        if (r + step[0], c + step[1]) not in left:
            step = (step[1], -step[0])
        r, c = r + step[0], c + step[1]
        read.append(left.pop((r, c)))
    return read


def added_pooling(answer, scene, prompt):
    matrix, numbers = scene.scenes
    assert signs(matrix) == table(prompt)
    assert signs(numbers, lambda cell: (cell.text, cell.tone)) == [
        [(number, "accent") for number in row] for row in rows(answer)
    ]


def added_spreading(answer, scene, prompt):
    *minutes, last = answer.split(", ")
    targets = re.search(r"catch fire: (.*)\? And", prompt)[1].split(", ")
    for name, minute in zip(targets, minutes, strict=True):
        row, column = (int(part) - 1 for part in name[1:].split("c"))
        cell = board(scene).cells[row][column]
        assert (cell.text, cell.tone) == (minute, "accent")
        assert cell.corner == table(prompt)[row][column]
    assert scene.captions[0].split()[-1] == last


ADDED = {
    "distance_to_nearest": added_distance_to_nearest,
    "matrix_moves": added_matrix_moves,
    "pooling": added_pooling,
    "spreading": added_spreading,
}


def other_numbers(answer):
    """An answer whose numbers are one more."""
    return re.sub(r"-?\d+", lambda number: str(int(number[0]) + 1), answer)


@pytest.mark.parametrize(("name", "level"), each_level(DRAWN))
def test_answers_are_drawn_right_or_wrong(name, level):
    for seed in (1, 2, 3):
        task = task_of(name, level, seed)
        answer = task.answer()
        assert task.verify(other_numbers(answer)).value < 1
        for reply in (answer, other_numbers(answer)):
            scene = task.solved_scene(reply)
            ADDED[name](reply, scene, task.prompt())
            assert from_json(to_json(scene)) == scene
            assert drawing(scene).shapes


def test_a_spiral_of_another_length_is_drawn_as_far_as_it_goes():
    task = task_of("matrix_moves", 3, 1)
    count = task.answer().count(",") + 1
    for length in (1, count - 1, count + 1):
        reply = ", ".join(map(str, range(1, length + 1)))
        assert task.verify(reply).value == 0
        numbers = unrolled(signs(task.solved_scene(reply).scenes[1]))
        assert numbers == [str(n) if n <= length else "" for n in range(1, count + 1)]


@pytest.mark.parametrize("name", DRAWN)
def test_what_cannot_be_read_is_not_drawn(name):
    task = task_of(name, 0, 1)
    for reply in ("", "nothing", "1 2\n3"):
        with pytest.raises(InvalidAnswer):
            task.verify(reply)
        with pytest.raises(InvalidAnswer):
            task.solved_scene(reply)


def test_counts_of_regions_are_not_drawn():
    task = task_of("flood_regions", 0, 1)
    assert task.solved_scene(task.answer()) is None


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_painted_light_and_dark(name):
    scene = task_of(name, 1, 1).scene()
    light, dark = (rgb(scene, 224, theme) for theme in ("light", "dark"))
    assert light.shape == dark.shape
    assert max(light.shape) <= 224
    assert light.mean() > dark.mean()
