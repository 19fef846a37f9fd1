"""Made-up services with their requests, incidents and deploys. Times are milliseconds in UTC."""

import sys
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import words

ROLES = (
    "orders", "stock", "users", "billing", "search", "mail", "prices", "ledger", "images", "routes",
    "quotas", "tokens", "reports", "labels", "queue",
)  # fmt: skip
"""What services are for, in their names."""

FAILURES = (
    "connection pool exhausted",
    "out of memory",
    "disk is full",
    "certificate has expired",
    "shard does not answer",
    "lock timeout",
    "too many open files",
    "invalid configuration",
)

METHODS = ("GET", "POST", "PUT")

GAP = 2_500
"""The mean time between two requests."""

IDS = 16**6
"""How many ids of requests there are."""

LONGEST = 30_000
"""How long a request may take."""

DEPTH = 4
"""How many services a request goes through at most, the gateway among them."""


class Service(NamedTuple):
    """A service; ``offset`` is how far its clock is ahead."""

    name: str
    offset: int


class Endpoint(NamedTuple):
    """What is requested, and the numbers of the services that take part, the gateway first."""

    name: str
    chain: tuple[int, ...]


class Incident(NamedTuple):
    """A time in which a service fails."""

    service: int
    start: int
    end: int
    failure: str


class Deploy(NamedTuple):
    """A new version of a service."""

    time: int
    service: int
    name: str


class Request(NamedTuple):
    """A request. ``failed`` of its ``attempts`` fail, at the service ``root``."""

    time: int
    """When the gateway receives it."""
    id: str
    user: int
    endpoint: int
    duration: int
    attempts: int = 1
    failed: int = 0
    root: int = -1
    failure: str = ""
    harmless: int = -1
    """A service of the chain that logs an error without effect, or -1."""

    @property
    def succeeds(self) -> bool:
        """Whether the last attempt succeeds."""
        return self.failed < self.attempts


class Sizes(NamedTuple):
    """How large a system is; ``offset`` is the largest one in seconds, ``retries`` a percentage."""

    requests: int
    services: int
    endpoints: int
    noise: int
    offset: int
    retries: int
    incidents: int


class System(NamedTuple):
    """Everything that happens; requests and deploys are in the order of their times."""

    start: int
    """The beginning of the log, in milliseconds since the year 1."""
    services: tuple[Service, ...]
    endpoints: tuple[Endpoint, ...]
    incidents: tuple[Incident, ...]
    deploys: tuple[Deploy, ...]
    requests: tuple[Request, ...]

    @property
    def length(self) -> int:
        """How long the log is."""
        return self.requests[-1].time + LONGEST


