"""The cube of Erno Rubik (1974), in the notation of David Singmaster (1979), mixed up by turns.

After a few turns, the plan has to be a shortest one, which a search from both ends at once
determines, as Ira Pohl does (1969). After more, any plan of the length that people need is right.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.planning.bidirectional_search import Board, TurnPuzzle, Turns
from palaestra.generators.planning.rubiks_cube import FACES, QUARTERS, cube, pocket, turned
from palaestra.task import ladder
from palaestra.verifiers.reading.moves import turns

COLOURS = "WYROGB"
SHORT = 7
"""The most turns for which a shortest plan is asked for."""

HUMAN = 60
"""The turns of a plan by a method that speedcubers learn, such as Jessica Fridrich's, or fewer."""

EASY = 5_000
"""The states that a search visits for a plan of up to five turns of a cube of side 3."""

CUBES = 43_252_003_274_489_856_000
"""The number of positions of a cube of side 3."""


def solved(size: int) -> Board:
    """The stickers of a cube in order, each the number of its face."""
    return tuple(face for face in range(6) for _ in range(size * size))


@lru_cache(maxsize=256)
def shortest(board: Board, size: int) -> tuple[str, ...] | None:
    """The fewest turns that solve a cube whose corner at D, L and B is in its place."""
    plan = pocket(size).plan(board, solved(size), budget=120_000)
    return None if plan is None else plan.moves


class RubiksCube(TurnPuzzle):
    """Solve a cube of side 2 or 3 that a few turns have mixed up."""

    version = 3
    tags = {"planning", "search", "spatial"}
    units = "turns"

    class Knobs(TurnPuzzle.Knobs):
        size: int = ladder(2, 2, 3, 2, 3, 3, 3, 3)
        turns: int = ladder(3, 4, 4, 7, 5, 6, 12, 20)  # up to 7, a shortest plan is asked for

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
        for _ in range(knobs.turns):
            last = scramble[-1][:1]
            scramble.append(rng.choice([name for name in puzzle.act if name[0] != last]))
            board = puzzle.act[scramble[-1]](board)
        colours = "".join(rng.sample(COLOURS, 6))
        if knobs.turns <= SHORT:
            return cls(stickers=board, size=knobs.size, turns=knobs.turns, colours=colours)
        return cls(
            stickers=board,
            size=knobs.size,
            turns=HUMAN,
            colours=colours,
            scramble=tuple(scramble[1:]),
        )

    def is_valid(self) -> bool:
        """Whether no plan is shorter than the few turns that scrambled the cube; whether none of
        up to five turns is short for a cube that many turns scrambled.
        """
        if self.scramble:
            plan = pocket(self.size).plan(self.stickers, solved(self.size), budget=EASY)
            return plan is None or len(plan.moves) > 5
        shortest_plan = self.search()
        return shortest_plan is not None and len(shortest_plan) == self.turns

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

    def net(self) -> str:
        """The six faces unfolded."""
        side = self.size
        rows = [
            " ".join(self.colours[face] for face in self.stickers[n : n + side])
            for n in range(0, 6 * side * side, side)
        ]
        up, right, front, down, left, back = (rows[n * side : (n + 1) * side] for n in range(6))
        lead = " " * (2 * side + 1)
        middle = ["  ".join(line) for line in zip(left, front, right, back)]
        return "\n".join([*(lead + row for row in up), *middle, *(lead + row for row in down)])

    def prompt(self) -> str:
        side = self.size
        task = self.phrase(
            f"A cube of {side} by {side} by {side} small cubes, each of whose six faces can be "
            "turned, is mixed up.",
            f"This is a mixed-up Rubik's cube of side {side}.",
        )
        return (
            f"{task} Its stickers are shown on the net of the cube, unfolded:\n\n{self.net()}\n\n"
            f"The block at the top is the face U (up), the four below it, from left to right, are "
            "L (left), F (front), R (right) and B (back), and the one at the bottom is D (down). "
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
        net = {
            (face, r, c): self.stickers[n * area + r * side + c]
            for n, face in enumerate(FACES)
            for r, c in product(range(side), repeat=2)
        }
        for move in moves:
            for _ in range(QUARTERS[move[1:]]):
                net = turned(net, move[0], side)
        shown = {(face, sign) for (face, _, _), sign in net.items()}
        return len(shown) == len(FACES) and len(moves) <= self.turns

    def difficulty(self) -> float:
        # The approximate number of cubes at this distance from the solved one, or up to it.
        turns = len(self.scramble) or self.turns
        if self.size == 2:
            return 9 * 5.3 ** (min(turns, 9) - 1)
        return min(18 * 13.3 ** (turns - 1), CUBES)

    def shortcuts(self) -> Iterable[str]:
        return ["U " * self.turns, "R U R' U'", "R2 U2 F2"]
