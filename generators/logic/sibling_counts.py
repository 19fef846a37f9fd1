"""Families, offices and clubs of women and men, described by one of their members.

The speaker is not counted, as nobody is their own sister; the numbers of all members follow from
the description.
"""

from random import Random
from typing import Literal, NamedTuple

WORDS = {
    "family": ("girl", "boy", "sister", "brother", "a child of family {}"),
    "office": ("woman", "man", "female colleague", "male colleague", "a worker in office {}"),
    "club": ("woman", "man", "female friend", "male friend", "a member of club {}"),
}
"""The words for the members of a group, and for the other members from a member's view."""

RULES = {
    "family": "The children of a family are all sisters and brothers of one another, with both "
    "parents in common, and have no other siblings.",
    "office": "All who work in the same office are colleagues of one another, and nobody else is.",
    "club": "All members of the same club are friends of one another, and nobody has other "
    "friends.",
}

Clue = Literal["both", "sum", "total", "linked"]


class Group(NamedTuple):
    """A group: the numbers of women and men, the speaker, and how the clue is worded."""

    setting: str
    women: int
    men: int
    teller: str
    teller_woman: bool
    clue: Clue
    change: tuple[int, int]
    """The numbers of women and men who join later; negative if they leave."""

    def seen(self, woman: bool) -> tuple[int, int]:
        """The numbers of other women and men at the start, from a member's view."""
        return self.women - woman, self.men - (not woman)

    def others_of(self, woman: bool) -> tuple[int, int]:
        """The same at the end."""
        women, men = self.seen(woman)
        return women + self.change[0], men + self.change[1]


def random_group(rng: Random, teller: str, clue: Clue, largest: int, changes: bool) -> Group:
    """A group of three to ``largest`` women, and as many men."""
    women, men = rng.randint(3, largest), rng.randint(3, largest)
    change = (rng.randint(-2, 4), rng.randint(-2, 4)) if changes else (0, 0)
    # The people in the questions stay, so only others may leave.
    change = (max(change[0], 3 - women), max(change[1], 3 - men))
    return Group(rng.choice(list(WORDS)), women, men, teller, rng.random() < 0.5, clue, change)


def as_text(group: Group, number: int, before: Group) -> str:
    """The description of a group with its number; ``before`` is the group described before it.

    >>> group = Group("club", 3, 4, "Bo", True, "both", (0, -1))
    >>> as_text(group, 1, group)
    'Bo is a woman, a member of club 1, and has 2 female friends and 4 male friends. Later 1 man \
left club 1.'
    """
    woman, man, _, _, which = WORDS[group.setting]
    sentence = f"{group.teller} is a {woman if group.teller_woman else man}, "
    sentence += f"{which.format(number)}, and has {_seen(group, before)}."
    come = [
        f"{many(abs(n), word)} {'joined' if n > 0 else 'left'} {group.setting} {number}"
        for n, word in zip(group.change, (woman, man))
        if n
    ]
    return sentence + (f" Later {' and '.join(come)}." if come else "")


def _seen(group: Group, before: Group) -> str:
    _, _, sister, brother, _ = WORDS[group.setting]
    women, men = group.seen(group.teller_woman)
    if group.clue == "both":
        return f"{many(women, sister)} and {many(men, brother)}"
    if group.clue == "sum":
        more = f"{compared(women, men, sister)} {brother}s"
        return f"{women + men} {sister}s and {brother}s together: {more}"
    if group.clue == "total":
        members = "children" if group.setting == "family" else "people"
        everyone = f"{group.women + group.men} {members}"
        return f"{many(women, sister)}; altogether the {group.setting} has {everyone}"
    theirs, _ = before.seen(before.teller_woman)
    return (
        f"{compared(women, theirs, sister)} {before.teller} had {WORDS[before.setting][2]}s at "
        f"first, and {many(men, brother)}"
    )


def many(number: int, word: str) -> str:
    """A number of people in words.

    >>> many(1, "sister"), many(0, "woman")
    ('1 sister', '0 women')
    """
    if number == 1:
        return f"1 {word}"
    return f"{number} {word.removesuffix('man') + 'men' if word.endswith('man') else word + 's'}"


def compared(one: int, other: int, word: str) -> str:
    """A comparison of two numbers in words.

    >>> compared(3, 2, "sister"), compared(2, 2, "sister")
    ('1 more sister than', 'as many sisters as')
    """
    if one == other:
        return f"as many {word}s as"
    comparison = "more" if one > other else "fewer"
    return f"{abs(one - other)} {comparison} {word}{'s' * (abs(one - other) > 1)} than"
