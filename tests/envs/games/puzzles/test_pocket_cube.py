"""The cube of side 2, against its corners and the published numbers of positions."""

from itertools import permutations, product

import numpy as np
import pytest

from palaestra.address import Address
from palaestra.generators.games.puzzles.pocket_cube import PocketCube
from palaestra.generators.rubiks_cube import FACES, SOLVED, cube, nearly_solved, turned
from palaestra.task import InvalidAnswer

RULES = PocketCube("WYROGB")
POSITIONS = (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644)
"""By the turns that they need, half turns included: Jaap Scherphuis, Mini Cube, the 2x2x2 Rubik's
Cube (1999), https://www.jaapsch.net/puzzles/cube2.htm.
"""


def corners():
    """The stickers of each corner but the one at D, L and B, in a fixed sense of rotation, with the
    sticker on U or D first.
    """
    sources = {face: cube(2).act[face](tuple(range(24))) for face in FACES}
    by_faces = {}
    for sticker in range(24):
        moved = "".join(face for face in FACES if sources[face][sticker] != sticker)
        by_faces.setdefault(moved, []).append(sticker)
    first = tuple(by_faces["URF"])
    known, queue = {frozenset(first): first}, [first]
    for triple in queue:
        for source in sources.values():
            new = tuple(source.index(sticker) for sticker in triple)
            if frozenset(new) not in known:
                known[frozenset(new)] = new
                queue.append(new)
    assert len(known) == 8
    ordered = []
    for moved, triple in sorted(by_faces.items()):
        if moved != "DLB":
            one, two, three = known[frozenset(triple)]
            while one // 4 not in {0, 3}:
                one, two, three = two, three, one
            ordered.append((one, two, three))
    return ordered


def tables(face):
    """Where a quarter turn takes each arrangement, and each twist, of the seven corners."""
    triples = corners()
    source = cube(2).act[face](tuple(range(24)))
    at = {sticker: (n, k) for n, triple in enumerate(triples) for k, sticker in enumerate(triple)}
    comes = [at[source[triple[0]]] for triple in triples]  # the corner, and its sticker on U or D
    orders = [*permutations(range(7))]
    number = {order: n for n, order in enumerate(orders)}
    arrangement = [number[tuple(order[n] for n, _ in comes)] for order in orders]
    twists = [*product(range(3), repeat=6)]
    numbers = {twist: n for n, twist in enumerate(twists)}
    twist = []
    for each in twists:
        full = (*each, -sum(each) % 3)
        twist.append(numbers[tuple((full[n] + k) % 3 for n, k in comes)[:6]])
    return np.array(arrangement), np.array(twist)


def test_all_positions_are_solved_in_eleven_turns():
    moves = [tables(face) for face in "URF"]
    seen = np.zeros((5040, 729), bool)
    wave, counts = (np.array([0]), np.array([0])), []
    seen[wave] = True
    while len(wave[0]):
        counts.append(len(wave[0]))
        reached = np.zeros_like(seen)
        for arrangement, twist in moves:
            after = wave
            for _ in range(3):
                after = arrangement[after[0]], twist[after[1]]
                reached[after] = True
        wave = np.nonzero(reached & ~seen)
        seen |= reached
    assert tuple(counts) == POSITIONS
    assert sum(counts) == 3_674_160


def test_near_positions_have_their_known_numbers():
    distances = [RULES.distance(board) for board in nearly_solved()]
    assert tuple(distances.count(n) for n in range(6)) == POSITIONS[:6]


@pytest.mark.parametrize("seed", range(10))
def test_a_plan_solves_the_net_turned_as_squares(seed):
    level = seed % 6
    task = Address.of("games/pocket_cube", seed, level).task()
    net = {
        (face, r, c): task.start()[n * 4 + r * 2 + c]
        for n, face in enumerate(FACES)
        for r, c in product((0, 1), repeat=2)
    }
    plan = [*task.solve()]
    assert len(plan) == type(task).Knobs.at(level).turns
    for move in plan:
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            net = turned(net, move[0], 2)
    assert len({(face, sign) for (face, _, _), sign in net.items()}) == 6


@pytest.mark.parametrize(
    "text",
    [
        "R'",
        "I turn R'.",
        "**R'**",
        "turn R'",
        "R\u2019",
        "My move: R'",
        "`R'`",
        "R^{-1}",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.read(SOLVED, text) == "R'"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("U clockwise", "U"),
        ("Turn the U face counterclockwise.", "U'"),
        ("U half turn", "U2"),
        ("turn U 180 degrees", "U2"),
        ("U 2", "U2"),
        ("F prime", "F'"),
        ("U!", "U"),
    ],
)
def test_turns_in_words_are_read(text, move):
    assert RULES.read(SOLVED, text) == move


@pytest.mark.parametrize("text", ["", "D", "R U", "r", "R or U", "not R", "R3", "R" * 4000])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(SOLVED, text)
