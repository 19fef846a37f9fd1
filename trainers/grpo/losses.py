"""Losses of policy gradients, a choice at a time: ratio, surrogate, tokens, aggregation, penalty.

All tensors are (batch, length) and of float32; ``mask`` is 1 at tokens that were sampled. Each is a
pure function, and :func:`policy_loss` only puts them together.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from palaestra.trainers.grpo.config import Aggregation, Choices, Penalty, Ratio


def log_ratio(new: Tensor, old: Tensor, mask: Tensor, kind: Ratio) -> Tensor:
    """How much likelier each token has become, as a logarithm.

    Per token (PPO), or the mean over its sequence, with gradients through each token (GSPO, C.
    Zheng et al., 2025) or through the mean alone (GMPO, Y. Zhao et al., 2025).
    """
    each = (new - old) * mask
    if kind == "token":
        return each
    mean = each.sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1)
    if kind == "geometric":
        return mean.expand_as(each)
    return mean.detach() + new - new.detach()


def surrogate_loss(log: Tensor, advantage: Tensor, new: Tensor, choices: Choices) -> Tensor:
    """What each token's loss is.

    The clipped surrogate of PPO with bounds of their own (Clip-Higher, DAPO, Q. Yu et al., 2025);
    CISPO (MiniMax-M1, 2025), which clips the weight and not the gradient; or plain REINFORCE.
    """
    ratio = log.exp()
    if choices.surrogate == "reinforce":
        return -advantage * new
    if choices.surrogate == "cispo":
        return -ratio.detach().clamp(max=1 + choices.high) * advantage * new
    clipped = ratio.clamp(1 - choices.low, 1 + choices.high)
    loss = torch.maximum(-advantage * ratio, -advantage * clipped)
    if choices.dual:
        loss = torch.where(advantage < 0, torch.minimum(loss, -advantage * choices.dual), loss)
    return loss


def kept_tokens(
    mask: Tensor, entropy: Tensor, new: Tensor, advantage: Tensor, choices: Choices
) -> tuple[Tensor, Tensor]:
    """The tokens that count, and those of them that are held to what they were.

    All of them; those of the highest entropy (S. Wang et al., "Beyond the 80/20 Rule", 2025); or,
    where chosen tokens vary most with the advantage, none of these (Clip-Cov) or these under a
    penalty (KL-Cov; both G. Cui et al., "The Entropy Mechanism", 2025).
    """
    none = torch.zeros_like(mask)
    if choices.tokens == "all":
        return mask, none
    if choices.tokens == "top_entropy":
        return _top(entropy.detach(), mask, choices.share), none
    number = mask.sum().clamp(min=1)
    drift = (new.detach() - (new.detach() * mask).sum() / number) * (
        advantage - (advantage * mask).sum() / number
    )
    most = _top(drift, mask, choices.share)
    return (mask - most, none) if choices.tokens == "clip_cov" else (mask, most)


def _top(values: Tensor, mask: Tensor, share: float) -> Tensor:
    """The share of the tokens whose values are highest."""
    known = values[mask.bool()]
    number = max(1, round(share * known.numel()))
    if not known.numel():
        return mask
    bound = known.topk(number).values[-1]
    return mask * (values >= bound)


def aggregated(loss: Tensor, mask: Tensor, kind: Aggregation, constant: int) -> Tensor:
    """One number: the mean over sequences of their means (GRPO), the mean over all tokens (DAPO),
    or the sum over a constant length, so that long sequences weigh as they are (Dr.GRPO).
    """
    if kind == "token":
        return (loss * mask).sum() / mask.sum().clamp(min=1)
    if kind == "constant":
        return (loss * mask).sum() / (constant * mask.shape[0])
    each = (loss * mask).sum(-1) / mask.sum(-1).clamp(min=1)
    return each.mean()


def divergence(new: Tensor, reference: Tensor, kind: Penalty) -> Tensor:
    """An estimate, at each token, of how far the policy is from a reference (J. Schulman,
    "Approximating KL Divergence", 2020).
    """
    if kind == "none":
        return torch.zeros_like(new)
    log = reference - new
    if kind == "k1":
        return -log
    return log**2 / 2 if kind == "k2" else log.exp() - 1 - log


def importance(old: Tensor, engine: Tensor, mask: Tensor, cap: float) -> Tensor:
    """Weights for tokens that an engine sampled from slightly other probabilities, never above a
    cap (truncated importance sampling, F. Yao et al., 2025).
    """
    if not cap:
        return torch.ones_like(old)
    return ((old - engine) * mask).exp().clamp(max=cap).detach()


@dataclass(frozen=True)
class Told:
    """A loss, and what is worth a look: the share of tokens that were clipped, the approximate
    divergence from the policy that sampled, and the mean entropy.
    """

    loss: Tensor
    clipped: float
    moved: float
    entropy: float


def policy_loss(  # noqa: PLR0913, PLR0917
    new: Tensor,
    old: Tensor,
    engine: Tensor,
    entropy: Tensor,
    advantage: Tensor,
    mask: Tensor,
    choices: Choices,
    reference: Tensor | None = None,
) -> Told:
    """The loss of a batch. ``advantage`` is (batch, 1) or (batch, length)."""
    advantage = advantage.expand_as(new)
    log = log_ratio(new, old, mask, choices.ratio)
    kept, held = kept_tokens(mask, entropy, new, advantage, choices)
    loss = surrogate_loss(log, advantage, new, choices)
    loss = loss * importance(old, engine, mask, choices.importance)
    loss = loss + held * (new - old).abs()
    if reference is not None and choices.beta:
        loss = loss + choices.beta * divergence(new, reference, choices.penalty)
    with torch.no_grad():
        number = mask.sum().clamp(min=1)
        outside = (log.exp() < 1 - choices.low) | (log.exp() > 1 + choices.high)
        clipped = float((outside * mask).sum() / number)
        moved = float((((old - new).exp() - 1 + new - old) * mask).sum() / number)
        mean = float((entropy * mask).sum() / number)
    total = aggregated(loss, kept, choices.aggregation, choices.constant)
    return Told(total, clipped, moved, mean)
