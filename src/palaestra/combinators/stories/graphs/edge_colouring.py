"""An edge colouring as the rounds of a tournament, or as talks at a conference."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.edge_colouring import EdgeColouring

STORIES = (
    Network(
        "The players {nodes} hold a chess tournament of {number} rounds, numbered 1 to {number}. "
        "The two players on each of these lines play one game with each other:\n{links}\n\nPut "
        "every game into a round. Any number of games can be played in a round, but no player can "
        "play two games in the same round. There is at least one way to do so, and any will do. "
        "Write one line for each game, with its round, such as '{example}: 1'.",
        "{a} and {b}",
    ),
    Network(
        "The delegations {nodes} come to a conference. The two on each of these lines want to "
        "talk with each other, without any others:\n{links}\n\nThere are {number} periods for "
        "these talks, numbered 1 to {number}, and a talk takes one of them. A delegation can take "
        "part in at most one talk in each period, while any number of talks can go on side by "
        "side. Find a period for each talk. There is at least one way to do so, and any will do. "
        "Write one line for each talk, with its period, such as '{example}: 1'.",
        "{a} with {b}",
    ),
)


def prompt(task: EdgeColouring, number: int) -> str:
    """The task in a story."""
    graph = task.graph
    return STORIES[number % len(STORIES)].written(
        graph, number=task.colours, example=graph.pairing(graph.pairs()[:1])
    )
