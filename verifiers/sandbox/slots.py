"""One jail, seen from the judge: start it, hand it a program, take what comes out.

A slot runs one program at a time. The judge never takes the program's word for anything: status,
time and memory are those of the parent's ``wait4``, and a second clock here ends a jail that does
not answer.
"""

import array
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from palaestra.verifiers.sandbox.activity import Activity, activity, crowding
from palaestra.verifiers.sandbox.cgroups import Group, group
from palaestra.verifiers.sandbox.outcomes import DEFAULT, Level, Limits, Outcome
from palaestra.verifiers.sandbox.users import claim

if sys.platform != "win32":  # where this is imported, but no jail is started
    import fcntl

HERE = Path(__file__).parent
JOB = struct.Struct("<QII")
STATUS = struct.Struct("<QiBQQQQ")
ENDED, TIMED_OUT, ABORTED, FAILED, ENDLESS = 0, 1, 2, 3, 4
GRACE_S = 5.0
CLEANING_S = 30.0
"""How long a jail may take to throw a program's files away one by one, without a mount."""

STARTING_S = 30.0
MARGIN = 1.2
"""How much longer than it may a program is let run, to tell the slow from the endless."""

JAIL_S = 0.1
"""More processor time than a jail takes for itself while a program runs, in seconds."""

JUDGING_S = 5.0
"""How much longer on the clock a program may take that is called, in seconds: it waits for the
judge between calls.
"""

JAIL_PROCESSES = {"namespaces": 4}
"""How many processes a jail has of the programs' user: the launcher, the warden, the forker and the
spare; without namespaces the spare alone."""

REST_S, SHORTEST_REST_S = 0.25, 0.01
"""A program of which nothing was seen for so long, in seconds, is looked at: whether it sleeps, and
how much time it has used; more often where it is about to have none left.
"""
CORES = os.cpu_count() or 1

SEAL_ALL = 0xF

_groups = count()

Mode = Literal["python", "calls", "exec", "binary"]

PRELOADED = [
    *("array", "atexit", "bisect", "cmath", "collections", "copy", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "heapq", "io", "itertools", "json"),
    *("linecache", "math", "numbers", "operator", "queue", "random", "re", "statistics"),
    *("string", "struct", "threading", "time", "traceback", "typing"),
]  # fmt: skip
"""Modules of the standard library that are warm in every program."""

READABLE = (
    *("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"),
)
HIDDEN = (
    *("/usr/lib/python3*/dist-packages", "/usr/local/lib/python3*/dist-packages"),
    *("/usr/lib/python3*/site-packages", "/usr/local/lib/python3*/site-packages"),
)
"""What is installed beside the standard library could hold answers, such as our own generators."""


class JailError(RuntimeError):
    """A jail that cannot be started, with what the kernel or the interpreter said."""


