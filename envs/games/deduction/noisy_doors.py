"""A prize behind a door, and witnesses who are often wrong: a partially observable problem.

It is a variant of the tiger problem of Cassandra, Kaelbling and Littman (Acting Optimally in
Partially Observable Stochastic Domains, 1994), with several witnesses. The theory of when to stop
asking is Abraham Wald's (Sequential Analysis, 1947).
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.deduction.noisy_doors import NoisyDoors as Rules
from palaestra.generators.games.deduction.noisy_doors import State, Witness, letter
from palaestra.task import ladder


class NoisyDoors(ChanceGame):
    """Ask witnesses and open a door, for the best expectation of points."""

    tags = {"chance", "expected-value", "planning", "bayes", "hidden-state"}
    tolerance = 0.05
    baseline_note = (
        "Players who compute the probabilities of all doors by Bayes' rule, and ask the surest "
        "witness until one of them is high enough, are often right; to compute them is most of "
        "the task."
    )
    one_solution = True
    most_states = 400_000

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(5, 5, 6, 7, 8, 10, low=1, high=10)
        least_decisions: int = ladder(2, 2, 2, 2, 2, 2, low=1, high=5)  # in a trial of each round
        most_gap: float = ladder(60.0, 6.0, 3.0, 2.0, 1.5, 1.0, low=0.1)  # points
        doors: int = ladder(2, 2, 3, 3, 3, 4, low=2, high=4)
        witnesses: int = ladder(1, 2, 2, 3, 3, 3, low=1, high=3)
        questions: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=5)  # in a round

    prior: tuple[int, ...]
    witnesses: tuple[Witness, ...]
    prize: int
    loss: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        cuts = sorted(rng.sample(range(3, 18), knobs.doors - 1))
        prior = tuple(5 * (b - a) for a, b in zip((0, *cuts), (*cuts, 20)))
        percents = [rng.randint(100 // knobs.doors + 10, 92) for _ in range(knobs.witnesses)]
        # Better witnesses are more expensive, or they alone would be asked.
        witnesses = tuple(
            Witness(each, max(1, round((each - 100 / knobs.doors) * rng.uniform(0.15, 0.5))))
            for each in percents
        )
        return {
            "prior": prior,
            "witnesses": witnesses,
            "prize": rng.randint(20, 100),
            "loss": rng.randint(20, 150),
        }

    def rules(self) -> Rules:
        return Rules(self.prior, self.witnesses, self.prize, self.loss)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        """A round in which some witnesses have been asked, at their price."""
        named = [[0] * knobs.doors for _ in rules.witnesses]
        spent = rng.randint(0, knobs.questions - 1)
        for _ in range(spent):
            rng.choice(named)[rng.randrange(knobs.doors)] += 1
        return State(tuple(map(tuple, named)), knobs.questions - spent, -1, -1, -1)

    def description(self) -> str:
        prior = ", ".join(f"door {n}: {percent}%" for n, percent in enumerate(self.prior, 1))
        witnesses = "; ".join(
            f"{letter(n)} names the right door with a probability of {percent}% and costs {price} "
            f"point{'s' * (price > 1)} a question"
            for n, (percent, price) in enumerate(self.witnesses)
        )
        judging = self.judging()
        return self.phrase(
            f"A prize is behind one of {len(self.prior)} doors, in each round anew, with these "
            f"probabilities: {prior}. You can ask witnesses, and open one door, which ends the "
            f"round. The witnesses: {witnesses}. A witness who does not name the right door names "
            "each of the others with the same probability; given the door of the prize, all "
            "answers are independent of one another, also those of the same witness. The number of "
            "questions in a round is limited; those that have been asked before your first move "
            f"count, with their prices. The right door is worth {self.prize} points, and a wrong "
            f"one costs {self.loss}.\n\n{judging} A move is 'ask' with the letter of a witness, or "
            "'open' with the number of a door; it looks like 'open 1'.",
            f"Behind which of {len(self.prior)} doors is the prize? It is placed at random at the "
            f"start of each round ({prior}). You open one door per round: you get {self.prize} "
            f"points if the prize is there, and lose {self.loss} points otherwise. Before that, "
            f"you may ask questions, as long as there are any left. Of the witnesses, {witnesses}; "
            "in all other cases the answer is one of the wrong doors, each of them equally likely. "
            "Given the door of the prize, the answers are independent, even if the same witness is "
            "asked again. Some rounds begin after questions that have been answered and are paid "
            f"by you as well.\n\n{judging} Write 'ask' and a letter, or 'open' and a number, for "
            "example 'open 1'.",
        )
