"""What is counted and logged of requests, for Prometheus and for those who read logs.

One line of JSON for each request that failed and for a share of the others.
"""

import json
import logging
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter, time
from typing import Any, Protocol

from palaestra.extras import needs

with needs("server", "the HTTP service"):
    from prometheus_client import (
        CollectorRegistry,
        Counter,
        Gauge,
        Histogram,
        generate_latest,
        multiprocess,
    )

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.auth import key_of
from palaestra.server.disconnects import CURRENT_RECEIVE
from palaestra.server.problems import new_id, request_id_of
from palaestra.server.request_bodies import headers_of
from palaestra.server.structs import Result

log = logging.getLogger("palaestra.requests")

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
SLOW_US = 500
TRACE = re.compile(rb"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")

requests = Counter("palaestra_requests", "Requests, by route and status.", ["route", "status"])
seconds = Histogram("palaestra_request_seconds", "Time to answer.", ["route"], buckets=BUCKETS)
scores = Counter("palaestra_scores", "Scores, by environment and status.", ["env", "status"])
judging = Histogram(
    "palaestra_judging_seconds",
    "Time to judge, of verdicts that took half a millisecond or more.",
    buckets=BUCKETS,
)
verdicts = Counter("palaestra_verdicts", "Verdicts of named verifiers, by status.", ["status"])
utterances = Counter(
    "palaestra_user_utterances",
    "Utterances of users that an endpoint was to word, by whose words were used.",
    ["words"],
)
waiting = Gauge(
    "palaestra_waiting", "Verdicts that wait for their turn.", multiprocess_mode="livesum"
)
in_play = Gauge(
    "palaestra_sessions_in_play", "Sessions that are held in play.", multiprocess_mode="livesum"
)
isolation = Gauge(
    "palaestra_sandbox_level",
    "How programs are held: 0 by nothing, 1 Landlock, 2 a container, 3 namespaces; -1 untried.",
    multiprocess_mode="max",
)
isolation.set(-1)


class Verdict(Protocol):
    """What is counted of a verdict."""

    status: str


@cache
def _scores(env: str, status: str) -> Counter:
    return scores.labels(env, status)


@cache
def _verdicts(status: str) -> Counter:
    return verdicts.labels(status)


@cache
def _requests(route: str, status: int) -> Counter:
    return requests.labels(route, str(status))


@cache
def _seconds(route: str) -> Histogram:
    return seconds.labels(route)


def scored(results: list[Result]) -> None:
    """Counts scores, those of a batch together: an environment and a status are few of them."""
    counts: dict[tuple[str, str], int] = {}
    for one in results:
        env = one.address.partition("@")[0] if one.fingerprint else "unknown"
        counts[env, one.status] = counts.get((env, one.status), 0) + 1
        if one.micros >= SLOW_US:  # most are not, and would cost more to time than to count
            judging.observe(one.micros / 1e6)
    for (env, status), number in counts.items():
        _scores(env, status).inc(number)


def verified(results: Sequence[Verdict]) -> None:
    """Counts verdicts of named verifiers."""
    for one in results:
        _verdicts(one.status).inc()


def worded(is_scripted: bool) -> None:
    """Counts what a user says: in the words of an endpoint, or of the script where that fails."""
    utterances.labels("script" if is_scripted else "endpoint").inc()


def frame(status: int) -> None:
    """Counts a frame of a socket, which is a request of its own."""
    _requests("/v1/ws", status).inc()


def exposition() -> bytes:
    """What Prometheus reads: of this process, or of all where there are several."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return bytes(generate_latest())
    _forget_the_dead(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return bytes(generate_latest(registry))


def _forget_the_dead(folder: Path) -> None:
    """What processes that were killed had in play and waiting is so no more."""
    for file in folder.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]


class MetricsMiddleware:
    """Counts, times and logs every request, and hands its trace on."""

    def __init__(
        self,
        app: ASGIApp,
        log_share: float = 0.0,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.app, self.log_share, self.is_stopping = app, log_share, is_stopping
        self.rng = Random()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = perf_counter(), 500
        CURRENT_RECEIVE.set(receive)
        headers = headers_of(scope)
        trace = headers.get(b"traceparent", b"")
        trace_headers = [(b"traceparent", trace)] if trace and TRACE.fullmatch(trace) else []
        if b"x-request-id" not in headers:
            scope["request_id"] = new_id()
        trace_headers.append((b"x-request-id", request_id_of(scope).encode("latin-1")))

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if self.is_stopping():  # the next request of this client is another server's
                    trace_headers.append((b"connection", b"close"))
                known = {name for name, _ in message["headers"]}
                more = [header for header in trace_headers if header[0] not in known]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            took = perf_counter() - start
            route = route_of(scope)
            _requests(route, status).inc()
            _seconds(route).observe(took)
            if status >= 500 or (self.log_share and self.rng.random() < self.log_share):
                self._log(scope, status, took, trace)

    def _log(self, scope: Scope, status: int, took: float, trace: bytes) -> None:
        line: dict[str, Any] = {
            "at": round(time(), 3), "method": scope["method"], "path": scope["path"][:200],
            "status": status, "ms": round(took * 1e3, 3), "request_id": request_id_of(scope),
            "key": key_of(scope).name, "trace": trace.decode("latin-1")[:60],
        }  # fmt: skip
        log.info(json.dumps(line))


def route_of(scope: Scope) -> str:
    """The route of a request without what differs from one to the next."""
    route = scope.get("route")
    return str(getattr(route, "path", None) or scope.get("hot") or "other")