def random_system(seed: int, sizes: Sizes) -> System:
    """The system of a seed, always the same one."""
    rng = Random(seed)
    stems = words(rng, sizes.services + sizes.endpoints, 4, 6)
    roles = rng.sample(ROLES, sizes.services - 1)
    most = sizes.offset * 1_000
    services = tuple(
        Service(f"{stem}-{role}", rng.choice((-1, 1)) * rng.randint(most // 4, most))
        for stem, role in zip(stems, ("gateway", *roles))
    )
    endpoints = tuple(
        Endpoint(f"{rng.choice(METHODS)} /{stem}", _chain(rng, sizes.services))
        for stem in stems[sizes.services :]
    )
    length = sizes.requests * GAP
    incidents = _incidents(rng, sizes, endpoints, length)
    day = rng.randrange(756_000, 760_000) * 86_400_000
    return System(
        day + rng.randrange(3_600, 18 * 3_600) * 1_000,
        services,
        endpoints,
        incidents,
        _deploys(rng, sizes.services, incidents, length),
        tuple(_requests(rng, sizes, endpoints, incidents)),
    )


def _chain(rng: Random, services: int) -> tuple[int, ...]:
    """The gateway and a few services, always in the order of their numbers."""
    number = rng.randint(2, min(DEPTH - 1, services - 1))
    return (0, *sorted(rng.sample(range(1, services), number)))


def _incidents(
    rng: Random, sizes: Sizes, endpoints: Sequence[Endpoint], length: int
) -> tuple[Incident, ...]:
    """Incidents, one in each part of the time, at services that take part in requests."""
    part = length // sizes.incidents
    used = sorted({service for endpoint in endpoints for service in endpoint.chain[1:]})
    failures = rng.sample(FAILURES, sizes.incidents)
    roots = rng.sample(used, sizes.incidents)
    incidents = []
    for number, (root, failure) in enumerate(zip(roots, failures)):
        start = number * part + rng.randint(part // 5, part // 2)
        end = start + rng.randint(part // 4, part // 3)
        incidents.append(Incident(root, start, end, failure))
    return tuple(incidents)


def _deploys(
    rng: Random, services: int, incidents: Sequence[Incident], length: int
) -> tuple[Deploy, ...]:
    """For each incident the deploy that causes it, some that undo it, and others near it."""
    times = [(incident.start - rng.randint(50, 3_000), incident.service) for incident in incidents]
    for incident in incidents:
        if rng.random() < 0.5:
            times.append((incident.end + rng.randint(-5_000, 5_000), incident.service))
        for distance in rng.sample(range(1, services), 2):
            other = (incident.service + distance) % services
            times.append((incident.start + rng.randint(-20_000, 5_000), other))
    roots = [incident.service for incident in incidents]
    times += [(rng.randrange(length), n) for n in range(services) if n not in roots]
    times += [(0, root) for root in roots]
    ids = rng.sample(range(100, 1_000), len(times))
    return tuple(
        sorted(Deploy(max(time, 0), service, f"d{n}") for (time, service), n in zip(times, ids))
    )


def _requests(
    rng: Random, sizes: Sizes, endpoints: Sequence[Endpoint], incidents: Sequence[Incident]
) -> list[Request]:
    """The requests; a loop over thousands, in which ``random`` alone is quick."""
    draw, requests = rng.random, list[Request]()
    step, first = 2 * rng.randrange(IDS // 4, IDS // 2) + 1, rng.randrange(IDS)
    users = 20 + sizes.requests // 6
    chains = [endpoint.chain for endpoint in endpoints]
    usual = [40 + draw() * 400 for _ in endpoints]
    roots = {incident.service for incident in incidents}
    others = [[each for each in chain[1:] if each not in roots] for chain in chains]
    retried = sizes.retries / 100
    spans = iter([*incidents, Incident(0, sys.maxsize, sys.maxsize, "")])
    time, incident = 0, next(spans)
    for number in range(sizes.requests):
        time += 1 + int(draw() * 2 * GAP)
        while time >= incident.end:
            incident = next(spans)
        n = int(draw() * len(chains))
        luck = draw()
        duration = int(20 + usual[n] * (0.5 + draw()) * (8 if luck < 0.06 else 1))
        harmless = chains[n][-1] if luck > 0.97 else -1
        code = (first + number) * step % IDS
        request_id = f"r{(code ^ code >> 12) * step % IDS:06x}"
        user = 100 + int(draw() * users)
        request = Request(time, request_id, user, n, duration, 1, 0, -1, "", harmless)
        luck = draw()
        if incident.start <= time and incident.service in chains[n]:
            if luck < 0.7:
                root, failure = incident.service, incident.failure
                request = _failing(request, root, failure, retried, draw())
        elif luck < 0.03 and others[n]:
            root = others[n][int(draw() * len(others[n]))]
            request = _failing(request, root, FAILURES[int(draw() * 8)], retried, draw())
        requests.append(request)
    return requests


def _failing(request: Request, root: int, failure: str, retried: float, share: float) -> Request:
    """A request that fails at a service; with a retry, it succeeds in half of all cases.

    ``share`` is random, from 0 to 1, and decides on that.
    """
    attempts = 2 if share < retried else 1
    failed = 1 if share < retried / 2 else attempts
    return request._replace(attempts=attempts, failed=failed, root=root, failure=failure)
