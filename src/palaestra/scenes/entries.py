"""How an answer is written by choosing elements of a scene, for boards that people play on.

Elements are named as in the drawing: ``r1c2`` for a cell, ``node-3`` for a node, ``card-0-2`` for
a card, all but cells from 0.
"""

from msgspec import Struct

from palaestra.scenes.elements import Cell


class CellsEntry(Struct, frozen=True, omit_defaults=True, tag="cells"):
    """Every cell gets a symbol; the answer is the board row by row."""

    symbols: tuple[str, ...]
    start: tuple[tuple[str, ...], ...]
    """The symbol of each cell that is fixed; empty for one to be filled in."""
    separator: str = " "
    """What stands between the symbols of a row."""
    empty: str = "."
    """What stands for a cell that is not filled in yet."""
    looks: tuple[Cell, ...] = ()
    """How the symbols are drawn; by default as texts."""


class ElementsEntry(Struct, frozen=True, omit_defaults=True, tag="elements"):
    """Elements are chosen; the answer lists what they are called."""

    names: tuple[tuple[str, str], ...]
    """Each element, and its text in the answer."""
    separator: str = ", "
    ordered: bool = False
    """Whether they are listed in the order in which they are chosen, as a path is."""
    repeats: bool = False
    """Whether an element may be chosen several times."""


class PairsEntry(Struct, frozen=True, omit_defaults=True, tag="pairs"):
    """Two elements, one after the other, are a part of the answer, as an edge or a move is."""

    names: tuple[tuple[str, str], ...]
    joined: str = "-"
    """What stands between the two."""
    separator: str = ", "


class WordsEntry(Struct, frozen=True, omit_defaults=True, tag="words"):
    """Words are chosen in turn, as items to be ordered or moves are; they are no elements."""

    words: tuple[str, ...]
    separator: str = " "
    repeats: bool = True


def names_of(entry: "Entry") -> list[str]:
    """The elements that may be chosen."""
    if isinstance(entry, CellsEntry):
        return [
            f"r{r + 1}c{c + 1}"
            for r, row in enumerate(entry.start)
            for c, symbol in enumerate(row)
            if not symbol
        ]
    return [name for name, _ in entry.names] if not isinstance(entry, WordsEntry) else []


Entry = CellsEntry | ElementsEntry | PairsEntry | WordsEntry
