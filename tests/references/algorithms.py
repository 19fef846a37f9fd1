"""Reinforcement learning of language models, written from the papers and apart from the trainer.

One function for each algorithm: it takes a `Batch` and gives the advantages of all tokens and the
loss to minimise, the whole batch being one minibatch. They are there to be read beside the paper:
loops over groups, replies and subsets, in float64.

What holds for all of them, where papers are silent:

- A reply without a judgement (its reward is NaN) teaches nothing and enters no mean: it is left out
  of its group's statistics, of the batch's, of the choice of tokens, and of the loss with its
  denominators.
- Where all rewards that a spread is taken over are the same, all advantages are 0. It is decided by
  comparing them, before anything is divided: the mean of twelve times 0.7 need not be 0.7.
- A group with one judged reply compares nothing: the advantage is 0, and the reply counts in the
  mean of the loss as others of that advantage do. (veRL's GRPO gives it its reward as the
  advantage.) So do replies to whom something else is missing to be compared with.
- Expectations over questions are means over the replies of the batch, and a sum over "the tokens of
  the group" runs over the batch, as in the implementations; papers write them for one question.
- Papers add no epsilon to a standard deviation, or do not say which: veRL adds 1e-6, TRL 1e-4.
  `epsilon` is 0 here. "std" is that of a sample (`ddof` 1, as `torch.std` has it and so veRL and
  TRL), unless the paper or its authors' code has the population's.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple

import torch
from torch import Tensor


@dataclass
class Batch:
    """What one step of training was given: `groups` questions, `size` replies to each.

    Replies are rows: that of place `i` in group `g` is row `g * size + i`. Between the turns of an
    episode stand tokens that were not sampled, where `mask` is 0 and the other values are noise.
    """

    rewards: Tensor  # (groups, size), NaN where a reply could not be judged
    truncated: Tensor  # (groups, size), bool
    new: Tensor  # (rows, length), log-probabilities now; the gradient is taken by these
    old: Tensor  # when the replies were sampled, by the trainer
    reference: Tensor  # by the frozen reference model
    engine: Tensor  # when the replies were sampled, by the engine that sampled them
    entropies: Tensor  # of the policy now, in nats, which a gradient may be taken by, too
    mask: Tensor  # 1 where a token was sampled
    turns: list[list[tuple[int, int]]]  # of each row, the spans of its turns
    turn_rewards: list[list[float]]  # of each row, the reward of each turn
    states: list[list[str]]  # of each row, what each turn was taken from
    greedy: Tensor = field(default_factory=lambda: torch.zeros(0))  # (groups,), of greedy replies


class Result(NamedTuple):
    """What an algorithm makes of a batch."""

    advantages: Tensor  # (rows, length), 0 where nothing was sampled or judged
    loss: Tensor  # to minimise


class Reply(NamedTuple):
    """The sampled tokens of one judged reply, without the gaps between its turns."""

    row: int
    new: Tensor
    old: Tensor
    reference: Tensor
    entropies: Tensor
    advantages: Tensor
    weights: Tensor

    @property
    def log_ratio(self) -> Tensor:
        return self.new - self.old

    @property
    def ratio(self) -> Tensor:
        return torch.exp(self.log_ratio)


DEFAULTS: dict[str, dict[str, Any]] = {
    # The clip is InstructGPT's and PPO's 0.2, which DeepSeekMath does not state; its KL is stated.
    "grpo": {"clip_low": 0.2, "clip_high": 0.2, "kl": 0.04, "ddof": 1, "epsilon": 0.0},
    "dr_grpo": {"clip_low": 0.2, "clip_high": 0.2, "max_length": 1},
    "dapo": {"clip_low": 0.2, "clip_high": 0.28, "ddof": 1, "epsilon": 0.0, "mask_truncated": True},
    "gspo": {"clip_low": 3e-4, "clip_high": 4e-4, "ddof": 1, "epsilon": 0.0},
    "gspo_token": {"clip_low": 3e-4, "clip_high": 4e-4, "ddof": 1, "epsilon": 0.0},
    "gmpo": {"log_clip": 0.4, "ddof": 1, "epsilon": 0.0},
    # The paper bounds weights from above only, and leaves the bound to tuning.
    "cispo": {"clip_low": math.inf, "clip_high": 4.0, "ddof": 1, "epsilon": 0.0},
    "rloo": {"kl": 0.03},
    "reinforce++": {
        "clip_low": 0.2, "clip_high": 0.2, "kl": 0.01, "ddof": 0, "epsilon": 0.0,
        "aggregate": "token",
    },
    "reinforce++_baseline": {
        "clip_low": 0.2, "clip_high": 0.2, "kl": 1e-5, "ddof": 0, "epsilon": 0.0,
        "aggregate": "token",
    },
    "remax": {},
    "gfpo": {
        "clip_low": 0.2, "clip_high": 0.2, "keep": 8, "metric": "length",
        "kl": 0.001, "entropy": 0.001, "ddof": 0, "epsilon": 0.0,
    },
    "lite_ppo": {"clip_low": 0.2, "clip_high": 0.2, "ddof": 1, "epsilon": 0.0},
    "clip_cov": {
        "share": 2e-4, "low": 1.0, "high": 5.0, "clip_low": 1.0, "clip_high": 1.0,
        "ddof": 1, "epsilon": 0.0,
    },
    "kl_cov": {"share": 2e-3, "kl": 1.0, "ddof": 1, "epsilon": 0.0},
    "top_entropy": {
        "share": 0.2, "clip_low": 0.2, "clip_high": 0.28, "mask_truncated": True,
        "ddof": 1, "epsilon": 0.0,
    },
    "gigpo": {
        "discount": 0.95, "omega": 1.0, "norm": "std", "clip_low": 0.2, "clip_high": 0.2,
        "kl": 0.01, "ddof": 1, "epsilon": 0.0,
    },
    "pass@k": {"k": 4},
    "pass@k_training": {"k": 4, "clip_low": 0.2, "clip_high": 0.28},
}  # fmt: skip
"""The paper's settings of each algorithm, all of which its function takes as keywords."""


