"""Errors as problem documents (RFC 9457): what is wrong, where, and whether to try again."""

import logging
from http import HTTPStatus
from itertools import count
from math import ceil
from typing import Any
from uuid import uuid4

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.routing import Match
from starlette.types import Scope

from palaestra.address import BadAddress, StaleVersion
from palaestra.episode import EpisodeOver
from palaestra.registry import UnknownEnvironment
from palaestra.task import JudgeError, KnobError, NoValidTask
from palaestra.verifiers.groups import UnknownTransform
from palaestra.verifiers.named import BadField, UnknownVerifier
from palaestra.verifiers.shaping import RecipeError

log = logging.getLogger("palaestra.faults")

_PROCESS, _REQUESTS = uuid4().hex[:16], count(1)


class RetryLater(RuntimeError):
    """What goes better later: after ``retry_after_s`` seconds, as far as anybody knows."""

    def __init__(self, detail: str, retry_after_s: float = 1.0) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class Overloaded(RetryLater):
    """The service has more to do than it can wait for."""


class StoreUnavailable(RuntimeError):
    """The store is out of reach."""


class WorkerLost(JudgeError):
    """The worker process that did the work died, which says nothing about the work."""


class NoMemory(WorkerLost):
    """The work needed more memory than a worker process may have."""


class DeadlineExceeded(RuntimeError):
    """A deadline that the client gave has passed."""


class TooManyRequests(RetryLater):
    """A key has asked more often than it may, or for more work."""


class Unauthorised(PermissionError):
    """A request without a token that is known."""


class Forbidden(PermissionError):
    """A key has not the scope that a request asks for."""


class ClientDisconnected(RuntimeError):
    """The client has left, so there is nobody to answer."""


class UnknownSession(LookupError):
    """There is no such session, or it is over its time, or it is somebody else's."""


class ImagesUnavailable(RuntimeError):
    """The service draws nothing, for it runs without Pillow."""


class NotInstalled(RuntimeError):
    """A verifier needs a library that is not installed here."""


class UnknownCurriculum(LookupError):
    """There is no such curriculum, or it is somebody else's."""


class StepConflict(RuntimeError):
    """A step that was made already with another move, or that lies ahead."""


class IdempotencyConflict(RuntimeError):
    """A key for idempotency that was used for another request."""


class InvalidRequest(ValueError):
    """A request that is not as it has to be: where, as a JSON pointer, and why."""

    def __init__(self, detail: str, pointer: str = "") -> None:
        super().__init__(detail)
        self.pointer = pointer


class MalformedBody(ValueError):
    """A body that cannot be read at all."""


SLUGS: dict[type[Exception], tuple[str, int]] = {
    Overloaded: ("overloaded", 503),
    StoreUnavailable: ("store-unavailable", 503),
    WorkerLost: ("worker-lost", 503),
    DeadlineExceeded: ("deadline-passed", 504),
    TooManyRequests: ("too-many-requests", 429),
    Unauthorised: ("unauthorised", 401),
    Forbidden: ("forbidden", 403),
    ClientDisconnected: ("client-left", 499),
    UnknownSession: ("unknown-session", 404),
    UnknownCurriculum: ("unknown-curriculum", 404),
    StepConflict: ("step-conflict", 409),
    IdempotencyConflict: ("idempotency-conflict", 409),
    InvalidRequest: ("invalid-request", 422),
    MalformedBody: ("malformed", 400),
    UnknownEnvironment: ("unknown-environment", 404),
    StaleVersion: ("stale-version", 409),
    KnobError: ("bad-knobs", 422),
    BadAddress: ("bad-address", 422),
    EpisodeOver: ("episode-over", 422),
    UnknownTransform: ("unknown-transform", 422),
    UnknownVerifier: ("unknown-verifier", 404),
    BadField: ("bad-gold", 422),
    NotInstalled: ("not-installed", 501),
    RecipeError: ("bad-recipe", 422),
    NoValidTask: ("no-valid-task", 422),
    JudgeError: ("unscored", 500),
    ImagesUnavailable: ("no-images", 501),
}
"""How our own errors are called over HTTP, and with which status they come."""

RETRYABLE = {429, 503, 504}
"""What may go better when it is asked again."""


class ErrorDetail(BaseModel):
    """One thing wrong with a request: where, as a JSON pointer, and what."""

    pointer: str
    detail: str


