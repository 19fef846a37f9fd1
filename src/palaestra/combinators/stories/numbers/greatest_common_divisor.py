"""Common divisors as ribbons or necklaces; common multiples as lights or packets."""

from palaestra.envs.numbers.greatest_common_divisor import GreatestCommonDivisor

STORIES = (
    (
        "A tailor has ribbons of these lengths in millimetres: {row}. All of them are to be cut "
        "completely into pieces of one length, a whole number of millimetres, with nothing left "
        "over. How long is a piece at most, in millimetres?"
    ),
    (
        "A jeweller has sorted beads by colour. The numbers of beads, one for each colour, are "
        "{row}. All these beads are to be used for necklaces that are all alike: of each colour, "
        "every necklace has the same number of beads. How many necklaces can there be at most?"
    ),
)

MULTIPLES = (
    (
        "Several lamps have just flashed together. Each of them flashes at regular intervals, "
        "which are, in seconds and one for each lamp: {row}. After how many seconds do all the "
        "lamps flash together again for the first time?"
    ),
    (
        "A factory sells screws in packets of one size, but has not decided on the size yet. These "
        "numbers of screws in a packet are possible: {row}. What is the smallest number of screws, "
        "more than 0, that fills whole packets of each of these sizes with nothing left over?"
    ),
)


def prompt(task: GreatestCommonDivisor, number: int) -> str:
    """The task in a story."""
    texts = MULTIPLES if task.what == "multiple" else STORIES
    row = ", ".join(map(str, task.numbers))
    return f"{texts[number % len(STORIES)].format(row=row)} Answer with a number, such as '14'."
