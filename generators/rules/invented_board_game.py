"""Board games from a grammar of pieces, captures, goals and additional rules, and forced wins.

Cells are numbered row by row from the lower left corner. A board is a tuple of numbers: 0 for an
empty cell, n for the n-th piece of the first player, -n for that of the second.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import Literal, NamedTuple

Capture = Literal["replace", "jump", "custodial"]
Goal = Literal["royal", "row", "line", "few"]
Extra = Literal["freeze", "change", "marsh", "cylinder", "must"]

EXTRAS: tuple[Extra, ...] = ("freeze", "change", "marsh", "cylinder", "must")

FIRST, SECOND = 1, -1

Board = tuple[int, ...]
Move = tuple[int, int]
"""From a cell to another one."""

ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))


class Way(NamedTuple):
    """How a piece moves: in directions of (rows, columns), so many times at most."""

    directions: tuple[tuple[int, int], ...]
    reach: int
    text: str


def _around(row: int, column: int) -> tuple[tuple[int, int], ...]:
    """A direction with its turns and reflections."""
    return tuple(sorted({(r * y, c * x) for r, c in ((row, column), (column, row))
                         for y in (1, -1) for x in (1, -1)}))  # fmt: skip


_SIDES = "up, down, left or right"
_OVER = "jumping over whatever stands between"

WAYS: Mapping[str, Way] = {
    "side": Way(ORTHOGONAL, 1, f"one cell {_SIDES}"),
    "corner": Way(DIAGONAL, 1, "one cell diagonally"),
    "around": Way(ORTHOGONAL + DIAGONAL, 1, "one cell in any of the eight directions"),
    "ahead": Way(((1, -1), (1, 0), (1, 1)), 1, "one cell forward, straight or diagonally"),
    "two": Way(_around(0, 2), 1, f"exactly two cells {_SIDES}, {_OVER}"),
    "knight": Way(_around(1, 2), 1, f"two cells {_SIDES} and then one cell to a side of that, "
                  f"{_OVER}"),
    "camel": Way(_around(1, 3), 1, f"three cells {_SIDES} and then one cell to a side of that, "
                 f"{_OVER}"),
    "corners": Way(_around(2, 2), 1, f"exactly two cells diagonally, {_OVER}"),
    "rook": Way(ORTHOGONAL, 3, f"up to three cells {_SIDES}, over empty cells only"),
    "bishop": Way(DIAGONAL, 3, "up to three cells diagonally, over empty cells only"),
}  # fmt: skip


class Game(NamedTuple):
    """The rules of a game. The first piece is the royal one, the one that freezes others and the
    one that has to reach the last row.
    """

    rows: int
    columns: int
    letters: tuple[str, ...]
    ways: tuple[str, ...]
    """How each piece moves, by the names of :data:`WAYS`."""
    capture: Capture
    goal: Goal
    extras: tuple[Extra, ...]
    marsh: tuple[int, ...]


class Engine:
    """The legal moves of a game and their results."""

    def __init__(self, game: Game) -> None:
        self.game = game
        cells = range(game.rows * game.columns)
        self.rays: dict[tuple[int, int], list[list[int]]] = {}
        self.beside = [self._neighbours(cell, ORTHOGONAL) for cell in cells]
        self.jumps = [
            [
                (over, to)
                for direction in ORTHOGONAL + DIAGONAL
                if (over := self.shifted(cell, direction)) >= 0
                and (to := self.shifted(over, direction)) >= 0
            ]
            for cell in cells
        ]
        self.examined = 0

    def shifted(self, cell: int, direction: tuple[int, int]) -> int:
        """The cell in a direction, or -1 outside of the board."""
        row, column = divmod(cell, self.game.columns)
        row, column = row + direction[0], column + direction[1]
        if "cylinder" in self.game.extras:
            column %= self.game.columns
        inside = 0 <= row < self.game.rows and 0 <= column < self.game.columns
        return row * self.game.columns + column if inside else -1

    def _neighbours(self, cell: int, directions: Sequence[tuple[int, int]]) -> list[int]:
        return [n for each in directions if (n := self.shifted(cell, each)) >= 0]

    def _rays(self, way: Way, owner: int, cell: int) -> list[list[int]]:
        """The cells in each direction, up to a marsh."""
        rays = []
        for row, column in way.directions:
            ray, here = list[int](), cell
            for _ in range(way.reach):
                here = self.shifted(here, (row * owner, column))
                if here < 0:
                    break
                ray.append(here)
                if here in self.game.marsh and "marsh" in self.game.extras:
                    break
            rays.append(ray)
        return rays

    def rays_of(self, value: int, cell: int) -> list[list[int]]:
        """The rays of a piece on a cell."""
        rays = self.rays.get((value, cell))
        if rays is None:
            way = WAYS[self.game.ways[abs(value) - 1]]
            rays = self.rays[value, cell] = self._rays(way, FIRST if value > 0 else SECOND, cell)
        return rays

    def moves(self, board: Board, player: int) -> list[Move]:
        """The legal moves of a player, sorted."""
        return sorted({*self.in_any_order(board, player)})

    def in_any_order(self, board: Board, player: int) -> list[Move]:
        """The legal moves of a player, some of them perhaps twice."""
        game = self.game
        freeze, replaces = "freeze" in game.extras, game.capture == "replace"
        quiet, captures = list[Move](), list[Move]()
        for cell, value in enumerate(board):
            if value * player <= 0:
                continue
            if freeze and any(board[n] == -player for n in self.beside[cell]):
                continue
            for ray in self.rays_of(value, cell):
                for to in ray:
                    if board[to]:
                        if replaces and board[to] * player < 0:
                            captures.append((cell, to))
                        break
                    quiet.append((cell, to))
            if game.capture == "jump":
                for over, to in self.jumps[cell]:
                    if board[over] * player < 0 and not board[to]:
                        captures.append((cell, to))
        if "must" in game.extras:
            if game.capture == "custodial":
                captures = [move for move in quiet if self.captured(board, player, move)]
            return captures or quiet
        return quiet + captures

    def captured(self, board: Board, player: int, move: Move) -> list[int]:
        """The cells from which a move removes pieces."""
        start, to = move
        if self.game.capture == "replace":
            return [to] if board[to] else []
        if self.game.capture == "jump":
            return [n for n, end in self.jumps[start] if end == to and board[n] * player < 0]
        result = []
        for direction in ORTHOGONAL:
            middle = self.shifted(to, direction)
            end = self.shifted(middle, direction) if middle >= 0 else -1
            # The piece has left its first cell.
            if end >= 0 and end != start and board[middle] * player < 0 < board[end] * player:
                result.append(middle)
        return result

    def after(self, board: Board, player: int, move: Move) -> Board:
        """The board after a move."""
        start, to = move
        removed = self.captured(board, player, move)
        cells = list(board)
        for cell in removed:
            cells[cell] = 0
        piece = abs(board[start])
        if removed and "change" in self.game.extras:
            piece = piece % len(self.game.letters) + 1
        cells[start], cells[to] = 0, piece * player
        return tuple(cells)

    def has_won(self, board: Board, player: int) -> bool:
        """Whether a player who has just moved has reached the goal."""
        game = self.game
        if game.goal == "royal":
            return -player not in board
        if game.goal == "few":
            return sum(value * player < 0 for value in board) < 2
        if game.goal == "row":
            last = (game.rows - 1) * game.columns if player == FIRST else 0
            return player in board[last : last + game.columns]
        return any(all(board[n] * player > 0 for n in line) for line in self.lines)

    @cached_property
    def lines(self) -> list[tuple[int, int, int]]:
        """The lines of three cells in rows, columns and diagonals."""
        result = []
        for cell in range(self.game.rows * self.game.columns):
            for direction in ((0, 1), (1, 0), (1, 1), (1, -1)):
                second = self.shifted(cell, direction)
                third = self.shifted(second, direction) if second >= 0 else -1
                if third >= 0:
                    result.append((cell, second, third))
        return result

    def wins(self, board: Board, player: int, moves: int, sort: bool = True) -> Iterator[Move]:
        """The moves after which a player wins, whatever the other does, with so many moves of its
        own at most, this one included.
        """
        for move in self.moves(board, player) if sort else self.in_any_order(board, player):
            self.examined += 1
            after = self.after(board, player, move)
            if self.has_won(after, player) or self._is_lost(after, -player, moves - 1):
                yield move

    def _is_lost(self, board: Board, player: int, moves: int) -> bool:
        """Whether a player to move loses after so many moves of the other at most."""
        replies = self.in_any_order(board, player)
        if not replies:
            return True
        if not moves:
            return False
        for reply in replies:
            self.examined += 1
            after = self.after(board, player, reply)
            if self.has_won(after, player):
                return False
            if next(self.wins(after, -player, moves, sort=False), None) is None:
                return False
        return True


@lru_cache(maxsize=64)
def engine(game: Game) -> Engine:
    """The engine of a game."""
    return Engine(game)


def random_game(rng: Random, size: int, pieces: int, extras: int) -> Game:
    """A game on a board of about this size."""
    chosen = tuple(sorted(rng.sample(EXTRAS, extras)))
    columns = max(size, 5) if "cylinder" in chosen else size
    rows = max(4, size - rng.randint(0, 1))
    capture: Capture = rng.choice(("replace", "jump", "custodial"))
    goals: list[Goal] = ["royal", "row", "line", "few"]
    ways = rng.sample([*WAYS], pieces)
    goal = rng.choice(goals)
    if goal == "row" and WAYS[ways[0]].reach > 1:  # it would be there at once
        ways[0] = rng.choice([w for w in ("side", "around", "ahead", "corner") if w not in ways])
    letters = tuple(rng.sample("FGHJLMSTVWYZ", pieces))
    cells = rows * columns
    marsh = tuple(sorted(rng.sample(range(cells), cells // 5))) if "marsh" in chosen else ()
    return Game(rows, columns, letters, tuple(ways), capture, goal, chosen, marsh)


def random_board(rng: Random, game: Game, number: int) -> Board:
    """A board with so many pieces of each player, one of them the first piece."""
    cells = [0] * (game.rows * game.columns)
    places = rng.sample(range(len(cells)), 2 * number)
    for n, cell in enumerate(places):
        piece = 1 if n < 2 else rng.randint(1, len(game.letters))
        cells[cell] = piece * (FIRST if n % 2 else SECOND)
    return tuple(cells)


class Position(NamedTuple):
    """Boards on which the first player is to move, and moves of both in turn from the first one."""

    boards: tuple[Board, ...]
    line: tuple[Move, ...]

    @property
    def board(self) -> Board:
        """The first board."""
        return self.boards[0]


class Shape(NamedTuple):
    """What a position has: the pieces of each player, the moves of its line, the boards, and the
    moves in which the first player has to win on each of them.
    """

    pieces: int
    line: int
    boards: int
    depth: int


def random_position(rng: Random, game: Game, shape: Shape) -> Position | None:
    """Boards that the first player wins, and a line with captures on the first; None where some
    draws give none.
    """
    rules, boards, line = engine(game), list[Board](), tuple[Move, ...]()
    for tries in range(80):
        if tries == 15 and not line:
            break
        board = random_board(rng, game, shape.pieces)
        if rules.has_won(board, FIRST) or rules.has_won(board, SECOND):
            continue
        if not line:
            line = _random_line(rng, rules, board, shape.line) or ()
            if not line or not _all_rules_matter(game, Position((board,), line)):
                line = ()
                continue
        if _has_quiet_wins(rules, board, shape.depth):
            boards.append(board)
            if len(boards) == shape.boards:
                return Position(tuple(boards), line)
        if not boards:  # the line is of the first board
            line = ()
    return None


def _has_quiet_wins(rules: Engine, board: Board, depth: int) -> bool:
    """Whether some moves win, half of all at most, and not all of them at once if there is time."""
    legal = rules.moves(board, FIRST)
    if len(legal) < 4 or not rules.moves(board, SECOND):
        return False
    at_once = len([*rules.wins(board, FIRST, 1)])
    if 2 * at_once > len(legal):
        return False
    right = len([*rules.wins(board, FIRST, depth)]) if depth > 1 else at_once
    return max(1, at_once + (depth > 1)) <= right <= len(legal) / 2


def _all_rules_matter(game: Game, position: Position) -> bool:
    """Whether the legal moves or the end of the line are others without any additional rule."""
    moves, end = engine(game).moves(position.board, FIRST), played(game, position)
    for extra in game.extras:
        other = game._replace(extras=tuple(e for e in game.extras if e != extra))
        if engine(other).moves(position.board, FIRST) == moves and played(other, position) == end:
            return False
    return True


def _random_line(rng: Random, rules: Engine, board: Board, length: int) -> tuple[Move, ...] | None:
    """Moves that do not end the game, with a capture if there is one in some draws."""
    for tries in range(8):
        moves, here, player, captures = list[Move](), board, FIRST, 0
        while len(moves) < length:
            legal = rules.moves(here, player)
            taking = [move for move in legal if rules.captured(here, player, move)]
            if not legal:
                break
            move = rng.choice(taking if taking and rng.random() < 0.7 else legal)
            captures += move in taking
            here = rules.after(here, player, move)
            if rules.has_won(here, player):
                break
            moves.append(move)
            player = -player
        if len(moves) == length and (captures or tries > 5):
            return tuple(moves)
    return None


def played(game: Game, position: Position) -> Board:
    """The board after the line."""
    rules, board, player = engine(game), position.board, FIRST
    for move in position.line:
        board = rules.after(board, player, move)
        player = -player
    return board


def careless_games(game: Game) -> Mapping[str, Game]:
    """The rules as they are after a slip: without one of the additional rules, or with another way
    to capture.
    """
    games = {
        f"without {extra}": game._replace(extras=tuple(e for e in game.extras if e != extra))
        for extra in game.extras
    }
    games["no additional rules"] = game._replace(extras=())
    if game.capture != "replace":
        games["captures as in chess"] = game._replace(capture="replace")
    return games
