"""A card game of guesses with rising prizes, of the family of acey-deucey and television shows."""

from random import Random
from typing import Any

from palaestra.generators.games.cards.higher_or_lower import HigherOrLower as Rules
from palaestra.generators.games.cards.higher_or_lower import State
from palaestra.generators.games.chance import ChanceGame
from palaestra.task import ladder


class HigherOrLower(ChanceGame):
    """Guess whether the next card is higher or lower, swap the open card, or stop in time."""

    tags = {"chance", "cards", "expected-value", "planning"}
    tolerance = 0.02
    baseline_note = (
        "A likely guess is right as long as the deck has several cards, so that a player who "
        "guesses from 70 % on, and swaps before a less likely guess, is often right throughout."
    )
    one_solution = True
    most_states = 200_000

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(3, 3, 3, 4, 6, 9, low=1, high=10)
        least_decisions: int = ladder(1, 1, 1, 2, 2, 2, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(20.0, 4.0, 2.0, 0.5, 0.3, 0.1, low=0.1)  # points
        cards: int = ladder(4, 5, 6, 7, 7, 8, low=3, high=8)  # in the deck
        ranks: int = ladder(9, 10, 11, 12, 13, 13, low=5, high=13)
        guesses: int = ladder(2, 3, 3, 4, 4, 4, low=1, high=5)  # at most, from the start
        swaps: int = ladder(0, 1, 1, 1, 1, 1, low=0, high=1)

    prizes: tuple[int, ...]
    deck: tuple[int, ...]
    swaps: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        prizes = [0, rng.randint(4, 9)]
        for _ in range(knobs.guesses):
            prizes.append(prizes[-1] + 1 + int(prizes[-1] * rng.uniform(0.2, 1.4)))
        deck = sorted(rng.randint(1, knobs.ranks) for _ in range(knobs.cards))
        return {"prizes": tuple(prizes), "deck": tuple(deck), "swaps": knobs.swaps}

    def rules(self) -> Rules:
        return Rules(self.prizes, self.deck)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        card = rng.randint(1, knobs.ranks)
        return State(rules.deck, card, 1, knobs.swaps, "")

    def description(self) -> str:
        prizes = ", ".join(f"{n}: {prize}" for n, prize in enumerate(self.prizes) if n)
        most = len(self.prizes) - 1
        judging = self.judging()
        return self.phrase(
            "A card game. One card is open; the other cards are in a shuffled deck, of which you "
            "know the cards but not their order; each round begins with the same deck, shuffled "
            "anew. You may guess that the next card of the deck is "
            "'higher' or 'lower' than the open card, and it is drawn: it becomes the open card and "
            "does not return to the deck. If you are right, the number of your right guesses goes "
            "up by one. If you are wrong, or the cards are equal, the round ends with 0 points. "
            "With 'stop', the round ends with the points of your right guesses. With 'swap', if "
            "you have a swap left, the next card of the deck replaces the open card without a "
            "guess. Each round starts with 1 right guess. Points by the number of right guesses: "
            f"{prizes}. After {most} right guesses, or with at least one and an empty deck, you "
            f"get the points and the round is over.\n\n{judging} A move looks like 'higher'.",
            "Guess cards, and stop before a guess is wrong. You see the open card, and which cards "
            "are left in the deck, in ascending order, not in the order in which they come, which "
            "is random; all rounds start with the same cards in the deck. 'higher' and 'lower' are "
            "guesses about the next card of the deck compared with the open card. A right guess "
            "counts one; a wrong one, to which an equal card belongs, ends the round, and you get "
            "0 points. In both cases the drawn card is the new open card and has left the deck. "
            "'swap' draws the next card as the new open card and is no guess; it uses up a swap, "
            "if there are any. 'stop' ends the round, and you get the points for the guesses so "
            f"far: {prizes} (number of right guesses: points). One right guess is a gift at the "
            f"start of each round. A round also ends, with these points, after {most} right "
            f"guesses or when no card is left in the deck.\n\n{judging} For example, a move is "
            "'higher'.",
        )
