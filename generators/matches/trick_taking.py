"""The rules of endings of trick-taking games with open hands, and a search of what they are worth.

In bridge, such an analysis with all cards in view is called double dummy. The search merges
equivalent cards: of each suit it knows only who holds the highest card, the next one and so on, as
Chang, "Building a Fast Double-Dummy Bridge Solver" (1996), describes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.scenes import Card as Picture
from palaestra.scenes import Cards
from palaestra.scenes.elements import Mark
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.playing_cards import RANKS, SUITS, card_name, playing_card

SOUTH, WEST, NORTH, EAST = range(4)
HANDS = ("South", "West", "North", "East")
"""The names of the hands in the order of play. South and North are one side, 0."""

SEATS = (0, 1, 0, 2)
"""Who plays from each hand: the declarer from South and North."""

PLAYERS = ("the declarer", "West", "East")
NO_TRUMPS = 4
"""The number in place of that of the trump suit, if there is none."""

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs", "no trumps")

MARKS: tuple[Mark, ...] = ("spade", "heart", "diamond", "club")

Owners = str
"""For each card of a suit from the highest down, the number of the hand that holds it."""

Suits = tuple[Owners, ...]
Played = tuple[int, int]
"""The suit of a card, and its position among the cards of the suit."""


class State(NamedTuple):
    """A card is 13 times its suit plus its rank, from 0; ``need`` is the number of tricks that
    South and North still have to take.
    """

    hands: tuple[tuple[int, ...], ...]
    trick: tuple[int, ...]
    leader: int
    need: int
    trumps: int


def to_play(state: State) -> int:
    """The hand that plays next."""
    return (state.leader + len(state.trick)) % 4


def strongest(trick: Sequence[int], trumps: int) -> int:
    """Which card of a trick wins it, counted from 0."""
    led = trick[0] // 13
    strength = [
        100 + card if card // 13 == trumps else card if card // 13 == led else -1 for card in trick
    ]
    return strength.index(max(strength))


@dataclass(frozen=True)
class TrickTaking(Rules[State, int]):
    """South and North against West and East: whether one side takes as many tricks as it needs."""

    state_type = State
    signs = ("the declarer", "the defence")

    def start(self) -> State:
        """The nine highest cards and three others, of which South and North take all tricks."""
        return State(((12, 25, 38), (10, 23, 36), (11, 24, 37), (9, 22, 35)), (), SOUTH, 3, 4)

    def player(self, state: State) -> int:
        return to_play(state) & 1

    def legal(self, state: State) -> Sequence[int]:
        hand = state.hands[to_play(state)]
        if not state.trick:
            return hand
        led = state.trick[0] // 13
        return tuple(card for card in hand if card // 13 == led) or hand

    def apply(self, state: State, move: int) -> State:
        hands, trick, leader, need, trumps = state
        hand = to_play(state)
        rest = tuple(card for card in hands[hand] if card != move)
        hands = (*hands[:hand], rest, *hands[hand + 1 :])
        trick = (*trick, move)
        if len(trick) < 4:
            return State(hands, trick, leader, need, trumps)
        leader = (leader + strongest(trick, trumps)) % 4
        return State(hands, (), leader, need - 1 + leader % 2, trumps)

    def outcome(self, state: State) -> int | None:
        if state.need <= 0:
            return WIN
        return LOSS if state.need > self.left(state) else None

    def left(self, state: State) -> int:
        """The number of tricks that are left, with the current one."""
        return len(state.hands[(state.leader - 1) % 4])

    def solved(self, state: State) -> int:
        suits, trick = _owners(state)
        won = _finishes(suits, trick, state.leader, state.need, state.trumps)
        return WIN if won else LOSS

    def name(self, state: State, move: int) -> str:
        return card_name(move)

    def read(self, state: State, text: str) -> int:
        hand = to_play(state)
        move, legal = playing_card(text, HANDS[hand]), self.legal(state)
        if move in legal:
            return move
        if move not in state.hands[hand]:
            raise InvalidAnswer(f"{card_name(move)} is not one of the cards of {HANDS[hand]}")
        raise InvalidAnswer(f"{HANDS[hand]} has to follow suit")

    def show(self, state: State) -> str:
        hands = [
            f"{HANDS[hand]}: {' '.join(map(card_name, state.hands[hand])) or '-'}"
            for hand in (NORTH, EAST, SOUTH, WEST)
        ]
        played = [
            f"{HANDS[(state.leader + n) % 4]} {card_name(card)}"
            for n, card in enumerate(state.trick)
        ]
        left = self.left(state)
        return "\n".join(
            [
                f"Trumps: {_trumps(state)}",
                *hands,
                f"Current trick: {', '.join(played) or 'no card yet'}",
                f"Tricks left, with the current one: {left}",
                f"Of these, North and South need at least: {max(0, state.need)}",
                f"Next to play: {HANDS[to_play(state)]}",
            ]
        )

    def scene(self, state: State, last: int | None) -> Cards:
        rows = [tuple(map(_pictured, state.hands[hand])) for hand in (NORTH, EAST, SOUTH, WEST)]
        trick = tuple(map(_pictured, state.trick))
        hands = [
            HANDS[hand] + " (plays next)" * (hand == to_play(state))
            for hand in (NORTH, EAST, SOUTH, WEST)
        ]
        about = (
            f"Led by {HANDS[state.leader]}",
            f"Trumps: {_trumps(state)}",
            f"Needed: {max(0, state.need)} of {self.left(state)}",
        )
        return Cards((*rows, trick, (), ()), (*hands, *about))

    def judgement(self, state: State, player: int) -> float:
        """The tricks that are taken, that are likely to be taken now, and the highest cards."""
        mine = player * 2 - 1
        value = 2.0 * state.need * mine
        if state.trick:
            winner = (state.leader + strongest(state.trick, state.trumps)) & 1
            value += 1.0 if winner == player else -1.0
        for suit in _owners(state)[0]:
            if suit:
                value += 0.5 if int(suit[0]) & 1 == player else -0.5
        return value


def _trumps(state: State) -> str:
    return "none" if state.trumps == NO_TRUMPS else SUIT_NAMES[state.trumps]


def deal_value(state: State) -> int:
    """The most tricks that South and North can take against any defence, at the start of a trick.

    >>> deal_value(TrickTaking().start())
    3
    """
    suits, _ = _owners(state)
    need = 1
    while need <= len(state.hands[0]) and _takes(suits, state.leader, need, state.trumps):
        need += 1
    return need - 1


def _owners(state: State) -> tuple[Suits, tuple[Played, ...]]:
    """Who holds, or has just played, the cards of each suit, and the cards of the trick."""
    owner = {card: str(hand) for hand, cards in enumerate(state.hands) for card in cards}
    for n, card in enumerate(state.trick):
        owner[card] = str((state.leader + n) % 4)
    order: list[list[int]] = [[], [], [], []]
    for card in sorted(owner, reverse=True):
        order[card // 13].append(card)
    suits = tuple("".join(owner[card] for card in cards) for cards in order)
    return suits, tuple((card // 13, order[card // 13].index(card)) for card in state.trick)


@lru_cache(maxsize=1 << 14)
def _choices(owners: Owners, hand: str) -> tuple[int, ...]:
    """The positions of a hand's cards, from the lowest up; of adjacent ones, the lowest."""
    last = len(owners)
    return tuple(
        n
        for n in range(last - 1, -1, -1)
        if owners[n] == hand and (n + 1 == last or owners[n + 1] != hand)
    )


