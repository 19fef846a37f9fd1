"""The sandbox: a few jails, the programs that run in them, and how they are judged."""

import asyncio
import atexit
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from threading import Condition
from typing import Any

from palaestra.verifiers.sandbox import container, judging, languages
from palaestra.verifiers.sandbox import slots as jails
from palaestra.verifiers.sandbox.canaries import WANTED, SandboxUnavailable, chosen
from palaestra.verifiers.sandbox.container import ContainerSlot
from palaestra.verifiers.sandbox.engines import ANY, Engine, podman
from palaestra.verifiers.sandbox.outcomes import (
    DEFAULT,
    LEVELS,
    Level,
    Limits,
    Outcome,
    Verdict,
)
from palaestra.verifiers.sandbox.slots import Job, Slot, showing

LARGEST_FILES = 20_000
"""How many bytes, in JSON, the files beside a program may have: a job is one message."""

PROGRAMS = 20_000
"""After so many programs a jail is replaced, so that nothing can grow without end."""


SLEEPING, MOST_SLEEPING = 16, 64
"""For each slot so many programs may sleep while others run, and so many in all: they take no
processor, but a jail each.
"""

ALONE: tuple[Level, ...] = ("none", "landlock")
"""Levels at which a program has one process and no more."""


class Sandbox:
    """Runs programs that nobody trusts.

    ``backend`` is ``native``, ``native-restricted``, ``docker``, ``podman`` or ``auto``; ``slots``
    is how many programs run at once, one for each core unless told otherwise; ``minimum`` is the
    least isolation that will do; ``engine`` says more of a container engine. ``packages`` are those
    installed here, such as numpy, that programs find warm; in a container there are none. With
    ``allow_unsafe`` programs run even where nothing but limits and a filter of system calls holds
    them: they read what the judge may read. Nothing starts before the first program. Safe in
    threads; a forked child starts its own jails.
    """

    def __init__(  # noqa: PLR0913
        self,
        backend: str = "auto",
        slots: int | None = None,
        minimum: Level = "landlock",
        engine: Engine = ANY,
        *,
        packages: Sequence[str] = (),
        allow_unsafe: bool = False,
    ) -> None:
        if backend not in WANTED:
            raise ValueError(f"a backend is {', '.join(WANTED)}, not {backend!r}")
        if minimum not in LEVELS:
            raise ValueError(f"a level is {', '.join(LEVELS)}, not {minimum!r}")
        if slots is not None and not 1 <= slots <= 1_024:
            raise ValueError(f"slots lie from 1 to 1024, not at {slots}")
        jails.packages(packages)
        self.backend, self.minimum = backend, minimum
        self.packages, self.allow_unsafe = tuple(packages), allow_unsafe
        self.size = slots or os.cpu_count() or 1
        self._changes: dict[str, Any] = {}
        unsaid = backend == "podman" and engine.url is None
        self.engine = replace(engine, url=podman()) if unsaid else engine
        self._reset()

    def _reset(self) -> None:
        self.pid = os.getpid()
        self.free: list[Slot] = []
        self.started = self.busy = self.asleep = 0
        self.changed = Condition()
        self.closed = False
        self.level: Level | None = None
        self._referees: Sandbox | None = None

    # ------------------------------------------------------------------ jails

    @contextmanager
    def slot(self, whole: bool = False) -> Iterator[Slot]:
        """A jail for one program at a time, waited for where as many as may are busy.

        ``whole`` asks for one that shows all that is installed, see :class:`Slot`.
        """
        if self.pid != os.getpid():
            self._reset()  # the parent's jails stay the parent's
        slot = self._take(whole)
        slot.rests = self._rests
        try:
            yield slot
        finally:
            self._give(slot)

    def _take(self, whole: bool) -> Slot:
        whole = whole and self._chosen() not in ALONE
        with self.changed:
            while self._is_full() and not self.closed:
                self.changed.wait()
            if self.closed:
                raise SandboxUnavailable("the sandbox is closed")
            for slot in [slot for slot in reversed(self.free) if slot.whole == whole]:
                self.free.remove(slot)
                if slot.alive():
                    self.busy += 1
                    return slot
                self._discard(slot)
            self.started += 1
            self.busy += 1
        try:
            return self._start(whole)
        except BaseException:
            with self.changed:
                self.started -= 1
                self.busy -= 1
                self.changed.notify()
            raise

    @property
    def callers(self) -> int:
        """How many threads may judge at once to some purpose: the programs of some of them may
        sleep, and the others wait for their turn without cost.
        """
        return self.size + self._sleeping

    @property
    def _sleeping(self) -> int:
        return min(SLEEPING * self.size, MOST_SLEEPING)

    def _is_full(self) -> bool:
        """Whether as many programs run as may, not counting those that sleep."""
        return self.busy >= self.size + min(self.asleep, self._sleeping)

    def _rests(self, asleep: bool) -> None:
        """Lets another program run while one sleeps."""
        with self.changed:
            self.asleep += 1 if asleep else -1
            self.changed.notify()

    def _give(self, slot: Slot) -> None:
        with self.changed:
            self.busy -= 1
            full = len(self.free) >= 2 * self.size  # of both kinds as many as run at once
            if slot.number >= PROGRAMS or self.closed or full or not slot.alive():
                self._discard(slot)
                for other in [other for other in self.free if not other.alive()]:
                    self.free.remove(other)  # what ended one may have ended more
                    self._discard(other)
            else:
                self.free.append(slot)
            self.changed.notify()

    def _discard(self, slot: Slot) -> None:
        slot.close()
        self.started -= 1

    def _start(self, whole: bool) -> Slot:
        level = self._chosen()
        if level == "container":
            if self.packages:
                raise SandboxUnavailable("a container has no packages but the standard library")
            return ContainerSlot(container.shared(self.engine), whole, **self._changes)
        shown = showing(level, self.packages) if self.packages else {}
        return Slot(level, whole, **self._changes, **shown)

    def _chosen(self) -> Level:
        if self.level is None:
            self.level = chosen(self.backend, self.minimum, self.engine, self.allow_unsafe)
        return self.level

    def close(self) -> None:
        """Ends every jail; programs that run are ended with them."""
        with self.changed:
            self.closed = True
            for slot in self.free:
                slot.close()
            self.free.clear()
            self.changed.notify_all()
            referees = self._referees
        if referees is not None:
            referees.close()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ programs

    def run(  # noqa: PLR0913
        self,
        source: str,
        *,
        language: str = "python",
        stdin: str = "",
        args: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
        limits: Limits = DEFAULT,
    ) -> Outcome:
        """Runs a program once.

        Raises ``ValueError`` for a language or a file name that there is not,
        :class:`~palaestra.verifiers.sandbox.languages.MissingTool` for a language without its tools
        and :class:`SandboxUnavailable` where nothing isolates programs.
        """
        name = languages.known(language)
        job = self.prepared(name, source, limits)
        if isinstance(job, Outcome):
            return job
        job = languages.with_input(job, name, source, languages.encoded(stdin), args)
        laid = {**job.files, **checked_files(files or {})}
        return self.run_job(replace(job, files=laid, limits=limits))

    async def arun(self, source: str, **options: Any) -> Outcome:
        """:meth:`run`, for asynchronous callers."""
        return await asyncio.to_thread(self.run, source, **options)

    judge_io = judging.answered(judging.judge_io)
    judge_calls = judging.answered(judging.judge_calls)
    judge_asserts = judging.answered(judging.judge_asserts)

    async def ajudge_io(self, *args: Any, **options: Any) -> Verdict:
        """:meth:`judge_io`, for asynchronous callers."""
        return await asyncio.to_thread(self.judge_io, *args, **options)

    async def ajudge_calls(self, *args: Any, **options: Any) -> Verdict:
        """:meth:`judge_calls`, for asynchronous callers."""
        return await asyncio.to_thread(self.judge_calls, *args, **options)

    async def ajudge_asserts(self, *args: Any, **options: Any) -> Verdict:
        """:meth:`judge_asserts`, for asynchronous callers."""
        return await asyncio.to_thread(self.judge_asserts, *args, **options)

    def prepared(self, language: str, source: str, limits: Limits = DEFAULT) -> Job | Outcome:
        """:func:`languages.prepared`, with the tools that there are where programs run."""
        if self._chosen() in ALONE and language not in languages.WITHIN:
            raise languages.MissingTool(
                f"{language} needs namespaces or a container; without, only "
                f"{' and '.join(languages.WITHIN)} can be run"
            )
        if self._chosen() != "container":
            return languages.prepared(language, source, self.run_job, limits=limits)
        there = container.shared(self.engine)
        return languages.prepared(
            language, source, self.run_job, there.tool, there.image, limits=limits
        )

    def at_least(self, level: Level) -> "Sandbox":
        """This sandbox, for what demands a level. Raises :class:`SandboxUnavailable` below it."""
        if LEVELS.index(self._chosen()) < LEVELS.index(level):
            raise SandboxUnavailable(f"programs are held by {self.level!r}, and not by {level!r}")
        return self

    def referees(self) -> "Sandbox":
        """As many jails again, for the suites that test programs; taken after a program's jail,
        and never before it, so that nobody waits for somebody who waits for him.
        """
        with self.changed:
            if self._referees is None:
                self._referees = Sandbox(
                    self.backend,
                    self.size,
                    self.minimum,
                    self.engine,
                    allow_unsafe=self.allow_unsafe,
                )
                self._referees._changes = {"warm": ["harness"]}
            return self._referees

    def report(self) -> dict[str, Any]:
        """What isolates programs here, and which languages there are.

        Raises :class:`SandboxUnavailable` where nothing does.
        """
        inside = container.shared(self.engine) if self._chosen() == "container" else None
        return {
            "backend": self.backend,
            "isolation": self.level,
            **(inside.report() if inside is not None else {}),
            "slots": self.size,
            "packages": list(self.packages),
            "groups": self._grouped(),
            "languages": self.languages(),
            "landlock": jails.landlock_version(),
            "canaries": "held" if self.level != "none" else "not held",
        }

    def _grouped(self) -> bool:
        """Whether jails have control groups, and so limits for all processes of a program."""
        with self.slot() as slot:
            return slot.group is not None

    def languages(self) -> dict[str, str]:
        """The languages that can be run, and the tool of each."""
        if self._chosen() in ALONE:
            return dict.fromkeys(languages.WITHIN, "")
        there = container.shared(self.engine).tool if self._chosen() == "container" else None
        return languages.available(there or languages.tool)

    def run_job(self, job: Job) -> Outcome:
        """Runs a job in some jail; once more in a fresh one where the jail failed."""
        for _ in range(2):
            try:
                with self.slot(job.whole) as slot:
                    outcome = slot.run(job)
            except (OSError, jails.JailError) as fault:
                outcome = Outcome("JUDGE_ERROR", reason=f"no jail: {fault}"[:300])
            if outcome.status != "JUDGE_ERROR":
                break
        return outcome


def checked_files(files: Mapping[str, str]) -> Mapping[str, str]:
    """Files to lay beside a program: relative names without tricks, of a bounded size.

    Raises ``ValueError`` otherwise.
    """
    for name in files:
        parts = name.split("/")
        plain = all(part and part not in {".", ".."} for part in parts)
        if not plain or len(name) > 200 or "\0" in name or len(parts) > 8:
            raise ValueError(f"a file lies below the program's directory, not at {name[:60]!r}")
    if len(json.dumps(dict(files))) > LARGEST_FILES or len(files) > 200:
        raise ValueError(f"files beside a program are up to 200, of {LARGEST_FILES} bytes in all")
    return files


@cache
def _shared(pid: int) -> Sandbox:
    shared = Sandbox()
    atexit.register(shared.close)
    return shared


def sandbox() -> Sandbox:
    """The sandbox that everything in this process shares. It starts nothing before it is used."""
    return _shared(os.getpid())
