"""What the tests ask of processes."""

import os
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep


def soon(what):
    """Wait until something holds, as long as that may take on a busy machine."""
    end = monotonic() + 120
    while not what():
        assert monotonic() < end, "it never happened"
        sleep(0.005)


def gone(pid):
    """Whether there is no such process, not even a zombie."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def dead(pid):
    """The same, where somebody else may be slow to reap it."""
    stat = Path(f"/proc/{pid}/stat")
    return gone(pid) or (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def number_in(note):
    soon(note.exists)
    return int(note.read_text())


def lines():
    """The descriptors that are open here, where the system tells."""
    folder = Path("/proc/self/fd")
    return sorted(folder.iterdir()) if folder.exists() else []


def sockets():
    targets = set()
    for line in lines():
        with suppress(OSError):
            targets.add(str(line.readlink()))
    return {name for name in targets if name.startswith("socket:")}


def alive(pool):
    return pool.call("math:gcd", 12, 18) == 6
