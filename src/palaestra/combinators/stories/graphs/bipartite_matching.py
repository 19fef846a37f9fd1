"""A matching as couples of a dance, or as pen friends."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.bipartite_matching import BipartiteMatching

STORIES = (
    Network(
        "At a dance, these dancers lead: {left}. The others follow: {right}. Only the two dancers "
        "on each of these lines are willing to dance with each other:\n{links}\n\nForm as many "
        "couples as possible for the next dance. A couple is one who leads and one who follows "
        "and who are willing to dance with each other, and nobody is in two couples. If several "
        "solutions are equally good, any of them will do. Write the couples on one line, such as "
        "'{example}', in any order.",
        "{a} and {b}",
    ),
    Network(
        "Two school classes exchange letters. The pupils of one class are {left}, those of the "
        "other {right}. These pupils have a language in common:\n{links}\n\nFind as many pairs of "
        "pen friends as possible: the two of a pair are in different classes and have a language "
        "in common, and nobody has more than one pen friend. If several solutions are equally "
        "good, any of them will do. Write the pairs on one line, such as '{example}', in any "
        "order.",
        "{a} with {b}",
    ),
)


def prompt(task: BipartiteMatching, number: int) -> str:
    """The task in a story."""
    graph = task.graph
    left = [node for node in graph.ranked() if node in task.left]
    right = [node for node in graph.ranked() if node not in task.left]
    return STORIES[number % len(STORIES)].written(
        graph, left=graph.listing(left), right=graph.listing(right), example=task.edges_example()
    )
