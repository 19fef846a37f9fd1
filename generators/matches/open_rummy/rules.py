"""The rules of a rummy for two players with all cards in view, and those of its built-in player.

The game is gin rummy but for the open cards, the size of the deck and of the hands, the limit of
deadwood, the bonuses, and that a deal is void after a number of turns.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.matches.open_rummy.melds import (
    LANE,
    RANKS,
    SUITS,
    card_name,
    deadwood,
    deadwood_after_discard,
    margin,
    melds_in,
    value_of,
)
from palaestra.generators.matches.rules import DRAW, LOSS, WIN
from palaestra.generators.matches.stated_match import DealRules, Planner, Thumb
from palaestra.scenes import Card as Picture
from palaestra.scenes import Cards
from palaestra.scenes.elements import Mark
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.playing_cards import playing_card

HANDS = ("South", "North")
NONE = -1
"""In place of a card, where there is none."""

STOCK, PILE = "stock", "pile"
"""The moves with which a turn begins."""

MARKS: tuple[Mark, ...] = ("spade", "heart", "diamond", "club")

Discard = tuple[int, bool]
"""The move with which a turn ends: the card, and whether the player knocks."""

Move = str | Discard


class State(NamedTuple):
    """A position, in which the player ``turn`` draws, or discards if it has a card more."""

    hands: tuple[int, int]
    """The cards of South and North as bit masks, see the module ``melds``."""
    stock: tuple[int, ...]
    """The stock from the top; a card for each turn that is left at least."""
    top: int
    """The top of the discard pile; :data:`NONE` after it has been taken."""
    new: int
    """The card that has been drawn in this turn, or :data:`NONE`."""
    pile: int
    """Whether that card comes from the discard pile: 0 or 1."""
    turn: int
    left: int
    """The number of turns that are left in the deal, with the current one."""
    points: int
    """What South has won from North; it is 0 while the deal goes on."""

    @property
    def barred(self) -> int:
        """The card that may not be discarded, or :data:`NONE`."""
        return self.new if self.pile else NONE


class Style(NamedTuple):
    """How the built-in player plays, as the prompt states it."""

    takes: int
    """When it takes the top of the discard pile: 0 if it then ends the turn with less deadwood than
    before, 1 if the card is part of a meld in its hand, 2 never.
    """
    high: int
    """Whether, of equally good discards, it prefers high ranks: 0 or 1."""
    knocks: int
    """The most deadwood with which it knocks."""


@dataclass(frozen=True)
class OpenRummy(DealRules[State, Move]):
    """Two players with open hands, and the style of the built-in one."""

    most: int
    """The most deadwood with which a player may knock."""
    gin: int
    """The bonus for a knock without deadwood."""
    undercut: int
    """The bonus of the other player, if it has no more deadwood than the one who knocks."""
    style: Style

    names = HANDS

    def planner(self, seat: int) -> "RummyPlanner":
        return RummyPlanner(self, seat)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def player(self, state: State) -> int:
        return state.turn

    def results(self, state: State) -> Sequence[int] | None:
        return None if state.left else (state.points, -state.points)

    def outcome(self, state: State) -> int | None:
        """Who scores in a deal, as South's result: a search for two players asks for it."""
        if state.left:
            return None
        return WIN if state.points > 0 else LOSS if state.points < 0 else DRAW

    def legal(self, state: State) -> Sequence[Move]:
        if state.new == NONE:
            return (PILE, STOCK)
        return self._discards(state)

    def _discards(self, state: State) -> Sequence[Discard]:
        hand, barred = state.hands[state.turn], state.barred
        cards = [card for card in ones(hand) if card != barred]
        knocks = [(card, True) for card in lows(hand, self.most) if card != barred]
        return (*knocks, *((card, False) for card in cards))

    def apply(self, state: State, move: Move) -> State:
        hands, stock, top, _, _, turn, left, _ = state
        if isinstance(move, str):
            card = top if move == PILE else stock[0]
            hands = _changed(hands, turn, card)
            if move == PILE:
                return State(hands, stock, NONE, card, 1, turn, left, 0)
            return State(hands, stock[1:], top, card, 0, turn, left, 0)
        card, knocks = move
        hands, other = _changed(hands, turn, card), 1 - turn
        if knocks:
            points = self.points(hands[turn], hands[other])
            return State(hands, stock, card, NONE, 0, other, 0, points if turn == 0 else -points)
        return State(hands, stock[: left - 1], card, NONE, 0, other, left - 1, 0)

    def points(self, own: int, other: int) -> int:
        """What a player scores who knocks with a hand; negative where the other one scores."""
        return _points(own, other, self.most, self.gin, self.undercut)

    def reply(self, state: State) -> Move:
        hand = state.hands[state.turn]
        if state.new == NONE:
            return PILE if self.takes(hand, state.top) else STOCK
        card = least_discard(hand, state.barred, self.style.high)
        return card, deadwood(hand ^ 1 << card) <= self.style.knocks

    def takes(self, hand: int, top: int) -> bool:
        """Whether the built-in player takes a card from the discard pile."""
        if self.style.takes == 0:
            after = hand | 1 << top
            return deadwood(after ^ 1 << least_discard(after, top, 0)) < deadwood(hand)
        return self.style.takes == 1 and any(meld >> top & 1 for meld in melds_in(hand | 1 << top))

    def news(self, state: State, move: Move) -> list[str]:
        player = HANDS[state.turn]
        if isinstance(move, str):
            if move == PILE:
                return [f"{player} took {card_name(state.top)} from the discard pile."]
            return [f"{player} drew {card_name(state.stock[0])} from the stock."]
        card, knocks = move
        after = self.apply(state, move)
        if not knocks:
            news = [f"{player} discarded {card_name(card)}."]
            return news if after.left else [*news, "The deal is void."]
        winner = HANDS[after.points < 0]
        has = f"{winner} scores {abs(after.points)} points" if after.points else "Nobody scores"
        return [f"{player} knocked and discarded {card_name(card)}. {has}."]

    def name(self, state: State, move: Move) -> str:
        if isinstance(move, str):
            return move
        return f"{'knock' if move[1] else 'discard'} {card_name(move[0])}"

    def read(self, state: State, text: str) -> Move:
        words = phrase(_STOCK_PILE.sub("stockpile", text)).split()
        return _read_draw(state, words) if state.new == NONE else self._read_discard(state, words)

    def _read_discard(self, state: State, words: Sequence[str]) -> Discard:
        hand, player = state.hands[state.turn], HANDS[state.turn]
        gin = not _GIN.isdisjoint(words)
        knocks = gin or not _KNOCK.isdisjoint(words)
        legal = [card for card, knock in self._discards(state) if knock == knocks]
        if gin:
            legal = [card for card in legal if deadwood(hand ^ 1 << card) == 0]
        if knocks and not legal:
            limit = "no deadwood" if gin else f"deadwood of {self.most} or less"
            raise InvalidAnswer(f"no discard leaves {limit}")
        rest = " ".join(word for word in words if word not in _AROUND_DISCARDS)
        if not rest and knocks and len(legal) == 1:
            return legal[0], True
        card = _read_card(rest)
        if not hand >> card & 1:
            raise InvalidAnswer(f"{card_name(card)} is not in the hand of {player}")
        if card == state.barred:
            raise InvalidAnswer(f"{card_name(card)} was taken from the discard pile in this turn")
        if card not in legal:
            raise InvalidAnswer(f"without {card_name(card)}, the hand has too much deadwood")
        return card, knocks

    def show(self, state: State) -> str:
        action = "to draw"
        if state.new != NONE:
            source = "the discard pile" if state.pile else "the stock"
            action = f"to discard (it has drawn {card_name(state.new)} from {source})"
        return "\n".join(
            [
                *(f"{each}: {_listed(ones(hand))}" for each, hand in zip(HANDS, state.hands)),
                f"Top of the discard pile: {'-' if state.top == NONE else card_name(state.top)}",
                f"Stock, from the top: {_listed(state.stock)}",
                f"Turns left in the deal, with this one: {state.left}",
                f"Next: {HANDS[state.turn]}, {action}",
            ]
        )

    def scene(self, state: State, last: Move | None) -> Cards:
        south, north = (tuple(map(_pictured, ones(hand))) for hand in state.hands)
        top = () if state.top == NONE else (_pictured(state.top),)
        action = "draws next" if state.new == NONE else "discards next"
        labels = [each + f" ({action})" * (n == state.turn) for n, each in enumerate(HANDS)]
        return Cards(
            (north, top, tuple(map(_pictured, state.stock)), south, ()),
            (
                labels[1],
                "Discard pile",
                "Stock, from the top",
                labels[0],
                f"Turns left: {state.left}",
            ),
        )

    def thumbs(self) -> Mapping[str, Thumb]:
        """Players who knock for enough points, draw what lowers their deadwood, and discard by a
        rule of thumb.
        """

        def player(value: Callable[[State, int], tuple[int, ...]], eager: bool = False) -> Thumb:
            def choose(state: State, need: int, rng: Random) -> Move:
                return self._thumb(state, 1 if eager else need, value, rng)

            return choose

        def least(state: State, card: int) -> tuple[int, ...]:
            """The deadwood that is left."""
            return (deadwood(state.hands[state.turn] ^ 1 << card),)

        def pairs(state: State, card: int) -> tuple[int, ...]:
            """The deadwood that is left, less for cards that are close to each other."""
            rest = state.hands[state.turn] ^ 1 << card
            return (deadwood(rest) - sum(_ties(rest, each) for each in ones(rest)),)

        def safe(state: State, card: int) -> tuple[int, ...]:
            """First nothing that the other player has a use for."""
            other = state.hands[1 - state.turn]
            useful = deadwood_after_discard(other | 1 << card) < deadwood(other)
            return (useful, *least(state, card))

        def ahead(state: State, card: int) -> tuple[int, ...]:
            """What goes best with the next two cards of the stock."""
            rest = state.hands[state.turn] ^ 1 << card
            following = (deadwood_after_discard(rest | 1 << each) for each in state.stock[:2])
            return (sum(following), *least(state, card))

        return {
            "least deadwood": player(least),
            "least deadwood, knock at once": player(least, eager=True),
            "least deadwood, and pairs": player(pairs),
            "nothing useful to the other player": player(safe),
            "best with the next cards": player(ahead),
            "the rules of the built-in player": lambda state, need, rng: self.reply(state),
        }

    def _thumb(
        self,
        state: State,
        need: int,
        value: Callable[[State, int], tuple[int, ...]],
        rng: Random,
    ) -> Move:
        hand, other = state.hands[state.turn], state.hands[1 - state.turn]
        if state.new == NONE:
            pile = deadwood_after_discard(hand | 1 << state.top)
            return PILE if pile < deadwood_after_discard(hand | 1 << state.stock[0]) else STOCK
        cards = [card for card in ones(hand) if card != state.barred]
        knocks = [card for card in lows(hand, self.most) if card != state.barred]
        best = max(knocks, key=lambda card: self.points(hand ^ 1 << card, other), default=NONE)
        if best != NONE and self.points(hand ^ 1 << best, other) >= need:
            return best, True
        rng.shuffle(cards)
        return min(cards, key=lambda card: value(state, card)), False


