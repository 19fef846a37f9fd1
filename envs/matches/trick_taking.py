"""Endings of a trick-taking game with open hands, as students of bridge solve them: double dummy.

The game goes back to Harold Vanderbilt's contract bridge (1925). Collections of such endings, which
turn on entries, finesses, ducks and squeezes, are older: William Whitfeld published a famous one of
six cards for whist in 1885.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from palaestra.generators.matches.board_match import ILLEGAL_MOVES, BoardMatch
from palaestra.generators.matches.rules import WIN
from palaestra.generators.matches.trick_taking import (
    HANDS,
    NO_TRUMPS,
    NORTH,
    PLAYERS,
    SEATS,
    SOUTH,
    SUIT_NAMES,
    State,
    deal_value,
    strongest,
    to_play,
)
from palaestra.generators.matches.trick_taking import TrickTaking as TrickTakingRules
from palaestra.task import InvalidAnswer, Play, Policy, Score, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move


class TrickTaking(BoardMatch):
    """Take the most tricks that are possible with two open hands against a perfect defence."""

    players = 3
    tags = {"cards", "teams", "perfect-information", "search"}
    baseline_note = (
        "A player who takes sure tricks, draws trumps first, and else wins as cheaply as the next "
        "hand allows plays as beginners are taught, and is right wherever a deal needs no more."
    )

    class Knobs(BoardMatch.Knobs):
        cards: int = ladder(3, 4, 4, 5, 5, 6, low=2, high=6)  # in each hand
        trumps: int = ladder(0, 0, 40, 40, 40, 40, low=0, high=100)  # percent of deals with trumps
        least_moves: int = ladder(3, 4, 5, 6, 6, 8, low=1, high=12)
        most_chance: float = ladder(0.2, 0.1, 0.04, 0.04, 0.015, 0.0004, low=1e-6)

    candidates = 12

    @classmethod
    def rules_of(cls, knobs: Any) -> TrickTakingRules:
        return TrickTakingRules()

    def rules(self) -> TrickTakingRules:
        return TrickTakingRules()

    @classmethod
    def opening(cls, rng: Random, rules: TrickTakingRules, knobs: Any) -> State | None:
        size = knobs.cards
        deck = rng.sample(range(52), 4 * size)
        dealt = (deck[n : n + size] for n in range(0, 4 * size, size))
        hands = tuple(tuple(sorted(hand, reverse=True)) for hand in dealt)
        trumps = rng.randrange(NO_TRUMPS) if rng.randrange(100) < knobs.trumps else NO_TRUMPS
        state = State(hands, (), rng.choice((SOUTH, NORTH)), 1, trumps)
        value = deal_value(state)
        return state._replace(need=value) if value > 1 else None

    def play(self) -> Play:
        rules, state = self.rules(), self.start()
        last: Any = None
        illegal = [0] * self.players
        events = [[self.description()] for _ in illegal]
        while (over := rules.outcome(state)) is None:
            seat = SEATS[to_play(state)]
            try:
                text = yield self._turn(state, last, seat, events[seat])
                move = read_move(partial(rules.read, state), text, (PLAYERS[seat],))
            except InvalidAnswer as error:
                illegal[seat] += 1
                left = ILLEGAL_MOVES - illegal[seat]
                if left < 0:
                    reason = f"{PLAYERS[seat]} made too many illegal moves"
                    return self._scores(1 - _side(seat), reason)
                events[seat] = [
                    f"That is not a legal move: {error}. Illegal moves still allowed: {left}."
                ]
                continue
            news, taken = self.news(state, move), self.trick_news(state, move)
            events = [
                [*([] if n == seat else [*each, news]), *taken] for n, each in enumerate(events)
            ]
            state, last = rules.apply(state, move), move
        winner = 0 if over == WIN else 1
        return self._scores(winner, self.end(winner))

    def _turn(self, state: Any, last: Any, seat: int, events: Sequence[str]) -> Turn:
        rules = self.rules()
        parts = [*events, rules.show(state), f"You are {PLAYERS[seat]}. Your move?"]
        return Turn(
            "\n\n".join(parts),
            legal_moves=sorted(rules.name(state, move) for move in rules.legal(state)),
            state=rules.encode(state),
            player=seat,
            scene=partial(rules.scene, state, last),
        )

    def _scores(self, winner: int, reason: str) -> tuple[Score, ...]:
        """1 for the players of the side that wins, and 0 for the others."""
        won, lost = Score(1, f"won: {reason}"), Score(0, f"lost: {reason}")
        return tuple(won if _side(n) == winner else lost for n in range(self.players))

    def news(self, state: State, move: int) -> str:
        return f"{HANDS[to_play(state)]} played {self.rules().name(state, move)}."

    def trick_news(self, state: State, move: int) -> list[str]:
        """Who wins the trick, where a card completes it."""
        if len(state.trick) < 3:
            return []
        winner = (state.leader + strongest((*state.trick, move), state.trumps)) % 4
        return [f"{HANDS[winner]} won the trick."]

    def end(self, winner: int) -> str:
        return "North and South " + ("do not take enough tricks" if winner else "take their tricks")

    def description(self) -> str:
        start = self.start()
        size, trumps = len(start.hands[0]), SUIT_NAMES[start.trumps]
        need = f"all {size}" if start.need == size else f"{start.need} or more"
        strongest_card = self.phrase(
            "The highest card of the suit that was led wins the trick"
            + (f", unless {trumps}, which are trumps, were played: then the highest trump wins it"
               if start.trumps != NO_TRUMPS else "; there are no trumps"),
            "A trick is won by "
            + (f"its highest trump ({trumps}) or, in a trick without trumps, "
               if start.trumps != NO_TRUMPS else "")
            + "the highest card of the suit that was led"
            + ("; there are no trumps" if start.trumps == NO_TRUMPS else ""),
        )  # fmt: skip
        return self.phrase(
            "The end of a hand of a trick-taking game like bridge, with all cards in view. The "
            f"four hands South, West, North and East have {size} cards each and play in this "
            "order, clockwise, with South again after East. One player, the declarer, plays the "
            "cards of both South and North; West and East are two players who defend together. To "
            "a trick, each hand plays one card. The hand that leads may play any card; the others "
            "have to play a card of the "
            f"suit that was led if they have one, and otherwise play any card. {strongest_card}. "
            "Ranks from the highest are A K Q J T 9 8 7 6 5 4 3 2, where T is ten. The hand that "
            f"wins a trick leads to the next one. Of the {size} tricks, the declarer has to win "
            f"{need}, with South and North together, and otherwise West and East win; the game "
            "ends as soon as this is decided. Below the hands is stated which hand is next to "
            "play, by which player; the declarer plays one card at a time for each of the two "
            "hands. A move is a card of that hand: its rank and its suit (S, H, D or C), such as "
            "'5H' for the five of hearts.",
            "Four hands lie open on the table: North, East, South and West, clockwise in this "
            f"order, with {size} cards each. The declarer decides for North and South, against "
            f"two defenders, West and East. There are {size} tricks, and the declarer wins the "
            f"game with {need} of them, won by North or South, and else the defenders win; as "
            "soon as one side is sure of that, the game is over. In a trick, each hand plays a "
            "card in clockwise order, beginning with the leader, who chooses freely. Each other "
            "hand must follow suit if it can; if not, it may play anything. "
            f"{strongest_card}. The winner leads to the next trick. The order of the ranks is "
            "2 3 4 5 6 7 8 9 T J Q K A, with the ace as the highest and T for ten. Which hand "
            "plays the next card stands below the hands. Reply with the card for that hand alone, "
            "as rank and suit letter (spades S, hearts H, diamonds D, clubs C), for example '5H'.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def rank(card: int) -> int:
            return card % 13

        def player(choose: Any) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state)
                return rules.name(state, choose(state, [*rules.legal(state)]))

            return move

        def wins(state: State, card: int) -> bool:
            """Whether a card beats those before it and, without a reply, takes the trick."""
            trick = (*state.trick, card)
            return strongest(trick, state.trumps) == len(trick) - 1

        def partner_wins(state: State) -> bool:
            size = len(state.trick)
            return size > 1 and strongest(state.trick, state.trumps) == size - 2

        def highest(state: State, cards: list[int]) -> int:
            return max(cards, key=rank)

        def lowest(state: State, cards: list[int]) -> int:
            return min(cards, key=rank)

        def cheapest(state: State, cards: list[int]) -> int:
            """Win as cheaply as possible if the own side does not win yet; lead the highest."""
            if not state.trick:
                return max(cards, key=rank)
            winning = [] if partner_wins(state) else [c for c in cards if wins(state, c)]
            return min(winning or cards, key=rank)

        def maxims(state: State, cards: list[int]) -> int:
            """Second hand low, third hand high, last hand as cheaply as possible."""
            number = len(state.trick)
            if number == 0:
                return _from_length(state, cards)
            if number == 1:
                return min(cards, key=rank)
            return cheapest(state, cards) if number == 3 else max(cards, key=rank)

        def finesse(state: State, cards: list[int]) -> int:
            """Lead low towards the higher cards of the other hand, and then win cheaply."""
            if state.trick:
                return cheapest(state, cards)
            other = state.hands[to_play(state) ^ 2]
            top = {suit: max((c for c in other if c // 13 == suit), default=-1)
                   for suit in range(4)}  # fmt: skip
            return max(cards, key=lambda card: (rank(top[card // 13]), -rank(card)))

        def sure(state: State, cards: list[int]) -> int:
            """Take sure tricks, trumps first; else win as cheaply as the next hand allows."""
            return sure_trick(state, cards) if state.trick else sure_lead(state, cards)

        return {
            **super().baselines(rng),
            "highest card": player(highest),
            "lowest card": player(lowest),
            "win as cheaply as possible": player(cheapest),
            "second hand low, third hand high": player(maxims),
            "lead towards honours": player(finesse),
            "sure tricks, else as cheaply as is safe": player(sure),
        }


def sure_lead(state: State, cards: Sequence[int]) -> int:
    """A lead that no defender can take, from trumps while they have any; else a low card, towards
    such a card of the partner.
    """
    sure = [card for card in cards if _is_sure(state, card)]
    defended = any(card // 13 == state.trumps for hand in _defenders(state) for card in hand)
    trumps = [card for card in sure if card // 13 == state.trumps]
    if sure:
        return max(trumps if defended and trumps else sure, key=lambda card: card % 13)
    partner = state.hands[to_play(state) ^ 2]
    suits = {card // 13 for card in partner if _is_sure(state, card)}
    return min(cards, key=lambda card: (card // 13 not in suits, card % 13))


def sure_trick(state: State, cards: Sequence[int]) -> int:
    """The cheapest card after which the own side has the trick and the next hand, if it still has
    to play, cannot take it; else the lowest card.
    """
    safe = [card for card in cards if _is_safe(state, card)]
    return min(safe or cards, key=lambda card: (card // 13 == state.trumps, card % 13))


def _defenders(state: State) -> list[tuple[int, ...]]:
    hand = to_play(state)
    return [state.hands[(hand + 1) % 4], state.hands[(hand + 3) % 4]]


def _is_sure(state: State, card: int) -> bool:
    """Whether no defender can take the trick from a card that is led."""
    return all(
        strongest((card, reply), state.trumps) == 0
        for hand in _defenders(state)
        for reply in _replies(hand, card // 13)
    )


def _is_safe(state: State, card: int) -> bool:
    trick, mine = (*state.trick, card), (to_play(state) - state.leader) % 2
    if len(trick) == 4:
        return strongest(trick, state.trumps) % 2 == mine
    replies = _replies(state.hands[(to_play(state) + 1) % 4], trick[0] // 13)
    return all(strongest((*trick, reply), state.trumps) % 2 == mine for reply in replies)


def _replies(hand: Sequence[int], led: int) -> Sequence[int]:
    """The cards that a hand may play to a suit."""
    return [card for card in hand if card // 13 == led] or hand


def _from_length(state: State, cards: Sequence[int]) -> int:
    """The highest card of the longest suit of a hand."""
    suits = [card // 13 for card in state.hands[to_play(state)]]
    return max(cards, key=lambda card: (suits.count(card // 13), card % 13))


def _side(seat: int) -> int:
    """The side of the player at a seat: 0 for North and South, 1 for West and East."""
    return int(seat > 0)
