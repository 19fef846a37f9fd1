"""Small modules that repositories consist of, each with its possible bugs.

Their texts are the files in ``modules/``. A line that begins with ``#~`` is the faulty version of
the line above it. A list after ``#=`` contains the possible values of a constant. Both are removed
from the text that a player sees. Every faulty version terminates, and some call of a function
reveals it whose arguments :mod:`palaestra.generators.programs.mini_repository.calls` samples.
"""

from functools import cache
from pathlib import Path

PARTS = (
    "money",
    "words",
    "spans",
    "dates",
    "graphs",
    "grids",
    "stats",
    "parsing",
    "caches",
    "stock",
    "league",
    "queues",
    "orders",
    "shipping",
    "meetings",
    "reports",
    "travel",
    "accounts",
    "payroll",
    "seasons",
    "fields",
    "office",
)
"""The names of the modules. The modules that a module imports stand before it."""

_FOLDER = Path(__file__).parent / "modules"


@cache
def text_of(module: str) -> str:
    """The text of a module, with its slips and the values of its constants. Each file is read once.

    >>> text_of("money").splitlines()[0]
    '\"\"\"Amounts of money, in whole cents.\"\"\"'
    """
    return (_FOLDER / f"{module}.txt").read_text(encoding="utf-8")
