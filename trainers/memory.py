"""What memory a training run takes on a GPU, worked out before there is one.

Numbers of parameters are exact. What is kept for gradients is measured: bytes a token and layer, of
models of transformers with weights of float32 under autocast to bfloat16.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GIB = 2**30

CARDS = {"80 GB": 78.0, "140 GB": 139.0}
"""GiB that a program finds on an H100 and on an H200."""

RESERVE = 0.08
"""Of a card, for CUDA itself and for gaps between allocations."""

STATE = 16
"""Bytes of a trained weight: itself, its gradient, and both moments of AdamW, each of float32."""

LOGITS_AT_ONCE = 4096
"""Tokens whose logits exist at the same time; see palaestra.trainers.models.logprobs."""

LOGIT = 16
"""Bytes that one of them takes at the most: in bfloat16 twice, in float32 three times."""


@dataclass(frozen=True)
class ModelShape:
    """A decoder of the Llama kind, by the names of its ``config.json``."""

    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    intermediate_size: int
    vocab_size: int
    head_dim: int = 0
    """0 for ``hidden_size // num_attention_heads``."""

    attention_bias: bool = False
    """Whether queries, keys and values have biases (Qwen2.5)."""

    qk_norm: bool = False
    """Whether queries and keys are normalised (Qwen3)."""

    tie_word_embeddings: bool = True

    @property
    def query_width(self) -> int:
        """Numbers in the queries of one token and layer."""
        return self.num_attention_heads * self._head

    @property
    def key_width(self) -> int:
        """Numbers in the keys, and in the values, of one token and layer."""
        return self.num_key_value_heads * self._head

    @property
    def _head(self) -> int:
        return self.head_dim or self.hidden_size // self.num_attention_heads

    @property
    def linear_sizes(self) -> list[tuple[int, int]]:
        """Rows and columns of the weights of a layer."""
        width, inner, queries, keys = (
            self.hidden_size, self.intermediate_size, self.query_width, self.key_width,
        )  # fmt: skip
        attention = [(queries, width), (keys, width), (keys, width), (width, queries)]
        return [*attention, (inner, width), (inner, width), (width, inner)]

    @property
    def parameters(self) -> int:
        """How many weights the model has."""
        layer = sum(rows * columns for rows, columns in self.linear_sizes) + 2 * self.hidden_size
        layer += (self.query_width + 2 * self.key_width) * self.attention_bias
        layer += 2 * self._head * self.qk_norm
        embeddings = self.vocab_size * self.hidden_size * (1 if self.tie_word_embeddings else 2)
        return embeddings + self.num_hidden_layers * layer + self.hidden_size

    def adapter_parameters(self, rank: int) -> int:
        """How many weights low-rank adapters of all linear layers have."""
        sides = sum(rows + columns for rows, columns in self.linear_sizes)
        return self.num_hidden_layers * rank * sides

    def cache_bytes(self, tokens: int, each: int = 2) -> int:
        """Keys and values of so many tokens, in numbers of ``each`` bytes."""
        return 2 * self.num_hidden_layers * self.key_width * each * tokens

    def activation_bytes(self, tokens: int, checkpointing: bool) -> int:
        """What so many tokens keep for the gradient: all that is in each layer, or what goes into
        each and all that is in one.
        """
        width, layers = self.hidden_size, self.num_hidden_layers
        one = 26 * width + 11 * (self.query_width + self.key_width) + 8.2 * self.intermediate_size
        kept = one + 4 * width * layers if checkpointing else one * layers
        return int(kept + 10 * width) * tokens  # the last norm and the embeddings


MODELS = {
    "Qwen/Qwen2.5-0.5B-Instruct": ModelShape(
        896, 24, 14, 2, 4864, 151_936, attention_bias=True
    ),
    "Qwen/Qwen3-1.7B": ModelShape(2048, 28, 16, 8, 6144, 151_936, 128, qk_norm=True),
    "Qwen/Qwen3-4B": ModelShape(2560, 36, 32, 8, 9728, 151_936, 128, qk_norm=True),
}  # fmt: skip
"""From the models' own ``config.json`` (Qwen Team, "Qwen2.5 Technical Report", 2024, and "Qwen3
Technical Report", 2025)."""


@dataclass(frozen=True)
class Memory:
    """Bytes that a run takes: what is always there, what learning adds, and the keys and values of
    one rollout of the longest.
    """

    state: int
    """Weights, gradients, moments, and the reference where there is one."""

    copy: int
    """The weights in bfloat16 that are sampled with. vLLM's go while it sleeps."""

    learning: int
    """Weights as autocast keeps them, activations of a microbatch, and a chunk of logits."""

    rollout: int

    @property
    def peak(self) -> int:
        """While learning, with everything there."""
        return self.state + self.copy + self.learning

    def rollouts_at_once(self, card_gib: float) -> int:
        """How many of the longest rollouts find room in half of what is free while sampling."""
        free = card_gib * GIB * (1 - RESERVE) - self.state - self.copy
        return max(0, int(free / 2 / self.rollout))

    def fits(self, card_gib: float) -> bool:
        """Whether the run does."""
        return self.peak <= card_gib * GIB * (1 - RESERVE) and self.rollouts_at_once(card_gib) > 0


def memory(shape: ModelShape, config: Mapping[str, Any]) -> Memory:
    """What a run of ``palaestra train`` in bfloat16 takes, by options of its configuration."""
    rank, weights = config.get("lora_rank", 0), shape.parameters
    state = 4 * weights + STATE * shape.adapter_parameters(rank) if rank else STATE * weights
    reference = config.get("kl_in_reward", 0) or config.get("loss", {}).get("kl_coef", 0)
    if reference:
        state += 4 * (shape.adapter_parameters(rank) if rank else weights)
    tokens = config["microbatch_tokens"]
    learning = shape.activation_bytes(tokens, config.get("gradient_checkpointing", False))
    learning += LOGIT * min(tokens, LOGITS_AT_ONCE) * shape.vocab_size
    return Memory(
        state, 2 * weights, learning + 2 * weights,
        shape.cache_bytes(config["max_episode_tokens"]),
    )  # fmt: skip
