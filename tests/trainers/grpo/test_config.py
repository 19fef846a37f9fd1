"""Options and their limits."""

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import SMALL  # noqa: E402

from palaestra.trainers.grpo.config import Config, Loss, explained  # noqa: E402
from palaestra.trainers.grpo.recipes import RECIPES  # noqa: E402


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"rate": 1e-3}, "no option rate; perhaps .*"),
        ({"learning_rat": 1e-3}, "perhaps learning_rate"),
        ({"loss": {"clip_hi": 1}}, "no option loss.clip_hi; perhaps clip_high"),
        ({"loss": 3}, "loss"),
        ({"groups": 0}, "groups: .*greater than or equal to 1"),
        ({"groups": "many"}, "groups: .*integer"),
        ({"groups": [1]}, "groups: .*integer"),
        ({"steps": -1}, "steps: .*greater"),
        ({"learning_rate": float("nan")}, "learning_rate: .*finite"),
        ({"learning_rate": "fast"}, "learning_rate: .*number"),
        ({"answer_format": "loud"}, "answer_format: .*'bare'"),
        ({"advantage": "gae"}, "advantage: .*'grpo'"),
        ({"levels": 3}, "levels: .*tuple"),
        ({"levels": {"algorithms/sort_six": [0, -1]}}, r"^levels.algorithms/sort_six.1: .*greater"),
        ({"levels": {"algorithms/sort_six": []}}, r"^levels.algorithms/sort_six: .*at least 1"),
        ({"levels": {"algorithms/sort_five": [0]}}, "levels by name are of environments"),
        ({"recipe": "gpso"}, "no recipe 'gpso'; perhaps gspo"),
        ({"environments": {"a/b": "much"}}, "environments.a/b: .*number"),
        ({"lora_rank": 4}, "lora_rank is for models"),
        ({"engine": "paged"}, "engine: paged is for models"),
        ({"chat_template_options": {"enable_thinking": False}}, "are for models"),
        ({"reference_sync": 5}, "wants kl_coef"),
        ({"group_size": 1}, "compares rollouts of a group"),
        ({"advantage": "pass@8", "group_size": 4}, "wants a group_size of 8 or more"),
        ({"keep_rollouts": 8}, "keep_rollouts is below group_size"),
        ({"minibatches": 1000}, "fewer rollouts than minibatches"),
        ({"loss": {"kl": "k1", "kl_coef": 0.1}}, "expected gradient of zero"),
        ({"loss": {"ratio": "sequence", "aggregation": "sequence"}}, "would never clip"),
        ({"loss": {"ratio": "sequence", "clip_low": 3e-4, "clip_high": 4e-4}},
         "goes with aggregation: sequence"),
        ({"loss": {"surrogate": "geometric"}}, "goes with aggregation: sequence"),
        ({"loss": {"dual_clip": 0.5}}, "dual_clip is above 1"),
        ({"loss": {"dual_clip": 3, "surrogate": "cispo"}}, "dual_clip is above 1"),
        ({"loss": {"tokens": "kl_cov"}}, "surrogate: unclipped"),
        ({"loss": {"tokens": "kl_cov", "surrogate": "unclipped"}}, "minibatches is 2 or more"),
        ({"advantage": "remax", "dynamic_sampling": 2}, "remax learns from groups of equal"),
        ({"loss": {"kl_cov_share": 0}}, "loss.kl_cov_share: .*greater than 0"),
        ({"advantage": "gigpo", "keep_rollouts": 2}, "no keep_rollouts"),
        ({"advantage": "gigpo", "normalize_by_environment": True}, "whole rollouts, not gigpo"),
        ({"pass_rate_low": 0.9, "pass_rate_high": 0.1}, "pass_rate_low is above"),
        ({"max_reply_tokens": 10, "overlong_buffer": 11}, "overlong_buffer is at most"),
        ({"width": 63}, "width is a multiple"),
    ],
    ids=str,
)  # fmt: skip
def test_options_that_are_wrong_are_named(values, match):
    with pytest.raises(ValueError, match=match) as refused:
        Config.read(values)
    assert "\n" not in str(refused.value)


def test_options_are_read_as_yaml_gives_them():
    """YAML takes 1e-3 for text."""
    import yaml

    config = Config.read(yaml.safe_load("{learning_rate: 1e-3, groups: 8, loss: {kl_coef: 1e-2}}"))
    assert (config.learning_rate, config.groups, config.loss.kl_coef) == (1e-3, 8, 0.01)
    assert all(about for _, _, about in explained())
    assert Config.read(SMALL.plain()) == SMALL
    for name in RECIPES:
        config = Config.read({"recipe": name})
        assert Config.read(config.plain()) == config
    assert Config.read({"recipe": "gspo", "loss": {"clip_high": 0.01}}).loss.clip_low == 3e-4
    assert Config(recipe="gspo", loss=Loss(clip_high=0.01)).loss.clip_low == 3e-4


def test_levels_are_of_all_environments_or_of_each(tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text("environments: {a/b: 1, c/d: 2}\nlevels: {c/d: [1, 3]}\n")
    config = Config.load(file)
    assert config.levels == {"c/d": (1, 3)}
    assert Config.read(config.plain()) == config
    assert Config.load(file, {"levels": ["0", "2"]}).levels == (0, 2)
