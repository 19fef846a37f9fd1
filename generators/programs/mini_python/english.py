"""Programs, calls and bounds as prompts show them, and the same without their names."""

import re
from collections.abc import Iterable

from palaestra.generators.programs.mini_python.machine import LONGEST, STEPS
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.parse.subset import (
    FUNCTIONS,
    LINES,
    METHODS,
    RESERVED,
    WIDTH,
)
from palaestra.generators.programs.mini_python.trials import Trial
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.numbers import integer

SUBSET = (
    "variables, whole numbers, strings of ASCII, True, False, None, lists, tuples, dictionaries, "
    "subscripts, slices, list comprehensions and generator expressions with one 'for', the latter "
    "as the only argument of a function; the operators + - * // % **, comparisons, in, and, or, "
    "not, 'is None' and 'x if y else z'; the program's own functions, the built-in functions "
    f"{', '.join(sorted(FUNCTIONS))} and the methods {', '.join(sorted(METHODS))}. Of these, "
    "enumerate, reversed, zip, items, keys and values may only be iterated over directly, and set "
    "may only be used with len, max, min, sorted, sum and 'in'; reverse=... is the only keyword "
    "argument. There are no imports, lambdas, f-strings, backslashes or floats"
)
"""The parts of Python that a player may use in a line."""

PROGRAM = (
    f"A program may use only this subset of Python: {SUBSET}. Statements are def, if, elif, else, "
    "for, while, break, continue, pass, return, assignments (also to several targets, and with += "
    "-= *= //= %=), and calls. Each statement, including the head of a block, stands on its own "
    f"line, of at most {WIDTH} characters; there are at most {LINES} lines. Functions are not "
    f"nested. A run may execute at most {STEPS} statements, and a value may have at most "
    f"{LONGEST} parts."
)
"""The parts of Python that a player may use in a program."""

_WORD = re.compile(r"'[^'\n]*'|(?<!\.)\b[A-Za-z_]\w*")


def shortened(text: str, most: int = 60) -> str:
    """A value as part of a sentence, cut off after ``most`` characters.

    >>> shortened("[1, 2, 3]", 6)
    '[1, 2,...'
    """
    return text if len(text) <= most else f"{text[:most]}..."


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
    """The bounds of the arguments, one per line."""
    return "\n".join(f"- {parameter.as_text()}" for parameter in signature)


def examples(trials: Iterable[Trial]) -> str:
    """Calls with their expected results, one per line."""
    return "\n".join(f"{trial.call} -> {trial.shown}" for trial in trials)


def nameless(text: str) -> str:
    r"""Programs and calls with their names replaced in the order in which they come.

    >>> nameless("def f(xs):\n    return xs[len(xs) - 1]")
    'def v0(v1):\n    return v1[len(v1) - 1]'
    """
    names: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        word = match[0]
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
        raise InvalidAnswer("not one line 'number: corrected line'")
    return integer(number, "the number of a line"), line.strip()
