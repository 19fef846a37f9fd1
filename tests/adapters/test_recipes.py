"""Recipes shape what every adapter pays, and none pays a wrong reply as much as a right one."""

import json
import math

import pytest

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.task import JudgeError, Score
from palaestra.trainers import openrlhf, stepwise, trl, verifiers, verl
from palaestra.trainers.curricula import cells, make
from palaestra.trainers.exports import areal_reward, easyr1_reward, swift_reward
from palaestra.trainers.stepwise import GemEnv, Steps
from palaestra.trainers.trl import judging, parts
from palaestra.verifiers.shaping import RecipeError

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
FORM = "Gated(Format(['answer'], True), Truth(wrong=-1), -2)"
SHORT = {"recipe": "Truth(partial=0) + LaserStep()", "target": 5}
FOLLOWS = {"recipe": "Truth(partial=0) + LaserStep()", "target": {"lengths": [5, 50], "every": 1}}

NEARLY = Score(math.nextafter(1, 0))


@pytest.fixture
def task():
    """The address of a puzzle, a right reply and a wrong one."""
    address = str(Address.of(PUZZLE, 5, 1))
    (move,) = Address.parse(address).task().solve()
    return address, ANSWER_FORMATS["tags"].write(move), "<answer>no idea</answer>"


@pytest.fixture
def model_path(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path / "model")
    return str(tmp_path / "model")


# ------------------------------------------------------------------------------ step by step


def test_rewards_of_steps_add_up_to_what_the_recipe_makes():
    address = str(Address.of(GAME, 3, 2))
    plan = [ANSWER_FORMATS["tags"].write(move) for move in Address.parse(address).task().solve()]
    for recipe, tokens, total in (
        (FORM, None, 1), ("Truth(wrong=-1)", None, 1), (SHORT, 5, 1.5), (SHORT, 6, 1),
    ):  # fmt: skip
        steps = Steps(address, recipe=recipe)
        earned = [steps.step(reply, tokens).reward for reply in plan]
        assert sum(earned) == pytest.approx(total) == steps.paid
        assert steps.score.correct  # the truth stays as it is
    out_of_form = Steps(address, "bare", recipe=FORM)
    moves = [*Address.parse(address).task().solve()]
    assert sum(out_of_form.step(move).reward for move in moves) == pytest.approx(-2)


@pytest.mark.parametrize("name", [GAME, "planning/sokoban", "tools/meeting_desk"])
@pytest.mark.parametrize("recipe", ["Truth(wrong=-1, partial=0)", "Truth(right=3, wrong=-1)"])
def test_stopping_short_never_pays_as_much_as_being_right(name, recipe):
    """Wherever a trainer cuts an episode, what was paid so far is what a wrong one may earn."""
    address = str(Address.of(name, 3, 1))
    steps, plain = Steps(address, recipe=recipe), Steps(address)
    total = credit = 0.0
    for move in Address.parse(address).task().solve():
        reply = ANSWER_FORMATS["tags"].write(move)
        total += steps.step(reply).reward
        credit += plain.step(reply).reward
        right = steps.shaped.reward.recipe.if_right.low
        assert (total == pytest.approx(right)) == (plain.score is not None)
        if plain.score is None:
            assert total <= steps.shaped.reward.recipe.if_wrong.high + 1e-9
            assert total >= steps.paid - 1e-9
    assert credit == pytest.approx(1)


def test_an_episode_that_stops_short_is_paid_as_a_wrong_one():
    steps = Steps(str(Address.of(GAME, 3, 2)), recipe="Truth(wrong=-1)", max_turns=2)
    assert steps.paid == -1
    earned = [steps.step("<answer>x</answer>").reward for _ in range(2)]
    assert sum(earned) == pytest.approx(-1) == steps.paid


def test_without_a_recipe_nearly_right_is_not_right_in_float32(task, monkeypatch):
    address, right, _ = task
    short = 1 - 2**-12
    for module in (stepwise, verl, openrlhf, judging, parts):
        monkeypatch.setattr(module, "score_many", lambda items: [NEARLY for _ in items])
    assert Steps(address).step(right).reward == short
    assert verl.compute_score("x", right, "42")["score"] == short
    assert trl.reward([right], [address]) == [short]
    (score,) = trl.rewards("score")
    assert score([right], address=[address]) == [short]
    played = trl.environment(Address.parse(address).env)()
    played.reset(address)
    played.answer(move="x")
    assert played.get_reward() == short
    assert verl.logged(Score(1))["score"] == 1


