"""Structures by many at a time, and sentences that few of them satisfy.

Each atom has a mask, whose bits are the structures in which it is true.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from palaestra.generators.logic.first_order_model.sentences import (
    Atom,
    Signature,
    masks,
    random_sentence,
)

NEAR, FAR, ANY = 120, 80, 120
"""Structures that differ from a planted one in 1 or 2 atoms, in 3 to 6, and random ones."""

CANDIDATES = 14
"""Random sentences of which the one is taken that fewest structures satisfy."""

_UNARY: Mapping[str, Callable[[int, int], bool]] = {
    "none": lambda n, size: False,
    "all": lambda n, size: True,
    "first half": lambda n, size: 2 * n <= size,
}
_BINARY: Mapping[str, Callable[[int, int, int], bool]] = {
    "none": lambda a, b, size: False,
    "all": lambda a, b, size: True,
    "equality": lambda a, b, size: a == b,
    "inequality": lambda a, b, size: a != b,
    "order": lambda a, b, size: a <= b,
    "strict order": lambda a, b, size: a < b,
    "cycle": lambda a, b, size: a % size + 1 == b,
}


def plain_structures(signature: Signature) -> dict[str, dict[Atom, bool]]:
    """Structures in which all predicates of the same number of places are alike, by name."""
    size = signature.elements
    return {
        f"{one}, {other}": {
            (name, elements): (
                _UNARY[one](elements[0], size)
                if len(elements) == 1
                else _BINARY[other](elements[0], elements[1], size)
            )
            for name, elements in signature.atoms()
        }
        for one in _UNARY
        for other in _BINARY
    }


def random_structure(rng: Random, signature: Signature) -> dict[Atom, bool]:
    """A structure in which each atom is as likely true as false."""
    return {atom: rng.random() < 0.5 for atom in signature.atoms()}


def tight_sentences(
    rng: Random, signature: Signature, number: int, depth: int
) -> list[tuple[Any, bool]]:
    """So many sentences with truth values that a random structure gives them, and few others do.

    Of a few random sentences, the one is taken that most of the remaining structures give another
    truth value. These are near to the planted one, or far from it, or plain.
    """
    planted = random_structure(rng, signature)
    atoms = [*planted]
    structures = [planted, *plain_structures(signature).values()]
    for count in range(NEAR + FAR):
        flips = rng.randint(1, 2) if count < NEAR else rng.randint(3, 6)
        changed = rng.sample(atoms, min(flips, len(atoms)))
        structures.append({**planted, **{atom: not planted[atom] for atom in changed}})
    structures += [random_structure(rng, signature) for _ in range(ANY)]
    worlds = {
        atom: sum(1 << n for n, each in enumerate(structures) if each[atom]) for atom in atoms
    }
    every = (1 << len(structures)) - 1
    alive, chosen = every, list[tuple[Any, bool]]()
    while len(chosen) < number:
        best: tuple[int, int] | None = None
        option: tuple[Any, bool] = (None, False)
        for _ in range(CANDIDATES):
            sentence = random_sentence(rng, signature, depth)
            mask = masks(sentence, worlds, every, signature.elements)
            truth = bool(mask & 1)
            agree = mask if truth else every ^ mask
            rank = (alive & agree).bit_count(), agree.bit_count()
            is_new = agree != every and all(sentence != known for known, _ in chosen)
            if is_new and (best is None or rank < best):
                best, option = rank, (sentence, truth)
        if best is not None:
            chosen.append(option)
            alive &= masks(option[0], worlds, every, signature.elements) ^ (
                0 if option[1] else every
            )
    return chosen
