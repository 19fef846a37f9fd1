"""State tracking, as in the stories of bAbI (J. Weston et al., 2015)."""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.object_properties import (
    VALUES,
    Event,
    Kind,
    State,
    as_text,
    carry_out,
    random_events,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.values import items, joined

OBJECTS = (
    "cup", "jar", "lamp", "kite", "drum", "vase", "clock", "basket", "chair", "kettle", "globe",
    "ladder", "mirror", "pillow",
)  # fmt: skip

KINDS: dict[str, tuple[Kind, ...]] = {
    "plain": ("set", "set", "swap"),
    "linked": ("set", "swap", "copy", "copy", "all"),
    "full": ("swap", "copy", "all", "all", "unless", "group"),
}


class ObjectProperties(Puzzle):
    """Track the colour, size, place and other traits of objects through a series of events."""

    version = 2
    tags = {"tracking", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        objects: int = ladder(3, 3, 4, 5, 6, 8, 10, low=3, high=14)
        traits: int = ladder(2, 3, 3, 3, 4, 4, 5, low=2, high=5)
        events: int = ladder(3, 6, 10, 16, 25, 40, 70, low=1, high=200)
        kinds: Literal["plain", "linked", "full"] = ladder("plain", "plain", "linked", "full")

    objects: tuple[str, ...]
    traits: tuple[str, ...]
    start: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        traits = tuple(VALUES)[: knobs.traits]
        sizes = [len(VALUES[trait]) for trait in traits]
        start = tuple(tuple(map(rng.randrange, sizes)) for _ in range(knobs.objects))
        events = random_events(rng, start, sizes, KINDS[knobs.kinds], knobs.events)
        objects = tuple(rng.sample(OBJECTS, knobs.objects))
        return cls(objects=objects, traits=traits, start=start, events=events)

    def canonical(self) -> str:
        return repr((self.start, self.events))

    def prompt(self) -> str:
        start = self._table([list(row) for row in self.start])
        story = " ".join(as_text(event, self.objects, self.traits) for event in self.events)
        ask = self.phrase(
            "What is each object like in the end?", "State the final state of every object."
        )
        sample = joined([VALUES[trait][-1] for trait in self.traits])
        return (
            f"{self.phrase('These objects', 'At first, the objects below')} have the "
            f"{joined(self.traits)} stated, in this order:\n\n{start}\n\nThen, one after another: "
            f"{story}\n\nIf an event names objects by their traits, it applies to all that have "
            f"these traits at that moment. {ask} Write one line for each object, in the same "
            f"form, such as '{self.objects[0]}: {sample}'."
        )

    def _table(self, state: State) -> str:
        rows = (
            joined([VALUES[trait][value] for trait, value in zip(self.traits, row)])
            for row in state
        )
        return "\n".join(f"{name}: {row}" for name, row in zip(self.objects, rows))

    def end(self) -> State:
        """The traits of the objects in the end."""
        state = [list(row) for row in self.start]
        for event in self.events:
            carry_out(state, event)
        return state

    def answer(self) -> str:
        return self._table(self.end())

    def verify(self, answer: str) -> Score:
        named: dict[tuple[str, str], str] = {}
        for name, row in pairs(answer, self.objects).items():
            values = [item.casefold() for item in items(row)]
            if len(values) != len(self.traits):
                raise InvalidAnswer(f"not {len(self.traits)} values for the {name}")
            named |= {(name, trait): value for trait, value in zip(self.traits, values)}
        right = {
            (name, trait): VALUES[trait][value].casefold()
            for name, row in zip(self.objects, self.end())
            for trait, value in zip(self.traits, row)
        }
        return matched(named, right)

    def difficulty(self) -> float:
        return float(len(self.events) * 2 + len(self.objects) * len(self.traits))

    def shortcuts(self) -> Iterable[str]:
        yield self._table([list(row) for row in self.start])
