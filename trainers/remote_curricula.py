"""Curricula of the service, for trainers whose processes cannot share one in memory.

One process begins a curriculum, and all others name it by its URL, as in the environment variable
``PALAESTRA_CURRICULUM``: data loaders draw tasks from it, reward functions report results to it, on
whatever machine they run. The service keeps its state.
"""

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit

from palaestra.address import Address
from palaestra.client import Client
from palaestra.client.effects import fetch
from palaestra.client.structs import Call, post
from palaestra.trainers.curricula import Outcome
from palaestra.trainers.priors import Prior

VARIABLE = "PALAESTRA_CURRICULUM"
"""The environment variable with the URL of a curriculum."""

PATH = "/v1/curricula"
MOST = 1_024
"""How many tasks or results one request has."""


class RemoteCurriculum:
    """A curriculum that the service keeps, used like
    :class:`~palaestra.trainers.curricula.Curriculum`. Threads may share one.

    Every request raises :class:`~palaestra.client.ServiceError` where the service refuses it or
    cannot be reached in time.
    """

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name

    @classmethod
    def begin(  # noqa: PLR0913
        cls,
        client: Client,
        environments: Mapping[str, float],
        levels: Mapping[str, Iterable[int]] | None = None,
        strategy: str = "frontier",
        seed: int = 0,
        *,
        prior: Prior | str | None = None,
        **options: Any,
    ) -> Self:
        """Begins a curriculum over environments with their weights.

        ``levels`` has those of each environment that are drawn from, all unless named, and
        ``options`` those of the strategy. ``prior`` has success rates to start from, or is the
        name of a model with a profile in the service's release.
        """
        own = {env: {"levels": [*each]} for env, each in (levels or {}).items()}
        mixture = [
            {"env": env, "weight": weight, **own.get(env, {})}
            for env, weight in environments.items()
        ]
        body = {"strategy": strategy, "environments": mixture, "seed": seed, "options": options}
        if prior is not None:
            body["profile" if isinstance(prior, str) else "prior"] = prior
        begun = client._run(fetch(post(PATH, body), client._patience(), dict[str, Any]))
        return cls(client, begun["id"])

    @classmethod
    def at(cls, url: str) -> Self:
        """The curriculum of a URL, ``http://any:TOKEN@host:8000/v1/curricula/NAME``.

        The token may be missing. Raises ``ValueError`` for another URL.
        """
        parts = urlsplit(url)
        base, separator, name = parts.path.rpartition(f"{PATH}/")
        if parts.scheme not in {"http", "https"} or not parts.hostname or not separator or not name:
            example = f"http://127.0.0.1:8000{PATH}/NAME"
            raise ValueError(f"a curriculum has a URL such as {example}, not {url[:200]!r}")
        host = parts.netloc.rpartition("@")[2]
        token = unquote(parts.password) if parts.password else None
        return cls(Client(f"{parts.scheme}://{host}{base}", token), unquote(name))

    def sample(self, number: int) -> list[Address]:
        """The addresses of the next tasks."""
        addresses: list[Address] = []
        while len(addresses) < number:
            body = {"n": min(MOST, number - len(addresses))}
            addresses += map(Address.parse, self._asked("/next", body)["addresses"])
        return addresses

    def update(self, outcomes: Iterable[Outcome]) -> None:
        """Reports results from 0 to 1; what could not be judged, None, teaches nothing."""
        results = [
            {"address": str(task), "value": None if value is None else min(1.0, max(0.0, value))}
            for task, value in outcomes
        ]
        for first in range(0, len(results), MOST):
            self._asked("/feedback", {"results": results[first : first + MOST]})

    def state(self) -> dict[str, Any]:
        """What it is, what it draws from and what it has learnt."""
        call = Call("GET", self._path())
        return self.client._run(fetch(call, self.client._patience(), dict[str, Any]))

    def end(self) -> None:
        """Has the service forget it."""
        call = Call("DELETE", self._path())
        self.client._run(fetch(call, self.client._patience(), dict[str, Any]))

    def close(self) -> None:
        """Closes the client, which one that was made by :meth:`at` has to itself."""
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _asked(self, part: str, body: Any) -> dict[str, Any]:
        call = post(self._path() + part, body)
        return self.client._run(fetch(call, self.client._patience(), dict[str, Any]))

    def _path(self) -> str:
        return f"{PATH}/{quote(self.name, safe='')}"


def named() -> RemoteCurriculum:
    """The curriculum that the environment names, one for each process.

    Raises ``ValueError`` where :data:`VARIABLE` is not set, and what :meth:`RemoteCurriculum.at`
    does.
    """
    url = os.environ.get(VARIABLE, "")
    if not url:
        raise ValueError(f"set {VARIABLE} to the URL of a curriculum of the service")
    return _of(url, os.getpid())


@lru_cache(maxsize=8)
def _of(url: str, process: int) -> RemoteCurriculum:
    """A curriculum by its URL; a forked process makes connections of its own."""
    return RemoteCurriculum.at(url)


def means(results: Iterable[tuple[str, float | None]]) -> list[Outcome]:
    """The mean of the results of each task, in the order of the tasks; faults are left out.

    >>> means([("a", 1.0), ("b", None), ("a", 0.0)])
    [('a', 0.5)]
    """
    groups: dict[str, list[float]] = {}
    for task, value in results:
        if value is not None:
            groups.setdefault(task, []).append(value)
    return [(task, sum(values) / len(values)) for task, values in groups.items()]
