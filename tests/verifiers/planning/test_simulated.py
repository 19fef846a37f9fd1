"""Plans simulated step by step, and how they are read."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.planning.simulated import Illegal, hops, orders, simulated, tokens


def test_simulated_stops_at_the_first_slip():
    def after(state, move):
        if move == state:
            raise Illegal("that is where it is")
        return move

    assert simulated([1, 2, 2], 0, after).reason == "in move 3, that is where it is"
    assert simulated([1, 2], 0, after, limit=1).reason == "2 moves are more than 1"
    assert simulated([1, 2], 0, after, lambda state: f"at {state}").reason == "at 2"


def test_readers():
    assert hops("r1c2 -> r3c1\n* r1c1->r2c1", ["r1c1", "r1c2", "r2c1", "r3c1"]) == [(1, 3), (0, 2)]
    assert tokens("a,B  a", "AB", "letters") == ["A", "B", "A"]
    for reader in (
        lambda: hops("A -> B -> C", "ABC"),
        lambda: hops("", "ABC"),
        lambda: tokens("", "AB", "letters"),
        lambda: orders("A up down", "AB", ("up", "down"), what="moves"),
        lambda: orders("up A", "AB", ("up", "down"), what="moves"),
    ):
        with pytest.raises(InvalidAnswer):
            reader()
