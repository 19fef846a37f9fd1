"""The rules of digging for gems below stones that fall."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.games.steps import step
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.lead_ins import without_lead_in

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}
WAYS = (*STEPS,)
CRUSHED = -1
"""The cell of a player who was crushed."""


class State(NamedTuple):
    """The cell of the player or `CRUSHED`, the earth, the stones and the gems, as bits, and the
    number of the mine, from 0.
    """

    cell: int
    earth: int
    stones: int
    gems: int
    number: int = 0


class Mine(NamedTuple):
    """A mine: the cells of walls, as bits, and how it begins."""

    walls: int
    cell: int
    earth: int
    stones: int
    gems: int


@dataclass(frozen=True)
class FallingStones(SoloRules[State, int]):
    """Collect all gems of one mine after the other. A move is the number of a way."""

    rows: int
    columns: int
    mines: tuple[Mine, ...]

    def begin(self, number: int) -> State:
        """The first state of a mine."""
        return State(*self.mines[number][1:], number)

    def walls(self, state: State) -> int:
        """The cells of walls, as bits."""
        return self.mines[state.number].walls

    def legal(self, state: State) -> Sequence[int]:
        if state.cell == CRUSHED:
            return ()
        return [way for way in range(4) if self.target(state, way) is not None]

    def target(self, state: State, way: int) -> int | None:
        """The cell that a step enters, where that is legal."""
        target = beside(self.rows, self.columns)[state.cell][way]
        if target is None or self.walls(state) >> target & 1:
            return None
        if state.stones >> target & 1:
            behind = beside(self.rows, self.columns)[target][way]
            # Stones are pushed sideways alone.
            if STEPS[WAYS[way]][0] or behind is None or self.filled(state) >> behind & 1:
                return None
        return target

    def filled(self, state: State) -> int:
        """The cells on which something stands, other than the player."""
        return self.walls(state) | state.earth | state.stones | state.gems

    def apply(self, state: State, move: int) -> State:
        target = self.target(state, move)
        assert target is not None, "the move is not legal"
        here, stones = 1 << target, state.stones
        if stones & here:
            behind = beside(self.rows, self.columns)[target][move]
            assert behind is not None, "the stone has no cell to go to"
            stones ^= here | 1 << behind
        after = self.settled(
            State(target, state.earth & ~here, stones, state.gems & ~here, state.number)
        )
        if after.gems or after.cell == CRUSHED or state.number + 1 == len(self.mines):
            return after
        return self.begin(state.number + 1)

    def settled(self, state: State) -> State:
        """The state after all stones have fallen, from the lowest row up."""
        cell, earth, stones, gems, number = state
        # Without a free cell below a stone, nothing falls.
        fixed = self.walls(state) | earth | gems | 1 << cell
        bottom = (self.rows - 1) * self.columns
        free_below = ~((fixed | stones) >> self.columns)
        if not stones & (1 << bottom) - 1 & free_below:
            return state
        crushed = False
        for start in range(bottom - 1, -1, -1):
            if not stones >> start & 1:
                continue
            end = start
            while end < bottom and not (fixed | stones) >> end + self.columns & 1:
                end += self.columns
            if end != start:
                stones ^= 1 << start | 1 << end
                crushed |= end + self.columns == cell
        return State(CRUSHED if crushed else cell, earth, stones, gems, number)

    def distance(self, state: State) -> float:
        """The fewest steps by way of all gems, also of later mines, around walls but through all
        else.
        """
        if state.cell == CRUSHED:
            return float("inf")
        later = map(self.begin, range(state.number + 1, len(self.mines)))
        return sum([self._tour(each) for each in (state, *later)])

    def _tour(self, state: State) -> float:
        return tour(self.rows, self.columns, self.walls(state), state.cell, state.gems)

    def judgement(self, state: State) -> float:
        """Few steps by way of all gems left."""
        return -self.distance(state)

    def to_the_nearest_gem(self, state: State) -> list[int]:
        """The moves of a player who goes to the nearest gem, around walls, and looks only whether a
        stone falls on it at once.
        """
        legal = self.legal(state)
        moves = [move for move in legal if self.apply(state, move).cell != CRUSHED] or legal
        far = {
            move: min(
                (
                    steps_from(self.rows, self.columns, self.walls(state), cell).get(gem, 1_000)
                    for gem in bits(state.gems)
                ),
                default=0,
            )
            for move in moves
            if (cell := self.target(state, move)) is not None
        }
        return [move for move, steps in far.items() if steps == min(far.values())]

    def why_lost(self, state: State) -> str:
        if state.cell == CRUSHED:
            return "a stone fell on you"
        return super().why_lost(state)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return WAYS[move]

    def read(self, state: State, text: str) -> int:
        move = WAYS.index(step(without_lead_in(text, "@")))
        if move in self.legal(state):
            return move
        target = beside(self.rows, self.columns)[state.cell][move]
        if target is None:
            raise InvalidAnswer("this step would leave the board")
        if self.walls(state) >> target & 1:
            raise InvalidAnswer("there is a wall")
        raise InvalidAnswer("the stone cannot be pushed that way")

    def sign(self, state: State, cell: int) -> str:
        """What is seen on a cell."""
        if cell == state.cell:
            return "@"
        layers = (
            (self.walls(state), "#"),
            (state.stones, "O"),
            (state.gems, "*"),
            (state.earth, ":"),
        )
        return next((sign for layer, sign in layers if layer >> cell & 1), ".")

    def show(self, state: State) -> str:
        lines = [f"   {' '.join(str(n + 1) for n in range(self.columns))}"]
        for row in range(self.rows):
            cells = range(row * self.columns, (row + 1) * self.columns)
            lines.append(f"{row + 1:>2} {' '.join(self.sign(state, cell) for cell in cells)}")
        gems = ", ".join(cell_name(*divmod(gem, self.columns)) for gem in bits(state.gems))
        board = "\n".join(lines)
        here = cell_name(*divmod(state.cell, self.columns))
        number = f"Mine {state.number + 1} of {len(self.mines)}:\n" * (len(self.mines) > 1)
        return f"{number}{board}\n\nYou are in {here}. Gems: {gems}."

    def scene(self, state: State) -> Grid:
        looks = {
            "@": Cell("@", mark="disc", tone="accent"),
            "#": Cell(fill="dark"),
            "O": Cell(mark="disc", tone="muted"),
            "*": Cell(mark="diamond", tone="c4"),
            ":": Cell(fill="t3"),
            ".": Cell(),
        }
        return Grid(
            tuple(
                tuple(
                    looks[self.sign(state, row * self.columns + column)]
                    for column in range(self.columns)
                )
                for row in range(self.rows)
            ),
            coordinates=True,
        )


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask, the lowest first.

    >>> list(bits(0b101))
    [0, 2]
    """
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


