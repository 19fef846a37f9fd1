"""Offers of cargo: an independent solution, single types by hand, readers."""

from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.cargo_offers import Cargo, CargoOffers, State
from palaestra.task import InvalidAnswer

RULES = CargoOffers((Cargo(2, 6, 50), Cargo(3, 12, 50)))


class Plain(CargoOffers):
    """The same rules without the method that solves them."""

    def solved(self, state):
        return None


@pytest.mark.parametrize("seed", range(4))
def test_expectations_are_those_of_a_search_of_all_offers(seed):
    task = Address.of("games/cargo_offers", seed, 1).task()
    rules, plain = task.rules(), Plain(task.cargo)
    for first, _ in task.starts():
        start = first._replace(left=min(first.left, 3))
        assert Expectimax(rules).expectations(start) == pytest.approx(
            Expectimax(plain).expectations(start)
        )


@pytest.mark.parametrize("seed", range(4))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/cargo_offers", seed, 3).task()

    @cache
    def mean(room, left):
        if left == 0:
            return 0.0
        total = 0.0
        for weight, pay, percent in task.cargo:
            taken = pay + mean(room - weight, left - 1) if weight <= room else 0.0
            total += percent * max(taken, mean(room, left - 1))
        return total / 100

    for start, _ in task.starts():
        weight, pay, _ = task.cargo[start.offer]
        known = Expectimax(task.rules()).expectations(start)
        assert known == pytest.approx(
            {
                "take": start.money + pay + mean(start.room - weight, start.left),
                "decline": start.money + mean(start.room, start.left),
            }
        )


def test_a_light_offer_may_take_the_room_of_a_heavy_one():
    """Room 3: taking 2 t for 6 leaves no room; waiting twice is worth 9 + 0.25 * 3."""
    worth = Expectimax(RULES).expectations(State(3, 2, 0, 0))
    assert worth == pytest.approx({"take": 6.0, "decline": 12 * 0.75 + 6 * 0.25})


def test_offers_that_do_not_fit_pass():
    state = State(2, 1, 1, 7)
    assert not RULES.legal(state)
    assert "does not fit" in RULES.news(State(2, 2, -1, 7), 1)
    assert RULES.apply(state, 0) == State(2, 0, 0, 7)
    assert RULES.apply(State(2, 0, 0, 7), "take") == State(0, 0, -1, 13)
    assert not RULES.legal(State(2, 0, 1, 7))
    assert not RULES.chances(State(2, 0, 1, 7))


@pytest.mark.parametrize(
    ("text", "move"),
    [("take", "take"), ("I'll take it.", "take"), ("Accept!", "take"), ("decline", "decline"),
     ("**decline**", "decline"), ("I decline the offer", "decline"), ("skip it", "decline"),
     ("My decision: take", "take"), ("no", "decline")],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(3, 2, 0, 0), text) == move


@pytest.mark.parametrize("text", ["", "take or decline", "not take", "maybe", "take " * 99, "A"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(3, 2, 0, 0), text)


def test_the_scene_shows_what_the_text_shows():
    numbers, table = RULES.scene(State(3, 2, 1, 5)).scenes
    assert [row[0].text for row in numbers.rows] == ["3 t", "B", "2", "5"]
    assert [cell.text for cell in table.rows[1]] == ["3 t", "12", "50%"]
    assert table.last == ((1, 0), (1, 1), (1, 2))


@pytest.mark.parametrize(
    ("text", "move"),
    [("declined", "decline"), ("decline type A", "decline"), ("Take the type A.", "take"),
     ("accepted", "take"), ("- take", "take"), ("1. take", "take"),
     ("Next move: **take**", "take"), ("take (because it pays well)", "take")],
)  # fmt: skip
def test_moves_with_something_around_them_are_read(text, move):
    assert RULES.read(State(3, 2, 0, 0), text) == move


def test_another_type_than_that_of_the_offer_is_refused():
    with pytest.raises(InvalidAnswer):
        RULES.read(State(3, 2, 0, 0), "take type B")
