"""The rules of backgammon without doubling, on boards of any length, and exact chances to win."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.dice_match import DiceRules
from palaestra.generators.matches.repeated_positions import Event, chances_to_win
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.scenes import Card, Cards, Cell, Grid, Panels
from palaestra.verifiers.matches.backgammon import play_name, read_play

Checkers = tuple[int, ...]
"""The points of the checkers of a player that have not been borne off, the highest first, as this
player counts the points; the number after that of the last point is the bar."""

Step = tuple[int, int]
"""The point that a checker leaves, and the one that it enters; 0 if it is borne off."""

Play = tuple[Step, ...]
"""The steps of a roll in falling order."""

Dice = tuple[int, ...]
"""A roll, the higher die first."""

STANDARD: Checkers = (24,) * 2 + (13,) * 5 + (8,) * 3 + (6,) * 5


class State(NamedTuple):
    """The checkers of both players, whose turn it is, and the roll; nothing before a roll."""

    first: Checkers
    second: Checkers
    turn: int
    dice: Dice


@dataclass(frozen=True)
class Backgammon(DiceRules[State, "Play | Dice"]):
    """Backgammon: the numbers of points, of those in each home board, of checkers of a player, and
    of faces of a die. By default it is the standard game.

    The chances to win are those of all positions with so many checkers at most, so that they can
    be computed for short boards only.
    """

    points: int = 24
    home: int = 6
    checkers: int = 15
    faces: int = 6

    state_type = State

    def most_positions(self, contact: bool) -> int:
        """A bound on the number of positions before a roll; without contact, of those of races."""
        points, most = self.points, self.checkers

        def within(far: int) -> int:
            return comb(far + most, most)

        if contact:
            return within(points + 1) ** 2
        return sum(
            (within(far) - within(far - 1)) * within(points - far) for far in range(1, points + 1)
        )

    def start(self) -> State:
        half, points = self.checkers // 2, self.points
        checkers = (points,) * (self.checkers - half) + (points // 2,) * half
        if (points, self.checkers) == (24, 15):
            checkers = STANDARD
        return State(checkers, checkers, 0, ())

    def player(self, state: State) -> int:
        return state.turn

    def outcome(self, state: State) -> int | None:
        if not state.first:
            return WIN
        return None if state.second else LOSS

    def legal(self, state: State) -> Sequence["Play | Dice"]:
        if not state.dice or self.outcome(state) is not None:
            return ()
        return [*options(self, *sides_of(state), state.dice).values()]

    def chances(self, state: State) -> Sequence[tuple["Play | Dice", float]]:
        return () if state.dice else rolls(self.faces)

    def apply(self, state: State, move: "Play | Dice") -> State:
        mine, theirs = sides_of(state)
        if not state.dice:
            dice = tuple([number for number in move if isinstance(number, int)])
            if options(self, mine, theirs, dice):
                return state._replace(dice=dice)
            return state._replace(turn=1 - state.turn)
        steps = [step for step in move if not isinstance(step, int)]
        _, blots = masks(self, theirs)
        mine, landed = moved(mine, steps)
        theirs = hit(self, theirs, landed & blots)
        sides = (mine, theirs) if state.turn == 0 else (theirs, mine)
        return State(*sides, 1 - state.turn, ())

    def win_chance(self, state: State) -> float | None:
        if state.dice or self.outcome(state) is not None:
            return None
        mine, theirs = sides_of(state)
        worth = table(self, has_contact(self, mine, theirs))[mine, theirs]
        return worth if state.turn == 0 else 1 - worth

    def name(self, state: State, move: "Play | Dice") -> str:
        return play_name([step for step in move if not isinstance(step, int)], self.points + 1)

    def read(self, state: State, text: str) -> Play:
        mine, theirs = sides_of(state)
        _, blots = masks(self, theirs)
        results = {
            play: (after, landed & blots)
            for play, (after, landed) in plays_of(self, mine, theirs, state.dice).items()
        }
        sign = self.signs[state.turn]
        result = read_play(text, results, self.points + 1, sign, state.dice)
        return options(self, mine, theirs, state.dice)[result]

    def show(self, state: State) -> str:
        points = [*range(self.points, 0, -1)]
        rows = {"X's points": points, "Checkers": self._signs(state), "O's points": points[::-1]}
        lines = [
            f"{label}: {' '.join(f'{each:>3}' for each in row)}" for label, row in rows.items()
        ]
        lines[1] = lines[1].replace("Checkers:", "Checkers:  ")
        for label, numbers in self._aside(state).items():
            lines.append(f"{label}: X {numbers[0]}, O {numbers[1]}")
        return "\n".join([*lines, f"Dice of {self.signs[state.turn]}: {roll_name(state.dice)}"])

    def _signs(self, state: State) -> list[str]:
        """The checkers on each point, from X's highest one on."""
        mine, theirs = Counter(state.first), Counter(state.second)
        signs = []
        for point in range(self.points, 0, -1):
            other = self.points + 1 - point
            numbers = {"X": mine[point], "O": theirs[other]}
            signs.append("".join(f"{n}{sign}" for sign, n in numbers.items() if n) or ".")
        return signs

    def _aside(self, state: State) -> dict[str, tuple[int, int]]:
        """How many checkers of both players are on the bar, and borne off."""
        first, second = state.first, state.second
        bar = self.points + 1
        return {
            "On the bar": (first.count(bar), second.count(bar)),
            "Borne off": (self.checkers - len(first), self.checkers - len(second)),
        }

    def news(self, state: State, event: "Play | Dice") -> str:
        sign = self.signs[state.turn]
        dice = tuple([number for number in event if isinstance(number, int)])
        passes = "" if options(self, *sides_of(state), dice) else f" {sign} cannot move."
        return f"{sign} rolls {roll_name(dice)}.{passes}"

    def scene(self, state: State, last: "Play | Dice | None") -> Panels:
        fills = {"X": "t3", "O": "t6"}
        signs = self._signs(state)
        names = [*map(str, range(self.points, 0, -1))]
        grid = Grid(
            (tuple(Cell(s.strip("."), fill=fills.get(s[-1], "paper")) for s in signs),),
            top=tuple((name,) for name in names),
            bottom=tuple((name,) for name in reversed(names)),
            left=(("X's points above, O's below",),),
        )
        aside = self._aside(state)
        rows = [
            tuple(Card(f"{sign} {n}", fill=fills[sign]) for sign, n in zip(self.signs, numbers))
            for numbers in aside.values()
        ]
        dice = tuple(Card(str(number), shape="die") for number in state.dice)
        return Panels(
            (grid, Cards((*rows, dice), (*aside, f"Dice of {self.signs[state.turn]}"))),
            ("", ""),
            columns=1,
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Play]]:
        return thumbs(self)


