"""The Tower of Hanoi, the puzzle of Édouard Lucas (1883), between any two arrangements."""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.tower_of_hanoi import Move, Pegs, legal_moves, shortest_plan
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import node_path, steps

LETTERS = "ABCD"


class TowerOfHanoi(Puzzle):
    """Move disks between pegs, from one arrangement to another, in as few moves as possible."""

    tags = {"planning", "search"}

    class Knobs(Puzzle.Knobs):
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

    def pictured(self, state: Pegs) -> str:
        """An arrangement in lines of text."""
        lines = []
        for peg in range(self.pegs):
            disks = [str(disk + 1) for disk in reversed(range(len(state))) if state[disk] == peg]
            lines.append(f"{LETTERS[peg]}: {' '.join(disks) or 'empty'}")
        return "\n".join(lines)

    def answer(self) -> str:
        return self.as_text(shortest_plan(self.start, self.goal, self.pegs))

    def as_text(self, plan: Iterable[Move]) -> str:
        """A plan as an answer."""
        return "\n".join(f"{LETTERS[here]} -> {LETTERS[there]}" for here, there in plan)

    def read(self, answer: str) -> list[Move]:
        """The moves that an answer lists."""
        lines, what = steps(answer), "one move per line, such as 'A -> C'"
        letters = LETTERS[: self.pegs]
        pegs = {line: node_path(line, letters, what) for line in dict.fromkeys(lines)}
        if any(len(named) != 2 for named in pegs.values()):
            raise InvalidAnswer(f"not {what}")
        return [(pegs[line][0], pegs[line][1]) for line in lines]

    def verify(self, answer: str) -> Score:
        plan = self.read(answer)
        piles = [[d for d in reversed(range(len(self.start))) if self.start[d] == peg]
                 for peg in range(self.pegs)]  # fmt: skip
        for number, (here, there) in enumerate(plan, 1):
            if not piles[here]:
                return Score(0, f"move {number} takes a disk from {LETTERS[here]}, which is empty")
            disk = piles[here].pop()
            if piles[there] and piles[there][-1] < disk:
                lower = piles[there][-1] + 1
                return Score(0, f"move {number} puts disk {disk + 1} on the smaller disk {lower}")
            piles[there].append(disk)
        for disk, peg in enumerate(self.goal):
            if disk not in piles[peg]:
                return Score(0, f"at the end, disk {disk + 1} is not on {LETTERS[peg]}")
        if len(plan) > self.limit:
            return Score(0, f"{len(plan)} moves are more than {self.limit}")
        return Score(1)

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
        return len(shortest_plan(self.start, self.goal, self.pegs))
