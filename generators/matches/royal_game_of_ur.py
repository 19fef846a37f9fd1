"""The rules of the Royal Game of Ur on boards of any length, and exact chances to win."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.dice_match import DiceRules
from palaestra.generators.matches.repeated_positions import Event, chances_to_win
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.scenes import Card, Cards, Cell, Grid, Panels
from palaestra.verifiers.matches.royal_game_of_ur import read_start

Pieces = tuple[int, ...]
"""The squares of the pieces of a player that have not been borne off, in rising order; 0 for those
that are not on the board."""

NO_ROLL = -1


class State(NamedTuple):
    """The pieces of both players, whose turn it is, and the roll; `NO_ROLL` before a roll."""

    first: Pieces
    second: Pieces
    turn: int
    roll: int


@dataclass(frozen=True)
class RoyalGameOfUr(DiceRules[State, int]):
    """The game on a path of own squares, shared squares and own squares, with so many pieces of a
    player and binary dice. By default it is the game with Irving Finkel's rules.

    A move is the square of a piece. The chances to win are those of all positions, so that they
    can be computed for few pieces only.
    """

    entry: int = 4
    shared: int = 8
    last: int = 2
    pieces: int = 7
    dice: int = 4

    state_type = State

    @property
    def squares(self) -> int:
        """The length of the path."""
        return self.entry + self.shared + self.last

    @property
    def safe(self) -> int:
        """The rosette in the middle of the shared squares."""
        return self.entry + self.shared // 2

    @property
    def rosettes(self) -> tuple[int, int, int]:
        """The squares that give another roll."""
        return self.entry, self.safe, self.squares

    def number_of_positions(self) -> int:
        """The number of positions before a roll of the player to move."""
        own, shared = self.entry + self.last, self.shared

        def ways(others: int) -> int:
            """Of the pieces of a player, where so many are on shared squares."""
            free = self.pieces - others
            return sum(comb(own, n) * max(0, free - n + 1) for n in range(own + 1))

        return sum(
            comb(shared, one) * comb(shared - one, two) * ways(one) * ways(two)
            for one in range(shared + 1)
            for two in range(shared - one + 1)
        )

    def is_shared(self, square: int) -> bool:
        """Whether both players have the square on their paths."""
        return self.entry < square <= self.entry + self.shared

    def start(self) -> State:
        return State((0,) * self.pieces, (0,) * self.pieces, 0, NO_ROLL)

    def player(self, state: State) -> int:
        return state.turn

    def outcome(self, state: State) -> int | None:
        if not state.first:
            return WIN
        return None if state.second else LOSS

    def legal(self, state: State) -> Sequence[int]:
        if state.roll == NO_ROLL or self.outcome(state) is not None:
            return ()
        return starts(self, *sides_of(state), state.roll)

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return rolls(self.dice) if state.roll == NO_ROLL else ()

    def apply(self, state: State, move: int) -> State:
        mine, theirs = sides_of(state)
        if state.roll == NO_ROLL:
            if starts(self, mine, theirs, move):
                return state._replace(roll=move)
            return state._replace(turn=1 - state.turn)
        mine, theirs = moved(self, mine, theirs, move, state.roll)
        again = move + state.roll in self.rosettes
        sides = (mine, theirs) if state.turn == 0 else (theirs, mine)
        return State(*sides, state.turn if again else 1 - state.turn, NO_ROLL)

    def win_chance(self, state: State) -> float | None:
        if state.roll != NO_ROLL or self.outcome(state) is not None:
            return None
        worth = table(self)[sides_of(state)]
        return worth if state.turn == 0 else 1 - worth

    def name(self, state: State, move: int) -> str:
        end = move + state.roll
        return f"{move or 'start'}-{'off' if end > self.squares else end}"

    def read(self, state: State, text: str) -> int:
        sign = self.signs[state.turn]
        return read_start(text, state.roll, self.squares + 1, sign, self.legal(state))

    def show(self, state: State) -> str:
        lines = [
            f"{label:8}{' '.join(f'{each:>3}' for each in row)}"
            for label, row in self._rows(state).items()
        ]
        for label, numbers in self._aside(state).items():
            lines.append(f"{label}: X {numbers[0]}, O {numbers[1]}")
        return "\n".join([*lines, f"Roll of {self.signs[state.turn]}: {state.roll}"])

    def _rows(self, state: State) -> dict[str, list[str]]:
        """The numbers of the squares, rosettes with an asterisk, and who is on them."""
        rows: dict[str, list[str]] = {"Square": [], "X only": [], "shared": [], "O only": []}
        for square in range(1, self.squares + 1):
            first, second = square in state.first, square in state.second
            rows["Square"].append(f"{square}{'*' * (square in self.rosettes)}")
            on = "X" if first else "O" if second else "."
            shared = self.is_shared(square)
            rows["X only"].append(" " if shared else "X" if first else ".")
            rows["shared"].append(on if shared else " ")
            rows["O only"].append(" " if shared else "O" if second else ".")
        return rows

    def _aside(self, state: State) -> dict[str, tuple[int, int]]:
        """How many pieces of both players are at the start, and borne off."""
        first, second = state.first, state.second
        return {
            "At the start": (first.count(0), second.count(0)),
            "Borne off": (self.pieces - len(first), self.pieces - len(second)),
        }

    def news(self, state: State, event: int) -> str:
        sign = self.signs[state.turn]
        passes = "" if starts(self, *sides_of(state), event) else f" {sign} cannot move."
        return f"{sign} rolls {event}.{passes}"

    def scene(self, state: State, last: int | None) -> Panels:
        numbers, *rows = self._rows(state).values()
        fills = {"X": "t3", "O": "t6", " ": "none"}
        cells = tuple(
            tuple(
                Cell(sign.strip(" ."), fill=fills.get(sign, "t9" if "*" in number else "paper"))
                for sign, number in zip(row, numbers)
            )
            for row in rows
        )
        grid = Grid(cells, top=tuple((n,) for n in numbers), left=(("X",), ("",), ("O",)))
        aside = self._aside(state)
        cards = [
            tuple(Card(f"{sign} {n}", fill=fills[sign]) for sign, n in zip(self.signs, counts))
            for counts in aside.values()
        ]
        roll = (Card(str(state.roll), shape="tile"),)
        labels = (*aside, f"Roll of {self.signs[state.turn]}")
        return Panels((grid, Cards((*cards, roll), labels)), ("", ""), columns=1)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        return thumbs(self)


def sides_of(state: State) -> tuple[Pieces, Pieces]:
    """The pieces of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


