"""Dodgem, the game of Colin Vout (1972), which Berlekamp, Conway and Guy analyse in "Winning Ways"
(1982).
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.dodgem import Dodgem as DodgemRules
from palaestra.generators.matches.dodgem import State
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.task import ladder

FAILURES = 40
"""How many earlier positions are tried in a row for a longer win."""

TRIES = 2_000
"""How many random positions are tried in search of a win."""

STARTS = 30
"""From how many wins longer ones are derived before a shorter one has to do."""


class Dodgem(LimitedMatch):
    """Drive all cars off the board within a number of moves against a perfect opponent."""

    answer_type = "cells"
    candidates = 2

    class Knobs(LimitedMatch.Knobs):
        rows: int = ladder(4, low=3, high=5)
        columns: int = ladder(5, low=3, high=5)
        cars: int = ladder(2, 2, 2, 3, 3, 3, low=2, high=3)  # of the player, at most
        all_cars: int = ladder(4, 4, 4, 6, 6, 6, low=4, high=6)  # of both players
        random_moves: int = ladder(5, low=4, high=6)  # of a win that is not derived
        sideways: int = ladder(1, 1, 1, 1, 1, 2, low=0, high=2)  # first turns that need no forward
        least_moves: int = ladder(4, 4, 5, 6, 6, 7, low=2, high=8)
        most_share: float = ladder(
            1.0, 1.0, 1.0, 1.0, 0.4, 0.34, low=0.25, high=1.0
        )  # of winning moves
        most_chance: float = ladder(0.2, 0.04, 0.01, 0.01, 0.002, 0.0005, low=1e-9)

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> DodgemRules:
        return DodgemRules(knobs.rows, knobs.columns)

    def rules(self) -> DodgemRules:
        return DodgemRules(self.rows, self.columns)

    @classmethod
    def opening(cls, rng: Random, rules: DodgemRules, knobs: Any) -> State | None:
        """A random position with a win of ``least_moves``, or one that leads to a shorter win."""
        shorter: State | None = None
        for _ in range(STARTS):
            cars = _numbers(rng, knobs)
            start = _random_win(rng, rules, knobs, cars)
            if start is not None:
                state, moves = _longer(rng, rules, knobs, start, cars)
                shorter = state._replace(left=2 * moves - 1, hunter=state.turn)
                if moves >= knobs.least_moves:
                    return shorter
        return shorter

    def description(self) -> str:
        start, rows, columns = self.start(), self.rows, self.columns
        hunter, other = self.rules().signs[:: 1 if start.hunter == 0 else -1]
        moves = (start.left + 1) // 2
        return self.phrase(
            f"Dodgem on a board with {rows} rows and {columns} columns. X and O take turns to move "
            "one of their own cars to an empty neighbouring cell. Cars of X move right, up or "
            "down, never left; cars of O move up, left or right, never down. In addition, a car of "
            f"X in column {columns} may leave the board to the right, and a car of O in row 1 at "
            "the top; it does not return. There are no captures and no diagonal moves, and whoever "
            "can move may not pass. A player whose last car leaves the board wins. A player "
            "who has cars but cannot move any of them in its turn wins as well, so that blocking "
            f"all cars of the opponent loses. {hunter} has to win within {moves} moves of its own: "
            f"if it has not, {other} wins. Rows and columns are counted from 1 at the top left. A "
            "move is the cell of the car and the cell that it enters, such as 'r3c2-r2c2', or, if "
            "it leaves the board, its cell and 'off', such as 'r1c1-off'.",
            f"This is the game of Dodgem, with cars of two players on {rows} rows and {columns} "
            "columns, which are counted from 1 at the top left. X drives to the right and O to the "
            "top. In its turn, a player moves one own car by one cell, either forward or to one "
            "side, but never backward: X right, up or down, O up, left or right. The cell that it "
            "enters has to be empty, and nothing is captured. From the last cell in its direction "
            f"(column {columns} for X, row 1 for O), a car can also drive forward off the board, "
            "where it is out of the game; no car leaves the board in another direction. Passing is "
            "not allowed. Whoever first has no car left on the board has won. Blocking the other "
            "player completely loses: whoever is to move and has cars, but no possible move, has "
            f"won, too. The number of moves is limited: {hunter} must win with "
            f"at most {moves} own moves, and otherwise {other} is the winner. Write the cell that "
            "a car leaves and the cell that it enters, for example 'r3c2-r2c2', and for a car that "
            "leaves the board the word off instead, for example 'r1c1-off'.",
        )


def _numbers(rng: Random, knobs: Any) -> tuple[int, int]:
    """How many cars the player to move and the other one have at most."""
    most = min(knobs.rows, knobs.columns) - 1
    mine = rng.randint(2, min(most, knobs.cars))
    return mine, min(most, max(2, knobs.all_cars - mine))


def _random_win(
    rng: Random, rules: DodgemRules, knobs: Any, cars: Sequence[int]
) -> tuple[State, int] | None:
    """A random position that is won, and the number of moves that this takes."""
    most, target = knobs.random_moves, knobs.least_moves
    least = target if target <= most else most - 2
    for _ in range(TRIES):
        state = _placed(rng, rules.rows * rules.columns, cars)
        way, other = (rules.way(state, player) for player in (state.turn, 1 - state.turn))
        if not (way <= most and least - 3 <= way < other) or rules.outcome(state) is not None:
            continue
        if target <= most and rules.wins(state, way):
            continue  # moves forward are enough
        moves = rules.moves_to_win(state, most)
        if moves is None or moves < least:
            continue
        if target > most or _is_hard(rules, knobs, state, moves, knobs.sideways > 0):
            return state, moves
    return None


def _longer(
    rng: Random, rules: DodgemRules, knobs: Any, start: tuple[State, int], most: Sequence[int]
) -> tuple[State, int]:
    """A position with a win of ``least_moves`` that leads to another win, or a shorter one."""
    state, moves = start
    failures = 0
    while moves < knobs.least_moves and failures < FAILURES:
        last = moves >= knobs.least_moves - knobs.sideways
        earlier = _earlier(rng, rules, state, most, last)
        if earlier is not None and _is_hard(rules, knobs, earlier, moves + 1, last):
            state, moves, failures = earlier, moves + 1, 0
        else:
            failures += 1
    return state, moves


def _earlier(
    rng: Random, rules: DodgemRules, state: State, most: Sequence[int], sideways: bool
) -> State | None:
    """A position one move of each player earlier, with the same player to move; with ``sideways``,
    this player then moved to the side. ``most`` are the most cars of this player and the other.
    """
    first, second, turn = state[:3]
    theirs = rules.before(state, 1 - turn, most[1])
    if not theirs:
        return None
    other = rng.choice(theirs)
    state = State(first, other, turn) if turn == 0 else State(other, second, turn)
    way = rules.way(state, turn)
    mine = [
        cars
        for cars in rules.before(state, turn, most[0])
        if not sideways or rules.way_of(cars, turn) == way
    ]
    if not mine:
        return None
    own = rng.choice(mine)
    state = State(own, other, turn) if turn == 0 else State(other, own, turn)
    return None if rules.outcome(state) is not None else state


def _is_hard(rules: DodgemRules, knobs: Any, state: State, moves: int, sideways: bool) -> bool:
    """Whether a win takes exactly so many moves and begins with few of the moves, and with
    ``sideways`` with none forward.
    """
    if not rules.wins(state, moves) or rules.wins(state, moves - 1):
        return False
    winning = rules.winning(state, moves)
    if len(winning) > knobs.most_share * len(rules.legal(state)):
        return False
    return not (sideways and any(rules.is_forward(state, move) for move in winning))


def _placed(rng: Random, board: int, numbers: Sequence[int]) -> State:
    """Cars in random cells of a board, as many of the player to move as the first number."""
    cells = rng.sample(range(board), sum(numbers))
    mine, theirs = (
        sum(1 << n for n in part) for part in (cells[: numbers[0]], cells[numbers[0] :])
    )
    return State(theirs, mine, 1) if rng.randrange(2) else State(mine, theirs, 0)
