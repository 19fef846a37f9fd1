"""Playing a suite: many episodes at a time, each kept as soon as it is over."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from palaestra import __version__, profiles
from palaestra.address import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.episode import AnswerFormat
from palaestra.extras import needs
from palaestra.observations import SIZE, NoImages, Observation, View, has_images
from palaestra.trainers.episodes import MOST_TURNS, Ask, ToolMode
from palaestra.trainers.evaluation import reports
from palaestra.trainers.evaluation.attempts import Attempt, Log, attempts_in, manifest_in
from palaestra.trainers.evaluation.profiles import profile_of
from palaestra.trainers.evaluation.runner import (
    GIVE_UP,
    AttemptRunner,
    Refused,
    endpoint_asks,
    public,
)
from palaestra.trainers.evaluation.suites import Cell, Suite
from palaestra.trainers.spoken_users import Speaker

Progress = Callable[[int, int, Attempt | None], None]
"""Called with the number of attempts done, the number planned, and the attempt just done."""


@dataclass(frozen=True)
class Evaluation:
    """Attempts, and what they have in common. ``stopped`` says why it was given up, if it was."""

    manifest: Mapping[str, Any]
    attempts: tuple[Attempt, ...]
    stopped: str = ""

    @classmethod
    def load(cls, folder: Path, stopped: str = "") -> Self:
        """What a folder holds, be it complete or not."""
        manifest = manifest_in(folder)
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
        """Writes ``report.json``, ``report.md`` and ``report.html``, and the profile of the model;
        gives what is in the first.
        """
        report = self.report()
        reports.write(report, folder)
        profiles.write([profile_of(report)], folder / profiles.IN_FOLDER)
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
    speaker: Speaker | None = None,
    observation: Observation = "text",
    image_size: int = SIZE,
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

    A ``speaker`` puts what the users of tasks say into the words of another endpoint. Where that
    one fails, the script speaks, and the attempt counts like any other.

    With ``observation="image"`` or ``"both"`` the messages have image parts, of ``image_size``
    pixels on each side. All environments of the suite have to have images then.

    Raises :class:`~palaestra.trainers.evaluation.attempts.OtherEvaluation` where ``out`` holds
    something else, :class:`~palaestra.observations.NoImages`, which names the environments without
    images, and ``ValueError`` for settings that cannot work.
    """
    run = _Run(
        lambda _: ask,
        suite,
        samples,
        progress,
        concurrency=concurrency,
        answer_format=answer_format,
        tools=tools,
        speaker=speaker,
        give_up_after=give_up_after,
        episodes={
            "system": system,
            "max_turns": max_turns,
            "max_context": max_context,
            **_viewed(suite, observation, image_size),
        },
    )
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
    speaker: Speaker | None = None,
    observation: Observation = "text",
    image_size: int = SIZE,
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
    run = _Run(
        endpoint_asks(client, model, sampling, seed),
        suite,
        samples,
        progress,
        concurrency=concurrency,
        answer_format=answer_format,
        tools=tools,
        speaker=speaker,
        give_up_after=give_up_after,
        episodes={
            "system": system,
            "max_turns": max_turns,
            "max_context": max_context,
            **_viewed(suite, observation, image_size),
        },
    )
    settings = {**sampling, **({} if seed is None else {"seed": seed})}
    run.where = public(str(getattr(client, "base_url", "")))
    return await run.play(model, settings, out, retry_unscored)


def _viewed(suite: Suite, observation: Observation, image_size: int) -> dict[str, Any]:
    """The options of episodes with images; none for text, as in folders of earlier versions.

    Raises :class:`~palaestra.observations.NoImages` if environments of the suite have no images.
    """
    if not View(observation, image_size).has_image:
        return {}
    with needs("pictures", "Pillow"):
        import PIL.Image  # noqa: F401

    first = {cell.env: next(cell.addresses()) for cell in suite.cells}
    if without := [env for env, address in first.items() if not has_images(address.task())]:
        raise NoImages(", ".join(without))
    return {"observation": observation, "image_size": image_size}


class _Run(AttemptRunner):
    """An evaluation under way."""

    def __init__(
        self, asks: Callable[[int], Ask], suite: Suite, samples: int, progress: Progress,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(asks, **options)
        if not 1 <= samples <= 10_000:
            raise ValueError(f"samples lies from 1 to 10000, not at {samples}")
        self.suite, self.samples, self.progress = suite, samples, progress
        self.where = ""
        self.done = self.planned = 0

    async def play(
        self, model: str, settings: Mapping[str, Any], out: Path | None, retry_unscored: bool
    ) -> Evaluation:
        manifest = self._manifest(model, settings)
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
                    self.flush()
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
            "fingerprints": {
                cell.env: recorded_fingerprint(cell.env) or "" for cell in self.suite.cells
            },
            **self.episodes,
            "speaker": self.speaker.settings if self.speaker else None,
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
            await self.attempt(cell, address, sample)

    def keep(self, attempt: Attempt) -> None:
        """Holds an attempt that is over, and reports it as progress."""
        super().keep(attempt)
        self.done += 1
        self.progress(self.done, self.planned, attempt)
