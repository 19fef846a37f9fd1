"""Scoring on another machine: the functions of :mod:`palaestra.scoring` as methods, over HTTP.

>>> from palaestra.client import Client
>>> client = Client("http://127.0.0.1:8000")  # doctest: +SKIP
>>> client.score(address, reply)  # doctest: +SKIP
Score(value=1, reason='', parts={}, status='scored')

What goes wrong comes as the same errors as in process, so that switching changes one line. Episodes
are played in a :class:`Session` as in an :class:`~palaestra.episode.Episode`, and programs are run
by the methods of a :class:`~palaestra.verifiers.sandbox.Sandbox`.

A request costs the client as much as a hundred verdicts, so items that any number of threads or
tasks send at the same time share one request; see :mod:`palaestra.client.batches`. Requests and
retries are described once, in :mod:`palaestra.client.operations`, by generators that yield requests
and pauses; each of the two clients carries them out in its own way.
"""

from palaestra.client.async_client import AsyncClient, AsyncSession
from palaestra.client.base import ANSWER_S, COMPRESSED
from palaestra.client.batches import BATCH_BYTES, CONNECTIONS, GATHERING_S, QUICK_US
from palaestra.client.effects import BACKOFF
from palaestra.client.errors import (
    BUSY,
    CLOSED,
    ERRORS,
    FLAWED,
    LOSSES,
    LOST,
    OURS,
    REFUSALS,
    RETRIED,
    DeadlinePassed,
    InvalidRequest,
    ServiceError,
    StepConflict,
    UnknownSession,
)
from palaestra.client.operations import DRAWN
from palaestra.client.structs import JSON, MSGPACK, NDJSON, Call
from palaestra.client.sync_client import Client, Session

__all__ = [
    "ANSWER_S",
    "BACKOFF",
    "BATCH_BYTES",
    "BUSY",
    "CLOSED",
    "COMPRESSED",
    "CONNECTIONS",
    "DRAWN",
    "ERRORS",
    "FLAWED",
    "GATHERING_S",
    "JSON",
    "LOSSES",
    "LOST",
    "MSGPACK",
    "NDJSON",
    "OURS",
    "QUICK_US",
    "REFUSALS",
    "RETRIED",
    "AsyncClient",
    "AsyncSession",
    "Call",
    "Client",
    "DeadlinePassed",
    "InvalidRequest",
    "ServiceError",
    "Session",
    "StepConflict",
    "UnknownSession",
]