@lru_cache(maxsize=1 << 16)
def _follows(owners: Owners, hand: str, best: int) -> tuple[int, ...]:
    """The cards with which a hand follows suit: those above a position first, then from below."""
    positions = _choices(owners, hand)
    return (*(n for n in positions if n < best), *(n for n in positions if n > best))


def _plays(suits: Suits, hand: str, led: int, best: Played, trumps: int) -> Sequence[Played]:
    """The cards that a hand may play after others, of equivalent ones a single one; good ones
    first.
    """
    above = best[1] if best[0] == led else -1
    if following := _follows(suits[led], hand, above):
        return [(led, position) for position in following]
    order = range(4) if trumps == NO_TRUMPS else (trumps, *(n for n in range(4) if n != trumps))
    return [(suit, n) for suit in order for n in _choices(suits[suit], hand)]


def _leads(suits: Suits, hand: str) -> Sequence[Played]:
    """The cards that a hand may lead, the highest of each suit first."""
    return [
        (suit, position)
        for suit, owners in enumerate(suits)
        for position in reversed(_choices(owners, hand))
    ]


def _beats(card: Played, best: Played, trumps: int) -> bool:
    return card[1] < best[1] if card[0] == best[0] else card[0] == trumps


def _without(suits: Suits, trick: Sequence[Played]) -> Suits:
    """The cards that are left after a trick."""
    rest = list(suits)
    for suit, position in sorted(trick, reverse=True):
        owners = rest[suit]
        rest[suit] = owners[:position] + owners[position + 1 :]
    return tuple(rest)


