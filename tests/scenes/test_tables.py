"""Tables as shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.scenes import Cell, Grid, Table, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.raster import rgb
from palaestra.scenes.shapes import Label, Tile

texts = st.text("ABC 123", max_size=40)
cells = st.builds(Cell, texts, st.sampled_from(("paper", "t1", "dark")))
tables = st.lists(st.lists(cells, max_size=5).map(tuple), max_size=6).flatmap(
    lambda rows: st.builds(
        Table,
        st.just(tuple(rows)),
        st.just(tuple("column " * n for n in range(max(map(len, rows), default=0)))),
        st.sampled_from(((), tuple(f"row {n}" for n, _ in enumerate(rows)))),
        st.sampled_from(((), ((0, 0),))),
    )
)


def tiles(table):
    return {shape.name: shape for shape in drawing(table).shapes if isinstance(shape, Tile)}


@given(tables)
def test_all_cells_are_drawn_within_the_picture_and_do_not_overlap(table):
    assert from_json(to_json(table)) == table
    laid, drawn = drawing(table), tiles(table)
    assert len(drawn) == sum(map(len, table.rows))
    for r, row in enumerate(table.rows, 1):
        right = 0
        for c, cell in enumerate(row, 1):
            tile = drawn[f"r{r}c{c}"]
            body, *label = tile.shapes
            assert right - 1e-9 <= tile.x
            right = tile.x + body.width
            assert right <= laid.width
            assert tile.y + body.height <= laid.height
            assert [part.text for part in label] == [cell.text] * bool(cell.text)
    names = [shape.text for shape in laid.shapes if isinstance(shape, Label)]
    assert set(table.top) | set(table.left) <= set(names)


def test_columns_are_as_wide_as_their_longest_text():
    drawn = tiles(Table(((Cell("a"), Cell("a" * 12)), (Cell("a" * 6), Cell("a")))))
    narrow, wide = drawn["r1c1"].shapes[0].width, drawn["r2c2"].shapes[0].width
    assert narrow == drawn["r2c1"].shapes[0].width < wide == drawn["r1c2"].shapes[0].width


def test_a_name_of_a_column_makes_it_wider():
    one, other = (tiles(Table(((Cell("a"),),), top=(name,))) for name in ("a", "quantity"))
    assert one["r1c1"].shapes[0].width < other["r1c1"].shapes[0].width


def test_cells_of_the_last_move_are_marked():
    table = Table(((Cell("a"), Cell("b"), Cell("c", "t1")),), last=((0, 1), (0, 2)))
    bodies = [tiles(table)[f"r1c{n}"].shapes[0] for n in (1, 2, 3)]
    assert [body.fill for body in bodies] == ["paper", "last", "t1"]
    assert [body.stroke for body in bodies] == ["line", "line", "last"]


@pytest.mark.parametrize("table", [Table(()), Table((), ("a", "b")), Table(((), ()))])
def test_empty_tables_are_drawn(table):
    assert rgb(table, 64).shape[2] == 3


@given(st.text("ABC", min_size=1, max_size=9), st.integers(60, 320))
def test_no_pixel_of_a_cell_stays_black(text, size):
    for scene in (Table(((Cell(text), Cell("b")),)), Grid(((Cell(), Cell("b")),))):
        black = rgb(scene, size).max(axis=2) == 0
        assert not black.any()


def test_wide_cells_are_drawn_to_their_end():
    image = rgb(Table(((Cell("", "t1"), Cell("", "t3")),), top=("A" * 20, "B")), 300)
    left, right = image[-20, 100], image[-20, 200]
    assert (left == right).all()
    assert (left != 255).any()


def test_marks_without_a_ground_are_not_cut_off():
    image = rgb(Grid(((Cell(mark="tree", tone="c2"),),), style="dots"), 100)
    green = (abs(image.astype(int) - (0, 158, 115)).sum(axis=2) < 30).sum()
    assert green > 500
    assert not (image.max(axis=2) == 0).any()