class Problem(BaseModel):
    """A problem document."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
    retryable: bool = False
    errors: list[ErrorDetail] = []


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How problems of some statuses stand in the OpenAPI document."""
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schema_of_error = schema.pop("$defs")["ErrorDetail"]
    schema["properties"]["errors"]["items"] = schema_of_error
    content = {"application/problem+json": {"schema": schema}}
    return {n: {"description": HTTPStatus(n).phrase, "content": content} for n in statuses}


def refusals() -> dict[int | str, dict[str, Any]]:
    """How the problems that any request may meet stand in the OpenAPI document."""
    return documented(400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503, 504)


def linked(name: str, location: str, *operations: str) -> dict[str, Any]:
    """A response in the OpenAPI document that names what the next requests are about."""
    return {
        "description": "Created",
        "links": {
            each: {"operationId": f"{each}_{name}", "parameters": {name: location}}
            for each in operations
        },
    }


def slug_of(error: Exception) -> str:
    """How an error is called over HTTP."""
    return next(
        (slug for error_type, (slug, _) in SLUGS.items() if isinstance(error, error_type)),
        "internal",
    )


def respond(
    request: Request, slug: str, status: int, detail: str, errors: list[ErrorDetail] | None = None
) -> JSONResponse:
    """The response that carries a problem."""
    return _carried(_problem(request_id_of(request.scope), slug, status, detail, errors))


def refusal(request: Request, error: Exception) -> JSONResponse:
    """The response to a request that ended in an error; of one of ours, what is wrong."""
    problem = problem_of(error, request_id_of(request.scope))
    return _carried(problem, error.retry_after_s if isinstance(error, RetryLater) else 1.0)


def problem_of(error: Exception, request_id: str) -> Problem:
    """What an error is told as: one of ours by what it says, any other by nothing of its inside."""
    status = next(
        (code for error_type, (_, code) in SLUGS.items() if isinstance(error, error_type)), 0
    )
    if not status:
        log.error("request %s failed", request_id, exc_info=error)
        return _problem(request_id, "internal", 500, "the service failed; nothing was scored")
    errors = (
        [ErrorDetail(pointer=error.pointer, detail=str(error))]
        if isinstance(error, InvalidRequest | BadField)
        else []
    )
    return _problem(request_id, slug_of(error), status, str(error), errors)


def _problem(
    request_id: str, slug: str, status: int, detail: str, errors: list[ErrorDetail] | None = None
) -> Problem:
    return Problem(
        type=f"urn:palaestra:problem:{slug}",
        title=slug.replace("-", " "),
        status=status,
        detail=detail.encode("utf-8", "replace").decode(),
        request_id=request_id,
        retryable=status in RETRYABLE,
        errors=errors or [],
    )


def _carried(problem: Problem, retry_after_s: float = 1.0) -> JSONResponse:
    headers = {"x-request-id": problem.request_id}
    if problem.retryable:
        headers["retry-after"] = str(max(1, ceil(retry_after_s)))
    return JSONResponse(
        problem.model_dump(), problem.status, headers, media_type="application/problem+json"
    )


def request_id_of(scope: Scope) -> str:
    """How a request is called: as its client calls it, or by chance."""
    known = scope.get("request_id")
    if known is None:
        header = dict(scope.get("headers", ())).get(b"x-request-id", b"")[:80].decode("latin-1")
        known = scope["request_id"] = header if header.isprintable() and header else new_id()
    return str(known)


def new_id() -> str:
    """A name for a request that no other has: by chance for this process, then counted."""
    return f"{_PROCESS}{next(_REQUESTS):016x}"


def install(app: FastAPI) -> None:
    """Make an application answer with problems."""

    async def ours(request: Request, error: Exception) -> JSONResponse:
        return refusal(request, error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        errors = [_error_detail(each) for each in error.errors()[:20]]
        detail = "; ".join(f"{each.pointer}: {each.detail}" for each in errors[:3])
        return respond(request, "invalid-request", 422, detail, errors)

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, StarletteHTTPException)
        response = respond(request, "http", error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405 and (methods := _methods(request)):
            response.headers["allow"] = ", ".join(methods)
        return response

    for error_type in SLUGS:
        app.add_exception_handler(error_type, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(StarletteHTTPException, http)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, ours)


def _methods(request: Request) -> list[str]:
    """What can be done with the path of a request, by any of the routes that it matches."""
    return sorted(
        {
            method
            for route in request.app.routes
            if route.matches(request.scope)[0] is not Match.NONE
            for method in getattr(route, "methods", None) or ()
        }
    )


def _error_detail(error: Any) -> ErrorDetail:
    pointer = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in error["loc"][1:])
    return ErrorDetail(pointer=f"/{pointer}"[:200], detail=str(error["msg"])[:300])
