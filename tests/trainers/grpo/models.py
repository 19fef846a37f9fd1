"""Small models and options that tests of the reference trainer share."""

import pytest

from palaestra import Address
from palaestra.task import JudgeError, Score

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from palaestra.trainers.grpo.config import Config  # noqa: E402
from palaestra.trainers.grpo.rollouts import Group, Rollout  # noqa: E402
from palaestra.trainers.models.tokens import Characters  # noqa: E402

SORTING = {"algorithms/sort_six": 1.0}

SMALL = Config(
    environments=SORTING, levels=(0,), answer_format="silent", max_reply_tokens=14,
    max_episode_tokens=72, warmup_steps=3, steps=2, groups=4, group_size=4, eval_every=0,
)  # fmt: skip

PRINTABLE = Characters.of([chr(n) for n in range(32, 127)] + ["\n"])

NAN = float("nan")


def tensor(rows):
    return torch.tensor(rows, dtype=torch.float64)


def clip(ratio, a, _):
    return max(-a * ratio, -a * min(1.28, max(0.8, ratio)))


def dual(ratio, a, _):
    clipped = clip(ratio, a, _)
    return min(clipped, -a * 1.5) if a < 0 else clipped


CASES = {
    "clip": ({}, clip),
    "dual": ({"dual_clip": 1.5}, dual),
    "cispo": (
        {"surrogate": "cispo", "clip_low": 1},
        lambda ratio, a, new: -min(ratio, 1.28) * a * new,
    ),
    "unclipped": ({"surrogate": "unclipped"}, lambda ratio, a, new: -a * ratio),
    "reinforce": ({"surrogate": "reinforce"}, lambda ratio, a, new: -a * new),
}

KINDS = [
    *({**options, "aggregation": "token"} for options, _ in CASES.values()),
    {"ratio": "sequence", "aggregation": "sequence", "clip_low": 3e-4, "clip_high": 4e-4},
    {"surrogate": "geometric", "aggregation": "sequence"},
    {"tokens": "top_entropy"},
    {"tokens": "clip_cov", "clip_cov_share": 0.3, "clip_cov_low": 0.0},
    {"tokens": "kl_cov", "surrogate": "unclipped", "kl_cov_share": 0.3},
]


def rollout(value, length=2, *, reply="x", parts=None, status="scored", truncated=False):
    score = JudgeError("away") if value is None else Score(value, "", parts or {}, status)
    return Rollout(
        Address.of("algorithms/sort_six", 1, 0), [5, *[6] * length], [False, *[True] * length],
        [0.0, *[-1.0] * length], [(1, 1 + length)], [reply], [value or 0.0], ["start"],
        score=score, truncated=truncated,
    )  # fmt: skip


def group(*values, **options):
    rollouts = [rollout(value, **options) for value in values]
    return Group(rollouts, [NAN if value is None else value for value in values])
