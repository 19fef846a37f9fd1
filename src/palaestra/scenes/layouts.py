"""From scenes to shapes: where everything stands, in units of a cell."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, floor, hypot, log10, pi, sin, sqrt
from typing import Any, overload

from palaestra.scenes.elements import (
    Card,
    Cards,
    Cell,
    Curve,
    Edge,
    Graph,
    Grid,
    Hexagons,
    Line,
    Mark,
    Node,
    Panels,
    Plane,
    Point,
    Polygon,
    Scene,
    Stacks,
    Table,
    Text,
    Timeline,
    Tone,
)
from palaestra.scenes.marks import ARROWS, ON_MARK, mark_shapes, pip_shapes
from palaestra.scenes.networks import Box, overlaps, positions, side, text_spots
from palaestra.scenes.shapes import XY, Disc, Drawing, Label, Path, Rectangle, Shape, Tile

MARGIN = 0.12
"""The empty space around a scene."""

LABEL = 0.62
"""The width of a label on the rim."""

HAIR, THICK = 0.03, 0.09
"""The widths of lines within and between regions."""

Shapes = list[Shape | Tile]


def drawing(scene: Scene) -> Drawing:
    """The shapes of a scene."""
    width, height, shapes = _LAYOUTS[type(scene)](scene)
    moved = [_moved(shape, MARGIN, MARGIN) for shape in shapes]
    return Drawing(round(width + 2 * MARGIN, 4), round(height + 2 * MARGIN, 4), tuple(moved))


Size = tuple[float, float, Shapes]


@overload
def _moved(shape: Shape, x: float, y: float) -> Shape: ...


@overload
def _moved(shape: Shape | Tile, x: float, y: float) -> Shape | Tile: ...


def _moved(shape: Shape | Tile, x: float, y: float) -> Shape | Tile:
    """A shape elsewhere."""
    if isinstance(shape, Path):
        points = tuple((px + x, py + y) for px, py in shape.points)
        return Path(points, shape.fill, shape.stroke, shape.line, shape.closed, shape.dashed)
    if isinstance(shape, Tile):
        return Tile(shape.x + x, shape.y + y, shape.shapes, shape.name)
    if isinstance(shape, Rectangle):
        return Rectangle(
            shape.x + x, shape.y + y, shape.width, shape.height,
            shape.fill, shape.stroke, shape.line, shape.radius,
        )  # fmt: skip
    if isinstance(shape, Disc):
        return Disc(shape.x + x, shape.y + y, shape.radius, shape.fill, shape.stroke, shape.line)
    return Label(
        shape.x + x, shape.y + y, shape.text, shape.size, shape.tone, shape.bold, shape.anchor
    )


def fitted(text: str, width: float, most: float) -> float:
    """The size at which a text of one line is at most so wide."""
    return min(most, 1.75 * width / max(1, len(text)))


# ------------------------------------------------------------------ grids


@lru_cache(maxsize=4096)
def cell_shapes(cell: Cell, look: str, last: bool = False) -> tuple[Shape, ...]:
    """The shapes of a cell from (0, 0) to (1, 1)."""
    shapes: list[Shape] = []
    ground = "last" if last and cell.fill == "paper" else cell.fill
    if look == "cells":
        shapes.append(Rectangle(0, 0, 1, 1, ground, "line", HAIR))
    elif ground != "paper" or look == "plain":
        shapes.append(Rectangle(0, 0, 1, 1, ground))
    if last and cell.fill != "paper":
        shapes.append(Rectangle(0.05, 0.05, 0.9, 0.9, stroke="last", line=0.08))
    tone = cell.tone or f"on-{ground}"
    beside = bool(cell.text) and cell.mark in ARROWS
    mark = mark_shapes(cell.mark, tone)
    shapes += [_moved(_scaled(shape, 0.64), 0.35, 0.35) for shape in mark] if beside else mark
    if beside:
        size = fitted(cell.text, 0.58, 0.46)
        shapes.append(Label(0.31, 0.29, cell.text, size, tone, cell.fixed))
    elif cell.text:
        ink = f"on-{tone}" if cell.mark in ON_MARK and cell.tone else tone
        low = 0.56 if cell.corner else 0.5
        size = fitted(cell.text, 0.46 if cell.mark in ON_MARK else 0.86, 0.58)
        shapes.append(Label(0.5, low, cell.text, size, ink, cell.fixed))
    if cell.corner:
        size = fitted(cell.corner, 0.8, 0.28)
        shapes.append(Label(0.07, 0.17, cell.corner, size, f"on-{ground}", anchor="start"))
    if any(cell.halves):
        shapes.append(Path(((0, 0), (1, 1)), stroke=f"on-{ground}", line=HAIR))
        for text, x, y in zip(cell.halves, (0.3, 0.7), (0.73, 0.29), strict=False):
            if text:
                size = fitted(text, 0.52, 0.4)
                shapes.append(Label(x, y, text, size, f"on-{ground}"))
    return tuple(shapes)


def _grid(grid: Grid) -> Size:
    rows, columns = len(grid.cells), len(grid.cells[0]) if grid.cells else 0
    names = grid.coordinates
    top = grid.top or ([(str(n + 1),) for n in range(columns)] if names else ())
    left = grid.left or ([(str(n + 1),) for n in range(rows)] if names else ())
    sides = [max(map(len, side), default=0) for side in (left, top, grid.right, grid.bottom)]
    widths = [_label_width(side) for side in (left, grid.right)]
    rim = 0.15 if grid.corners else 0.0  # where the discs of outer corners stand out
    x0, y0 = sides[0] * widths[0] + rim, sides[1] * LABEL + rim
    style = "dots" if grid.style == "points" else grid.style
    last = set(grid.last)
    shapes: Shapes = []
    if grid.style == "dots":
        shapes.append(Rectangle(0, 0, columns, rows, "paper"))
    if grid.style == "points":
        shapes += _intersections(rows, columns)
    for r, line in enumerate(grid.cells):
        for c, cell in enumerate(line):
            if cell.fill != "none":
                marked = cell_shapes(cell, style, (r, c) in last)
                shapes.append(Tile(c, r, marked, f"r{r + 1}c{c + 1}"))
    if grid.regions:
        shapes += _region_borders(grid.regions)
    for line_ in grid.lines:
        shapes += _line(line_)
    if grid.style == "dots":
        shapes += [
            Disc(c, r, 0.055, "ink") for r in range(rows + 1) for c in range(columns + 1)
        ]  # fmt: skip
    for border in grid.borders:
        points = tuple((c, r) for r, c in border.points)
        shapes.append(Path(points, stroke=border.tone, line=border.width, dashed=border.dashed))
    shapes += _signs_between(grid)
    for r, texts in enumerate(grid.corners):
        for c, text in enumerate(texts):
            if text:
                shapes.append(Disc(c, r, 0.24, "paper", "ink", HAIR))
                shapes.append(Label(c, r, text, fitted(text, 0.36, 0.34)))
    shapes = [_moved(shape, x0, y0) for shape in shapes]
    shapes += _rim((x0, y0), (rows, columns), (left, top, grid.right, grid.bottom), widths)
    x1, y1 = x0 + columns + rim, y0 + rows + rim
    return x1 + sides[2] * widths[1], y1 + sides[3] * LABEL, shapes


def _label_width(side: Sequence[Sequence[str]]) -> float:
    longest = max((len(text) for texts in side for text in texts), default=1)
    return max(LABEL, 0.24 * longest + 0.2)


def _rim(
    origin: XY, size: tuple[int, int], sides: Sequence[Any], widths: Sequence[float]
) -> Iterator[Shape]:
    (x0, y0), (rows, columns) = origin, size
    left, top, right, bottom = sides

    def label(x: float, y: float, text: str, width: float) -> Label:
        return Label(x, y, text, fitted(text, width - 0.08, 0.4), "ink")

    for r, texts in enumerate(left):
        for n, text in enumerate(reversed(texts)):
            yield label(x0 - (n + 0.5) * widths[0], y0 + r + 0.5, text, widths[0])
    for r, texts in enumerate(right):
        for n, text in enumerate(texts):
            yield label(x0 + columns + (n + 0.5) * widths[1], y0 + r + 0.5, text, widths[1])
    for c, texts in enumerate(top):
        for n, text in enumerate(reversed(texts)):
            yield label(x0 + c + 0.5, y0 - (n + 0.5) * LABEL, text, 0.9)
    for c, texts in enumerate(bottom):
        for n, text in enumerate(texts):
            yield label(x0 + c + 0.5, y0 + rows + (n + 0.5) * LABEL, text, 0.9)


def _intersections(rows: int, columns: int) -> Iterator[Shape]:
    yield Rectangle(0, 0, columns, rows, "t1")
    for r in range(rows):
        yield Path(((0.5, r + 0.5), (columns - 0.5, r + 0.5)), stroke="ink", line=HAIR)
    for c in range(columns):
        yield Path(((c + 0.5, 0.5), (c + 0.5, rows - 0.5)), stroke="ink", line=HAIR)


def _region_borders(regions: Sequence[Sequence[int]]) -> Iterator[Shape]:
    """Thick lines between regions and around all of them, each as long as it is straight."""
    rows, columns = len(regions), len(regions[0])

    def at(r: int, c: int) -> int | None:
        return regions[r][c] if 0 <= r < rows and 0 <= c < columns else None

    for r in range(rows + 1):
        cuts = [at(r - 1, c) != at(r, c) for c in range(columns)]
        for a, b in _runs(cuts):
            yield Path(((a, r), (b, r)), stroke="ink", line=THICK)
    for c in range(columns + 1):
        cuts = [at(r, c - 1) != at(r, c) for r in range(rows)]
        for a, b in _runs(cuts):
            yield Path(((c, a), (c, b)), stroke="ink", line=THICK)


def _runs(cuts: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for n, cut in enumerate([*cuts, False]):
        if cut and start is None:
            start = n
        if not cut and start is not None:
            yield start, n
            start = None


def _line(line: Line) -> Iterator[Shape]:
    points = tuple((c + 0.5, r + 0.5) for r, c in line.points)
    if len(points) > 1:
        if line.arrow:
            size = max(0.26, 2.4 * line.width)
            yield Path(_shortened(points, 0.7 * size), stroke=line.tone, line=line.width)
            yield _head(points[-2], points[-1], line.tone, size)
        else:
            yield Path(points, stroke=line.tone, line=line.width)
    if line.round_end:
        yield Disc(*points[0], min(0.4, 0.9 * line.width), line.tone)


def _shortened(points: tuple[XY, ...], by: float) -> tuple[XY, ...]:
    """A line that ends so much earlier, below its arrowhead."""
    (ax, ay), (bx, by_) = points[-2:]
    length = hypot(bx - ax, by_ - ay) or 1
    return (*points[:-1], (bx - (bx - ax) * by / length, by_ - (by_ - ay) * by / length))


def _head(start: XY, end: XY, tone: Tone, size: float) -> Shape:
    """An arrowhead at the end of a line."""
    turn = atan2(end[1] - start[1], end[0] - start[0])
    back = [(end[0] - size * cos(turn + s), end[1] - size * sin(turn + s)) for s in (0.45, -0.45)]
    return Path((end, *back), fill=tone, closed=True)


def _signs_between(grid: Grid) -> Iterator[Shape | Tile]:
    for sign in grid.between:
        right = sign.side == "right"
        x, y = sign.column + (1 if right else 0.5), sign.row + (0.5 if right else 1)
        tone = sign.tone or "ink"
        if sign.mark:
            yield Tile(x - 0.2, y - 0.2, _small_mark(sign.mark, tone))
        if sign.text:
            yield Disc(x, y, 0.17, "paper")
            yield Label(x, y, sign.text, fitted(sign.text, 0.3, 0.34), tone, bold=True)


@cache
def _small_mark(mark: Mark, tone: Tone) -> tuple[Shape, ...]:
    """The shapes of a mark in two fifths of a cell."""
    return tuple(_scaled(shape, 0.4) for shape in mark_shapes(mark, tone))


def _scaled(shape: Shape, by: float) -> Shape:
    """A shape in a cell that is smaller or larger."""
    if isinstance(shape, Rectangle):
        return Rectangle(
            shape.x * by, shape.y * by, shape.width * by, shape.height * by,
            shape.fill, shape.stroke, shape.line * by, shape.radius * by,
        )  # fmt: skip
    if isinstance(shape, Disc):
        return Disc(
            shape.x * by, shape.y * by, shape.radius * by, shape.fill, shape.stroke, shape.line * by
        )
    if isinstance(shape, Path):
        points = tuple((x * by, y * by) for x, y in shape.points)
        return Path(points, shape.fill, shape.stroke, shape.line * by, shape.closed, shape.dashed)
    return Label(
        shape.x * by, shape.y * by, shape.text, shape.size * by, shape.tone, shape.bold,
        shape.anchor,
    )  # fmt: skip


# ------------------------------------------------------------------ hexagons


def _hexagons(board: Hexagons) -> Size:
    wide, down = 1.0, 0.866  # the distances of columns and of rows
    x0 = LABEL if board.left else 0
    y0 = LABEL if board.top else 0
    radius = wide / sqrt(3)
    shapes: Shapes = []
    last = set(board.last)
    rows = max(cell.row for cell in board.cells) + 1
    width = 0.0
    for hexagon in board.cells:
        shift = 0.5 if (hexagon.row % 2 == 1) == (board.shifted == "odd") else 0
        x, y = x0 + hexagon.column * wide + shift, y0 + hexagon.row * down
        width = max(width, x + wide)
        marked = hexagon_shapes(hexagon.cell, (hexagon.row, hexagon.column) in last, radius)
        shapes.append(Tile(x, y, marked, f"r{hexagon.row + 1}c{hexagon.column + 1}"))
    for n, text in enumerate(board.left):
        shapes.append(Label(LABEL / 2, y0 + n * down + radius, text, fitted(text, 0.5, 0.36)))
    for n, text in enumerate(board.top):
        shapes.append(Label(x0 + n * wide + 0.5, LABEL / 2, text, fitted(text, 0.5, 0.36)))
    return width, y0 + (rows - 1) * down + 2 * radius, shapes


@lru_cache(maxsize=1024)
def hexagon_shapes(cell: Cell, last: bool, radius: float) -> tuple[Shape, ...]:
    """The shapes of a hexagon of width 1 whose centre is (0.5, radius)."""
    corners = tuple(
        (0.5 + radius * sin(pi * n / 3), radius - radius * cos(pi * n / 3)) for n in range(6)
    )
    ground = "last" if last and cell.fill == "paper" else cell.fill
    shapes: list[Shape] = [Path(corners, ground, "line", HAIR, closed=True)]
    if last and cell.fill != "paper":
        ring = tuple((0.5 + 0.86 * (x - 0.5), radius + 0.86 * (y - radius)) for x, y in corners)
        shapes.append(Path(ring, stroke="last", line=0.08, closed=True))
    inner = Cell(cell.text, "paper", cell.mark, cell.tone or f"on-{ground}")
    parts = (_scaled(shape, 0.9) for shape in cell_shapes(inner, "dots"))
    return (*shapes, *(_moved(part, 0.05, radius - 0.45) for part in parts))


# ------------------------------------------------------------------ stacks


def _stacks(scene: Stacks) -> Size:
    tall = scene.height or max(map(len, scene.stacks), default=0)
    flat = 1.0 if scene.style == "tubes" else 0.6
    longest = max((len(i.text) for stack in scene.stacks for i in stack), default=1)
    wide = 1.0 if scene.style == "tubes" else max(1.6, 0.3 * longest + 0.4)
    if scene.style == "pegs":
        wide = 2.6
    step, floor_ = wide + 0.4, tall * flat + 0.3
    last = set(scene.last)
    shapes: Shapes = []
    for n, stack in enumerate(scene.stacks):
        x = n * step
        shapes += _holder(scene.style, x, wide, floor_)
        for level, item in enumerate(stack):
            y = floor_ - (level + 1) * flat
            rim = ("accent", 0.1) if (n, level) in last else ("ink", HAIR)
            if scene.style == "tubes":
                shapes.append(Disc(x + 0.5, y + 0.5, 0.42, item.tone, *rim))
            else:
                across = wide * item.width
                left, high = x + (wide - across) / 2, flat - 0.06
                shapes.append(Rectangle(left, y + 0.03, across, high, item.tone, *rim, 0.1))
            if item.text:
                room = 0.6 if scene.style == "tubes" else wide * item.width - 0.1
                size = fitted(item.text, room, 0.42)
                shapes.append(Label(x + wide / 2, y + flat / 2, item.text, size, f"on-{item.tone}"))
        if n < len(scene.labels):
            text = scene.labels[n]
            shapes.append(Label(x + wide / 2, floor_ + 0.4, text, fitted(text, wide + 0.3, 0.4)))
    width = len(scene.stacks) * step - 0.4
    return width, floor_ + (0.7 if scene.labels else 0.1), shapes


def _holder(style: str, x: float, wide: float, floor_: float) -> Iterator[Shape]:
    if style == "tubes":
        rim = ((x, 0.1), (x, floor_ + 0.05), (x + wide, floor_ + 0.05), (x + wide, 0.1))
        yield Path(rim, stroke="shade", line=0.07)
        return
    if style == "pegs":
        yield Rectangle(x + wide / 2 - 0.07, 0, 0.14, floor_, "shade", radius=0.05)
    yield Rectangle(x - 0.1, floor_, wide + 0.2, 0.1, "shade")


# ------------------------------------------------------------------ graphs


NOTE = 0.3
"""The size of texts at nodes and edges."""

NOTE_BELOW = 0.2
"""How far below a node its note stands."""


def _graph(graph: Graph) -> Size:
    longest = max((len(node.name) for node in graph.nodes), default=1)
    radius = 0.3 if longest < 3 else 0.36
    halves = [_half(node, radius) for node in graph.nodes]
    longest_text = max((len(edge.text) for edge in graph.edges), default=0)
    rim = max([0.5, *halves])
    crowded = 0.15 * (rim > 0.5) + min(0.5, 0.06 * longest_text)
    tall = side(len(graph.nodes)) * (1 + crowded)
    wide = tall * (1 + min(0.4, 0.06 * longest_text) * (rim > 0.5))  # for texts between boxes
    spots = [(rim + x * wide, 0.5 + y * tall) for x, y in positions(graph)]
    boxes = [(x, y, half, radius) for (x, y), half in zip(spots, halves, strict=True)]
    both = {(edge.start, edge.end) for edge in graph.edges}
    shapes: Shapes = []
    lines: list[tuple[XY, XY, float]] = []
    for edge in graph.edges:
        if edge.start == edge.end:
            x, y, half, _ = boxes[edge.start]
            shapes.append(Disc(x + half, y - radius, 0.22, stroke=edge.tone, line=HAIR))
            lines.append(((x + half + 0.3, y - radius - 0.2),) * 2 + (0,))
            continue
        twin = (edge.end, edge.start) in both and graph.directed
        start, end = _ends(boxes[edge.start], boxes[edge.end], 0.09 if twin else 0)
        shapes += _edge(edge, start, end, graph.directed)
        lines.append((start, end, _note_width(edge.text) / 2 if edge.text else 0))
    texted = [(edge, line) for edge, line in zip(graph.edges, lines, strict=True) if edge.text]
    notes = [
        (x, y + radius + NOTE_BELOW, _note_width(node.note) / 2, 0.6 * NOTE)
        for node, (x, y) in zip(graph.nodes, spots, strict=True)
        if node.note
    ]
    at = text_spots(tuple(line for _, line in texted), (*boxes, *notes), 0.6 * NOTE)
    labels: Shapes = []
    for (edge, _), (x, y) in zip(texted, at, strict=True):
        labels += _note(x, y, edge.text, "ink" if edge.tone[0] in "ct" else edge.tone)
    shapes += labels
    notes_below: Shapes = []
    for n, (node, box) in enumerate(zip(graph.nodes, boxes, strict=True)):
        shapes.append(_node(node, box, f"node-{n}"))
        if node.note:
            notes_below += _note(box[0], box[1] + radius + NOTE_BELOW, node.note, node.note_tone)
    below = 0.15 if any(node.note for node in graph.nodes) else 0
    return wide + 2 * rim, tall + 1 + below, [*shapes, *notes_below]


def _half(node: Node, radius: float) -> float:
    """Half the width of a node."""
    return radius if node.shape == "disc" else max(radius, 0.11 * len(node.name) + 0.1)


def _node(node: Node, box: Box, name: str) -> Tile:
    x, y, half, radius = box
    disc = node.shape == "disc"
    body: Shape = (
        Disc(half, radius, radius, node.tone, "ink", HAIR)
        if disc
        else Rectangle(0, 0, 2 * half, 2 * radius, node.tone, "ink", HAIR, 0.08)
    )
    size = fitted(node.name, 1.5 * radius if disc else 2 * half - 0.1, 0.36)
    text = Label(half, radius, node.name, size, f"on-{node.tone}")
    return Tile(x - half, y - radius, (body, text), name)


def _note_width(text: str) -> float:
    return 0.55 * NOTE * len(text) + 0.1


def _note(x: float, y: float, text: str, tone: Tone) -> Shapes:
    width = _note_width(text)
    ground = Rectangle(x - width / 2, y - 0.18, width, 0.36, "back", radius=0.05)
    return [ground, Label(x, y, text, NOTE, tone)]


def _ends(one: Box, other: Box, aside: float) -> tuple[XY, XY]:
    """Where an edge leaves one node and meets the other."""
    (ax, ay, *_), (bx, by, *_) = one, other
    length = hypot(bx - ax, by - ay) or 1
    ux, uy = (bx - ax) / length, (by - ay) / length
    sx, sy = -uy * aside, ux * aside
    near, far = _rim_distance(one, ux, uy), _rim_distance(other, ux, uy)
    return (ax + ux * near + sx, ay + uy * near + sy), (bx - ux * far + sx, by - uy * far + sy)


def _rim_distance(box: Box, ux: float, uy: float) -> float:
    """How far it is from the centre of a node to its rim, in a direction."""
    _, _, half, radius = box
    if half == radius:
        return radius
    return min(half / max(abs(ux), 1e-9), radius / max(abs(uy), 1e-9))


def _edge(edge: Edge, start: XY, end: XY, directed: bool) -> Shapes:
    width = 0.09 if edge.wide else 0.04
    line = _shortened((start, end), 0.16) if directed else (start, end)
    shapes: Shapes = [Path(line, stroke=edge.tone, line=width, dashed=edge.dashed)]
    if directed:
        shapes.append(_head(start, end, edge.tone, 0.3 if edge.wide else 0.24))
    return shapes


# ------------------------------------------------------------------ planes


def _plane(plane: Plane) -> Size:
    points = [xy for figure in plane.figures for xy in _points_of(figure)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low_x, high_x, low_y, high_y = min(xs), max(xs), min(ys), max(ys)
    if plane.axes:
        low_x, high_x = min(low_x, 0), max(high_x, 0)
        low_y, high_y = min(low_y, 0), max(high_y, 0)
    span = max(high_x - low_x, high_y - low_y) or 1
    scale, rim = 7 / span, 0.7
    names = [name for figure in plane.figures for name in _names_of(figure)]
    rim_x = max(rim, 0.12 * max(map(len, names), default=0) + 0.34)
    width = 2 * rim_x + (high_x - low_x) * scale

    def at(x: float, y: float) -> XY:
        return rim_x + (x - low_x) * scale, rim + (high_y - y) * scale

    shapes: Shapes = []
    if plane.axes:
        shapes += _axes(at, (low_x, high_x, low_y, high_y), span)
    for sort in (Polygon, Curve):
        for figure in plane.figures:
            if isinstance(figure, sort):
                shapes += _figure(figure, at)
    shapes += _points([figure for figure in plane.figures if isinstance(figure, Point)], at)
    return width, 2 * rim + (high_y - low_y) * scale, [_within(shape, width) for shape in shapes]


def _within(shape: Shape | Tile, width: float) -> Shape | Tile:
    """A shape; labels that stick out at the left or right are moved in."""
    if not isinstance(shape, Label) or shape.anchor != "middle":
        return shape
    half = min(width / 2, 0.28 * shape.size * len(shape.text))
    return _moved(shape, min(max(shape.x, half), width - half) - shape.x, 0)


def _points_of(figure: Point | Polygon | Curve) -> Sequence[XY]:
    return [(figure.x, figure.y)] if isinstance(figure, Point) else figure.points


def _names_of(figure: Point | Polygon | Curve) -> Sequence[str]:
    if isinstance(figure, Point):
        return (figure.name,)
    return figure.names if isinstance(figure, Polygon) else ()


NAMED = 0.36
"""The size of the names of points."""


def _points(points: Sequence[Point], at: Callable[[float, float], XY]) -> Iterator[Shape]:
    """Discs with names beside them, which stand where they meet the fewest others."""
    spots = [at(point.x, point.y) for point in points]
    taken: list[Box] = [(x, y, 0.12, 0.12) for x, y in spots]
    for point, (x, y) in zip(points, spots, strict=True):
        yield Disc(x, y, 0.1, point.tone)
        if not point.name:
            continue
        wide, high = 0.28 * NAMED * len(point.name), 0.4 * NAMED
        best = min(
            ((x + dx * (wide + 0.12), y + dy * 0.28) for dx, dy in _BESIDE),
            key=lambda spot: overlaps(spot[0], spot[1], wide, high, taken),
        )
        taken.append((*best, wide, high))
        yield Label(*best, point.name, NAMED, point.tone)


_BESIDE = ((1, -0.7), (1, 0.7), (-1, -0.7), (-1, 0.7), (1, 0), (-1, 0), (0, -1), (0, 1))
"""The directions in which the name of a point may stand, the preferred ones first."""


def _figure(figure: Polygon | Curve, at: Callable[[float, float], XY]) -> Iterator[Shape | Tile]:
    points = tuple(at(x, y) for x, y in figure.points)
    if isinstance(figure, Curve):
        yield Path(points, stroke=figure.tone, line=0.06, dashed=figure.dashed)
        if figure.arrow:
            yield _head(points[-2], points[-1], figure.tone, 0.3)
        if figure.text:
            yield from _note(*_middle(points[0], points[-1]), figure.text, figure.tone)
        return
    yield Path(points, figure.fill, figure.tone, 0.06, closed=True)
    centre = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    for n, (name, point) in enumerate(zip(figure.names, points, strict=False)):
        dx, dy = _outwards(points, n)
        x = point[0] + dx * (0.2 + 0.28 * NAMED * len(name))
        yield Label(x, point[1] + 0.32 * dy, name, NAMED)
    for text, (one, other) in zip(figure.sides, pairwise([*points, points[0]]), strict=False):
        if text:
            x, y = _outside(_middle(one, other), centre, 0.3)
            yield Label(x, y, text, 0.34)


def _middle(one: XY, other: XY) -> XY:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _outwards(points: Sequence[XY], n: int) -> XY:
    """The direction from a corner of a polygon away from its inside."""
    (ax, ay), (x, y), (bx, by) = points[n - 1], points[n], points[(n + 1) % len(points)]
    one, other = hypot(ax - x, ay - y) or 1, hypot(bx - x, by - y) or 1
    dx, dy = (x - ax) / one + (x - bx) / other, (y - ay) / one + (y - by) / other
    area = sum(p[0] * q[1] - q[0] * p[1] for p, q in pairwise([*points, points[0]]))
    turn = (x - ax) * (by - y) - (bx - x) * (y - ay)
    length = hypot(dx, dy)
    if length < 1e-9:
        dx, dy, length = (by - y) / other, (x - bx) / other, 1
        turn = area if area < 0 else -area
    sign = 1 if (turn > 0) == (area > 0) else -1
    return sign * dx / length, sign * dy / length


def _outside(point: XY, centre: XY, by: float) -> XY:
    dx, dy = point[0] - centre[0], point[1] - centre[1]
    length = hypot(dx, dy) or 1
    return point[0] + by * dx / length, point[1] + by * dy / length


def _axes(at: Callable[[float, float], XY], box: Box, span: float) -> Iterator[Shape]:
    low_x, high_x, low_y, high_y = box
    step = _round_step(span / 8)
    for n in range(ceil(low_x / step), floor(high_x / step) + 1):
        yield Path((at(n * step, low_y), at(n * step, high_y)), stroke="muted", line=HAIR)
        x, y = at(n * step, low_y)
        yield Label(x, y + 0.3, f"{n * step:g}", 0.28)
    for n in range(ceil(low_y / step), floor(high_y / step) + 1):
        yield Path((at(low_x, n * step), at(high_x, n * step)), stroke="muted", line=HAIR)
        x, y = at(low_x, n * step)
        yield Label(x - 0.12, y, f"{n * step:g}", 0.28, anchor="end")
    yield Path((at(low_x, 0), at(high_x, 0)), stroke="shade", line=0.05)
    yield Path((at(0, low_y), at(0, high_y)), stroke="shade", line=0.05)


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of 10, at least so large."""
    power: float = 10.0 ** floor(log10(max(least, 1e-9)))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= least - 1e-12)


