"""Putting cases to a candidate, in a process of its own that is killed where it hangs."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from palaestra.verifier_bench.candidates import Candidate, Judge
from palaestra.verifier_bench.cases import Case
from palaestra.verifier_bench.reports import NothingMeasured, Report, Ruling

START = 180.0
"""Seconds that a candidate may take to import what it needs."""

PATIENCE = 10.0
"""Seconds that a candidate may take over one case before its process is killed."""

MEMORY = 4 << 30
"""Bytes of data that a candidate may hold, where the system can limit it."""

UNGUARDED = (
    "its process ended before it was ready; a script has to call this in a file of its own, under "
    "if __name__ == '__main__':"
)
"""Why a candidate does not start, most often: its process imports the script that started it."""

WARM = Case("warm-up", "warm-up", "same", "1", "1", correct=True)


def measure(
    candidate: Candidate,
    cases: Sequence[Case],
    patience: float = PATIENCE,
    advance: Callable[[], object] = lambda: None,
) -> Report:
    """What a candidate says of each case, with the seconds it took.

    The candidate runs in the main thread of one process, so that time limits by signals work there.
    Where its library is not installed or fails to load, the report says so and holds no rulings.
    ``advance`` is called after each case. Raises :class:`NothingMeasured` where the process does
    not start, and where no case is put to the candidate.
    """
    fitting = [case for case in cases if candidate.takes(case)]
    if not fitting:
        raise NothingMeasured(f"{candidate.name}: no case among {len(cases)} can be put to it")
    child, rulings = Child(candidate), list[Ruling]()
    try:
        if absent := child.start():
            return Report(candidate.name, absent=absent)
        for case in fitting:
            rulings.append(child.rule(case, patience))
            advance()
    finally:
        child.stop()
    return Report(candidate.name, tuple(rulings))


@dataclass(slots=True)
class Child:
    """The process in which a candidate runs; a new one is started where it is lost."""

    candidate: Candidate
    process: Any = None
    pipe: Any = None

    def start(self) -> str:
        """Start the process. Gives why the candidate cannot be loaded, or nothing.

        Raises :class:`NothingMeasured` where the process itself does not start.
        """
        context = get_context("spawn")
        self.pipe, end = context.Pipe()
        self.process = context.Process(target=_serve, args=(end, self.candidate))
        self.process.start()
        end.close()
        try:
            if self.pipe.poll(START):
                return str(self.pipe.recv())
        except EOFError:
            raise NothingMeasured(f"{self.candidate.name}: {UNGUARDED}") from None
        raise NothingMeasured(f"{self.candidate.name}: it is not ready after {START:g} seconds")

    def rule(self, case: Case, patience: float) -> Ruling:
        """The ruling on one case."""
        if self.process is None and (absent := self.start()):
            raise RuntimeError(f"{self.candidate.name} does not start again: {absent}")
        start = perf_counter()
        try:
            self.pipe.send(case)
            if self.pipe.poll(patience):
                correct, status, error, cpu = self.pipe.recv()
                return Ruling(case, correct, status, error, cpu, perf_counter() - start)
            hung, error = True, f"no verdict within {patience:g} seconds"
        except (EOFError, OSError):
            hung, error = False, "the process ended"
        self.stop()
        return Ruling(case, None, "", error, 0.0, perf_counter() - start, hung)

    def stop(self) -> None:
        """End the process, and those that it started."""
        if self.process is not None:
            self.pipe.close()
            with suppress(AttributeError, ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.join()
        self.process = None


def _serve(pipe: Connection, candidate: Candidate) -> None:
    """Judge what comes through the pipe until it closes. What the candidate prints is lost."""
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123  # no path is built
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    with suppress(AttributeError, OSError):
        os.setsid()
    sys.path.insert(0, "")
    try:
        judge = candidate.load()
    except ImportError as error:
        pipe.send(f"not installed: {error}")
        return
    except Exception as error:  # noqa: BLE001  # the report states it
        pipe.send(f"it fails to load: {type(error).__name__}: {error}"[:200])
        return
    _ruled(judge, WARM)
    _limit()
    pipe.send("")
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_ruled(judge, pipe.recv()))


def _limit() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _ruled(judge: Judge, case: Case) -> tuple[bool | None, str, str, float]:
    """The verdict, the status, what was raised, and the CPU seconds."""
    case = replace(case, recipe=case.text)  # a long one is cooked before the clock runs
    correct, status, error = None, "", ""
    others, start = elsewhere(), process_time()
    try:
        correct, status = judge(case)
    except Exception as exception:  # noqa: BLE001  # whatever a candidate raises is its result
        error = f"{type(exception).__name__}: {exception}"[:200]
    own = process_time() - start
    return correct, status, error, own + elsewhere() - others


def elsewhere() -> float:
    """CPU seconds, in steps of 10 ms, of all processes that this one started."""
    reaped = os.times()
    return reaped.children_user + reaped.children_system + _below(os.getpid())


def _below(pid: int) -> float:
    """CPU seconds of the living descendants of a process; 0 where the system does not tell."""
    total = 0.0
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                user, system = (
                    Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]
                )
                total += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") + _below(int(child))
    return total
