"""Names and paths of causal diagrams."""

from collections.abc import Collection, Iterable
from random import Random
from string import ascii_uppercase

from palaestra.generators.dags import Dag, children
from palaestra.generators.people import MORE_NAMES, NAMES


def names_of(rng: Random, nodes: int) -> tuple[str, ...]:
    """Names for up to 60 nodes in random order, letters or first names.

    >>> len(names_of(Random(1), 3))
    3
    """
    lists = (tuple(ascii_uppercase), (*NAMES, *MORE_NAMES))
    names = rng.choice([names for names in lists if len(names) >= nodes])
    return tuple(rng.sample(names[:nodes], nodes))


def skeleton_path(dag: Dag, one: int, other: int, avoided: Collection[int]) -> list[int]:
    """A shortest path in any directions that avoids some nodes; empty if there is none.

    >>> skeleton_path([(), (), (0, 1)], 0, 1, [])
    [0, 2, 1]
    """
    below = children(dag)
    before = {one: one}
    queue = [one]
    for node in queue:
        for near in (*dag[node], *below[node]):
            if near not in before and near not in avoided:
                before[near] = node
                queue.append(near)
    if other not in before:
        return []
    path = [other]
    while path[-1] != one:
        path.append(before[path[-1]])
    return path[::-1]


def without_members(nodes: Iterable[int], excluded: Collection[int]) -> list[int]:
    """Nodes except for some."""
    return [node for node in nodes if node not in excluded]
