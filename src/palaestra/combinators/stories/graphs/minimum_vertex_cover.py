"""A vertex cover as cameras in a mine, or as invitations that are withdrawn."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.minimum_vertex_cover import MinimumVertexCover

STORIES = (
    Network(
        "The tunnels of a mine meet in these caves: {nodes}. Each line states the two caves at "
        "the ends of a tunnel:\n{links}\n\nA camera in a cave shows every tunnel that ends there. "
        "Put cameras into as few caves as possible, so that every tunnel is shown by at least one "
        "camera. If several solutions are equally good, any of them will do. Write the caves that "
        "get a camera on one line in any order, such as '{example}'.",
        "{a} and {b}",
    ),
    Network(
        "These people are invited to a party: {nodes}. Then it turns out that some of them do not "
        "want to meet, namely the two on each of these lines:\n{links}\n\nWithdraw as few "
        "invitations as possible, so that no two of those who remain invited are on the same "
        "line. If several solutions are equally good, any of them will do. Write the people whose "
        "invitation is withdrawn on one line in any order, such as '{example}'.",
        "{a} with {b}",
    ),
)


def prompt(task: MinimumVertexCover, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.example(3))
