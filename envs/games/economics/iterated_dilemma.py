"""The iterated prisoner's dilemma and its relatives against automata of known behaviour.

Robert Axelrod, The Evolution of Cooperation (1984), compared such strategies in tournaments. The
opponent is one of several automata, each with a known probability. What it does shows which one it
is; dynamic programming over beliefs gives the exact best response.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.iterated_dilemma import AUTOMATA, State, letter
from palaestra.generators.games.economics.iterated_dilemma import IteratedDilemma as Rules
from palaestra.task import ladder

ORDERS = ("cd dd cc dc", "cd dd dc cc", "dd cd cc dc")
"""The outcomes of the prisoner's dilemma, the stag hunt and chicken, from the worst to the best."""


TRIALS = 3
"""How many seeds of chance events an opening is tried with."""


class IteratedDilemma(ChanceGame):
    """Cooperate or defect in several rounds against an opponent of one of several types."""

    tags = {"expected-value", "game-theory", "hidden-information", "planning"}
    round_name = "Match"
    balanced = True
    candidates = 3

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 3, 4, 5, 6, 7, low=1, high=8)  # matches
        least_decisions: int = ladder(2, 3, 3, 4, 4, 4, low=1, high=7)  # in each match
        most_gap: float = ladder(3.0, 2.0, 0.8, 0.6, 0.5, 0.4, low=0.05)
        length: int = ladder(4, 5, 5, 5, 5, 5, low=2, high=6)  # rounds of a match, at most
        types: int = ladder(2, 2, 3, 3, 4, 4, low=2, high=6)
        most_noise: int = ladder(0, 0, 5, 10, 10, 15, low=0, high=25)  # in percent

    payoffs: tuple[int, int, int, int]
    types: tuple[str, ...]
    noise: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        points = sorted(rng.sample(range(10), 4))
        worth = dict(zip(rng.choice(ORDERS).split(), points, strict=True))
        return {
            "payoffs": tuple(worth[each] for each in ("cc", "cd", "dc", "dd")),
            "types": cls._types(rng, knobs.types),
            "noise": rng.randint(min(5, knobs.most_noise), knobs.most_noise),
        }

    @staticmethod
    def _types(rng: Random, number: int) -> tuple[str, ...]:
        """Random types, one of which does not react to moves, so that to defect is often best."""
        constant, reacting = list[str](), list[str]()
        for name, automaton in AUTOMATA.items():
            reacts = any(cc != cd or dc != dd for cc, cd, dc, dd in automaton.follows)
            (reacting if reacts else constant).append(name)
        types = rng.sample(reacting, number)
        types[rng.randrange(number)] = rng.choice(constant)
        return tuple(types)

    def rules(self) -> Rules:
        return Rules(self.payoffs, self.types, self.noise)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """Random prior probabilities, in steps of 5 percent, and a random number of rounds."""
        number = len(rules.names)
        cuts = sorted(rng.sample(range(1, 20), number - 1))
        prior = (5 * (high - low) for low, high in zip((0, *cuts), (*cuts, 20), strict=True))
        length = rng.randint(min(knobs.least_decisions, knobs.length), knobs.length)
        return State(length, tuple(prior), "", -1)

    def is_valid(self) -> bool:
        """Whether, whatever chance events there are, both moves are needed in most matches, or a
        player who always makes the same one would do well. The seeds of this task play no part.
        """
        rules = self.rules()
        trials = (
            [self._path(rules, start, luck).moves for luck in range(TRIALS)]
            for start, _ in self.starts()
        )
        both = sum(min(moves) == 2 for moves in trials)
        return super().is_valid() and 2 * both > len(self.positions)

    def description(self) -> str:
        both, alone, alone_d, neither = self.payoffs
        types = "\n".join(
            f"Type {letter(n)}: {AUTOMATA[name].words}." for n, name in enumerate(self.types)
        )
        number = len(self.positions)
        matches = "" if number == 1 else f" There are {number} matches, each with a new opponent."
        slips = slip = ""
        if self.noise:
            slips = (
                f" In each round, with probability {self.noise} %, the opponent makes the opposite "
                "of the move that its type describes. Types react to the moves that were actually "
                "made."
            )
            slip = (
                f" With probability {self.noise} % in each round, independently, an opponent of "
                "any type does the reverse of the described move; the rules of the types refer to "
                "the actual moves."
            )
        return self.phrase(
            "You play a match of several rounds against an opponent. In each round, both cooperate "
            "or defect at the same time, and then both moves become known. Your points in a round: "
            f"{both} if both cooperate, {alone} if you cooperate and the opponent defects, "
            f"{alone_d} if you defect and the opponent cooperates, {neither} if both defect. The "
            f"points of the opponent do not count.\n\nThe opponent has one of these types:\n{types}"
            f"\n\nIts type is random, with the probabilities listed at each match, and stays the "
            f"same during the match.{slips}{matches} The aim is many points. {self.judging()} A "
            "move is 'cooperate' or 'defect'; it looks like 'defect'.",
            "A match consists of rounds in which you and your opponent simultaneously choose "
            "'cooperate' or 'defect' and then see the choice of the other. A round earns you "
            f"{both} points if both of you cooperate and {neither} if both of you defect. If you "
            f"alone defect, it earns you {alone_d}, and if the opponent alone defects, {alone}. "
            "You need not care about the points of the opponent, who follows one of these fixed "
            f"rules:\n{types}\n\nFor each match, the type is drawn at random with the stated "
            f"probabilities and then does not change.{slip}{matches} Collect as many points as you "
            f"can. {self.judging()} Write 'cooperate' or 'defect', for example 'defect'.",
        )
