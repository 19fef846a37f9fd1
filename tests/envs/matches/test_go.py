"""Go: its rules against published counts and against rules that are written another way."""

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.matches.go import Go
from palaestra.generators.matches.go.openings import opening
from palaestra.generators.matches.go.rules import PASS, State
from palaestra.generators.matches.go.rules import Go as Rules
from palaestra.generators.matches.go.search import GoSolver
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.solver import Solver, TooHard
from palaestra.task import InvalidAnswer

Board = dict[tuple[int, int], int]
"""The owner of each stone, by its row and column."""


def stones(*rows: str) -> State:
    """A position with X to move and many moves left."""
    text = "".join(rows)
    first, second = (sum(1 << n for n, c in enumerate(text) if c == sign) for sign in "XO")
    return State(first, second, 0, 20, 1)


def board_of(state: State, size: int) -> Board:
    sides = (state.first, state.second)
    cells = range(size * size)
    return {divmod(n, size): p for p in (0, 1) for n in cells if sides[p] >> n & 1}


def around(cell: tuple[int, int], size: int) -> list[tuple[int, int]]:
    row, column = cell
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in near if 0 <= r < size and 0 <= c < size]


def chain(board: Board, cell: tuple[int, int], size: int) -> tuple[set, set]:
    """The cells that are connected to one with the same content, and the contents around them."""
    chain, todo, beside = {cell}, [cell], set()
    while todo:
        for near in around(todo.pop(), size):
            if board.get(near) != board.get(cell):
                beside.add(board.get(near))
            elif near not in chain:
                chain.add(near)
                todo.append(near)
    return chain, beside


def after_stone(board: Board, cell: tuple[int, int], player: int, size: int) -> Board | None:
    """The board after a stone; None if it is not allowed, but for the rule of ko."""
    board = board | {cell: player}
    for near in around(cell, size):
        if board.get(near) == 1 - player:
            group, beside = chain(board, near, size)
            if None not in beside:
                board = {c: p for c, p in board.items() if c not in group}
    return board if None in chain(board, cell, size)[1] else None


def lead(board: Board, size: int) -> int:
    points = 0
    for n in range(size * size):
        cell = divmod(n, size)
        owners = {board[cell]} if cell in board else chain(board, cell, size)[1]
        points += {frozenset({0}): 1, frozenset({1}): -1}.get(frozenset(owners), 0)
    return points


@pytest.mark.parametrize(("size", "games"), [(2, 12), (3, 12), (4, 12), (5, 12), (9, 2), (13, 1)])
def test_games_go_by_the_rules(size, games):
    rules = Rules(size)
    kos = suicides = captures = 0
    for seed in range(games):
        rng, state = Random(seed), rules.start()
        before = None
        while rules.outcome(state) is None:
            board, player = board_of(state, size), state.turn
            after = {
                cell: after_stone(board, cell, player, size)
                for cell in (divmod(n, size) for n in range(size * size))
                if cell not in board
            }
            allowed = {c: b for c, b in after.items() if b is not None and b != before}
            moves = rules.legal(state)
            assert sorted(moves) == sorted([PASS, *(r * size + c for r, c in allowed)])
            stones = [m for m in moves if m != PASS] or [PASS]
            taking = [m for m in stones if rules.captures(state, m)]
            move = rng.choice(taking if taking and rng.random() < 0.5 else stones)
            kos += len(allowed) < len({c for c in after if after[c] is not None})
            suicides += None in after.values()
            captures += rules.captures(state, move)
            before = board
            board = board if move == PASS else allowed[divmod(move, size)]
            state = rules.apply(state, move)
            assert board_of(state, size) == board
            assert rules.lead(state) == lead(board, size)
            assert state.turn == 1 - player
    assert captures
    assert suicides
    assert kos or size < 3


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 57), (3, 12_675)])
def test_the_number_of_positions(size, number):
    """Published by Tromp and Farnebäck (2007), see https://oeis.org/A094777: all are reachable."""
    rules, known, todo = Rules(size), {(0, 0)}, [(0, 0)]
    while todo:
        sides = todo.pop()
        for turn in (0, 1):
            state = State(*sides, turn, 9, 1)
            for move in rules.legal(state):
                reached = rules.apply(state, move)[:2]
                if reached not in known:
                    known.add(reached)
                    todo.append(reached)
    assert len(known) == number


