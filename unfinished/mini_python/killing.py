"""Slips that hardly any input shows up, and inputs that show up several of them."""

from collections.abc import Iterable, Sequence
from random import Random

from palaestra.generators.mini_python.mutate import Slip, slips
from palaestra.generators.mini_python.parameters import Signature, plain_calls
from palaestra.generators.mini_python.run import Program
from palaestra.generators.mini_python.trials import Trial, drawn_calls, first_to_tell, trials

POOL = 40
"""How many inputs are looked at."""

RARE = 2
"""How many of them may show up a slip that is hard to show up."""


def pool(program: Program, name: str, signature: Signature) -> list[Trial]:
    """The inputs to choose from, always the same ones for a program."""
    return trials(program, drawn_calls(name, signature, f"tests of {program.source}", POOL))


def killers(program: Program, slip: Slip, wanted: Sequence[Trial], most: int) -> list[str]:
    """The calls that show up a slip; one more than ``most`` of them, where there are more."""
    found: list[str] = []
    rest = iter(wanted)
    while len(found) <= most and (trial := first_to_tell(program, slip, rest)):
        found.append(trial.call)
    return found


def hard_slips(
    rng: Random, source: str, name: str, signature: Signature, number: int
) -> list[tuple[Slip, list[str]]]:
    """Slips that few inputs show up, none of those that come to mind first, with these inputs.

    There are so many of them or, in a program with too few, less.
    """
    program = Program(source)
    wanted, plain = pool(program, name, signature), trials(program, plain_calls(name, signature))
    found: list[tuple[Slip, list[str]]] = []
    all_slips = slips(source)
    for slip in rng.sample(all_slips, len(all_slips)):
        if len(found) == number:
            break
        calls = killers(program, slip, wanted, RARE)
        if 0 < len(calls) <= RARE and not first_to_tell(program, slip, plain):
            found.append((slip, calls))
    return found


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
