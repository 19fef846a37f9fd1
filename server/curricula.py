"""Curricula: which tasks a learner gets next, chosen by the service from what came of the last.

The controllers are those of :mod:`palaestra.trainers.curricula`. All that one knows is plain
values, which the store keeps; so a curriculum goes on where it was when a server is started again,
and may be asked through any of several servers.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar
from weakref import WeakValueDictionary

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, Field

from palaestra.address import Address
from palaestra.profiles import of_model
from palaestra.registry import UnknownEnvironment, load
from palaestra.server import models, problems
from palaestra.server.auth import require_scope
from palaestra.server.models import WHOLE, Env, Int, RequestModel, Task
from palaestra.server.problems import InvalidRequest, StepConflict, UnknownCurriculum
from palaestra.server.store import CurriculumRecord, Store
from palaestra.trainers.curricula import Cell, Curriculum, cells, make, start

TRIES = 20
"""How often a change is tried where others change the same curriculum through other servers."""

CELLS = 10_000
"""How many levels of environments a curriculum may draw from."""

T = TypeVar("T")

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=0, le=1_000_000), WHOLE]


class Mixture(RequestModel):
    """An environment, how much of the mixture it is beside the others, and which of its levels are
    drawn from; all of them unless told.
    """

    env: Env
    weight: float = Field(1.0, ge=1e-6, le=1e6, allow_inf_nan=False)
    levels: list[Annotated[int, Field(ge=0, le=1_000), WHOLE]] | None = Field(
        None, min_length=1, max_length=100
    )


class CurriculumOptions(RequestModel):
    """The options of a curriculum. Each strategy accepts some of them and has its own defaults."""

    level: Annotated[int, Field(ge=0, le=1_000), WHOLE] | None = None
    steps: Annotated[int, Field(ge=1, le=10**9), WHOLE] | None = None
    width: float | None = Field(None, ge=0.01, le=1_000, allow_inf_nan=False)
    target: Share | None = None
    rate: Share | None = None
    sharpness: float | None = Field(None, ge=0, le=1_000, allow_inf_nan=False)
    temperature: float | None = Field(None, ge=0.001, le=1_000, allow_inf_nan=False)
    forgetting: Share | None = None
    unlock: Share | None = None
    least: Whole | None = None
    floor: Share | None = None
    mastered: Share | None = None
    kept: Share | None = None
    share: Share | None = None
    window: Annotated[int, Field(ge=1, le=65_536), WHOLE] | None = None
    threshold: Share | None = None
    capacity: Annotated[int, Field(ge=1, le=4_096), WHOLE] | None = None
    solved: Share | None = None
    memory: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False)
    hints: Share | None = None


Strategy = Literal[
    "uniform",
    "fixed",
    "easy_to_hard",
    "saturn",
    "adarft",
    "sec",
    "frontier",
    "pruning",
    "replay",
    "thompson",
]
"""The names of :data:`palaestra.trainers.curricula.STRATEGIES`."""


Rates = dict[Annotated[str, Field(pattern="^[0-9]{1,3}$")], Share]
"""Success rates by level, which are strings, as all keys in JSON."""


class CurriculumRequest(RequestModel):
    """A wish for a curriculum over some environments."""

    strategy: Strategy = "uniform"
    environments: list[Mixture | Env] = Field(min_length=1, max_length=2_000)
    options: CurriculumOptions = CurriculumOptions()
    prior: dict[Env, Rates] | None = None
    """Success rates to start from, by environment and level."""

    profile: Annotated[str, Field(max_length=200)] | None = None
    """The name of a model, whose success rates in the profiles of this release are the prior."""

    seed: Int = Field(0, ge=0, lt=2**53)
    split: Literal["train", "eval"] = "train"


class NextRequest(RequestModel):
    """How many tasks are wished for."""

    n: Int = Field(1, ge=1, le=1_024)


class TaskOutcome(RequestModel):
    """What came of a task: its score or the mean of a group's, or null where there is none by a
    fault of the service.
    """

    address: Task
    value: Share | None


class FeedbackRequest(RequestModel):
    """What came of some tasks, which need not be all that were given, nor in their order."""

    results: list[TaskOutcome] = Field(min_length=1, max_length=1_024)


class NextResponse(BaseModel):
    """Get the addresses of the next tasks."""

    addresses: list[str]


class FeedbackResponse(BaseModel):
    """The number of results that the curriculum learned from."""

    used: int


class MixtureEntry(BaseModel):
    """An environment of a mixture."""

    env: str
    weight: float
    levels: list[int]


class CurriculumState(BaseModel):
    """A curriculum: what it is, what it draws from, and what it knows."""

    id: str
    strategy: str
    split: str
    options: dict[str, float]
    mixture: list[MixtureEntry]
    sampled: int
    """The number of addresses sampled so far."""

    state: dict[str, Any]
    """What :meth:`palaestra.trainers.curricula.Curriculum.restore` takes."""


class Curricula:
    """The curricula of one server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def begin(self, wish: CurriculumRequest, owner: str) -> CurriculumState:
        """Begins a curriculum."""
        state = await asyncio.to_thread(_initial_state, wish)
        course = CurriculumRecord(secrets.token_urlsafe(18), owner, wish.strategy, state)
        await self.store.begin(course)
        return _state_of(course)

    async def see(self, name: str, owner: str) -> CurriculumState:
        """Get the state of a curriculum."""
        return _state_of(await self._found(name, owner))

    async def change(self, name: str, owner: str, work: Callable[[Curriculum], T]) -> T:
        """What some work with its controller gives, once the new state is kept."""
        lock = self.locks.setdefault(name, asyncio.Lock())
        async with lock:  # here they come one after the other; others may be faster elsewhere
            for _ in range(TRIES):
                course = await self._found(name, owner)
                result, state = await asyncio.to_thread(_applied, course, work)
                changed = CurriculumRecord(name, owner, course.strategy, state, course.generation)
                if await self.store.advance(changed):
                    return result
        raise StepConflict("others use this curriculum at the same time; try again")

    async def end(self, name: str, owner: str) -> None:
        """Forgets a curriculum."""
        await self._found(name, owner)
        await self.store.drop(name)

    async def _found(self, name: str, owner: str) -> CurriculumRecord:
        course = await self.store.course(name)
        if course is None or course.owner != owner:
            raise UnknownCurriculum("there is no such curriculum")
        return course


