"""A critical path as the renovation of a house, or as a theatre production."""

from palaestra.combinators.stories.networks import Network
from palaestra.combinators.stories.phrases import counted
from palaestra.envs.graphs.critical_path import CriticalPath

STORIES = (
    Network(
        "A house is being renovated. The work has these parts, each with the time that it "
        "takes:\n{days}\n\nSome parts cannot start before others are finished:\n{links}\n\nApart "
        "from that, any number of parts can be under way at the same time. The work starts at "
        "time 0, counted in days, and the whole house must be ready as early as possible. For "
        "each part, find the earliest time at which it can start, and the latest time at which it "
        "may start without delaying the day when the house is ready. A part that starts at time 4 "
        "and takes 3 days is finished at time 7, when the next can start. Write one line for each "
        "part, with its earliest and its latest start, such as '{example}: 4, 7'.",
        "{b} starts only when {a} is finished",
    ),
    Network(
        "A theatre prepares a new play. These preparations have to be made, and each takes so "
        "many days:\n{days}\n\nIn each of these pairs, the first preparation must be completed "
        "before the second can begin:\n{links}\n\nThere are enough people for any number of "
        "preparations at once. They begin at time 0, and the opening night is at the earliest "
        "time at which everything is completed. State for each preparation how early it can "
        "begin, and how late it may begin without putting off the opening night. Times are in "
        "days: a preparation that begins at time 4 and takes 3 days is completed at time 7, when "
        "another can begin. Write one line for each preparation, with the earliest and the latest "
        "time at which it begins, such as '{example}: 4, 7'.",
        "{a} before {b}",
    ),
)


def prompt(task: CriticalPath, number: int) -> str:
    """The task in a story."""
    names, ranked = task.graph.names, task.graph.ranked()
    days = "\n".join(f"{names[job]}: {counted(task.days[job], 'day')}" for job in ranked)
    story = STORIES[number % len(STORIES)]
    return story.written(task.graph, days=days, example=names[ranked[0]])