# What the algorithms share


def judged(batch: Batch, group: int) -> list[int]:
    """The rows of a group that have a reward."""
    size = batch.rewards.shape[1]
    rewards = batch.rewards[group]
    return [group * size + i for i in range(size) if not math.isnan(rewards[i])]


def reward(batch: Batch, row: int) -> float:
    """What a row earned."""
    return float(batch.rewards.flatten()[row])


def centred(values: Sequence[float]) -> list[float]:
    """Values less their mean, and nothing but zeros where they are all the same."""
    if len(values) < 2 or min(values) == max(values):
        return [0.0 for _ in values]
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def deviation(values: Sequence[float], ddof: int) -> float:
    """The standard deviation."""
    squares = math.fsum(value * value for value in centred(values))
    return math.sqrt(squares / (len(values) - ddof)) if squares else 0.0


def standardised(values: Sequence[float], ddof: int, epsilon: float) -> list[float]:
    """Values less their mean, over their standard deviation."""
    spread = deviation(values, ddof)
    return [value / (spread + epsilon) if spread else 0.0 for value in centred(values)]


def by_group(batch: Batch, score: Callable[[list[float]], list[float]]) -> dict[int, float]:
    """Each judged row's advantage, from the rewards of its group."""
    advantages: dict[int, float] = {}
    for group in range(len(batch.rewards)):
        rows = judged(batch, group)
        advantages.update(zip(rows, score([reward(batch, row) for row in rows])))
    return advantages


def group_relative(batch: Batch, ddof: int, epsilon: float) -> dict[int, float]:
    """GRPO's advantages: `(r - mean) / std` within the group."""
    return by_group(batch, lambda rewards: standardised(rewards, ddof, epsilon))


def spread_out(batch: Batch, advantages: dict[int, float]) -> Tensor:
    """The advantage of a reply at each of its tokens: (rows, length)."""
    tokens = torch.zeros_like(batch.old)
    for row, advantage in advantages.items():
        tokens[row] = advantage * batch.mask[row]
    return tokens


def replies(
    batch: Batch, advantages: Tensor, weights: Tensor | None = None, without: Iterable[int] = ()
) -> list[Reply]:
    """The judged replies with their advantages; rows of `without` are left out."""
    if weights is None:
        weights = torch.ones_like(batch.old)
    left_out = set(without)
    everything = (batch.new, batch.old, batch.reference, batch.entropies, advantages, weights)
    out = []
    for group in range(len(batch.rewards)):
        for row in judged(batch, group):
            at = batch.mask[row].bool()
            if row not in left_out:
                out.append(Reply(row, *(values[row][at] for values in everything)))
    return out


def truncated(batch: Batch) -> list[int]:
    """The rows that were cut at the limit of tokens."""
    return [row for row, cut in enumerate(batch.truncated.flatten().tolist()) if cut]


def clipped(ratio: Tensor, advantages: Tensor, low: float, high: float) -> Tensor:
    """PPO's surrogate, to maximise: min(r A, clip(r, 1 - low, 1 + high) A).

    Schulman et al., Proximal Policy Optimization Algorithms, 2017 (arXiv:1707.06347), eq. 7.
    """
    return torch.minimum(ratio * advantages, ratio.clamp(1 - low, 1 + high) * advantages)


def k2(new: Tensor, reference: Tensor) -> Tensor:
    """Schulman's second estimator of KL(new, reference), whose gradient is that of the KL."""
    return 0.5 * (new - reference) ** 2


def k3(new: Tensor, reference: Tensor) -> Tensor:
    """Schulman's third estimator of KL(new, reference): never negative. DeepSeekMath, eq. 4."""
    return torch.exp(reference - new) - (reference - new) - 1


def sequence_mean(losses: list[Tensor]) -> Tensor:
    """The mean over replies of the mean over each one's tokens."""
    return sum_of(loss.mean() for loss in losses) / max(len(losses), 1)


def token_mean(losses: list[Tensor]) -> Tensor:
    """The mean over all tokens of the batch."""
    return sum_of(loss.sum() for loss in losses) / max(sum(len(loss) for loss in losses), 1)


