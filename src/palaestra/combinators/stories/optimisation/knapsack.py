"""A knapsack as the programme of a radio station, or as the purchases of a library."""

from typing import NamedTuple

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.optimisation.knapsack import Knapsack


class Choice(NamedTuple):
    """A story: its text, and what the weights and the values of the items are counted in."""

    text: str
    weight: str
    value: str


STORIES = (
    Choice(
        "A radio station has {capacity} left this week for recordings by its listeners. These "
        "have been sent in; each has a length, and listeners have voted for it:\n\n{lines}\n\nA "
        "recording is broadcast once and as a whole, or not at all, and the time need not be used "
        "up. Choose recordings that have as many votes as possible in total. If several choices "
        "are equally good, any of them will do. Write the numbers of the recordings, such as "
        "'{example}'.",
        "minute",
        "vote",
    ),
    Choice(
        "A library has {capacity} for new books. For each book that it may buy, the price is "
        "known, and also how many readers have asked for it:\n\n{lines}\n\nIt buys at most one "
        "copy of a book. The prices must not add up to more than the library has, and the numbers "
        "of readers must add up to as much as possible; someone who asked for several books "
        "counts for each of them. If several choices are equally good, any of them will do. Write "
        "the numbers of the books that the library should buy, such as '{example}'.",
        "dollar",
        "reader",
    ),
)


def prompt(task: Knapsack, number: int) -> str:
    """The task in a story."""
    text, weight, value = STORIES[number % len(STORIES)]
    lines = (
        f"{n}: {counted(heavy, weight)}, {counted(worth, value)}"
        for n, (heavy, worth) in enumerate(task.items, 1)
    )
    return text.format(
        capacity=counted(task.capacity, weight),
        lines="\n".join(lines),
        example=f"1, 2, {len(task.items)}",
    )