class RummyPlanner(Planner[State, Move]):
    """The values of :class:`Planner`, several times as fast: the reply of the built-in player does
    not depend on the hand of the other one.

    ``own`` and ``other`` are the hands of the player and of the built-in player, ``top`` is the top
    of the discard pile, and ``left`` counts turns.
    """

    rules: OpenRummy

    def __init__(self, rules: OpenRummy, seat: int) -> None:
        super().__init__(rules, seat)
        self._best: dict[tuple[int, int, int, int, int], int] = {}
        self._replies: dict[tuple[int, int, int], tuple[int, bool, int, bool]] = {}

    def value(self, state: State) -> int:
        state = self.settled(state)
        if state.left == 0:
            return state.points if self.seat == 0 else -state.points
        own, other = state.hands[self.seat], state.hands[1 - self.seat]
        if state.new == NONE:
            return self._draws(own, other, state.stock, state.top, state.left)
        return self._discards(own, other, state.stock, state.barred, state.left)

    def _draws(self, own: int, other: int, stock: tuple[int, ...], top: int, left: int) -> int:
        # The rest of the stock follows from its first card.
        key = own, other, stock[0], top, left
        best = self._best.get(key)
        if best is None:
            pile = self._discards(own | 1 << top, other, stock, top, left)
            card = self._discards(own | 1 << stock[0], other, stock[1:], NONE, left)
            best = self._best[key] = max(pile, card)
        return best

    def _discards(
        self, hand: int, other: int, stock: tuple[int, ...], barred: int, left: int
    ) -> int:
        rules = self.rules
        knocks = lows(hand, rules.most)
        values = [rules.points(hand ^ 1 << card, other) for card in knocks if card != barred]
        if left == 1:
            return max(0, *values) if values else 0
        values += [
            self._replied(hand ^ 1 << card, other, stock, card, left - 1)
            for card in ones(hand)
            if card != barred
        ]
        return max(values)

    def _replied(self, own: int, other: int, stock: tuple[int, ...], top: int, left: int) -> int:
        key = other, top, stock[0]
        reply = self._replies.get(key)
        if reply is None:
            reply = self._replies[key] = self._reply(*key)
        hand, from_pile, card, knocks = reply
        if knocks:
            return -self.rules.points(hand, own)
        if left == 1:
            return 0
        return self._draws(own, hand, stock if from_pile else stock[1:], card, left - 1)

    def _reply(self, other: int, top: int, first: int) -> tuple[int, bool, int, bool]:
        """The hand after a turn of the built-in player, whether it took the top of the discard
        pile, what it discarded, and whether it knocked.
        """
        style, from_pile = self.rules.style, self.rules.takes(other, top)
        hand = other | 1 << (top if from_pile else first)
        card = least_discard(hand, top if from_pile else NONE, style.high)
        rest = hand ^ 1 << card
        return rest, from_pile, card, deadwood(rest) <= style.knocks


