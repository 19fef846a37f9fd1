"""Other names for those of a task: people for people, letters for letters, and so on.

Names are replaced in an order that is theirs, too: of two people, letters or numbers, the new name
of the one that comes first in the alphabet, or is smaller, comes first. So lists and matrices that
a prompt has in the order of the names stay in that of the same people or nodes.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from random import Random
from string import ascii_uppercase

from palaestra.combination import Unsuitable
from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.vocabulary import CONSONANTS, VOWELS

FURTHER_NAMES = (
    "Aisha", "Akira", "Alma", "Anders", "Anika", "Bruno", "Camila", "Cedric", "Chloe", "Damir",
    "Daria", "Diego", "Dilan", "Emil", "Enzo", "Erik", "Farid", "Freya", "Goran", "Halima",
    "Hector", "Ilse", "Imani", "Ivan", "Jasper", "Joana", "Kamal", "Katya", "Keiko", "Lucia",
    "Ludo", "Malik", "Marta", "Mei", "Mira", "Nabil", "Naomi", "Niko", "Omar", "Paolo", "Priya",
    "Rafael", "Ramona", "Rashid", "Renata", "Ruben", "Sana", "Santi", "Simone", "Soren", "Suki",
    "Tariq", "Thea", "Tove", "Valeria", "Wanda", "Xenia", "Yara", "Yuki", "Zora",
)  # fmt: skip
"""Names of people that no environment has, for tasks with most of the others."""

PEOPLE = tuple(sorted((*NAMES, *MORE_NAMES, *FURTHER_NAMES)))

PAIRS = tuple(map("".join, permutations("BCDFGHJKLMNPQRSTVWXZ", 2)))
"""Two letters, for tasks with most of the single ones; without vowels, they are no words."""

TRIES = 100
"""How many ways to exchange letters are tried for one whose words are all new."""

_KNOWN = frozenset(PEOPLE)
_WORD = re.compile(r"\w+")


def words_of(text: str) -> frozenset[str]:
    """The words and numbers of a text in small letters, which no new name may be one of."""
    return frozenset(_WORD.findall(text.casefold()))


def replacements(names: Iterable[str], taken: Collection[str], rng: Random) -> dict[str, str]:
    """A new name of the same type for each name, none of which is ``taken``.

    Raises :class:`Unsuitable` where there are not enough.

    >>> replacements(["Bo", "Ada"], {"bo", "ada"}, Random(3))
    {'Ada': 'Fatima', 'Bo': 'Olga'}
    """
    distinct = sorted(set(names))
    people = [name for name in distinct if name in _KNOWN]
    numbers = sorted((name for name in distinct if name.isdecimal()), key=int)
    letters = [name for name in distinct if len(name) == 1 and name in ascii_uppercase]
    invented = [name for name in distinct if name not in {*people, *numbers, *letters}]
    return (
        _chosen(people, [PEOPLE], taken, rng)
        | _chosen(numbers, [_numbers(10, 100), _numbers(100, 1000)], taken, rng)
        | _chosen(letters, [ascii_uppercase, PAIRS], taken, rng)
        | _respelt(invented, taken, rng)
    )


def _numbers(low: int, high: int) -> list[str]:
    return [str(number) for number in range(low, high)]


def _chosen(
    names: Sequence[str], pools: Sequence[Sequence[str]], taken: Collection[str], rng: Random
) -> dict[str, str]:
    """Names of the first pool that has enough, in its order."""
    for pool in pools:
        free = [name for name in pool if name.casefold() not in taken]
        if len(free) >= len(names):
            positions = sorted(rng.sample(range(len(free)), len(names)))
            return {name: free[position] for name, position in zip(names, positions)}
    raise Unsuitable(f"there are not {len(names)} names that it does not have")


def _respelt(names: Sequence[str], taken: Collection[str], rng: Random) -> dict[str, str]:
    """Made-up words with their consonants exchanged for others throughout, and their vowels.

    Words that differ in one letter still do, and "a" and "an" stay right. The last two letters of
    plurals, whose endings depend on them, stay as they are.
    """
    keep = 2 if names and all(name.endswith("s") for name in names) else 0
    for _ in range(TRIES):
        table = _exchange(rng)
        new = {
            name: name[: len(name) - keep].translate(table) + name[len(name) - keep :]
            for name in names
        }
        if not any(name.casefold() in taken for name in new.values()):
            return new
    raise Unsuitable("exchanging letters gives no new words")


def _exchange(rng: Random) -> Mapping[int, str]:
    """Which letter another one becomes, in both cases."""
    table: dict[int, str] = {}
    for letters in (CONSONANTS, VOWELS):
        others = rng.sample(letters, len(letters))
        table |= {ord(one): other for one, other in zip(letters, others)}
        table |= {ord(one.upper()): other.upper() for one, other in zip(letters, others)}
    return table
