"""Attacks by dice, as in a board game of Albert Lamorisse (1957): where to attack, when to stop.

The probabilities of single attacks are those of Jason Osborne, "Markov chains for the RISK board
game revisited" (Mathematics Magazine, 2003).
"""

from itertools import combinations
from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.dice.dice_conquest import MOVING, State, letter
from palaestra.generators.games.dice.dice_conquest import DiceConquest as Rules
from palaestra.task import ladder


class DiceConquest(ChanceGame):
    """Attack regions by dice, or stop, for the best expectation of points."""

    tags = {"chance", "dice", "expected-value", "planning"}
    tolerance = 0.02
    one_solution = True
    most_states = 100_000
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 2, 2, 3, 3, 4, low=1, high=6)
        least_decisions: int = ladder(2, 2, 2, 2, 3, 3, low=1, high=12)  # in a trial of each round
        most_gap: float = ladder(9.0, 1.0, 0.5, 0.3, 0.2, 0.1, low=0.05)  # points
        regions: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=4)
        pairs: int = ladder(0, 1, 2, 3, 3, 3, low=0, high=6)
        soldiers: int = ladder(4, 5, 6, 8, 9, 10, low=3, high=12)  # at most
        defenders: int = ladder(2, 2, 3, 3, 3, 3, low=1, high=4)  # in a region, at most

    values: tuple[int, ...]
    soldier: int
    pairs: tuple[tuple[int, int, int], ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        soldier = rng.randint(2, 4)
        values = tuple(rng.randint(soldier, 6 * soldier) for _ in range(knobs.regions))
        every = [*combinations(range(knobs.regions), 2)]
        pairs = sorted(rng.sample(every, min(knobs.pairs, len(every))))
        worth = ((*pair, rng.randint(2 * soldier, 7 * soldier)) for pair in pairs)
        return {"values": values, "soldier": soldier, "pairs": tuple(worth)}

    def rules(self) -> Rules:
        return Rules(self.values, self.soldier, self.pairs)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        defenders = tuple(rng.randint(1, knobs.defenders) for _ in rules.values)
        return State(rng.randint((knobs.soldiers + 2) // 2, knobs.soldiers), defenders, MOVING)

    def description(self) -> str:
        values = ", ".join(f"{letter(n)}: {value}" for n, value in enumerate(self.values))
        pairs = "".join(
            f", {letter(one)} and {letter(other)} together {value} more"
            for one, other, value in self.pairs
        )
        values += pairs
        judging = self.judging()
        return self.phrase(
            "You have a camp with soldiers, and around it are regions with defenders. In each "
            "move, you attack a region that is not conquered, or stop. In an attack, you roll a "
            "die for each soldier but one, three dice at most, and the defenders roll one for each "
            "of them, two at most; all dice have six faces. Your highest die is compared with "
            "their highest one, and, if both sides have rolled two dice or more, your second "
            "highest with their second highest. In each comparison, you lose a soldier if your die "
            "is not higher, and otherwise they lose a defender. A region without defenders is "
            "conquered, and one soldier moves from the camp into it for good. A round ends when "
            "you stop, when there is one soldier in the camp or none, or when all regions are "
            f"conquered. You get the points of the conquered regions ({values}), and "
            f"{self.soldier} points for each soldier in the camp.\n\n{judging} A move is 'stop', "
            "or 'attack' with the letter of a region; it looks like 'attack A'.",
            "Decide which regions to attack from your camp, and when to stop. You roll at most "
            "three dice in an attack, one for each soldier in the camp without counting the "
            "last one; the region rolls at most two, one for each defender. The dice are ordinary "
            "ones with the faces 1 to 6. Each side puts its dice in order, and the highest ones "
            "are compared; so are the second highest ones, where both sides have them. The side "
            "with the lower die of a pair loses one of its people, and if the two dice of a pair "
            "are equal, that is you. When the last defender of a region is lost, you have "
            "conquered it, and a soldier leaves the camp to stay there. The round is over as soon "
            "as you stop, fewer than two soldiers are in the camp, or nothing is left to conquer. "
            f"Then each conquered region counts its points ({values}) and each soldier who is "
            f"still in the camp counts {self.soldier}.\n\n{judging} Write 'stop', or 'attack' and "
            "the letter of the region, for example 'attack A'.",
        )