@lru_cache(maxsize=8)
def rolls(dice: int) -> list[tuple[int, float]]:
    """The numbers of marks that binary dice show, each with its probability.

    >>> rolls(2)
    [(0, 0.25), (1, 0.5), (2, 0.25)]
    """
    return [(number, comb(dice, number) / 2**dice) for number in range(dice + 1)]


def starts(rules: RoyalGameOfUr, mine: Pieces, theirs: Pieces, roll: int) -> list[int]:
    """The squares of the pieces that a roll can move, the foremost piece first."""
    return [
        square
        for square in sorted({*mine}, reverse=True)
        if roll and _can_enter(rules, mine, theirs, square + roll)
    ]


def _can_enter(rules: RoyalGameOfUr, mine: Pieces, theirs: Pieces, end: int) -> bool:
    if end > rules.squares:
        return end == rules.squares + 1
    return end not in mine and not (end == rules.safe and end in theirs)


def moved(
    rules: RoyalGameOfUr, mine: Pieces, theirs: Pieces, start: int, roll: int
) -> tuple[Pieces, Pieces]:
    """The pieces of both players after a move, which may capture."""
    end = start + roll
    own = [*mine]
    own.remove(start)
    if end <= rules.squares:
        own.append(end)
    if rules.is_shared(end) and end in theirs:
        theirs = tuple(sorted(0 if square == end else square for square in theirs))
    return tuple(sorted(own)), theirs


@lru_cache(maxsize=16)
def table(rules: RoyalGameOfUr) -> Mapping[tuple[Pieces, Pieces], float]:
    """The chance to win of the player to roll in each position, by the own pieces and those of
    the other player.
    """
    every = positions(rules)
    number = {position: n for n, position in enumerate(every)}
    events = [_events(rules, number, *position) for position in every]
    return dict(zip(every, chances_to_win(events)))


