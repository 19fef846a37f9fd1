"""The Tower of Hanoi, the puzzle of Édouard Lucas (1883), between any two arrangements."""

from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.planning.tower_of_hanoi import Move, Pegs, legal_moves, shortest_plan
from palaestra.scenes import Item, Stacks
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import hops_as_text, labelled_hops

LETTERS = "ABCD"


class TowerOfHanoi(PicturedPlan):
    """Move disks between pegs, from one arrangement to another, in as few moves as possible."""

    tags = {"planning", "search"}
    answer_type = "moves"

    class Knobs(PicturedPlan.Knobs):
        disks: int = ladder(5, 5, 5, 6, 7, 8, low=4)
        pegs: int = ladder(3, high=4)
        apart: Literal["near", "midway", "far"] = ladder("near", "midway", "far")

    start: Pegs
    goal: Pegs
    pegs: int
    limit: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rest = {"near": 2, "midway": 1, "far": 0}[knobs.apart]  # large disks that may stay
        full = len(shortest_plan((0,) * knobs.disks, (1,) * knobs.disks, knobs.pegs))
        while True:
            start, goal = (
                tuple(rng.randrange(knobs.pegs) for _ in range(knobs.disks)) for _ in range(2)
            )
            goal = goal[: knobs.disks - rest] + start[knobs.disks - rest :]
            fewest = len(shortest_plan(start, goal, knobs.pegs))
            if full / 2 ** (rest + 1) < fewest <= full / 2**rest:
                return cls(start=start, goal=goal, pegs=knobs.pegs, limit=fewest)

    def canonical(self) -> str:
        renamed = (
            ([names[peg] for peg in self.start], [names[peg] for peg in self.goal])
            for names in permutations(range(self.pegs))
        )
        return repr((self.pegs, self.limit, min(renamed)))

    def prompt(self) -> str:
        disks = len(self.start)
        task = self.phrase(
            f"{disks} disks of different sizes, 1 the smallest and {disks} the largest, lie on "
            f"{self.pegs} pegs. A move takes the top disk of one peg and puts it on top of "
            "another; a disk must never lie on a smaller one.",
            f"On {self.pegs} pegs there are {disks} disks, numbered by size from 1, the smallest. "
            "One at a time, the top disk of a peg may be moved to another peg, if that is empty "
            "or its top disk is larger.",
        )
        return (
            f"{task} The disks of each peg are listed from the bottom to the top.\n\n"
            f"Start:\n{self.pictured(self.start)}\n\nGoal:\n{self.pictured(self.goal)}\n\n"
            f"Get from the start to the goal in at most {self.limit} moves. Write one move per "
            "line, the peg that a disk leaves and the peg it goes to, such as 'A -> C'."
        )

    def picture(self, state: Pegs) -> Stacks:
        number = len(state)
        disks = [Item(str(n + 1), f"t{n % 12}", 0.25 + 0.75 * (n + 1) / number)
                 for n in range(number)]  # fmt: skip
        pegs = (
            tuple(disks[n] for n in reversed(range(number)) if state[n] == peg)
            for peg in range(self.pegs)
        )
        return Stacks(tuple(pegs), tuple(LETTERS[: self.pegs]), "pegs", number)

    def goal_picture(self) -> Stacks:
        return self.picture(self.goal)

    def pictured(self, state: Pegs) -> str:
        """An arrangement in lines of text."""
        lines = []
        for peg in range(self.pegs):
            disks = [str(disk + 1) for disk in reversed(range(len(state))) if state[disk] == peg]
            lines.append(f"{LETTERS[peg]}: {' '.join(disks) or 'empty'}")
        return "\n".join(lines)

    def search(self) -> tuple[Move, ...]:
        return shortest_plan(self.start, self.goal, self.pegs)

    def move_limit(self) -> int:
        return self.limit

    def as_text(self, moves: Sequence[Move]) -> str:
        return hops_as_text(moves, LETTERS)

    def read(self, answer: str) -> list[Move]:
        plan, state = labelled_hops(answer, LETTERS[: self.pegs]), self.start
        if any(disk for disk, _, _ in plan):
            for number, (disk, source, target) in enumerate(plan, 1):
                if source not in state:
                    break  # a move that the rules forbid, and so the end of the plan
                top = state.index(source)
                if disk and disk != str(top + 1):
                    raise InvalidAnswer(f"move {number} takes disk {top + 1}, not disk {disk}")
                state = (*state[:top], target, *state[top + 1 :])
        return [(source, target) for _, source, target in plan]

    def initial(self) -> Pegs:
        return self.start

    def after(self, state: Pegs, move: Move) -> Pegs:
        source, target = move
        if source not in state:
            raise Illegal(f"peg {LETTERS[source]} is empty")
        disk = state.index(source)
        if target in state[:disk]:
            raise Illegal(f"disk {disk + 1} is put on the smaller disk {state.index(target) + 1}")
        return (*state[:disk], target, *state[disk + 1 :])

    def moves_from(self, state: Pegs) -> Iterable[Move]:
        return permutations(range(self.pegs), 2)

    def distance(self, state: Pegs) -> float:
        """The disks that are not on their pegs, of which each counts as much as all smaller ones
        and one more.
        """
        return sum(1 << disk for disk, (a, b) in enumerate(zip(state, self.goal)) if a != b)

    def violation(self, state: Pegs) -> str:
        for disk, (peg, goal) in enumerate(zip(state, self.goal), 1):
            if peg != goal:
                return f"at the end, disk {disk} is not on {LETTERS[goal]}"
        return ""

    def audit(self, answer: str) -> bool:
        """Whether each move is among the legal ones, and the last leads to the goal."""
        state, plan = self.start, self.read(answer)
        for move in plan:
            ways = dict(legal_moves(state, self.pegs))
            if move not in ways:
                return False
            state = ways[move]
        return state == self.goal and len(plan) <= self.limit

    def difficulty(self) -> float:
        return len(self.plan())
