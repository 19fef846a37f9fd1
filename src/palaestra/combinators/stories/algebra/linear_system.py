"""A system of linear equations as points for tokens, or as receipts of a market stall.

A side of an equation is a list of the tokens that a player collects and hands back, and of extra
points; or of the goods that are bought and returned, with a fee or a discount.
"""

from collections.abc import Sequence
from typing import NamedTuple

from palaestra.combinators.stories.phrases import counted, listed
from palaestra.envs.algebra.linear_system import LinearSystem


class Ledger(NamedTuple):
    """A story in which amounts are added up: its text, and the words for what is in the sums."""

    text: str
    line: str
    """A line for an equation whose right side is a number."""
    equal: str
    """A line for an equation of two sums."""
    plus: str
    minus: str
    unit: str
    """The noun for an amount of an unknown."""
    extra: str
    loss: str
    nothing: str


GAME = Ledger(
    text=(
        "In a game there are tokens of the types {names}. All tokens of one type are worth the "
        "same number of points, which may be negative or a fraction. A player's score is what the "
        "tokens collected are worth, less what the tokens handed back are worth; bonus points are "
        "added, and penalty points are subtracted. This is known about some "
        "games:\n\n{lines}\n\nHow many points is a token of each type worth? Write one line for "
        "each of the types {names}, such as 'x = -40', or 'x = 61/9' if the value is not whole. "
        "Values must be exact."
    ),
    line="A player {left}, and has a score of {total}.",
    equal="One player {left}; another {right}; both have the same score.",
    plus="collects {}",
    minus="hands back {}",
    unit="token",
    extra="gets {} as a bonus",
    loss="gets {} as a penalty",
    nothing="does nothing at all",
)
STALL = Ledger(
    text=(
        "A market stall sells the goods {names} by the crate, and takes crates back at the price "
        "at which it sells them. A price in dollars may be negative, which means that the stall "
        "pays for taking the crate off its hands, and it need not be whole. The total of a receipt "
        "is the price of what the customer bought, less that of what was returned; a fee is added "
        "to it, and a voucher is subtracted. It is negative where the stall pays the "
        "customer.\n\n{lines}\n\nWhat is the price of a crate of each of the goods? Write one line "
        "for each of {names}, such as 'x = -40', or 'x = 61/9' if the price is not whole. Prices "
        "must be exact."
    ),
    line="A customer {left}. The total is {total}.",
    equal="One customer {left}; another {right}. The two totals are equal.",
    plus="bought {}",
    minus="returned {}",
    unit="crate",
    extra="paid a fee of {}",
    loss="had a voucher of {}",
    nothing="left without anything",
)
STORIES = (GAME, STALL)
MONEY = {"token": "point", "crate": "dollar"}
"""What the values of the unknowns are counted in, by the unit."""


def prompt(task: LinearSystem, number: int) -> str:
    """The task in a story."""
    story = STORIES[number % len(STORIES)]
    lines = []
    for left, right in zip(task.left, task.right):
        one, other = (_side(story, task.names, side) for side in (left, right))
        if any(right[:-1]):
            lines.append(story.equal.format(left=one, right=other))
        else:
            total = counted(right[-1], MONEY[story.unit])
            lines.append(story.line.format(left=one, total=total))
    return story.text.format(names=listed(list(task.names)), lines="\n".join(lines))


def _side(story: Ledger, names: str, side: Sequence[int]) -> str:
    """A side of an equation in words."""
    *coefficients, extra = side
    amounts = [
        (story.plus, [(n, name) for n, name in zip(coefficients, names) if n > 0]),
        (story.minus, [(-n, name) for n, name in zip(coefficients, names) if n < 0]),
    ]
    parts = [
        verb.format(listed([f"{counted(n, story.unit)} {of(story, name)}" for n, name in some]))
        for verb, some in amounts
        if some
    ]
    if extra:
        verb = story.extra if extra > 0 else story.loss
        parts.append(verb.format(counted(abs(extra), MONEY[story.unit])))
    return ", and ".join(parts) or story.nothing


def of(story: Ledger, name: str) -> str:
    """An unknown after its unit.

    >>> of(GAME, "x"), of(STALL, "x")
    ('x', 'of x')
    """
    return f"of {name}" if story.unit == "crate" else name
