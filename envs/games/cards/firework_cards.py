"""Playing cards in order with a partner, a reduced form of the game Hanabi.

Hanabi is by Antoine Bauza (2010). Bard et al. (The Hanabi Challenge, 2020) propose it as a
benchmark of cooperation.
"""

from itertools import permutations
from random import Random
from typing import Any, ClassVar

from palaestra.generators.decisions import ROUNDING, right_moves
from palaestra.generators.games.cards.firework_cards import (
    COLOURS,
    NOTHING,
    PARTNER,
    WAITING,
    State,
)
from palaestra.generators.games.cards.firework_cards import FireworkCards as Rules
from palaestra.generators.games.chance import ChanceGame, expectimax
from palaestra.generators.states import encoded
from palaestra.task import ladder


class FireworkCards(ChanceGame):
    """Play cards that you do not see, with hints to and from a partner who follows conventions."""

    tags = {"chance", "expected-value", "planning", "hidden-state", "cooperation", "cards"}
    tolerance = 0.02
    baseline_note = (
        "Players who know which hands are possible, and take points as soon as they are certain, "
        "are often right; to know that from all that has happened is most of the task."
    )

    tries: ClassVar[int] = 24
    """The number of rounds among which a trap is searched for."""

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 3, 3, 3, 4, 5, low=1, high=6)
        least_decisions: int = ladder(1, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(9.0, low=0.05)  # points
        colours: int = ladder(2, 2, 3, 3, 3, 3, low=2, high=3)
        ranks: int = ladder(3, 3, 3, 3, 4, 5, low=3, high=5)
        cards: int = ladder(2, 2, 2, 3, 3, 3, low=2, high=3)  # in each hand
        aside: int = ladder(0, 1, 1, 1, 1, 1, low=0, high=2)
        turns: int = ladder(2, 2, 3, 3, 3, 3, low=2, high=3)
        traps: int = ladder(0, 0, 1, 1, 1, 1, low=0, high=1)  # whether points at once are a trap

    values: tuple[int, ...]
    ranks: int
    loss: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        return {
            "values": tuple(rng.randint(2, 9) for _ in range(knobs.colours)),
            "ranks": knobs.ranks,
            "loss": rng.randint(1, 4),
        }

    def rules(self) -> Rules:
        return Rules(self.values, self.ranks, self.loss)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        """A round in which some cards are on the table, and the partner has often moved.

        With traps, it is the first of some rounds, or else the last of them, with one of two
        properties, so that neither haste nor caution is always right.
        """
        is_trap = rng.choice((cls._tempts, cls._punishes_waiting))
        for _ in range(cls.tries * knobs.traps):
            state = cls._dealt(rng, rules, knobs)
            if state is not None and is_trap(rules, state):
                break
        else:
            state = cls._dealt(rng, rules, knobs)
        return state

    @staticmethod
    def _dealt(rng: Random, rules: Rules, knobs: Any) -> State | None:
        heights = tuple(rng.randrange(knobs.ranks - 1) for _ in rules.values)
        left = [
            colour * knobs.ranks + rank
            for colour, height in enumerate(heights)
            for rank in range(height, knobs.ranks)
        ]
        number = 2 * knobs.cards + knobs.aside
        if len(left) < number:
            return None
        rng.shuffle(left)
        partner, unseen = tuple(left[: knobs.cards]), sorted(left[knobs.cards : number])
        hands = tuple(permutations(unseen, knobs.cards))
        state = State(
            heights, partner, hands, tuple(unseen), rng.randint(1, 3), knobs.turns, 0, (), NOTHING
        )
        if rng.random() < 0.6:
            waiting = state._replace(waiting=(PARTNER, -1), turns=state.turns + 1)
            events, shares = zip(*rules.chances(waiting))
            state = rules.apply(waiting, rng.choices(events, shares)[0])
        return state

    @classmethod
    def _right(cls, rules: Rules, state: State) -> list[Any]:
        expectations = expectimax(rules, cls.most_states, encoded(state)).expectations(state)
        return right_moves(expectations, cls.tolerance)

    @classmethod
    def _tempts(cls, rules: Rules, state: State) -> bool:
        """Whether the best move is not the one that brings the most points at once."""
        at_once = {move: rules.worth(state, move) for move in rules.legal(state)}
        return not {*right_moves(at_once, ROUNDING)} & {*cls._right(rules, state)}

    @classmethod
    def _punishes_waiting(cls, rules: Rules, state: State) -> bool:
        """Whether it is wrong to pass."""
        return WAITING not in cls._right(rules, state)

    def description(self) -> str:
        colours, ranks, start = COLOURS[: len(self.values)], self.ranks, next(self.starts())[0]
        worth = ", ".join(f"{name} {value}" for name, value in zip(colours, self.values))
        names = " and ".join((", ".join(colours[:-1]), colours[-1]))
        loss = f"{self.loss} point{'s' * (self.loss > 1)}"
        turns, judging = start.turns, self.judging()
        return self.phrase(
            f"You and a partner lay cards on the table. Each card has a colour ({names}) and a "
            f"rank from 1 to {ranks}, and no two cards are alike. The cards of a colour have to be "
            "laid in the order of their ranks, from 1 on. A card that is the next one of its "
            f"colour brings points ({worth}); any other card costs {loss} and is discarded.\n\n"
            "You see your partner's cards and not your own; your partner sees yours. You know "
            "which cards you do not see: some are in your hand, and the others, if any, are set "
            "aside. All cards that are neither on the table, nor your partner's, nor in that list "
            "are out of the game. At the start of a round, before anything has happened, all "
            "possibilities are equally likely. No cards are drawn. In each turn you do one of "
            "these:\n"
            "- 'play' with the position of one of your cards, from the left: it is laid on the "
            "table, and the cards to the right of it move up by one position.\n"
            "- 'hint' with a colour or a rank that at least one of your partner's cards has, if a "
            "hint is left. Your partner then lays the leftmost of its cards with that colour or "
            "rank on the table, whatever it is.\n"
            "- 'pass'.\n"
            "Hints are shared by both of you. After your turn, unless it was a hint, your partner "
            "may give a hint to you by this rule, if one is left: it goes through those of your "
            "cards that are the next one of their colour then, from the left. If none of your "
            "cards further left has the rank of such a card, the hint is its rank; if one has, but "
            "none further left has its colour, the hint is its colour; otherwise your partner goes "
            "on to the next such card. If this leads to no hint, your partner does nothing. A hint "
            "states all of your cards with that colour or rank. Your partner follows the rule even "
            f"if it repeats a hint. A round ends after {turns} of your turns.\n\n{judging} A move "
            "looks like 'play 1', 'hint red', 'hint 2' or 'pass'.",
            f"Lay as many cards as possible in order, together with a partner. There are {names} "
            f"cards of the ranks 1 to {ranks}, each of them once. Every colour has a pile of its "
            "own, which grows from rank 1 on without gaps. Points for a card that goes on its "
            f"pile: {worth}. Whoever lays any other card loses {loss}, and it is out of the game. "
            "You share all points.\n\nOf your own cards you see only the backs, and your partner "
            "does not see its own cards; each of you sees those of the other. A list states the "
            "cards that you do not see; those of them that are not in your hand are set aside. "
            "Cards that are not in the list, on the table or your partner's are out of the game. "
            "How they are distributed and in which order you hold them is random, with equal "
            "probabilities, before the first event of a round. Nobody draws cards. Every turn "
            "consists of your move and your partner's answer. Your move is one of three:\n"
            "- 'play' and the position of your card (1 is the leftmost). The card is laid, and "
            "the gap is closed from the right.\n"
            "- 'hint' and a colour or a rank, which costs one of the hints that you have in "
            "common; some card of your partner must have it. The answer is that your partner lays "
            "the card with this colour or rank that is leftmost in its hand, in order or not.\n"
            "- 'pass'.\n"
            "If your move was no hint and at least one hint is left, your partner looks, from "
            "left to right, for a card of yours that could be laid in order now and that is the "
            "leftmost card of yours with its rank or the leftmost with its colour. For the first "
            "such card, it uses up a hint and states which of your cards have that rank; or, if "
            "the card is only the leftmost with its colour, which have that colour. It does so "
            "also if you know that already. If there is no such card, it does nothing. A round "
            f"has {turns} turns.\n\n{judging} Write a move, for example "
            "'play 1', 'hint red', 'hint 2' or 'pass'.",
        )
