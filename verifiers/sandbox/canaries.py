"""Trying a jail before it serves: what should be impossible is attempted in it, and has to fail.

Isolation is measured and not assumed. A canary is a small program that prints ``held`` where the
wall stands, and anything else where it does not.
"""

import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from palaestra.verifiers.sandbox.container import ContainerSlot, shared
from palaestra.verifiers.sandbox.engines import ANY, Engine
from palaestra.verifiers.sandbox.outcomes import LEVELS, Level, Limits
from palaestra.verifiers.sandbox.slots import JailError, Job, Slot

TRYING = Limits(cpu_s=2, wall_s=8, memory_mb=256)


class SandboxUnavailable(RuntimeError):
    """Nothing on this machine isolates programs well enough; it says what to install or allow."""


@dataclass(frozen=True, slots=True)
class Canary:
    """What is attempted, and the walls that have to hold it."""

    name: str
    program: str
    levels: tuple[Level, ...] = ("namespaces", "landlock")


_TRY = """
try:
    {attempt}
except {faults} as fault:
    print("held")
else:
    print("BREACH")
"""


def _attempt(code: str, faults: str = "OSError") -> str:
    return _TRY.format(attempt=code.replace("\n", "\n    "), faults=faults)


_CALL = """import ctypes
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall({number}, {arguments}) < 0: raise OSError(ctypes.get_errno(), 'no')"""

CANARIES = (
    Canary("internet socket", _attempt("import socket; socket.socket()")),
    Canary("unix socket by name", _attempt("import socket; socket.socket(socket.AF_UNIX)")),
    Canary("write outside", _attempt("open('/usr/breach', 'w')")),
    Canary("write to the root", _attempt("open('/breach', 'w')")),
    Canary("signal to init", _attempt("import os; os.kill(1, 9) if os.getpid() != 1 else 1 / 0",
                                      "(OSError, ZeroDivisionError)")),
    Canary("other processes", "import os\n"
                              "try:\n    own = os.readlink('/proc/self')\n"
                              "    seen = [n for n in os.listdir('/proc')"
                              " if n.isdigit() and n != own]\n"
                              "except OSError: seen = []\nprint('BREACH' if seen else 'held')"),
    Canary("io_uring", _attempt(_CALL.format(number=425, arguments="1, 0"))),
    Canary("fork", _attempt("import os; os.fork() or os._exit(0)"), ("landlock",)),
    Canary("execution", _attempt("import os; os.execv('/bin/true', ['true'])"), ("landlock",)),
    Canary("memory", _attempt("b = bytearray(1 << 30)", "MemoryError")),
    Canary("descriptors", "import os\nseen = []\nfor n in range(3, 128):\n    try: os.fstat(n)\n"
                          "    except OSError: continue\n    seen.append(n)\n"
                          "print('BREACH' if seen else 'held')"),
    Canary("environment", "import os\nprint('BREACH' if 'SECRET' in os.environ else 'held')"),
)  # fmt: skip
"""Those that say whether they were held. Others are in :func:`breaches`."""

DEADLY = (
    ("tracing", _CALL.format(number=101, arguments="0, 0, 0, 0")),
    ("namespaces of one's own", _CALL.format(number=272, arguments="0x10000000")),
)
"""Calls on x86_64 that end the program that makes them."""


THREADS = """
import threading
threading.stack_size(1 << 16)
end = threading.Event()
try:
    for _ in range(30): threading.Thread(target=end.wait, daemon=True).start()
    print("held")
except RuntimeError: print("BREACH")
"""
"""As many threads as a program may have: fails where its user has those of other judges."""


