"""The rules of playing cards in order, with a partner who sees your cards, by conventions."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import LONGEST, action

COLOURS = ("red", "blue", "green")
PLAY, HINT, PASS, PARTNER, OVER = "play", "hint", "pass", "partner", "over"
SLOTS = 8
"""A bound of the number of cards in a hand: a hint is written as its value times 2 to this power,
plus the bits of the cards that it names.
"""

_PLAY = re.compile(
    r"\bplay(?=[^\w]+(?:(?:my|the|card|number|no|slot|position)[^\w]+){0,4}\d)",
    re.IGNORECASE | re.ASCII,
)

WAITS = -1
"""The event that the partner does nothing."""

Hand = tuple[int, ...]
"""Cards from the left: the number of the colour times that of the ranks, plus the rank less 1."""

Move = tuple[str, int]
"""What is done, with the position of a card, or with the value of a hint: the number of a colour,
or that of all colours plus the rank less 1.
"""

NOTHING: Move = ("", -1)
"""What waits for chance if it is the player's turn."""


WAITING: Move = (PASS, -1)
"""The move to pass."""


class State(NamedTuple):
    """The highest rank of each colour on the table, the cards of the partner, all hands that the
    player may have, which are equally likely, the cards that the player does not see, the hints and
    turns that are left, the points, the sentences of what has happened, and what waits for chance:
    a card that is played, or the partner, or `OVER` at the end.
    """

    heights: tuple[int, ...]
    partner: Hand
    hands: tuple[Hand, ...]
    unseen: tuple[int, ...]
    hints: int
    turns: int
    points: int
    log: tuple[str, ...]
    waiting: Move


