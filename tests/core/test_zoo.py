"""The PettingZoo face."""

import subprocess
import sys

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from palaestra import KnobError
from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.registry import load
from palaestra.zoo import env, names, parallel_env

MATCHES = names()


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
def test_every_match_passes_pettingzoos_tests(name, capsys):
    api_test(env(name, level=1), num_cycles=100)
    seed_test(lambda: env(name, level=1), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_both_matches_are_there():
    assert {"matches/connect_four", "matches/tic_tac_toe"} <= set(MATCHES)


def play(match, choose):
    """Play to the end; what each agent earned."""
    earned = dict.fromkeys(match.possible_agents, 0.0)
    for agent in match.agent_iter(200):
        _, reward, over, _, info = match.last()
        earned[agent] += reward
        match.step(None if over else choose(info))
    return earned


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("seed", range(5))
def test_somebody_wins_what_others_lose(name, seed):
    match = env(name, level=1)
    match.reset(seed=seed)
    chance = np.random.default_rng(seed)
    earned = play(match, lambda info: TAGS.write(str(chance.choice(info["legal_moves"]))))
    if "many-players" in load(name).tags:  # each plays alone, and points are shared
        assert all(0 <= each <= 1 for each in earned.values())
        assert 0 < sum(earned.values()) < len(earned)
        return
    assert set(earned.values()) in ({0, 1}, {0.5})
    # Of more than two players, those who play together win together.
    assert len(earned) > 2 or sum(earned.values()) == 1


def test_who_plays_nonsense_loses():
    match = env("matches/connect_four")
    match.reset(seed=2)
    mover = match.agent_selection
    other = next(agent for agent in match.possible_agents if agent != mover)
    earned = play(
        match,
        lambda info: "?" if match.agent_selection == mover else TAGS.write(info["legal_moves"][0]),
    )
    assert earned == {mover: 0, other: 1}
    assert match.observe(mover)["text"].startswith("lost")
    assert match.infos == {} or all("score" in info for info in match.infos.values())


def test_the_task_is_the_one_its_address_names():
    match = env("matches/connect_four", level=3)
    match.reset(seed=9)
    address = Address.parse(match.infos[match.agent_selection]["address"])
    assert (address.seed, address.level) == (9, 3)
    match.reset()
    assert match.unwrapped.address.split == "train"


def test_pictures_and_texts():
    match = env("matches/tic_tac_toe", render_mode="rgb_array")
    match.reset(seed=1)
    assert match.render().ndim == 3
    text = env("matches/tic_tac_toe", render_mode="ansi")
    text.reset(seed=1)
    assert "Your move?" in text.render()
    text.close()


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
def test_every_match_passes_pettingzoos_parallel_tests(name, capsys):
    parallel_api_test(parallel_env(name, level=1), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(name, level=1), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def replies(match, infos, chance, others="?"):
    """Random legal moves of those who are to move, and anything of the others."""
    return {
        agent: TAGS.write(str(chance.choice(infos[agent]["legal_moves"])))
        if infos[agent]["to_move"]
        else others
        for agent in match.agents
    }


@pytest.mark.parametrize("name", MATCHES)
def test_parallel_play_is_the_play_of_its_turns(name):
    """With the replies of those to move in their order, an episode has the same scores."""
    match, chance = parallel_env(name, level=1), np.random.default_rng(1)
    observations, infos = match.reset(seed=3)
    address, earned = infos["player_0"]["address"], dict.fromkeys(match.possible_agents, 0.0)
    episode = Episode(Address.parse(address).task(), seats=range(len(match.possible_agents)))
    while match.agents:
        actions = replies(match, infos, chance)
        for agent in match.possible_agents:
            if infos[agent]["to_move"]:
                seat = match.possible_agents.index(agent)
                assert episode.player == seat
                assert observations[agent]["text"] == episode.observation
                assert infos[agent]["state"] == episode.turn.state
                episode.step(actions[agent])
        observations, rewards, _, _, infos = match.step(actions)
        for agent, reward in rewards.items():
            earned[agent] += reward
    assert [*earned.values()] == pytest.approx([score.value for score in episode.scores])


@pytest.mark.parametrize("name", MATCHES)
def test_both_move_at_once_where_moves_are_simultaneous(name):
    match = parallel_env(name, level=1)
    _, infos = match.reset(seed=3)
    at_once = "simultaneous" in load(name).tags
    assert sum(info["to_move"] for info in infos.values()) == 1 + at_once
    if at_once:  # what the second one is told does not depend on the move of the first
        first, second = match.possible_agents
        waits = replies(match, infos, np.random.default_rng(0)) | {second: "?"}
        views = []
        for move in infos[first]["legal_moves"]:
            match.reset(seed=3)
            observations, _, _, _, after = match.step(waits | {first: TAGS.write(move)})
            assert [after[agent]["to_move"] for agent in (first, second)] == [False, True]
            views.append((observations[second]["text"], after[second]["state"]))
        assert len(views) > 1
        assert len({*views}) == 1


def test_who_speaks_nonsense_in_parallel_is_asked_again():
    match = parallel_env("matches/rock_paper_scissors", level=1, observation="both", image_size=64)
    observations, infos = match.reset(seed=3)
    assert observations["player_1"]["image"].shape == (64, 64, 3)
    _, rewards, ends, _, infos = match.step({"player_0": "?", "player_1": "?"})
    assert [info["to_move"] for info in infos.values()] == [True, True]
    assert not any(rewards.values())
    while match.agents:
        _, rewards, ends, _, infos = match.step({"player_0": "?", "player_1": "?"})
    assert rewards == {"player_0": 0, "player_1": 1}
    assert all(ends.values())
    assert infos["player_1"]["score"] == 1


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match="one player only"):
        env("logic/knights_and_knaves")
    with pytest.raises(ValueError, match="renders in mode"):
        env("matches/tic_tac_toe", render_mode="human")
    with pytest.raises(KnobError):
        env("matches/tic_tac_toe", level=77)


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("import palaestra.zoo", "palaestra[matches]"),
        (
            "from palaestra.scenes.raster import rgb; rgb(None)",
            "palaestra[pictures]",
        ),
    ],
)
def test_a_missing_extra_is_named(code, extra):
    hide = "import sys; sys.modules['pettingzoo'] = sys.modules['PIL'] = None; "
    done = subprocess.run(
        [sys.executable, "-c", hide + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"pip install '{extra}'" in done.stderr