def test_the_middle_of_three_by_three_wins_the_whole_board():
    """A result of every program that has solved the board."""
    solver, middle = GoSolver(Rules(3)), 1 << 4
    assert solver.value(State(middle, 0, 1, 12, 9)) == WIN


def test_captures_come_before_suicide():
    rules = Rules(3)
    capture = stones(".OX", "OX.", "X..")
    assert rules.apply(capture, 0).second == 0
    assert rules.captures(capture, 0)
    assert not rules.captures(capture, PASS)
    suicide = stones(".O.", "O..", "...")
    assert 0 not in rules.legal(suicide)
    with pytest.raises(InvalidAnswer, match="not a legal move; expected a cell such as r2c3"):
        rules.read(suicide, "r1c1")


def test_ko():
    rules = Rules(4)
    state = stones(".XO.", "X.XO", ".XO.", "....")._replace(turn=1)
    taken = rules.apply(state, 5)
    assert taken.first == state.first ^ 1 << 6
    assert 6 not in rules.legal(taken)
    assert "Not allowed in this move (ko): r2c3." in rules.show(taken)
    later = rules.apply(rules.apply(taken, PASS), PASS)
    elsewhere = rules.apply(rules.apply(taken, 12), 15)
    assert rules.outcome(later) is not None
    assert 6 in rules.legal(elsewhere)


def test_two_stones_that_capture_each_other_are_no_ko():
    rules = Rules(4)
    state = stones("XXO.", ".OO.", "OO..", "....")._replace(turn=1)
    taken = rules.apply(state, 4)
    assert taken.first == 0
    assert 0 in rules.legal(taken)


def test_the_end():
    rules = Rules(3)
    state = stones("X.O", "X.O", "X.O")
    assert rules.lead(state) == 0
    passed = rules.apply(state, PASS)
    assert rules.outcome(passed) is None
    assert "The last move was a pass." in rules.show(passed)
    assert rules.outcome(rules.apply(passed, PASS)) == LOSS
    assert rules.outcome(rules.apply(passed, PASS)._replace(margin=0)) == WIN
    assert rules.outcome(rules.apply(rules.apply(passed, 1), PASS)) is None
    assert rules.outcome(state._replace(left=0)) == LOSS
    assert rules.lead(stones("...", ".X.", "...")) == 9
    assert rules.lead(stones("...", "...", "...")) == 0


@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 5), st.integers(-3, 4))
@settings(max_examples=30, deadline=None)
def test_the_search_agrees_with_another(seed, size, left, margin):
    rules, rng = Rules(size), Random(seed)
    state = rules.start()
    for _ in range(rng.randrange(3 * size)):
        state = rules.apply(state, rng.choice([m for m in rules.legal(state) if m >= 0] or [PASS]))
    state = state._replace(left=left, margin=margin, passes=min(1, state.passes))
    one, other = GoSolver(rules), Solver(rules)
    assert one.value(state) == other.value(state)
    assert one.best_moves(state) == other.best_moves(state)


@pytest.mark.parametrize(("size", "parts"), [(6, 1), (9, 2), (13, 2), (13, 3)])
def test_the_search_agrees_with_another_on_large_boards(size, parts):
    rules = Rules(size)
    for seed in range(3):
        state = opening(Random(seed), rules, 5, parts)
        if state is None:
            continue
        for left, more in ((1, 1), (2, 0), (3, 1), (3, 2)):
            ahead = rules.lead(state) * (1 - 2 * state.turn) + more
            margin = 1 - ahead if state.turn else ahead
            known = state._replace(left=left, margin=margin, ko=0)
            one, other = GoSolver(rules), Solver(rules)
            assert one.value(known) == other.value(known)
            assert one.best_moves(known) == other.best_moves(known)


