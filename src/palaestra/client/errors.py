"""What goes wrong, as the service calls it and as callers meet it."""

from collections.abc import Mapping

import httpx2 as httpx

from palaestra.address import BadAddress, StaleVersion
from palaestra.episode import EpisodeOver
from palaestra.registry import UnknownEnvironment
from palaestra.task import JudgeError, KnobError, NoValidTask
from palaestra.verifiers.groups import UnknownTransform
from palaestra.verifiers.named import UnknownVerifier

RETRIED = {429, 503, 504}
BUSY = {"deadline-passed", "overloaded", "store-unavailable", "too-many-requests", "worker-lost"}
"""Failures worth a retry: statuses of responses, and errors of items."""

LOST, LOSSES = "worker-lost", 3
"""An item that so many workers died of is not sent to another one."""

FLAWED = {400, 413, 422}
"""Statuses with which a batch is refused for one of its items."""

CLOSED = "the client was closed"
LATE = "the deadline passed before there was an answer"

ERRORS: Mapping[str, type[Exception]] = {
    "unknown-environment": UnknownEnvironment,
    "stale-version": StaleVersion,
    "bad-knobs": KnobError,
    "bad-address": BadAddress,
    "episode-over": EpisodeOver,
    "unknown-transform": UnknownTransform,
    "unknown-verifier": UnknownVerifier,
    "no-valid-task": NoValidTask,
    "unscored": JudgeError,
    "internal": JudgeError,
    LOST: JudgeError,
}
"""The errors in process, by how they are called over HTTP."""

OURS = {"unscored", "internal", LOST}
"""Those of them that are no fault of the request."""


class ServiceError(RuntimeError):
    """The service refused a request, or could not be reached; ``slug`` is what it calls that."""

    def __init__(self, message: str, status: int | None = None, slug: str = "") -> None:
        super().__init__(message)
        self.status, self.slug = status, slug


class DeadlinePassed(ServiceError, TimeoutError):
    """There was no answer before the deadline of the caller."""


class InvalidRequest(ServiceError, ValueError):
    """A request that the service does not understand, or finds too large."""


class UnknownSession(ServiceError, LookupError):
    """There is no such session, or it is over its time, or it is somebody else's."""


class StepConflict(ServiceError):
    """A session does not stand where its player thinks: somebody else has played on."""


REFUSALS: Mapping[str, type[ServiceError]] = {
    "deadline-passed": DeadlinePassed,
    "invalid-request": InvalidRequest,
    "malformed": InvalidRequest,
    "too-large": InvalidRequest,
    "step-conflict": StepConflict,
    "unknown-session": UnknownSession,
}


def fault(slug: str, detail: str, status: int | None = None) -> Exception:
    """The error that the service tells of."""
    if slug in ERRORS:
        return ERRORS[slug](detail)
    return REFUSALS.get(slug, ServiceError)(detail, status, slug)


def problem(response: httpx.Response) -> tuple[str, str]:
    """How the service calls what is wrong, and what it says of it."""
    try:
        document = response.json()
        return document["type"].rpartition(":")[2], document["detail"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", response.text[:200]


def refusal(response: httpx.Response) -> Exception:
    """The error that a response stands for."""
    slug, detail = problem(response)
    if slug not in ERRORS:
        detail = f"{response.status_code}: {detail}"
    return fault(slug, detail, response.status_code)


def is_general(error: Exception) -> bool:
    """Whether an error says that others will not fare better."""
    flawed = isinstance(error, DeadlinePassed) or getattr(error, "status", None) in FLAWED
    return isinstance(error, ServiceError) and not flawed
