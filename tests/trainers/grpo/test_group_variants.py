"""Groups over variants of a task."""

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import SMALL  # noqa: E402

from palaestra import Address  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402
from palaestra.trainers.variants import variants_of  # noqa: E402

KNIGHTS = Address.of("logic/knights_and_knaves", 4, 2)


@pytest.mark.parametrize("kind", ["wording", "reorder"])
def test_variants_are_the_same_task_in_other_prompts(kind):
    group = variants_of(KNIGHTS, 5, kind)
    assert group[0] == KNIGHTS
    assert len(set(group)) == 5
    tasks = [address.task() for address in group]
    assert len({task.canonical() for task in tasks}) == 1
    assert len({tuple(task.solve()) for task in tasks}) == 1
    assert len({task.prompt() for task in tasks}) > 1


def test_variants_with_other_names_have_right_answers_with_these():
    group = variants_of(KNIGHTS, 5, "rename")
    tasks = [address.task() for address in group]
    assert len(set(group)) == len({tuple(task.solve()) for task in tasks}) == 5
    assert len({task.canonical() for task in tasks}) == 1
    assert all(task.verify(next(iter(task.solve()))).value == 1 for task in tasks)


def test_variants_as_stories_are_the_same_task():
    queens = Address.of("grids/n_queens", 4, 0)
    tasks = [address.task() for address in variants_of(queens, 4, "story")]
    assert len({task.canonical() for task in tasks}) == len({task.answer() for task in tasks}) == 1
    assert len({task.prompt() for task in tasks}) == 3, "the task itself and its two stories"
    assert variants_of(KNIGHTS, 3, "story") == [KNIGHTS] * 3


def test_without_variants_all_play_the_task_itself():
    mastermind = Address.of("games/mastermind", 1)
    assert variants_of(mastermind, 3, "reorder") == [mastermind] * 3
    assert variants_of(KNIGHTS, 3, "none") == [KNIGHTS] * 3


def test_a_step_of_training_plays_variants():
    options = {"group_variants": "wording", "mask_truncated": False, "max_episode_tokens": 700}
    trainer = Trainer(SMALL.changed(**options))
    sampled, _ = trainer.sample_groups()
    for group in sampled:
        addresses = [rollout.address for rollout in group.rollouts]
        assert "+" not in addresses[0].env
        assert all("+wording(" in address.env for address in addresses[1:])
        assert len({address.task().canonical() for address in addresses}) == 1
    trainer.take_step()
