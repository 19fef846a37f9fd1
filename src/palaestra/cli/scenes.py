"""Scenes in the terminal: boards, hexagons, stacks and cards as coloured characters.

A scene is drawn only where characters show everything that it contains. All others, such as graphs,
figures and boards with lines through their cells, are None, and the text of the task stands alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from palaestra.scenes.elements import (
    Border,
    Cards,
    Cell,
    Grid,
    Hexagons,
    Item,
    Panels,
    Scene,
    Stacks,
)
from palaestra.scenes.palette import colour

Lines = list[Text]

SIGNS = {
    "disc": "●", "ring": "○", "square": "■", "diamond": "◆", "triangle": "▲", "star": "★",
    "cross": "×", "dot": "•", "bulb": "◉", "up": "↑", "down": "↓", "left": "←", "right": "→",
    "up-left": "↖", "up-right": "↗", "down-left": "↙", "down-right": "↘", "slash": "╱",
    "backslash": "╲", "horizontal": "─", "vertical": "│", "plus": "+", "minus": "−", "heart": "♥",
    "spade": "♠", "club": "♣", "tent": "△", "tree": "♣", "flag": "⚑", "mine": "✱", "person": "☺",
    "box": "▣", "chevron-up": "∧", "chevron-down": "∨", "chevron-left": "‹", "chevron-right": "›",
    "king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟",
    "cat": "C", "key": "k", "lock": "l", "door": "d",
}  # fmt: skip
"""A character of one column for each mark."""

JOINTS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""Heavy lines by the sides on which they go on: 1 up, 2 right, 4 down, 8 left."""

EMPTY = "·"

OWN = {"", "none", "paper", "back", "ink", "line", "dark"}
"""Tones for which the terminal's own colours stand."""

DARK = {"dark", "ink"}
"""Grounds that the colour of the terminal's text stands for."""

Edge = tuple[int, int]


def lines_of(scene: Scene, width: int) -> Lines | None:
    """A scene as lines of text, or None where it cannot be shown, or is wider than ``width``."""
    lines = _lines_of(scene, width)
    if lines is None or max(map(_width, lines), default=0) > width:
        return None
    return lines


def _lines_of(scene: Scene, width: int) -> Lines | None:
    if isinstance(scene, Panels):
        return _panels(scene, width)
    if isinstance(scene, Grid):
        return _Board(scene).lines() if _is_plain(scene) else None
    if isinstance(scene, Hexagons):
        return _hexagons(scene)
    if isinstance(scene, Stacks):
        return _stacks(scene)
    return _cards(scene) if isinstance(scene, Cards) else None


def _width(line: Text) -> int:
    return cell_len(line.plain)


# ------------------------------------------------------------------ single cells


def _style(tone: str, ground: str = "", bold: bool = False) -> Style:
    """The colours of a text; tones of ``OWN`` are those of the terminal."""
    if ground in DARK:  # as dark as the ground of many terminals
        return Style(reverse=True, bold=bold)
    back = None if ground in OWN else colour(ground)
    legible = colour(f"on-{ground}") if back else None
    return Style(color=legible if tone in OWN else colour(tone), bgcolor=back, bold=bold)


def _is_piece(cell: Cell) -> bool:
    """Whether it is a piece of chess with its letter in the corner, which shows its side."""
    return bool(cell.corner and cell.mark and not cell.text)


def _content(cell: Cell) -> str:
    if _is_piece(cell):
        return cell.corner
    if any(cell.halves):
        return "╲".join(cell.halves)
    if cell.text and cell.mark in {"", "disc", "square", "box", "diamond", "ring", "key", "lock"}:
        return cell.text
    return cell.text + SIGNS.get(cell.mark, "")


def _chip(cell: Cell, width: int, is_last: bool = False) -> Text:
    """A cell of a board; a text on a mark has the colour of the mark as its ground."""
    if cell.fill == "none":
        return Text(" " * width)
    content = _content(cell)
    on_mark = bool(cell.text and cell.mark in {"disc", "square", "box", "diamond"})
    ground = (cell.tone or "shade") if on_mark else "last" if is_last else cell.fill
    if not content and ground in OWN - DARK:
        return Text(EMPTY.center(width), Style(dim=True))
    tone = "" if on_mark or _is_piece(cell) else cell.tone
    style = _style(tone, ground, bold=bool(content))
    corner = "" if _is_piece(cell) else cell.corner
    chip = Text(corner + _centred(content, width - cell_len(corner)), style)
    if corner:
        chip.stylize(Style(bold=False, dim=True), 0, len(corner))
    return chip


