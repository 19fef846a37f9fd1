"""The rules that cubes of all sides share: turning one face at a time in Singmaster's notation."""

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from palaestra.generators.bidirectional_search import Board, Turns
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.rubiks_cube import FACES, net, net_picture
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
    r"([URFDLB])(?: face)?,? ?((half turn|180 ?(?:degrees?|\u00b0)|2)"
    r"|(counter-?clockwise|anti-?clockwise|prime)|clockwise)",
    re.IGNORECASE,
)


NET = (
    "The net shows the cube unfolded. The block at its top is the face U (up), the four below it, "
    "from left to right, are L (left), F (front), R (right) and B (back), and the one at the "
    "bottom is D (down). Fold U, L, R and D back from F, with the stickers outside, and B closes "
    "the cube; the bottom row of U touches the top row of F, the top row of D the bottom row of F. "
    "Letters are colours."
)
"""How a prompt explains the net of a cube."""


@dataclass(frozen=True)
class FaceTurns(SoloRules[Board, str]):
    """A cube whose faces are turned until each has one colour. A move is the name of a turn."""

    colours: str
    """The letters of the colours of the faces U, R, F, D, L and B."""

    @abstractmethod
    def turns(self) -> Turns:
        """The turns that are legal."""

    def legal(self, state: Board) -> Sequence[str]:
        return [*self.turns().act]

    def apply(self, state: Board, move: str) -> Board:
        return self.turns().act[move](state)

    def judgement(self, state: Board) -> float:
        """The stickers that have the most frequent colour of their face."""
        area = len(state) // len(FACES)
        faces = (state[n * area : (n + 1) * area] for n in range(len(FACES)))
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
