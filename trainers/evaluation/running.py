"""Playing a suite: many episodes at a time, each kept as soon as it is over."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from palaestra import __version__
from palaestra.address import Address
from palaestra.episode import AnswerFormat, answer_format_of
from palaestra.task import Task
from palaestra.trainers.episodes import (
    MOST_TURNS,
    Ask,
    Message,
    Reply,
    ToolMode,
    play_episode,
    reply_of,
)
from palaestra.trainers.evaluation import reports
from palaestra.trainers.evaluation.attempts import Attempt, Key, Log, attempts_in
from palaestra.trainers.evaluation.suites import Cell, Suite
from palaestra.verifiers.judges.endpoint import PASSING

GIVE_UP = 32
"""After how many failed requests in a row an endpoint is taken to be gone."""

FINAL = frozenset({401, 403, 404})
"""Answers that any other request would get as well: a wrong key, model or address. Once requests
have been answered, 403 may be about what is in a chat.
"""

Progress = Callable[[int, int, Attempt | None], None]
"""Called with the number of attempts done, the number planned, and the attempt just done."""


class Refused(RuntimeError):
    """An endpoint that answers no request, so that there is nothing to evaluate."""


@dataclass(frozen=True)
class Evaluation:
    """Attempts, and what they have in common. ``stopped`` says why it was given up, if it was."""

    manifest: Mapping[str, Any]
    attempts: tuple[Attempt, ...]
    stopped: str = ""

    @classmethod
    def load(cls, folder: Path, stopped: str = "") -> Self:
        """What a folder holds, be it complete or not."""
        manifest = reports.manifest_in(folder)
        latest = {each.key: each for each in attempts_in(folder)}
        return cls(manifest, tuple(latest.values()), stopped)

    @property
    def planned(self) -> int:
        """How many attempts make it complete."""
        return int(self.manifest["tasks"]) * int(self.manifest["samples"])

    @property
    def complete(self) -> bool:
        """Whether none is missing."""
        return len(self.attempts) >= self.planned

    def report(self) -> dict[str, Any]:
        """All figures, as plain values."""
        return reports.report(self.manifest, self.attempts, self.planned, self.stopped)

    def write(self, folder: Path) -> dict[str, Any]:
        """Writes ``report.json``, ``report.md`` and ``report.html``; gives what is in the first."""
        report = self.report()
        reports.write(report, folder)
        return report


async def evaluate(  # noqa: PLR0913
    ask: Ask,
    suite: Suite,
    *,
    model: str = "model",
    samples: int = 1,
    concurrency: int = 8,
    out: Path | None = None,
    answer_format: AnswerFormat | str | None = None,
    system: str = "",
    tools: ToolMode = "auto",
    max_turns: int = MOST_TURNS,
    max_context: int | None = None,
    settings: Mapping[str, Any] | None = None,
    retry_unscored: bool = False,
    give_up_after: int = GIVE_UP,
    progress: Progress = lambda *_: None,
) -> Evaluation:
    """Have anything that replies to messages play a suite: ``await ask(messages, tools)``.

    Up to ``concurrency`` episodes are under way at a time. With ``out``, attempts are kept in that
    folder as they are made, and those that it holds already are not made again; the attempts at a
    task that could not be scored are, if ``retry_unscored``. ``answer_format`` takes the place of
    those of the suite. ``settings`` are whatever else makes another evaluation, such as the
    temperature; a folder holds only one. ``give_up_after`` failures in a row it stops, 0 for never:
    none of them is kept then, and they are made again at the next start.

    Raises :class:`~palaestra.trainers.evaluation.attempts.OtherEvaluation` where ``out`` holds
    something else, and ``ValueError`` for settings that cannot work.
    """
    run = _Run(lambda _: ask, suite, samples, concurrency, answer_format, give_up_after, progress)
    run.episodes = {"system": system, "max_turns": max_turns, "max_context": max_context}
    run.tools = tools
    return await run.play(model, settings or {}, out, retry_unscored)


async def evaluate_endpoint(  # noqa: PLR0913
    client: Any,
    model: str,
    suite: Suite,
    *,
    samples: int = 1,
    concurrency: int = 8,
    out: Path | None = None,
    answer_format: AnswerFormat | str | None = None,
    system: str = "",
    tools: ToolMode = "auto",
    max_turns: int = MOST_TURNS,
    max_context: int | None = None,
    seed: int | None = None,
    retry_unscored: bool = False,
    give_up_after: int = GIVE_UP,
    progress: Progress = lambda *_: None,
    **sampling: Any,
) -> Evaluation:
    """The same for a model behind a client, such as
    :func:`~palaestra.trainers.episodes.run_episode` takes.

    ``sampling`` goes into each request; a ``seed`` does, too, with the number of the sample added,
    so that samples differ. Raises :class:`Refused`, too, where the endpoint takes no request at
    all: it answers 401, 403 or 404.
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

    run = _Run(asks, suite, samples, concurrency, answer_format, give_up_after, progress)
    run.episodes = {"system": system, "max_turns": max_turns, "max_context": max_context}
    run.tools = tools
    settings = {**sampling, **({} if seed is None else {"seed": seed})}
    run.where = _public(str(getattr(client, "base_url", "")))
    return await run.play(model, settings, out, retry_unscored)