# ------------------------------------------------------------------ cards, text, panels


def _cards(scene: Cards) -> Size:
    longest = max((len(label) for label in scene.labels), default=0)
    x0 = 0.24 * longest + 0.3 if longest else 0
    shapes: Shapes = []
    width, y = 0.0, 0.0
    for n, row in enumerate(scene.rows):
        tall = 1.4 if any(card.shape in {"card", "tile"} for card in row) else 1.0
        if n < len(scene.labels):
            shapes.append(Label(0, y + tall / 2, scene.labels[n], 0.4, anchor="start"))
        for m, card in enumerate(row):
            shapes.append(Tile(x0 + 1.15 * m, y, card_shapes(card), f"card-{n}-{m}"))
        width = max(width, x0 + 1.15 * len(row))
        y += tall + 0.2
    return max(width - 0.15, x0), y - 0.2, shapes


@cache
def card_shapes(card: Card) -> tuple[Shape, ...]:
    """The shapes of a card, 1 wide and 1.4 high, or of a die or coin, 1 wide and 1 high."""
    tall = 1.4 if card.shape in {"card", "tile"} else 1.0
    if card.shape == "coin":
        shapes: list[Shape] = [Disc(0.5, 0.5, 0.46, card.fill, "ink", 0.04)]
    else:
        radius = 0.18 if card.shape == "die" else 0.1
        shapes = [Rectangle(0.02, 0.02, 0.96, tall - 0.04, card.fill, "ink", HAIR, radius)]
    if card.shape == "die" and card.text in set("123456"):
        return (*shapes, *pip_shapes(int(card.text), card.tone))
    down = 0.42 if card.mark and card.text else tall / 2
    if card.mark:
        low = tall - 0.98 if card.text else tall / 2 - 0.5
        shapes += [_moved(s, 0, low) for s in mark_shapes(card.mark, card.tone)]
    if card.text:
        shapes.append(Label(0.5, down, card.text, fitted(card.text, 0.8, 0.56), card.tone))
    return tuple(shapes)


