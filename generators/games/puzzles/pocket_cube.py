"""The rules of turning a cube of side 2, one face at a time."""

from dataclasses import dataclass

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.games.puzzles.face_turns import FaceTurns
from palaestra.generators.rubiks_cube import NEAR, pocket, turns_to_solve


@dataclass(frozen=True)
class PocketCube(FaceTurns):
    """A cube of side 2 whose corner at D, L and B stays where it is, so that it is solved in a
    single position.
    """

    def turns(self) -> Turns:
        return pocket(2)

    def distance(self, state: Board) -> float:
        """The turns that solve the cube, or one more than :data:`NEAR` where it takes more."""
        least = turns_to_solve(state)
        return float(NEAR + 1 if least is None else least)
