"""The blocks world, which Terry Winograd's SHRDLU (1971) stacked, as a planning problem.

Shortest plans are found as Naresh Gupta and Dana Nau (1992) describe the problem: blocks in the
way of one another have to be put aside, and which of them is what makes it hard.
"""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.blocksworld import (
    TABLE,
    Move,
    Stacks,
    below,
    heedless_plan,
    moved,
    shortest_plan,
    stacked,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import steps

COLORS = (
    "red", "green", "blue", "yellow", "white", "black", "orange", "purple", "pink", "brown",
    "grey", "gold", "silver", "cyan", "violet", "olive", "teal", "beige", "ruby", "amber",
)  # fmt: skip

LETTERS = tuple("ABCDEFGHJKLMNPQRSTUVWXYZ")


class Blocksworld(Puzzle):
    """Rebuild stacks of blocks in as few moves as possible, one block at a time."""

    tags = {"planning", "search"}

    class Knobs(Puzzle.Knobs):
        blocks: int = ladder(5, 6, 7, 9, 11, 14, 18, high=20)
        towers: int = ladder(3, 3, 3, 3, 3, 4, 4, low=2)  # at most, to begin with and in the end
        trap: bool = ladder(False, False, True)  # whether sending blocks home early is too long

    names: tuple[str, ...]
    start: Stacks
    goal: Stacks
    trap: bool
    form: Literal["stacks", "facts"]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        start = stacked(rng, knobs.blocks, knobs.towers)
        order = [block for stack in sorted(start, key=len) for block in stack]
        number = {block: place for place, block in enumerate(order)}
        start, goal = (
            tuple(sorted(tuple(number[block] for block in stack) for stack in stacks))
            for stacks in (start, stacked(rng, knobs.blocks, knobs.towers))
        )
        names = tuple(rng.sample(rng.choice((COLORS, LETTERS))[: knobs.blocks], knobs.blocks))
        form: Literal["stacks", "facts"] = rng.choice(("stacks", "facts"))
        return cls(names=names, start=start, goal=goal, trap=knobs.trap, form=form)

    def plan(self) -> tuple[Move, ...]:
        """A shortest plan."""
        return shortest_plan(self.start, self.goal).moves

    def heedless(self) -> list[list[Move]]:
        """Plans that are too long: unstack all first and, as a trap, send home what can go."""
        tidy = (False, True) if self.trap else (False,)
        return [heedless_plan(self.start, self.goal, each) for each in tidy]

    def is_valid(self) -> bool:
        fewest = len(self.plan())
        return fewest > 2 and all(len(plan) > fewest for plan in self.heedless())

    def canonical(self) -> str:
        return repr((self.start, self.goal))

    def prompt(self) -> str:
        task = self.phrase(
            "Blocks stand on a table, in stacks. A move takes one block that has nothing on it and "
            "puts it on another block that has nothing on it, or on the table, where there is room "
            "for all.",
            "There are blocks, each on the table or on another block. One at a time, a block may "
            "be moved if no block is on it, either onto a block that has none on it, or to the "
            "table, which is never full.",
        )
        return (
            f"{task}\n\nStart:\n{self.pictured(self.start)}\n\nGoal:\n{self.pictured(self.goal)}"
            f"\n\nGet from the start to the goal in at most {len(self.plan())} moves. The order of "
            "the stacks on the table does not matter. Write one move per line, such as "
            f"'move {self.names[0]} onto {self.names[1]}' or 'move {self.names[0]} to table'."
        )

    def pictured(self, stacks: Stacks) -> str:
        """Stacks in words."""
        if self.form == "stacks":
            listing = sorted(", ".join(self.names[block] for block in stack) for stack in stacks)
            return "\n".join(f"Stack {n}, bottom to top: {row}" for n, row in enumerate(listing, 1))
        facts = below(stacks)
        return "\n".join(
            f"{self.names[block]} is on {self.place(facts[block])}"
            for block in sorted(facts, key=lambda block: self.names[block])
        )

    def place(self, block: int) -> str:
        """The name of a place: a block or the table."""
        return "the table" if block == TABLE else self.names[block]

    def answer(self) -> str:
        return self.as_text(self.plan())

    def as_text(self, plan: Iterable[Move]) -> str:
        """A plan as an answer."""
        return "\n".join(
            f"move {self.names[block]} "
            + ("to table" if onto == TABLE else f"onto {self.names[onto]}")
            for block, onto in plan
        )

    def read(self, answer: str) -> list[Move]:
        """The moves that an answer lists."""
        known = {name.casefold(): block for block, name in enumerate(self.names)}
        places = known | {"table": TABLE}
        moves = []
        for line in steps(answer):
            match [word for word in line.casefold().split() if word != "the"]:
                case ["move", block, "onto" | "on" | "to", onto] if block in known:
                    moves.append((known[block], places.get(onto)))
        if len(moves) < len(steps(answer)) or any(onto is None for _, onto in moves):
            raise InvalidAnswer(
                "not one move per line, such as 'move X onto Y' or 'move X to table'"
            )
        return [(block, onto) for block, onto in moves if onto is not None]

    def verify(self, answer: str) -> Score:
        plan = self.read(answer)
        on = below(self.start)
        for number, (block, onto) in enumerate(plan, 1):
            covered = set(on.values())
            busy = [each for each in (block, onto) if each != TABLE and each in covered]
            if block == onto:
                return Score(0, f"move {number} puts {self.names[block]} onto itself")
            if busy:
                return Score(0, f"in move {number}, {self.names[busy[0]]} has a block on it")
            on[block] = onto
        for block, under in below(self.goal).items():
            if on[block] != under:
                return Score(0, f"at the end, {self.names[block]} is on {self.place(on[block])}")
        if len(plan) > len(self.plan()):
            return Score(0, f"{len(plan)} moves are more than {len(self.plan())}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Whether the stacks, of which only the tops are ever touched, end up as the goal's."""
        state = self.start
        for block, onto in self.read(answer):
            if not {block, onto} <= {TABLE, *(stack[-1] for stack in state)} or block == onto:
                return False
            state = moved(state, (block, onto))
        return state == self.goal and len(self.read(answer)) <= len(self.plan())

    def difficulty(self) -> float:
        return shortest_plan(self.start, self.goal).looked

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.heedless())
