"""The forms in which certificates may be written."""

import pytest
from tests.verifiers.certified.graphs import ROADS

from palaestra.task import InvalidAnswer
from palaestra.verifiers.certified import (
    AssignmentCertificate,
    BinPackingCertificate,
    ColoringCertificate,
    Graph,
    KnapsackCertificate,
    NodeSetCertificate,
    PathCertificate,
    ScheduleCertificate,
)


def test_reading_is_strict_about_pairs():
    with pytest.raises(InvalidAnswer):
        ROADS.pairs("A-B-C")


ROWS = [
    # two nodes, places or numbers as one text
    "{0}, {1}", "{0} {1}", "[{0}, {1}]", "({0}, {1})", "{{{0}, {1}}}", "{0} and {1}", "{0} & {1}",
    "- {0}\n- {1}", "{0}\n{1}", "{0}; {1}", "{0}, and {1}.", "**{0}, {1}**", '["{0}", "{1}"]',
]  # fmt: skip


@pytest.mark.parametrize("form", ROWS, ids=ascii)
def test_sets_of_nodes_and_items_in_many_ways(form):
    chain = Graph("ABCD", [("A", "B"), ("B", "C"), ("C", "D")])
    judge = NodeSetCertificate(chain, "independent set", optimum=2)
    assert judge(form.format("A", "C")).correct
    assert judge(form.format("d", "b")).correct
    assert not judge(form.format("A", "B")).correct
    assert not judge(form.format("A", "A")).correct
    if '"' not in form:
        pack = KnapsackCertificate([(3, 5), (2, 3), (4, 6)], capacity=6, optimum=9)
        assert pack(form.format(2, 3)).correct
        assert pack(form.format("item 3", "item 2")).correct
        assert pack(form.format("#3", "#2")).correct
        assert not pack(form.format(1, 2)).correct
        assert not pack(form.format(2, 2)).correct


PATHS = [
    "A -> B -> C -> D", "A to B to C to D", "A -> B, B -> C, C -> D", "A to B, B to C, C to D",
    "1. A\n2. B\n3. C\n4. D", "A > B > C > D", "- A\n- B\n- C\n- D", "A, then B, then C, then D",
    "(A)->(B)->(C)->(D)", "Node A -> Node B -> Node C -> Node D", "A \u2014 B \u2014 C \u2014 D",
    "A, B, C and D", "A \u27f6 B \u27f6 C \u27f6 D",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=ascii)
def test_paths_in_many_ways(path):
    roads = Graph("ABCD", [("A", "B", 2), ("B", "C", 2), ("C", "D", 2), ("A", "C", 5)])
    assert PathCertificate(roads, "A", "D", optimum=6)(path).correct
    assert not PathCertificate(roads, "A", "D", optimum=6)(path.replace("B", "A")).correct
    assert not PathCertificate(roads, "D", "A", optimum=6)(path).correct


@pytest.mark.parametrize("path", ["A -> B, C -> D", "A -> B -> C, D", "A -> B, A -> C, C -> D"])
def test_steps_that_do_not_join_are_no_path_of_their_ends(path):
    roads = Graph("ABCD", [("A", "B"), ("C", "D"), ("A", "C"), ("B", "D")])
    assert not PathCertificate(roads, "A", "D", at_most=1)(path).correct
    assert not PathCertificate(roads, "A", "D", at_most=2)(path).correct


@pytest.mark.parametrize(
    "form",
    [
        "A: {}\nB: {}\nC: {}", "A: {}, B: {}, C: {}", "A: {}; B: {}; C: {}",
        "{{A: {}, B: {}, C: {}}}",
        '{{"A": "{}", "B": "{}", "C": "{}"}}', "1. A: {}\n2. B: {}\n3. C: {}",
        "A -> {}\nB -> {}\nC -> {}",
        "A is {}\nB is {}\nC is {}", "**A**: {}\n**B**: {}\n**C**: {}", "A = {}.\nB = {}.\nC = {}.",
        "Node A: {}\nNode B: {}\nNode C: {}", "- a: {}\n- b: {}\n- c: {}",
    ],
)  # fmt: skip
def test_colourings_in_many_ways(form):
    judge = ColoringCertificate(Graph("ABC", [("A", "B"), ("B", "C")]), at_most=2)
    assert judge(form.format("red", "dark blue", "Red")).correct
    assert judge(form.format("1", "2", "1")).correct
    assert not judge(form.format("red", "red", "blue")).correct
    assert not judge(form.format("red", "green", "blue")).correct