# ------------------------------------------------------------------ what is kept of one


def _initial_state(wish: CurriculumRequest) -> dict[str, Any]:
    """The state of a new curriculum. What is wrong with a wish is found out here."""
    mixture = _mixture(wish.environments)
    options = wish.options.model_dump(exclude_none=True)
    state = {"mixture": mixture, "split": wish.split, "options": options}
    try:
        controller = make(wish.strategy, _cells(mixture), wish.seed, split=wish.split, **options)
    except ValueError as error:
        raise InvalidRequest(str(error), "/options") from None
    _start(controller, wish)
    return state | {"known": controller.state()}


def _start(controller: Curriculum, wish: CurriculumRequest) -> None:
    """Has a new curriculum start from the success rates of a wish, if it has any."""
    if wish.prior is not None and wish.profile is not None:
        raise InvalidRequest("a curriculum starts from a prior or from a profile", "/profile")
    try:
        if wish.profile is not None:  # a model by its name, never the path of a file
            start(controller, of_model(wish.profile))
        elif wish.prior is not None:
            rates = {env: {int(n): own[n] for n in own} for env, own in wish.prior.items()}
            start(controller, rates)
    except ValueError as error:
        pointer = "/prior" if wish.profile is None else "/profile"
        raise InvalidRequest(str(error), pointer) from None


def _mixture(wished: Sequence[Mixture | str]) -> list[tuple[str, float, list[int]]]:
    """The environments with their weights and levels."""
    mixture: dict[str, tuple[str, float, list[int]]] = {}
    for index, each in enumerate(wished):
        one = each if isinstance(each, Mixture) else Mixture(env=each)
        most = load(one.env).Knobs.levels()
        levels = sorted({*(one.levels or range(most))})
        if levels[-1] >= most:
            raise InvalidRequest(f"{one.env} has levels up to {most - 1}", f"/environments/{index}")
        if one.env in mixture:
            raise InvalidRequest(f"{one.env} is named twice", f"/environments/{index}")
        mixture[one.env] = (one.env, one.weight, levels)
    if sum(len(levels) for *_, levels in mixture.values()) > CELLS:
        raise InvalidRequest(f"a curriculum draws from {CELLS} levels at most", "/environments")
    return [*mixture.values()]