def _finishes(suits: Suits, trick: tuple[Played, ...], leader: int, need: int, trumps: int) -> bool:
    """Whether South and North can take so many tricks, from the current one on."""
    winner = leader
    best = trick[0] if trick else (0, 0)
    for n, card in enumerate(trick):
        if _beats(card, best, trumps):
            best, winner = card, (leader + n) % 4
    return _goes_on(suits, trick, (leader + len(trick)) % 4, best, winner, need, trumps)


def _goes_on(  # noqa: PLR0913, PLR0917
    suits: Suits,
    trick: tuple[Played, ...],
    hand: int,
    best: Played,
    winner: int,
    need: int,
    trumps: int,
) -> bool:
    """The same, where the best card so far and the hand that played it are known."""
    if len(trick) == 4:
        return _takes_sorted(_without(suits, trick), winner, need - 1 + winner % 2, trumps)
    maximise, following = hand % 2 == 0, (hand + 1) % 4
    if trick:
        cards = _plays(suits, str(hand), trick[0][0], best, trumps)
    else:
        cards = _leads(suits, str(hand))
    for card in cards:
        if not trick or _beats(card, best, trumps):
            won = _goes_on(suits, (*trick, card), following, card, hand, need, trumps)
        else:
            won = _goes_on(suits, (*trick, card), following, best, winner, need, trumps)
        if won == maximise:
            return won
    return not maximise


def _takes_sorted(suits: Suits, leader: int, need: int, trumps: int) -> bool:
    """The same as :func:`_takes`, with the suits but the trumps in an order of their own."""
    if need <= 0:
        return True
    if trumps == NO_TRUMPS:
        return _takes(tuple(sorted(suits)), leader, need, NO_TRUMPS)
    others = sorted(suits[:trumps] + suits[trumps + 1 :])
    return _takes((suits[trumps], *others), leader, need, 0)


@lru_cache(maxsize=1 << 18)
def _takes(suits: Suits, leader: int, need: int, trumps: int) -> bool:
    """Whether South and North can take so many tricks, at the start of a trick."""
    left = sum(map(len, suits)) // 4
    if need <= 0 or need > left:
        return need <= 0
    sure = _sure(suits, leader, trumps)
    if sure >= (need if leader % 2 == 0 else left - need + 1):
        return leader % 2 == 0
    return _finishes(suits, (), leader, need, trumps)


def _sure(suits: Suits, leader: int, trumps: int) -> int:
    """How many tricks the leader can take with the highest cards of the suits, one after another;
    with those of trumps alone, as long as an opponent has a trump.
    """
    owner = str(leader)
    if trumps != NO_TRUMPS:
        left, right = str((leader + 1) % 4), str((leader + 3) % 4)
        if left in suits[trumps] or right in suits[trumps]:
            suits = (suits[trumps],)
    return sum(len(owners) - len(owners.lstrip(owner)) for owners in suits)


@lru_cache(maxsize=64)
def _pictured(card: int) -> Picture:
    return Picture(
        RANKS[card % 13], mark=MARKS[card // 13], tone="ink" if SUITS[card // 13] in "SC" else "bad"
    )
