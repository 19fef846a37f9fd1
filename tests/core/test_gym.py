"""The Gymnasium face."""

import inspect
import warnings
from copy import deepcopy
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import palaestra
import palaestra.gym
from palaestra import Address
from palaestra.catalog import catalog
from palaestra.episode import TAGS
from palaestra.gym import AnyText, Texts, env_id
from palaestra.registry import load

NAMES = palaestra.names()
KNIGHTS = "palaestra/KnightsAndKnaves-v2"


def made(name, **options):
    return gymnasium.make(env_id(name, load(name).version), **options)


def hear_all(env, moves):
    return [env.step(TAGS.write(move)) for move in moves]


@pytest.mark.parametrize("name", NAMES)
def test_every_environment_passes_gymnasiums_check(name):
    env = made(name, level=1, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_the_perfect_player_earns_1_in_a_pooled_environment(name):
    """An object that was reset and used before behaves like a fresh one."""
    env = made(name, level=1, render_mode="ansi")
    first, info = env.reset(seed=3)
    moves = list(Address.parse(info["address"]).task().solve())
    steps = hear_all(env, moves)
    env.reset(seed=4)
    env.step("<answer>something else</answer>")
    again, _ = env.reset(seed=3)
    assert again == first
    assert hear_all(env, moves) == steps
    assert sum(reward for _, reward, *_ in steps) == pytest.approx(1)
    observation, _, over, cut, info = steps[-1]
    assert (over, cut, info["score"], info["correct"]) == (True, False, 1.0, True)
    assert observation in env.render()


@pytest.mark.parametrize("name", [name for name in NAMES if catalog()[name]["image"]])
def test_pictures(name):
    env = made(name, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert len(np.unique(picture)) > 2


def test_no_picture_no_rgb_array():
    with pytest.raises(ValueError, match="renders in mode ansi"):
        gymnasium.make(KNIGHTS, render_mode="rgb_array")


def test_a_seed_names_the_task_and_the_split_its_half():
    env = gymnasium.make(KNIGHTS, level=2)
    assert env.reset(seed=17)[1]["address"].endswith("seed=17")
    held_out = gymnasium.make(KNIGHTS, level=2, split="eval")
    assert held_out.reset(seed=17)[1]["address"].endswith(f"seed={2**31 + 17}")
    drawn = {env.reset()[1]["address"] for _ in range(20)}
    assert len(drawn) == 20
    assert all(Address.parse(address).split == "train" for address in drawn)


def test_wrong_settings_are_told_when_it_is_made():
    with pytest.raises(palaestra.KnobError, match="levels go from"):
        gymnasium.make(KNIGHTS, level=50)
    with pytest.raises(palaestra.KnobError, match="people"):
        gymnasium.make(KNIGHTS, people=50)
    with pytest.raises(palaestra.BadAddress, match="train or eval"):
        gymnasium.make(KNIGHTS, split="test")


def test_steps_come_after_a_reset():
    env = palaestra.gym.TextEnv("games/mastermind")
    for call in (env.render, lambda: env.step("1")):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    vector = palaestra.gym.TextVectorEnv("games/mastermind", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(["", ""])


def test_legal_moves_and_address_are_in_the_info_and_no_answer():
    env = gymnasium.make("palaestra/ConnectFour-v4")
    _, info = env.reset(seed=0)
    assert info.keys() == {"address", "state", "legal_moves"}
    *_, info = env.step("<answer>nonsense</answer>")
    assert info.keys() == {"address", "state", "legal_moves"}


def test_the_vector_environment_is_as_many_single_ones():
    vector = gymnasium.make_vec(KNIGHTS, num_envs=3, level=1)
    assert isinstance(vector.unwrapped, palaestra.gym.TextVectorEnv)
    observation, infos = vector.reset(seed=5)
    for n in range(3):
        single = gymnasium.make(KNIGHTS, level=1)
        assert observation[n] == single.reset(seed=5 + n)[0]
    assert vector.observation_space.contains(observation)
    replies = [TAGS.write(next(iter(Address.parse(a).task().solve()))) for a in infos["address"]]
    replies[1] = "no"
    _, rewards, over, cut, infos = vector.step(replies)
    assert rewards.tolist() == [1, 0, 1]
    assert over.all()
    assert not cut.any()
    assert infos["score"].tolist() == [1, 0, 1]
    assert infos["status"][1] == "no_answer"


def test_the_vector_environment_starts_anew_by_itself():
    vector = gymnasium.make_vec(KNIGHTS, num_envs=2)
    vector.reset(seed=0)
    vector.step(["", ""])
    observation, rewards, over, _, infos = vector.step(["ignored", "ignored"])
    assert not over.any()
    assert rewards.tolist() == [0, 0]
    assert len(set(infos["address"])) == 2
    assert vector.unwrapped.render() == observation
    again = gymnasium.make_vec(KNIGHTS, num_envs=2)
    again.reset(seed=[0, 1])
    again.step(["", ""])
    other = again.step(["", ""])[4]["address"]
    assert (other != infos["address"]).any()


def test_the_vector_environment_counts_seeds_and_actions():
    vector = palaestra.gym.TextVectorEnv("games/mastermind", 2)
    with pytest.raises(ValueError, match="need 2 seeds"):
        vector.reset(seed=[1])
    first, _ = vector.reset()
    with pytest.raises(ValueError, match="need 2 actions"):
        vector.step(["1"])
    assert len(first) == 2


def test_vector_pictures():
    vector = palaestra.gym.TextVectorEnv("matches/connect_four", 2, render_mode="rgb_array")
    vector.reset(seed=1)
    assert [picture.ndim for picture in vector.render()] == [3, 3]


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.slow)])
def test_gymnasiums_own_vector_environments_work(mode):
    vector = gymnasium.make_vec(KNIGHTS, num_envs=2, level=1, vectorization_mode=mode)
    try:
        observation, _ = vector.reset(seed=3)
        assert observation[1] == gymnasium.make(KNIGHTS, level=1).reset(seed=4)[0]
        observations, rewards, over, *_ = vector.step(["a", "b"])
        assert observations == ("there is no text between <answer> and </answer>",) * 2
        assert rewards.tolist() == [0, 0]
        assert over.all()
    finally:
        vector.close()


