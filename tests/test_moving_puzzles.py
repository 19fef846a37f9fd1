"""Plans judged by simulation, against plain searches, hand-worked cases and known facts."""

from collections import deque
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.games.circle_the_cat import CircleTheCat
from palaestra.envs.planning.knight_swap import KnightSwap
from palaestra.envs.planning.peg_solitaire import PegSolitaire
from palaestra.envs.planning.row_column_shift import RowColumnShift
from palaestra.envs.planning.rubiks_cube import RubiksCube
from palaestra.envs.planning.rush_hour import NAMES, RushHour
from palaestra.envs.planning.tile_rotation import TileRotation
from palaestra.envs.planning.token_sliding_on_graph import TokenSlidingOnGraph
from palaestra.envs.planning.twiddle import Twiddle
from palaestra.episode import BARE
from palaestra.generators.games import circle_the_cat
from palaestra.generators.planning.bidirectional_search import rotations, shifts, shortest_between
from palaestra.generators.planning.peg_solitaire import jumps, solved
from palaestra.generators.planning.rubiks_cube import FACES, cube, turned
from palaestra.generators.planning.rush_hour.parking import parked, reached, text
from palaestra.scoring import score
from palaestra.task import Unreadable
from palaestra.verifiers.planning.simulated import Illegal, hops, orders, simulated, tokens
from palaestra.verifiers.reading.boards import cell_name

SEEDS = st.integers(0, 10**6)

PLANNED = (
    KnightSwap, PegSolitaire, RowColumnShift, RubiksCube, RushHour, TileRotation,
    TokenSlidingOnGraph, Twiddle,
)  # fmt: skip


def drawn(kind, seed, level):
    return kind.draw(Random(seed), kind.Knobs.at(level))


def distances(start, ways):
    away, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for _, there in ways(here):
            if there not in away:
                away[there] = away[here] + 1
                queue.append(there)
    return away


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(PLANNED))
def test_a_plan_is_needed_in_full(seed, kind):
    """The oracle's plan is right in both opinions, and is not without its last step."""
    task = drawn(kind, seed, seed % 3)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    last = " " if kind is RubiksCube else ", " if ", " in answer else "\n"
    assert task.verify(answer.rpartition(last)[0]).value == 0


CORNERS = (
    (TokenSlidingOnGraph, {"nodes": 6, "extra": 1, "tokens": 2, "least": 13}),
    (TokenSlidingOnGraph, {"nodes": 12, "extra": 5, "tokens": 2, "least": 13}),
    (TokenSlidingOnGraph, {"nodes": 12, "extra": 5, "tokens": 4, "least": 13}),
    (KnightSwap, {"cells": 12, "knights": 1, "least": 14}),
    (RushHour, {"cars": 6, "drives": 9}),
    (RushHour, {"cars": 13, "drives": 2}),
    (RowColumnShift, {"rows": 2, "columns": 3, "shifts": 7}),
    (Twiddle, {"rows": 3, "columns": 3, "block": 3, "turns": 7}),
    (TileRotation, {"rows": 3, "columns": 3, "fixed": 10, "moves": 4}),
    (PegSolitaire, {"shape": "diamond", "pegs": 15}),
    (CircleTheCat, {"size": 5, "walls": 24}),
)


@pytest.mark.parametrize(("kind", "knobs"), CORNERS)
def test_corners_of_the_knobs(kind, knobs):
    """Knobs that are set by hand to their ends, all at once, have tasks too."""
    assert kind.draw(Random(1), kind.Knobs.at(0, **knobs), tries=2_000).fair()


@pytest.mark.parametrize(("kind", "forms"), [(RowColumnShift, 195), (PegSolitaire, 250)])
def test_the_lowest_level_is_varied(kind, forms):
    assert len({drawn(kind, seed, 0).canonical() for seed in range(1_500)}) >= forms


# ------------------------------------------------------------------------------- shared machinery