def sides_of(state: State) -> tuple[Checkers, Checkers]:
    """The checkers of the player to move, and those of the other player."""
    return (state.second, state.first) if state.turn else (state.first, state.second)


@lru_cache(maxsize=8)
def rolls(faces: int) -> list[tuple[Dice, float]]:
    """The rolls of two dice, each with its probability.

    >>> rolls(2)
    [((1, 1), 0.25), ((2, 1), 0.5), ((2, 2), 0.25)]
    """
    return [
        ((high, low), (1 + (high > low)) / faces**2)
        for high in range(1, faces + 1)
        for low in range(1, high + 1)
    ]


def roll_name(dice: Dice) -> str:
    """A roll as the prompt writes it.

    >>> roll_name((6, 4))
    '6-4'
    """
    return "-".join(map(str, dice))


def moved(mine: Checkers, steps: Sequence[Step]) -> tuple[Checkers, int]:
    """The checkers after steps, and the points that they enter as bits.

    >>> moved((6, 4), [(6, 4), (4, 1)])
    ((4, 1), 18)
    """
    checkers, landed = [*mine], 0
    for start, end in steps:
        checkers.remove(start)
        if end:
            checkers.append(end)
            landed |= 1 << end
    checkers.sort(reverse=True)
    return tuple(checkers), landed


def hit(rules: Backgammon, theirs: Checkers, points: int) -> Checkers:
    """The other player's checkers after hits on points, which are bits as the player who hits
    counts them.
    """
    if not points:
        return theirs
    bar = rules.points + 1
    return tuple(
        sorted([bar if points >> bar - each & 1 else each for each in theirs], reverse=True)
    )


@lru_cache(maxsize=1 << 12)
def masks(rules: Backgammon, theirs: Checkers) -> tuple[int, int]:
    """The points that the other player blocks, and those with a single checker of that player, as
    bits; the point 1 is bit 1.
    """
    blocked = blots = 0
    for point, number in Counter(theirs).items():
        if point <= rules.points:
            bit = 1 << rules.points + 1 - point
            blocked, blots = (blocked | bit, blots) if number > 1 else (blocked, blots | bit)
    return blocked, blots


