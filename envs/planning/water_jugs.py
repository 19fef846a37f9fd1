"""Measuring with jugs, a puzzle known from the Annals of Abbot Albert of Stade (13th century)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.planning.water_jugs import (
    TAP,
    Levels,
    Move,
    after,
    reached,
    shortest_plan,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import steps

NAMES = "ABCD"


class WaterJugs(Puzzle):
    """Measure an amount of water with jugs of given sizes, in as few steps as possible."""

    tags = {"planning", "search", "arithmetic"}

    class Knobs(Puzzle.Knobs):
        jugs: int = ladder(3, low=2)
        largest: int = ladder(16, 20, 26, 32, 36, 40, low=10, high=44)
        steps: int = ladder(4, 5, 6, 7, 8, 9, low=3, high=12)  # at least, where there are such

    sizes: Levels
    start: Levels
    jug: int
    amount: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = tuple(rng.sample(range(3, knobs.largest + 1), knobs.jugs))
        start = tuple(size * (rng.random() < 0.3) for size in sizes)  # empty or full
        moves = reached(sizes, start).moves
        least = min(knobs.steps, max(moves.values()))
        goals = [goal for goal, number in moves.items() if least <= number <= least + 5]
        jug, amount = rng.choice(goals)
        return cls(sizes=sizes, start=start, jug=jug, amount=amount)

    def is_valid(self) -> bool:
        return len(self.plan()) > 2

    def plan(self) -> tuple[Move, ...]:
        """A shortest plan."""
        return shortest_plan(self.sizes, self.start, (self.jug, self.amount))

    def canonical(self) -> str:
        jugs = list(zip(self.sizes, self.start))
        goal = jugs.pop(self.jug)
        return repr((sorted(jugs), goal, self.amount))

    def prompt(self) -> str:
        jugs = "\n".join(
            f"{name}: {size} litres; it is {'full' if held else 'empty'} at the start"
            for name, size, held in zip(NAMES, self.sizes, self.start)
        )
        task = self.phrase(
            "There are jugs without marks, and a tap.",
            "Measure water with these jugs, which have no marks, and a tap.",
        )
        return (
            f"{task} What each jug holds when it is full:\n{jugs}\n\nA step is one of these: fill "
            "a jug to the brim at the tap, empty a jug into the drain, or pour from one jug into "
            "another until the first is empty or the second is full.\n\nGet jug "
            f"{NAMES[self.jug]} to hold exactly {self.amount} litres in the end, in at most "
            f"{len(self.plan())} steps; what the other jugs hold does not matter. Write one step "
            "a line, such as 'fill A', 'empty B' or 'pour A into B'."
        )

    def answer(self) -> str:
        return "\n".join(_told(move) for move in self.plan())

    def verify(self, answer: str) -> Score:
        names = NAMES[: len(self.sizes)]
        plan = [_read(line, names) for line in steps(answer)]
        levels = self.start
        for move in plan:
            levels = after(levels, self.sizes, move)
        if levels[self.jug] != self.amount:
            return Score(0, f"in the end jug {names[self.jug]} holds {levels[self.jug]} litres")
        if len(plan) > len(self.plan()):
            return Score(0, f"{len(plan)} steps are more than {len(self.plan())}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Pours litre by litre."""
        holds = dict(zip(NAMES, self.start))
        room = dict(zip(holds, self.sizes))
        lines = steps(answer)
        for line in lines:
            match line.upper().split():
                case ["FILL", jug]:
                    holds[jug] = room[jug]
                case ["EMPTY", jug]:
                    holds[jug] = 0
                case ["POUR", one, "INTO", other]:
                    while holds[one] > 0 and holds[other] < room[other]:
                        holds[one], holds[other] = holds[one] - 1, holds[other] + 1
        return holds[NAMES[self.jug]] == self.amount and len(lines) <= len(self.plan())

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.sizes) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield f"fill {NAMES[self.jug]}"
        other = NAMES[(self.jug + 1) % len(self.sizes)]
        yield f"fill {NAMES[self.jug]}\npour {NAMES[self.jug]} into {other}"


def _told(move: Move) -> str:
    here, there = move
    if here == TAP:
        return f"fill {NAMES[there]}"
    return f"empty {NAMES[here]}" if there == TAP else f"pour {NAMES[here]} into {NAMES[there]}"


def _read(line: str, names: str) -> Move:
    match line.upper().split():
        case ["FILL", jug] if len(jug) == 1 and jug in names:
            return TAP, names.index(jug)
        case ["EMPTY", jug] if len(jug) == 1 and jug in names:
            return names.index(jug), TAP
        case ["POUR", one, "INTO", other] if {one, other} <= set(names) and one != other:
            return names.index(one), names.index(other)
    raise InvalidAnswer("not one step per line, such as 'fill A', 'empty B' or 'pour A into B'")