def test_what_could_not_be_judged_has_no_reward_whatever_the_recipe(monkeypatch):
    steps = Steps(str(Address.of(GAME, 3)), recipe="Truth(wrong=-1)")
    monkeypatch.setattr(steps.episode, "step", lambda reply: 1 / 0)
    assert steps.step("x").reward is None
    with pytest.raises(JudgeError, match="ZeroDivisionError"):
        _ = steps.paid
    assert verl.logged(JudgeError("down"), 0.0)["score"] == 0
    with pytest.raises(JudgeError):
        verl.logged(JudgeError("down"))


def test_gem_environments_are_shaped_and_so_are_their_copies():
    env = GemEnv(PUZZLE, recipe="Truth(wrong=-1)")
    env.reset(seed=5)
    copy = env.spawn()
    copy.reset(seed=5)
    for each in (env, copy, env.spawn(same_state=True)):
        assert each.step("<answer>?</answer>")[1] == -1


# ------------------------------------------------------------------------------ one reply


def test_functions_that_score_one_reply_take_a_recipe(task):
    address, right, wrong = task
    rows = [{"ground_truth": address, "response": reply} for reply in (right, wrong)]
    paid = easyr1_reward(rows, recipe=FORM)
    assert [each["overall"] for each in paid] == [1, -1]
    assert [each["accuracy"] for each in paid] == [1, 0]
    rows[0]["response_length"] = 5
    assert easyr1_reward(rows[0], recipe=SHORT)["overall"] == 1.5
    assert areal_reward("", right, [], [1] * 5, address=address, recipe=SHORT) == 1.5
    assert areal_reward("", right, [], [1] * 6, address=address, recipe=SHORT) == 1
    assert swift_reward([right, wrong], [address] * 2, recipe=FORM) == [1, -1]
    for reply, score in ((right, 1), (wrong, -1)):
        result = verl.compute_score("palaestra/x", reply, address, recipe=FORM)
        assert (result["score"], result["acc"]) == (score, float(score == 1))


def test_plain_gold_answers_are_shaped_too():
    assert verl.compute_score("math", r"It is \boxed{42}.", "42", recipe="Truth(wrong=-1)") == {
        "score": 1.0, "acc": 1.0, "answered": 1.0, "unscored": 0.0,
    }  # fmt: skip
    shaped = trl.Shaped("Truth(wrong=-1)")
    assert shaped([r"\boxed{42}", "41"], answer=["42", "42"], prompts=["?", "?"]) == [1, -1]


def test_length_is_counted_by_a_tokenizer_where_no_tokens_come(task, model_path):
    pytest.importorskip("transformers")
    _, right, wrong = task
    options = {"tokenizer": model_path}
    recipe = {**SHORT, "target": len(right)}  # a tokenizer of bytes
    address = task[0]
    assert (
        verl.compute_score("palaestra/x", right, address, recipe=recipe, **options)["score"] == 1.5
    )
    recipe["target"] -= 1
    assert verl.compute_score("palaestra/x", right, address, recipe=recipe, **options)["score"] == 1
    assert swift_reward([right, wrong], [address] * 2, recipe=recipe, **options) == [1, 0]
    with pytest.raises(RecipeError, match="needs the tokens"):
        verl.compute_score("palaestra/x", right, address, recipe=recipe)


def test_a_reward_file_of_openrlhf_takes_a_recipe(task):
    pytest.importorskip("torch")
    address, right, wrong = task
    result = openrlhf.reward_func(
        ["Q" + right, "Q" + wrong], ["Q", "Q"], [address, address], recipe=FORM
    )
    assert result["rewards"].tolist() == result["scores"].tolist() == [1, -1]
    assert result["extra_logs"]["correct"].tolist() == [1, 0]


