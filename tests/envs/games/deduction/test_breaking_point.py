"""The height at which samples break: published numbers of drops, a solution of its own, readers."""

from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.deduction.breaking_point import BreakingPoint, State, cost_of
from palaestra.task import InvalidAnswer

RULES = BreakingPoint((4, 2, 3))


@pytest.mark.parametrize(("samples", "drops"), [(1, 100), (2, 14), (3, 9), (4, 8), (5, 7), (6, 7)])
def test_without_prices_the_drops_for_100_heights_are_the_published_ones(samples, drops):
    """Boardman, The Egg-Drop Numbers (2004): sums of binomial coefficients."""
    assert cost_of(BreakingPoint((1,) * 100), 0, 101, samples) == drops


@pytest.mark.parametrize("seed", range(10))
def test_the_coins_are_what_the_best_strategy_needs(seed):
    task = Address.of("games/breaking_point", seed, seed % 4).task()

    @cache
    def need(possible, samples):
        """``possible`` are the least heights that may break a sample."""
        if len(possible) == 1:
            return 0
        if not samples:
            return 10**6
        options = []
        for height, price in enumerate(task.costs, 1):
            breaks = frozenset(each for each in possible if each <= height)
            survives = possible - breaks
            if breaks and survives:
                options.append(price + max(need(breaks, samples - 1), need(survives, samples)))
        return min(options)

    _, high, samples, coins = task.start()
    assert need(frozenset(range(1, high + 1)), samples) == coins


def test_results_narrow_the_heights():
    start = State(0, 4, 2, 9)
    assert RULES.answers(start, 2) == {
        "it breaks": State(0, 2, 1, 7), "it survives": State(2, 4, 2, 7),
    }  # fmt: skip
    assert [*RULES.answers(State(2, 4, 2, 9), 1)] == ["it survives"]
    assert [*RULES.answers(State(0, 2, 1, 9), 3)] == ["it breaks"]
    assert RULES.is_won(State(1, 2, 0, 0))
    assert RULES.legal(State(0, 4, 2, 3)) == [2, 3]
    assert RULES.legal(State(0, 3, 0, 9)) == ()


@pytest.mark.parametrize(
    "text",
    ["drop 2", "2", "Drop a sample from height 2.", "height 2", "I drop it from 2", "test 2",
     "drop one from 2", "drop from level 2"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(State(0, 4, 2, 9), text) == 2


@pytest.mark.parametrize(
    "text", ["", "drop", "drop 4", "drop 0", "2 or 3", "drop 2 3", "-2", "the answer is height 2"]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, 4, 2, 9), text)


def test_the_scene_shows_prices_and_results():
    scene = RULES.scene(State(1, 3, 2, 9))
    assert [cell.text for cell in scene.rows[0]] == ["4", "2", "3"]
    assert [cell.fill for cell in scene.rows[0]] == ["good", "paper", "bad"]
