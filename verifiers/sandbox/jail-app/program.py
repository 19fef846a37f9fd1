"""A program's own process, from the fork to its last instruction.

It is forked ahead of time, waits for a job, takes over the job's descriptors, lowers its limits and
becomes the program. It holds nothing of the judge's: no test, no expected output, no other program.
"""

import array
import atexit
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
from typing import Any

import callee
from endless import Watch
from kernel import close_from, drop_capabilities
from packing import encoded

JOB = struct.Struct("<QII")
"""The number of a job, its wall and processor time in milliseconds, 0 for as much as the kernel's
own limit lets it have; JSON follows.
"""

READY = b"r"
LARGEST = 1 << 16
SOURCE = 1 << 24
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
LIMITS = {
    "cpu_s": resource.RLIMIT_CPU,
    "memory": resource.RLIMIT_AS,
    "data": resource.RLIMIT_DATA,
    "file": resource.RLIMIT_FSIZE,
    "processes": resource.RLIMIT_NPROC,
    "stack": resource.RLIMIT_STACK,
}


def live(
    jobs: socket.socket, started: int, main: dict[str, Any], scratch: str, endless: mmap.mmap
) -> None:
    """Waits for a job and becomes its program; never returns.

    ``started`` is a pipe that tells the forker which job was taken, ``endless`` the memory that
    tells it of a program that was proved never to end.
    """
    try:
        drop_capabilities()
        message, ancillary, _, _ = jobs.recvmsg(LARGEST, socket.CMSG_SPACE(8 * 4))
        if not message:
            os._exit(0)
        os.write(started, message[: JOB.size])
        job = json.loads(message[JOB.size :])
        descriptors = array.array("i", ancillary[0][2]).tolist()
        source = settle(job, descriptors, scratch, started)
    except BaseException as fault:  # an exit code that no program can fake into a pass
        os.write(2, f"the jail failed: {fault!r}\n".encode())
        os._exit(125)
    become(job)
    # As few frames as can be: a program may go as deep as the interpreter lets it.
    os._exit(run(source, main, job["mode"] == "calls", Watch(source, endless)))


def settle(job: dict[str, Any], descriptors: list[int], scratch: str, started: int) -> bytes:
    """Puts descriptors in their places, writes the job's files, lowers the limits.

    The last word to the forker, before the program has any, is that all went well: a jail that
    failed is told by its absence, and not by anything that a program could do.
    """
    first, *streams = descriptors
    source = b"" if job["mode"] == "binary" else os.pread(first, SOURCE, 0)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, 100 + number, inheritable=False)
    if job["mode"] == "binary":
        os.dup2(first, 120, inheritable=False)
    for number in range(len(streams)):
        os.dup2(100 + number, number)
    binary = job["mode"] == "binary"
    os.chdir(scratch)
    for name, text in job.get("files", {}).items():
        lay(name, text)
    for name, value in job["limits"].items():
        # The signal at the soft limit of time comes first; the first process of a namespace may
        # ignore it, and is killed a second later.
        hard = value + 1 if name == "cpu_s" else value
        resource.setrlimit(LIMITS[name], (value, hard))
    os.write(started, READY)
    close_from(len(streams), 119)
    close_from(121 if binary else 120)
    return source


def lay(name: str, text: str) -> None:
    """Writes a file of the job; its name was checked by the judge."""
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "wb") as file:
        file.write(encoded(text))


def become(job: dict[str, Any]) -> None:
    """Turns into the program, where that is not Python, or takes its arguments."""
    environment = ENVIRONMENT | job.get("environment", {})
    arguments = job.get("args", [])
    if job["mode"] == "exec":
        os.execve(arguments[0], arguments, environment)
    if job["mode"] == "binary":
        os.execve(120, ["program", *arguments], environment)
    sys.argv = ["solution.py", *arguments]


def run(source: bytes, main: dict[str, Any], calls: bool, watch: Watch) -> int:
    """Runs Python source as ``__main__`` and gives the exit code an interpreter would."""
    code = 0
    try:
        watch.start()
        if calls:  # what stands behind `if __name__ == "__main__"` is not meant
            main["__name__"] = "solution"
        exec(compile(source, "solution.py", "exec", dont_inherit=True), main)
        if calls:
            callee.Callee(main).serve()
    except SystemExit as end:
        code = exit_code(end.code)
    except BaseException:
        trace(source)
        code = 1
    try:
        finish()
    except BaseException:
        code = code or 120
    return code


def leave(code: object = None) -> None:
    """``exit`` and ``quit``, which an interpreter without its site would not have."""
    raise SystemExit(code)


def exit_code(status: object) -> int:
    """The exit code that an interpreter makes of what ``SystemExit`` was given."""
    if status is None or isinstance(status, int):
        return (status or 0) & 0xFF
    print(status, file=sys.stderr)
    return 1


def trace(source: bytes) -> None:
    """Prints the traceback, from the program's own first frame on, with its lines."""
    import linecache
    import traceback

    text = source.decode("utf-8", "replace")
    linecache.cache["solution.py"] = (len(text), None, text.splitlines(True), "solution.py")
    cls, fault, frames = sys.exc_info()
    traceback.print_exception(cls, fault, frames and frames.tb_next)


def finish() -> None:
    """What an interpreter does at its end: waits for threads, runs exit functions, flushes."""
    threading = sys.modules.get("threading")
    if threading is not None and len(threading._active) > 1:
        threading._shutdown()
    if atexit._ncallbacks():
        atexit._run_exitfuncs()
    sys.stdout.flush()


def ignore_nothing() -> None:
    """Signals as a fresh process has them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
