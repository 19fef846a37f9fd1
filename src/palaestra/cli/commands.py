"""How commands are declared: with help that is wrapped anew, and of which some are loaded late."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

Function = TypeVar("Function", bound=Callable[..., Any])


def reflowed(text: str) -> str:
    r"""A docstring with each paragraph on one line, for help that is wrapped to the terminal.

    >>> reflowed("Do this.\n\n    It takes\n    long.\n    ")
    'Do this.\n\nIt takes long.'
    """
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


class Application(typer.Typer):
    """A group of commands whose docstrings are their help."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Register a function as a command; a decorator."""

        def register(function: Function) -> Function:
            about = {"help": reflowed(function.__doc__ or "")} | settings
            return super(Application, self).command(name, **about)(function)

        return register


class Late(TyperCommand):
    """A command whose options take long to import: they are loaded when it is called, and the list
    of commands states ``help`` alone.
    """

    def __init__(self, name: str, about: str, load: Callable[[], Any]) -> None:
        super().__init__(name=name, help=reflowed(about))
        self.load = load

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """The context of the command that is loaded."""
        return self.load().make_context(info_name, args, parent, **extra)
