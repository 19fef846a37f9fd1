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
    greedy_plan,
    moved,
    shortest_plan,
    stacked,
)
from palaestra.generators.planning.pictures import TONES, PicturedPlan
from palaestra.scenes import Item
from palaestra.scenes import Stacks as PictureOfStacks
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import steps, words

COLORS = (
    "red", "green", "blue", "yellow", "white", "black", "orange", "purple", "pink", "brown",
    "grey", "gold", "silver", "cyan", "violet", "olive", "teal", "beige", "ruby", "amber",
)  # fmt: skip

LETTERS = tuple("ABCDEFGHJKLMNPQRSTUVWXYZ")


class Blocksworld(PicturedPlan):
    """Rebuild stacks of blocks in as few moves as possible, one block at a time."""

    tags = {"planning", "search"}

    class Knobs(PicturedPlan.Knobs):
        blocks: int = ladder(5, 6, 7, 9, 11, 14, 18, high=20)
        towers: int = ladder(3, 3, 3, 3, 3, 4, 4, low=2)  # at most, at the start and in the goal
        trap: bool = ladder(False, False, True)  # whether moving blocks home early takes too long

    names: tuple[str, ...]
    start: Stacks
    goal: Stacks
    trap: bool
    form: Literal["stacks", "facts"]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        start = stacked(rng, knobs.blocks, knobs.towers)
        order = [block for stack in sorted(start, key=len) for block in stack]
        number = {block: n for n, block in enumerate(order)}
        start, goal = (
            tuple(sorted(tuple(number[block] for block in stack) for stack in stacks))
            for stacks in (start, stacked(rng, knobs.blocks, knobs.towers))
        )
        names = tuple(rng.sample(rng.choice((COLORS, LETTERS))[: knobs.blocks], knobs.blocks))
        form: Literal["stacks", "facts"] = rng.choice(("stacks", "facts"))
        return cls(names=names, start=start, goal=goal, trap=knobs.trap, form=form)

    def search(self) -> tuple[Move, ...]:
        return shortest_plan(self.start, self.goal).moves

    def greedy_plans(self) -> list[list[Move]]:
        """Plans that are too long: unstack all first and, as a trap, move blocks home early."""
        tidy = (False, True) if self.trap else (False,)
        return [greedy_plan(self.start, self.goal, each) for each in tidy]

    def is_valid(self) -> bool:
        fewest = len(self.plan())
        return fewest > 2 and all(len(plan) > fewest for plan in self.greedy_plans())

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
            f"\n\nGet from the start to the goal in at most {self.move_limit()} moves. The order "
            "of the stacks on the table does not matter. Write one move per line, such as "
            f"'move {self.names[0]} onto {self.names[1]}' or 'move {self.names[0]} to table'."
        )

    def picture(self, state: dict[int, int]) -> PictureOfStacks:
        above = {under: block for block, under in state.items() if under != TABLE}
        stacks = []
        for base in sorted(block for block, under in state.items() if under == TABLE):
            stack = [base]
            while stack[-1] in above:
                stack.append(above[stack[-1]])
            stacks.append(stack)
        names = sorted([self.names[block] for block in stack] for stack in stacks)
        items = (tuple(Item(name, TONES.get(name, "t1")) for name in stack) for stack in names)
        return PictureOfStacks(tuple(items))

    def goal_picture(self) -> PictureOfStacks:
        return self.picture(below(self.goal))

    def pictured(self, stacks: Stacks) -> str:
        """Stacks in words."""
        if self.form == "stacks":
            listing = sorted(", ".join(self.names[block] for block in stack) for stack in stacks)
            return "\n".join(f"Stack {n}, bottom to top: {row}" for n, row in enumerate(listing, 1))
        facts = below(stacks)
        return "\n".join(
            f"{self.names[block]} is on {self.support(facts[block])}"
            for block in sorted(facts, key=lambda block: self.names[block])
        )

    def support(self, block: int) -> str:
        """The name of what a block stands on: a block or the table."""
        return "the table" if block == TABLE else self.names[block]

    def as_text(self, moves: Iterable[Move]) -> str:
        return "\n".join(
            f"move {self.names[block]} "
            + ("to table" if onto == TABLE else f"onto {self.names[onto]}")
            for block, onto in moves
        )

    def read(self, answer: str) -> list[Move]:
        known = {name.casefold(): block for block, name in enumerate(self.names)}
        supports = known | {"table": TABLE}
        moves = []
        for line in steps(answer):
            match words(line.replace("->", " to ").replace("\u2192", " to "), {"the", "block"}):
                case ["move" | "put" | "place" | "stack", block, "onto" | "on" | "to", onto] | [
                    block,
                    "onto" | "on" | "to",
                    onto,
                ] if block in known:
                    moves.append((known[block], supports.get(onto)))
        if len(moves) < len(steps(answer)) or any(onto is None for _, onto in moves):
            raise InvalidAnswer(
                "expected one move per line, such as 'move X onto Y' or 'move X to table'"
            )
        return [(block, onto) for block, onto in moves if onto is not None]

    def initial(self) -> dict[int, int]:
        return below(self.start)

    def after(self, state: dict[int, int], move: Move) -> dict[int, int]:
        block, onto = move
        if block == onto:
            raise Illegal(f"{self.names[block]} is put onto itself")
        covered = set(state.values()) - {TABLE}
        for each in move:
            if each in covered:
                raise Illegal(f"{self.names[each]} has a block on it")
        return state | {block: onto}

    def moves_from(self, state: dict[int, int]) -> Iterable[Move]:
        tops = [block for block in state if block not in state.values()]
        return ((block, onto) for block in tops for onto in (*tops, TABLE) if state[block] != onto)

    def distance(self, state: dict[int, int]) -> float:
        """The blocks that stand on another support than in the goal."""
        goal = below(self.goal)
        return sum(goal[block] != under for block, under in state.items())

    def violation(self, state: dict[int, int]) -> str:
        for block, under in below(self.goal).items():
            if state[block] != under:
                return f"at the end, {self.names[block]} is on {self.support(state[block])}"
        return ""

    def audit(self, answer: str) -> bool:
        """Moves blocks from top to top of the stacks, and compares the stacks with the goal."""
        state = self.start
        for block, onto in self.read(answer):
            if not {block, onto} <= {TABLE, *(stack[-1] for stack in state)} or block == onto:
                return False
            state = moved(state, (block, onto))
        return state == self.goal and len(self.read(answer)) <= len(self.plan())

    def difficulty(self) -> float:
        return shortest_plan(self.start, self.goal).visited

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.greedy_plans())
