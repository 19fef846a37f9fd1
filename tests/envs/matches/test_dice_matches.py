"""What matches with dice have in common: luck, replays, and how they are judged."""

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.matches.dice_match import DiceMatch
from palaestra.registry import load

NAMES = ["matches/backgammon", "matches/dice_stones", "matches/pig", "matches/royal_game_of_ur"]


def test_every_match_with_dice_is_listed():
    matches = [name for name in palaestra.names() if name.startswith("matches/")]
    assert [name for name in matches if issubclass(load(name), DiceMatch)] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_luck_does_not_change_the_score_of_the_ideal_player(name):
    for level in range(load(name).Knobs.levels()):
        task = Address.of(name, 3, level).task()
        openings = set()
        for shift in range(4):
            luck = tuple(seed + shift for seed in task.luck)
            other = task.model_copy(update={"luck": luck})
            episode = Episode(other, "bare", other.solve())
            assert episode.score.value == 1
            assert episode.score.parts["expectation_lost"] < 1e-9
            openings.add(episode.observations[0])
        assert len(openings) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_costly_decision_loses_whatever_the_dice_show(name):
    lost = 0
    for seed in range(6):
        task = Address.of(name, seed, 2).task()
        session = task.session()
        expectations = task.expectations(session)
        worst = min(expectations, key=lambda move: expectations[move])
        if max(expectations.values()) - expectations[worst] <= task.tolerance:
            continue
        episode = Episode(task, "bare", [session.rules.name(session.state, worst)])
        while episode.score is None:
            episode.step(episode.turn.legal_moves[0])
        assert episode.score.value == 0
        lost += 1
    assert lost


@pytest.mark.parametrize("name", NAMES)
def test_dice_do_not_depend_on_the_wording_of_moves(name):
    task = Address.of(name, 1, 2).task()
    moves = [*task.solve()]
    plain = Episode(task, "bare", moves)
    decorated = Episode(task, "bare", [f"My move: {move.upper()}." for move in moves])
    assert decorated.observations == plain.observations
    assert decorated.scores == plain.scores


@pytest.mark.parametrize("name", NAMES)
def test_between_two_players_the_games_won_decide(name):
    task = Address.of(name, 2, 1).task()
    episode = Episode(task, "bare", seats=(0, 1))
    while episode.scores is None:
        episode.step(episode.turn.legal_moves[-1])
    assert sum(score.value for score in episode.scores) == 1
    assert "games won" in episode.scores[0].reason


@pytest.mark.parametrize("name", NAMES)
def test_the_fourth_illegal_move_loses(name):
    task = Address.of(name, 2, 1).task()
    episode = Episode(task, "bare", ["no such move"] * 4)
    assert [score.value for score in episode.scores] == [float(n != task.seat) for n in (0, 1)]


@pytest.mark.parametrize("name", NAMES)
def test_first_moves_differ_from_game_to_game(name):
    """The same move over and over must not be right."""
    for seed in range(6):
        task = Address.of(name, seed, 0).task()
        if len(task.luck) > 1:
            starts = task.starts()
            best = [max(each, key=lambda move: each[move]) for each in
                    (task.solution(start).expectations(start) for start in starts)]  # fmt: skip
            assert len(set(best)) > 1


@pytest.mark.parametrize("name", NAMES)
def test_only_the_lone_player_reads_about_decisions(name):
    task = Address.of(name, 5, 3).task()
    assert "You are judged" in task.description(task.seat)
    assert "You are judged" not in task.description(1 - task.seat)
    assert "Whoever wins more games wins the match" in task.description(1 - task.seat)


@pytest.mark.parametrize("name", NAMES)
def test_the_games_won_so_far_are_reported(name):
    task = Address.of(name, 5, 3).task()
    episode = Episode(task, "bare", task.solve())
    assert any("Games won so far: X " in text for _, text in episode.observations)
