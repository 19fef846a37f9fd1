"""Orders on counters, and what they come to."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

MODULUS = 100
"""Counters have two digits."""

Deed = Literal["add", "take", "move", "pour", "swap", "copy", "even", "larger", "repeat"]

DEEDS: tuple[Deed, ...] = (
    "add", "add", "take", "take", "move", "move", "pour", "pour", "swap", "copy", "even", "even",
    "larger", "larger",
)  # fmt: skip
"""What orders are drawn from, apart from those that repeat others. Few copies are among them, as
each makes a value known of which nothing before has an effect on the counter.
"""

LONGEST = 8
"""How many orders are repeated at most."""

TEXTS: Mapping[Deed, tuple[str, ...]] = {
    "add": ("add {n} to {a}", "{a} goes up by {n}"),
    "take": ("take {n} from {a}", "{a} goes down by {n}"),
    "move": ("take {n} from {a} and add {n} to {b}", "{a} goes down by {n}, and {b} up by {n}"),
    "pour": ("add the value of {b} to {a}", "{a} goes up by the value of {b}"),
    "swap": ("swap the values of {a} and {b}", "{a} and {b} exchange their values"),
    "copy": ("set {a} to the value of {b}", "{a} takes the value of {b}, which keeps it"),
    "even": (
        "if {a} is even, add {n} to {b}; otherwise, take {n} from {b}",
        "{b} goes up by {n} if {a} is even, and down by {n} if {a} is odd",
    ),
    "larger": (
        "if {a} is larger than {b}, take {n} from {a}; otherwise, add {n} to {b}",
        "{a} goes down by {n} if it is larger than {b}; otherwise {b} goes up by {n}",
    ),
    "repeat": ("carry out orders {a} to {b} once more", "repeat orders {a} to {b}"),
}


class Order(NamedTuple):
    """An order on the counters ``a`` and ``b``, or to repeat the orders from ``a`` to ``b``."""

    deed: Deed
    a: int
    b: int
    n: int


class Checkpoint(NamedTuple):
    """The value of a counter after an order, which counts from 0."""

    order: int
    counter: int


def random_orders(rng: Random, number: int, counters: int, repeats: int) -> tuple[Order, ...]:
    """So many orders, ``repeats`` per cent of which repeat others that are no repetitions."""
    orders = list[Order]()
    plain = 0  # how many orders since the last repetition
    for _ in range(number):
        if plain >= 2 and rng.random() * 100 < repeats:
            length = rng.randint(2, min(plain, LONGEST))
            orders.append(Order("repeat", len(orders) - length, len(orders) - 1, 0))
            plain = 0
            continue
        deed = rng.choice(DEEDS)
        a, b = rng.sample(range(counters), 2)
        n = 0 if deed in {"pour", "swap", "copy"} else rng.randint(2, 9)
        orders.append(Order(deed, a, b, n))
        plain += 1
    return tuple(orders)


def carry_out(values: list[int], order: Order) -> None:
    """Change the values of the counters by an order that repeats no others."""
    deed, a, b, n = order
    if deed == "add":
        values[a] += n
    elif deed == "take":
        values[a] -= n
    elif deed == "move":
        values[a] -= n
        values[b] += n
    elif deed == "pour":
        values[a] += values[b]
    elif deed == "swap":
        values[a], values[b] = values[b], values[a]
    elif deed == "copy":
        values[a] = values[b]
    elif deed == "even":
        values[b] += -n if values[a] % 2 else n
    elif values[a] > values[b]:
        values[a] -= n
    else:
        values[b] += n
    values[a] %= MODULUS
    values[b] %= MODULUS


def history(initial: Sequence[int], orders: Sequence[Order]) -> Iterator[list[int]]:
    """The values of all counters after each order."""
    values = [*initial]
    for order in orders:
        again = orders[order.a : order.b + 1] if order.deed == "repeat" else (order,)
        for each in again:
            carry_out(values, each)
        yield [*values]


def executed(orders: Sequence[Order]) -> int:
    """How many orders are carried out, with those that are repeated."""
    return sum(each.b - each.a + 1 if each.deed == "repeat" else 1 for each in orders)


def random_checkpoints(
    rng: Random, initial: Sequence[int], orders: Sequence[Order], number: int
) -> tuple[Checkpoint, ...]:
    """Points of time at about equal distances, each with a counter that has not its first value,
    and, if possible, none that an order or another counter shows.
    """
    values = [*history(initial, orders)]
    checkpoints = list[Checkpoint]()
    for n in range(1, number + 1):
        order = len(orders) * n // number - 1
        changed = [c for c, value in enumerate(values[order]) if value != initial[c]]
        large = [c for c in changed if values[order][c] > 9]
        choices = large or changed
        if not choices:
            return ()
        checkpoints.append(Checkpoint(order, rng.choice(choices)))
    return tuple(checkpoints)


def sentence(number: int, order: Order, names: Sequence[str], style: int) -> str:
    """An order in words, with its number, which counts from 1.

    >>> sentence(7, Order("move", 0, 1, 4), ["Ulor", "Zakan"], 0)
    'Order 7: take 4 from Ulor and add 4 to Zakan.'
    """
    texts = TEXTS[order.deed]
    if order.deed == "repeat":
        a, b = str(order.a + 1), str(order.b + 1)
    else:
        a, b = names[order.a], names[order.b]
    return f"Order {number}: {texts[style % len(texts)].format(a=a, b=b, n=order.n)}."
