"""Programs that are wrong in a rare case only, and the inputs that bring it about."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.programs.mini_python.draw import Function
from palaestra.generators.programs.mini_python.machine import Frame
from palaestra.generators.programs.mini_python.parameters import call_of, plain_values
from palaestra.generators.programs.mini_python.parse import statements
from palaestra.generators.programs.mini_python.rewriting import Change
from palaestra.generators.programs.mini_python.run import Outcome, Program
from palaestra.generators.programs.mini_python.syntax import (
    Augment,
    Binary,
    Compare,
    Conditional,
    Const,
    Do,
    Expr,
    Head,
    If,
    Method,
    Name,
)

POOL = 20
"""How many inputs are looked at."""

PLAIN = 8
"""How many of those that come to mind first must not show anything."""

CASES = 8
"""How many cases are tried for each that is wanted."""

PER_LINE = 2
"""How many of them may be on one line."""


Case = tuple[int, str, int | str]
"""A line, a variable, and what it holds just when the line is about to be carried out."""

Values = list[Any]
"""What a function is given."""


class Rare(NamedTuple):
    """A line that is wrong in a rare case."""

    change: Change
    values: Values
    """The input, of those looked at, that shows it up."""


class _Sighting(NamedTuple):
    """The one input that brings a case about, and what comes of it."""

    case: Case
    values: Values
    outcome: Outcome


def pool_of(function: Function) -> list[Values]:
    """The inputs to choose from, always the same ones for a program."""
    rng = Random(f"tests of {function.source}")
    return [[parameter.sample(rng) for parameter in function.signature] for _ in range(POOL)]


def rare_changes(rng: Random, target: Function, number: int) -> list[Rare]:
    """Lines that are wrong in a case which one input brings about, and none of the first to mind.

    There are so many of them, or fewer where there are none.
    """
    program = Program(target.source)
    body = [each for function in program.parsed.values() for each in statements(function.body)]
    heads = {each.line: each.head for each in body if isinstance(each.head, If | Augment | Do)}
    lines = rng.sample(list(heads), min(number + 1, len(heads)))
    # What a variable holds that can be set at will is no riddle.
    parameters = {parameter.name for parameter in target.signature}
    rare = [
        mutant for mutant in _seen_once(program, lines, target) if mutant.case[1] not in parameters
    ]
    mutant: list[Rare] = []
    for sighting in rng.sample(rare, min(CASES * number, len(rare))):
        line = sighting.case[0]
        if sum(other.change.line == line for other in mutant) < PER_LINE:
            changes = (Change(line, head) for head in _but(rng, heads[line], sighting.case))
            shown = (c for c in changes if _shows(program, c, target.name, sighting))
            mutant += [Rare(change, sighting.values) for change in islice(shown, 1)]
        if len(mutant) == number:
            break
    return mutant


def _shows(program: Program, change: Change, name: str, sighting: _Sighting) -> bool:
    """Whether a change leads to another value, and not just to an exception."""
    _, values, right = sighting
    program.change(*change)
    outcome = program.apply(name, values, 3 * right.steps + 60)
    program.restore()
    return not outcome.fault and outcome.shown != right.shown


def _seen_once(program: Program, lines: Sequence[int], function: Function) -> list[_Sighting]:
    """The cases that come up on one input."""
    held: dict[Case, None] = {}
    for line in lines:
        program.spy(line, partial(_note, held, line))
    for values in plain_values(function.signature, PLAIN):
        program.apply(function.name, values)
    often, once = {*held}, dict[Case, _Sighting]()
    for values in pool_of(function):
        held.clear()
        outcome = program.apply(function.name, values)
        for case in held:
            if outcome.fault or case in once:
                often.add(case)
            once[case] = _Sighting(case, values, outcome)
    program.restore()
    return [sighting for case, sighting in once.items() if case not in often]


def _note(held: dict[Case, None], line: int, frame: Frame) -> None:
    for name, value in frame.items():
        if type(value) is int or (type(value) is str and len(value) < 4):
            held[line, name, value] = None


def _but(rng: Random, head: Head, case: Case) -> Iterator[Head]:
    """Lines that do something else in a case."""
    _, name, value = case
    unlike: Expr = Compare(("!=",), (Name(name), Const(value)))
    alike: Expr = Compare(("==",), (Name(name), Const(value)))
    match head:
        case If(word, test):
            one, other = Binary("and", test, unlike), Binary("or", test, alike)
            yield If(word, one if word == "while" else rng.choice((one, other)))
        case Augment(target, sign, old):
            for constant in (Const(1), Const("")):
                yield Augment(target, sign, Conditional(old, unlike, constant))
        case Do(Method(owner, "append", (Const() | Name() | Binary() as old,))):
            yield Do(Method(owner, "append", (Conditional(old, unlike, Const(value)),)))


def killing_call(original: Program, mutant: Program, function: Function) -> str | None:
    """The first call of the pool on which a mutant differs from the original."""
    name = function.name
    for values in pool_of(function):
        if original.apply(name, values).shown != mutant.apply(name, values).shown:
            return call_of(name, values)
    return None
