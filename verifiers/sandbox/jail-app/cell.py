"""The walls: namespaces of our own, a root of a few read-only directories, nobody's identity.

A cell is entered once, when a slot starts. What a program may see is bound into an empty root; the
old root is gone before the first program runs, and so is every privilege outside.
"""

import glob
import json
import os
import shutil
import sys
from typing import Any

import copying
from kernel import (
    MS_BIND,
    MS_MOVE,
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
    keep_capabilities,
    libc,
    mount,
    pivot_root,
    prctl,
    unmount,
    unshare,
)

TREE = "/tmp"
"""Where the new root is put together, over what is there for everybody else."""

STAGE = "/sys" if os.__file__.startswith("/dev/") else "/dev"
"""Where copies are made before they are moved to :data:`TREE`: nothing of them comes from there."""

DEVICES = ("null", "zero", "full", "random", "urandom")
LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/shm": "/tmp",
}
JAIL = "/tmp/jail"
"""Where our own code lies, until the directory of programs lies over it."""

SIZE = "512m"
"""The most that copies may take, far above what they do."""

NOBODY = 1000
"""The user that a program takes itself for."""


def enter(config: dict[str, Any]) -> int | None:
    """Leaves this process, as pid 1 of the jail, in a cell; the caller's process never returns.

    Gives the descriptor that numbers processes, where /proc shows any.
    """
    os.umask(0o022)
    root = os.getuid() == 0
    if root:  # it sees more than the user that it becomes, and shows it to programs
        unshare(NEWNS)
        plant(config)
        join(config)
        drop_root(int(config["uid"]))
    user, group = os.getuid(), os.getgid()
    unshare(NEWUSER | NEWNS | NEWPID | NEWNET | NEWIPC | NEWUTS)
    become_nobody(user, group)
    if not root:
        plant(config)
        join(config)
    unshare(NEWCGROUP)
    libc.sethostname(b"jail", 4)
    mount(TREE, TREE, None, MS_BIND | MS_REC)  # a mount of this namespace's own, as a root must be
    old = os.open("/", os.O_PATH)
    os.chdir(TREE)
    pivot_root(".", ".")
    child = os.fork()  # into the new pid namespace
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    # It dies with the launcher. That dies with the judge, when the channel between them closes: by
    # a signal it would die with whichever of the judge's threads has started it.
    prctl(PR_SET_PDEATHSIG, 9, "pdeathsig")
    numbering = show_processes()
    os.fchdir(old)
    unmount(".")  # the old root, which lay over the new one
    os.chdir("/")
    os.close(old)
    if config.get("private"):
        begin_again(config, numbering)
    return settled(numbering)


