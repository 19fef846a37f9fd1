"""What a certificate is worth between the trivial and the optimum."""

from fractions import Fraction

import pytest
from tests.verifiers.certified.graphs import ROADS

from palaestra.task import JudgeError
from palaestra.verifiers.certified import Graph, NodeSetCertificate, PathCertificate
from palaestra.verifiers.verifier import GoldError


# What all share
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_least": 3}, "wrong side"),
        ({"at_most": 3, "optimum": 2}, "not both"),
        ({"partial": True}, "baseline"),
        ({"partial": True, "optimum": 3}, "baseline"),
        ({"partial": True, "optimum": 3, "baseline": 3}, "not worse"),
        ({"partial": True, "optimum": 3, "baseline": 2}, "not worse"),
        ({"optimum": 2.5}, "whole numbers or fractions"),
        ({"optimum": float("nan")}, "whole numbers or fractions"),
        ({"optimum": True}, "whole numbers or fractions"),
        ({"at_most": "3"}, "whole numbers or fractions"),
        ({"at_most": 10**13}, "lie between"),
    ],
)
def test_bounds_that_make_no_sense(options, message):
    with pytest.raises(GoldError, match=message):
        PathCertificate(ROADS, "A", "D", **options)


def test_what_a_solution_is_worth():
    cheap, middle, dear = "A B C D", "A C D", "A D"

    def worth(**options):
        judge = PathCertificate(ROADS, "A", "D", **options)
        return [judge(path).value for path in (cheap, middle, dear)]

    assert worth() == [1, 1, 1]
    assert worth(at_most=7) == [1, 1, 0]
    assert worth(at_most=Fraction(13, 2)) == [1, 0, 0]
    assert worth(optimum=6) == [1, 0, 0]
    assert worth(optimum=6, baseline=9) == [1, 0, 0]
    assert worth(optimum=6, baseline=9, partial=True) == [1, 2 / 3, 0]
    assert worth(optimum=6, baseline=7, partial=True) == [1, 0, 0]


def test_a_solution_better_than_the_optimum_is_not_scored():
    judge = PathCertificate(ROADS, "A", "D", optimum=7)
    with pytest.raises(JudgeError) as slip:
        judge("A B C D")
    assert slip.value.status == "gold_error"
    assert judge("A D").value == 0
    assert judge("A E D").value == 0
    with pytest.raises(JudgeError):
        NodeSetCertificate(ROADS, "independent set", optimum=1)("B, D")


def test_almost_right_is_not_right():
    graph = Graph("ABC", [("A", "B", 10**12), ("A", "C", 1), ("C", "B", 1)])
    judge = PathCertificate(graph, "A", "B", optimum=2, baseline=10**12, partial=True)
    assert judge("A C B").correct
    close = Graph("ABC", [("A", "B", Fraction(1, 10**12)), ("A", "C", 0), ("C", "B", 0)])
    judge = PathCertificate(close, "A", "B", optimum=0, baseline=10**12, partial=True)
    assert 0.99 < judge("A B").value < 1
    assert not judge("A B").correct


def test_claims_in_the_text_are_no_help():
    judge = PathCertificate(ROADS, "A", "D", optimum=6)
    for answer in ("A D (cost 6)", "A -> D = 6", "cost: 6", "6", "A D 6", "optimal"):
        assert not judge(answer).correct
    assert judge("A D").parts == {"cost": 9}


# Graphs
@pytest.mark.parametrize(
    ("nodes", "edges", "directed"),
    [
        ("", [], False),
        ("AA", [], False),
        ("Aa", [], False),
        (["A", "B C"], [], False),
        (["A", "B-C"], [], False),
        (["A", ""], [], False),
        (["A", "\u0410"], [], False),
        ("AB", [("A", "C")], False),
        ("AB", [("A", "A")], False),
        ("AB", [("A", "B"), ("B", "A")], False),
        ("AB", [("A", "B"), ("A", "B")], True),
        ("AB", [("A", "B", 0.5)], False),
        ("AB", [("A", "B", 1, 1)], False),
        ("AB", [("A",)], False),
    ],
    ids=range(14),
)
def test_graphs_that_make_no_sense(nodes, edges, directed):
    with pytest.raises(GoldError):
        Graph(nodes, edges, directed)


def test_edges_go_one_way_or_both():
    assert Graph("AB", [("A", "B"), ("B", "A")], directed=True).weights() == {(0, 1): 1, (1, 0): 1}
    assert Graph(["n1", "n_2", "Ada"], [("n1", "Ada", 3)]).weights() == {(0, 2): 3, (2, 0): 3}
