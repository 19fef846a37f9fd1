"""Circuits of logic gates, evaluated for all inputs at once with a bit for each of them."""

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import Literal, NamedTuple

Sort = Literal["AND", "OR", "XOR", "NAND", "NOR", "NOT"]


class Gate(NamedTuple):
    """A gate, fed by wires: the inputs come first, then the gates in their order."""

    sort: Sort
    one: int
    other: int
    """The second wire; for NOT it is the first one again."""


@cache
def _input(index: int, inputs: int) -> int:
    """The rows of the truth table in which an input is on."""
    run = (1 << (1 << index)) - 1 << (1 << index)
    rows = 1 << index + 1
    output = run
    while rows < 1 << inputs:
        output |= output << rows
        rows *= 2
    return output


def wires(gates: Sequence[Gate], inputs: int) -> list[int]:
    """The truth table of each wire, as a mask with a bit for each row.

    Row number ``r`` has input ``i`` on where bit ``i`` of ``r`` is set.

    >>> [bin(wire) for wire in wires([Gate("AND", 0, 1)], 2)]
    ['0b1010', '0b1100', '0b1000']
    """
    every = (1 << (1 << inputs)) - 1
    values = [_input(index, inputs) for index in range(inputs)]
    for gate in gates:
        values.append(_table(gate, values, every))
    return values


def _table(gate: Gate, tables: Sequence[int], every: int) -> int:
    sort, one, other = gate
    a, b = tables[one], tables[other]
    if sort == "NOT":
        return every ^ a
    table = a & b if sort in {"AND", "NAND"} else a | b if sort in {"OR", "NOR"} else a ^ b
    return every ^ table if sort in {"NAND", "NOR"} else table


@lru_cache(maxsize=64)
def fitting(
    gates: tuple[Gate, ...], inputs: int, outputs: tuple[int, ...], wanted: tuple[bool, ...]
) -> int:
    """The inputs that give the wanted outputs, as a mask over the truth table.

    >>> bin(fitting((Gate("AND", 0, 1),), 2, (2,), (False,)))
    '0b111'
    """
    tables = wires(gates, inputs)
    satisfied = every = (1 << (1 << inputs)) - 1
    for wire, on in zip(outputs, wanted):
        satisfied &= tables[wire] if on else every ^ tables[wire]
    return satisfied


def simulated(gates: Sequence[Gate], on: Sequence[bool]) -> list[bool]:
    """The value of each wire for one input.

    >>> simulated([Gate("NOR", 0, 1)], [False, False])
    [False, False, True]
    """
    values = list(on)
    for sort, one, other in gates:
        a, b = values[one], values[other]
        values.append(
            {
                "AND": a and b,
                "OR": a or b,
                "XOR": a != b,
                "NAND": not (a and b),
                "NOR": not (a or b),
                "NOT": not a,
            }[sort]
        )
    return values


def circuit(rng: Random, inputs: int, gates: int) -> tuple[Gate, ...]:
    """A random circuit in which wires that nothing uses yet are taken first.

    No gate is constant, and none does the same as another wire, while there are fewer wires than
    rows in the truth table.
    """
    added: list[Gate] = []
    tables = wires((), inputs)
    every = (1 << (1 << inputs)) - 1
    free = list(range(inputs))
    while len(added) < gates:
        sorts: tuple[Sort, ...] = ("AND", "OR", "XOR", "NAND", "NOR", "NOT")
        sort = rng.choices(sorts, (3, 3, 2, 2, 2, 1))[0]
        one = rng.choice(free) if free and rng.random() < 0.8 else rng.randrange(len(tables))
        other = rng.randrange(len(tables) - 1)
        gate = Gate(sort, one, one if sort == "NOT" else other + (other >= one))
        table = _table(gate, tables, every)
        if table not in (0, every, *tables) or len(tables) >= 1 << inputs:
            added.append(gate)
            free = [wire for wire in free if wire not in (one, gate.other)] + [len(tables)]
            tables.append(table)
    return tuple(added)


def name(wire: int, inputs: int) -> str:
    """The name of a wire.

    >>> name(1, 3), name(3, 3)
    ('b', 'g1')
    """
    return "abcdefghijkl"[wire] if wire < inputs else f"g{wire - inputs + 1}"


def listed(gates: Sequence[Gate], inputs: int) -> str:
    """The gates, line by line.

    >>> listed([Gate("NOT", 1, 1)], 2)
    'g1 = NOT(b)'
    """
    return "\n".join(
        f"{name(n, inputs)} = {sort}({name(one, inputs)}"
        + (")" if sort == "NOT" else f", {name(other, inputs)})")
        for n, (sort, one, other) in enumerate(gates, inputs)
    )
