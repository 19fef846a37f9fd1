"""Lines into tokens: names, numbers, texts and signs."""

import re

from palaestra.generators.programs.mini_python.parse.subset import WIDTH
from palaestra.task import InvalidAnswer

_TOKEN = re.compile(
    r"""([A-Za-z_]\w*|\d+(?!\w)|'[^'\\]*'|"[^"\\]*"|\*\*|//=?|[-+*%<>=!]=|[-+*%<>=()\[\]{}:,.])"""
    r"|\ +|\#.*|(.)"
)


def tokens(line: str, width: int = WIDTH) -> list[str]:
    """The names, numbers, texts and signs of a line.

    >>> tokens("x += 'a'  # more")
    ['x', '+=', "'a'"]
    """
    if len(line) > width:
        raise InvalidAnswer(f"a line of more than {width} characters", "limit")
    if not (line.isascii() and line.isprintable()):
        raise InvalidAnswer("a line has characters other than ASCII")
    matches = _TOKEN.findall(line)
    bad = next((bad for _, bad in matches if bad), "")
    if bad:
        raise InvalidAnswer(f"{bad!r} is out of place")
    return [token for token, _ in matches if token]


def length(source: str) -> int:
    r"""How many tokens a program has.

    >>> length("def half(n):  # rounded down\n    return n // 2")
    10
    """
    return sum(len(tokens(line)) for line in source.split("\n"))
