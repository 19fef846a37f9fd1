"""Emptying a board with a known order of pieces of Alexey Pajitnov's Tetris (1984), piece by piece.

Deciding whether a known sequence can empty a board is NP-complete (Demaine, Hohenberger and
Liben-Nowell, "Tetris is Hard, Even to Approximate", 2003).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import prod
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.arcade.falling_pieces import (
    AREA,
    State,
    covered,
    dellacherie,
    emptied,
    plan_of,
)
from palaestra.generators.games.arcade.falling_pieces import FallingPieces as Rules
from palaestra.generators.games.arcade.tetrominoes import (
    Placement,
    canonical,
    options,
    shown,
    turns,
)
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder

Judgement = Callable[[State, Placement], float]
"""How good a drop looks."""


class FallingPieces(SoloGame):
    """Drop pieces whose order is known, one at a time, so that full rows leave an empty board."""

    tags = {"perfect-information", "planning", "spatial"}
    search_budget = 2_000
    tries: ClassVar[int] = 15
    """The number of sequences of which one is used."""

    class Knobs(SoloGame.Knobs):
        width: int = ladder(7, 5, 6, 7, 7, 7, low=4, high=8)
        pieces: int = ladder(2, 4, 6, 8, 9, 10, low=2, high=10)
        squares: int = ladder(13, 4, 6, 10, 13, 16, low=2, high=24)  # full at first, at least

    width: int
    pieces: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The board and pieces, of some, of which the most pieces are needed to fill up the rows
        that are not empty; among equal ones, those with the most covered squares on the way.
        """
        area = AREA * knobs.pieces + knobs.squares
        rows = min(-(-area // knobs.width), 2 * knobs.pieces)
        best, most = None, (1.0, 0)
        for _ in range(cls.tries):
            sequence = emptied(rng, rows, knobs.width, knobs.pieces)
            if sequence is None:
                continue
            state, pieces = State(sequence.board, 0), sequence.pieces
            needed = Rules(knobs.width, len(state.board), pieces).distance(state)
            if needed > 1 and (needed, sequence.covered) > most:
                best, most = cls._of(state, pieces, knobs.width), (needed, sequence.covered)
        return best or cls._of(State((), 0), "", knobs.width)

    @classmethod
    def _of(cls, state: State, pieces: str, width: int) -> Self:
        return cls(position=encoded(state), moves=len(pieces), width=width, pieces=pieces)

    def is_valid(self) -> bool:
        return self.moves > 1 and self.plan() is not None

    def canonical(self) -> str:
        return canonical(self.start().board, self.pieces, self.width)

    def rules(self) -> Rules:
        return Rules(self.width, len(self.start().board), self.pieces)

    def start(self) -> State:
        return Rules(self.width, 0, self.pieces).decode(self.position)

    def plan(self) -> Plan[Placement] | None:
        return _plan(self.rules(), self.start(), self.search_budget)

    def difficulty(self) -> float:
        """The number of ways to drop the pieces on an empty board of any height."""
        return float(prod(sum(1 for _ in options(piece, self.width)) for piece in self.pieces))

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who drop one piece after another where it looks best, and avoid what is plainly
        lost.
        """
        rules = self.rules()

        def rows(state: State, move: Placement) -> float:
            return -sum(map(bool, rules.drops(state)[move].board))

        def holes(state: State, move: Placement) -> float:
            return rows(state, move) - 10 * covered(rules.drops(state)[move].board)

        def cleared(state: State, move: Placement) -> float:
            return holes(state, move) + 1_000 * rules.drops(state)[move].cleared

        def player(judgement: Judgement) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                ways = [*rules.legal(state)]
                rng.shuffle(ways)
                far = {way: rules.distance(rules.apply(state, way)) for way in ways}
                best = max(
                    ways,
                    key=lambda way: (not far[way], far[way] < float("inf"), judgement(state, way)),
                )
                return rules.name(state, best)

            return move

        return {
            "lowest stack": player(rows),
            "fewest holes": player(holes),
            "most cleared rows, then fewest holes": player(cleared),
            "Dellacherie's judgement": player(lambda *drop: dellacherie(rules, *drop)),
        }

    def description(self) -> str:
        kinds = sorted(set(self.pieces))
        shapes = "\n\n".join(
            f"{piece}{n}:\n{shown(rows)}"
            for piece in kinds
            for n, rows in enumerate(turns(piece), 1)
        )
        fall = (
            "A piece falls straight down from above the board, without turning or moving sideways, "
            "until one of its squares is on the bottom or directly above a full square. A drop "
            "after which it would not be entirely on the board is not legal. Then all full rows "
            "are cleared at once, and "
            "each row above them moves down by the number of rows cleared below it; no single "
            "squares fall. The game is lost if no drop of the next piece is legal, and as soon as "
            "the squares of the pieces that are left cannot complete all rows that are not empty."
        )
        move = (
            "A move is the orientation of the next piece, as named below, and the leftmost column "
            f"that it covers, such as '{self.pieces[0]}1 2'."
        )
        return self.phrase(
            f"Pieces of four squares fall on a board of {self.width} columns, in an order that is "
            f"known; # is a full square and . an empty one. {fall} Make the board empty: no full "
            f"square may be left. {move} The orientations are:\n\n{shapes}",
            f"Clear this board of {self.width} columns completely ('#' is full, '.' is empty) with "
            "the pieces that are listed below it, which you drop one at a time in their order. "
            f"{fall} You win when no square is full. {move} These are the orientations:\n\n"
            f"{shapes}",
        )


@lru_cache(maxsize=256)
def _plan(rules: Rules, state: State, budget: int) -> Plan[Placement] | None:
    drops, visited = plan_of(rules, state, budget)
    return None if drops is None else Plan(drops, visited)
