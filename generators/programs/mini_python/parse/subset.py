"""What there is in the subset of Python, and how long and how deep programs may be."""

import keyword
from collections.abc import Mapping

DEPTH = 24
"""How deeply brackets and operators may be nested."""

BLOCKS = 8
"""How deeply blocks may be nested."""

LINES = 100
WIDTH = 200
"""How many lines a program may have, and how many characters a line."""

DIGITS = 40

Arity = tuple[int, int]
"""The fewest and the most arguments that something takes."""

FUNCTIONS: Mapping[str, Arity] = {
    **dict.fromkeys(("abs", "all", "any", "bool", "chr", "len", "ord", "reversed", "set"), (1, 1)),
    **dict.fromkeys(("int", "list", "sorted", "str", "tuple"), (1, 1)),
    "enumerate": (1, 2),
    "max": (1, 9),
    "min": (1, 9),
    "range": (1, 3),
    "sum": (1, 2),
    "zip": (2, 3),
}
"""The built-in functions there are."""

METHODS: Mapping[str, Arity] = {
    **dict.fromkeys(("append", "count", "endswith", "extend", "find", "index"), (1, 1)),
    **dict.fromkeys(("join", "remove", "startswith"), (1, 1)),
    **dict.fromkeys(("clear", "copy", "isalpha", "isdigit", "islower", "isupper"), (0, 0)),
    **dict.fromkeys(("items", "keys", "lower", "reverse", "sort", "upper", "values"), (0, 0)),
    "get": (1, 2),
    "insert": (2, 2),
    "pop": (0, 2),
    "replace": (2, 2),
    "setdefault": (2, 2),
    "split": (0, 1),
    "strip": (0, 1),
}
"""The methods there are."""

TURNED = frozenset({"sorted", "sort"})
"""What takes the argument ``reverse=``, the only one with a name."""

PASSING = frozenset({"enumerate", "reversed", "zip", "items", "keys", "values"})
"""What gives iterators and views, which may be looped over and not kept."""

DRAINING = frozenset({"all", "any", "join", "list", "max", "min", "set", "sorted", "sum", "tuple"})
"""What uses up an iterator at once, and so may be given a generator expression."""

LOOPING = DRAINING - {"set"} | {"enumerate", "zip"}
"""What may be given an iterator."""

UNORDERED = frozenset({"len", "max", "min", "sorted", "sum"})
"""What may be given a set, for it does not show the order of the set."""

RESERVED = frozenset(keyword.kwlist) | FUNCTIONS.keys() | frozenset({
    "breakpoint", "bytearray", "bytes", "callable", "classmethod", "compile", "complex", "delattr",
    "dict", "dir", "divmod", "eval", "exec", "filter", "float", "format", "frozenset", "getattr",
    "globals", "hasattr", "hash", "hex", "id", "input", "isinstance", "iter", "locals", "map",
    "memoryview", "next", "object", "oct", "open", "pow", "print", "property", "repr", "round",
    "setattr", "slice", "staticmethod", "super", "type", "vars",
})  # fmt: skip
"""Names that no variable and no function may have: keywords and Python's own functions."""