@pytest.mark.parametrize(("size", "parts"), [(6, 1), (9, 2), (13, 3)])
def test_positions_on_large_boards_are_nearly_full(size, parts):
    """All chains have a liberty, and no more cells are empty than is asked for, but for eyes."""
    rules, positions = Rules(size), 0
    for seed in range(12):
        state = opening(Random(seed), rules, 6, parts)
        if state is None:
            continue
        positions += 1
        board = board_of(state, size)
        assert all(None in chain(board, cell, size)[1] for cell in board)
        holes = {divmod(n, size) for n in range(size * size)} - {*board}
        eyes = {c for c in holes if len({board.get(near) for near in around(c, size)} - {None}) < 2}
        assert len(holes - eyes) <= 6
        assert {*board.values()} == {0, 1}
        assert len(holes) < size * size / 3
    assert positions >= 6


def test_the_best_lead_is_the_largest_that_is_reached():
    rules = Rules(9)
    for seed in range(4):
        state = opening(Random(seed), rules, 5, 1)
        if state is None:
            continue
        state = state._replace(left=4, ko=0)
        best = GoSolver(rules).best_lead(state, -81)
        assert best == max(n for n in range(-81, 82) if GoSolver(rules).reaches(state, n))
        assert GoSolver(rules).best_lead(state, best + 1) is None


def test_a_search_that_takes_long_is_given_up():
    state = Rules(9).start()._replace(left=9)
    with pytest.raises(TooHard):
        GoSolver(Rules(9), 50).value(state)


def test_the_top_level_is_played_on_thirteen_by_thirteen():
    task = Address.of("matches/go", 2, 5).task()
    assert task.size == 13
    assert "13 by 13 cells" in task.description()
    assert "\n13  " in task.rules().show(task.start())
    for move in task.rules().legal(task.start()):
        row, column = divmod(move, 13)
        text = f"row {row + 1}, column {column + 1}" if move != PASS else "I pass."
        assert task.rules().read(task.start(), text) == move


def test_the_present_area_is_not_enough_and_no_capture_wins_at_once():
    for seed in range(6):
        task = Address.of("matches/go", seed, 3).task()
        assert isinstance(task, Go)
        rules, start = task.rules(), task.start()
        assert rules.leader(start) != start.turn
        assert PASS not in task.winning_moves()
        assert f"{start.margin - 0.5}" in task.description()
        assert f"{start.margin - 0.5}" in rules.show(start)
        assert task._example() not in map(partial(rules.name, start), rules.legal(start))


@pytest.mark.parametrize(
    "text",
    ["r2c3", "R2 C3", "row 2, column 3", "(2, 3)", "I play r2c3.",
     "Place a stone at r2c3.", "I place my stone on r2c3", "put a stone on row 2, column 3",
     "move to r2c3"],
)  # fmt: skip
def test_cells_are_read(text):
    assert Rules(4).read(Rules(4).start(), text) == 6


@pytest.mark.parametrize("text", ["pass", "Pass.", "I pass", "**pass**", "My move: pass", "PASS!"])
def test_passes_are_read(text):
    assert Rules(4).read(Rules(4).start(), text) == PASS


@pytest.mark.parametrize(
    "text",
    ["", "pass or r2c3", "I do not pass", "O: pass", "O passes", "r2c3 r2c4", "r5c1", "pass r1c1",
     "Place a stone at pass", "Place no stone at r2c3", "do not place a stone at r2c3"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        Rules(4).read(Rules(4).start(), text)


def test_the_reason_of_a_refusal_names_the_format_once():
    rules = Rules(3)
    for text in ("zzz", "r1c1 r1c2"):
        with pytest.raises(InvalidAnswer) as refusal:
            rules.read(rules.start(), text)
        assert str(refusal.value) == "expected one cell, such as r2c3, or 'pass'"
