"""The rules of a person for their assistant, in words; :mod:`.decisions` applies them."""

from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import Literal, NamedTuple, Self

Rule = Literal[
    "family", "weekend", "minimum", "away", "limit", "lunch", "closed", "newest", "private",
    "blocked",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "family", "weekend", "minimum", "away", "limit", "lunch", "closed", "newest", "private",
    "blocked",
)  # fmt: skip
"""In the order in which levels add them, next to the requests that they are about."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    minimum: int
    limit: int
    """In euros."""
    closed: int
    """A weekday, from 0 for Monday."""
    blocked: str
    """The name of a person."""
    today: str

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def without_rules(self) -> Self:
        """What always holds."""
        return self._replace(rules=())

    def text(self) -> str:
        """All rules with their numbers."""
        lines = (f"Rule {n}: {_TEXTS[rule](self)}" for n, rule in enumerate(self.rules, 1))
        return "\n".join([_GENERAL, *lines])


def weekday(day: str) -> str:
    """The weekday of a date.

    >>> weekday("2031-03-04")
    'Tuesday'
    """
    return WEEKDAYS[date.fromisoformat(day).weekday()]


_GENERAL = """\
- Notes and messages name people by their nicknames, which stand in the contacts. The nickname of \
one person may be the first name of another. Everything else has full names.
- Who came to a past event: the people of the event in the calendar, without those whose last \
message about it says that they cannot come. Who would like to come to an event: those whose last \
message about it says so.
- A note on an event may list a share for each person, and what people advanced. What is still to \
be paid is the share, or the amount advanced, less the payments for the event that are done; \
payments that failed or are requested do not count.
- Meetings are the events that end by 17:00. A meeting is moved to the next free time: the first \
one on a later day than its own that has the same length and clashes with no other event in my \
calendar. Times begin at a full or half hour from 09:00 and end by 17:00, from Monday to \
Friday. Move meetings in the order in which they begin; those that have been moved count at their \
new time.
- A to-do for a file that somebody asks for has the title 'send FILE to FULL NAME' and the date by \
which they need it. It is not needed if the file is shared with them, or if there is such a to-do, \
done or not.
- A file that is listed without a version means all its versions, such as plan-v1 and plan-v2 for \
plan.
- A to-do about money is done if there is a done payment from the person to me, for that event and \
of that amount or more."""


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "family": lambda p: "Nobody of the team 'family' is asked for money.",
    "lunch": lambda p: "No meeting is moved to a time between 12:00 and 13:00 or into it.",
    "weekend": lambda p: (
        "A to-do whose date is a Saturday or Sunday is due on the Friday before that."
    ),
    "newest": lambda p: (
        "Of a file in several versions only the one with the highest number is shared."
    ),
    "minimum": lambda p: (
        f"Amounts below {p.minimum} EUR are neither asked for nor paid; that is about what is "
        "still to be paid."
    ),
    "limit": lambda p: (
        f"A payment of more than {p.limit} EUR is not made. Instead, add a to-do 'pay FULL NAME' "
        f"for it that is due today, {p.today}."
    ),
    "away": lambda p: (
        "A contact may be away from one date to another, both included. No meeting with them is "
        "moved to such a day, and they are not invited to events on such a day."
    ),
    "closed": lambda p: f"No meeting is moved to a {WEEKDAYS[p.closed]}.",
    "private": lambda p: (
        "Files in the folder 'Private' are shared with people of the team 'family' only."
    ),
    "blocked": lambda p: (
        f"{p.blocked} is not paid, not asked for money, not invited, and gets no files, whatever "
        "other rules say, and needs no to-do in place of that. To-dos for files are added."
    ),
}


def random_policy(rng: Random, rules: int, today: str, names: list[str]) -> Policy:
    """The first rules of the list in random order, with random values."""
    return Policy(
        rules=tuple(rng.sample(RULES[:rules], rules)),
        minimum=rng.choice((5, 8, 10, 12)),
        limit=rng.choice((60, 80, 100)),
        closed=rng.randrange(5),
        blocked=rng.choice(names),
        today=today,
    )
