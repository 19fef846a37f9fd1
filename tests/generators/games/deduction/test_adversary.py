"""Games against an adversary: what is common to all of them."""

from random import Random

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.registry import load

NAMES = [
    name
    for name in palaestra.names()
    if name.startswith("games/") and issubclass(load(name), AdversaryGame)
]


def brute_force(rules, state):
    """Whether the player wins, without any shortcut of the solver."""
    if rules.is_won(state):
        return True
    return any(
        all(brute_force(rules, after) for after in rules.answers(state, move).values())
        for move in rules.legal(state)
    )


SMALL = {
    "games/breaking_point": {"heights": 4, "samples": 2},
    "games/coin_weighing": {"coins": 4, "cheapest": 10, "dearest": 12},
    "games/feature_questions": {"objects": 4, "features": 4},
    "games/guessing_with_lies": {"numbers": 4},
    "games/letter_guessing": {"listed": 4},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_rules_agree_with_brute_force(name, seed):
    task = Address.of(name, seed, 0, **SMALL[name]).task()
    rules, start = task.rules(), task.start()
    assert brute_force(rules, start)
    for move in rules.legal(start):
        after = rules.answers(start, move).values()
        assert rules.keeps(start, move) == all(brute_force(rules, each) for each in after)


@pytest.mark.parametrize("name", NAMES)
def test_a_coin_less_is_not_enough(name):
    for level in range(6):
        task = Address.of(name, 3, level).task()
        start = task.start()
        assert task.rules().wins(start)
        assert not task.rules().wins(start._replace(coins=start.coins - 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", range(6))
def test_the_oracle_wins_against_every_adversary(name, level):
    task = Address.of(name, 5, level).task()
    for seed in range(8):
        other = task.model_copy(update={"seed_of_adversary": seed})
        assert Episode(other, BARE, [*other.solve()]).score.value == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_adversary_punishes_a_mistake(name):
    """After a question that does not win, no play does: here, play that is best from then on."""
    for seed in range(6):
        task = Address.of(name, seed, 2).task()
        rules, start = task.rules(), task.start()
        wrong = [move for move in rules.legal(start) if not rules.keeps(start, move)]
        assert wrong, "every first question wins"
        episode = Episode(task, BARE)
        episode.step(rules.name(start, wrong[seed % len(wrong)]))
        while episode.score is None:
            state = rules.decode(episode.turn.state)
            options = rules.winning(state) or [*rules.legal(state)]
            episode.step(rules.name(state, Random(seed).choice(options)))
        assert episode.score.value == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [0, 2, 4])
def test_answers_are_the_worst_ones(name, level):
    """Also where the player wins whatever the answer is: the prompts say so."""
    for seed in range(6):
        task = Address.of(name, seed, level).task()
        rules, episode = task.rules(), Episode(task, BARE)
        for text in task.solve():
            state = rules.decode(episode.turn.state)
            after = rules.answers(state, rules.read(state, text))
            episode.step(text)
            answer = episode.observation.partition(": ")[2].split("\n")[0].split(". The goal")[0]
            assert rules.needed(after[answer]) == max(map(rules.needed, after.values()))
        assert episode.score.value == 1


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_consistent_and_depend_on_the_moves_alone(name):
    task = Address.of(name, 1, 3).task()
    moves = [*task.solve()]
    one, other = Episode(task, BARE, moves), Episode(task, BARE, [f"**{each}**" for each in moves])
    # The texts of the prompts end with the answer and the state.
    assert [turn for _, turn in one.observations] == [turn for _, turn in other.observations]
    assert other.score.value == 1


@pytest.mark.parametrize("name", NAMES)
def test_too_many_illegal_moves_end_the_episode(name):
    episode = Episode(Address.of(name, 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("something else")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"