@lru_cache(maxsize=64)
def beside(rows: int, columns: int) -> tuple[tuple[int | None, ...], ...]:
    """The cells above, to the left, below and to the right of each cell; None off the board."""
    return tuple(
        tuple(
            (row + down) * columns + column + right
            if 0 <= row + down < rows and 0 <= column + right < columns
            else None
            for down, right in STEPS.values()
        )
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache(maxsize=4_096)
def steps_from(rows: int, columns: int, walls: int, cell: int) -> dict[int, int]:
    """The number of steps from a cell to each one, around walls but through all else."""
    near, steps, wave = beside(rows, columns), {cell: 0}, [cell]
    for here in wave:
        for other in near[here]:
            if other is not None and other not in steps and not walls >> other & 1:
                steps[other] = steps[here] + 1
                wave.append(other)
    return steps


@lru_cache(maxsize=1 << 15)
def tour(rows: int, columns: int, walls: int, cell: int, gems: int) -> float:
    """The fewest steps from a cell by way of all gems, around walls but through all else."""
    far = steps_from(rows, columns, walls, cell)
    return min(
        (
            far.get(gem, float("inf")) + tour(rows, columns, walls, gem, gems ^ 1 << gem)
            for gem in bits(gems)
        ),
        default=0.0,
    )
