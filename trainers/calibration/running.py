"""Calibration: few attempts at each environment, at the levels that tell most."""

import asyncio
import heapq
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from palaestra import __version__, profiles
from palaestra.catalog import recorded_fingerprint
from palaestra.episode import AnswerFormat, answer_format_of
from palaestra.trainers.calibration import reports
from palaestra.trainers.calibration.design import Design
from palaestra.trainers.calibration.ladders import Job, Ladder
from palaestra.trainers.calibration.plots import plot
from palaestra.trainers.calibration.profiles import profile_of
from palaestra.trainers.calibration.tokens import TokenLimit, Usage, usage_in
from palaestra.trainers.episodes import MOST_TURNS, Ask, ToolMode
from palaestra.trainers.evaluation.attempts import Attempt, Key, Log, attempts_in, manifest_in
from palaestra.trainers.evaluation.runner import (
    GIVE_UP,
    AttemptRunner,
    Refused,
    endpoint_asks,
    public,
)

CONTENT = "a calibration"
"""What the manifest of a folder states that it holds."""

NOTHING = Usage()

DEFAULTS = Design()

LIMIT_REACHED = "the limit of tokens is reached"

REPLY_LIMITS = ("max_tokens", "max_completion_tokens")
"""Options of requests that state the maximum length of a reply."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a calibration is, with the attempt just made, if one was."""

    finished: int
    environments: int
    usage: Usage
    attempt: Attempt | None = None


@dataclass(frozen=True)
class Calibration:
    """Attempts, what they have in common, and what they used. ``stopped`` says why it was given up,
    if it was.
    """

    manifest: Mapping[str, Any]
    attempts: tuple[Attempt, ...]
    usage: Usage = NOTHING
    stopped: str = ""

    @classmethod
    def load(cls, folder: Path, stopped: str = "") -> Self:
        """Return what a folder holds, complete or not.

        Raises :class:`~palaestra.trainers.evaluation.attempts.OtherEvaluation` for other folders.
        """
        manifest = manifest_in(folder, CONTENT)
        latest = {each.key: each for each in attempts_in(folder)}
        return cls(manifest, tuple(latest.values()), usage_in(folder), stopped)

    def report(self) -> reports.Report:
        """Return all estimates."""
        return reports.report(self.manifest, self.attempts, self.usage, self.stopped)

    def write(self, folder: Path) -> tuple[reports.Report, list[Path]]:
        """Write ``calibration.json``, ``calibration.md``, ``mixture.yaml``, ``profile.yaml`` and
        the plots.

        Returns the report and the files of the plots. There is no mixture if no level is suitable,
        and there are no plots without matplotlib.
        """
        report = self.report()
        reports.write(report, folder)
        profiles.write([profile_of(report)], folder / profiles.IN_FOLDER)
        return report, plot(report, folder)