AXIS, ROW = 11.0, 0.62
"""The length of the axis of a timeline, and the distance of its rows."""


def _timeline(scene: Timeline) -> Size:
    longest = max((len(label) for label in scene.labels), default=0)
    x0 = 0.27 * longest + 0.2 if longest else 0.3
    notes = max((len(note) for note in scene.notes), default=0)
    low, high = scene.start, max([scene.end, *(bar.end for row in scene.rows for bar in row)])
    scale = AXIS / ((high - low) or 1)
    tall = ROW * len(scene.rows)
    shapes: Shapes = []
    for point, text in scene.ticks or _round_ticks(low, high):
        x = x0 + (point - low) * scale
        shapes.append(Path(((x, 0), (x, tall)), stroke="muted", line=HAIR))
        shapes.append(Label(x, tall + 0.25, text, 0.3))
    for n, row in enumerate(scene.rows):
        y = n * ROW
        shapes.append(Path(((x0, y + ROW), (x0 + AXIS, y + ROW)), stroke="muted", line=HAIR))
        if n < len(scene.labels):
            shapes.append(Label(x0 - 0.12, y + ROW / 2, scene.labels[n], 0.38, anchor="end"))
        for m, bar in enumerate(row):
            width = max(0.03, (bar.end - bar.start) * scale)
            body = Rectangle(0, 0, width, 0.5, bar.tone, "ink", HAIR, 0.05)
            size = fitted(bar.text, 0.9 * width, 0.36)
            legible = bar.text and size > 0.14
            label = [Label(width / 2, 0.25, bar.text, size, f"on-{bar.tone}")] if legible else []
            x = x0 + (bar.start - low) * scale
            shapes.append(Tile(x, y + 0.06, (body, *label), f"bar-{n}-{m}"))
        if n < len(scene.notes):
            x = x0 + AXIS + 0.12
            shapes.append(Label(x, y + ROW / 2, scene.notes[n], 0.36, anchor="start"))
    return x0 + AXIS + (0.22 * notes + 0.2 if notes else 0.3), tall + 0.45, shapes


