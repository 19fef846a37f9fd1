"""Images of boards, for models with vision."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from palaestra.extras import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cell = tuple[str, str]
"""The text of a cell, and its colour (``#rrggbb``)."""


def board(cells: Sequence[Sequence[Cell]], side: int = 32) -> "NDArray[np.uint8]":
    """A board of square cells, each ``side`` pixels wide, as an RGB array (height, width, 3).

    The writing is dark on a light cell and light on a dark one. Needs Pillow.
    """
    with needs("pictures", "Pillow"):
        import numpy as np
        from PIL import Image, ImageDraw

    height, width = len(cells) * side + 1, len(cells[0]) * side + 1
    image = Image.new("RGB", (width, height), "#808080")
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(cells):
        for column, (text, fill) in enumerate(line):
            x, y = column * side, row * side
            pen.rectangle((x + 1, y + 1, x + side - 1, y + side - 1), fill=fill)
            if text:
                font = _font(side * 5 // (4 * max(2, len(text))))
                ink = "#ffffff" if _darkness(fill) > 0.5 else "#202020"
                pen.text((x + side / 2, y + side / 2), text, ink, font, "mm")
    return np.asarray(image, dtype=np.uint8)


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _darkness(fill: str) -> float:
    red, green, blue = (int(fill[n : n + 2], 16) for n in (1, 3, 5))
    return 1 - (0.299 * red + 0.587 * green + 0.114 * blue) / 255
