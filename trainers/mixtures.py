"""Mixtures: environments with weights and levels, in the forms that trainers and adapters read."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from palaestra.address import SEEDS
from palaestra.extras import needs
from palaestra.trainers import curricula

_PARTS = {"environments", "levels"}
_OTHER_SHAPES = (LookupError, TypeError, AttributeError)
"""What is raised for values of another shape."""

_PLAIN = re.compile(r"\w+/\w+")


@dataclass(frozen=True)
class Mixture:
    """Environments with their weights, and the levels of each from which tasks are sampled.

    Raises ``ValueError`` unless both name the same environments, one at least, with one level at
    least.
    """

    environments: Mapping[str, float]
    levels: Mapping[str, tuple[int, ...]]
    answer_format: str = "tags"

    def __post_init__(self) -> None:
        if self.environments.keys() != self.levels.keys() or not self.environments:
            raise ValueError("a mixture has weights and levels for the same environments")
        if not all(self.levels.values()):
            raise ValueError("each environment of a mixture has one level at least")

    @classmethod
    def load(cls, file: Path) -> Self:
        """Return the mixture in a YAML file. Raises ``ValueError``, and ``OSError`` for no file."""
        with needs("yaml", "PyYAML"):
            import yaml

        try:
            values = yaml.safe_load(file.read_text("utf-8"))
            if isinstance(values, dict) and (lacking := _PARTS - values.keys()):
                raise ValueError(f"it has no {' and no '.join(sorted(lacking))}")
            levels = {str(env): (*map(_level, own),) for env, own in values["levels"].items()}
            weights = {str(env): float(weight) for env, weight in values["environments"].items()}
        except (yaml.YAMLError, ValueError, OverflowError, *_OTHER_SHAPES) as error:
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"{file.name} is not a mixture: {reason}") from None
        return cls(weights, levels, str(values.get("answer_format", "tags")))

    def text(self, comment: str = "") -> str:
        """Return the file for ``palaestra train``, with a comment before it."""
        lines = [f"# {line}".rstrip() for line in comment.splitlines()]
        lines.append("environments:")
        lines += [f"  {_key(env)}: {weight:g}" for env, weight in self.environments.items()]
        lines.append("levels:")
        lines += [f"  {_key(env)}: {[*levels]}" for env, levels in self.levels.items()]
        lines.append(f"answer_format: {self.answer_format}")
        return "\n".join([*lines, ""])

    def cells(self) -> tuple[curricula.Cell, ...]:
        """Return the cells of a curriculum, for :func:`palaestra.trainers.curricula.make`."""
        return curricula.cells(self.environments, self.levels)

    def entries(self) -> list[dict[str, Any]]:
        """Return the ``environments`` of a request to ``/v1/curricula``."""
        return [
            {"env": env, "weight": weight, "levels": [*self.levels[env]]}
            for env, weight in self.environments.items()
        ]

    def selections(self, tasks: int, first: int = 0) -> Iterator[str]:
        """Iterate over selections of about as many tasks, for adapters that read these.

        The tasks are divided by weight, and evenly over the levels of an environment; each level
        has one at least. They are from the training seeds, from ``first`` on. Raises
        ``ValueError`` for numbers that are out of range.

        >>> mixture = Mixture({"games/mastermind": 1.0}, {"games/mastermind": (0, 2)})
        >>> [*mixture.selections(100)]
        ['games/mastermind?level=0&seeds=0:50', 'games/mastermind?level=2&seeds=0:50']
        """
        if tasks < 1 or first < 0 or first + tasks > len(SEEDS["train"]):
            raise ValueError(f"there are no {tasks} tasks from seed {first} on")
        total = sum(self.environments.values())
        for env, weight in self.environments.items():
            levels = self.levels[env]
            number = max(1, round(tasks * weight / total / len(levels)))
            for level in levels:
                yield f"{env}?level={level}&seeds={first}:{first + number}"


def _level(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"a level is a whole number, not {str(value)[:20]!r}")
    return value


def _key(env: str) -> str:
    """A name as a key in YAML; that of a combination is quoted."""
    return env if _PLAIN.fullmatch(env) else json.dumps(env)
