"""The cube of Erno Rubik (1974), in the notation of David Singmaster (1979), mixed up by turns.

After a few turns, the plan has to be a shortest one, which a search from both ends at once
determines, as Ira Pohl does (1969). After more, any plan of the length that people need is right
for a cube of side 3, and any of eleven turns for one of side 2, which are enough for all of them.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.planning.turn_puzzles import TurnPuzzle
from palaestra.generators.rubiks_cube import (
    COLOURS,
    FACES,
    QUARTERS,
    cube,
    net,
    net_picture,
    pocket,
    pocket_plan,
    solved,
    turned,
)
from palaestra.scenes import Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.moves import turns

SHORT = 7
"""The most turns of a cube of side 3 for which a shortest plan is asked for."""

POCKET = 11
"""The turns that are enough for every cube of side 2, and needed for 2,644 of them. For fewer, a
shortest plan is asked for.
"""

MIXED = 16
"""The turns that mix up a cube of side 2 beyond seven turns: about any position may result."""

HUMAN = 60
"""The turns of a plan by a method that speedcubers learn, such as Jessica Fridrich's, or fewer."""

EASY = 5_000
"""The states that a search visits for a plan of up to five turns of a cube of side 3."""

CUBES = 43_252_003_274_489_856_000
"""The number of positions of a cube of side 3."""


@lru_cache(maxsize=256)
def shortest(board: Board, size: int) -> tuple[str, ...] | None:
    """The fewest turns that solve a cube, whose corner at D, L and B is in its place at side 2."""
    if size == 2:
        return pocket_plan(board)
    plan = pocket(size).plan(board, solved(size), budget=120_000)
    return None if plan is None else plan.moves


class RubiksCube(TurnPuzzle):
    """Solve a cube of side 2 or 3 that a few turns have mixed up."""

    version = 4
    tags = {"planning", "search", "spatial"}
    units = "turns"

    class Knobs(TurnPuzzle.Knobs):
        size: int = ladder(2, 2, 3, 2, 3, 2, 3, 3, 3)
        turns: int = ladder(3, 4, 4, 7, 5, 10, 6, 12, 20)  # of a shortest plan, if they are few

    stickers: Board
    size: int
    turns: int
    """The most turns of a plan."""
    colours: str
    scramble: tuple[str, ...] = ()
    """The turns that mixed up a cube whose shortest plans are too long to search for."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        puzzle = pocket(knobs.size)
        board, scramble = solved(knobs.size), [""]
        for _ in range(MIXED if knobs.size == 2 and knobs.turns > 7 else knobs.turns):
            last = scramble[-1][:1]
            scramble.append(rng.choice([name for name in puzzle.act if name[0] != last]))
            board = puzzle.act[scramble[-1]](board)
        colours = "".join(rng.sample(COLOURS, 6))
        most, kept = min(knobs.turns, POCKET), list[str]()
        if knobs.size > 2 and knobs.turns > SHORT:
            most, kept = HUMAN, scramble[1:]
        return cls(
            stickers=board, size=knobs.size, turns=most, colours=colours, scramble=tuple(kept)
        )

    def is_valid(self) -> bool:
        """Whether no plan is shorter than the turns that are allowed, or shorter than six where
        more are allowed than needed.
        """
        if self.scramble:
            plan = pocket(self.size).plan(self.stickers, solved(self.size), budget=EASY)
            return plan is None or len(plan.moves) > 5
        least = self.search()
        if self.size == 2 and self.turns == POCKET:
            return len(least or ()) > 5
        return least is not None and len(least) == self.turns

    def turns_by_name(self) -> Turns:
        return cube(self.size)

    def search(self) -> tuple[str, ...] | None:
        if self.scramble:
            undo = cube(self.size).undo
            return tuple(undo[name] for name in reversed(self.scramble))
        return shortest(self.stickers, self.size)

    def move_limit(self) -> int:
        return self.turns

    def initial(self) -> Board:
        return self.stickers

    def canonical(self) -> str:
        return repr(self.stickers)

    def picture(self, state: Board) -> Grid:
        return net_picture(state, self.colours)

    def prompt(self) -> str:
        side = self.size
        task = self.phrase(
            f"A cube of {side} by {side} by {side} small cubes, each of whose six faces can be "
            "turned, is mixed up.",
            f"This is a mixed-up Rubik's cube of side {side}.",
        )
        return (
            f"{task} Its stickers are shown on the net of the cube, unfolded:\n\n"
            f"{net(self.stickers, self.colours)}\n\nThe block at the top is the face U (up), the "
            "four below it, from left to right, are L (left), F (front), R (right) and B (back), "
            "and the one at the bottom is D (down). "
            "Fold U, L, R and D back from F, with the stickers outside, and B closes the cube; the "
            "bottom row of U touches the top row of F, the top row of D the bottom row of F. "
            "Letters are colours.\n\nA turn is written as the face that is turned, with the layer "
            "under it: U, R, F, D, L or B for a quarter turn clockwise, as seen by someone who "
            "looks straight at that face from outside, U' and so on for a quarter turn "
            "counterclockwise, and U2 and so on for a half turn. Each is one turn.\n\nSolve the "
            "cube, that is, make every face show one colour only, in at most "
            f"{self.turns} turns. Answer with the turns in order, separated by spaces, such as "
            "'R U2 U2 F'."
        )

    def as_text(self, moves: Sequence[str]) -> str:
        return " ".join(moves)

    def read(self, answer: str) -> list[str]:
        return turns(answer, cube(self.size).act, "a list of turns, such as 'R U2 F'")

    def distance(self, state: Board) -> float:
        """The stickers that do not have the most frequent colour of their face."""
        area = self.size**2
        faces = (state[n * area : (n + 1) * area] for n in range(len(FACES)))
        return sum(area - max(map(face.count, face)) for face in faces)

    def violation(self, state: Board) -> str:
        area = self.size**2
        for n, face in enumerate(FACES):
            if len(set(state[n * area : (n + 1) * area])) > 1:
                return f"in the end face {face} has several colours"
        return ""

    def audit(self, answer: str) -> bool:
        """Turns each face as a matrix and carries the rows and columns around it on."""
        moves, side, area = self.read(answer), self.size, self.size**2
        faces = {
            (face, r, c): self.stickers[n * area + r * side + c]
            for n, face in enumerate(FACES)
            for r, c in product(range(side), repeat=2)
        }
        for move in moves:
            for _ in range(QUARTERS[move[1:]]):
                faces = turned(faces, move[0], side)
        shown = {(face, sign) for (face, _, _), sign in faces.items()}
        return len(shown) == len(FACES) and len(moves) <= self.turns

    def difficulty(self) -> float:
        # The approximate number of cubes at this distance from the solved one, or up to it.
        turns = len(self.scramble) or self.turns
        if self.size == 2:
            return 9 * 5.3 ** (min(turns, 9) - 1)
        return min(18 * 13.3 ** (turns - 1), CUBES)

    def shortcuts(self) -> Iterable[str]:
        return ["U " * self.turns, "R U R' U'", "R2 U2 F2"]
