"""Descriptions of people by age and traits, and facts about them, in words."""

from collections.abc import Sequence

TRAITS = {
    "town": ("{} in {}", "lives", "does not live", "Lisbon Oslo Quito Seoul Tunis"),
    "drink": ("{} {}", "drinks", "does not drink", "tea coffee cocoa juice"),
    "pet": ("{} a {}", "has", "does not have", "cat dog parrot rabbit turtle"),
    "hair": ("{} {} hair", "has", "does not have", "black brown red grey"),
    "job": ("{} as a {}", "works", "does not work", "baker doctor pilot tailor nurse"),
    "sport": ("{} {}", "plays", "does not play", "chess tennis golf hockey"),
    "coat": ("{} a {} coat", "wears", "does not wear", "blue green yellow white"),
    "bus": ("{} bus {}", "takes", "does not take", "12 34 56 78"),
}
"""For each trait: the phrase, its verb, the negated verb, and the values."""

VALUES = {trait: texts[3].split() for trait, texts in TRAITS.items()}

Fact = tuple[str, str]
"""A trait and its value; or the trait ``age`` and the number that it exceeds."""


def described(name: str, age: int, traits: Sequence[Fact], style: int) -> str:
    """A sentence that states the age and the traits of a person, in one of two styles.

    >>> described("Bo", 30, [("pet", "cat"), ("bus", "12")], 1)
    'Bo, who is 30 years old, takes bus 12 and has a cat.'
    """
    phrases = [TRAITS[trait][0].format(TRAITS[trait][1], value) for trait, value in traits]
    turn = style % len(phrases)
    phrases = phrases[turn:] + phrases[:turn]
    if style % 2:
        return f"{name}, who is {age} years old, {', '.join(phrases[:-1])} and {phrases[-1]}."
    return f"{name} {', '.join(phrases)} and is {age}."


def worded(fact: Fact, yes: bool) -> str:
    """A fact or its negation in words.

    >>> worded(("pet", "cat"), False), worded(("age", "30"), False)
    ('they do not have a cat', 'they are at most 30')
    """
    trait, value = fact
    if trait == "age":
        return f"they are {'older than' if yes else 'at most'} {value}"
    form, verb, opposite, _ = TRAITS[trait]
    plural = "have" if verb == "has" else verb.removesuffix("s")
    return f"they {form.format(plural if yes else opposite.replace('does', 'do'), value)}"
