"""Scenes as shapes, SVG and RGB arrays."""

from importlib.resources import files
from typing import get_args
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.scenes import (
    Between,
    Border,
    Card,
    Cards,
    Cell,
    Curve,
    Edge,
    Graph,
    Grid,
    Hex,
    Hexagons,
    Item,
    Line,
    Node,
    Panels,
    Plane,
    Point,
    Polygon,
    Stacks,
    Text,
    from_json,
    to_json,
)
from palaestra.scenes.elements import Mark
from palaestra.scenes.layouts import drawing
from palaestra.scenes.palette import COLOURS, THEMES, colour, css, luminance
from palaestra.scenes.raster import rgb
from palaestra.scenes.shapes import Disc, Label, Path, Rectangle, Tile
from palaestra.scenes.vectors import sheet, svg

TONES = ["paper", "muted", "shade", "dark", "accent", "good", "bad", "water", "c0", "c6", "t3"]
MARKS = get_args(Mark)

texts = st.text("0123456789ABCxyz +-<>&", max_size=6)
tones = st.sampled_from(TONES)
cells = st.builds(
    Cell, text=texts, fill=tones | st.just("none"), mark=st.sampled_from(MARKS),
    tone=tones | st.just(""), corner=texts,
)  # fmt: skip
points = st.tuples(st.integers(0, 3), st.integers(0, 3))
paths = st.lists(points, min_size=2, max_size=5).map(tuple)


def rows(width, elements, height=4):
    return st.lists(
        st.lists(elements, min_size=width, max_size=width).map(tuple),
        min_size=height, max_size=height,
    ).map(tuple)  # fmt: skip


grids = st.builds(
    Grid, rows(4, cells),
    regions=st.just(()) | rows(4, st.integers(0, 3)),
    top=st.just(()) | rows(2, texts), left=st.just(()) | rows(1, texts),
    bottom=st.just(()) | rows(1, texts), right=st.just(()) | rows(3, texts),
    style=st.sampled_from(["cells", "dots", "points", "plain"]), coordinates=st.booleans(),
    lines=st.lists(
        st.builds(Line, paths, arrow=st.booleans(), round_end=st.booleans()), max_size=2
    ).map(tuple),
    borders=st.lists(st.builds(Border, paths, dashed=st.booleans()), max_size=2).map(tuple),
    between=st.lists(
        st.builds(
            Between, st.integers(0, 2), st.integers(0, 2), st.sampled_from(["right", "down"]),
            text=texts,
        ),
        max_size=2,
    ).map(tuple),
    last=st.lists(points, max_size=2).map(tuple),
)  # fmt: skip
graphs = st.integers(1, 12).flatmap(
    lambda n: st.builds(
        Graph,
        st.lists(st.builds(Node, texts, tone=tones, note=texts), min_size=n, max_size=n).map(tuple),
        st.lists(
            st.builds(Edge, st.integers(0, n - 1), st.integers(0, n - 1), text=texts), max_size=20
        ).map(tuple),
        st.booleans(),
    )
)
stacks = st.builds(
    Stacks,
    st.lists(
        st.lists(st.builds(Item, texts, tones, st.floats(0.1, 1)), max_size=4).map(tuple),
        min_size=1, max_size=4,
    ).map(tuple),
    st.lists(texts, max_size=3).map(tuple), st.sampled_from(["tubes", "pegs", "blocks"]),
)  # fmt: skip
hexagons = st.builds(
    Hexagons,
    st.lists(st.builds(Hex, st.integers(0, 4), st.integers(0, 4), cells), min_size=1).map(tuple),
    st.sampled_from(["odd", "even"]),
)
numbers = st.integers(-50, 50)
figures = st.lists(
    st.builds(Point, numbers, numbers, texts)
    | st.builds(
        Polygon, st.lists(st.tuples(numbers, numbers), min_size=3, max_size=6).map(tuple),
        names=st.lists(texts, max_size=3).map(tuple),
    )
    | st.builds(Curve, st.lists(st.tuples(numbers, numbers), min_size=2, max_size=4).map(tuple)),
    min_size=1, max_size=5,
).map(tuple)  # fmt: skip
planes = st.builds(Plane, figures, st.booleans())
cards = st.builds(
    Cards,
    st.lists(
        st.lists(
            st.builds(
                Card, texts, st.sampled_from(MARKS), tones, tones,
                st.sampled_from(["card", "tile", "die", "coin"]),
            ),
            min_size=1, max_size=5,
        ).map(tuple),
        min_size=1, max_size=3,
    ).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
)  # fmt: skip
words = st.builds(Text, st.lists(texts, min_size=1, max_size=4).map(tuple))
single = grids | graphs | stacks | hexagons | planes | cards | words
scenes = single | st.builds(
    Panels,
    st.lists(single, min_size=1, max_size=4).map(tuple),
    st.just(()) | st.just(("one", "two")),
    st.integers(1, 3),
)


