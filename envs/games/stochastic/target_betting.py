"""Betting to reach a target in time, after Dubins and Savage (How to Gamble If You Must, 1965).

With several bets and a limited number of rounds, neither bold nor timid play is best in general.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.stochastic.target_betting import PASS, Bet, State, letter
from palaestra.generators.games.stochastic.target_betting import TargetBetting as Rules
from palaestra.task import ladder


class TargetBetting(ChanceGame):
    """Bet so that a target is reached in time with the greatest probability."""

    tags = {"chance", "expected-value", "planning"}
    unit = "of the probability to succeed"
    one_solution = True
    most_states = 200_000
    lucks = 2

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 1, 1, 2, 2, 3, low=1, high=6)
        least_decisions: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=8)  # in a trial of each round
        most_gap: float = ladder(0.5, 0.1, 0.05, 0.03, 0.02, 0.01, low=0.002)
        bets: int = ladder(2, 2, 3, 3, 4, 4, low=2, high=6)
        stakes: int = ladder(2, 3, 3, 4, 4, 5, low=2, high=6)
        turns: int = ladder(2, 3, 3, 4, 4, 5, low=1, high=6)
        target: int = ladder(12, 15, 20, 25, 30, 40, low=12, high=60)  # chips

    bets: tuple[Bet, ...]
    stakes: tuple[int, ...]
    target: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        bets = set[Bet]()
        while len(bets) < knobs.bets:
            odds = rng.randint(1, 5)
            fair = 100 / (odds + 1)
            bets.add(Bet(round(fair * rng.uniform(0.8, 1.1)), odds))
        stakes = sorted(rng.sample(range(2, knobs.target // 2 + 1), knobs.stakes - 1))
        return {
            "bets": tuple(rng.sample(sorted(bets), len(bets))),
            "stakes": (1, *stakes),
            "target": knobs.target,
        }

    def rules(self) -> Rules:
        return Rules(self.bets, self.stakes, self.target)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        return State(rng.randint(3, knobs.target - 2), knobs.turns, PASS)

    def description(self) -> str:
        bets = "\n".join(
            f"Bet {letter(n)}: wins with a probability of {bet.percent}%, and pays {bet.odds} for "
            "each chip at stake"
            for n, bet in enumerate(self.bets)
        )
        stakes = f"{', '.join(map(str, self.stakes[:-1]))} or {self.stakes[-1]}"
        judging = self.judging()
        return self.phrase(
            f"You have some chips, and want to have at least {self.target} of them within a number "
            "of turns. In each turn, you make one of the bets below, or pass. A stake is "
            f"{stakes} chips, and not more than you have. If the bet wins, you keep the stake and "
            "get what it pays; if not, the stake is lost. As soon as you have the wanted number of "
            f"chips, you have succeeded.\n{bets}\n\nA success counts 1, anything else 0. {judging} "
            "A move is 'pass', or 'bet' with a stake and a letter; it looks like 'bet 1 on A'.",
            f"Turn your chips into {self.target} or more before the turns run out. A turn is one "
            f"bet, or 'pass'. The stakes that are allowed are {stakes} chips, as far as you have "
            "them. A lost bet costs the stake; a bet that wins gives it back together with the "
            f"chips that it pays. You succeed at the moment you have at least {self.target} "
            f"chips, and fail when the turns are over, or no chips are left, before.\n{bets}\n\n"
            f"The value of a success is 1, and that of a failure 0. {judging} Write 'pass', or "
            "'bet', the stake, 'on' and the letter of the bet, for example 'bet 1 on A'.",
        )
