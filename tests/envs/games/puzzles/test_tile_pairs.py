"""Pairs of tiles, against paths that are walked cell by cell, and a search of its own."""

from collections import deque
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.tile_pairs import TilePairs, clearance, rooms_of, safe_move
from palaestra.task import InvalidAnswer


def read_board(text):
    rows = [line.split()[1:] for line in text.splitlines()[1:]]
    return {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}


def partners(board, start):
    """The equal tiles to which a path leads from a tile, by steps with a count of bends."""
    ways = ((0, 1), (1, 0), (0, -1), (-1, 0))
    waiting = deque((start, way, 0) for way in ways)
    seen, ends = set(waiting), set()
    while waiting:
        (r, c), way, bends = waiting.popleft()
        new = r + way[0], c + way[1]
        if new != start and board.get(new) == board[start]:
            ends.add(new)
        if board.get(new) != ".":
            continue
        for other in ways:
            bent = bends + (other != way)
            if other != (-way[0], -way[1]) and bent <= 2 and (new, other, bent) not in seen:
                seen.add((new, other, bent))
                waiting.append((new, other, bent))
    return ends


def moves(board):
    tiles = sorted(cell for cell, sign in board.items() if sign not in ".#")
    return {
        (one, other) for one in tiles for other in partners(board, one) if one < other
    }  # fmt: skip


def name(cells):
    return " ".join(f"r{r + 1}c{c + 1}" for r, c in cells)


@pytest.mark.parametrize("seed", range(24))
def test_random_moves_lead_where_the_walk_says(seed):
    task, rng = Address.of("games/tile_pairs", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    while legal := rules.legal(state):
        board = read_board(rules.show(state))
        names = [rules.name(state, move) for move in legal]
        assert sorted(names) == sorted(map(name, moves(board)))
        chosen = rng.choice(names)
        state = rules.apply(state, rules.read(state, chosen))
        cells = {cell for cell in board if name([cell]) in chosen.split()}
        assert len(cells) == 2
        assert read_board(rules.show(state)) == board | dict.fromkeys(cells, ".")
    assert not moves(read_board(rules.show(state)))


def cleared(board):
    """The share of games of random moves that clear a board, and whether any game does."""
    rules = TilePairs(4)
    known = {}

    def can(state):
        if state not in known:
            known[state] = rules.distance(state) == 0 or any(
                can(rules.apply(state, move)) for move in rules.legal(state)
            )
        return known[state]

    return can(board)


def test_boards_are_cleared_if_and_only_if_a_search_of_all_orders_clears_them():
    rng, results = Random(5), []
    for _ in range(60):
        cells = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, -1, -1, 0, 0]
        rng.shuffle(cells)
        board = tuple(cells)
        results.append(cleared(board))
        parts = [{tile for n, tile in enumerate(board) if n in room} for room in rooms_of(4, board)]
        if sum(len(part - {0}) for part in parts) == 3:  # no type is in two rooms
            assert (clearance(4, board) is not None) == results[-1]
        for move in [safe_move(board, TilePairs(4).legal(board))]:
            if move and results[-1]:
                assert cleared(TilePairs(4).apply(board, move))
    assert {*results} == {True, False}


@pytest.mark.parametrize("level", range(6))
def test_the_plan_clears_the_board_by_legal_moves(level):
    for seed in range(3):
        task = Address.of("games/tile_pairs", seed, level).task()
        board = read_board(task.rules().show(task.start()))
        tiles = "".join(board.values()).replace(".", "").replace("#", "")
        assert {tiles.count(tile) for tile in tiles} == {4}
        assert 2 * task.moves == len(tiles)
        for move in task.solve():
            (cells,) = [each for each in moves(board) if name(each) == move]
            board |= dict.fromkeys(cells, ".")
        assert {*board.values()} <= {".", "#"}
        assert Episode(task, BARE, list(task.solve())).score.value == 1


RULES = TilePairs(4)
BOARD = (
    1, 0, 0, 2,
    2, 2, -1, 1,
    1, 0, 0, 1,
    2, -1, 3, 3,
)  # fmt: skip


def test_paths_have_at_most_two_bends_and_stay_on_the_board():
    names = {RULES.name(BOARD, move) for move in RULES.legal(BOARD)}
    assert names == {
        "r1c4 r2c2",  # one bend
        "r2c1 r2c2",  # neighbours
        "r2c4 r3c4",
        "r3c1 r3c4",
        "r4c3 r4c4",
    }
    # Between these two is a path of two bends, and none of fewer.
    assert TilePairs(3).legal((4, -1, 4, 0, 0, 0)) == [(0, 2)]
    # Three bends are too many, and a path above the board is none.
    assert TilePairs(3).legal((4, -1, 0, 0, 0, 0, -1, -1, 4)) == [(0, 8)]
    assert TilePairs(3).legal((4, 0, -1, -1, 0, 0, -1, -1, 0, 0, 0, 0, 4, -1, -1)) == []
    assert TilePairs(3).legal((4, -1, 4)) == []


def test_a_board_without_pairs_is_lost():
    task = Address.of("games/tile_pairs", 0, 0).task()
    stuck = task.model_copy(update={"position": "[1,2,0,1,2,2,-1,1,1,2]", "columns": 5, "moves": 4})
    episode = Episode(stuck, BARE, ["r2c3 r2c4"])
    assert episode.scores is None
    lost = task.model_copy(update={"position": "[3,3,1,2,1,2]", "columns": 6, "moves": 3})
    episode = Episode(lost, BARE, ["r1c1 r1c2"])
    assert episode.score.value == 0
    assert episode.score.reason == "no two equal tiles can be joined"


@pytest.mark.parametrize(
    "text",
    ["r1c4 r2c2", "r2c2 r1c4", "r1c4-r2c2", "r1c4, r2c2", "remove r1c4 and r2c2", "(1, 4) (2, 2)",
     "I remove r1c4 and r2c2.", "**r1c4 r2c2**", "My move: r1c4 r2c2", "r1c4 with r2c2",
     "I will remove the tiles r1c4 and r2c2", "row 1 column 4, row 2 column 2", "Match r1c4 - r2c2",
     "Remove the pair r1c4 & r2c2!", "R1C4 R2C2", "r1c4 <-> r2c2", "`r1c4 r2c2`"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.name(BOARD, RULES.read(BOARD, text)) == "r1c4 r2c2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected two cells, such as r1c2 r3c4"),
        ("r1c4", "expected two cells"),
        ("r1c4 r2c2 r1c1", "expected two cells"),
        ("r1c4 r2c2, r2c4 r3c4", "expected two cells"),
        ("r1c4 r2c2 or r2c4 r3c4", "expected two cells"),
        ("r1c4 r1c4", "two different cells"),
        ("r1c1 r1c4", "equal tiles"),
        ("r1c1 r3c1", "no path"),
        ("r1c2 r1c3", "no tile on r1c2"),
        ("r4c1 r4c2", "no tile on r4c2"),
        ("r1c1 r9c9", "outside"),
        ("r1c4 " * 50_000, "at most 200 characters"),
    ],
)
def test_other_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(BOARD, text)


def test_the_scene_shows_what_the_text_shows():
    task = Address.of("games/tile_pairs", 1, 5).task()
    signs = read_board(task.rules().show(task.start()))
    looks = {".": ("", "muted"), "#": ("", "dark")}
    for r, row in enumerate(task.rules().scene(task.start()).cells):
        for c, cell in enumerate(row):
            sign = signs[r, c]
            if sign in looks:
                assert (cell.text, cell.fill) == looks[sign]
            else:
                assert cell.text == sign
