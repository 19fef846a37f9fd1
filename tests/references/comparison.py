"""A recipe of the trainer beside its reference, on one random batch.

The trainer's own `lesson` and `_update` are run, with a table of log-probabilities in place of a
model: what they look up is what the reference is given, and the gradient is taken by the table.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from palaestra.address import Address
from palaestra.task import JudgeError, Score
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.recipes import RECIPES
from palaestra.trainers.grpo.rollouts import Group, Rollout
from palaestra.trainers.grpo.trainer import Trainer
from tests.references import algorithms
from tests.references.algorithms import (
    ALGORITHMS,
    DEFAULTS,
    Result,
    gradient,
    random_batch,
)

ADDRESS = Address.of("algorithms/sort_six", 0, 0)
MAX_REPLY_TOKENS = 32
CONVENTIONS = {"epsilon": 1e-6}
"""What the trainer adds to standard deviations, as veRL does."""

DIFFERENT: dict[str, dict[str, Any]] = {
    "dr_grpo": {"max_length": MAX_REPLY_TOKENS},
    "gfpo": {"keep": 2},  # groups are small here
    "clip_cov": {"share": 0.02, "low": 0.2, "high": 5.0},  # batches are
    "kl_cov": {"share": 0.02},
}
"""Settings of a comparison that are not the paper's, and those in which the trainer differs."""

OPTIONS: dict[str, dict[str, Any]] = {
    "gfpo": {"keep_rollouts": 2},
    "clip_cov": {"loss": {"clip_cov_share": 0.02, "clip_cov_low": 0.2}},
    "kl_cov": {"loss": {"kl_cov_share": 0.02}},
}
"""The same as options of the trainer."""


class Difference(NamedTuple):
    """The largest differences of a comparison; those of gradients over the largest gradient."""

    loss: float
    advantage: float
    gradient: float
    """By log-probabilities and by entropies."""

    @property
    def largest(self) -> float:
        return max(self)


