"""One worker process as its caller sees it: what goes over, what comes back, how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from palaestra.workers import worker

START_S = 60.0
"""How long a worker may take to start and warm up."""

_BOOTSTRAP = (
    "import json, sys\n"
    "settings = json.loads(sys.argv[1])\n"
    "sys.path[:] = settings['path']\n"
    "from palaestra.workers.worker import serve\n"
    "serve(settings)"
)

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# There is a worker for each core already; and buffers for each thread would count as memory.
_ALONE = dict.fromkeys(_THREADS, "1")

NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)
"""What keeps a line that is broken from killing the caller, where that has asked to be killed."""


class WorkerFault(RuntimeError):
    """A call to a worker that brought no value."""


class Late(WorkerFault):
    """The call took longer than it may, on the clock or of the processor, and was killed."""


class Lost(WorkerFault):
    """The worker died, ran out of memory or could not be started, or the pool was closed."""


class OutOfMemory(Lost):
    """The call needed more memory than a worker may have."""


class Failed(WorkerFault):
    """The function raised, or what goes in or comes out is no JSON value."""

    def __init__(self, type: str, message: str) -> None:  # noqa: A002  the type of an exception
        super().__init__(f"{type}: {message}")
        self.type = type
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return Failed, (self.type, self.message)


Outcome = tuple[bytes, bytes]
"""The kind and the JSON of what came of a call."""


class Call(NamedTuple):
    """What is to be done, and whom to tell what came of it."""

    frame: bytes
    wall_s: float
    future: Future[Outcome]

    def tell(self, outcome: Outcome | WorkerFault) -> None:
        """Settle the future, unless whoever waited for it has gone."""
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, WorkerFault):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


class Worker:
    """A process, what it is doing, and what has gone over and come back so far."""

    def __init__(self, memory_mb: int, warm: Sequence[str], wanted_by: Call) -> None:
        self.line, theirs = socket.socketpair()
        path = [folder for folder in sys.path if isinstance(folder, str)]
        settings = {"line": theirs.fileno(), "path": path, "memory_mb": memory_mb, "warm": warm}
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", _BOOTSTRAP, json.dumps(settings)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                # What a worker calls may want workers too; one each will do.
                env=_ALONE | os.environ | {"PALAESTRA_WORKERS": "1"},
            )
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()
        self.line.setblocking(False)
        self.ready = False
        self.wanted_by = wanted_by
        """The call that it was started for, which another worker may take before."""
        self.call: Call | None = None
        self.deadline = monotonic() + START_S
        self.unsent = memoryview(b"")
        self.received = bytearray()

    @property
    def idle(self) -> bool:
        """Whether it can take a call."""
        return self.ready and self.call is None

    def take(self, call: Call) -> None:
        """Begin a call. Its time counts from here."""
        self.call = call
        self.deadline = monotonic() + call.wall_s
        self.unsent = memoryview(call.frame)
        self.send()

    def send(self) -> None:
        """Send as much as the line takes. A worker that is dead shows when it is listened to."""
        with suppress(OSError):
            self.unsent = self.unsent[self.line.send(self.unsent, NO_SIGNAL) :]

    def receive(self) -> bool:
        """Hear as much as the line gives. Whether the worker is still there."""
        try:
            piece = self.line.recv(1 << 20)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += piece
        return bool(piece)

    def frame(self) -> tuple[bytes, bool, bytes] | None:
        """The kind, whether the worker is spent, and the JSON, once all of it is here.

        Raises ``ValueError`` for what no worker says.
        """
        start = worker.HEADER.size
        if self.idle and self.received:
            raise ValueError("no request was sent")
        if len(self.received) < start:
            return None
        length, status, spent = worker.HEADER.unpack_from(self.received)
        if length > worker.FRAME or len(self.received) > start + length:
            raise ValueError("too long")
        if len(self.received) < start + length:
            return None
        frame, self.received = bytes(memoryview(self.received)[start:]), bytearray()
        return status, spent, frame

    def settle(self, outcome: Outcome | WorkerFault) -> None:
        """Tell whoever called what came of it."""
        call, self.call, self.deadline = self.call, None, inf
        self.unsent = memoryview(b"")  # which may have held on to much
        if call is not None:
            call.tell(outcome)

    def kill(self) -> None:
        """End the process and all that it has started."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.line.close()

    def disown(self) -> None:
        """Let go of it in a forked child, whose it is not."""
        self.line.close()
        self.process.returncode = 0  # so that nobody waits for it, or warns that nobody does


def fate(code: int) -> WorkerFault:
    """What an exit code says of how a worker ended.

    >>> fate(-9), fate(1)
    (Lost('the worker was killed by signal 9'), Lost('the worker exited with 1'))
    """
    if code == -signal.SIGPROF:
        return Late("stopped for the processor time it took")
    if code == -signal.SIGALRM:
        return Late("stopped by itself, as nobody did it in time")
    how = f"was killed by signal {-code}" if code < 0 else f"exited with {code}"
    return Lost(f"the worker {how}")
