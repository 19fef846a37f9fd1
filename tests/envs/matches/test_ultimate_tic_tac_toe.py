"""Ultimate tic-tac-toe: its rules against rules that are written another way, and its matches."""

from random import Random

import pytest

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.ultimate_tic_tac_toe import ANY, NUMBERS, State
from palaestra.generators.matches.ultimate_tic_tac_toe import UltimateTicTacToe as Rules
from palaestra.task import InvalidAnswer

CELLS = [(row, column) for row in range(9) for column in range(9)]
THREES = (
    [[(row, n) for n in range(3)] for row in range(3)]
    + [[(n, column) for n in range(3)] for column in range(3)]
    + [[(n, n) for n in range(3)], [(n, 2 - n) for n in range(3)]]
)


def winner(marks):
    """Who has a line, where ``marks`` are the signs of cells or of small boards."""
    for line in THREES:
        signs = {marks.get(cell) for cell in line}
        if len(signs) == 1 and signs <= {"X", "O"}:
            return signs.pop()
    return None


class Board:
    """The game with the signs of cells by row and column."""

    def __init__(self):
        self.marks, self.turn, self.target = {}, "X", None

    def small(self, *at):
        rows, columns = (range(3 * n, 3 * n + 3) for n in at)
        return {
            (row % 3, column % 3): self.marks.get((row, column))
            for row in rows
            for column in columns
        }

    def owners(self):
        """The owner of each small board, "-" if it is full, and None if it is open."""
        result = {}
        for row in range(3):
            for column in range(3):
                small = self.small(row, column)
                full = None if None in small.values() else "-"
                result[row, column] = winner(small) or full
        return result

    def over(self):
        owners = self.owners()
        return winner(owners) or (None if None in owners.values() else "-")

    def moves(self):
        owners = self.owners()
        return {
            (row, column)
            for row, column in CELLS
            if (row, column) not in self.marks
            and owners[row // 3, column // 3] is None
            and self.target in {None, (row // 3, column // 3)}
        }

    def take(self, cell):
        self.marks[cell] = self.turn
        self.turn = "O" if self.turn == "X" else "X"
        self.target = cell[0] % 3, cell[1] % 3
        if self.owners()[self.target]:
            self.target = None


def after(*cells):
    rules = Rules()
    state = rules.start()
    for cell in cells:
        state = rules.apply(state, rules.read(state, cell))
    return state


def value(rules, state):
    """The outcome for X by plain search."""
    if (over := rules.outcome(state)) is not None:
        return over
    values = [value(rules, rules.apply(state, move)) for move in rules.legal(state)]
    return min(values) if state.turn else max(values)


def test_counts_of_games():
    """81 first moves, 9 replies each; only the 9 cells that send to their own board leave 8."""
    rules = Rules()
    assert perft(rules, rules.start(), 1) == 81
    assert perft(rules, rules.start(), 2) == 72 * 9 + 9 * 8


def test_games_go_by_the_rules():
    rules, rng, ends = Rules(), Random(5), set()
    for _ in range(8):
        state, board = rules.start(), Board()
        while (over := rules.outcome(state)) is None:
            assert board.over() is None
            legal = rules.legal(state)
            cells = [divmod(NUMBERS[move], 9) for move in legal]
            assert len(legal) == len(set(cells))
            assert set(cells) == board.moves()
            assert "XO"[state.turn] == board.turn
            move = rng.choice(legal)
            assert rules.read(state, rules.name(state, move)) == move
            state = rules.apply(state, move)
            board.take(divmod(NUMBERS[move], 9))
            assert rules.decode(rules.encode(state)) == state
            owners = [*board.owners().values()]
            assert state.first_boards == sum(1 << n for n in range(9) if owners[n] == "X")
            assert state.second_boards == sum(1 << n for n in range(9) if owners[n] == "O")
            assert state.closed == sum(1 << n for n in range(9) if owners[n])
            open_boards = [n for n, owner in board.owners().items() if not owner]
            free = [c for c in CELLS if c not in board.marks]
            assert rules.free(state) == sum((r // 3, c // 3) in open_boards for r, c in free)
        assert over == {"X": WIN, "O": LOSS, "-": DRAW}[board.over()]
        ends.add(over)
    assert ends == {WIN, DRAW, LOSS}


def test_values():
    rules, rng, values = Rules(), Random(8), set()
    for _ in range(30):
        state = rules.start()
        while rules.outcome(state) is None and rules.free(state) > 7:
            state = rules.apply(state, rng.choice(rules.legal(state)))
        solved = Solver(rules).value(state)
        assert solved == value(rules, state)
        values.add(solved)
    assert values == {WIN, DRAW, LOSS}


def test_a_move_sends_to_a_small_board():
    state = after("r1c3")
    assert state.board == 2
    assert [*map(Rules().name, [state] * 9, sorted(Rules().legal(state)))] == [
        f"r{row}c{column}" for row in (1, 2, 3) for column in (7, 8, 9)
    ]
    assert "The next move is in small board 3." in Rules().show(state)


def test_a_closed_board_leaves_the_choice():
    """X wins small board 1 in its top row, and is sent there again later."""
    state = State(0b011, 0, 0, 0, 0, 0, 0)
    state = Rules().apply(state, 2)
    assert state.first_boards == state.closed == 1
    assert state.board == 2
    assert Rules().apply(state, 18).board == ANY
    assert len(Rules().legal(Rules().apply(state, 18))) == 71


def test_the_board_and_the_scene_show_the_position():
    state = Rules().apply(State(0b011, 1 << 80, 0, 0, 0, 0, 0), 2)
    assert Rules().show(state).splitlines()[1] == "1  X X X | . . . | . . ."
    assert Rules().show(state).splitlines()[11] == "9  . . . | . . . | . . O"
    assert "Small boards that X has won: 1." in Rules().show(state)
    scene = Rules().scene(state, 2)
    assert [scene.cells[0][n].text for n in range(9)] == ["X"] * 3 + [""] * 6
    assert scene.cells[8][8].text == "O"
    assert scene.last == ((0, 2),)
    assert [scene.cells[0][n].fill for n in (0, 3, 6)] == ["t3", "paper", "t2"]
    assert scene.regions[4][4] == 4


@pytest.mark.parametrize("text", ["r2c3", "R2 C3", "row 2, column 3", "(2, 3)", "I play r2c3."])
def test_moves_are_read(text):
    assert NUMBERS[Rules().read(Rules().start(), text)] == 11


def test_moves_that_are_refused():
    rules = Rules()
    for text, reason in [
        ("r5c5", "has to be in small board 3"),
        ("r1c10", "outside"),
        ("board 3", "expected one cell"),
        ("r1c7 or r1c8", "expected one cell"),
    ]:
        with pytest.raises(InvalidAnswer, match=reason):
            rules.read(after("r1c3"), text)
    with pytest.raises(InvalidAnswer, match="taken"):
        rules.read(after("r1c1"), "r1c1")
    closed = State(0b111, 0, 1, 0, 1, ANY, 1)
    with pytest.raises(InvalidAnswer, match="small board 1 is closed"):
        rules.read(closed, "r2c2")


def test_the_judgement_counts_boards_and_lines_of_two():
    state = State(0b111, 0b11 << 9, 1, 0, 1, ANY, 1)
    assert Rules().judgement(state, 0) == 3
    assert Rules().judgement(state, 1) == -3
