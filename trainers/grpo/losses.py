"""Losses of policy gradients, a choice at a time: ratio, surrogate, tokens, aggregation, penalty.

All tensors are (batch, length) and ``mask`` is 1 at tokens that were sampled. Means are taken by
:func:`token_weights` and tokens chosen by :func:`selected_tokens` for a whole minibatch; so the sum
over its microbatches of :func:`policy_loss` is the loss of the minibatch, however it is cut.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from palaestra.trainers.grpo.config import Aggregation, Loss


def token_weights(mask: Tensor, aggregation: Aggregation, constant: int) -> Tensor:
    """What the loss of each token counts: the mean over all tokens (DAPO), over sequences of their
    means (GRPO) or of their sums (RLOO), or the sum over a constant length, so that long sequences
    weigh as they are (Dr.GRPO). Sequences without a token do not count.
    """
    if aggregation == "token":
        return mask / mask.sum().clamp(min=1)
    length = mask.sum(-1, keepdim=True)
    sequences = (length > 0).sum().clamp(min=1)
    divisor = {"sequence": length.clamp(min=1), "constant": constant, "sum": 1}[aggregation]
    return mask / (sequences * divisor)


@torch.no_grad()
def selected_tokens(  # noqa: PLR0913, PLR0917
    new: Tensor, old: Tensor, entropy: Tensor, advantages: Tensor, mask: Tensor, loss: Loss,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The tokens whose surrogate counts, and those that are held by a penalty, of a minibatch.

    All of them; those of the highest entropy (S. Wang et al., "Beyond the 80/20 Rule", 2025); or,
    by the covariance of log-probability and advantage, all but a few that are drawn among those
    within bounds that are not clipped (Clip-Cov), or all, with the highest under a penalty (KL-Cov;
    both G. Cui et al., "The Entropy Mechanism", 2025). Means still go over all tokens of ``mask``.
    """
    none, number = torch.zeros_like(mask), float(mask.sum())
    if loss.tokens == "all" or not number:
        return mask, none
    if loss.tokens == "top_entropy":
        # As in the authors' code, a part of a token is one more.
        return _highest(entropy, mask, int(loss.top_entropy_share * number + 0.9999)), none
    covariance = (new - (new * mask).sum() / number) * (
        advantages - (advantages * mask).sum() / number
    )
    if loss.tokens == "kl_cov":
        return mask, _highest(covariance, mask, int(loss.kl_cov_share * number))
    within = (covariance > loss.clip_cov_low) & (covariance < loss.clip_cov_high) & mask.bool()
    where = (within & ~_clipped((new - old).exp(), advantages, loss)).nonzero()
    order = torch.randperm(len(where), generator=generator).to(where.device)
    chosen = where[order[: max(1, int(loss.clip_cov_share * number))]]
    kept = mask.clone()
    kept[chosen[:, 0], chosen[:, 1]] = 0
    return kept, none


def _clipped(ratio: Tensor, advantages: Tensor, loss: Loss) -> Tensor:
    """Where PPO's clip takes the gradient."""
    low, high = ratio < 1 - loss.clip_low, ratio > 1 + loss.clip_high
    return torch.where(advantages > 0, high, low) & (advantages != 0)


def _highest(values: Tensor, mask: Tensor, number: int) -> Tensor:
    """So many tokens whose values are highest, one at least."""
    ranked = values.masked_fill(~mask.bool(), float("-inf")).flatten()
    top = ranked.topk(max(1, number)).indices
    return torch.zeros_like(mask).flatten().index_fill(0, top, 1.0).view_as(mask)


def surrogate(new: Tensor, old: Tensor, advantages: Tensor, mask: Tensor, loss: Loss) -> Tensor:
    """What each token's loss is.

    The clipped surrogate of PPO with bounds of their own (Clip-Higher, DAPO, Q. Yu et al., 2025) by
    the ratio of a token or of its sequence (GSPO, C. Zheng et al., 2025); CISPO (MiniMax-M1, 2025),
    which clips the weight and not the gradient; GMPO (Y. Zhao et al., 2025); or REINFORCE.
    """
    low, high = 1 - loss.clip_low, 1 + loss.clip_high
    if loss.surrogate == "reinforce":
        return -advantages * new
    log_ratio = (new - old) * mask
    length = mask.sum(-1, keepdim=True).clamp(min=1)
    if loss.surrogate == "geometric":
        return _geometric(log_ratio, advantages, length, loss)
    if loss.ratio == "sequence":
        log_ratio = (log_ratio.sum(-1, keepdim=True) / length).expand_as(new)
    ratio = log_ratio.exp()
    if loss.surrogate == "cispo":
        return -ratio.detach().clamp(low, high) * advantages * new
    if loss.surrogate == "unclipped":
        return -advantages * ratio
    losses = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(low, high))
    if loss.dual_clip:
        bounded = torch.minimum(losses, -advantages * loss.dual_clip)
        losses = torch.where(advantages < 0, bounded, losses)
    return losses


