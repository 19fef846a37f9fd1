"""Guessing a number with lies, a problem of Alfréd Rényi (1961) and Stanislaw Ulam (1976).

Questions are comparisons, as in Ronald Rivest et al., "Coping with Errors in Binary Search
Procedures" (1980).
"""

from random import Random
from typing import Self

from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.generators.games.deduction.guessing_with_lies import GuessingWithLies as Rules
from palaestra.generators.games.deduction.guessing_with_lies import State, cost_of
from palaestra.generators.states import encoded
from palaestra.task import ladder


class GuessingWithLies(AdversaryGame):
    """Single out a number by comparisons, although some answers are wrong."""

    baseline_note = (
        "Where prices are much alike, the middle of the numbers that make no answer wrong is often "
        "the best question."
    )

    class Knobs(AdversaryGame.Knobs):
        numbers: int = ladder(10, 8, 10, 11, 11, 14, low=4, high=14)
        lies: int = ladder(0, 1, 1, 1, 2, 2, low=0, high=2)  # at most
        earlier: int = ladder(0, 1, 1, 1, 2, 3, low=0, high=5)  # questions before the first one

    most_lies: int
    costs: tuple[int, ...]

    @classmethod
    def candidate(cls, rng: Random, knobs: Knobs) -> Self:
        """A game in which some questions have been asked before, and answered at random."""
        rules = Rules(knobs.lies, tuple(rng.randint(2, 30) for _ in range(knobs.numbers - 1)))
        state = State((0,) * knobs.numbers, 30 * knobs.earlier)
        for _ in range(knobs.earlier):
            after = rules.answers(state, rng.randint(2, knobs.numbers))
            new = after[rng.choice(sorted(after))]
            state = state if rules.is_won(new) else new
        coins = int(cost_of(rules, state.lies))
        return cls(
            position=encoded(State(state.lies, coins)),
            seed_of_adversary=rng.getrandbits(32),
            most_lies=rules.most_lies,
            costs=rules.costs,
        )

    def rules(self) -> Rules:
        return Rules(self.most_lies, self.costs)

    def description(self) -> str:
        numbers, lies = len(self.start().lies), self.most_lies
        costs = ", ".join(f"at least {n}: {cost}" for n, cost in enumerate(self.costs, 2))
        wrong = f"{lies} of the answers" if lies > 1 else "one of the answers"
        if lies:
            first = (
                f"At most {wrong} in the whole game may be wrong, counting those to earlier "
                "questions, if there were any; the list below states for each number how many "
                "answers so far are wrong if it is the one. "
            )
            second = (
                f"At most {wrong} may be wrong, earlier ones included, and nothing says which. A "
                "number is ruled out once it would make more answers wrong than that; in the list, "
                "the count behind each number is how many answers so far it makes wrong. "
            )
        else:
            first = second = "All answers are right; the list below states which numbers fit them. "
        return self.phrase(
            f"An adversary has a number from 1 to {numbers} in mind. You ask whether it is at "
            f"least some number, and the answer is yes or no. Questions cost coins ({costs}). "
            f"{first}The adversary is free to change its number, as long as some number is "
            "possible, and answers so that you need many coins. You win when a single number is "
            "left; you have as many coins as the best strategy needs in the worst case. A question "
            "that you cannot pay is not legal, and you lose when you can pay none. A question "
            "looks like 'at least 3'.",
            f"Single out one of the numbers 1 to {numbers}. In each move, you ask 'Is it at least "
            "...?' with a number of your choice, pay for it, and get yes or no as an answer. The "
            f"prices in coins: {costs}. {second}There is no fixed number: the answer is always the "
            "worst one for you that leaves a number. Your coins are just enough for a strategy "
            "that works whatever the answers are. You cannot ask what you cannot pay, and you lose "
            "when that is every question. Write a question, for example 'at least 3'.",
        )
