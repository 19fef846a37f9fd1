"""Policies: a small decoder of our own, and what any Hugging Face causal model looks like to us.

The decoder is the usual one: RMS norms before each part, rotary positions, gated feed-forward
layers, tied embeddings (as in H. Touvron et al., "LLaMA", 2023).
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

CHUNK = 4096
"""Tokens whose logits are held at once: in float32, of a vocabulary of 150,000, 2.4 GB."""


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
    """Keys and values of what was read: ``(layers, 2, batch, heads, length, width of a head)``.

    It is static: one that grows is copied whole at each token, and cannot be recorded as a graph.
    """

    def __init__(self, shape: Shape, batch: int, length: int, like: Tensor) -> None:
        head = shape.width // shape.heads
        self.held = like.new_zeros(shape.layers, 2, batch, shape.heads, length, head)


class Block(nn.Module):
    """Attention and a gated feed-forward layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, inner = shape.width, shape.width * 8 // 3 // 8 * 8
        self.heads = shape.heads
        self.first, self.second = nn.RMSNorm(width), nn.RMSNorm(width)
        self.read = nn.Linear(width, 3 * width, bias=False)
        self.write = nn.Linear(width, width, bias=False)
        self.up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(
        self, x: Tensor, turn: Tensor, mask: Tensor, held: Tensor | None, places: Tensor | None
    ) -> Tensor:
        """``x`` is (batch, length, width); ``held`` is this layer's part of a cache, into whose
        ``places`` the keys and values go.
        """
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.read(self.first(x)).split(width, -1)
        )
        q, k = _turned(q, turn), _turned(k, turn)
        if held is not None and places is not None:
            held[0].index_copy_(2, places, k.to(held.dtype))
            held[1].index_copy_(2, places, v.to(held.dtype))
            k, v = held[0, :, :, : mask.shape[-1]], held[1, :, :, : mask.shape[-1]]
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.write(seen.transpose(1, 2).reshape(batch, length, width))
        gate, value = self.up(self.second(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * value)


def _turned(x: Tensor, turn: Tensor) -> Tensor:
    """Rotary positions: pairs of numbers turned by angles (J. Su et al., "RoFormer", 2021)."""
    left, right = x.chunk(2, -1)
    cos, sin = turn.cos().to(x.dtype), turn.sin().to(x.dtype)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)


class Decoder(nn.Module):
    """A decoder-only transformer."""

    speeds: Tensor

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
        """Logits (batch, length, vocabulary) after each id; they go into the cache if there is one.

        ``seen`` is (batch, length): 1 where there is a token and 0 for padding, which stands at the
        left of what is generated and at the right of what is trained on.
        """
        return self.logits(self.hidden(ids, seen, cache))

    def hidden(self, ids: Tensor, seen: Tensor, cache: Cache | None = None) -> Tensor:
        """What logits are made of: (batch, length, width)."""
        length = ids.shape[1]
        positions = (seen.cumsum(-1) - 1).clamp(min=0)
        causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        mask = causal & seen[:, None, None, :].bool()
        # Padding sees itself, or its softmax would be over nothing.
        mask = mask | torch.eye(length, dtype=torch.bool, device=ids.device)
        places = None if cache is None else torch.arange(length, device=ids.device)
        return self._through(ids, positions, mask, cache, places)

    def step(self, ids: Tensor, seen: Tensor, place: Tensor, cache: Cache) -> Tensor:
        """Logits (batch, vocabulary) after one more id of each row, (batch,), at a ``place``, (1,),
        of the cache. ``seen`` is (batch, length of the cache). No shape depends on the place.
        """
        positions = (seen.sum(-1, keepdim=True) - 1).clamp(min=0)
        mask = seen[:, None, None, :].bool()
        return self.logits(self._through(ids[:, None], positions, mask, cache, place)[:, -1])

    def _through(
        self, ids: Tensor, positions: Tensor, mask: Tensor, cache: Cache | None,
        places: Tensor | None,
    ) -> Tensor:  # fmt: skip
        turn = positions[:, None, :, None] * self.speeds
        x = self.embed(ids)
        for layer, block in enumerate(self.blocks):
            x = block(x, turn, mask, None if cache is None else cache.held[layer], places)
        return self.last(x)

    def logits(self, hidden: Tensor) -> Tensor:
        """The embeddings, read backwards."""
        return F.linear(hidden, self.embed.weight)


