"""A control group for a jail, where this user may make one: memory, time, number of processes.

Limits of single processes do not add up: thirty that stay below theirs can fill a machine, and
children that nobody waits for are charged to nobody. There is one group for each jail, for one for
each program would cost more than the program. Version 2 of the interface (cgroups(7)) and the
memory, pids and cpuacct controllers of version 1 are known.
"""

import os
import select
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from threading import Thread

ROOT = Path("/sys/fs/cgroup")
TASKS = 256
"""How many processes and threads a jail may have, its own four among them."""

INSTANT_S = 0.2
"""So long, in seconds, a group that is removed waits for its processes itself."""

SHORTEST_S, LONGEST_S = 0.005, 1.0
"""The pauses between two attempts to remove a directory, in seconds."""

REMOVAL = "removal of control groups"
"""The name of the threads that wait for processes of groups."""


class Group:
    """The directories of one group; the jail joins by the files in :attr:`procs`."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.memory = 0
        self.killed = 0
        self.clock, self.unit = _clock(folders)
        self.events = _opened(folders, ("memory.events", "memory.oom_control"))

    @property
    def procs(self) -> list[str]:
        """The files that a process writes its number to, to join."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def members(self) -> list[str]:
        """The numbers of the processes in it."""
        return Path(self.procs[0]).read_text().split()

    def limit(self, memory: int) -> None:
        """Sets how many bytes all of the jail may have; nothing where they are set already."""
        if memory == self.memory:
            return
        for folder in self.folders:
            for name in ("memory.max", "memory.limit_in_bytes"):
                if (folder / name).exists() and _written(folder / name, str(memory)):
                    self.memory = memory

    def newly_killed(self) -> bool:
        """Whether the kernel has killed a process for want of memory since this was last asked."""
        if self.events < 0:
            return False
        text = os.pread(self.events, 1_000, 0)
        before, self.killed = self.killed, int(text.rpartition(b"oom_kill ")[2].split()[0])
        return self.killed > before

    def cpu_s(self) -> float:
        """The processor time of everything that was ever in the group; 0 where that is not told."""
        if self.clock < 0:
            return 0.0
        text = os.pread(self.clock, 200, 0)
        return int(text.removeprefix(b"usage_usec ").split(b"\n", 1)[0]) * self.unit

    def remove(self) -> None:
        """Takes the group away, once its processes have ended. That usually takes an instant; where
        it takes longer, a thread waits for them.
        """
        for descriptor in {self.clock, self.events} - {-1}:
            os.close(descriptor)
        self.clock = self.events = -1
        left = [folder for folder in self.folders if not _removed(folder, INSTANT_S)]
        if left:
            Thread(target=_remove, args=(left,), name=REMOVAL, daemon=True).start()


def _remove(folders: list[Path]) -> None:
    """Removes the directories of a group as soon as its processes have ended."""
    for folder in folders:
        _removed(folder, inf)


def _removed(folder: Path, most_s: float) -> bool:
    """Whether a directory is gone, for whose processes it waits for so many seconds at most."""
    until = time.monotonic() + most_s
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:  # the kernel keeps it as long as it has a process
            left_s = until - time.monotonic()
        else:
            return True
        if left_s <= 0:
            return False
        _await_end(folder, min(left_s, LONGEST_S))


def _await_end(folder: Path, most_s: float) -> None:
    """Waits until a process of a group ends, for so many seconds at most."""
    poll, places = select.poll(), []
    with suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(OSError):
                places.append(os.pidfd_open(int(pid)))
                poll.register(places[-1], select.POLLIN)
    if places:
        poll.poll(1000 * most_s)
    for path in places:
        os.close(path)
    time.sleep(SHORTEST_S)  # what has ended is still taken apart


def _written(file: Path, text: str) -> bool:
    """Writes a limit, which may be below what the last program has not given back yet."""
    for _ in range(10):
        with suppress(OSError):
            file.write_text(text)
            return True
        time.sleep(0.01)
    return False


def _clock(folders: list[Path]) -> tuple[int, float]:
    """The open file that tells processor time, and its unit in seconds."""
    if (descriptor := _opened(folders, ("cpuacct.usage",))) >= 0:
        return descriptor, 1e-9
    return _opened(folders, ("cpu.stat",)), 1e-6


def _opened(folders: list[Path], names: tuple[str, ...]) -> int:
    """The first of some files that there is, open, for opening it each time takes longer than
    reading it; -1 where there is none.
    """
    for folder in folders:
        for name in names:
            with suppress(OSError):
                return os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC)
    return -1


def group(name: str) -> Group | None:
    """A new group; None where this user may not make one."""
    created: list[Path] = []
    try:
        for parent in _parents():
            _sweep(parent)
            folder = parent / name
            folder.mkdir()
            created.append(folder)
            if (folder / "pids.max").exists():
                (folder / "pids.max").write_text(str(TASKS))
            if (folder / "memory.swap.max").exists():
                (folder / "memory.swap.max").write_text("0")
    except OSError:
        Group(created).remove()
        return None
    limited = any((folder / file).exists() for folder in created for file in _MEMORY)
    if not limited:
        Group(created).remove()
        return None
    return Group(created)


@cache
def _sweep(parent: Path) -> None:
    """Takes away the groups of judges that were killed."""
    for folder in parent.glob("palaestra-*-*"):
        if not Path("/proc", folder.name.split("-")[1]).exists():
            with suppress(OSError):
                folder.rmdir()


_MEMORY = ("memory.max", "memory.limit_in_bytes")


def _parents() -> Iterator[Path]:
    """Where a group is made: below our own of version 2, or the controllers of version 1."""
    if (ROOT / "cgroup.controllers").exists():
        own = _own()
        controllers = (own / "cgroup.controllers").read_text().split()
        if "memory" in controllers and os.access(own, os.W_OK):
            with suppress(OSError):
                (own / "cgroup.subtree_control").write_text("+memory +pids")
            yield own
        return
    for controller in ("memory", "pids", "cpuacct"):
        if (ROOT / controller / "cgroup.procs").exists():
            yield ROOT / controller


def _own() -> Path:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::/"):
            return ROOT / line.removeprefix("0::/")
    return ROOT
