"""A Steiner tree as heating pipes, or as tracks that are cleared of snow."""

from palaestra.combinators.stories.networks import Network
from palaestra.combinators.stories.phrases import listed
from palaestra.envs.graphs.steiner_tree import SteinerTree

STORIES = (
    Network(
        "A heating network is planned for a campus with the buildings {nodes}. Pipes can be laid "
        "between the two buildings on each of these lines, and the length of the pipe is stated "
        "in decametres:\n{links}\n\nThe buildings {ends} must be connected with one another, "
        "directly or through other buildings. The pipes may pass through buildings that need no "
        "heating, but need not. Choose pipes whose total length is as small as possible. If "
        "several solutions are equally good, any of them will do. Write the chosen pipes on one "
        "line, each by its two buildings, such as '{example}', in any order.",
        "{a} and {b}: {n}",
    ),
    Network(
        "Snow has covered all tracks between the farms {nodes}. Clearing the track between two "
        "farms takes so many hours:\n{links}\n\nThe farms {ends} need help: it must be possible "
        "to get from each of them to every other one of them on cleared tracks, and the way may "
        "lead past other farms. Which tracks have to be cleared, so that the work takes as few "
        "hours as possible in total? If several solutions are equally good, any of them will do. "
        "Write the tracks on one line, each by the farms at its ends, such as '{example}', in any "
        "order.",
        "{a} to {b}: {n} h",
    ),
)


def prompt(task: SteinerTree, number: int) -> str:
    """The task in a story."""
    graph = task.graph
    ends = listed([graph.names[end] for end in task.ends])
    return STORIES[number % len(STORIES)].written(graph, ends=ends, example=task.edges_example())
