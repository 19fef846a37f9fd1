"""Advantages: how much better a rollout was than what could be expected, from the rewards of its
group. Pure functions of a tensor of rewards, (groups, size), to one of the same shape, both of
float32. A reward that is not a number was not judged; its advantage is 0, and no other's depends on
it.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Estimator = Callable[[Tensor], Tensor]
TINY = 1e-6


def _mean(rewards: Tensor) -> Tensor:
    return torch.nan_to_num(rewards.nanmean(-1, keepdim=True))


def _deviation(rewards: Tensor) -> Tensor:
    """The standard deviation with n - 1 of what was judged, 0 where that is one reward or none."""
    judged = ~rewards.isnan()
    square = torch.where(judged, (rewards - _mean(rewards)) ** 2, 0.0).sum(-1, keepdim=True)
    return (square / (judged.sum(-1, keepdim=True) - 1).clamp(min=1)).sqrt()


def grpo(rewards: Tensor) -> Tensor:
    """Less the group's mean, in its standard deviations (Z. Shao et al., DeepSeekMath, 2024)."""
    return torch.nan_to_num((rewards - _mean(rewards)) / (_deviation(rewards) + TINY))


def dr_grpo(rewards: Tensor) -> Tensor:
    """Less the group's mean, and no more (Z. Liu et al., "Understanding R1-Zero-Like Training",
    2025).
    """
    return torch.nan_to_num(rewards - _mean(rewards))


def rloo(rewards: Tensor) -> Tensor:
    """Less the mean of the others (A. Ahmadian et al., "Back to Basics", 2024)."""
    judged = (~rewards.isnan()).sum(-1, keepdim=True)
    scale = torch.where(judged > 1, judged / (judged - 1).clamp(min=1), 0.0)
    return dr_grpo(rewards) * scale


def reinforce_pp(rewards: Tensor) -> Tensor:
    """Less the group's mean, in standard deviations of the whole batch (J. Hu et al., REINFORCE++,
    2025).
    """
    centred = rewards - _mean(rewards)
    known = centred[~centred.isnan()]
    spread = known.std() if known.numel() > 1 else known.new_zeros(())
    return torch.nan_to_num(centred / (spread + TINY))


def lite_ppo(rewards: Tensor) -> Tensor:
    """The mean of the group, the deviation of the batch's rewards (Z. Liu et al., "Tricks or Traps?
    A Deep Dive into RL for LLM Reasoning", 2025).
    """
    known = rewards[~rewards.isnan()]
    spread = known.std() if known.numel() > 1 else rewards.new_zeros(())
    return torch.nan_to_num((rewards - _mean(rewards)) / (spread + TINY))


def remax(rewards: Tensor, greedy: Tensor) -> Tensor:
    """Less what the greedy reply earned, (groups,) (Z. Li et al., ReMax, 2023)."""
    return torch.nan_to_num(rewards - greedy[:, None])


def pass_at(k: int) -> Estimator:
    """The advantage of having the best of k (T. Walder and D. Karkhanis, "Pass@K Policy
    Optimization", 2025), by rewards from 0 to 1: each one's marginal gain over all sets of k that
    hold it, less that of the sets of k that do not.
    """

    def estimate(rewards: Tensor) -> Tensor:
        told = torch.zeros_like(rewards)
        for row, group in enumerate(rewards):
            judged = (~group.isnan()).nonzero().squeeze(-1)
            told[row, judged] = _marginal(group[judged], min(k, len(judged)))
        return told

    return estimate


def _marginal(group: Tensor, k: int) -> Tensor:
    n = len(group)
    if n < 2 or k < 1:
        return torch.zeros_like(group)
    gains = torch.zeros_like(group)
    for place in range(n):
        others = torch.cat([group[:place], group[place + 1 :]])
        gains[place] = _best_of(others, k - 1, group[place]) - _best_of(others, k)
    return gains


def _best_of(group: Tensor, k: int, known: Tensor | None = None) -> Tensor:
    """The mean, over all sets of k, of the best in it, be it one that is known."""
    k = min(k, len(group))
    if k == 0:
        return known if known is not None else group.new_zeros(())
    ordered = group.sort().values
    if known is not None:
        ordered = ordered.clamp(min=float(known))
    n = torch.tensor(float(len(group)))
    places = torch.arange(1, len(group) + 1, dtype=group.dtype)
    weights = torch.where(
        places >= k, (_choose(places - 1, k - 1) - _choose(n, k)).exp(), torch.zeros_like(places)
    )
    return (weights * ordered).sum()


def _choose(n: Tensor, k: int) -> Tensor:
    """The logarithm of a binomial coefficient."""
    size = torch.tensor(float(k), dtype=n.dtype)
    return torch.lgamma(n + 1) - torch.lgamma(size + 1) - torch.lgamma((n - size).clamp(min=0) + 1)


def per_environment(advantages: Tensor, names: Sequence[str]) -> Tensor:
    """In standard deviations of each environment's own advantages, so that none outweighs another
    by the spread of its rewards. ``names`` tells each group's environment.
    """
    told = advantages.clone()
    for name in set(names):
        rows = [place for place, each in enumerate(names) if each == name]
        spread = advantages[rows].square().mean().sqrt()
        told[rows] = advantages[rows] / (spread + TINY)
    return told


def filtered(rewards: Tensor, lengths: Tensor, keep: int, by: str) -> Tensor:
    """The rewards of those of each group that are kept, and none of the others: the shortest by
    their ``lengths`` in tokens, or those that earn most for a token (V. Shrivastava et al., "Sample
    More to Think Less: Group Filtered Policy Optimization", 2025).
    """
    if not 0 < keep < rewards.shape[-1]:
        return rewards
    worth = -lengths if by == "length" else rewards.nan_to_num(0.0) / lengths.clamp(min=1)
    kept = worth.masked_fill(rewards.isnan(), float("-inf")).topk(keep, -1).indices
    chosen = torch.zeros_like(rewards, dtype=torch.bool).scatter(-1, kept, True)
    return rewards.masked_fill(~chosen, float("nan"))


def turn_returns(rewards: list[float], discount: float = 1.0) -> list[float]:
    """What was earned from each turn of an episode on, later rewards being worth less."""
    told, after = [], 0.0
    for reward in reversed(rewards):
        after = reward + discount * after
        told.append(after)
    return told[::-1]


def anchored(states: list[list[str]], returns: list[list[float]]) -> list[list[float]]:
    """For each turn of each episode of a group, what it returned less the mean of the turns that
    were made in the same state (L. Feng et al., "Group-in-Group Policy Optimization", 2025); 0
    where nobody else was there.
    """
    met: dict[str, list[float]] = {}
    for names, values in zip(states, returns):
        for name, value in zip(names, values):
            met.setdefault(name, []).append(value)
    return [
        [value - sum(met[name]) / len(met[name]) for name, value in zip(names, values)]
        for names, values in zip(states, returns)
    ]


ESTIMATORS: Mapping[str, Estimator] = {
    "grpo": grpo, "dr_grpo": dr_grpo, "rloo": rloo, "reinforce++": reinforce_pp,
    "lite_ppo": lite_ppo, "pass@2": pass_at(2), "pass@4": pass_at(4), "pass@8": pass_at(8),
}  # fmt: skip
"""ReMax needs greedy replies beside the group, and is named apart in the trainer."""
