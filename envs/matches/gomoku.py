"""Gomoku, five in a row, the game of Japan that goes back to the seventeenth century."""

from collections.abc import Iterable, Mapping
from itertools import islice
from random import Random
from typing import Any, Self

from palaestra.generators.matches.gomoku import Gomoku as GomokuRules
from palaestra.generators.matches.gomoku import GomokuSolver, State, solver_of
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.generators.matches.square_boards import bits
from palaestra.task import NoValidTask, Policy, Turn, ladder

TRIES = 600
"""How many boards are looked at for a win of the right length."""

STEPS = 60
"""How many stones are moved on a board, at most, to make it as intended."""


class Gomoku(LimitedMatch):
    """Get five in a row within a number of moves against a perfect opponent."""

    answer_type = "cells"
    candidates = 1
    baseline_note = (
        "A player who extends the most lines makes fours and open threes, of which a win consists, "
        "and finds up to a third of the wins of four moves."
    )

    class Knobs(LimitedMatch.Knobs):
        size: int = ladder(7, 7, 8, 9, 10, 11, low=7, high=11)
        stones: float = ladder(0.4, 0.4, 0.36, 0.35, 0.3, 0.26, low=0.2, high=0.5)  # of all cells
        fours: int = ladder(2, 4, 6, 7, 8, 8, low=0, high=12)  # cells that make a four, at least
        wins: int = ladder(4, 2, 1, 1, 1, 1, low=1, high=9)  # winning moves at the start, at most
        least_moves: int = ladder(2, 3, 3, 4, 4, 4, low=2, high=4)  # all that are allowed
        most_chance: float = ladder(1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, low=1e-7)

    size: int

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def attack(turn: Turn) -> str:
            state: State = rules.decode(turn.state)
            mine, theirs = _sides(state)
            fours = rules.extending(mine, theirs, 4) or rules.extending(theirs, mine, 4)
            cells = [*bits(fours)] or list(rules.legal(state))
            best = max(cells, key=lambda cell: rules.lines(mine | 1 << cell, theirs))
            return rules.name(state, best)

        return {**super().baselines(rng), "win, else parry, else own lines": attack}

    @classmethod
    def rules_of(cls, knobs: Any) -> GomokuRules:
        return GomokuRules(knobs.size)

    def rules(self) -> GomokuRules:
        return GomokuRules(self.size)

    def solver(self) -> GomokuSolver:
        return solver_of(self.rules(), self.position)

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The hardest of the candidates. Their search is their solver's: another one would have to
        compare all replies to the first move.
        """
        rules, best, least = cls.rules_of(knobs), None, 2.0
        for state in cls._openings(rng, rules, knobs):
            task = cls(
                position=rules.encode(state),
                seed_of_opponent=rng.getrandbits(32),
                seat=state.turn,
                **cls.fields_of(knobs),
            )
            chance = task.line().random_score
            if chance < least:
                best, least = task, chance
            if chance <= knobs.most_chance:
                break
        if best is None:
            raise NoValidTask("no board has a win")
        return best

    @classmethod
    def opening(cls, rng: Random, rules: GomokuRules, knobs: Any) -> State | None:
        """A board where the player to move wins in time with few of its moves, but in no shorter
        time; if there is none, the slowest win.
        """
        slowest, best = 0, None
        for n in range(TRIES):
            # Knobs set by hand can ask for more than a board has room for.
            state = _tense(rng, rules, knobs, strict=n < TRIES // 2)
            if state is None:
                continue
            sides = _sides(state)
            moves = rules.forced(*sides, knobs.least_moves)
            if moves <= slowest or rules.fewest(*sides, moves - 1):
                continue
            state = state._replace(left=2 * moves - 1)
            if moves < knobs.least_moves or _has_few(rules.winning(*sides, moves), knobs.wins):
                slowest, best = moves, state
            if slowest == knobs.least_moves:
                break
        return best

    def description(self) -> str:
        start = self.start()
        hunter, other = self.rules().signs[:: 1 if start.hunter == 0 else -1]
        moves = (start.left + 1) // 2
        board = f"{self.size} by {self.size} cells"
        return self.phrase(
            f"Gomoku (five in a row) on a board of {board}. X and O take turns to place one stone "
            "of their own on an empty cell; stones are never moved or removed. The first player "
            "with five or more own stones in neighbouring cells of one row, column or diagonal "
            f"wins at once. {hunter} is to move and has to win with its move number {moves} at the "
            f"latest, or {other} wins. A move is a cell by its row and column, counted from 1 at "
            "the top left, such as 'r2c3'.",
            f"This is Gomoku (five in a row) on {board}; rows and columns are "
            "counted from 1 at the top left, and some stones of X and O are already on the board. "
            "In each turn, a player puts a stone on any free cell, where it stays. Whoever first "
            "gets an unbroken line of at least five own stones, horizontally, vertically or "
            f"diagonally, has won. The number of moves is limited: {hunter}, who begins, must "
            f"complete such a line with at most {moves} own moves, and otherwise {other} is the "
            "winner. Give a move as row and column, for example 'r2c3'.",
        )


def _filled(rng: Random, size: int, share: float) -> State:
    """A board on which stones were placed at random, as many by each player or one more by X."""
    cells = rng.sample(range(size**2), round(share * size**2) - rng.randrange(2))
    first, second = (sum(1 << cell for cell in cells[n::2]) for n in (0, 1))
    turn = len(cells) % 2
    return State(first, second, turn, 1, turn)


def _sides(state: State) -> tuple[int, int]:
    """The stones of the player to move, and those of the other player."""
    return (state.first, state.second) if state.turn == 0 else (state.second, state.first)


def _tense(rng: Random, rules: GomokuRules, knobs: Any, strict: bool) -> State | None:
    """A board where nobody has a four and the player to move can make many, but, for a win of more
    than two moves, none that wins at once, while the other player threatens to do so: one stone of
    a random board after another is moved. None, or unless ``strict`` the nearest board, if that
    takes too many steps.
    """
    state = _filled(rng, rules.size, knobs.stones)
    if not _is_open(rules, state):
        return None
    tension = _tension(rules, state, knobs)
    for _ in range(STEPS):
        if not tension:
            return state
        moved = _with_moved_stone(rng, rules, state)
        if moved is not None and (after := _tension(rules, moved, knobs)) <= tension:
            state, tension = moved, after
    return None if strict else state


def _tension(rules: GomokuRules, state: State, knobs: Any) -> int:
    """How far a board is from what is intended; 0 if it is."""
    mine, theirs = _sides(state)
    missing: int = max(0, knobs.fours - rules.extending(mine, theirs, 3).bit_count())
    if knobs.least_moves > 2:
        missing += 4 * rules.threatens(mine, theirs) + 4 * (not rules.threatens(theirs, mine))
    return missing


def _with_moved_stone(rng: Random, rules: GomokuRules, state: State) -> State | None:
    """The board with a random stone moved to where it extends a line; None if that makes a four."""
    sides, player = [state.first, state.second], rng.randrange(2)
    cells = [*bits(rules.extending(sides[player], sides[1 - player], 2))]
    if not cells:
        return None
    sides[player] ^= 1 << rng.choice([*bits(sides[player])]) | 1 << rng.choice(cells)
    moved = state._replace(first=sides[0], second=sides[1])
    return moved if _is_open(rules, moved) else None


def _is_open(rules: GomokuRules, state: State) -> bool:
    """Whether nobody has a line or can make one at once."""
    first, second = state[:2]
    if any(rules.outcome(state._replace(turn=turn)) is not None for turn in (0, 1)):
        return False
    return not (rules.extending(first, second, 4) or rules.extending(second, first, 4))


def _has_few(moves: Iterable[int], most: int) -> bool:
    return len(list(islice(moves, most + 1))) <= most
