"""Scenes as RGB arrays, drawn by Pillow. Equal cells are drawn once and copied."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from math import hypot
from typing import TYPE_CHECKING, Any

from palaestra.extras import needs
from palaestra.scenes.elements import Scene
from palaestra.scenes.layouts import drawing
from palaestra.scenes.palette import Theme, colour
from palaestra.scenes.shapes import XY, Disc, Label, Path, Rectangle, Shape, Tile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FINE = 3
"""How many times finer slanted lines and curves are drawn, to be smooth after averaging."""

SHORT = 2
"""The number of characters of a label that is likely to stand in several cells."""


def rgb(scene: Scene, size: int = 448, theme: Theme = "light") -> "NDArray[np.uint8]":
    """A scene as an RGB array of shape (height, width, 3), whose longer side is ``size`` pixels or
    a little less: cells are whole pixels where they are 8 or more. Needs Pillow.
    """
    with needs("pictures", "Pillow"):
        import numpy as np
        from PIL import Image, ImageDraw

    laid = drawing(scene)
    scale = size / max(laid.width, laid.height)
    scale = float(int(scale)) if scale >= 8 else scale
    shape = max(1, round(laid.width * scale)), max(1, round(laid.height * scale))
    image = Image.new("RGB", shape, colour("back", theme))
    pen = ImageDraw.Draw(image)
    for fine, shapes in groupby(laid.shapes, _is_fine):
        if fine:
            _smooth(image, list(shapes), scale, theme)
            continue
        for each in shapes:
            if isinstance(each, Tile):
                _paste(image, each, scale, theme)
            elif isinstance(each, Label):
                _write(image, each, scale, theme)
            else:
                _draw(pen, each, scale, theme)
    return np.asarray(image, dtype=np.uint8)


def _is_fine(shape: Shape | Tile) -> bool:
    """Whether a shape needs averaging: anything but tiles, labels and upright lines."""
    if isinstance(shape, Tile | Label):
        return False
    if isinstance(shape, Rectangle):
        return shape.radius > 0
    if isinstance(shape, Path):
        upright = all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(shape.points))
        return not upright or shape.fill != "none" or shape.dashed
    return True


def _paste(image: Any, shape: Tile, scale: float, theme: Theme) -> None:
    left, top = round(shape.x * scale), round(shape.y * scale)
    body, names = _split(shape.shapes)
    tile, mask, dx, dy = _tile(body, scale, theme)
    image.paste(tile, (left + dx, top + dy), mask)
    for label in names:
        _write(image, label, scale, theme, (left, top))


@lru_cache(maxsize=2048)
def _split(shapes: tuple[Shape | Tile, ...]) -> tuple[tuple[Shape | Tile, ...], tuple[Label, ...]]:
    """What is drawn once for equal tiles, and the long labels on top of it, which seldom repeat."""
    body = list(shapes)
    names: list[Label] = []
    while body and isinstance(last := body[-1], Label) and len(last.text) > SHORT:
        names.insert(0, last)
        body.pop()
    return tuple(body), tuple(names)


def _smooth(image: Any, shapes: list[Any], scale: float, theme: Theme) -> None:
    """Draw shapes finer and average them."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = _bounds(shapes, scale, image.size)
    if left >= right or top >= bottom:
        return
    part = image.crop((left, top, right, bottom))
    large = part.resize(((right - left) * FINE, (bottom - top) * FINE), Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(large)
    origin = (left / scale, top / scale)
    for shape in shapes:
        _draw(pen, shape, scale * FINE, theme, origin)
    image.paste(large.reduce(FINE), (left, top))


def _bounds(shapes: list[Any], scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    boxes = [_box(shape) for shape in shapes]
    left = max(0, int(min(box[0] for box in boxes) * scale) - 1)
    top = max(0, int(min(box[1] for box in boxes) * scale) - 1)
    right = min(size[0], int(max(box[2] for box in boxes) * scale) + 2)
    bottom = min(size[1], int(max(box[3] for box in boxes) * scale) + 2)
    return left, top, right, bottom


def _box(shape: Any) -> tuple[float, float, float, float]:
    half = shape.line / 2 if not isinstance(shape, Label) else 0.0
    if isinstance(shape, Rectangle):
        edges = shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    elif isinstance(shape, Disc):
        r = shape.radius
        edges = shape.x - r, shape.y - r, shape.x + r, shape.y + r
    elif isinstance(shape, Path):
        xs, ys = zip(*shape.points, strict=True)
        edges = min(xs), min(ys), max(xs), max(ys)
    else:
        wide = shape.size * max(1, len(shape.text))
        edges = shape.x - wide, shape.y - shape.size, shape.x + wide, shape.y + shape.size
    return edges[0] - half, edges[1] - half, edges[2] + half, edges[3] + half


@lru_cache(maxsize=2048)
def _tile(shapes: tuple[Shape, ...], scale: float, theme: Theme) -> tuple[Any, Any, int, int]:
    """The image of a cell and its mask, which is ``None`` where it covers its whole box."""
    from PIL import Image, ImageDraw

    boxes = [_box(shape) for shape in shapes] or [(0, 0, 0, 0)]
    ground = shapes[0] if shapes else None
    solid = (
        isinstance(ground, Rectangle)
        and ground.fill != "none"
        and not (ground.x or ground.y or ground.radius)
    )
    below: Any = (0, 0, 0, 0)
    if solid and isinstance(ground, Rectangle):  # so that neighbours share a border of one width
        left, top = 0, 0
        right, bottom = round(scale * ground.width) + 1, round(scale * ground.height) + 1
        below = colour(ground.fill if ground.stroke == "none" else ground.stroke, theme)
    else:
        left = int(min(box[0] for box in boxes) * scale) - 1
        top = int(min(box[1] for box in boxes) * scale) - 1
        right = int(max(box[2] for box in boxes) * scale) + 2
        bottom = int(max(box[3] for box in boxes) * scale) + 2
    size = max(1, right - left), max(1, bottom - top)
    origin = (left / scale, top / scale)
    large = Image.new("RGBA", (size[0] * FINE, size[1] * FINE), below)
    pen = ImageDraw.Draw(large)
    for shape in shapes:
        if not isinstance(shape, Label):
            _draw(pen, shape, scale * FINE, theme, origin)
    tile = large.reduce(FINE)
    for shape in shapes:
        if isinstance(shape, Label):
            _write(tile, shape, scale, theme, (-left, -top))
    mask = None if solid else tile.getchannel("A")
    return tile.convert("RGB"), mask, left, top


def _draw(pen: Any, shape: Shape, scale: float, theme: Theme, origin: XY = (0.0, 0.0)) -> None:
    """Draw a shape that is no label."""
    fill = None if shape.fill == "none" else colour(shape.fill, theme)  # type: ignore[union-attr]
    line = None if shape.stroke == "none" else colour(shape.stroke, theme)  # type: ignore[union-attr]
    width = max(1, round(shape.line * scale)) if line else 0  # type: ignore[union-attr]

    def at(x: float, y: float) -> XY:
        return (x - origin[0]) * scale, (y - origin[1]) * scale

    if isinstance(shape, Rectangle):
        box = (*at(shape.x, shape.y), *at(shape.x + shape.width, shape.y + shape.height))
        whole = tuple(map(round, box))
        if shape.radius:
            pen.rounded_rectangle(whole, shape.radius * scale, fill, line, width)
        else:
            pen.rectangle(whole, fill, line, width)
    elif isinstance(shape, Disc):
        r = shape.radius
        box = (*at(shape.x - r, shape.y - r), *at(shape.x + r, shape.y + r))
        pen.ellipse(box, fill, line, width)
    elif isinstance(shape, Path):
        points = [at(x, y) for x, y in shape.points]
        if fill:
            pen.polygon(points, fill)
        if line:
            _stroke(
                pen, [*points, points[0]] if shape.closed else points, line, width, shape.dashed
            )


def _stroke(pen: Any, points: list[XY], line: str, width: int, dashed: bool) -> None:
    if dashed:
        for start, end in pairwise(points):
            for a, b in _dashes(start, end, 2.5 * width):
                pen.line([a, b], line, width)
        return
    pen.line(points, line, width, joint="curve")
    if width > 2:
        r = width / 2
        for x, y in (points[0], points[-1]):
            pen.ellipse((x - r, y - r, x + r, y + r), line)


def _dashes(start: XY, end: XY, length: float) -> Iterator[tuple[XY, XY]]:
    whole = hypot(end[0] - start[0], end[1] - start[1]) or 1
    count = max(1, int(whole / length / 2))
    for n in range(count):
        a, b = n / count, (n + 0.55) / count
        yield (
            (start[0] + a * (end[0] - start[0]), start[1] + a * (end[1] - start[1])),
            (start[0] + b * (end[0] - start[0]), start[1] + b * (end[1] - start[1])),
        )


def _write(
    image: Any, label: Label, scale: float, theme: Theme, at: tuple[int, int] = (0, 0)
) -> None:
    """Write a label. ``at`` is the pixel at which the point (0, 0) lies."""
    size = max(6, round(label.size * scale))
    glyphs, dx, dy = _glyphs(label.text, size, label.anchor)
    left = at[0] + round(label.x * scale) + dx
    top = at[1] + round(label.y * scale) + dy
    image.paste(colour(label.tone, theme), (left, top), glyphs)


@lru_cache(maxsize=2048)
def _glyphs(text: str, size: int, anchor: str) -> tuple[Any, int, int]:
    """The mask of a text, and where its corner is from the point that it is anchored at."""
    from PIL import Image, ImageDraw

    where = {"middle": "mm", "start": "lm", "end": "rm"}[anchor]
    left, top, right, bottom = map(int, _font(size).getbbox(text, anchor=where))
    mask = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)))
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, _font(size), where)
    return mask, left - 1, top - 1


@lru_cache(maxsize=128)
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
