"""Policies: a small decoder of our own, and what any Hugging Face causal model looks like to us.

The decoder is the usual one: RMS norms before each part, rotary positions, gated feed-forward
layers, tied embeddings (as in H. Touvron et al., "LLaMA", 2023).
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

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


def autocast_context(device: str, dtype: str) -> AbstractContextManager[Any]:
    """Where weights of float32 are computed with in another dtype, such as bfloat16."""
    if dtype == "float32":
        return nullcontext()
    context: AbstractContextManager[Any] = torch.autocast(device, dtype=getattr(torch, dtype))
    return context


def with_lora(model: Any, rank: int) -> Any:
    """A Hugging Face model whose weights stay and have low-rank adapters beside them (E. Hu et al.,
    "LoRA", 2021).
    """
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, config)


def merged_weights(model: Any) -> Iterator[tuple[str, Tensor]]:
    """The weights by their names in a checkpoint, adapters added to what they adapt, one by one."""
    if not hasattr(model, "get_base_model"):
        yield from model.state_dict().items()
        return
    merged = {
        f"{name}.base_layer.weight": layer
        for name, layer in model.get_base_model().named_modules()
        if hasattr(layer, "get_delta_weight")
    }
    for name, weight in model.get_base_model().state_dict().items():
        if layer := merged.get(name):
            adapters = [layer.get_delta_weight(each) for each in layer.active_adapters]
            yield name.replace(".base_layer.", "."), sum(adapters, weight)
        elif ".lora_" not in name:
            yield name.replace(".base_layer.", "."), weight


def compile_layers(model: nn.Module) -> None:
    """Compiles each layer of our decoder or of a Hugging Face model, in place.

    Names of weights stay as they are. It happens at the first call, takes some seconds, and needs a
    C compiler.
    """
    for layer in (model if isinstance(model, Decoder) else body_of(model)).layers:
        layer.compile()


def checkpoint_layers(model: Any) -> None:
    """Keeps of each layer only what goes into it, and works out the rest again for the gradient
    (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016): a third more
    arithmetic, and far less memory.
    """
    if isinstance(model, Decoder):
        model.gradient_checkpointing = True
        return
    enable = getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)
    enable({"use_reentrant": False})
    for module in model.modules():
        # Transformers looks at this, too. What is in a layer stays as it is: dropout is off.
        if getattr(module, "gradient_checkpointing", False):
            module.training = True


@contextmanager
def sampling_mode(model: nn.Module) -> Iterator[None]:
    """Without gradients, in evaluation mode; each module is then put back into its own."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def body_of(model: nn.Module) -> Any:
    """A Hugging Face model without its output layer."""
    plain: Any = model.get_base_model() if hasattr(model, "get_base_model") else model  # PEFT's
    return getattr(plain, plain.base_model_prefix)


def hidden_of(model: nn.Module, ids: Tensor, attention_mask: Tensor) -> Tensor:
    """The last hidden states of our decoder or a Hugging Face model."""
    if isinstance(model, Decoder):
        return model.hidden(ids, attention_mask)
    positions = (attention_mask.cumsum(-1) - 1).clamp(min=0)
    out: Any = body_of(model)(
        input_ids=ids, attention_mask=attention_mask, position_ids=positions, use_cache=False
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
        ctx: Any, grad_logprobs: Tensor | None, grad_entropy: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """The gradients of hidden states, weights and biases, where each is wanted."""
        hidden, weight, bias, targets, log_sum, entropy = ctx.saved_tensors
        entropy = entropy.detach()  # an output, whose history the compiler would look into
        gradient = _compiled(_logits_gradient) if ctx.fused else _logits_gradient
        grad_hidden = torch.empty_like(hidden)
        _, needs_weight, needs_bias, *_ = ctx.needs_input_grad
        grad_weight = torch.zeros_like(weight, dtype=torch.float32) if needs_weight else None
        grad_bias = torch.zeros_like(bias, dtype=torch.float32) if needs_bias else None
        for start in range(0, len(hidden), CHUNK):
            part = slice(start, start + CHUNK)
            grad_logits = gradient(
                F.linear(hidden[part], weight, bias), targets[part], log_sum[part], entropy[part],
                None if grad_logprobs is None else grad_logprobs[part],
                None if grad_entropy is None else grad_entropy[part], ctx.temperature,
            )  # fmt: skip
            grad_hidden[part] = grad_logits @ weight
            if grad_weight is not None:
                grad_weight += grad_logits.T @ hidden[part]
            if grad_bias is not None:
                grad_bias += grad_logits.sum(0, dtype=torch.float32)
        return (
            grad_hidden, None if grad_weight is None else grad_weight.to(weight.dtype),
            None if grad_bias is None else grad_bias.to(weight.dtype), None, None, None,
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


def _logits_gradient(  # noqa: PLR0913, PLR0917
    logits: Tensor, targets: Tensor, log_sum: Tensor, entropy: Tensor,
    grad_logprobs: Tensor | None, grad_entropy: Tensor | None, temperature: float,
) -> Tensor:  # fmt: skip
    """The gradient of logits (rows, vocabulary), from those of log-probabilities and entropies.

    With probabilities p, d log p[t] / d logit[j] = (j == t) - p[j], and
    d entropy / d logit[j] = -p[j] (log p[j] + entropy).
    """
    surprise = _scaled(logits, temperature).sub_(log_sum[:, None])
    gradient = torch.zeros_like(surprise)
    if grad_entropy is not None:
        gradient = (surprise + entropy[:, None]).mul_(-grad_entropy[:, None])
    if grad_logprobs is not None:
        gradient -= grad_logprobs[:, None]
    gradient *= surprise.exp_()
    if grad_logprobs is not None:
        gradient.scatter_add_(-1, targets[:, None], grad_logprobs[:, None])
    return (gradient / temperature).to(logits.dtype)


def logprobs_of(  # noqa: PLR0913, PLR0917
    model: nn.Module, ids: Tensor, attention_mask: Tensor, temperature: float = 1.0,
    mask: Tensor | None = None, fused: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The log-probability of each id after the first, given those before it, and the entropy of the
    choice that was made there: both (batch, length - 1), in nats.

    With a ``mask`` (batch, length) only of ids where it is not 0, and 0 elsewhere. ``fused``
    compiles what is done to logits.
    """
    hidden = hidden_of(model, ids, attention_mask)[:, :-1]
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
