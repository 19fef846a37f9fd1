"""AgentGym: an environment that is created once, and then reset and stepped by its number.

A controller of AgentGym takes the reward of the last step for that of the episode, so ``reward`` is
what was earned so far, and in the end the score. Its clients read an action out of a reply before
they send it, so the answer format is ``bare`` here unless the URL says otherwise.
"""

from typing import Annotated

from fastapi import FastAPI, Query, Request
from pydantic import AliasChoices, BaseModel, Field

from palaestra.server.auth import require_scope
from palaestra.server.compat.episodes import (
    EpisodeSlot,
    close_slot,
    find_slot,
    open_slot,
    start_episode,
)
from palaestra.server.compat.names import EnvironmentSpec, Name, parse_environment
from palaestra.server.models import WHOLE
from palaestra.server.problems import InvalidRequest, refusals
from palaestra.server.service import service_of
from palaestra.server.structs import REPLY_CHARACTERS, SessionState

Id = Annotated[str, Field(max_length=64, validation_alias=AliasChoices("id", "env_idx"))]


class Closing(BaseModel):
    """Which environment is meant."""

    id: Id


class Resetting(Closing):
    """A wish for an episode; the number is a seed."""

    data_idx: Annotated[
        int,
        Field(ge=0, validation_alias=AliasChoices("data_idx", "idx", "game", "seed")),
        WHOLE,
    ] = 0


class Acting(Closing):
    """An action, as the player meant it."""

    action: Annotated[str, Field(max_length=REPLY_CHARACTERS)]


class Standpoint(BaseModel):
    """Where an episode stands. ``reward`` and ``score`` are what was earned so far."""

    id: str
    observation: str
    reward: float
    score: float
    done: bool


class Closed(BaseModel):
    """An environment that is no more."""

    id: str
    closed: bool = True


async def _place(request: Request, name: str, id_: str) -> tuple[EnvironmentSpec, EpisodeSlot]:
    owner = require_scope(request.scope, "sessions").name
    wanted = parse_environment(name, "bare")
    return wanted, await find_slot(service_of(request), id_, owner, f"agentgym:{name}")


def _told(slot: EpisodeSlot, state: SessionState) -> Standpoint:
    return Standpoint(
        id=slot.id,
        observation=state.observation,
        reward=state.earned,
        score=state.earned,
        done=state.done,
    )


async def create(name: Name, request: Request) -> Standpoint:
    """Create an environment. It begins with the first task."""
    owner = require_scope(request.scope, "sessions").name
    service, wanted = service_of(request), parse_environment(name, "bare")
    slot = await open_slot(service, owner, f"agentgym:{name}")
    return _told(*await start_episode(service, slot, wanted.address(0), wanted.answer_format))


async def reset(name: Name, wish: Resetting, request: Request) -> Standpoint:
    """Begin another episode."""
    wanted, slot = await _place(request, name, wish.id)
    address = wanted.address(wish.data_idx)
    return _told(*await start_episode(service_of(request), slot, address, wanted.answer_format))


async def step(name: Name, wish: Acting, request: Request) -> Standpoint:
    """Take an action."""
    _, slot = await _place(request, name, wish.id)
    sessions = service_of(request).sessions
    return _told(slot, await sessions.step(slot.session, None, wish.action, slot.owner))


async def observation(
    name: Name,
    request: Request,
    id_: Annotated[str | None, Query(alias="id", max_length=64)] = None,
    env_idx: Annotated[str | None, Query(max_length=64)] = None,
) -> str:
    """Get the present observation as plain text."""
    if (chosen := id_ or env_idx) is None:
        raise InvalidRequest("'id' is required", "/id")
    _, slot = await _place(request, name, chosen)
    return (await service_of(request).sessions.get(slot.session, slot.owner)).observation


async def close(name: Name, wish: Closing, request: Request) -> Closed:
    """Delete an environment."""
    _, slot = await _place(request, name, wish.id)
    await close_slot(service_of(request), slot)
    return Closed(id=slot.id)


def route(app: FastAPI) -> None:
    """Adds the routes of AgentGym."""
    wrong = refusals()
    for path, work in (("create", create), ("reset", reset), ("step", step), ("close", close)):
        app.post(f"/compat/agentgym/{{name}}/{path}", responses=wrong, tags=["compatibility"])(work)
    app.get("/compat/agentgym/{name}/observation", responses=wrong, tags=["compatibility"])(
        observation
    )
