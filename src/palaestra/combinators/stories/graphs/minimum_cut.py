"""A minimum cut as computers in two buildings, or as a class in two buses."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.minimum_cut import MinimumCut

STORIES = (
    Network(
        "A firm moves its computers into two buildings. The computers are {nodes}. The following "
        "ones are joined by a cable. If the two computers of a cable come into different "
        "buildings, the cable has to be replaced, which costs so many thousand "
        "dollars:\n{links}\n\nDivide the computers between the two buildings, at least one in "
        "each, so that replacing cables costs as little as possible in total. If several "
        "solutions are equally good, any of them will do. Write the computers of one of the "
        "buildings, whichever you like, on one line, such as '{example}'.",
        "{a} and {b}: {n}",
    ),
    Network(
        "A school class goes on a trip in two buses. The pupils are {nodes}. Some of them are "
        "friends, and a number states how close two friends are:\n{links}\n\nAssign every pupil "
        "to one of the two buses. A bus has room for any number of pupils, but none may be empty. "
        "The numbers of all friends who are in different buses must have the smallest possible "
        "sum. If several solutions are equally good, any of them will do. Write the pupils in one "
        "of the buses, whichever you like, on one line, such as '{example}'.",
        "{a} with {b}: {n}",
    ),
)


def prompt(task: MinimumCut, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.example(3))
