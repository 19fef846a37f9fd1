"""Long multiplication as seats of a stadium, or as pages of a print run."""

from palaestra.envs.arithmetic.long_multiplication import LongMultiplication

STORIES = (
    (
        "A club sold the same number of tickets, {first}, for each of its {second} matches. The "
        "bookkeeper computes the number of all tickets by long multiplication: {first} times "
        "{second}. For each digit of {second}, from the last to the first, she writes down the "
        "partial product, which is {first} times the place value of the digit, with all zeros at "
        "the end (for the digit 4 in the hundreds place, that is {first} times 400; for the digit "
        "0 it is 0). After the partial products, she writes down the number of all "
        "tickets.\n\nWrite these {numbers} numbers in this order, separated by commas and without "
        "thousands separators, such as '{example}' if there were 12 tickets for each of {factor} "
        "matches."
    ),
    (
        "A printer is to print {second} copies of a book with {first} pages. To find out how many "
        "pages have to be printed in total, multiply {first} by {second} by long multiplication: "
        "take the digits of {second} from the last to the first, and state for each of them the "
        "number of pages in as many copies as it stands for, with all zeros at the end. The digit "
        "4 in the hundreds place, for instance, stands for 400 copies, which have {first} times "
        "400 pages; for the digit 0 the number is 0. The number of pages in total comes "
        "last.\n\nWrite these {numbers} numbers in this order, separated by commas and without "
        "thousands separators, such as '{example}' for {factor} copies of 12 pages."
    ),
)


def prompt(task: LongMultiplication, number: int) -> str:
    """The task in a story."""
    example = LongMultiplication(first=12, second=int(("43" * task.places)[: task.places]))
    return STORIES[number % len(STORIES)].format(
        first=task.first,
        second=task.second,
        numbers=task.places + 1,
        example=example.answer(),
        factor=example.second,
    )