def _geometric(log_ratio: Tensor, advantages: Tensor, length: Tensor, loss: Loss) -> Tensor:
    """The geometric mean over a sequence of ratios that are clipped a token at a time, on the side
    where clipping makes the objective smaller; the same for each token of the sequence.
    """
    bounds = torch.tensor([1 - loss.clip_low, 1 + loss.clip_high]).log().tolist()
    clipped = log_ratio.clamp(*bounds)
    each = torch.where(
        advantages > 0, torch.minimum(log_ratio, clipped), torch.maximum(log_ratio, clipped)
    )
    return -advantages * (each.sum(-1, keepdim=True) / length).exp()


def divergence(new: Tensor, reference: Tensor, estimator: str) -> Tensor:
    """An estimate, at each token, of how far the policy is from a reference (J. Schulman,
    "Approximating KL Divergence", 2020). As a loss, the gradient of k2 is that of the divergence.
    """
    log = reference - new
    if estimator == "k1":
        return -log
    return log**2 / 2 if estimator == "k2" else log.exp() - 1 - log


def importance_weights(old: Tensor, engine: Tensor, correction: str, loss: Loss) -> Tensor:
    """Weights of tokens that an engine sampled with probabilities other than the trainer's.

    ``old`` and ``engine`` are the log-probabilities of both. The weight is the ratio of the
    probabilities: at most ``importance_cap`` (``truncate``; F. Yao et al., "Your Efficient RL
    Framework Secretly Brings You Off-Policy RL Training", 2025), or 0 outside of
    ``importance_low`` to ``importance_high`` (``mask``: IcePop; Ling Team, "Every Step Evolves",
    2025, arXiv 2510.18855, with bounds of 0.5 and 5).
    """
    if correction == "none":
        return torch.ones_like(old)
    weights = (old - engine).exp().detach()
    if correction == "truncate":
        return weights.clamp(max=loss.importance_cap)
    return weights * ((weights >= loss.importance_low) & (weights <= loss.importance_high))


@dataclass(frozen=True)
class LossSums:
    """A loss, and sums over tokens: of those that were clipped, of the approximate divergence from
    the policy that sampled, and of entropies.
    """

    loss: Tensor
    clipped: Tensor
    approx_kl: Tensor
    entropy: Tensor


def policy_loss(  # noqa: PLR0913, PLR0917
    new: Tensor, old: Tensor, entropy: Tensor, advantages: Tensor, mask: Tensor, weights: Tensor,
    kept: Tensor, held: Tensor, importance: Tensor, loss: Loss, reference: Tensor | None = None,
) -> LossSums:  # fmt: skip
    """The part of a minibatch's loss that some of its rows make.

    ``weights`` are of :func:`token_weights`, ``kept`` and ``held`` of :func:`selected_tokens`,
    ``importance`` of :func:`importance_weights`.
    """
    losses = surrogate(new, old, advantages, mask, loss) * importance * kept
    if loss.tokens == "kl_cov":
        losses = losses + loss.kl_cov_coef * held * (new - old).abs()
    if reference is not None and loss.kl_coef:
        losses = losses + loss.kl_coef * divergence(new, reference, loss.kl)
    if loss.entropy_coef:
        losses = losses - loss.entropy_coef * entropy
    with torch.no_grad():
        log_ratio = (new - old) * mask
        if loss.ratio == "sequence":
            mean = log_ratio.sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1)
            compared = mean.expand_as(mask)
        else:
            compared = log_ratio
        clips = loss.surrogate in {"clip", "cispo", "geometric"}
        clipped = _clipped(compared.exp(), advantages, loss) * mask * clips
        approx_kl = ((-log_ratio).exp() - 1 + log_ratio) * mask
    return LossSums(
        (losses * weights).sum(), clipped.sum(), approx_kl.sum(), (entropy.detach() * mask).sum()
    )
