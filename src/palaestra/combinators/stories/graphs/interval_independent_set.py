"""Intervals as bookings of a hall, or as observations with a telescope."""

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.graphs.interval_independent_set import IntervalIndependentSet
from palaestra.generators.random_graphs import in_order

STORIES = (
    (
        (
            "A sports hall is let to one club at a time. For the next weeks, clubs have asked for "
            "it from one hour to another, counted from Monday at midnight, and offer a "
            "fee:\n{lines}\n\nAccept some of these requests, so that the fees add up to as much as "
            "possible. The times of two accepted requests must not overlap, but one may start at "
            "the hour when another ends. A request is accepted as a whole or not at all. If "
            "several choices are equally good, any of them will do. Write the accepted requests on "
            "one line in any order, such as '{example}'."
        ),
        "hour",
        "dollar",
    ),
    (
        (
            "Astronomers have proposed these observations with a telescope. Each needs the "
            "telescope for itself from one minute of the night to another, and is worth so many "
            "points:\n{lines}\n\nChoose observations with as many points as possible in total, of "
            "which no two need the telescope at the same time. An observation may begin at the "
            "minute at which another one ends, and none can be made in part. If several choices "
            "are equally good, any of them will do. Write the chosen observations on one line in "
            "any order, such as '{example}'."
        ),
        "minute",
        "point",
    ),
)


def prompt(task: IntervalIndependentSet, number: int) -> str:
    """The task in a story."""
    text, time, worth = STORIES[number % len(STORIES)]
    order = in_order(task.names)
    lines = []
    for each in order:
        start, end, weight = task.intervals[each]
        span = f"from {time} {start} to {time} {end}"
        lines.append(f"{task.names[each]}: {span}, {counted(weight, worth)}")
    example = ", ".join(task.names[each] for each in order[:3])
    return text.format(lines="\n".join(lines), example=example)
