"""Runs in a jail, as the parent of a script: lays a tree out, has the script run in it to its end,
ends whatever it has left behind, and tells what the tree has become.

The script's word is never taken. It has none of this process's descriptors, so that it can neither
write nor read what is told; it is of another process, which cannot be traced, and is gone, with all
of its children, before anything is looked at. Whatever is wrong with the tree ends this program
with an error, or is told as being wrong: nothing is passed over.
"""

import json
import os
import signal
import stat
import sys
from collections.abc import Mapping

ENTRIES, DEPTH, BYTES = 2_000, 24, 100_000
"""How many entries a tree may have to be told, how deep, and with how long a file."""

NO_PROCESS = 77
"""The exit code where no process can be started, so that the script was not run at all."""


def lay(tree: Mapping[str, str]) -> None:
    """Write files below the working directory."""
    for path, text in tree.items():
        folder = path.rpartition("/")[0]
        if folder:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103  the jail has no paths library warm
        with open(path, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(text)


def run(shell: str, script: str) -> int:
    """Run a script in the working directory until it ends, and all that it started with it.

    Where there is a pid namespace this is its first process: no signal that it does not handle
    reaches it, and it may end all others at once.
    """
    try:
        child = os.fork()
    except OSError:
        os._exit(NO_PROCESS)
    if child == 0:
        become(shell, script)
    _, status = os.waitpid(child, 0)
    if os.getpid() != 1:
        os._exit(NO_PROCESS)  # what it left behind could not be ended
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return os.waitstatus_to_exitcode(status)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return os.waitstatus_to_exitcode(status)


def become(shell: str, script: str) -> None:
    """Turn into the shell, with nothing of this process's but the working directory."""
    try:
        nothing = os.open("/dev/null", os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nothing, descriptor)
        os.closerange(3, 1_024)
        os.setsid()
        os.execv(shell, [shell, script])
    finally:
        os._exit(NO_PROCESS)


def tree_of(top: str) -> dict[str, list[str]]:
    """What stands at each path below a directory, never following a link."""
    if not stat.S_ISDIR(os.lstat(top).st_mode):
        raise NotADirectoryError(top)
    listing: dict[str, list[str]] = {}
    left = [""]
    while left:
        folder = left.pop()
        with os.scandir(f"{top}/{folder}") as entries:
            for entry in entries:
                path = f"{folder}{entry.name}"
                listing[path] = one(f"{top}/{path}")
                if listing[path][0] == "directory":
                    left.append(f"{path}/")
                if len(listing) > ENTRIES or path.count("/") > DEPTH:
                    raise OverflowError("too large a tree")
    return listing


def one(path: str) -> list[str]:
    """The kind of what stands at a path, and a file's text or a link's target."""
    about = os.lstat(path)
    if stat.S_ISDIR(about.st_mode):
        return ["directory", ""]
    if stat.S_ISLNK(about.st_mode):
        return ["link", os.readlink(path)]  # noqa: PTH115
    if not stat.S_ISREG(about.st_mode) or about.st_size > BYTES:
        return ["other", ""]
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:  # noqa: PTH123
        return ["file", file.read()]


def main(job: Mapping[str, str]) -> None:
    """Do the job, and tell of it on standard output."""
    with open("script.sh", "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
        file.write(job["script"])
    home = os.getcwd()  # noqa: PTH109
    os.mkdir("tree")  # noqa: PTH102
    os.chdir("tree")
    lay(json.loads(job["tree"]))
    code = run(job["shell"], f"{home}/script.sh")
    sys.stdout.write(json.dumps({"code": code, "tree": tree_of(f"{home}/tree")}))
