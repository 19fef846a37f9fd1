"""Programs, calls and bounds as they are put before a reader, and the same without their names."""

import re
from collections.abc import Iterable

from palaestra.generators.mini_python.parameters import Signature
from palaestra.generators.mini_python.parse import RESERVED
from palaestra.generators.mini_python.trials import Trial
from palaestra.task import Unreadable
from palaestra.verifiers.reading import integer

SUBSET = (
    "It may use variables, numbers, strings, lists, tuples, dictionaries, slices, comprehensions, "
    "the program's own functions, the usual built-in functions (abs, all, any, bool, chr, "
    "enumerate, int, len, list, max, min, ord, range, reversed, set, sorted, str, sum, tuple, zip) "
    "and the usual methods of strings, lists and dictionaries; there are no imports, lambdas or "
    "floats."
)
"""What a line may use that a player writes."""

_WORD = re.compile(r"'[^'\n]*'|(?<!\.)\b[A-Za-z_]\w*")


def listing(source: str) -> str:
    r"""A program with the number of each line in front.

    >>> print(listing("def f(n):\n    return n"))
    1  def f(n):
    2      return n
    """
    rows = source.split("\n")
    width = len(str(len(rows)))
    return "\n".join(f"{n:>{width}}  {row}".rstrip() for n, row in enumerate(rows, 1))


def bounds(signature: Signature) -> str:
    """What the arguments may be, a line for each."""
    return "\n".join(f"- {parameter.told()}" for parameter in signature)


def examples(trials: Iterable[Trial]) -> str:
    """Calls and what they should give, a line for each."""
    return "\n".join(f"{trial.call} -> {trial.shown}" for trial in trials)


def nameless(text: str) -> str:
    r"""Programs and calls with their names replaced in the order in which they come.

    >>> nameless("def f(xs):\n    return xs[len(xs) - 1]")
    'def v0(v1):\n    return v1[len(v1) - 1]'
    """
    names: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        word = found[0]
        return (
            word if word[0] == "'" or word in RESERVED else names.setdefault(word, f"v{len(names)}")
        )

    return _WORD.sub(renamed, text)


def numbered_line(text: str) -> tuple[int, str]:
    """The number of a line and the line, from an answer such as ``4: total = 0``.

    >>> numbered_line("line 4:  total = 0 ")
    (4, 'total = 0')
    """
    number, colon, line = text.strip().partition(":")
    number = number.strip().casefold().removeprefix("line")
    if not colon or "\n" in line.strip():
        raise Unreadable("not one line 'number: corrected line'")
    return integer(number, "the number of a line"), line.strip()
