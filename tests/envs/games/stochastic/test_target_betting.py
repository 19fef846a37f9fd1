"""Bets to reach a target: bold play, an independent solution, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.stochastic.target_betting import PASS, Bet, State, TargetBetting
from palaestra.task import InvalidAnswer

EVEN = TargetBetting((Bet(40, 1),), (1, 2), 4)


def test_bold_play_of_a_subfair_even_bet():
    """Dubins and Savage: p with half of the target, p squared with a quarter, p + qp with three."""
    search = Expectimax(EVEN)
    values = [search.value(State(chips, 4, PASS)) for chips in (2, 1)]
    assert values == pytest.approx([0.4, 0.16])
    assert search.value(State(3, 2, PASS)) == pytest.approx(0.4 + 0.6 * 0.4)
    assert search.value(State(2, 1, PASS)) == pytest.approx(0.4)


@pytest.mark.parametrize("seed", range(6))
def test_probabilities_are_those_of_an_independent_solution(seed):
    task = Address.of("games/target_betting", seed, 2).task()

    @cache
    def wins(chips, turns):
        if chips >= task.target:
            return Fraction(1)
        if not turns:
            return Fraction(0)
        options = [wins(chips, turns - 1)]
        for percent, odds in task.bets:
            for stake in task.stakes:
                if stake <= chips:
                    won, lost = (
                        wins(chips + odds * stake, turns - 1),
                        wins(chips - stake, turns - 1),
                    )
                    options.append((percent * won + (100 - percent) * lost) / 100)
        return max(options)

    for start, _ in task.starts():
        value = task.solution(task.rules(), start).value(start)
        assert value == pytest.approx(float(wins(start.chips, start.rounds)))


def test_the_end_of_a_round():
    assert not EVEN.legal(State(4, 2, PASS))
    assert not EVEN.legal(State(0, 2, PASS))
    assert EVEN.apply(EVEN.apply(State(3, 1, PASS), (0, 1)), (0, 1)) == State(4, 0, PASS)
    assert EVEN.payoff(State(4, 0, PASS)) == 1
    assert EVEN.legal(State(1, 1, PASS)) == [(0, 1), PASS]


@pytest.mark.parametrize(
    ("text", "move"),
    [("bet 2 on A", (0, 2)), ("I bet 2 chips on A.", (0, 2)), ("A 2", (0, 2)), ("2 on a", (0, 2)),
     ("Stake 1 on bet A", (0, 1)), ("pass", PASS), ("I'll pass", PASS), ("No bet!", PASS),
     ("pass this turn", PASS)],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert EVEN.read(State(3, 2, PASS), text) == move


@pytest.mark.parametrize("text", ["", "bet", "bet 3 on A", "bet 2 on B", "2", "bet 1 or 2 on A"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        EVEN.read(State(3, 2, PASS), text)


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/target_betting").task())
    knobs = task_type.Knobs.at(0, target=60, turns=6, bets=6, stakes=6)
    states = (knobs.target + 1) * (knobs.turns + 1) * (knobs.bets * knobs.stakes + 1)
    assert states < task_type.most_states


def test_the_scene_shows_numbers_and_bets():
    numbers, bets = EVEN.scene(State(3, 2, PASS)).scenes
    assert [[card.text for card in row] for row in numbers.rows] == [["3"], ["4"], ["2"]]
    assert [[cell.text for cell in row] for row in bets.rows] == [["40%", "1"]]
