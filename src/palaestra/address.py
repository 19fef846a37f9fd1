"""Addresses: the names of tasks.

A task is a pure function of its address. A dataset row, a URL or a reward request therefore
contains the address alone, and no answer leaves the machine that scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Self
from urllib.parse import quote, unquote

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from palaestra.combination import Combination
from palaestra.registry import canonical, load
from palaestra.rng import Rng
from palaestra.task import KnobError, Task

Split = Literal["train", "eval"]

SEEDS: dict[Split, range] = {"train": range(2**31), "eval": range(2**31, 2**32)}
"""The seeds of each split."""


class BadAddress(ValueError):
    """A text that is not the address of a task."""


class StaleVersion(LookupError):
    """An address of a version that this installation does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class Address:
    """A task id: the environment, its version, its knobs and the seed, which make up the task.

    Its text form is canonical: the knobs spelt out in alphabetical order, the seed at the end. Two
    addresses of an environment are equal if and only if their text forms are.

    >>> print(Address.of("games/mastermind", seed=17, level=1))
    games/mastermind@1?digits=6&guesses=8&length=3&seed=17
    """

    env: str
    version: int
    knobs: Task.Knobs
    seed: int
    _text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        stem = _stem(self.env, self.version, self.knobs)
        object.__setattr__(self, "_text", f"{stem}{self.seed}")

    @classmethod
    def of(
        cls, env: str, seed: int = 0, level: int = 0, split: Split | None = None, **knobs: Any
    ) -> Self:
        """The address of a seed at a level, with some knobs set by hand.

        With a ``split``, seeds count from the first one of that split. Raises
        :class:`~palaestra.registry.UnknownEnvironment`, :class:`~palaestra.task.KnobError` or
        :class:`BadAddress`, each saying what would be right.
        """
        if split is not None:
            if split not in SEEDS:
                raise BadAddress(f"a split is train or eval, not {split!r}")
            if not 0 <= seed < len(SEEDS[split]):
                raise BadAddress(f"a seed within a split is between 0 and {2**31 - 1}, not {seed}")
            seed += SEEDS[split].start
        env = canonical(env)
        task_type = load(env)
        return cls(env, task_type.version, _knobs(task_type, env, level, knobs), _checked(seed))

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read an address. ``level=`` stands for its knobs, and what is left out for the default.

        >>> print(Address.parse("games/mastermind?level=1&guesses=9&seed=3"))
        games/mastermind@1?digits=6&guesses=9&length=3&seed=3
        """
        return _parsed(text)

    @property
    def split(self) -> Split:
        """The split of the seed."""
        return "train" if self.seed in SEEDS["train"] else "eval"

    @property
    def level(self) -> int | None:
        """The level with these knobs, or None where they were set by hand."""
        own, at = self.knobs, self.knobs.at
        return next((n for n in range(own.levels()) if at(n) == own), None)

    def task(self) -> Task:
        """The task at this address. The last 4,096 tasks are cached."""
        return _drawn(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Address):
            return NotImplemented
        # A class that is imported again, as in a notebook, has tasks of its own.
        return self._text == other._text and type(self.knobs) is type(other.knobs)

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        """Models hold an address as its text."""

        def read(value: object) -> "Address":
            if isinstance(value, Address):
                return value
            try:
                return cls.parse(str(value))
            except LookupError as error:  # which pydantic would let through
                raise ValueError(str(error)) from error

        return core_schema.no_info_plain_validator_function(
            read,
            json_schema_input_schema=core_schema.str_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema()
            ),
        )


@lru_cache(maxsize=4096)
def _stem(env: str, version: int, knobs: Task.Knobs) -> str:
    """The text form of an address up to its seed."""
    values = sorted(knobs.model_dump().items())
    query = "".join(f"{name}={_value(value)}&" for name, value in values)
    return f"{env}@{version}?{query}seed="


def _value(value: int | float | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else quote(str(value), safe="")


def _checked(seed: int) -> int:
    if not 0 <= seed < SEEDS["eval"].stop:
        raise BadAddress(f"a seed is between 0 and {2**32 - 1}, not {seed}")
    return seed


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Address:
    if len(text) > 2_000:
        raise BadAddress("an address has at most 2,000 characters")
    path, _, query = text.strip().partition("?")
    seeds: list[str] = []
    rest: list[str] = []
    for part in query.split("&") if query else ():
        (seeds if part.startswith("seed=") else rest).append(part)
    env, _, version = path.partition("@")
    if "+" in path and version and not version.isdecimal():
        raise BadAddress(
            "the version of a combination stands behind its last combinator, as in "
            f"+batch(2)@1, not {version[:20]!r}"
        )
    env = canonical(env)
    task_type = load(env)
    if version and version != str(task_type.version):
        raise StaleVersion(
            f"{env} is at version {task_type.version}, not {version[:20]}; "
            f"`palaestra show {env}` lists the releases that contain earlier ones"
        )
    knobs = _written_knobs(task_type, env, *rest)
    if len(seeds) > 1:
        raise _repeated(seeds[1])
    seed = _number("seed", unquote(seeds[0][5:])) if seeds else 0
    return Address(env, task_type.version, knobs, _checked(seed))


@lru_cache(maxsize=4096)
def _written_knobs(task_type: type[Task], env: str, *parts: str) -> Task.Knobs:
    """The knobs in the parts of a query. They are cached, because the rows of a dataset differ in
    little but their seeds.
    """
    chosen: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name in chosen:
            raise _repeated(part)
        chosen[name] = unquote(value)
    level = _number("level", chosen.pop("level", "0"))
    if "split" in chosen:
        raise BadAddress("an address has no split: seeds from 2147483648 on are for evaluation")
    return _knobs(task_type, env, level, chosen)


def _knobs(task_type: type[Task], env: str, level: int, chosen: Mapping[str, Any]) -> Task.Knobs:
    try:
        return task_type.Knobs.at(level, **chosen)
    except KnobError as error:
        raise KnobError(f"{env}: {error}") from None


def _number(name: str, text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 10:
        return int(text)
    raise BadAddress(f"the {name} of an address is a whole number, not {text[:20]!r}")


def _repeated(part: str) -> BadAddress:
    return BadAddress(f"{part[:40]!r} in an address should be one 'name=value' of each name")


@lru_cache(maxsize=4096)
def _drawn(address: Address) -> Task:
    rng = Rng(address._text)
    is_held_out = address.seed >= SEEDS["eval"].start
    task_type = load(address.env)
    if not issubclass(task_type, Combination):
        return task_type.sample(rng, address.knobs, is_held_out)
    base = Address.of(address.env.rpartition("+")[0], address.seed, **address.knobs.model_dump())
    return task_type.combined(base.task(), rng, address.knobs, is_held_out)
