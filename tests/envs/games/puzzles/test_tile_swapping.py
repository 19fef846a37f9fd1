"""Swaps of tiles, against a simulation of its own with columns as lists."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.tile_swapping import TileSwapping
from palaestra.task import InvalidAnswer


def read_board(text):
    rows = [line.split()[1:] for line in text.split("\n\n")[0].splitlines()[1:]]
    return {(r, c): s for r, row in enumerate(rows) for c, s in enumerate(row) if s != "."}


def vanished(board):
    """The cells in lines of three or more equal tiles."""
    gone = set()
    for (r, c), tile in board.items():
        for down, right in ((0, 1), (1, 0)):
            line = [(r, c)]
            while board.get((line[-1][0] + down, line[-1][1] + right)) == tile:
                line.append((line[-1][0] + down, line[-1][1] + right))
            gone |= {*line} if len(line) >= 3 else set()
    return gone


def after(board, one, other, height):
    """The board after a swap, or None where it makes no line."""
    if one not in board or other not in board:
        return None
    board = board | {one: board[other], other: board[one]}
    if not vanished(board):
        return None
    while gone := vanished(board):
        columns = {}
        for r, c in sorted(board, reverse=True):
            if (r, c) not in gone:
                columns.setdefault(c, []).append(board[r, c])
        board = {
            (height - 1 - n, c): tile
            for c, tiles in columns.items()
            for n, tile in enumerate(tiles)
        }
    return board


def swaps(board, height):
    for r, c in sorted(board):
        for other in ((r, c + 1), (r + 1, c)):
            new = after(board, (r, c), other, height)
            if new is not None:
                yield f"r{r + 1}c{c + 1}-r{other[0] + 1}c{other[1] + 1}", new


def fewest_left(board, moves, height):
    best = len(board)
    if moves:
        for _, new in swaps(board, height):
            best = min(best, fewest_left(new, moves - 1, height))
    return best


@pytest.mark.parametrize("seed", range(9))
def test_the_goal_is_the_most_that_can_be_removed(seed):
    level = seed % 3
    task = Address.of("games/tile_swapping", seed, level).task()
    board = read_board(task.rules().show(task.start()))
    most = len(board) - fewest_left(board, task.moves, task.height)
    assert task.goal == most - type(task).Knobs.at(level).spare


@pytest.mark.parametrize("seed", range(20))
def test_random_moves_lead_where_the_simulation_says(seed):
    task, rng = Address.of("games/tile_swapping", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    assert not vanished(read_board(rules.show(state)))
    for _ in range(6):
        mine = dict(swaps(read_board(rules.show(state)), task.height))
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert sorted(legal) == sorted(mine)
        if not legal:
            break
        name = rng.choice(legal)
        state = rules.apply(state, rules.read(state, name))
        assert read_board(rules.show(state)) == mine[name]


BOARD = (1, 2, 1, 2, 1, 2, 2, 1, 3)
RULES = TileSwapping(3, 3, 3)


@pytest.mark.parametrize(
    "text",
    ["r1c2-r2c2", "r2c2-r1c2", "swap r1c2 and r2c2", "r1c2 to r2c2", "(1, 2) -> (2, 2)",
     "I swap r1c2 with r2c2.", "**My move:** r1c2-r2c2", "I will swap the tiles r1c2 and r2c2",
     "r1c2 <-> r2c2", "r1c2 \u2194 r2c2", "Swap: r1c2/r2c2", r"r1c2 \leftrightarrow r2c2"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.name(BOARD, RULES.read(BOARD, text)) == "r1c2-r2c2"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "r1c2",
        "r1c1-r3c3",
        "r3c2-r3c3",
        "r1c2-r2c2, r1c1-r1c2",
        "r1c2-r2c2 or r1c1-r1c2",
        "<" * 50_000,
        "<-" * 50_000,
    ],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(BOARD, text)


def test_columns_stand_below_their_numbers_in_every_observation():
    task = Address.of("games/tile_swapping", 0, 1).task()
    episode = Episode(task, BARE)
    episode.step(next(iter(task.solve())))
    numbers, first, *_ = episode.observation.splitlines()
    assert len(numbers) == len(first)
    assert numbers.startswith("  1 2")


def test_a_swap_removes_both_lines_and_tiles_fall():
    after_swap = RULES.apply(BOARD, RULES.read(BOARD, "r1c2-r2c2"))
    assert RULES.show(after_swap).startswith("  1 2 3\n1 . . .\n2 . . .\n3 B A C")
    assert RULES.distance(after_swap) == 0


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(BOARD)
    assert [[cell.text for cell in row] for row in scene.cells] == [
        ["A", "B", "A"], ["B", "A", "B"], ["B", "A", "C"],
    ]  # fmt: skip
