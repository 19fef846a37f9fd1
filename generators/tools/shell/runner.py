"""Runs in a jail, as the parent of a command: lays a tree of files out, has bash run the command,
ends whatever it has left behind, and reports the output and the tree.

The command has none of this process's descriptors but a file for its output and one for its working
directory. It is gone, with all of its children, before anything is looked at. A tree that is too
large ends this program with an error.
"""

# ruff: noqa: PTH101, PTH102, PTH103, PTH114, PTH115, PTH112, PTH120, PTH123, PTH211
import json
import os
import signal
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

HOME = "/tmp"
TOP = f"{HOME}/work"
ENTRIES, DEPTH, FILE_BYTES, BYTES = 2_000, 24, 100_000, 400_000
"""How many entries a tree may have, how deep, with how long a file, and how long in all."""

NO_PROCESS = 77
"""The exit code where no process can be started, so that the command was not run at all."""

SCRIPT = "trap 'pwd -P >&9' EXIT; RANDOM=1; eval \"$1\""
"""What bash does with the command; it reports the directory in which the command ends."""

READABLE, LISTABLE = 0o400, 0o500


def lay(tree: Mapping[str, Sequence[Any]]) -> None:
    """Write directories, links and files with their modes and times below the top."""
    folders: list[tuple[str, int, int]] = []
    for path, (category, text, mode, seconds) in sorted(tree.items()):
        full = f"{TOP}/{path}"
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if category == "directory":
            os.makedirs(full, exist_ok=True)
            folders.append((full, mode, seconds))
        elif category == "link":
            os.symlink(text, full)
            os.utime(full, (seconds, seconds), follow_symlinks=False)
        else:
            with open(full, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)
            os.chmod(full, mode)
            os.utime(full, (seconds, seconds))
    for full, mode, seconds in reversed(folders):
        os.chmod(full, mode)
        os.utime(full, (seconds, seconds))


def run(job: Mapping[str, Any], output: int, ending: int) -> int:
    """Run the command until it ends, and everything that it started with it."""
    try:
        child = os.fork()
    except OSError:
        os._exit(NO_PROCESS)
    if child == 0:
        become(job, output, ending)
    _, status = os.waitpid(child, 0)
    if os.getpid() != 1:
        os._exit(NO_PROCESS)  # what it left behind could not be ended
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return exit_code(status)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return exit_code(status)


def exit_code(status: int) -> int:
    """The exit code as a shell reports it: 128 and the number of the signal that ended it."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def become(job: Mapping[str, Any], output: int, ending: int) -> None:
    """Turn into the shell."""
    try:
        os.umask(0o022)
        nothing = os.open("/dev/null", os.O_RDWR)
        for descriptor, target in ((nothing, 0), (output, 1), (output, 2), (ending, 9)):
            os.dup2(descriptor, target)
        os.closerange(3, 9)
        os.closerange(10, 1_024)
        os.setsid()
        os.chdir(f"{TOP}/{job['directory']}")
        environment = {
            "PATH": f"{HOME}/tools:/usr/local/bin:/usr/bin:/bin",
            "HOME": TOP,
            "USER": "user",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        os.execve(job["shell"], ["bash", "-c", SCRIPT, "bash", job["command"]], environment)
    finally:
        os._exit(NO_PROCESS)


def tree_of(started: int) -> dict[str, list[Any]]:
    """The entries below the top, never following a link. A time since ``started`` becomes -1; what
    is no file, directory or link is left out.

    Raises ``OverflowError`` for a tree that is too large.
    """
    tree: dict[str, list[Any]] = {}
    if os.path.islink(TOP) or not os.path.isdir(TOP):
        return tree
    left, size = [""], 0
    os.chmod(TOP, 0o755)
    while left:
        folder = left.pop()
        with os.scandir(f"{TOP}/{folder}") as entries:
            names = [entry.name for entry in entries]
        for name in names:
            path = f"{folder}{name}"
            entry = one(f"{TOP}/{path}", started)
            if not entry:
                continue
            tree[path] = entry
            size += len(entry[1])
            if entry[0] == "directory":
                left.append(f"{path}/")
            if len(tree) > ENTRIES or path.count("/") > DEPTH or size > BYTES:
                raise OverflowError("too large a tree")
    return tree


def one(full: str, started: int) -> list[Any]:
    """The type, text, mode and time of an entry; nothing for a special file."""
    about = os.lstat(full)
    mode = stat.S_IMODE(about.st_mode)
    seconds = -1 if about.st_mtime >= started else max(0, int(about.st_mtime))
    if stat.S_ISLNK(about.st_mode):
        return ["link", os.readlink(full), 0o777, seconds]
    if stat.S_ISDIR(about.st_mode):
        os.chmod(full, mode | LISTABLE)
        return ["directory", "", mode, seconds]
    if not stat.S_ISREG(about.st_mode):
        return []
    if about.st_size > FILE_BYTES:
        raise OverflowError("too large a file")
    os.chmod(full, mode | READABLE)
    with open(full, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return ["file", file.read(), mode, seconds]


def opened(name: str) -> int:
    """A new file beside the tree, for reading and writing."""
    return os.open(f"{HOME}/{name}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)


def main() -> None:
    """Do the job on standard input, and report on standard output."""
    job = json.loads(sys.stdin.read())
    os.makedirs(TOP)
    os.mkdir(f"{HOME}/tools")
    for name, text in job["tools"].items():
        with open(f"{HOME}/tools/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{HOME}/tools/{name}", 0o755)
    lay(job["tree"])
    started = int(time.time())
    output, ending = opened("output"), opened("directory")
    code = run(job, output, ending)
    size = os.fstat(output).st_size
    head, tail = job["head"], job["tail"]
    shown = os.pread(output, head, 0)
    rest = os.pread(output, tail, max(head, size - tail)) if size > head else b""
    report = {
        "code": code,
        "head": shown.decode("utf-8", "replace"),
        "tail": rest.decode("utf-8", "replace"),
        "cut": max(0, size - len(shown) - len(rest)),
        "directory": os.pread(ending, 4_096, 0).decode("utf-8", "replace"),
        "tree": tree_of(started),
    }
    sys.stdout.write(json.dumps(report))
