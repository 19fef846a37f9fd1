"""Recipes are what their papers say: values, advantages and gradients of the references."""

import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from tests.references.algorithms import (  # noqa: E402
    DEFAULTS,
    clip_cov_candidates,
    dynamic_sampling,
    grpo,
    random_batch,
    soft_overlong_punishment,
)
from tests.references.comparison import (  # noqa: E402
    CONVENTIONS,
    DIFFERENT,
    by_trainer,
    compare,
    in_float64,
)

from palaestra.task import Score  # noqa: E402
from palaestra.trainers.grpo.config import Config, Loss  # noqa: E402 (they import torch)
from palaestra.trainers.grpo.recipes import RECIPES  # noqa: E402
from palaestra.trainers.grpo.rewards import OVERLONG  # noqa: E402
from palaestra.trainers.grpo.rollouts import Group  # noqa: E402
from palaestra.trainers.rewards import ShapedReward  # noqa: E402
from palaestra.verifiers.shaping import Transcript  # noqa: E402

ROOT = Path(__file__).parents[3]
WITHIN = 1e-6
SEEDS = range(12)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("microbatch_tokens", [16_384, 100, 1])
def test_a_recipe_has_the_values_and_gradients_of_its_reference(recipe, microbatch_tokens):
    for seed in SEEDS:
        difference = compare(recipe, seed, microbatch_tokens)
        assert difference.largest < WITHIN, (seed, difference)


@pytest.mark.parametrize("recipe", RECIPES)
def test_and_so_it_has_while_the_policy_is_the_old_one(recipe):
    for seed in SEEDS[:3]:
        difference = compare(recipe, seed, on_policy=True)
        assert difference.largest < WITHIN, (seed, difference)


@pytest.mark.parametrize("importance", ["truncate", "mask"])
@pytest.mark.parametrize("recipe", ["grpo", "dapo", "cispo", "rloo", "kl_cov", "gigpo"])
def test_and_so_it_has_where_the_engine_is_corrected(recipe, importance):
    for seed in SEEDS[:3]:
        difference = compare(recipe, seed, 100, importance)
        assert difference.largest < WITHIN, (seed, difference)


@pytest.mark.parametrize("seed", SEEDS)
def test_clip_cov_draws_among_the_tokens_that_its_reference_draws_among(seed):
    settings = CONVENTIONS | DIFFERENT["clip_cov"]
    with in_float64():
        batch = random_batch(seed)
        ours = by_trainer("clip_cov", batch, 16_384)
        advantages = grpo(batch, **CONVENTIONS).advantages
        able, count = clip_cov_candidates(batch, advantages, **settings)
    assert len(ours.left_out) == count
    assert set(ours.left_out) <= set(able)


SAME = {
    "clip_low": "loss.clip_low",
    "clip_high": "loss.clip_high",
    "kl": "loss.kl_coef",
    "mask_truncated": "mask_truncated",
    "keep": "keep_rollouts",
    "metric": "keep_by",
    "discount": "discount",
    "omega": "step_advantage_weight",
    "norm": "step_advantage_norm",
}
"""Settings of references, and what the trainer calls them."""

SHARES = {
    "clip_cov": {
        "share": "clip_cov_share", "low": "clip_cov_low", "high": "clip_cov_high",
    },
    "kl_cov": {"share": "kl_cov_share", "kl": "kl_cov_coef"},
    "top_entropy": {"share": "top_entropy_share"},
    "rloo": {"kl": "kl_in_reward"},
    "reinforce++": {"kl": "kl_in_reward"},
}  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_the_settings_of_its_paper(recipe):
    config = Config.read({"recipe": recipe})
    plain = config.plain() | {f"loss.{name}": value for name, value in config.loss}
    for name, value in DEFAULTS[recipe].items():
        ours = SHARES.get(recipe, {}).get(name)
        option = (ours if ours in plain else f"loss.{ours}") if ours else SAME.get(name)
        if recipe == "cispo" and name == "clip_low":
            assert plain[option] == 1  # no bound: a ratio is never below 0
        elif option:
            assert plain[option] == pytest.approx(value), name
    if recipe not in {"dapo", "top_entropy"}:
        assert not config.mask_truncated
    if "kl" not in DEFAULTS[recipe]:
        assert not config.loss.kl_coef
        assert not config.kl_in_reward


