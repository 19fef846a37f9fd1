"""A maximum flow as water in pipes, or as freight on railway lines."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.maximum_flow import MaximumFlow

STORIES = (
    Network(
        "A city gets its water from a reservoir. The stations of the network are {nodes}: "
        "{source} is the reservoir, {sink} is the city, and the others are pumping stations. "
        "These pipes carry water in one direction only, and each at most so many litres per "
        "second:\n{links}\n\nDecide how many litres per second go through each pipe, a whole "
        "number from 0 to the most that the pipe can carry. At every pumping station, as much "
        "water must go out as comes in. What counts is the water that leaves {source}, less what "
        "comes back to it: make it as much as possible. If several solutions are equally good, "
        "any of them will do.\n\nWrite one line for each pipe that carries water, with its number "
        "of litres per second, such as '{example}: 1'; pipes that you leave out carry no water.",
        "from {a} to {b}: {n}",
    ),
    Network(
        "Wagons of grain are sent by rail from the port {source} to the mill {sink}. The stations "
        "of the railway are {nodes}. Each of these lines is used in one direction only, and has "
        "room for so many wagons a day at most:\n{links}\n\nPlan how many wagons a day go along "
        "each line: a whole number, not negative, and no more than there is room for. As many "
        "wagons must leave every station as arrive there, except at the port and at the mill. As "
        "much grain as possible must be sent: the wagons that leave {source}, less those that "
        "come back to it, must be as many as possible. If several plans are equally good, any of "
        "them will do.\n\nWrite one line for each line of the railway that is used, with its "
        "wagons a day, such as '{example}: 1'; what you leave out is not used.",
        "{a} to {b}: {n}",
    ),
)


def prompt(task: MaximumFlow, number: int) -> str:
    """The task in a story."""
    graph = task.graph
    return STORIES[number % len(STORIES)].written(
        graph,
        source=graph.names[0],
        sink=graph.names[task.sink],
        example=graph.listing(graph.ranked()[:2], " -> "),
    )