def sum_of(terms: Iterable[Tensor]) -> Tensor:
    """A sum that is a tensor when it is empty, too."""
    total = torch.zeros((), dtype=torch.float64)
    for term in terms:
        total = total + term
    return total


AGGREGATE = {"sequence": sequence_mean, "token": token_mean}


# Groups


def grpo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Group Relative Policy Optimization.

    Shao et al., DeepSeekMath, 2024 (arXiv:2402.03300), eq. 3 and 4: the mean over replies of the
    mean over tokens of PPO's clipped surrogate less 0.04 times the k3 estimate of the KL;
    `(r - mean) / std` of the group. Unjudged replies: out of mean, std, and loss.
    """
    s = DEFAULTS["grpo"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        + s["kl"] * k3(reply.new, reply.reference)
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, sequence_mean(losses))


def dr_grpo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """GRPO done right: neither divided by the spread nor by a reply's own length.

    Liu et al., Understanding R1-Zero-Like Training, 2025 (arXiv:2503.20783), section 3.1: the mean
    over replies of the sum over tokens, `r - mean` of the group, no KL. The authors' code divides
    by the longest reply there may be (`max_length`), which the formula leaves out. Unjudged
    replies: out of mean and loss.
    """
    s = DEFAULTS["dr_grpo"] | settings
    advantages = spread_out(batch, by_group(batch, centred))
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, weights)
    ]
    total = sum_of(loss.sum() for loss in losses)
    return Result(advantages, total / max(len(losses), 1) / s["max_length"])


def dapo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Decoupled clip and dynamic sampling policy optimisation.

    Yu et al., DAPO, 2025 (arXiv:2503.14476), eq. 8 to 12: GRPO's advantages, clip-higher (0.2 and
    0.28), the mean over tokens, no KL. Overlong filtering (section 3.4) masks the loss of truncated
    replies; their rewards stay in the statistics of their groups, and their tokens leave the
    denominator (so TRL's `mask_truncated_completions`). `dynamic_sampling` and
    `soft_overlong_punishment` are below. Unjudged replies: out of mean, std, and loss.
    """
    s = DEFAULTS["dapo"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    without = truncated(batch) if s["mask_truncated"] else []
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, weights, without)
    ]
    return Result(advantages, token_mean(losses))


def dynamic_sampling(rewards: Tensor) -> list[bool]:
    """Which groups DAPO keeps: those whose judged rewards are not all the same (eq. 11).

    The paper counts right replies, and wants more than none and fewer than all. Unjudged replies
    count for neither: [1, 1, NaN, 1] is not informative.
    """
    known = [[r for r in group if not math.isnan(r)] for group in rewards.tolist()]
    return [len(group) > 1 and min(group) < max(group) for group in known]


def soft_overlong_punishment(length: int, longest: int = 20_480, cache: int = 4_096) -> float:
    """What DAPO adds to the reward of a reply of so many tokens (eq. 13): from 0 down to -1."""
    if length <= longest - cache:
        return 0.0
    if length <= longest:
        return (longest - cache - length) / cache
    return -1.0


def lite_ppo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Lite PPO: the group's mean, the batch's standard deviation, the mean over tokens; no KL.

    Liu, Liu, He et al., Tricks or Traps? A Deep Dive into RL for LLM Reasoning, 2025
    (arXiv:2508.08221), section 5. The deviation is that of the batch's rewards themselves, not of
    what is left when the groups' means are taken away (so TRL's `scale_rewards="batch"`). Unjudged
    replies: out of means, deviation, and loss.
    """
    s = DEFAULTS["lite_ppo"] | settings
    above = by_group(batch, centred)
    spread = deviation([reward(batch, row) for row in above], s["ddof"])
    scaled = {row: a / (spread + s["epsilon"]) if spread else 0.0 for row, a in above.items()}
    advantages = spread_out(batch, scaled)
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, token_mean(losses))


def gfpo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Group Filtered Policy Optimization: only the `keep` best of a group by a metric are taught.

    Shrivastava et al., Sample More to Think Less, 2025 (arXiv:2508.09726), eq. 2 and algorithm 1:
    mean and standard deviation (the population's: 1/k) of those kept, advantage 0 for the others,
    and the mean over the tokens of all that were sampled, those not kept included. KL and entropy
    with 0.001 each, over all tokens. The metric is `length` (short is good) or `efficiency`, reward
    over length (much is good); ties go to the first. The paper writes the KL against the old
    policy; veRL, which it was trained with, has the reference. Unjudged replies are never kept.
    """
    s = DEFAULTS["gfpo"] | settings
    kept: dict[int, float] = {}
    for group in range(len(batch.rewards)):
        rows = judged(batch, group)
        lengths = {row: float(batch.mask[row].sum()) for row in rows}
        score = {
            "length": lambda row, lengths=lengths: lengths[row],
            "efficiency": lambda row, lengths=lengths: -reward(batch, row) / lengths[row],
        }[s["metric"]]
        best = sorted(rows, key=score)[: s["keep"]]
        kept.update(
            zip(best, standardised([reward(batch, row) for row in best], s["ddof"], s["epsilon"]))
        )
    advantages = spread_out(batch, kept)
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        + s["kl"] * k3(reply.new, reply.reference)
        - s["entropy"] * reply.entropies
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, token_mean(losses))