@pytest.mark.parametrize(
    ("recipe", "options", "match"),
    [
        ("gspo", {"loss": {"aggregation": "token"}}, "aggregation: sequence"),
        ("gspo", {"loss": {"clip_low": 0.2}}, "would never clip"),
        ("gspo", {"loss": {"tokens": "top_entropy"}}, "ratio per token"),
        ("gspo", {"loss": {"surrogate": "cispo"}}, "surrogate: clip"),
        ("gspo", {"advantage": "gigpo"}, "ratio per token"),
        ("gmpo", {"loss": {"aggregation": "constant"}}, "aggregation: sequence"),
        ("gmpo", {"loss": {"tokens": "clip_cov"}}, "ratio per token"),
        ("gmpo", {"loss": {"dual_clip": 3.0}}, "dual_clip"),
        ("grpo", {"loss": {"kl": "k1"}}, "expected gradient of zero"),
        ("grpo", {"group_size": 1}, "group_size is 2 or more"),
        ("kl_cov", {"minibatches": 1}, "minibatches is 2 or more"),
        ("kl_cov", {"loss": {"surrogate": "clip"}}, "surrogate: unclipped"),
        ("clip_cov", {"loss": {"clip_cov_low": 9.0}}, "clip_cov_low"),
        ("gfpo", {"group_size": 8}, "keep_rollouts is below group_size"),
        ("gfpo", {"advantage": "remax"}, "keep_rollouts"),
        ("gfpo", {"advantage": "pass@4", "keep_rollouts": 3}, "keep_rollouts of 4 or more"),
        ("gfpo", {"advantage": "reinforce++"}, "keep_rollouts"),
        ("remax", {"dynamic_sampling": 1}, "remax learns"),
        ("reinforce++", {"group_size": 1, "dynamic_sampling": 5}, "group_size of 1"),
        ("reinforce++", {"group_size": 1, "keep_groups": 0.5}, "group_size of 1"),
        ("reinforce++", {"normalize_by_environment": True}, "whole rollouts"),
        ("reinforce++_baseline", {"normalize_by_environment": True}, "whole rollouts"),
        ("gigpo", {"keep_rollouts": 4}, "no keep_rollouts"),
        ("pass@k", {"group_size": 3}, "group_size of 4 or more"),
        ("dapo", {"minibatches": 10_000}, "fewer rollouts than minibatches"),
    ],
)
def test_options_that_contradict_a_recipe_are_refused(recipe, options, match):
    Config.read({"recipe": recipe})
    with pytest.raises(ValueError, match=match):
        Config.read({"recipe": recipe, **options})


def test_a_recipe_may_be_changed_where_nothing_contradicts_it():
    config = Config.read({"recipe": "dapo", "loss": {"clip_high": 0.3}})
    assert config.loss == Loss(clip_low=0.2, clip_high=0.3, aggregation="token")
    assert Config.read({"recipe": "pass@k", "group_size": 4}).advantage == "pass@4"


@pytest.mark.parametrize("length", [0, 79, 80, 81, 90, 99, 100, 101, 500])
def test_an_overlong_buffer_is_the_soft_punishment_of_dapo(length):
    reward = ShapedReward.of(OVERLONG.format(100, 20), 100)
    reply = [Transcript("x", [0] * length)]
    right, wrong = reward.group([Score(1.0), Score(0.0)], [reply, reply])
    punishment = soft_overlong_punishment(length, longest=100, cache=20)
    assert right == pytest.approx(1 + punishment)
    assert wrong == pytest.approx(-1 + punishment)


def test_groups_that_dapo_keeps_are_those_with_a_spread():
    for seed in SEEDS:
        rewards = random_batch(seed).rewards
        kept = [Group([], group).spread > 0 for group in rewards.tolist()]
        assert kept == dynamic_sampling(rewards)


def test_the_page_has_every_recipe_as_it_is():
    bench = runpy.run_path(str(ROOT / "benchmarks/recipes.py"))
    page = (ROOT / "docs/recipes.md").read_text("utf-8")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert list(rows) == list(RECIPES), "run benchmarks/recipes.py"
    for name, recipe in RECIPES.items():
        about, row = bench["about"](name, recipe), rows[name]
        assert row.startswith(about), "run benchmarks/recipes.py"
        differences = [float(each) for each in row.removeprefix(about).strip(" |").split("|")]
        assert len(differences) == 3
        assert max(differences) < WITHIN
