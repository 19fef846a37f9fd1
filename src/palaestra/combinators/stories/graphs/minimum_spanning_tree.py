"""A minimum spanning tree as cables between villages, or as paths through a park."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.minimum_spanning_tree import MinimumSpanningTree

STORIES = (
    Network(
        "These villages are to get fast internet: {nodes}. A cable can be laid between the two "
        "villages on each of these lines, at the cost stated in thousands of "
        "dollars:\n{links}\n\nChoose cables that connect every village with every other, directly "
        "or through other villages, and cost as little as possible in total. The solution has "
        "{number} cables, which form no cycle. If several solutions are equally good, any of them "
        "will do. Write the cables on one line, each by its two villages, such as '{example}', in "
        "any order.",
        "{a} and {b}: {n}",
    ),
    Network(
        "A park has these fountains: {nodes}. The gardeners can pave some of the paths between "
        "them. For each path, the metres to be paved are stated:\n{links}\n\nAfterwards everyone "
        "must be able to get from each fountain to every other one on paved paths, past other "
        "fountains if need be, and as few metres as possible may be paved in total. The solution "
        "has {number} paths, which form no cycle. If several solutions are equally good, any of "
        "them will do. Write the paths on one line, each by the fountains at its ends, such as "
        "'{example}', in any order.",
        "{a} to {b}: {n} m",
    ),
)


def prompt(task: MinimumSpanningTree, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(
        task.graph, number=len(task.graph.names) - 1, example=task.edges_example()
    )