def settled(numbering: int | None) -> int | None:
    """The last step of :func:`enter`: nothing in the root can be changed any more."""
    mount(None, "/", None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    prctl(PR_SET_DUMPABLE, 0, "dumpable")
    return numbering


def join(config: dict[str, Any]) -> None:
    """Joins the jail's control groups, which are not charged with the copies of :func:`plant`."""
    for procs in config.get("cgroups", ()):
        write(procs, str(os.getpid()))


def begin_again(config: dict[str, Any], numbering: int | None) -> None:
    """Starts the copied interpreter in place of this one, which is still that of the machine."""
    keep_capabilities()
    ends = [int(end) for end in sys.argv[1:3]]
    for descriptor in (*ends, *([] if numbering is None else [numbering])):
        os.set_inheritable(descriptor, True)
    settings = json.dumps(config | {"entered": True, "numbering": numbering})
    program = os.path.realpath(sys.executable)
    os.execv(program, [program, "-sPSB", JAIL, *map(str, ends), settings])


def begun(config: dict[str, Any]) -> int | None:
    """What is left to be done by the copied interpreter; gives what :func:`enter` gives."""
    prctl(PR_SET_PDEATHSIG, 9, "pdeathsig")
    numbering: int | None = config["numbering"]
    if numbering is not None:
        os.set_inheritable(numbering, False)
    return settled(numbering)


def drop_root(user: int) -> None:
    """Makes real root an unprivileged user outside, before it is anyone in a namespace."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    prctl(PR_SET_DUMPABLE, 1, "dumpable")  # or uid_map could not be written


def show_processes() -> int | None:
    """Mounts a /proc that shows a program its own processes, for /dev/stdin and the like.

    The jail's processes cannot be traced, and so are not shown. Their numbers would tell a program
    how many processes the last one has had, so what sets the next number is returned, for numbers
    without a meaning. Where there is no such /proc, as in containers that mask theirs, it is empty.
    """
    quiet = MS_NOSUID | MS_NODEV | MS_NOEXEC
    try:
        mount("proc", "/proc", "proc", quiet)
        numbering = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
        os.pwrite(numbering, b"10000", 0)
        unmount("/proc")
        mount("proc", "/proc", "proc", quiet | MS_RDONLY, "hidepid=4,subset=pid")
    except OSError:
        mount("none", "/proc", "tmpfs", quiet | MS_RDONLY, "size=4k,mode=555")
        return None
    return numbering


def become_nobody(user: int, group: int) -> None:
    """Maps the one user outside to the one inside."""
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{NOBODY} {user} 1")
    write("/proc/self/gid_map", f"{NOBODY} {group} 1")


def plant(config: dict[str, Any]) -> None:
    """Puts together, at :data:`TREE`, an empty root with what programs may read."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    places = {path: os.open(path, os.O_PATH) for path in concealed(config)}
    # Put together where nothing that is copied lies, as it may below TREE.
    mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, f"size={SIZE},mode=755")
    if config.get("private"):
        furnish()
    mount(STAGE, TREE, None, MS_MOVE)
    for name in ("/dev", "/tmp", "/proc", "/etc"):
        os.makedirs(TREE + name, exist_ok=True)
    for path in [] if config.get("private") else config["readable"]:
        show(places, path, path)
    for source, target in config.get("binds", {}).items():
        show(places, source, target)
    for pattern in config.get("hidden", ()):
        for path in glob.glob(TREE + pattern):
            mount("tmpfs", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=555")
    for device in DEVICES:
        show(places, f"/dev/{device}", f"/dev/{device}")
    for name, target in LINKS.items():
        os.symlink(target, TREE + name)
    write(f"{TREE}/etc/passwd", f"nobody:x:{NOBODY}:{NOBODY}::/tmp:/bin/sh\n", os.O_CREAT)
    write(f"{TREE}/etc/group", f"nobody:x:{NOBODY}:\n", os.O_CREAT)


def furnish() -> None:
    """Copies what programs are shown, and what starts the copied interpreter."""
    copying.copy(STAGE)
    os.makedirs(STAGE + JAIL)
    for file in glob.glob(f"{os.path.dirname(os.path.abspath(__file__))}/*.py"):
        shutil.copyfile(file, f"{STAGE}{JAIL}/{os.path.basename(file)}")


def concealed(config: dict[str, Any]) -> list[str]:
    """What is to be shown of that which :data:`TREE` will lie over."""
    shown = [*config["readable"], *config.get("binds", {})]
    return [path for path in shown if path.startswith(f"{TREE}/") and os.path.exists(path)]


def show(places: dict[str, int], path: str, target: str) -> None:
    """Shows a file, a directory or a device in the new root, read-only."""
    new = TREE + target
    held = places.get(path)
    old = path if held is None else f"/proc/self/fd/{held}"
    os.makedirs(os.path.dirname(new), exist_ok=True)
    if held is None and os.path.islink(old):
        if not os.path.lexists(new):
            os.symlink(os.readlink(old), new)
    elif os.path.isdir(old):
        os.makedirs(new, exist_ok=True)
        bind(old, new)
    elif os.path.exists(old):
        touch(new)
        bind(old, new)


def touch(path: str) -> None:
    """Makes an empty file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def write(path: str, text: str, flags: int = 0) -> None:
    """Writes a text in one call, as the files of /proc want it."""
    descriptor = os.open(path, os.O_WRONLY | flags, 0o644)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def fresh_tmp(options: str, first: bool = False) -> None:
    """An empty /tmp in place of the last program's."""
    if not first:
        unmount("/tmp")
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options)
