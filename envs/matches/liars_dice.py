"""Liar's dice with one die each, a folk game of which Ferguson and Ferguson (1991) solved models.

The built-in opponent plays a mixed strategy that the prompt states.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.hands_match import Chooser, HandsMatch
from palaestra.generators.matches.hidden_information import Strategy, game_tree
from palaestra.generators.matches.liars_dice import LIAR
from palaestra.generators.matches.liars_dice import LiarsDice as Rules
from palaestra.task import ladder

STEP = 5
"""Probabilities are multiples of this many percent."""


class LiarsDice(HandsMatch):
    """Bid on two hidden dice, or doubt, for the best expectation against a known mixed strategy."""

    iterations = 30

    class Knobs(HandsMatch.Knobs):
        hands: int = ladder(2, 3, 4, 6, 9, 11, low=1, high=12)
        least_decisions: int = ladder(1, 1, 1, 1, 1, 1, low=1, high=3)  # in a trial of each hand
        most_gap: float = ladder(2.0, 0.6, 0.4, 0.3, 0.2, 0.1, low=0.01)  # of a hand's closest move
        faces: int = ladder(3, 3, 3, 3, 4, 4, low=2, high=4)

    faces: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        table = tuple(
            tuple(STEP * rng.randint(1, 100 // STEP - 1) for _ in range(2 * knobs.faces))
            for _ in range(knobs.faces)
        )
        return {"faces": knobs.faces, "table": table}

    def rules(self) -> Rules:
        return Rules(self.faces)

    @classmethod
    def strategy(cls, rules: Rules, table: Sequence[Sequence[int]]) -> Strategy:
        chances = dict[str, tuple[float, ...]]()
        for view, legal in game_tree(rules).moves.items():
            die, _, moves = view.partition(":")
            next_bid, *doubts = table[int(die) - 1]
            last = int(moves.rpartition(",")[2]) if moves else -1
            # The highest bid cannot be raised.
            doubt = 100 if legal[0] == LIAR else doubts[last] if moves else 0
            bids = len(legal) - bool(moves)
            steps = [next_bid, 100 - next_bid] if bids > 1 else [100] * bids
            raised = [(100 - doubt) * step / 10_000 for step in steps]
            rest = [0.0] * (bids - len(steps)) + [doubt / 100] * bool(moves)
            chances[view] = (*raised, *rest)
        return chances

    def game(self) -> str:
        rules = self.rules()
        bids = ", ".join(rules.name(rules.start(), n)[4:] for n in range(2 * self.faces))
        return self.phrase(
            f"Liar's dice. In each hand, both players roll one die with the faces 1 to "
            f"{self.faces} and see only their own. They take turns to bid on both dice together: "
            "'1 x 2' claims that at least one of the two dice shows 2, '2 x 2' that both do. Each "
            f"bid has to be higher than the last one, in the order {bids}. Instead of a bid, a "
            "player may doubt the last bid of the other one, which ends the hand: if the bid is "
            "true, the one who made it wins 1 chip from the doubter; if not, the doubter wins 1 "
            "chip. A move is 'bid' with a bid, or 'liar' to doubt; it looks like 'bid 1 x 2'.",
            f"Two players roll a hidden die each (faces 1 to {self.faces}, equally likely) and bid "
            "in turn. A bid says how many of the two dice show a face, at least: '2 x 1' means "
            f"that both dice show 1. From the lowest to the highest, the bids are {bids}; a player "
            "makes any bid above the last one, or writes 'liar'. Then the dice are shown. If at "
            "least as many dice as the last bid says show its face, the player who wrote 'liar' "
            "pays 1 chip to the other one, and otherwise receives 1 chip. The first move of a hand "
            "is a bid. For example, a move is 'bid 1 x 2'.",
        )

    def table_text(self) -> str:
        rules = self.rules()
        bids = [rules.name(rules.start(), n)[4:] for n in range(2 * self.faces)]
        top = f"die | next bid | {' | '.join(f'liar after {bid}' for bid in bids[:-1])}"
        rows = (f"{die} | {' | '.join(map(str, row))}" for die, row in enumerate(self.table, 1))
        note = (
            f"After {bids[-1]} it always doubts. If it does not doubt, it makes the lowest bid "
            "that is possible with the probability 'next bid', and the second lowest otherwise; "
            "if only one bid is possible, it makes that one."
        )
        return "\n".join([top, *rows, note])

    def thumbs(self) -> Mapping[str, Chooser]:
        rules = self.rules()

        def support(view: str, name: str) -> int:
            """How many dice a bid needs besides the own one."""
            number, face = int(name[4]), name[-1]
            return number - (view[0] == face)

        def honest(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """The lowest bid that the own die makes true; without one, doubt."""
            true = [name for name in legal if name != "liar" and support(view, name) <= 0]
            return true[0] if true else legal[-1]

        def plausible(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Doubt what the own die does not support; else raise with the own face, or at all."""
            moves = view.partition(":")[2]
            if moves and legal[-1] == "liar":
                last = rules.name(rules.start(), int(moves.rpartition(",")[2]))
                if support(view, last) > 0:
                    return "liar"
            own = [name for name in legal if name[-1] == view[0]]
            return own[0] if own else legal[0]

        def own_face(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """The lowest bid of the own face; without one, doubt."""
            return next((name for name in legal if name[-1] == view[0]), legal[-1])

        def one_of_own(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Bid one die of the own face; where that is too low, doubt."""
            bid = f"bid 1 x {view[0]}"
            return bid if bid in legal else "liar" if "liar" in legal else legal[0]

        def doubtful(view: str, legal: Sequence[Any], rng: Random) -> Any:
            return "liar" if "liar" in legal else own_face(view, legal, rng)

        return {
            "the lowest bid of the own face, then doubt": own_face,
            "one die of the own face, or doubt": one_of_own,
            "doubt every bid": doubtful,
            "the lowest true bid": honest,
            "doubt what the own die does not support": plausible,
            "the lowest bid": lambda view, legal, rng: legal[0],
        }
