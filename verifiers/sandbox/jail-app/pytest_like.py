"""What suites of small programs use of pytest, without pytest.

Whatever is not here makes a suite one that cannot be run, see :class:`failures.Unsupported`.
"""

import cmath
import inspect
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from failures import Unsupported
from remotes import Remote

# ------------------------------------------------------------------ raises and approx


class Raises:
    """``pytest.raises``, and what it gives: the exception that was raised."""

    def __init__(self, kinds: Any, match: Any = None) -> None:
        self.kinds, self.match = kinds, match
        self.value: Any = None
        self.type: Any = None

    def __enter__(self) -> "Raises":
        return self

    def __exit__(self, exception_class: Any, value: Any, trace: Any) -> bool:
        if exception_class is None:
            raise AssertionError("nothing was raised")
        self.value, self.type = value, exception_class
        if not issubclass(exception_class, self.kinds):
            return False
        if self.match is not None and not re.search(self.match, str(value)):
            raise AssertionError("another message was raised")
        return True


class Raised:
    """What ``pytest.raises`` gives where it is not used as a context."""

    def __init__(self, value: BaseException) -> None:
        self.value, self.type = value, type(value)


def raises(kinds: Any, *call: Any, match: Any = None, **named: Any) -> Any:
    """``pytest.raises``."""
    expected = Raises(kinds, match)
    if not call:
        return expected
    with expected:
        call[0](*call[1:], **named)
    return Raised(expected.value)


class Approx:
    """``pytest.approx`` for numbers, and for sequences and dicts of them."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, rel: Any = None, abs: Any = None, nan_ok: bool = False) -> None:  # noqa: A002
        self.value, self.rel, self.abs, self.nan_ok = value, rel, abs, nan_ok

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, Remote):
            return bool(other == self)  # fails the test unless it holds a plain value
        if isinstance(self.value, dict):
            return (
                isinstance(other, dict)
                and self.value.keys() == other.keys()
                and all(self._within(part, other[key]) for key, part in self.value.items())
            )
        if isinstance(self.value, list | tuple):
            return (
                isinstance(other, list | tuple)
                and len(self.value) == len(other)
                and all(map(self._within, self.value, other))
            )
        return self._close(other)

    def _within(self, part: Any, other: Any) -> bool:
        return bool(Approx(part, self.rel, self.abs, self.nan_ok) == other)

    def _close(self, other: Any) -> bool:
        if isinstance(self.value, bool | str | None) or isinstance(other, bool):
            return bool(self.value == other)
        if not isinstance(other, int | float | complex) and type(other) is not type(self.value):
            return False
        if cmath.isnan(self.value):
            return bool(self.nan_ok and cmath.isnan(other))
        if self.value == other:
            return True
        absolute = 1e-12 if self.abs is None else self.abs
        relative = 1e-6 if self.rel is None and self.abs is None else self.rel or 0
        distance = abs(self.value - other)
        return bool(distance <= max(relative * abs(self.value), absolute) < float("inf"))


# ------------------------------------------------------------------ marks, parameters, fixtures


class Skipped(Exception):
    """A test that says it is not to be run."""


@dataclass(frozen=True)
class Param:
    """``pytest.param``: the values of one case."""

    values: Sequence[Any]
    marks: Sequence["Mark"] = ()


def param(*values: Any, id: Any = None, marks: Any = ()) -> Param:  # noqa: A002
    """``pytest.param``."""
    return Param(values, marks if isinstance(marks, list | tuple) else [marks])


@dataclass(frozen=True)
class Mark:
    """``pytest.mark.name``, with or without arguments, as a decorator."""

    name: str
    args: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def __call__(self, *args: Any, **named: Any) -> Any:
        thing = args[0] if len(args) == 1 and not named else None
        if isinstance(thing, types.FunctionType | type) and not self.args:
            thing.marks = [*vars(thing).get("marks", ()), self]  # type: ignore[union-attr]
            return thing
        return Mark(self.name, args, named)

    @property
    def skips(self) -> bool:
        """Whether what has it is not to be run."""
        return self.name == "skip" or (self.name == "skipif" and bool(self.args[0]))


class Marks:
    """``pytest.mark``."""

    def __getattr__(self, name: str) -> Any:
        if name in {"xfail", "filterwarnings"}:
            raise Unsupported(f"pytest.mark.{name}")
        return parametrized if name == "parametrize" else Mark(name)


def parametrized(names: Any, rows: Any, *, indirect: bool = False, **_: Any) -> Any:
    """``pytest.mark.parametrize``."""
    if indirect:
        raise Unsupported("pytest.mark.parametrize with indirect=")
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    wanted = [name for name in wanted if name]
    rows = [row if isinstance(row, Param) else Param(row if len(wanted) > 1 else (row,))
            for row in rows]  # fmt: skip

    def decorate(thing: Any) -> Any:
        cases = [(dict(zip(wanted, row.values, strict=True)), row.marks) for row in rows]
        thing.cases = [*vars(thing).get("cases", ()), cases]
        return thing

    return decorate


class Fixture:
    """``pytest.fixture``: what makes a value that tests ask for by name."""

    def __init__(
        self, function: Callable[..., Any], scope: str, params: Any, autouse: bool
    ) -> None:
        self.function, self.scope, self.autouse = function, scope, autouse
        self.params = None if params is None else [
            each.values[0] if isinstance(each, Param) else each for each in params
        ]  # fmt: skip


def fixture(  # noqa: PLR0913
    function: Any = None, *, scope: Any = "function", params: Any = None, autouse: bool = False,
    name: str | None = None, ids: Any = None,
) -> Any:  # fmt: skip
    """``pytest.fixture``, with or without arguments."""

    def decorate(function: Any) -> Fixture:
        entry = Fixture(function, str(scope), params, autouse)
        if name is not None:
            raise Unsupported("pytest.fixture with name=")
        return entry

    return decorate(function) if function is not None else decorate


def wanted_by(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters that have to be filled in."""
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}
    ]


def skip(reason: str = "", **_: Any) -> Any:
    """``pytest.skip``."""
    raise Skipped(reason)


def fail(reason: str = "", **_: Any) -> Any:
    """``pytest.fail``."""
    raise AssertionError(reason)


class Pytest(types.ModuleType):
    """The module ``pytest``."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Unsupported(f"pytest.{name}")


def module() -> types.ModuleType:
    """The module ``pytest`` for a suite."""
    pytest = Pytest("pytest")
    vars(pytest).update(
        raises=raises, approx=Approx, fixture=fixture, param=param, mark=Marks(), skip=skip,
        fail=fail, main=lambda *_, **__: 0,
    )  # fmt: skip
    return pytest


def rows_of(*things: Any) -> Iterator[tuple[dict[str, Any], list[Mark]]]:
    """Every combination of the parameters that a test, and the class around it, is marked with."""
    cases = [case for thing in things for case in vars(thing).get("cases", ())]
    combined: list[tuple[dict[str, Any], list[Mark]]] = [({}, [])]
    for case in cases:
        combined = [
            (known | values, [*marks, *more]) for known, marks in combined for values, more in case
        ]
    yield from combined
