"""Leduc poker, by Southey, Bowling, Larson, Piccione, Burch, Billings and Rayner (2005).

It has three ranks in their paper, and more at higher levels. The built-in opponent plays a mixed
strategy that the prompt states, which depends on its card, the public card and the last bet.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.hands_match import Chooser, HandsMatch
from palaestra.generators.matches.hidden_information import Strategy, game_tree
from palaestra.generators.matches.leduc_poker import LeducPoker as Rules
from palaestra.task import ladder

STEP = 5
"""Probabilities are multiples of this many percent."""


class LeducPoker(HandsMatch):
    """Play hands of Leduc poker for the best expectation against a known mixed strategy."""

    iterations = 30

    class Knobs(HandsMatch.Knobs):
        hands: int = ladder(3, 4, 5, 6, 7, 8, low=1, high=12)
        least_decisions: int = ladder(1, 2, 2, 3, 3, 3, low=1, high=4)  # in a trial of each hand
        most_gap: float = ladder(4.0, 1.0, 0.8, 0.6, 0.5, 0.4, low=0.01)  # of a hand's closest move
        ranks: int = ladder(3, 3, 3, 3, 4, 4, low=2, high=5)

    ranks: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        rows = (cls._row(rng) for _ in range(2 * knobs.ranks + 1))
        return {"ranks": knobs.ranks, "table": tuple(rows)}

    @classmethod
    def _row(cls, rng: Random) -> tuple[int, ...]:
        """Percentages: to bet; to fold to a bet, and to raise it; to fold to a raise."""
        bet, to_raise = (STEP * rng.randint(1, 100 // STEP - 1) for _ in range(2))
        low, high = sorted(rng.sample(range(1, 100 // STEP), 2))
        return bet, STEP * low, 100 - STEP * high, to_raise

    def rules(self) -> Rules:
        return Rules(self.ranks)

    @classmethod
    def strategy(cls, rules: Rules, table: Sequence[Sequence[int]]) -> Strategy:
        names = [rules.rank_name(rank) for rank in range(rules.ranks)]
        chances = dict[str, tuple[float, ...]]()
        for view in game_tree(rules).moves:
            own, public, history = view.split()
            current = history.partition("/")[0 if public == "-" else 2]
            row = names.index(own)
            if public != "-":
                row = rules.ranks + (0 if own == public else 1 + row)
            bet, fold, raised, fold_to_raise = table[row]
            if current.endswith("b"):
                percent = [fold, 100 - fold - raised, raised]
            elif current.endswith("r"):
                percent = [fold_to_raise, 100 - fold_to_raise]
            else:
                percent = [100 - bet, bet]
            chances[view] = tuple(each / 100 for each in percent)
        return chances

    def game(self) -> str:
        rules = self.rules()
        ranks = [rules.rank_name(rank) for rank in range(self.ranks)]
        deck = f"two cards of each of the ranks {', '.join(ranks)}, in ascending order"
        return self.phrase(
            f"Leduc poker with {deck}. In each hand, both players pay an ante of 1 chip and get "
            "one card each, which the other player does not see. After a first round of betting, a "
            "public card is dealt from the rest, and there is a second round. The first player "
            "begins both rounds. A bet or a raise is 2 chips in the first round and 4 in the "
            "second. Without a bet, the player to move checks or bets; two checks end the round. "
            "Whoever faces a bet folds, calls (pays as much), or raises (pays as much and another "
            "2 or 4 chips); whoever faces a raise folds or calls. A call ends the round; after a "
            "fold, the other player takes the pot. At the end, a player whose card has the rank of "
            "the public card takes the pot, and otherwise the higher card does; equal cards split "
            "it. A move is 'check', 'bet', 'fold', 'call' or 'raise'; it looks like 'check'.",
            f"Two players play Leduc poker. The deck has {deck}. A hand: each player puts 1 chip "
            "into the pot and receives a hidden card; then comes a round of betting, then a public "
            "card from the remaining deck, then another round of betting. The same player acts "
            "first in both rounds. If nobody has bet in the round, one may 'check' or 'bet'; a bet "
            "is 2 chips in the first round, 4 in the second. To a bet, the answers are 'fold' (the "
            "pot goes to the other player), 'call' (pay the same, and the round is over) and "
            "'raise' (pay the same and 2 or 4 chips more, as much as the bet). To a raise, the "
            "answers are 'fold' and 'call'. After a check by both, the round is over too. When the "
            "second round is over, a pair with the public card wins; without a pair, the higher "
            "card wins; if both have the same rank, each gets half. For example, a move is "
            "'check'.",
        )

    def table_text(self) -> str:
        top = "card | bets without a bet before | folds to a bet | raises a bet | folds to a raise"
        rows = (
            f"{name} | {' | '.join(map(str, row))}" for name, row in zip(self._rows(), self.table)
        )
        note = "It calls, or checks, with the remaining probability, as either player of a hand."
        return "\n".join([top, *rows, note])

    def _rows(self) -> Iterator[str]:
        names = [self.rules().rank_name(rank) for rank in range(self.ranks)]
        yield from (f"{name} in the first round" for name in names)
        yield "a pair with the public card"
        yield from (f"{name} in the second round, without a pair" for name in names)

    def thumbs(self) -> Mapping[str, Chooser]:
        names = [self.rules().rank_name(rank) for rank in range(self.ranks)]

        def strong(view: str, least: float) -> bool:
            own, public, _ = view.split()
            return own == public or names.index(own) >= least

        def value(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Bet and raise what is strong, and give up the rest."""
            return legal[-1] if strong(view, self.ranks - 1) else legal[0]

        def careful(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Bet and call the upper half, and raise nothing."""
            return legal[1] if strong(view, self.ranks / 2) else legal[0]

        def wild(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Bet and raise all but the lowest card."""
            return legal[-1] if strong(view, 1) else legal[0]

        def always(number: int) -> Chooser:
            """The same moves with every card."""
            return lambda view, legal, rng: legal[min(number, len(legal) - 1)]

        return {
            "bet what is strong": value,
            "call the upper half": careful,
            "aggressive": wild,
            "bet and call": always(1),
            "bet and raise": always(2),
            "check and fold": always(0),
        }
