"""Runs in a jail: executes the program of a reply, in which the tools of a world are functions.

The judge starts a program, is given its first call, and resumes it with the result of each. The
program runs in a thread of its own, so that it waits within a call while this one answers.
"""

# ruff: noqa: S102, S307, T201, BLE001  (it runs in the jail, where this is what is wanted)
import ast
import io
import json
import random
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from typing import Any

FILE = "<program>"

OUTPUT, ERROR, FRAMES = 8_000, 1_000, 5
"""How many characters of an output and of an error are kept, and how many lines of its traceback
are named.
"""

_steps: SimpleQueue[list[str]] = SimpleQueue()
"""What the program has come to: ``["call", tool, arguments]`` or ``["end", output, error]``."""

_results: SimpleQueue[str] = SimpleQueue()


class Output(io.StringIO):
    """What a program prints, up to a length; the rest is counted."""

    omitted = 0

    def write(self, text: str, /) -> int:
        room = max(0, OUTPUT - self.tell())
        super().write(text[:room])
        self.omitted += max(0, len(text) - room)
        return len(text)

    def text(self) -> str:
        note = f"\n[{self.omitted} more characters]" if self.omitted else ""
        return self.getvalue() + note


def start(code: str, tools: Mapping[str, Sequence[str]]) -> list[str]:
    """Start a program, and give its first step. ``tools`` are the names of the parameters of each
    tool, by its name.
    """
    threading.Thread(target=_execute, args=(code, tools), daemon=True).start()
    return _steps.get()


def resume(result: str) -> list[str]:
    """Return from a call with its result, and give the program's next step."""
    _results.put(result)
    return _steps.get()


def _execute(code: str, tools: Mapping[str, Sequence[str]]) -> None:
    random.seed(0)
    functions = {name: _function(name, parameters) for name, parameters in tools.items()}
    namespace: dict[str, Any] = {**functions, "call": _called, "__name__": "__main__"}
    sys.stdout = output = Output()
    error = ""
    try:
        tree = ast.parse(code, FILE)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, FILE, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), FILE, "eval"), namespace)
            if value is not None:
                print(value)
    except SystemExit:
        pass
    except BaseException as fault:
        error = _described(fault)
    _steps.put(["end", output.text(), error])


def _function(name: str, parameters: Sequence[str]) -> Callable[..., str]:
    def function(*values: Any, **arguments: Any) -> str:
        if len(values) > len(parameters):
            raise TypeError(f"{name} takes at most {len(parameters)} arguments")
        positional = dict(zip(parameters, values))
        if twice := positional.keys() & arguments.keys():
            raise TypeError(f"{name} got several values for {min(twice)!r}")
        return _called(name, **positional, **arguments)

    function.__name__ = name
    return function


def _called(tool: str, /, **arguments: Any) -> str:
    """The result of a call of any tool, whatever the names of its parameters are."""
    _steps.put(["call", str(tool), json.dumps(arguments)])
    return _results.get()


def _described(fault: BaseException) -> str:
    """An error with the lines of the program where it was raised, the innermost one first."""
    frames = traceback.extract_tb(fault.__traceback__)
    lines = [f"line {frame.lineno}" for frame in frames if frame.filename == FILE]
    name = "".join(traceback.format_exception_only(fault))[-ERROR:].strip()
    return f"{', in '.join(lines[: -FRAMES - 1 : -1])}: {name}" if lines else name