class _Run:
    """An evaluation under way."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, asks: Callable[[int], Ask], suite: Suite, samples: int, concurrency: int,
        answer_format: AnswerFormat | str | None, give_up_after: int, progress: Progress,
    ) -> None:  # fmt: skip
        bounds = {"samples": (samples, 1, 10_000), "concurrency": (concurrency, 1, 10_000)}
        bounds["give_up_after"] = (give_up_after, 0, 10**9)
        for name, (value, low, high) in bounds.items():
            if not low <= value <= high:
                raise ValueError(f"{name} lies from {low} to {high}, not at {value}")
        self.asks, self.suite, self.samples, self.concurrency = asks, suite, samples, concurrency
        self.answer_format = None if answer_format is None else answer_format_of(answer_format)
        self.give_up_after, self.progress = give_up_after, progress
        self.episodes: dict[str, Any] = {}
        self.tools: ToolMode = "auto"
        self.where = ""
        self.held: dict[Key, Attempt] = {}
        self.log: Log | None = None
        self.failed: list[Attempt] = []
        """Attempts whose requests failed, since the last one whose requests did not."""
        self.stopped = self.refused = ""
        self.answered = False
        """Whether the endpoint has answered a request."""
        self.done = self.planned = 0

    async def play(
        self, model: str, settings: Mapping[str, Any], out: Path | None, retry_unscored: bool
    ) -> Evaluation:
        manifest = self._manifest(model, settings)
        if self.tools not in {"auto", "native", "text"}:
            raise ValueError(f"tools are offered as auto, native or text, not {self.tools!r}")
        if not model.strip():
            raise ValueError("the model has no name")
        with nullcontext() if out is None else Log(out, manifest) as self.log:
            if self.log is not None:
                self.held, manifest = self.log.held, self.log.manifest
                self.samples = manifest["samples"]
            self.planned = self.suite.tasks * self.samples
            wanted = list(self._wanted(retry_unscored))
            self.done = self.planned - len(wanted)
            self.progress(self.done, self.planned, None)
            waiting = iter(wanted)
            workers = [
                asyncio.create_task(self._work(waiting))
                for _ in range(min(self.concurrency, len(wanted)))
            ]
            try:
                await asyncio.gather(*workers)
                if not self.stopped:
                    self._flush()
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        if self.refused:
            raise Refused(self.refused)
        return Evaluation(manifest, tuple(self.held.values()), self.stopped)

    def _manifest(self, model: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What all attempts have in common."""
        same = {
            "model": model,
            "suite": self.suite.digest(),
            "settings": dict(settings),
            "tools": self.tools,
            "answer_format": self.answer_format.name if self.answer_format else None,
            **self.episodes,
        }
        return {
            "same": same,
            "suite": self.suite.name,
            "cells": [asdict(cell) for cell in self.suite.cells],
            "tasks": self.suite.tasks,
            "samples": self.samples,
            "base_url": self.where,
            "palaestra": __version__,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def _wanted(self, retry_unscored: bool) -> Iterator[tuple[Cell, Address, int]]:
        """The attempts that are missing. The first ones at all tasks come before any second one."""
        for sample in range(self.samples):
            for cell, address in self.suite.rounds():
                answer_format = (
                    self.answer_format.name if self.answer_format else cell.answer_format
                )
                held = self.held.get((str(address), answer_format, sample))
                if held is None or (retry_unscored and held.score is None):
                    yield cell, address, sample

    async def _work(self, waiting: Iterator[tuple[Cell, Address, int]]) -> None:
        for cell, address, sample in waiting:
            if self.stopped or self.refused:
                return
            await self._attempt(cell, address, sample)

    async def _attempt(self, cell: Cell, address: Address, sample: int) -> None:
        """Plays one episode, and keeps it."""
        try:
            task = await asyncio.to_thread(address.task)
        except Exception as fault:  # noqa: BLE001  one task that is not to be had ends no evaluation
            self._keep(self._undrawn(cell, address, sample, fault))
            return
        failures: list[Exception] = []
        result = await play_episode(
            self._watched(self.asks(sample), failures),
            address,
            answer_format=self.answer_format or cell.answer_format,
            tools=self.tools,
            **self.episodes,
        )
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
            self._flush()
            self._keep(attempt)

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

    def _flush(self) -> None:
        """Keeps the failures so far, after which the endpoint has answered again."""
        if self.stopped:
            return
        for attempt in self.failed:
            self._keep(attempt)
        self.failed.clear()

    def _keep(self, attempt: Attempt) -> None:
        self.held[attempt.key] = attempt
        if self.log is not None:
            self.log.add(attempt)
        self.done += 1
        self.progress(self.done, self.planned, attempt)


def _in_words(task: Task, native: bool) -> bool:
    """Whether tools were described in the prompt, since functions were refused."""
    return not native and bool(task.tools())


def _public(url: str) -> str:
    """An address without what is nobody's business."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else ""
