"""A reward worker for ROLL: scores replies by the address in ground_truth, and reports them.

rewards.palaestra.worker_cls: rewards.PalaestraRewardWorker
"""

import os
from typing import Any

import torch
from roll.distributed.executor.worker import Worker
from roll.distributed.scheduler.decorator import Dispatch, register
from roll.distributed.scheduler.protocol import DataProto
from roll.models.model_providers import default_tokenizer_provider

from palaestra.labels import item_of
from palaestra.scoring import score_many
from palaestra.task import JudgeError
from palaestra.trainers.remote_curricula import VARIABLE, means, named


class PalaestraRewardWorker(Worker):
    """Raises what could not be scored, since ROLL has no way to leave a reward out."""

    def __init__(self, worker_config: Any) -> None:
        super().__init__(worker_config=worker_config)
        self.rank_info.dp_rank = self.rank_info.rank
        self.rank_info.dp_size = self.rank_info.world_size
        self.tokenizer = default_tokenizer_provider(model_args=self.worker_config.model_args)

    @register(dispatch_mode=Dispatch.ONE_TO_ALL)
    def initialize(self, pipeline_config: Any) -> None:
        """Nothing to prepare."""

    @register(dispatch_mode=Dispatch.DP_MP_COMPUTE, clear_cache=False)
    def compute_rewards(self, data: Any) -> Any:
        """The rewards of a batch."""
        replies = self.tokenizer.batch_decode(data.batch["responses"], skip_special_tokens=True)
        labels = list(data.non_tensor_batch["ground_truth"])
        results = score_many([item_of(label, reply) for label, reply in zip(labels, replies)])
        for result in results:
            if isinstance(result, JudgeError):
                raise result
        values = [result.value for result in results]
        if os.environ.get(VARIABLE):
            named().update(means(zip(labels, values)))
        scores = torch.tensor(values, dtype=torch.float16)
        tensors = {
            "scores": scores,
            "token_level_rewards": torch.zeros_like(data.batch["responses"], dtype=torch.float16),
            "response_level_rewards": scores.clone(),
        }
        return DataProto.from_dict(tensors=tensors)
