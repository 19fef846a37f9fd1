"""Permutations by stacks, from Donald Knuth's The Art of Computer Programming (1968).

Robert Tarjan (1972) studied networks of stacks beside and behind one another.
"""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.stack_permutation import (
    END,
    NAMES,
    State,
    Step,
    done,
    empty,
    named,
    shuffled,
    solved,
    steps_of,
)
from palaestra.generators.search import Plan
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import simulated, tokens
from palaestra.verifiers.reading.values import joined

LABELS = "PQRSTUVWXYZKLMN"


class StackPermutation(Puzzle):
    """Bring items out of a few stacks in a wanted order, by pushing and popping."""

    tags = {"planning", "search", "data-structures"}

    class Knobs(Puzzle.Knobs):
        items: int = ladder(7, 7, 9, 10, 11, 12, low=7, high=14)
        layout: Literal["beside", "behind"] = ladder(
            "beside", "beside", "beside", "behind", "behind", "behind"
        )
        stacks: int = ladder(1, 2, 2, 2, 2, 2, high=3)
        capacity: int = ladder(7, 4, 4, 4, 4, 4, low=3, high=14)

    labels: str
    layout: Literal["beside", "behind"]
    stacks: int
    capacity: int
    output: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(
            labels="".join(rng.sample(LABELS, knobs.items)),
            layout=knobs.layout,
            stacks=knobs.stacks,
            capacity=knobs.capacity,
            output=shuffled(rng, knobs.layout, knobs.stacks, knobs.capacity, knobs.items),
        )

    def is_valid(self) -> bool:
        """Whether more stacks are needed than one, if there are more, and some thought."""
        rising = tuple(range(len(self.output)))
        if self.output in {rising, rising[::-1]}:
            return False
        one = self.stacks > 1 and solved("beside", 1, len(self.output), self.output)
        return not one and self.plan() is not None

    def plan(self) -> Plan[Step] | None:
        """What the solver finds."""
        return solved(self.layout, self.stacks, self.capacity, self.output)

    def canonical(self) -> str:
        return repr((self.layout, self.stacks, self.capacity, self.output))

    def prompt(self) -> str:
        order, wanted = joined(self.labels), joined([self.labels[n] for n in self.output])
        text_lines = []
        for step in steps_of(self.layout, self.stacks):
            here, there = step
            source = (
                "the next item of the input" if here == END else f"the top item of {NAMES[here]}"
            )
            target = "to the output" if there == END else f"onto the top of {NAMES[there]}"
            text_lines.append(f"{named(step)} moves {source} {target}")
        task = self.phrase(
            f"Items come in one by one, in the order {order}, and must go out in the order "
            f"{wanted}.",
            f"The items {order} wait at an input, {self.labels[0]} first. They have to get to the "
            f"output in the order {wanted}.",
        )
        example = joined(["inA", "inA", named(steps_of(self.layout, self.stacks)[1])])
        return (
            f"{task} Between input and output there {self.told_stacks()} These are the steps:\n- "
            + ";\n- ".join(text_lines)
            + ".\n\nItems move in no other way, and none goes back. Answer with the steps that "
            f"bring all items out in the wanted order, such as '{example}'."
        )

    def told_stacks(self) -> str:
        """How many stacks there are, what they are called, and what they hold."""
        *names, last = list(NAMES[: self.stacks])
        if not names:
            return f"is a stack, {last}, empty at first, of at most {self.capacity} items."
        return (
            f"are {self.stacks} stacks, {', '.join(names)} and {last}, empty at first, of at most "
            f"{self.capacity} items each."
        )

    def answer(self) -> str:
        plan = self.plan()
        assert plan is not None, "a fair task is solved within the budget"
        return joined([named(step) for step in plan.moves])

    def read(self, answer: str) -> list[Step]:
        """The steps that an answer lists."""
        known = {named(step): step for step in steps_of(self.layout, self.stacks)}
        return [known[name] for name in tokens(answer, known, "a list of steps, such as 'inA'")]

    def verify(self, answer: str) -> Score:
        def flaw(state: State) -> str:
            left = len(self.output) - state[2]
            return f"{left} items have not gone out in the end" if left else ""

        return simulated(
            self.read(answer),
            empty(self.stacks),
            lambda state, step: done(state, step, self.output, self.capacity),
            flaw,
            what="steps",
        )

    def audit(self, answer: str) -> bool:
        """Lets lists take the items, and compares what comes out."""
        piles: list[list[int]] = [[] for _ in range(self.stacks)]
        source, out = list(range(len(self.output)))[::-1], list[int]()
        for here, there in self.read(answer):
            giver = source if here == END else piles[here]
            taker = out if there == END else piles[there]
            if not giver or (there != END and len(taker) >= self.capacity):
                return False
            taker.append(giver.pop())
        return tuple(out) == self.output

    def difficulty(self) -> float:
        plan = self.plan()
        return float(len(plan.moves if plan else ()) * self.stacks)

    def shortcuts(self) -> Iterable[str]:
        number = len(self.output)
        if self.layout == "beside":
            yield joined(["inA"] * number + ["Aout"] * number)
            yield joined(["inA", "Aout"] * number)