def test_spaces_take_any_text():
    space = AnyText(seed=1)
    for text in ("", " \n", "é漢字", "x" * 100_000):
        assert space.contains(text)
    assert not space.contains(1)
    assert space.sample() in space
    assert space == AnyText()
    assert hash(space) == hash(AnyText())
    assert not space.is_np_flattenable
    assert "AnyText" in repr(space)
    pair = Texts(2, seed=1)
    assert pair.sample() in pair
    assert ("a",) not in pair
    assert pair == Texts(2) != Texts(3)
    assert hash(pair) == hash(Texts(2))
    assert not pair.is_np_flattenable
    assert repr(pair) == "Texts(2)"


def test_texts_go_through_shared_memory():
    from gymnasium.vector import utils

    memory = utils.create_shared_memory(AnyText(), n=2)
    texts = ("é漢字\n", "\ud800")
    for n, text in enumerate(texts):
        utils.write_to_shared_memory(AnyText(), n, text, memory)
    read = utils.read_from_shared_memory(AnyText(), memory, n=2)
    assert tuple(read) == deepcopy(read) == read[:] == texts
    utils.write_to_shared_memory(AnyText(), 0, "later", memory)
    assert read[0] == "later"
    with pytest.raises(ValueError, match="shared_memory=False"):
        utils.write_to_shared_memory(AnyText(), 0, "x" * 2_000_000, memory)
    assert utils.create_empty_array(Texts(2), n=3) == (("", ""),) * 3
    assert utils.batch_differing_spaces([AnyText(), AnyText()]) == Texts(2)


def test_other_distributions_are_registered(other_distribution):
    source = Path(inspect.getfile(load("logic/knights_and_knaves"))).read_text()
    twin = source.replace("class KnightsAndKnaves", "class Twin")
    other_distribution("elsewhere", {"twin": twin, "broken": '"""None here."""\n'})
    with pytest.warns(UserWarning, match="elsewhere/broken cannot be loaded"):
        versions = palaestra.gym.versions()
    assert versions["elsewhere/twin"] == load("logic/knights_and_knaves").version
    assert "elsewhere/broken" not in versions
