"""Parts of slow programs."""

from typing import Literal, NamedTuple

Shape = Literal["list", "recursion", "loop", "square"]
"""The argument: a list, or a number up to hundreds, billions or ten thousands."""


class Part(NamedTuple):
    """A step of a program. Its texts have ``$a`` to ``$c`` for its numbers."""

    shape: Shape
    tier: int
    ranges: tuple[tuple[int, int], ...]
    """The range of each random constant."""
    versions: tuple[dict[str, str], ...]
    """Alternative values of the placeholders in its templates."""
    slow: str
    fast: str
    maps: bool = False
    """Whether it returns a list of the length of its argument."""
    needs: str = ""
    """What the fast text imports."""
    uses: str = ""
    """What the slow text imports."""


PLAIN: tuple[dict[str, str], ...] = ({},)
