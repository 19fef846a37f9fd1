"""A colouring as guests at tables, or as a timetable of exams."""

from palaestra.combinators.stories.networks import Network
from palaestra.combinators.stories.phrases import listed
from palaestra.envs.graphs.graph_coloring import COLORS, GraphColoring

STORIES = (
    Network(
        "These guests come to a wedding: {nodes}. They sit at {number} tables, whose tablecloths "
        "are {colours}. A table has room for any number of guests. The following guests have "
        "quarrelled, and must not sit at the same table:\n{links}\n\nFind a table for each guest. "
        "There is at least one way to do so, and any will do. Write one line for each guest, with "
        "the colour of the table, such as '{example}: {colour}'.",
        "{a} and {b}",
    ),
    Network(
        "A school plans its exams, which are called {nodes}. There are {number} sessions, one "
        "after the other, which are named after the colours of their admission cards: {colours}. "
        "Any number of exams can be held in one session, but some students take part in both "
        "exams of each of these pairs, so that the two must be in different "
        "sessions:\n{links}\n\nPut every exam into a session. There is at least one such "
        "timetable, and any will do. Write one line for each exam, with its session, such as "
        "'{example}: {colour}'.",
        "{a} with {b}",
    ),
)


def prompt(task: GraphColoring, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].written(
        task.graph,
        number=task.colors,
        colours=listed(COLORS[: task.colors]),
        example=task.example(1),
        colour=COLORS[1],
    )
