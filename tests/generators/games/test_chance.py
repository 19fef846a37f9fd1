"""Expectimax, and how decisions under chance are judged."""

import re
from random import Random
from typing import NamedTuple

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.decisions import Decisions, right_moves
from palaestra.generators.games.chance import ChanceGame, ChanceRules, Expectimax, TooManyStates
from palaestra.registry import load
from palaestra.scenes import Text

NAMES = [
    name
    for name in palaestra.names()
    if name.startswith("games/") and issubclass(load(name), ChanceGame)
]


class State(NamedTuple):
    rolls: int
    die: int


class BestOfSome(ChanceRules[State, int]):
    """Roll a die up to so often, and win what it shows when you stop."""

    state_type = State

    def legal(self, state):
        return (0, 1) if state.die and state.rolls else ()

    def chances(self, state):
        return [(face, 1 / 6) for face in range(1, 7)] if not state.die else ()

    def apply(self, state, move):
        if not state.die:
            return State(state.rolls, move)
        return State(state.rolls - 1, 0) if move else State(0, state.die)

    def payoff(self, state):
        return float(state.die)

    def name(self, state, move):
        return "roll" if move else "stop"

    def read(self, state, text):
        return int(text == "roll")

    def show(self, state):
        return str(state)

    def news(self, state, event):
        return ""

    def end(self, state):
        return ""

    def scene(self, state):
        return Text(("",))

    def thumbs(self):
        return {}


def test_the_textbook_values_of_up_to_three_rolls():
    """3.5, 4.25 and 4.67: stop at 4 with one roll left, at 5 with two."""
    search = Expectimax(BestOfSome())
    values = [search.value(State(rolls, 0)) for rolls in range(3)]
    assert values == pytest.approx([3.5, 4.25, 14 / 3])
    assert right_moves(search.expectations(State(1, 4)), 0) == [0]
    assert right_moves(search.expectations(State(2, 4)), 0) == [1]


def test_the_number_of_states_is_bounded():
    assert Expectimax(BestOfSome(), 22).value(State(2, 0)) > 4
    with pytest.raises(TooManyStates):
        Expectimax(BestOfSome(), 10).value(State(2, 0))


def test_small_losses_within_the_tolerance_are_forgiven_and_their_sum_is_not():
    record = Decisions(0.01, "points")
    record.add({"a": 1.0, "b": 0.994}, "b", "turn 1")
    assert record.score(0.0).value == 1
    record.add({"a": 1.0, "b": 0.994}, "b", "turn 2")
    assert record.score(0.0).value == 0
    assert record.score(0.0).parts["optimal_decisions"] == 0
    record.add({"a": 1.0, "b": 0.5}, "b", "turn 3")
    assert "turn 3" in record.score(0.0).reason
    assert record.score(7.0).parts["result"] == 7


@pytest.mark.parametrize("worth", [-1.3, -2.3, 0.7, 11.1])
def test_a_loss_of_exactly_the_tolerance_is_forgiven_whatever_is_rounded(worth):
    """-1.3 - -1.35 is more than 0.05 as a float, by the last bit."""
    record = Decisions(0.05, "points")
    record.add({"a": worth, "b": worth - 0.05}, "b", "turn 1")
    assert record.score(0.0).value == 1
    assert record.score(0.0).parts["optimal_decisions"] == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", range(6))
def test_luck_does_not_change_the_score_of_the_ideal_player(name, level):
    for seed in range(3, 23):
        task = Address.of(name, seed, level).task()
        courses = set()
        for shift in range(12):
            luck = tuple(number + shift for number in task.luck)
            other = task.model_copy(update={"luck": luck})
            episode = Episode(other, BARE)
            for move in other.solve():
                episode.step(move)
            assert episode.score.value == 1
            assert episode.score.parts["optimal_decisions"] == 1
            courses.add(tuple(text for _, text in episode.observations))
        # What the ideal player does leaves nothing to chance in a few tasks.
        if len(courses) > 1 or len(task.luck) == 1:
            break
    else:
        pytest.fail("luck changes nothing in any of the tasks")


