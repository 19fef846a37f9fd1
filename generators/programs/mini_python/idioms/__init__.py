"""The idioms that programs are made of, from plain loops to recursion; see ``draw``."""

from palaestra.generators.programs.mini_python.draft import Idiom
from palaestra.generators.programs.mini_python.idioms import (
    functions,
    numbers,
    reductions,
    rows,
    words,
)

IDIOMS = tuple(
    idiom
    for module in (reductions, rows, numbers, words, functions)
    for idiom in vars(module).values()
    if isinstance(idiom, Idiom)
)
"""All there are, module by module, in the order in which they are written."""
