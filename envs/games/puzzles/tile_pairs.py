"""Tiles removed in pairs that are joined by paths, as in Shisen-sho, a game of the 1980s.

Of the tiles of a type, some pairs can be joined early, and the wrong ones leave the others apart.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.puzzles.tile_pairs import (
    Board,
    Move,
    Room,
    Size,
    clearance,
    joined_rooms,
    room,
    safe_move,
)
from palaestra.generators.games.puzzles.tile_pairs import TilePairs as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class TilePairs(SoloGame):
    """Clear a board of tiles in pairs that a path with at most two bends joins."""

    answer_type = "cells"
    tags = {"planning", "perfect-information", "spatial"}

    tries: ClassVar[int] = 60
    """The number of rooms to look at for one that few games at random clear."""

    class Knobs(SoloGame.Knobs):
        rooms: int = ladder(1, 1, 1, 2, 3, 4, low=1, high=4)
        rows: int = ladder(4, 4, 5, 5, 5, 5, low=3, high=5)  # of tiles and walls in a room
        columns: int = ladder(4, 5, 5, 5, 5, 5, low=4, high=5)  # of a room
        walls: int = ladder(2, 4, 5, 5, 5, 5, low=2, high=6)  # in a room, at least
        most_percent: int = ladder(40, 30, 20, 18, 18, 18, low=10, high=100)  # see `Room.share`

    columns: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rooms = list[Room]()
        size, share = Size(knobs.rows, knobs.columns, knobs.walls), knobs.most_percent / 100
        while len(rooms) < knobs.rooms:
            new = room(rng, size, share, cls.tries)
            rooms += [new] if new else []
        across = knobs.rooms if knobs.rooms < 4 else 2
        columns, board = joined_rooms(rooms, across)
        pairs = sum(tile > 0 for tile in board) // 2
        return cls(position=encoded(board), moves=pairs, columns=columns)

    def rules(self) -> Rules:
        return Rules(self.columns)

    def plan(self) -> Plan[Move] | None:
        cleared = clearance(self.columns, self.start())
        return cleared.plan if cleared else None

    def difficulty(self) -> float:
        """How many games a player of random moves, who makes safe ones first, needs to clear the
        board once.
        """
        cleared = clearance(self.columns, self.start())
        return 1 / cleared.share if cleared else 0.0

    def description(self) -> str:
        return self.phrase(
            "This is a board of tiles. Each letter is a type of tile, '.' is an empty cell, and "
            "'#' is a wall. In a move, you remove two tiles of the same type that a path joins. A "
            "path goes from cell to cell, up, down, left or right, from one of the two tiles to "
            "the other. All cells between the two tiles have to be empty, and the path bends at "
            "most twice, so that it consists of at most three straight segments. Two tiles that "
            "share a side are joined as well. The cells of removed tiles become empty. Walls stay, "
            "and no path leaves the board. Remove all tiles. You lose when tiles are left and no "
            "two equal ones can be joined. Cells are named by row and column, both from 1 at the "
            "top left. A move is the two cells, such as 'r1c2 r3c4'.",
            "Clear this board of its tiles, two at a time. The two tiles of a move have the same "
            "letter, and a line runs between them that consists of one, two or three straight "
            "parts, each of them horizontal or vertical. Apart from its two ends, the line "
            "passes through empty cells of the board only, which are the dots; the cells of tiles "
            "that have been removed are dots, too. Neighbours in a row or column always have such "
            "a line between them. A '#' is a wall, which blocks the line like a tile and is never "
            "removed. The line cannot run outside the board. If tiles are left and no pair can "
            "be removed, you have lost. Rows are counted from the top and columns from the left, "
            "from 1 on. Write the two cells, for example 'r1c2 r3c4'.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who make safe moves first, or look at how many pairs can be removed next."""
        rules = self.rules()

        known = dict[Board, float]()

        def most(board: Board, move: Move) -> float:
            board = rules.apply(board, move)
            if board not in known:
                known[board] = rules.judgement(board)
            return known[board]

        def most_of_two(board: Board, move: Move) -> float:
            board = rules.apply(board, move)
            return max((most(board, each) for each in rules.legal(board)), default=0.0)

        def near(board: Board, move: Move) -> float:
            (row, column), (end_row, end) = (divmod(cell, self.columns) for cell in move)
            return -abs(row - end_row) - abs(column - end)

        def player(judge: Callable[[Board, Move], float], safe: bool) -> Policy:
            def move(turn: Turn) -> str:
                board = rules.decode(turn.state.rpartition(" ")[0])
                legal = [*rules.legal(board)]
                rng.shuffle(legal)
                best = safe_move(board, legal) if safe else None
                return rules.name(board, best or max(legal, key=lambda each: judge(board, each)))

            return move

        return {
            "safe moves, then at random": player(lambda board, move: 0.0, safe=True),
            "the most pairs afterwards": player(most, safe=False),
            "safe moves, then the most pairs": player(most, safe=True),
            "safe moves, then the most pairs after two moves": player(most_of_two, safe=True),
            "the nearest tiles": player(near, safe=False),
            "safe moves, then the farthest tiles": player(
                lambda board, move: -near(board, move), safe=True
            ),
        }
