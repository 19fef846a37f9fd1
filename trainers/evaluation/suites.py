"""Suites: which environments are evaluated, at which levels, on how many of the held-out seeds.

A suite is a YAML list. Each entry names environments, by themselves or by patterns::

    - environments: logic/*       # or a list of names and patterns
      levels: [0, 2]              # all of them unless given; those that an environment has
      tasks: 20                   # for each environment and level
    - environments: games/mastermind
      knobs: {length: 5}          # set by hand, on top of the level
      answer_format: boxed                # how answers are marked; tags unless given

A bare name or pattern stands for an entry of its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from palaestra.address import SEEDS, Address
from palaestra.episode import answer_format_of
from palaestra.extras import needs
from palaestra.registry import UnknownEnvironment, load, names, packages
from palaestra.task import KnobError

TASKS = 20
"""How many tasks of each environment and level, unless told otherwise."""

_KEYS = ("environments", "levels", "tasks", "seed", "knobs", "answer_format")
_ALIASES: Mapping[Any, str] = dict.fromkeys(("env", "envs", "environment"), _KEYS[0])


class BadSuite(ValueError):
    """A suite that cannot be read, or asks for what there is not."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Some tasks of an environment at a level: as many as ``tasks``, from the held-out seed
    ``first`` on, which counts from 0.
    """

    env: str
    level: int
    tasks: int = TASKS
    first: int = 0
    knobs: Mapping[str, Any] = field(default_factory=dict)
    answer_format: str = "tags"

    @property
    def name(self) -> str:
        """The level in words, with the knobs that are set by hand."""
        by_hand = "".join(f", {name}={value}" for name, value in sorted(self.knobs.items()))
        styled = "" if self.answer_format == "tags" else f", {self.answer_format}"
        return f"level {self.level}{by_hand}{styled}"

    def addresses(self) -> Iterator[Address]:
        """Its tasks, on evaluation seeds."""
        for seed in range(self.first, self.first + self.tasks):
            yield Address.of(self.env, seed, self.level, "eval", **self.knobs)


@dataclass(frozen=True)
class Suite:
    """Cells, none of which has a task of another one."""

    cells: tuple[Cell, ...]
    name: str = "suite"

    def __post_init__(self) -> None:
        if not self.cells:
            raise BadSuite("a suite names one environment at least")
        held: dict[tuple[str, str], Cell] = {}
        for cell in self.cells:
            for address in cell.addresses():
                other = held.setdefault((str(address), cell.answer_format), cell)
                if other is not cell:
                    reason = f"{cell.env} has {cell.name} twice, with {address}"
                    raise BadSuite(f"{self.name}: {reason}; give one of them another seed")

    @classmethod
    def of(
        cls,
        environments: str | Iterable[str],
        levels: Iterable[int] | None = None,
        tasks: int = TASKS,
        answer_format: str = "tags",
        name: str = "suite",
    ) -> Self:
        """The suite of some environments or patterns, at all levels unless some are given."""
        entry: dict[str, Any] = {"tasks": tasks, "answer_format": answer_format}
        entry["environments"] = (
            environments if isinstance(environments, str) else list(environments)
        )
        if levels is not None:
            entry["levels"] = list(levels)
        return cls(tuple(_cells(entry, name)), name)

    @classmethod
    def read(cls, plain: Any, name: str = "suite") -> Self:
        """A suite from plain values, such as a YAML file holds. Raises :class:`BadSuite`."""
        if isinstance(plain, Mapping) and isinstance(plain.get("suite"), list):
            plain = plain["suite"]
        if not isinstance(plain, list):
            raise BadSuite(f"{name}: a suite is a list of entries; see examples/suite.yaml")
        cells: list[Cell] = []
        for number, entry in enumerate(plain, 1):
            cells += _cells(entry, f"{name}, entry {number}")
        return cls(tuple(cells), name)

    @classmethod
    def load(cls, file: Path) -> Self:
        """A suite from a YAML file. Raises :class:`BadSuite`, and ``OSError`` for no file."""
        with needs("yaml", "PyYAML"):
            import yaml

        try:
            plain = yaml.safe_load(file.read_text("utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            reason = " ".join(str(error).split())[:300]
            raise BadSuite(f"{file.name} is no YAML: {reason}") from None
        return cls.read(plain, file.name)

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return sum(cell.tasks for cell in self.cells)

    def digest(self) -> str:
        """A name of exactly these tasks, in whichever order they are listed."""
        lines = sorted(f"{a} {cell.answer_format}" for cell in self.cells for a in cell.addresses())
        return sha256("\n".join(lines).encode()).hexdigest()[:16]

    def rounds(self) -> Iterator[tuple[Cell, Address]]:
        """All tasks, cell by cell in turn, so that what is done first tells of all cells."""
        waiting = [(cell, cell.addresses()) for cell in self.cells]
        while waiting:
            left = []
            for cell, addresses in waiting:
                if (address := next(addresses, None)) is not None:
                    yield cell, address
                    left.append((cell, addresses))
            waiting = left


def _cells(entry: Any, where: str) -> Iterator[Cell]:
    """The cells of an entry. Raises :class:`BadSuite`, saying where."""
    if isinstance(entry, str):
        entry = {"environments": entry}
    if not isinstance(entry, Mapping):
        raise BadSuite(f"{where}: an entry is a name or has keys, not {str(entry)[:60]!r}")
    entry = {_ALIASES.get(key, key): value for key, value in entry.items()}
    if odd := [str(key) for key in entry if key not in _KEYS]:
        near = get_close_matches(odd[0], _KEYS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_KEYS)}"
        raise BadSuite(f"{where}: no key {odd[0][:40]!r}; {hint}")
    wanted = entry.get("environments")
    patterns = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        raise BadSuite(f"{where}: 'environments' is a name, a pattern or a list of them")
    tasks = _number(entry, "tasks", TASKS, 1, 100_000, where)
    first = _number(entry, "seed", 0, 0, len(SEEDS["eval"]) - tasks, where)
    knobs = entry.get("knobs") or {}
    if not isinstance(knobs, Mapping):
        raise BadSuite(f"{where}: 'knobs' are names and values, such as {{size: 5}}")
    answer_format = str(entry.get("answer_format", "tags"))
    try:
        answer_format_of(answer_format)
        for pattern in patterns:
            for env, level in matching(pattern, _levels(entry.get("levels"), where), where):
                cell = Cell(env, level, tasks, first, dict(knobs), answer_format)
                next(cell.addresses())  # knobs that there are not are told now
                yield cell
    except KnobError as error:
        raise BadSuite(f"{where}: {error}") from None
    except ValueError as error:
        raise error if isinstance(error, BadSuite) else BadSuite(f"{where}: {error}") from None


def _number(  # noqa: PLR0913, PLR0917
    entry: Mapping[str, Any], key: str, default: int, low: int, high: int, where: str
) -> int:
    value = entry.get(key, default)
    if type(value) is not int or not low <= value <= high:
        reason = f"'{key}' is a whole number from {low} to {high:,}, not {str(value)[:40]!r}"
        raise BadSuite(f"{where}: {reason}")
    return value


def _levels(value: Any, where: str) -> list[int] | None:
    """The levels that are asked for; None for all."""
    if value is None or value == "all":
        return None
    if isinstance(value, str) and (span := re.fullmatch(r"(\d{1,3})-(\d{1,3})", value)):
        value = list(range(int(span[1]), int(span[2]) + 1))
    levels = [value] if type(value) is int else value
    if not isinstance(levels, list) or not levels or any(type(each) is not int for each in levels):
        raise BadSuite(f"{where}: 'levels' is all, a number, a list or a span such as 0-2")
    return list(dict.fromkeys(levels))


def matching(
    pattern: str, levels: Sequence[int] | None, where: str
) -> Iterator[tuple[str, int]]:  # fmt: skip
    """The environments like a pattern, each with those of the levels that it has; None for all.

    Raises :class:`~palaestra.registry.UnknownEnvironment` or :class:`BadSuite`, whose messages
    begin with ``where``.
    """
    plain = not set(pattern) & set("*?[")
    matches = [pattern] if plain else [name for name in names() if fnmatchcase(name, pattern)]
    if not matches:
        category = pattern.partition("/")[0]
        near = get_close_matches(category, packages(), 2, 0.5)
        hint = f"did you mean {' or '.join(f'{each}/*' for each in near)}?" if near else ""
        if category in packages():
            hint = f"{category} has {', '.join(n for n in names() if n.startswith(category))}"
        hint = hint or f"categories are {', '.join(sorted(packages()))}"
        raise UnknownEnvironment(f"{where}: no environment is like {pattern[:80]!r}; {hint}")
    any_level = False
    for env in matches:
        try:
            there = range(load(env).Knobs.levels())
        except UnknownEnvironment as error:
            raise UnknownEnvironment(f"{where}: {error.args[0]}") from None
        wanted = there if levels is None else [level for level in levels if level in there]
        if plain and levels is not None and len(wanted) < len(levels):
            missing = next(level for level in levels if level not in there)
            raise BadSuite(f"{where}: {env} has levels 0 to {len(there) - 1}, not {missing}")
        any_level = any_level or bool(wanted)
        yield from ((env, level) for level in wanted)
    if not any_level:
        raise BadSuite(f"{where}: no environment like {pattern!r} has one of the levels {levels}")
