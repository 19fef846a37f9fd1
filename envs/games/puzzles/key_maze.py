"""Errands in rooms behind locked doors, after the MiniGrid environments for reinforcement learning.

Chevalier-Boisvert et al., "Minigrid & Miniworld" (2023), and "BabyAI" (2019).
"""

from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.games.puzzles.key_maze import (
    DOORS,
    STEPS,
    UNSEEN,
    Goal,
    House,
    Knowledge,
    Thing,
    after,
    as_text,
    at,
    beside,
    built,
    delivered,
    explorer_move,
    from_text,
    legal,
    pictured,
    read,
    seen,
    shown,
    status,
    visible,
)
from palaestra.generators.games.solo import ILLEGAL_MOVES
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

CREDIT = 0.5
"""The credit for opening all doors and picking up the ball, which a lost game pays back."""


class KeyMaze(Task):
    """Bring a ball to a box in a house of rooms with locked doors, seeing one room at most."""

    tags = {"planning", "spatial", "exploration", "hidden-state"}
    hidden = {"world"}

    class Knobs(Task.Knobs):
        rows: int = ladder(1, 2, 2, 2, 2, 3, low=1, high=4)
        columns: int = ladder(2, 2, 2, 3, 3, 3, low=2, high=4)
        size: int = ladder(3, 3, 3, 3, 4, 4, low=3, high=6)  # of a room
        locks: int = ladder(0, 1, 2, 3, 3, 4, low=0, high=6)
        others: int = ladder(1, 2, 3, 4, 5, 6, low=0, high=8)  # balls and boxes to be left alone
        sight: int = ladder(3, 2, 2, 2, 2, 2, low=1, high=5)

    rows: int
    columns: int
    size: int
    locks: int
    sight: int
    ball: str
    """The colour of the ball that is wanted."""
    box: str
    """The colour of the box that it has to be brought to."""
    known: str
    """What the player knows at the start, as a text of ``as_text``."""
    world: str
    """The house as it is at the start, in the same form."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        house = House(knobs.rows, knobs.columns, knobs.size)
        world, (ball, box) = built(rng, house, knobs.locks, knobs.others)
        nothing = Knowledge(UNSEEN * len(world.signs), (), world.cell, ())
        return cls(
            rows=knobs.rows,
            columns=knobs.columns,
            size=knobs.size,
            locks=min(knobs.locks, knobs.rows * knobs.columns - 1),
            sight=knobs.sight,
            ball=ball,
            box=box,
            known=as_text(seen(house, world, nothing, knobs.sight)),
            world=as_text(world),
        )

    def is_valid(self) -> bool:
        """Whether an explorer who uses what it has seen alone delivers the ball in time."""
        return bool(self.solve())

    def canonical(self) -> str:
        return repr((self.rows, self.columns, self.size, self.sight, self.goal(), self.world))

    def house(self) -> House:
        """The rooms."""
        return House(self.rows, self.columns, self.size)

    def goal(self) -> Goal:
        """The colours of the ball and of the box."""
        return self.ball, self.box

    @property
    def moves(self) -> int:
        """The number of moves of the player, which depends on the size of the house alone."""
        length = self.rows * self.columns * (self.size + 1)
        return min(380, length * (22 + 9 * self.locks) // 10)

    def play(self) -> Play:
        house, goal, world = self.house(), self.goal(), from_text(self.world)
        known, reward, illegal = from_text(self.known), 0.0, 0
        event, move, taken = self.description(), "", False
        left = self.moves
        while left:
            try:
                text = yield self._turn(event, known, move == "map", left, reward)
                reward = 0.0
                move = read_move(partial(read, house, known), text)
                new = after(house, known, goal, move)
            except InvalidAnswer as error:
                reward, move = 0.0, ""
                illegal += 1
                if illegal > ILLEGAL_MOVES:
                    return Score(0, "too many illegal moves", status="malformed")
                event = (
                    f"That is not a legal move: {error}. "
                    f"Illegal moves still allowed: {ILLEGAL_MOVES - illegal}."
                )
                continue
            if delivered(new, goal):
                return Score(1)
            got_ball = move == "pick up" and new.hand == ("ball", self.ball) and not taken
            taken |= got_ball
            reward = CREDIT / (self.locks + 1) if move == "open" or got_ball else 0.0
            known, event, left = seen(house, world, new, self.sight), "", left - 1
        return Score(0, "the moves ran out")

    def _turn(self, event: str, known: Knowledge, whole: bool, left: int, reward: float) -> Turn:
        house = self.house()
        seen_now = visible(house, known.cell, self.sight)
        if whole:
            title = "All cells that you have seen so far:"
            cells = tuple(range(house.height * house.width))
        else:
            title, cells = "You see:", seen_now
        errand = f"Bring the {self.ball} ball to the {self.box} box. Moves left: {left}."
        where = status(house, known)
        return Turn(
            f"{event}\n\n{title}\n\n{shown(house, known, cells)}\n\n{where} {errand}".strip(),
            reward,
            legal_moves=legal(house, known, self.goal()),
            state=f"{as_text(known)} {left}",
            scene=partial(pictured, house, known, cells),
        )

    def description(self) -> str:
        """The rules in words."""
        house, steps = self.house(), self.sight
        rooms = f"{self.rows} by {self.columns} rooms (rows by columns)"
        size = f"{self.size} by {self.size}"
        far = f"{steps} row{'s' * (steps > 1)} and {steps} column{'s' * (steps > 1)}"
        signs = (
            "@ is you, '#' a wall, '.' floor or a doorway, '/' an open door, a capital letter a "
            "locked door (R red, G green, B blue, Y yellow, P purple, O orange), k a key, b a "
            "ball, x a box and '?' a cell that you have not seen"
        )
        return self.phrase(
            f"You are in a house of {rooms}, each of {size} cells, with walls of one cell around "
            f"them: {house.height} rows and {house.width} columns in all, which are counted from 1 "
            f"at the top left. Bring the {self.ball} ball to the {self.box} box. You see only the "
            f"cells of the room you are in, with its walls and doors, up to {far} away from you; "
            "in a doorway, those of both rooms. What you have seen before is not shown again, but "
            f"nothing changes unless you change it. The signs are: {signs}. The moves are: 'up', "
            "'down', 'left' and 'right' take you one cell that way; 'pick up' takes the key or "
            "ball on your cell, if you carry nothing, as you can carry one thing at a time; 'drop' "
            "puts what you carry on your cell, which has to be free of other things; 'open' opens "
            "the locked door above, below or beside you for good, if you carry the key of its "
            "colour, which you keep; 'map' shows all cells that you have seen, and counts as a "
            "move. Boxes cannot be moved. You win when you drop "
            f"the {self.ball} ball on the cell of the {self.box} box. You have {self.moves} moves. "
            "Reply with one move in each turn, such as 'left'.",
            f"The {self.ball} ball has to get to the {self.box} box, in a house that you have to "
            f"explore. It has {rooms} of {size} cells; with the walls, which are one cell thick, "
            f"there are {house.height} rows and {house.width} columns of cells, numbered from 1 "
            "at the top left. In each turn you see your room and the walls and doors around it, "
            f"but no cell that is more than {far} away; from a doorway you see into two rooms. "
            "Earlier views are not repeated; only your own moves change anything. Signs: "
            f"{signs}. You make one of these moves at a time: a step ('up', 'down', 'left', "
            "'right'); 'pick up', for the key or ball where you stand, with empty hands, since you "
            "can carry a single thing; 'drop', to lay down what you carry where nothing else lies; "
            "'open', next to a locked door and with a key of the same colour in your hand, after "
            "which the door stays open and you still have the key; and 'map', to see all cells "
            "seen so far again, at the price of a move. Boxes stay where they are. Dropping "
            f"the {self.ball} ball on the {self.box} box wins the game. There are {self.moves} "
            "moves. A reply is a single move, for example 'left'.",
        )

    def solve(self) -> Iterable[str]:
        """The moves of an explorer who uses what it has seen alone; none if it is too late."""
        return explored(self.house(), self.sight, self.goal(), (self.known, self.world), self.moves)

    def difficulty(self) -> float:
        """The number of moves of the explorer."""
        return float(len([*self.solve()]))

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who forget what they have seen: they go at random, straight on or to the cell
        that they have entered least, and take, open and deliver what they come across.
        """
        house, goal, sight = self.house(), self.goal(), self.sight

        def player(choose: Callable[[Knowledge, dict[str, int]], str]) -> Policy:
            used = set[str]()  # the colours of doors that have been opened

            def move(turn: Turn) -> str:
                known = from_text(turn.state.rpartition(" ")[0])
                moves = legal(house, known, goal)
                here = at(known, known.cell)
                if "open" in moves:
                    used.add(known.hand[1] if known.hand else "")
                    return "open"
                if "drop" in moves and (here or (known.hand and known.hand[1] in used)):
                    return "drop"
                if "pick up" in moves and _wanted(here, goal, used):
                    return "pick up"
                near = beside(house, known.cell)
                ways = {way: near[way] for way in STEPS if way in moves}
                target = _attraction(house, known, goal, sight, used)
                if target is not None:
                    return min(ways, key=lambda way: _distance(house, ways[way], target))
                return choose(known, ways)

            return move

        visits, last = dict[int, int](), [""]

        def least_visited(known: Knowledge, ways: dict[str, int]) -> str:
            visits[known.cell] = visits.get(known.cell, 0) + 1
            return min(ways, key=lambda way: (visits.get(ways[way], 0), rng.random()))

        def straight_on(known: Knowledge, ways: dict[str, int]) -> str:
            if last[0] not in ways or rng.random() < 0.2:
                last[0] = rng.choice([*ways])
            return last[0]

        return {
            "at random": player(lambda known, ways: rng.choice([*ways])),
            "straight on": player(straight_on),
            "least visited": player(least_visited),
        }


