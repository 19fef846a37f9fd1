"""Positions of go whose outcome few empty cells decide.

On a small board, random games lead there. On a larger one, the board is divided between the
players, whose stones fill it but for some eyes and for contested parts on the borders, and in these
the players make random moves.
"""

from random import Random

from palaestra.generators.matches.go.chains import (
    beside,
    borders,
    cells_in,
    chains_of,
    neighbours,
)
from palaestra.generators.matches.go.rules import PASS, Go, State

LARGE = 6
"""The side of the smallest board that is divided."""

LANDS = 3
"""Into how many lands a board is divided, which belong to the players in turn."""

LONGEST = 60
"""The most random moves of a game."""

GREED = 0.3
"""How often a move is one that looks best."""

EYES = 2
"""How many eyes a chain has beside the contested parts, where it has cells for them."""


def played(rng: Random, rules: Go, state: State, free: int, apart: int = 0) -> State | None:
    """The position after random moves that leave at most so many empty cells, not counting those
    of the mask ``apart``. None where there is none.
    """
    every = borders(rules.size)[0] & ~apart
    for _ in range(LONGEST):
        if (every & ~(state.first | state.second)).bit_count() <= free:
            return state
        moves = [m for m in rules.legal(state) if m != PASS and not rules.fills_eye(state, m)]
        if not moves:
            return None
        move = rng.choice(moves)
        if rng.random() < GREED:
            move = max(moves, key=lambda m: rules.judgement(rules.apply(state, m), state.turn))
        state = rules.apply(state, move)
    return None


def opening(rng: Random, rules: Go, free: int, parts: int) -> State | None:
    """A position with so many empty cells at most that are no eyes, in so many parts of a larger
    board. None where there is none.
    """
    if rules.size < LARGE:
        return played(rng, rules, rules.start(), min(free, rules.size**2 // 2 + 1))
    state, eyes = divided(rng, rules, LANDS, parts, 2 * free)
    return None if state is None else played(rng, rules, state, free, eyes)


def divided(rng: Random, rules: Go, lands: int, parts: int, room: int) -> tuple[State | None, int]:
    """A board that is divided into lands, with contested parts of so many empty cells in all, and
    the mask of the eyes. None where a chain has no liberty.
    """
    size = rules.size
    every = borders(size)[0]
    first = _first(rng, size, lands)
    contested = _contested(rng, size, first, parts, room)
    sides, eyes = [first & ~contested, every & ~first & ~contested], 0
    for player in (0, 1):
        for chain, _ in chains_of(size, sides[player]):
            eyes |= _eyes(rng, size, chain)
        sides[player] &= ~eyes
    empty = contested | eyes
    if any(not near & empty for side in sides for _, near in chains_of(size, side)):
        return None, eyes
    turn = rng.randrange(2)
    return rules.start()._replace(first=sides[0], second=sides[1], turn=turn), eyes


def _first(rng: Random, size: int, lands: int) -> int:
    """The mask of the first player's cells: lands that grow from random cells, owned in turn."""
    near, every = neighbours(size), borders(size)[0]
    growing = [(1 << cell, n % 2) for n, cell in enumerate(rng.sample(range(size * size), lands))]
    masks = [sum(cell for cell, owner in growing if owner == player) for player in (0, 1)]
    while growing:
        at = rng.randrange(len(growing))
        cell, owner = growing[at]
        left = near[cell] & every & ~(masks[0] | masks[1])
        if not left:
            growing[at] = growing[-1]
            growing.pop()
            continue
        grown = _any(rng, left)
        masks[owner] |= grown
        growing.append((grown, owner))
    return masks[0]


def _contested(rng: Random, size: int, first: int, parts: int, room: int) -> int:
    """The mask of parts of the board that lie on borders of lands, of ``room`` cells in all."""
    every, cells = borders(size)[0], 0
    edge = beside(size, first) | beside(size, every & ~first)
    for n in range(parts):
        part = _any(rng, edge)
        while part.bit_count() < room // parts + (n < room % parts):
            part |= _any(rng, beside(size, part))
        cells |= part
    return cells


def _eyes(rng: Random, size: int, chain: int) -> int:
    """The mask of up to :data:`EYES` cells inside a chain, no two of them next to each other."""
    eyes = 0
    for _ in range(EYES):
        inside = chain & ~beside(size, borders(size)[0] & ~chain) & ~eyes & ~beside(size, eyes)
        if not inside:
            break
        eyes |= _any(rng, inside)
    return eyes


def _any(rng: Random, cells: int) -> int:
    """One of some cells."""
    return rng.choice([*cells_in(cells)])