def _round_ticks(low: float, high: float) -> list[tuple[float, str]]:
    step = _round_step((high - low or 1) / 10)
    numbers = range(ceil(low / step), floor(high / step) + 1)
    return [(n * step, f"{n * step:g}") for n in numbers]


LONGEST = 24
"""How many characters a column of a table has room for at most; longer texts are smaller."""


def _table(scene: Table) -> Size:
    size = 0.38
    columns = max([len(scene.top), *map(len, scene.rows)], default=0)
    longest = [max([1, *_lengths(scene, n)]) for n in range(columns)]
    widths = [0.58 * size * min(LONGEST, length) + 0.3 for length in longest]
    x0 = 0.58 * size * max(map(len, scene.left)) + 0.3 if scene.left else 0.0
    starts = [x0 + sum(widths[:n]) for n in range(columns)]
    y0 = ROW if scene.top else 0.0
    shapes: Shapes = [
        Label(x + width / 2, ROW / 2, name, fitted(name, width - 0.1, size))
        for x, width, name in zip(starts, widths, scene.top, strict=False)
    ]
    for r, row in enumerate(scene.rows):
        y = y0 + r * ROW
        if r < len(scene.left):
            shapes.append(Label(x0 / 2, y + ROW / 2, scene.left[r], size))
        for c, cell in enumerate(row):
            marked = _table_cell(cell, widths[c], size, (r, c) in scene.last)
            shapes.append(Tile(starts[c], y, marked, f"r{r + 1}c{c + 1}"))
    return x0 + sum(widths), y0 + ROW * len(scene.rows), shapes


