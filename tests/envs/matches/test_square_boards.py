"""What the matches on boards of square cells have in common."""

import pytest

import palaestra
from palaestra.episode import Episode
from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.square_boards import read_cell, read_hop
from palaestra.registry import load
from palaestra.task import InvalidAnswer

MATCHES = [
    name
    for name in palaestra.names()
    if name.startswith("matches/") and issubclass(load(name), BoardMatch)
]


@pytest.mark.parametrize("name", MATCHES)
def test_the_order_of_legal_moves_is_no_hint(name):
    """The rules list moves that are likely to be good first."""
    for seed in range(3):
        turn = Episode(palaestra.Address.of(name, seed, 2).task(), "bare").turn
        assert [*turn.legal_moves] == sorted(turn.legal_moves)


@pytest.mark.parametrize(
    "text",
    ["r2c3", "Move: r2c3", "My move: r2c3", "my move is r2c3", "to r2c3", "move to row 2 column 3",
     "I move to r2c3.", "r2c3!", "My next move = (2, 3)"],
)  # fmt: skip
def test_lead_ins_of_cells_are_read(text):
    assert read_cell(text, 4, 4, range(16)) == 6


@pytest.mark.parametrize(
    "text", ["r2c3-r1c3", "My move: r2c3-r1c3", "Move: r2c3 -> r1c3!", "move r2c3 to r1c3"]
)
def test_lead_ins_of_hops_are_read(text):
    assert read_hop(text, 4, 4, [(6, 2)]) == (6, 2)


@pytest.mark.parametrize(
    "text", ["my move", "move:", "!", "to to r2c3", "not r2c3", "r2c3 or r1c1", "my move: " * 99]
)
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        read_cell(text, 4, 4, range(16))
