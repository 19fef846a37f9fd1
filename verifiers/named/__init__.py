"""Verifiers by name, with a gold and options that are plain JSON.

The service, its client, the command line and the table in the documentation share this registry.
Each entry states what it judges, the JSON Schemas of its gold and of its options with all bounds,
what it needs of the machine, and how a verifier is built from them.

>>> judge = built("quantity", '"90 km/h"', '{"relative": 0.01}')
>>> judge("25 m/s").correct
True
>>> built("quantity", '"90 km/h"', '{"relative": 2}')
Traceback (most recent call last):
  ...
palaestra.verifiers.named.entries.BadField: relative: Input should be less than 1

Nothing in a gold or in options is ever evaluated: they become numbers, texts, lists and objects of
bounded size.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from palaestra.verifiers.named import entries
from palaestra.verifiers.named.entries import (
    GOLD_CHARACTERS,
    BadField,
    Entry,
    Runs,
    UnknownVerifier,
)
from palaestra.verifiers.verifier import Judge

__all__ = [
    "GOLD_CHARACTERS",
    "BadField",
    "Entry",
    "UnknownVerifier",
    "built",
    "entry_of",
    "registry",
    "requirements",
]


@cache
def registry() -> Mapping[str, Entry]:
    """All named verifiers. The modules that register them are imported by the first call."""
    from palaestra.verifiers.named import (  # noqa: F401
        answers,
        certificates,
        combined,
        lists,
        programs,
        proofs,
        shapes,
        structures,
        texts,
        values,
    )

    return entries.ENTRIES


def entry_of(name: str) -> Entry:
    """The entry of a name. Raises :class:`UnknownVerifier`."""
    registry()
    return entries.entry_of(name)


def built(name: str, gold: str, options: str = "{}", bare: bool = False) -> Judge:
    """The verifier of a name, from JSON texts.

    ``bare`` says that answers have been extracted by an answer format. Raises
    :class:`UnknownVerifier`, :class:`BadField`, and
    :class:`~palaestra.extras.MissingExtra` where a library is not installed.
    """
    registry()
    return entries.built(name, gold, options, bare)


def requirements(name: str, gold: Any) -> frozenset[Runs]:
    """Where a verifier and those inside it have to run; ``gold`` is plain JSON.

    Raises :class:`UnknownVerifier`, and :class:`BadField` for verifiers nested too deeply.
    """
    registry()
    return entries.requirements(name, gold)
