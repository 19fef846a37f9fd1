"""Erno Rubik's cube (1974) of side 2 or 3 as stickers that turns permute.

The stickers are numbered face by face in the order U, R, F, D, L, B, and on each face row by row as
it is seen from outside: U with B at its top, D with F at its top, the others with U at their top.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import product
from math import isqrt

from palaestra.generators.bidirectional_search import Board, Turns, carried
from palaestra.scenes import Border, Cell, Grid

FACES = "URFDLB"
COLOURS = "WYROGB"
TONES = {"W": "white", "Y": "c6", "R": "c3", "O": "c1", "G": "c2", "B": "c0"}
QUARTERS = {"": 1, "2": 2, "'": 3}
"""What may follow the name of a face, and how many quarter turns clockwise that means."""

Spot = tuple[int, int, int]

# For each face: which way it looks, which way its rows run and its columns run down, in
# coordinates that grow to the right, up, and towards whoever looks at F.
_LOOKS: dict[str, tuple[Spot, Spot, Spot]] = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}


def _stickers(size: int) -> list[Spot]:
    """The position of each sticker, half a unit above the surface, in halves of a unit."""
    offsets = range(1 - size, size, 2)
    return [
        tuple(n * size + c * a + r * b for n, a, b in zip(*_LOOKS[face]))  # type: ignore[misc]
        for face in FACES
        for r, c in product(offsets, offsets)
    ]


def _quarter(spot: Spot, axis: Spot) -> Spot:
    """A position after a quarter turn, clockwise as seen from outside."""
    x, y, z = spot
    a, b, c = axis
    along = a * x + b * y + c * z
    # Turning clockwise about an axis is v -> (v . n) n + v x n.
    cross = (y * c - z * b, z * a - x * c, x * b - y * a)
    return (along * a + cross[0], along * b + cross[1], along * c + cross[2])


@lru_cache(maxsize=4)
def cube(size: int) -> Turns:
    """The turns of a cube, by their usual names.

    >>> board = tuple(range(24))
    >>> cube(2).act["U"](board)[:4], cube(2).act["U"](board)[8:10]
    ((2, 0, 3, 1), (4, 5))
    """
    spots = _stickers(size)
    number = {spot: n for n, spot in enumerate(spots)}
    act: dict[str, Callable[[Board], Board]] = {}
    undo: dict[str, str] = {}
    for face in FACES:
        axis = _LOOKS[face][0]
        layer = [s for s in spots if sum(a * x for a, x in zip(axis, s)) >= size - 1]
        rings, seen = [], set[Spot]()
        for spot in layer:
            ring, next_spot = [], spot
            while next_spot not in seen:
                seen.add(next_spot)
                ring.append(number[next_spot])
                next_spot = _quarter(next_spot, axis)
            if len(ring) > 1:
                rings.append(ring)
        half = [pair for one, two, three, four in rings for pair in ((one, three), (two, four))]
        act[face] = carried(len(spots), *rings)
        act[face + "2"] = carried(len(spots), *half)
        act[face + "'"] = carried(len(spots), *(ring[::-1] for ring in rings))
        undo |= {face: face + "'", face + "'": face, face + "2": face + "2"}
    return Turns(act, undo)


def pocket(size: int) -> Turns:
    """The turns that a shortest plan needs: on side 2 those that leave one corner where it is."""
    turns = cube(size)
    if size > 2:
        return turns
    act = {name: move for name, move in turns.act.items() if name[0] in "URF"}
    return Turns(act, {name: turns.undo[name] for name in act})


def solved(size: int) -> Board:
    """The stickers of a cube in order, each the number of its face."""
    return tuple(face for face in range(len(FACES)) for _ in range(size * size))


SOLVED = solved(2)

NEAR = 5
"""The turns of plans that are listed once: about 12,000 cubes, of 3,674,160 in all."""


@cache
def nearly_solved() -> Mapping[Board, str]:
    """The first turn of a shortest plan for each cube of side 2 that few turns solve."""
    turns, layer = pocket(2), [SOLVED]
    first = {SOLVED: ""}
    for _ in range(NEAR):
        grown = []
        for board in layer:
            for name, before in turns.back(board):
                if before not in first:
                    first[before] = name
                    grown.append(before)
        layer = grown
    return first


def turns_to_solve(board: Board) -> int | None:
    """The fewest turns that solve a cube of side 2 whose corner at D, L and B is in its place; None
    if that takes more than :data:`NEAR`.
    """
    near, number = nearly_solved(), 0
    if board not in near:
        return None
    while name := near[board]:
        board, number = pocket(2).act[name](board), number + 1
    return number


def pocket_plan(board: Board) -> tuple[str, ...]:
    """A shortest plan for a cube of side 2 whose corner at D, L and B is in its place.

    The search goes forward until it meets a cube that is nearly solved, and so visits a few
    hundred cubes for a plan of eight turns, and all within six turns for one of eleven.

    >>> pocket_plan(cube(2).act["R"](SOLVED))
    ("R'",)
    """
    turns, near = pocket(2), nearly_solved()
    plans: dict[Board, tuple[str, ...]] = {board: ()}
    layer = [board]
    while (last := next((each for each in layer if each in near), None)) is None:
        grown = []
        for each in layer:
            for name, new in turns.ways(each):
                if new not in plans:
                    plans[new] = (*plans[each], name)
                    grown.append(new)
        layer = grown
    plan = list(plans[last])
    while name := near[last]:
        plan.append(name)
        last = turns.act[name](last)
    return tuple(plan)


def _side(board: Board) -> int:
    return isqrt(len(board) // len(FACES))


def net(board: Board, colours: str) -> str:
    """The six faces unfolded, with a letter for the colour of each."""
    side = _side(board)
    rows = [
        " ".join(colours[face] for face in board[n : n + side]) for n in range(0, len(board), side)
    ]
    up, right, front, down, left, back = (rows[n * side : (n + 1) * side] for n in range(6))
    lead = " " * (2 * side + 1)
    middle = ["  ".join(line) for line in zip(left, front, right, back)]
    return "\n".join([*(lead + row for row in up), *middle, *(lead + row for row in down)])


def net_picture(board: Board, colours: str) -> Grid:
    """The same as a picture, with the names of the faces in their corners."""
    side = _side(board)
    rows = [[Cell(fill="none")] * (4 * side) for _ in range(3 * side)]
    borders = []
    for face, (top, left) in enumerate(((0, 1), (1, 2), (1, 1), (2, 1), (1, 0), (1, 3))):
        r, c = top * side, left * side
        signs = [colours[n] for n in board[face * side * side :][: side * side]]
        for n, sign in enumerate(signs):
            corner = "" if n else FACES[face]
            rows[r + n // side][c + n % side] = Cell(sign, TONES[sign], corner=corner)
        corners = ((r, c), (r, c + side), (r + side, c + side), (r + side, c), (r, c))
        borders.append(Border(corners))
    return Grid(tuple(map(tuple, rows)), borders=tuple(borders))


# The same rules in another form, for an independent check: the lines of stickers beside each
# face, each of which a clockwise turn carries to the next. A line is a face, the first (0) or last
# (1) of its rows or columns, and the direction along it on the net.
_AROUND = {
    "U": "F0> L0> B0> R0>",
    "D": "F1> R1> B1> L1>",
    "F": "U1> R0v D0< L1^",
    "B": "U0< L0v D1> R1^",
    "R": "F1v U1v B0^ D1v",
    "L": "F0v D0v B1^ U0v",
}

Sticker = tuple[str, int, int]
"""A face, a row and a column of it, counted from 0 as the net shows them."""


def _line(text: str, size: int) -> list[Sticker]:
    face, way, fixed = text[0], text[2], int(text[1]) * (size - 1)
    numbers = range(size) if way in ">v" else reversed(range(size))
    return [(face, fixed, n) if way in "<>" else (face, n, fixed) for n in numbers]


def turned(net: Mapping[Sticker, int], face: str, size: int) -> dict[Sticker, int]:
    """The net after a clockwise quarter turn: a face turns as a square, what is beside it goes on.

    >>> net = {(face, r, c): face for face in FACES for r, c in product((0, 1), repeat=2)}
    >>> [sign for place, sign in sorted(turned(net, "U", 2).items()) if place[0] == "F"]
    ['R', 'R', 'F', 'F']
    """
    lines = [_line(text, size) for text in _AROUND[face].split()]
    to = {(face, r, c): (face, c, size - 1 - r) for r, c in product(range(size), repeat=2)}
    for line, next_line in zip(lines, [*lines[1:], lines[0]]):
        to |= dict(zip(line, next_line))
    return {to.get(cell, cell): sign for cell, sign in net.items()}
