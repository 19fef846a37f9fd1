"""m,n,k-games with and without gravity: rules, search and play.

A set of stones is an integer: cell (row, column) is bit ``row + column * (rows + 1)``, with rows
from the bottom. The bits above the top row stay empty, so that a shift never carries a line from
one column into the next (the layout of Tromp's Connect Four boards).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from random import Random
from typing import NamedTuple

from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import InvalidAnswer, Play, Score, Turn
from palaestra.verifiers.reading.cells import cell as read_cell
from palaestra.verifiers.reading.lead_ins import read_move
from palaestra.verifiers.reading.moves import column as read_column

SLIPS = 3
"""The number of illegal moves that a player may make in a match; another one loses it."""

TRIES = 2_000
"""The most games to play in search of a forced win of one depth."""

SLIP = 0.2
"""The share of its moves in which the opponent on an empty board does not search."""

WIN = 1_000
"""The value of a won position, minus the plies to the win."""

SIGNS = "XO"
STONES = {
    "X": Cell("X", mark="disc", tone="c3"),
    "O": Cell("O", mark="disc", tone="c6"),
    ".": Cell(),
}
"""The stones of the first and the second player."""


class Position(NamedTuple):
    """The stones of the player to move, and those of the opponent."""

    mine: int
    theirs: int


class LineGame(NamedTuple):
    """A game for two, won by the first line of ``length`` stones in a row, column or diagonal.

    With ``gravity``, a move is a column, and the stone falls to its lowest free cell; without it, a
    move is a row and a column.
    """

    rows: int
    columns: int
    length: int
    gravity: bool

    def lined(self, stones: int) -> bool:
        """Whether the stones contain a line."""
        for step in _steps(self):
            run = stones
            for _ in range(self.length - 1):
                run &= run >> step
            if run:
                return True
        return False

    def completing(self, stones: int) -> int:
        """The mask of the cells, including some off the board, where a stone completes a line."""
        return _completing(self, stones)

    def playable(self, position: "Position") -> int:
        """The mask of the legal cells."""
        taken = position.mine | position.theirs
        cells, bottoms = _masks(self)
        return cells & (taken + bottoms if self.gravity else ~taken)

    def free(self, position: "Position") -> int:
        """The number of free cells."""
        return (_masks(self)[0] & ~(position.mine | position.theirs)).bit_count()

    def cells(self, position: "Position") -> list[int]:
        """The legal cells as bits, those near the middle first."""
        return self.each(self.playable(position))

    def each(self, mask: int) -> list[int]:
        """The cells of a mask as bits, those near the middle first."""
        return [cell for cell in _cells(self) if cell & mask]

    def name(self, cell: int) -> str:
        """A cell as a move: its column, and without gravity its row before it."""
        return _names(self)[cell]

    def read(self, move: str, position: Position) -> int:
        """The cell of a move. Raises :class:`InvalidAnswer` if the move is not legal."""
        named = _cells_by_name(self).get(move) or self._parsed(move)
        if cell := named & self.playable(position):
            return cell
        raise InvalidAnswer(f"there is no free cell at {move[:20]!r}")

    def _parsed(self, move: str) -> int:
        """The cells that a move names in any form."""
        if self.gravity:
            column = read_column(move, self.columns) - 1
            return ((1 << self.rows) - 1) << column * (self.rows + 1)
        row, column = read_cell(move, self.rows, self.columns, "1 2")
        return 1 << (self.rows - 1 - row + column * (self.rows + 1))

    def show(self, stones: Sequence[int]) -> str:
        """The board as text, the top row first; ``stones`` are those of the two players."""
        return "".join(self.signs(stones))

    def signs(self, stones: Sequence[int]) -> list[str]:
        """The parts of the board as text; see :func:`_indices` for those that are cells."""
        parts, (first, second) = [*_empty(self)], stones
        for cell, index in _indices(self).items():
            if cell & (first | second):
                parts[index] = SIGNS[cell & first == 0]
        return parts

    def scene(self, stones: Sequence[int]) -> Grid:
        """What there is to see of a board, with the names of its columns and, if needed, rows."""
        first, second = stones
        lines, _ = _layout(self)
        rows = [
            ["X" if first & b else "O" if second & b else "." for b in cells] for _, cells in lines
        ]
        return Grid(
            cells_of(rows, STONES),
            bottom=tuple((str(n + 1),) for n in range(self.columns)),
            left=() if self.gravity else tuple((str(n + 1),) for n in range(self.rows)),
        )


@lru_cache(maxsize=64)
def _cells(game: LineGame) -> tuple[int, ...]:
    """All cells as bits, those near the middle first, as these are in more lines."""
    middle = (game.rows - 1) / 2, (game.columns - 1) / 2
    cells = [(row, column) for column in range(game.columns) for row in range(game.rows)]
    cells.sort(key=lambda p: ((p[0] - middle[0]) ** 2 + (p[1] - middle[1]) ** 2, p))
    return tuple(1 << (row + column * (game.rows + 1)) for row, column in cells)


@lru_cache(maxsize=64)
def _names(game: LineGame) -> Mapping[int, str]:
    """The names of all cells, the leftmost column first, and in it the lowest cell."""
    names = {}
    for cell in sorted(_cells(game)):
        column, row = divmod(cell.bit_length() - 1, game.rows + 1)
        names[cell] = str(column + 1) if game.gravity else f"{game.rows - row} {column + 1}"
    return names


@lru_cache(maxsize=64)
def _cells_by_name(game: LineGame) -> Mapping[str, int]:
    """The mask of the cells with each name: of a whole column, or of one cell."""
    masks = dict.fromkeys(_names(game).values(), 0)
    for cell, name in _names(game).items():
        masks[name] |= cell
    return masks


@lru_cache(maxsize=64)
def _layout(game: LineGame) -> tuple[Sequence[tuple[str, Sequence[int]]], str]:
    """What the board as text consists of: each row's label and cells, the top row first, and the
    line below.
    """
    heads = ["" if game.gravity else f"{n + 1} " for n in range(game.rows)]
    rows = [(head, _row(game, game.rows - 1 - n)) for n, head in enumerate(heads)]
    foot = "" if game.gravity else "  "
    return rows, foot + " ".join(str(n + 1) for n in range(game.columns))


@lru_cache(maxsize=64)
def _empty(game: LineGame) -> tuple[str, ...]:
    """The parts of an empty board as text: each cell is one, and so is what stands between them."""
    lines, foot = _layout(game)
    parts = list[str]()
    for head, cells in lines:
        parts += [head, *" ".join("." * len(cells)), "\n"]
    return (*parts, foot)


@lru_cache(maxsize=64)
def _indices(game: LineGame) -> Mapping[int, int]:
    """The index of each cell among the parts of :func:`_empty`."""
    lines, _ = _layout(game)
    length = 2 * game.columns + 1  # the label, the cells with spaces between them, the end of line
    return {
        cell: row * length + 1 + 2 * column
        for row, (_, cells) in enumerate(lines)
        for column, cell in enumerate(cells)
    }


def _row(game: LineGame, row: int) -> Sequence[int]:
    return [1 << (row + column * (game.rows + 1)) for column in range(game.columns)]


@lru_cache(maxsize=64)
def _masks(game: LineGame) -> tuple[int, int]:
    """All cells of the board, and the lowest ones; their sum with all stones has the free cells."""
    bottoms = sum(1 << column * (game.rows + 1) for column in range(game.columns))
    return bottoms * ((1 << game.rows) - 1), bottoms


@lru_cache(maxsize=64)
def _steps(game: LineGame) -> tuple[int, int, int, int]:
    """The shifts between neighbours in a column, a diagonal, a row and the other diagonal."""
    return 1, game.rows, game.rows + 1, game.rows + 2


def after(position: Position, cell: int) -> Position:
    """The position after a move of the player to move."""
    return Position(position.theirs, position.mine | cell)


# ----------------------------------------------------------------------------------------- search


def forced_win(game: LineGame, position: Position, moves: int) -> int | None:
    """A move that wins within ``moves`` own moves whatever the opponent does, if there is one."""
    return _forced_win(game, position, moves)


@lru_cache(maxsize=100_000)
def _forced_win(game: LineGame, position: Position, moves: int) -> int | None:
    free = game.playable(position)
    wins = free & game.completing(position.mine)
    if wins or moves <= 1:
        return game.each(wins)[0] if wins else None
    threats = free & game.completing(position.theirs)
    if threats & (threats - 1):
        return None
    for cell in game.each(threats or free):
        if _holds(game, after(position, cell), moves - 1):
            return cell
    return None


def winning(game: LineGame, position: Position, moves: int) -> list[int]:
    """Up to two first moves that win within ``moves`` own moves."""
    free = game.playable(position)
    wins = free & game.completing(position.mine)
    if wins or moves <= 1:
        return game.each(wins)
    kept = (c for c in game.each(free) if _holds(game, after(position, c), moves - 1))
    return list(islice(kept, 2))


def _holds(game: LineGame, position: Position, moves: int) -> bool:
    """Whether the player to move loses within ``moves`` moves of the opponent, whatever it does."""
    free = game.playable(position)
    if not free or free & game.completing(position.mine):
        return False
    must = free & game.completing(position.theirs)
    if must & (must - 1):
        return True
    if moves == 1 and not must:
        return False
    replies = game.each(must or free)
    return all(_forced_win(game, after(position, c), moves) is not None for c in replies)


@lru_cache(maxsize=1 << 16)
def _completing(game: LineGame, stones: int) -> int:
    cells = 0
    for step in _steps(game):
        for missing in range(game.length):
            run = -1
            for n in range(game.length):
                if n != missing:
                    run &= stones >> n * step
            cells |= run << missing * step
    return cells


def values(game: LineGame, position: Position, depth: int) -> dict[int, int]:
    """The value of each move for the player to move, by a search of ``depth`` plies.

    A win counts ``WIN`` minus the plies to it, a loss the negative, and all else 0.
    """
    return dict(_values(game, position, depth))


@lru_cache(maxsize=50_000)
def _values(game: LineGame, position: Position, depth: int) -> tuple[tuple[int, int], ...]:
    wins = game.completing(position.mine)
    return tuple(
        (cell, WIN if cell & wins else -_negamax(game, after(position, cell), depth - 1, -WIN, WIN))
        for cell in game.cells(position)
    )


def _negamax(game: LineGame, position: Position, depth: int, low: int, high: int) -> int:
    """The value for the player to move, by alpha-beta search between bounds; 0 if undecided."""
    if depth <= 0:
        return 0
    free = game.playable(position)
    if free & game.completing(position.mine):
        return WIN - 1
    # If there is a threat, only a reply to it can save the game.
    must = free & game.completing(position.theirs)
    best = -WIN if free else 0
    for cell in game.each(must or free):
        value = -_negamax(game, after(position, cell), depth - 1, -high, -max(low, best))
        best = max(best, value - (value > 0) + (value < 0))  # earlier wins count more
        if best >= high:
            break
    return best


def reply(game: LineGame, position: Position, depth: int, rng: Random) -> int:
    """The move of an opponent that searches ``depth`` plies and chooses randomly among the best.

    It wins as soon as it can within these plies, or else loses as late as it can.
    """
    cells = game.each(sensible(game, position, depth))
    if depth <= 2 or game.playable(position) & game.completing(position.mine):
        return rng.choice(cells)
    for moves in range(2, (depth + 1) // 2 + 1):
        wins = [cell for cell in cells if _holds(game, after(position, cell), moves - 1)]
        if wins:
            return rng.choice(wins)
    for moves in range(1, depth // 2 + 1):
        lasting = [c for c in cells if forced_win(game, after(position, c), moves) is None]
        if not lasting:
            break
        cells = lasting
    return rng.choice(cells)


def unaided(game: LineGame, position: Position, moves: int) -> float:
    """The mean score of a player who chooses at random among the moves that are not forced.

    The player takes wins, parries threats, and can win in ``moves`` own moves. A move that misses
    this win counts 0 if the opponent then wins in three own moves, and 0.5 otherwise.
    """
    must = sensible(game, position, 2)
    if must & game.completing(position.mine):
        return 1.0
    options = game.each(must)
    total = 0.0
    for cell in options:
        theirs = after(position, cell)
        if moves > 1 and _holds(game, theirs, moves - 1):
            replies = game.each(sensible(game, theirs, 2))
            total += min(unaided(game, after(theirs, r), moves - 1) for r in replies)
        elif not any(forced_win(game, theirs, m) is not None for m in (1, 2, 3)):
            total += 0.5
    return total / len(options)


def sensible(game: LineGame, position: Position, depth: int) -> int:
    """The mask of the moves that take a win (from depth 1) or parry a threat (from depth 2)."""
    free = game.playable(position)
    wins = free & game.completing(position.mine) if depth > 0 else 0
    return wins or (free & game.completing(position.theirs) if depth > 1 else 0) or free


# ------------------------------------------------------------------------------ positions, matches


def opening(game: LineGame, forced: int, rng: Random) -> Position | None:
    """A position whose mover wins in exactly ``forced`` moves, with a unique first move.

    Two players who take wins and parry threats play a game. The position is taken from its last
    moves; the result is ``None`` if it has no such win.
    """
    path = [Position(0, 0)]
    while game.cells(path[-1]):
        cell = reply(game, path[-1], 2, rng)
        if game.lined(path[-1].mine | cell):
            break
        path.append(after(path[-1], cell))
    else:
        return None
    index = len(path) - 1 - 2 * (forced - 1)
    if index < 0:
        return None
    position = path[index]
    if forced > 1 and forced_win(game, position, forced - 1) is not None:
        return None
    return position if len(winning(game, position, forced)) == 1 else None


def contest(game: LineGame, start: Position, first: int, rules: Sequence[str]) -> Play:
    """Play a game to its end; ``first`` moves first, and ``rules`` are shown to each player."""
    position, player = start, first
    slips = [0, 0]
    names, indices = _names(game), _indices(game)
    listed = names.items()
    board = game.signs((position.mine, position.theirs)[:: 1 if first == 0 else -1])
    events = [f"{text}\n\n" for text in rules]  # what each player reads before the board
    while free := game.playable(position):
        stones = position if player == 0 else position[::-1]
        observation = f"{events[player]}{''.join(board)}\n\nYou are {SIGNS[player]}. Your move?"
        try:
            move = yield Turn(
                observation,
                legal_moves=[name for cell, name in listed if cell & free],
                state=f"{SIGNS[player]} {stones[0]:x} {stones[1]:x}",
                player=player,
                scene=partial(game.scene, stones),
            )
            cell = stated_cell(game, position, move, player)
        except InvalidAnswer as error:
            slips[player] += 1
            if slips[player] > SLIPS:
                return scores(1 - player, f"{SIGNS[player]} made too many illegal moves")
            events[player] = (
                f"That is not a legal move: {error}. Illegal moves still allowed: "
                f"{SLIPS - slips[player]}.\n\n"
            )
            continue
        if game.lined(position.mine | cell):
            return scores(player, f"{SIGNS[player]} has a line")
        events[1 - player] = f"{SIGNS[player]} played {names[cell]}.\n\n"
        events[player] = ""
        board[indices[cell]] = SIGNS[player]
        position, player = after(position, cell), 1 - player
    return scores(None, "the board is full")


def scores(winner: int | None, reason: str) -> tuple[Score, Score]:
    """A score for each player: 1 for a win, 0.5 for a draw, 0 for a loss."""
    if winner is None:
        return Score(0.5, f"a draw: {reason}"), Score(0.5, f"a draw: {reason}")
    won, lost = Score(1, f"won: {reason}"), Score(0, f"lost: {reason}")
    return (won, lost) if winner == 0 else (lost, won)


def stated_cell(game: LineGame, position: Position, move: str, player: int) -> int:
    """The cell of a player's move, also behind a lead-in. Raises :class:`InvalidAnswer`."""
    return read_move(partial(game.read, position=position), move, (SIGNS[player],))


def replayed(
    game: LineGame, start: Position, moves: Sequence[str], first: int
) -> tuple[Position, list[str]]:
    """The position after moves, and the names of those that count: not the illegal ones, as in
    :func:`contest`.
    """
    position, names = start, list[str]()
    for move in moves:
        try:
            cell = stated_cell(game, position, move, (first + len(names)) % 2)
        except InvalidAnswer:
            continue
        position = after(position, cell)
        names.append(game.name(cell))
    return position, names
