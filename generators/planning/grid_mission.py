"""Rooms with doors, locks, keys and boxes, and an agent that turns, walks, takes and opens.

The manner is that of MiniGrid (Maxime Chevalier-Boisvert and others, 2018).
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import Any, Literal, NamedTuple

Cell = tuple[int, int]
Kind = Literal["key", "ball", "box", "door", "lock"]

AHEAD = ((-1, 0), (0, 1), (1, 0), (0, -1))
COLOURS = ("red", "green", "blue", "yellow", "purple", "grey")
ACTIONS = ("left", "right", "forward", "take", "open")


class Thing(NamedTuple):
    """A thing in a cell, and the number of the box that contains it, or -1."""

    shape: Kind
    colour: str
    cell: Cell
    inside: int = -1


class State(NamedTuple):
    """The position of the agent, the thing it holds, and the things that it took or opened."""

    cell: Cell
    facing: int
    held: int
    gone: int


class World(NamedTuple):
    """A map of walls ('#') and free cells, and the things on it."""

    rows: tuple[str, ...]
    things: tuple[Thing, ...]
    goal: Cell
    wanted: int
    """The number of the thing to be held in the end, or -1."""

    def present(self, state: State) -> dict[Cell, int]:
        """The things that block cells, by cell."""
        return {
            thing.cell: n
            for n, thing in enumerate(self.things)
            if not state.gone >> n & 1 and (thing.inside < 0 or state.gone >> thing.inside & 1)
        }

    def after(self, state: State, action: str) -> State:
        """The state after an action; an impossible one changes nothing."""
        if action in {"left", "right"}:
            turned = (state.facing + (1 if action == "right" else -1)) % 4
            return state._replace(facing=turned)
        front = ahead(state.cell, state.facing)
        thing = self.present(state).get(front)
        if action == "forward":
            free = thing is None and self.rows[front[0]][front[1]] != "#"
            return state._replace(cell=front) if free else state
        return state if thing is None else self.handled(state, thing, action)

    def handled(self, state: State, thing: int, action: str) -> State:
        """The state after taking or opening the thing in front."""
        shape, gone = self.things[thing].shape, state.gone | 1 << thing
        if action == "take":
            portable = shape in {"key", "ball"} and state.held < 0
            return state._replace(held=thing, gone=gone) if portable else state
        if shape in {"door", "box"}:
            return state._replace(gone=gone)
        key = self.things[state.held] if state.held >= 0 else None
        if shape == "lock" and key and key[:2] == ("key", self.things[thing].colour):
            return state._replace(held=-1, gone=gone)
        return state

    def done(self, state: State) -> bool:
        """Whether the mission is complete."""
        return state.cell == self.goal and self.wanted in {-1, state.held}

    def walks(self, state: State) -> Iterator[tuple[State, int | None, tuple[str, ...]]]:
        """The shortest walks, nothing being touched: to the goal, and to a thing from each side.

        Each with the thing, or None at the goal.
        """
        things = self.present(state)
        blocked = {
            (r, c) for r, row in enumerate(self.rows) for c, sign in enumerate(row) if sign == "#"
        } | things.keys()
        begun = state.cell, state.facing
        came: dict[tuple[Cell, int], tuple[tuple[Cell, int], str]] = {begun: (begun, "")}
        queue, arrived = deque([begun]), False
        while queue:
            cell, facing = here = queue.popleft()
            front = ahead(cell, facing)
            end = state._replace(cell=cell, facing=facing)
            if front in things:  # from each side, since the way goes on from there
                yield end, things[front], _retraced(came, here)
            if cell == self.goal and not arrived:
                arrived = True
                yield end, None, _retraced(came, here)
            ways = [("left", (cell, (facing - 1) % 4)), ("right", (cell, (facing + 1) % 4))]
            if front not in blocked:
                ways.insert(0, ("forward", (front, facing)))
            for action, there in ways:
                if there not in came:
                    came[there] = here, action
                    queue.append(there)

    def plan(self, start: State) -> tuple[tuple[str, ...], int] | None:
        """A shortest plan, and the number of walks between touched things that the search tried."""
        queue: list[tuple[int, int, State, tuple[str, ...]]] = [(0, 0, start, ())]
        best: dict[State, int] = {start: 0}
        number = 0
        while queue:
            cost, _, state, so_far = heappop(queue)
            if self.done(state):
                return so_far, number
            if cost > best[state]:
                continue
            for reached, thing, walk in self.walks(state):
                for end, last in self._touched(reached, thing):
                    plan = (*so_far, *walk, *last)
                    if len(plan) < best.get(end, len(plan) + 1):
                        best[end] = len(plan)
                        number += 1
                        heappush(queue, (len(plan), number, end, plan))
        return None

    def _touched(self, state: State, thing: int | None) -> Iterator[tuple[State, tuple[str, ...]]]:
        if thing is None:
            yield state, ()
            return
        for action in ("take", "open"):
            end = self.handled(state, thing, action)
            if end != state:
                yield end, (action,)


def ahead(cell: Cell, facing: int) -> Cell:
    """The cell in front.

    >>> ahead((2, 2), 1)
    (2, 3)
    """
    return cell[0] + AHEAD[facing][0], cell[1] + AHEAD[facing][1]


def _retraced(came: Mapping[Any, tuple[Any, str]], end: Any) -> tuple[str, ...]:
    actions = []
    while came[end][1]:
        end, action = came[end]
        actions.append(action)
    return tuple(reversed(actions))


def furnished(  # noqa: PLR0913, PLR0917 - what there is in the rooms
    rng: Random, across: int, down: int, side: int, locks: int, boxes: int, ball: bool
) -> tuple[World, State]:
    """Rooms joined to a tree, the start and the goal far apart, with doors on the way from one to
    the other. Some of them are locked, and each key lies before its lock, some in boxes.
    """
    step = side + 1
    came, gaps = _tree(rng, across, down, step)
    first = rng.choice([*came])
    last = max(came, key=lambda room: len(_way(came, first, room)))
    way = _way(came, first, last)
    locked = sorted(rng.sample(range(len(way) - 1), min(locks, len(way) - 1)))
    passages = [gaps[frozenset(pair)] for pair in pairwise(way)]
    colours = dict(zip(locked, rng.sample(COLOURS, len(locked))))
    things = [
        Thing("lock", colours[n], gap) if n in colours else Thing("door", rng.choice(COLOURS), gap)
        for n, gap in enumerate(passages)
    ]
    beside = {ahead(gap, facing) for gap in gaps.values() for facing in range(4)}
    spots = {
        room: [cell for cell in _cells(room, side) if cell not in beside] for room in sorted(came)
    }
    for cells in spots.values():
        rng.shuffle(cells)
    start, goal = spots[first].pop(), spots[last].pop()
    boxed = set(rng.sample(locked, min(boxes, len(locked))))
    for n in locked:
        near = [room for room in spots if _before(came, way, room) <= n and spots[room]]
        cell = spots[rng.choice(near)].pop()
        if n in boxed:
            things.append(Thing("box", rng.choice(COLOURS), cell))
        things.append(Thing("key", colours[n], cell, len(things) - 1 if n in boxed else -1))
    if ball:
        room = rng.choice([room for room in spots if spots[room]])
        things.append(Thing("ball", rng.choice(COLOURS), spots[room].pop()))
    rows = _walls(down * step + 1, across * step + 1, came, side, gaps.values())
    world = World(rows, tuple(things), goal, len(things) - 1 if ball else -1)
    return world, State(start, rng.randrange(4), -1, 0)


def _tree(
    rng: Random, across: int, down: int, step: int
) -> tuple[dict[Cell, Cell | None], dict[frozenset[Cell], Cell]]:
    """From which room each room is entered first, and the gaps in the walls between them."""
    came: dict[Cell, Cell | None] = {(rng.randrange(down), rng.randrange(across)): None}
    gaps = {}
    while len(came) < across * down:
        room = rng.choice([*came])
        neighbour = ahead(room, rng.randrange(4))
        if neighbour in came or not (0 <= neighbour[0] < down and 0 <= neighbour[1] < across):
            continue
        came[neighbour] = room
        along = rng.randrange(1, step)
        if room[0] == neighbour[0]:
            gap = room[0] * step + along, max(room[1], neighbour[1]) * step
        else:
            gap = max(room[0], neighbour[0]) * step, room[1] * step + along
        gaps[frozenset((room, neighbour))] = gap
    return came, gaps


def _way(came: Mapping[Cell, Cell | None], first: Cell, last: Cell) -> list[Cell]:
    """The rooms on the way from one to another."""

    def up(room: Cell | None) -> list[Cell]:
        moves = []
        while room is not None:
            moves.append(room)
            room = came[room]
        return moves

    one, other = up(first), up(last)
    while len(one) > 1 and len(other) > 1 and one[-2] == other[-2]:
        one.pop()
        other.pop()
    return [*one, *reversed(other[:-1])]


def _before(came: Mapping[Cell, Cell | None], way: list[Cell], room: Cell) -> int:
    """How many doors of a way lie before a room."""
    return max(way.index(one) for one in _way(came, way[0], room) if one in way)


def _cells(room: Cell, side: int) -> list[Cell]:
    row, column = (number * (side + 1) + 1 for number in room)
    return [(row + r, column + c) for r in range(side) for c in range(side)]


def _walls(
    height: int, width: int, rooms: Iterable[Cell], side: int, gaps: Iterable[Cell]
) -> tuple[str, ...]:
    free = {cell for room in rooms for cell in _cells(room, side)} | set(gaps)
    return tuple(
        "".join("." if (r, c) in free else "#" for c in range(width)) for r in range(height)
    )