async def calibrate(  # noqa: PLR0913
    ask: Ask,
    environments: Mapping[str, Sequence[int]],
    *,
    model: str = "model",
    design: Design = DEFAULTS,
    out: Path | None = None,
    concurrency: int = 8,
    answer_format: AnswerFormat | str = "tags",
    system: str = "",
    tools: ToolMode = "auto",
    max_turns: int = MOST_TURNS,
    max_context: int | None = None,
    max_tokens_total: int | None = None,
    reply_limit: int | None = None,
    settings: Mapping[str, Any] | None = None,
    base_url: str = "",
    retry_unscored: bool = False,
    give_up_after: int = GIVE_UP,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Calibration:
    """Calibrate anything that replies to messages: ``await ask(messages, tools)``.

    ``environments`` are names with the levels to try, as
    :func:`~palaestra.trainers.calibration.ladders.selected` returns them. Up to ``concurrency``
    episodes are under way at a time. All environments have their first round before any of them has
    its second. With ``out``, attempts are stored in that folder, and those that it contains are not
    made again; ``retry_unscored`` repeats the unscored ones. ``settings`` are whatever else the
    outcomes depend on, such as the temperature.

    No request is made that could pass ``max_tokens_total``, over all runs in the folder;
    ``reply_limit`` is the maximum length of a reply, if requests state one.

    Raises :class:`~palaestra.trainers.evaluation.attempts.OtherEvaluation` if ``out`` holds
    something else, :class:`~palaestra.trainers.evaluation.runner.Refused` if the endpoint accepts
    no request, and ``ValueError`` for settings that cannot work.
    """
    if not environments or not all(environments.values()):
        raise ValueError("a calibration has one environment and level at least")
    if not model.strip():
        raise ValueError("the model has no name")
    marking = answer_format_of(answer_format)
    limit = TokenLimit(max_tokens_total, reply_limit, out)
    episodes = {"system": system, "max_turns": max_turns, "max_context": max_context}
    ladders = [
        Ladder(env, (*levels,), design, marking.name) for env, levels in environments.items()
    ]
    run = _Run(
        lambda _: limit.metered(ask),
        ladders,
        limit,
        progress,
        concurrency=concurrency,
        answer_format=marking,
        tools=tools,
        give_up_after=give_up_after,
        episodes=episodes,
    )
    same = {
        "model": model,
        "target": [design.target.low, design.target.high],
        "width": design.width,
        "levels": {env: [*levels] for env, levels in environments.items()},
        "answer_format": marking.name,
        "settings": dict(settings or {}),
        "tools": tools,
        **episodes,
        "fingerprints": {env: recorded_fingerprint(env) or "" for env in environments},
    }
    manifest = {
        "content": CONTENT,
        "same": same,
        "tasks": design.tasks,
        "max_tokens_total": max_tokens_total,
        "samples": 1,
        "base_url": base_url,
        "palaestra": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return await run.play(manifest, out, retry_unscored)


async def calibrate_endpoint(
    client: Any,
    model: str,
    environments: Mapping[str, Sequence[int]],
    *,
    seed: int | None = None,
    sampling: Mapping[str, Any] | None = None,
    **options: Any,
) -> Calibration:
    """Calibrate a model behind a client with ``chat.completions.create``.

    ``sampling`` goes into each request, and so does a ``seed``. ``options`` are those of
    :func:`calibrate`, which says what is raised.
    """
    sent = dict(sampling or {})
    limits = [sent[name] for name in REPLY_LIMITS if type(sent.get(name)) is int]
    return await calibrate(
        endpoint_asks(client, model, sent, seed)(0),
        environments,
        model=model,
        reply_limit=max(limits, default=None),
        settings={**sent, **({} if seed is None else {"seed": seed})},
        base_url=public(str(getattr(client, "base_url", ""))),
        **options,
    )


@dataclass(order=True)
class _Queued:
    """A job in the queue: earlier rounds come first, then environments in their order."""

    round: int
    ladder: int
    position: int
    job: Job = field(compare=False)


class _Run(AttemptRunner):
    """A calibration under way."""

    def __init__(
        self, asks: Callable[[int], Ask], ladders: Sequence[Ladder], limit: TokenLimit,
        progress: Callable[[Progress], None], **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(asks, **options)
        self.limit, self.progress = limit, progress
        self.ladders = {ladder.env: ladder for ladder in ladders}
        self.indices = {env: index for index, env in enumerate(self.ladders)}
        self.queue: list[_Queued] = []
        self.active: dict[Key, int] = {}
        """The attempts under way, with the tokens that each is expected to use."""

        self.largest: dict[str, int] = {}
        """The most tokens of an attempt at each environment."""

        self.changed = asyncio.Condition()

    async def play(
        self, manifest: dict[str, Any], out: Path | None, retry_unscored: bool
    ) -> Calibration:
        """Makes all attempts that the design asks for, within the limit of tokens."""
        with nullcontext() if out is None else Log(out, manifest) as self.log:
            attempts = self.held if self.log is None else self.log.held
            if self.log is not None:
                manifest = self.log.manifest
                self.held = {
                    key: each
                    for key, each in attempts.items()
                    if not (retry_unscored and each.score is None)
                }
            for attempt in self.held.values():
                self._weigh(attempt)
            for ladder in self.ladders.values():
                self._extend(ladder)
            self._report()
            workers = [asyncio.create_task(self._work()) for _ in range(self.concurrency)]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        if self.refused:
            raise Refused(self.refused)
        if self.limit.exhausted:
            self.stopped = self.stopped or LIMIT_REACHED
        return Calibration(manifest, tuple(attempts.values()), self.limit.usage, self.stopped)

    def keep(self, attempt: Attempt) -> None:
        """Holds an attempt that is over, and plans the next round if it was the last of its own."""
        super().keep(attempt)
        self._weigh(attempt)
        self._extend(self.ladders[attempt.env])
        self._report(attempt)

    def _extend(self, ladder: Ladder) -> None:
        index = self.indices[ladder.env]
        for position, job in enumerate(ladder.advance(self.held)):
            heapq.heappush(self.queue, _Queued(ladder.rounds, index, position, job))

    def _weigh(self, attempt: Attempt) -> None:
        used = attempt.prompt_tokens + attempt.completion_tokens
        self.largest[attempt.env] = max(used, self.largest.get(attempt.env, 0))

    def _report(self, attempt: Attempt | None = None) -> None:
        finished = sum(ladder.finished for ladder in self.ladders.values())
        self.progress(Progress(finished, len(self.ladders), self.limit.usage, attempt))

    async def _work(self) -> None:
        while (job := await self._next()) is not None:
            try:
                await self.attempt(job.cell, job.address, 0)
            finally:
                del self.active[job.key]
                async with self.changed:
                    self.changed.notify_all()

    async def _next(self) -> Job | None:
        """Waits for a job that may begin; None if there will be no other one."""
        async with self.changed:
            while not (self.stopped or self.refused or self.limit.exhausted):
                if self.queue and self._affordable(self.queue[0].job):
                    job = heapq.heappop(self.queue).job
                    self.active[job.key] = self.largest.get(job.cell.env, 0)
                    return job
                if not self.active and not self._resumes():
                    break
                if self.active:
                    await self.changed.wait()
            self.changed.notify_all()
        return None

    def _affordable(self, job: Job) -> bool:
        """Whether an attempt is expected to fit into the limit beside those under way.

        This avoids episodes that end in their midst. The limit itself holds for each request.
        """
        expected = sum(self.active.values()) + self.largest.get(job.cell.env, 0)
        return self.limit.fits(expected)

    def _resumes(self) -> bool:
        """Whether there is something to do although nothing is under way."""
        if self.queue:  # the next attempt does not fit
            self.limit.exhausted = True
            return False
        self.flush()  # failed requests, after which their rounds are over
        self.changed.notify_all()
        return bool(self.queue)
