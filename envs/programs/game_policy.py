"""Programs that play small games: take-away games after C. Bouton's "Nim" (1901), W. Wythoff's game
(1907), the octal games of R. Guy and C. Smith (1956), Chomp after D. Gale (1974), and others.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from random import Random
from typing import Self

from palaestra.generators.programs.game_policy.games import (
    Table,
    Variant,
    luck,
    position,
    random_game,
    starts,
    table,
)
from palaestra.generators.programs.game_policy.players import shallow_policies
from palaestra.generators.programs.game_policy.wording import as_text, program
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.game_policy import LIMITS, graded_policy
from palaestra.verifiers.programs.judging import function

GAMES = 24
"""So many games are played, or fewer where there are not as many that can be won."""

FEWEST = 8


class GamePolicy(Puzzle):
    """Write a Python function that wins a small game from wherever it can be won."""

    version = 4
    tags = {"sandboxed", "code", "games", "combinatorial-games"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        tier: int = ladder(0, 1, 2, 2, 2, 2)  # of the families of games
        size: int = ladder(1, 2, 3, 4, 5, 6)
        lasts: bool = ladder(False, False, False, True, True, True)  # whoever cannot move may win
        # how often a player who moves at random wins from each start, at most
        luck: float = ladder(0.5, 0.3, 0.1, 0.04, 0.04, 0.03, low=0.02)

    variant: Variant
    luck: float
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        variant = random_game(rng, knobs.tier, knobs.size, knobs.lasts)
        return cls(variant=variant, luck=knobs.luck, seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        return len(starts(self.variant, self.seed, FEWEST, self.luck)) == FEWEST

    def canonical(self) -> str:
        return repr(self.variant)

    def prompt(self) -> str:
        state, moves = self.example()
        ask = self.phrase(
            "Write a Python function move(state) that plays a game for two players.",
            "Two players play a game. Write a Python function move(state) that plays it well.",
        )
        return (
            f"{ask} The players take turns.\n\n{as_text(self.variant)}\n\nThe function takes a "
            "position in which it is its turn and at least one move exists, as a list of whole "
            "numbers, and returns its move, as a list or a tuple of whole numbers. For example, "
            f"in the position {state} the moves are {moves}.\n\nThe function makes the first move "
            "of each game. Each game starts from a position in which the player whose turn it is "
            "can win whatever the other player does. The opponent makes no mistakes. The function "
            f"must win all of these games (at most {GAMES}). A move that is not allowed, or an "
            f"exception, loses the game. All calls together have {LIMITS.cpu_s:g} seconds of "
            "processor time. Answer with the program: the function, with all imports and helpers "
            "that it needs. Only Python's standard library is available."
        )

    def example(self) -> tuple[str, str]:
        """A position and its moves, as they are written."""
        rng, playing = Random(repr(self.variant)), table(self.variant)
        states = [position(rng, self.variant) for _ in range(20)]
        state = min(states, key=lambda state: (abs(len(playing.options(state)) - 5), state))
        return str(list(state)), ", ".join(str(list(move)) for move in playing.options(state))

    def answer(self) -> str:
        return program(self.variant)

    def verify(self, answer: str) -> Score:
        return played(function(answer, "move"), self.variant, self.seed, GAMES, self.luck)

    def audit(self, answer: str) -> bool:
        """Whether it wins other games, too, and many more."""
        source = function(answer, "move")
        return played(source, self.variant, self.seed + 1, 4 * GAMES, self.luck).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who know the rules, and choose by the next position or one more."""
        return shallow_policies(self.variant)

    def difficulty(self) -> float:
        """How many positions are to be worked out."""
        fresh = Table(self.variant)
        for state in starts(self.variant, self.seed, GAMES, self.luck):
            fresh.share(state)
        return float(fresh.game.size())

    def shortcuts(self) -> Iterable[str]:
        yield "def move(state): return [0, 1]"
        yield "def move(state): return [0, 0]"
        yield "def move(state): return [1]"
        yield "def move(state): return [0, max(state)]"
        yield "def move(state): return [0, state[0] - 1, state[1]]"


def played(source: str, game: Variant, seed: int, number: int, most: float = 0.5) -> Score:
    """Play up to ``number`` games from positions that ``seed`` draws.

    A player who moves at random wins each of them with a chance of at most ``most``.
    """
    baseline = partial(luck, game, seed, number, most)
    begun = starts(game, seed, number, most)
    return graded_policy(source, "move", table(game), begun, baseline)