# Ratios


def gspo(batch: Batch, **settings: Any) -> Result:
    """Group Sequence Policy Optimization.

    Zheng et al., 2025 (arXiv:2507.18071), eq. 5 to 7, bounds from section 5.1: one ratio for a
    reply, the geometric mean of its tokens' ratios, clipped as a whole; the mean over replies; no
    KL. Unjudged replies: out of mean, std, and loss.
    """
    s = DEFAULTS["gspo"] | settings
    scores = group_relative(batch, s["ddof"], s["epsilon"])
    advantages = spread_out(batch, scores)
    losses = []
    for reply in replies(batch, advantages):
        ratio = torch.exp(reply.log_ratio.sum() / len(reply.new))
        advantage = torch.tensor(scores[reply.row], dtype=torch.float64)
        losses.append(-clipped(ratio, advantage, s["clip_low"], s["clip_high"]))
    return Result(advantages, sum_of(losses) / max(len(losses), 1))


def gspo_token(batch: Batch, scores: Tensor | None = None, **settings: Any) -> Result:
    """GSPO with an advantage for each token.

    Zheng et al., 2025 (arXiv:2507.18071), eq. 13 and 14: each token's ratio has the value of the
    reply's and the gradient of its own, `sg[s] * pi / sg[pi]`. With one advantage for all tokens of
    a reply it is GSPO in value and gradient. `scores` are other advantages, (rows, length).
    Unjudged replies: out of mean, std, and loss.
    """
    s = DEFAULTS["gspo_token"] | settings
    if scores is None:
        scores = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    losses = []
    for reply in replies(batch, scores):
        whole = torch.exp(reply.log_ratio.mean()).detach()
        ratio = whole * torch.exp(reply.new - reply.new.detach())
        losses.append(-clipped(ratio, reply.advantages, s["clip_low"], s["clip_high"]))
    return Result(scores, sequence_mean(losses))


def gmpo(batch: Batch, **settings: Any) -> Result:
    """Geometric-Mean Policy Optimization.

    Zhao et al., 2025 (arXiv:2507.20673), eq. 4 and algorithm 1: each token's log-ratio is clipped
    to (-0.4, 0.4) on the side that the sign of the advantage makes PPO clip, then come the
    geometric mean over the reply, the advantage, and the mean over replies. Unjudged replies: out
    of mean, std, and loss.
    """
    s = DEFAULTS["gmpo"] | settings
    scores = group_relative(batch, s["ddof"], s["epsilon"])
    advantages = spread_out(batch, scores)
    losses = []
    for reply in replies(batch, advantages):
        advantage = scores[reply.row]
        sign = float((advantage > 0) - (advantage < 0))
        bounded = reply.log_ratio.clamp(-s["log_clip"], s["log_clip"])
        worse = sign * torch.minimum(sign * reply.log_ratio, sign * bounded)
        losses.append(-advantage * torch.exp(worse.mean()))
    return Result(advantages, sum_of(losses) / max(len(losses), 1))


def cispo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Clipped importance-sampling weights, and the gradient of every token.

    MiniMax, MiniMax-M1, 2025 (arXiv:2506.13585), eq. 4 and 5: REINFORCE with the detached ratio,
    clipped to (1 - clip_low, 1 + clip_high), as a weight; the mean over tokens; GRPO's advantages;
    no KL. The paper sets no lower bound and does not print the upper one (ScaleRL, Khatri et al.,
    2025, arXiv:2510.13786, has weights of 4 to 8 and says that it matters little; TRL takes the
    bound itself where the paper has 1 + epsilon). Unjudged replies: out of mean, std, and loss.
    """
    s = DEFAULTS["cispo"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    losses = []
    for reply in replies(batch, advantages, weights):
        ratio = reply.ratio.detach().clamp(max(1 - s["clip_low"], 0.0), 1 + s["clip_high"])
        losses.append(-reply.weights * ratio * reply.advantages * reply.new)
    return Result(advantages, token_mean(losses))


# REINFORCE


def rloo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """REINFORCE with the mean of the other replies as the baseline.

    Ahmadian et al., Back to Basics, 2024 (arXiv:2402.14740), eq. 8, after Kool et al., 2019: the
    mean over replies of the advantage times the log-probability of the whole reply, which is the
    sum over its tokens. No ratio, no clip, no length. The reward has the divergence of the whole
    reply from the reference taken off, beta times log(pi_old / pi_ref) (eq. 3). (TRL's trainer of
    that name clips ratios of whole replies.) Unjudged replies: nobody's baseline, and out of the
    loss.
    """
    s = DEFAULTS["rloo"] | settings
    advantages: dict[int, float] = {}
    for group in range(len(batch.rewards)):
        rows = judged(batch, group)
        paid = {
            row: reward(batch, row)
            - s["kl"] * float(((batch.old - batch.reference) * batch.mask)[row].sum())
            for row in rows
        }
        for row in rows:
            others = [paid[other] for other in rows if other != row]
            same = not others or min(paid.values()) == max(paid.values())
            advantages[row] = 0.0 if same else paid[row] - math.fsum(others) / len(others)
    return _reinforce(batch, spread_out(batch, advantages), weights)


def remax(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """REINFORCE with the reward of the greedy reply as the baseline.

    Li et al., ReMax, 2023 (arXiv:2310.10505), algorithm 1: as RLOO's estimate, with
    `batch.greedy`. Unjudged replies are out of the loss; where the greedy reply is unjudged, there
    is no baseline, and the advantage is 0.
    """
    assert not settings
    advantages: dict[int, float] = {}
    for group in range(len(batch.rewards)):
        baseline = float(batch.greedy[group])
        for row in judged(batch, group):
            advantages[row] = 0.0 if math.isnan(baseline) else reward(batch, row) - baseline
    return _reinforce(batch, spread_out(batch, advantages), weights)


def _reinforce(batch: Batch, advantages: Tensor, weights: Tensor | None) -> Result:
    """The mean over replies of minus the advantage times the reply's log-probability."""
    losses = [
        -(reply.weights * reply.advantages * reply.new).sum()
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, sum_of(losses) / max(len(losses), 1))