@pytest.mark.parametrize(("puzzle", "boards"), [(shifts(2, 3), 720), (rotations(2, 3, 2), 120)])
def test_two_ends_find_shortest_plans(puzzle, boards):
    """Two blocks of four that share two cells make no more than PGL(2, 5), which is known."""
    goal = (1, 2, 3, 4, 5, 6)
    away = distances(goal, puzzle.ways)
    for start in Random(1).sample(sorted(away), 60):
        plan = puzzle.plan(start, goal)
        assert len(plan.moves) == away[start]  # moves can be undone, so both ways are as long
        board = start
        for move in plan.moves:
            board = puzzle.act[move](board)
        assert board == goal
    assert len(away) == boards


def test_two_ends_give_up():
    def ways(n):
        return [("+", n + 1)]

    assert shortest_between(0, 9, ways, lambda n: [("+", n - 1)], 5) is None
    assert shortest_between(0, -1, lambda n: [], lambda n: [], 5) is None


@pytest.mark.parametrize(
    ("size", "turns", "order"),
    [(2, "U", 4), (3, "R2", 2), (2, "R U", 15), (3, "R U", 105), (3, "R U R' U'", 6),
     (3, "R2 U2", 6), (3, "R L U2 R' L' F2 B2", None), (3, "F B' F' B", 1)],
)  # fmt: skip
def test_cube_has_the_known_orders(size, turns, order):
    """The orders of sequences are known to every cuber."""
    act, home = cube(size).act, tuple(range(6 * size * size))
    board, times = home, 0
    while times == 0 or board != home:
        for turn in turns.split():
            board = act[turn](board)
        times += 1
        assert times < 1300, "no element of the cube group has an order above 1260"
    assert order in {None, times}


def test_cube_turns_go_the_right_way():
    """U takes the top row of F to L, R takes the right column of F to U, F that of U to R."""
    act, home = cube(3).act, tuple(n // 9 for n in range(54))
    u, r, f = range(3)
    assert act["U"](home)[36:39] == (f, f, f)
    assert act["R"](home)[2] == f
    assert act["R"](home)[47 - 2] == u  # the column of B that touches R is its left one
    assert act["F"](home)[9] == u
    assert act["D"](home)[15:18] == (f, f, f)
    assert act["L"](home)[27] == f
    assert act["B"](home)[0] == r


def faces(net):
    """The stickers of a net, taken apart as the prompt says."""
    rows = [line.split() for line in net.splitlines()]
    side = len(rows) // 3
    blocks = {"U": rows[:side], "D": rows[2 * side :]}
    for n, face in enumerate("LFRB"):
        blocks[face] = [row[n * side : (n + 1) * side] for row in rows[side : 2 * side]]
    return {
        (face, r, c): sign
        for face, block in blocks.items()
        for r, row in enumerate(block)
        for c, sign in enumerate(row)
    }


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from((0, 2)), st.lists(st.sampled_from(FACES), max_size=5))
def test_cube_is_judged_on_the_net(seed, level, first):
    """What the net shows, turned face by face as a square, is solved when the judge says so."""
    task = drawn(RubiksCube, seed, level)
    moves = task.answer().split()
    more = [*first, *(face + "'" for face in reversed(first))]
    net = faces(task.net())
    for move in [*more, *moves]:
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            net = turned(net, move[0], task.size)
    assert len({(face, sign) for (face, _, _), sign in net.items()}) == 6
    spun = task.model_copy(update={"turns": 20})
    assert spun.verify(" ".join([*more, *moves])).value == 1
    for told in (moves[:-1], [*moves, "U"], ["F", *moves]):
        assert spun.verify(" ".join(told)).value == spun.audit(" ".join(told)) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_cube_tables_agree(size):
    """Stickers carried round in space and lines carried round on the net come to the same."""
    places = [(face, r, c) for face in FACES for r in range(size) for c in range(size)]
    home = tuple(range(len(places)))
    for face in FACES:
        after = turned(dict(zip(places, home)), face, size)
        assert tuple(after[place] for place in places) == cube(size).act[face](home)


def test_small_letters_are_turns_of_two_layers():
    for level in (0, 2):
        task = drawn(RubiksCube, 1, level)
        for told in (task.answer().lower(), task.answer()[:1].lower() + task.answer()[1:]):
            with pytest.raises(Unreadable):
                task.verify(told)


