"""Naming one task among all there are.

A task is a pure function of its address. Whoever has the address has the task, so a dataset row,
a URL and a reward request carry the address alone, and no answer ever leaves the machine that
scores.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Literal, Self
from urllib.parse import quote, unquote

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from palaestra.registry import load
from palaestra.task import KnobError, Task

Split = Literal["train", "eval"]

SEEDS: dict[Split, range] = {"train": range(2**31), "eval": range(2**31, 2**32)}
"""The seeds of each split. Training never draws from those of evaluation."""


class BadAddress(ValueError):
    """A text that is not the address of a task."""


class StaleVersion(LookupError):
    """An address of a version that this installation does not have."""


@dataclass(frozen=True, slots=True)
class Address:
    """Which task: of which environment, in which version, with which knobs, under which seed.

    Its text form is canonical: the knobs spelt out in alphabetical order, the seed at the end.

    >>> print(Address.of("games/mastermind", seed=17, level=1))
    games/mastermind@1?digits=6&guesses=8&length=3&seed=17
    """

    env: str
    version: int
    knobs: Task.Knobs
    seed: int

    @classmethod
    def of(
        cls, env: str, seed: int = 0, level: int = 0, split: Split | None = None, **knobs: Any
    ) -> Self:
        """The address of a seed at a level, with some knobs set by hand.

        With a ``split``, seeds count from the first one of that split. Raises
        :class:`~palaestra.registry.UnknownEnvironment`, :class:`~palaestra.task.KnobError` or
        :class:`BadAddress`, each saying what would be right.
        """
        kind = load(env)
        if split is not None:
            if split not in SEEDS:
                raise BadAddress(f"a split is train or eval, not {split!r}")
            if not 0 <= seed < len(SEEDS[split]):
                raise BadAddress(f"a seed within a split lies from 0 to {2**31 - 1}, not at {seed}")
            seed += SEEDS[split].start
        if not 0 <= seed < SEEDS["eval"].stop:
            raise BadAddress(f"a seed lies from 0 to {2**32 - 1}, not at {seed}")
        try:
            return cls(env, kind.version, kind.Knobs.at(level, **knobs), seed)
        except KnobError as flaw:
            raise KnobError(f"{env}: {flaw}") from None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address. ``level=`` stands for its knobs, and what is left out for the default.

        >>> print(Address.parse("games/mastermind?level=1&guesses=9&seed=3"))
        games/mastermind@1?digits=6&guesses=9&length=3&seed=3
        """
        env, version, knobs, seed = _parsed(text)
        return cls(env, version, knobs, seed)

    @property
    def split(self) -> Split:
        """Whether it is a task for training or for evaluation."""
        return "train" if self.seed in SEEDS["train"] else "eval"

    @property
    def level(self) -> int | None:
        """The level that has these knobs, if one has."""
        kind = type(self.knobs)
        return next((n for n in range(kind.levels()) if kind.at(n) == self.knobs), None)

    def task(self) -> Task:
        """The task that lives here."""
        return _drawn(self)

    def __str__(self) -> str:
        return _written(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        """Models hold an address as its text."""

        def read(given: object) -> "Address":
            if isinstance(given, Address):
                return given
            try:
                return cls.parse(str(given))
            except LookupError as flaw:  # which pydantic would let through
                raise ValueError(str(flaw)) from flaw

        return core_schema.no_info_plain_validator_function(
            read,
            json_schema_input_schema=core_schema.str_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema()
            ),
        )


@lru_cache(maxsize=4096)
def _written(address: Address) -> str:
    parts = [*sorted(address.knobs.model_dump().items()), ("seed", address.seed)]
    told = "&".join(f"{name}={_value(value)}" for name, value in parts)
    return f"{address.env}@{address.version}?{told}"


def _value(value: int | float | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else quote(str(value), safe="")


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[str, int, Task.Knobs, int]:
    if len(text) > 2_000:
        raise BadAddress("an address has at most 2,000 characters")
    path, _, query = text.strip().partition("?")
    env, _, version = path.partition("@")
    kind = load(env)
    if version and version != str(kind.version):
        raise StaleVersion(
            f"{env} is at version {kind.version}, not {version[:20]}; "
            f"`palaestra show {env}` lists the releases that contain earlier ones"
        )
    given: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, equals, value = part.partition("=")
        if not equals or name in given:
            raise BadAddress(f"{part[:40]!r} in an address should be one 'name=value' of each name")
        given[name] = unquote(value)
    numbers = {name: given.pop(name, "0") for name in ("level", "seed")}
    for name, number in numbers.items():
        if not (number.isascii() and number.isdecimal() and len(number) <= 10):
            raise BadAddress(f"the {name} of an address is a whole number, not {number[:20]!r}")
    level, seed = int(numbers["level"]), int(numbers["seed"])
    if "split" in given:
        raise BadAddress("an address has no split: seeds from 2147483648 on are for evaluation")
    made = Address.of(env, seed, level, None, **given)
    return made.env, made.version, made.knobs, made.seed


@lru_cache(maxsize=4096)
def _drawn(address: Address) -> Task:
    rng = Random(str(address))
    return load(address.env).draw(rng, address.knobs, reserved=address.split == "eval")
