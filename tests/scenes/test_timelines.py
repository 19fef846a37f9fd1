"""Timelines as shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.scenes import Bar, Timeline, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.raster import rgb
from palaestra.scenes.shapes import Label, Tile

numbers = st.integers(-50, 500)
bars = st.builds(
    lambda start, length, text: Bar(start, start + length, text),
    numbers, st.integers(0, 300), st.text("ABC 123", max_size=9),
)  # fmt: skip
timelines = st.lists(st.lists(bars, max_size=4).map(tuple), max_size=6).flatmap(
    lambda rows: st.builds(
        Timeline,
        st.just(tuple(rows)),
        st.just(tuple(f"row {n}" for n, _ in enumerate(rows))),
        st.just(tuple("9" * n for n, _ in enumerate(rows))),
        st.just(min([0, *(bar.start for row in rows for bar in row)])),
        st.integers(0, 900),
    )
)


@given(timelines)
def test_all_rows_and_bars_are_drawn_within_the_picture(timeline):
    assert from_json(to_json(timeline)) == timeline
    laid = drawing(timeline)
    tiles = [shape for shape in laid.shapes if isinstance(shape, Tile)]
    assert len(tiles) == sum(map(len, timeline.rows))
    for tile in tiles:
        body = tile.shapes[0]
        assert 0 <= tile.x <= tile.x + body.width <= laid.width
        assert 0 <= tile.y <= tile.y + body.height <= laid.height
    labels = [shape.text for shape in laid.shapes if isinstance(shape, Label)]
    assert set(timeline.labels) | set(timeline.notes) <= set(labels)


def test_bars_are_as_long_as_their_time():
    laid = drawing(Timeline(((Bar(0, 2), Bar(2, 8)), (Bar(3, 4),)), end=10))
    tiles = {shape.name: shape for shape in laid.shapes if isinstance(shape, Tile)}
    long, short = tiles["bar-0-1"].shapes[0].width, tiles["bar-0-0"].shapes[0].width
    assert long == pytest.approx(3 * short)
    assert tiles["bar-0-1"].x == pytest.approx(tiles["bar-0-0"].x + short)
    assert tiles["bar-1-0"].y > tiles["bar-0-0"].y


def test_texts_that_do_not_fit_are_left_out():
    def texts(width):
        (tile,) = (
            shape
            for shape in drawing(Timeline(((Bar(0, width, "12:00-13:00"),),), end=100)).shapes
            if isinstance(shape, Tile)
        )
        return [part.text for part in tile.shapes if isinstance(part, Label)]

    assert texts(50) == ["12:00-13:00"]
    assert texts(2) == []


def test_ticks_are_round_numbers_or_those_that_are_stated():
    def labels(timeline):
        return [shape.text for shape in drawing(timeline).shapes if isinstance(shape, Label)]

    assert labels(Timeline(((Bar(0, 100),),))) == [str(n) for n in range(0, 101, 10)]
    assert labels(Timeline(((Bar(0, 100),),), ticks=((0, "noon"),))) == ["noon"]


def test_an_empty_timeline_is_drawn():
    assert rgb(Timeline(()), 64).shape[2] == 3
    assert rgb(Timeline(((),)), 64).shape[2] == 3
