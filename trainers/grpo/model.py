"""Policies: a small decoder of our own, and what any Hugging Face causal model looks like to us.

The decoder is the usual one: RMS norms before each part, rotary positions, grouped heads, gated
feed-forward layers, tied embeddings (as in H. Touvron et al., "LLaMA", 2023).
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812


@dataclass(frozen=True)
class Shape:
    """The size of a decoder: ``width`` a layer, ``layers`` of them, ``heads`` in each, and as many
    tokens of ``context`` as it can read.
    """

    vocabulary: int
    width: int = 64
    layers: int = 2
    heads: int = 4
    context: int = 256


class Cache:
    """Keys and values of what was read: ``(layers, 2, batch, heads, context, width of a head)``.

    It is static, for a cache that grows is copied whole at each token.
    """

    def __init__(self, shape: Shape, batch: int, length: int, like: Tensor) -> None:
        head = shape.width // shape.heads
        self.held = like.new_zeros(shape.layers, 2, batch, shape.heads, length, head)
        self.length = 0


class Block(nn.Module):
    """Attention and a gated feed-forward layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, inner = shape.width, 4 * shape.width
        self.heads = shape.heads
        self.first, self.second = nn.RMSNorm(width), nn.RMSNorm(width)
        self.read = nn.Linear(width, 3 * width, bias=False)
        self.write = nn.Linear(width, width, bias=False)
        self.up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(
        self, x: Tensor, turn: Tensor, mask: Tensor, held: Tensor | None, at: int
    ) -> Tensor:
        """``x`` is (batch, length, width); ``held`` is this layer's part of a cache."""
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.read(self.first(x)).split(width, -1)
        )
        q, k = _turned(q, turn), _turned(k, turn)
        if held is not None:
            held[0, :, :, at : at + length], held[1, :, :, at : at + length] = k, v
            k, v = held[0, :, :, : at + length], held[1, :, :, : at + length]
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.write(seen.transpose(1, 2).reshape(batch, length, width))
        gate, value = self.up(self.second(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * value)


def _turned(x: Tensor, turn: Tensor) -> Tensor:
    """Rotary positions: pairs of numbers turned by angles (J. Su et al., "RoFormer", 2021)."""
    left, right = x.chunk(2, -1)
    cos, sin = turn.cos(), turn.sin()
    return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)


class Decoder(nn.Module):
    """A decoder-only transformer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.last = nn.RMSNorm(shape.width)
        half = shape.width // shape.heads // 2
        self.register_buffer("speeds", 10_000 ** -(torch.arange(half) / half), persistent=False)
        spread = shape.width**-0.5
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, std=spread)
        for block in self.blocks:
            for layer in (block.write, block.down):
                nn.init.normal_(layer.weight, std=spread / (2 * shape.layers) ** 0.5)

    def forward(self, ids: Tensor, seen: Tensor, cache: Cache | None = None) -> Tensor:
        """Logits (batch, length, vocabulary) after each id.

        ``seen`` is (batch, cached + length): 1 where there is a token and 0 for padding, which
        stands at the left of what is generated and at the right of what is trained on.
        """
        at = cache.length if cache is not None else 0
        length = ids.shape[1]
        positions = (seen.cumsum(-1) - 1).clamp(min=0)[:, at:]
        turn = positions[:, None, :, None] * self.speeds
        causal = torch.ones(length, at + length, dtype=torch.bool, device=ids.device).tril(at)
        mask = causal & seen[:, None, None, :].bool()
        mask = mask | torch.eye(length, at + length, dtype=torch.bool, device=ids.device).roll(
            at, -1
        )  # padding sees itself, or its softmax would be over nothing
        x = self.embed(ids)
        for place, block in enumerate(self.blocks):
            x = block(x, turn, mask, None if cache is None else cache.held[place], at)
        if cache is not None:
            cache.length = at + length
        return F.linear(self.last(x), self.embed.weight)


def logits_of(model: nn.Module, ids: Tensor, seen: Tensor) -> Tensor:
    """Logits of a whole batch, by our decoder or a Hugging Face model."""
    if isinstance(model, Decoder):
        return model(ids, seen)
    positions = (seen.cumsum(-1) - 1).clamp(min=0)
    told: Any = model(input_ids=ids, attention_mask=seen, position_ids=positions, use_cache=False)
    return told.logits


def logprobs_of(
    model: nn.Module, ids: Tensor, seen: Tensor, temperature: float = 1.0
) -> tuple[Tensor, Tensor]:
    """The log-probability of each id after the first, given those before it, and the entropy of the
    choice that was made there: both (batch, length - 1), in nats.
    """
    logits = logits_of(model, ids, seen)[:, :-1].float() / temperature
    told = logits.log_softmax(-1)
    chosen = told.gather(-1, ids[:, 1:, None]).squeeze(-1)
    return chosen, -(told.exp() * told).sum(-1)
