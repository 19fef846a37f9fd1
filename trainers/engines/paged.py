"""Sampling by the continuous batching of transformers, whose cache is divided into pages."""

import sys
from collections.abc import Sequence
from typing import Any

import torch

from palaestra.trainers.engines.base import Completion, Replica, Sampling
from palaestra.trainers.engines.static import cache_budget, token_bytes
from palaestra.trainers.models.policies import sampling_mode

PAGE = 16
"""Tokens in a page on a CPU. Full pages are reused, so smaller pages save more reading."""

GPU_PAGE = 256
"""Tokens in a page on a GPU, as the kernels of flash attention require."""

BATCH_TOKENS = 512
"""Tokens that go through the model at a time on a CPU."""

MEMORY_SHARE = 0.5
"""Share of the free memory of a GPU that the pages take; the rest is for learning."""

GROWTH = 4
"""Pages of a new cache on a CPU, as a multiple of those that its first prompts need."""


class Paged(Replica):
    """Samples with a Hugging Face model, or with a copy of it in another precision.

    Rows that stop free their place for others, and prompts with a common beginning are read once.
    Until the next :meth:`sync` or :meth:`sleep` the cache is kept: of a prompt that continues an
    earlier one, as the next turn of an episode does, only what follows its full pages is read.
    Models with sliding windows read each prompt from its beginning.
    """

    own_probabilities = True

    def __init__(
        self, model: Any, pad_id: int, stop_ids: Sequence[int], dtype: str = "float32"
    ) -> None:
        super().__init__(model, dtype)
        if hasattr(self.model, "get_base_model"):
            self.model = self.model.get_base_model()  # PEFT's adapters are in its layers
        if not hasattr(self.model, "destroy_cached_continuous_batching_manager"):
            raise ValueError(
                "the paged engine samples with models of a release of transformers that has"
                f" continuous batching; a {type(model).__name__} takes engine: static"
            )
        self.pad_id, self.stop_ids = pad_id, list(stop_ids)
        self._temperature, self._pages = 0.0, 0

    def sync(self) -> None:
        """Copy the weights where they are not shared, and discard the cache."""
        super().sync()
        self.sleep()

    def sleep(self) -> None:
        """Free the memory of the cache."""
        self.model.destroy_cached_continuous_batching_manager()
        self._pages = 0

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Sample after each prompt."""
        limits = sampling.limits(len(prompts))
        seed = int(torch.randint(2**31, (1,), generator=generator, device=generator.device))
        on_gpu = [self.model.device] if self._on_gpu else []
        with sampling_mode(self.model), torch.random.fork_rng(on_gpu):
            manager = self._manager(prompts, limits, sampling.temperature, seed)
            manager.start()
            completions = None
            try:
                # No request is read before all are there, so that batches do not depend on time.
                with manager.pause():
                    torch.manual_seed(seed)
                    for number, (prompt, limit) in enumerate(zip(prompts, limits)):
                        manager.add_request(
                            list(prompt), request_id=str(number), max_new_tokens=limit,
                            eos_token_id=self.stop_ids or -1,
                        )  # fmt: skip
                completions = self._collect(manager, len(prompts))
            finally:
                finished = completions is not None
                manager.stop(hard_stop=not finished, keep_for_next_session=finished)
        return [
            Completion(
                one.generated_tokens, one.logprobs, one.generated_tokens[-1] in self.stop_ids
            )
            for one in (completions[str(number)] for number in range(len(prompts)))
        ]

    @property
    def _on_gpu(self) -> bool:
        return bool(self.model.device.type == "cuda")

    def _collect(self, manager: Any, number: int) -> dict[str, Any]:
        """Wait for so many completions, and return them by the names of their requests."""
        completions: dict[str, Any] = {}
        while len(completions) < number:
            one = manager.get_result(timeout=1)
            if one is None and not manager.is_running():
                raise RuntimeError("continuous batching stopped before all completions were there")
            if one is not None and one.error:
                raise RuntimeError(f"continuous batching failed: {one.error}")
            if one is not None and one.is_finished():
                completions[one.request_id] = one
        return completions

    def _manager(
        self, prompts: Sequence[Sequence[int]], limits: Sequence[int], temperature: float, seed: int
    ) -> Any:
        """Return what schedules requests: that of the last call with its cache, or a new one.

        A new one is needed for another temperature, and on a CPU for more pages than there are.
        """
        from transformers import GenerationConfig
        from transformers.generation.configuration_utils import ContinuousBatchingConfig

        pages = sum((len(each) + limit) // PAGE + 2 for each, limit in zip(prompts, limits))
        if self._pages and (temperature != self._temperature or pages > self._pages):
            self.sleep()
        if not self._pages:
            self._temperature = temperature
            self._pages = sys.maxsize if self._on_gpu else self._affordable(pages)
        if self._on_gpu:
            sizes: dict[str, Any] = {"max_memory_percent": MEMORY_SHARE, "page_size": GPU_PAGE}
        else:
            sizes = {
                "num_blocks": self._pages, "page_size": PAGE,
                "max_batch_tokens": max([BATCH_TOKENS, *map(len, prompts)]),
            }  # fmt: skip
        options = {"temperature": temperature, "top_k": 0, "top_p": 1.0} if temperature else {}
        return self.model.init_continuous_batching(
            GenerationConfig(
                do_sample=bool(options), eos_token_id=self.stop_ids or -1,
                pad_token_id=self.pad_id, **options,
            ),
            ContinuousBatchingConfig(
                return_logprobs=True, seed=seed,
                auto_switch_to_flash=self.model.dtype != torch.float32, **sizes,
            ),
        )  # fmt: skip

    def _affordable(self, pages: int) -> int:
        """Return the pages of a new cache: room for later turns, if half of the memory holds it."""
        budget = cache_budget(self.model.device) // (PAGE * token_bytes(self.model))
        return max(pages, min(GROWTH * pages, budget))
