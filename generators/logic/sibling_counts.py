"""Groups of women and men, told of by one of them: families, offices and clubs.

Whoever tells of a group leaves the own person out, as one who has two sisters is no sister of her
own; how many there are follows from what is told.
"""

from random import Random
from typing import Literal, NamedTuple

WORDS = {
    "family": ("girl", "boy", "sister", "brother", "a child of family {}"),
    "office": ("woman", "man", "female colleague", "male colleague", "a worker in office {}"),
    "club": ("woman", "man", "female friend", "male friend", "a member of club {}"),
}
"""What the members of a group are called, and what the others of it are to each of them."""

RULES = {
    "family": "The children of a family are all sisters and brothers of one another, with both "
    "parents in common, and have no other siblings.",
    "office": "All who work in the same office are colleagues of one another, and nobody else is.",
    "club": "All members of the same club are friends of one another, and nobody has other "
    "friends.",
}

Clue = Literal["both", "sum", "total", "linked"]


class Group(NamedTuple):
    """A group: how many women and men there are, and who tells of them how."""

    kind: str
    women: int
    men: int
    teller: str
    teller_woman: bool
    clue: Clue
    change: tuple[int, int]
    """How many women and men come, or go, after that."""

    def seen(self, woman: bool) -> tuple[int, int]:
        """How many women and men somebody in the group sees at the start, without the self."""
        return self.women - woman, self.men - (not woman)

    def others_of(self, woman: bool) -> tuple[int, int]:
        """The same at the end."""
        women, men = self.seen(woman)
        return women + self.change[0], men + self.change[1]


def drawn(rng: Random, teller: str, clue: Clue, largest: int, changes: bool) -> Group:
    """A group with from three to so many women, and as many men."""
    women, men = rng.randint(3, largest), rng.randint(3, largest)
    change = (rng.randint(-2, 4), rng.randint(-2, 4)) if changes else (0, 0)
    # Those who are asked about stay, so that no more may go than there are others.
    change = (max(change[0], 3 - women), max(change[1], 3 - men))
    return Group(rng.choice(list(WORDS)), women, men, teller, rng.random() < 0.5, clue, change)


def as_text(group: Group, number: int, before: Group) -> str:
    """What is told of a group that has a number; ``before`` is the one that was told of last.

    >>> group = Group("club", 3, 4, "Bo", True, "both", (0, -1))
    >>> as_text(group, 1, group)
    'Bo is a woman, a member of club 1, and has 2 female friends and 4 male friends. Later 1 man \
left club 1.'
    """
    woman, man, _, _, which = WORDS[group.kind]
    sentence = f"{group.teller} is a {woman if group.teller_woman else man}, "
    sentence += f"{which.format(number)}, and has {_seen(group, before)}."
    come = [
        f"{many(abs(n), word)} {'joined' if n > 0 else 'left'} {group.kind} {number}"
        for n, word in zip(group.change, (woman, man))
        if n
    ]
    return sentence + (f" Later {' and '.join(come)}." if come else "")


def _seen(group: Group, before: Group) -> str:
    _, _, sister, brother, _ = WORDS[group.kind]
    women, men = group.seen(group.teller_woman)
    if group.clue == "both":
        return f"{many(women, sister)} and {many(men, brother)}"
    if group.clue == "sum":
        more = f"{compared(women, men, sister)} {brother}s"
        return f"{women + men} {sister}s and {brother}s together: {more}"
    if group.clue == "total":
        members = "children" if group.kind == "family" else "people"
        everyone = f"{group.women + group.men} {members}"
        return f"{many(women, sister)}; altogether the {group.kind} has {everyone}"
    theirs, _ = before.seen(before.teller_woman)
    return (
        f"{compared(women, theirs, sister)} {before.teller} had {WORDS[before.kind][2]}s at first, "
        f"and {many(men, brother)}"
    )


def many(number: int, word: str) -> str:
    """So many of a word.

    >>> many(1, "sister"), many(0, "woman")
    ('1 sister', '0 women')
    """
    if number == 1:
        return f"1 {word}"
    return f"{number} {word.removesuffix('man') + 'men' if word.endswith('man') else word + 's'}"


def compared(one: int, other: int, word: str) -> str:
    """How two numbers compare.

    >>> compared(3, 2, "sister"), compared(2, 2, "sister")
    ('1 more sister than', 'as many sisters as')
    """
    if one == other:
        return f"as many {word}s as"
    comparison = "more" if one > other else "fewer"
    return f"{abs(one - other)} {comparison} {word}{'s' * (abs(one - other) > 1)} than"