def _lengths(scene: Table, column: int) -> Iterator[int]:
    """How long the texts of a column of a table are."""
    yield from (len(name) for name in scene.top[column : column + 1])
    for row in scene.rows:
        yield from (len(cell.text) for cell in row[column : column + 1])


@lru_cache(maxsize=4096)
def _table_cell(cell: Cell, width: float, most: float, last: bool) -> tuple[Shape, ...]:
    """The shapes of a cell of a table."""
    ground = "last" if last and cell.fill == "paper" else cell.fill
    line = ("last", 0.08) if last and cell.fill != "paper" else ("line", HAIR)
    body = Rectangle(0, 0, width, ROW, ground, *line)
    if not cell.text:
        return (body,)
    size = fitted(cell.text, width - 0.1, most)
    return body, Label(width / 2, ROW / 2, cell.text, size, cell.tone or f"on-{ground}", cell.fixed)


def _text(scene: Text) -> Size:
    size = 0.42
    longest = max(
        (0.6 * len(line) if scene.mono else _ems(line) for line in scene.lines), default=1
    )
    shapes: Shapes = [
        Label(0, 0.35 + 0.6 * n, line, size, anchor="start") for n, line in enumerate(scene.lines)
    ]
    return size * longest + 0.2, 0.6 * len(scene.lines) + 0.1, shapes


