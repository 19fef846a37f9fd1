"""Knobs of environments that are imported, from the parameters of another package."""

from collections.abc import Mapping, Sequence

Value = int | float | bool

UNUSED = "variant"
"""The knob of an environment without parameters."""


def knob_lines(ladders: Mapping[str, Sequence[Value]], defaults: Mapping[str, Value]) -> str:
    """The lines of a class ``Knobs``: a ladder for each parameter, whose bounds contain its default
    as well, and one unused knob where there are none.

    >>> print(knob_lines({"size": [4, 5, 5]}, {"size": 3}), end="")
            size: int = ladder(4, 5, low=3, high=5)
    """
    values = {name: [*rungs] for name, rungs in ladders.items()}
    for name, default in defaults.items():
        values.get(name, []).append(default)
    lines = [
        f"        {name}: {_type(values[name])} = ladder({_rungs(rungs)}{_bounds(name, values)})\n"
        for name, rungs in ladders.items()
    ]
    return "".join(lines) or f"        {UNUSED}: int = ladder(0)\n"


def _type(values: Sequence[Value]) -> str:
    if all(isinstance(value, bool) for value in values):
        return "bool"
    return "int" if all(isinstance(value, int) for value in values) else "float"


def _rungs(rungs: Sequence[Value]) -> str:
    """The values of a ladder; the last one holds from there on, so repetitions are left out."""
    kept = list(rungs)
    while len(kept) > 1 and kept[-1] == kept[-2]:
        kept.pop()
    return ", ".join(map(repr, kept))


def _bounds(name: str, values: Mapping[str, Sequence[Value]]) -> str:
    """Bounds that contain the levels and the default, and for the ends of a range those of the
    other end.
    """
    if _type(values[name]) == "bool":
        return ""
    prefix, _, rest = name.partition("_")
    other = {"min": f"max_{rest}", "max": f"min_{rest}"}.get(prefix, "")
    within = [*values[name], *values.get(other, ())]
    return f", low={min(within)!r}, high={max(within)!r}"
