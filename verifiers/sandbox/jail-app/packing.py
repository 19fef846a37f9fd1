"""Plain values as JSON that keeps tuples, sets and keys apart, and refers to everything else.

The judge and both jails speak it. Only values whose type is exactly a built-in one are written out;
an object, and so also a number with an equality of its own, is a reference to where it lives. Where
references are possible, plain values of the standard library are written out too, such as a Counter
or a Fraction.
"""

import math
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

DEPTH = 60
COLLIDING = 50
LONG_BITS = 4_096
"""Whole numbers of more bits are written in hexadecimal digits, which are read in linear time and
in any number."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character. In JSON, two halves that stand side by side would become one."""

SCALARS = frozenset({type(None), bool, int, str, float})


def encoded(text: str) -> bytes:
    r"""Text in UTF-8, whatever is in it: a surrogate that stands for a byte is that byte, and any
    other one is written as if it were a character, which no reader of UTF-8 takes for one.

    >>> encoded("\xe9"), encoded("\udcff"), encoded("\ud800")
    (b'\xc3\xa9', b'\xff', b'\xed\xa0\x80')
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        pass
    pieces = (_encoded(character) for character in text)
    return b"".join(pieces)


def _encoded(character: str) -> bytes:
    escaped = "\udc80" <= character <= "\udcff"
    return character.encode("utf-8", "surrogateescape" if escaped else "surrogatepass")


def pack(value: Any, refer: Callable[[Any], Any] | None = None, depth: int = DEPTH) -> Any:
    """A value as JSON; ``refer`` writes what is not plain.

    Raises ``TypeError`` for what is not plain where there is no ``refer``, ``ValueError`` for what
    is nested too deep.
    """
    if depth == 0:
        raise ValueError("nested too deep")
    cls = type(value)
    if cls in SCALARS:
        if cls is int and value.bit_length() > LONG_BITS:
            return {"int": hex(value)}
        if cls is float and not math.isfinite(value):
            return {"float": repr(value)}
        if cls is str and not value.isascii() and SURROGATE.search(value):
            return {"str": value.encode("utf-8", "surrogatepass").hex()}
        return value
    if cls in (bytes, complex):
        return {cls.__name__: value.hex() if cls is bytes else repr(value)}
    if cls is dict:
        return {"dict": _items(value, refer, depth)}
    if cls in (list, tuple, set, frozenset):
        parts = [pack(part, refer, depth - 1) for part in value]
        return parts if cls is list else {cls.__name__: parts}
    if refer is None:
        raise TypeError(f"a {cls.__name__} is no plain value")
    if cls in (Counter, OrderedDict, defaultdict):
        return {cls.__name__: _items(value, refer, depth)}
    if cls in _TAKEN_APART:
        return {cls.__name__: [pack(part, refer, depth - 1) for part in _TAKEN_APART[cls](value)]}
    return {"object": refer(value)}


def _items(value: dict[Any, Any], refer: Callable[[Any], Any] | None, depth: int) -> list[Any]:
    return [[pack(k, refer, depth - 1), pack(v, refer, depth - 1)] for k, v in value.items()]


_TAKEN_APART: dict[type, Callable[[Any], Any]] = {
    deque: lambda value: [value.maxlen, list(value)],
    range: lambda value: [value.start, value.stop, value.step],
    slice: lambda value: [value.start, value.stop, value.step],
    bytearray: lambda value: [bytes(value)],
    Fraction: lambda value: [value.numerator, value.denominator],
    Decimal: lambda value: [str(value)],
    date: lambda value: [value.year, value.month, value.day],
    datetime: lambda value: [value.isoformat()],
    time: lambda value: [value.isoformat()],
    timedelta: lambda value: [value.days, value.seconds, value.microseconds],
}
"""Plain values of the standard library, as lists of plainer ones."""

_PUT_TOGETHER: dict[str, Callable[..., Any]] = {
    "deque": lambda maxlen, parts: deque(parts, maxlen),
    "range": range,
    "slice": slice,
    "bytearray": bytearray,
    "Fraction": Fraction,
    "Decimal": Decimal,
    "date": date,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": timedelta,
}
_MADE: dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "str": lambda text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
    "float": float,
    "bytes": bytes.fromhex,
    "complex": complex,
}
_GATHERED: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}
_MAPPINGS: dict[str, Callable[[list[Any]], Any]] = {
    "Counter": lambda items: Counter(dict(items)),
    "OrderedDict": OrderedDict,
    "defaultdict": lambda items: defaultdict(None, items),
}


def check_hashes(keys: list[Any]) -> None:
    """Raises ``ValueError`` where so many keys have one hash that gathering them takes for ever."""
    hashes = sorted(map(hash, keys))
    if any(hashes[n] == hashes[n - COLLIDING] for n in range(COLLIDING, len(hashes))):
        raise ValueError("too many keys of one hash")


def unpack(packed: Any, resolve: Callable[[Any], Any] | None = None, depth: int = DEPTH) -> Any:
    """The value that some JSON stands for; ``resolve`` makes one of a reference.

    Raises ``ValueError`` or ``TypeError`` for JSON that stands for none.
    """
    if depth == 0:
        raise ValueError("nested too deep")
    if type(packed) in SCALARS:
        return packed
    if type(packed) is list:
        return _unpacked(packed, resolve, depth)
    if type(packed) is not dict or len(packed) != 1:
        raise ValueError("no packed value")
    ((type_name, inner),) = packed.items()
    if type_name in _MADE and type(inner) is str:
        return _MADE[type_name](inner)
    if type_name in _GATHERED and type(inner) is list:
        return _gathered(_GATHERED[type_name], type_name, inner, resolve, depth)
    if resolve is not None:
        if type_name == "object":
            return resolve(inner)
        if type_name in _MAPPINGS and type(inner) is list:
            return _gathered(_MAPPINGS[type_name], "dict", inner, resolve, depth)
        if type_name in _PUT_TOGETHER and type(inner) is list:
            return _put_together(type_name, _unpacked(inner, resolve, depth))
    raise ValueError("no packed value")


def _unpacked(parts: list[Any], resolve: Callable[[Any], Any] | None, depth: int) -> list[Any]:
    if SCALARS.issuperset(map(type, parts)):
        return parts
    return [unpack(part, resolve, depth - 1) for part in parts]


def _gathered(
    gather: Callable[[list[Any]], Any], type_name: str, inner: list[Any],
    resolve: Callable[[Any], Any] | None, depth: int,
) -> Any:  # fmt: skip
    parts = _unpacked(inner, resolve, depth)
    if type_name == "dict" and not all(type(part) is list and len(part) == 2 for part in parts):
        raise ValueError("no packed value")
    if type_name != "tuple":
        check_hashes([part[0] for part in parts] if type_name == "dict" else parts)
    return gather(parts)


def _put_together(type_name: str, parts: list[Any]) -> Any:
    try:
        return _PUT_TOGETHER[type_name](*parts)
    except (ArithmeticError, AttributeError) as fault:
        raise ValueError("no packed value") from fault
