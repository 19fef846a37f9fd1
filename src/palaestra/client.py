"""Scoring on another machine: the functions of :mod:`palaestra.scoring` as methods, over HTTP.

>>> from palaestra.client import Client
>>> client = Client("http://127.0.0.1:8000")  # doctest: +SKIP
>>> client.score(address, reply)  # doctest: +SKIP
Score(value=1, reason='', parts={}, status='scored')

What goes wrong comes as the same errors as in process, so that switching changes one line.
"""

import asyncio
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import httpx

from palaestra.address import Address, BadAddress, Split, StaleVersion
from palaestra.episode import TAGS, EpisodeOver, Style, style_of
from palaestra.registry import UnknownEnvironment
from palaestra.scoring import Drawn, Group, Item
from palaestra.task import KnobError, NoFairTask, Score, Unscored
from palaestra.verifiers.groups import UnknownTransform

BATCH = 1_024
"""How many items the service takes at a time."""

CONNECTIONS = 16

RETRIED = {429, 503}

ERRORS: Mapping[str, type[Exception]] = {
    "unknown-environment": UnknownEnvironment,
    "stale-version": StaleVersion,
    "bad-knobs": KnobError,
    "bad-address": BadAddress,
    "episode-over": EpisodeOver,
    "unknown-transform": UnknownTransform,
    "no-fair-task": NoFairTask,
    "unscored": Unscored,
}


class ServiceError(RuntimeError):
    """The service refused a request, or could not be reached."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Call(NamedTuple):
    """A request to be made."""

    method: str
    path: str
    body: Any = None
    query: Mapping[str, Any] | None = None


def _wire(item: Item | tuple[Any, ...]) -> dict[str, Any]:
    task, replies, style = item if len(item) == 3 else (*item, TAGS)
    if not isinstance(task, Address | str):
        raise TypeError("over HTTP a task goes by its address")
    said = replies if isinstance(replies, str) else list(replies)
    return {"address": str(task), "replies": said, "style": style_of(style).name}


def _tasks_call(
    env: str,
    seeds: Iterable[int],
    level: int,
    split: Split,
    style: Style | str,
    knobs: Mapping[str, Any],
) -> Call:
    wish = {"env": env, "level": level, "seeds": list(seeds), "knobs": dict(knobs)}
    return Call("POST", "/v1/tasks", wish | {"split": split, "style": style_of(style).name})


def _group_call(
    task: Address | str,
    responses: Sequence[str | Sequence[str]],
    style: Style | str,
    transforms: Iterable[str],
) -> Call:
    said = [one if isinstance(one, str) else list(one) for one in responses]
    wish = {"address": str(task), "responses": said, "style": style_of(style).name}
    return Call("POST", "/v1/score/group", wish | {"transforms": list(transforms)})


def _batch_calls(items: Iterable[Item | tuple[Any, ...]]) -> Iterator[Call]:
    batch = [_wire(item) for item in items]
    for start in range(0, len(batch), BATCH):
        yield Call("POST", "/v1/score/batch", {"items": batch[start : start + BATCH]})


def _score(result: Mapping[str, Any]) -> Score | Unscored:
    if result["value"] is None:
        status = result["status"]
        return Unscored(result["reason"], status if status == "gold_error" else "infra_error")
    return Score(result["value"], result["reason"], result["parts"], result["status"])


def _scored(result: Mapping[str, Any]) -> Score:
    score = _score(result)
    if isinstance(score, Unscored):
        raise score
    return score


def _drawn(answer: Mapping[str, Any]) -> list[Drawn]:
    return [
        Drawn(task["address"], tuple(task["messages"]), tuple(task["tools"]))
        for task in answer["tasks"]
    ]


def _group(answer: Mapping[str, Any]) -> Group:
    return Group(tuple(map(_score, answer["results"])), answer["transforms"])


def _read(response: httpx.Response) -> Any:
    """What a response holds. Raises what the service says is wrong."""
    if response.is_success:
        return response.json()
    try:
        problem = response.json()
        slug, detail = problem["type"].rpartition(":")[2], problem["detail"]
    except (ValueError, KeyError, TypeError, AttributeError):
        slug, detail = "", response.text[:200]
    if slug in ERRORS:
        raise ERRORS[slug](detail)
    raise ServiceError(f"{response.status_code}: {detail}", response.status_code)


class _Patience:
    """How long to go on trying: waits with jitter, the longer the more often it failed."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.tries = 0

    def wait(self, response: httpx.Response | None, fault: Exception | None) -> float:
        """How many seconds to wait before the next try. Raises where there is to be none."""
        asked = response.headers.get("retry-after", "") if response else ""
        pause = float(asked) if asked.isdigit() else min(5.0, 0.1 * 2**self.tries)
        pause *= random.uniform(0.5, 1.0)  # which of many clients comes first
        self.tries += 1
        if time.monotonic() + pause > self.deadline:
            why = f"it answers {response.status_code}" if response is not None else str(fault)
            status = response.status_code if response is not None else None
            raise ServiceError(f"gave up after {self.tries} tries: {why}", status) from fault
        return pause


