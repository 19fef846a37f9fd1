"""Step environments: ours by themselves, and as skyrl-gym and GEM hold them."""

import pickle
from dataclasses import replace

import pytest

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS, EpisodeOver
from palaestra.task import JudgeError, KnobError
from palaestra.trainers import stepwise
from palaestra.trainers.exports import exported
from palaestra.trainers.stepwise import GemEnv, Steps, group, steps_of, value_of

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"


def solved(address, answer_format="tags"):
    return [
        ANSWER_FORMATS[answer_format].write(move)
        for move in Address.parse(str(address)).task().solve()
    ]


@pytest.mark.parametrize("name", [PUZZLE, GAME, "tools/meeting_desk"])
def test_rewards_add_up_to_the_score(name):
    address = str(Address.of(name, 3, 2))
    steps, earned = Steps(address), []
    for reply in solved(address):
        assert steps.score is None
        step = steps.step(reply)
        earned.append(step.reward)
    assert step.done
    assert value_of(steps.score) == pytest.approx(sum(earned)) == 1.0
    with pytest.raises(EpisodeOver):
        steps.step("more")


def test_an_episode_ends_after_so_many_turns_with_nothing():
    steps = Steps(str(Address.of("tools/meeting_desk", 3)), max_turns=3)
    plan = solved(steps.address)
    earned = [steps.step(reply).reward for reply in plan[:3]]
    assert steps.score.status == "limit"
    assert sum(earned) == pytest.approx(0.0)
    with pytest.raises(ValueError, match="at least 1"):
        Steps(steps.address, max_turns=0)


def test_a_question_with_a_plain_gold_answer_takes_one_reply():
    for reply, value in ((r"It is \boxed{0.5}.", 1.0), ("Answer: 2", 0.0), ("1/2", 0.0)):
        steps = steps_of("1/2")
        assert steps.step(reply)[1:] == (value, True)
        assert steps.score.value == value
    assert steps_of("1/2", "bare").step("0.5").reward == 1.0
    address = str(Address.of(PUZZLE, 3))
    assert steps_of(address).address == address
    with pytest.raises(LookupError, match="did you mean"):
        steps_of(f"{PUZZLE}s?seed=3")


def test_faults_of_the_judge_have_no_reward(monkeypatch):
    steps = Steps(str(Address.of(GAME, 3)))
    monkeypatch.setattr(steps.episode, "step", lambda reply: 1 / 0)
    step = steps.step("x")
    assert step.done
    assert step.reward is None
    with pytest.raises(JudgeError, match="ZeroDivisionError"):
        value_of(steps.score)


def test_gem_environments_play_the_task_of_a_seed():
    env = GemEnv(GAME, level=2)
    first, info = env.reset(seed=3)
    plan = solved(info["address"])
    total = 0.0
    for n, reply in enumerate(plan):
        _, reward, terminated, truncated, info = env.step(reply)
        total += reward
        assert terminated == (n == len(plan) - 1)
        assert not truncated
    assert total == pytest.approx(1.0)
    assert info["score"] == 1.0
    assert env.reset(seed=3)[0] == first
    assert GemEnv(GAME, level=2, seed=5).reset() == GemEnv(GAME, level=2, seed=5).reset()


def test_gem_environments_say_where_an_episode_was_cut():
    env = GemEnv(GAME, max_turns=1)
    env.reset(seed=3)
    assert env.step("no")[1:4] == (0.0, False, True)
    with pytest.raises(KnobError):
        GemEnv(GAME, level=99)
    with pytest.raises(RuntimeError, match="reset"):
        GemEnv(GAME).step("x")


def test_gem_environments_are_spawned_with_their_state_and_pickled():
    env = GemEnv(GAME, level=2, answer_format="boxed")
    env.reset(seed=3)
    plan = solved(env.steps.address, "boxed")
    env.step(plan[0])
    for twin in (env.spawn(same_state=True), pickle.loads(pickle.dumps(env.spawn()))):
        if twin.steps is None:
            twin.reset(seed=3)
            twin.step(plan[0])
        assert twin.steps.observation == env.steps.observation
        assert twin.step(plan[1])[:2] == env.spawn(same_state=True).step(plan[1])[:2]
    assert env.sample_random_action().startswith("\\boxed{")


def test_a_group_plays_one_task():
    made = group(lambda: GemEnv(GAME), 7, 4)
    assert len({opening for _, opening in made}) == 1
    assert len({id(env) for env, _ in made}) == 4