def positions(rules: RoyalGameOfUr) -> list[tuple[Pieces, Pieces]]:
    """All positions, those with fewer pieces and fewer steps to go first."""
    sides = [
        (0,) * waiting + squares
        for number in range(rules.pieces + 1)
        for squares in combinations(range(1, rules.squares + 1), number)
        for waiting in range(rules.pieces - number + 1)
    ]
    shared = {side: {square for square in side if rules.is_shared(square)} for side in sides}
    every = [
        (mine, theirs)
        for mine in sides
        for theirs in sides
        if shared[mine].isdisjoint(shared[theirs])
    ]
    return sorted(every, key=lambda each: (len(each[0] + each[1]), -sum(each[0] + each[1])))


def _events(
    rules: RoyalGameOfUr, number: Mapping[tuple[Pieces, Pieces], int], mine: Pieces, theirs: Pieces
) -> list[Event]:
    """The rolls of a position, as :func:`chances_to_win` takes them."""
    if not theirs or not mine:
        return []
    events, others = list[Event](), len(number)
    for roll, chance in rolls(rules.dice):
        after = []
        for start in starts(rules, mine, theirs, roll):
            own, left = moved(rules, mine, theirs, start, roll)
            again = start + roll in rules.rosettes
            after.append(number[own, left] if again else number[left, own] + others)
        events.append((chance, after or [number[theirs, mine] + others]))
    return events


def thumbs(rules: RoyalGameOfUr) -> Mapping[str, Callable[[State, Random], int]]:
    """Players who compare the positions after their moves."""
    off = rules.squares + 1

    def by(value: Callable[[Move], float]) -> Callable[[State, Random], int]:
        """The move of the greatest value, at random if equal, and first of all one that wins."""

        def choose(state: State, rng: Random) -> int:
            mine, theirs = sides_of(state)
            moves = starts(rules, mine, theirs, state.roll)
            rng.shuffle(moves)

            def worth(start: int) -> float:
                after = moved(rules, mine, theirs, start, state.roll)
                end = start + state.roll
                return value(Move(end, end in rules.rosettes, after[1] != theirs, *after))

            return max(moves, key=worth)

        return choose

    def at_risk(move: Move) -> float:
        """The steps that a capture would undo, on average."""
        return exposed(rules, move.mine, move.theirs)

    def lead(move: Move) -> float:
        borne_off = len(move.theirs) - len(move.mine)
        return sum(move.mine) - sum(move.theirs) + off * borne_off

    return {
        "the foremost piece": by(lambda move: move.end),
        "the rearmost piece": by(lambda move: -move.end),
        "bear off, else enter": by(lambda move: (move.end == off) * 99 - move.end),
        "capture, else a rosette, else the foremost piece": by(
            lambda move: 900 * move.captures + 90 * move.again + move.end
        ),
        "a rosette, else capture, else the foremost piece": by(
            lambda move: 90 * move.captures + 900 * move.again + move.end
        ),
        "a rosette, else capture, else the rearmost piece": by(
            lambda move: 90 * move.captures + 900 * move.again - move.end
        ),
        "capture, else a rosette, else the least at risk": by(
            lambda move: 900 * move.captures + 90 * move.again - at_risk(move)
        ),
        "the least at risk": by(lambda move: -at_risk(move)),
        "the lead in steps, and two for a rosette": by(
            lambda move: lead(move) + rules.dice / 2 * move.again
        ),
        "the lead in steps after the next capture on average": by(
            lambda move: lead(move) + rules.dice / 2 * move.again - at_risk(move)
        ),
    }


class Move(NamedTuple):
    """What a player without search looks at: the end of a move, whether it gives another roll and
    whether it captures, and the pieces after it.
    """

    end: int
    again: bool
    captures: bool
    mine: Pieces
    theirs: Pieces


def exposed(rules: RoyalGameOfUr, mine: Pieces, theirs: Pieces) -> float:
    """The steps that the next roll of the other player can undo, on average."""
    lost = 0.0
    for roll, chance in rolls(rules.dice):
        ends = {square + roll for square in theirs if roll} & {*mine}
        captured = [end for end in ends if rules.is_shared(end) and end != rules.safe]
        lost += chance * max(captured, default=0)
    return lost