@dataclass(frozen=True)
class FireworkCards(ChanceRules[State, "Move | int"]):
    """Play cards of each colour in the order of their ranks. A chance event is a card that is
    turned over, or what the partner does.
    """

    values: tuple[int, ...]
    """The points for a card of each colour that is played in order."""

    ranks: int
    loss: int
    """The points that a card out of order costs."""

    state_type = State

    def card(self, number: int) -> str:
        colour, rank = divmod(number, self.ranks)
        return f"{COLOURS[colour]} {rank + 1}"

    def fits(self, heights: Sequence[int], number: int) -> bool:
        """Whether a card is the next one of its colour."""
        colour, rank = divmod(number, self.ranks)
        return heights[colour] == rank

    def touched(self, hand: Hand, value: int) -> int:
        """The cards of a hand that a hint names, as bits."""
        return sum(1 << n for n, number in enumerate(hand) if value in self.values_of[number])

    @cached_property
    def values_of(self) -> tuple[tuple[int, int], ...]:
        """For each card the hint of its rank and that of its colour."""
        colours = len(self.values)
        return tuple(
            (colours + number % self.ranks, number // self.ranks)
            for number in range(colours * self.ranks)
        )

    @cached_property
    def _answers(self) -> dict[tuple[tuple[int, ...], Hand], int]:
        return {}

    @cached_property
    def _gains(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    def gains(self, heights: tuple[int, ...]) -> tuple[int, ...]:
        """The points that each card brings if it is laid on the table."""
        known = self._gains.get(heights)
        if known is None:
            known = self._gains[heights] = tuple(
                self.values[number // self.ranks] if self.fits(heights, number) else -self.loss
                for number in range(len(self.values) * self.ranks)
            )
        return known

    def leftmost(self, hand: Hand, value: int) -> int:
        """The position of the first card that a hint names."""
        return next(n for n, number in enumerate(hand) if value in self.values_of[number])

    def answer(self, heights: tuple[int, ...], hints: int, hand: Hand) -> int:
        """What the partner does, who sees the hand of the player."""
        if not hints:
            return WAITS
        key = heights, hand
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self._answer(heights, hand)
        return known

    def _answer(self, heights: tuple[int, ...], hand: Hand) -> int:
        for n, number in enumerate(hand):
            if self.fits(heights, number):
                for value in self.values_of[number]:
                    if self.leftmost(hand, value) == n:
                        return (value << SLOTS) + self.touched(hand, value)
        return WAITS

    def legal(self, state: State) -> Sequence[Move]:
        if state.waiting != NOTHING:
            return ()
        plays = [(PLAY, n) for n in range(len(state.hands[0]))]
        values = {value for number in state.partner for value in self.values_of[number]}
        hints = [(HINT, value) for value in sorted(values)] if state.hints else []
        return [*plays, *hints, WAITING]

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        what, n = state.waiting
        if what == PLAY:
            events = Counter(hand[n] for hand in state.hands)
        elif what == PARTNER:
            events = Counter(self.answer(state.heights, state.hints, each) for each in state.hands)
        else:
            return ()
        return [(event, count / len(state.hands)) for event, count in sorted(events.items())]

    def apply(self, state: State, move: "Move | int") -> State:
        if isinstance(move, tuple):
            what, n = move
            if what == HINT:
                return self._followed(state, n)
            waiting = move if what == PLAY else (PARTNER, -1)
            log = state.log if what == PLAY else (*state.log, "You passed.")
            return state._replace(waiting=waiting, log=log)
        if state.waiting[0] == PLAY:
            n = state.waiting[1]
            hands = {hand[:n] + hand[n + 1 :] for hand in state.hands if hand[n] == move}
            after = self._played(state, move, f"You played your card {n + 1}, which was")
            unseen = tuple(number for number in state.unseen if number != move)
            return after._replace(hands=tuple(sorted(hands)), unseen=unseen, waiting=(PARTNER, -1))
        same = [h for h in state.hands if self.answer(state.heights, state.hints, h) == move]
        used = move != WAITS
        return self._next(
            state._replace(
                hands=tuple(same), hints=state.hints - used, log=(*state.log, self.saying(move))
            )
        )

    def _followed(self, state: State, value: int) -> State:
        """The state after a hint to the partner, who plays the leftmost card that it names."""
        n = self.leftmost(state.partner, value)
        log = (*state.log, f"You hinted {self.value_name(value)}.")
        after = self._played(
            state._replace(hints=state.hints - 1, log=log), state.partner[n], "Your partner played"
        )
        return self._next(after._replace(partner=state.partner[:n] + state.partner[n + 1 :]))

    def _played(self, state: State, number: int, who: str) -> State:
        """The state after a card was laid on the table."""
        right, heights = self.fits(state.heights, number), self.raised(state.heights, number)
        points = state.points + self.gains(state.heights)[number]
        verdict = "in order" if right else "out of order"
        sentence = f"{who} {self.card(number)}, {verdict}."
        return state._replace(heights=heights, points=points, log=(*state.log, sentence))

    def _next(self, state: State) -> State:
        turns = state.turns - 1
        return state._replace(turns=turns, waiting=NOTHING if turns else (OVER, -1))

    def payoff(self, state: State) -> float:
        return float(state.points)

    def worth(self, state: State, move: Move) -> float:
        """The points that a move brings before the next turn, in expectation."""
        what, n = move
        if what == PASS:
            return 0.0
        gains = self.gains(state.heights)
        if what == HINT:
            return float(gains[state.partner[self.leftmost(state.partner, n)]])
        return sum([gains[hand[n]] for hand in state.hands]) / len(state.hands)

    def solved(self, state: State) -> float | None:
        """The expectation in a turn of the player, without the states that follow."""
        if state.waiting != NOTHING:
            return None
        total = self._best(state.heights, state.partner, state.hands, state.hints, state.turns)
        return state.points + total / len(state.hands)

    def _best(
        self, heights: tuple[int, ...], partner: Hand, hands: Sequence[Hand], hints: int, turns: int
    ) -> float:
        """What can still be won in a turn of the player, times the number of possible hands."""
        gains, left = self.gains(heights), turns - 1
        best = self._answered(heights, partner, hands, hints, left)
        for n in range(len(hands[0])):
            rests: dict[int, list[Hand]] = {}
            for hand in hands:
                rests.setdefault(hand[n], []).append(hand[:n] + hand[n + 1 :])
            worth = 0.0
            for number, rest in rests.items():
                worth += gains[number] * len(rest)
                worth += self._answered(self.raised(heights, number), partner, rest, hints, left)
            best = max(best, worth)
        for n in self.named(partner) if hints else ():
            number, others = partner[n], partner[:n] + partner[n + 1 :]
            worth = gains[number] * len(hands)
            if left:
                after = self.raised(heights, number)
                worth += self._best(after, others, hands, hints - 1, left)
            best = max(best, worth)
        return best

    def _answered(
        self, heights: tuple[int, ...], partner: Hand, hands: Sequence[Hand], hints: int, turns: int
    ) -> float:
        """The same before the answer of the partner."""
        if not turns:
            return 0.0
        if not hints:
            return self._best(heights, partner, hands, hints, turns)
        answers: dict[int, list[Hand]] = {}
        for hand in hands:
            answers.setdefault(self.answer(heights, hints, hand), []).append(hand)
        return sum(
            self._best(heights, partner, same, hints - (answer != WAITS), turns)
            for answer, same in answers.items()
        )

    def raised(self, heights: tuple[int, ...], number: int) -> tuple[int, ...]:
        """The table after a card was laid."""
        if not self.fits(heights, number):
            return heights
        colour = number // self.ranks
        return (*heights[:colour], heights[colour] + 1, *heights[colour + 1 :])

    def named(self, hand: Hand) -> set[int]:
        """The positions of the cards that are the first ones of their colour or rank."""
        colours = {number // self.ranks: n for n, number in [*enumerate(hand)][::-1]}
        ranks = {number % self.ranks: n for n, number in [*enumerate(hand)][::-1]}
        return {*colours.values(), *ranks.values()}

    def value_name(self, value: int) -> str:
        """The colour or rank of a hint."""
        colours = len(self.values)
        return COLOURS[value] if value < colours else str(value - colours + 1)

    def name(self, state: State, move: "Move | int") -> str:
        assert isinstance(move, tuple)
        what, n = move
        if what == PASS:
            return PASS
        return f"play {n + 1}" if what == PLAY else f"hint {self.value_name(n)}"

    def read(self, state: State, text: str) -> Move:
        moves = {self.name(state, move): move for move in self.legal(state)}
        # "Play" before a card is part of the move, not of words such as "my play is".
        if len(text) <= LONGEST:
            text = _PLAY.sub("lay", text)
        return moves[action(text, {name: synonyms(name) for name in moves})]

    def show(self, state: State) -> str:
        table = ", ".join(f"{name} {height}" for name, height in zip(COLOURS, state.heights))
        own = len(state.hands[0])
        unseen = ", ".join(map(self.card, state.unseen)) or "none"
        aside = len(state.unseen) - own
        so_far = "\n".join(state.log) or "Nothing has happened yet."
        return (
            f"{so_far}\nTable (highest rank of each colour): {table}.\n"
            f"Your partner's cards, from the left: "
            f"{', '.join(map(self.card, state.partner)) or 'none'}.\n"
            f"You have {own} card{'s' * (own != 1)}. Cards that you do not see: {unseen}; {own} of "
            f"them in your hand and {aside} set aside.\n"
            f"Hints left: {state.hints}. Turns left: {state.turns}. Points: {state.points}."
        )

    def saying(self, event: int) -> str:
        """A sentence that states what the partner did."""
        if event == WAITS:
            return "Your partner did nothing."
        value, touched = event >> SLOTS, event & ((1 << SLOTS) - 1)
        slots = [str(n + 1) for n in range(SLOTS) if touched >> n & 1]
        cards = f"cards {', '.join(slots)} are" if len(slots) > 1 else f"card {slots[0]} is"
        return f"Your partner hinted that of your cards then, {cards} {self.value_name(value)}."

    def news(self, state: State, event: "Move | int") -> str:
        return ""

    def end(self, state: State) -> str:
        last = " ".join(state.log[-2:])
        return f"{last} The round is over. You have a result of {state.points} points."

    def scene(self, state: State) -> Cards:
        def face(number: int) -> Card:
            colour, rank = divmod(number, self.ranks)
            return Card(str(rank + 1), tone=("bad", "c1", "good")[colour])

        table = tuple(
            face(colour * self.ranks + height - 1) if height else Card("-", fill="muted")
            for colour, height in enumerate(state.heights)
        )
        own = tuple(Card("?", fill="muted") for _ in state.hands[0])
        return Cards(
            (table, tuple(map(face, state.partner)), own), labels=("table", "partner", "you")
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def greedy(state: State, kinds: Sequence[str]) -> Move:
            """The move of these that brings most points at once, or else passing."""
            moves = [move for move in self.legal(state) if move[0] in kinds]
            best = max(moves, key=lambda move: self.worth(state, move), default=WAITING)
            return best if self.worth(state, best) > 0 else WAITING

        def first(*kinds: str) -> Callable[[State, Random], Move]:
            """The best move of the first of these forms of moves that brings points."""

            def choose(state: State, rng: Random) -> Move:
                options = [greedy(state, [each]) for each in kinds]
                return next((move for move in options if move[0] != PASS), WAITING)

            return choose

        def patient(state: State, rng: Random) -> Move:
            """A move that is certain to bring points; else passing, but not in the last turn."""
            best = greedy(state, (PLAY, HINT))
            certain = self.worth(state, best) >= min(self.values)
            return best if certain or state.turns == 1 or not state.hints else WAITING

        def after_passing(state: State, rng: Random) -> Move:
            """Passing in the first turn, and then the most points at once."""
            moved = any(sentence.startswith("You ") for sentence in state.log)
            return greedy(state, (PLAY, HINT)) if moved else WAITING

        return {
            "passing once, then the most points at once": after_passing,
            "passing until points are certain": patient,
            "the most points at once": lambda state, rng: greedy(state, (PLAY, HINT)),
            "hints first, then cards": first(HINT, PLAY),
            "cards first, then hints": first(PLAY, HINT),
            "cards only": first(PLAY),
            "hints only": first(HINT),
        }


def synonyms(name: str) -> list[str]:
    """Other ways to write a move, in lower case, with "lay" for "play".

    >>> "lay card 1" in synonyms("play 1"), "hint rank 2" in synonyms("hint 2")
    (True, True)
    """
    if name == PASS:
        return ["wait", "skip", "do nothing", "nothing", "no move", "i pass"]
    verb, what = name.split()
    if verb == PLAY:
        cards = ("card", "my card", "the card", "card number", "my card number", "slot", "position",
                 "the card at position", "my card at position", "the card in position")  # fmt: skip
        lay = ("lay", "lay down", "put down", "i lay")
        leftmost = ("the leftmost card", "my leftmost card", "the first card", "my first card")
        forms = [what, *(f"{card} {what}" for card in cards), *(leftmost if what == "1" else ())]
        return [f"{each} {form}" for each in lay for form in forms]
    forms = [what, f"{what}s", f"all {what}s"]
    if what.isdigit():
        forms += [f"rank {what}", f"the rank {what}", f"number {what}"]
    else:
        forms += [f"colour {what}", f"color {what}", f"the colour {what}", f"the color {what}"]
    verbs = ("hint", "give the hint", "give a hint", "hint at", "hint to my partner", "give hint")
    return [f"{each} {form}" for each in verbs for form in forms]
