"""The consoles that commands print to, and how they show progress."""

from collections.abc import Iterable, Sized
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:  # commands without a progress bar start sooner
    from rich.progress import Progress

out = Console(emoji=False, markup=False, highlight=False)

err = Console(stderr=True, emoji=False, markup=False, highlight=False)
"""Consoles that print texts as they are: ``:x:`` and ``[a]`` are parts of tasks and messages."""

WIDE = 160
"""Columns of a table that no person reads on a terminal, such as one in a file."""

Item = TypeVar("Item")


def print_faults() -> bool:
    """Report faults of the categories of other distributions; whether there are any."""
    from palaestra.registry import faults

    for fault in (listed := faults()):
        print_error(fault)
    return bool(listed)


def print_error(message: object) -> None:
    """State what is wrong, in a line on standard error."""
    err.print(f"palaestra: {message}", style="red", soft_wrap=True)


def note(message: str) -> None:
    """State what a reader of the output need not parse, on standard error."""
    err.print(message, style="dim", soft_wrap=True)


def print_text(text: str, *, bold: bool = False) -> None:
    """Print a text as it is, with its words wrapped where a person reads it."""
    out.print(text, style="bold" if bold else None, soft_wrap=not out.is_terminal)


def width() -> int:
    """The columns that a table may have."""
    return out.width if out.is_terminal else WIDE


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, or wide enough for its cells elsewhere."""
    if out.is_terminal:
        out.print(table)
    else:
        Console(file=out.file, width=WIDE, emoji=False, markup=False, highlight=False).print(table)


def progress(also_prints: bool = False) -> "Progress":
    """A progress bar on standard error with the number of items that are done, the time that has
    passed and the time that remains; none where no terminal shows it.

    Where a command ``also_prints`` lines while it works, the bar stays away from a terminal that
    shows these.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    hidden = not err.is_terminal or (also_prints and out.is_terminal)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("to go"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=hidden,
        expand=True,
    )


def tracked(
    items: Iterable[Item], description: str, total: int | None = None, also_prints: bool = False
) -> Iterable[Item]:
    """Items with a progress bar; ``total`` is their number, where they do not have a length."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with progress(also_prints) as bar:
        yield from bar.track(items, total, description=description)
