"""What calls and their results have shown of a world, for pictures of no more than that."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar

from palaestra.generators.tools.engine import ToolWorld
from palaestra.scenes import Cell, Panels, Scene, Table
from palaestra.task import Turn
from palaestra.verifiers.calls.reading import Call

State = TypeVar("State")

LONGEST = 18
"""How many characters of a text of a cell are drawn at most."""

WIDE = 84
"""How many characters the columns of a table have together; others stand in a table below."""

UNSEEN = Cell("?", "muted")
"""A cell whose text nobody has seen."""


class Sightings(Generic[State]):
    """The calls of a player with their results, and what is known after a number of them.

    ``start`` gives what is known at first, and ``note`` adds what a result shows, which happens
    only when somebody asks for it.
    """

    def __init__(
        self, start: Callable[[], State], note: Callable[[State, Call, str], None]
    ) -> None:
        self._start, self._note = start, note
        self._log: list[tuple[Call, str]] = []
        self._state, self._noted = start(), 0

    def __len__(self) -> int:
        return len(self._log)

    def add(self, call: Call, result: str) -> None:
        """Keep a call and its result, unless it is an error, which shows nothing."""
        if not result.startswith("Error: "):
            self._log.append((call, result))

    def after(self, number: int) -> State:
        """What is known after so many calls, which nobody else may change."""
        if number < self._noted:
            self._state, self._noted = self._start(), 0
        for call, result in self._log[self._noted : number]:
            self._note(self._state, call, result)
        self._noted = number
        return self._state


class PicturedWorld(ToolWorld):
    """A world whose turns have a picture of what results have shown.

    A subclass sets ``sightings``, and defines :meth:`picture`.
    """

    sightings: Sightings[Any]

    @abstractmethod
    def picture(self, number: int) -> Scene:
        """What there is to see after a number of calls that were no errors."""

    def result(self, call: Call) -> str:
        """The result of a call, which is kept for pictures."""
        result = super().result(call)
        self.sightings.add(call, result)
        return result

    def turn(self, observation: str, reward: float, state: str) -> Turn:
        turn = super().turn(observation, reward, state)
        return replace(turn, scene=partial(self.picture, len(self.sightings)))


def shortened(text: str) -> str:
    """A text, or its beginning if it is too long for a cell.

    >>> shortened("=SUM(North!C7:C9, 12)")
    '=SUM(North!C7:C9..'
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}.."


def around(row: int, last: int, most: int) -> range:
    """At most ``most`` rows from 1 to the last, with a row in their middle as far as possible.

    >>> around(50, 60, 10), around(1, 60, 10), around(1, 3, 10)
    (range(46, 56), range(1, 11), range(1, 4))
    """
    first = max(1, min(row - most // 2 + 1, last - most + 1))
    return range(first, min(last, first + most - 1) + 1)


def table(
    top: Sequence[str],
    left: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    last: Sequence[tuple[int, int]] = (),
) -> Scene:
    """A table, or several below one another with some columns each if it is wide."""
    widths = [
        2 + max([len(name), *(len(row[n].text) for row in rows)]) for n, name in enumerate(top)
    ]
    # Tables below one another are about equally wide.
    each = sum(widths) / -(-sum(widths) // WIDE) if widths else WIDE
    blocks: dict[int, list[int]] = {}
    for n, width in enumerate(widths):
        blocks.setdefault(int((sum(widths[:n]) + width / 2) // each), []).append(n)
    parts = [
        Table(
            tuple(tuple(row[n] for n in block) for row in rows),
            tuple(top[n] for n in block),
            tuple(left),
            tuple((r, block.index(c)) for r, c in last if c in block),
        )
        for block in blocks.values()
    ]
    return parts[0] if len(parts) == 1 else Panels(tuple(parts), columns=1)
