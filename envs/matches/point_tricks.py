"""Tricks to take and to avoid, for four players, against players of stated rules.

The game is of the family of hearts, which came up in the United States in the 1880s: hearts and a
queen cost points, and in the variant omnibus hearts another card gains some. Here, all cards are in
view, as in double-dummy problems of bridge.
"""

from palaestra.generators.matches.point_match import PointMatch
from palaestra.task import ladder


class PointTricks(PointMatch):
    """Win and avoid tricks for the most points against three players of stated rules."""

    players = 4

    class Knobs(PointMatch.Knobs):
        deals: int = ladder(1, 1, 1, 2, 2, 3, low=1, high=6)
        most_chance: float = ladder(0.3, 0.1, 0.06, 0.1, 0.06, 0.05, low=1e-9)  # of a deal
        size: int = ladder(4, 5, 6, 5, 6, 6, low=3, high=8)  # cards of a hand
