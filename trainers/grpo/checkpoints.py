"""Checkpoints of a run: everything that the next step depends on, as tensors and text."""

import json
from pathlib import Path
from random import Random
from typing import Any, Protocol

import torch

from palaestra import __version__
from palaestra.catalog import catalog
from palaestra.trainers.curricula import Cell, Curriculum
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.rewards import Rewards
from palaestra.trainers.self_play import RoleBaselines

CHECKPOINT = "last.pt"
FREE = {
    "steps", "out", "device", "threads", "judge_threads", "save_every", "eval_every", "eval_tasks",
    "eval_samples", "log_to",
}  # fmt: skip
"""Options that may change when a run resumes."""


class Run(Protocol):
    """The parts of a training run that a checkpoint stores."""

    config: Config
    limits: Any
    mixture: tuple[Cell, ...]
    model: Any
    optimizer: Any
    reference: Any
    device: Any
    generator: torch.Generator
    rng: Random
    curriculum: Curriculum
    rewards: Rewards
    roles: RoleBaselines
    step: int
    temperature: float
    log: list[dict[str, Any]]


def save(trainer: Run, file: Path) -> None:
    """Save a run. A run that is killed meanwhile leaves the previous checkpoint."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    reference = trainer.reference
    torch.save(
        {
            "model": trainer.model.state_dict(),
            "optimizer": trainer.optimizer.state_dict(),
            "reference": None if reference is None else reference.state_dict(),
            "generator": trainer.generator.get_state(),
            "torch": torch.get_rng_state(),
            "rng": json.dumps(trainer.rng.getstate()),
            "curriculum": json.dumps(trainer.curriculum.state()),
            "rewards": json.dumps(trainer.rewards.state()),
            "roles": json.dumps(trainer.roles.state()),
            "step": trainer.step,
            "temperature": trainer.temperature,
            "log": json.dumps(trainer.log),
            "manifest": json.dumps(manifest(trainer)),
        },
        fresh,
    )
    fresh.replace(file)


def restore(trainer: Run, file: Path) -> None:
    """Resume a run from a checkpoint, without executing anything in it.

    Raises ``ValueError`` if its run has other options.
    """
    stored = torch.load(file, map_location=trainer.device, weights_only=True)
    before = Config.read(json.loads(stored["manifest"])["config"]).plain()
    mine, free = trainer.config.plain(), set(FREE)
    if trainer.config.learning_rate_schedule != "constant":
        free.remove("steps")  # the learning rate falls until the last one
    if odd := [name for name in mine if name not in free and mine[name] != before[name]]:
        raise ValueError(f"the checkpoint is of a run with another {odd[0]}: {before[odd[0]]!r}")
    trainer.model.load_state_dict(stored["model"])
    trainer.optimizer.load_state_dict(stored["optimizer"])
    if trainer.reference is not None:
        trainer.reference.load_state_dict(stored["reference"])
    trainer.generator.set_state(stored["generator"].cpu())
    torch.set_rng_state(stored["torch"].cpu())
    version, numbers, carried = json.loads(stored["rng"])
    trainer.rng.setstate((version, tuple(numbers), carried))
    trainer.curriculum.restore(json.loads(stored["curriculum"]))
    trainer.rewards.restore(json.loads(stored["rewards"]))
    trainer.roles.load(json.loads(stored["roles"]))
    trainer.step, trainer.temperature = stored["step"], stored["temperature"]
    trainer.log[:] = json.loads(stored["log"])


def manifest(trainer: Run) -> dict[str, Any]:
    """Return what identifies a run: versions, options, limits, and fingerprints of tasks."""
    return {
        "palaestra": __version__,
        "torch": torch.__version__,
        "config": trainer.config.plain(),
        "limits": {name: getattr(trainer.limits, name) for name in ("reply", "episode", "turns")},
        "fingerprints": {
            cell.env: catalog().get(cell.env, {}).get("fingerprint") for cell in trainer.mixture
        },
        "parameters": sum(each.numel() for each in trainer.model.parameters()),
    }
