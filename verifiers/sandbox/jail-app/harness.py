"""Runs a suite of tests against a program that lives in another jail.

Sent as the source of a program of its own. The suite comes on standard input. It
sees the program as the module ``solution`` and by every name that it does not define itself; each
use of it is a request on descriptor 3, which the judge hands over. What the suite found is told
there too, at the end.

A name that the program does not define, and a program that has ended, fail the test that notices,
whatever exceptions it wants; only ``hasattr`` and ``getattr`` with a default may ask.
"""

import ast
import builtins
import io
import json
import sys
import types
import unittest
from typing import Any

from packing import pack, unpack

REQUESTS = io.FileIO(3, "w", closefd=False)
REPLIES = open(3, "rb", closefd=False)
weak: set[str] = set()


class Gone(BaseException):
    """The program has ended, so that nothing more can be tested."""


class Missing(BaseException):
    """A name that the program does not define."""


unwanted: list[BaseException] = []
"""What fails a test even where the test catches it."""


def ask(request: dict[str, Any]) -> Any:
    """What the program does on request; its exceptions are raised here by their names."""
    REQUESTS.write(json.dumps(request | {"objects": True}).encode() + b"\n")
    line = REPLIES.readline()
    reply = json.loads(line) if line else {"gone": "it ended"}
    if "gone" in reply or "missing" in reply:
        unwanted.append(Gone(reply["gone"]) if "gone" in reply else Missing(request["name"]))
        raise unwanted[-1]
    if "error" in reply:
        raise exception(*map(str, reply["error"]))
    return unpack(reply["value"], remote)


def named(name: str) -> Any:
    """What the program calls by a name: its value, or what stands for it here."""
    found = ask({"name": name})
    return Function(name, found._number) if isinstance(found, RemoteCallable) else found


def remote(told: Any) -> "Remote":
    """What stands for an object of the program's: its number, its kind, whether it is callable."""
    number, kind, callable_ = told
    return (RemoteCallable if callable_ is True else Remote)(number, str(kind))


class Stopped(Exception):
    """An iterator of the program's is at its end."""


def exception(name: str, message: str) -> Exception:
    """The exception that a program raised, of the built-in kind of that name, or of its own."""
    kind = getattr(builtins, name, None)
    if name in {"StopIteration", "StopAsyncIteration"}:
        kind = Stopped  # it ends the program's own iterations, and none of the suite's
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = type(name, (Exception,), {})
    return kind(message)  # type: ignore[no-any-return]


def refer(value: Any) -> Any:
    """How an object of the program's is named to it; others cannot go over."""
    if isinstance(value, Remote):
        return object.__getattribute__(value, "_number")
    raise TypeError(f"a {type(value).__name__} cannot be given to the program")


class Remote:
    """Something of the program's that is no plain value."""

    def __init__(self, number: int, kind: str) -> None:
        self.__dict__.update(_number=number, _kind=kind)

    def __getattr__(self, name: str) -> Any:
        return ask({"on": self._number, "name": name})

    def __setattr__(self, name: str, value: Any) -> None:
        self._do("__setattr__", name, value)

    def _do(self, name: str, *args: Any, **kwargs: Any) -> Any:
        given = {key: pack(value, refer) for key, value in kwargs.items()}
        packed = [pack(value, refer) for value in args]
        return ask({"on": self._number, "name": name, "args": packed, "kwargs": given})

    def __eq__(self, other: object) -> Any:
        # Nothing of the program's is equal to a plain value because it says so.
        if not isinstance(other, Remote):
            return False
        weak.add("__eq__")
        if not TRUSTING:
            return self._number == other._number
        return self._do("__eq__", other)

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._number)

    def __iter__(self) -> Any:
        step = self._do("__iter__")
        while True:
            try:
                yield step._do("__next__")
            except Stopped:
                return


class RemoteCallable(Remote):
    """The same where it can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._do("__call__", *args, **kwargs)

    def __instancecheck__(self, thing: object) -> bool:
        asked = {"on": self._number, "name": "__instancecheck__"}
        return isinstance(thing, Remote) and bool(ask(asked | {"instance": thing._number}))


def forward(name: str) -> None:
    """Special methods are the program's own; to decide by some of them is to take its word."""

    def method(self: Remote, *args: Any) -> Any:
        if name in DECIDING:
            weak.add(name)
            if not TRUSTING:
                raise AssertionError("what an object of the program's says of itself")
        return self._do(name, *args)

    setattr(Remote, name, method)


TRUSTING = "trusting" in sys.argv
DECIDING = frozenset(
    [
        *("__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__contains__", "__add__", "__sub__"),
        *("__radd__", "__rsub__", "__mul__", "__rmul__", "__truediv__", "__rtruediv__", "__mod__"),
        *("__floordiv__", "__neg__", "__abs__", "__round__", "__float__", "__int__", "__index__"),
    ]
)

for _name in (
    *DECIDING,
    *("__len__", "__getitem__", "__setitem__", "__delitem__", "__str__", "__repr__"),
    *("__enter__", "__exit__"),
):
    forward(_name)


