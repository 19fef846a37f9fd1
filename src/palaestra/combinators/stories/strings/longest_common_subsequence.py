"""A common subsequence as the notes of two songs, or as the rooms of two visits."""

from palaestra.envs.strings.longest_common_subsequence import LongestCommonSubsequence

STORIES = (
    (
        "Two birds of one species were recorded. Each letter stands for a note, and each line for "
        "the song of one of the birds:\n\n{first}\n{second}\n\nA biologist supposes that both "
        "birds have learned the same melody, and have added notes of their own to it at any "
        "positions. Find a melody, as long as possible, from which both songs can come about in "
        "this way. If there are several of the same length, any of them is accepted. Answer with "
        "the notes of the melody alone, such as '{example}'."
    ),
    (
        "Two visitors walked through a museum. A line lists the rooms that one of them was in, in "
        "the order of the visit; each letter is a room, and rooms may come up "
        "again:\n\n{first}\n{second}\n\nA guide leaves out rooms from both lists, without changing "
        "the order of the others, until the two lists are the same. What is left, if she leaves "
        "out as few rooms as possible? If there are several solutions, any of them is accepted. "
        "Answer with the letters of the rooms that are left alone, in their order, such as "
        "'{example}'."
    ),
)


def prompt(task: LongestCommonSubsequence, number: int) -> str:
    """The task in a story."""
    return STORIES[number % len(STORIES)].format(
        first=task.first, second=task.second, example=task.second[:1] + task.first[:1]
    )
