"""Kalah, the mancala game that William Julius Champion Jr. devised in 1940."""

from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.kalah import Kalah as KalahRules
from palaestra.generators.matches.kalah import State
from palaestra.task import ladder


class Kalah(BoardMatch):
    """Win an endgame of Kalah against a perfect opponent."""

    baseline_note = (
        "In an endgame, whoever leaves the opponent few seeds and moves follows the main rule of "
        "strong players, and a player with few houses has few moves to choose from; positions that "
        "can be solved in time leave such a player about half of the wins."
    )

    class Knobs(BoardMatch.Knobs):
        houses: int = ladder(4, 5, 6, 6, 7, low=3, high=8)  # of each player
        seeds: int = ladder(2, 3, 3, 4, 4, low=2, high=6)  # for each house, of all that exist
        free: int = ladder(7, 8, 8, 8, 9, low=4, high=12)  # seeds in houses
        behind: int = ladder(0, low=-2, high=3)  # seeds that the player lacks
        least_moves: int = ladder(2, 3, 4, 4, 5, low=1, high=16)
        most_chance: float = ladder(0.4, 0.2, 0.08, 0.03, 0.006, low=1e-8)

    most_nodes = 1_500
    candidates = 128

    houses: int
    seeds: int

    @classmethod
    def rules_of(cls, knobs: Any) -> KalahRules:
        return KalahRules(knobs.houses, knobs.seeds)

    def rules(self) -> KalahRules:
        return KalahRules(self.houses, self.seeds)

    @classmethod
    def opening(cls, rng: Random, rules: KalahRules, knobs: Any) -> State | None:
        """Seeds in random houses, and the others in the stores."""
        houses, total = knobs.houses, 2 * knobs.houses * knobs.seeds
        free = min(knobs.free, total - 4)
        side = [0] * (2 * houses)
        for _ in range(free):
            side[rng.randrange(2 * houses)] += 1
        mine = max(0, total - free - knobs.behind) // 2
        stores = [mine, total - free - mine]
        turn = rng.randrange(2)
        seeds = (*side[:houses], stores[turn], *side[houses:], stores[1 - turn])
        state = State(seeds, turn)
        return state if any(rules.sides(state)[turn]) else None

    def description(self) -> str:
        last = self.houses
        return self.phrase(
            f"Kalah with {last} houses for each player. X owns the lower row, whose houses are "
            f"numbered 1 to {last} from left to right, and O owns the upper row, whose houses are "
            f"numbered 1 to {last} from right to left; the number of seeds in each is shown. Each "
            f"player's store comes after the own house {last}. In turn, a player takes all seeds "
            "from one own house, and sows them one by one: into the next own houses in the order "
            "of their numbers, into the own store, into the other player's houses from 1 on, and "
            "then, skipping the other player's store, into the own houses from 1 on again. If the "
            "last seed falls into the own store, the same player moves again. If it falls into an "
            "own house that was empty, and the other player's house directly opposite holds seeds, "
            "both this seed and those seeds go to the own store. If a player to move has no seeds "
            "in houses, the other player puts all remaining seeds into the own store, and the game "
            "ends. It also ends as soon as a store holds more than half of all seeds. Whoever has "
            "more seeds in the store wins. A move is a house, such as 'house 1'.",
            f"This is a game of Kalah (mancala). Each of the players X and O has {last} houses and "
            "a store. X's houses are the lower row, with house 1 on the left and X's store at the "
            "right end; O's houses are the upper row, with house 1 on the right and O's store at "
            "the left end. A move empties one of your houses that has seeds and drops them one at "
            "a time, counterclockwise, into the following houses and your store, but never into "
            "the store of the opponent. A last seed in your store gives you another move. A last "
            "seed in a house of yours that was empty captures: if the opposing house is not empty, "
            "its seeds and the last seed go into your store. When the player to move has only "
            "empty houses, the opponent keeps all seeds that are left in houses, and the game is "
            "over. The player with more seeds wins; the game stops earlier once a store has more "
            "than half of the seeds. Write a move with the number of the house, for example 'house "
            "1'.",
        )
