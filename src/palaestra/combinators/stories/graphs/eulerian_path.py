"""An Eulerian path as the round of a watchman, or as the way of a street sweeper."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.eulerian_path import EulerianPath

STORIES = (
    Network(
        "A watchman checks the corridors of a castle. Each of them joins two of the halls "
        "{nodes}, and there are no other ways between the halls:\n{links}\n\nHe wants to walk "
        "along every corridor exactly once, in either direction. He may start in any hall, pass "
        "through halls several times, and end in any hall. There is at least one such round, and "
        "any will do. Write the halls in the order in which he is in them, {number} in all, such "
        "as '{example}'.",
        "{a} and {b}",
    ),
    Network(
        "A machine sweeps the streets of a town. Each line states the two squares at the ends of "
        "a street; the squares are {nodes}:\n{links}\n\nThe machine must drive through every "
        "street once, in the direction that it likes, and never through a street that it has "
        "swept already. It may begin and end at any squares, and may cross squares more than "
        "once. There is at least one such way, and any will do. Write the squares in the order of "
        "the way, {number} in all, such as '{example}'.",
        "{a} to {b}",
    ),
)


def prompt(task: EulerianPath, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(
        task.graph, number=len(task.graph.edges) + 1, example=task.walk_example(4)
    )
