"""Code of other packages, called in processes that have one hash seed.

The order of a set of texts depends on the hash seed of the process. Some generators of other
packages draw from such sets, so that one seed gives another task in each process. A worker of
:mod:`palaestra.workers.pool` keeps a child process with hash seed 0, and passes calls on to it.
What runs there can be killed, cannot print, and returns plain JSON values.
"""

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any, BinaryIO

from palaestra.extras import needs
from palaestra.workers.pool import Failed, Late, Lost, OutOfMemory, WorkerFault, workers
from palaestra.workers.worker import encode, function

WALL_S = 60.0
"""Seconds that a call may take, which include the import of the other package."""

MESSAGE = 2_000
"""Characters of an exception's message that are passed on."""

_BOOTSTRAP = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.argv[1])\n"
    "from palaestra.importers.processes import serve\n"
    "serve()"
)

__all__ = ["Failed", "Late", "Lost", "OutOfMemory", "Raised", "WorkerFault", "called", "installed"]


class Raised(Failed):
    """The function itself raised, as opposed to the process that it ran in."""


def called(name: str, *arguments: Any, wall_s: float = WALL_S) -> Any:
    """Return what ``package.module:name`` returns in a process with hash seed 0.

    Arguments and results are plain JSON values. Raises :class:`Raised`
    with the type and the message of an exception that the function raises, and any other
    :class:`~palaestra.workers.pool.WorkerFault` where the process took too long or ended.

    >>> called("math:gcd", 12, 18)
    6
    """
    outcome = workers().call(f"{__name__}:delegated", name, arguments, wall_s=wall_s)
    if "failed" in outcome:
        raise Raised(*outcome["failed"])
    return outcome["value"]


def installed(package: str, extra: str) -> str:
    """The release of a package that is installed, without importing it.

    Raises :class:`~palaestra.extras.MissingExtra` where it is not.
    """
    from importlib.metadata import PackageNotFoundError, version

    with needs(extra, package):
        try:
            return version(package)
        except PackageNotFoundError:
            raise ModuleNotFoundError(f"{package} is not installed", name=package) from None


def delegated(name: str, arguments: list[Any]) -> dict[str, Any]:
    """Pass a call on to the child of this worker process; for :func:`called`."""
    child = _child()
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(encode([name, arguments]) + b"\n")
        child.stdin.flush()
        line = child.stdout.readline()
    except BrokenPipeError:
        line = b""
    if not line:
        _child.cache_clear()
        raise RuntimeError(f"the process ended with {child.wait()}")
    outcome: dict[str, Any] = json.loads(line)
    return outcome


@cache
def _child() -> subprocess.Popen[bytes]:
    """The process of this worker that runs other packages. It ends when the worker does."""
    path = [folder for folder in sys.path if isinstance(folder, str)]
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-c", _BOOTSTRAP, json.dumps(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )


def serve() -> None:
    """Answer calls, one line of JSON each, until standard input is closed."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # what packages print is no answer, and they read nothing
        os.dup2(nowhere, stream)
    answer_all(source, sink)


def answer_all(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer the calls that a stream holds."""
    for line in source:
        name, arguments = json.loads(line)
        sink.write(_answer(name, arguments) + b"\n")
        sink.flush()


def _answer(name: str, arguments: list[Any]) -> bytes:
    try:
        return encode({"value": function(name)(*arguments)})
    except Exception as error:  # noqa: BLE001  another package may raise anything
        return encode({"failed": [type(error).__name__[:100], str(error)[:MESSAGE]]})
