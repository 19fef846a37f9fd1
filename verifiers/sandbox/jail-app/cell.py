"""The walls: namespaces of our own, a root of a few read-only directories, nobody's identity.

A cell is entered once, when a slot starts. What a program may see is bound into an empty root; the
old root is gone before the first program runs, and so is every privilege outside.
"""

import glob
import os
from typing import Any

from kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    NEWCGROUP,
    NEWIPC,
    NEWNET,
    NEWNS,
    NEWPID,
    NEWUSER,
    NEWUTS,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    bind,
    libc,
    mount,
    pivot_root,
    prctl,
    unmount,
    unshare,
)

OLD = "/.old"
DEVICES = ("null", "zero", "full", "random", "urandom")
NOBODY = 1000
"""The user that a program takes itself for."""


def enter(config: dict[str, Any]) -> None:
    """Leaves this process, as pid 1 of the jail, in a cell; the caller's process never returns."""
    user, group = os.getuid(), os.getgid()
    for procs in config.get("cgroups", ()):
        write(procs, str(os.getpid()))
    unshare((NEWUSER if user else 0) | NEWNS | NEWPID | NEWNET | NEWIPC | NEWUTS | NEWCGROUP)
    if user:
        become_nobody(user, group)
    libc.sethostname(b"jail", 4)
    build_root(config)
    child = os.fork()  # into the new pid namespace
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    prctl(PR_SET_PDEATHSIG, 9, "pdeathsig")  # dies with the launcher, which dies with the judge
    if not user:  # only to become nobody below; and containers forbid it
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    unmount(OLD)
    os.rmdir(OLD)
    mount(None, "/", None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    if not user:
        drop_root(int(config["uid"]))
    prctl(PR_SET_DUMPABLE, 0, "dumpable")


def drop_root(user: int) -> None:
    """Makes real root an unprivileged user outside, before it is anyone in a namespace."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    prctl(PR_SET_DUMPABLE, 1, "dumpable")  # or uid_map could not be written
    prctl(PR_SET_PDEATHSIG, 9, "pdeathsig")  # cleared by the change of user
    unshare(NEWUSER | NEWNS)
    become_nobody(user, user)


def become_nobody(user: int, group: int) -> None:
    """Maps the one user outside to the one inside."""
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{NOBODY} {user} 1")
    write("/proc/self/gid_map", f"{NOBODY} {group} 1")


def build_root(config: dict[str, Any]) -> None:
    """An empty root with what programs may read, and the old root at :data:`OLD` for now."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    os.mkdir("/tmp" + OLD)
    pivot_root("/tmp", "/tmp" + OLD)
    os.chdir("/")
    for path in config["readable"]:
        show(path)
    for source, target in config.get("binds", {}).items():
        os.makedirs(target, exist_ok=True)
        bind(OLD + source, target)
    for pattern in config.get("hidden", ()):
        for path in glob.glob(pattern):
            mount("tmpfs", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=555")
    for name in ("/dev", "/tmp", "/proc", "/etc"):
        os.makedirs(name, exist_ok=True)
    for device in DEVICES:
        touch(f"/dev/{device}")
        bind(f"{OLD}/dev/{device}", f"/dev/{device}", writable=True)
    os.symlink("/proc/self/fd", "/dev/fd")
    os.symlink("/tmp", "/dev/shm")
    write("/etc/passwd", f"nobody:x:{NOBODY}:{NOBODY}::/tmp:/bin/sh\n", os.O_CREAT)
    write("/etc/group", f"nobody:x:{NOBODY}:\n", os.O_CREAT)


def show(path: str) -> None:
    """Shows a file or a directory of the old root in its place, read-only."""
    old = OLD + path
    if os.path.islink(old):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.lexists(path):
            os.symlink(os.readlink(old), path)
    elif os.path.isdir(old):
        os.makedirs(path, exist_ok=True)
        bind(old, path)
    elif os.path.exists(old):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        touch(path)
        bind(old, path)


def touch(path: str) -> None:
    """Makes an empty file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def write(path: str, text: str, flags: int = 0) -> None:
    """Writes a text in one call, as the files of /proc want it."""
    place = os.open(path, os.O_WRONLY | flags, 0o644)
    try:
        os.write(place, text.encode())
    finally:
        os.close(place)


def fresh_tmp(options: str, first: bool = False) -> None:
    """An empty /tmp in place of the last program's."""
    if not first:
        unmount("/tmp")
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options)
