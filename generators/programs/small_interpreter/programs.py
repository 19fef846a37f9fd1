"""Programs for made-up machines that kill the mutants of their interpreters."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.small_interpreter.machines import (
    ALWAYS,
    JUMPS,
    POOLS,
    SHOWN,
    Machine,
    interpreter,
    tested,
)

MORE = 100
"""Among so many other programs those are looked for that kill mutants."""

MUTANTS = 200
"""So many mutants are looked at, or all, where there are fewer."""

Case = tuple[str, Any]
"""A program, and what it results in."""


def subject(machine: Machine) -> Subject:
    """An interpreter whose mutants are to be killed, which is given programs."""
    return Subject(machine.python(), _result)


def _result(names: Mapping[str, Any], program: str) -> Any:
    return names["run"](program)


def _line(rng: Random, machine: Machine, key: str, number: Callable[[], int], size: int) -> str:
    """An instruction, whose jumps lead to lines of a program of a size, or just behind it."""
    words = [machine.names[machine.instructions.index(key)]]
    for sign in POOLS[machine.family][key].operands:
        if sign == "k":
            words.append(str(number()))
        elif sign == "j":
            words.append(str(rng.randint(0, size + 1) + machine.first_line))
        else:
            words.append(rng.choice(machine.registers()))
    return " ".join(words)


def searched_program(rng: Random, machine: Machine) -> str:
    """A program of a few instructions, with numbers near the modulus, which shows what it did."""
    chosen = rng.sample(machine.instructions, min(len(machine.instructions), rng.randint(1, 4)))
    chosen += [ALWAYS[machine.family][0]] * rng.choice((0, 1, 2))  # which makes a difference
    bounds = [0, 1, machine.modulus, machine.second, 2 * machine.modulus]
    size = rng.choice((1, 2, 3, 4, 6, 8, 12, 18))
    keys: list[str] = rng.choices(chosen, k=size)
    while len([key for key in keys if key in JUMPS]) > size / 3:
        keys.remove(next(key for key in keys if key in JUMPS))
        keys.append(ALWAYS[machine.family][0])
    keys += [SHOWN[machine.family], "print"] * rng.choice((0, 0, 1))

    def number() -> int:
        return max(0, rng.choice((rng.randint(0, 9), rng.choice(bounds) + rng.randint(-1, 1))))

    return "\n".join(_line(rng, machine, key, number, len(keys)) for key in keys)


def other_program(rng: Random, machine: Machine) -> str:
    """A program for a second opinion: all instructions alike, and numbers of all sizes."""
    size = 1 + min(60, int(rng.expovariate(0.07)))
    keys: Sequence[str] = rng.choices(machine.instructions, k=size)

    def number() -> int:
        return int(10 ** rng.uniform(0, 3.4)) - 1

    return "\n".join(_line(rng, machine, key, number, size) for key in keys)


@lru_cache(maxsize=64)
def sufficient(machine: Machine, seed: int, number: int) -> tuple[Case, ...]:
    """The same as :func:`tested`, and more until no mutant of the interpreter passes that another
    program of a wide choice shows up.
    """
    cases, rng = tested(machine, seed, number), Random(f"more {seed}")
    candidates = [searched_program(rng, machine) for _ in range(MORE)]
    reference = subject(machine)
    chosen = [program for program, _ in cases]
    added = killers(reference, chosen, candidates, reference.changes(MUTANTS))
    return (*cases, *_cases(machine, added))


def others(machine: Machine, seed: int, number: int) -> tuple[Case, ...]:
    """Programs for a second opinion, with what they result in."""
    rng = Random(f"others {seed}")
    return _cases(machine, [other_program(rng, machine) for _ in range(number)])


def _cases(machine: Machine, programs: Sequence[str]) -> tuple[Case, ...]:
    return tuple((program, interpreter(machine)(program)) for program in programs)
