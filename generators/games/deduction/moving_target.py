"""The rules of a search for a target that moves unseen through rooms, and shortest searches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.generators.search import Plan, a_star
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.lead_ins import without_lead_in

LETTERS = "ABCDEFGHJKLMN"
"""Without I, which may be the first word of a sentence."""

_FILLERS = frozenset(
    ("room", "rooms", "and", "the", "check", "inspect", "search", "look", "in", "into", "open",
     "visit", "at", "both", "move", "then")
)  # fmt: skip
_BETWEEN = str.maketrans("+&/-", "    ")


class State(NamedTuple):
    """The rooms in which the target may be, as bits."""

    rooms: int


@dataclass(frozen=True)
class MovingTarget(SoloRules[State, int]):
    """Inspect rooms until the target cannot be anywhere. A move is the rooms of a turn, as bits."""

    near: tuple[int, ...]
    """The rooms beside each one, as bits."""

    searchers: int
    """How many rooms are inspected in a turn."""

    def legal(self, state: State) -> Sequence[int]:
        return searches(len(self.near), self.searchers) if state.rooms else ()

    def apply(self, state: State, move: int) -> State:
        return State(self.after(state.rooms & ~move))

    def after(self, rooms: int) -> int:
        """The rooms that have a passage to at least one of these."""
        return spread(self.near, rooms)

    def distance(self, state: State) -> float:
        """1 if the next turn can end the search; else up to 2, the more rooms are left."""
        number = state.rooms.bit_count()
        if number <= self.searchers:
            return float(number > 0)
        return 1 + number / len(self.near)

    def judgement(self, state: State) -> float:
        return -float(state.rooms.bit_count())

    def two_ahead(self, state: State) -> list[int]:
        """The moves of a player who looks two turns ahead and remembers nothing: those that leave
        the fewest rooms after the best next turn, and then now.
        """
        moves = [move for move in self.legal(state) if not move & ~state.rooms]
        worth = dict[int, float]()
        for move in moves or self.legal(state):
            now = spread(self.near, state.rooms & ~move)
            next_turn = min(
                spread(self.near, now & ~each).bit_count() for each in self.legal(State(1))
            )
            worth[move] = next_turn + 0.1 * now.bit_count()
        least = min(worth.values())
        return [move for move, each in worth.items() if each == least]

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return " ".join(letters(move))

    def read(self, state: State, text: str) -> int:
        spaced = phrase(without_lead_in(text)).translate(_BETWEEN)
        words = [word for word in spaced.split() if word not in _FILLERS]
        if len(words) == 1 and len(words[0]) == self.searchers:
            words = [*words[0]]
        names = LETTERS[: len(self.near)].casefold()
        if any(len(word) != 1 or word not in names for word in words):
            raise InvalidAnswer(f"rooms are named {', '.join(names.upper())}")
        rooms = sum(1 << names.index(word) for word in {*words})
        if len(words) != self.searchers or rooms.bit_count() != self.searchers:
            rooms_text = "1 room" if self.searchers == 1 else f"{self.searchers} different rooms"
            raise InvalidAnswer(f"expected {rooms_text}")
        return rooms

    def show(self, state: State) -> str:
        return f"Rooms where the target may be now: {', '.join(letters(state.rooms)) or 'none'}"

    def scene(self, state: State) -> Graph:
        edges = (
            Edge(one, other)
            for one, other in combinations(range(len(self.near)), 2)
            if self.near[one] >> other & 1
        )
        nodes = (
            Node(LETTERS[room], tone="c4" if state.rooms >> room & 1 else "paper")
            for room in range(len(self.near))
        )
        return Graph(tuple(nodes), tuple(edges))


def letters(rooms: int) -> list[str]:
    """The names of rooms.

    >>> letters(0b101)
    ['A', 'C']
    """
    return [letter for n, letter in enumerate(LETTERS) if rooms >> n & 1]


@lru_cache(maxsize=1 << 14)
def spread(near: tuple[int, ...], rooms: int) -> int:
    """The rooms that have a passage to at least one of these."""
    reached = 0
    while rooms:
        reached |= near[(rooms & -rooms).bit_length() - 1]
        rooms &= rooms - 1
    return reached


@lru_cache(maxsize=64)
def searches(rooms: int, searchers: int) -> tuple[int, ...]:
    """All sets of so many rooms."""
    return tuple(sum(1 << n for n in each) for each in combinations(range(rooms), searchers))


@lru_cache(maxsize=512)
def shortest_search(rules: MovingTarget, start: State, budget: int) -> Plan[int] | None:
    """A shortest search; None if there is none or it takes more than so many states.

    Only rooms where the target may be are inspected, as long as there are enough of them: others
    are never better.
    """

    def ways(state: State) -> Iterator[tuple[int, State]]:
        rooms = state.rooms
        spare = rules.searchers - rooms.bit_count()
        if spare >= 0:
            rest = [each for each in rules.legal(state) if each & rooms == rooms]
            return iter([(rest[0], State(0))])
        return (
            (move, rules.apply(state, move)) for move in rules.legal(state) if not move & ~rooms
        )

    return a_star(start, ways, rules.distance, budget)
