"""Positions of nodes, and of the texts of edges."""

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.random_graphs import connected
from palaestra.scenes import Edge, Graph, Node
from palaestra.scenes.layouts import drawing
from palaestra.scenes.networks import laid_out, overlaps, positions, side, text_spots
from palaestra.scenes.shapes import Disc, Label, Path, Rectangle, Tile

SEEDS = st.integers(0, 10**6)
coordinates = st.none() | st.floats(0, 1)


def graph(nodes, pairs, pins=(), shape="disc", texts=()):
    pins = [*pins, *[(None, None)] * (nodes - len(pins))]
    texts = [*texts, *[""] * (len(pairs) - len(texts))]
    return Graph(
        tuple(Node(str(n), x=x, y=y, shape=shape) for n, (x, y) in enumerate(pins)),
        tuple(Edge(u, v, text) for (u, v), text in zip(pairs, texts)),
    )


def crossings(spots, pairs):
    """By solving for the point of intersection of the lines through two edges."""
    count = 0
    for (a, b), (c, d) in combinations(pairs, 2):
        if {a, b} & {c, d}:
            continue
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (spots[n] for n in (a, b, c, d))
        det = (bx - ax) * (cy - dy) - (cx - dx) * (by - ay)
        if abs(det) > 1e-12:
            s = ((cx - ax) * (cy - dy) - (cx - dx) * (cy - ay)) / det
            t = ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / det
            count += 0 < s < 1 and 0 < t < 1
    return count


@settings(max_examples=60)
@given(st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=14), SEEDS)
def test_stated_coordinates_stay_and_all_are_in_the_unit_square(pins, seed):
    nodes = len(pins)
    pairs = [*combinations(range(nodes), 2)]
    chosen = Random(seed).sample(pairs, min(len(pairs), nodes))
    spots = positions(graph(nodes, chosen, pins))
    for (x, y), (stated_x, stated_y) in zip(spots, pins, strict=True):
        assert 0 <= x <= 1
        assert 0 <= y <= 1
        assert stated_x is None or x == pytest.approx(stated_x, abs=6e-4)
        assert stated_y is None or y == pytest.approx(stated_y, abs=6e-4)


def test_the_order_of_edges_and_their_directions_do_not_matter():
    pairs = connected(Random(1), 20, 30)
    turned = [(v, u) for u, v in pairs[::-1]]
    assert positions(graph(20, pairs)) == positions(graph(20, turned))
    laid_out.cache_clear()
    assert positions(graph(20, pairs)) == positions(graph(20, turned))


@pytest.mark.parametrize("nodes", [6, 10, 16])
def test_small_trees_are_laid_out_without_crossings(nodes):
    for seed in range(20):
        pairs = connected(Random(seed), nodes, nodes - 1, window=5)
        assert crossings(positions(graph(nodes, pairs)), pairs) == 0


@pytest.mark.parametrize("nodes", [4, 5, 8, 12])
def test_cycles_wheels_and_ladders_are_laid_out_almost_without_crossings(nodes):
    ring = [(n, (n + 1) % nodes) for n in range(nodes)]
    wheel = [*ring, *((n, nodes) for n in range(nodes))]
    assert crossings(positions(graph(nodes, ring)), ring) == 0
    assert crossings(positions(graph(nodes + 1, wheel)), wheel) == 0
    ladder = [(n, n + 2) for n in range(nodes * 2 - 2)]
    ladder += [(n, n + 1) for n in range(0, nodes * 2, 2)]
    assert crossings(positions(graph(2 * nodes, ladder)), ladder) == 0


@pytest.mark.parametrize(("nodes", "edges"), [(6, 8), (12, 20), (20, 34), (32, 48), (50, 70)])
def test_nodes_do_not_cover_one_another_and_few_touch_the_edges_of_others(nodes, edges):
    touched = 0
    for seed in range(10):
        pairs = connected(Random(seed), nodes, edges, window=6)
        spots = [(x * side(nodes), y * side(nodes)) for x, y in positions(graph(nodes, pairs))]
        for (ax, ay), (bx, by) in combinations(spots, 2):
            assert (ax - bx) ** 2 + (ay - by) ** 2 > 0.6**2
        touched += sum(
            distance(spots[n], spots[u], spots[v]) < 0.3
            for u, v in pairs
            for n in range(nodes)
            if n not in (u, v)
        )
    assert touched <= 0.15 * 10 * edges


