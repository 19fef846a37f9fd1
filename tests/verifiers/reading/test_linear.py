"""Readers of words, nodes, labels, moves and matrices take time linear in the length of a text."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import labels, matrices, moves, nodes, numbers, words

NAMES = ["A", "B", "to", "n1"]

READERS = {
    "words": (
        words.word_list,
        lambda text: words.word_list(text, 3),
        lambda text: words.letters(text, "ab"),
        lambda text: words.name_set(text, NAMES),
    ),
    "nodes": (
        lambda text: nodes.node_set(text, NAMES),
        lambda text: nodes.edge_list(text, NAMES),
        lambda text: nodes.links(text, NAMES, "links"),
        lambda text: nodes.groups(text, NAMES),
        lambda text: nodes.walk(text, NAMES),
        lambda text: nodes.node_path(text, NAMES),
        lambda text: nodes.arc_values(text, NAMES),
    ),
    "labels": (
        lambda text: labels.pairs(text, NAMES),
        lambda text: labels.pairs(text, ["1", "2"]),
        lambda text: numbers.numbers_by_name(text, NAMES),
    ),
    "moves": (
        moves.direction,
        moves.directions,
        lambda text: moves.column(text, 7),
        lambda text: moves.tokens(text, NAMES, "moves"),
        lambda text: moves.hops(text, NAMES),
        lambda text: moves.orders(text, NAMES, ("left", "up"), what="moves"),
    ),
    "matrices": (matrices.rows_of_integers, matrices.lists_of_integers),
}

UNITS = [
    "a", "a ", "a-", "a -> b, ", "a to ", "and ", "(", "[[", "(a, b) ", "{", "a: 1, ", "a = ",
    "node a: 1\n", "1. a\n", "- a\n", "step 1: ", ";", "->", "`", "'", "move a ", "1, ", "\\\\",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
@pytest.mark.parametrize("answer_type", READERS)
def test_hostile_text_is_read_in_linear_time(answer_type, unit, linear):
    def read(text):
        for reader in READERS[answer_type]:
            try:
                reader(text)
            except InvalidAnswer as refusal:
                assert 0 < len(str(refusal)) < 500  # noqa: PT017, not all texts are refused

    linear(read, unit)
