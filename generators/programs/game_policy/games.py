"""Small two-player games with random rules, start positions, and an optimal opponent."""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.programs.game_policy import rules as game_rules
from palaestra.generators.programs.game_policy.rules import Game, Move, State

Family = Literal["Heaps", "Pairs", "Pins", "Bites", "Tokens", "Total", "Coins"]
"""The classes of :mod:`palaestra.generators.programs.game_policy.rules`."""

Rules = tuple[tuple[int, ...], ...]

FAMILIES: dict[int, tuple[Family, ...]] = {
    0: ("Heaps", "Total"),
    1: ("Heaps", "Total", "Pins", "Tokens"),
    2: ("Heaps", "Total", "Pins", "Tokens", "Pairs", "Bites", "Coins"),
}
"""The families of a tier."""

TRIES = 400
"""The number of candidates for start positions."""


class Variant(NamedTuple):
    """A variant of a game: its family and rules, whether the player who cannot move (or, with
    coins, has less) wins, and the bounds of positions.
    """

    family: Family
    rules: Rules
    lasts: bool
    top: tuple[int, ...]


class Table:
    """A game with a cache of the values of its positions."""

    def __init__(self, variant: Variant) -> None:
        self.game: Game = getattr(game_rules, variant.family)(variant.rules, variant.lasts)
        self.shares: dict[State, float] = {}
        self.chances: dict[State, float] = {}

    def options(self, state: State) -> list[Move]:
        """All moves."""
        return self.game.options(state)

    def share(self, state: State) -> float:
        """The share of winning moves; without moves, 1 if the position is won, else 0."""
        if state not in self.shares:
            nexts = [self.game.after(state, move) for move in self.game.options(state)]
            wins = sum(not self.game.wins(one) for one in nexts)
            share = wins / len(nexts) if nexts else float(self.game.won(state))
            self.shares[state] = share
        return self.shares[state]

    def chance(self, state: State) -> float:
        """The chance that a player who moves at random wins, whose turn it is."""
        if state not in self.chances:
            options = self.game.options(state)
            nexts = [self.game.after(state, move) for move in options]
            held = [one for one in nexts if not self.game.wins(one)]
            chances = [
                self.chance(self.replied(one)) if self.game.options(one) else 1.0 for one in held
            ]
            chance = sum(chances) / len(options) if options else float(self.game.won(state))
            self.chances[state] = chance
        return self.chances[state]

    def replied(self, state: State) -> State:
        """The position after the opponent's move: a winning move, or else the one that leaves the
        player the fewest winning moves.
        """
        nexts = [self.game.after(state, move) for move in self.game.options(state)]
        return min(nexts, key=self.share)

    def victory(self, state: State, policy: "Policy") -> bool:
        """Whether a policy, whose turn it is, wins from a position; not where it makes a move that
        there is not. What is lost stays lost, for the opponent makes no mistakes.
        """
        while options := self.options(state):
            move = policy(state)
            if move not in options:
                return False
            state = self.game.after(state, move)
            if self.game.wins(state):
                return False
            if not self.options(state):
                return True
            state = self.replied(state)
        return self.game.won(state)


Policy = Callable[[State], Move]
"""A function from a position to a move."""


@lru_cache(maxsize=32)
def table(variant: Variant) -> Table:
    """The table of a variant, with its cache."""
    return Table(variant)


# --------------------------------------------------------------------------------------- drawing


def random_game(rng: Random, tier: int, size: int, lasts: bool) -> Variant:
    """A random variant of a family of a tier, of a size from 1 to 6. With ``lasts``, the player who
    cannot move may be the winner.
    """
    family = rng.choice(FAMILIES[tier])
    rules, top = _DRAWERS[family](rng, size)
    return Variant(family, rules, lasts and rng.random() < 0.5, top)


def _some(rng: Random, most: int, least: int, number: int) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(range(1, most + 1), rng.randint(least, number))))


