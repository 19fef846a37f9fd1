"""Prompts in stories, a module for each environment, named like it.

A module has ``STORIES`` and a function ``prompt``, which puts a task into one of them, by a number,
from the task's own fields. The answer is written as that to the environment's own prompt.
"""

from palaestra.combinators import templates
from palaestra.task import Puzzle, Task


def names() -> tuple[str, ...]:
    """The environments that have stories, in alphabetical order."""
    return templates.names(__name__)


def count(environment: type[Task]) -> int:
    """The number of stories of an environment that has some."""
    return len(templates.module_of(__name__, environment).STORIES)


def prompt(task: Puzzle, number: int) -> str:
    """The whole prompt of a task in the story with this number, modulo the number of stories.

    Raises ``ImportError`` for an environment without stories, which :func:`names` leaves out.
    """
    text: str = templates.module_of(__name__, type(task)).prompt(task, number)
    return text
