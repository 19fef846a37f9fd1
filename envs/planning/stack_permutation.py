"""Permutations by stacks, from Donald Knuth's The Art of Computer Programming (1968).

Robert Tarjan (1972) studied networks of stacks beside and behind one another.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.pictures import PicturedPlan
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
from palaestra.scenes import Card, Cards, Item, Panels, Stacks
from palaestra.scenes.elements import changed
from palaestra.task import ladder
from palaestra.verifiers.reading.moves import tokens
from palaestra.verifiers.reading.values import joined

LABELS = "PQRSTUVWXYZKLMN"


class StackPermutation(PicturedPlan):
    """Bring items out of a few stacks in a wanted order, by pushing and popping."""

    tags = {"planning", "search", "data-structures"}
    baseline_note = (
        "an item that can go out may always go out, and one that would lie above an item due "
        "earlier should not go on that stack; these two rules leave few choices with few "
        "items"
    )
    units = "steps"

    class Knobs(PicturedPlan.Knobs):
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
        """Whether the order is not trivial, and one of several stacks does not suffice."""
        rising = tuple(range(len(self.output)))
        if self.output in {rising, rising[::-1]}:
            return False
        one = self.stacks > 1 and solved("beside", 1, len(self.output), self.output)
        return not one and self.search() is not None

    def search(self) -> tuple[Step, ...] | None:
        plan = solved(self.layout, self.stacks, self.capacity, self.output)
        return None if plan is None else plan.moves

    def move_limit(self) -> None:
        """Each item passes every stack on its way at most once, so no plan is too long."""

    def canonical(self) -> str:
        return repr((self.layout, self.stacks, self.capacity, self.output))

    def prompt(self) -> str:
        order, wanted = joined(self.labels), joined([self.labels[n] for n in self.output])
        text_lines = []
        for step in steps_of(self.layout, self.stacks):
            start, end = step
            source = (
                "the next item of the input" if start == END else f"the top item of {NAMES[start]}"
            )
            target = "to the output" if end == END else f"onto the top of {NAMES[end]}"
            text_lines.append(f"{named(step)} moves {source} {target}")
        task = self.phrase(
            f"Items come in one by one, in the order {order}, and must go out in the order "
            f"{wanted}.",
            f"The items {order} wait at an input, {self.labels[0]} first. They have to get to the "
            f"output in the order {wanted}.",
        )
        example = joined(["inA", "inA", named(steps_of(self.layout, self.stacks)[1])])
        return (
            f"{task} Between input and output there {self.stacks_text()} These are the steps:\n- "
            + ";\n- ".join(text_lines)
            + ".\n\nItems move in no other way, and none goes back. Answer with the steps that "
            f"bring all items out in the wanted order, such as '{example}'."
        )

    def stacks_text(self) -> str:
        """The number, the names and the capacity of the stacks."""
        *names, last = list(NAMES[: self.stacks])
        if not names:
            return f"is a stack, {last}, empty at first, of at most {self.capacity} items."
        return (
            f"are {self.stacks} stacks, {', '.join(names)} and {last}, empty at first, of at most "
            f"{self.capacity} items each."
        )

    def picture(self, state: State) -> Panels:
        come, piles, gone = state
        items = [
            Card(label, fill=f"t{n % 12}", shape="tile") for n, label in enumerate(self.labels)
        ]
        wanted = [items[n] if k < gone else changed(items[n], fill="paper")
                  for k, n in enumerate(self.output)]  # fmt: skip
        ends = Cards((tuple(items[come:]), tuple(wanted)), ("Input", "Wanted"))
        stacks = tuple(tuple(Item(self.labels[n], f"t{n % 12}") for n in pile) for pile in piles)
        tubes = Stacks(stacks, tuple(NAMES[: self.stacks]), "tubes", self.capacity)
        steps = ", ".join(map(named, steps_of(self.layout, self.stacks)))
        return Panels((ends, tubes), ("Input, and wanted output", f"Steps: {steps}"), columns=1)

    def read(self, answer: str) -> list[Step]:
        known = {named(step): step for step in steps_of(self.layout, self.stacks)}
        return [known[name] for name in tokens(answer, known, "a list of steps, such as 'inA'")]

    def as_text(self, moves: Sequence[Step]) -> str:
        return joined(list(map(named, moves)))

    def initial(self) -> State:
        return empty(self.stacks)

    def after(self, state: State, move: Step) -> State:
        return done(state, move, self.output, self.capacity)

    def moves_from(self, state: State) -> Iterable[Step]:
        return steps_of(self.layout, self.stacks)

    def distance(self, state: State) -> float:
        """The items that have not gone out, and the pairs on a stack in the wrong order."""
        due = {item: n for n, item in enumerate(self.output)}
        wrong = sum(due[a] < due[b] for pile in state[1] for a, b in combinations(pile, 2))
        return len(due) - state[2] + len(due) * wrong

    def violation(self, state: State) -> str:
        left = len(self.output) - state[2]
        return f"{left} items have not gone out in the end" if left else ""

    def audit(self, answer: str) -> bool:
        """Moves the items between lists, and compares the output."""
        piles: list[list[int]] = [[] for _ in range(self.stacks)]
        source, out = list(range(len(self.output)))[::-1], list[int]()
        for start, end in self.read(answer):
            giver = source if start == END else piles[start]
            taker = out if end == END else piles[end]
            if not giver or (end != END and len(taker) >= self.capacity):
                return False
            taker.append(giver.pop())
        return tuple(out) == self.output

    def difficulty(self) -> float:
        return float(len(self.plan()) * self.stacks)

    def shortcuts(self) -> Iterable[str]:
        number = len(self.output)
        if self.layout == "beside":
            yield joined(["inA"] * number + ["Aout"] * number)
            yield joined(["inA", "Aout"] * number)