def _cells(mixture: Sequence[tuple[str, float, Sequence[int]]]) -> list[Cell]:
    return [cell for env, weight, levels in mixture for cell in cells({env: weight}, levels)]


def _applied(course: CurriculumRecord, work: Callable[[Curriculum], T]) -> tuple[T, dict[str, Any]]:
    """What some work with the controller of a curriculum gives, and the state after it."""
    kept = course.state
    controller = make(
        course.strategy, _cells(kept["mixture"]), split=kept["split"], **kept["options"]
    )
    controller.restore(kept["known"])
    result = work(controller)
    return result, kept | {"known": controller.state()}


def _learned(controller: Curriculum, results: Sequence[TaskOutcome]) -> int:
    """Has a controller learn; how many of the results that is."""
    known = {(cell.env, cell.level) for cell in controller.mixture}
    outcomes = [(_address(n, one.address), one.value) for n, one in enumerate(results)]
    controller.update(outcomes)
    return sum(value is not None and (task.env, task.level) in known for task, value in outcomes)


def _address(index: int, text: str) -> Address:
    """The address of a result. One of no environment is a fault of the request, and no 404: the
    curriculum is there.
    """
    try:
        return Address.parse(text)
    except UnknownEnvironment as error:
        raise InvalidRequest(str(error), f"/results/{index}/address") from None


def _state_of(course: CurriculumRecord) -> CurriculumState:
    kept = course.state
    return CurriculumState(
        id=course.id, strategy=course.strategy, split=kept["split"], options=kept["options"],
        mixture=[
            MixtureEntry(env=env, weight=weight, levels=levels)
            for env, weight, levels in kept["mixture"]
        ],
        sampled=kept["known"]["sampled"], state=kept["known"],
    )  # fmt: skip


# ------------------------------------------------------------------ routes


def ours(request: Request) -> tuple[Curricula, str]:
    """The curricula of a service, and who asks."""
    curricula: Curricula = request.app.state.curricula
    return curricula, require_scope(request.scope, "sessions").name


async def begin(wish: CurriculumRequest, request: Request) -> CurriculumState:
    """Create a curriculum over a mixture of environments and levels."""
    curricula, owner = ours(request)
    return await curricula.begin(wish, owner)


async def see(curriculum: models.SessionName, request: Request) -> CurriculumState:
    """Get the state of a curriculum."""
    curricula, owner = ours(request)
    return await curricula.see(curriculum, owner)


async def next_(
    curriculum: models.SessionName, wish: NextRequest, request: Request
) -> NextResponse:
    """Get the addresses of the next tasks."""
    curricula, owner = ours(request)
    addresses = await curricula.change(curriculum, owner, lambda one: one.sample(wish.n))
    return NextResponse(addresses=[str(address) for address in addresses])


async def feedback(
    curriculum: models.SessionName, report: FeedbackRequest, request: Request
) -> FeedbackResponse:
    """Report results of tasks. What could not be judged teaches nothing, nor what is of another
    mixture.
    """
    curricula, owner = ours(request)
    used = await curricula.change(curriculum, owner, lambda one: _learned(one, report.results))
    return FeedbackResponse(used=used)


async def end(curriculum: models.SessionName, request: Request) -> Response:
    """Delete a curriculum."""
    curricula, owner = ours(request)
    await curricula.end(curriculum, owner)
    return Response(status_code=204)


def install(app: FastAPI, store: Store) -> None:
    """Has an application keep curricula."""
    app.state.curricula = Curricula(store)
    wrong = problems.refusals()
    options: dict[str, Any] = {"responses": wrong, "tags": ["curricula"]}
    links = problems.linked("curriculum", "$response.body#/id", "see", "next", "feedback", "end")
    app.post(
        "/v1/curricula", status_code=201, tags=["curricula"], operation_id="begin_curriculum",
        responses={201: links, **wrong},
    )(begin)  # fmt: skip
    for name, method, path, work in (
        ("see", "GET", "", see),
        ("next", "POST", "/next", next_),
        ("feedback", "POST", "/feedback", feedback),
    ):
        app.add_api_route(
            f"/v1/curricula/{{curriculum}}{path}", work, methods=[method],
            operation_id=f"{name}_curriculum", **options,
        )  # fmt: skip
    app.delete(
        "/v1/curricula/{curriculum}", status_code=204, response_class=Response,
        operation_id="end_curriculum", **options,
    )(end)  # fmt: skip