def autocast_context(device: str, dtype: str) -> AbstractContextManager[Any]:
    """Where weights of float32 are computed with in bfloat16, if so told."""
    if dtype == "float32":
        return nullcontext()
    made: AbstractContextManager[Any] = torch.autocast(device, dtype=getattr(torch, dtype))
    return made


def with_lora(model: Any, rank: int) -> Any:
    """A Hugging Face model whose weights stay and have low-rank adapters beside them (E. Hu et al.,
    "LoRA", 2021).
    """
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, config)


def compile_layers(model: nn.Module) -> None:
    """Compiles each layer of our decoder or of a Hugging Face model, in place.

    Names of weights stay as they are. It happens at the first call, takes some seconds, and needs a
    C compiler.
    """
    blocks: Any = model.blocks if isinstance(model, Decoder) else body_of(model).layers
    for block in blocks:
        block.compile()


def body_of(model: nn.Module) -> Any:
    """A Hugging Face model without its output layer."""
    plain: Any = model.get_base_model() if hasattr(model, "get_base_model") else model  # PEFT's
    return getattr(plain, plain.base_model_prefix)


def hidden_of(model: nn.Module, ids: Tensor, seen: Tensor) -> Tensor:
    """The last hidden states of our decoder or a Hugging Face model."""
    if isinstance(model, Decoder):
        return model.hidden(ids, seen)
    positions = (seen.cumsum(-1) - 1).clamp(min=0)
    out: Any = body_of(model)(
        input_ids=ids, attention_mask=seen, position_ids=positions, use_cache=False
    )
    return out.last_hidden_state


def head_of(model: nn.Module) -> tuple[Tensor, Tensor | None]:
    """The weights (vocabulary, width) and biases that make logits of hidden states."""
    if isinstance(model, Decoder):
        return model.embed.weight, None
    policy: Any = model
    odd = [name for name in ("final_logit_softcapping", "logits_scaling", "logit_scale")
           if getattr(policy.config, name, None) not in {None, 1}]  # fmt: skip
    if odd:
        raise ValueError(f"models with {odd[0]} are not trained here")
    head = policy.get_output_embeddings()
    if not isinstance(head, nn.Linear):
        raise TypeError(
            f"models whose output layer is a {type(head).__name__} are not trained here"
        )
    return head.weight, head.bias


