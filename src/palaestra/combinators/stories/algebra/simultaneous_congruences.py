"""Congruences as rows of soldiers, or as bags of oranges."""

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.algebra.simultaneous_congruences import SimultaneousCongruences

SOLDIERS = (
    "A general does not know how many soldiers an army has, but all armies of the country are "
    "equally large. When soldiers line up in rows of the same length, as many rows as possible are "
    "complete, and those who are left over are counted:\n\n{lines}\n\nWhat is the smallest number "
    "of soldiers, 0 or more, that one army can have? Such a number exists. Give the number alone, "
    "such as '17'."
)
ORANGES = (
    "All crates of a shipment have the same number of oranges. Several times, the oranges of some "
    "crates were put together and packed into bags of one size. As many bags as possible were "
    "filled, and the rest of the oranges was counted and put back:\n\n{lines}\n\nFind the smallest "
    "number of oranges, 0 or more, that may be in a crate. Such a number exists. Give the number "
    "alone, such as '17'."
)
STORIES = (SOLDIERS, ORANGES)


def prompt(task: SimultaneousCongruences, number: int) -> str:
    """The task in a story."""
    text = STORIES[number % len(STORIES)]
    line = soldiers if text is SOLDIERS else oranges
    return text.format(lines="\n".join(line(*each) for each in task.congruences))


def soldiers(armies: int, rest: int, row: int) -> str:
    """A congruence as rows of soldiers.

    >>> soldiers(1, 1, 7)
    'When 1 army lines up in rows of 7 soldiers, 1 soldier is left over.'
    """
    who = "1 army lines" if armies == 1 else f"{armies} armies line"
    left = f"{counted(rest, 'soldier')} {'is' if rest == 1 else 'are'} left over"
    return f"When {who} up in rows of {row} soldiers, {left}."


def oranges(crates: int, rest: int, bag: int) -> str:
    """A congruence as bags of oranges.

    >>> oranges(3, 0, 7)
    'From 3 crates, with bags of 7 oranges each: 0 oranges remained.'
    """
    packed = f"From {counted(crates, 'crate')}, with bags of {bag} oranges each"
    return f"{packed}: {counted(rest, 'orange')} remained."
