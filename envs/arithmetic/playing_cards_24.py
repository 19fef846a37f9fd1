"""Making a number of playing cards whose numbers follow from a rule, after the variants of 24 of
T. Chu et al., "SFT Memorizes, RL Generalizes" (GeneralPoints, 2025).
"""

from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.target_hands import NONE, Hand, TargetHands, sampled_hand
from palaestra.task import Puzzle, ladder
from palaestra.verifiers.expressions import worked
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.numbered_items import without_nouns

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "♠♥♦♣"

Rule = Literal["ranks", "red doubled", "high aces", "tens"]

_FACES = "an ace as 1, a jack (J) as 11, a queen (Q) as 12 and a king (K) as 13"

NO_EXPRESSION = frozenset({"not possible", "none", "no expression", "no solution", NONE})
"""Ways to state that there is no expression."""

MOST_STEPS = 9
"""How many parts with equals signs between them are read."""

WORDS = {
    "ranks": f"{_FACES}.",
    "red doubled": f"{_FACES}; but a red card (♥ or ♦) counts as twice its number: 5♥ as 10.",
    "high aces": "a jack (J) as 11, a queen (Q) as 12, a king (K) as 13 and an ace as 14.",
    "tens": "an ace as 1, and a jack (J), a queen (Q) and a king (K) as 10 each.",
}
"""What cards count as by each rule. No level has ``tens``: it is kept for evaluations of whether a
learner applies the rule that the prompt states.
"""


def value(card: str, rule: str) -> int:
    """The number that a card counts as.

    >>> value("J♥", "ranks"), value("J♥", "red doubled"), value("A♠", "high aces")
    (11, 22, 14)
    """
    rank = RANKS.index(card[:-1]) + 1
    if rule == "tens":
        return min(rank, 10)
    if rule == "high aces" and rank == 1:
        return 14
    return rank * 2 if rule == "red doubled" and card[-1] in "♥♦" else rank


class PlayingCards24(TargetHands):
    """Make a number of playing cards that count as a stated rule says, or state that none can."""

    tags = {"calculation", "search", "impossibility", "rules"}

    class Knobs(Puzzle.Knobs):
        hands: int = ladder(1, 2, 2, 3, 4, 4, 5, high=8)
        cards: int = ladder(3, 3, 4, 4, 4, 5, 5, low=3, high=5)
        rule: Rule = ladder(
            *("ranks", "ranks", "ranks", "high aces", "red doubled", "high aces", "red doubled")
        )
        target: int = ladder(20, 20, 24, 24, 24, 40, 60, low=10, high=60)
        spread: int = ladder(10, 10, 0, 0, 20, 20, 40, low=0, high=60)

    cards: tuple[tuple[str, ...], ...]
    rule: str
    hands: tuple[Hand, ...]
    """The numbers that the cards of each hand count as."""

    target: int
    signs: str = "+-*/"

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        target = knobs.target + rng.randint(0, knobs.spread)
        deck = [rank + suit for rank in RANKS for suit in SUITS]
        cards = list[tuple[str, ...]]()
        while len(cards) < knobs.hands:
            solvable = not cards or rng.random() < 0.7
            last = list[tuple[str, ...]]()

            def draw(last: list[tuple[str, ...]] = last) -> Hand:
                last.append(tuple(rng.sample(deck, knobs.cards)))
                return tuple(value(card, knobs.rule) for card in last[-1])

            sampled_hand(draw, target, "+-*/", solvable)
            cards.append(last[-1])
        rng.shuffle(cards)
        hands = tuple(tuple(value(card, knobs.rule) for card in hand) for hand in cards)
        return cls(cards=tuple(cards), rule=knobs.rule, hands=hands, target=target)

    def is_valid(self) -> bool:
        # Where the rule changes no number of any hand, nothing shows whether it was read.
        plain = [[value(card, "ranks") for card in hand] for hand in self.cards]
        faces = any(card[0] in "JQK" for hand in self.cards for card in hand)
        differs = faces if self.rule == "ranks" else plain != [[*hand] for hand in self.hands]
        return differs and super().is_valid()

    def canonical(self) -> str:
        suits = {suit: suit in "♥♦" and self.rule == "red doubled" for suit in SUITS}
        hands = sorted(sorted((card[:-1], suits[card[-1]]) for card in hand) for hand in self.cards)
        return f"{hands} {self.rule} {self.target}"

    def prompt(self) -> str:
        hands = "\n".join(f"{n}: {' '.join(hand)}" for n, hand in enumerate(self.cards, 1))
        ask = self.phrase(
            f"Make {self.target} of the cards of each of these hands, where that is possible:",
            f"For each hand of cards, find an expression with the value {self.target}, or state "
            "that there is none:",
        )
        return (
            f"{ask}\n\n{hands}\n\nA card from 2 to 10 counts as its number, {WORDS[self.rule]} "
            "Write these numbers in expressions, not the cards.\n\n"
            f"{self.rules()}"
        )

    def rules(self) -> str:
        signs = (
            " A minus sign may also stand before a number or a bracket. Multiplication always has "
            "its sign."
        )
        head, blank, tail = super().rules().partition("\n\n")
        return f"{head}{signs}{blank}{tail}"

    def read(self, answer: str) -> dict[str, str]:
        """The line of each hand, of which intermediate values between equals signs are left out."""
        lines = super().read(without_nouns(answer, ["hand"]))
        return {name: self.shortened(line) for name, line in lines.items()}

    def shortened(self, line: str) -> str:
        """A line without the values between its first and last part that are right."""
        if " ".join(line.casefold().rstrip(".").split()) in NO_EXPRESSION:
            return NONE
        first, *between = line.split("=")[:MOST_STEPS]
        right = (worked(part, self.signs).value == self.target for part in between)
        return first.strip() if len(between) > 1 and all(right) else line

    def audit(self, answer: str) -> bool:
        return super().audit(numbered(self.read(answer).values()))

    def faces(self) -> tuple[tuple[str, ...], ...]:
        return self.cards