def steps_of(rules: Backgammon, mine: Checkers, blocked: int, die: int) -> list[Step]:
    """All steps that a die allows."""
    bar, highest = rules.points + 1, mine[0] if mine else 0
    starts = [bar] if highest == bar else dict.fromkeys(mine)
    steps = []
    for start in starts:
        end = start - die
        if end > 0:
            if not blocked >> end & 1:
                steps.append((start, end))
        elif highest <= rules.home and (end == 0 or start == highest):
            steps.append((start, 0))
    return steps


Plays = Mapping[Play, tuple[Checkers, int]]
"""Each play with the own checkers after it, and the points that it enters as bits."""


def plays_of(rules: Backgammon, mine: Checkers, theirs: Checkers, dice: Dice) -> Plays:
    """The legal plays of a roll, before those with the same result are taken for one."""
    return plays(rules, mine, masks(rules, theirs)[0] & reach(mine, dice), dice)


@lru_cache(maxsize=1 << 15)
def reach(mine: Checkers, dice: Dice) -> int:
    """The points that a roll could bring a checker to, as bits."""
    high, low = dice
    sums = (high, low, high + low) if high != low else (high, 2 * high, 3 * high, 4 * high)
    points = 0
    for point in mine:
        for number in sums:
            if number < point:
                points |= 1 << point - number
    return points


@lru_cache(maxsize=1 << 15)
def plays(rules: Backgammon, mine: Checkers, blocked: int, dice: Dice) -> Plays:
    """The legal plays of a roll, if the points of ``blocked`` are blocked.

    As many dice as possible have to be played, and the higher one if only one can be.
    """
    high, low = dice
    orders = [(high, low), (low, high)] if high != low else [(high,) * 4]
    lines = [line for order in orders for line in _lines(rules, mine, blocked, order)]
    most = max(map(len, lines))
    longest = [line for line in lines if len(line) == most]
    if most == 1 and high != low:
        higher = [*_lines(rules, mine, blocked, (high,))]
        longest = [line for line in higher if line] or longest
    different = {tuple(sorted(line, reverse=True)): line for line in longest if line}
    return {play: moved(mine, different[play]) for play in sorted(different, reverse=True)}


def _lines(rules: Backgammon, mine: Checkers, blocked: int, order: Dice) -> list[list[Step]]:
    """All ways to play dice one after the other, until none or no step is left."""
    steps = steps_of(rules, mine, blocked, order[0]) if order else []
    if not steps:
        return [[]]
    return [
        [step, *line]
        for step in steps
        for line in _lines(rules, moved(mine, [step])[0], blocked, order[1:])
    ]


@lru_cache(maxsize=1 << 14)
def options(
    rules: Backgammon, mine: Checkers, theirs: Checkers, dice: Dice
) -> dict[tuple[Checkers, int], Play]:
    """A play for each result: the own checkers, and the points on which the other player is hit."""
    _, blots = masks(rules, theirs)
    results = dict[tuple[Checkers, int], Play]()
    for play, (after, landed) in plays_of(rules, mine, theirs, dice).items():
        results.setdefault((after, landed & blots), play)
    return results


@lru_cache(maxsize=16)
def table(rules: Backgammon, contact: bool) -> Mapping[tuple[Checkers, Checkers], float]:
    """The chance to win of the player to roll in each position, by the own checkers and those of
    the other player; without ``contact``, in each position of a race.
    """
    positions = _positions(rules, contact)
    number = {position: n for n, position in enumerate(positions)}
    events = _Events(rules, number)
    return dict(zip(positions, chances_to_win([events.of(*each) for each in positions])))


def has_contact(rules: Backgammon, mine: Checkers, theirs: Checkers) -> bool:
    """Whether a checker has still to pass one of the other player."""
    return max(mine, default=0) + max(theirs, default=0) > rules.points


def _positions(rules: Backgammon, contact: bool) -> list[tuple[Checkers, Checkers]]:
    """All positions, those first that cannot lead to the others."""
    sides = [
        checkers
        for number in range(rules.checkers + 1)
        for checkers in combinations_with_replacement(range(rules.points + 1, 0, -1), number)
    ]
    points = {side: sum(1 << point for point in {*side} - {rules.points + 1}) for side in sides}
    taken = {side: sum(map(sum, [masks(rules, side)])) for side in sides}
    positions = [
        (mine, theirs)
        for mine in sides
        for theirs in sides
        if mine
        and not points[mine] & taken[theirs]
        and (contact or not has_contact(rules, mine, theirs))
    ]

    def rank(sides: tuple[Checkers, Checkers]) -> tuple[int, bool, int]:
        """By checkers, then races first, and then by pips, which only a hit can increase."""
        checkers = sides[0] + sides[1]
        return len(checkers), has_contact(rules, *sides), sum(checkers)

    return sorted(positions, key=rank)


