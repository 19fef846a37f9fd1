"""Three in a row for three players, a folk variant of tic-tac-toe: one player against two who play
together.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.matches.board_match import ILLEGAL_MOVES
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.three_player_line import (
    SIGNS,
    LineSolver,
    State,
    sides_of,
    solver_of,
)
from palaestra.generators.matches.three_player_line import ThreePlayerLine as Rules
from palaestra.task import InvalidAnswer, NoValidTask, Play, Policy, Score, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

LENGTH = 3
"""The number of stones of a line."""

TRIES = 4_000
"""How many boards are looked at for a win of the right length."""


class ThreePlayerLine(LimitedMatch):
    """Get three in a row within a number of moves against two players who play together."""

    players = 3
    answer_type = "cells"
    tags = {"teams", "perfect-information", "search"}
    candidates: ClassVar[int] = 2

    class Knobs(LimitedMatch.Knobs):
        boards: int = ladder(1, 1, 1, 2, 2, 3, low=1, high=4)
        rows: int = ladder(4, 5, 5, 5, 6, 6, low=4, high=8)
        columns: int = ladder(4, 5, 5, 6, 6, 7, low=4, high=8)
        stones: int = ladder(2, 3, 2, 3, 3, 3, low=2, high=3)  # of each player at the start
        least_moves: int = ladder(2, 2, 3, 3, 3, 3, low=2, high=3)  # all that are allowed
        pairs: int = ladder(0, 0, 2, 4, 6, 8, low=0, high=14)  # cells that make two threats
        most_chance: float = ladder(1.0, 0.05, 0.01, 2e-3, 1e-3, 5e-4, low=1e-7)  # of a board

    rows: int
    columns: int

    @classmethod
    def rules_of(cls, knobs: Any) -> Rules:
        return Rules(knobs.rows, knobs.columns, LENGTH)

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns, LENGTH)

    def solver(self) -> LineSolver:
        return solver_of(self.rules(), self.position)

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        rules = cls.rules_of(knobs)
        boards = [cls._board(rng, rules, knobs) for _ in range(knobs.boards)]
        first, *rest = boards
        state = first._replace(rest=tuple((*each[:3], each.left) for each in rest))
        return cls(
            position=rules.encode(state),
            seed_of_opponent=rng.getrandbits(32),
            **cls.fields_of(knobs),
        )

    @classmethod
    def _board(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """A board where a player of random moves wins seldom enough; else the hardest one."""
        if rules.rows * rules.columns < 3 * (knobs.stones + knobs.least_moves):
            raise NoValidTask("the board has too few cells")
        best: State | None = None
        least = 2.0
        for _ in range(cls.candidates):
            state = cls.opening(rng, rules, knobs)
            if state is None:
                continue
            chance = LineSolver(rules).line(state).random_score
            if chance < least:
                best, least = state, chance
            if chance <= knobs.most_chance:
                break
        if best is None:
            raise NoValidTask("no board has a win")
        return best

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        """A board where X wins in time but not earlier, and where many cells make two threats; with
        each board that is looked at, a little fewer are enough.
        """
        cells, number, moves = range(rules.rows * rules.columns), knobs.stones, knobs.least_moves
        for n in range(TRIES):
            sample = rng.sample(cells, 3 * number)
            stones = [sum(1 << cell for cell in sample[turn::3]) for turn in range(3)]
            state = State(stones[0], stones[1], stones[2], 0, moves)
            if rules.free(state).bit_count() < 3 * moves or not rules.is_open(state):
                continue
            pairs = sum(rules.threats(state, cell) > 1 for cell in rules.legal(state))
            if pairs < knobs.pairs * (1 - n / TRIES):
                continue
            if rules.fewest(state, moves) == moves:
                return state
        return None

    def play(self) -> Play:
        rules, state = self.rules(), self.start()
        last: int | None = None
        illegal = [0] * self.players
        events = [[self.description()] for _ in illegal]
        while (over := rules.outcome(state)) is None:
            seat = state.turn
            try:
                text = yield self._turn(state, last, events[seat])
                move = read_move(partial(rules.read, state), text, (SIGNS[seat],))
            except InvalidAnswer as error:
                illegal[seat] += 1
                left = ILLEGAL_MOVES - illegal[seat]
                if left < 0:
                    return self._scores(
                        WIN if seat else LOSS, f"{SIGNS[seat]} made too many illegal moves"
                    )
                events[seat] = [
                    f"That is not a legal move: {error}. Illegal moves still allowed: {left}."
                ]
                continue
            events[seat] = []
            for other in (seat - 1, seat - 2):
                events[other].append(f"{SIGNS[seat]} played {rules.name(state, move)}.")
            after = rules.apply(state, move)
            if len(after.rest) < len(state.rest):
                for each in events:
                    each.append("X has a line on this board. The next board begins.")
            state, last = after, move if after.rest == state.rest else None
        return self._scores(over, self._end(state))

    def _turn(self, state: State, last: int | None, events: Sequence[str]) -> Turn:
        rules = self.rules()
        parts = [*events, rules.show(state), f"You are {SIGNS[state.turn]}. Your move?"]
        return Turn(
            "\n\n".join(parts),
            legal_moves=sorted(rules.name(state, move) for move in rules.legal(state)),
            state=rules.encode(state),
            player=state.turn,
            scene=partial(rules.scene, state, last),
        )

    def _end(self, state: State) -> str:
        """What a game has ended with."""
        moved = (state.turn + 2) % 3
        if self.rules().has_line(sides_of(state)[moved]):
            return f"{SIGNS[moved]} has a line"
        return "X has no line after the last of its moves on a board"

    def _scores(self, over: int, reason: str) -> tuple[Score, ...]:
        """1 for the players of the side that wins, and 0 for the others."""
        won, lost = Score(1, f"won: {reason}"), Score(0, f"lost: {reason}")
        return (won, lost, lost) if over == WIN else (lost, won, won)

    def description(self) -> str:
        rules, start = self.rules(), self.start()
        moves, number = start.left, len(start.rest) + 1
        # A move that wins makes threats.
        cell = min(sorted(rules.legal(start)), key=lambda cell: rules.threats(start, cell))
        example = rules.name(start, cell)
        board, boards = f"{self.rows} by {self.columns} cells", ""
        game, won = "the game", ""
        if number > 1:
            game, won = "the game on a board", " the board"
            boards = (
                f" The match has {number} such boards. As soon as X has won one of them, the next "
                f"one begins, with X to move. X has {moves} moves on each board, and wins the "
                "match with a line on every board; O and Z win it as soon as they win one board."
            )
        return self.phrase(
            f"A line game of three players, X, O and Z, on a board of {board}. They take turns in "
            "this order, X, O, Z, X and so on, and place one stone of their own on an empty cell; "
            "stones are never moved or removed. A line is three stones of the same player in "
            "neighbouring cells of one row, column or diagonal. X plays alone against O and Z, who "
            f"play together. X wins{won} with a line of X, at its move number {moves} at the "
            f"latest. O and Z both win{won} if X does not manage that, or as soon as one of them "
            f"has a line. X is to move.{boards} A move is a cell by its row and column, counted "
            f"from 1 at the top left, such as '{example}'.",
            f"X, O and Z put stones on a board of {board}, one at a time and always in the order "
            "X, O, Z. A stone goes to any free cell and stays there. X is one side; O and Z are "
            "the other side and help each other. Three adjacent stones of one letter in a "
            f"straight line, horizontally, vertically or diagonally, end {game}. X has {moves} "
            f"moves to make such a line of X, and then has won{won}. If O or Z makes a line of its "
            f"own letter before that, or X has none after these {moves} moves, O and Z both win"
            f"{won}. X begins.{boards} Give a move as row and column, counted from 1 at the top "
            f"left, for example '{example}'.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(value: Callable[[State, int], Any]) -> Policy:
            """A win, else a parry, else the greatest value, at random if equal."""

            def move(turn: Turn) -> str:
                state: State = rules.decode(turn.state)
                free, seat = rules.free(state), state.turn
                cells = [*rules.legal(state)]
                rng.shuffle(cells)
                for n in (seat, (seat + 1) % 3, (seat + 2) % 3):
                    if forced := rules.completing(sides_of(state)[n], free):
                        cells = [cell for cell in cells if forced >> cell & 1]
                        break
                return rules.name(state, max(cells, key=lambda cell: value(state, cell)))

            return move

        def own_lines(state: State, cell: int) -> float:
            sides = [*sides_of(state)]
            sides[state.turn] |= 1 << cell
            after = state._replace(first=sides[0], second=sides[1], third=sides[2])
            return rules.open_lines(after, state.turn)

        def near(state: State, cell: int) -> int:
            return -rules.legal(state).index(cell)

        return {
            **super().baselines(rng),
            "win, else parry, else most threats": player(rules.threats),
            "win, else parry, else own lines": player(own_lines),
            "win, else parry, else threats and lines": player(
                lambda state, cell: (rules.threats(state, cell), own_lines(state, cell))
            ),
            "win, else parry, else centre": player(near),
            "win, else parry, else anywhere": player(lambda state, cell: 0),
        }
