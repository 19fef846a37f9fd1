"""2048, by Gabriele Cirulli (2014), after Asher Vollmer's Threes: merge tiles up to a target.

On an empty board, repeating the same moves gets far. The game therefore starts from a disordered
board on which no such sequence reaches the target in time. The solution is that of a player who
sees the board only, and none of the tiles to come.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.cells import text
from palaestra.generators.games.arcade.game_2048.boards import (
    WAYS,
    Board,
    Luck,
    best,
    cycled,
    cycles,
    empty,
    random_tiles,
    scattered,
    slides,
    with_new_tile,
)
from palaestra.generators.games.arcade.game_2048.expectimax import player
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move
from palaestra.verifiers.reading.moves import direction

GROWTH = 2.2
"""The mean value of a new tile."""

POWERS = {3: (6, 7), 4: (8, 11)}
"""The least and the greatest power of 2 that is a target, for each size of board."""

SLACK = 2.7
"""The moves of a game, as a multiple of those in which new tiles make up what the target lacks."""


class Game2048(Task):
    """Slide and merge tiles on a board until one of them reaches a target value in time."""

    version = 2
    tags = {"grid", "planning", "chance", "hidden-state"}
    answer_type = "moves"
    hidden = {"chance_seed"}

    class Knobs(Task.Knobs):
        size: int = ladder(3, 3, 3, 4, 4, 4)
        power: int = ladder(6, 7, 7, 10, 10, 11)  # of 2: the target
        lacking: int = ladder(40, 50, 80, 250, 280, 300, low=8, high=310)  # of the target
        ordered: int = ladder(0, 1, 0, 2, 1, 4)  # the greatest tiles, from a corner

    board: Board
    target: int
    moves: int
    chance_seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        least, greatest = POWERS[knobs.size]
        target = 2 ** max(least, min(knobs.power, greatest))
        lacking = min(knobs.lacking, 5 * target // 8)
        total = target - lacking
        ordered = min(knobs.ordered, knobs.size, total.bit_count() - 1)
        return cls(
            board=scattered(rng, knobs.size, total, ordered),
            target=target,
            moves=round(SLACK * lacking / GROWTH) + 8,
            chance_seed=rng.getrandbits(31),
        )

    def is_valid(self) -> bool:
        """Whether no fixed cycle of moves reaches the target, and a player who looks ahead does."""
        blind = (cycled(self.board, self.lucks(), cycle) for cycle in cycles())
        return all(tile < self.target for tile in blind) and bool(self.solve())

    def lucks(self) -> tuple[Luck, ...]:
        """The cell and the value of the new tile of each turn, as random numbers."""
        return random_tiles(self.chance_seed, self.moves)

    def play(self) -> Play:
        board, reward = self.board, 0.0
        before = board
        observation = f"{self.rules()}\n\n{as_text(board)}\n\nYou have {self.moves} moves."
        for luck, left in zip(self.lucks(), reversed(range(self.moves))):
            after = slides(board)
            if not after:
                return Score(0, "no move is left that changes the board")
            turn, reward = self.turn(board, observation, reward, left + 1, before), 0.0
            try:
                way = read_move(direction, (yield turn))
            except InvalidAnswer as error:
                observation = (
                    f"That is not a move: {error}. The board stays as it is, and the reply counts "
                    f"as a move. {left} moves left."
                )
                continue
            if way not in after:
                observation = (
                    f"No tile can move {way}; the board stays as it is. {left} moves left."
                )
                continue
            if best(after[way]) >= self.target:
                return Score(1)
            reward = self.progress(after[way]) - self.progress(board)
            before = after[way]
            board = with_new_tile(before, luck)
            observation = f"{as_text(board)}\n\n{left} moves left."
        return Score(0, f"the moves ran out before there was a tile of {self.target}")

    def turn(self, board: Board, observation: str, reward: float, left: int, before: Board) -> Turn:
        """The turn that shows a board, with a mark on the tile that came after ``before``."""
        return Turn(
            observation,
            reward,
            legal_moves=[*slides(board)],
            state=f"{as_text(board)}\n{left} left",
            scene=partial(scene, board, before),
        )

    def progress(self, board: Board) -> float:
        """Half of the share of the necessary doublings that the greatest tile has had.

        It is a potential, which a lost game pays back, as even play without looking makes all
        doublings but the last.
        """
        first, now = best(self.board), best(board)
        doublings, factor = now.bit_length() - first.bit_length(), self.target // first
        return 0.5 * doublings / (factor.bit_length() - 1)

    def rules(self) -> str:
        """The rules in words."""
        size = len(self.board)
        return self.phrase(
            f"This is the game 2048 on a board of {size} by {size} cells; a dot is an empty cell. "
            "A move slides all tiles as far as they go to the left, right, up or down. Two equal "
            "tiles that meet merge into one of their sum; a tile merges at most once a move, and "
            "of three equal tiles in a line the two furthest in the direction of the move merge. "
            "After each move that changes the board a new tile appears on a random empty cell, "
            "mostly a 2 and sometimes a 4. A move that changes nothing still counts, and so does a "
            f"reply that is not a move. Make a tile of {self.target}. A move is a direction, such "
            "as 'left'.",
            f"There are tiles on a {size} by {size} board; dots are empty cells. With each move, "
            "'left', 'right', 'up' or 'down', every tile slides that way until it meets the edge "
            "or another tile; if that other tile is equal, and is not itself the product of this "
            "move, the two become one tile of twice the value, starting with the tiles furthest in "
            "that direction. Then a 2, or occasionally a 4, appears on an empty cell chosen at "
            "random. A move that changes nothing still counts, and no tile appears; the same holds "
            f"for a reply that is not a move. Reach a tile of {self.target}. A move looks like "
            "'left'.",
        )

    def solve(self) -> Iterable[str]:
        """The moves of a player who sees the board only; none if that player loses.

        ``benchmarks/winnable_2048.py`` measures how seldom that is.
        """
        return expert(self.board, self.target, self.lucks())

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who look one move ahead, for the most empty cells, the greatest sum of squares or
        the board that the player of the solution values most, and one who keeps to a corner.
        """

        def greedy(value: Callable[[Board, str], float]) -> Policy:
            def move(turn: Turn) -> str:
                after = slides(board_of(turn.state))
                ways = shuffled(after, rng)
                return max(ways, key=lambda way: value(after[way], way), default=WAYS[0])

            return move

        def one_ply(turn: Turn) -> str:
            return player(len(self.board)).move(board_of(turn.state), plies=1)

        corner = {"left": 3, "down": 2, "right": 1, "up": 0}
        return {
            "most empty cells": greedy(lambda board, way: len(empty(board))),
            "greatest tiles": greedy(lambda board, way: sum(t * t for row in board for t in row)),
            "left, else down, else right": greedy(lambda board, way: corner[way]),
            "expert of one ply": one_ply,
        }

    def difficulty(self) -> float:
        return float(self.moves * len(self.board) ** 2)


