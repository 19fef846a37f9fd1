"""The ways in which prompts describe a graph."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.graphs.puzzles import ENCODINGS, HELD_OUT, Graph
from palaestra.registry import load

SEEDS = st.integers(0, 10**6)


@given(SEEDS, st.booleans(), st.sampled_from(["", "length"]), st.sampled_from(ENCODINGS))
def test_every_encoding_shows_every_edge(seed, directed, measure, encoding):
    """The names are enough to find every edge in the text."""
    rng = Random(seed)
    pairs = rng.sample(list(combinations(range(6), 2)), 8)
    edges = [(u, v, rng.randint(100, 999))[: 3 if measure else 2] for u, v in pairs]
    make = Graph.of_arcs if directed else Graph.of_edges
    graph = make(rng, 6, edges, "edges", measure)._replace(encoding=encoding)
    text = graph.as_text()
    assert all(name in text for name in graph.names)
    for edge in edges if measure else ():
        assert str(edge[2]) in text
    assert len(graph.key()) == len(edges)
    assert sorted(graph.pairs()) == sorted(pairs)
    if encoding == "incidence":
        rows = [line.split() for line in text.splitlines()[1:7]]
        cells = {row[0]: row[1:] for row in rows}
        for column, (u, v, *_) in enumerate(graph.edges):
            assert cells[graph.names[u]][column] == ("-1" if directed else "1")
            assert cells[graph.names[v]][column] == "1"
            assert sum(row[column] != "." for row in cells.values()) == 2
    if encoding == "roads":
        for u, v, *_ in graph.edges:
            between = " to " if directed else " and "
            assert f"{graph.names[u]}{between}{graph.names[v]}." in text


def test_one_encoding_is_kept_for_evaluation():
    encodings = {"train": set(), "eval": set()}
    for split, seen in encodings.items():
        for seed in range(150):
            seen.add(Address.of("graphs/k_core", seed, 0, split).task().graph.encoding)
    assert encodings["train"] == set(ENCODINGS) - {HELD_OUT}
    assert encodings["eval"] == set(ENCODINGS)


def test_the_held_out_encoding_cannot_be_requested():
    assert HELD_OUT not in load("graphs/k_core").Knobs.model_json_schema()["properties"]["encoding"]
