"""The routes of sessions: opening, looking, forking, taking back and ending."""

from typing import Annotated

from fastapi import Header, Request, Response
from msgspec import Struct, json

from palaestra.observations import View
from palaestra.server import models, structs
from palaestra.server.auth import require_scope
from palaestra.server.fast_requests import deadline_of
from palaestra.server.service import service_of
from palaestra.server.sessions import Sessions, address_from

PNG = "image/png"


def sessions_of(request: Request) -> Sessions:
    """The sessions of a request's service."""
    return service_of(request).sessions


def _encoded(answer: Struct, status: int = 200) -> Response:
    """An answer that is encoded here: the framework takes twenty times as long."""
    return Response(json.encode(answer), status, media_type="application/json")


async def open_sessions(
    wish: models.SessionRequest,
    request: Request,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """Open sessions: episodes that the service stores. The same key gives the same sessions."""
    owner = require_scope(request.scope, "sessions").name
    address = address_from(wish.address, wish.env, wish.seed, wish.level, wish.split, wish.knobs)
    opened = await sessions_of(request).open(
        address, owner=owner, number=wish.n, answer_format=wish.answer_format, seats=wish.seats,
        key=idempotency_key, recipe=wish.recipe, deadline=deadline_of(request.scope),
        view=View(wish.observation, wish.image_size),
    )  # fmt: skip
    return _encoded(structs.OpenedSessions(opened), 201)


async def see_session(session: models.SessionName, request: Request) -> Response:
    """Get the state of a session, with its transcript."""
    owner = require_scope(request.scope, "sessions").name
    deadline = deadline_of(request.scope)
    return _encoded(await sessions_of(request).get(session, owner, deadline))


async def see_image(session: models.SessionName, request: Request) -> Response:
    """Get an image of the session's state; 204 if the environment draws none."""
    owner = require_scope(request.scope, "sessions").name
    png = await sessions_of(request).image(session, owner, deadline_of(request.scope))
    headers = {"cache-control": "no-store"}
    if png is None:
        return Response(status_code=204, headers=headers)
    return Response(png, media_type=PNG, headers=headers)


async def end_session(session: models.SessionName, request: Request) -> Response:
    """Delete a session."""
    owner = require_scope(request.scope, "sessions").name
    await sessions_of(request).delete(session, owner)
    return Response(status_code=204)


async def fork_session(
    session: models.SessionName, wish: models.ForkRequest, request: Request
) -> Response:
    """Open copies of a session in its present state."""
    owner = require_scope(request.scope, "sessions").name
    deadline = deadline_of(request.scope)
    forks = await sessions_of(request).fork(session, wish.n, owner, deadline)
    return _encoded(structs.OpenedSessions(forks), 201)


async def rewind_session(
    session: models.SessionName, wish: models.RewindRequest, request: Request
) -> Response:
    """Go back to an earlier step."""
    owner = require_scope(request.scope, "sessions").name
    deadline = deadline_of(request.scope)
    return _encoded(await sessions_of(request).rewind(session, wish.step, owner, deadline))
