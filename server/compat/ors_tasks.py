"""The tasks that the Open Reward Standard serves, by environment, split and number.

A source is an environment, or the hub, which has the tasks of all of them. The hub's splits are the
suites that the service was started with, any selection such as
``games/mastermind?level=1&seeds=0:500``, and ``train`` and ``test``, which go through all
environments in turn.

Paths without a name of an environment mean the first environment that the service was started with,
or else the hub. Clients that put the name into the header ``X-Deployment`` mean that one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from palaestra.address import SEEDS, Address, Split
from palaestra.catalog import environments
from palaestra.server.compat.names import EnvironmentSpec, parse_environment
from palaestra.server.problems import InvalidRequest
from palaestra.server.structs import AnswerFormat
from palaestra.trainers.evaluation.suites import Suite
from palaestra.trainers.rows import selection

STYLE: AnswerFormat = "bare"
"""An answer is the argument of a tool, so that it needs no marks."""

HUB = "hub"
"""The name of the source of all environments."""

SUITES = (".yaml", ".yml")
"""How the names of files with suites end."""

DEPLOYMENT = "x-deployment"
"""The header in which the client of OpenReward sends the name that it was asked for."""

TYPES: dict[Split, Literal["train", "test"]] = {"train": "train", "eval": "test"}
"""What the splits of seeds are called here."""

SPLITS: dict[str, Split] = {theirs: ours for ours, theirs in TYPES.items()}


class Tasks(NamedTuple):
    """The tasks of a split: how many there are, and the address of each."""

    number: int
    address: Callable[[int], Address]

    def one(self, index: int) -> Address:
        """A task by its number. Raises :class:`InvalidRequest` where there is none."""
        if not 0 <= index < self.number:
            raise InvalidRequest(f"there is no task {index}; there are {self.number:,}", "/index")
        return self.address(index)


class Source(Protocol):
    """Where tasks come from."""

    @property
    def name(self) -> str:
        """The name that clients send with its tasks."""

    @property
    def answer_format(self) -> AnswerFormat:
        """How answers are read."""

    def splits(self) -> list[dict[str, str]]:
        """The splits, each with its name and its type."""

    def tasks(self, split: str) -> Tasks:
        """The tasks of a split. Raises :class:`InvalidRequest` where there is no such split."""


@dataclass(frozen=True)
class EnvironmentTasks:
    """The tasks of one environment: a split for training and one for tests, at each level."""

    name: str
    spec: EnvironmentSpec

    @property
    def answer_format(self) -> AnswerFormat:
        """How answers are read."""
        return self.spec.answer_format

    def splits(self) -> list[dict[str, str]]:
        """Seeds for training and for evaluation, at the level of the name and at each level."""
        levels = ["", *(f"-{level}" for level in range(self.spec.task_type.Knobs.levels()))]
        return [_described(f"{type_}{level}", type_) for level in levels for type_ in SPLITS]

    def tasks(self, split: str) -> Tasks:
        """As many tasks as there are seeds, or those of a selection of this environment."""
        if "/" in split:
            chosen = selection(split)
            if chosen.base.env != self.spec.env:
                raise InvalidRequest(
                    f"the split is of {chosen.base.env}, not of {self.spec.env}", "/split"
                )
            return _listed(chosen)
        type_, dash, level = split.partition("-")
        if type_ not in SPLITS or (dash and not (level.isascii() and level.isdecimal())):
            raise InvalidRequest(f"there is no split {split!r}; see /splits", "/split")
        ours, number = SPLITS[type_], int(level) if dash else None
        self.spec.address(0, number, ours)  # a level that there is not is told at once
        return Tasks(len(SEEDS[ours]), lambda seed: self.spec.address(seed, number, ours))


@dataclass(frozen=True)
class Hub:
    """The tasks of all environments."""

    suites: Mapping[str, Sequence[Address]] = field(default_factory=dict)
    """Suites and selections by the name of their split."""

    name: str = HUB
    answer_format: AnswerFormat = STYLE

    def splits(self) -> list[dict[str, str]]:
        """The suites and selections of the service, and all environments in turn."""
        own = [_described(name, _type_of(tasks)) for name, tasks in self.suites.items()]
        return own + [_described(type_, type_) for type_ in SPLITS if type_ not in self.suites]

    def tasks(self, split: str) -> Tasks:
        """The tasks of a suite, of a selection, or of all environments in turn."""
        if split in self.suites:
            return _listed(self.suites[split])
        if split in SPLITS:
            return _in_turn([card["name"] for card in environments()], SPLITS[split])
        if "/" not in split:
            known = ", ".join([*self.suites, *SPLITS])
            raise InvalidRequest(
                f"there is no split {split[:80]!r}; there are {known}, and selections such as "
                "'games/mastermind?level=1&seeds=0:500'",
                "/split",
            )
        return _listed(selection(split))


def _described(name: str, type_: str) -> dict[str, str]:
    return {"name": name, "type": type_}


def _type_of(tasks: Sequence[Address]) -> str:
    return TYPES[tasks[0].split]


def _listed(addresses: Sequence[Address]) -> Tasks:
    return Tasks(len(addresses), lambda index: addresses[index])


def _in_turn(names: Sequence[str], split: Split) -> Tasks:
    """One task of each environment at its lowest level, then the next one of each."""

    def address(index: int) -> Address:
        seed, env = divmod(index, len(names))
        return Address.of(names[env], seed, 0, split)

    return Tasks(len(SEEDS[split]), address)


# ------------------------------------------------------------------ what a service is started with


@dataclass(frozen=True)
class Sources:
    """The sources of a service: any environment by its name, the hub, and what stands for none."""

    hub: Hub = field(default_factory=Hub)
    first: EnvironmentTasks | None = None
    """The environment that a request without a name means, if the service was started with one."""

    @classmethod
    def of(cls, served: Iterable[str]) -> "Sources":
        """The sources for a list of environments, selections and files with suites.

        Raises ``ValueError`` and ``LookupError`` for what is none of these, and for a file that
        cannot be read.
        """
        suites: dict[str, Sequence[Address]] = {}
        first: EnvironmentTasks | None = None
        for position, text in enumerate(served):
            if text.endswith(SUITES):
                suites[Path(text).stem] = _suite(Path(text))
            elif "?" in text:
                suites[text] = selection(text)
            else:
                named = environment(text)
                first = named if position == 0 else first
        return cls(Hub(suites), first)

    def named(self, name: str) -> Source:
        """The source of that name. Raises what :func:`parse_environment` does."""
        return self.hub if name == HUB else environment(name)

    def default(self, headers: Headers) -> Source:
        """The source that a request without a name means."""
        deployment = headers.get(DEPLOYMENT, "")
        if deployment == HUB or is_name(deployment):
            return self.named(deployment)
        return self.first or self.hub


def _suite(file: Path) -> list[Address]:
    try:
        return [address for _, address in Suite.load(file).rounds()]
    except OSError as error:
        raise ValueError(f"the suite {file} cannot be read: {error.strerror}") from None


def environment(name: str) -> EnvironmentTasks:
    """The tasks of an environment. Raises what :func:`parse_environment` does."""
    return EnvironmentTasks(name.replace("/", ".", 1), parse_environment(name, STYLE))


def is_name(text: str) -> bool:
    """Whether a text may name an environment of ours, which has a category, unlike the word ``env``
    that TRL sends where it was not asked for any.

    >>> is_name("games.mastermind@1:level=2"), is_name("env")
    (True, False)
    """
    return "." in text or "/" in text


# ------------------------------------------------------------------ paths without a name

OF_SOURCES = {"/tools", "/splits", "/tasks", "/num_tasks", "/task", "/task_range"}
OF_SESSIONS = {"/prompt", "/task_tools", "/call"}


class BarePaths:
    """Gives paths without the name of an environment one: that of the source that the request
    means, or of the hub where the request is about a session, whose task decides.
    """

    def __init__(self, app: ASGIApp, sources: Sources) -> None:
        self.app, self.sources = app, sources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http" and (path := scope["path"]) in OF_SOURCES | OF_SESSIONS:
            name = HUB if path in OF_SESSIONS else self._name(Headers(scope=scope))
            scope = {**scope, "path": f"/{name}{path}"}
        await self.app(scope, receive, send)

    def _name(self, headers: Headers) -> str:
        deployment = headers.get(DEPLOYMENT, "")
        if is_name(deployment):  # which may be wrong, and is refused by the route then
            return deployment.replace("/", ".")
        return self.sources.default(headers).name
