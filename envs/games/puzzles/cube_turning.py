"""The cube of Erno Rubik (1974), turned one face at a time; notation by David Singmaster (1979)."""

from random import Random
from typing import Self

from palaestra.generators.games.puzzles.cube_turning import LONGEST, mixed, shortest
from palaestra.generators.games.puzzles.cube_turning import CubeTurning as Rules
from palaestra.generators.games.puzzles.face_turns import NET
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.rubiks_cube import COLOURS
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import ladder


class CubeTurning(SoloGame):
    """Solve a cube of side 3, one turn after another, in as few turns as a shortest plan has."""

    tags = {"planning", "perfect-information", "spatial"}

    class Knobs(SoloGame.Knobs):
        turns: int = ladder(2, 3, 4, 6, 7, 8, 10, low=2, high=LONGEST)  # of a shortest plan
        spare: int = ladder(2, 1, 1, 1, 0, 0, 0, low=0, high=40)  # turns beyond a shortest plan

    colours: str
    turns: int
    """The turns of a shortest plan."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        board = mixed(rng, knobs.turns)
        colours = "".join(rng.sample(COLOURS, len(COLOURS)))
        moves = knobs.turns + knobs.spare
        return cls(position=encoded(board), colours=colours, moves=moves, turns=knobs.turns)

    def is_valid(self) -> bool:
        """Whether no plan is shorter than the turns that mixed the cube up."""
        return shortest(self.start(), self.turns - 1) is None

    def canonical(self) -> str:
        return self.position

    def rules(self) -> Rules:
        return Rules(self.colours)

    def plan(self) -> Plan[str] | None:
        moves = shortest(self.start(), self.turns)
        return None if moves is None else Plan(moves, len(moves))

    def difficulty(self) -> float:
        return float(self.turns)

    def description(self) -> str:
        turns = (
            "A face turns together with the layer under it. U, R, F, D, L or B alone is a quarter "
            "turn clockwise of that face, as seen by someone who looks straight at it from "
            "outside; with ' behind it, as in U', it is a quarter turn counterclockwise, and with "
            "2, as in U2, a half turn, which is one move as well."
        )
        return self.phrase(
            "A cube of 3 by 3 by 3 small cubes is mixed up. Turn its faces until each of the six "
            f"shows one colour only. {NET} In each move, you turn one face. {turns} For example, a "
            'move is "L2".',
            "Solve this Rubik's cube of side 3, that is, make every face show a single colour. You "
            f"turn one face at a time and see the net of the cube after it. {NET} {turns} Reply "
            'with one turn, such as "D\'".',
        )
