"""Finding false coins on a balance, against an adversary, with a price for each coin.

Without prices this is the problem of twelve coins (Howard Grossman, "The twelve-coin problem",
1945); on two false coins see Ratko Tošić, "Two counterfeit coins", 1983.
"""

from random import Random
from typing import ClassVar, Literal, Self

from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.generators.games.deduction.coin_weighing import CoinWeighing as Rules
from palaestra.generators.games.deduction.coin_weighing import State, cents_of, name_of
from palaestra.generators.states import encoded
from palaestra.task import ladder


class CoinWeighing(AdversaryGame):
    """Find the false coins by weighings, whatever their results are."""

    tries: ClassVar[int] = 3

    class Knobs(AdversaryGame.Knobs):
        least_difficulty: float = ladder(1.0, 1.0, 1.0, 1.0, 1.0, 2_500.0, low=1.0)
        coins: int = ladder(7, 6, 6, 7, 7, 7, low=4, high=9)
        # One heavy or light coin, two heavy ones, or a heavy and a light one.
        false_coins: Literal["one", "two", "mixed"] = ladder("one", "two", "mixed")
        side: int = ladder(1, 2, 1, 1, 1, 1, low=1, high=2)  # coins on a side at most
        earlier: int = ladder(0, 0, 0, 0, 0, 0, low=0, high=2)  # weighings before the first one
        cheapest: int = ladder(1, 1, 1, 1, 5, 5, low=1, high=10)  # price of a coin, in cents
        dearest: int = ladder(30, 12, 12, 12, 20, 20, low=12, high=30)

    prices: tuple[int, ...]
    false_coins: Literal["one", "two", "mixed"]
    side: int

    @classmethod
    def candidate(cls, rng: Random, knobs: Knobs) -> Self:
        """A game with random prices, and with random results of earlier weighings."""
        prices = tuple(rng.randint(knobs.cheapest, knobs.dearest) for _ in range(knobs.coins))
        rules = Rules(prices, knobs.false_coins, knobs.side)
        state = State((), 10**6, 0)
        for _ in range(knobs.earlier):
            after = rules.answers(state, rng.choice(rules.weighings(state)))
            new = after[rng.choice(sorted(after))]
            state = state if rules.possible(new).bit_count() == 1 else new
        cents = cents_of(rules, rules.possible(state))
        return cls(
            position=encoded(State(state.log, cents, 0)),
            seed_of_adversary=rng.getrandbits(32),
            prices=prices,
            false_coins=knobs.false_coins,
            side=knobs.side,
        )

    def rules(self) -> Rules:
        return Rules(self.prices, self.false_coins, self.side)

    def description(self) -> str:
        coins, side = len(self.prices), self.side
        prices = ", ".join(f"coin {n}: {price}" for n, price in enumerate(self.prices, 1))
        example = name_of(self.rules().statements()[0])
        if self.false_coins == "one":
            genuine = f"{coins - 1} of them are genuine and weigh the same"
            first = "The other one is false: it is either heavier or lighter than a genuine coin"
            goal = "which coin is false, and whether it is heavy or light"
        elif self.false_coins == "two":
            genuine = f"{coins - 2} of them are genuine and weigh the same"
            first = (
                "The other two are false: both are heavier than a genuine coin, by the same amount"
            )
            goal = "which two coins are heavy"
        else:
            genuine = f"{coins - 2} of them are genuine and weigh the same"
            first = (
                "The other two are false: one is heavier than a genuine coin, and one is lighter, "
                "by the same amount"
            )
            goal = "which coin is heavy and which one is light"
        sizes = "one coin on each side"
        if side > 1:
            sizes = f"the same number of coins on each side, at most {side}"
        weighing = "weigh 1 against 2" if side == 1 else "weigh 1 2 against 3 4"
        return self.phrase(
            f"There are {coins} coins, numbered from 1. {genuine}. {first}. Find out {goal}. For "
            f"this, you have a balance. In a weighing, you put {sizes}. You learn whether the left "
            "side is heavier, the right side is heavier, or they balance. Each weighing costs the "
            f"sum of the prices of its coins. The prices in cents are: {prices}. You cannot make a "
            "weighing that you cannot pay. It is not fixed at the start which coins are false: an "
            "adversary chooses the result of each weighing. It may choose any result that is "
            "possible after the earlier ones, and chooses the one after which you need the most "
            "cents. At the start, you have as many cents as the best strategy needs in the worst "
            "case. End the game with a statement, which is free. You win if it is the only "
            "possibility that agrees with all results. If anything else is possible too, you "
            f"lose, so do not guess. A move is a weighing, such as '{weighing}', or a statement, "
            f"such as '{example}'.",
            f"You have {coins} coins and a balance, and have to find out {goal}. The coins are "
            f"numbered from 1. {genuine}. {first}. In each move but the last one, you make a "
            f"weighing, with {sizes}. Its result is that the left side is heavier, that the right "
            "side is heavier, or that they balance. You pay for every coin on the balance, each "
            f"time. These are the prices in cents: {prices}. A weighing that costs more than you "
            "have left is not allowed. The results are not settled in advance: of those that agree "
            "with the earlier results, you always get the one that is worst for you. Your cents "
            "are just enough for a strategy that works whatever the results are. Your last move is "
            "a statement, which costs nothing. It wins if no other possibility agrees with all "
            "results, and it loses otherwise, even if it is one of several possibilities. Write a "
            f"weighing, for example '{weighing}', or a statement, for example '{example}'.",
        )

    def difficulty(self) -> float:
        """How many games a player needs for one without a mistake who weighs at random, and makes
        no statement before it is certain, against the best answers.
        """
        games, rules = 1.0, self.rules()
        for state, move in self._line():
            if move.is_weighing:
                moves = rules.weighings(state)
                games *= len(moves) / sum(rules.keeps(state, each) for each in moves)
        return games
