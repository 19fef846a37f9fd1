"""Blocks that hold numbers or operations, and merges that leave a single zero of them."""

from functools import lru_cache
from itertools import combinations
from random import Random

from palaestra.verifiers.planning.plans import Illegal

Block = tuple[str, int]
"""A sign and a number: + stands for a number, which may be negative, * and / for operations."""
Merge = tuple[int, int]
"""The block that is taken, and the one that it is merged into."""


def merged(value: int, block: Block) -> int:
    """A number after a block is merged into it.

    >>> merged(6, ("+", -2)), merged(6, ("/", 3))
    (4, 2)
    """
    sign, number = block
    if sign == "+":
        return value + number
    if sign == "*":
        return value * number
    if value % number:
        raise Illegal(f"{value} cannot be divided by {number} without remainder")
    return value // number


@lru_cache(maxsize=256)
def solved(blocks: tuple[Block, ...]) -> tuple[Merge, ...] | None:
    """Merges that leave a zero.

    Adding can be done in any order, so what matters is which sums the operations are used on.
    """
    numbers = [(value, n) for n, (sign, value) in enumerate(blocks) if sign == "+"]
    dead = set[tuple[tuple[int, ...], tuple[int, ...]]]()

    def searched(left: list[tuple[int, int]], due: tuple[int, ...]) -> tuple[Merge, ...] | None:
        if not due:
            if sum(value for value, _ in left):
                return None
            return tuple((n, left[0][1]) for _, n in left[1:])
        key = tuple(sorted(value for value, _ in left)), due
        if key in dead:
            return None
        for index, operation in enumerate(due):
            rest = (*due[:index], *due[index + 1 :])
            for size in range(1, len(left) + 1):
                for chosen in combinations(left, size):
                    try:
                        value = merged(sum(v for v, _ in chosen), blocks[operation])
                    except Illegal:
                        continue
                    others = [each for each in left if each not in chosen]
                    root = chosen[0][1]
                    plan = searched([(value, root), *others], rest)
                    if plan is not None:
                        return (*((n, root) for _, n in chosen[1:]), (operation, root), *plan)
        dead.add(key)
        return None

    return searched(numbers, tuple(n for n, (sign, _) in enumerate(blocks) if sign != "+"))


def taken_apart(rng: Random, numbers: int, operations: int, largest: int) -> list[Block]:
    """Blocks that leave a zero, by splitting a zero again and again."""
    values, blocks = [0], list[Block]()
    changes = ["split"] * (numbers - 2) + ["operation"] * operations
    rng.shuffle(changes)
    for change in ["split", *changes]:
        value = values.pop(rng.randrange(len(values)))
        factors = [n for n in range(2, 7) if value % n == 0]
        if change == "split":
            part = rng.choice((-1, 1)) * rng.randint(1, largest)
            values += [part, value - part]
        elif factors and rng.random() < 0.7:
            blocks.append(("*", rng.choice(factors)))
            values.append(value // blocks[-1][1])
        else:
            blocks.append(("/", rng.randint(2, 4)))
            values.append(value * blocks[-1][1])
    return [*(("+", value) for value in values), *blocks]
