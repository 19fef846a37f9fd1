"""A round trip as the voyage of a supply ship, or as the way of a drill."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.travelling_salesman import TravellingSalesman

STORIES = (
    Network(
        "A ship brings supplies to the lighthouses {nodes}. The distances between them, in sea "
        "miles, are the same in both directions:\n{links}\n\nThe ship starts at a lighthouse, "
        "calls at every other one exactly once and returns to where it started. Find a voyage "
        "that is as short as possible in total. If several are equally short, any of them will "
        "do. Write all the lighthouses in order, from any start and without repeating it at the "
        "end, such as '{example}'.",
        "{a} and {b}: {n}",
    ),
    Network(
        "A machine drills holes into one metal plate after another. The holes are at the "
        "positions {nodes}, and moving the drill between two of them, in either direction, takes "
        "so many tenths of a second:\n{links}\n\nFor each plate, the drill goes to every position "
        "exactly once, in an order that stays the same, and then back to its first position for "
        "the next plate. In which order do its movements, the last one included, take the least "
        "time? If several orders are equally good, any of them will do. Write all the positions "
        "in order, from any start and without repeating it at the end, such as '{example}'.",
        "{a} to {b}: {n}",
    ),
)


def prompt(task: TravellingSalesman, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.walk_example(4))