@pytest.mark.parametrize(
    "other",
    [
        "red.", "**red**", "'red'", "r\u0435d", "red!", "(red)", "color red", "RED", "re\u200bd",
        "\uff52\uff45\uff44", "red ,", "\u201cred\u201d", "<b>red</b>"[3:6],
    ],
)  # fmt: skip
def test_colours_that_look_the_same_are_one(other):
    judge = ColoringCertificate(Graph("ABC", [("A", "B"), ("B", "C")]), at_most=3)
    assert judge(f"A: red\nB: {other}\nC: blue").value == 0
    assert judge(f"A: red\nB: blue\nC: {other}").correct


def test_colours_that_are_the_same_number_are_one():
    judge = ColoringCertificate(Graph("AB", [("A", "B")]), at_most=2)
    assert judge("A: 1\nB: 01").value == 0
    assert judge("A: 1\nB: 10").correct
    assert judge("A: !\nB: 1").status == "malformed"


@pytest.mark.parametrize(
    "form",
    [
        "{}\n{}", "bin 1: {}\nbin 2: {}", "[[{}], [{}]]", "{{{}}}, {{{}}}", "{}; {}", "{} | {}",
        "- {}\n- {}", "1. {}\n2. {}", "1) {}\n2) {}", "({}), ({})", "**Bin 1:** {}\n**Bin 2:** {}",
        "Bin 1 = {{{}}}\nBin 2 = {{{}}}", "bin 1: items {}\nbin 2: items {}", "| {} |\n| {} |",
        "The first bin: {}\nThe second bin: {}", "{}.\n\n{}.", "[\n[{}],\n[{}]\n]",
        "{}\n{}\nbin 3:",
    ],
)  # fmt: skip
def test_rows_of_numbers_in_many_ways(form):
    bins = BinPackingCertificate([4, 3, 2, 1], capacity=5, at_most=2)
    assert bins(form.format("1, 4", "2, 3")).correct
    assert bins(form.format("3, 2", "4, 1")).correct
    assert not bins(form.format("1, 2", "3, 4")).correct
    assert not bins(form.format("1, 4", "2")).correct
    assert not bins(form.format("1, 4", "2, 3, 3")).correct
    if "bin 3" in form:
        return
    jobs = ScheduleCertificate([[(0, 3), (1, 1)], [(1, 2), (0, 2)]], optimum=5)
    assert jobs(form.format("0, 3", "0, 3")).correct
    assert not jobs(form.format("0, 3", "0, 2")).correct
    assert not jobs(form.format("0, 4", "0, 4")).correct


def test_rows_with_numbers_out_of_order_are_no_schedule():
    jobs = ScheduleCertificate([[(0, 3), (1, 1)], [(1, 2), (0, 2)]], optimum=5)
    assert jobs("job 1: 0, 3\njob 2: 0, 3").correct
    assert jobs("job 2: 0, 3\njob 1: 0, 3").status == "malformed"
    bins = BinPackingCertificate([4, 3, 2, 1], capacity=5, at_most=2)
    assert bins("bin 2: 1, 4\nbin 1: 2, 3").correct
    assert not bins("1. 4\n2. 3").correct


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("2, 1", "1, 2"), ("[2, 1]", "[1, 2]"), ("row 1: 2\nrow 2: 1", "row 1: 1\nrow 2: 2"),
        ("1 -> 2, 2 -> 1", "1 -> 1, 2 -> 2"), ("2: 1\n1: 2", "2: 2\n1: 1"), ("2 and 1", "1 and 2"),
        ("{1: 2, 2: 1}", "{1: 1, 2: 2}"), ("(1, 2), (2, 1)", "(1, 1), (2, 2)"),
        ("1-2, 2-1", "1-2, 2-2"),
        ("row 1 -> column 2\nrow 2 -> column 1", "1 -> 2, 1 -> 1"), ("2\n1", "1 -> 2"),
    ],
)  # fmt: skip
def test_assignments_in_many_ways(right, wrong):
    judge = AssignmentCertificate([[4, 1], [2, 3]], optimum=3)
    assert judge(right).correct
    assert not judge(wrong).correct