@dataclass(frozen=True, slots=True)
class Job:
    """A program and what it is given."""

    source: bytes
    mode: Mode = "python"
    stdin: bytes = b""
    args: Sequence[str] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = DEFAULT
    by_data: bool = False
    """Whether memory is limited by data, for engines that reserve more than they use."""

    @property
    def whole(self) -> bool:
        """Whether it needs what is installed as a whole."""
        return self.mode == "exec"

    def encoded(self, beside: int = 0) -> bytes:
        """What the jail is told of it beside its descriptors.

        ``beside`` is how many processes of the jail's own the kernel counts with the program's.
        """
        limits, mega = self.limits, 1 << 20
        numbers = {
            "cpu_s": max(1, -int(-MARGIN * limits.cpu_s // 1)),
            "data" if self.by_data else "memory": limits.memory_mb * mega,
            "file": limits.file_mb * mega,
            "processes": limits.processes + beside,
        }
        if self.mode in {"exec", "binary"}:
            numbers["stack"] = limits.stack_mb * mega
        header: dict[str, Any] = {"mode": self.mode, "limits": numbers}
        for name in ("args", "files", "environment"):
            if value := getattr(self, name):
                header[name] = value if name != "args" else list(value)
        return json.dumps(header).encode()


def sealed(content: bytes) -> int:
    """A descriptor of an anonymous file that nobody can change any more."""
    descriptor = os.memfd_create("job", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEAL_ALL)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def landlock_version() -> int:
    """Which version of Landlock this kernel has; 0 for none."""
    import ctypes

    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    return max(0, int(call(444, None, 0, 1)))


@cache
def interpreter(level: Level = "namespaces") -> tuple[str, str]:
    """The interpreter that jails run, and the directory that it lives in.

    It is this process's own. Without namespaces programs of a judge who is root run as somebody
    else, who cannot read what only root can, and then the system's has to do. Raises
    :class:`JailError` where that is missing or too old.
    """
    own = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    prefix = str(Path(own).parents[1])
    if level == "namespaces" or os.getuid() != 0 or _readable_to_all(prefix):
        return own, prefix
    with suppress(OSError, subprocess.SubprocessError):
        command = ["/usr/bin/python3", "-sPS", "-c", "import sys; print(sys.executable)"]
        output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
        return os.path.realpath(output.stdout.strip()), "/usr"
    raise JailError(
        f"the interpreter below {prefix} is not readable to all, and there is no /usr/bin/python3 "
        "of version 3.11 or later"
    )


@cache
def jail_module(name: str) -> ModuleType:
    """A module that runs in the jail, for what the judge does by the same rules."""
    spec = spec_from_file_location(f"palaestra_jail_{name}", HERE / "jail-app" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def filters() -> list[str]:
    """The seccomp filters for this machine.

    Raises :class:`JailError` for an architecture without any.
    """
    machine = os.uname().machine
    files = [HERE / "filters" / f"{machine}-{name}.bpf" for name in ("programs", "alone")]
    if not all(file.exists() for file in files):
        raise JailError(f"there is no seccomp filter for {machine}, only for x86_64 and aarch64")
    return [file.read_bytes().hex() for file in files]


def packages(names: Sequence[str]) -> dict[str, str]:
    """The folders of installed packages, and what they are called.

    Raises ``ValueError`` for one that is not installed, or is ours, which holds the answers.
    """
    folders: dict[str, str] = {}
    for name in names:
        spec = find_spec(name) if name.isidentifier() and name != "palaestra" else None
        if spec is None or not spec.submodule_search_locations:
            raise ValueError(f"programs cannot be given the package {name[:40]!r}")
        folder = Path(spec.submodule_search_locations[0]).resolve()
        libraries = folder.with_name(f"{name}.libs")  # where wheels keep what they link to
        folders |= {str(path): path.name for path in (folder, libraries) if path.exists()}
    return folders


def showing(level: Level, names: Sequence[str]) -> dict[str, Any]:
    """What a jail is told, so that programs have these packages warm."""
    folders = packages(names)
    settings: dict[str, Any] = {"preload": [*PRELOADED, *names]}
    if level == "namespaces":
        binds = {folder: f"/packages/{name}" for folder, name in folders.items()}
        return settings | {"binds": binds, "packages": ["/packages"]}
    beside = sorted({str(Path(folder).parent) for folder in folders})
    return settings | {"shown": list(folders), "packages": beside}


def configuration(level: Level, whole: bool, user: int | None, **changes: Any) -> dict[str, Any]:
    """What a jail is told when it starts; ``user`` is whom programs run as, if not the judge."""
    _, prefix = interpreter(level)
    readable = list(READABLE) if prefix in {"/usr", "/usr/local"} else [*READABLE, prefix]
    hidden = [*HIDDEN, f"{prefix}/lib/python3*/site-packages"]
    return {
        "level": level,
        "uid": user or 0,
        "private": level == "namespaces" and not whole,
        "filters": filters(),
        "readable": readable,
        "hidden": sorted(set(hidden)),
        "preload": PRELOADED,
        "tmp": "64m",
    } | changes


def _readable_to_all(path: str) -> bool:
    places = [Path(path), *Path(path).parents]
    return all(each.stat().st_mode & 0o001 for each in places)


class Slot:
    """A jail and the sockets to it. Not for several threads at once.

    ``level`` is what programs are told to be held by; ``walls`` is what the jail itself is made of,
    which in a container is another thing. A jail shows copies of the interpreter, its library and a
    shell's commands, which are its own; a ``whole`` one shows all that is installed, as compilers
    and Node.js need it, and shares these files with others. Without namespaces all are shared.
    """

    rests: Callable[[bool], None] = staticmethod(lambda _: None)
    """What is told that the program has fallen asleep, and that it sleeps no more."""

    ready: bool = False
    """Whether it is known that the jail has started; one in a container does not tell."""

    def __init__(self, level: Level = "namespaces", whole: bool = False, **changes: Any) -> None:
        self.level: Level = level
        self.walls: Level = level
        self.whole = whole
        self.number = 0
        self.failed = False
        self.scratch: str | None = None
        self.group: Group | None = None
        with ExitStack() as held:
            user = claim()
            self.owner = None if user is None else user.number
            if user is not None:
                held.callback(user.close)
            config = configuration(level, whole, self.owner, **changes)
            if level != "namespaces":
                config["scratch"] = self.scratch = held.enter_context(scratch(self.owner))
            self.group = group(f"palaestra-{os.getpid()}-{next(_groups)}")
            if self.group is not None:
                held.callback(self.group.remove)
                config["cgroups"] = self.group.procs
            self.held = held
            self.start(config)
            self.held = held.pop_all()

    def start(self, config: Mapping[str, Any]) -> None:
        """Starts the jail's interpreter; it serves as soon as it is ready."""
        config = {**config, "announces": True}
        jobs, control = self.connect()
        with jobs, control:
            ends = (jobs.fileno(), control.fileno())
            command = [interpreter(self.level)[0], "-sPS", str(HERE / "jail-app"), *map(str, ends)]
            self.process = subprocess.Popen(
                [*command, json.dumps(config)],
                pass_fds=ends,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
                     "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                start_new_session=True,
                close_fds=True,
            )  # fmt: skip
            self.held.callback(self.end)

    def connect(self) -> tuple[socket.socket, socket.socket]:
        """Opens the sockets to the jail, and gives the jail's ends of them."""
        self.errors = self.held.enter_context(tempfile.TemporaryFile())
        self.jobs, jobs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.held.enter_context(self.jobs)
        try:
            self.control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        except OSError:
            jobs.close()
            raise
        self.held.enter_context(self.control)
        return jobs, control

    def end(self) -> None:
        """Ends the jail's processes."""
        self.process.kill()
        self.process.wait()

    # ------------------------------------------------------------------ running programs

    def run(self, job: Job) -> Outcome:
        """Runs one program to its end."""
        run = Run(self, job)
        try:
            return run.outcome()
        finally:
            run.close()

    def fault(self) -> str:
        """What the jail said when it failed."""
        self.errors.seek(0)
        errors = self.errors.read(10_000).decode("utf-8", "replace").strip()
        return errors.rpartition("\n")[2][:300] or "the jail ended without a word"

    def activity(self) -> Activity | None:
        """What the processes of the jail do; None where that cannot be seen."""
        return activity(self.group.members()) if self.group is not None else None

    def alive(self) -> bool:
        """Whether the jail can be used: its launcher runs, and it has never failed."""
        return not self.failed and self.process.poll() is None

    def close(self) -> None:
        """Ends the jail and everything in it."""
        self.held.close()


@contextmanager
def scratch(owner: int | None) -> Iterator[str]:
    """A directory for the files of programs, where they have no mount of their own."""
    folder = tempfile.TemporaryDirectory(prefix="jail", ignore_cleanup_errors=True)
    try:
        if owner is not None:
            os.chown(folder.name, owner, owner)
        yield folder.name
    finally:
        with suppress(OSError):
            jail_module("emptying").empty(folder.name)
        folder.cleanup()


def most_wall_s(limits: Limits) -> float:
    """How long a program that does not sleep may take on the clock, in seconds.

    Where no time on the clock is given it is longer on a busy machine: a program that waits for a
    processor, or for a judge that waits for one, has not slept.
    """
    if limits.wall_s is not None:
        return limits.wall_s
    return min(limits.wall * crowding(), 3_600.0)


class Run:
    """One program in a slot, while it runs."""

    def __init__(self, slot: Slot, job: Job, channel: socket.socket | None = None) -> None:
        self.slot, self.job = slot, job
        slot.number += 1
        self.number = slot.number
        self.cap = job.limits.output_kb * 1024
        self.status: tuple[int, ...] | None = None
        self.over = False
        self.output: dict[int, bytearray] = {}
        self.poll = select.poll()
        self.activity: Activity | None = None
        self.asleep = False
        grace_s = GRACE_S if slot.scratch is None else CLEANING_S
        self.wall_s = most_wall_s(job.limits)
        self.cpu_s = job.limits.cpu_s
        """So much processor time ends it."""
        if channel is None:
            self.cpu_s *= MARGIN
        elif job.limits.wall_s is None:
            self.wall_s += JUDGING_S
        self.slept = self.spent = False
        """Whether it was ended because it slept for longer than it may, or because all of its
        processes together have used up its time."""
        self.sleeps_until = float("inf")
        self.rest_s = min(REST_S, job.limits.sleep / 3)
        self.next_look = time.monotonic() + self.rest_s
        self.deadline = time.monotonic() + self.wall_s + grace_s
        if slot.number == 1:
            self.deadline += STARTING_S
        self.clock_s = 0.0
        if slot.group is not None:
            slot.group.limit(max(2 * job.limits.memory_mb, 128) << 20)
            self.clock_s = slot.group.cpu_s()
        try:
            self.send(channel)
        except BaseException:
            self.close()
            raise

    def send(self, channel: socket.socket | None) -> None:
        """Hands the job over, with the descriptors that it will have.

        Raises ``OSError`` where this process has no more of them.
        """
        with ExitStack() as handed:  # the jail has its own of them

            def kept(descriptor: int) -> int:
                handed.callback(os.close, descriptor)
                return descriptor

            ends = [kept(sealed(self.job.source)), kept(sealed(self.job.stdin))]
            for _ in ("output", "errors"):
                reader, end = os.pipe()
                ends.append(kept(end))
                self.output[reader] = bytearray()
                if self.slot.owner is not None:  # or it could not be opened again, as /dev/stdout
                    os.fchown(reader, self.slot.owner, -1)
                os.set_blocking(reader, False)
                self.poll.register(reader, select.POLLIN)
            if channel is not None:
                ends.append(channel.fileno())
            self.poll.register(self.slot.jobs.fileno(), select.POLLIN)
            cpu_ms = int(1000 * self.cpu_s) + 1
            head = JOB.pack(self.number, int(self.wall_s * 1000), cpu_ms)
            header = head + self.job.encoded(JAIL_PROCESSES.get(self.slot.walls, 1))
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", ends))]
            with suppress(OSError):
                self.slot.jobs.sendmsg([header], ancillary)
                return
            self.status = ()

    def outcome(self) -> Outcome:
        """Waits for the end, and says how it was."""
        while self.status is None:
            self.step()
        self.drain()
        return self.finished()

    def step(self, most_s: float = float("inf")) -> None:
        """Waits a little for something to happen, for so long at most, and takes note of it."""
        ends = min(self.deadline, self.next_look)
        wait_s = max(0.0, min(ends - time.monotonic(), most_s))
        events = self.poll.poll(wait_s * 1000)
        now = time.monotonic()
        if events:
            self.note(None)
        elif now >= self.deadline:
            self.status = ()
        if now >= self.next_look:
            self.look(now, quiet=not events)
        for descriptor, _ in events:
            if descriptor == self.slot.jobs.fileno():
                self.reported()
            elif descriptor in self.output:
                self.read(descriptor)

    def look(self, now: float, quiet: bool) -> None:
        """Ends a program that has slept for too long, or whose processes together have used up its
        time, and decides when to look next.
        """
        self.next_look = now + self.rest_s
        if quiet and self.slot.ready:
            self.note(self.slot.activity())
        if self.asleep and not self.slept and now >= self.sleeps_until:
            self.slept = True
            self.abort()
        left_s = self.cpu_s + JAIL_S - self.group_s() if self.slot.ready else self.cpu_s
        if left_s < 0 and not self.spent:
            self.spent = True
            self.abort()
        elif left_s > 0:
            soonest_s = max(SHORTEST_REST_S, left_s / CORES)
            self.next_look = min(self.next_look, now + soonest_s)

    def group_s(self) -> float:
        """The processor time that the jail has used since the program began; 0 where that cannot
        be seen.
        """
        return self.slot.group.cpu_s() - self.clock_s if self.slot.group is not None else 0.0

    def note(self, activity: Activity | None) -> None:
        """Tells whoever shares jails out when the program falls asleep, and when it wakes up."""
        before, self.activity = self.activity, activity
        asleep = activity is not None and before is not None and activity.sleeps_since(before)
        if asleep != self.asleep:
            self.asleep = asleep
            self.sleeps_until = time.monotonic() - self.rest_s + self.job.limits.sleep
            self.slot.rests(asleep)

    def step_for(self, descriptor: int, writing: bool = False) -> None:
        """The same, also until a descriptor of the caller's can be read or written."""
        self.poll.register(descriptor, select.POLLOUT if writing else select.POLLIN)
        try:
            self.step()
        finally:
            self.poll.unregister(descriptor)

    def reported(self) -> None:
        try:
            message = self.slot.jobs.recv(256)
        except OSError:  # the jail ended before it took the job
            message = b""
        if len(message) != STATUS.size:
            self.status = ()
            return
        number, *numbers = STATUS.unpack(message)
        if number == 0:  # the jail has started, which takes time that is not the program's
            self.slot.ready = True
            self.clock_s += self.group_s()
        if number == self.number:
            self.status = tuple(numbers)

    def read(self, descriptor: int) -> None:
        try:
            piece = os.read(descriptor, 65_536)
        except BlockingIOError:
            return
        if not piece:
            self.poll.unregister(descriptor)
            return
        kept = self.output[descriptor]
        if len(kept) + len(piece) > self.cap:
            self.over = True
            self.abort()
        kept += piece[: self.cap - len(kept)]

    def abort(self) -> None:
        """Ends the program."""
        if self.status is None:
            try:
                self.slot.control.send(struct.pack("<Q", self.number))
            except OSError:
                self.status = ()

    def drain(self) -> None:
        """Takes what is left in the pipes; everything that could write to them is dead."""
        for descriptor, kept in self.output.items():
            try:
                while len(kept) <= self.cap and (piece := os.read(descriptor, 65_536)):
                    kept.extend(piece)
            except BlockingIOError:
                pass
            self.over = self.over or len(kept) > self.cap
            del kept[self.cap :]

    def close(self) -> None:
        """Closes what is left open. A jail whose program was not seen to end is not used again."""
        self.slot.failed = self.slot.failed or not self.status
        self.note(None)
        for descriptor in self.output:
            os.close(descriptor)
        self.output = {}

    def finished(self) -> Outcome:
        """The outcome of a program that is over."""
        out, errors = (bytes(text) for text in self.output.values())
        level = self.slot.level
        if not self.status:
            self.slot.failed = True
            reason = self.slot.fault() if not self.slot.alive() else "the jail did not answer"
            return Outcome("JUDGE_ERROR", out, errors, isolation=level, reason=reason)
        wait, why, user_us, system_us, peak_kb, wall_us = self.status
        code = os.waitstatus_to_exitcode(wait)
        cpu_s = self.charged((user_us + system_us) / 1e6)
        status, reason = self.judged(code, why, cpu_s, peak_kb, errors)
        return Outcome(
            status, out, errors, code, cpu_s, wall_us / 1e6, peak_kb, level, reason
        )  # fmt: skip

    def charged(self, cpu_s: float) -> float:
        """The processor time that a program is charged with, from that which its parent knows of.

        It does not know of children that nobody waited for. The jail's group does, but cannot tell
        them from the jail itself, which takes a few milliseconds for each program.
        """
        group_s = self.group_s()
        return group_s if group_s > cpu_s + JAIL_S else cpu_s

    def judged(
        self, code: int, why: int, cpu_s: float, peak_kb: int, errors: bytes
    ) -> tuple[Any, str]:
        limits = self.job.limits
        if why == FAILED:
            self.slot.failed = True
            return "JUDGE_ERROR", errors[:300].decode("utf-8", "replace")
        if self.slot.group is not None and self.slot.group.newly_killed():
            return "MLE", f"more than {limits.memory_mb} MB with all its processes"
        if self.over:
            return "OLE", f"more than {limits.output_kb} kB of output"
        if why == ENDLESS:
            return "TLE", f"a loop that never ends, of which it had {limits.cpu_s:g} s"
        slept, spent = (why == ABORTED and ended for ended in (self.slept, self.spent))
        late = slept or spent or why == TIMED_OUT or code == -signal.SIGXCPU
        if late or cpu_s > limits.cpu_s:
            wall_s = limits.sleep if slept else self.wall_s
            return "TLE", f"more than {limits.cpu_s:g} s, or {wall_s:.4g} s on the clock"
        if code == -signal.SIGSYS:
            return "VIOLATION", "a system call that no program may make"
        short = code and (b"MemoryError" in errors[-400:] or b"bad_alloc" in errors[-400:])
        if code and (short or peak_kb * 1024 > 0.95 * limits.memory_mb * (1 << 20)):
            return "MLE", f"more than {limits.memory_mb} MB"
        if code == -signal.SIGKILL and cpu_s > 0.75 * limits.cpu_s:
            return "TLE", f"more than {limits.cpu_s:g} s"
        if why == ABORTED:
            return "RE", "it closed its channel"
        if code == -signal.SIGKILL:
            return "MLE", "killed, as for want of memory"
        if code:
            ended = f"signal {-code}" if code < 0 else f"exit code {code}"
            return "RE", f"it ended with {ended}"
        return "PASS", ""
