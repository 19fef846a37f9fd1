"""Events that change the traits of single objects, of similar ones, or under conditions."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

VALUES = {
    "colour": ("red", "blue", "green", "white", "yellow", "black"),
    "size": ("tiny", "small", "medium", "large", "huge"),
    "place": ("attic", "cellar", "garden", "hall", "kitchen", "shed"),
    "material": ("wooden", "glass", "iron", "paper", "clay"),
    "owner": ("Ada", "Bo", "Cleo", "Dev", "Esme"),
}
"""The traits of objects and their values."""

SET = {
    "colour": "The {object} is painted {value}.",
    "size": "The {object} becomes {value}.",
    "place": "The {object} is brought to the {value}.",
    "material": "The {object} is made {value} by magic.",
    "owner": "The {object} is given to {value}.",
}
ALL = {
    "colour": "{value}",
    "size": "{value}",
    "place": "in the {value}",
    "material": "{value}",
    "owner": "owned by {value}",
}
BECOME = {
    "colour": "are painted {value}",
    "size": "become {value}",
    "place": "are brought to the {value}",
    "material": "are made {value} by magic",
    "owner": "are given to {value}",
}

Kind = Literal["set", "swap", "copy", "all", "unless", "group"]


class Event(NamedTuple):
    """An event: objects, traits and values; 0 in fields that its action does not use."""

    action: Kind
    one: int
    other: int
    trait: int
    second: int
    value: int
    seen: int


State = list[list[int]]
"""The value of each trait of each object."""


def carry_out(state: State, event: Event) -> None:
    """Change a state by an event.

    >>> state = [[0, 1], [2, 1], [3, 4]]
    >>> carry_out(state, Event("all", 0, 0, 0, 1, 5, 1))
    >>> state
    [[5, 1], [5, 1], [3, 4]]
    """
    action, one, other, trait, _, value, _ = event
    if action == "swap":
        state[one][trait], state[other][trait] = state[other][trait], state[one][trait]
        return
    result = state[other][trait] if action == "copy" else value
    for n in _affected(state, event):
        state[n][trait] = result


def _affected(state: State, event: Event) -> list[int]:
    """The objects whose trait an event sets."""
    action, one, _, _, second, _, seen = event
    if action == "unless":
        return [] if state[one][second] == seen else [one]
    if action in {"all", "group"}:
        shared = seen if action == "all" else state[one][second]
        return [n for n, row in enumerate(state) if row[second] == shared]
    return [one]


def as_text(event: Event, objects: Sequence[str], traits: Sequence[str]) -> str:
    """An event in words.

    >>> as_text(Event("unless", 0, 0, 1, 0, 4, 3), ["cup"], ["colour", "size"])
    'The cup becomes huge, unless it is white.'
    """
    action, one, other, trait, second, value, seen = event
    name, condition = traits[trait], traits[second]
    mine, theirs = objects[one], objects[other]
    become = BECOME[name].format(value=VALUES[name][value])
    fits = ALL[condition].format(value=VALUES[condition][seen])
    single = SET[name].format(object=mine, value=VALUES[name][value])
    return {
        "set": single,
        "swap": f"The {mine} and the {theirs} exchange their {name}.",
        "copy": f"The {mine} takes on the {name} of the {theirs}.",
        "all": f"All objects that are {fits} {become}.",
        "unless": f"{single[:-1]}, unless it is {fits}.",
        "group": f"All objects with the same {condition} as the {mine}, and the {mine} itself, "
        f"{become}.",
    }[action]


def random_events(
    rng: Random,
    start: Sequence[Sequence[int]],
    sizes: Sequence[int],
    kinds: Sequence[Kind],
    number: int,
) -> tuple[Event, ...]:
    """A number of random events with an effect that keep the objects sufficiently different.

    Otherwise all objects would soon have the same traits.
    """
    state = [list(row) for row in start]
    events: list[Event] = []
    while len(events) < number:
        event = _random_event(rng, kinds, state, sizes)
        after = [row[:] for row in state]
        carry_out(after, event)
        if after == state and not (event.action == "unless" and rng.random() < 0.3):
            continue
        if _varied(state, after, event.trait):
            events.append(event)
            state = after
    return tuple(events)


def _varied(before: State, after: State, trait: int) -> bool:
    """Whether enough values and objects differ, or no fewer than before."""
    values, old_values = ({row[trait] for row in rows} for rows in (after, before))
    objects, old_objects = (set(map(tuple, rows)) for rows in (after, before))
    enough = 2 if len(after) < 6 else 3
    return len(values) >= min(enough, len(old_values)) and len(objects) >= min(
        2 * len(after) // 3, len(old_objects)
    )


def _random_event(rng: Random, kinds: Sequence[Kind], state: State, sizes: Sequence[int]) -> Event:
    action = rng.choice(kinds)
    one, other = rng.sample(range(len(state)), 2)
    trait, second = rng.sample(range(len(sizes)), 2)
    value = rng.randrange(sizes[trait])
    # The condition is true of some object, so that the event has consequences.
    seen = rng.choice(state)[second]
    # Unused fields are 0, so that equal events compare equal.
    return Event(
        action,
        one if action != "all" else 0,
        other if action in {"swap", "copy"} else 0,
        trait,
        second if action in {"all", "unless", "group"} else 0,
        value if action not in {"swap", "copy"} else 0,
        seen if action in {"all", "unless"} else 0,
    )
