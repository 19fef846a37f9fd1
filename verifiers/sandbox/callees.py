"""Programs that are called one function at a time, while the judge goes on with what they say."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from palaestra.task import JudgeError
from palaestra.verifiers.sandbox.canaries import SandboxUnavailable
from palaestra.verifiers.sandbox.judging import session
from palaestra.verifiers.sandbox.languages import MissingTool, encoded
from palaestra.verifiers.sandbox.outcomes import Limits
from palaestra.verifiers.sandbox.sandbox import sandbox
from palaestra.verifiers.sandbox.sessions import Ended, Raised, Session
from palaestra.verifiers.sandbox.slots import JailError, Job

_ENDS = {
    "TLE": "the program takes too long",
    "MLE": "the program takes too much memory",
    "OLE": "the program writes too much",
    "VIOLATION": "the program performs a forbidden operation",
}


class Fault(Exception):
    """A function raised an exception, or returned a value that is not plain data.

    ``class_name`` is the name of the exception's class.
    """

    def __init__(self, class_name: str, message: str) -> None:
        super().__init__(message)
        self.class_name = class_name


class Lost(Exception):
    """The program is gone. It says why."""


class Callee:
    """A program in a jail, whose functions are called by their names."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened

    def __call__(self, name: str, *args: Any) -> Any:
        """The plain value that a function gives.

        Raises :class:`Fault`, :class:`Lost`, and :class:`JudgeError` where the sandbox failed.
        """
        if not self._opened.run.output:  # it was closed, when it was lost
            raise Lost("the program has ended")
        try:
            return self._opened.call(name, args, {})
        except Raised as fault:
            raise _read(str(fault)) from None
        except Ended:
            outcome = self._opened.close()
        except (ValueError, TypeError, RecursionError):
            raise Fault("TypeError", "no plain value") from None
        if outcome.status == "JUDGE_ERROR":
            raise JudgeError("the sandbox failed")
        raise Lost(_ENDS.get(outcome.status, "the program has ended"))


def _read(line: str) -> Fault:
    """The fault of which the program has told, whatever it said."""
    class_name, _, message = line.strip("[]").partition(", ")
    class_name = class_name.strip("'\"")
    return Fault(class_name if class_name.isidentifier() else "Exception", message)


@contextmanager
def called(source: str, limits: Limits) -> Iterator[Callee]:
    """A program in a jail, to be called; its limits are those of all calls together.

    Raises :class:`JudgeError` where no program can be run.
    """
    job = Job(encoded(source), "calls", limits=limits)
    try:
        with sandbox().slot() as slot, session(slot, job) as opened:
            yield Callee(opened)
    except (SandboxUnavailable, MissingTool, JailError) as fault:
        raise JudgeError(f"no program can be run: {fault}") from None
