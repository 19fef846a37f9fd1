"""Curricula: which tasks a learner gets next, chosen by the service from what came of the last.

A controller chooses; what it knows is plain values, which the store keeps. So a curriculum goes on
where it was when a server is started again, and may be asked through any of several servers.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from random import Random
from typing import Annotated, Any, Literal, Protocol, TypeVar

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, Field

from palaestra.address import SEEDS, Address, Split
from palaestra.registry import load
from palaestra.server import models, problems
from palaestra.server.keys import demand
from palaestra.server.models import Model, Text
from palaestra.server.problems import Invalid, StepConflict, UnknownCurriculum
from palaestra.server.store import Course, Store

TRIES = 20
"""How often a change is tried where others use the same curriculum at the same time."""

ARMS = 10_000
"""How many levels of environments a curriculum may draw from."""

T = TypeVar("T")


class Outcome(Model):
    """What came of a task: its score, or null where there is none by a fault of the service."""

    address: Text
    value: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None


class Controller(Protocol):
    """Chooses tasks. All that it knows is its state, which is plain values of JSON."""

    @classmethod
    def begin(cls, arms: Sequence["Arm"], seed: int, split: Split) -> dict[str, Any]:
        """The state of a new curriculum, over levels of environments."""

    def __init__(self, state: dict[str, Any]) -> None: ...

    @property
    def state(self) -> dict[str, Any]:
        """What it knows now."""

    def next(self, n: int) -> list[str]:
        """The addresses of the next tasks."""

    def feedback(self, results: Sequence[Outcome]) -> None:
        """Learn what came of tasks, which need not be all that were given, nor in their order."""


Arm = tuple[str, int]
"""An environment and a level of it."""


class Uniform:
    """All arms alike, whatever comes of them; what else is chosen is to be better than this.

    The n-th task depends on the seed and on n alone.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    @classmethod
    def begin(cls, arms: Sequence[Arm], seed: int, split: Split) -> dict[str, Any]:
        """Nothing is known yet."""
        return {"arms": arms, "seed": seed, "split": split, "given": 0, "heard": {}}

    def next(self, n: int) -> list[str]:
        """Tasks drawn with a chance that is the same for all arms."""
        start = self.state["given"]
        self.state["given"] = start + n
        return [self._drawn(number) for number in range(start, start + n)]

    def _drawn(self, number: int) -> str:
        rng = Random(f"{self.state['seed']} {number}")
        env, level = rng.choice(self.state["arms"])
        split: Split = self.state["split"]
        return str(Address.of(env, rng.randrange(len(SEEDS[split])), level, split))

    def feedback(self, results: Sequence[Outcome]) -> None:
        """Counts the scores and adds them up, arm by arm, for whoever looks on."""
        heard = self.state["heard"]
        for one in results:
            address = Address.parse(one.address)
            if one.value is not None:
                total = heard.setdefault(f"{address.env} {address.level}", [0, 0.0])
                total[0] += 1
                total[1] += one.value


KINDS: dict[str, type[Controller]] = {"uniform": Uniform}
"""The controllers by name."""


class Mixture(Model):
    """An environment, and which of its levels are drawn from; all of them unless told."""

    env: Text
    levels: list[Annotated[int, Field(ge=0, le=1_000)]] | None = Field(
        None, min_length=1, max_length=100
    )


class Wish(Model):
    """A wish for a curriculum over some environments."""

    kind: Literal["uniform"] = "uniform"
    environments: list[Mixture | Text] = Field(min_length=1, max_length=2_000)
    seed: int = Field(0, ge=0, lt=2**53)
    split: Literal["train", "eval"] = "train"


class Number(Model):
    """How many tasks are wished for."""

    n: int = Field(1, ge=1, le=1_024)


class Report(Model):
    """What came of some tasks."""

    results: list[Outcome] = Field(min_length=1, max_length=1_024)


class Next(BaseModel):
    """The addresses of the next tasks."""

    addresses: list[str]


class Standing(BaseModel):
    """A curriculum: what it is, and what it knows."""

    id: str
    kind: str
    state: dict[str, Any]


