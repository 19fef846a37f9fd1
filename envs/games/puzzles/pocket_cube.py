"""The cube of side 2 of Erno Rubik (1981), turned one face at a time."""

from random import Random
from typing import ClassVar, Self

from palaestra.generators.bidirectional_search import Board
from palaestra.generators.games.puzzles.face_turns import NET
from palaestra.generators.games.puzzles.pocket_cube import PocketCube as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.rubiks_cube import COLOURS, SOLVED, pocket, pocket_plan
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import ladder


class PocketCube(SoloGame):
    """Solve a cube of side 2, one turn after another, in few turns."""

    tags = {"planning", "perfect-information", "spatial"}

    tries: ClassVar[int] = 30
    """How often a cube is mixed up until its shortest plan has the length that is wanted."""

    class Knobs(SoloGame.Knobs):
        turns: int = ladder(2, 3, 4, 6, 7, 9, low=2, high=9)  # of a shortest plan
        spare: int = ladder(2, 2, 2, 1, 1, 1, low=0, high=40)  # turns beyond a shortest plan

    colours: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        board = SOLVED
        for _ in range(cls.tries):
            board = cls._turned(rng, knobs.turns)
            if len(pocket_plan(board)) == knobs.turns:
                break
        colours = "".join(rng.sample(COLOURS, len(COLOURS)))
        moves = len(pocket_plan(board)) + knobs.spare
        return cls(position=encoded(board), colours=colours, moves=moves)

    @staticmethod
    def _turned(rng: Random, turns: int) -> Board:
        """The cube after random turns, none of the same face as the one before."""
        puzzle, board, last = pocket(2), SOLVED, ""
        for _ in range(turns):
            last = rng.choice([name for name in puzzle.act if name[0] != last[:1]])
            board = puzzle.act[last](board)
        return board

    def rules(self) -> Rules:
        return Rules(self.colours)

    def plan(self) -> Plan[str]:
        moves = pocket_plan(self.start())
        return Plan(moves, len(moves))

    def description(self) -> str:
        turns = (
            "U, R or F alone is a quarter turn clockwise of that face with its layer, as seen by "
            "someone who looks straight at it from outside; U', R' or F' is a quarter turn "
            "counterclockwise, and U2, R2 or F2 a half turn, which is one move as well. The faces "
            "D, L and B are not turned."
        )
        return self.phrase(
            "A cube of 2 by 2 by 2 small cubes is mixed up. Turn its faces until each of the six "
            f"shows one colour only. {NET} In each move, you turn one face. {turns} For example, a "
            'move is "R2".',
            "Solve this Rubik's cube of side 2, that is, make every face show a single colour. You "
            f"turn one of the faces U, R and F at a time and see the net of the cube after it. "
            f'{NET} {turns} Reply with one turn, such as "F\'".',
        )
