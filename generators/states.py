"""States of games as text: nested tuples of numbers and texts as compact JSON."""

import json
from typing import Any


def encoded(state: Any) -> str:
    """A state as text, equal for equal states.

    >>> encoded(((1, 2), "up"))
    '[[1,2],"up"]'
    """
    return json.dumps(state, separators=(",", ":"))


def decoded(text: str) -> Any:
    """The state of a text of :func:`encoded`.

    >>> decoded('[[1,2],"up"]')
    ((1, 2), 'up')
    """
    return _frozen(json.loads(text))


def _frozen(value: Any) -> Any:
    """A JSON value with tuples in place of lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
