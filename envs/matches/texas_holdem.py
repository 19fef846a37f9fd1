"""The end of a hand of heads-up hold'em with fixed limits, from the turn or the river on.

Hold'em comes from Robstown, Texas, in the early 20th century; with limits and two players it is the
game that Bowling, Burch, Johanson and Tammelin solved ("Heads-up limit hold'em poker is solved",
2015). Here, both players have one of a list of pairs of cards, which the prompt states, as well as
the opponent's mixed strategy by the class of its cards.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from palaestra.generators.decisions import best_move
from palaestra.generators.matches.hands_match import Chooser, HandsMatch, Session
from palaestra.generators.matches.hidden_information import CHANCE, Strategy
from palaestra.generators.matches.texas_holdem.response import holdem_response, reply_chances
from palaestra.generators.matches.texas_holdem.rules import (
    CLASSES,
    RIVER,
    Pair,
    State,
    class_of,
    contributions,
    equity,
    names,
    numbers,
)
from palaestra.generators.matches.texas_holdem.rules import TexasHoldem as Rules
from palaestra.task import Policy, ladder

STEP = 5
"""Probabilities are multiples of this many percent."""

CARDS = (
    "Cards are written as rank and suit: ranks in ascending order 2 3 4 5 6 7 8 9 T J Q K A, where "
    "T is ten, and suits S (spades), H (hearts), D (diamonds) and C (clubs)."
)
HANDS = (
    "In ascending order, five cards are: high card; one pair; two pair; three of a kind; straight "
    "(five ranks in sequence, where the ace may also be below the 2); flush (five cards of a "
    "suit); full house (three of a kind and a pair); four of a kind; straight flush. In the same "
    "category, the rank of the pair, the three or the four decides, then the ranks of the other "
    "cards from the highest down; of two pair, first the higher pair, then the lower pair, then "
    "the fifth card; of a full house, first the three, then the pair; of a high card or a flush, "
    "all ranks from the highest down. A straight counts by its highest card, which is the 5 if the "
    "ace is low. Suits do not decide."
)

TRIES = 100
"""How many pairs of cards are tried for one of each class."""


class TexasHoldem(HandsMatch):
    """Bet on the turn and river for the best expectation against a known mixed strategy."""

    tags = HandsMatch.tags | {"cards"}
    hidden = HandsMatch.hidden
    candidates = 8

    class Knobs(HandsMatch.Knobs):
        hands: int = ladder(4, 5, 6, 6, 7, 8, low=3, high=12)
        least_decisions: int = ladder(1, 1, 2, 2, 2, 3, low=1, high=4)  # in a trial of each hand
        most_gap: float = ladder(4.0, 2.0, 1.0, 0.8, 0.6, 0.5, low=0.01)  # of a hand's closest move
        public: int = ladder(5, 5, 5, 4, 4, 4, low=4, high=5)  # cards
        pairs: int = ladder(4, 6, 8, 5, 6, 6, low=3, high=12)  # that a player may have

    mine: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    board: tuple[int, ...]
    ante: int
    size: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        board = tuple(rng.sample(range(52), knobs.public))
        rounds = RIVER + 1 - knobs.public
        return {
            "board": board,
            "pairs": cls._pairs(rng, board, knobs.pairs),
            "ante": rng.randint(2, 4),
            "size": rng.randint(2, 4),
            "table": tuple(
                cls._row(rng, number) for _ in range(rounds) for number in range(len(CLASSES))
            ),
        }

    @staticmethod
    def _pairs(rng: Random, board: Sequence[int], number: int) -> tuple[Pair, ...]:
        """Random pairs of cards, of as different classes as possible, which can all be held."""
        left = [card for card in range(52) if card not in board]
        most = -(-number // (len(CLASSES) - 1))
        counts, pairs = [0] * len(CLASSES), list[Pair]()
        tries = 0
        while len(pairs) < number:
            high, low = sorted(rng.sample(left, 2), key=lambda card: (-(card % 13), card))
            row = class_of(Rules.worth((high, low), board))
            tries += 1
            if (high, low) not in pairs and (counts[row] < most or tries > TRIES):
                pairs.append((high, low))
                counts[row] += 1
        if all(any({*pair}.isdisjoint(other) for other in pairs) for pair in pairs):
            return tuple(pairs)
        return TexasHoldem._pairs(rng, board, number)

    @staticmethod
    def _row(rng: Random, number: int) -> tuple[int, ...]:
        """Percentages of a class: to bet; to fold to a bet, and to raise it; to fold to a raise.

        Strong hands bet more often, and calls are more frequent than folds. Else, to bet and raise
        would be right with most cards.
        """
        bet = STEP * max(rng.randint(1, 100 // STEP - 1) for _ in range(1 + number))
        to_raise = STEP * min(rng.randint(1, 100 // STEP - 1) for _ in range(2 + number))
        low, _, high = sorted(rng.sample(range(1, 100 // STEP), 3))
        return bet, STEP * low, 100 - STEP * high, to_raise

    def rules(self) -> Rules:
        return Rules(self.pairs, self.board, self.ante, self.size)

    @classmethod
    def strategy(cls, rules: Rules, table: Sequence[Sequence[int]]) -> Strategy:
        """The strategy in all states. No match needs it; it is large where a card is to come."""
        chances, rows = dict[str, Sequence[float]](), tuple(map(tuple, table))

        def visit(state: State) -> None:
            if rules.outcome(state) is not None:
                return
            player = rules.player(state)
            moves: Sequence[Any] = rules.legal(state)
            if player == CHANCE:
                moves = [event for event, _ in rules.chances(state)]
            else:
                chances[rules.view(state, player)] = reply_chances(rows, state, player)
            for move in moves:
                visit(rules.apply(state, move))

        visit(rules.start())
        return chances

    def is_valid(self) -> bool:
        """Whether the first moves of the hands in which the player acts first have different best
        moves, and each hand has a decision with a single best move.
        """
        return len({self._opening_move(hand) for hand in self.mine[::2]}) > 1 and super().is_valid()

    def _opening_move(self, hand: Pair) -> str:
        """The best first move of the player with a hand."""
        response = holdem_response(self.rules(), self.table, hand, 0)
        return best_move(response.expectations(State((hand, hand), self.board, ("",))))

    def expectations(self, session: Session) -> Mapping[Any, float]:
        role = session.role(session.mover)
        mine = session.state.hands[role]
        response = holdem_response(self.rules(), self.table, mine, role)
        return response.expectations(session.state)

    def _reply(self, session: Session) -> Any:
        """The move of the built-in opponent."""
        state = session.state
        chances = reply_chances(self.table, state, session.rules.player(state))
        return session.source().choices(session.rules.legal(state), chances)[0]

    def game(self) -> str:
        pairs = "; ".join(map(names, self.pairs))
        board, ante, size = names(self.board), self.ante, self.size
        late = len(self.board) == RIVER
        rounds = self.phrase(
            "All five public cards are known, and there is one round of betting."
            if late
            else "There is a round of betting, then a fifth public card is dealt at random from "
            "the 44 cards that are neither public nor in a hand, and there is a second and last "
            "round of betting.",
            "No card is left to be dealt: the players bet in a single round."
            if late
            else "After a first round of betting comes a fifth public card, each of the 44 unseen "
            "ones (52 without the four public cards and those of both players) with the same "
            "probability, and after it a second and last round.",
        )
        return self.phrase(
            f"The end of hands of Texas hold'em for two players, with a deck of 52 cards. {CARDS} "
            f"The public cards are {board} at the start of every hand of the match. Each player "
            "has two cards that the other player does not see. Both know that they are one "
            f"of these pairs: {pairs}. Whatever pair one player has, the other player has "
            "each of the listed pairs that has no card in common with it, with equal probability. "
            f"At the start of a hand, each player has already paid {ante} chips into the pot. "
            f"{rounds} The first player acts first in each round. A bet is {size} chips. Without a "
            "bet in the round, the player to move checks or bets; two checks end the round. "
            "Whoever faces a bet folds, calls (pays as much), or raises (pays as much and another "
            f"{size} chips); whoever faces a raise folds or calls ({size} chips). A call ends the "
            "round; after a fold, the other player takes the pot. At the end, the better hand "
            "takes the pot, and equal hands split it. A hand is the best five cards out of the two "
            f"own and the public ones. {HANDS} A move is 'check', 'bet', 'fold', 'call' or "
            "'raise'; it looks like 'check'.",
            "Two players play the last part of hands of Texas hold'em with fixed bets, with an "
            f"ordinary deck of 52 cards. {CARDS} Each hand begins with the public cards {board} "
            f"and with {ante} chips of each player in the pot. A player's two hidden cards are one "
            f"of the following pairs: {pairs}. If you know one player's pair, the pairs of the "
            "other player that are possible are those of the list that share no card with it, all "
            f"with the same probability. {rounds} The same player acts first in every round. If "
            f"nobody has bet in the round, one may 'check' or 'bet' {size} chips. To a bet, the "
            f"answers are 'fold' (the pot goes to the other player), 'call' (pay {size}, and the "
            f"round is over) and 'raise' (pay {size} and {size} more). To a raise, the answers are "
            f"'fold' and 'call' (pay {size}); there is no second raise. After a check by both, the "
            "round is over too. After the last round, each player makes the best five cards of "
            f"the own two and the public ones, and the better five win the pot. {HANDS} Equal "
            "fives share the pot. For example, a move is 'check'.",
        )

    def table_text(self) -> str:
        top = "hand | bets without a bet before | folds to a bet | raises a bet | folds to a raise"
        rows = (
            f"{name} | {' | '.join(map(str, row))}" for name, row in zip(self._rows(), self.table)
        )
        note = (
            "It calls, or checks, with the remaining probability, as either player of a hand. The "
            "row is that of the best five of its own cards and the public ones at the time of the "
            "move, whether or not the public cards alone are as good."
        )
        return "\n".join([top, *rows, note])

    def _rows(self) -> Sequence[str]:
        if len(self.board) == RIVER:
            return CLASSES
        return [f"{name}, {public} public cards" for public in ("four", "five") for name in CLASSES]

    def thumbs(self) -> Mapping[str, Chooser]:
        rules = self.rules()

        def share(view: str) -> float:
            """The share of the pot that the own cards get on average."""
            own, board, _ = view.split(", ")
            high, low = numbers(own)
            return equity(rules, (high, low), numbers(board))

        def by_share(to_bet: float, to_call: float, to_raise: float) -> Chooser:
            def choose(view: str, legal: Sequence[Any], rng: Random) -> Any:
                worth = share(view)
                if "bet" in legal:
                    return "bet" if worth >= to_bet else "check"
                return legal[-1] if worth >= to_raise else "call" if worth >= to_call else "fold"

            return choose

        def odds(view: str, legal: Sequence[Any], rng: Random) -> Any:
            """Call if the share of the pot is worth it; bet and raise as the favourite."""
            rounds = tuple(view.split(", ")[2].split("/"))
            paid = sum(contributions(rounds, self.ante, self.size))
            return by_share(0.5, self.size / (paid + self.size), 0.7)(view, legal, rng)

        def always(number: int) -> Chooser:
            """The same moves with all cards."""
            return lambda view, legal, rng: legal[min(number, len(legal) - 1)]

        return {
            "pot odds": odds,
            "the upper half": by_share(0.5, 0.5, 0.8),
            "bet and raise what is strong": by_share(0.7, 0.7, 0.7),
            "aggressive": by_share(0.3, 0.3, 0.5),
            "bet and call": always(1),
            "bet and raise": always(2),
            "check and fold": always(0),
        }

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Rules of thumb. The tree of all hands is too large for the player of an equilibrium."""
        players = super().baselines(rng)
        return {name: player for name, player in players.items() if name != "equilibrium"}
