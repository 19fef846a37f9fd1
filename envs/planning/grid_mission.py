"""Missions of keys, doors and boxes in rooms, after MiniGrid (Maxime Chevalier-Boisvert, 2018)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.planning.grid_mission import ACTIONS, Kind, State, World, furnished
from palaestra.generators.planning.pictures import TONES, PicturedPlan
from palaestra.scenes import Cell as Picture
from palaestra.scenes import Grid, Panels, Text
from palaestra.scenes.elements import Mark, changed
from palaestra.task import ladder
from palaestra.verifiers.reading.moves import tokens

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
MARKS: dict[Kind, Mark] = {
    "key": "key", "ball": "disc", "box": "box", "door": "door", "lock": "lock",
}  # fmt: skip
FACING: tuple[Mark, ...] = ("up", "right", "down", "left")


@lru_cache(maxsize=256)
def shortest(world: World, start: State) -> tuple[tuple[str, ...], int] | None:
    """A shortest plan, if there is one, and the number of states that the search visited."""
    return world.plan(start)


class GridMission(PicturedPlan):
    """Plan the turns and steps of an agent through rooms with locks, keys and boxes to a goal."""

    version = 2
    tags = {"planning", "search", "grid", "spatial"}
    units = "actions"

    class Knobs(PicturedPlan.Knobs):
        across: int = ladder(2, 2, 2, 3, 3, 3, 4, low=2, high=4)  # rooms
        down: int = ladder(1, 1, 2, 2, 2, 3, 3, low=1, high=3)
        side: int = ladder(3, 3, 3, 3, 3, 3, 3, low=3, high=4)  # cells along a room
        locks: int = ladder(0, 1, 1, 2, 2, 3, 3, low=0, high=3)
        boxes: int = ladder(0, 0, 0, 0, 1, 2, 3, low=0, high=3)
        ball: bool = ladder(False, False, True, True)  # to be brought along
        spare: int = ladder(3, 3, 3, 2, 2, 1, 0)  # actions beyond those of a shortest plan

    world: World
    start: State
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Where there are fewer doors on the way than locks, there are fewer locks."""
        size = knobs.across, knobs.down, knobs.side
        world, start = furnished(rng, *size, knobs.locks, knobs.boxes, knobs.ball)
        return cls(world=world, start=start, spare=knobs.spare)

    def is_valid(self) -> bool:
        """Whether there is a plan, and it has more than three steps."""
        plan = self.search()
        return plan is not None and len(plan) > 3

    def search(self) -> tuple[str, ...] | None:
        solution = shortest(self.world, self.start)
        return None if solution is None else solution[0]

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        return repr((self.world, self.start, self.spare))

    def letters(self) -> list[tuple[str, int]]:
        """The letters of the visible things, and their numbers."""
        visible = [n for n, thing in enumerate(self.world.things) if thing.inside < 0]
        return list(zip(LETTERS, visible))

    def board(self) -> str:
        """The map as text."""
        signs = {self.world.things[n].cell: letter for letter, n in self.letters()}
        signs |= {self.world.goal: "*", self.start.cell: "^>v<"[self.start.facing]}
        rows = enumerate(self.world.rows)
        return "\n".join(
            " ".join(signs.get((r, c), s) for c, s in enumerate(row)) for r, row in rows
        )

    def legend(self) -> str:
        """The meaning of each letter, one per line."""
        return "\n".join(f"{letter}: {self.described(n)}" for letter, n in self.letters())

    def described(self, number: int) -> str:
        """A thing in words."""
        shape, colour, *_ = self.world.things[number]
        if shape in {"door", "lock"}:
            return f"a {colour} door, {'closed' if shape == 'door' else 'locked'}"
        inside = [thing for thing in self.world.things if thing.inside == number]
        holds = f" with a {inside[0].colour} {inside[0].shape} in it" if inside else ""
        return f"a {colour} {shape}{holds}"

    def prompt(self) -> str:
        wanted = self.world.wanted
        held = f" with the {self.world.things[wanted].colour} ball in its hand" * (wanted >= 0)
        task = self.phrase(
            f"Plan how the agent on this map gets to the cell marked *{held}.",
            f"An agent walks through these rooms. In the end it must stand on the cell *{held}.",
        )
        return (
            f"{task}\n\n{self.board()}\n\n{self.legend()}\n\n# is a wall and . a free cell; the "
            "agent is shown as ^, >, v or <, which point in the direction that it faces: north "
            "(up), east, south or west. Letters are the things of the list, each of which fills "
            "its cell and cannot be walked through. The actions are:\n- left, right: turn by 90 "
            "degrees without leaving the cell\n- forward: go to the cell in front, if that is "
            "free or the goal\n- take: take the key or ball that is in the cell in front, if "
            "nothing is held; it cannot be put down again\n- open: open what is in the cell in "
            "front. A closed door then disappears, and the cell is free. A locked door is opened "
            "in the same way, but only while a key of its colour is held, which is used up. A box "
            "disappears, and what was in it lies in its cell.\n\nAn action that is not possible "
            f"does nothing, but still counts. Use at most {self.move_limit()} actions. Give them "
            "in order, separated by commas, such as 'right, forward, take'."
        )

    def picture(self, state: State) -> Panels:
        letters = {n: letter for letter, n in self.letters()}
        walls = Picture(fill="dark")
        cells = [[walls if sign == "#" else Picture() for sign in row] for row in self.world.rows]
        row, column = self.world.goal
        cells[row][column] = Picture(fill="t6", mark="star", tone="c3")
        for (row, column), n in self.world.present(state).items():
            shape, colour, *_ = self.world.things[n]
            cells[row][column] = Picture(letters.get(n, ""), mark=MARKS[shape], tone=TONES[colour])
        row, column = state.cell
        cells[row][column] = changed(cells[row][column], mark=FACING[state.facing], tone="accent")
        lines = self.legend().splitlines()
        if state.held >= 0:
            lines.append(f"in the hand: {self.described(state.held)}")
        board = Grid(tuple(map(tuple, cells)))
        if not lines:
            return Panels((board,))
        half = len(lines) if len(lines) < 6 else -(-len(lines) // 2)
        texts = [Text(tuple(lines[n : n + half])) for n in range(0, len(lines), half)]
        return Panels((board, Panels(tuple(texts))), columns=1)

    def read(self, answer: str) -> list[str]:
        return tokens(answer, ACTIONS, f"a list of the actions {', '.join(ACTIONS)}")

    def as_text(self, moves: Sequence[str]) -> str:
        return ", ".join(moves)

    def initial(self) -> State:
        return self.start

    def after(self, state: State, move: str) -> State:
        return self.world.after(state, move)

    def moves_from(self, state: State) -> Iterable[str]:
        """The actions that change something."""
        return (action for action in ACTIONS if self.world.after(state, action) != state)

    def distance(self, state: State) -> float:
        """The cells between the agent and the goal, and the ball if the agent has to bring it."""
        (row, column), goal = state.cell, self.world.goal
        away = abs(row - goal[0]) + abs(column - goal[1])
        if self.world.wanted in {-1, state.held}:
            return away
        ball = self.world.things[self.world.wanted].cell
        return abs(row - ball[0]) + abs(column - ball[1]) + 2 * len(self.world.rows)

    def violation(self, state: State) -> str:
        if state.cell != self.world.goal:
            return "in the end the agent stands on another cell"
        return "" if self.world.done(state) else "in the end the agent does not hold the ball"

    def audit(self, answer: str) -> bool:
        """Keeps the map as letters, and the held thing as words."""
        signs = {(r, c): s for r, row in enumerate(self.world.rows) for c, s in enumerate(row)}
        things = {(thing.cell, thing.inside >= 0): thing for thing in self.world.things}
        (row, column), facing, held = self.start.cell, self.start.facing, ""
        actions = answer.casefold().replace(",", " ").split()
        for action in actions:
            facing = (facing + {"left": 3, "right": 1}.get(action, 0)) % 4
            down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[facing]
            front = row + down, column + right
            thing = things.get((front, False))
            if action == "forward" and thing is None and signs[front] != "#":
                row, column = front
            elif action == "take" and thing and thing.shape in {"key", "ball"} and not held:
                held = f"{thing.shape} {thing.colour}"
                del things[front, False]
            elif action == "open" and thing and thing.shape in {"door", "box", "lock"}:
                if thing.shape == "lock" and held != f"key {thing.colour}":
                    continue
                held = "" if thing.shape == "lock" else held
                del things[front, False]
                if (front, True) in things:
                    things[front, False] = things.pop((front, True))
        ball = held.startswith("ball") or self.world.wanted < 0
        return (row, column) == self.world.goal and ball and len(actions) <= self.move_limit()

    def difficulty(self) -> float:
        solution = shortest(self.world, self.start)
        return float(len(solution[0]) + solution[1]) if solution else 0.0

    def shortcuts(self) -> Iterable[str]:
        """Straight on, and along the walls."""
        straight = [["forward"] * n for n in (1, 2, 3)]
        around = [(["forward"] * n + [turn]) * 3 for turn in ("left", "right") for n in (1, 2)]
        return map(self.as_text, straight + around)
