"""Combinators: they make an environment of another one, as ``games/mastermind+retry(3)`` does.

The name of a combination is that of its base environment, followed by combinators, which apply from
left to right. It can be used wherever an environment's name can: in addresses, in Gymnasium, over
HTTP, in exports and with trainers. Nothing is stored; a combination is built from its name.
"""

import re
from typing import Any, cast
from weakref import WeakValueDictionary

from pydantic import create_model

from palaestra.combination import BadCombination, Combination
from palaestra.combinators.batch import Batch
from palaestra.combinators.best_move import BestMove
from palaestra.combinators.branch import Branch
from palaestra.combinators.chain import Chain
from palaestra.combinators.choices import Choices
from palaestra.combinators.code import Code
from palaestra.combinators.combinator import Combinator, unknown
from palaestra.combinators.confidence import Confidence
from palaestra.combinators.constrain import Constrain
from palaestra.combinators.distract import Distract
from palaestra.combinators.hint import Hint
from palaestra.combinators.illegal_move import IllegalMove
from palaestra.combinators.judge import Judge
from palaestra.combinators.language import Language
from palaestra.combinators.legal_moves import LegalMoves
from palaestra.combinators.length import Length
from palaestra.combinators.locate import Locate
from palaestra.combinators.moves_between import MovesBetween
from palaestra.combinators.nest import Nest
from palaestra.combinators.next_state import NextState
from palaestra.combinators.reachable import Reachable
from palaestra.combinators.refine import Refine
from palaestra.combinators.rename import Rename
from palaestra.combinators.reorder import Reorder
from palaestra.combinators.retry import Retry
from palaestra.combinators.review import Review
from palaestra.combinators.story import Story
from palaestra.combinators.tools import Tools
from palaestra.combinators.unanswerable import Unanswerable
from palaestra.combinators.what_changed import WhatChanged
from palaestra.combinators.wording import Wording
from palaestra.combinators.yes_no import YesNo
from palaestra.task import Task

_ALL = (
    Batch,
    BestMove,
    Branch,
    Chain,
    Choices,
    Code,
    Confidence,
    Constrain,
    Distract,
    Hint,
    IllegalMove,
    Judge,
    Language,
    LegalMoves,
    Length,
    Locate,
    MovesBetween,
    Nest,
    NextState,
    Reachable,
    Refine,
    Rename,
    Reorder,
    Retry,
    Review,
    Story,
    Tools,
    Unanswerable,
    WhatChanged,
    Wording,
    YesNo,
)

COMBINATORS: dict[str, type[Combinator]] = {each.name: each for each in _ALL}
"""Every combinator, by its name."""

MOST = 3
"""How many combinators may be stacked."""

_FORM = re.compile(r" {0,9}(\w{1,30}) {0,9}(?:\(([^()]{0,100})\) {0,9})?")

__all__ = ["COMBINATORS", "BadCombination", "Combination", "Combinator", "combine", "read", "split"]


def split(name: str) -> tuple[str, list[Combinator]]:
    """The base environment in the name of a combination, and its combinators in order.

    Raises :class:`BadCombination`.

    >>> base, combinators = split("games/mastermind+retry(2)")
    >>> base, str(combinators[0])
    ('games/mastermind', 'retry(2,verdict)')
    """
    base, *parts = _parts(name)
    if len(parts) > MOST:
        raise BadCombination(f"at most {MOST} combinators can be stacked")
    return base, [read(part) for part in parts]


def _parts(name: str) -> list[str]:
    """The parts of a name between the plus signs that are not in brackets."""
    parts, start, depth = list[str](), 0, 0
    for position, sign in enumerate(name):
        depth += (sign == "(") - (sign == ")")
        if sign == "+" and depth <= 0:
            parts.append(name[start:position])
            start = position + 1
    return [*parts, name[start:]]


def read(text: str) -> Combinator:
    """A combinator from its text form, such as ``retry(3)``; spaces around arguments go.

    Raises :class:`BadCombination`.
    """
    form = _FORM.fullmatch(text)
    if form is None and ("@" in text or "?" in text):
        raise BadCombination(
            f"the version and the seed in {text[:40]!r} belong to an address; a name ends before "
            "'@' and '?'"
        )
    if form is None:
        raise BadCombination(f"a combinator has the form name(argument,…), not {text[:40]!r}")
    if form[1] not in COMBINATORS:
        raise unknown(form[1], COMBINATORS)
    arguments = form[2].split(",") if (form[2] or "").strip() else []
    return COMBINATORS[form[1]].read(*(argument.strip(" ") for argument in arguments))


_combined: WeakValueDictionary[tuple[type[Task], Combinator, str], type[Combination]]
_combined = WeakValueDictionary()
"""The combinations that are in use.

One of which there are tasks is not made anew, as what is made on top of those tasks would refuse
them as tasks of another class.
"""


def combine(base: type[Task], combinator: Combinator, name: str = "") -> type[Combination]:
    """The environment that a combinator makes of another one, with the name that it is loaded by.

    It is the same one as before while anything holds that. Raises :class:`BadCombination` where
    the combinator does not apply to the environment.
    """
    combination = _combined.get((base, combinator, name)) or _combination(base, combinator, name)
    return _combined.setdefault((base, combinator, name), combination)


def _combination(base: type[Task], combinator: Combinator, name: str) -> type[Combination]:
    if refusal := combinator.refusal(base):
        raise BadCombination(f"{combinator} does not apply to {base.__name__}: {refusal}")
    fields: Any = {name: (each, ...) for name, each in combinator.fields(base).items()}
    environment: Any = create_model(
        f"{base.__name__}+{str(combinator).title().replace('_', '')}",
        __base__=combinator.template,
        __module__=combinator.template.__module__,
        __doc__=f"{_first_line(type(combinator))}\n\n{base.__doc__}",
        **fields,
    )
    for variable, value in (combinator.class_variables(base) | {"name": name}).items():
        setattr(environment, variable, value)
    return cast("type[Combination]", environment)


def _first_line(documented: type) -> str:
    return (documented.__doc__ or "").partition("\n")[0]
