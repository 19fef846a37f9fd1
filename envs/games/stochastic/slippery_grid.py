"""A slippery grid with exits and pits, a stochastic shortest-path problem.

Grids of this kind are standard examples of Markov decision processes (Russell and Norvig, 1995).
Here there is a limited number of moves, so that the best move depends on those that are left.
"""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.stochastic.slippery_grid import FLOOR, PIT, STILL, WALL, State
from palaestra.generators.games.stochastic.slippery_grid import SlipperyGrid as Rules
from palaestra.task import ladder


class SlipperyGrid(ChanceGame):
    """Cross a grid on which steps slip sideways, for the best expectation of points."""

    tags = {"chance", "expected-value", "planning", "spatial"}
    tolerance = 0.01
    baseline_note = (
        "A player who looks one step ahead, and counts exits less the farther they are, is "
        "right in most moves far from pits."
    )
    one_solution = True
    most_states = 20_000
    lucks = 2
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(2, 2, 3, 4, 4, 5, low=1, high=8)
        least_decisions: int = ladder(1, 2, 3, 4, 5, 6, low=1, high=12)  # in a trial of each round
        most_gap: float = ladder(2.0, 0.5, 0.2, 0.08, 0.05, 0.03, low=0.02)  # points
        height: int = ladder(3, 4, 4, 5, 6, 7, low=3, high=9)
        width: int = ladder(3, 4, 5, 5, 6, 7, low=3, high=9)
        moves: int = ladder(3, 4, 5, 6, 7, 8, low=2, high=20)
        exits: int = ladder(1, 2, 3, 4, 4, 5, low=1, high=6)

    rows: tuple[str, ...]
    slip: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        cells = knobs.height * knobs.width
        exits = [str(points) for points in rng.sample(range(1, 10), knobs.exits)]
        signs = [*exits, *PIT * (cells // 4), *WALL * (cells // 12)]
        signs += FLOOR * (cells - len(signs))
        rng.shuffle(signs)
        rows = ("".join(signs[n : n + knobs.width]) for n in range(0, cells, knobs.width))
        return {"rows": tuple(rows), "slip": rng.choice((15, 20, 25, 30))}

    def rules(self) -> Rules:
        return Rules(self.rows, self.slip)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State:
        cells = range(len(rules.rows) * rules.width)
        floor = [cell for cell in cells if rules.sign(cell) == FLOOR]
        return State(rng.choice(floor), knobs.moves, STILL)

    def description(self) -> str:
        straight = 100 - 2 * self.slip
        judging = self.judging()
        return self.phrase(
            "You are '@' on a slippery grid ('.' is floor, also below you; '#' a wall; 'O' a pit; "
            "a digit an exit, which is worth that many points). In each move, you try to step up, "
            f"down, left or right. With a probability of {straight}%, the step goes that way; with "
            f"{self.slip}% each, it slips to one of the two sides at a right angle to it: after "
            "'up', to the left or to the right. A step against a wall or off the grid leaves you "
            "where you are, and counts. A round ends on an exit, with its points, in a pit, with 0 "
            f"points, or when no moves are left, with 0 points.\n\n{judging} A move looks like "
            "'left'.",
            "Reach an exit of this icy grid. Signs: '@' is your cell, which is floor; '.' floor; "
            "'#' a wall; 'O' a pit; a digit an exit and its points. You choose the direction of a "
            f"step: 'up', 'down', 'left' or 'right'. It succeeds with a probability of "
            f"{straight}%. Otherwise you go to one of the two sides as seen in that direction, "
            f"with {self.slip}% for each of them: for 'left', that is up or down. Where a wall or "
            "the edge of the grid is in the way, you stay on your cell. Each step takes one of "
            "your moves, whatever comes of it. On an exit you get its points and the round is "
            "over; in a pit, or without any moves left, it is over with 0 points.\n\n"
            f"{judging} For example, a move is 'left'.",
        )