class Curricula:
    """The curricula of one server."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def begin(self, wish: Wish, owner: str) -> Standing:
        """Begins a curriculum."""
        state = KINDS[wish.kind].begin(_arms(wish.environments), wish.seed, wish.split)
        course = Course(secrets.token_urlsafe(18), owner, wish.kind, state)
        await self.store.begin(course)
        return _standing(course)

    async def see(self, name: str, owner: str) -> Standing:
        """What a curriculum knows."""
        return _standing(await self._found(name, owner))

    async def change(self, name: str, owner: str, work: Callable[[Controller], T]) -> T:
        """What some work with its controller gives, once the new state is kept."""
        for _ in range(TRIES):
            course = await self._found(name, owner)
            controller = KINDS[course.kind](course.state)
            told = await asyncio.to_thread(work, controller)
            changed = Course(name, owner, course.kind, controller.state, course.generation)
            if await self.store.advance(changed):
                return told
        raise StepConflict("others use this curriculum at the same time; try again")

    async def end(self, name: str, owner: str) -> None:
        """Forgets a curriculum."""
        await self._found(name, owner)
        await self.store.drop(name)

    async def _found(self, name: str, owner: str) -> Course:
        course = await self.store.course(name)
        if course is None or course.owner != owner or course.kind not in KINDS:
            raise UnknownCurriculum("there is no such curriculum")
        return course


def _arms(told: Sequence[Mixture | str]) -> list[Arm]:
    arms = []
    for place, each in enumerate(told):
        mixture = each if isinstance(each, Mixture) else Mixture(env=each)
        most = load(mixture.env).Knobs.levels()
        levels = mixture.levels or range(most)
        if max(levels) >= most:
            raise Invalid(f"{mixture.env} has levels up to {most - 1}", f"/environments/{place}")
        arms += [(mixture.env, level) for level in levels]
    if len(arms) > ARMS:
        raise Invalid(f"a curriculum draws from {ARMS} levels at most", "/environments")
    return arms


def _standing(course: Course) -> Standing:
    return Standing(id=course.id, kind=course.kind, state=course.state)


# ------------------------------------------------------------------ routes


def ours(request: Request) -> tuple[Curricula, str]:
    """The curricula of a service, and who asks."""
    found: Curricula = request.app.state.curricula
    return found, demand(request.scope, "sessions").name


async def begin(wish: Wish, request: Request) -> Standing:
    """Begin a curriculum: a mixture of tasks of several environments and levels."""
    curricula, owner = ours(request)
    return await curricula.begin(wish, owner)


async def see(curriculum: models.SessionName, request: Request) -> Standing:
    """What a curriculum knows."""
    curricula, owner = ours(request)
    return await curricula.see(curriculum, owner)


async def next_(curriculum: models.SessionName, wish: Number, request: Request) -> Next:
    """The addresses of the next tasks."""
    curricula, owner = ours(request)
    found = await curricula.change(curriculum, owner, lambda controller: controller.next(wish.n))
    return Next(addresses=found)


async def feedback(curriculum: models.SessionName, report: Report, request: Request) -> Standing:
    """Tell what came of tasks."""
    curricula, owner = ours(request)

    await curricula.change(
        curriculum, owner, lambda controller: controller.feedback(report.results)
    )
    return await curricula.see(curriculum, owner)


async def end(curriculum: models.SessionName, request: Request) -> Response:
    """Forget a curriculum."""
    curricula, owner = ours(request)
    await curricula.end(curriculum, owner)
    return Response(status_code=204)


def install(made: FastAPI, store: Store) -> None:
    """Has an application keep curricula."""
    made.state.curricula = Curricula(store)
    wrong = problems.documented(400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503)
    told: dict[str, Any] = {"responses": wrong, "tags": ["curricula"]}
    made.post("/v1/curricula", status_code=201, **told)(begin)
    made.get("/v1/curricula/{curriculum}", **told)(see)
    made.post("/v1/curricula/{curriculum}/next", operation_id="next", **told)(next_)
    made.post("/v1/curricula/{curriculum}/feedback", **told)(feedback)
    made.delete(
        "/v1/curricula/{curriculum}", status_code=204, response_class=Response, **told
    )(end)  # fmt: skip