def reinforce_plus_plus(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """REINFORCE++: no groups; the KL is in the reward, and the batch is the baseline.

    Hu et al., REINFORCE++, 2025 (arXiv:2501.03262v9), eq. 8 to 10: a token's advantage is the
    reward of its reply less beta times the sum of the k1 estimates of the KL (of the old policy)
    from that token on; less the mean and over the standard deviation of all tokens of the batch;
    then PPO's clip. The authors' code (OpenRLHF) takes the population's deviation and the mean over
    tokens; the paper writes a mean of means over replies (`aggregate="sequence"`). Unjudged
    replies: out of mean, deviation, and loss.
    """
    s = DEFAULTS["reinforce++"] | settings
    returns = torch.zeros_like(batch.old)
    for group in range(len(batch.rewards)):
        for row in judged(batch, group):
            to_come = reward(batch, row)
            for t in reversed(range(batch.old.shape[1])):
                if batch.mask[row, t]:
                    to_come -= s["kl"] * float(batch.old[row, t] - batch.reference[row, t])
                    returns[row, t] = to_come
    advantages = _globally_standardised(batch, returns, s["ddof"], s["epsilon"])
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, AGGREGATE[s["aggregate"]](losses))


def reinforce_plus_plus_baseline(
    batch: Batch, weights: Tensor | None = None, **settings: Any
) -> Result:
    """REINFORCE++ with the group's mean as the baseline.

    Hu et al., REINFORCE++, 2025 (arXiv:2501.03262v9), section 3.3: `r - mean` of the group, less
    the mean and over the standard deviation of all tokens of the batch (OpenRLHF and veRL: of
    tokens, so that long replies weigh more; veRL has the sample's deviation), PPO's clip, and the
    k2 estimate of the KL in the loss (1e-5 in OpenRLHF's script for reasoning, 1e-3 in its docs).
    Unjudged replies: out of means, deviation, and loss.
    """
    s = DEFAULTS["reinforce++_baseline"] | settings
    above = spread_out(batch, by_group(batch, centred))
    advantages = _globally_standardised(batch, above, s["ddof"], s["epsilon"])
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        + s["kl"] * k2(reply.new, reply.reference)
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, AGGREGATE[s["aggregate"]](losses))


def _globally_standardised(batch: Batch, values: Tensor, ddof: int, epsilon: float) -> Tensor:
    """Values less their mean, over their deviation, taken over all tokens of judged replies."""
    rows = [row for group in range(len(batch.rewards)) for row in judged(batch, group)]
    places = [(row, t) for row in rows for t in range(values.shape[1]) if batch.mask[row, t]]
    scaled = standardised([float(values[place]) for place in places], ddof, epsilon)
    out = torch.zeros_like(values)
    for place, value in zip(places, scaled):
        out[place] = value
    return out


# A choice of tokens


def covariances(batch: Batch, advantages: Tensor) -> dict[tuple[int, int], float]:
    """Of each token, `(log pi - mean) * (A - mean)`, the means being over the batch's tokens.

    Cui et al., The Entropy Mechanism of RL for Reasoning Language Models, 2025 (arXiv:2505.22617),
    eq. 10. The log-probability is the policy's of now. Unjudged replies have none.
    """
    rows = [reply.row for reply in replies(batch, advantages)]
    places = [(row, t) for row in rows for t in range(batch.old.shape[1]) if batch.mask[row, t]]
    new = centred([float(batch.new.detach()[place]) for place in places])
    scores = centred([float(advantages[place]) for place in places])
    return {place: a * b for place, a, b in zip(places, new, scores)}