def _distance(house: House, one: int, other: int) -> int:
    """How many rows and columns are between two cells."""
    (a, b), (c, d) = divmod(one, house.width), divmod(other, house.width)
    return abs(a - c) + abs(b - d)


def _wanted(item: Thing, goal: Goal, used: Set[str]) -> bool:
    """Whether a player without a plan takes an item: the ball, or a key that has not been used."""
    return bool(item) and (item == ("ball", goal[0]) or (item[0] == "key" and item[1] not in used))


def _attraction(
    house: House, known: Knowledge, goal: Goal, sight: int, used: Set[str]
) -> int | None:
    """The cell in sight that a player without a plan goes to: the box or a locked door that it has
    the ball or the key for, and, with empty hands, the ball or a key.
    """
    cells = {*visible(house, known.cell, sight)} - {known.cell}
    for cell, sort, colour in known.items:
        if known.hand:
            wanted = known.hand == ("ball", goal[0]) and (sort, colour) == ("box", goal[1])
        else:
            wanted = _wanted((sort, colour), goal, used)
        if wanted and cell in cells:
            return cell
    if known.hand and known.hand[0] == "key":
        doors = (cell for cell in sorted(cells) if DOORS.get(known.signs[cell]) == known.hand[1])
        return next(doors, None)
    return None


@lru_cache(maxsize=256)
def explored(
    house: House, sight: int, goal: Goal, texts: tuple[str, str], moves: int
) -> tuple[str, ...]:
    """The moves of the explorer up to the end; none if it does not deliver the ball in time.

    The two texts are what it knows at the start, and the house as it is.
    """
    known, world = map(from_text, texts)
    names = list[str]()
    while not delivered(known, goal):
        if len(names) == moves:
            return ()
        names.append(explorer_move(house, known, goal, sight))
        known = seen(house, world, after(house, known, goal, names[-1]), sight)
    return tuple(names)
