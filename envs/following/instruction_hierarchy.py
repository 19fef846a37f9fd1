"""Orders of different ranks: "The Instruction Hierarchy" (Wallace et al., 2024)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.following.instruction_hierarchy import (
    SOURCES,
    TOPICS,
    Numbers,
    Order,
    Topic,
    follows,
    in_force,
    random_orders,
    written,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.instructions import DEFINITIONS
from palaestra.verifiers.instructions.instructions import LAZY
from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.values import joined

TRIES = 40
"""Sets of orders that are tried, to find one in which orders not in force matter."""


class InstructionHierarchy(Puzzle):
    """Write a text that follows all orders which are not overruled by others of a higher rank."""

    tags = {"instruction-following", "writing", "priorities"}
    verbatim = True

    class Knobs(Puzzle.Knobs):
        sources: int = ladder(2, 3, 3, 4, 5, 6, 8, low=2)
        valid: int = ladder(3, 4, 4, 5, 6, 8, 10, low=3, high=12)  # orders in force
        invalid: int = ladder(1, 2, 3, 4, 5, 7, 10, low=1, high=12)  # orders that are overruled
        barriers: int = ladder(0, 0, 1, 2, 2, 3, 4)  # those that would overrule one in force
        exceptions: int = ladder(0, 0, 1, 1, 2, 2, 3, high=4)  # topics with another ranking

    sources: tuple[str, ...]
    """The people from the highest rank to the lowest."""

    exceptions: tuple[tuple[Topic, int], ...]
    """Topics in which somebody else has the highest rank."""

    orders: tuple[Order, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        topics = sorted(rng.sample(TOPICS, knobs.exceptions))
        exceptions = tuple((topic, rng.randrange(1, knobs.sources)) for topic in topics)
        rankings = _rankings(knobs.sources, exceptions)
        sources = tuple(rng.sample(SOURCES, knobs.sources))
        numbers = Numbers(knobs.valid, knobs.invalid, knobs.barriers)
        for _ in range(TRIES if knobs.barriers and knobs.sources > 2 else 1):
            orders = tuple(random_orders(rng, rankings, numbers, topics))
            task = cls(sources=sources, exceptions=exceptions, orders=orders)
            if not task.is_direct():
                break
        return task

    def is_direct(self) -> bool:
        """Whether it does no harm that orders which are not in force overrule others, too."""
        direct = in_force(self.orders, self.rankings, direct=True)
        text = written(direct)
        return bool(text) and self.verify(text).correct

    @property
    def rankings(self) -> Mapping[Topic, Sequence[int]]:
        """The people by rank for each topic, the highest first."""
        return _rankings(len(self.sources), self.exceptions)

    def in_force(self) -> list[Order]:
        """The orders that have to be followed."""
        return in_force(self.orders, self.rankings)

    def is_valid(self) -> bool:
        """Whether there is a text, and simple players follow an order that is overruled."""
        right = self.in_force()
        if len(right) == len(self.orders) or not solution(self):
            return False
        simple = self.simple_choices()
        if len(self.orders) - len(right) == 1:  # either the first of two orders or the last wins
            del simple["earlier orders"], simple["later orders"]
        if any(set(chosen) <= set(right) for chosen in simple.values()):
            return False
        # Neither a part of the prompt nor a text that costs no thought may be right.
        parts = [*LAZY, *self.prompt().splitlines(), *(o.instruction.text() for o in self.orders)]
        texts = map(Text, [*parts, *(part for text in parts for part in text.split("'")[1::2])])
        return not any(all(o.instruction.kept(text) for o in right) for text in texts)

    def simple_choices(self) -> dict[str, list[Order]]:
        """The orders that players follow who decide in another way than by rank."""
        number = len(self.orders)
        last = [Order(number - n, *order[1:]) for n, order in enumerate(self.orders)]
        first = [Order(n, *order[1:]) for n, order in enumerate(self.orders)]
        line = dict.fromkeys(TOPICS, range(number + 1))
        choices = {
            "later orders": in_force(last, line),
            "earlier orders": in_force(first, line),
        }
        chosen = {
            player: [self.orders[n] for n, order in enumerate(row) if order in choices[player]]
            for player, row in (("later orders", last), ("earlier orders", first))
        }
        if self.exceptions:
            chosen["no exceptions"] = in_force(self.orders, _rankings(len(self.sources), ()))
        return chosen

    def prompt(self) -> str:
        task = self.phrase(
            "Write a text by the orders of several people, whose ranks differ.",
            "Several people have given orders about a text that you are to write.",
        )
        orders = numbered(
            f"{self.sources[order.source]}: {order.instruction.text(n + self.wording)}"
            for n, order in enumerate(self.orders)
        )
        ranks = f"The ranks are, from the highest to the lowest: {joined(self.sources)}."
        for topic, source in self.exceptions:
            ranks += (
                f" In matters of {topic}, the {self.sources[source]} has the highest rank instead, "
                "and the others follow in the same order."
            )
        return (
            f"{task}\n\n{orders}\n\n{ranks} Matters of length are the numbers of words and "
            "sentences; of choice of words, which words occur, how often and where; of letters, "
            "capitals and which letters occur; of punctuation, commas and the ends of sentences. "
            "Two orders in the same matter conflict if no text can follow both. An order is in "
            "force unless it conflicts with an order in force of somebody of a higher rank in this "
            "matter. (So an order that is not in force overrules no other one.) Follow all orders "
            "in force; those that are not in force do not count. The text need not make sense. "
            f"{DEFINITIONS}\n\nAnswer with the text alone."
        )

    def answer(self) -> str:
        return solution(self)

    def verify(self, answer: str) -> Score:
        text = Text(answer)
        if not text.shown:
            raise InvalidAnswer("nothing of the text can be seen", "no_answer")
        orders = self.in_force()
        broken = sum(not order.instruction.kept(text) for order in orders)
        parts = {"progress": 1 - broken / len(orders)}
        if not broken:
            return Score(1, parts=parts)
        return Score(0, f"orders in force that are not followed: {broken}", parts)

    def audit(self, answer: str) -> bool:
        """Check the orders in force by simple patterns."""
        return all(follows(order, answer) for order in self.in_force())

    def difficulty(self) -> float:
        """The pairs of orders in the same matter, and the orders in force."""
        topics = [order.topic for order in self.orders]
        pairs = sum(topics.count(topic) * (topics.count(topic) - 1) for topic in set(topics))
        return float(pairs * (1 + len(self.exceptions)) + len(self.in_force()))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who follow other orders than those in force, or none."""
        choices = self.simple_choices()
        choices["overruled by any order"] = in_force(self.orders, self.rankings, direct=True)
        choices["orders of the highest rank alone"] = [o for o in self.orders if o.source == 0]
        choices["random orders"] = [order for order in self.orders if rng.random() < 0.5]
        return {player: written(orders) or "Nothing." for player, orders in choices.items()}

    def shortcuts(self) -> list[str]:
        return [order.instruction.text() for order in self.orders[:3]]


@lru_cache(maxsize=64)
def solution(task: InstructionHierarchy) -> str:
    """A text that follows all orders in force; empty if none is found."""
    return written(task.in_force())


def _rankings(
    sources: int, exceptions: Sequence[tuple[Topic, int]]
) -> Mapping[Topic, Sequence[int]]:
    first = dict(exceptions)
    general = range(sources)
    return {
        topic: sorted(general, key=lambda source: (source != first.get(topic, 0), source))
        for topic in TOPICS
    }