def test_cube_is_read_in_all_common_ways():
    for seed in range(30):
        task = drawn(RubiksCube, seed, 0)
        answer = task.answer()
        for told in (
            answer.replace(" ", ", "),
            answer.replace("'", "\u2019"),
            answer.replace("'", "`"),
            answer.replace("2", "2'"),
            f"'{answer}'",
        ):
            assert task.verify(told).value == 1
    for told in ("", "X", "U3", "UR", "M2", "'", "''", "2'", "U''"):
        with pytest.raises(Unreadable):
            task.verify(told)


def test_simulated_stops_at_the_first_slip():
    def after(state, move):
        if move == state:
            raise Illegal("that is where it is")
        return move

    assert simulated([1, 2, 2], 0, after).reason == "in move 3, that is where it is"
    assert simulated([1, 2], 0, after, limit=1).reason == "2 moves are more than 1"
    assert simulated([1, 2], 0, after, lambda state: f"at {state}").reason == "at 2"


def test_readers():
    assert hops("r1c2 -> r3c1\n* r1c1->r2c1", ["r1c1", "r1c2", "r2c1", "r3c1"]) == [(1, 3), (0, 2)]
    assert tokens("a,B  a", "AB", "letters") == ["A", "B", "A"]
    for reader in (
        lambda: hops("A -> B -> C", "ABC"),
        lambda: hops("", "ABC"),
        lambda: tokens("", "AB", "letters"),
        lambda: orders("A up down", "AB", ("up", "down"), what="moves"),
        lambda: orders("up A", "AB", ("up", "down"), what="moves"),
    ):
        with pytest.raises(Unreadable):
            reader()


# ---------------------------------------------------------------------------------- one by one


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_pegs_that_cannot_be_solved(seed):
    """The search finds a plan where a plain one over all boards does."""
    cells = Random(seed).sample(range(16), 5)
    pegs = sum(1 << cell for cell in cells)

    def ways(board):
        for a, b, c in jumps("square"):
            if board >> a & 1 and board >> b & 1 and not board >> c & 1:
                yield (a, c), board ^ (1 << a | 1 << b | 1 << c)

    reached = distances(pegs, ways)
    assert any(board.bit_count() == 1 for board in reached) == (solved("square", pegs) is not None)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_pegs_take_a_plan(seed, level):
    """Who makes the first jump there is, or the last, by where it starts, is left with pegs."""
    task = drawn(PegSolitaire, seed, level)
    for order in (jumps(task.shape), jumps(task.shape)[::-1]):
        board, told = task.pegs, []
        while legal := [
            (a, b, c)
            for a, b, c in order
            if board >> a & 1 and board >> b & 1 and not board >> c & 1
        ]:
            a, b, c = legal[0]
            board ^= 1 << a | 1 << b | 1 << c
            told.append(f"{task.names()[a]} -> {task.names()[c]}")
        assert task.verify("\n".join(told)).reason.endswith("pegs are left")


def test_pegs_that_any_jumps_solve_are_no_task():
    assert not PegSolitaire(shape="wide", pegs=0b11, count=2).fair()


def test_guarini():
    """On the board of three by three, four knights need sixteen moves."""
    cells = tuple(r * 5 + c for r in range(3) for c in range(3))
    task = KnightSwap(cells=cells, white=(0, 2), black=(10, 12), least=0, spare=0)
    assert len(task.plan()) == 16


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_the_cat_is_caught(seed, level):
    """By the rule told to the player, the oracle's walls shut the cat in, and idling does not."""
    task = drawn(CircleTheCat, seed, level)
    walls, cat = frozenset(task.walls), task.cat
    for wall in task.plan():
        assert cat is not None
        assert wall not in walls
        assert wall != cat
        walls |= {wall}
        there = circle_the_cat.step(task.size, walls, cat)
        assert there is None or there in circle_the_cat.around(task.size)[cat]
        cat = there
    assert cat is None
    cat, walls = task.cat, frozenset(task.walls)
    for _ in range(task.size):
        if cat not in circle_the_cat.edge(task.size):
            cat = circle_the_cat.step(task.size, walls, cat)
    assert cat in circle_the_cat.edge(task.size)


