"""Rows of numbers that are changed at the least cost until they satisfy conditions.

The cost of a row depends on the steps: single numbers, runs of neighbours, or all from one position
on. For the latter two it is a sum over the differences of neighbours, so that the cheapest row
follows from a table of the last number and how the row has gone so far.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

Steps = Literal["single", "runs", "ends"]
STEPS: tuple[Steps, ...] = ("single", "runs", "ends")

Shape = Literal["", "rising", "falling", "hill", "valley", "zigzag"]
Gap = Literal["", "gentle", "apart"]
Extra = Literal["", "levels", "multiples", "divisible"]


class Goal(NamedTuple):
    """What the changed row has to satisfy: a shape, a bound on the steps, and one thing more."""

    shape: Shape = ""
    gap: Gap = ""
    step: int = 0
    extra: Extra = ""
    number: int = 0

    def reversed(self) -> "Goal":
        """The goal of a row that is read from its end."""
        mirrored: dict[Shape, Shape] = {"rising": "falling", "falling": "rising"}
        return self._replace(shape=mirrored.get(self.shape, self.shape))

    def texts(self) -> list[str]:
        """The conditions as sentences."""
        shapes = {
            "": "",
            "rising": "No number is less than the number before it.",
            "falling": "No number is greater than the number before it.",
            "hill": "Up to some position no number is less than the number before it, and behind "
            "that position no number is greater than the number before it; the position may be the "
            "first or the last one.",
            "valley": "Up to some position no number is greater than the number before it, and "
            "behind that position no number is less than the number before it; the position may "
            "be the first or the last one.",
            "zigzag": "Neighbours are different, and each number other than the first and the last "
            "is either greater than both of its neighbours or less than both of them.",
        }
        few = self.number - 1
        differ = (
            "1 number differs from the number before it"
            if few == 1
            else (f"{few} numbers differ from the number before them")
        )
        gaps = {
            "": "",
            "gentle": f"Neighbours differ by at most {self.step}.",
            "apart": f"Neighbours differ by at least {self.step}.",
        }
        extras = {
            "": "",
            "levels": f"At most {differ}.",
            "multiples": f"Every number is a multiple of {self.number}; 0 is one.",
            "divisible": f"The sum of all numbers is divisible by {self.number}.",
        }
        texts = [shapes[self.shape], gaps[self.gap], extras[self.extra]]
        return [text for text in texts if text]


def broken(goal: Goal, row: Sequence[int]) -> int:
    """Which sentence of a goal a row breaks, counted from 1; 0 if it satisfies all."""
    steps = [b - a for a, b in pairwise(row)]
    ways = [step > 0 for step in steps if step]
    turns = [one for one, other in pairwise(ways) if one != other]
    shapes = {
        "rising": all(step >= 0 for step in steps),
        "falling": all(step <= 0 for step in steps),
        "hill": turns in ([], [True]),
        "valley": turns in ([], [False]),
        "zigzag": all(steps) and len(turns) == max(0, len(steps) - 1),
    }
    gaps = {
        "gentle": all(abs(step) <= goal.step for step in steps),
        "apart": all(abs(step) >= goal.step for step in steps),
    }
    modulus = max(1, goal.number)
    extras = {
        "levels": sum(map(bool, steps)) < goal.number,
        "multiples": all(number % modulus == 0 for number in row),
        "divisible": sum(row) % modulus == 0,
    }
    parts = [
        (goal.shape, shapes.get(goal.shape)),
        (goal.gap, gaps.get(goal.gap)),
        (goal.extra, extras.get(goal.extra)),
    ]
    holds = [fine for name, fine in parts if name]
    return holds.index(False) + 1 if False in holds else 0


class Price(NamedTuple):
    """What steps cost: raising and lowering by 1, and a factor for each position.

    Where a step may have any size, ``base`` is added to its cost once. A step on a run costs the
    factors of its two borders, so that there is one more of them, for the border at the end.
    """

    up: int
    down: int
    base: int = 0
    factors: tuple[int, ...] = ()

    def of(self, change: int, position: int) -> int:
        """The cost of a change by some amount; 0 for none."""
        if not change:
            return 0
        size = self.up * change if change > 0 else -self.down * change
        return self.base + size * (self.factors[position] if self.factors else 1)


def cost(steps: Steps, price: Price, before: Sequence[int], after: Sequence[int]) -> int:
    """The least total cost of the steps from one row to another.

    >>> cost("runs", Price(1, 1), [1, 2, 1], [3, 4, 1]), cost("ends", Price(1, 1), [5, 5], [4, 6])
    (4, 3)
    """
    changes = [b - a for a, b in zip(before, after)]
    if steps != "single":  # a step changes the differences at its borders, which are independent
        changes = [b - a for a, b in pairwise([0, *changes, *([0] if steps == "runs" else [])])]
    return sum(price.of(change, n) for n, change in enumerate(changes))


State = tuple[int, int, int]
"""The last number, how the row goes, and how often neighbours differ or the remainder of the sum,
where that matters.
"""


def moved(goal: Goal, state: State, number: int) -> State | None:
    """The state after another number; None if the goal forbids it."""
    last, way, differing = state
    step = number - last
    size = abs(step)
    if goal.gap and (size > goal.step if goal.gap == "gentle" else size < goal.step):
        return None
    now = (step > 0) - (step < 0)
    match goal.shape:
        case "rising" if now < 0:
            return None
        case "falling" if now > 0:
            return None
        case "hill" | "valley":
            turned = -1 if goal.shape == "hill" else 1
            if now == -turned and way == turned:
                return None
            way = turned if now == turned else way
        case "zigzag":
            if now in {0, way}:
                return None
            way = now
    if goal.extra == "levels":
        differing += now != 0
        if differing >= goal.number:
            return None
    if goal.extra == "divisible":
        differing = (differing + number) % goal.number
    return number, way, differing


def first_state(goal: Goal, number: int) -> State:
    """The state after the first number."""
    return number, 0, number % goal.number if goal.extra == "divisible" else 0


def is_end(goal: Goal, state: State) -> bool:
    """Whether a row may end in a state."""
    return goal.extra != "divisible" or state[2] == 0


def numbers_of(goal: Goal, high: int) -> range:
    """The numbers that a row may have."""
    return range(0, high + 1, goal.number if goal.extra == "multiples" else 1)


def cheapest(
    steps: Steps, price: Price, row: Sequence[int], goal: Goal, high: int
) -> tuple[list[int], int]:
    """A row of the least cost with numbers from 0 to ``high`` that satisfies a goal, and how many
    transitions were examined; an empty row if there is none.
    """
    numbers = numbers_of(goal, high)

    @cache
    def onward(state: State) -> list[State]:
        return [after for n in numbers if (after := moved(goal, state, n))]

    def added(position: int, number: int, last: int) -> int:
        """The cost of a number, for differences with the change of the number before it."""
        change = number - row[position]
        if steps == "single":
            return price.of(change, position)
        rise = change - (last - row[position - 1] if position else 0)
        is_end_of_run = steps == "runs" and position == len(row) - 1
        end = price.of(-change, position + 1) if is_end_of_run else 0
        return price.of(rise, position) + end

    table: dict[State, tuple[int, tuple[int, ...]]] = {
        first_state(goal, number): (added(0, number, 0), (number,)) for number in numbers
    }
    examined = len(table)
    for position in range(1, len(row)):
        costs = {(a, b): added(position, b, a) for a in numbers for b in numbers}
        following: dict[State, tuple[int, tuple[int, ...]]] = {}
        for state, (so_far, changed) in table.items():
            for after in onward(state):
                examined += 1
                total = so_far + costs[state[0], after[0]]
                if after not in following or total < following[after][0]:
                    following[after] = total, (*changed, after[0])
        table = following
    ended = [value for state, value in table.items() if is_end(goal, state)]
    best = min(ended, default=(0, ()))
    return [*best[1]], examined


@lru_cache(maxsize=64)
def least_cost(
    steps: Steps, price: Price, row: tuple[int, ...], goal: Goal, high: int
) -> int | None:
    """The least cost by a search from the last position on, the cheapest rows first.

    The row and the goal are reversed. What counts as a state is the part of the row that a
    condition can depend on: the last two numbers that differ.
    """
    back = goal.reversed()
    tail = [*row][::-1]
    heap: list[tuple[int, int, State, int]] = []
    for number in numbers_of(goal, high):
        first = number - tail[0]
        start = price.of(-first, len(row)) if steps == "runs" else 0
        heappush(heap, (start, 0, first_state(goal, number), first))
    done = set[tuple[int, State]]()
    while heap:
        spent, position, state, change = heappop(heap)
        if position == len(tail):
            return spent
        if (position, state) in done:
            continue
        done.add((position, state))
        here = len(tail) - 1 - position
        if steps == "single":
            spent += price.of(change, here)
        last = position == len(tail) - 1
        if last and not is_end(goal, state):
            continue
        for number in [state[0]] if last else numbers_of(goal, high):
            after = state if last else moved(back, state, number)
            if after is None:
                continue
            before = 0 if last else number - tail[position + 1]
            more = 0 if steps == "single" else price.of(change - before, here)
            heappush(heap, (spent + more, position + 1, after, before))
    return None


# ---------------------------------------------------------------------------------- tasks

SHAPES: tuple[Shape, ...] = ("rising", "falling", "hill", "valley", "zigzag")


def random_goal(rng: Random, parts: int, length: int, high: int) -> Goal:
    """Conditions that some rows satisfy, so many of them: from 1 to 3."""
    while True:
        names = rng.sample(("shape", "gap", "extra"), parts)
        goal = Goal()
        if "shape" in names:
            goal = goal._replace(shape=rng.choice(SHAPES))
        if "gap" in names:
            gap: Gap = rng.choice(("gentle", "gentle", "apart"))
            low = max(1, high // 12) if gap == "gentle" else max(2, high // 6)
            goal = goal._replace(gap=gap, step=rng.randint(low, low + max(1, high // 12)))
        if "extra" in names:
            extra: Extra = rng.choice(("levels", "levels", "multiples", "divisible"))
            low, most = {"levels": (2, max(3, 1 + length // 4)), "multiples": (2, 4)}.get(
                extra, (3, 9)
            )
            goal = goal._replace(extra=extra, number=rng.randint(low, most))
        if fits(goal, length, high):
            return goal


def fits(goal: Goal, length: int, high: int) -> bool:
    """Whether conditions go together, and are more than a rule for each number by itself."""
    if goal.extra == "levels" and (goal.gap == "apart" or goal.shape == "zigzag"):
        return False
    if goal.extra == "multiples" and goal.gap == "gentle" and goal.step < goal.number:
        return False
    if goal.gap == "apart" and goal.shape != "zigzag":
        parts = {"rising": 1, "falling": 1, "hill": 2, "valley": 2}.get(goal.shape, length)
        return goal.step * (length - 1) <= parts * high
    return bool(goal.shape or goal.gap or goal.extra == "levels")


def random_row(rng: Random, goal: Goal, length: int, high: int) -> list[int]:
    """Numbers that go as the goal wants on the whole, with noise and a few far from it."""
    at = [n / (length - 1) for n in range(length)]
    turn = rng.uniform(0.3, 0.7)
    trend = {
        "rising": at,
        "falling": [1 - x for x in at],
        "hill": [1 - abs(x - turn) * 1.6 for x in at],
        "valley": [abs(x - turn) * 1.6 for x in at],
    }.get(goal.shape, [rng.random() for _ in at])
    noise = high * 0.25
    row = [high * (0.2 + 0.6 * x) + rng.uniform(-noise, noise) for x in trend]
    for position in rng.sample(range(length), max(1, length // 5)):
        row[position] = high * (1 - trend[position]) + rng.uniform(-noise, noise)
    return [min(high, max(0, round(number))) for number in row]


def greedy(
    steps: Steps, price: Price, row: Sequence[int], goal: Goal, numbers: Iterable[int]
) -> list[int]:
    """Position by position the allowed number that costs least by then; 0 where there is none."""
    result = list[int]()
    options = [*numbers]
    for position in range(len(row)):
        fine = [n for n in options if not broken(goal, [*result, n])]
        part = row[: position + 1]
        result.append(
            min(fine, key=lambda n: (cost(steps, price, part, [*result, n]), n), default=0)
        )
    return result
