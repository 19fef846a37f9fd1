"""Orders of least cost, where swapping two neighbours shows which of them comes first.

A cost has an exchange rule if a string of items that stay together acts like a single item, and
the better order of two strings does not depend on what surrounds them. Then items that have to wait
for others are ordered by joining strings (W. A. Horn 1972; Clyde Monma and Jeffrey Sidney 1979).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import merge
from itertools import pairwise
from random import Random
from typing import Any, Literal, NamedTuple, get_args

Cost = Literal[
    "waiting", "pairs", "unloading", "capital", "stack", "machines", "growth", "digits"
]  # fmt: skip
COSTS: tuple[Cost, ...] = get_args(Cost)

PRODUCTS: tuple[Cost, ...] = ("waiting", "pairs", "unloading")
"""Costs that add up a product for every two items."""

MAXIMA: tuple[Cost, ...] = ("capital", "stack", "machines")
"""Costs that are a greatest value on the way."""

Item = tuple[int, int]
"""The two numbers of an item; an item of ``digits`` has one, and the other is 0."""


class Partial(NamedTuple):
    """What some items, in an order, come to: a sum that no order changes, and the cost so far."""

    total: int
    cost: int


def begun(cost: Cost, items: Sequence[Item]) -> Partial:
    """What no items come to."""
    if cost == "unloading":
        return Partial(sum(weight for _, weight in items), 0)
    return Partial(0, {"stack": -(10**9), "growth": 1}.get(cost, 0))


def extended(cost: Cost, so_far: Partial, item: Item) -> Partial:
    """What comes of one more item."""
    a, b = item
    total, worth = so_far
    match cost:
        case "waiting":
            return Partial(total + a, worth + b * (total + a))
        case "pairs":
            return Partial(total + a, worth + b * total)
        case "unloading":
            return Partial(total - b, worth + a * total)
        case "capital":
            return Partial(total + a - b, max(worth, total + a))
        case "stack":
            return Partial(total + a, max(worth, total - b))
        case "machines":
            return Partial(total + a, max(worth, total + a) + b)
        case "growth":
            return Partial(0, worth * a + b)
        case "digits":
            return Partial(0, worth * 10 ** len(str(a)) + a)


def cost_of(cost: Cost, items: Sequence[Item], order: Iterable[int]) -> int:
    """The cost of an order.

    >>> cost_of("waiting", [(3, 1), (2, 5)], [1, 0]), cost_of("digits", [(9, 0), (95, 0)], [0, 1])
    (15, 995)
    """
    state = begun(cost, items)
    for number in order:
        state = extended(cost, state, items[number])
    return state.cost


# ---------------------------------------------------------------------------------- the rule


class Block(NamedTuple):
    """Items that stay together, as two numbers that act like those of one item."""

    first: int
    second: int
    items: tuple[int, ...]


def single(cost: Cost, item: Item, number: int) -> Block:
    """The block of one item: (a, b) of products, (need, return) of maxima, (factor, sum) else."""
    a, b = item
    if cost == "stack":
        return Block(-b, -b - a, (number,))
    if cost == "digits":
        return Block(10 ** len(str(a)), a, (number,))
    return Block(a, b, (number,))


def united(cost: Cost, one: Block, other: Block) -> Block:
    """Two blocks as one."""
    items = one.items + other.items
    if cost in PRODUCTS:
        return Block(one.first + other.first, one.second + other.second, items)
    if cost in MAXIMA:
        need = max(one.first, one.first - one.second + other.first)
        spent = one.first - one.second + other.first - other.second
        return Block(need, need - spent, items)
    return Block(one.first * other.first, one.second * other.first + other.second, items)


def rank(cost: Cost, block: Block, greatest: bool) -> Any:
    """The number by which blocks are sorted, the least first; two of them for maxima.

    Products: Smith's ratio (1956). Maxima: Johnson's rule (1954), what pays for itself first.
    """
    a, b, _ = block
    if cost in PRODUCTS:
        return Fraction(a, b)
    if cost in MAXIMA:
        return (0, a) if a < b else (1, -b)
    ratio = Fraction(b, a - 1) if a > 1 else Fraction(10**30)
    return -ratio if greatest else ratio


def best_order(
    cost: Cost, items: Sequence[Item], after: Sequence[int], greatest: bool
) -> tuple[list[int], int]:
    """An optimal order of items, each after the one that it has to wait for, and the effort.

    ``after`` has the item that each one waits for, or -1. The effort is the number of blocks that
    were joined, plus that of the items.

    >>> best_order("waiting", [(9, 1), (1, 9), (2, 2)], [-1, 0, -1], False)
    ([0, 1, 2], 4)
    """
    waiting: dict[int, list[int]] = {}
    for number, before in enumerate(after):
        waiting.setdefault(before, []).append(number)
    joins = 0

    def blocks(number: int) -> list[Block]:
        nonlocal joins
        below = together(number)
        head = single(cost, items[number], number)
        while below and rank(cost, below[0], greatest) < rank(cost, head, greatest):
            head = united(cost, head, below.pop(0))
            joins += 1
        return [head, *below]

    def together(number: int) -> list[Block]:
        parts = [blocks(each) for each in waiting.get(number, ())]
        return [*merge(*parts, key=lambda block: rank(cost, block, greatest))]

    order = [number for block in together(-1) for number in block.items]
    return order, len(items) + joins


def best_cost(cost: Cost, items: Sequence[Item], after: Sequence[int], greatest: bool) -> int:
    """The best cost, by a table of all sets of items that can come first."""
    table = {0: begun(cost, items)}
    for _ in items:
        following: dict[int, Partial] = {}
        for done, state in table.items():
            for number, before in enumerate(after):
                if done >> number & 1 or (before >= 0 and not done >> before & 1):
                    continue
                key, new = done | 1 << number, extended(cost, state, items[number])
                old = following.get(key)
                if old is None or (new.cost > old.cost if greatest else new.cost < old.cost):
                    following[key] = new
        table = following
    (last,) = table.values()
    return last.cost


# ---------------------------------------------------------------------------------- tasks


def random_items(rng: Random, cost: Cost, number: int, greatest: int) -> list[Item]:
    """Items whose two numbers are alike, so that either of them alone misleads."""
    if cost == "digits":
        return [(n, 0) for n in cards(rng, number)]
    if cost == "growth":
        factors = rng.choices((1, 2, 2, 2, 3, 3, 4), k=number)
        spread = max(2, greatest // 3)
        sums = [(m - 1) * greatest // 4 + rng.randint(-spread, spread) for m in factors]
        return [(m, max(1, c)) for m, c in zip(factors, sums)]
    if cost in PRODUCTS:
        spread = max(2, greatest // 3)
        sizes = [rng.randint(2, greatest) for _ in range(number)]
        return [(a, min(greatest, max(1, a + rng.randint(-spread, spread)))) for a in sizes]
    return narrow(rng, cost, number, greatest)


def cards(rng: Random, number: int) -> list[int]:
    """Different numbers of two digits that are repeated, so that many begin alike."""
    digits = rng.sample("123456789", 2)
    lengths = (1, 2, 2, 3, 3) if number < 8 else (1, 2, 3, 4, 4, 5)
    texts = set[str]()
    while len(texts) < number:
        texts.add("".join(rng.choices(digits, k=rng.choice(lengths))))
    return [int(text) for text in rng.sample(sorted(texts), number)]


def narrow(rng: Random, cost: Cost, number: int, greatest: int) -> list[Item]:
    """Items of costs that are maxima: each is nearly the one that decides, in the best order."""
    steps = [rng.randint(1, max(3, greatest // 5)) for _ in range(number)]
    slack = max(2, greatest // 8)
    if cost == "stack":
        above, items = rng.randint(slack, 2 * slack), list[Item]()
        for weight in steps:
            items.append((weight, max(1, above + rng.randint(-slack, slack))))
            above += weight
        return rng.sample(items, number)
    rising = number // 2
    items, level = [], slack + 2
    for step in steps[:rising]:
        need = max(1, level - rng.randint(0, slack))
        items.append((need, need + step))
        level += step
    level = slack + 2
    for step in steps[rising:]:
        back = max(1, level - rng.randint(0, slack))
        items.append((back + step, back))
        level += step
    return rng.sample(items, number)


def random_waits(rng: Random, number: int, chains: int) -> list[int]:
    """What each item waits for, or -1: chains, of which some begin where another one forks."""
    if chains >= number:
        return [-1] * number
    order = rng.sample(range(number), number)
    cuts = [0, *sorted(rng.sample(range(1, number), chains - 1)), number]
    after = [-1] * number
    for n, (start, end) in enumerate(pairwise(cuts)):
        for one, other in pairwise(order[start:end]):
            after[other] = one
        if n and rng.random() < 0.4:
            after[order[start]] = order[rng.randrange(start)]
    return after


def held_back(
    rng: Random, cost: Cost, items: Sequence[Item], after: Sequence[int], greatest: bool
) -> list[Item]:
    """The items, exchanged so that many a good one waits for a bad one."""
    result = [*items]
    for number in rng.sample(range(len(items)), len(items)):
        before = after[number]
        if before < 0 or rng.random() < 0.2:
            continue
        own, other = (rank(cost, single(cost, result[n], n), greatest) for n in (number, before))
        if own > other:
            result[number], result[before] = result[before], result[number]
    return result


Key = Callable[[int], Any]


def available_first(after: Sequence[int], key: Key) -> list[int]:
    """The item of the least key next, of those that need not wait any longer.

    >>> available_first([-1, 0, -1], lambda number: -number)
    [2, 0, 1]
    """
    order = list[int]()
    left = set(range(len(after)))
    while left:
        ready = [number for number in sorted(left) if after[number] not in left]
        order.append(min(ready, key=key))
        left.discard(order[-1])
    return order


def keys_of(cost: Cost, items: Sequence[Item], greatest: bool) -> Mapping[str, Key]:
    """What a player may sort by: numbers of an item, what two of them come to, the rule for two."""
    if cost == "digits":
        return {
            "number": lambda n: items[n][0],
            "first digits": lambda n: str(items[n][0]),
            "length": lambda n: (len(str(items[n][0])), items[n][0]),
            "rule": lambda n: rank(cost, single(cost, items[n], n), greatest),
        }
    return {
        "first number": lambda n: items[n][0],
        "second number": lambda n: items[n][1],
        "sum": lambda n: sum(items[n]),
        "difference": lambda n: items[n][0] - items[n][1],
        "ratio": lambda n: Fraction(*items[n]),
        "rule": lambda n: rank(cost, single(cost, items[n], n), greatest),
    }
