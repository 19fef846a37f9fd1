"""Infinite games of two players on graphs: solutions, checks of strategies, and games with traps.

A token goes from node to node for ever, moved by the owner of its node. Every node has a priority,
and player 0 wins if the greatest one that occurs infinitely often is even. With priorities 1 and 2
these are Büchi games. Where node sets are small integers, node n is bit n.
"""

from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.random_graphs import Edge

Ways = Sequence[Sequence[int]]
Strategy = dict[int, int]


class Solved(NamedTuple):
    """The nodes from which each player wins, and a move from each of the owner's among them."""

    regions: tuple[set[int], set[int]]
    strategies: tuple[Strategy, Strategy]
    examined: int


def attracted(
    ways: Ways, owners: Sequence[int], player: int, goal: Collection[int], among: Collection[int]
) -> tuple[set[int], Strategy]:
    """The nodes from which a player forces a visit of a goal, and the moves to do so.

    >>> attracted([[1, 2], [1], [2]], [0, 1, 1], 0, [1], range(3))
    ({0, 1}, {0: 1})
    """
    inside, moves = {*goal}, Strategy()
    grown = True
    while grown:
        grown = False
        for node in among:
            if node in inside:
                continue
            ahead = [other for other in ways[node] if other in among]
            into = [other for other in ahead if other in inside]
            if into and (owners[node] == player or len(into) == len(ahead)):
                inside.add(node)
                grown = True
                if owners[node] == player:
                    moves[node] = into[0]
    return inside, moves


def solved(ways: Ways, owners: Sequence[int], priorities: Sequence[int]) -> Solved:
    """Who wins from which node, by the recursion of Wiesław Zielonka (1998).

    >>> solved([[1, 0], [0]], [0, 1], [1, 2]).regions
    ({0, 1}, set())
    """
    examined = 0

    def solve(among: set[int]) -> tuple[list[set[int]], list[Strategy]]:
        nonlocal examined
        examined += len(among)
        if not among:
            return [set(), set()], [{}, {}]
        top = max(priorities[node] for node in among)
        player = top % 2
        goal = {node for node in among if priorities[node] == top}
        near, moves = attracted(ways, owners, player, goal, among)
        regions, strategies = solve(among - near)
        if not regions[1 - player]:
            for node in goal:
                if owners[node] == player:
                    moves[node] = next(other for other in ways[node] if other in among)
            regions[player] = set(among)
            strategies[player] |= moves
            return regions, strategies
        lost, escape = attracted(ways, owners, 1 - player, regions[1 - player], among)
        escape |= strategies[1 - player]
        regions, strategies = solve(among - lost)
        regions[1 - player] |= lost
        strategies[1 - player] |= escape
        return regions, strategies

    regions, strategies = solve({*range(len(ways))})
    return Solved((regions[0], regions[1]), (strategies[0], strategies[1]), examined)


def losing_cycle(
    ways: Ways, priorities: Sequence[int], player: int, among: Collection[int]
) -> list[int]:
    """A closed walk among some nodes whose greatest priority is the other player's; empty without.

    >>> losing_cycle([[1], [0, 1]], [1, 2], 0, [0, 1])
    []
    >>> losing_cycle([[1], [0, 1]], [2, 1], 0, [0, 1])
    [1, 1]
    """
    for start in sorted(among):
        if priorities[start] % 2 == player:
            continue
        allowed = {node for node in among if priorities[node] <= priorities[start]}
        before = dict[int, int]()
        queue = [start]
        for node in queue:  # grows
            for other in ways[node]:
                if other in allowed and other not in before:
                    before[other] = node
                    queue.append(other)
        if start in before:
            walk = [start, before[start]]
            while walk[-1] != start:
                walk.append(before[walk[-1]])
            return walk[::-1]
    return []


class Game(NamedTuple):
    """Edges of a game, the owners and priorities of its nodes, and which nodes were made targets
    on which player 0 can rely.
    """

    edges: list[Edge]
    owners: list[int]
    priorities: list[int]
    targets: list[int]


def trapped(rng: Random, nodes: int, degree: int, highest: int) -> Game:
    """A game whose nodes are divided between the two players, with edges that mislead.

    In either part, its player has a move from each node to one that is nearer to a hub, whose
    priority is the player's and greater than those of the other player around it; the opponent's
    nodes have no other edges. The player's other edges lead into the other part, or away from the
    hub, so that staying in the part is not enough; one of the other part's nodes is a bait, from
    which it is but one step to the hub. Nodes to which no hub leads back have any priority.

    >>> game = trapped(Random(1), 8, 2, 4)
    >>> len(game.owners), max(game.priorities) <= 6
    (8, True)
    """
    order = rng.sample(range(nodes), nodes)
    size = rng.randint(nodes * 2 // 5, nodes - nodes * 2 // 5)
    parts = order[:size], order[size:]
    owners = [rng.randrange(2) for _ in range(nodes)]
    priorities = [0] * nodes
    edges: set[Edge] = set()
    # From a bait, the owner can go to the other player's hub, but need not.
    baits = [rng.choice(part[1:]) for part in parts]
    for player, part in enumerate(parts):
        owners[baits[player]] = owners[part[-1]] = player
        edges.add((baits[player], parts[1 - player][0]))
        hubs = 1 + (len(part) > 5)
        core = max(hubs + 1, len(part) // 2)  # where the hubs lead
        power = rng.choice([n for n in range(1, highest + 1) if n % 2 == player])
        for n, node in enumerate(part):
            nearer = part[max(0, n - 2) : n] if n >= hubs else part[:n] + part[n + 1 : core]
            wanted = rng.randint(2, degree)
            if owners[node] != player:
                edges |= {(node, other) for other in rng.sample(nearer, min(wanted, len(nearer)))}
            else:
                edges.add((node, rng.choice(nearer)))
                if n > hubs:
                    edges.add((node, baits[1 - player]))
                away = [*parts[1 - player], *part[n + 1 :]] if n >= hubs else parts[1 - player]
                edges |= {(node, other) for other in rng.sample(away, min(wanted - 2, len(away)))}
            if n < hubs:
                priorities[node] = power
            elif n < core:
                priorities[node] = rng.choice(
                    [p for p in range(highest + 2) if p < power or p % 2 == player]
                )
            else:
                priorities[node] = rng.randint(0, highest + 1)
        if len(part) > core:  # the greatest priority of the other player helps that one nothing
            priorities[part[-1]] = highest + 1 + (highest + player) % 2
    return Game(sorted(edges), owners, priorities, sorted(parts[0][: 1 + (size > 5)]))
