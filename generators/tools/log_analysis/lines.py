"""What services log."""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.log_analysis.system import Request, System

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")

EPOCH = datetime(1, 1, 1)
"""What times are counted from."""

NOISE = (
    ("DEBUG", "heartbeat {n}"),
    ("DEBUG", "cache holds {n} entries"),
    ("INFO", "garbage collection took {n} ms"),
    ("INFO", "healthcheck status=200 ms={n}"),
    ("INFO", "configuration is read again, {n} keys"),
    ("INFO", "starting, process {n}"),
    ("WARN", "disk usage is {n} %"),
    ("WARN", "clock was not synchronised for {n} minutes"),
    ("WARN", "connection {n} was closed by the peer"),
    ("ERROR", "job={n} failed, next try in a minute"),
)


class Line(NamedTuple):
    """A line of a log by the clock of its service."""

    time: int
    """In milliseconds since the beginning of the log."""
    service: int
    level: str
    text: str


def stamp(milliseconds: int) -> str:
    """A time since the year 1 as logs show it.

    >>> stamp(65_294_236_800_120)
    '2070-02-03T08:00:00.120'
    """
    return (EPOCH + timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds")


def milliseconds(text: str) -> int:
    """The opposite. Raises ``ValueError`` for what is no time, and for one with a zone.

    >>> milliseconds("2070-02-03T08:00:00.120"), milliseconds("2070-02-03 08:00:01")
    (65294236800120, 65294236801000)
    """
    time = datetime.fromisoformat(text)
    if time.tzinfo is not None:
        raise ValueError("a time with a zone")
    return (time - EPOCH) // timedelta(milliseconds=1)


class Log:
    """All lines in the order of their stamps."""

    def __init__(self, system: System, seed: int, noise: int) -> None:
        self.system = system
        self.lines = sorted(_lines(system, seed, noise))
        self.times = [line.time for line in self.lines]
        self.folded = [line.text.casefold() for line in self.lines]

    def text(self, number: int) -> str:
        """A line as it is shown, with its number, which counts from 1."""
        line = self.lines[number]
        name = self.system.services[line.service].name
        when = stamp(self.system.start + line.time)
        return f"[{number + 1}] {when} {name} {line.level} {line.text}"

    def between(self, start: int | None, end: int | None) -> range:
        """The numbers of the lines with stamps from a time to right before another one."""
        first = 0 if start is None else bisect_left(self.times, start - self.system.start)
        last = len(self.times) if end is None else bisect_left(self.times, end - self.system.start)
        return range(first, max(first, last))


def _lines(system: System, seed: int, noise: int) -> Iterator[Line]:
    """Every line by the clock of its service."""
    offsets = [service.offset for service in system.services]
    for request in system.requests:
        for time, service, level, text in request_lines(system, request):
            yield Line(time + offsets[service], service, level, text)
    for deploy in system.deploys:
        time = deploy.time + offsets[deploy.service]
        yield Line(time, deploy.service, "INFO", f"deploy {deploy.name} is active")
    rng = Random(f"noise {seed}")
    draw, services, length = rng.random, len(offsets), system.length
    for _ in range(noise):
        service = int(draw() * services)
        level, text = NOISE[int(draw() * len(NOISE))]
        time = int(draw() * length) + offsets[service]
        yield Line(time, service, level, text.format(n=int(draw() * 100)))


def request_lines(system: System, request: Request) -> Iterator[tuple[int, int, str, str]]:
    """The lines of a request, each with its time in UTC, its service, its level and its text."""
    endpoint = system.endpoints[request.endpoint]
    head = f"req={request.id}"
    start, share = request.time, request.duration // request.attempts
    yield start, 0, "INFO", f"{head} user=u{request.user} {endpoint.name} received"
    for attempt in range(request.attempts):
        yield from _attempt_lines(system, request, start + attempt * share, attempt)
        if attempt < request.attempts - 1:
            retry = start + (attempt + 1) * share - 1
            yield retry, 0, "WARN", f"{head} attempt {attempt + 1} failed, retrying"
    if request.harmless >= 0:
        yield start + 6, request.harmless, "ERROR", f"{head} cache write failed, continuing"
    level, status = ("INFO", 200) if request.succeeds else ("ERROR", 502)
    end = start + request.duration
    yield end, 0, level, f"{head} status={status} ms={request.duration}"


def _attempt_lines(
    system: System, request: Request, start: int, attempt: int
) -> Iterator[tuple[int, int, str, str]]:
    """The lines of an attempt: calls down to the last service or the one that fails."""
    chain, head = system.endpoints[request.endpoint].chain, f"req={request.id}"
    fails = attempt < request.failed
    last = chain.index(request.root) if fails else len(chain) - 1
    for depth in range(last):
        callee = system.services[chain[depth + 1]].name
        yield start + 1 + 3 * depth, chain[depth], "INFO", f"{head} calls {callee}"
    end = start + request.duration // request.attempts
    if not fails:
        yield end - 8, chain[last], "DEBUG", f"{head} is handled"
        return
    yield end - 8, request.root, "ERROR", f"{head} {request.failure}"
    for depth in range(last - 1, -1, -1):
        callee = system.services[chain[depth + 1]].name
        yield end - 2 - depth, chain[depth], "ERROR", f"{head} upstream {callee} failed"
