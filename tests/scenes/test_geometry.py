"""Scenes of geometry puzzles, compared with their prompts as these are read here."""

import re
from functools import cache

import pytest

import palaestra
from palaestra.scenes import Plane, Point, Polygon, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.shapes import Label
from palaestra.task import InvalidAnswer

SEEDS = (1, 2, 3)
NAMES = ("coordinate_areas", "point_in_polygon", "triangle_centres")
POINT = re.compile(r"\((-?\d+), (-?\d+)\)")


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(f"geometry/{name}").task()).Knobs.levels()
    return [
        palaestra.Address.of(f"geometry/{name}", seed, level).task()
        for level in range(levels)
        for seed in SEEDS
    ]


def points_in(text):
    return [(int(x), int(y)) for x, y in POINT.findall(text)]


def sound(scene):
    assert from_json(to_json(scene)) == scene
    assert drawing(scene).shapes


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_json_both_ways_and_drawn(name):
    for task in tasks(name):
        scene = task.scene()
        assert scene.axes
        sound(scene)
        if name != "coordinate_areas":
            sound(task.solved_scene(task.answer()))


def test_polygons_have_the_corners_of_the_prompt():
    for task in tasks("coordinate_areas"):
        prompt, polygons = task.prompt(), task.scene().figures
        rows = [points_in(line) for line in prompt.splitlines() if line.startswith("(")]
        assert [list(polygon.points) for polygon in polygons] == rows
        assert [points_in(" ".join(polygon.names)) for polygon in polygons] == rows


def test_points_in_polygons():
    for task in tasks("point_in_polygon"):
        prompt, (polygon, *points) = task.prompt(), task.scene().figures
        corners = next(line for line in prompt.splitlines() if line.startswith("("))
        assert list(polygon.points) == points_in(corners)
        listed = re.findall(r"^(P\d+): \((-?\d+), (-?\d+)\)$", prompt, re.MULTILINE)
        assert [(p.name, str(p.x), str(p.y)) for p in points] == listed
        assert {p.tone for p in points} == {"ink"}
        for answer in (task.answer(), "P1, P2"):
            _, *marked = task.solved_scene(answer).figures
            assert {p.name for p in marked if p.tone == "accent"} == {
                f"{name} in" for name in answer.split(", ")
            }
            assert [(p.x, p.y) for p in marked] == [(p.x, p.y) for p in points]


def test_triangles_and_their_centres():
    for task in tasks("triangle_centres"):
        (triangle,) = task.scene().figures
        prompt = task.prompt()
        corners = re.findall(r"[ABC] = \(-?\d+, -?\d+\)", prompt)
        assert [name.replace(" ", " = ", 1) for name in triangle.names] == corners
        assert list(triangle.points) == points_in(" ".join(corners))
        _, *centres = task.solved_scene(task.answer()).figures
        lines = dict(line.split(": ") for line in task.answer().splitlines())
        assert [centre.name for centre in centres] == [*lines]
        for centre in centres:
            x, y = (number_in(text) for text in lines[centre.name].strip("()").split(", "))
            assert (centre.x, centre.y) == pytest.approx((x, y))


def number_in(text):
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def test_points_far_away_are_left_out():
    task = tasks("triangle_centres")[0]
    answer = f"centroid: ({10**390}, 1/{10**390})"
    assert task.centres == ("centroid",)
    scene = task.solved_scene(answer)
    assert scene == task.scene()
    sound(task.solved_scene(f"centroid: (1, 1/{10**390})"))


@pytest.mark.parametrize("name", ["point_in_polygon", "triangle_centres"])
@pytest.mark.parametrize("answer", ["somewhere", "P0", "centroid: here"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def labels(figures):
    return {
        shape.text: shape for shape in drawing(Plane(figures)).shapes if isinstance(shape, Label)
    }


@pytest.mark.parametrize("turn", [1, -1])
def test_names_of_corners_stand_outside(turn):
    """Also at the corner of an L that points inwards."""
    corners = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4))[::turn]
    names = tuple(f"{x}{y}" for x, y in corners)
    laid = labels((Polygon(corners, names=names),))
    middle = laid["22"]
    assert middle.x > (laid["00"].x + laid["40"].x) / 2
    assert middle.y < (laid["00"].y + laid["04"].y) / 2
    assert laid["00"].y > laid["04"].y  # the y axis points upwards
    assert laid["40"].x > laid["20" if "20" in laid else "24"].x


def test_names_of_points_avoid_one_another():
    laid = labels(tuple(Point(x, 0, name) for x, name in ((0, "P1"), (0.5, "P2"), (10, "P3"))))
    one, other = laid["P1"], laid["P2"]
    assert abs(one.x - other.x) > 0.36 or abs(one.y - other.y) > 0.28


def test_names_at_the_edge_stay_within_the_picture():
    scene = Plane((Polygon(((0, 0), (9, 0), (9, 9)), names=("(-1000, -1000)", "", "")),))
    (label,) = (shape for shape in drawing(scene).shapes if isinstance(shape, Label) and shape.text)
    assert label.x - 0.28 * label.size * len(label.text) > 0
