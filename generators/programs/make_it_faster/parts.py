"""What the parts of slow programs are."""

from typing import Literal, NamedTuple

Shape = Literal["list", "recursion", "loop", "square"]
"""What a program is given: a list, or a number up to hundreds, billions or ten thousands."""


class Part(NamedTuple):
    """A step of a program. Its texts have ``$a`` to ``$c`` for its numbers."""

    shape: Shape
    tier: int
    ranges: tuple[tuple[int, int], ...]
    """From where to where each of its numbers is drawn."""
    versions: tuple[dict[str, str], ...]
    """What may stand for other names in its texts."""
    slow: str
    fast: str
    maps: bool = False
    """Whether it gives a list, as long as the one it is given."""
    needs: str = ""
    """What the fast text imports."""
    uses: str = ""
    """What the slow text imports."""


PLAIN: tuple[dict[str, str], ...] = ({},)
