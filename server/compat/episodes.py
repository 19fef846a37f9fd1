"""What protocols of episodes share: places to play at, and tools whose calls are moves."""

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from palaestra.address import Address
from palaestra.registry import load
from palaestra.scoring import TaskOpening
from palaestra.server.clock import time
from palaestra.server.mcp_routes import tools
from palaestra.server.problems import UnknownSession, slug_of
from palaestra.server.service import Service
from palaestra.server.sessions import NAME
from palaestra.server.store import SessionRecord
from palaestra.server.structs import SessionState
from palaestra.task import NoValidTask

DONE = "done"
"""The answer that ends a session of those worlds that have tools."""

ANSWERS = "Give your answer, or make your next move."
"""What that is for in environments without tools of their own."""

UNKNOWN = "there is no such place, or it is over its time; begin anew"


# ------------------------------------------------------------------ places


@dataclass(frozen=True)
class EpisodeSlot:
    """Where a client plays one episode after another under one name, each of them a session.

    It is kept as a session is, so that it outlives a server and is known to others: what it is
    about stands for the address, and the session of the moment with what its client calls it for
    the replies.
    """

    id: str
    owner: str
    about: str
    session: str = ""
    called: str = ""


async def open_slot(service: Service, owner: str, about: str) -> EpisodeSlot:
    """A new place."""
    slot = EpisodeSlot(secrets.token_urlsafe(18), owner, about)
    await _keep(service, slot)
    return slot


async def find_slot(service: Service, name: str, owner: str, about: str) -> EpisodeSlot:
    """The place of that name. Raises :class:`UnknownSession` for one of somebody else."""
    kept = await service.store.load(name) if NAME.fullmatch(name) else None
    if kept is None or (kept.owner, kept.address) != (owner, about):
        raise UnknownSession(UNKNOWN)
    session, called = kept.replies or ("", "")
    return EpisodeSlot(name, owner, about, session, called)


async def start_episode(
    service: Service, slot: EpisodeSlot, address: Address, answer_format: str, called: str = ""
) -> tuple[EpisodeSlot, SessionState]:
    """Begins an episode at a place; the one before is forgotten."""
    (state,) = await service.sessions.open(address, owner=slot.owner, answer_format=answer_format)
    await _forget(service, slot)
    await service.store.delete(slot.id)
    slot = replace(slot, session=state.session, called=called)
    await _keep(service, slot)  # anew, so that it gets as old as any
    return slot, state


async def close_slot(service: Service, slot: EpisodeSlot) -> None:
    """Forgets a place and its episode."""
    await _forget(service, slot)
    await service.store.delete(slot.id)


async def _forget(service: Service, slot: EpisodeSlot) -> None:
    if slot.session:
        with suppress(UnknownSession):
            await service.sessions.delete(slot.session, slot.owner)


async def _keep(service: Service, slot: EpisodeSlot) -> None:
    replies = (slot.session, slot.called) if slot.session else ()
    kept = SessionRecord(slot.id, slot.owner, slot.about, "place", None, time(), replies=replies)
    await service.store.create([kept])


# ------------------------------------------------------------------ tools

_worlds: dict[str, SessionState] = {}


async def world_of(service: Service, env: str) -> SessionState:
    """An environment as far as its tools tell it from others."""
    if env not in _worlds:
        _worlds[env] = as_world(await _opened(service, env))
    return _worlds[env]


async def _opened(service: Service, env: str) -> TaskOpening:
    """A task at the lowest level that has any, which of a combination may not be the first."""
    *lower, top = (Address.of(env, level=level) for level in range(load(env).Knobs.levels()))
    for address in lower:
        with suppress(NoValidTask):
            return await service.judge.opened(address, "bare")
    return await service.judge.opened(top, "bare")


def as_world(opening: TaskOpening) -> SessionState:
    """The same of a task that was drawn."""
    return SessionState(
        session="", address=opening.address, step=0, done=False, player=0, observation="",
        reward=0.0, earned=0.0, tools=[dict(tool) for tool in opening.tools],
    )  # fmt: skip


def tools_of(world: SessionState) -> list[Mapping[str, Any]]:
    """The tools by which an environment is played: its own, and one to say something in words."""
    known = tools(world)
    return known if world.tools else [{**tool, "description": ANSWERS} for tool in known]


def sentence(fault: BaseException) -> str:
    """What is told of an error; of those that are none of ours, nothing of their inside."""
    known = isinstance(fault, Exception) and slug_of(fault) != "internal"
    return str(fault) if known else "the service failed"


def texts(content: Any) -> str:
    """The text of a message, which is one or is in parts.

    >>> texts([{"type": "output_text", "text": "4"}, {"type": "refusal"}])
    '4'
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(
        part["text"]
        for part in parts
        if isinstance(part, Mapping) and isinstance(part.get("text"), str)
    )


def compact(value: Any) -> str:
    """JSON in which blanks and line ends stand in texts only, and ASCII alone."""
    return json.dumps(value, separators=(",", ":"))
