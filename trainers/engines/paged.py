"""Sampling by the continuous batching of transformers, whose cache is in pages."""

from collections.abc import Sequence
from typing import Any

import torch

from palaestra.trainers.engines.base import Completion, Replica, Sampling
from palaestra.trainers.models.policies import sampling_mode

PAGE = 256
"""Tokens in a page."""

BATCH_TOKENS = 512
"""Tokens that go through the model at a time on a CPU."""

MEMORY_SHARE = 0.5
"""Of the memory of a GPU that is free, what the pages take; the rest is for learning."""


class Paged(Replica):
    """Samples with a Hugging Face model, or a copy of it in other numbers. Rows that stop make
    place for others, and prompts that begin alike are read once; nothing is kept between two calls.
    """

    own_probabilities = True

    def __init__(
        self, model: Any, pad_id: int, stop_ids: Sequence[int], dtype: str = "float32"
    ) -> None:
        super().__init__(model, dtype)
        if hasattr(self.model, "get_base_model"):
            self.model = self.model.get_base_model()  # PEFT's adapters are in its layers
        if not hasattr(self.model, "init_continuous_batching"):
            raise ValueError(
                f"the paged engine samples with models of transformers, whose release does "
                f"continuous batching; a {type(model).__name__} takes engine: static"
            )
        self.pad_id, self.stop_ids = pad_id, list(stop_ids)

    def sleep(self) -> None:
        """Nothing is held between two calls."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt."""
        limits = sampling.limits(len(prompts))
        seed = int(torch.randint(2**31, (1,), generator=generator, device=generator.device))
        on_gpu = [self.model.device] if self.model.device.type == "cuda" else []
        with sampling_mode(self.model), torch.random.fork_rng(on_gpu):
            manager = self._manager(prompts, limits, sampling.temperature, seed)
            # All are there before the first is read, so that the same are always read together.
            for number, (prompt, most) in enumerate(zip(prompts, limits)):
                manager.add_request(
                    list(prompt), request_id=str(number), max_new_tokens=most,
                    eos_token_id=self.stop_ids or -1,
                )  # fmt: skip
            manager.start()
            try:
                completions = self._collect(manager, len(prompts))
            finally:
                manager.stop()
                manager.destroy()
        return [
            Completion(
                one.generated_tokens, one.logprobs, one.generated_tokens[-1] in self.stop_ids
            )
            for one in (completions[str(number)] for number in range(len(prompts)))
        ]

    def _collect(self, manager: Any, number: int) -> dict[str, Any]:
        completions: dict[str, Any] = {}
        while len(completions) < number:
            one = manager.get_result(timeout=1)
            if one is None and not manager.is_running():
                raise RuntimeError("continuous batching stopped before all had been sampled")
            if one is not None and one.error:
                raise RuntimeError(f"continuous batching failed: {one.error}")
            if one is not None and one.is_finished():
                completions[one.request_id] = one
        return completions

    def _manager(
        self, prompts: Sequence[Sequence[int]], limits: Sequence[int], temperature: float, seed: int
    ) -> Any:
        """What schedules requests. By itself it takes nearly all the memory that there is."""
        from transformers import GenerationConfig
        from transformers.generation.configuration_utils import ContinuousBatchingConfig

        if self.model.device.type == "cuda":
            sizes: dict[str, Any] = {"max_memory_percent": MEMORY_SHARE}
        else:
            pages = sum((len(each) + most) // PAGE + 2 for each, most in zip(prompts, limits))
            tokens = max([BATCH_TOKENS, *map(len, prompts)])
            sizes = {"num_blocks": pages, "max_batch_tokens": tokens}
        sampling = {"temperature": temperature, "top_k": 0, "top_p": 1.0} if temperature else {}
        return self.model.init_continuous_batching(
            GenerationConfig(
                do_sample=bool(sampling), eos_token_id=self.stop_ids or -1,
                pad_token_id=self.pad_id,
                **sampling,
            ),
            ContinuousBatchingConfig(
                page_size=PAGE, return_logprobs=True, seed=seed,
                auto_switch_to_flash=self.model.dtype != torch.float32, **sizes,
            ),
        )  # fmt: skip
