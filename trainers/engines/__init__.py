"""Sampling: token ids in, token ids and their log-probabilities out.

:class:`Static` serves our decoder and any Hugging Face model: it reads the prompts at once, then a
token at a time, with a cache of fixed size. :class:`Paged` leaves it to the continuous batching of
transformers, :class:`Vllm` to vLLM.
"""

from palaestra.trainers.engines.base import Completion, Engine, Sampling, default_engine
from palaestra.trainers.engines.paged import Paged
from palaestra.trainers.engines.static import Static, sampled_tokens
from palaestra.trainers.engines.vllm import Vllm

__all__ = [
    "Completion", "Engine", "Paged", "Sampling", "Static", "Vllm", "default_engine",
    "sampled_tokens",
]  # fmt: skip
