"""The rules of turning a cube of side 3, one face at a time, and shortest plans of up to ten turns.

Plans are those of iterative deepening A* (Richard Korf, 1985), which he applied to this cube with
tables of patterns ("Finding Optimal Solutions to Rubik's Cube Using Pattern Databases", 1997). Here
two small tables are enough: all cubes that four turns solve, and all arrangements of the corners
that six turns solve.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter
from random import Random

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.games.puzzles.face_turns import FaceTurns
from palaestra.generators.rubiks_cube import FACES, SOLVED, cube, pocket, solved

SIDE = 3
NEAR = 4
"""The turns of the cubes that are listed, about 43,000."""

CORNERS = 6
"""The turns of the arrangements of corners that are listed, about 62,000 of 3,674,160."""

LONGEST = 10
"""The most turns of a plan that a search looks for."""

_NAMED_FACE = re.compile(
    r"\b(?:(?P<U>up|upper|top)|(?P<R>right)|(?P<F>front)|(?P<D>down|bottom)|(?P<L>left)"
    r"|(?P<B>back))(?: (?:face|side|layer))(?= |$)",
    re.IGNORECASE,
)

AXES = {face: "URFURF"[n] for n, face in enumerate(FACES)}
"""The first face on the axis of each."""


@dataclass(frozen=True)
class CubeTurning(FaceTurns):
    """A cube of side 3, whose centres stay where they are."""

    def turns(self) -> Turns:
        return cube(SIDE)

    def distance(self, state: Board) -> float:
        """The turns that solve the cube, where they are few, and else at most as many."""
        return float(at_least(state))

    def read(self, state: Board, text: str) -> str:
        if len(text) > 200:
            return super().read(state, text)
        return super().read(state, _NAMED_FACE.sub(lambda face: f"{face.lastgroup}", text))


@cache
def canonical_turns(last: str) -> tuple[str, ...]:
    """The turns that may follow one: not of its face, and of two opposite faces, which commute, the
    first one first.

    >>> len(canonical_turns("")), len(canonical_turns("U2")), len(canonical_turns("D"))
    (18, 15, 12)
    """
    face = last[:1]
    return tuple(
        name
        for name in cube(SIDE).act
        if name[0] != face and not (face and AXES[name[0]] == AXES[face] == name[0])
    )


def mixed(rng: Random, turns: int) -> Board:
    """The cube after random turns, none of which is of the face of the one before, nor before its
    opposite face's where the order does not matter.
    """
    board, last = solved(SIDE), ""
    for _ in range(turns):
        last = rng.choice(canonical_turns(last))
        board = cube(SIDE).act[last](board)
    return board


@cache
def nearly_solved() -> Mapping[bytes, int]:
    """The fewest turns for each cube that up to :data:`NEAR` solve."""
    return _around(solved(SIDE), cube(SIDE), NEAR)


@cache
def nearly_solved_corners() -> Mapping[bytes, int]:
    """The fewest turns for each arrangement of corners that up to :data:`CORNERS` solve, as a cube
    of side 2 whose corner at D, L and B is in its place.
    """
    return _around(SOLVED, pocket(2), CORNERS)


def _around(board: Board, turns: Turns, most: int) -> dict[bytes, int]:
    """All boards within so many turns of one, with their distances."""
    distances, layer = {bytes(board): 0}, [board]
    for distance in range(1, most + 1):
        grown = []
        for each in layer:
            for act in turns.act.values():
                after = act(each)
                key = bytes(after)
                if key not in distances:
                    distances[key] = distance
                    grown.append(after)
        layer = grown
    return distances


_CORNER_STICKERS = [9 * face + n for face in range(len(FACES)) for n in (0, 2, 6, 8)]
_corner_stickers = itemgetter(*_CORNER_STICKERS)
_SPOT_D, _SPOT_L = 4 * FACES.index("D") + 2, 4 * FACES.index("L") + 2
"""The stickers of the corner at D, L and B on D and on L, among those of corners."""


@cache
def _recolourings() -> Mapping[tuple[int, int], bytes]:
    """For the colours on D and L of the corner there, the colours as seen from it: a rotation of
    the cube as a table of 256 bytes.
    """
    tables = {}
    axes, (down, left, back) = len(FACES) // 2, (FACES.index(face) for face in "DLB")
    for one in range(len(FACES)):
        for two in range(len(FACES)):
            if one % axes == two % axes:
                continue
            third = 3 - one % axes - two % axes
            # Of the two colours of the third axis, the one that keeps the sense of rotation.
            mirrored = (one // axes + two // axes + ((one - two) % axes == 1) + 1) % 2
            three = third + axes * mirrored
            table = bytearray(256)
            for colour, seen in ((one, down), (two, left), (three, back)):
                table[colour] = seen
                table[(colour + axes) % len(FACES)] = (seen + axes) % len(FACES)
            tables[one, two] = bytes(table)
    return tables


def corners_at_least(board: Board) -> int:
    """The turns that solve the corners but for a rotation of the cube; one more than
    :data:`CORNERS` stands for all that need more.
    """
    corners = bytes(_corner_stickers(board))
    seen = corners.translate(_recolourings()[corners[_SPOT_D], corners[_SPOT_L]])
    return nearly_solved_corners().get(seen, CORNERS + 1)


def at_least(board: Board) -> int:
    """A number of turns that are needed: exact up to :data:`NEAR`.

    >>> at_least(solved(3)), at_least(cube(3).act["D2"](solved(3)))
    (0, 1)
    """
    near = nearly_solved().get(bytes(board))
    return max(NEAR + 1, corners_at_least(board)) if near is None else near


@lru_cache(maxsize=256)
def shortest(board: Board, most: int = LONGEST) -> tuple[str, ...] | None:
    """A shortest plan, or None where it takes more than so many turns.

    >>> shortest(cube(3).act["R"](cube(3).act["U2"](solved(3))))
    ("R'", 'U2')
    """
    for length in range(at_least(board), most + 1):
        if (plan := next(_plans(board, length, ""), None)) is not None:
            return plan
    return None


def _plans(board: Board, length: int, last: str) -> Iterator[tuple[str, ...]]:
    """All plans of this length in canonical order, without those that can be seen to fail."""
    if length <= NEAR:
        if nearly_solved().get(bytes(board), NEAR + 1) > length:
            return
        if not length:
            yield ()
            return
    elif corners_at_least(board) > length:
        return
    act = cube(SIDE).act
    for name in canonical_turns(last):
        for plan in _plans(act[name](board), length - 1, name):
            yield (name, *plan)
