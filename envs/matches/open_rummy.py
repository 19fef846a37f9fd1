"""Rummy with open hands against a player of stated rules, by melds, deadwood, knocking and gin.

The game is the gin rummy of Elwood T. Baker (1909), with a small deck, all cards in view, as in
double-dummy problems of bridge, and a limit of turns.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.open_rummy.melds import LANE, RANKS, SUITS, deadwood
from palaestra.generators.matches.open_rummy.rules import (
    HANDS,
    NONE,
    State,
    Style,
    least_discard,
)
from palaestra.generators.matches.open_rummy.rules import OpenRummy as Rules
from palaestra.generators.matches.stated_match import Planner, StatedMatch
from palaestra.task import Score, ladder

SUIT_WORDS = ("spades S", "hearts H", "diamonds D", "clubs C")


class OpenRummy(StatedMatch):
    """Meld cards and knock for the most points against a player of stated rules, in open view."""

    tags = {"two-players", "cards", "perfect-information", "search", "planning"}

    class Knobs(StatedMatch.Knobs):
        deals: int = ladder(1, 1, 1, 2, 2, 2, low=1, high=6)
        most_chance: float = ladder(0.05, 0.02, 0.01, 0.01, 0.01, 0.01, low=1e-9)  # of a deal
        suits: int = ladder(3, 4, 4, 4, 4, 4, low=3, high=4)
        ranks: int = ladder(7, 7, 8, 8, 8, 9, low=6, high=10)
        size: int = ladder(5, 5, 6, 5, 6, 7, low=4, high=8)  # of a hand
        turns: int = ladder(3, 4, 5, 5, 5, 5, low=1, high=7)  # of both players in a deal

    candidates = 3

    suits: int
    ranks: int
    size: int
    most: int
    gin: int
    undercut: int
    style: Style

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        most = rng.randint(3, 7)
        style = Style(rng.randrange(3), rng.randrange(2), rng.choice((0, most // 2, most)))
        return {
            "suits": knobs.suits,
            "ranks": knobs.ranks,
            "size": knobs.size,
            "most": most,
            "gin": rng.randint(4, 12),
            "undercut": rng.randint(3, 9),
            "style": style,
        }

    def rules(self) -> Rules:
        return Rules(self.most, self.gin, self.undercut, self.style)

    def opening(self, rng: Random, knobs: Any) -> State | None:
        """A deal after up to three turns of each player, in which nobody could knock."""
        rules = self.rules()
        deck = [LANE * suit + rank for suit in range(self.suits) for rank in range(self.ranks)]
        rng.shuffle(deck)
        size, rest = self.size, deck[2 * self.size :]
        south, north = (sum(1 << c for c in deck[n : n + size]) for n in (0, size))
        before = min(2 * rng.randrange(4), len(rest) - 1 - knobs.turns)
        if before < 0:
            return None
        top, *stock = rest[: 1 + before + knobs.turns]
        turn = self.seat ^ before & 1
        state = State((south, north), tuple(stock), top, NONE, 0, turn, len(stock), 0)
        while state.left > knobs.turns:
            state = rules.apply(state, rules.reply(state))
            if state.new != NONE:
                card = least_discard(state.hands[state.turn], state.barred, self.style.high)
                state = rules.apply(state, (card, False))
        if min(map(deadwood, state.hands)) <= self.most:
            return None
        return state

    def is_hard(self, planner: Planner[Any, Any], state: State) -> bool:
        """Whether the player scores, and scores less with a turn less of each player."""
        value = planner.value(state)
        if value <= 0:
            return False
        return state.left < 3 or value > planner.value(state._replace(left=state.left - 2))

    def total(self, points: int) -> str:
        return f"{points} point{'' if abs(points) == 1 else 's'}"

    def by_result(self, points: Sequence[int]) -> Sequence[Score]:
        south, north = points
        winner = None if south == north else int(north > south)
        return scores(winner, f"points: South {south}, North {north}")

    def introduction(self, seat: int) -> str:
        name, other = HANDS[seat], HANDS[1 - seat]
        number = len(self.deals)
        deals = "The match is a single deal." if number == 1 else f"The match has {number} deals."
        goal = (
            "Between two players, whoever has more points after all deals wins the match, and "
            "equal points are a draw."
        )
        if seat != self.seat:
            return f"{self.description()}\n\n{deals} {goal}"
        return (
            f"{self.description()}\n\n{deals} If {other} is the built-in player, it plays as "
            f"follows.\n{self._style_text()}\n\nAgainst the built-in player, {name} wins with "
            f"{self.total(self.need)} or more{' in all deals together' * (number > 1)}, and "
            f"otherwise loses. ({goal})"
        )

    def _style_text(self) -> str:
        style = self.style
        takes = "It always draws from the stock."
        if style.takes == 0:
            takes = (
                "It takes the top card of the discard pile if, after the discard that is stated "
                "below, its hand then has less deadwood than it has now; otherwise it draws from "
                "the stock."
            )
        elif style.takes == 1:
            takes = (
                "It takes the top card of the discard pile if that card forms a meld with cards of "
                "its hand; otherwise it draws from the stock."
            )
        rank = "highest" if style.high else "lowest"
        suits = ", ".join(SUITS[: self.suits])
        knocks = "0" if style.knocks == 0 else f"{style.knocks} or less"
        return (
            f"- {takes}\n"
            "- It discards the card that leaves its hand with the least deadwood. Of several such "
            f"cards, it discards one of the {rank} rank, and of these the first by suit in the "
            f"order {suits}.\n"
            f"- It knocks if the deadwood after that discard is {knocks}."
        )

    def description(self) -> str:
        ranks, suits = " ".join(RANKS[: self.ranks]), ", ".join(SUIT_WORDS[: self.suits])
        values = "An ace counts 1 and the other cards their number" + (
            ", where T is ten" if self.ranks > 9 else ""
        )
        highest, second = RANKS[self.ranks - 1], RANKS[self.ranks - 2]
        return self.phrase(
            f"A rummy like gin for two players, South and North, with all cards in view. The deck "
            f"has the ranks {ranks}, in ascending order, in the suits {suits}. A meld is three or "
            "four cards of the same rank, or three or more cards of one suit with consecutive "
            f"ranks; {highest} and A are not consecutive. A card belongs to one meld at most. The "
            "deadwood of a hand is the sum of the values of the cards that are in no meld, with "
            f"the melds chosen so that it is least. {values}. The players take turns. In a turn, a "
            "player draws the top card of the stock or takes the top card of the discard pile, "
            "and then discards one card, which becomes the top of the discard pile. A card that "
            "was taken from the discard pile may not be discarded in the same turn. A player whose "
            f"hand after the discard has a deadwood of {self.most} or less may knock with that "
            "discard. This ends the deal. The player who knocks lays its melds down; the other "
            "player lays its own melds down and may then lay off other cards on the melds of the "
            "player who knocked: the fourth card of a rank, and cards that continue a run at "
            "either end. If the player who knocks has no deadwood, which is gin, nothing is laid "
            f"off, and the player scores {self.gin} points plus the deadwood of the other hand. "
            "Otherwise, if the player who knocks has less deadwood than the other hand then has, "
            "the player scores the difference; if not, the other player scores the difference plus "
            f"{self.undercut}. Both arrange their cards as is best for them, the player who knocks "
            f"with a deadwood of {self.most} or less. What one player scores, the other one loses. "
            "If all turns of a deal are over without a knock, nobody scores. In each turn there "
            "are two moves: first 'stock' or 'pile', which states where the card comes from, then "
            f"a discard, such as 'discard {second}S', or 'knock {second}S' to knock with it.",
            f"Two players, South and North, play gin with open cards: {ranks} (this is the order "
            f"of the ranks, from the lowest) of {suits}. Three or four equal ranks are a meld, and "
            "so are three or more neighbouring ranks of a suit, but no run goes on from "
            f"{highest} to A. No card counts in two melds. {values}; what is left in no meld, "
            "with the best choice of melds, adds up to the deadwood of a hand. A turn has two "
            "parts. First the player gets a card: the top of the stock, or the top of the discard "
            "pile. Then the player puts one card on the discard pile, but not the card that it has "
            f"just taken from there. If no more than {self.most} of deadwood is left then, the "
            "player may knock with the discard, and the deal is over. After a knock, the melds of "
            "the player who knocked are shown. The other player shows its melds, too, and may add "
            "any of its other cards to the shown melds of the first one, as a fourth card of equal "
            "rank or as the next card of a run, below or above. With a deadwood of 0 (gin), no "
            "cards may be added, and the player who knocked gets the deadwood of the other player "
            f"and {self.gin} points more. With a deadwood above 0 that is less than that of the "
            "other player, it gets the difference. If it is equal or more, the other player gets "
            f"the difference and {self.undercut} points more. Each player chooses the melds that "
            "are best for it; those of a knock have to leave a deadwood of at most "
            f"{self.most}. The points of one player are taken from the other. Without a knock in "
            "the last turn, the deal ends without points. Answer the first part of a turn with "
            "'stock' or 'pile', and the second part with the discard, for example "
            f"'discard {second}S', or 'knock {second}S' for a knock.",
        )
