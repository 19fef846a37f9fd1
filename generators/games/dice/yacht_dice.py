"""The rules of Yacht with some open categories, and its exact expectations.

The expectation of a turn depends on the open categories alone, so that its tables serve all tasks:
for each number of rerolls that are left, one value for each of the 252 rolls of five dice, and one
for each of the 462 sets of dice that may be kept.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards, Cell, Panels, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

CATEGORIES = (
    "ones", "twos", "threes", "fours", "fives", "sixes", "full house", "four of a kind",
    "little straight", "big straight", "choice", "yacht",
)  # fmt: skip

Dice = tuple[int, ...]
"""Dice in ascending order."""

_FILLERS = frozenset(
    ("a", "and", "as", "category", "dice", "die", "for", "in", "it", "my", "only", "the", "under")
)
_OTHERS = tuple(
    f" {verb} {dice}{again}"
    for verb in ("reroll", "roll", "throw")
    for dice in ("rest", "others", "other", "remaining")
    for again in ("", " again")
)
"""How a move that keeps dice may name what happens to the other ones."""
_NUMBERS = re.compile(r"[1-6]", re.ASCII)
_NOTHING = frozenset(("none", "nothing", "no", "0"))
_ALL = frozenset(("all", "everything", "all five", "all 5"))
_NAMES = {name: name for name in CATEGORIES} | {
    "4 of kind": "four of a kind",
    "four of kind": "four of a kind",
    "fullhouse": "full house",
    "small straight": "little straight",
    "large straight": "big straight",
    "chance": "choice",
}


class State(NamedTuple):
    """The open categories by their numbers, the rerolls left, the dice (none while they are
    rolled), the dice that are kept while the others are rolled, and the points so far.
    """

    open: tuple[int, ...]
    rerolls: int
    dice: Dice
    kept: Dice
    points: int


def points(category: int, dice: Dice) -> int:
    """What five dice score in a category.

    >>> [points(CATEGORIES.index(n), (3, 3, 3, 5, 5)) for n in ("threes", "full house", "yacht")]
    [9, 19, 0]
    """
    name = CATEGORIES[category]
    face, most = Counter(dice).most_common(1)[0]
    if category < 6:
        return dice.count(category + 1) * (category + 1)
    if name == "choice":
        return sum(dice)
    if name == "four of a kind":
        return 4 * face if most >= 4 else 0
    if name == "full house":
        return sum(dice) if sorted(Counter(dice).values()) == [2, 3] else 0
    if name == "yacht":
        return 50 if most == 5 else 0
    return 30 if dice == ((1, 2, 3, 4, 5) if name == "little straight" else (2, 3, 4, 5, 6)) else 0


@lru_cache(maxsize=6)
def rolls(number: int) -> tuple[tuple[Dice, float], ...]:
    """The results of so many dice, in order, each with its probability.

    >>> rolls(2)[:2]
    (((1, 1), 0.027777777777777776), ((1, 2), 0.05555555555555555))
    """
    return tuple(
        (dice, factorial(number) / prod(map(factorial, Counter(dice).values())) / 6**number)
        for dice in combinations_with_replacement(range(1, 7), number)
    )


def merged(kept: Dice, rolled: Dice) -> Dice:
    """Dice together, in ascending order."""
    return tuple(sorted(kept + rolled))


def subsets(dice: Dice) -> list[Dice]:
    """The different sets of dice to keep, but for all of them.

    >>> subsets((3, 3))
    [(), (3,)]
    """
    sets: set[Dice] = {()}
    for die in dice:
        sets |= {(*each, die) for each in sets}
    return sorted(sets - {dice})


class Lists(NamedTuple):
    """What the tables are computed from."""

    rolls: Mapping[Dice, int]
    """The number of each roll of five dice."""
    keeps: Mapping[Dice, int]
    """The number of each set of up to four kept dice."""
    results: Sequence[tuple[Sequence[int], Sequence[float]]]
    """For each set of kept dice the rolls that may follow, with their probabilities."""
    choices: Sequence[Sequence[int]]
    """For each roll the sets that may be kept."""
    points: Sequence[Sequence[int]]
    """For each category the points of each roll."""


@lru_cache(maxsize=1)
def lists() -> Lists:
    """The lists, which do not depend on the task."""
    numbers = {dice: n for n, (dice, _) in enumerate(rolls(5))}
    kept = [dice for number in range(5) for dice, _ in rolls(number)]
    keeps = {dice: n for n, dice in enumerate(kept)}
    results = []
    for dice in kept:
        after, chances = zip(*rolls(5 - len(dice)))
        results.append(([numbers[merged(dice, new)] for new in after], chances))
    return Lists(
        numbers,
        keeps,
        results,
        [[keeps[each] for each in subsets(dice)] for dice in numbers],
        [[points(category, dice) for dice in numbers] for category in range(len(CATEGORIES))],
    )


class Tables(NamedTuple):
    """The expectations of further points with some open categories, by the rerolls that are left:
    of each roll, and of each set of kept dice whose roll leaves so many rerolls.
    """

    rolls: "Sequence[array[float]]"
    keeps: "Sequence[array[float]]"


@lru_cache(maxsize=512)
def tables(open_categories: tuple[int, ...], rerolls: int) -> Tables:
    """The tables of a turn with up to so many rerolls, and of the turns after it."""
    known = lists()
    scored = array("d", [0.0]) * len(known.rolls)
    for category in open_categories:
        later = worth(without(open_categories, category), rerolls)
        scored = array("d", (max(a, b + later) for a, b in zip(scored, known.points[category])))
    by_roll, by_keep = [scored], [_kept(scored)]
    for _ in range(rerolls):
        keeps = by_keep[-1]
        best = (max(keeps[keep] for keep in choices) for choices in known.choices)
        by_roll.append(array("d", map(max, scored, best)))
        by_keep.append(_kept(by_roll[-1]))
    return Tables(by_roll, by_keep)


def _kept(values: "array[float]") -> "array[float]":
    """The expectation of each set of kept dice, from the values of all rolls."""
    return array(
        "d",
        (
            sum(values[roll] * chance for roll, chance in zip(after, chances))
            for after, chances in lists().results
        ),
    )


def worth(open_categories: tuple[int, ...], rerolls: int) -> float:
    """The expectation of further points before the first roll of a turn."""
    return tables(open_categories, rerolls).keeps[rerolls][0] if open_categories else 0.0


def without(open_categories: tuple[int, ...], category: int) -> tuple[int, ...]:
    """The categories without one of them."""
    return tuple(each for each in open_categories if each != category)


@dataclass(frozen=True)
class YachtDice(ChanceRules[State, "Dice | int"]):
    """Yacht for one player. A move is the dice that are kept, or a category to score in."""

    rerolls: int
    state_type = State

    def legal(self, state: State) -> Sequence[Dice | int]:
        if not state.dice:
            return ()
        return (*(subsets(state.dice) if state.rerolls else ()), *state.open)

    def chances(self, state: State) -> Sequence[tuple[Dice, float]]:
        return () if state.dice or not state.open else rolls(5 - len(state.kept))

    def apply(self, state: State, move: Dice | int) -> State:
        if isinstance(move, int):
            total = state.points + points(move, state.dice)
            return State(without(state.open, move), self.rerolls, (), (), total)
        if state.dice:
            return state._replace(rerolls=state.rerolls - 1, dice=(), kept=move)
        return state._replace(dice=merged(state.kept, move), kept=())

    def payoff(self, state: State) -> float:
        return float(state.points)

    def solved(self, state: State) -> float | None:
        if not state.open:
            return None
        known = tables(state.open, self.rerolls)
        if state.dice:
            return state.points + known.rolls[state.rerolls][lists().rolls[state.dice]]
        return state.points + known.keeps[state.rerolls][lists().keeps[state.kept]]

    def name(self, state: State, move: Dice | int) -> str:
        if isinstance(move, int):
            return f"score {CATEGORIES[move]}"
        return f"keep {' '.join(map(str, move)) or 'none'}"

    def read(self, state: State, text: str) -> Dice | int:
        words = [word for word in phrase(text).split() if word not in _FILLERS]
        verb, rest = words[0] if words else "", " ".join(words[1:])
        if verb in {"keep", "hold", "save"}:
            for others in _OTHERS:
                rest = rest.removesuffix(others)
            move: Dice | int | None = () if rest in _NOTHING else _dice(rest)
        elif verb in {"reroll", "roll", "throw"}:
            move = () if rest in _ALL else _rest(state.dice, _dice(rest))
        else:
            name = _NAMES.get(rest if verb in {"score", "take", "use"} else " ".join(words), "")
            move = CATEGORIES.index(name) if name else None
        if move is None:
            raise InvalidAnswer("expected dice to keep, such as 'keep 1 2', or a category")
        if move not in self.legal(state):
            raise InvalidAnswer("these dice cannot be kept, or this category is not open, now")
        return move

    def show(self, state: State) -> str:
        return (
            f"Dice: {' '.join(map(str, state.dice))}\nRerolls left: {state.rerolls}\n"
            f"Open categories: {', '.join(CATEGORIES[each] for each in state.open)}\n"
            f"Points so far: {state.points}"
        )

    def news(self, state: State, event: Dice | int) -> str:
        dice = event if isinstance(event, tuple) else ()
        kept = f"You keep {' '.join(map(str, state.kept))} and roll" if state.kept else "You roll"
        return f"{kept} {' '.join(map(str, dice))}."

    def end(self, state: State) -> str:
        return f"You have {state.points} points."

    def scene(self, state: State) -> Panels:
        dice = Cards((tuple(Card(str(die), shape="die") for die in state.dice),), ("Dice",))
        rows = [(str(state.rerolls),), (str(state.points),)]
        rows += [(str(points(each, state.dice)) if state.dice else "",) for each in state.open]
        left = ("Rerolls left", "Points so far", *(CATEGORIES[each] for each in state.open))
        table = Table(tuple(tuple(map(Cell, row)) for row in rows), left=left)
        return Panels((dice, table), ("", "Open categories and what the dice score"), columns=1)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Dice | int]]:
        return {
            "the most points at once": lambda state, rng: best_category(state),
            "keep the most frequent face": self._frequent,
            "keep fives and sixes": lambda state, rng: self._held(
                state, tuple(die for die in state.dice if die >= 5)
            ),
        }

    def _frequent(self, state: State, rng: Random) -> Dice | int:
        counts = Counter(state.dice)
        face = max(counts, key=lambda die: (counts[die], die))
        return self._held(state, (face,) * counts[face])

    def _held(self, state: State, kept: Dice) -> Dice | int:
        """Keep some dice as long as that is possible, and then score the most points."""
        return kept if state.rerolls and len(kept) < 5 else best_category(state)


def best_category(state: State) -> int:
    """The open category in which the dice score most."""
    return max(state.open, key=lambda category: points(category, state.dice))


def _dice(text: str) -> Dice | None:
    """The dice of a text of numbers; None for any other text."""
    words = text.split()
    if not words or not all(map(_NUMBERS.fullmatch, words)):
        return None
    return tuple(sorted(map(int, words)))


def _rest(dice: Dice, rolled: Dice | None) -> Dice | None:
    """The dice that are kept when some are rolled; None if these are not among them."""
    if rolled is None or Counter(rolled) - Counter(dice):
        return None
    return tuple(sorted((Counter(dice) - Counter(rolled)).elements()))
