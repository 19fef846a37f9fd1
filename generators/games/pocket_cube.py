"""The rules of turning a cube of side 2, one face at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaestra.generators.bidirectional_search import Board
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.rubiks_cube import (
    FACES,
    NEAR,
    net,
    net_picture,
    pocket,
    turns_to_solve,
)
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.moves import turns
from palaestra.verifiers.reading.values import plain

_LEAD = re.compile(
    r"(?:(?:i |i'll |i will |let's )?(?:turn|rotate|play|make|do|choose) (?:the )?(?:face )?"
    r"|(?:my )?(?:next )?(?:move|turn)(?: is)?[: ] ?)",
    re.IGNORECASE,
)

_WORDS = re.compile(
    r"([URF])(?: face)?,? ?((half turn|2)|(counter-?clockwise|anti-?clockwise|prime)|clockwise)",
    re.IGNORECASE,
)

AREA = 4
"""The stickers of a face."""


@dataclass(frozen=True)
class PocketCube(SoloRules[Board, str]):
    """A cube of side 2 whose corner at D, L and B stays where it is, so that it is solved in a
    single position.
    """

    colours: str
    """The letters of the colours of the faces U, R, F, D, L and B."""

    def legal(self, state: Board) -> Sequence[str]:
        return [*pocket(2).act]

    def apply(self, state: Board, move: str) -> Board:
        return pocket(2).act[move](state)

    def distance(self, state: Board) -> float:
        """The turns that solve the cube, or one more than :data:`NEAR` where it takes more."""
        least = turns_to_solve(state)
        return float(NEAR + 1 if least is None else least)

    def judgement(self, state: Board) -> float:
        """The stickers that have the most frequent colour of their face."""
        faces = (state[n * AREA : (n + 1) * AREA] for n in range(len(FACES)))
        return float(sum(max(map(face.count, face)) for face in faces))

    def name(self, state: Board, move: str) -> str:
        return move

    def read(self, state: Board, text: str) -> str:
        body, known = plain(text).rstrip("!"), self.legal(state)
        lead = _LEAD.match(body)
        body = body[lead.end() if lead else 0 :]
        if words := _WORDS.fullmatch(body.rstrip(".")):
            body = words[1] + ("2" if words[3] else "'" if words[4] else "")
        named = turns(body, known, f"one of {', '.join(known)}")
        if len(named) != 1:
            raise InvalidAnswer(f"expected one turn, got {len(named)}")
        return named[0]

    def show(self, state: Board) -> str:
        return net(state, self.colours)

    def scene(self, state: Board) -> Grid:
        return net_picture(state, self.colours)