@contextmanager
def in_float64() -> Iterator[None]:
    """So that what differs is not the rounding of float32."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@cache
def trainer_of(recipe: str, size: int, importance: str = "none") -> Trainer:
    """A trainer by a recipe, with two minibatches at least so that the old policy is asked."""
    values: dict[str, Any] = {
        "recipe": recipe, "groups": 8, "group_size": size, "warmup_steps": 0, "eval_every": 0,
        "max_reply_tokens": MAX_REPLY_TOKENS, "max_logprob_gap": 100.0, "device": "cpu",
        "minibatches": max(2, int(RECIPES[recipe].settings.get("minibatches", 2))),
    }  # fmt: skip
    extra = OPTIONS.get(recipe, {})
    loss = {"importance": importance} | extra.get("loss", {})
    return Trainer(Config.read(values | extra | {"loss": loss}))


def rollouts_of(batch: algorithms.Batch) -> list[Rollout]:
    """The batch as the trainer has it: a prompt of one token before every row."""
    rollouts = []
    for row, spans in enumerate(batch.turns):
        end = spans[-1][1]
        reward = float(batch.rewards.flatten()[row])
        rollouts.append(
            Rollout(
                ADDRESS,
                ids=[0] * (end + 1),
                sampled=[False, *batch.mask[row, :end].bool().tolist()],
                logprobs=[0.0, *(batch.engine * batch.mask)[row, :end].tolist()],
                turns=[(start + 1, stop + 1) for start, stop in spans],
                replies=["x"] * len(spans),
                rewards=list(batch.turn_rewards[row]),
                states=list(batch.states[row]),
                score=JudgeError("no") if math.isnan(reward) else Score(min(max(reward, 0.0), 1.0)),
                truncated=bool(batch.truncated.flatten()[row]),
            )
        )
    return rollouts


class Ours(NamedTuple):
    """What the trainer made of a batch."""

    loss: float
    advantages: Tensor
    gradients: Tensor
    """By log-probabilities and by entropies: (2, rows, length)."""

    left_out: list[tuple[int, int]]
    """Tokens that count in means and not in the surrogate."""


def by_trainer(
    recipe: str, batch: algorithms.Batch, microbatch_tokens: int, importance: str = "none"
) -> Ours:
    """One update by the trainer, the whole batch being a minibatch."""
    groups, size = batch.rewards.shape
    trainer = trainer_of(recipe, size, importance)
    length = max(spans[-1][1] for spans in batch.turns)
    new, entropies = (
        each.detach()[:, :length].clone().requires_grad_() for each in (batch.new, batch.entropies)
    )
    tables = {"old": batch.old, "new": new, "reference": batch.reference}
    tables_of = {"policy": "old"}

    def look_up(model: Any, _: Any, rows: list[int], size: int, mask: Tensor, *__: Any) -> Any:
        name = "reference" if model is trainer.reference else tables_of["policy"]
        cut = slice(size - 1)
        counts = mask[rows, cut]
        return tables[name][rows, cut] * counts, entropies[rows, cut] * counts

    played = rollouts_of(batch)
    paid = {id(one): float(r) for one, r in zip(played, batch.rewards.flatten())}
    greedy = [Rollout(ADDRESS, [0, 0], [False, True], [0.0, 0.0]) for _ in range(groups)]
    paid |= {id(one): float(r) for one, r in zip(greedy, batch.greedy)}
    own = trainer.rewards
    fields = {
        "config": trainer.config.changed(microbatch_tokens=microbatch_tokens),
        "_forward": look_up,
        "_apply": lambda *_: 0.0,
        "player": SimpleNamespace(play=lambda *_: greedy),
        "rewards": _Paid(own, paid),
    }
    before = {name: vars(trainer).get(name) for name in fields}
    vars(trainer).update(fields)
    try:
        lesson = trainer.lesson(
            [
                Group(some := played[n : n + size], [paid[id(one)] for one in some])
                for n in range(0, len(played), size)
            ]
        )
        tables_of["policy"] = "new"
        rows = list(range(len(played)))
        kept, _ = trainer._selected(rows, lesson) if recipe != "clip_cov" else (lesson.mask, None)
        if recipe == "clip_cov":  # drawn once, so that the draw can be told to the reference
            selection = trainer._selected(rows, lesson)
            kept = selection[0]
            vars(trainer)["_selected"] = lambda *_: selection
        figures = trainer._update(rows, lesson, True)
    finally:
        vars(trainer).pop("_selected", None)
        for name, value in before.items():
            if value is None:
                vars(trainer).pop(name)
            else:
                vars(trainer)[name] = value
    slopes = torch.zeros(2, *batch.old.shape)
    for slope, table in zip(slopes, (new, entropies)):
        if table.grad is not None:
            slope[:, :length] = table.grad
    advantages = torch.zeros_like(batch.old)
    advantages[:, :length] = lesson.advantages * lesson.mask
    left_out = ((lesson.mask - kept) > 0).nonzero().tolist()
    return Ours(
        figures.get("loss", 0.0), advantages, slopes, [(row, column) for row, column in left_out]
    )


class _Paid:
    """Rewards that are given."""

    def __init__(self, own: Any, paid: dict[int, float]) -> None:
        self.paid, self.of_turns = paid, own.of_turns

    def __call__(self, group: list[Rollout], update: bool = True) -> list[float]:
        return [self.paid[id(one)] for one in group]


def by_reference(
    recipe: str, batch: algorithms.Batch, ours: Ours, weights: Tensor | None = None
) -> Result:
    """The same by the reference, with the trainer's conventions where the paper is silent."""
    known = DEFAULTS[recipe].keys()
    settings = {name: value for name, value in CONVENTIONS.items() if name in known}
    settings |= DIFFERENT.get(recipe, {})
    if recipe == "clip_cov":
        return algorithms.clip_cov(batch, ours.left_out, weights, **settings)
    if weights is not None:
        settings["weights"] = weights
    return ALGORITHMS[recipe](batch, **settings)


def compare(
    recipe: str,
    seed: int,
    microbatch_tokens: int = 16_384,
    importance: str = "none",
    **options: Any,
) -> Difference:
    """The trainer against the reference on a random batch."""
    with in_float64():
        batch = random_batch(seed, **options)
        ours = by_trainer(recipe, batch, microbatch_tokens, importance)
        weights = {
            "none": lambda: None,
            "truncate": lambda: algorithms.truncated_importance(batch),
            "mask": lambda: algorithms.masked_importance(batch),
        }[importance]()
        theirs = by_reference(recipe, batch, ours, weights)
        slopes = torch.stack([gradient(batch, theirs, by) for by in (batch.new, batch.entropies)])
        masked = torch.ones_like(batch.truncated)
        if trainer_of(recipe, batch.rewards.shape[1], importance).config.mask_truncated:
            masked = ~batch.truncated
        advantages = theirs.advantages * masked.flatten()[:, None]
        largest = max(float(slopes.abs().max()), 1e-12)
        return Difference(
            abs(ours.loss - float(theirs.loss.detach())),
            float((ours.advantages - advantages).abs().max()),
            float((ours.gradients - slopes).abs().max()) / largest,
        )