def _ems(line: str) -> float:
    """About how wide a line is in the wider ones of the usual fonts, in multiples of its size."""
    return sum(0.33 if c in " ijlft.,:;'|" else 0.92 if c in "mwMW" else 0.63 for c in line)


def _panels(scene: Panels) -> Size:
    laid = [_LAYOUTS[type(each)](each) for each in scene.scenes]
    columns = max(1, min(scene.columns, len(laid)))
    rows = [laid[n : n + columns] for n in range(0, len(laid), columns)]
    widths = [max(row[n][0] for row in rows if n < len(row)) for n in range(columns)]
    caption = 0.7 if scene.captions else 0
    shapes: Shapes = []
    y = 0.0
    for r, row in enumerate(rows):
        x = 0.0
        for c, (width, _, parts) in enumerate(row):
            number = r * columns + c
            if number < len(scene.captions):
                text = scene.captions[number]
                middle = x + widths[c] / 2
                shapes.append(Label(middle, y + 0.3, text, fitted(text, widths[c] + 0.4, 0.42)))
            inset = (widths[c] - width) / 2
            shapes += [_moved(shape, x + inset, y + caption) for shape in parts]
            x += widths[c] + 0.8
        y += caption + max(height for _, height, _ in row) + 0.6
    return sum(widths) + 0.8 * (columns - 1), y - 0.6, shapes


_LAYOUTS: dict[type, Callable[[Any], Size]] = {
    Grid: _grid,
    Hexagons: _hexagons,
    Stacks: _stacks,
    Graph: _graph,
    Plane: _plane,
    Cards: _cards,
    Timeline: _timeline,
    Table: _table,
    Text: _text,
    Panels: _panels,
}