def mask_of(names: str) -> int:
    """The hand of the names of cards, such as ``"AS TH"``."""
    return sum(1 << card for card in numbers_of(names))


def numbers_of(names: str) -> tuple[int, ...]:
    """The cards of their names."""
    return tuple(LANE * SUITS.index(name[1]) + RANKS.index(name[0]) for name in names.split())


@lru_cache(maxsize=1 << 15)
def lows(hand: int, most: int) -> tuple[int, ...]:
    """The discards with which a hand of a card too many may knock."""
    if deadwood_after_discard(hand) > most:
        return ()
    return tuple(card for card in ones(hand) if deadwood(hand ^ 1 << card) <= most)


@lru_cache(maxsize=1 << 15)
def least_discard(hand: int, barred: int, high: int) -> int:
    """The discard that leaves the least deadwood: of equal ones that of the highest rank, or the
    lowest, and of these the first by suit in the order S, H, D, C.
    """
    sign = -1 if high else 1
    cards = [card for card in ones(hand) if card != barred]
    if not melds_in(hand):
        return min(cards, key=lambda card: (-value_of(1 << card), sign * (card % LANE), card))
    return min(cards, key=lambda card: (deadwood(hand ^ 1 << card), sign * (card % LANE), card))


@lru_cache(maxsize=1 << 15)
def _points(own: int, other: int, most: int, gin: int, undercut: int) -> int:
    if deadwood(own) == 0:
        return deadwood(other) + gin
    difference = margin(own, other, most)
    return difference if difference > 0 else difference - undercut


