"""Calls that kill the mutants of the modules of a repository, so that tests by them are
sufficient.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.mini_repository.calls import called, entries
from palaestra.generators.programs.mini_repository.repositories import (
    Args,
    Called,
    Constants,
    Slip,
    needs,
    source,
)
from palaestra.generators.programs.mini_repository.trials import (
    Place,
    Repository,
    Trial,
    hidden,
    in_order,
)

MORE = 200
"""Among so many calls of each function those are looked for that kill mutants."""

_DEFINED = re.compile(r"^ *def (\w+)", re.MULTILINE)
_IMPORT = re.compile(r"^from \w+ import .+$", re.MULTILINE)


def program(modules: Sequence[str], chosen: Constants, slipped: Sequence[Slip] = ()) -> str:
    """The modules as one program: no two of them give a function or a constant the same name."""
    return "\n\n".join(_IMPORT.sub("", source(module, chosen, slipped)) for module in modules)


def subject(modules: Sequence[str], chosen: Constants) -> Subject:
    """Modules without slips whose mutants are to be killed, which are given calls."""
    return Subject(program(modules, chosen), _result)


def _result(names: Mapping[str, Any], call: Called) -> Any:
    return deepcopy(names[call.function](*deepcopy(call.args)))


@lru_cache(maxsize=256)
def _telling(module: str, chosen: Constants) -> tuple[Called, ...]:
    """Calls of the functions of a module that kill all mutants of it that some call kills."""
    reference = subject(needs(module), chosen)
    names = {*_DEFINED.findall(source(module, chosen))}
    own = {n for n, unit in enumerate(reference.units) if unit.node.name in names}
    changes = (change for change in reference.changes() if change.unit in own)
    rng = Random(repr((module, chosen)))
    calls = [called(module, name, rng) for name in entries(module) for _ in range(MORE)]
    return tuple(killers(reference, [], calls, changes))


@lru_cache(maxsize=64)
def sufficient(repository: Repository, seed: int) -> tuple[Trial, ...]:
    """The same as :func:`hidden`, and more, until no mutant of a module passes that a call of one
    of its functions, of a wide choice, shows up.
    """
    right = repository.running(())
    more = [
        call for module in repository.modules for call in _telling(module, _own(repository, module))
    ]
    return in_order(
        [*hidden(repository, seed), *(Trial(call, right.result(call)) for call in more)]
    )


def _own(repository: Repository, module: str) -> Constants:
    """The constants of a module and of those that it imports."""
    return tuple(
        pair for pair in repository.constants if pair[0].partition(".")[0] in needs(module)
    )


# ------------------------------------------------------------------------------- a second opinion

_LETTERS = string.ascii_lowercase + "acehsx"
_SIGNS = string.ascii_letters + string.digits + " -_.,:!"

Drawer = Callable[[Random], Args]


def _text(rng: Random) -> str:
    return "".join(rng.choices(_SIGNS, k=rng.randint(0, 25)))


def _word(rng: Random) -> str:
    return "".join(rng.choices(_LETTERS, k=rng.randint(1, 6)))


def _numbers(low: int) -> Callable[[Random], list[int]]:
    return lambda r: [r.randint(low, r.choice((3, 30, 90))) for _ in range(r.randint(1, 12))]


def _date(rng: Random) -> list[int]:
    return [rng.randint(1800, 2410), rng.randint(1, 12), rng.randint(1, 28)]


def _cents(rng: Random) -> int:
    return rng.randint(0, 10 ** rng.randint(1, 5))


def _cell(rng: Random) -> Args:
    height, width = rng.randint(1, 6), rng.randint(1, 6)
    grid = [[rng.randint(0, 2) for _ in range(width)] for _ in range(height)]
    return [grid, rng.randrange(height), rng.randrange(width)]


_any_numbers: Drawer = lambda r: [_numbers(-40)(r)]  # noqa: E731

WIDE: Mapping[str, Drawer] = {
    "money.parse_price": lambda r: [f"{r.randint(0, 999)}.{r.randint(0, 99):02d}"],
    "money.show_price": lambda r: [r.choice((1, -1)) * _cents(r)],
    "money.split_evenly": lambda r: [_cents(r), r.randint(1, 12)],
    "money.percentage": lambda r: [_cents(r), r.randint(1, 100)],
    "words.slug": lambda r: [_text(r)],
    "words.shorten": lambda r: [_text(r), r.randint(2, 30)],
    "words.counted": lambda r: [r.randint(0, 30), _word(r)],
    "words.wrap": lambda r: [_text(r), r.randint(1, 20)],
    "dates.is_leap": lambda r: [r.randint(1600, 2500)],
    "dates.month_length": lambda r: _date(r)[:2],
    "dates.day_of_year": _date,
    "dates.later": lambda r: [_date(r), r.randint(0, 10 ** r.randint(1, 3))],
    "grids.around": _cell,
    "grids.region": _cell,
    "stats.median": _any_numbers,
    "stats.mode": _any_numbers,
    "stats.mean": _any_numbers,
    "stats.bins": lambda r: [_numbers(0)(r)],
    "stats.running": lambda r: [_numbers(-40)(r), r.randint(1, 9)],
    "parsing.duration": lambda r: [r.randint(0, 10 ** r.randint(1, 4))],
    "accounts.shared": lambda r: [[_word(r) for _ in range(r.randint(1, 6))], _cents(r)],
}
"""Arguments of some functions from the whole of what they take."""


def others(repository: Repository, seed: int, number: int) -> list[Called]:
    """So many calls of each function for a second opinion: with arguments from all over what it
    takes, or with those of two calls mixed.
    """
    rng, places = Random(f"others {seed}"), repository.tested("functions")
    return [_other(rng, function) for function in places for _ in range(number)]


def _other(rng: Random, function: Place) -> Called:
    one, other = called(*function, rng), called(*function, rng)
    wide = WIDE.get(".".join(function))
    if wide:
        return one._replace(args=wide(rng))
    pairs = zip(one.args, other.args) if len(one.args) == len(other.args) else ()
    return one._replace(args=[_either(rng, *pair) for pair in pairs] or one.args)


def _either(rng: Random, one: Any, other: Any) -> Any:
    """One of two arguments, or a list with some elements less, or one of them twice, or turned."""
    if not isinstance(one, list) or not one or rng.random() < 0.2:
        return other if rng.random() < 0.3 else one
    ways: tuple[Args, ...] = (
        [part for part in one if rng.random() < 0.7],
        [*one, rng.choice(one)],
        one[::-1],
    )
    return rng.choice(ways)
