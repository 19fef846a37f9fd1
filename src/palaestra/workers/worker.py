"""What runs inside a worker process: it hears the name of a function, calls it, and tells.

:mod:`palaestra.workers.pool` starts it and talks to it over a socket, in frames: a header of
four bytes of length, one byte of kind and one that says whether the worker has served its time,
then JSON. Nothing that comes back can execute.
"""

import json
import os
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any

HEADER = struct.Struct(">Ic?")

FRAME = 64 << 20
"""How many bytes of JSON go over at a time."""

CALLS = 1_000
"""How many calls a worker serves before it is replaced."""

GROWN = 0.5
"""The share of the memory limit at which a worker is replaced after its call."""

GRACE_S = 2.0
"""How long after its time a call ends by itself, where nobody is left to end it."""

MESSAGE = 2_000
"""How many characters of an exception's message are told."""

READY, VALUE, FAILED, MEMORY = b"r", b"v", b"f", b"m"

_PDEATHSIG = 1
"""The option of ``prctl`` that has Linux kill a process whose parent has died."""


def serve(settings: dict[str, Any]) -> None:
    """Answer calls until the socket is closed."""
    line: int = settings["line"]
    memory_mb: int = settings["memory_mb"]
    os.set_inheritable(line, False)
    _confine(memory_mb)
    for module in settings["warm"]:
        with suppress(Exception):  # where it matters, the call that needs it meets it again
            import_module(module)
    _silence()
    _write(line, READY)
    for calls in count(1):
        header = _read(line, HEADER.size)
        frame = _read(line, HEADER.unpack(header)[0]) if header else b""
        if not frame:
            # Whatever a function has left behind, threads or exit handlers, does not go on.
            os._exit(0)
        status, body = _answer(frame)
        spent = status == MEMORY or calls >= CALLS or _resident_mb() > GROWN * memory_mb
        _write(line, status, body, spent)


def _confine(memory_mb: int) -> None:
    """Take limits on, and die with the parent."""
    import resource

    for sign in (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU):
        signal.signal(sign, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for limit, most in ((resource.RLIMIT_AS, memory_mb << 20), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # macOS has no limit on memory
            resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        with suppress(OSError):  # where memory runs out, workers go first
            Path("/proc/self/oom_score_adj").write_text("1000")
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)


def _silence() -> None:
    """What functions print goes nowhere: it may be a model's words, in somebody's log."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _answer(frame: bytes) -> tuple[bytes, bytes]:
    """Make a call; the kind and the JSON of what came of it."""
    try:
        name, arguments, wall_s, cpu_s = json.loads(frame)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, wall_s + GRACE_S)
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
        body = encode(function(name)(*arguments))
    except MemoryError:
        return MEMORY, b"null"
    except BaseException as fault:  # noqa: BLE001  an exit or an interrupt is an answer as well
        return FAILED, _described(fault)
    else:
        return VALUE, body
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def encode(value: Any) -> bytes:
    """A plain value as JSON in ASCII, so that half a surrogate pair comes through as well.

    Raises ``TypeError`` or ``ValueError`` for what is no JSON value, or too large a one.

    >>> encode({"a": (1, None)})
    b'{"a":[1,null]}'
    """
    body = json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    if len(body) > FRAME:
        raise ValueError(f"{len(body)} bytes of JSON, and at most {FRAME} go over")
    return body


def _described(fault: BaseException) -> bytes:
    """The type and the message of an exception, whatever its ``__str__`` does."""
    try:
        message = str(str(fault))[:MESSAGE]
    except BaseException as worse:  # noqa: BLE001
        message = f"(telling it raised {type(worse).__name__})"
    return json.dumps([type(fault).__name__[:100], message]).encode()


@lru_cache(maxsize=256)
def function(name: str) -> Callable[..., Any]:
    """The function that ``package.module:name`` is.

    >>> function("math:gcd")(12, 18)
    6
    """
    module, _, inside = name.partition(":")
    target: Callable[..., Any] = attrgetter(inside)(import_module(module))
    return target


def _resident_mb() -> float:
    """The memory in use; on systems without ``/proc``, the most that ever was."""
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / (1 << 20)
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


def _read(line: int, size: int) -> bytes:
    """So many bytes; none where the other end is closed."""
    heard = bytearray()
    while len(heard) < size:
        piece = os.read(line, min(size - len(heard), 1 << 20))
        if not piece:
            return b""
        heard += piece
    return bytes(heard)


def _write(line: int, status: bytes, body: bytes = b"null", spent: bool = False) -> None:
    rest = memoryview(HEADER.pack(len(body), status, spent) + body)
    while rest:
        rest = rest[os.write(line, rest) :]