def test_the_cat_knows_its_neighbours():
    for cell, near in enumerate(circle_the_cat.around(7)):
        assert all(cell in circle_the_cat.around(7)[other] for other in near)
        assert len(near) == 6 or cell in circle_the_cat.edge(7)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 5), st.sampled_from((0, -1)))
def test_the_cat_outruns_who_builds_on_its_way(seed, level, place):
    """To build on the next cell of its way, or on the one it wants to get out by, is not enough."""
    task = drawn(CircleTheCat, seed, level)
    walls, cat, moves = frozenset(task.walls), task.cat, []
    while ahead := circle_the_cat.route(task.size, walls, cat):
        walls |= {ahead[place]}
        moves.append(cell_name(*divmod(ahead[place], task.size)))
        cat = circle_the_cat.step(task.size, walls, cat)
    assert score(task, moves, BARE).reason == "the cat has reached the edge of the board"


def driven(board):
    """Every board of text that one car can make of another, and by which words."""
    size = len(board)
    for name in sorted({*"".join(board)} - {"."}):
        cells = [(r, c) for r in range(size) for c in range(size) if board[r][c] == name]
        ways = (("left", 0, -1), ("right", 0, 1)) if cells[0][0] == cells[1][0] else (
            ("up", -1, 0), ("down", 1, 0))  # fmt: skip
        for way, y, x in ways:
            for count in range(1, size):
                there = [(r + count * y, c + count * x) for r, c in cells]
                if not all(0 <= r < size and 0 <= c < size for r, c in there):
                    break
                if any(board[r][c] not in (".", name) for r, c in there):
                    break
                rows = [["." if sign == name else sign for sign in row] for row in board]
                for r, c in there:
                    rows[r][c] = name
                yield f"{name} {way} {count}", tuple("".join(row) for row in rows)


@settings(max_examples=6, deadline=None)
@given(SEEDS, st.sampled_from((0, 3, 5)))
def test_cars_need_as_many_drives_as_told(seed, level):
    """Against a plain search on the text of the board, and judged as that goes."""
    task = drawn(RushHour, seed, level)
    start = tuple("".join(row.split()) for row in task.board().splitlines())
    away = distances(start, driven)
    out = [left for board, left in away.items() if board[2].endswith("XX")]
    assert min(out) == task.drives == len(task.answer().splitlines())
    assert {board for _, board in driven(start)} <= away.keys()
    found = reached(task.cars, len(away))
    assert len(found.known) == len(away)
    assert {
        tuple("".join(row.split()) for row in text(parked(task.cars, here), NAMES).splitlines())
        for here in found.known
    } == away.keys()


def test_a_car_park_is_the_same_in_all_positions():
    task = drawn(RushHour, 7, 1)
    moved = task.model_copy(update={"cars": task.posed()[0]})
    assert (moved.canonical(), moved.board()) == (task.canonical(), task.board())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A down 3\nX right 4", ""),
        ("a DOWN 3, x right 4", ""),
        ("1. A down 3\n2. X right 3\n3. X right 1", "3 moves are more than 2"),
        ("A down 2\nX right 4", "in move 2, X has not so much room"),
        ("A down 4\nX right 4", "in move 1, A has not so much room"),
        ("A up 1\nX right 4", "in move 1, A has not so much room"),
        ("A right 3\nX right 4", "in move 1, A does not lie that way"),
        ("A down 3\nX right 3", "car X is not at the right edge in the end"),
    ],
)
def test_cars_that_are_in_the_way(answer, reason):
    task = RushHour(cars=((2, 0, 2), (9, 0, 3)), drives=2, spare=0)
    assert task.board().splitlines()[2] == "X X . A . ."
    judged = task.verify(answer)
    assert (judged.value, judged.reason) == (float(not reason), reason)
    assert task.audit(answer) == (not reason)


@pytest.mark.parametrize("answer", ["A up 6", "A up 0", "A up -1", "A up", "Z up 1", "up A 1"])
def test_no_drives(answer):
    task = RushHour(cars=((2, 0, 2), (9, 0, 3)), drives=2, spare=0)
    with pytest.raises(Unreadable):
        task.verify(answer)
