"""Trails of light on a board, after arcade games of the late 1970s and early 1980s.

Both players move at the same time, and may not enter any cell that was entered before.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from palaestra.generators.matches.light_trails import LightTrails as Rules
from palaestra.generators.matches.light_trails import (
    State,
    TrailResponse,
    at,
    reached,
    trail_response,
)
from palaestra.generators.matches.simultaneous_match import Chooser, SimultaneousMatch, this_turn
from palaestra.task import ladder


class LightTrails(SimultaneousMatch):
    """Leave the other player no free cell, in simultaneous steps, with the best expectation."""

    tags = {"two-players", "simultaneous", "chance", "expected-value", "spatial"}
    unit = "points"
    candidates = 8
    most_states = 3_000

    class Knobs(SimultaneousMatch.Knobs):
        rounds: int = ladder(2, 3, 3, 5, 5, 6, low=1, high=10)
        least_decisions: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=8)  # in a trial of each round
        most_gap: float = ladder(2.0, 0.5, 0.2, 0.1, 0.08, 0.06, low=0.002)
        rows: int = ladder(3, 4, 4, 5, 5, 5, low=3, high=8)
        columns: int = ladder(4, 4, 5, 5, 5, 5, low=3, high=8)
        free: int = ladder(7, 10, 13, 16, 17, 18, low=6, high=22)  # cells at the start of a round

    rows: int
    columns: int
    walls: int
    turns: tuple[int, int, int]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        ahead = rng.choice((40, 50, 60, 70))
        right = rng.choice([n for n in range(10, 100 - ahead, 5) if n != (100 - ahead) // 2])
        return {
            "rows": knobs.rows,
            "columns": knobs.columns,
            "walls": cls._walls(rng, knobs.rows, knobs.columns, knobs.free + 2),
            "turns": (ahead, right, 100 - ahead - right),
        }

    @staticmethod
    def _walls(rng: Random, rows: int, columns: int, floor: int) -> int:
        """Random walls that leave so many cells, which are connected."""
        walls, cells = 0, [*range(rows * columns)]
        rng.shuffle(cells)
        left = len(cells)
        for cell in cells:
            more = walls | 1 << cell
            start = next(each for each in cells if not more >> each & 1)
            if left > floor and len(reached(rows, columns, more, start)) == left - 2:
                walls, left = more, left - 1
        return walls

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns, self.walls, self.turns)

    def response(self) -> TrailResponse:
        return trail_response(self.rules(), self.seat)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        cells = range(rules.rows * rules.columns)
        first, second = rng.sample([cell for cell in cells if not rules.walls >> cell & 1], 2)
        ways = rng.randrange(4), rng.randrange(4)
        state = State(first, second, *ways, 1 << first, 1 << second)
        if rules.outcome(state) is not None:
            return None
        return state if min(len(rules.choices(state, seat)) for seat in (0, 1)) > 1 else None

    def game(self) -> str:
        board = f"{self.rows} rows and {self.columns} columns"
        return self.phrase(
            f"Two players, X and O, ride on a board of {board}, whose cells are free ('.'), walls "
            "('#') or parts of a trail ('x' or 'o'). In each turn, both players step up, down, "
            "left or right to a neighbouring cell at the same time, without knowing the step of "
            "the other player. The cell has to be free before the turn; that of a player is not. "
            "The cell that a player leaves becomes a part of the trail of this player, and nobody "
            "may enter it any more. If both players step to the same cell, the round is a draw. "
            "Otherwise, if a player then has no free cell to step to, this player has lost and the "
            "other one has won; if this is true of both players, the round is a draw. A round that "
            "you win gives you 1 point, a draw 0 points, and a round that you lose -1 point. A "
            "move is 'up', 'down', 'left' or 'right'; it looks like 'left'.",
            f"A duel of trails on {board}. X and O move simultaneously, one cell in one of the "
            "four directions, and each decides without knowing what the other one does. Only free "
            "cells ('.') may be entered: neither walls ('#'), nor trails ('x' and 'o'), nor a cell "
            "on which one of the players is at the beginning of the turn. Behind every player, the "
            "cell that was left stays blocked for the rest of the round. A round ends as soon as "
            "both enter the same cell, which is a draw, or at least one player has no free cell "
            "next to it after a turn: then a player who still has one wins, and if neither has "
            "one, the round is a draw. The winner of a round gets 1 point and the loser -1; a draw "
            "is worth 0. Write 'up', 'down', 'left' or 'right', for example 'left'.",
        )

    def strategy_text(self) -> str:
        ahead, right, left = self.turns
        return (
            "If the other seat is the built-in opponent, it steps at random: with a probability of "
            f"{ahead}% in the direction in which it is facing, with {right}% in the direction to "
            f"its right, and with {left}% in that to its left. (If it faces up, its right is right "
            "and its left is left; if it faces down, its right is left.) Directions without a free "
            "cell are left out, and the probabilities of the others are increased in proportion, "
            "so that they add up to 100%. It goes back only if none of these three cells is free. "
            "After a step, it faces in the direction of that step."
        )

    def thumbs(self) -> Mapping[str, Chooser]:
        rules = self.rules()

        def ended(state: State, player: int) -> float | None:
            outcome = rules.outcome(state)
            if outcome is None:
                return None
            return 100 * (outcome if player == 0 else -outcome)

        def room(state: State, player: int) -> float:
            """How much more room a player has than the other one."""
            over = ended(state, player)
            more = rules.room(state, player) - rules.room(state, 1 - player)
            return more if over is None else over

        def nearer(state: State, player: int) -> float:
            over = ended(state, player)
            return rules.nearer(state, player) if over is None else over

        def chance(state: State, player: int) -> float:
            return ended(state, player) or 0.0

        def own_room(state: State, player: int, rng: Random) -> int:
            """The most room for the own next steps, as if the other player stood still."""
            taken = rules.walls | state.first_trail | state.second_trail
            sizes = {
                way: rules.room(state._replace(first=cell, first_trail=taken | 1 << cell), 0)
                for way, cell in rules.options(state, player)
            }
            return max(sizes, key=lambda way: sizes[way])

        def own_cells(state: State, player: int, rng: Random) -> int:
            """The most cells that are nearer to the own next cell than to the other player."""
            sizes = dict[int, int]()
            taken = rules.walls | state.first_trail | state.second_trail
            theirs = reached(rules.rows, rules.columns, taken, at(state, 1 - player))
            for way, cell in rules.options(state, player):
                mine = reached(rules.rows, rules.columns, taken | 1 << cell, cell)
                sizes[way] = sum(steps < theirs.get(each, 1_000) for each, steps in mine.items())
            return max(sizes, key=lambda way: sizes[way])

        def ahead(state: State, player: int, rng: Random) -> int:
            """The likeliest step of the built-in opponent, if it were this player."""
            chances = rules.chances_of(state, player)
            return max(chances, key=lambda way: chances[way])

        return {
            "most room": own_room,
            "most room, compared with the other player": this_turn(rules, room),
            "most cells nearer to the own next cell": own_cells,
            "most cells that are nearer": this_turn(rules, nearer),
            "best for this turn": this_turn(rules, chance),
            "ahead": ahead,
        }
