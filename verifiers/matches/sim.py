"""Moves of Sim: a line, by the two points that it joins."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.nodes import edge_list
from palaestra.verifiers.reading.values import plain

_VERB = re.compile(
    r"(?:i (?=take|colou?r|draw|choose|play) *)?(?:(?:take|colou?r|draw|choose|play)s? )?"
    r"(?:the )?(?:line |edge )?(?:from |between )?(?=\S)",
    re.IGNORECASE,
)
_PAIR = re.compile(r"([a-z])([a-z])", re.IGNORECASE)


def line(text: str, points: str) -> tuple[int, int]:
    """Read the two points of a line, the first one of the alphabet first, as indices.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text and for unknown points.

    >>> line("C-A", "ABC"), line("I take the line from A to C", "ABC"), line("AC", "ABC")
    ((0, 2), (0, 2), (0, 2))
    """
    body = " ".join(plain(text)[:200].split()).strip("*`\"' ").rstrip(".")
    body = _VERB.sub("", body, count=1)
    if pair := _PAIR.fullmatch(body):
        body = f"{pair[1]}-{pair[2]}"
    edges = edge_list(re.sub(r"(?<=\w) and (?=\w)", "-", body), points)
    if len(edges) != 1 or edges[0][0] == edges[0][1]:
        raise InvalidAnswer("expected one line between two points, such as X-Y")
    return min(edges[0]), max(edges[0])
