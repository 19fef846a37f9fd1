"""Turning pipes, against brute force and a check of networks that is written another way."""

from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.pipe_turning import (
    PipeTurning,
    solved,
    spanning_tree,
    walled,
)
from palaestra.generators.pipe_tiles import turnings
from palaestra.task import InvalidAnswer

BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def is_network(tiles, rules):
    """Whether all ends meet and walking from the first tile reaches each tile once, by rows and
    columns.
    """
    rows, columns = rules.rows, rules.columns
    walls = {frozenset(wall) for wall in rules.walls}
    links = 0
    ways = {}
    for at, tile in enumerate(tiles):
        ways[at] = []
        for side in tile:
            row, column = at // columns + STEPS[side][0], at % columns + STEPS[side][1]
            if rules.wraps:
                row, column = row % rows, column % columns
            if not (0 <= row < rows and 0 <= column < columns):
                return False
            other = row * columns + column
            if frozenset((at, other)) in walls or BACK[side] not in tiles[other]:
                return False
            ways[at].append(other)
            links += 1
    seen, waiting = set(), [0]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting += ways[at]
    return len(seen) == rows * columns and links == 2 * (rows * columns - 1)


def all_solutions(rules, shapes):
    return [tiles for tiles in product(*map(turnings, shapes)) if is_network(tiles, rules)]


@pytest.mark.parametrize("seed", range(6))
def test_the_solver_finds_what_brute_force_finds(seed):
    rng = Random(seed)
    rules = PipeTurning(3, 3, seed % 2 == 1)
    tree = spanning_tree(rng, rules)
    assert is_network(tree, rules)
    shapes = tuple(turnings(tile)[0] for tile in tree)
    expected = all_solutions(rules, shapes)
    solutions = solved(rules, shapes).tiles
    assert tree in expected
    assert set(solutions) <= set(expected)
    assert len(solutions) == min(2, len(expected))
    rules, solutions = walled(rules, tree, 9)
    assert all_solutions(rules, shapes) == [*solutions.tiles] == [tree]


@pytest.mark.parametrize("level", range(7))
def test_the_plan_turns_each_wrong_tile_once(level):
    for seed in range(4):
        task = Address.of("games/pipe_turning", seed, level).task()
        rules, state = task.rules(), task.start()
        plan = [*task.solve()]
        assert task.moves == len(plan) + type(task).Knobs.at(level).spare
        assert len({name.split()[0] for name in plan}) == len(plan)
        tiles = dict(enumerate(state))
        for name in plan:
            cell, tile = name.split()
            row, column = map(int, cell[1:].split("c"))
            at = (row - 1) * task.columns + column - 1
            assert tile in turnings(tiles[at])
            assert tile != tiles[at]
            tiles[at] = tile
        assert is_network([*tiles.values()], rules)
        assert not is_network(state, rules)


@pytest.mark.parametrize("seed", range(4))
def test_no_single_change_of_a_solution_solves(seed):
    task = Address.of("games/pipe_turning", seed, 4).task()
    rules, state = task.rules(), task.start()
    for name in task.solve():
        state = rules.apply(state, rules.read(state, name))
    assert rules.distance(state) == 0
    for move in rules.legal(state):
        after = rules.apply(state, move)
        assert rules.distance(after) == 1
        assert not is_network(after, rules)


def test_a_wrong_turn_costs_the_game_and_pays_the_credit_back():
    task = Address.of("games/pipe_turning", 1, 4).task()
    plan = [*task.solve()]
    episode = Episode(task, BARE)
    cell, tile = plan[-1].split()
    other = next(
        name
        for name in episode.turn.legal_moves
        if name.startswith(f"{cell} ") and name != plan[-1]
    )
    for move in [*plan[:-1], other]:
        episode.step(move)
    assert tile not in other.split()
    assert episode.score.value == 0
    assert max(episode.rewards) > 0
    assert sum(episode.rewards) == pytest.approx(0)


RULES = PipeTurning(3, 3, False, ((1, 4),))
STATE = ("D", "LRU", "D", "LR", "DL", "U", "R", "DR", "L")


@pytest.mark.parametrize(
    "text",
    [
        "r1c2 DLU",
        "R1C2 uld",
        "r1c2: up, down and left",
        "Turn r1c2 to DLU.",
        "(1, 2) U D L",
        "[1, 2] DLU",
        "row 1, column 2 -> left, up, down",
        "rotate the tile at r1c2 so that it is open to the left, up and down",
        "**r1c2 ULD**",
        "r1c2 = U/L/D",
        "r1c2DLU",
        "r1c2 | DLU",
        "change r1c2 to DLU",
        "turn r1c2 into DLU",
        "turning r1c2 to DLU",
        "r1c2 should be DLU",
        "r1c2 now facing up, down and left",
        "row-1 column-2 - DLU",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.read(STATE, text) == (1, "DLU")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a cell"),
        ("r1c2", "expected a cell"),
        ("DLU", "expected one cell"),
        ("r1c2 LRU", "can be turned to"),
        ("r1c2 LR", "can be turned to"),
        ("r1c2 UUD", "expected a cell"),
        ("r4c1 U", "outside"),
        ("r1c1 r1c2 DLU", "expected one cell"),
        ("r1c1r1c2DLU", "expected one cell"),
        ("r-1c2 DLU", "counted from 1"),
        ("r1c-2 DLU", "counted from 1"),
        ("(-1, 2) DLU", "counted from 1"),
        ("r1c2 clockwise", "expected a cell"),
        ("U" * 5_000, "at most"),
    ],
)
def test_other_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(STATE, text)


def test_a_tile_that_looks_the_same_cannot_be_turned():
    rules = PipeTurning(3, 3, False)
    state = ("DLRU", *STATE[1:])
    assert not any(at == 0 for at, _ in rules.legal(state))
    with pytest.raises(InvalidAnswer, match="cannot be turned"):
        rules.read(state, "r1c1 DLRU")


def test_the_text_shows_tiles_and_walls():
    assert RULES.show(STATE).splitlines() == [
        "      1    2    3",
        "   +----+----+----+",
        " 1 | D   LRU   D  |",
        "   +    +----+    +",
        " 2 | LR   DL   U  |",
        "   +    +    +    +",
        " 3 | R    DR   L  |",
        "   +----+----+----+",
    ]
    assert "|" not in PipeTurning(3, 3, True).show(STATE)


def test_the_scene_shows_the_pipes_and_walls():
    scene = RULES.scene(STATE)
    assert [line.points[0] for line in scene.lines][:2] == [(0.5, 0), (0.0, 0.5)]
    assert len(scene.lines) == 9
    assert len(scene.borders) == 14  # twelve around the board, and both sides of the wall
    assert [cell.mark for cell in scene.cells[0]] == ["disc", "", "disc"]
