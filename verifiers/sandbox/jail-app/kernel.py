"""The system calls that a jail is built from, through ctypes.

Flags and structures are those of the Linux manual pages: clone(2), mount(2), pivot_root(2),
landlock(7), seccomp(2), prctl(2), capabilities(7).
"""

import ctypes
import glob
import os
import platform
import stat
import struct
from collections.abc import Iterable, Iterator

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_MOVE, MS_REC = 32, 4096, 8192, 16384
MS_PRIVATE, MS_RELATIME = 1 << 18, 1 << 21
MNT_DETACH = 2

CAP_SYS_ADMIN, PR_CAP_AMBIENT = 21, 47
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
CAPABILITIES = struct.pack("<Ii", 0x20080522, 0)
NO_CAPABILITIES = bytes(24)

ARCH = platform.machine()
CLONE = {"x86_64": 56, "aarch64": 220}.get(ARCH, -1)
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}.get(ARCH, -1)
CLOSE_RANGE, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 436, 444, 445, 446

FS_EXECUTE, FS_WRITE_FILE, FS_READ_FILE, FS_READ_DIR = 1, 2, 4, 8
FS_MAKE_CHAR, FS_MAKE_BLOCK, FS_TRUNCATE = 1 << 6, 1 << 11, 1 << 14


def checked(result: int, what: str) -> int:
    """The result of a call, or the error that it set."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(number: int, *arguments: object) -> int:
    """A system call by its number; -1 where it fails."""
    return int(libc.syscall(number, *arguments))


def prctl(option: int, argument: object, what: str) -> None:
    """Sets an attribute of this process."""
    checked(libc.prctl(option, argument, 0, 0, 0), what)


def mount(
    source: str | None, target: str, filesystem: str | None, flags: int, data: str = ""
) -> None:
    """Mounts a file system, or changes a mount."""
    texts = [None if text is None else text.encode() for text in (source, target, filesystem)]
    result = libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None)
    checked(result, f"mount {target}")


def bind(source: str, target: str) -> None:
    """Shows a part of the file system in another place, read-only."""
    mount(source, target, None, MS_BIND | MS_REC)
    # What the parent has locked has to be kept: no execution, no access times.
    held = os.statvfs(target).f_flag
    keep = held & 0xC0F | (MS_RELATIME if held & 0x1000 else 0)
    flags = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | keep
    device = stat.S_ISCHR(os.stat(target).st_mode)
    mount(None, target, None, flags | (0 if device else MS_NODEV))


def unmount(target: str) -> None:
    """Takes a mount away, also where it is in use."""
    checked(libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def unshare(flags: int) -> None:
    """Moves this process to namespaces of its own."""
    checked(libc.unshare(flags), "unshare")


def pivot_root(new: str, old: str) -> None:
    """Makes a mount the root."""
    checked(call(PIVOT_ROOT, new.encode(), old.encode()), "pivot_root")


def clone(flags: int) -> int:
    """Forks without any of Python's hooks, which would touch a hundred pages; 0 in the child."""
    return checked(call(CLONE, flags, 0, 0, 0, 0), "clone")


def close_from(first: int, last: int = 0xFFFFFFFF) -> None:
    """Closes descriptors."""
    checked(call(CLOSE_RANGE, first, last, 0), "close_range")


def drop_capabilities() -> None:
    """Gives up every capability for good."""
    checked(libc.capset(CAPABILITIES, NO_CAPABILITIES), "capset")


def keep_capabilities() -> None:
    """Keeps the capabilities that building a jail takes over the start of another program."""
    held = ctypes.create_string_buffer(24)
    checked(libc.capget(CAPABILITIES, held), "capget")
    low, _, _, high, _, _ = struct.unpack("<6I", held.raw)
    # Effective, permitted and inheritable ones, in a lower and in an upper half.
    checked(
        libc.capset(CAPABILITIES, struct.pack("<6I", low, low, low, high, high, high)), "capset"
    )
    for capability in (CAP_SYS_ADMIN,):
        checked(libc.prctl(PR_CAP_AMBIENT, 2, capability, 0, 0), "ambient capability")


def filter_calls(program: bytes) -> None:
    """Lets a seccomp filter decide on all further system calls."""
    code = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(
        struct.pack("<H6xQ", len(program) // 8, ctypes.addressof(code)), 16
    )
    result = libc.prctl(PR_SET_SECCOMP, 2, ctypes.c_ulong(ctypes.addressof(header)), 0, 0)
    checked(result, "seccomp")


# ------------------------------------------------------------------ Landlock


def landlock_version() -> int:
    """Which version of Landlock the kernel has; 0 for none."""
    return max(0, call(LANDLOCK_CREATE, None, 0, 1))


def landlock_net() -> int:
    """A rule set that closes the network and other processes' sockets, or -1 where too old.

    For a jail whose mount namespace confines the files already.
    """
    version = landlock_version()
    if version < 4:
        return -1
    return _ruleset(version, files=0)


def landlock_files(
    listed: list[str], readable: list[str], hidden: list[str], writable: list[str]
) -> int:
    """A rule set that confines files too: some directories can be listed, some things can be read
    but for what is hidden below them, which is given by patterns, and some directories are one's
    own.
    """
    version = landlock_version()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    every = (1 << 13) - 1
    for since, right in ((2, 1 << 13), (3, FS_TRUNCATE), (5, 1 << 15)):
        every |= right if version >= since else 0
    rules = _ruleset(version, every)
    devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
    secret = [os.path.realpath(path) for pattern in hidden for path in glob.glob(pattern)]
    for paths, rights in (
        (listed + readable, FS_READ_DIR),
        (list(parts(readable, secret)), FS_EXECUTE | FS_READ_FILE),
        (writable, every & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK)),
        (devices, FS_READ_FILE | FS_WRITE_FILE),
    ):
        for path in filter(os.path.exists, paths):
            _allow(rules, path, rights)
    return rules


def parts(paths: Iterable[str], secret: list[str]) -> Iterator[str]:
    """What there is below some paths, in as few parts as leave out what is secret."""
    for path in paths:
        real = os.path.realpath(path)
        if real in secret:
            continue
        if any(folder.startswith(f"{real}/") for folder in secret):
            yield from parts((os.path.join(real, name) for name in os.listdir(real)), secret)
        else:
            yield real


def _ruleset(version: int, files: int) -> int:
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= 6 else 0
    size = 8 if version < 4 else 16 if version < 6 else 24
    attributes = struct.pack("<QQQ", files, network, scopes)[:size]
    return checked(call(LANDLOCK_CREATE, attributes, size, 0), "landlock_create_ruleset")


def _allow(rules: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE
    if not rights:
        return
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("<Qi", rights, descriptor)
    checked(call(LANDLOCK_ADD, rules, 1, rule, 0), f"landlock_add_rule {path}")
    os.close(descriptor)


def landlock(rules: int) -> None:
    """Holds this process and its children to a rule set."""
    checked(call(LANDLOCK_RESTRICT, rules, 0), "landlock_restrict_self")
    os.close(rules)
