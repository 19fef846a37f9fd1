"""Edges, groups and walks, read from answers."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.testing import formats
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import (
    arc_values,
    edge_list,
    edges_violation,
    groups,
    links,
    matching_text,
    node_set,
    walk,
)
from palaestra.verifiers.replies import unwrapped


@pytest.mark.parametrize(
    "text", ["A-B, B-C", "(A, B), (b, c)", "A -> B; B → C", "[A-B, B-C]", "A B\nB C", "A–B, B−C"]
)
def test_edges_are_read_however_they_are_written(text):
    assert edge_list(text, "ABC") == ((0, 1), (1, 2))


@pytest.mark.parametrize(
    "text", ["A-B-C", "A-Q", "A", "(A, B", "(A, B) or (B, C)", "A-B, B-", "--"]
)
def test_edges_that_cannot_be_read(text):
    with pytest.raises(InvalidAnswer):
        edge_list(text, "ABC")


EDGES = [
    # how an edge is written, and what stands between edges
    ("{} to {}", ", "), ("{} to {}", "\n"), ("{} TO {}", "; "), ("({} to {})", ", "),
    ("{}\u2014{}", ", "), ("{} \u2013 {}", ", "), ("{} <-> {}", ", "), ("{} \u2194 {}", "\n"),
    ("{}, {}", "\n"), ("{} {}", "\n"), ("{{{}, {}}}", " "), ("{}-{}", ", and "), ("- {}-{}", "\n"),
    ("edge {} to {}", "\n"), ("{} => {}", ", "), ("{}-{}", " "), ("{} -> {}", " "),
    ("{} - {}", "\n"),
    (r"({}, {})", r",\ "), ("from {} to {}", ", "),
]  # fmt: skip


@pytest.mark.parametrize(("edge", "between"), EDGES, ids=ascii)
def test_edges_of_named_nodes_in_many_ways(edge, between):
    names = ["n1", "n2", "n3", "Edge-less", "too", "t1"]
    text = between.join(
        (edge.format("n2", "n3"), edge.format("N1", "too"), edge.format("t1", "n1"))
    )
    assert edge_list(text, names[:3] + names[4:]) == ((1, 2), (0, 3), (4, 0))


@pytest.mark.parametrize(
    "text",
    [
        "n2 to",
        "to n3",
        "n2 to to n3",
        "n1 n2 to n3",
        "n1 to n2 to n3",
        "n2ton3",
        "n1-n2 n3",
        "n1-n2-n3",
        "n1--n2 n3-n1 n2",
    ],
)
def test_no_edges(text):
    with pytest.raises(InvalidAnswer):
        edge_list(text, ["n1", "n2", "n3"])


def test_a_node_may_be_called_to():
    assert edge_list("to-of", ["to", "of"]) == ((0, 1),)
    assert edge_list("to to of", ["to", "of"]) == ((0, 1),)


def test_one_edge_alone():
    for text in ("(n2, n3)", "{n2, n3}", "[n2, n3]", "[[n2, n3]]", "n2, n3", "n2 and n3", "n2 n3"):
        assert edge_list(text, ["n1", "n2", "n3"]) == ((1, 2),), text


NAMES = ["n1", "n2", "n3", "n4", "n5"]
GROUPS = [
    "n1, n2\nn3\nn5, n4",
    "{n1, n2}, {n3}, {n5, n4}",
    "{n1, n2} {n3} {n5, n4}",
    "[[n1, n2], [n3], [n5, n4]]",
    '[["n1", "n2"], ["n3"], ["n5", "n4"]]',
    "{{n1, n2}, {n3}, {n5, n4}}",
    "[(n1, n2), (n3), (n5, n4)]",
    "{n1, n2}\n{n3}\n{n5, n4}",
    "{n1, n2},\n{n3},\n{n5, n4}",
    "[n1, n2],\n[n3],\n[n5, n4]",
    "[\n  [n1, n2],\n  [n3],\n  [n5, n4]\n]",
    "[[n1, n2],\n [n3],\n [n5, n4]]",
    "n1 n2; n3; n5 n4",
    "n1, n2; n3; n5, n4",
    "n1, n2 | n3 | n5, n4",
    "(n1 n2)(n3)(n5 n4)",
    "{n1, n2} and {n3} and {n5, n4}",
    "{n1, n2}, {n3}, and {n5, n4}",
    "Group 1: n1, n2\nGroup 2: n3\nGroup 3: n5, n4",
    "Component 1: {n1, n2}\nComponent 2: {n3}\nComponent 3: {n5, n4}",
    "SCC 1: n1, n2\nSCC 2: n3\nSCC 3: n5, n4",
    "1. n1, n2\n2. n3\n3. n5, n4",
    "1: {n1, n2}\n2: {n3}\n3: {n5, n4}",
    "- n1, n2\n- n3\n- n5, n4",
    "- {n1, n2}\n- {n3}\n- {n5, n4}",
    "* n1 and n2\n* n3\n* n5 and n4",
    "\u2022 n1, n2\n\u2022 n3\n\u2022 n5, n4",
    "n1, n2.\nn3.\nn5, n4.",
    "n1, n2,\nn3,\nn5, n4",
    "N1,N2\n\nN3\n\nN5,N4",
    r"\{n1, n2\}, \{n3\}, \{n5, n4\}",
    "(n1, n2)\n(n3)\n(n5, n4)",
    "(1) n1, n2\n(2) n3\n(3) n5, n4",
    "C1 = {n1, n2}\nC2 = {n3}\nC3 = {n5, n4}",
    "Group 1: n1, n2; Group 2: n3; Group 3: n5, n4",
    "**Group 1:** n1, n2\n**Group 2:** n3\n**Group 3:** n5, n4",
    "{n1, n2} \u222a {n3} \u222a {n5, n4}",
]


@pytest.mark.parametrize("text", GROUPS, ids=ascii)
def test_groups_in_many_ways(text):
    assert groups(text, NAMES) == ((0, 1), (2,), (4, 3))


@pytest.mark.parametrize("text", GROUPS, ids=ascii)
def test_groups_of_nodes_named_by_numbers(text):
    """A number before a group is not one of its nodes."""
    numbers = re.sub("(?i)n([1-5])", r"\1", text)
    assert groups(numbers, "12345") == ((0, 1), (2,), (4, 3))


@pytest.mark.parametrize(
    "text",
    [
        "n1, n2; n2, n3", "{n1, n2}, {n1}", "{n1, {n2}}", "{n1, n2}, n3", "[[n1, n2]", "n1, n9",
        "{n1, n2} or {n3}", "[[n1], [n2, n1]]", "{}{}{", "n1: n2\nn3: n4", "Group n1: n2",
    ],
)  # fmt: skip
def test_what_are_no_groups(text):
    with pytest.raises(InvalidAnswer):
        groups(text, NAMES)


@given(st.randoms(use_true_random=False), st.sampled_from(["", "n"]), st.sampled_from([", ", " "]))
def test_groups_are_read_back(rng, letter, between):
    """Whatever the nodes and the groups: in the form asked for, and in those around it."""
    names = [f"{letter}{number}" for number in rng.sample(range(40), 9)]
    home = [rng.randrange(4) for _ in names]
    parts = [[name for name, at in zip(names, home) if at == index] for index in range(4)]
    parts = [rng.sample(part, len(part)) for part in parts if part]
    right = {frozenset(map(names.index, part)) for part in parts}
    lists = [between.join(part) for part in parts]
    for form, join in (
        ("{1}", "\n"), ("{{{1}}}", ", "), ("[{1}]", "\n"), ("- {1}", "\n"), ("{0}. {1}", "\n"),
        ("Group {0}: {1}", "\n"), ("({1})", " "), ("{0}) {{{1}}}", "\n"),
    ):  # fmt: skip
        text = join.join(form.format(number, part) for number, part in enumerate(lists, 1))
        assert {frozenset(group) for group in groups(text, names)} == right, text


def test_sets_and_groups():
    assert node_set("b; A", "ABC") == (1, 0)
    assert node_set("None", "ABC") == ()
    assert groups("1. A, C\n2. B", "ABC") == ((0, 2), (1,))
    assert walk("A→B→A", "ABC") == (0, 1, 0)
    for text in ("A, A", "A, D", "A-B"):
        with pytest.raises(InvalidAnswer):
            node_set(text, "ABC")
    with pytest.raises(InvalidAnswer):
        groups("A B\nB C", "ABC")


def test_direction_counts_only_where_there_is_one():
    assert not edges_violation([(1, 0)], [(0, 1)], "AB")
    assert (
        edges_violation([(1, 0)], [(0, 1)], "AB", directed=True) == "there is no edge from B to A"
    )


@pytest.mark.parametrize(
    "text",
    ['["A-B", "B-C"]', "[[A, B], [B, C]]", "{A, B}, {B, C}", "(A-B, B-C)", "[(A, B), (B, C)]",
     r"\{A, B\}, \{B, C\}", "{A-B, B-C}", "A-B and B-C", "(A, B), and (B, C)",
     "((A, B), (B, C))"],
)  # fmt: skip
def test_edges_in_other_brackets(text):
    assert edge_list(text, "ABC") == ((0, 1), (1, 2))


def test_a_single_edge_in_brackets():
    assert edge_list("(A, B)", "ABC") == edge_list("(A-B)", "ABC") == ((0, 1),)


@pytest.mark.parametrize(
    "text", ['["A", "B", "C"]', "A, B and C", "A, B, and C", r"\{A, B, C\}", "{A, B, C}", "A B C,"]
)
def test_sets_and_walks_as_people_write_them(text):
    assert node_set(text, "ABC") == walk(text, "ABC") == (0, 1, 2)


def test_walks_with_the_arrows_of_latex():
    assert walk(r"A \to B \rightarrow C", "ABC") == walk("A ⇒ B → C", "ABC") == (0, 1, 2)
    for text in ("A -> ", "A ->, B", "A -> -> B"):
        with pytest.raises(InvalidAnswer):
            walk(text, "ABC")
    with pytest.raises(InvalidAnswer):  # a quote parts what it stands between
        walk('1"2', ["12"])


@pytest.mark.parametrize(
    "text", ["1-2, 3-1", "(1, 2), (3, 1)", "1 -> 2\n3 --> 1", "1 to 2; 3 to 1"]
)
def test_links(text):
    assert links(text, "123", "swaps") == [("1", "2"), ("3", "1")]


@pytest.mark.parametrize("text", ["1--2", "1-\u22122", "1-2-3", "1-4", "12", "1 or 2"])
def test_no_links(text):
    with pytest.raises(InvalidAnswer, match="swaps"):
        links(text, "123", "swaps")


NODES = st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True)


@given(NODES)
def test_sets_walks_and_edges_are_the_same_in_every_layout(chosen):
    right = tuple(map(NAMES.index, chosen))
    for form, text in formats.listed(chosen):
        assert node_set(unwrapped(text), NAMES) == right, form
    for form, text in formats.walk(chosen):
        assert walk(unwrapped(text), NAMES) == right, form
    pairs = [*pairwise(chosen)]
    for form, text in formats.edges(pairs):
        assert edge_list(unwrapped(text), NAMES) == (*pairwise(right),), form


@given(NODES, st.sampled_from(["q", "n6", "n1x", "not n1", "n1 or n2"]))
def test_an_unknown_node_is_refused_in_every_layout(chosen, other):
    listed = [*chosen, other]
    for form, text in formats.listed(listed):
        with pytest.raises(InvalidAnswer):
            raise AssertionError((form, node_set(unwrapped(text), NAMES)))


@pytest.mark.parametrize("text", [r"$A \to C \to B$", r"\boxed{A, C, B}", "**A, C, B**"])
def test_walks_may_be_latex(text):
    assert walk(text, "ABC") == (0, 2, 1)


@pytest.mark.parametrize(
    "text",
    ["A to B: 3\nB to C: 1", "Edge A -> B: 3 units\nEdge B -> C: 1 unit",
     "- from A to B: 3\n- B->C: 1", "$A \\rightarrow B$: 3 units of flow\n$B \\to C$: 1"],
)  # fmt: skip
def test_values_on_edges_in_words_and_latex(text):
    assert arc_values(text, "ABC") == {(0, 1): 3, (1, 2): 1}


def test_nodes_with_the_names_of_words_stay_nodes():
    names = ["to", "from", "edge"]
    assert arc_values("from -> to: 3\nedge -> from: 1", names) == {(1, 0): 3, (2, 1): 1}


@pytest.mark.parametrize(
    "text", ["A: Bo, C: Dev", "A -> Bo, C -> Dev", "f(A) = Bo, f(C) = Dev", "A to Bo\nC to Dev",
             r"$A \mapsto Bo$, $C \mapsto Dev$", "A: node Bo, C: vertex Dev"]
)  # fmt: skip
def test_matchings(text):
    values = pairs(matching_text(text), ["A", "C"], ["Bo", "Dev"])
    assert values == {"A": "Bo", "C": "Dev"}