class _Events:
    """The rolls of positions, as :func:`chances_to_win` takes them."""

    def __init__(self, rules: Backgammon, number: Mapping[tuple[Checkers, Checkers], int]) -> None:
        self.rules = rules
        self.number = number
        self._results: dict[tuple[Checkers, int], list[list[tuple[Checkers, int]]]] = {}

    def of(self, mine: Checkers, theirs: Checkers) -> list[Event]:
        """The rolls of a position; none where the other player has won."""
        if not theirs:
            return []
        rules, number = self.rules, self.number
        blocked, blots = masks(rules, theirs)
        others, events = len(number), list[Event]()
        for (_, chance), results in zip(rolls(rules.faces), self._after(mine, blocked)):
            after_them = {
                number[hit(rules, theirs, landed & blots) if landed & blots else theirs, after]
                for after, landed in results
            } or {number[theirs, mine]}
            events.append((chance, [each + others for each in sorted(after_them)]))
        return events

    def _after(self, mine: Checkers, blocked: int) -> list[list[tuple[Checkers, int]]]:
        """The own checkers and the points entered after each play of each roll."""
        results = self._results.get((mine, blocked))
        if results is None:
            rules = self.rules
            results = self._results[mine, blocked] = [
                [*dict.fromkeys(plays(rules, mine, blocked & reach(mine, dice), dice).values())]
                for dice, _ in rolls(rules.faces)
            ]
        return results


def thumbs(rules: Backgammon) -> Mapping[str, Callable[[State, Random], Play]]:
    """Players who compare the positions after their plays."""

    def by(value: Callable[[Checkers, Checkers], float]) -> Callable[[State, Random], Play]:
        """The play with the best result, at random if equal, and first of all one that wins."""

        def choose(state: State, rng: Random) -> Play:
            mine, theirs = sides_of(state)
            results = [*options(rules, mine, theirs, state.dice).items()]
            rng.shuffle(results)

            def worth(result: tuple[tuple[Checkers, int], Play]) -> float:
                (after, hits), _ = result
                return value(after, hit(rules, theirs, hits)) if after else 1e9

            return max(results, key=worth)[1]

        return choose

    def shots(mine: Checkers, theirs: Checkers) -> float:
        return shots_at(rules, mine, theirs)

    def lead(mine: Checkers, theirs: Checkers) -> float:
        return sum(theirs) - sum(mine)

    def bar(theirs: Checkers) -> int:
        return theirs.count(rules.points + 1)

    def loss(mine: Checkers) -> float:
        """What a hit costs at most."""
        _, blots = masks(rules, mine)
        return max((p for p in range(rules.points + 1) if blots >> p & 1), default=0)

    return {
        "hit, else bear off": by(lambda mine, theirs: 20 * bar(theirs) - len(mine)),
        "hit, else the fewest shots": by(
            lambda mine, theirs: 2 * bar(theirs) - shots(mine, theirs) - 0.01 * len(mine)
        ),
        "the fewest shots, else hit": by(
            lambda mine, theirs: bar(theirs) - 20 * shots(mine, theirs) - 0.01 * len(mine)
        ),
        "the fewest shots, else bear off": by(
            lambda mine, theirs: -len(mine) - 20 * shots(mine, theirs)
        ),
        "bear off, else the most points": by(lambda mine, theirs: len({*mine}) - 5 * len(mine)),
        "bear off, else the fewest points": by(lambda mine, theirs: -len({*mine}) - 5 * len(mine)),
        "bear off, else the rearmost checker": by(
            lambda mine, theirs: 100 * bar(theirs) - 10 * len(mine) - max(mine)
        ),
        "the lead in pips": by(lead),
        "the lead in pips, less what a hit would cost": by(
            lambda mine, theirs: lead(mine, theirs) - shots(mine, theirs) * loss(mine)
        ),
    }


@lru_cache(maxsize=1 << 14)
def shots_at(rules: Backgammon, mine: Checkers, theirs: Checkers) -> float:
    """The probability of a roll with which the other player can hit."""
    _, blots = masks(rules, mine)
    return sum(
        chance
        for dice, chance in rolls(rules.faces)
        if any(landed & blots for _, landed in plays_of(rules, theirs, mine, dice).values())
    )
