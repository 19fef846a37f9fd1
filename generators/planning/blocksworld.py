"""The blocks world: stacks of blocks on a table, and a shortest plan from one state to another.

A state is a tuple of stacks in rising order, each a tuple of blocks from the bottom to the top.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from palaestra.generators.search import Plan, a_star

TABLE = -1

Stacks = tuple[tuple[int, ...], ...]

Move = tuple[int, int]
"""A block, and the block (or the table) that it is put on."""


def stacked(rng: Random, blocks: int, towers: int) -> Stacks:
    """Random stacks, at most ``towers`` of them."""
    stacks: list[list[int]] = [[] for _ in range(towers)]
    for block in rng.sample(range(blocks), blocks):
        rng.choice(stacks).append(block)
    return tuple(sorted(tuple(stack) for stack in stacks if stack))


def below(stacks: Stacks) -> dict[int, int]:
    """What each block stands on.

    >>> below(((2, 0), (1,)))
    {2: -1, 0: 2, 1: -1}
    """
    return {block: under for stack in stacks for under, block in zip((TABLE, *stack[:-1]), stack)}


def settled(stack: tuple[int, ...], goal: dict[int, int]) -> int:
    """How many blocks of a stack, from the bottom, are in their final position."""
    under = TABLE
    for height, block in enumerate(stack):
        if goal[block] != under:
            return height
        under = block
    return len(stack)


def moved(stacks: Stacks, move: Move) -> Stacks:
    """The stacks after a move, in order.

    >>> moved(((0, 1), (2,)), (1, 2))
    ((0,), (2, 1))
    """
    block, onto = move
    after = [stack[:-1] if stack[-1] == block else stack for stack in stacks]
    after = [(*stack, block) if stack and stack[-1] == onto else stack for stack in after]
    if onto == TABLE:
        after.append((block,))
    return tuple(sorted(stack for stack in after if stack))


def useful_moves(stacks: Stacks, goal: dict[int, int]) -> list[Move]:
    """Moves of which at least one begins a shortest plan.

    A block that can reach its final position may move there now. If there is none, some misplaced
    block has to move to the table, since no other position helps.
    """
    tops = {stack[-1] for stack in stacks if settled(stack, goal) == len(stack)}
    loose = [stack for stack in stacks if settled(stack, goal) < len(stack)]
    for stack in loose:
        if goal[stack[-1]] in tops or goal[stack[-1]] == TABLE:
            return [(stack[-1], goal[stack[-1]])]
    return [(stack[-1], TABLE) for stack in loose if len(stack) > 1]


def moves_left(stacks: Stacks, goal: dict[int, int]) -> int:
    """A lower bound on the moves needed: one for each misplaced block, and another one for each
    that is above a block which it is above in the goal as well.
    """
    count = 0
    for stack in stacks:
        fixed = settled(stack, goal)
        for height in range(fixed, len(stack)):
            lower = set(stack[fixed:height])
            under = goal[stack[height]]
            while under != TABLE and under not in lower:
                under = goal[under]
            count += 1 if under == TABLE else 2
    return count


@lru_cache(maxsize=256)
def shortest_plan(start: Stacks, goal: Stacks) -> Plan[Move]:
    """A shortest plan, by A* over the moves that matter.

    >>> shortest_plan(((0, 1), (2,)), ((2, 0), (1,))).moves
    ((1, -1), (0, 2))
    """
    aim = below(goal)

    def ways(state: Stacks) -> Iterator[tuple[Move, Stacks]]:
        for move in useful_moves(state, aim):
            yield move, moved(state, move)

    plan = a_star(start, ways, lambda state: moves_left(state, aim))
    assert plan is not None, "every state can be reached"
    return plan


def greedy_plan(start: Stacks, goal: Stacks, tidy: bool) -> list[Move]:
    """A plan without look-ahead: blocks go to the table until they can go home.

    If ``tidy``, a block goes home as soon as it can; otherwise all is unstacked first.
    """
    aim, state, plan = below(goal), start, []
    while moves := useful_moves(state, aim):
        unstack = [(stack[-1], TABLE) for stack in state if settled(stack, aim) < len(stack) > 1]
        move = unstack[0] if unstack and not tidy else moves[0]
        plan.append(move)
        state = moved(state, move)
    return plan