class Function(RemoteCallable):
    """A function or a class of the program's, by its name: it is looked up at each call."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(number, "function")
        self.__dict__.update(_name=name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        packed = [pack(value, refer) for value in args]
        given = {key: pack(value, refer) for key, value in kwargs.items()}
        return ask({"name": self._name, "args": packed, "kwargs": given})


class Solution(types.ModuleType):
    """The program, as a module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return named(name)


class Names(dict):  # type: ignore[type-arg]
    """The suite's own names; those it does not define are the program's."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)
        return named(name)


def asked(thing: Any, name: str, *default: Any) -> Any:
    """``getattr``, for which the program need not have what has a default."""
    try:
        return getattr(thing, name, *default)
    except Missing as missing:
        if default:
            unwanted.remove(missing)
            return default[0]
        raise


def has(thing: Any, name: str) -> bool:
    """``hasattr``."""
    nothing = object()
    return asked(thing, name, nothing) is not nothing


class Raises:
    """``pytest.raises``."""

    def __init__(self, kinds: Any, match: str | None = None) -> None:
        self.kinds, self.match, self.value = kinds, match, None

    def __enter__(self) -> "Raises":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool:
        if kind is None:
            raise AssertionError("nothing was raised")
        self.value = value
        return issubclass(kind, self.kinds) and (self.match is None or self.match in str(value))


class Approx:
    """``pytest.approx`` for numbers and rows of them."""

    def __init__(self, value: Any, rel: float = 1e-6, abs: float = 1e-12) -> None:  # noqa: A002
        self.value, self.rel, self.abs = value, rel, abs

    def __eq__(self, other: Any) -> bool:
        if isinstance(self.value, list | tuple):
            return len(self.value) == len(other) and all(
                Approx(a, self.rel, self.abs) == b for a, b in zip(self.value, other)
            )
        if type(other) not in (int, float):
            return False
        margin = max(self.rel * builtins.abs(self.value), self.abs)
        return bool(builtins.abs(self.value - other) <= margin)

    __hash__ = None  # type: ignore[assignment]


def pytest_like() -> types.ModuleType:
    """The few things of pytest that suites of small programs use."""
    module = types.ModuleType("pytest")
    plain = lambda *_, **__: lambda function: function  # noqa: E731
    vars(module).update(raises=Raises, approx=Approx, fixture=plain)
    mark = types.SimpleNamespace(parametrize=parametrized, slow=lambda function: function)
    vars(module)["mark"] = mark
    return module


def parametrized(names: Any, rows: Any, **_: Any) -> Any:
    """Calls a test with each row."""
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def decorate(function: Any) -> Any:
        def every() -> None:
            for row in rows:
                function(**dict(zip(wanted, row if len(wanted) > 1 else (row,))))

        every.__name__ = function.__name__
        return every

    return decorate


def run(suite: str) -> list[list[Any]]:
    """Runs a suite: name, whether it passed, and why not, for each test."""
    names = Names(__name__="tests", __builtins__=builtins, hasattr=has, getattr=asked)
    sys.modules["solution"] = Solution("solution")
    sys.modules["pytest"] = pytest_like()
    found: list[list[Any]] = []
    for statement in ast.parse(suite, "tests.py").body:
        code = compile(ast.Module([statement], []), "tests.py", "exec")
        row = tried(f"line {statement.lineno}", lambda code=code: exec(code, names))
        if isinstance(statement, ast.Assert) or not row[1]:
            found.append(row)
    for name, value in list(names.items()):
        if name.startswith("test") and isinstance(value, types.FunctionType):
            found.append(tried(name, value))
        elif isinstance(value, type) and name.startswith("Test"):
            found += of_class(name, value)
    return found


def of_class(name: str, kind: type) -> list[list[Any]]:
    """The tests of a class, of unittest's kind or of pytest's."""
    found = []
    for method in [method for method in dir(kind) if method.startswith("test")]:
        if issubclass(kind, unittest.TestCase):
            case = kind(method)
            found.append(tried(f"{name}.{method}", case.debug))
        else:
            instance = kind()
            getattr(instance, "setup_method", lambda *_: None)(None)
            found.append(tried(f"{name}.{method}", getattr(instance, method)))
    return found


ended: list[str] = []


def tried(name: str, test: Any) -> list[Any]:
    """Runs one test."""
    if ended:
        return [name, False, ended[0]]
    reason = ""
    try:
        test()
    except (Gone, Missing):
        pass  # it is among what is unwanted
    except Exception as fault:
        reason = f"{type(fault).__name__}: {fault}"[:200]
    for loss in unwanted:
        reason = f"there is no {loss}" if isinstance(loss, Missing) else str(loss)
        ended.extend([reason] if isinstance(loss, Gone) else [])
    unwanted.clear()
    return [name, not reason, reason]


def main() -> None:
    """Runs the suite, and tells."""
    try:
        told: dict[str, Any] = {"tests": run(sys.stdin.read())}
    except Gone as gone:
        told = {"tests": [["the suite", False, str(gone)]]}
    except BaseException as fault:
        told = {"broken": f"{type(fault).__name__}: {fault}"[:300]}
    REQUESTS.write(json.dumps(told | {"weak": sorted(weak)}).encode() + b"\n")


main()
