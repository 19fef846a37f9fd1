"""The rules of a game of builders who climb towers, with heights as numbers, row by row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from palaestra.generators.matches.limited_wins import LimitedRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.square_boards import name_of
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.tower_climbing import step_and_building

TOP = 3
"""The height that wins."""

DOME = 4
"""The height that nobody can enter, and on which nobody can build."""

NONE = -1
"""No building: a step to the top ends the game."""

BUILDERS: dict[str, dict[str, Any]] = {
    "A": {"mark": "disc", "tone": "c3"},
    "B": {"mark": "disc", "tone": "c6"},
}

Move = tuple[int, int, int]
"""The cells that a builder leaves and enters, and the cell that it builds on."""

Cells = tuple[int, ...]
Size = tuple[int, int]
"""Rows and columns."""


LONGEST = 100
"""The moves of both players in a game from the start."""


class State(NamedTuple):
    """The heights of all cells, the cells of both players' builders in order, whose turn it is, how
    many moves are left, and who has to win with these: the other player wins at their end.
    """

    heights: Cells
    first: Cells
    second: Cells
    turn: int
    left: int = LONGEST
    hunter: int = 0


@dataclass(frozen=True)
class TowerClimbing(LimitedRules[State, Move]):
    """The game on a rectangle of cells."""

    rows: int
    columns: int
    builders: int
    state_type = State
    signs = ("A", "B")

    @property
    def size(self) -> Size:
        return self.rows, self.columns

    def start(self) -> State:
        last = self.rows * self.columns - 1
        first, second = (0, last), (self.columns - 1, last - self.columns + 1)
        return State((0,) * (last + 1), first[: self.builders], second[: self.builders], 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return _legal(self.size, *_view(state))

    def apply(self, state: State, move: Move) -> State:
        start, end, built = move
        heights, first, second, turn, left, hunter = state
        if built != NONE:
            heights = _raised(heights, built)
        if turn == 0:
            return State(heights, _moved(first, start, end), second, 1, left - 1, hunter)
        return State(heights, first, _moved(second, start, end), 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        heights, mine, theirs = _view(state)
        loss, win = (WIN, LOSS) if state.turn else (LOSS, WIN)
        if any(heights[cell] == TOP for cell in theirs):
            return loss
        if not _ends(_near(self.size), heights, mine, theirs):
            return loss
        if state.left > 0:
            return None
        return loss if state.hunter == state.turn else win

    def solved(self, state: State) -> int:
        heights, mine, theirs = _view(state)
        if state.turn == state.hunter:
            won = _climbs(self.size, heights, mine, theirs, (state.left + 1) // 2)
        else:
            won = not _holds(self.size, heights, mine, theirs, state.left // 2)
        return WIN if won == (state.hunter == 0) else LOSS

    def shortest(self, heights: Cells, mine: Cells, theirs: Cells, most: int) -> int | None:
        """With how many own moves the player to move wins at the earliest; None if ``most`` are
        not enough.
        """
        return next(
            (n for n in range(1, most + 1) if _climbs(self.size, heights, mine, theirs, n)), None
        )

    def moves_needed(self, state: State) -> int:
        return self.shortest(*_view(state), (state.left + 1) // 2) or 0

    def winning(self, state: State, most: int) -> int:
        """The number of moves that win within the moves that are left; ``most`` if there are more,
        and 1 if there is a step to the top.
        """
        heights, mine, theirs = _view(state)
        if _can_top(_near(self.size), heights, mine, theirs):
            return 1
        won = (
            after
            for after in _after(_near(self.size), heights, mine, theirs)
            if not _holds(self.size, after[0], theirs, after[1], state.left // 2)
        )
        return sum(1 for _ in islice(won, most))

    def name(self, state: State, move: Move) -> str:
        start, end, built = move
        step = f"{name_of(start, self.columns)}-{name_of(end, self.columns)}"
        return step if built == NONE else f"{step} {name_of(built, self.columns)}"

    def read(self, state: State, text: str) -> Move:
        cells = [r * self.columns + c for r, c in step_and_building(text, self.rows, self.columns)]
        start, end = cells[:2]
        built = cells[2] if len(cells) > 2 else NONE
        legal = self.legal(state)
        if (start, end, NONE) in legal:
            return start, end, NONE
        if (start, end, built) in legal:
            return start, end, built
        if not any(move[:2] == (start, end) for move in legal):
            step = f"{name_of(start, self.columns)}-{name_of(end, self.columns)}"
            raise InvalidAnswer(f"{step} is not a step that one of your builders can make")
        if built == NONE:
            raise InvalidAnswer("state the cell on which the builder builds after its step")
        raise InvalidAnswer(f"the builder cannot build on {name_of(built, self.columns)}")

    def show(self, state: State) -> str:
        signs = self._signs(state)
        lines = [" ".join(["  ", *(f"{n + 1:<2}" for n in range(self.columns))]).rstrip()]
        for row in range(self.rows):
            cells = signs[row * self.columns : (row + 1) * self.columns]
            lines.append(" ".join([f"{row + 1} ", *cells]))
        return "\n".join([*lines, "", f"Moves left for both players together: {state.left}."])

    def _signs(self, state: State) -> list[str]:
        """The height of each cell, with the player whose builder is there."""
        owners = dict.fromkeys(state.first, "A") | dict.fromkeys(state.second, "B")
        return [f"{height}{owners.get(n, '.')}" for n, height in enumerate(state.heights)]

    def scene(self, state: State, last: Move | None) -> Grid:
        signs = self._signs(state)
        rows = (signs[n : n + self.columns] for n in range(0, len(signs), self.columns))
        marked = () if last is None else (cell for cell in last if cell != NONE)
        return Grid(
            tuple(tuple(map(_cell, row)) for row in rows),
            coordinates=True,
            last=tuple(divmod(cell, self.columns) for cell in marked),
        )

    def judgement(self, state: State, player: int) -> float:
        """How much higher a player's builders stand, and then how many more steps they can make."""
        heights = state.heights
        first, second = (
            10 * sum(heights[cell] for cell in own) + self._reach(state, own) for own in state[1:3]
        )
        return float(first - second if player == 0 else second - first)

    def _reach(self, state: State, own: Cells) -> int:
        """The number of steps that builders can make."""
        heights, taken = state.heights, state.first + state.second
        return sum(
            end not in taken and heights[end] <= min(TOP, heights[cell] + 1)
            for cell in own
            for end in _near(self.size)[cell]
        )