def _heaps(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    heaps, tallest = ((1, 30), (2, 11), (2, 16), (3, 9), (3, 12), (4, 9))[size - 1]
    same = _some(rng, 9 if heaps > 1 else 12, 2, 4)
    own = size > 2 and rng.random() < 0.4
    rules = tuple(_some(rng, 7, 2, 4) if own else same for _ in range(heaps))
    spread = 15 if heaps == 1 else 3 if heaps < 4 and not own else 0
    return rules, (tallest + rng.randint(0, spread),) * heaps


def _pairs(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    heaps, tallest = ((2, 8), (2, 10), (2, 15), (2, 20), (3, 8), (3, 11))[size - 1]
    rules = (_some(rng, 8, 2, 4), _some(rng, 6, 1, 4))
    return rules, (tallest + rng.randint(0, 2),) * heaps


def _pins(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    falls = [(), (0, 1), (1,), (0, 1, 2), (1, 2), (2,), (0, 2), (0,)]
    while True:
        rules = tuple(rng.choice(falls) for _ in range(rng.choice((2, 3, 3, 4, 4))))
        if sum(map(len, rules)) > 2 and rules[-1]:
            # Even a player who takes every row for another position has time for these.
            return rules, ((8, 10, 12, 13, 14, 15)[size - 1] + rng.randint(0, 1),)


def _bites(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    rows, columns = ((2, 6), (3, 4), (3, 6), (4, 5), (4, 7), (5, 7))[size - 1]
    columns += rng.randint(0, 1)
    most = rng.choice((rows * columns, *range(3, rows * columns - 2)))
    cells = [(r, c) for r in range(rows) for c in range(columns) if 0 < r + c < rows + columns - 3]
    more = sorted(rng.sample(cells, rng.randint(0, 3)))
    return ((most,), (0, 0), *more), (columns,) * rows


def _tokens(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    tokens, side = ((1, 6), (1, 8), (1, 11), (2, 5), (2, 6), (2, 8))[size - 1]
    side += rng.randint(0, 1)
    near = [(r, c) for r in range(4) for c in range(4) if 0 < r + c < 5]
    steps = sorted(rng.sample(near, rng.randint(3, 4)))
    cells = [(r, c) for r in range(side) for c in range(side)]
    closed = sorted(rng.sample(cells, rng.randint(0, 4)))
    repeated = int(rng.random() < 0.4)
    flat = [tuple(number for cell in row for number in cell) for row in (steps, closed)]
    return (flat[0], (repeated,), flat[1]), (side,) * 2 * tokens


def _total(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    bound = 12 + 8 * size + rng.randint(0, 9)
    return (_some(rng, 12, 3, 5), (bound,)), (bound,)


def _coins(rng: Random, size: int) -> tuple[Rules, tuple[int, ...]]:
    number = 5 + size + rng.randint(0, 1)
    while True:
        left, right = _some(rng, 5, 1, 3), _some(rng, 5, 1, 3)
        if 1 in (*left, *right) and len({*left, *right}) > 1:
            return (left, right), (number, rng.randint(6, 15))


_DRAWERS: dict[Family, Callable[[Random, int], tuple[Rules, tuple[int, ...]]]] = {
    "Heaps": _heaps,
    "Pairs": _pairs,
    "Pins": _pins,
    "Bites": _bites,
    "Tokens": _tokens,
    "Total": _total,
    "Coins": _coins,
}


def position(rng: Random, variant: Variant) -> State:
    """A random start position."""
    top = variant.top
    if variant.family == "Total":
        return rng.randint(0, top[0] // 2), rng.choice((0, *variant.rules[0]))
    if variant.family == "Coins":
        coins = [rng.randint(1, top[1]) for _ in range(rng.randint(top[0] - 2, top[0]))]
        # The sum of all, lead included, is odd, so that nobody ends with as much as the other.
        return (rng.choice((0, 2)) + (sum(coins) + 1) % 2, *coins)
    if variant.family == "Pins":
        row = [1] * rng.randint(top[0] - 3, top[0])
        for _ in range(rng.randint(0, 2)):
            row[rng.randrange(len(row))] = 0
        return tuple(row)
    if variant.family == "Bites":
        lengths = sorted((rng.randint(1, most) for most in top), reverse=True)
        return (top[0], *lengths[1:])
    if variant.family == "Tokens":
        closed = set(zip(variant.rules[2][::2], variant.rules[2][1::2]))
        cells = [(r, c) for r in range(top[0]) for c in range(top[0]) if (r, c) not in closed]
        chosen = [rng.choice(cells) for _ in range(len(top) // 2)]
        return tuple(number for cell in chosen for number in cell)
    return tuple(rng.randint(0 if len(top) > 1 else 1, most) for most in top)


def plodders(playing: Table) -> list[Policy]:
    """Players without skill: they make the first, last, smallest or largest move."""
    return [
        lambda state: playing.options(state)[0],
        lambda state: playing.options(state)[-1],
        lambda state: min(playing.options(state), key=lambda move: move[-1]),
        lambda state: max(playing.options(state), key=lambda move: move[-1]),
    ]


@lru_cache(maxsize=64)
def starts(variant: Variant, seed: int, number: int, most: float = 0.5) -> tuple[State, ...]:
    """Distinct positions that the first player wins, but with a chance of at most ``most`` at
    random and not without skill; fewer than ``number`` if such positions are rare.
    """
    rng, playing = Random(f"{seed}"), table(variant)
    tried: dict[State, None] = {}
    states: list[State] = []
    for _ in range(TRIES):
        state = position(rng, variant)
        if state in tried or not 0 < playing.share(state) <= 0.5:
            continue
        tried[state] = None
        if playing.chance(state) > most:
            continue
        if not any(playing.victory(state, each) for each in plodders(playing)):
            states.append(state)
        if len(states) == number:
            break
    return tuple(states)


@lru_cache(maxsize=64)
def luck(variant: Variant, seed: int, number: int, most: float = 0.5) -> float:
    """The expected number of games from the start positions that a random player wins."""
    return sum(map(table(variant).chance, starts(variant, seed, number, most)))
