"""The Colonel Blotto game, which Émile Borel posed in 1921 ("La théorie du jeu et les équations
intégrales à noyau symétrique").

The opponent's mixed strategy is a table of allocations with probabilities. Troops that are not sent
serve in later battles; dynamic programming over them gives the exact best response.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.economics.colonel_blotto import Allocation, State, allocations
from palaestra.generators.games.economics.colonel_blotto import ColonelBlotto as Rules
from palaestra.task import ladder


class ColonelBlotto(ChanceGame):
    """Allocate troops to fields in several battles against a known mixed strategy."""

    tags = {"expected-value", "game-theory", "planning"}
    round_name = "War"
    lucks = 2

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 2, 2, 2, 3, 3, low=1, high=6)  # wars
        least_decisions: int = ladder(1, 1, 1, 2, 2, 2, low=1, high=4)  # in each war
        most_gap: float = ladder(1.0, 0.5, 0.2, 0.2, 0.15, 0.1, low=0.01)
        battles: int = ladder(1, 1, 3, 3, 3, 4, low=1, high=5)
        fields: int = ladder(2, 3, 3, 3, 3, 3, low=2, high=4)
        rows: int = ladder(2, 3, 4, 4, 5, 6, low=2, high=8)  # of the opponent's table
        troops: int = ladder(5, 6, 7, 8, 8, 9, low=3, high=10)  # at most

    table: tuple[tuple[Allocation, int], ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """Different allocations of the same number of troops, in steps of 5 percent."""
        army = rng.randint(knobs.fields + 2, knobs.fields + 5)
        every = [each for each in allocations(army, knobs.fields) if sum(each) == army]
        rows = rng.sample(every, min(knobs.rows, len(every)))
        marks = sorted(rng.sample(range(1, 20), len(rows) - 1))
        steps = zip((0, *marks), (*marks, 20), strict=True)
        weights = (5 * (high - low) for low, high in steps)
        return {"table": tuple(zip(rows, weights, strict=True))}

    def rules(self) -> Rules:
        return Rules(self.table)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        battles = tuple(
            tuple(rng.randint(2, 9) for _ in range(knobs.fields)) for _ in range(knobs.battles)
        )
        return State(battles, rng.randint(2 * knobs.troops // 3, knobs.troops), (), 0)

    def description(self) -> str:
        number = len(self.positions)
        fields = len(self.table[0][0])
        table = "\n".join(
            f"{' '.join(map(str, row))} with {weight} %" for row, weight in self.table
        )
        example = " ".join(map(str, [1, *[0] * (fields - 1)]))
        wars = "" if number == 1 else f" There are {number} wars, each with troops of its own."
        again = "" if number == 1 else f" You play {number} independent wars."
        return self.phrase(
            f"In each battle of a war, you and an opponent send troops to {fields} fields at the "
            "same time. You may send any number of your troops that are left, also none. You win a "
            "field if you send more troops to it than the opponent, and then get its value in "
            "points; with equal numbers nobody wins it. From each field that you win, one of your "
            "troops comes back; all others that you sent are lost. The rest is left for later "
            "battles. At the end of a war, each troop that is left counts 1 point.\n\nThe opponent "
            "has new troops in every battle, and sends them at random and independently, with "
            f"these numbers for the fields in order:\n{table}\n\nThe aim is many points.{wars} "
            f"{self.judging()} A move is 'send' with the number of troops for each field in order; "
            f"it looks like 'send {example}'.",
            f"A war is a sequence of battles for {fields} fields. In a battle, both sides secretly "
            "assign troops to the fields. Your assignment uses at most the troops that you have "
            "left. A field goes to the side with more troops on it, or to nobody if the numbers "
            "are equal. A field that goes to you is worth the listed number of points, and one of "
            "the troops that you sent there returns to you; every other troop that you sent is "
            "gone after the battle. Troops that were not sent remain. After the last battle, each "
            "remaining troop is worth 1 point.\n\nIn each battle, regardless of what happened "
            "before, the other side's assignment is drawn from this table (troops in the order of "
            f"the fields, probability):\n{table}\n\nCollect as many points as you can.{again} "
            f"{self.judging()} Write 'send' and the troops for every field, for example 'send "
            f"{example}'.",
        )