def _changed(hands: tuple[int, int], turn: int, card: int) -> tuple[int, int]:
    """The hands after a player has got or lost a card."""
    south, north = hands
    return (south, north ^ 1 << card) if turn else (south ^ 1 << card, north)


def _listed(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards)) or "-"


@lru_cache(maxsize=64)
def _pictured(card: int) -> Picture:
    suit = card // LANE
    return Picture(RANKS[card % LANE], mark=MARKS[suit], tone="ink" if suit in {0, 3} else "bad")


_COLUMN = sum(1 << LANE * suit for suit in range(len(SUITS)))


def _ties(hand: int, card: int) -> int:
    """How many cards of a hand are of the rank of a card or next to it, with the card itself."""
    near = hand & (0b11011 << card >> 2)
    equal = hand & _COLUMN << card % LANE
    return near.bit_count() + equal.bit_count()


_KNOCK = {"knock", "knocking", "knocks"}
_GIN = {"gin"}
_AROUND_DISCARDS = {
    *_KNOCK, *_GIN, "discard", "discarding", "discards", "throw", "away", "drop", "lay", "down",
    "with", "by", "and", "then", "for", "go", "going", "out", "on", "onto", "pile", "card", "put",
    "my", "i", "the", "to",
}  # fmt: skip
_STOCK_WORDS = {"stock", "deck", "stockpile"}
_STOCK_PILE = re.compile(r"\b(?:stock|deck) pile\b", re.IGNORECASE)
_PILE_WORDS = {"pile", "discard", "discards", "discarded"}
_AROUND_DRAWS = {
    *_STOCK_WORDS, *_PILE_WORDS, "draw", "draws", "drawing", "take", "takes", "taking", "pick",
    "up", "from", "top", "card", "i", "the", "a", "to", "my",
}  # fmt: skip


def _read_card(text: str) -> int:
    """A card, as the module ``melds`` numbers it."""
    suit, rank = divmod(playing_card(text), len(RANKS))
    return LANE * suit + (rank + 1) % len(RANKS)


def _read_draw(state: State, words: Sequence[str]) -> str:
    """Where a card is drawn from, by the name of the source, of the card or of both."""
    stock = not _STOCK_WORDS.isdisjoint(words)
    pile = not _PILE_WORDS.isdisjoint(words)
    rest = " ".join(word for word in words if word not in _AROUND_DRAWS)
    if (stock and pile) or not (stock or pile or rest):
        raise InvalidAnswer("expected 'stock' or 'pile'")
    source = STOCK if stock else PILE
    if rest in {"", "of"}:
        return source
    tops, card = {STOCK: state.stock[0], PILE: state.top}, _read_card(rest)
    if stock or pile:
        if tops[source] != card:
            raise InvalidAnswer(f"{card_name(card)} is not the top card there")
        return source
    for each, top in tops.items():
        if top == card:
            return each
    raise InvalidAnswer(f"{card_name(card)} is neither on the stock nor on the discard pile")
