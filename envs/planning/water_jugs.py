"""Measuring with jugs, a puzzle known from the Annals of Abbot Albert of Stade (13th century)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.planning.water_jugs import (
    TAP,
    Levels,
    Move,
    poured,
    reached,
    shortest_plan,
)
from palaestra.scenes import Curve, Plane, Polygon
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.moves import steps, words

NAMES = "ABCD"


class WaterJugs(PicturedPlan):
    """Measure an amount of water with jugs of given sizes, in as few steps as possible."""

    version = 2
    tags = {"planning", "search", "arithmetic"}
    baseline_note = (
        "pouring from one jug into another again and again reaches every multiple of their "
        "common divisor, as number theory shows, and for some targets in the fewest steps; "
        "which two jugs these are is left to luck"
    )
    units = "steps"

    class Knobs(PicturedPlan.Knobs):
        jugs: int = ladder(3, low=2)
        largest: int = ladder(16, 20, 26, 32, 38, 44, low=10)
        steps: int = ladder(4, 5, 7, 8, 10, 12, low=3)  # at least, where there are such

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
        goals = [goal for goal, number in moves.items() if least <= number <= least + 2]
        jug, amount = rng.choice(goals)
        return cls(sizes=sizes, start=start, jug=jug, amount=amount)

    def is_valid(self) -> bool:
        return len(self.plan()) > 2

    def search(self) -> tuple[Move, ...]:
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
            f"{self.move_limit()} steps; what the other jugs hold does not matter. Write one step "
            "per line, such as 'fill A', 'empty B' or 'pour A into B'."
        )

    def picture(self, state: Levels) -> Plane:
        width = max(self.sizes) / len(self.sizes)
        figures = list[Polygon | Curve]()
        for n, (name, size, level) in enumerate(zip(NAMES, self.sizes, state)):
            left, right = 1.4 * n * width, (1.4 * n + 1) * width
            figures.append(box(left, right, size, "paper", ("", f"{level} of {size}", "", name)))
            if level:
                figures.append(box(left, right, level, "water"))
            if n == self.jug:
                line = (left, self.amount), (right, self.amount)
                figures.append(Curve(line, "accent", dashed=True, text=f"goal {self.amount}"))
        return Plane(tuple(figures))

    def as_text(self, moves: Iterable[Move]) -> str:
        return "\n".join(map(_written, moves))

    def read(self, answer: str) -> list[Move]:
        names = NAMES[: len(self.sizes)]
        return [_read(line, names) for line in steps(answer)]

    def initial(self) -> Levels:
        return self.start

    def after(self, state: Levels, move: Move) -> Levels:
        return poured(state, self.sizes, move)

    def moves_from(self, state: Levels) -> Iterable[Move]:
        """Every move that changes something."""
        moves = permutations((TAP, *range(len(self.sizes))), 2)
        return (move for move in moves if poured(state, self.sizes, move) != state)

    def distance(self, state: Levels) -> float:
        return abs(state[self.jug] - self.amount)

    def baseline_plans(self, rng: Random) -> Mapping[str, Sequence[Move]]:
        """Also the rule for two jugs: fill one whenever it is empty, pour it into the other, and
        empty that one whenever it is full.
        """
        plans = {}
        others = [jug for jug in range(len(self.sizes)) if jug != self.jug]
        for size, other in zip(("smaller", "larger"), sorted(others, key=self.sizes.__getitem__)):
            plans[f"from the {size} jug"] = self.poured_on(other, self.jug)
            plans[f"into the {size} jug"] = self.poured_on(self.jug, other)
        return {**super().baseline_plans(rng), **plans}

    def poured_on(self, source: int, target: int) -> list[Move]:
        """The plan of the rule for two jugs, up to the number of moves that is allowed."""
        state, plan = self.start, list[Move]()
        while self.violation(state) and len(plan) < len(self.plan()):
            if not state[source]:
                plan.append((TAP, source))
            elif state[target] == self.sizes[target]:
                plan.append((target, TAP))
            else:
                plan.append((source, target))
            state = self.after(state, plan[-1])
        return plan

    def violation(self, state: Levels) -> str:
        level = state[self.jug]
        held = f"in the end jug {NAMES[self.jug]} holds {level} litres"
        return "" if level == self.amount else held

    def audit(self, answer: str) -> bool:
        """Pours litre by litre."""
        holds = dict(zip(NAMES, self.start))
        sizes = dict(zip(holds, self.sizes))
        lines = steps(answer)
        for line in lines:
            match line.upper().split():
                case ["FILL", jug]:
                    holds[jug] = sizes[jug]
                case ["EMPTY", jug]:
                    holds[jug] = 0
                case ["POUR", one, "INTO", other]:
                    while holds[one] > 0 and holds[other] < sizes[other]:
                        holds[one], holds[other] = holds[one] - 1, holds[other] + 1
        return holds[NAMES[self.jug]] == self.amount and len(lines) <= len(self.plan())

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.sizes) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield f"fill {NAMES[self.jug]}"
        other = NAMES[(self.jug + 1) % len(self.sizes)]
        yield f"fill {NAMES[self.jug]}\npour {NAMES[self.jug]} into {other}"


def box(left: float, right: float, top: float, fill: str, sides: tuple[str, ...] = ()) -> Polygon:
    """A rectangle upon the x axis; its sides are left, top, right and bottom."""
    return Polygon(((left, 0), (left, top), (right, top), (right, 0)), fill=fill, sides=sides)


def _written(move: Move) -> str:
    source, target = move
    if source == TAP:
        return f"fill {NAMES[target]}"
    if target == TAP:
        return f"empty {NAMES[source]}"
    return f"pour {NAMES[source]} into {NAMES[target]}"


def _read(line: str, names: str) -> Move:
    jugs = {name.casefold(): n for n, name in enumerate(names)}
    match words(line, {"the", "jug", "from"}):
        case ["fill", jug] if jug in jugs:
            return TAP, jugs[jug]
        case ["empty", jug] if jug in jugs:
            return jugs[jug], TAP
        case ["pour", one, "into" | "to", other] if {one, other} <= jugs.keys() and one != other:
            return jugs[one], jugs[other]
    raise InvalidAnswer(
        "expected one step per line, such as 'fill A', 'empty B' or 'pour A into B'"
    )