def _view(state: State) -> tuple[Cells, Cells, Cells]:
    """The heights, the builders of the player to move, and those of the other player."""
    heights, first, second, turn, *_ = state
    return (heights, second, first) if turn else (heights, first, second)


@lru_cache(maxsize=64)
def _cell(sign: str) -> Cell:
    fill = "dark" if sign[0] == str(DOME) else "paper"
    return Cell(sign[0], fill=fill, **BUILDERS.get(sign[1], {}))


def _raised(heights: Cells, cell: int) -> Cells:
    return (*heights[:cell], heights[cell] + 1, *heights[cell + 1 :])


def _moved(builders: Cells, start: int, end: int) -> Cells:
    return tuple(sorted(end if cell == start else cell for cell in builders))


@lru_cache(maxsize=16)
def _near(size: Size) -> tuple[Cells, ...]:
    """The neighbours of each cell, diagonal ones included."""
    rows, columns = size
    cells = [divmod(n, columns) for n in range(rows * columns)]
    return tuple(
        tuple(
            n
            for n, (row, column) in enumerate(cells)
            if (row, column) != cell and abs(row - cell[0]) < 2 and abs(column - cell[1]) < 2
        )
        for cell in cells
    )


@lru_cache(maxsize=1 << 12)
def _legal(size: Size, heights: Cells, mine: Cells, theirs: Cells) -> tuple[Move, ...]:
    """The winning moves, then the others, of which those that climb come first."""
    near, taken = _near(size), mine + theirs
    wins, others = list[Move](), list[Move]()
    for start in mine:
        for end in near[start]:
            if heights[end] > min(TOP, heights[start] + 1) or end in taken:
                continue
            if heights[end] == TOP:
                wins.append((start, end, NONE))
                continue
            others += (
                (start, end, built)
                for built in near[end]
                if heights[built] < DOME and (built == start or built not in taken)
            )
    return (*wins, *sorted(others, key=lambda move: heights[move[0]] - heights[move[1]]))


def _can_top(near: Sequence[Cells], heights: Cells, mine: Cells, theirs: Cells) -> bool:
    """Whether a builder of the player to move can step to the top."""
    for start in mine:
        if heights[start] == TOP - 1:
            for end in near[start]:
                if heights[end] == TOP and end not in theirs and end not in mine:
                    return True
    return False


def _ends(near: Sequence[Cells], heights: Cells, mine: Cells, theirs: Cells) -> set[int]:
    """The cells that the player to move can enter. A builder can always build after a step: on the
    cell that it has left.
    """
    taken = mine + theirs
    return {
        end
        for start in mine
        for end in near[start]
        if heights[end] <= min(TOP, heights[start] + 1) and end not in taken
    }


def _after(
    near: Sequence[Cells], heights: Cells, mine: Cells, theirs: Cells
) -> Iterator[tuple[Cells, Cells]]:
    """The heights and the own builders after each move that does not win, one at a time."""
    taken = mine + theirs
    for start in mine:
        limit = min(TOP - 1, heights[start] + 1)
        for end in near[start]:
            if heights[end] > limit or end in taken:
                continue
            after = _moved(mine, start, end)
            for built in near[end]:
                if heights[built] < DOME and (built == start or built not in taken):
                    yield _raised(heights, built), after


def _wins_next(near: Sequence[Cells], heights: Cells, mine: Cells, theirs: Cells) -> bool:
    """Whether the player to move can step to the top or shut in all builders of the other one."""
    if _can_top(near, heights, mine, theirs):
        return True
    # A move takes away two cells at most, the one that is entered and the one that is built on.
    if len(_ends(near, heights, theirs, mine)) > 2:
        return False
    moves = _after(near, heights, mine, theirs)
    return any(not _ends(near, built, theirs, after) for built, after in moves)


@lru_cache(maxsize=1 << 17)
def _climbs(size: Size, heights: Cells, mine: Cells, theirs: Cells, moves: int) -> bool:
    """Whether the player to move wins within so many own moves."""
    near = _near(size)
    if moves == 1 or _can_top(near, heights, mine, theirs):
        return _wins_next(near, heights, mine, theirs)
    return any(
        not _holds(size, built, theirs, after, moves - 1)
        for built, after in _after(near, heights, mine, theirs)
    )


@lru_cache(maxsize=1 << 17)
def _holds(size: Size, heights: Cells, mine: Cells, theirs: Cells, moves: int) -> bool:
    """Whether the player to move can move and prevents a win of the other player within so many
    moves.
    """
    near = _near(size)
    if moves == 0:
        return bool(_ends(near, heights, mine, theirs))
    if _can_top(near, heights, mine, theirs):
        return True
    replies = _after(near, heights, mine, theirs)
    if moves == 1:
        return any(not _wins_next(near, built, theirs, after) for built, after in replies)
    return any(not _climbs(size, built, theirs, after, moves) for built, after in replies)