def distance(point, one, other):
    """Of a point from a segment, by trying many of its points."""
    return min(
        ((one[0] + s * (other[0] - one[0]) - point[0]) ** 2
        + (one[1] + s * (other[1] - one[1]) - point[1]) ** 2) ** 0.5
        for s in (n / 50 for n in range(51))
    )  # fmt: skip


def test_parts_without_a_path_between_them_are_near_one_another():
    ring = [(n, (n + 1) % 12) for n in range(12)]
    spots = positions(graph(14, [*ring, (12, 13)]))
    ys, xs = [y for _, y in spots], [x for x, _ in spots]
    for values in (sorted(xs), sorted(ys)):
        gaps = [b - a for a, b in pairwise(values)]
        assert max(gaps) < 0.45


@given(SEEDS)
def test_texts_stand_on_their_edges(seed):
    rng = Random(seed)
    lines = tuple(
        ((rng.random() * 9, rng.random() * 9), (rng.random() * 9, rng.random() * 9), 0.2)
        for _ in range(12)
    )
    for (x, y), (one, other, _) in zip(text_spots(lines, (), 0.2), lines, strict=True):
        assert distance((x, y), one, other) < 0.1


def test_texts_avoid_nodes_and_one_another():
    crossing = (((0.0, 0.0), (4.0, 4.0), 0.3), ((0.0, 4.0), (4.0, 0.0), 0.3))
    (ax, ay), (bx, by) = text_spots(crossing, (), 0.2)
    assert not overlaps(ax, ay, 0.3, 0.2, [(bx, by, 0.3, 0.2)])
    box = (2.0, 2.0, 0.4, 0.4)
    for x, y in text_spots(crossing, (box,), 0.2):
        assert not overlaps(x, y, 0.3, 0.2, [box])


def shapes_of(scene, sort):
    for shape in drawing(scene).shapes:
        if isinstance(shape, sort):
            yield shape
        if isinstance(shape, Tile):
            yield from (part for part in shape.shapes if isinstance(part, sort))


def test_arrows_end_at_the_rims_of_boxes():
    nodes = tuple(Node(name, x=x, y=0.5, shape="box") for name, x in (("Aurora", 0), ("Boreas", 1)))
    scene = Graph(nodes, (Edge(0, 1),), directed=True)
    (head,) = (path for path in shapes_of(scene, Path) if path.closed)
    tiles = [shape for shape in drawing(scene).shapes if isinstance(shape, Tile)]
    assert max(x for x, _ in head.points) == pytest.approx(tiles[1].x)


def test_names_are_drawn_over_texts_of_edges():
    scene = graph(2, [(0, 1)], shape="box", texts=["a long text"])
    order = [shape.text if isinstance(shape, Label) else type(shape).__name__
             for shape in drawing(scene).shapes]  # fmt: skip
    assert order.index("a long text") < order.index("Tile")


def test_texts_of_edges_are_legible_whatever_the_colour():
    scene = Graph((Node("A"), Node("B")), (Edge(0, 1, "7", tone="c6", wide=True),))
    (label,) = (label for label in shapes_of(scene, Label) if label.text == "7")
    assert label.tone == "ink"


def test_loops_and_single_nodes_are_drawn():
    assert [*shapes_of(Graph((Node("A"),)), Disc)]
    loop = Graph((Node("A"), Node("B")), (Edge(0, 0, "x"), Edge(0, 1)))
    assert {label.text for label in shapes_of(loop, Label)} == {"A", "B", "x"}
    assert [*shapes_of(Graph((Node("Aurora", shape="box"),)), Rectangle)]
