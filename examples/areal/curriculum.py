"""A curriculum of the service for AReaL: its training set, and the reward that reports to it.

python examples/areal/train.py --config examples/areal/grpo.yaml actor.path=MODEL
"""

from collections.abc import Sequence
from typing import Any

from palaestra.scoring import opening
from palaestra.trainers.exports import areal_reward
from palaestra.trainers.remote_curricula import named


class CurriculumDataset:
    """So many tasks in an epoch, each drawn when a loader reads it."""

    def __init__(self, tasks: int) -> None:
        self.tasks = tasks

    def __len__(self) -> int:
        return self.tasks

    def __getitem__(self, index: int) -> dict[str, Any]:
        (address,) = named().sample(1)
        return {"messages": list(opening(address).messages), "address": str(address)}


def reward(
    prompt: str,
    completions: str,
    prompt_ids: Sequence[int],
    completion_ids: Sequence[int],
    **columns: Any,
) -> float:
    """The score of a reply, which the curriculum learns as well. AReaL calls it in processes."""
    value = areal_reward(prompt, completions, prompt_ids, completion_ids, **columns)
    named().update([(columns["address"], value)])
    return value
