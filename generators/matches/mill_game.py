"""The rules of mill games (merels) on boards of points, such as nine men's morris.

Points are named as in chess, by a letter for the column from the left and a number for the row from
the bottom. Players with three stones left may not move to any free point, as some rules allow. A
board is three or two nested squares whose sides have lines between their middles.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.forced_wins import ForcedRules
from palaestra.generators.matches.square_boards import bits, move_in
from palaestra.scenes import Cell, Grid, Line
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.lead_ins import without_lead_in

STONE = 0.36
"""Half the width of a stone of a scene, in cells."""

NONE = -1
LOST = 2
"""A player with so many stones on the board and in hand has lost."""

_MOVE = re.compile(
    r"(?:(?:i )?(?:move|place|put|play|slide|jump|fly|go)s? )?"
    r"(?:(?:my |the |a )?(?:stone|piece|man) )?(?:(?:from|at|on|to|onto) )?([a-g][1-7])"
    r"(?: ?(?:-|\u2013|\u2192|->|=>|:| to |,| |) ?(?:to )?([a-g][1-7]))?"
    r"(?:[ ,;]+([a-g][1-7])|[ ,;]*x ?(?:none|nothing|-)"
    r"|[ ,;]*(?:and |then )*(?:x|take|takes|capture|captures|remove|removes|removing|taking|"
    r"capturing)(?: (?:the )?(?:stone )?(?:on|at|from))? ?([a-g][1-7]))?",
    re.ASCII,
)
_LONGEST = 80
_BRACKETS = str.maketrans("*", " ", "[]{}\"'")

Move = tuple[int, int, int]
"""The points that a stone leaves, or :data:`NONE` for a new stone, and enters; and the point whose
stone is removed, or :data:`NONE`.
"""

View = tuple[int, int, int, int]
"""The stones of the player to move, those of the other player, and the stones in both hands."""


class State(NamedTuple):
    """The stones of both players, those in their hands, whose turn it is, how many moves are left
    for both together, and the player who has to win in them.
    """

    first: int
    second: int
    first_hand: int
    second_hand: int
    turn: int
    left: int = 1_000
    hunter: int = 0


@dataclass(frozen=True)
class MillGame(ForcedRules[State, Move]):
    """Close mills to remove stones of the other player, until two are left or none can move."""

    squares: int
    """The number of nested squares: 2 or 3."""

    men: int
    """The stones of each player at the start."""

    state_type = State

    def start(self) -> State:
        return State(0, 0, self.men, self.men, 0)

    def view(self, state: State) -> View:
        first, second, first_hand, second_hand, turn, *_ = state
        if turn:
            return second, first, second_hand, first_hand
        return first, second, first_hand, second_hand

    def views(self, view: View) -> Sequence[View]:
        """The positions after all moves, those with a removed stone first."""
        return [_after(view, move) for move in _moves(self.squares, *view)]

    def verdict(self, view: View) -> int:
        mine, theirs, hand, other_hand = view
        if mine.bit_count() + hand <= LOST:
            return -1
        if theirs.bit_count() + other_hand <= LOST:
            return 1
        return 0 if hand or can_step(self.squares, mine, theirs) else -1

    def legal(self, state: State) -> Sequence[Move]:
        return _moves(self.squares, *self.view(state))

    def apply(self, state: State, move: Move) -> State:
        theirs, mine, other_hand, hand = _after(self.view(state), move)
        rest = 1 - state.turn, state.left - 1, state.hunter
        if state.turn:
            return State(theirs, mine, other_hand, hand, *rest)
        return State(mine, theirs, hand, other_hand, *rest)

    def judgement(self, state: State, player: int) -> float:
        """More stones, then more lines with two own stones and a free point, then more steps."""
        first, second = (
            10 * (own.bit_count() + hand)
            + 2 * self._chances(own, other)
            + steps_of(self.squares, own, other)
            for own, other, hand in (
                (state.first, state.second, state.first_hand),
                (state.second, state.first, state.second_hand),
            )
        )
        return float(first - second if player == 0 else second - first)

    def thumbs(self) -> Mapping[str, Callable[[State, Move], float]]:
        def counts(state: State, move: Move) -> tuple[int, int, int]:
            """Whether a mill is closed, the mills that could be closed next if it were the same
            player's turn again, and the replies.
            """
            replies = self.view(self.apply(state, move))
            theirs, mine, _, hand = replies
            threats = closing(self.squares, mine, theirs, hand)
            return move[2] != NONE, threats, len(_moves(self.squares, *replies))

        def most_threats(state: State, move: Move) -> float:
            closed, threats, _ = counts(state, move)
            return 100.0 * closed + threats

        def weighed(state: State, move: Move) -> float:
            closed, threats, replies = counts(state, move)
            return 20.0 * closed + 2 * threats - replies

        def fewest_replies(state: State, move: Move) -> float:
            return -float(counts(state, move)[2])

        return {
            "close a mill, else most mills threatened": most_threats,
            "mills, threats and few replies weighed": weighed,
            "fewest replies": fewest_replies,
        }

    def _chances(self, mine: int, theirs: int) -> int:
        """The lines with two own stones and a free point."""
        lines = (line for line in mills(self.squares) if not line & theirs)
        return sum((line & mine).bit_count() == 2 for line in lines)

    def point(self, number: int) -> str:
        """The name of a point."""
        column, row = points(self.squares)[number]
        return f"{'abcdefg'[column]}{row + 1}"

    def name(self, state: State, move: Move) -> str:
        start, end, removed = move
        way = self.point(end) if start == NONE else f"{self.point(start)}-{self.point(end)}"
        return way if removed == NONE else f"{way} x {self.point(removed)}"

    def read(self, state: State, text: str) -> Move:
        bare = move_in(without_lead_in(text, [self.mover(state)]))
        body = " ".join(bare.casefold().translate(_BRACKETS).split()).rstrip(".! ")
        parts = _MOVE.fullmatch(body) if len(body) <= _LONGEST else None
        hand = self.view(state)[2]
        if parts is None or not (parts[2] or hand):
            raise InvalidAnswer(self._expected(state))
        known = {self.point(n): n for n in range(len(points(self.squares)))}
        for name in filter(None, parts.groups()):
            if name not in known:
                raise InvalidAnswer(f"{name} is not a point of this board")
        start, end, removed = (
            known.get(name or "", NONE) for name in (parts[1], parts[2], parts[3] or parts[4])
        )
        if end == NONE:
            start, end = NONE, start
        legal, move = self.legal(state), (start, end, removed)
        if move in legal:
            return move
        same = [each for each in legal if each[:2] == move[:2]]
        if not same:
            raise InvalidAnswer(f"{self.name(state, (start, end, NONE))} is not a legal move")
        if removed == NONE:
            raise InvalidAnswer("the move closes a mill; state the stone that it removes")
        if same[0][2] == NONE:
            raise InvalidAnswer("the move closes no mill, or no stone may be removed")
        raise InvalidAnswer(f"no stone on {self.point(removed)} may be removed")

    def _expected(self, state: State) -> str:
        """What is expected instead of a text that is no move.

        The example is the first legal move by name, as the rules list good ones first.
        """
        legal = self.legal(state)
        plain = [move for move in legal if move[2] == NONE] or legal
        example = min(self.name(state, move) for move in plain)
        what = "the point of a new stone" if self.view(state)[2] else "the points of a move"
        return f"expected {what}, such as '{example}', and after 'x' that of a removed stone"

    def show(self, state: State) -> str:
        size = 2 * self.squares + 1
        rows = [[" "] * (4 * size - 3) for _ in range(2 * size - 1)]
        for one, other in edges(self.squares):
            (c, r), (d, s) = points(self.squares)[one], points(self.squares)[other]
            if r == s:
                for n in range(4 * min(c, d) + 1, 4 * max(c, d)):
                    rows[2 * r][n] = "-"
            else:
                for n in range(2 * min(r, s) + 1, 2 * max(r, s)):
                    rows[n][4 * c] = "|"
        for number, (c, r) in enumerate(points(self.squares)):
            rows[2 * r][4 * c] = self._sign(state, number)
        lines = [
            f"{n // 2 + 1 if n % 2 == 0 else ' '} {''.join(row)}".rstrip()
            for n, row in reversed([*enumerate(rows)])
        ]
        foot = "  " + "   ".join("abcdefg"[:size])
        hands = ""
        if state.first_hand or state.second_hand:
            hands = f"Stones in hand: X {state.first_hand}, O {state.second_hand}. "
        left = f"{hands}Moves left for both players together: {state.left}."
        return "\n".join([*lines, foot, "", left])

    def _sign(self, state: State, number: int) -> str:
        return "X" if state.first >> number & 1 else "O" if state.second >> number & 1 else "."

    def scene(self, state: State, last: Move | None) -> Grid:
        size = 2 * self.squares + 1
        looks = {
            "X": Cell("X", mark="disc", tone="c3"),
            "O": Cell("O", mark="disc", tone="c6"),
            ".": Cell(mark="dot", tone="ink"),
        }
        cells = [[Cell()] * size for _ in range(size)]
        at = [(size - 1 - row, column) for column, row in points(self.squares)]
        for number, (row, column) in enumerate(at):
            cells[row][column] = looks[self._sign(state, number)]
        return Grid(
            tuple(map(tuple, cells)),
            left=tuple((str(size - n),) for n in range(size)),
            bottom=tuple((letter,) for letter in "abcdefg"[:size]),
            lines=tuple(
                Line(self._between(state, one, other), tone="muted", width=0.06)
                for one, other in edges(self.squares)
            ),
            style="plain",
            last=tuple(at[point] for point in last or () if point != NONE),
        )

    def _between(self, state: State, *ends: int) -> tuple[tuple[float, float], ...]:
        """The way between two points of the scene, as far as it is not below stones."""
        size = 2 * self.squares
        at = [(size - row, column) for column, row in (points(self.squares)[end] for end in ends)]
        taken = [bool((state.first | state.second) >> end & 1) for end in ends]
        (r, c), (s, d) = at
        far = abs(r - s) + abs(c - d)
        down, right = (s - r) / far * STONE, (d - c) / far * STONE
        return (
            (r + down * taken[0], c + right * taken[0]),
            (s - down * taken[1], d - right * taken[1]),
        )


@lru_cache(maxsize=4)
def points(squares: int) -> tuple[tuple[int, int], ...]:
    """The column and the row of each point, from the bottom left, the outermost square first."""
    middle = squares
    return tuple(
        (middle + far * right, middle + far * up)
        for far in range(squares, 0, -1)
        for right, up in ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
    )


@lru_cache(maxsize=4)
def edges(squares: int) -> tuple[tuple[int, int], ...]:
    """The pairs of neighbouring points."""
    around = [(8 * s + n, 8 * s + (n + 1) % 8) for s in range(squares) for n in range(8)]
    across = [(8 * s + n, 8 * (s + 1) + n) for s in range(squares - 1) for n in (1, 3, 5, 7)]
    return (*around, *across)


@lru_cache(maxsize=4)
def near(squares: int) -> tuple[int, ...]:
    """The neighbours of each point, as bits."""
    beside = [0] * (8 * squares)
    for one, other in edges(squares):
        beside[one] |= 1 << other
        beside[other] |= 1 << one
    return tuple(beside)


@lru_cache(maxsize=4)
def mills(squares: int) -> tuple[int, ...]:
    """The lines of three points, as bits."""
    sides = [
        1 << 8 * s + n | 1 << 8 * s + n + 1 | 1 << 8 * s + (n + 2) % 8
        for s in range(squares)
        for n in (0, 2, 4, 6)
    ]
    if squares < 3:
        return tuple(sides)
    return (*sides, *(sum(1 << 8 * s + n for s in range(3)) for n in (1, 3, 5, 7)))


@lru_cache(maxsize=4)
def mills_of(squares: int) -> tuple[tuple[int, ...], ...]:
    """The other two points of each line through a point, as bits."""
    return tuple(
        tuple(line ^ 1 << point for line in mills(squares) if line >> point & 1)
        for point in range(8 * squares)
    )


def in_mill(squares: int, stones: int, point: int) -> bool:
    """Whether stones, with one on a point, have a mill through it."""
    return any(rest & stones == rest for rest in mills_of(squares)[point])


def steps_of(squares: int, mine: int, theirs: int) -> int:
    """The number of steps to free neighbouring points."""
    free = ~(mine | theirs)
    return sum((near(squares)[point] & free).bit_count() for point in bits(mine))


def can_step(squares: int, mine: int, theirs: int) -> bool:
    """Whether a player without stones in hand can move."""
    free = ~(mine | theirs)
    return any(near(squares)[point] & free for point in bits(mine))


def closing(squares: int, mine: int, theirs: int, hand: int) -> int:
    """The number of ways to close a mill."""
    return sum(
        in_mill(squares, mine if start == NONE else mine ^ 1 << start, end)
        for start, end in _ways(squares, mine, theirs, hand)
    )


def removable(squares: int, stones: int) -> list[int]:
    """The stones that may be removed: those outside mills, or all where there is none of these."""
    every = [*bits(stones)]
    return [each for each in every if not in_mill(squares, stones, each)] or every


@lru_cache(maxsize=1 << 14)
def _moves(squares: int, mine: int, theirs: int, hand: int, other_hand: int) -> tuple[Move, ...]:
    """The legal moves, those that close a mill first."""
    closing, others = list[Move](), list[Move]()
    taken = removable(squares, theirs)
    for start, end in _ways(squares, mine, theirs, hand):
        rest = mine if start == NONE else mine ^ 1 << start
        if taken and in_mill(squares, rest, end):
            closing += ((start, end, each) for each in taken)
        else:
            others.append((start, end, NONE))
    return (*closing, *others)


def _ways(squares: int, mine: int, theirs: int, hand: int) -> Iterator[tuple[int, int]]:
    free = ~(mine | theirs) & (1 << 8 * squares) - 1
    if hand:
        yield from ((NONE, end) for end in bits(free))
        return
    for start in bits(mine):
        for end in bits(near(squares)[start] & free):
            yield start, end


def _after(view: View, move: Move) -> View:
    """The position after a move, from the view of the other player."""
    mine, theirs, hand, other_hand = view
    start, end, removed = move
    if start == NONE:
        hand -= 1
    else:
        mine ^= 1 << start
    if removed != NONE:
        theirs ^= 1 << removed
    return theirs, mine | 1 << end, other_hand, hand
