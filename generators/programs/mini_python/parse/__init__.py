"""Reading programs: signs into tokens, tokens into expressions and heads, lines into functions.

Reading is linear in the length of the text and never nests deeper than it says in ``subset``.
"""

from palaestra.generators.programs.mini_python.parse.lines import display, expression, head
from palaestra.generators.programs.mini_python.parse.programs import Function, parsed, statements
from palaestra.generators.programs.mini_python.parse.tokens import length, tokens

__all__ = [
    "Function",
    "display",
    "expression",
    "head",
    "length",
    "parsed",
    "statements",
    "tokens",
]
