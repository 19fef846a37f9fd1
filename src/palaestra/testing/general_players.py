"""The general baseline players, who answer any question with what its prompt contains."""

import re
from collections.abc import Sequence
from random import Random

FEWEST = 3
"""Items or lines of the shortest list."""

_NUMBER = re.compile(r"-?\d+")


def general_players(prompt: str, rng: Random) -> dict[str, str]:
    r"""Answers made of a prompt by players who know nothing of its subject, by name.

    They answer with a number or a word of the prompt, the sum of its numbers, and its longest list
    in several orders, once of the items in a line and once of lines.

    >>> players = general_players("Add these:\n3, 20, 1\nAnswer with a number.", Random(0))
    >>> players["greatest number"], players["sum of the numbers"], players["items in order"]
    ('20', '24', '1, 3, 20')
    """
    players = {"random word": rng.choice(re.findall(r"\w+", prompt) or [""])}
    if numbers := [int(number) for number in _NUMBER.findall(prompt) if len(number) < 400]:
        in_order = sorted(numbers)
        players |= {
            "random number": str(rng.choice(numbers)),
            "least number": str(in_order[0]),
            "middle number": str(in_order[len(in_order) // 2]),
            "greatest number": str(in_order[-1]),
            "sum of the numbers": str(sum(numbers)),
        }
    separator, items = longest_list(prompt)
    players |= _ordered("items", separator, items, rng)
    return players | _ordered("lines", "\n", _longest_block(prompt), rng)


def longest_list(prompt: str) -> tuple[str, list[str]]:
    r"""The longest list that is a line, or follows a colon: its separator and its items.

    >>> longest_list("The list: 3, 1, 2\nAnswer with it in order.")
    (', ', ['3', '1', '2'])
    """
    longest: tuple[str, list[str]] = ", ", []
    for line in prompt.splitlines():
        text = line.rpartition(": ")[2].strip().rstrip(".")
        for separator in (", ", " "):
            items = text.split(separator)
            words = separator == ", " or all(len(item) == 1 or _is_number(item) for item in items)
            if words and all(items) and FEWEST <= len(items) > len(longest[1]):
                longest = separator, items
    return longest


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _longest_block(prompt: str) -> list[str]:
    """The most lines of one paragraph."""
    return max((paragraph.splitlines() for paragraph in prompt.split("\n\n")), key=len)


def _ordered(name: str, separator: str, items: Sequence[str], rng: Random) -> dict[str, str]:
    """A list as it stands, reversed, in both orders of its items, and shuffled."""
    if len(items) < FEWEST:
        return {}
    in_order = sorted(items, key=int if all(map(_is_number, items)) else str)
    orders = {
        f"{name} unchanged": items,
        f"{name} reversed": items[::-1],
        f"{name} in order": in_order,
        f"{name} in reverse order": in_order[::-1],
        f"{name} shuffled": rng.sample(items, len(items)),
    }
    return {player: separator.join(order) for player, order in orders.items()}
