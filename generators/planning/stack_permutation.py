"""Stacks beside or behind one another: steps, and the steps that bring items out in an order."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal

from palaestra.generators.search import Plan, a_star
from palaestra.verifiers.planning.plans import Illegal

State = tuple[int, tuple[tuple[int, ...], ...], int]
"""The number of items that came in, the stacks, and the number of items that went out."""
Step = tuple[int, int]
"""From which stack to which; -1 is the input as the first, the output as the second."""

Layout = Literal["beside", "behind"]
END = -1
NAMES = "ABC"


def steps_of(layout: Layout, stacks: int) -> tuple[Step, ...]:
    """All steps of a layout: each stack has an input and an output, or they form a chain.

    >>> steps_of("behind", 2), steps_of("beside", 2)
    (((-1, 0), (0, 1), (1, -1)), ((-1, 0), (0, -1), (-1, 1), (1, -1)))
    """
    if layout == "beside":
        return tuple(step for n in range(stacks) for step in ((END, n), (n, END)))
    chain = (END, *range(stacks), END)
    return tuple(pairwise(chain))


def empty(stacks: int) -> State:
    """The state in which nothing has come in."""
    return 0, ((),) * stacks, 0


def named(step: Step) -> str:
    """A step as a player writes it.

    >>> named((-1, 0)), named((0, 1)), named((1, -1))
    ('inA', 'AB', 'Bout')
    """
    source, target = step
    if source == END:
        return f"in{NAMES[target]}"
    return f"{NAMES[source]}out" if target == END else NAMES[source] + NAMES[target]


def done(state: State, step: Step, output: tuple[int, ...], capacity: int) -> State:
    """The state after a step. Raises :class:`Illegal` if the step is not legal."""
    (come, stacks, gone), (source, target) = state, step
    piles = list(stacks)
    if source == END:
        item = come
        if item == len(output):
            raise Illegal("no item is left at the input")
        come += 1
    else:
        if not piles[source]:
            raise Illegal(f"stack {NAMES[source]} is empty")
        item, piles[source] = piles[source][-1], piles[source][:-1]
    if target == END:
        if output[gone] != item:
            raise Illegal("the item that goes out is not the next one wanted")
        return come, tuple(piles), gone + 1
    if len(piles[target]) == capacity:
        raise Illegal(f"stack {NAMES[target]} is full")
    piles[target] = (*piles[target], item)
    return come, tuple(piles), gone


@lru_cache(maxsize=256)
def solved(
    layout: Layout, stacks: int, capacity: int, output: tuple[int, ...]
) -> Plan[Step] | None:
    """The steps that bring the items out in order. All plans are equally long."""
    steps, last = steps_of(layout, stacks), stacks - 1
    due = {item: n for n, item in enumerate(output)}

    def ways(state: State) -> Iterator[tuple[Step, State]]:
        for step in steps:
            try:
                after = done(state, step, output, capacity)
            except Illegal:
                continue
            target = step[1]
            if target == END:
                yield step, after
                return  # an item that can go out may go now
            pile = after[1][target]
            final = layout == "beside" or target == last
            # An item never gets out before one that lies on it.
            if not (final and len(pile) > 1 and due[pile[-1]] > due[pile[-2]]):
                yield step, after

    def left(state: State) -> float:
        come, piles, _ = state
        if layout == "beside":
            return 2 * (len(output) - come) + sum(map(len, piles))
        inside = sum(len(pile) * (stacks - n) for n, pile in enumerate(piles))
        return (stacks + 1) * (len(output) - come) + inside

    return a_star(empty(stacks), ways, left, budget=4_000)


def shuffled(
    rng: Random, layout: Layout, stacks: int, capacity: int, number: int
) -> tuple[int, ...]:
    """The output order of ``number`` items under random pushes and pops."""
    steps, come, output = steps_of(layout, stacks), 0, list[int]()
    piles: list[list[int]] = [[] for _ in range(stacks)]
    wait = 0.5 if stacks > 1 else 0.0  # items that wait fill the stacks
    while len(output) < number:
        source, target = rng.choice(steps)
        if target != END and len(piles[target]) == capacity:
            continue
        if source == END and come < number:
            piles[target].append(come)
            come += 1
        elif source != END and piles[source] and (target != END or rng.random() >= wait):
            (output if target == END else piles[target]).append(piles[source].pop())
    return tuple(output)
