"""Many orders, each of them trivial, that a text contains.

A. Sinha and others ("The Illusion of Diminishing Returns: Measuring Long Horizon Execution in
LLMs", 2025) measure for how many simple steps a model that knows what to do carries it out without
a slip.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.fiction import (
    CHARACTERS,
    LONGEST,
    background,
    mixed,
    paragraphs,
    world,
)
from palaestra.generators.reading.long_execution import (
    MODULUS,
    Checkpoint,
    Order,
    executed,
    history,
    random_checkpoints,
    random_orders,
    sentence,
)
from palaestra.rng import Rng
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import number_lines
from palaestra.verifiers.reading.labels import numbered

RULES = (
    "Each counter has the name of a town and two digits: its value is from 0 to 99, after 99 comes "
    "0 again, and before 0 comes 99. Nothing but orders changes a counter, and all orders are "
    "carried out in the order of their numbers. An order to repeat others carries them out once "
    "more, one after the other, with the values that the counters have at that time. Other "
    "sentences have no effect."
)


class LongExecution(Puzzle):
    """Carry out many simple orders that a text contains, and report values along the way."""

    tags = {"reading", "long-context", "simulation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(300, 600, 1_200, 2_400, 4_000, 6_000, 8_000, high=LONGEST)
        orders: int = ladder(6, 14, 28, 55, 100, 170, 280, high=6_000)
        counters: int = ladder(2, 3, 3, 4, 5, 6, 8, high=20)
        repeats: int = ladder(0, 0, 6, 8, 10, 12, 15, high=30)  # percentage of orders
        checkpoints: int = ladder(2, 2, 3, 4, 5, 6, 8, high=20)

    initial: tuple[int, ...]
    orders: tuple[Order, ...]
    checkpoints: tuple[Checkpoint, ...]
    seed: int
    """Of the names and the sentences around the orders."""
    tokens: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        orders = random_orders(rng, knobs.orders, knobs.counters, knobs.repeats)
        initial = tuple(rng.randint(10, MODULUS - 1) for _ in range(knobs.counters))
        number = min(knobs.checkpoints, knobs.orders)
        return cls(
            initial=initial,
            orders=orders,
            checkpoints=random_checkpoints(rng, initial, orders, number),
            seed=rng.getrandbits(48),
            tokens=knobs.tokens,
        )

    def is_valid(self) -> bool:
        """Whether there is a counter to ask about at each checkpoint."""
        return bool(self.checkpoints)

    def canonical(self) -> str:
        return repr((self.initial, self.orders, self.checkpoints))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the counters, which are towns of the text."""
        return world(self.seed).towns[: len(self.initial)]

    @cached_property
    def text(self) -> str:
        """The orders among other sentences."""
        rng, names = Rng(f"{self.seed} text"), self.names
        orders = [
            sentence(n, order, names, rng.getrandbits(8)) for n, order in enumerate(self.orders, 1)
        ]
        rest = CHARACTERS * self.tokens - sum(len(order) + 1 for order in orders)
        return paragraphs(rng, mixed(rng, orders, background(rng, world(self.seed), rest)))

    def prompt(self) -> str:
        names = self.names
        opening = self.phrase(
            "Carry out all orders in a text, and report the values of some counters.",
            "A text contains numbered orders on counters. Execute them, and state some values.",
            "Keep track of some counters while you carry out the orders in this text.",
        )
        initial = "\n".join(f"{name}: {value}" for name, value in zip(names, self.initial))
        lines = [f"{names[counter]} after order {n + 1}" for n, counter in self.checkpoints]
        ask = self.phrase("What are these values?", "State these values:")
        return (
            f"{opening} {RULES}\n\nThe counters begin with these values:\n{initial}\n\nThe text:"
            f"\n\n{self.text}\n\n{ask}\n{numbered(lines)}\n\nWrite one line for each, with its "
            "number, such as:\n1: 7\n2: 61"
        )

    @cached_property
    def right(self) -> list[int]:
        """The values at the checkpoints."""
        return self.values(self.initial, self.orders)

    def values(self, initial: Iterable[int], orders: Iterable[Order]) -> list[int]:
        """The values at the checkpoints after some orders."""
        values = [*history([*initial], [*orders])]
        return [values[n][counter] for n, counter in self.checkpoints]

    def answer(self) -> str:
        return numbered(self.right)

    def verify(self, answer: str) -> Score:
        """1 if all values are right. The reason names the first that is wrong, and ``progress`` is
        the share of the values before it.
        """
        stated = number_lines(answer, len(self.right))
        for n, (value, right) in enumerate(zip(stated.values(), self.right)):
            if value != right:
                progress = {"progress": n / len(self.right)}
                return Score(0, f"value {n + 1} is the first that is wrong", progress)
        return Score(1, parts={"progress": 1})

    def difficulty(self) -> float:
        """The number of orders that are carried out, times that of the counters."""
        return float(executed(self.orders) * len(self.initial))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave orders out: all of them, those with conditions, or every tenth one."""
        nothing = [Order("add", 0, 1, 0)] * len(self.orders)
        conditions, repetitions, slips = [*self.orders], [*self.orders], [*self.orders]
        for n, order in enumerate(self.orders):
            if order.deed in {"even", "larger"}:
                conditions[n] = nothing[n]
            if order.deed == "repeat":
                repetitions[n] = nothing[n]
            if rng.random() < 0.1:
                slips[n] = nothing[n]
        players = {
            "initial values": nothing,
            "no conditions": conditions,
            "no repetitions": repetitions,
            "a slip in ten orders": slips,
            "orders backwards": [
                order if order.deed != "repeat" else nothing[0] for order in self.orders[::-1]
            ],
        }
        return {
            name: numbered(self.values(self.initial, orders)) for name, orders in players.items()
        }

    def shortcuts(self) -> Iterable[str]:
        yield numbered(self.initial[counter] for _, counter in self.checkpoints)
