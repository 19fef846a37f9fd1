"""Rooms with locked doors, of which the player knows what it has seen, and an explorer of them."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.grid_neighbours import neighbours
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import Mark
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.moves import direction
from palaestra.verifiers.reading.values import plain

COLOURS = ("red", "green", "blue", "yellow", "purple", "orange")
DOORS = {colour[0].upper(): colour for colour in COLOURS}
"""The signs of locked doors."""

UNSEEN, WALL, FLOOR, OPEN = "?#./"
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
SIGNS = {"key": "k", "ball": "b", "box": "x"}

Item = tuple[int, str, str]
"""The cell of an item, its sort (key, ball or box) and its colour."""


Thing = tuple[str, ...]
"""The sort and the colour of an item, or an empty tuple for none."""


class House(NamedTuple):
    """Rooms in so many rows and columns, each of ``size`` by ``size`` cells, with walls between
    them and around them; ``size`` is 3 or more. Cells are numbered row by row.
    """

    rows: int
    columns: int
    size: int

    @property
    def height(self) -> int:
        """The number of rows of cells."""
        return self.rows * (self.size + 1) + 1

    @property
    def width(self) -> int:
        """The number of columns of cells."""
        return self.columns * (self.size + 1) + 1


class Knowledge(NamedTuple):
    """What the player knows: a sign for each cell, the items that it has seen and not taken, its
    own cell, and what it carries.
    """

    signs: str
    items: tuple[Item, ...]
    cell: int
    hand: Thing


def as_text(knowledge: Knowledge) -> str:
    """What is known as text, equal for what is equal."""
    return json.dumps(knowledge, separators=(",", ":"))


def from_text(text: str) -> Knowledge:
    """What is known, from a text of :func:`as_text`."""
    signs, items, cell, hand = json.loads(text)
    return Knowledge(signs, tuple((n, s, c) for n, s, c in items), cell, tuple(hand))


@cache
def visible(house: House, cell: int, sight: int) -> tuple[int, ...]:
    """The cells that are seen from a cell: those of its room, with its walls and doors, that are at
    most ``sight`` rows and columns away; those of two rooms from a doorway between them.
    """
    pitch, (row, column) = house.size + 1, divmod(cell, house.width)
    return tuple(
        r * house.width + c
        for r in range(max(0, row - sight), min(house.height, row + sight + 1))
        for c in range(max(0, column - sight), min(house.width, column + sight + 1))
        if _same_room(row, r, pitch) and _same_room(column, c, pitch)
    )


def _same_room(one: int, other: int, pitch: int) -> bool:
    """Whether the spans of some room, walls included, contain two coordinates."""
    rooms = {one // pitch, (one - 1) // pitch} if one % pitch == 0 else {one // pitch}
    return any(room * pitch <= other <= (room + 1) * pitch for room in rooms)


def seen(house: House, world: Knowledge, known: Knowledge, sight: int) -> Knowledge:
    """What is known after a look around. What has been seen before is known already, with all
    changes since then, as only the player changes anything.
    """
    signs, fresh = [*known.signs], set[int]()
    for cell in visible(house, known.cell, sight):
        if signs[cell] == UNSEEN:
            signs[cell] = world.signs[cell]
            fresh.add(cell)
    items = (*known.items, *(item for item in world.items if item[0] in fresh))
    return known._replace(signs="".join(signs), items=tuple(sorted(items)))


def beside(house: House, cell: int) -> dict[str, int]:
    """The cells around a cell that is not on the rim, by direction."""
    return {way: cell + down * house.width + right for way, (down, right) in STEPS.items()}


def at(known: Knowledge, cell: int) -> Thing:
    """The sort and the colour of the item on a cell."""
    return next(((sort, colour) for n, sort, colour in known.items if n == cell), ())


def locked(house: House, known: Knowledge) -> int | None:
    """The locked door beside the player; there is never more than one."""
    return next((n for n in beside(house, known.cell).values() if known.signs[n] in DOORS), None)


Goal = tuple[str, str]
"""The colours of the ball that is wanted and of the box that it has to be brought to."""


def legal(house: House, known: Knowledge, goal: Goal) -> list[str]:
    """The legal moves."""
    names = [*STEPS, "pick up", "drop", "open"]
    return [name for name in names if _effect(house, known, goal, name) is not None] + ["map"]


def after(house: House, known: Knowledge, goal: Goal, move: str) -> Knowledge:
    """What is known after a move, before a look around. Raises :class:`InvalidAnswer`."""
    new = known if move == "map" else _effect(house, known, goal, move)
    if new is None:
        raise InvalidAnswer(_refusal(house, known, move))
    return new


def _effect(house: House, known: Knowledge, goal: Goal, move: str) -> Knowledge | None:
    """What is known after a move; None for an illegal one."""
    here = at(known, known.cell)
    if move in STEPS:
        cell = beside(house, known.cell)[move]
        return known._replace(cell=cell) if known.signs[cell] in (FLOOR, OPEN) else None
    if move == "pick up":
        if known.hand or not here or here[0] == "box":
            return None
        left = tuple(item for item in known.items if item[0] != known.cell)
        return known._replace(items=left, hand=here)
    if move == "drop":
        if not known.hand or (here and (known.hand, here) != (("ball", goal[0]), ("box", goal[1]))):
            return None
        items = tuple(sorted((*known.items, (known.cell, known.hand[0], known.hand[1]))))
        return known._replace(items=items, hand=())
    door = locked(house, known)
    if door is None or known.hand != ("key", DOORS[known.signs[door]]):
        return None
    return known._replace(signs=known.signs[:door] + OPEN + known.signs[door + 1 :])


def _refusal(house: House, known: Knowledge, move: str) -> str:
    """Why a move is illegal."""
    here = at(known, known.cell)
    if move in STEPS:
        sign = known.signs[beside(house, known.cell)[move]]
        return "a locked door is in the way" if sign in DOORS else "a wall is in the way"
    if move == "pick up":
        if known.hand:
            return "you carry something already"
        return "a box cannot be picked up" if here else "there is nothing on your cell"
    if move == "drop":
        return f"the {here[1]} {here[0]} is on your cell" if known.hand else "you carry nothing"
    door = locked(house, known)
    if door is None:
        return "no locked door is beside you"
    return f"you do not carry a {DOORS[known.signs[door]]} key"


def delivered(known: Knowledge, goal: Goal) -> bool:
    """Whether the ball is on the cell of the box."""
    cells = {(sort, colour): cell for cell, sort, colour in known.items}
    ball = cells.get(("ball", goal[0]))
    return ball is not None and ball == cells.get(("box", goal[1]))


_VERBS = {
    "pick": "pick up", "take": "pick up", "grab": "pick up", "get": "pick up", "pickup": "pick up",
    "drop": "drop", "put": "drop", "release": "drop", "place": "drop",
    "open": "open", "unlock": "open", "map": "map",
}  # fmt: skip
_FILLERS = {"the", "a", "up", "it", "down", "here", "with", "my", "in", "into", "show", "of"}
_FILLERS |= {"locked", "key", "ball", "box", "door", *COLOURS}
_LONGEST = 100


def read(house: House, known: Knowledge, text: str) -> str:
    """The name of a move, legal or not, that a text stands for. Names of colours and things have to
    be those of what the move is about. Raises :class:`InvalidAnswer`.
    """
    expected = "expected up, down, left, right, 'pick up', 'drop', 'open' or 'map'"
    if len(text) > _LONGEST:
        raise InvalidAnswer(expected)
    words = plain(text).strip(" .!").casefold().replace("-", " ").split()
    if words[:1] == ["show"]:
        words = [word for word in words if word not in _FILLERS]
    move = _VERBS.get(words[0], "") if words else ""
    if not move or not _FILLERS.issuperset(words[1:]):
        try:
            return direction(text)
        except InvalidAnswer:
            raise InvalidAnswer(expected) from None
    door = locked(house, known)
    about = {
        "pick up": {*at(known, known.cell)},
        "drop": {*known.hand, *at(known, known.cell)},
        "open": {"door", *known.hand, *([DOORS[known.signs[door]]] if door is not None else [])},
        "map": set[str](),
    }[move]
    if others := [word for word in words[1:] if word in {*SIGNS, *COLOURS, "door"} - about]:
        raise InvalidAnswer(f"'{move}' is not about '{' '.join(others)}' here")
    return move


# ---------------------------------------------------------------------------------- what is shown


def shown(house: House, known: Knowledge, cells: tuple[int, ...]) -> str:
    """Some cells as rows of signs, with the numbers of rows and columns, and a list of items."""
    chosen = {*cells}
    rows = range(min(cells) // house.width, max(cells) // house.width + 1)
    across = sorted({cell % house.width for cell in cells})
    lines = ["    " + " ".join(f"{column + 1:>2}" for column in across)]
    for row in rows:
        line = [row * house.width + column for column in across]
        signs = (_sign(known, cell) if cell in chosen else " " for cell in line)
        lines.append(f"{row + 1:>3} " + " ".join(f"{sign:>2}" for sign in signs))
    things = [
        f"{colour} {sort} at {_name(house, cell)}"
        for cell, sort, colour in known.items
        if cell in chosen
    ]
    things += [
        f"locked {DOORS[known.signs[cell]]} door at {_name(house, cell)}"
        for cell in sorted(chosen)
        if known.signs[cell] in DOORS
    ]
    return "\n".join([*lines, f"Things: {'; '.join(things) or 'none'}."])


def _sign(known: Knowledge, cell: int) -> str:
    if cell == known.cell:
        return "@"
    item = at(known, cell)
    return SIGNS[item[0]] if item else known.signs[cell]


def _name(house: House, cell: int) -> str:
    row, column = divmod(cell, house.width)
    return f"r{row + 1}c{column + 1}"


def status(house: House, known: Knowledge) -> str:
    """Where the player is and what it carries."""
    carried = f"the {known.hand[1]} {known.hand[0]}" if known.hand else "nothing"
    here = at(known, known.cell)
    there = f" The {here[1]} {here[0]} is on your cell." if here else ""
    return f"You are at {_name(house, known.cell)}.{there} You carry {carried}."


_TONES = {"red": "c3", "green": "c2", "blue": "c0", "yellow": "c4", "purple": "c5", "orange": "c1"}
_MARKS: dict[str, Mark] = {"key": "key", "ball": "disc", "box": "box"}


def pictured(house: House, known: Knowledge, cells: tuple[int, ...]) -> Grid:
    """What there is to see: some cells of the house."""
    chosen = {*cells}

    def cell_of(cell: int) -> Cell:
        sign, item = known.signs[cell], at(known, cell)
        if cell not in chosen or sign == UNSEEN:
            return Cell(fill="muted")
        if cell == known.cell:
            return Cell(mark="person", tone="accent")
        if sign in DOORS:
            return Cell(mark="door", tone=_TONES[DOORS[sign]], fill="shade")
        if item:
            return Cell(mark=_MARKS[item[0]], tone=_TONES[item[1]])
        return Cell(fill="dark" if sign == WALL else "shade" if sign == OPEN else "paper")

    rows = range(0, house.height * house.width, house.width)
    grid = tuple(tuple(cell_of(row + column) for column in range(house.width)) for row in rows)
    return Grid(grid, coordinates=True)


# --------------------------------------------------------------------------------- how it is made


def built(rng: Random, house: House, locks: int, others: int) -> tuple[Knowledge, Goal]:
    """A house with the player in it, and what to bring where.

    Doorways connect all rooms. Some are locked, each with a door of its own colour, and the key of
    each lies where the doors before it lead. ``others`` is the number of balls and boxes beside
    those that are wanted.
    """
    rooms = [*range(house.rows * house.columns)]
    tree = _tree(rng, house)
    locks = min(locks, len(tree), len(COLOURS))
    barred = set(rng.sample(sorted(tree), locks))
    part = _parts(house, tree - barred)
    around = neighbours(house.rows, house.columns)
    all_doors = {(a, b) for a in rooms for b in around[a] if a < b}
    # Doorways within a part of the house give ways round, but none past a locked door.
    loops = {(a, b) for a, b in sorted(all_doors - tree) if part[a] == part[b]}
    openings = tree - barred | set(rng.sample(sorted(loops), len(loops) // 2))

    signs = [
        WALL if row % (house.size + 1) == 0 or column % (house.size + 1) == 0 else FLOOR
        for row in range(house.height)
        for column in range(house.width)
    ]
    for a, b in sorted(openings):
        signs[_doorway(rng, house, a, b)] = FLOOR
    free = {room: _floor(house, room) for room in rooms}
    for cells in free.values():
        rng.shuffle(cells)
    items, colours = list[Item](), rng.sample(COLOURS, len(COLOURS))
    start = rng.choice(rooms)
    reached = {part[start]}
    last = part[start]
    for colour in colours[:locks]:
        ready = sorted(d for d in barred if (part[d[0]] in reached) != (part[d[1]] in reached))
        a, b = rng.choice(ready)
        barred.discard((a, b))
        near = [room for room in rooms if part[room] in reached]
        items.append((free[rng.choice(near)].pop(), "key", colour))
        signs[_doorway(rng, house, a, b)] = colour[0].upper()
        last = part[b] if part[a] in reached else part[a]
        reached.add(last)
    far = [room for room in rooms if part[room] == last]
    ends = [rng.choice(far), rng.choice(rooms)]
    rng.shuffle(ends)
    things = [(sort, colour) for sort in ("ball", "box") for colour in COLOURS]
    wanted = [("ball", rng.choice(COLOURS)), ("box", rng.choice(COLOURS))]
    extra = rng.sample([thing for thing in things if thing not in wanted], others)
    for (sort, colour), room in zip([*wanted, *extra], ends + rng.choices(rooms, k=others)):
        cells = free[room] or max(free.values(), key=len)
        items.append((cells.pop(), sort, colour))
    cells = free[start] or max(free.values(), key=len)
    world = Knowledge("".join(signs), tuple(sorted(items)), cells.pop(), ())
    return world, (wanted[0][1], wanted[1][1])


def _tree(rng: Random, house: House) -> set[tuple[int, int]]:
    """Pairs of neighbouring rooms that connect all of them without a loop."""
    around = neighbours(house.rows, house.columns)
    inside, pairs = [rng.randrange(house.rows * house.columns)], set[tuple[int, int]]()
    while len(inside) < house.rows * house.columns:
        a = rng.choice(inside)
        outside = [b for b in around[a] if b not in inside]
        if outside:
            b = rng.choice(outside)
            inside.append(b)
            pairs.add((min(a, b), max(a, b)))
    return pairs


def _parts(house: House, pairs: set[tuple[int, int]]) -> list[int]:
    """For each room the lowest room that it is connected with."""
    part = [*range(house.rows * house.columns)]
    for _ in part:
        for a, b in pairs:
            part[a] = part[b] = min(part[a], part[b])
    return part


def _doorway(rng: Random, house: House, a: int, b: int) -> int:
    """A cell of the wall between two rooms, not beside its ends, so that no cell of a room is
    beside two doors.
    """
    pitch, (row, column) = house.size + 1, divmod(a, house.columns)
    offset = rng.randrange(2, house.size)
    if b == a + 1:
        return (row * pitch + offset) * house.width + (column + 1) * pitch
    return (row + 1) * pitch * house.width + column * pitch + offset


def _floor(house: House, room: int) -> list[int]:
    """The cells of a room."""
    pitch, (row, column) = house.size + 1, divmod(room, house.columns)
    return [
        (row * pitch + down) * house.width + column * pitch + right
        for down in range(1, pitch)
        for right in range(1, pitch)
    ]


# ---------------------------------------------------------------------------------- how to explore


def steps_from(house: House, known: Knowledge, start: int) -> dict[int, int]:
    """How many steps it takes from a cell to each other, as far as is known."""
    steps, wave = {start: 0}, [start]
    for cell in wave:
        for other in beside(house, cell).values():
            if known.signs[other] in (FLOOR, OPEN) and other not in steps:
                steps[other] = steps[cell] + 1
                wave.append(other)
    return steps


def explorer_move(house: House, known: Knowledge, goal: Goal, sight: int) -> str:
    """The move of an explorer who knows what it has seen, and nothing else.

    It delivers the ball as soon as it knows the way, opens the door of the key that it carries, and
    else goes to what is nearest: a cell from which it sees more, or a key whose door it has seen.
    """
    steps = steps_from(house, known, known.cell)
    cells = {(sort, colour): cell for cell, sort, colour in known.items if cell in steps}
    ball, box = cells.get(("ball", goal[0])), cells.get(("box", goal[1]))
    walk: Callable[[int], str] = lambda cell: _toward(house, known, cell)  # noqa: E731
    if known.hand == ("ball", goal[0]) and box is not None:
        return "drop" if known.cell == box else walk(box)
    if ball is not None and box is not None:
        if known.cell == ball and not known.hand:
            return "pick up"
        if known.hand:
            return walk(_empty(known, steps)) if at(known, known.cell) else "drop"
        return walk(ball)
    doors = {
        colour: min(sides, key=lambda cell: steps[cell])
        for cell, sign in enumerate(known.signs)
        if (colour := DOORS.get(sign)) is not None
        and (sides := [n for n in beside(house, cell).values() if n in steps])
    }
    if known.hand and known.hand[0] == "key" and known.hand[1] in doors:
        goal_cell = doors[known.hand[1]]
        return "open" if known.cell == goal_cell else walk(goal_cell)
    keys = [cells["key", colour] for colour in doors if ("key", colour) in cells]
    fresh = [cell for cell in steps if _shows_more(house, known, cell, sight)]
    if not keys and not fresh:
        return "map"
    target = min((*fresh, *keys), key=lambda cell: (steps[cell], cell))
    if target not in keys:
        return walk(target)
    if known.hand:
        return walk(_empty(known, steps)) if at(known, known.cell) else "drop"
    return "pick up" if known.cell == target else walk(target)


def _empty(known: Knowledge, steps: Mapping[int, int]) -> int:
    """The nearest cell without an item."""
    return min((cell for cell in steps if not at(known, cell)), key=lambda cell: steps[cell])


def _shows_more(house: House, known: Knowledge, cell: int, sight: int) -> bool:
    return any(known.signs[other] == UNSEEN for other in visible(house, cell, sight))


def _toward(house: House, known: Knowledge, cell: int) -> str:
    """A step on a shortest way to a cell."""
    steps = steps_from(house, known, cell)
    ways = beside(house, known.cell)
    return min((way for way in ways if ways[way] in steps), key=lambda way: steps[ways[way]])