class TokenLogprobs(torch.autograd.Function):
    """Log-probabilities of targets and the entropy of each choice, from hidden states.

    Logits are made for ``CHUNK`` rows at a time, and again for the gradient, so that no more of
    them are ever held, and no copy of them in float32 outlives its chunk (as in P.-L. Hsu et al.,
    "Liger Kernel", 2024).
    """

    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor,
        temperature: float, fused: bool,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """``hidden`` is (rows, width) and ``targets`` (rows,); gives (rows,) twice, in nats.

        With ``fused``, what is done to each logit is compiled into one kernel.
        """
        statistics = _compiled(_statistics) if fused else _statistics
        parts = [
            statistics(F.linear(rows, weight, bias), chosen, temperature)
            for rows, chosen in zip(hidden.split(CHUNK), targets.split(CHUNK))
        ]
        logprobs, entropy, log_sum = (torch.cat(each) for each in zip(*parts))
        ctx.save_for_backward(hidden, weight, bias, targets, log_sum, entropy)
        ctx.temperature, ctx.fused = temperature, fused
        ctx.set_materialize_grads(False)
        return logprobs, entropy

    @staticmethod
    def backward(
        ctx: Any, by_logprobs: Tensor | None, by_entropy: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """The gradients of hidden states, weights and biases, where each is wanted."""
        hidden, weight, bias, targets, log_sum, entropy = ctx.saved_tensors
        entropy = entropy.detach()  # an output, whose history the compiler would look into
        gradient = _compiled(_by_logits) if ctx.fused else _by_logits
        by_hidden = torch.empty_like(hidden)
        _, trains_weight, trains_bias, *_ = ctx.needs_input_grad
        by_weight = torch.zeros_like(weight, dtype=torch.float32) if trains_weight else None
        by_bias = torch.zeros_like(bias, dtype=torch.float32) if trains_bias else None
        for start in range(0, len(hidden), CHUNK):
            part = slice(start, start + CHUNK)
            by_logits = gradient(
                F.linear(hidden[part], weight, bias), targets[part], log_sum[part], entropy[part],
                None if by_logprobs is None else by_logprobs[part],
                None if by_entropy is None else by_entropy[part], ctx.temperature,
            )  # fmt: skip
            by_hidden[part] = by_logits @ weight
            if by_weight is not None:
                by_weight += by_logits.T @ hidden[part]
            if by_bias is not None:
                by_bias += by_logits.sum(0, dtype=torch.float32)
        return (
            by_hidden, None if by_weight is None else by_weight.to(weight.dtype),
            None if by_bias is None else by_bias.to(weight.dtype), None, None, None,
        )  # fmt: skip


@cache
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as one kernel, or a few; made when it is first called."""
    compiled: Callable[..., Any] = torch.compile(function, dynamic=True)
    return compiled


def _scaled(logits: Tensor, temperature: float) -> Tensor:
    """A copy of logits, of float32 at least, divided by a temperature."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32), copy=True).div_(temperature)


def _statistics(
    logits: Tensor, targets: Tensor, temperature: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Of logits (rows, vocabulary): the targets' log-probabilities, entropies, log-sums."""
    scaled = _scaled(logits, temperature)
    log_sum = scaled.logsumexp(-1, keepdim=True)
    logprobs = scaled.gather(-1, targets[:, None]) - log_sum
    surprise = scaled.sub_(log_sum)
    entropy = -torch.linalg.vecdot(surprise.exp(), surprise)
    return logprobs.squeeze(-1), entropy, log_sum.squeeze(-1)


def _by_logits(  # noqa: PLR0913, PLR0917
    logits: Tensor, targets: Tensor, log_sum: Tensor, entropy: Tensor,
    by_logprobs: Tensor | None, by_entropy: Tensor | None, temperature: float,
) -> Tensor:  # fmt: skip
    """The gradient of logits (rows, vocabulary), from those of log-probabilities and entropies.

    With probabilities p, d log p[t] / d logit[j] = (j == t) - p[j], and
    d entropy / d logit[j] = -p[j] (log p[j] + entropy).
    """
    surprise = _scaled(logits, temperature).sub_(log_sum[:, None])
    gradient = torch.zeros_like(surprise)
    if by_entropy is not None:
        gradient = (surprise + entropy[:, None]).mul_(-by_entropy[:, None])
    if by_logprobs is not None:
        gradient -= by_logprobs[:, None]
    gradient *= surprise.exp_()
    if by_logprobs is not None:
        gradient.scatter_add_(-1, targets[:, None], by_logprobs[:, None])
    return (gradient / temperature).to(logits.dtype)


def logprobs_of(  # noqa: PLR0913, PLR0917
    model: nn.Module, ids: Tensor, seen: Tensor, temperature: float = 1.0,
    mask: Tensor | None = None, fused: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The log-probability of each id after the first, given those before it, and the entropy of the
    choice that was made there: both (batch, length - 1), in nats.

    With a ``mask`` (batch, length) only of ids where it is not 0, and 0 elsewhere. ``fused``
    compiles what is done to logits.
    """
    hidden = hidden_of(model, ids, seen)[:, :-1]
    chosen = torch.ones_like(ids[:, 1:]).bool() if mask is None else mask[:, 1:].bool()
    weight, bias = head_of(model)
    if torch.is_autocast_enabled(hidden.device.type):
        dtype = torch.get_autocast_dtype(hidden.device.type)
        hidden, weight = hidden.to(dtype), weight.to(dtype)
        bias = None if bias is None else bias.to(dtype)
    with torch.autocast(hidden.device.type, enabled=False):  # sums stay in float32
        parts = TokenLogprobs.apply(
            hidden[chosen], weight, bias, ids[:, 1:][chosen], temperature, fused
        )
    zero = hidden.new_zeros(chosen.shape, dtype=torch.float32)
    logprobs, entropy = (zero.masked_scatter(chosen, each) for each in parts)
    return logprobs, entropy
