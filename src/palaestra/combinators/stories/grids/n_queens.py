"""Queens as pupils at desks, or as transmitters on a field."""

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.grids.n_queens import QUEEN, NQueens
from palaestra.verifiers.reading.values import joined

PUPILS = (
    "In an exam room the desks stand in {size} rows and {size} columns, and {size} pupils are to "
    "sit at them. So that nobody can copy, no two pupils may be in the same row, in the same "
    "column or on the same diagonal, however long it is, and whoever sits in between. {seated} at "
    "a desk already and must stay there; find a desk for {rest} more. In the plan, '{sign}' is a "
    "desk that is taken and a dot a free one. There is exactly one way to do "
    "it.\n\n{board}\n\nAnswer with the column of the pupil in each row, those who sit already "
    "included, from the top row to the bottom row: {size} numbers separated by commas, where 1 is "
    "the leftmost column, such as '{example}' for pupils along a diagonal."
)
FIELD = (
    "Radio transmitters stand on a square field of {size} rows and {size} columns of plots. Two "
    "transmitters disturb each other if they are in one row, in one column or on one diagonal, at "
    "any distance and no matter what is between them. The plan shows {given} with '{sign}', and "
    "every other plot as a dot:\n\n{board}\n\nAdd {rest} more, so that there are {size} in all and "
    "no two of them disturb each other. There is exactly one solution. Answer with the column of "
    "the transmitter in each row, the {size} rows from top to bottom, those of the plan included: "
    "numbers separated by commas, where 1 is the leftmost column, such as '{example}' for "
    "transmitters along a diagonal."
)
STORIES = (PUPILS, FIELD)


def prompt(task: NQueens, number: int) -> str:
    """The task in a story."""
    size = len(task.board)
    known = sum(row.count(QUEEN) for row in task.board)
    return STORIES[number % len(STORIES)].format(
        size=size,
        seated=f"{counted(known, 'pupil')} {'sits' if known == 1 else 'sit'}",
        given=counted(known, "transmitter"),
        rest=size - known,
        sign=QUEEN,
        board="\n".join(" ".join(row) for row in task.board),
        example=joined(range(1, size + 1)),
    )
