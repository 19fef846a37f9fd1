"""Making attempts: each is played once, kept, and watched for an endpoint that is gone."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from palaestra.address import Address
from palaestra.episode import AnswerFormat, answer_format_of
from palaestra.observations import NoImages, has_images
from palaestra.task import Task
from palaestra.trainers.episodes import Ask, Message, Reply, ToolMode, play_episode, reply_of
from palaestra.trainers.evaluation.attempts import Attempt, Key, Log
from palaestra.trainers.evaluation.suites import Cell
from palaestra.trainers.spoken_users import Speaker
from palaestra.verifiers.judges.endpoint import PASSING

GIVE_UP = 32
"""After how many failed requests in a row an endpoint is taken to be gone."""

FINAL = frozenset({401, 403, 404})
"""Answers that any other request would get as well: a wrong key, model or address. Once requests
have been answered, 403 may be about what is in a chat.
"""


class Refused(RuntimeError):
    """An endpoint that answers no request, so that there is nothing to evaluate."""


class Withdrawn(RuntimeError):
    """A request that is not made after all; its attempt is dropped, not recorded as a failure."""


def endpoint_asks(
    client: Any, model: str, sampling: Mapping[str, Any], seed: int | None = None
) -> Callable[[int], Ask]:
    """What asks a model behind a client, for each number of a sample.

    ``sampling`` goes into each request; a ``seed`` does, too, with the number of the sample added,
    so that samples differ. Raises ``ValueError`` for options that are set elsewhere.
    """
    if taken := {"n", "stream", "messages"} & sampling.keys():
        raise ValueError(f"an evaluation has no option {min(taken)!r}")

    def asks(sample: int) -> Ask:
        seeded = {} if seed is None else {"seed": seed + sample}

        async def ask(messages: list[Message], offered: list[Mapping[str, Any]]) -> Reply:
            wish = {"model": model, "messages": messages, **sampling, **seeded}
            if offered:
                wish["tools"] = offered
            return reply_of(await client.chat.completions.create(**wish))

        return ask

    return asks


def public(url: str) -> str:
    """An address without what is nobody's business."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else ""


class AttemptRunner:
    """Makes attempts with what answers requests, and holds those that are over.

    ``episodes`` are options of :func:`~palaestra.trainers.episodes.play_episode`. Raises
    ``ValueError`` for settings that cannot work.
    """

    def __init__(  # noqa: PLR0913
        self,
        asks: Callable[[int], Ask],
        *,
        concurrency: int = 8,
        answer_format: AnswerFormat | str | None = None,
        tools: ToolMode = "auto",
        speaker: Speaker | None = None,
        give_up_after: int = GIVE_UP,
        episodes: Mapping[str, Any],
    ) -> None:
        bounds = {
            "concurrency": (concurrency, 1, 10_000),
            "give_up_after": (give_up_after, 0, 10**9),
        }
        for name, (value, low, high) in bounds.items():
            if not low <= value <= high:
                raise ValueError(f"{name} lies from {low} to {high}, not at {value}")
        if tools not in {"auto", "native", "text"}:
            raise ValueError(f"tools are offered as auto, native or text, not {tools!r}")
        self.asks, self.concurrency = asks, concurrency
        self.tools, self.speaker = tools, speaker
        self.answer_format = None if answer_format is None else answer_format_of(answer_format)
        self.give_up_after, self.episodes = give_up_after, dict(episodes)
        self.held: dict[Key, Attempt] = {}
        self.log: Log | None = None
        self.failed: list[Attempt] = []
        """Attempts whose requests failed, since the last one whose requests did not."""
        self.stopped = self.refused = ""
        self.answered = False
        """Whether the endpoint has answered a request."""

    async def attempt(self, cell: Cell, address: Address, sample: int) -> None:
        """Plays one episode, and keeps it."""
        try:
            task = await asyncio.to_thread(address.task)
            if self._sees_images() and not await asyncio.to_thread(has_images, task):
                raise NoImages(address.env)
        except Exception as fault:  # noqa: BLE001  one task that is not to be had ends no evaluation
            self.keep(self._undrawn(cell, address, sample, fault))
            return
        failures: list[Exception] = []
        result = await play_episode(
            self._watched(self.asks(sample), failures),
            address,
            answer_format=self.answer_format or cell.answer_format,
            tools=self.tools,
            speaker=self.speaker,
            **self.episodes,
        )
        if any(isinstance(fault, Withdrawn) for fault in failures):
            return
        codes = {getattr(fault, "status_code", None) for fault in failures}
        self.answered = self.answered or bool(result.finish_reasons)
        if result.score is None and codes & (FINAL - {403} if self.answered else FINAL):
            self.refused = result.reason
            return
        if self.tools == "auto" and result.finish_reasons and _in_words(task, result.native_tools):
            self.tools = "text"  # the endpoint will not take functions the next time either
        attempt = Attempt.of(result, cell.name, cell.level, sample)
        # What is refused because of the chat (400, 413) says nothing about the endpoint.
        its_chat = any(400 <= (code or 0) < 500 and code not in PASSING for code in codes)
        if result.score is None and failures and not its_chat:
            self._hold_back(attempt)
        else:
            self.flush()
            self.keep(attempt)

    def _sees_images(self) -> bool:
        return bool(self.episodes.get("observation", "text") != "text")

    def _watched(self, ask: Ask, failures: list[Exception]) -> Ask:
        """The same, noting what it raises."""

        async def watched(messages: list[Message], offered: list[Mapping[str, Any]]) -> str | Reply:
            try:
                return await ask(messages, offered)
            except Exception as fault:
                failures.append(fault)
                raise

        return watched

    def _undrawn(self, cell: Cell, address: Address, sample: int, fault: Exception) -> Attempt:
        answer_format = self.answer_format.name if self.answer_format else cell.answer_format
        why = f"the task cannot be drawn: {type(fault).__name__}: {fault}"[:500]
        where = str(address)
        return Attempt(
            where,
            address.env,
            cell.level,
            cell.name,
            sample,
            where,
            None,
            "gold_error",
            why,
            answer_format,
        )

    def _hold_back(self, attempt: Attempt) -> None:
        """Keeps a failure only once the endpoint is known not to be gone."""
        self.failed.append(attempt)
        if self.give_up_after and len(self.failed) >= self.give_up_after:
            times = f"{len(self.failed)} requests in a row failed"
            self.stopped = self.stopped or f"{times}, the last one so: {attempt.reason}"

    def flush(self) -> None:
        """Keeps the failures so far, after which the endpoint has answered again."""
        if self.stopped:
            return
        for attempt in self.failed:
            self.keep(attempt)
        self.failed.clear()

    def keep(self, attempt: Attempt) -> None:
        """Holds an attempt that is over, and adds it to the log if there is one."""
        self.held[attempt.key] = attempt
        if self.log is not None:
            self.log.add(attempt)


def _in_words(task: Task, native: bool) -> bool:
    """Whether tools were described in the prompt, since functions were refused."""
    return not native and bool(task.tools())
