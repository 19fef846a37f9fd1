"""Whether the options of a recipe are of the types that its class declares."""

from collections.abc import Callable, Sequence
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from palaestra.verifiers.shaping.transcript import RecipeError

LARGEST = 10**12
"""No number among the options is farther from 0, but for infinities: all can be calculated with."""

_Reader = tuple[str, Callable[[Any], Any]]
"""What a value has to be, in words, and what reads it or raises ``ValueError``."""


def typed(type_: type, name: str, value: Any) -> Any:
    """An option of a recipe as its class declares it; a list is read as a tuple.

    Raises :class:`RecipeError` for a value of another type or shape. Annotations other than those
    of plain values, classes and their unions, tuples and sequences are not looked at.
    """
    reader = _readers(type_).get(name)
    if reader is None:
        return value
    words, read = reader
    try:
        return read(value)
    except ValueError:
        raise RecipeError(f"{name} is {words}, not {_shown(value)}") from None


def _shown(value: Any) -> str:
    """A value as far as it fits into a message; of a number too long to be written, its type."""
    try:
        return repr(value)[:80]
    except ValueError:
        return type(value).__name__


@cache
def _readers(type_: type) -> dict[str, _Reader]:
    try:
        hints = get_type_hints(type_)
    except NameError:  # of a class that was made within a function
        return {}
    return {name: reader for name, hint in hints.items() if (reader := _reader(hint)) is not None}


def _reader(hint: Any) -> _Reader | None:
    plain: dict[Any, _Reader] = {
        bool: ("True or False", _is(bool)),
        int: ("a whole number", _whole),
        float: ("a number", _number),
        str: ("a text", _is(str)),
        NoneType: ("None", _is(NoneType)),
    }
    if hint in plain:
        return plain[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(repr, inner)), _one_of(inner)
    if origin in {Union, UnionType}:
        return _any_of([_reader(each) for each in inner])
    if origin is Sequence or (origin is tuple and inner[1:] == (Ellipsis,)):
        return _all_of(_reader(inner[0]))
    if origin is tuple:
        return _each_of([_reader(each) for each in inner])
    if isinstance(hint, type):
        return f"a {hint.__name__}", _is(hint)
    return None


def _is(type_: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, type_):
            raise ValueError  # noqa: TRY004  what reads it says what is wrong
        return value

    return read


def _whole(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, Integral) or abs(int(value)) > LARGEST:
        raise ValueError
    return value


def _number(value: Any) -> Any:
    infinite = isinstance(value, float) and abs(value) == float("inf")
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError  # noqa: TRY004  as above
    size: Any = abs(value)
    if not (size <= LARGEST or infinite):  # which NaN is not, either
        raise ValueError
    return value


def _one_of(known: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not any(type(value) is type(each) and value == each for each in known):
            raise ValueError
        return value

    return read


def _any_of(readers: list[_Reader | None]) -> _Reader | None:
    known = [reader for reader in readers if reader is not None]
    if len(known) < len(readers):
        return None

    def read(value: Any) -> Any:
        for _, one in known:
            try:
                return one(value)
            except ValueError:
                continue
        raise ValueError

    return " or ".join(words for words, _ in known), read


def _all_of(reader: _Reader | None) -> _Reader | None:
    """Of a sequence, as long as it likes, with values of one kind."""
    if reader is None:
        return None
    words, one = reader

    def read(value: Any) -> Any:
        if not isinstance(value, tuple | list):
            raise ValueError  # noqa: TRY004  as above
        return tuple(map(one, value))

    return f"a sequence whose members are each {words}", read


def _each_of(readers: list[_Reader | None]) -> _Reader | None:
    """Of a tuple with a value of each kind."""
    known = [reader for reader in readers if reader is not None]
    if len(known) < len(readers):
        return None

    def read(value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(value) != len(known):
            raise ValueError
        return tuple(one(each) for (_, one), each in zip(known, value))

    return f"a tuple of {len(known)}: {', '.join(words for words, _ in known)}", read
