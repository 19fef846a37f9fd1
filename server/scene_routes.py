"""The routes of scenes and boards: of a task, of a session, and the check of a partial answer."""

from fastapi import Request, Response
from msgspec import json

from palaestra.address import Address
from palaestra.server import models
from palaestra.server.auth import require_scope
from palaestra.server.disconnects import cancel_on_disconnect
from palaestra.server.fast_requests import deadline_of
from palaestra.server.service import service_of


async def draw_scene(wanted: models.SceneRequest, request: Request) -> Response:
    """Get the scene of a task, with an answer drawn in if there is one.

    ``scene`` and ``drawing`` are null where a task is all words; ``reason`` says why an answer is
    not drawn.
    """
    require_scope(request.scope, "read")
    judge, deadline = service_of(request).judge, deadline_of(request.scope)
    work = judge.scene_of(Address.parse(wanted.address), wanted.answer, deadline)
    fields = await cancel_on_disconnect(work, request.receive)
    return Response(json.encode(fields), media_type="application/json")


async def check_answer(wanted: models.CheckRequest, request: Request) -> Response:
    """Check an answer that may be incomplete, for keys that may see answers.

    ``verdict`` is ``right``, ``possible`` (a right answer contains all of it), ``wrong`` or
    ``unknown``; ``message`` states the reason, and ``elements`` are those of the scene that differ.
    """
    require_scope(request.scope, "answers")
    judge, deadline = service_of(request).judge, deadline_of(request.scope)
    work = judge.check_of(Address.parse(wanted.address), wanted.answer, wanted.lines, deadline)
    fields = await cancel_on_disconnect(work, request.receive)
    return Response(json.encode(fields), media_type="application/json")


async def see_scene(session: models.SessionName, request: Request) -> Response:
    """Get the scene of a session's state; null where it is all words."""
    owner = require_scope(request.scope, "sessions").name
    sessions = service_of(request).sessions
    fields = await sessions.scene(session, owner, deadline_of(request.scope))
    headers = {"cache-control": "no-store"}
    return Response(json.encode(fields), media_type="application/json", headers=headers)
