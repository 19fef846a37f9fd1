"""Plain values as JSON that keeps tuples, sets and keys apart, and refers to everything else.

The judge and both jails speak it. Only values whose type is exactly a built-in one are written out;
an object, and so also a number with an equality of its own, is a reference to where it lives.
"""

from collections.abc import Callable
from typing import Any

DEPTH = 60
COLLIDING = 50


def pack(value: Any, refer: Callable[[Any], Any] | None = None, depth: int = DEPTH) -> Any:
    """A value as JSON; ``refer`` writes what is not plain.

    Raises ``TypeError`` for what is not plain where there is no ``refer``, ``ValueError`` for what
    is nested too deep.
    """
    if depth == 0:
        raise ValueError("nested too deep")
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return {"float": repr(value)}
    if kind in (bytes, complex):
        return {kind.__name__: value.hex() if kind is bytes else repr(value)}
    if kind is dict:
        items = [[pack(k, refer, depth - 1), pack(v, refer, depth - 1)] for k, v in value.items()]
        return {"dict": items}
    if kind in (list, tuple, set, frozenset):
        parts = [pack(part, refer, depth - 1) for part in value]
        return parts if kind is list else {kind.__name__: parts}
    if refer is None:
        raise TypeError(f"a {kind.__name__} is no plain value")
    return {"object": refer(value)}


_MADE: dict[str, Callable[[Any], Any]] = {
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


def check_hashes(keys: list[Any]) -> None:
    """Raises ``ValueError`` where so many keys have one hash that gathering them takes for ever."""
    hashes = sorted(map(hash, keys))
    if any(hashes[n] == hashes[n - COLLIDING] for n in range(COLLIDING, len(hashes))):
        raise ValueError("too many keys of one hash")


def unpack(told: Any, resolve: Callable[[Any], Any] | None = None, depth: int = DEPTH) -> Any:
    """The value that some JSON stands for; ``resolve`` makes one of a reference.

    Raises ``ValueError`` or ``TypeError`` for JSON that stands for none.
    """
    if depth == 0:
        raise ValueError("nested too deep")
    if told is None or type(told) in (bool, int, str):
        return told
    if type(told) is list:
        return [unpack(part, resolve, depth - 1) for part in told]
    if type(told) is not dict or len(told) != 1:
        raise ValueError("no packed value")
    ((kind, inner),) = told.items()
    if kind in _MADE and type(inner) is str:
        return _MADE[kind](inner)
    if kind in _GATHERED and type(inner) is list:
        parts = [unpack(part, resolve, depth - 1) for part in inner]
        if kind == "dict" and not all(type(part) is list and len(part) == 2 for part in parts):
            raise ValueError("no packed value")
        if kind != "tuple":
            check_hashes([part[0] for part in parts] if kind == "dict" else parts)
        return _GATHERED[kind](parts)
    if kind == "object" and resolve is not None:
        return resolve(inner)
    raise ValueError("no packed value")
