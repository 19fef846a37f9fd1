"""A clique as a team of acquaintances, or as fish in an aquarium."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.maximum_clique import MaximumClique

STORIES = (
    Network(
        "A rescue service puts a team together from {nodes}. The two people on each of these "
        "lines have worked with each other before, and nobody else has:\n{links}\n\nThe team must "
        "be as large as possible, and every two of its members must have worked with each other "
        "before. If several teams are equally large, any of them will do. Write the members of "
        "the team on one line in any order, such as '{example}'.",
        "{a} and {b}",
    ),
    Network(
        "An aquarium can be stocked with fish of the species {nodes}. Fish of different species "
        "get on with each other if and only if the two species are on one of these "
        "lines:\n{links}\n\nChoose as many species as possible, of which every two get on with "
        "each other. If several choices are equally good, any of them will do. Write the chosen "
        "species on one line in any order, such as '{example}'.",
        "{a} with {b}",
    ),
)


def prompt(task: MaximumClique, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.example(3))
