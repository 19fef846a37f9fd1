"""Rock, paper, scissors in several throws, the old game of hand signs.

The signs are worth different points, and the built-in opponent chooses them with probabilities that
depend on the last throw. The best answers are those of a Markov decision process (Bellman, 1957).
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from palaestra.generators.decisions import best_move
from palaestra.generators.matches.rock_paper_scissors import (
    OUTCOMES,
    SIGNS,
    State,
    ThrowResponse,
    beats,
    throw_response,
)
from palaestra.generators.matches.rock_paper_scissors import RockPaperScissors as Rules
from palaestra.generators.matches.simultaneous_match import Chooser, SimultaneousMatch
from palaestra.task import ladder

STEP = 5
"""Probabilities are multiples of this many percent."""

MOST_POINTS = 5
"""The most points for a sign that beats another one."""


class RockPaperScissors(SimultaneousMatch):
    """Throw signs for the best expectation against an opponent who remembers the last throw."""

    unit = "points"
    question = "Your throw?"

    class Knobs(SimultaneousMatch.Knobs):
        rounds: int = ladder(1, 3, 4, 4, 5, low=1, high=8)
        least_decisions: int = ladder(2, 4, 5, 6, 6, low=1, high=12)  # in a trial of each round
        most_gap: float = ladder(2.0, 0.2, 0.1, 0.06, 0.04, low=0.001)
        beaten: int = ladder(1, 2, 2, 2, 2, low=1, high=2)  # signs that each sign beats
        throws: int = ladder(2, 4, 5, 6, 8, low=1, high=12)  # in each round
        by_outcome: int = ladder(0, 0, 1, 1, 1, low=0, high=1)  # whether outcomes matter as well

    worth: tuple[tuple[int, ...], ...]
    table: tuple[tuple[int, ...], ...]
    by_outcome: bool

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        signs = range(2 * knobs.beaten + 1)
        worth = tuple(
            tuple(
                rng.randint(1, MOST_POINTS) if beats(one, other, len(signs)) else 0
                for other in signs
            )
            for one in signs
        )
        rows = len(signs) * (len(OUTCOMES) if knobs.by_outcome else 1)
        table = tuple(cls._row(rng, len(signs)) for _ in range(rows))
        return {"worth": worth, "table": table, "by_outcome": bool(knobs.by_outcome)}

    @staticmethod
    def _row(rng: Random, signs: int) -> tuple[int, ...]:
        """Percentages of all signs, often nearly even: a sign that leads to a row that is easy to
        exploit may then be better than the best one for this throw.
        """
        row, frequent = [STEP] * signs, rng.randrange(signs)
        left = 100 // STEP - signs
        row[frequent] += STEP * (more := rng.choice((0, left // 2, left)))
        for _ in range(left - more):
            row[row.index(min(row)) if rng.randrange(2) else rng.randrange(signs)] += STEP
        return tuple(row)

    def rules(self) -> Rules:
        return Rules(self.worth, self.table, self.by_outcome)

    def response(self) -> ThrowResponse:
        return throw_response(self.rules(), self.seat)

    def trial(self) -> ThrowResponse:
        return self.response()  # all rounds have the same states

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        return State(rng.randrange(rules.number), rng.randrange(rules.number), knobs.throws, 0)

    def game(self) -> str:
        throws = self.rules().decode(self.positions[0]).left
        each = "one throw" if throws == 1 else f"{throws} throws"
        names = ", ".join(SIGNS[: len(self.worth)])
        wins = "\n".join(
            f"- {SIGNS[one]} beats "
            + ", ".join(
                f"{SIGNS[other]} ({points} point{'s' * (points > 1)})"
                for other, points in enumerate(row)
                if points
            )
            for one, row in enumerate(self.worth)
        )
        return self.phrase(
            "Two players show hand signs at the same time, without knowing the sign of the other "
            f"player. The signs are {names}. If one of the two signs beats the other, its player "
            "gets the points that are stated here; two equal signs are a tie and give nothing:\n"
            f"{wins}\n"
            f"A round has {each}. Before the first throw of a round, a last throw of each player "
            "is stated, which counts as the last throw but gives no points. The result of a round "
            "is the number of your points in it minus your opponent's. A move is a sign, such as "
            f"'{SIGNS[0]}'.",
            f"A game of signs: in each throw, both players secretly choose one of {names}, and "
            "then show their choices together. The player with the sign that wins against the "
            "other one gets the points in brackets, and the other player gets nothing; the same "
            f"sign twice is worth nothing to anybody.\n{wins}\n"
            f"There are {each} in a round. Each round starts with a throw of both players that is "
            "given: nobody gets points for it, but it is the last throw when the round begins. "
            "What counts is your points less your opponent's. Write the name of a sign, for "
            f"example '{SIGNS[0]}'.",
        )

    def strategy_text(self) -> str:
        names = SIGNS[: len(self.worth)]
        before, head, keys = "your last throw", "your last throw", [*names]
        if self.by_outcome:
            before += ", and on whether it won, tied or lost against that"
            head += ", and how it ended for the opponent"
            keys = [f"{name}, {ended}" for name in names for ended in OUTCOMES]
        rows = (f"{key} | {' | '.join(map(str, row))}" for key, row in zip(keys, self.table))
        text = (
            "If the other seat is the built-in opponent, it chooses each sign at random, with "
            f"probabilities in percent that depend on {before}:"
        )
        return "\n".join([text, f"{head} | {' | '.join(names)}", *rows])

    def thumbs(self) -> Mapping[str, Chooser]:
        rules = self.rules()
        signs = range(rules.number)

        def this_throw(state: State, player: int, rng: Random) -> int:
            """The best expectation of the next throw."""
            return best_move(rules.gain(state, player))

        def mean(state: State, player: int, rng: Random) -> int:
            """The best sign against the mean of all rows."""
            worth = {
                sign: sum(
                    (rules.worth[sign][other] - rules.worth[other][sign]) * row[other]
                    for row in rules.table
                    for other in signs
                )
                for sign in signs
            }
            return best_move(worth)

        def likely(state: State, player: int, rng: Random) -> int:
            """The most points against the most likely sign."""
            chances = rules.chances_of(state, 1 - player)
            other = max(signs, key=lambda sign: chances[sign])
            return max(signs, key=lambda sign: rules.worth[sign][other])

        def beat_last(state: State, player: int, rng: Random) -> int:
            """The most points against the last throw of the opponent."""
            other = state.second if player == 0 else state.first
            return max(signs, key=lambda sign: rules.worth[sign][other])

        def repeat(state: State, player: int, rng: Random) -> int:
            return state.first if player == 0 else state.second

        return {
            "best for this throw": this_throw,
            "best against the mean": mean,
            "most points against the most likely sign": likely,
            "most points against the last throw": beat_last,
            "the same sign again": repeat,
        }