def clip_cov_candidates(
    batch: Batch, advantages: Tensor, **settings: Any
) -> tuple[list[tuple[int, int]], int]:
    """The tokens that Clip-Cov draws from, and how many it draws: `max(1, int(share * tokens))`.

    Cui et al., 2025, eq. 11: those whose covariance is within (1, 5). The authors' code leaves out
    tokens that PPO's clip already takes the gradient of, and draws one at least.
    """
    s = DEFAULTS["clip_cov"] | settings
    products = covariances(batch, advantages)
    able = []
    for (row, t), covariance in products.items():
        ratio = torch.exp(batch.new[row, t] - batch.old[row, t]).detach()
        advantage = advantages[row, t]
        inert = ratio.clamp(1 - s["clip_low"], 1 + s["clip_high"]) * advantage < ratio * advantage
        if s["low"] < covariance < s["high"] and not inert:
            able.append((row, t))
    return able, min(len(able), max(1, int(s["share"] * len(products))))


def clip_cov(
    batch: Batch, chosen: Iterable[tuple[int, int]], weights: Tensor | None = None, **settings: Any
) -> Result:
    """Clip-Cov: tokens drawn from those of high covariance have no gradient.

    Cui et al., 2025 (arXiv:2505.22617), eq. 11 and listing 1: `chosen` tokens count 0 in the sum,
    and 1 in the denominator, the number of all tokens. GRPO's advantages, no KL. PPO's clip stands
    at (1, 1) in the authors' scripts (`clip_ratio_low=1`, `clip_ratio_high=1` in
    recipe/dapo/7b_clip_cov.sh): ratios of 0 to 2. Unjudged replies: never chosen, out of mean, std,
    and loss.
    """
    s = DEFAULTS["clip_cov"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    live = torch.ones_like(batch.old)
    for place in chosen:
        live[place] = 0.0
    live = live if weights is None else live * weights
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, live)
    ]
    return Result(advantages, token_mean(losses))


