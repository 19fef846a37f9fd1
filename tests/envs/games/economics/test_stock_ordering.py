"""Orders of stock: the critical ratio, two bounds, an independent solution, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.stock_ordering import DECIDE, Prices, State, StockOrdering
from palaestra.task import InvalidAnswer

RULES = StockOrdering(Prices(9, 4, 6, 1, 2, 1), (25, 25, 25, 25), 6)


def test_a_single_day_follows_the_critical_ratio():
    """Underage 9 + 2 - 4 = 7, overage 4 + 1 - 1 = 4: the 7/11 quantile of the demand is 2."""
    rules = StockOrdering(Prices(9, 4, 0, 1, 2, 1), (25, 25, 25, 25), 6)
    worth = Expectimax(rules).expectations(State(0, 1, DECIDE, 0))
    assert max(worth, key=worth.get) == 2


def test_a_fixed_cost_leads_to_two_bounds():
    """Scarf (1960): order up to one level from all stocks below another one, else nothing."""
    search = Expectimax(RULES)
    levels = {}
    for stock in range(7):
        worth = search.expectations(State(stock, 4, DECIDE, 0))
        levels[stock] = stock + max(worth, key=worth.get)
    ordering = [stock for stock, level in levels.items() if level > stock]
    assert ordering == list(range(len(ordering)))
    assert len({levels[stock] for stock in ordering}) == 1
    assert 0 < len(ordering) < levels[0]


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/stock_ordering", seed, 2).task()
    sale, purchase, fixed, storage, shortage, rest = task.prices

    @cache
    def worth(stock, days):
        if days == 0:
            return Fraction(rest * stock)
        options = []
        for full in range(stock, task.capacity + 1):
            total = Fraction(-purchase * (full - stock) - (fixed if full > stock else 0))
            for demand, percent in enumerate(task.demand):
                sold = min(demand, full)
                day = sale * sold - storage * (full - sold) - shortage * (demand - sold)
                total += Fraction(percent, 100) * (day + worth(full - sold, days - 1))
            options.append(total)
        return max(options)

    for start, _ in task.starts():
        value = task.solution(task.rules(), start).value(start)
        assert value == pytest.approx(float(worth(start.stock, start.days)))


def test_money_of_a_day():
    ordered = RULES.apply(State(1, 2, DECIDE, 10), 2)
    assert ordered == State(3, 2, 2, 10 - 8 - 6)
    assert RULES.apply(ordered, 1) == State(2, 1, DECIDE, -4 + 9 - 2)
    assert RULES.apply(State(1, 1, 0, 0), 3) == State(0, 0, DECIDE, 9 - 4)
    assert RULES.payoff(State(2, 0, DECIDE, 5)) == 7


@pytest.mark.parametrize(
    ("text", "move"),
    [("order 2", 2), ("2", 2), ("I order 2 units.", 2), ("order nothing", 0), ("none", 0),
     ("buy 3 more units", 3), ("Order: 0", 0), ("pass", 0), ("I do not order", 0)],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(1, 2, DECIDE, 0), text) == move


@pytest.mark.parametrize(
    "text", ["", "order", "order 6", "-1", "2.5", "2 or 3", "order 1 2", "9" * 300]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(1, 2, DECIDE, 0), text)


def test_the_scene_shows_numbers_and_demand():
    numbers, demand = RULES.scene(State(1, 2, DECIDE, -4)).scenes
    assert [[card.text for card in row] for row in numbers.rows] == [["1"], ["2"], ["-4"]]
    assert [cell.text for cell in demand.rows[0]] == ["25%"] * 4
