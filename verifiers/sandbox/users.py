"""The users that programs run as, where the judge is root: each jail has one of its own.

The kernel counts processes, threads, pipes and descriptors on their way for each user, on the whole
machine. Two jails that shared a user would be felt by each other, be they of one judge or of two.
A user is claimed by a lock on its byte of one file, which ends with the process that holds it.
"""

import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

if sys.platform != "win32":  # where this is imported, but no jail is started
    import fcntl

FIRST, COUNT = 61_000, 4_000
"""The users that jails may have."""

FILES = ("/run/palaestra-users.lock", f"{tempfile.gettempdir()}/palaestra-users.lock")
FLOCK = struct.Struct("hhqqi4x")
"""``struct flock``: kind, origin, start, length, process."""

PROBE = """
import os, resource, sys
os.setgroups([])
os.setresgid(*[int(sys.argv[1])] * 3)
os.setresuid(*[int(sys.argv[1])] * 3)
resource.setrlimit(resource.RLIMIT_NPROC, (2, 2))
child = os.fork()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
"""
"""Exits with 0 where a user has no process but this one, wherever on the machine: with a limit of
two processes it can fork only then."""


class User:
    """A claim on a user, until it is closed or this process ends."""

    def __init__(self, number: int, lock: int) -> None:
        self.number, self.lock = number, lock

    def close(self) -> None:
        """Gives the user back. Nothing may run as it any more."""
        if self.lock >= 0:
            os.close(self.lock)
        self.lock = -1


def claim(files: tuple[str, ...] = FILES) -> User | None:
    """A user that nobody else's programs run as; None where this process is not root.

    The lock keeps out other judges that see the same file. Those that do not, as in containers on
    the same kernel, are noticed by the processes that the user has. Raises ``OSError`` where all
    users are taken.
    """
    if os.getuid() != 0:
        return None
    descriptor = _opened(files)
    try:
        for number in range(FIRST, FIRST + COUNT):
            if _locked(descriptor, number) and _idle(number):
                return User(number, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    raise OSError(f"all users from {FIRST} to {FIRST + COUNT - 1} have programs of other jails")


def _opened(files: tuple[str, ...]) -> int:
    """The file whose bytes are locked: an open file of its own for each claim."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    for file in files[:-1]:
        if os.access(Path(file).parent, os.W_OK):
            return os.open(file, flags, 0o600)
    return os.open(files[-1], flags, 0o600)


def _locked(descriptor: int, number: int) -> bool:
    """Locks a byte, for as long as the file is open."""
    try:
        fcntl.fcntl(
            descriptor, fcntl.F_OFD_SETLK, FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, number, 1, 0)
        )
    except (BlockingIOError, PermissionError):
        return False
    return True


def _idle(number: int) -> bool:
    """Whether nothing runs as a user. A jail that was just ended may take an instant to be gone."""
    command = [sys.executable, "-IS", "-c", PROBE, str(number)]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0
