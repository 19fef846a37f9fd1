"""Finding wolves among players who accuse one another, after social deduction games.

The first of them is Mafia, by Dimitry Davidoff (1986); Andrew Plotkin gave it the theme of
werewolves (1997).
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.deduction.hidden_roles import LETTERS, NOTHING, State
from palaestra.generators.games.deduction.hidden_roles import HiddenRoles as Rules
from palaestra.task import ladder

QUESTIONS = 1
"""The questions that are left before the first move. With two, rounds take too long to solve."""


class HiddenRoles(ChanceGame):
    """Ask players whom they suspect, and accuse them, for the best expectation of points."""

    tags = {"chance", "expected-value", "planning", "bayes", "hidden-state", "deduction"}
    tolerance = 0.05
    candidates = 4
    baseline_note = (
        "A player who works out the exact probabilities of all roles and looks a single question "
        "ahead is right in a part of the rounds: the probabilities are most of the task. Players "
        "who judge by the answers without them are not."
    )

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 3, 3, 4, 5, 5, low=1, high=8)
        least_decisions: int = ladder(2, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(40.0, 20.0, 10.0, 6.0, 5.0, 4.0, low=0.1)  # points
        players: int = ladder(4, 4, 5, 5, 5, 6, low=4, high=7)  # without you
        wolves: int = ladder(1, 1, 2, 2, 2, 2, low=1, high=3)
        accusations: int = ladder(1, 2, 2, 2, 2, 2, low=1, high=2)
        nights: int = ladder(0, 0, 0, 1, 1, 1, low=0, high=1)
        before: int = ladder(1, 1, 2, 2, 2, 3, low=0, high=4)  # statements before the first move

    informed: tuple[int, ...]
    wolves: int
    betrayal: int
    revenge: int
    gain: int
    loss: int
    price: int
    accusations: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {
            "informed": tuple(5 * rng.randint(2, 17) for _ in range(knobs.players)),
            "wolves": min(knobs.wolves, knobs.players - 3),
            "betrayal": 5 * rng.randint(1, 9),
            "revenge": rng.randint(2, 5) * knobs.nights,
            "gain": rng.randint(20, 60),
            "loss": rng.randint(10, 60),
            "price": rng.randint(1, 6),
            "accusations": knobs.accusations,
        }

    def rules(self) -> Rules:
        return Rules(
            self.informed, self.wolves, self.betrayal, self.revenge, self.gain, self.loss,
            self.price,
        )  # fmt: skip

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """A round in which some players have been asked, with answers that are as likely as the
        rules say.
        """
        state = State((), (), knobs.before + QUESTIONS, knobs.accusations, NOTHING)
        for player in sorted(rng.sample(range(knobs.players), min(knobs.before, knobs.players))):
            state = rules.apply(state, ("ask", player))
            events, shares = zip(*rules.chances(state))
            state = rules.apply(state, rng.choices(events, shares)[0])
        return state

    def description(self) -> str:
        number, players = len(self.informed), ", ".join(LETTERS[: len(self.informed)])
        one = self.wolves == 1
        informed = ", ".join(
            f"{letter} {percent}%" for letter, percent in zip(LETTERS, self.informed)
        )
        wolves = "1 of them is a wolf" if one else f"{self.wolves} of them are wolves"
        accusations = f"{self.accusations} accusation{'s' * (self.accusations > 1)}"
        price = f"{self.price} point{'s' * (self.price > 1)}"
        judging = self.judging()
        return self.phrase(
            f"You sit at a table with {number} players, {players}. In each round, {wolves}, "
            "each player with the same probability"
            + ("" if one else f" and each set of {self.wolves} as likely as any other")
            + ". A player who is not a wolf knows the wolves, and is called informed, with the "
            f"probability stated here, independently of all others: {informed}. You are neither a "
            "wolf nor informed.\n\nYou can ask a player who is at the table, each one at most once "
            "in a round; the player then names another one of the players at the table, never you. "
            "An informed player names a wolf. Another player who is not a wolf names any of the "
            f"others. A wolf names {self._lie('another', 'a player who is not a wolf')} Among the "
            "players whom someone may name in this way, each one is equally likely. You can also "
            "accuse a player, who leaves the table; you learn whether it was a wolf."
            + self._night(
                " After an accusation that does not end the round, night falls, and the wolves "
                "take a player at the table who is not a wolf, and who leaves; it is never you."
            )
            + f" A round ends after {accusations}, or when all wolves have been accused, or when "
            f"you stop. A wolf whom you accuse is worth {self.gain} points, another player whom "
            f"you accuse costs {self.loss} points, and each question costs {price}, also those "
            f"that were asked, in the same way, before your first move.\n\n{judging} A move is "
            "'ask' or 'accuse' with the letter of a player, or 'stop'; it looks like 'ask A'.",
            f"Find the wolves among the {number} players {players}, who sit at a table with you. "
            f"At the start of a round, {wolves}; all possibilities are equally likely. The others "
            "are innocent, as you are. An innocent player may be informed and so know who is a "
            f"wolf; the probabilities of that, which are independent, are: {informed}.\n\nWhen "
            "you ask a player (only once each in a round), the answer is the name of some other "
            "player who is still at the table, but not yours. Informed players name a wolf, and "
            "innocent players who are not informed name just anybody of the others. A wolf names "
            f"{self._lie('a fellow', 'an innocent player')} Where several players can be named "
            "like this, each of them has the same probability. When you accuse a player, you see "
            "whether it is a wolf, and it is out of the round."
            + self._night(
                " If the round goes on after that, the wolves take one of the innocent players at "
                "the table, other than you, in the night, who is then out as well."
            )
            + f" The round is over after {accusations}, with the last wolf that you accuse, or "
            f"when you say 'stop'. You get {self.gain} points for each wolf that you have accused "
            f"and lose {self.loss} points for each innocent player; the price of a question is "
            f"{price}. Questions that are answered before your first move, by the same rules, "
            f"count with their price.\n\n{judging} Write 'ask' or 'accuse' and a letter, or "
            "'stop', for example 'ask A'.",
        )

    def _lie(self, fellow: str, innocent: str) -> str:
        """The end of the sentence on whom wolves name."""
        if self.wolves == 1:
            return f"{innocent}."
        return (
            f"{fellow} wolf with a probability of {self.betrayal}%, if one is at the table, and "
            f"{innocent} otherwise."
        )

    def _night(self, sentence: str) -> str:
        """The rules of the night, after a sentence, if there are nights."""
        if not self.revenge:
            return ""
        return sentence + (
            " The probability of each one is proportional to a weight: "
            f"{self.revenge} for anyone who has named, in this round, a wolf that is still at the "
            "table, and 1 for all others."
        )