def kl_cov(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """KL-Cov: tokens of the highest covariance are held to the old policy.

    Cui et al., 2025 (arXiv:2505.22617), eq. 12 and listing 1: no clip; at the tokens of the largest
    covariances (2e-3 of all for 7 B, 2e-4 for 32 B; one at least) the absolute log-ratio is added
    to the loss, with the coefficient 1; the mean over all tokens. GRPO's advantages. While the
    policy is still the old one that addition is 0 and so is its gradient: with one update for each
    batch KL-Cov does nothing. Unjudged replies: never chosen, out of mean, std, and loss.
    """
    s = DEFAULTS["kl_cov"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    products = covariances(batch, advantages)
    most = sorted(products, key=lambda place: -products[place])[
        : max(1, int(s["share"] * len(products)))
    ]
    held = torch.zeros_like(batch.old)
    for place in most:
        held[place] = 1.0
    losses = []
    for reply in replies(batch, advantages, weights):
        at = held[reply.row][batch.mask[reply.row].bool()]
        losses.append(
            s["kl"] * at * reply.log_ratio.abs() - reply.weights * reply.ratio * reply.advantages
        )
    return Result(advantages, token_mean(losses))


def top_entropy(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """DAPO on the fifth of the tokens where the policy hesitates most.

    Wang et al., Beyond the 80/20 Rule, 2025 (arXiv:2506.01939), eq. 5 and 6: the threshold is that
    of the top 20 % of the batch's tokens, those below count 0 in the sum and 1 in the denominator,
    the number of all tokens. The authors' code keeps `int(0.2 * tokens + 0.9999)` of them, so that
    a part of a token is one more (TRL takes the quantile). Truncated replies are masked as in DAPO,
    and their tokens have no part in the choice. Unjudged replies: out of mean, std, choice, and
    loss.
    """
    s = DEFAULTS["top_entropy"] | settings
    advantages = spread_out(batch, group_relative(batch, s["ddof"], s["epsilon"]))
    without = truncated(batch) if s["mask_truncated"] else []
    taught = replies(batch, advantages, weights, without)
    entropies = sorted((e for reply in taught for e in reply.entropies.tolist()), reverse=True)
    number = max(1, int(s["share"] * len(entropies) + 0.9999))
    threshold = entropies[number - 1] if entropies else 0.0
    losses = [
        -(reply.entropies >= threshold).double()
        * reply.weights
        * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in taught
    ]
    return Result(advantages, token_mean(losses))


# Turns


def gigpo(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Group-in-Group Policy Optimization: advantages of episodes, and of turns from one state.

    Feng et al., 2025 (arXiv:2505.10978), eq. 3 and 5 to 8. An episode's advantage is its reward
    less the group's mean, over F_norm (the standard deviation, or 1 with `norm="none"`); a turn's
    is its discounted return (0.95) less the mean of all turns in the group that were taken from the
    same state, over F_norm; a token has the first and `omega` (1) times the second. A state that
    was met once compares nothing: 0. The authors' code trains each turn as a row, with the mean
    over tokens and the k3 estimate of the KL (0.01), and takes an episode's statistics over its
    turns, so that long episodes weigh more; the paper takes them over episodes, as here. Unjudged
    episodes: out of all means, their turns too, and of the loss.
    """
    s = DEFAULTS["gigpo"] | settings

    def normed(values: list[float]) -> list[float]:
        if s["norm"] == "std":
            return standardised(values, s["ddof"], s["epsilon"])
        return centred(values)

    advantages = spread_out(batch, by_group(batch, normed))
    for group in range(len(batch.rewards)):
        from_state: dict[str, list[tuple[int, int]]] = {}
        returns: dict[tuple[int, int], float] = {}
        for row in judged(batch, group):
            to_come = 0.0
            for turn in reversed(range(len(batch.turns[row]))):
                to_come = batch.turn_rewards[row][turn] + s["discount"] * to_come
                returns[row, turn] = to_come
                from_state.setdefault(batch.states[row][turn], []).append((row, turn))
        for turns in from_state.values():
            for (row, turn), advantage in zip(turns, normed([returns[at] for at in turns])):
                start, end = batch.turns[row][turn]
                advantages[row, start:end] += s["omega"] * advantage * batch.mask[row, start:end]
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        + s["kl"] * k3(reply.new, reply.reference)
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, token_mean(losses))


# Pass@k


def pass_at_k_scores(rewards: list[float], k: int) -> list[float]:
    """What each reply adds to the best of k, over all subsets that it is in.

    Walder & Karkhanis, Pass@K Policy Optimization, 2025 (arXiv:2505.15201), eq. 33: the sum over
    subsets I of k replies with i in it of `max I - max (I without i)`, over the number of all
    subsets of k. By definition, where the paper has the sorted form. For k = 1 there is nothing
    left to compare with; then it is the plain leave-one-out estimate, over n.
    """
    n = len(rewards)
    if k > n or n < 2:
        return [0.0] * n
    if k == 1:
        return [
            (own - math.fsum(rewards[:i] + rewards[i + 1 :]) / (n - 1)) / n if len(set(rewards)) > 1
            else 0.0
            for i, own in enumerate(rewards)
        ]  # fmt: skip
    scores = [0.0] * n
    for subset in combinations(range(n), k):
        best = max(rewards[i] for i in subset)
        for i in subset:
            scores[i] += best - max(rewards[j] for j in subset if j != i)
    return [score / math.comb(n, k) for score in scores]


def pass_at_k(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """PKPO: the gradient of the expected best of k replies.

    Walder & Karkhanis, Pass@K Policy Optimization, 2025 (arXiv:2505.15201), eq. 15 and 33: the sum
    over a group's replies of the score times the gradient of the reply's log-probability. That is
    the mean over its n replies with n times the score as the advantage. Unjudged replies: in no
    subset, out of the mean. A group with fewer than k judged replies has advantages of 0.
    """
    s = DEFAULTS["pass@k"] | settings

    def score(rewards: list[float]) -> list[float]:
        return [len(rewards) * one for one in pass_at_k_scores(rewards, s["k"])]

    return _reinforce(batch, spread_out(batch, by_group(batch, score)), weights)


def pass_at_k_training_scores(rewards: list[float], k: int) -> list[float]:
    """The advantages of right and wrong replies when groups of k share their best reward.

    Chen et al., Pass@k Training, 2025 (arXiv:2508.10751), eq. 10 to 15, for rewards of 0 and 1:
    with p = 1 - C(wrong, k) / C(n, k) and sigma = sqrt(p (1 - p)), a right reply has
    (1 - p) / sigma, a wrong one (1 - p - C(wrong - 1, k - 1) / C(n - 1, k - 1)) / sigma. (The
    authors' code adds 1e-6 to sigma.)
    """
    n, wrong = len(rewards), sum(own < 1 for own in rewards)
    if n < k or any(own not in {0.0, 1.0} for own in rewards):
        return [0.0] * n
    solved = 1 - math.comb(wrong, k) / math.comb(n, k)
    sigma = math.sqrt(solved * (1 - solved))
    if sigma == 0:
        return [0.0] * n
    alone = math.comb(wrong - 1, k - 1) / math.comb(n - 1, k - 1)
    return [(1 - solved - (0 if own == 1 else alone)) / sigma for own in rewards]


def pass_at_k_training(batch: Batch, weights: Tensor | None = None, **settings: Any) -> Result:
    """Pass@k Training: DAPO's loss with the analytic advantages of groups of k.

    Chen et al., 2025 (arXiv:2508.10751). Rewards are 0 or 1: a group with others is refused.
    Unjudged replies: in no group of k, out of the loss.
    """
    s = DEFAULTS["pass@k_training"] | settings
    known = batch.rewards[~batch.rewards.isnan()]
    if not ((known == 0) | (known == 1)).all():
        raise ValueError("Pass@k training is for rewards of 0 and 1")
    scores = by_group(batch, lambda rewards: pass_at_k_training_scores(rewards, s["k"]))
    advantages = spread_out(batch, scores)
    losses = [
        -reply.weights * clipped(reply.ratio, reply.advantages, s["clip_low"], s["clip_high"])
        for reply in replies(batch, advantages, weights)
    ]
    return Result(advantages, token_mean(losses))


# An engine whose probabilities are not the trainer's


def truncated_importance(batch: Batch, cap: float = 2.0) -> Tensor:
    """The weight of each token: min(pi_old / pi_engine, cap), a constant to the gradient.

    Yao et al., Your Efficient RL Framework Secretly Brings You Off-Policy RL Training (TIS), 2025,
    with the cap of their runs. It multiplies the surrogate, and not the KL.
    """
    return torch.exp(batch.old - batch.engine).clamp(max=cap).detach() * batch.mask


def masked_importance(batch: Batch, low: float = 0.5, high: float = 5.0) -> Tensor:
    """The weight of each token: pi_old / pi_engine where that is within the bounds, else 0.

    Ling team, Every Step Evolves (IcePop), 2025 (arXiv:2510.18855), with the bounds there. A masked
    token stays in the denominator of the loss.
    """
    ratio = torch.exp(batch.old - batch.engine).detach()
    return torch.where((ratio >= low) & (ratio <= high), ratio, 0.0) * batch.mask


ALGORITHMS: dict[str, Callable[..., Result]] = {
    "grpo": grpo,
    "dr_grpo": dr_grpo,
    "dapo": dapo,
    "lite_ppo": lite_ppo,
    "gfpo": gfpo,
    "gspo": gspo,
    "gspo_token": gspo_token,
    "gmpo": gmpo,
    "cispo": cispo,
    "rloo": rloo,
    "remax": remax,
    "reinforce++": reinforce_plus_plus,
    "reinforce++_baseline": reinforce_plus_plus_baseline,
    "clip_cov": clip_cov,
    "kl_cov": kl_cov,
    "top_entropy": top_entropy,
    "gigpo": gigpo,
    "pass@k": pass_at_k,
    "pass@k_training": pass_at_k_training,
}


# Batches to try them on


def random_batch(
    seed: int,
    *,
    groups: int = 5,
    size: int | None = None,
    turns: int = 3,
    on_policy: bool = False,
    binary: bool = False,
) -> Batch:
    """A batch with all that goes wrong in one.

    The first group earns 0.7 (or 1) throughout, the second too, but for a reply that could not be
    judged; the others draw from 0, 0.5, 1 and anything between, with replies that could not be
    judged. Episodes have one to `turns` turns with gaps between them, some are truncated, and
    ratios reach far outside of every clip. `size` is 4, 6 or 12 by the seed.
    """
    rng = torch.Generator().manual_seed(seed)

    def uniform(*shape: int) -> Tensor:
        return torch.rand(shape, generator=rng, dtype=torch.float64)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=rng, dtype=torch.float64)

    def below(n: int) -> int:
        return int(torch.randint(n, (), generator=rng))

    size = size or (4, 6, 12)[seed % 3]
    same = 1.0 if binary else 0.7
    rewards = torch.where(uniform(groups, size) < 0.5, 0.0, 1.0)
    if not binary:
        kind = uniform(groups, size)
        rewards = torch.where(kind < 0.2, 0.5, rewards)
        rewards = torch.where(kind > 0.8, uniform(groups, size), rewards)
    rewards[0] = same
    rewards[1 % groups] = same
    rewards[2:][uniform(groups, size)[2:] < 0.15] = math.nan
    if groups > 1:
        rewards[1, below(size)] = math.nan
    rows = groups * size
    spans: list[list[tuple[int, int]]] = []
    for _ in range(rows):
        at, row = 0, []
        for turn in range(1 + below(turns)):
            at += below(4) if turn else 0
            row.append((at, at + 1 + below(6)))
            at = row[-1][1]
        spans.append(row)
    length = max(row[-1][1] for row in spans) + 1
    mask = torch.zeros(rows, length, dtype=torch.float64)
    for i, row in enumerate(spans):
        for start, end in row:
            mask[i, start:end] = 1.0
    old = -3 * uniform(rows, length)
    far = torch.where(uniform(rows, length) < 0.1, 3 * normal(rows, length), 0.0)
    new = old.clone() if on_policy else old + 0.3 * normal(rows, length) + far
    turn_rewards = []
    for i, row in enumerate(spans):
        earned = float(rewards.flatten()[i])
        parts = [below(3) / 2 for _ in row[1:]]
        turn_rewards.append([*parts, earned - sum(parts)])
    states = [["start", *(f"state {below(3)}" for _ in row[1:])] for row in spans]
    return Batch(
        rewards=rewards,
        truncated=uniform(groups, size) < 0.15,
        new=new.requires_grad_(),
        old=old,
        reference=old + 0.3 * normal(rows, length),
        engine=old + 0.05 * normal(rows, length) + far.flip(0) / 2,
        entropies=(3 * uniform(rows, length)).requires_grad_(),
        mask=mask,
        turns=spans,
        turn_rewards=turn_rewards,
        states=states,
        greedy=torch.where(uniform(groups) < 0.2, math.nan, torch.round(uniform(groups))),
    )


def with_new(batch: Batch, new: Tensor) -> Batch:
    """The same batch under another policy of now."""
    return replace(batch, new=new.detach().clone().requires_grad_())


def gradient(batch: Batch, result: Result, by: Tensor | None = None) -> Tensor:
    """The gradient of the loss by the log-probabilities, or by another tensor: (rows, length)."""
    by = batch.new if by is None else by
    if not result.loss.requires_grad:
        return torch.zeros_like(by)
    (out,) = torch.autograd.grad(result.loss, by, retain_graph=True, allow_unused=True)
    return torch.zeros_like(by) if out is None else out