class _Options:
    """What both clients are made with."""

    def __init__(self, url: str, token: str | None = None, patience_s: float = 30.0) -> None:
        """``url`` of the service, a ``token`` if it asks for one.

        Requests that are refused for load, or find nobody listening, are tried again for
        ``patience_s`` seconds; scoring twice does no harm.
        """
        self._patience_s = patience_s
        self._settings: dict[str, Any] = {
            "base_url": url,
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            "timeout": httpx.Timeout(60.0, connect=5.0),
            "limits": httpx.Limits(max_connections=CONNECTIONS),
        }


class Client(_Options):
    """The reward service, called like the functions of :mod:`palaestra.scoring`."""

    def __init__(self, url: str, token: str | None = None, patience_s: float = 30.0) -> None:
        super().__init__(url, token, patience_s)
        self._http = httpx.Client(**self._settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def environments(self, **query: str) -> list[dict[str, Any]]:
        """The cards of the catalog, of a ``category``, ``tag`` or ``kind``, or found by ``q``."""
        cards, cursor = [], ""
        while cursor is not None:
            page = self._ask(Call("GET", "/v1/environments", query=query | {"cursor": cursor}))
            cards += page["environments"]
            cursor = page["next"]
        return cards

    def tasks(
        self,
        env: str,
        seeds: Iterable[int] = range(1),
        level: int = 0,
        split: Split = "train",
        style: Style | str = TAGS,
        **knobs: Any,
    ) -> list[Drawn]:
        """Draw tasks, as messages to put to a model."""
        return _drawn(self._ask(_tasks_call(env, seeds, level, split, style, knobs)))

    def score(
        self, task: Address | str, replies: str | Iterable[str], style: Style | str = TAGS
    ) -> Score:
        """The score of a whole episode."""
        said = replies if isinstance(replies, str) else list(replies)
        return _scored(self._ask(Call("POST", "/v1/score", _wire(Item(task, said, style)))))

    def score_many(self, items: Iterable[Item | tuple[Any, ...]]) -> list[Score | Unscored]:
        """The scores of many episodes, in their order; a failing one never fails the others."""
        answers = (self._ask(call) for call in _batch_calls(items))
        return [_score(result) for answer in answers for result in answer["results"]]

    def score_group(
        self,
        task: Address | str,
        responses: Sequence[str | Sequence[str]],
        style: Style | str = TAGS,
        transforms: Iterable[str] = (),
    ) -> Group:
        """The scores of several responses to one task, with the transforms asked for."""
        return _group(self._ask(_group_call(task, responses, style, transforms)))

    def _ask(self, call: Call) -> Any:
        patience = _Patience(self._patience_s)
        while True:
            response, fault = None, None
            try:
                response = self._http.request(
                    call.method, call.path, json=call.body, params=call.query
                )
                if response.status_code not in RETRIED:
                    return _read(response)
            except httpx.TransportError as caught:
                fault = caught
            time.sleep(patience.wait(response, fault))


class AsyncClient(_Options):
    """The same for asynchronous callers."""

    def __init__(self, url: str, token: str | None = None, patience_s: float = 30.0) -> None:
        super().__init__(url, token, patience_s)
        self._http = httpx.AsyncClient(**self._settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def environments(self, **query: str) -> list[dict[str, Any]]:
        """The cards of the catalog, of a ``category``, ``tag`` or ``kind``, or found by ``q``."""
        cards, cursor = [], ""
        while cursor is not None:
            call = Call("GET", "/v1/environments", query=query | {"cursor": cursor})
            page = await self._ask(call)
            cards += page["environments"]
            cursor = page["next"]
        return cards

    async def tasks(
        self,
        env: str,
        seeds: Iterable[int] = range(1),
        level: int = 0,
        split: Split = "train",
        style: Style | str = TAGS,
        **knobs: Any,
    ) -> list[Drawn]:
        """Draw tasks, as messages to put to a model."""
        return _drawn(await self._ask(_tasks_call(env, seeds, level, split, style, knobs)))

    async def score(
        self, task: Address | str, replies: str | Iterable[str], style: Style | str = TAGS
    ) -> Score:
        """The score of a whole episode."""
        said = replies if isinstance(replies, str) else list(replies)
        return _scored(await self._ask(Call("POST", "/v1/score", _wire(Item(task, said, style)))))

    async def score_many(self, items: Iterable[Item | tuple[Any, ...]]) -> list[Score | Unscored]:
        """The scores of many episodes, in their order; a failing one never fails the others."""
        answers = await asyncio.gather(*(self._ask(call) for call in _batch_calls(items)))
        return [_score(result) for answer in answers for result in answer["results"]]

    async def score_group(
        self,
        task: Address | str,
        responses: Sequence[str | Sequence[str]],
        style: Style | str = TAGS,
        transforms: Iterable[str] = (),
    ) -> Group:
        """The scores of several responses to one task, with the transforms asked for."""
        return _group(await self._ask(_group_call(task, responses, style, transforms)))

    async def _ask(self, call: Call) -> Any:
        patience = _Patience(self._patience_s)
        while True:
            response, fault = None, None
            try:
                response = await self._http.request(
                    call.method, call.path, json=call.body, params=call.query
                )
                if response.status_code not in RETRIED:
                    return _read(response)
            except httpx.TransportError as caught:
                fault = caught
            await asyncio.sleep(patience.wait(response, fault))