@settings(max_examples=40)
@given(scenes)
def test_scenes_are_json_both_ways_and_drawn_within_their_bounds(scene):
    assert from_json(to_json(scene)) == scene
    laid = drawing(scene)
    assert laid == drawing(from_json(to_json(scene)))
    for left, top, right, bottom in map(box, flat(laid.shapes)):
        assert left > -0.6
        assert top > -0.6
        assert right < laid.width + 0.6
        assert bottom < laid.height + 0.6


def flat(shapes):
    for shape in shapes:
        if isinstance(shape, Tile):
            for part in shape.shapes:
                left, top, right, bottom = box(part)
                yield Rectangle(left + shape.x, top + shape.y, right - left, bottom - top)
        else:
            yield shape


def box(shape):
    if isinstance(shape, Rectangle):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Disc):
        r = shape.radius
        return shape.x - r, shape.y - r, shape.x + r, shape.y + r
    if isinstance(shape, Label):
        return shape.x, shape.y, shape.x, shape.y
    assert isinstance(shape, Path)
    xs, ys = zip(*shape.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@settings(max_examples=40)
@given(scenes, st.sampled_from(THEMES))
def test_svg_is_well_formed_and_holds_all_texts(scene, theme):
    tree = ElementTree.fromstring(svg(scene, theme))
    labels = [
        part.text
        for shape in drawing(scene).shapes
        for part in (shape.shapes if isinstance(shape, Tile) else (shape,))
        if isinstance(part, Label)
    ]
    shown = [node.text or "" for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert shown == labels


@settings(max_examples=40)
@given(scenes, st.sampled_from([60, 224, 448]), st.sampled_from(THEMES))
def test_images_have_the_size_that_is_wanted_and_are_drawn_twice_the_same(scene, size, theme):
    image = rgb(scene, size, theme)
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    assert 0.4 * size < max(image.shape[:2]) <= size
    assert (image == rgb(scene, size, theme)).all()


@pytest.mark.parametrize("mark", [mark for mark in MARKS if mark])
def test_every_mark_is_seen(mark):
    blank = rgb(Grid(((Cell(),),)), 64)
    assert (rgb(Grid(((Cell(mark=mark, tone="c3"),),)), 64) != blank).mean() > 0.01


@pytest.mark.parametrize("text", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz+-=<>?#*")
def test_every_character_is_seen(text):
    blank = rgb(Grid(((Cell(),),)), 64)
    assert (rgb(Grid(((Cell(text),),)), 64) != blank).mean() > 0.002


def test_texts_are_legible_on_their_ground():
    """The contrast of WCAG 2 for text of this size, 3 : 1, on every role in both themes."""
    roles = ["paper", "muted", "shade", "dark", "water", "accent", "good", "bad", "last"]
    roles += [f"{letter}{n}" for letter in "ct" for n in range(len(COLOURS))]
    for theme in THEMES:
        for role in roles:
            light, dark = sorted(
                (luminance(colour(role, theme)), luminance(colour(f"on-{role}", theme)))
            )
            assert (dark + 0.05) / (light + 0.05) >= 4, (theme, role)


def test_unknown_colours_and_scenes_are_refused():
    with pytest.raises(KeyError, match="no colour 'pink'"):
        colour("pink")
    with pytest.raises(KeyError, match="c12"):
        colour("c12")
    with pytest.raises(msgspec.ValidationError):
        from_json(b'{"type": "film"}')


def test_the_style_sheet_of_the_playground_has_these_colours():
    made = files("palaestra.server").joinpath("play/scene.css").read_text("utf-8")
    assert made.split("\n", 1)[1] == css()


def test_a_sheet_holds_all_captions():
    text = sheet([("one & two", Grid(((Cell("7"),),))), ("three", Text(("four",)))], columns=2)
    tree = ElementTree.fromstring(text)
    shown = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert shown == ["7", "one & two", "four", "three"]