def breaches(slot: Slot) -> Iterator[str]:
    """What a jail does not hold, by name.

    Raises :class:`JailError` where it does not even run a program.
    """
    first = slot.run(Job(b"print('held')", limits=TRYING))
    if first.stdout != b"held\n":
        raise JailError(first.reason or first.stderr.decode("utf-8", "replace")[-300:])
    for canary in CANARIES:
        if slot.walls in canary.levels and not _held(slot, canary.program):
            yield canary.name
    if os.uname().machine == "x86_64":
        for name, program in DEADLY:
            if slot.run(Job(program.encode(), limits=TRYING)).status != "VIOLATION":
                yield name
    if slot.owner is not None and slot.level != "container" and not _held(slot, THREADS):
        yield "processes of others, which count as its own"
    yield from _leaks(slot)


def _held(slot: Slot, program: str) -> bool:
    return slot.run(Job(program.encode(), limits=TRYING)).stdout == b"held\n"


def _leaks(slot: Slot) -> Iterator[str]:
    """A secret beside the judge is not read, floods are stopped, and nothing stays behind."""
    word = secrets.token_hex(8)
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder, "secret")
        secret.write_text(word)
        secret.chmod(0o644)
        Path(folder).chmod(0o755)
        read = slot.run(Job(f"print(open({str(secret)!r}).read())".encode(), limits=TRYING))
        if word.encode() in read.stdout:
            yield "reading files of the judge"
    flood = slot.run(Job(b"while True: print('x' * 65536)", limits=TRYING))
    if flood.status != "OLE":
        yield "floods of output"
    slot.run(Job(f"open('left', 'w').write({word!r})".encode(), limits=TRYING))
    after = slot.run(Job(b"import os; print(os.listdir('.'))", limits=TRYING))
    if after.stdout != b"[]\n":
        yield "files of the last program"
    daemon = "import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass"
    if slot.walls == "namespaces" and slot.run(Job(daemon.encode(), limits=TRYING)).cpu_s > 1:
        yield "processes that stay behind"


@cache
def tried(level: Level) -> str:
    """What keeps a level from being used here, or nothing. Tried once in a process."""
    return measured(lambda: Slot(level))


@cache
def contained(engine: Engine, build: bool) -> str:
    """The same of a container; ``build`` allows to make its image first, which takes minutes."""
    return measured(lambda: ContainerSlot(shared(engine, build)))


def measured(start: Callable[[], Slot]) -> str:
    """What is wrong with a jail, or nothing."""
    try:
        slot = start()
    except (JailError, OSError) as fault:
        return str(fault)
    try:
        problems = list(breaches(slot))
    except JailError as fault:
        return str(fault)
    finally:
        slot.close()
    return f"it does not hold: {', '.join(problems)}" if problems else ""


WANTED: dict[str, tuple[Level, ...]] = {
    "auto": ("namespaces", "container", "landlock"),
    "native": ("namespaces",),
    "native-restricted": ("landlock",),
    "docker": ("container",),
    "podman": ("container",),
}
"""The levels that a backend offers, in the order in which they are tried."""


def chosen(backend: str, minimum: Level, engine: Engine = ANY, allow_unsafe: bool = False) -> Level:
    """The best level that this machine offers. An engine that was asked for makes its image first.

    Raises :class:`SandboxUnavailable` on systems other than Linux, and where none is at least
    ``minimum``; with ``allow_unsafe``
    programs are then held by nothing but limits and a filter of system calls.
    """
    if sys.platform != "linux":
        raise SandboxUnavailable("the sandbox runs programs on Linux only")
    why: dict[str, str] = {}
    for level in WANTED[backend]:
        if LEVELS.index(level) >= LEVELS.index(minimum):
            if level == "container":
                why[level] = contained(engine, build=backend != "auto")
            else:
                why[level] = tried(level)
            if not why[level]:
                return level
    if allow_unsafe:
        return "none"
    reasons = "; ".join(f"{level}: {reason}" for level, reason in why.items())
    raise SandboxUnavailable(
        f"no program is run, for nothing here isolates it at the level {minimum!r} ({reasons}). "
        "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 or "
        "kernel.apparmor_restrict_unprivileged_userns=0), run as root with CAP_SYS_ADMIN, start a "
        "container engine that has our image, or use a kernel with Landlock"
    )