@pytest.mark.parametrize("name", NAMES)
def test_a_single_mistake_loses_and_the_reason_does_not_state_the_best_move(name):
    task = Address.of(name, 5, 2).task()
    rules, episode = task.rules(), Episode(task, BARE)
    start, _ = next(task.starts())
    solution = task.solution(rules, start)
    best = next(iter(task.solve()))
    state = rules.decode(episode.turn.state.partition(" ")[2])
    expectations = solution.expectations(state)
    worst = min(expectations, key=expectations.get)
    assert max(expectations.values()) - expectations[worst] > task.tolerance
    episode.step(rules.name(state, worst))
    while episode.score is None:
        state = rules.decode(episode.turn.state.partition(" ")[2])
        episode.step(rules.name(state, Random(0).choice(rules.legal(state))))
    assert episode.score.value == 0
    assert "first in decision 1" in episode.score.reason
    assert best not in episode.score.reason.rpartition("gave away")[2]


@pytest.mark.parametrize("name", NAMES)
def test_expectations_are_martingales(name):
    """The best expectation of a state is the mean of those after the best move."""
    for seed in range(3):
        task = Address.of(name, seed, 2).task()
        rules = task.rules()
        for start, luck in task.starts():
            solution = task.solution(rules, start)
            for state, expectations in task._ideal(rules, start, luck):
                for move, worth in expectations.items():
                    after = rules.apply(state, move)
                    events = [] if rules.legal(after) else rules.chances(after)
                    if events:
                        assert sum(chance for _, chance in events) == pytest.approx(1)
                        mean = sum(c * solution.value(rules.apply(after, e)) for e, c in events)
                        assert mean == pytest.approx(worth)
                assert solution.value(state) == pytest.approx(max(expectations.values()))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [1, 3])
def test_luck_is_not_chosen(name, level):
    """What the ideal player wins, over many tasks, is what the expectations promise."""
    errors = list[float]()
    for seed in range(40):
        task = Address.of(name, seed, level).task()
        episode = Episode(task, BARE)
        for move in task.solve():
            episode.step(move)
        rules = task.rules()
        expected = (task.solution(rules, start).value(start) for start, _ in task.starts())
        errors.append(episode.score.parts["result"] - sum(expected))
    spread = (sum(error**2 for error in errors)) ** 0.5
    assert abs(sum(errors)) < 3 * spread


@pytest.mark.parametrize("name", NAMES)
def test_the_opening_is_a_decision_whatever_the_luck_is(name):
    for level in (0, 3, 5):
        task = Address.of(name, 7, level).task()
        other = task.model_copy(update={"luck": tuple(seed + 1 for seed in task.luck)})
        assert other.is_valid()


@pytest.mark.parametrize("name", NAMES)
def test_the_outcome_of_the_last_round_is_reported(name):
    task = Address.of(name, 4, 1).task()
    episode = Episode(task, BARE)
    for move in task.solve():
        episode.step(move)
    assert episode.score.value == 1
    assert re.match(r"(?:You|The|An|Die|Arm|[A-Z]) ", episode.observation)
    assert re.search(
        r"\bYou (?:have|get|win|lose)\b|\bNobody wins\b|payoff|result|points", episode.observation
    )


@pytest.mark.parametrize("name", NAMES)
def test_too_many_illegal_moves_end_the_episode(name):
    episode = Episode(Address.of(name, 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("something else")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"


@pytest.mark.parametrize("name", NAMES)
def test_the_prompt_states_the_judgement(name):
    task = Address.of(name, 1, 1).task()
    text = Episode(task, BARE).observation
    assert "expected value of your decisions, not by luck" in text
    assert f"at most {task.tolerance:g} {task.unit}" in text
    assert "at the start of a" in text
    assert ("carries over" in text) == (len(task.positions) > 1)
