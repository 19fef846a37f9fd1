"""Sampling by vLLM, in this process and on the same GPU."""

import os
from collections.abc import Sequence
from typing import Any

import torch

from palaestra.trainers.engines.base import Completion, Sampling
from palaestra.trainers.models.policies import merged_weights


class Vllm:
    """Samples with vLLM, whose weights are overwritten in place at each :meth:`sync`.

    Adapters are added to the weights that are handed over. So vLLM runs the plain model, at its
    speed and with no bound on ranks, and nothing is written to a disk; a LoRARequest would be read
    from there. Random numbers come from the one ``seed`` that vLLM starts with: seeds by request
    are drawn for one by one, far more slowly.
    """

    own_probabilities = True

    def __init__(  # noqa: PLR0913, PLR0917
        self, model: Any, path: str, stop_ids: Sequence[int], max_model_len: int | None = None,
        dtype: str = "bfloat16", seed: int = 0, memory_share: float = 0.4,
    ) -> None:  # fmt: skip
        # Weights can be handed over as they are only where the engine is in this process.
        if os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0") != "0":
            raise ValueError("vLLM samples in this process: set VLLM_ENABLE_V1_MULTIPROCESSING=0")
        from vllm import LLM

        self.model, self.stop_ids, self.asleep = model, list(stop_ids), False
        self.inner = LLM(
            path, dtype=dtype, seed=seed, max_model_len=max_model_len, enable_sleep_mode=True,
            gpu_memory_utilization=memory_share, logprobs_mode="processed_logprobs",
            skip_tokenizer_init=True,
        )  # fmt: skip

    def sleep(self) -> None:
        """Gives back the memory of weights and cache: the weights come anew with :meth:`sync`."""
        if not self.asleep:
            self.inner.sleep(level=2)
            self.asleep = True

    def sync(self) -> None:
        """Hands the weights over, and forgets what was read with others. The cache is allocated
        after them, so that it is never there beside a copy of them.
        """
        if self.asleep:
            self.inner.wake_up(tags=["weights"])
        with torch.no_grad():
            weights = {"weights_iterator": merged_weights(self.model)}
            self.inner.collective_rpc("reload_weights", kwargs=weights)
        if self.asleep:
            self.inner.wake_up(tags=["kv_cache"])
            self.asleep = False
        if not self.inner.reset_prefix_cache():
            raise RuntimeError("vLLM could not forget what it had read with other weights")

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt. vLLM draws by its own seed, not from the ``generator``."""
        from vllm import SamplingParams

        if self.asleep:
            self.sync()
        params = [
            SamplingParams(
                max_tokens=limit, temperature=sampling.temperature, logprobs=0, ignore_eos=True,
                stop_token_ids=self.stop_ids, detokenize=False,
            )
            for limit in sampling.limits(len(prompts))
        ]  # fmt: skip
        inputs = [{"prompt_token_ids": list(prompt)} for prompt in prompts]
        outputs = [one.outputs[0] for one in self.inner.generate(inputs, params, use_tqdm=False)]
        return [
            Completion(
                list(one.token_ids),
                [at[token].logprob for at, token in zip(one.logprobs, one.token_ids)],
                one.token_ids[-1] in self.stop_ids,
            )
            for one in outputs
        ]
