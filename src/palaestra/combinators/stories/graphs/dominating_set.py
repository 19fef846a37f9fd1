"""A dominating set as fire stations, or as first-aid kits."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.dominating_set import DominatingSet

STORIES = (
    Network(
        "A district with the towns {nodes} plans its fire stations. These towns are neighbours of "
        "each other:\n{links}\n\nEvery town must have a fire station of its own or a neighbour "
        "with one. Build as few fire stations as possible. If several solutions are equally good, "
        "any of them will do. Write the towns that get a fire station on one line in any order, "
        "such as '{example}'.",
        "{a} and {b}",
    ),
    Network(
        "A museum hangs up first-aid kits. Its rooms are {nodes}. There is a door between the two "
        "rooms on each of these lines:\n{links}\n\nFrom a room without a kit, it must be possible "
        "to reach a room with one through a single door. Choose the rooms in such a way that as "
        "few kits as possible are needed. If several choices are equally good, any of them will "
        "do. Write the rooms that get a kit on one line in any order, such as '{example}'.",
        "{a} next to {b}",
    ),
)


def prompt(task: DominatingSet, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.example(3))
