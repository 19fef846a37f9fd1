"""Programs that are wrong in a rare case only, and the inputs that bring it about."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from palaestra.generators.mini_python.machine import Frame
from palaestra.generators.mini_python.mutate import Slip
from palaestra.generators.mini_python.parameters import Signature, plain_calls
from palaestra.generators.mini_python.parse import statements
from palaestra.generators.mini_python.run import Program
from palaestra.generators.mini_python.syntax import (
    Augment,
    Binary,
    Choice,
    Compare,
    Const,
    Do,
    Expr,
    Head,
    If,
    Method,
    Name,
)
from palaestra.generators.mini_python.trials import Trial, drawn_calls, first_to_tell, trials

POOL = 32
"""How many inputs are looked at."""

RARE = 2
"""How many of them may bring a rare case about."""

LINES = 5
"""How many lines of a program are looked at."""

CASES = 8
"""How many cases are tried for each that is wanted."""

PER_LINE = 2
"""How many of them may be on one line."""


Case = tuple[int, str, int | str]
"""A line, a variable, and what it holds just when the line is about to be carried out."""


class Rare(NamedTuple):
    """A line that is wrong in a rare case."""

    slip: Slip
    calls: list[str]
    """The calls, of those looked at, that show it up."""


def pool_calls(source: str, name: str, signature: Signature) -> list[str]:
    """The inputs to choose from, always the same ones for a program."""
    return drawn_calls(name, signature, f"tests of {source}", POOL)


def rare_slips(
    rng: Random, source: str, name: str, signature: Signature, number: int
) -> list[Rare]:
    """Lines that are wrong in a case which few inputs bring about, and none of the first to mind.

    There are so many of them, or fewer where there are none.
    """
    program = Program(source)
    body = [each for function in program.parsed.values() for each in statements(function.body)]
    heads = {each.line: each.head for each in body if isinstance(each.head, If | Augment | Do)}
    found: list[Rare] = []
    lines = rng.sample(list(heads), min(LINES, len(heads)))
    given = {parameter.name for parameter in signature}  # what can be set at will is no riddle
    cases = _rare_cases(program, lines, name, signature).items()
    rare = [(case, showing) for case, showing in cases if case[1] not in given]
    for case, showing in rng.sample(rare, min(CASES * number, len(rare))):
        if sum(other.slip.line == case[0] for other in found) == PER_LINE:
            continue
        for head in _but(rng, heads[case[0]], case):
            slip = Slip(case[0], head)
            if _goes_wrong(program, slip, showing) and (calls := killers(program, slip, showing)):
                found.append(Rare(slip, calls))
                break
        if len(found) == number:
            break
    return found


def _goes_wrong(program: Program, slip: Slip, showing: Iterable[Trial]) -> bool:
    """Whether it is a wrong value that a slip leads to, not an exception."""
    program.change(*slip)
    faults = [program.call(trial.call).fault for trial in showing]
    program.restore()
    return not any(faults)


def _rare_cases(
    program: Program, lines: Sequence[int], name: str, signature: Signature
) -> dict[Case, list[Trial]]:
    """The cases that come up on few inputs, with these inputs."""
    held: dict[Case, None] = {}
    for line in lines:
        program.spy(line, partial(_note, held, line))
    seen: dict[Case, list[Trial]] = {}
    for call in pool_calls(program.source, name, signature):
        held.clear()
        for trial in trials(program, [call]):
            for case in held:
                seen.setdefault(case, []).append(trial)
    held.clear()
    trials(program, plain_calls(name, signature))
    program.restore()
    return {c: calls for c, calls in seen.items() if len(calls) <= RARE and c not in held}


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
                yield Augment(target, sign, Choice(old, unlike, constant))
        case Do(Method(owner, "append", (Const() | Name() | Binary() as old,))):
            yield Do(Method(owner, "append", (Choice(old, unlike, Const(value)),)))


def killers(program: Program, slip: Slip, wanted: Iterable[Trial]) -> list[str]:
    """The calls that show up a slip."""
    return [trial.call for trial in wanted if first_to_tell(program, slip, [trial])]


def covering(rows: Iterable[Sequence[str]]) -> list[str]:
    """A few calls of which each row has one, by taking always the one in most of the rows.

    >>> covering([["f(1)", "f(2)"], ["f(2)"], ["f(3)"]])
    ['f(2)', 'f(3)']
    """
    left, found = [list(row) for row in rows], []
    while left:
        calls = dict.fromkeys(call for row in left for call in row)
        best = max(calls, key=lambda call: sum(call in row for row in left))
        found.append(best)
        left = [row for row in left if best not in row]
    return found
