"""Training with TRL (1.x, tested with 1.16): data, rewards, environments, rollouts, curricula.

One reply a task::

    from palaestra.trainers import trl

    trainer = GRPOTrainer(
        model=...,
        reward_funcs=trl.reward,
        train_dataset=trl.dataset("logic/knights_and_knaves", range(1_000)),
    )

Several turns of plain text: add ``rollout_func=trl.rollout()``. Several turns of tool calls:
``environment_factory=trl.environment("tools/meeting_desk")``. A curriculum: :class:`Stream`. All of
this for a mixture of environments: :func:`spec`.

Rows carry an address in all of these, so that all members of a group play the same task.
"""

from palaestra.trainers.trl.data import dataset, questions, rows
from palaestra.trainers.trl.environments import ToolEnvironment, environment, tool_dataset
from palaestra.trainers.trl.judging import Completion, Judge, Rewards, Shaped, reward
from palaestra.trainers.trl.parts import Part, rewards
from palaestra.trainers.trl.rollouts import rollout
from palaestra.trainers.trl.specs import Spec, spec
from palaestra.trainers.trl.streams import Stream

__all__ = [
    "Completion",
    "Judge",
    "Part",
    "Rewards",
    "Shaped",
    "Spec",
    "Stream",
    "ToolEnvironment",
    "dataset",
    "environment",
    "questions",
    "reward",
    "rewards",
    "rollout",
    "rows",
    "spec",
    "tool_dataset",
]
