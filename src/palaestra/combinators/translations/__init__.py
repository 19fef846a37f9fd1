"""Prompts in other languages, a module of templates for each environment, named like it.

A module has a function ``prompt``, which puts a task in a language from the task's own fields, and
``TOKENS``, the English words that its prompts keep because the answer is written with them.
"""

from palaestra.combinators import templates
from palaestra.combinators.translations.grammar import Code, spelt
from palaestra.task import Puzzle


def names() -> tuple[str, ...]:
    """The environments whose prompts have translations, in alphabetical order."""
    return templates.names(__name__)


def prompt(task: Puzzle, code: Code) -> str:
    """The whole prompt of a task in a language.

    Raises ``ImportError`` for an environment without translations, which :func:`names` leaves out.
    """
    text: str = templates.module_of(__name__, type(task)).prompt(task, code)
    return spelt(code, text)
