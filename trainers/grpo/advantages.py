"""Advantages: how much better a rollout was than what could be expected, from the rewards of its
group. Pure functions of a tensor of rewards, (groups, size), to one of the same shape, both of
float64.

A reward of NaN was not judged: its advantage is 0, and no other's depends on it. Where all that was
judged earned the same, advantages are exactly 0; that is decided before anything is divided, for
the mean of twelve rewards of 0.7 is not 0.7.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Estimator = Callable[[Tensor], Tensor]
EPSILON = 1e-6
"""Added to standard deviations, as implementations do."""


def equal(rewards: Tensor) -> Tensor:
    """(groups, 1) whether all that were judged in a group earned the same."""
    low = rewards.nan_to_num(float("inf")).amin(-1, keepdim=True)
    high = rewards.nan_to_num(float("-inf")).amax(-1, keepdim=True)
    return ~(low < high)


def _mean(rewards: Tensor) -> Tensor:
    return torch.nan_to_num(rewards.nanmean(-1, keepdim=True))


def _std(rewards: Tensor, ddof: int = 1) -> Tensor:
    """The standard deviation with n - ``ddof`` of what was judged, 0 where that is one or none."""
    judged = ~rewards.isnan()
    square = torch.where(judged, (rewards - _mean(rewards)) ** 2, 0.0).sum(-1, keepdim=True)
    return (square / (judged.sum(-1, keepdim=True) - ddof).clamp(min=1)).sqrt()


def _batch_std(values: Tensor) -> Tensor:
    return _std(values.reshape(1, -1)).squeeze()


def dr_grpo(rewards: Tensor) -> Tensor:
    """Less the group's mean, and no more (Z. Liu et al., "Understanding R1-Zero-Like Training",
    2025).
    """
    return torch.nan_to_num(rewards - _mean(rewards)).masked_fill(equal(rewards), 0.0)


def grpo(rewards: Tensor) -> Tensor:
    """Less the group's mean, in its standard deviations (Z. Shao et al., DeepSeekMath, 2024)."""
    return dr_grpo(rewards) / (_std(rewards) + EPSILON)


def gfpo(rewards: Tensor) -> Tensor:
    """As ``grpo``, with the population's standard deviation, of those that :func:`filtered` keeps
    (V. Shrivastava et al., "Sample More to Think Less: Group Filtered Policy Optimization", 2025).
    """
    return dr_grpo(rewards) / (_std(rewards, ddof=0) + EPSILON)


def rloo(rewards: Tensor) -> Tensor:
    """Less the mean of the others (A. Ahmadian et al., "Back to Basics", 2024)."""
    judged = (~rewards.isnan()).sum(-1, keepdim=True)
    return dr_grpo(rewards) * judged / (judged - 1).clamp(min=1)


def lite_ppo(rewards: Tensor) -> Tensor:
    """The mean of the group, the deviation of the batch's rewards (Z. Liu et al., "Tricks or Traps?
    A Deep Dive into RL for LLM Reasoning", 2025).
    """
    return dr_grpo(rewards) / (_batch_std(rewards) + EPSILON)


def remax(rewards: Tensor, greedy: Tensor) -> Tensor:
    """Less what the greedy reply earned, (groups,) (Z. Li et al., ReMax, 2023)."""
    return torch.nan_to_num(rewards - greedy[:, None])


def pass_at(k: int) -> Estimator:
    """The advantage of having the best of k, at least 2 (C. Walder and D. Karkhanis, "Pass@K Policy
    Optimization", 2025, equation 33): k times what a reward adds to the best of a set of k, in the
    mean over all sets that hold it; 0 where fewer than k were judged.
    """

    def estimate(rewards: Tensor) -> Tensor:
        estimates = torch.zeros_like(rewards)
        for row in (~equal(rewards).squeeze(-1)).nonzero().squeeze(-1).tolist():
            judged = (~rewards[row].isnan()).nonzero().squeeze(-1)
            if len(judged) >= k:
                estimates[row, judged] = _marginal(rewards[row, judged], k)
        return estimates

    return estimate


def _marginal(group: Tensor, k: int) -> Tensor:
    gains = torch.zeros_like(group)
    for index in range(len(group)):
        others = torch.cat([group[:index], group[index + 1 :]])
        with_it = _best_of(others.clamp(min=float(group[index])), k - 1)
        gains[index] = k * (with_it - _best_of(others, k - 1))
    return gains


def _best_of(group: Tensor, k: int) -> Tensor:
    """The mean, over all sets of k, of the best in it: the i-th smallest is the best of
    C(i - 1, k - 1) of the C(n, k) sets.
    """
    ranks = torch.arange(1, len(group) + 1, dtype=group.dtype)
    sets = _log_choose(ranks - 1, k - 1) - _log_choose(ranks[-1], k)
    return (torch.where(ranks >= k, sets.exp(), 0.0) * group.sort().values).sum()


