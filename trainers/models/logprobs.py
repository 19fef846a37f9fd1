"""Log-probabilities and entropies of tokens, without keeping the logits of a whole batch."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from palaestra.trainers.models.decoder import Decoder
from palaestra.trainers.models.policies import body_of

CHUNK = 4096
"""Tokens whose logits are held at once: in float32, of a vocabulary of 150,000, 2.4 GB."""


def autocast_context(device: str, dtype: str) -> AbstractContextManager[Any]:
    """Where weights of float32 are computed with in another dtype, such as bfloat16."""
    if dtype == "float32":
        return nullcontext()
    context: AbstractContextManager[Any] = torch.autocast(device, dtype=getattr(torch, dtype))
    return context


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
