"""Equilibria of small games of hidden information by counterfactual regret minimisation.

CFR is by Zinkevich, Johanson, Bowling and Piccione (2007); this is CFR+ by Tammelin (2014), with
alternating updates and linear averaging. It draws no samples, so that a result is exactly
reproducible.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from palaestra.generators.matches.hidden_information import GameTree, HiddenRules, game_tree


class Regrets:
    """The sums of regrets and of strategies of all views, which a player's updates change."""

    def __init__(self, tree: GameTree[Any, Any]) -> None:
        self.tree = tree
        self._regrets = {view: [0.0] * len(moves) for view, moves in tree.moves.items()}
        self._sums = {view: [0.0] * len(moves) for view, moves in tree.moves.items()}
        self._current = {view: [1 / len(moves)] * len(moves) for view, moves in tree.moves.items()}

    def update(self, player: int, weight: float) -> None:
        """One iteration for a player, whose strategy counts with a weight in the average."""
        reach, own = self._reaches(player)
        values = list[float]()
        sign = 1.0 if player == 0 else -1.0
        for index, node in enumerate(self.tree.nodes):
            weights = node.chances or self._current.get(node.view, ())
            each = [values[child] for child in node.children]
            worth = sum(map(float.__mul__, weights, each)) if each else sign * node.outcome
            values.append(worth)
            if node.player == player:
                regrets, sums = self._regrets[node.view], self._sums[node.view]
                for n, gain in enumerate(each):
                    regrets[n] += reach[index] * (gain - worth)
                    sums[n] += weight * own[index] * weights[n]
        self._match(player)

    def _reaches(self, player: int) -> tuple[list[float], list[float]]:
        """The probability of each node by the moves of chance and of the other player, and by those
        of the player.
        """
        nodes = self.tree.nodes
        others, own = [1.0] * len(nodes), [1.0] * len(nodes)
        for index in range(len(nodes) - 1, -1, -1):
            node = nodes[index]
            weights = node.chances or self._current.get(node.view, ())
            mine = node.player == player
            for child, chance in zip(node.children, weights):
                others[child] = others[index] * (1.0 if mine else chance)
                own[child] = own[index] * (chance if mine else 1.0)
        return others, own

    def _match(self, player: int) -> None:
        """Set the strategy of a player in proportion to its positive regrets, and drop the others
        (regret matching+).
        """
        for view, regrets in self._regrets.items():
            if self.tree.owner[view] == player:
                regrets[:] = [max(0.0, regret) for regret in regrets]
                self._current[view] = normalised(regrets)

    def average(self) -> dict[str, tuple[float, ...]]:
        """The average strategy, which tends to an equilibrium."""
        return {view: tuple(normalised(sums)) for view, sums in self._sums.items()}


def normalised(weights: Sequence[float]) -> list[float]:
    """Weights in proportion as probabilities; equal ones where all are 0.

    >>> normalised([1.0, 3.0]), normalised([0.0, 0.0])
    ([0.25, 0.75], [0.5, 0.5])
    """
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / len(weights)] * len(weights)


@lru_cache(maxsize=16)
def equilibrium(rules: HiddenRules[Any, Any], iterations: int) -> Mapping[str, tuple[float, ...]]:
    """An approximate equilibrium: a strategy of both players."""
    regrets = Regrets(game_tree(rules))
    for n in range(iterations):
        for player in (0, 1):
            regrets.update(player, n + 1.0)
    return regrets.average()
