"""A small decoder-only transformer, for policies that are trained from random weights.

The architecture is that of Llama: RMS norms before each sublayer, rotary positions, gated
feed-forward layers, tied embeddings (H. Touvron et al., "LLaMA", 2023).
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint


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
    """Keys and values of what was read, a pair of (batch, heads, length, head width) a layer.

    It is static: one that grows is copied whole at each token, and cannot be recorded as a graph.
    """

    def __init__(self, shape: Shape, batch: int, length: int, like: Tensor) -> None:
        size = batch, shape.heads, length, shape.width // shape.heads
        self.layers = [(like.new_zeros(size), like.new_zeros(size)) for _ in range(shape.layers)]


class Block(nn.Module):
    """Attention and a gated feed-forward layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, inner = shape.width, shape.width * 8 // 3 // 8 * 8
        self.heads = shape.heads
        self.input_norm, self.post_attention_norm = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv_proj = nn.Linear(width, 3 * width, bias=False)
        self.out_proj = nn.Linear(width, width, bias=False)
        self.gate_up_proj = nn.Linear(width, 2 * inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)

    def forward(
        self, x: Tensor, angles: Tensor, mask: Tensor,
        cached: tuple[Tensor, Tensor] | None, positions: Tensor | None,
    ) -> Tensor:  # fmt: skip
        """``x`` is (batch, length, width); ``cached`` are this layer's keys and values, where new
        ones go to ``positions``.
        """
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.qkv_proj(self.input_norm(x)).split(width, -1)
        )
        q, k = _rotated(q, angles), _rotated(k, angles)
        if cached is not None and positions is not None:
            keys, values = cached
            keys.index_copy_(2, positions, k.to(keys.dtype))
            values.index_copy_(2, positions, v.to(values.dtype))
            k, v = keys[:, :, : mask.shape[-1]], values[:, :, : mask.shape[-1]]
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out_proj(attended.transpose(1, 2).reshape(batch, length, width))
        gate, value = self.gate_up_proj(self.post_attention_norm(x)).chunk(2, -1)
        return x + self.down_proj(F.silu(gate) * value)


def _rotated(x: Tensor, angles: Tensor) -> Tensor:
    """Rotary positions: pairs of numbers turned by angles (J. Su et al., "RoFormer", 2021)."""
    left, right = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)


class Decoder(nn.Module):
    """A decoder-only transformer."""

    frequencies: Tensor
    gradient_checkpointing = False

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width)
        half = shape.width // shape.heads // 2
        frequencies = 10_000 ** -(torch.arange(half) / half)
        self.register_buffer("frequencies", frequencies, persistent=False)
        std = shape.width**-0.5
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, std=std)
        for block in self.layers:
            for layer in (block.out_proj, block.down_proj):
                nn.init.normal_(layer.weight, std=std / (2 * shape.layers) ** 0.5)

    def forward(self, ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Logits (batch, length, vocabulary) after each id; see :meth:`hidden`."""
        return self.logits(self.hidden(ids, attention_mask))

    def hidden(
        self, ids: Tensor, attention_mask: Tensor, cache: Cache | None = None, start: int = 0
    ) -> Tensor:
        """What logits are made of: (batch, length, width) for ids (batch, length).

        With a ``cache``, they are read after the ``start`` tokens that it holds, and go into it.
        ``attention_mask`` is (batch, start + length): 1 where there is a token and 0 for padding,
        which stands at the left of what is generated and at the right of what is trained on.
        """
        length = ids.shape[1]
        positions = (attention_mask.cumsum(-1) - 1).clamp(min=0)[:, start:]
        square = torch.ones(length, start + length, dtype=torch.bool, device=ids.device)
        causal, self_mask = square.tril(start), square.tril(start).triu(start)
        # Padding attends to itself, or its softmax would be over nothing.
        mask = causal & attention_mask[:, None, None, :].bool() | self_mask
        columns = None if cache is None else torch.arange(length, device=ids.device) + start
        return self._through(ids, positions, mask, cache, columns)

    def step(self, ids: Tensor, attention_mask: Tensor, column: Tensor, cache: Cache) -> Tensor:
        """Logits (batch, vocabulary) after one more id a row, (batch,), at a ``column``, (1,).

        ``attention_mask`` is (batch, length of the cache). No shape depends on the column.
        """
        positions = (attention_mask.sum(-1, keepdim=True) - 1).clamp(min=0)
        mask = attention_mask[:, None, None, :].bool()
        return self.logits(self._through(ids[:, None], positions, mask, cache, column)[:, -1])

    def _through(
        self, ids: Tensor, positions: Tensor, mask: Tensor, cache: Cache | None,
        columns: Tensor | None,
    ) -> Tensor:  # fmt: skip
        angles = positions[:, None, :, None] * self.frequencies
        x = self.embed(ids)
        for number, block in enumerate(self.layers):
            inputs = x, angles, mask, None if cache is None else cache.layers[number], columns
            if self.gradient_checkpointing and torch.is_grad_enabled():
                x = checkpoint(block, *inputs, use_reentrant=False)
            else:
                x = block(*inputs)
        return self.norm(x)

    def logits(self, hidden: Tensor) -> Tensor:
        """The embeddings, read backwards."""
        return F.linear(hidden, self.embed.weight)
