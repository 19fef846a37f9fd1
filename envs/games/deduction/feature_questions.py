"""Questions about features, as in the game of twenty questions, against an adversary.

Questions have prices. To find an optimal decision tree is NP-hard (Hyafil and Rivest, "Constructing
Optimal Binary Decision Trees is NP-Complete", 1976, for the mean number of questions).
"""

from random import Random
from typing import Self

from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.generators.games.deduction.feature_questions import FEATURES, State, cost_of
from palaestra.generators.games.deduction.feature_questions import FeatureQuestions as Rules
from palaestra.generators.states import encoded
from palaestra.generators.vocabulary import words
from palaestra.task import ladder


class FeatureQuestions(AdversaryGame):
    """Single out an object by yes-or-no questions, whatever the answers are."""

    baseline_note = (
        "Cheap questions that rule out many objects are often the best ones, and a player who "
        "weighs this at each turn needs no search."
    )

    class Knobs(AdversaryGame.Knobs):
        objects: int = ladder(5, 7, 10, 14, 18, 22, low=4, high=24)
        features: int = ladder(5, 7, 9, 11, 12, 14, low=4, high=14)
        least_difficulty: float = ladder(2.0, 20.0, 100.0, 1_000.0, 3_000.0, 8_000.0, low=1.0)
        percent: int = ladder(40, 35, 35, 35, 35, 35, low=10, high=50)  # of features that are had

    objects: tuple[str, ...]
    features: tuple[str, ...]
    having: tuple[int, ...]
    costs: tuple[int, ...]

    @classmethod
    def candidate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(knobs.objects, 2 * knobs.features)
        rows = cls._different(rng, number, knobs)
        having = tuple(
            sum((row >> feature & 1) << n for n, row in enumerate(rows))
            for feature in range(knobs.features)
        )
        costs = tuple(rng.randint(1, 9) for _ in range(knobs.features))
        names = tuple(rng.sample(FEATURES, knobs.features))
        rules = Rules(words(rng, number, 4, 6), names, having, costs)
        everything = (1 << number) - 1
        coins = cost_of(rules, everything)
        return cls(
            position=encoded(State(everything, int(coins) if coins < float("inf") else 0)),
            seed_of_adversary=rng.getrandbits(32),
            objects=rules.objects,
            features=rules.features,
            having=having,
            costs=costs,
        )

    @staticmethod
    def _different(rng: Random, number: int, knobs: Knobs) -> list[int]:
        """So many different sets of features, as bits."""
        rows = list[int]()
        for _ in range(20 * number):
            row = sum((rng.random() < knobs.percent / 100) << n for n in range(knobs.features))
            if row not in rows and len(rows) < number:
                rows.append(row)
        others = sorted({*range(2**knobs.features)} - {*rows})
        return rows + rng.sample(others, number - len(rows))

    def rules(self) -> Rules:
        return Rules(self.objects, self.features, self.having, self.costs)

    def description(self) -> str:
        table, example = self.rules().table(), self.features[0]
        costs = ", ".join(f"{name} {cost}" for name, cost in zip(self.features, self.costs))
        return self.phrase(
            "Find out which of these objects an adversary has in mind, by their features:"
            f"\n{table}\n\nAsk whether the object has a feature, and the answer is yes "
            f"or no. Each question costs coins: {costs}. The adversary is free to change its mind, "
            "as long as the object fits all answers so far, and answers so that you need many "
            "coins. You win when a single object fits all answers; you have as many coins as the "
            "best strategy needs in the worst case. A question that you cannot pay is not legal, "
            "and you lose when you can pay none. A question is the name of a feature, such as "
            f"'{example}'.",
            "An adversary has one of the objects below in mind, with the features that are listed "
            f"for it and no others:\n{table}\n\nIn each move, you name a feature, pay its price, "
            "and the adversary says whether the object has it. There is no fixed object: any "
            "answer is possible that agrees with at least one object after all earlier answers, "
            f"and the worst one for you is given. The prices in coins are: {costs}. Spend the "
            "coins so that only one object is left, whatever the answers are; they are just enough "
            "for that. You cannot ask what you cannot pay, and you lose when that is every "
            f"question. Write one feature, for example '{example}'.",
        )
