"""What a part of a URL names: an environment, and how its tasks are drawn and put.

Clients of these protocols are given a URL and nothing else, so all that can be chosen stands in it:
``games.mastermind@1:level=2:split=eval:answer_format=bare:guesses=9``. Everything behind the slug
may be left out, and so may the version.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, get_args

from fastapi import Path

from palaestra.address import SEEDS, Address, Split
from palaestra.catalog import slug
from palaestra.registry import load
from palaestra.server.problems import InvalidRequest
from palaestra.server.structs import AnswerFormat
from palaestra.task import Puzzle, Task

Name = Annotated[str, Path(max_length=500, examples=["games.mastermind@1:level=2"])]
"""Such a part, as routes declare it."""


@dataclass(frozen=True)
class EnvironmentSpec:
    """An environment, and how its tasks are drawn and put."""

    env: str
    answer_format: AnswerFormat
    level: int = 0
    split: Split = "train"
    knobs: Mapping[str, str] = field(default_factory=dict)

    def address(self, seed: int, level: int | None = None, split: Split | None = None) -> Address:
        """The address of a seed, which counts within its split."""
        level = self.level if level is None else level
        return Address.of(self.env, seed, level, split or self.split, **self.knobs)

    @property
    def task_type(self) -> type[Task]:
        """The class of its tasks."""
        return load(self.env)

    @property
    def slug(self) -> str:
        """The environment alone, as a part of a URL."""
        return slug(self.env, self.task_type.version)


def parse_environment(text: str, answer_format: AnswerFormat = "tags") -> EnvironmentSpec:
    """What a part of a URL names; ``answer_format`` is that of the protocol, unless another is
    asked for.

    Raises :class:`UnknownEnvironment`, :class:`StaleVersion`, :class:`KnobError` and
    :class:`InvalidRequest`, each saying what would be right.

    >>> parse_environment("games.mastermind@1:level=2:guesses=9").address(3)
    Address(env='games/mastermind', version=1, knobs=Knobs(length=4, digits=6, guesses=9), seed=3)
    """
    first, *options = text.split(":")
    name, at, version = first.replace(".", "/", 1).partition("@")
    env = Address.parse(f"{name}{at}{version}").env
    options_by_name = _options(options)
    level, split = options_by_name.pop("level", "0"), options_by_name.pop("split", "train")
    chosen = answer_format_of(options_by_name.pop("answer_format", answer_format))
    if not (level.isascii() and level.isdecimal() and len(level) <= 4):
        raise InvalidRequest(f"a level is a whole number, not {level[:20]!r}")
    if split not in SEEDS:
        raise InvalidRequest(f"a split is one of {', '.join(SEEDS)}, not {split[:20]!r}")
    spec = EnvironmentSpec(env, chosen, int(level), split, options_by_name)
    spec.address(0)  # whose knobs are read here, so that what is wrong with them is told at once
    return spec


def _options(parts: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or not name.isidentifier() or name in values:
            raise InvalidRequest(f"behind a slug come :name=value, each once, not {part[:40]!r}")
        values[name] = value
    return values


def answer_format_of(text: str) -> AnswerFormat:
    """An answer format by its name."""
    known: tuple[AnswerFormat, ...] = get_args(AnswerFormat)
    for answer_format in known:
        if answer_format == text:
            return answer_format
    raise InvalidRequest(f"an answer format is one of {', '.join(known)}, not {text[:20]!r}")


def of_one_reply(env: str) -> bool:
    """Whether the tasks of an environment are settled by one reply."""
    return issubclass(load(env), Puzzle)