@pytest.mark.parametrize(
    "build",
    [
        lambda: verl.compute_score("x", "1", "1", recipe=FOLLOWS),
        lambda: openrlhf.reward_func([], [], [], recipe=FOLLOWS),
        lambda: Steps(str(Address.of(PUZZLE, 5)), recipe=FOLLOWS),
        lambda: easyr1_reward([], recipe=FOLLOWS),
        lambda: areal_reward("", "1", [], [], answer="1", recipe=FOLLOWS),
        lambda: swift_reward(["1"], answer=["1"], recipe=FOLLOWS),
    ],
    ids=["verl", "openrlhf", "steps", "easyr1", "areal", "swift"],
)
def test_targets_that_follow_training_want_groups(build):
    with pytest.raises(RecipeError, match="want groups"):
        build()


def test_a_recipe_without_order_is_refused_by_all(task):
    address, right, _ = task
    careless = "Truth() + SoftOverlong(limit=9, buffer=3)"
    for build in (
        lambda: trl.Shaped(careless),
        lambda: verl.compute_score("palaestra/x", right, address, recipe=careless),
        lambda: Steps(address, recipe=careless),
    ):
        with pytest.raises(RecipeError, match="allow_order_change"):
            build()


# ------------------------------------------------------------------------------ TRL


def test_a_shaped_reward_goes_by_tokens_and_by_replies():
    shaped = trl.Shaped(**SHORT)
    answers = {"answer": ["42"] * 3, "prompts": ["?"] * 3}
    reply = ["Answer: 42", [{"content": "Answer: 42"}], "Answer: 41"]
    assert shaped(reply, completion_ids=[[1] * 5, [1] * 6, [1]], **answers) == [1.5, 1, 0]
    played = [[("a", [1] * 5), ("b", [1] * 5)], [("a", [1] * 5), ("b", [1] * 6)], []]
    scores = [1.0, 1.0, None]
    assert shaped(reply, episode_replies=played, episode_score=scores) == [1.5, 1, None]
    with pytest.raises(RecipeError, match="needs the tokens"):
        shaped(reply, **answers)


def test_targets_follow_the_groups_of_a_task_and_not_those_held_out():
    shaped = trl.Shaped(**FOLLOWS)
    easy, hard = (str(Address.of(PUZZLE, seed)) for seed in (1, 2))
    held_out = str(Address.of(PUZZLE, 1, split="eval"))

    def step(*addresses):
        return shaped(
            ["x"] * 4, completion_ids=[[1] * 4, [1] * 9, [1] * 4, [1] * 9],
            address=[*addresses], episode_score=[1.0, 1.0, 1.0, 0.0],
        )  # fmt: skip

    step(held_out, held_out, held_out, held_out)
    assert shaped.shaped.adaptive.targets == [50, 50, 50]
    assert step(easy, easy, hard, hard) == [1.5, 1.5, 1.5, 0]
    assert shaped.shaped.adaptive.targets == [50, 5, 5]
    assert step(easy, easy, hard, hard) == [1.5, 1, 1.5, 0]
    again = trl.Shaped(**FOLLOWS)
    again.shaped.restore(json.loads(json.dumps(shaped.shaped.state())))
    assert again.shaped.adaptive.targets == [50, 5, 5]


def test_a_curriculum_is_told_scores_and_not_what_a_recipe_makes_of_them():
    curriculum = make("adarft", cells({PUZZLE: 1.0}), rate=1.0)
    outcomes = []
    curriculum.noted = lambda address, value: outcomes.append(value)
    shaped = trl.Shaped("Truth(right=3, wrong=-3)")
    address = str(next(iter(curriculum.sample(1))))
    stream = trl.Stream(curriculum, judge=shaped)
    scores = [0.75, 0.25]
    paid = stream.reward([address] * 2, completions=["x", "y"], episode_score=scores)
    assert paid == [1.5, -1.5]
    assert outcomes == [0.5]


def test_results_for_verifiers_are_shaped(task):
    address, right, wrong = task
    for reply, paid in ((right, 1), (wrong, -1)):
        steps = Steps(address, recipe="Truth(wrong=-1)")
        steps.step(reply)
        assert verifiers.results(steps) == {"score": paid, "correct": paid == 1, "turns": 1}
