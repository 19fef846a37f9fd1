"""What a training step measures, as a row of the log."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from statistics import fmean
from typing import Any

from palaestra.trainers.grpo.rollouts import Group
from palaestra.trainers.hints import hint_figures


@dataclass
class Report:
    """The figures of a step. A figure that was not measured is None and is not logged.

    The row of step 0, before the first update, has ``eval_score`` alone.
    """

    step: int
    reward: float | None = None
    """Mean reward, after shaping."""

    score: float | None = None
    success: float | None = None
    """Fraction of the scored rollouts whose score is 1."""

    unscored: int | None = None
    """Rollouts without a score, which contribute nothing to the update."""

    zero_std: float | None = None
    """Fraction of the groups whose rewards are all equal."""

    dropped: float | None = None
    """Fraction of the sampled groups that the options exclude from the update."""

    hinted: float | None = None
    """Fraction of the sampled groups whose task has a hint, if there are any."""

    hint_rung: float | None = None
    """Mean rung of these hints, from 1 to 3."""

    length: float | None = None
    """Mean number of tokens sampled in a rollout."""

    truncated: float | None = None
    """Fraction of the rollouts with a truncated reply, or that ended at a limit of the episode."""

    masked: float | None = None
    """Fraction of the rollouts of the update that contribute nothing because of truncation."""

    loss: float | None = None
    """Mean over minibatches."""

    entropy: float | None = None
    """Mean in nats per token, over the rollouts with a gradient, as the next four figures."""

    clip_fraction: float | None = None
    approx_kl: float | None = None
    """Divergence from the policy that sampled (k3)."""

    logprob_gap: float | None = None
    """Mean absolute difference between engine and trainer before the first update."""

    logprob_gap_max: float | None = None
    grad_norm: float | None = None
    learning_rate: float | None = None
    temperature: float | None = None
    rollouts: int | None = None
    """Sampled rollouts, including those of excluded groups."""

    tokens: int | None = None
    """Sampled tokens in all of them."""

    rollout_s: float | None = None
    judge_s: float | None = None
    """Part of ``rollout_s`` that judging took; sampling may have gone on at the same time."""

    learn_s: float | None = None
    eval_score: float | None = None

    @classmethod
    def of(cls, step: int, sampled: Sequence[Group], kept: Sequence[Group]) -> "Report":
        """Return the figures of some groups, of which those kept enter the update."""
        rollouts = [one for group in sampled for one in group.rollouts]
        rewards = [each for group in sampled for each in group.rewards if isfinite(each)]
        scores = [one.value for one in rollouts if one.value is not None]
        report = cls(
            step=step,
            unscored=len(rollouts) - len(scores),
            zero_std=fmean(group.spread == 0 for group in sampled),
            dropped=1 - len(kept) / len(sampled),
            **hint_figures([group.rollouts[0].address for group in sampled]),
            length=fmean(one.length for one in rollouts),
            truncated=fmean(one.truncated for one in rollouts),
            rollouts=len(rollouts),
            tokens=sum(one.length for one in rollouts),
        )
        if scores and rewards:
            report.reward, report.score = fmean(rewards), fmean(scores)
            report.success = fmean(value == 1 for value in scores)
        return report

    def row(self) -> dict[str, Any]:
        """Return the figures that were measured."""
        return {name: value for name, value in asdict(self).items() if value is not None}