def _log_choose(n: Tensor, k: int) -> Tensor:
    size = torch.tensor(float(k), dtype=n.dtype)
    return torch.lgamma(n + 1) - torch.lgamma(size + 1) - torch.lgamma((n - size).clamp(min=0) + 1)


ESTIMATORS: Mapping[str, Estimator] = {
    "grpo": grpo, "dr_grpo": dr_grpo, "gfpo": gfpo, "rloo": rloo, "lite_ppo": lite_ppo,
    "pass@2": pass_at(2), "pass@4": pass_at(4), "pass@8": pass_at(8),
}  # fmt: skip
"""Those of whole rollouts by the rewards of their groups alone."""


def reinforce_pp(rewards: Tensor, kl: Tensor, mask: Tensor) -> Tensor:
    """(rows, length) advantages of tokens: the reward of the row less the divergence ``kl`` (rows,
    length) of this token and those after it, in standard deviations from the mean over all tokens
    of the batch (J. Hu et al., REINFORCE++, 2025). ``rewards`` is (rows,), ``mask`` (rows, length).
    """
    counts = mask.bool() & ~rewards.isnan()[:, None]
    later = (kl * mask).flip(-1).cumsum(-1).flip(-1)
    returns = (rewards[:, None] - later).masked_fill(~counts, float("nan"))
    flat = returns.reshape(1, -1)
    if bool(equal(flat)):
        return torch.zeros_like(returns)
    return torch.nan_to_num((returns - _mean(flat)) / (_std(flat, ddof=0) + EPSILON))


def reinforce_pp_baseline(rewards: Tensor, mask: Tensor) -> Tensor:
    """The same with rewards (groups, size) less the means of their groups, and no divergence: long
    rows count by their tokens, as in the authors' code.
    """
    centred = dr_grpo(rewards).masked_fill(rewards.isnan(), float("nan"))
    return reinforce_pp(centred.reshape(-1), torch.zeros_like(mask), mask)


def discounted_returns(rewards: Sequence[float], discount: float) -> list[float]:
    """What was earned from each turn of an episode on, later rewards being worth less."""
    returns, after = [], 0.0
    for reward in reversed(rewards):
        after = reward + discount * after
        returns.append(after)
    return returns[::-1]


def by_anchor_state(
    states: Sequence[Sequence[str]], returns: Sequence[Sequence[float]], norm: str
) -> list[list[float]]:
    """For each turn of each episode of a group, what it returned less the mean of the turns that
    were taken in the same state, divided by their standard deviation unless ``norm`` is none (L.
    Feng et al., "Group-in-Group Policy Optimization", 2025); 0 where nobody else was there.
    """
    met: dict[str, list[float]] = {}
    for names, values in zip(states, returns, strict=True):
        for name, value in zip(names, values, strict=True):
            met.setdefault(name, []).append(value)
    estimate = grpo if norm == "std" else dr_grpo
    known = {
        name: iter(estimate(torch.tensor([values], dtype=torch.float64))[0].tolist())
        for name, values in met.items()
    }
    return [[next(known[name]) for name in names] for names in states]


def scaled_by_environment(advantages: Tensor, rewards: Tensor, names: Sequence[str]) -> Tensor:
    """In root mean squares of each environment's own advantages, so that none outweighs another by
    the spread of its rewards. ``names`` are the environments of the groups; what was not judged
    (NaN in ``rewards``) does not count.
    """
    judged, scaled = ~rewards.isnan(), advantages.clone()
    for name in set(names):
        rows = [row for row, each in enumerate(names) if each == name]
        known = advantages[rows][judged[rows]]
        if bool(known.any()):
            scaled[rows] = advantages[rows] / (known.square().mean().sqrt() + EPSILON)
    return scaled


def filtered(rewards: Tensor, lengths: Tensor, keep: int, by: str) -> Tensor:
    """The rewards of those of each group that are kept, and NaN for the others: the shortest by
    their ``lengths`` in tokens, or those that earn most for a token (V. Shrivastava et al., "Sample
    More to Think Less: Group Filtered Policy Optimization", 2025).
    """
    if not 0 < keep < rewards.shape[-1]:
        return rewards
    worth = -lengths if by == "length" else rewards.nan_to_num(0.0) / lengths.clamp(min=1)
    worth = worth.masked_fill(rewards.isnan(), float("-inf"))
    kept = worth.argsort(dim=-1, descending=True, stable=True)[..., :keep]
    chosen = torch.zeros_like(rewards, dtype=torch.bool).scatter(-1, kept, True)
    return rewards.masked_fill(~chosen, float("nan"))
