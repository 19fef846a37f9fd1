"""JSON in answers, with numbers as they are written."""

import json
from typing import Any

from palaestra.task import InvalidAnswer


def json_text(text: str) -> Any:
    """A JSON value with numbers and constants as text.

    Raises :class:`ValueError` or :class:`RecursionError` for a text that is no JSON, and
    :class:`~palaestra.task.InvalidAnswer` for an object that has a key twice: it would have two
    values, of which the usual reader keeps the last.

    >>> json_text('{"1": [2.50, "a"]}')
    {'1': ['2.50', 'a']}
    >>> json_text('{"1": 2, "1": 3}')
    Traceback (most recent call last):
    palaestra.task.InvalidAnswer: '1' has two values
    """
    return json.loads(
        text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_object
    )


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict[str, Any]()
    for name, value in members:
        if name in result:
            raise InvalidAnswer(f"{name[:40]!r} has two values")
        result[name] = value
    return result
