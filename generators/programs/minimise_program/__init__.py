"""Padding of programs with redundant code of the types that optimising compilers remove.

Source: F. Allen and J. Cocke, "A catalogue of optimizing transformations" (1971).
"""

from random import Random

from palaestra.generators.programs.mini_python.draw import Function
from palaestra.generators.programs.mini_python.syntax import Assign, Name, Return
from palaestra.generators.programs.minimise_program import dead, detours
from palaestra.generators.programs.minimise_program.sheet import NoFittingRow, Pad, Row, Sheet

TRIES = 8
"""The number of attempts for each piece of padding."""

PADS = tuple(
    pad for module in (dead, detours) for pad in vars(module).values() if isinstance(pad, Pad)
)
"""All types of padding."""


def padded(rng: Random, function: Function, number: int, tier: int) -> tuple[str, str]:
    """A program in short, and made longer by so many pieces of padding or fewer: by one at least,
    where any known kind has a place in it.
    """
    sheet, written = Sheet(rng, function), 0
    _shorten(sheet)
    short = sheet.source()
    known = [pad for pad in PADS if pad.tier <= tier]
    weights = [1 + 2 * pad.tier for pad in known]
    for pad in rng.choices(known, weights, k=TRIES * number):
        written += _fits(pad, sheet)
        if written == number:
            break
    if not written:  # the kinds that were drawn have no place, which does not mean that none has
        any(_fits(pad, sheet) for pad in rng.sample(known, len(known)))
    return short, sheet.source()


def _fits(pad: Pad, sheet: Sheet) -> bool:
    """Insert a type of padding if possible; return whether it was."""
    try:
        pad.write(sheet)
    except NoFittingRow:
        return False
    return True


def _shorten(sheet: Sheet) -> None:
    """Return an expression directly if its variable has no other use."""
    (depth, before, _), (end, last, _) = sheet.rows[-2:]
    named = isinstance(before, Assign) and isinstance(before.target, Name)
    if named and depth == end and last == Return(before.target):
        sheet.rows[-2:] = [Row(depth, Return(before.value))]
