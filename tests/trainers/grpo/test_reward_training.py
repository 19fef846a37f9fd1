"""What rollouts are paid, in the reference trainer: every reward, recipes, and going on."""

import math

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")

from palaestra.trainers.grpo.config import Config  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402

SMALL = Config(
    environments={"algorithms/sort_six": 1.0}, levels=(0,), answer_format="silent",
    max_reply_tokens=14,
    max_episode_tokens=72, warmup_steps=5, steps=2, groups=3, group_size=4, eval_every=0,
)  # fmt: skip
FOLLOWS = {
    "recipe": "Truth(partial=0) + 0.5 * LaserStep() + 0.25 * NGramRepetition(2)",
    "target": {"lengths": [4, 8, 13], "every": 3},
}


def trained(**options):
    trainer = Trainer(SMALL.changed(**options))
    trainer.warm_up()
    trainer.train()
    return trainer


@pytest.mark.parametrize(
    "options",
    [
        {"reward": "random"},
        {"reward": "inverted"},
        {"reward": "format"},
        {"reward": "majority", "reward_options": {"quorum": 0.25, "trusted": [0.25, 1.0]}},
        {"overlong_buffer": 7},
        {"reward_recipe": FOLLOWS},
    ],
    ids=repr,
)
def test_every_reward_trains(options):
    log = trained(**options).log
    assert len(log) == SMALL.steps
    assert all(math.isfinite(step.get("loss", 0.0)) for step in log)


def test_a_recipe_is_what_is_paid():
    trainer = Trainer(SMALL.changed(reward_recipe={"recipe": "Truth(right=1, wrong=-1)"}))
    played, _ = trainer.sample_groups()
    for group in played:
        values = [one.value for one in group.rollouts]
        assert group.rewards == [2 * value - 1 for value in values]


def test_targets_that_follow_training_are_kept_with_it(tmp_path):
    options = {"reward_recipe": FOLLOWS, "steps": 4}
    whole = trained(**options)
    half = trained(**options | {"steps": 2})
    half.save(tmp_path / "last.pt")
    rest = Trainer(SMALL.changed(**options))
    rest.restore(tmp_path / "last.pt")
    assert rest.rewards.state() == half.rewards.state() != {}
    rest.train()
    assert rest.rewards.state() == whole.rewards.state()
    for a, b in zip(whole.model.parameters(), rest.model.parameters()):
        assert torch.equal(a, b)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"reward": "pairwise"}, "asks a judge model"),
        ({"reward": "random", "overlong_buffer": 4}, "is never shaped"),
        ({"reward_recipe": {"recipe": "Truth() + Confidence()"}}, "allow_order_change"),
    ],
)
def test_a_run_that_cannot_be_paid_is_refused(options, why):
    with pytest.raises(ValueError, match=why):
        Trainer(SMALL.changed(**options))
