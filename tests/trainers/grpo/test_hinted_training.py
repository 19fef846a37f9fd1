"""Training with tasks that come back with hints."""

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import SMALL  # noqa: E402

from palaestra import Address  # noqa: E402
from palaestra.trainers.grpo.reports import Report  # noqa: E402
from palaestra.trainers.grpo.rollouts import Group, Rollout  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402
from palaestra.trainers.hints import with_rung  # noqa: E402

TASK = Address.of("algorithms/sort_six", 5, 1)


def group(address):
    return Group([Rollout(address, [1], [True], [0.0])], [0.0])


def test_the_log_has_hints_and_their_rungs():
    groups = [group(with_rung(TASK, rung)) for rung in (0, 0, 1, 2)]
    row = Report.of(1, groups, groups).row()
    assert (row["hinted"], row["hint_rung"]) == (0.5, 1.5)
    assert "hinted" not in Report.of(1, groups[:2], groups[:2]).row()


def test_a_policy_that_fails_gets_hints():
    """An untrained policy solves nothing, so that every task comes back, until it is given up."""
    trainer = Trainer(
        SMALL.changed(
            environments={TASK.env: 1.0},
            levels=[1],
            warmup_steps=0,
            max_episode_tokens=700,
            mask_truncated=False,
            steps=6,
            groups=2,
            group_size=2,
            curriculum_options={"hints": 0.9},
        )
    )
    rows = [trainer.take_step().row() for _ in range(6)]
    assert "hinted" not in rows[0]
    assert any(row.get("hinted", 0) > 0 for row in rows)
    assert max(row.get("hint_rung", 0) for row in rows) > 1
