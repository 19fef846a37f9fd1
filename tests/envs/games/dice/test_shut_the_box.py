"""Shut the box, against a solution of its own on sets of tiles, and the readers of its moves."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.dice.shut_the_box import ShutTheBox, State, sets_of, tiles_of
from palaestra.task import InvalidAnswer

RULES = ShutTheBox((1, 2, 3, 4, 5, 6, 7, 8, 9), 6)


def expected(values, faces, start):
    """The expected points from a set of open tiles, before a roll."""

    @cache
    def after(tiles):
        total = Fraction(0)
        for one in range(1, faces + 1):
            for other in range(1, faces + 1):
                choices = [
                    after(tiles - set(some))
                    for n in range(1, len(tiles) + 1)
                    for some in combinations(sorted(tiles), n)
                    if sum(some) == one + other
                ]
                shut = sum(v for n, v in enumerate(values, 1) if n not in tiles)
                total += max(choices, default=Fraction(shut))
        return total / faces**2

    return after(frozenset(start))


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/shut_the_box", seed, 1).task()
    (start, _), *_ = task.starts()
    search = Expectimax(task.rules())
    tiles = tiles_of(start.open)
    for move, worth in search.expectations(start).items():
        left = {*tiles} - {*tiles_of(move)}
        mine = expected(task.values, task.faces, left) if left else sum(task.values)
        assert worth == pytest.approx(float(mine))


@pytest.mark.parametrize("total", range(2, 13))
def test_all_sets_of_a_total_are_listed(total):
    listed = {tuple(tiles_of(bits)) for bits in sets_of(total, 9)}
    every = (some for n in range(1, 5) for some in combinations(range(1, 10), n))
    assert listed == {some for some in every if sum(some) == total}


@pytest.mark.parametrize(
    "text",
    ["shut 2 5", "2 5", "2,5", "2 + 5", "2+5", "close 5 and 2", "I shut tiles 2 and 5.", "[2, 5]",
     "Shut the tiles 5 & 2!"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert tiles_of(RULES.read(State(0b11111, 7), text)) == [2, 5]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shut",
        "shut 7",
        "2",
        "2 2 3",
        "2 5 or 3 4",
        "not 2 5",
        "9" * 500,
        "-2 5 4",
        "shut -2 5",
        "2/5",
        "2-5",
    ],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0b11111, 7), text)


def test_a_round_ends_without_a_move_and_with_all_tiles_shut():
    assert not RULES.legal(State(0b1, 5))
    assert not RULES.chances(State(0b1, 5))
    assert RULES.payoff(State(0b1, 5)) == 44
    assert not RULES.chances(State(0, 0))
    assert RULES.payoff(State(0, 0)) == 45


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/shut_the_box").task())
    knobs = task_type.Knobs.at(0, tiles=12, faces=8)
    assert 2**knobs.tiles * 2 * knobs.faces < task_type.most_states


def test_the_scene_shows_tiles_points_and_dice():
    tiles, points, dice = RULES.scene(State(0b101, 4)).rows
    assert [card.text for card in tiles] == [*"123456789"]
    assert [card.fill for card in tiles[:3]] == ["paper", "muted", "paper"]
    assert [card.text for card in points] == [*"123456789"]
    assert dice[0].text == "4"