def _room(cell: Cell) -> int:
    """The columns that a cell needs, with a space on each side."""
    return cell_len(_content(cell)) + (2 if _is_piece(cell) else 2 + cell_len(cell.corner))


def _centred(text: str, width: int) -> str:
    spare = max(0, width - cell_len(text))
    return " " * (spare // 2) + text + " " * (spare - spare // 2)


# ------------------------------------------------------------------ boards


def _is_plain(grid: Grid) -> bool:
    """Whether characters show all of a grid: no lines through cells, and whole borders."""
    whole = all(float(x).is_integer() for b in grid.borders for point in b.points for x in point)
    texts = [each.text for each in grid.between] + [text for row in grid.corners for text in row]
    return whole and not grid.lines and all(len(text) < 2 for text in texts)


class _Board:
    """A grid whose cells stand in lines and columns, with borders where there is one to be seen."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.rows, self.columns = len(grid.cells), len(grid.cells[0])
        rooms = [_room(cell) for row in grid.cells for cell in row]
        labels = [text for labels in (*self.above(), *grid.bottom) for text in labels]
        self.cell = max(3, *rooms, *(2 + cell_len(text) for text in labels))
        self.flat: dict[Edge, str] = {}
        """The tones of horizontal borders, by row of the border and column of the cell."""
        self.upright: dict[Edge, str] = {}
        self._frame()
        for border in grid.borders:
            self._add(border)
        self.signs = {(b.row, b.column, b.side): b for b in grid.between}
        dotted = grid.style == "dots" or bool(grid.corners)
        self.rules = {row for row, _ in self.flat} | {
            b.row + 1 for b in grid.between if b.side == "down"
        }
        self.bars = {column for _, column in self.upright} | {
            b.column + 1 for b in grid.between if b.side == "right"
        }
        if dotted:
            self.rules, self.bars = {*range(self.rows + 1)}, {*range(self.columns + 1)}

    def above(self) -> Sequence[Sequence[str]]:
        if self.grid.coordinates and not self.grid.top:
            return [(str(column + 1),) for column in range(self.columns)]
        return self.grid.top

    def beside(self) -> Sequence[Sequence[str]]:
        if self.grid.coordinates and not self.grid.left:
            return [(str(row + 1),) for row in range(self.rows)]
        return self.grid.left

    def region(self, row: int, column: int) -> int | None:
        """What a border separates; None outside the board."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        if self.grid.cells[row][column].fill == "none":
            return None
        return self.grid.regions[row][column] if self.grid.regions else 0

    def _frame(self) -> None:
        """Borders around the board and between regions."""
        if self.grid.style == "dots":
            return
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                if column < self.columns and self._are_apart((row - 1, column), (row, column)):
                    self.flat[row, column] = ""
                if row < self.rows and self._are_apart((row, column - 1), (row, column)):
                    self.upright[row, column] = ""

    def _are_apart(self, one: Edge, other: Edge) -> bool:
        """Whether a border separates two cells: not where their colours do."""
        regions = self.region(*one), self.region(*other)
        if None in regions:
            return regions[0] != regions[1]
        fills = {self.grid.cells[row][column].fill for row, column in (one, other)}
        return regions[0] != regions[1] and (len(fills) == 1 or fills <= OWN)

    def _add(self, border: Border) -> None:
        for start, end in pairwise(border.points):
            (top, left), (bottom, right) = sorted([start, end])
            if top == bottom:
                first, last = sorted((int(left), int(right)))
                self.flat |= {(int(top), column): border.tone for column in range(first, last)}
            else:
                rows = range(int(top), int(bottom))
                self.upright |= {(row, int(left)): border.tone for row in rows}

    def lines(self) -> Lines:
        margins = [" ".join(labels) for labels in self.beside()] or [""] * self.rows
        margin = max(map(cell_len, margins))
        result = [self._labels(labels, margin) for labels in _levels(self.above(), at_end=True)]
        for row in range(self.rows + 1):
            if row in self.rules:
                result.append(self._rule(row, margin))
            if row < self.rows:
                result.append(self._line(row, margins[row], margin))
        result += [self._labels(labels, margin) for labels in _levels(self.grid.bottom)]
        return result

    def _labels(self, labels: Sequence[str], margin: int) -> Text:
        line = Text(" " * (margin + 1), Style(dim=True))
        for column, label in enumerate(labels):
            line.append(" " * (column in self.bars))
            line.append(_centred(label, self.cell))
        return line

    def _line(self, row: int, label: str, margin: int) -> Text:
        line = Text.assemble((label.rjust(margin) + " ", Style(dim=True)))
        for column in range(self.columns + 1):
            if column in self.bars:
                line.append_text(self._bar(row, column))
            if column < self.columns:
                is_last = (row, column) in self.grid.last
                line.append_text(_chip(self.grid.cells[row][column], self.cell, is_last))
        if self.grid.right:
            line.append(" " + " ".join(self.grid.right[row]), Style(dim=True))
        return line

    def _bar(self, row: int, column: int) -> Text:
        if sign := self.signs.get((row, column - 1, "right")):
            return Text(sign.text or SIGNS.get(sign.mark, " ") or " ", _style(sign.tone, bold=True))
        if (row, column) in self.upright:
            return Text("┃", _style(self.upright[row, column]))
        return Text(" ", self._shared((row, column - 1), (row, column)))

    def _shared(self, one: Edge, other: Edge) -> Style:
        """The colour of two cells of one piece, which has no gap between them."""
        if self.region(*one) is None or self.region(*one) != self.region(*other):
            return Style()
        fills = {self.grid.cells[row][column].fill for row, column in (one, other)}
        return _style("", fills.pop()) if len(fills) == 1 else Style()

    def _rule(self, row: int, margin: int) -> Text:
        """The line of borders above a row."""
        line = Text(" " * (margin + 1))
        for column in range(self.columns + 1):
            if column in self.bars:
                line.append_text(self._joint(row, column))
            if column < self.columns:
                line.append_text(self._side(row, column))
        return line

    def _side(self, row: int, column: int) -> Text:
        if sign := self.signs.get((row - 1, column, "down")):
            text = sign.text or SIGNS.get(sign.mark, " ") or " "
            return Text(_centred(text, self.cell), _style(sign.tone, bold=True))
        if (row, column) in self.flat:
            return Text("━" * self.cell, _style(self.flat[row, column]))
        return Text(" " * self.cell, self._shared((row - 1, column), (row, column)))

    def _joint(self, row: int, column: int) -> Text:
        if self.grid.corners and self.grid.corners[row][column]:
            return Text(self.grid.corners[row][column], Style(bold=True))
        around = (
            self.upright.get((row - 1, column)), self.flat.get((row, column)),
            self.upright.get((row, column)), self.flat.get((row, column - 1)),
        )  # fmt: skip
        sides = sum(1 << n for n, tone in enumerate(around) if tone is not None)
        if not sides:
            return Text(EMPTY if self.grid.style == "dots" else " ", Style(dim=True))
        return Text(JOINTS[sides], _style(next(tone for tone in around if tone is not None)))


def _levels(labels: Sequence[Sequence[str]], at_end: bool = False) -> Iterator[list[str]]:
    """Labels of columns line by line; shorter ones stand at the top, or at the end."""
    height = max(map(len, labels), default=0)
    filled = [
        ["", *[""] * (height - len(each) - 1), *each][-height:]
        if at_end and len(each) < height
        else [*each, *[""] * (height - len(each))]
        for each in labels
    ]
    yield from ([each[n] for each in filled] for n in range(height))


# ------------------------------------------------------------------ other scenes


def _hexagons(board: Hexagons) -> Lines:
    """Rows of cells, of which every other one is shifted by half a cell."""
    cells = {(each.row, each.column): each.cell for each in board.cells}
    rows, columns = (max(each[n] for each in cells) + 1 for n in range(2))
    size = max(3, *(cell_len(_content(cell)) for cell in cells.values()))
    half = (size + 1) // 2
    margin = max((cell_len(label) for label in board.left), default=0) + 1
    shifted = 1 if board.shifted == "odd" else 0
    lines = []
    if board.top:
        labels = "".join(_centred(label, size) + " " for label in board.top)
        lines.append(Text(" " * margin + labels.rstrip(), Style(dim=True)))
    for row in range(rows):
        label = (board.left[row] if board.left else "").rjust(margin - 1) + " "
        line = Text.assemble((label, Style(dim=True)), " " * (half * (row % 2 == shifted)))
        for column in range(columns):
            cell = cells.get((row, column), Cell(fill="none"))
            line.append_text(_chip(cell, size, (row, column) in board.last)).append(" ")
        lines.append(line)
    return lines


def _stacks(scene: Stacks) -> Lines:
    """Stacks from the top down, above their names."""
    items = [item for stack in scene.stacks for item in stack]
    text = max((cell_len(item.text) for item in items), default=1)
    sizes = {item.width for item in items}
    size = max(text + 2, 3 if sizes <= {1.0} else 2 * len(sizes) + 1)
    height = max([scene.height, *map(len, scene.stacks)])
    lines = []
    for level in reversed(range(height)):
        line = Text()
        for n, stack in enumerate(scene.stacks):
            is_last = (n, level) in scene.last
            item = stack[level] if level < len(stack) else None
            line.append_text(_item(item, size, scene.style, is_last)).append(" ")
        lines.append(line)
    if scene.style != "tubes":
        lines.append(Text(f"{'━' * size} " * len(scene.stacks)))
    if scene.labels:
        room = size + 2 * (scene.style == "tubes")
        lines.append(Text("".join(f"{_centred(label, room)} " for label in scene.labels)))
    return lines


def _item(item: Item | None, size: int, style: str, is_last: bool) -> Text:
    """An item of a stack, or the space where none is."""
    wall = "│" if style == "tubes" else ""
    if item is None:
        return Text(wall + _centred("│" if style == "pegs" else " ", size) + wall, Style(dim=True))
    own = max(cell_len(item.text), round(item.width * size))
    own += (size - own) % 2
    chip = Text(_centred(item.text, own), _style("", item.tone, bold=True))
    if is_last:
        chip.stylize(Style(underline=True))
    left = (size - own) // 2
    return Text.assemble(wall, " " * left, chip, " " * (size - own - left), wall)


def _cards(scene: Cards) -> Lines:
    """Rows of cards, each after its label."""
    margin = max((cell_len(label) for label in scene.labels), default=0)
    lines = []
    for n, row in enumerate(scene.rows):
        label = scene.labels[n] if n < len(scene.labels) else ""
        line = Text(label.ljust(margin) + "  " * bool(margin))
        for card in row:
            content = card.text + SIGNS.get(card.mark, "")
            ground = "muted" if card.fill in OWN else card.fill
            line.append(f" {content or ' '} ", _style(card.tone, ground, bold=True)).append(" ")
        lines.append(line)
    return lines


def _panels(scene: Panels, width: int) -> Lines | None:
    """Scenes beside each other, as many as fit, each below its caption."""
    blocks = []
    for n, each in enumerate(scene.scenes):
        lines = _lines_of(each, width)
        if lines is None:
            return None
        caption = scene.captions[n] if n < len(scene.captions) else ""
        blocks.append([Text(caption, Style(bold=True))] * bool(caption) + lines)
    result: Lines = []
    for row in _rows(blocks, scene.columns, width):
        result += [Text()] * bool(result) + _beside(row)
    return result


def _rows(blocks: Iterable[Lines], columns: int, width: int) -> Iterator[list[Lines]]:
    """Blocks in rows of at most so many columns and characters."""
    row: list[Lines] = []
    used = 0
    for block in blocks:
        size = max(map(_width, block), default=0) + 4
        if row and (len(row) == columns or used + size - 4 > width):
            yield row
            row, used = [], 0
        row.append(block)
        used += size
    if row:
        yield row


def _beside(blocks: Sequence[Lines]) -> Lines:
    """Blocks of lines beside each other."""
    sizes = [max(map(_width, block), default=0) + 4 for block in blocks]
    lines = []
    for n in range(max(map(len, blocks))):
        line = Text()
        for block, size in zip(blocks, sizes, strict=True):
            part = block[n] if n < len(block) else Text()
            line.append_text(part).append(" " * (size - _width(part)))
        lines.append(line)
    return lines
