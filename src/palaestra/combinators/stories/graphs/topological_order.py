"""A topological order as courses with prerequisites, or as the parts of a kit."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.topological_order import TopologicalOrder

STORIES = (
    Network(
        "A student takes these courses one after the other: {nodes}. Some courses have other ones "
        "as prerequisites, which must be taken earlier, though not directly before "
        "them:\n{links}\n\nPut the courses in an order in which they can be taken. If there are "
        "several such orders, any of them will do. List every course exactly once, from the first "
        "to the last, such as '{example}'.",
        "{a} is a prerequisite of {b}",
    ),
    Network(
        "A cupboard is assembled from parts, which are called {nodes}. They are fitted one at a "
        "time. In each of these pairs, the first part can no longer be fitted once the second is "
        "in its position:\n{links}\n\nIn which order can all the parts be fitted? If there are "
        "several such orders, any of them will do. List every part exactly once, in the order in "
        "which it is fitted, such as '{example}'.",
        "{a} before {b}",
    ),
)


def prompt(task: TopologicalOrder, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(task.graph, example=task.example(4))