@lru_cache(maxsize=1 << 10)
def as_text(board: Board) -> str:
    """A board as text."""
    return text([[tile or "." for tile in row] for row in board])


def board_of(state: str) -> Board:
    """The board of a turn's state."""
    rows = [line.split() for line in state.splitlines()[:-1]]
    return tuple(tuple(0 if sign == "." else int(sign) for sign in row) for row in rows)


@lru_cache(maxsize=256)
def expert(board: Board, target: int, lucks: tuple[Luck, ...]) -> tuple[str, ...]:
    """The moves of a player who sees the board only, up to the target; none if the game is lost."""
    moves, choose = list[str](), player(len(board)).move
    for luck in lucks:
        after = slides(board)
        if not after:
            return ()
        moves.append(choose(board))
        if best(after[moves[-1]]) >= target:
            return tuple(moves)
        board = with_new_tile(after[moves[-1]], luck)
    return ()


def scene(board: Board, before: Board) -> Grid:
    """What there is to see of a board: tiles, each power of two in its own colour.

    Tiles that are not on the board ``before`` are marked.
    """
    rows = enumerate(zip(board, before, strict=True))
    new = ((r, c) for r, pair in rows for c, (a, b) in enumerate(zip(*pair)) if a != b)
    cells = tuple(tuple(tile_cell(tile) for tile in row) for row in board)
    return Grid(cells, last=tuple(new))


def tile_cell(tile: int) -> Cell:
    """A tile, or an empty cell for 0.

    >>> tile_cell(8).text, tile_cell(8).fill
    ('8', 't3')
    """
    return Cell(str(tile), f"t{(tile.bit_length() - 1) % 12}") if tile else Cell(fill="muted")
