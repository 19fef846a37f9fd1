"""A negotiation about several goods, after Mike Lewis and others, "Deal or No Deal? End-to-End
Learning for Negotiation Dialogues" (2017), with a counterpart of one of several known types.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.goods_division import NOTHING, State, amount
from palaestra.generators.games.economics.goods_division import GoodsDivision as Rules
from palaestra.task import ladder

GOODS = ("apples", "books", "candles", "drums", "hats", "lamps", "maps", "pens", "ropes")


class GoodsDivision(ChanceGame):
    """Divide goods with a counterpart whose tastes are uncertain, for the best expectation."""

    tags = {"chance", "expected-value", "planning", "negotiation", "hidden-state", "economics"}
    tolerance = 0.01
    round_name = "Negotiation"
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 2, 2, 3, 4, 5, low=1, high=8)  # negotiations
        least_decisions: int = ladder(1, 1, 2, 2, 2, 3, low=1, high=4)  # in a trial of each
        most_gap: float = ladder(20.0, 10.0, 5.0, 3.0, 2.0, 1.5, low=0.02)  # points
        turns: int = ladder(2, 2, 3, 3, 4, 4, low=2, high=5)  # of a negotiation
        types: int = ladder(2, 3, 3, 4, 5, 5, low=2, high=6)  # types of the counterpart
        goods: int = ladder(2, 3, 3, 3, 3, 3, low=2, high=4)
        pieces: int = ladder(3, 2, 3, 3, 3, 3, low=1, high=4)  # of each of the goods, at most

    goods: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    wants: tuple[int, ...]
    cost: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        goods = tuple(sorted(rng.sample(GOODS, knobs.goods)))
        values = set[tuple[int, ...]]()
        while len(values) < knobs.types:
            values.add(tuple(rng.randint(1, 9) for _ in goods))
        wants = sorted(rng.sample(range(25, 75, 5), knobs.turns), reverse=True)
        return {
            "goods": goods,
            "values": tuple(rng.sample(sorted(values), knobs.types)),
            "wants": tuple(wants),
            "cost": rng.randint(1, 4),
        }

    def rules(self) -> Rules:
        return Rules(self.goods, self.values, self.wants, self.cost)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        counts = tuple(rng.randint(1, knobs.pieces) for _ in rules.goods)
        mine = tuple(rng.randint(1, 9) for _ in rules.goods)
        return State(counts, mine, 0, (1 << len(rules.values)) - 1, NOTHING, 0)

    def description(self) -> str:
        table = "\n".join(
            f"type {'ABCDEF'[n]}: " + ", ".join(f"{v} for {g}" for v, g in zip(row, self.goods))
            for n, row in enumerate(self.values)
        )
        wants = ", ".join(f"{want}% in round {n}" for n, want in enumerate(self.wants, 1))
        example = ", ".join(amount(1, name) for name in self.goods)
        cost = amount(self.cost, "points")
        judging = self.judging()
        return self.phrase(
            "You and a counterpart divide goods. In each round of a negotiation, you either "
            "propose what you keep, and the counterpart would get the rest, or you ask the "
            "counterpart what it values most. The counterpart has one of these types, each with "
            "the same probability, and keeps it during a negotiation; in each negotiation, its "
            f"type is new. A piece of the goods is worth the following points to it:\n{table}\n\n"
            "It accepts a proposal if and only if the worth of the rest to it is at least this "
            f"share of the worth of all goods to it: {wants}. If you ask, it names the goods of "
            "which a single piece is worth most to it (the first of these in the list above if "
            "several are), and the next round begins. A refused proposal uses up a round, too. In "
            "the last round you cannot ask, and if no proposal is accepted, you get nothing. If "
            "one is accepted, you get the worth to you of what you keep, minus "
            f"{cost} for each round before, but not less than 0.\n\n{judging} A move "
            f"is 'ask', or 'keep' with the numbers of all goods; it looks like 'keep {example}'.",
            "Negotiate about goods with a counterpart whose tastes you do not know. These are the "
            f"possible types of counterpart, with their points for a piece:\n{table}\n\n"
            "At the start of a negotiation all types are equally likely, and the type does not "
            "change during the negotiation. A round is a proposal or a question of yours. A "
            "proposal says what you would keep; all else would be the counterpart's. It says yes "
            "exactly when its part has at least a certain percentage of the worth of all goods, "
            f"both in its own points: {wants}. Then the negotiation ends, and you get the points "
            f"that your part is worth to you, less {self.cost} for each earlier round (0 if that "
            "is negative). When it says no, the next round follows; after the last round you are "
            "left with 0 points. To the question 'ask', which also takes a round and is not "
            "possible in the last one, it replies with the goods that have the most points a "
            "piece for its type, in case of a tie the ones listed first.\n\n"
            f"{judging} Write 'ask' or how many of all goods you keep, for example "
            f"'keep {example}'.",
        )