@pytest.mark.package("gem")
def test_gem_makes_wraps_and_batches_our_environment():
    """By its own registry, its tracking wrapper and its vector of environments."""
    import gem
    from gem.core import Env
    from gem.wrappers.episode_tracking_wrapper import EpisodeTrackingWrapper

    assert not {name for name in Env.__abstractmethods__ if not hasattr(GemEnv, name)}
    gem.register("palaestra:Mastermind", "palaestra.trainers.stepwise:GemEnv", name=GAME, level=2)
    tracked = EpisodeTrackingWrapper(gem.make("palaestra:Mastermind"))
    _, info = tracked.reset(seed=3)
    plan = solved(info["address"])
    for reply in plan:
        *_, info = tracked.step(reply)
    assert info["cumulative_rewards"] == pytest.approx(1.0)
    assert info["step_counter"] == len(plan)
    batch = gem.make_vec(["palaestra:Mastermind"] * 2)
    _, infos = batch.reset(seed=[3, 3])
    assert infos[0]["address"] == infos[1]["address"]
    for reply in plan:
        _, _, over, _, _ = batch.step([reply, "no"])
    assert over.tolist() == [True, False]


# ------------------------------------------------------------------------------ skyrl-gym


@pytest.fixture
def make():
    """An environment out of a row of our export, as SkyRL makes it."""

    def made(name, env_config=None, **extras):
        import skyrl_gym

        if "palaestra" not in skyrl_gym.envs.registration.registry:
            skyrl_gym.register(id="palaestra", entry_point="palaestra.trainers.stepwise:SkyRLEnv")
        (row,) = exported(name, [3], 2, trainer="skyrl")
        assert row.pop("env_class") == "palaestra"
        prompt = row.pop("prompt")
        config = env_config or {}
        return skyrl_gym.make("palaestra", env_config=config, extras={**row, **extras}), prompt

    return made


@pytest.mark.package("skyrl_gym")
def test_skyrl_plays_a_game(make):
    env, prompt = make(GAME)
    chat, _ = env.init(prompt)
    total = 0.0
    for reply in solved(env.steps.address):
        done = env.step(reply)
        chat += [{"role": "assistant", "content": reply}, *done["observations"]]
        total += done["reward"]
    assert done["done"]
    assert total == pytest.approx(1.0)
    assert done["observations"] == []
    assert chat == env.steps.messages()
    assert env.get_metrics() == {"score": 1.0, "turns": len(solved(env.steps.address))}
    assert type(env).aggregate_metrics([env.get_metrics()])["score"] == 1.0


@pytest.mark.package("skyrl_gym")
def test_skyrl_pays_by_a_recipe(make):
    env, prompt = make(PUZZLE, {"reward_recipe": "Truth(wrong=-1)"})
    env.init(prompt)
    assert env.step("<answer>no idea</answer>")["reward"] == -1
    assert env.get_metrics()["score"] == 0  # the truth


@pytest.mark.package("skyrl_gym")
def test_skyrl_has_users_who_are_worded_by_an_endpoint(make):
    """Here by none that answers, so that the script speaks, with the reason."""
    user = {"base_url": "http://127.0.0.1:9/v1", "model": "user"}
    env, prompt = make("tools/small_shop", {"user": user})
    env.init(prompt)
    speaker = env.steps.conversation.speaker
    assert speaker.settings["model"] == "user"
    env.steps.conversation.speaker = replace(speaker, endpoint=replace(speaker.endpoint, retries=0))
    env.step(solved(env.steps.address)[0])
    (words,) = env.steps.conversation.words
    assert words.reason.startswith("the endpoint fails")


@pytest.mark.package("skyrl_gym")
def test_skyrl_cuts_an_episode_and_is_told_of_faults(make, monkeypatch):
    env, _ = make(GAME, max_turns=1)
    done = env.step("no")
    assert done["done"]
    assert done["reward"] == 0.0
    env, _ = make(PUZZLE)
    monkeypatch.setattr(stepwise, "score_many", lambda items: [JudgeError("the judge is away")])
    with pytest.raises(JudgeError, match="away"):
        env.step("x")


@pytest.mark.package("skyrl_gym")
def test_skyrl_takes_plain_gold_answers():
    for reply, value in ((r"\boxed{42}", 1.0), (r"\boxed{41}", 0.0)):
        env = stepwise.SkyRLEnv(extras={"reward_spec": {"method": "rule", "ground_truth": 42}})
        done = env.step(reply)
        assert (done["reward"], done["done"]) == (value, True)


@pytest.mark.package("skyrl_gym")
def test_skyrl_environments_need_a_label():
    with pytest.raises(ValueError, match="ground_truth"):
        stepwise.SkyRLEnv(extras={"reward_spec": {}})
