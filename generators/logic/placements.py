"""Placements of people on slots under rules in words: a search, random rules, and simple players.

A placement has the slot of each person. Puzzles whose solutions are all accepted, as in AutoLogi
(Q. Zhu and others, "AutoLogi: Automated Generation of Logic Puzzles for Evaluating Reasoning
Abilities of Large Language Models", 2025), are made of rules that a planted placement satisfies.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple, Protocol

from palaestra.generators.solutions import Feasibility, SearchResult

Placement = Sequence[int]

POOL = 300
"""How many placements a rule is chosen by."""

OFFERED = 8
"""Of how many true rules one is chosen."""


class Rule(NamedTuple):
    """A rule of a form about people, with numbers such as a slot or a distance."""

    form: str
    people: tuple[int, ...]
    numbers: tuple[int, ...] = ()


class Slots(Protocol):
    """Slots for people, and what rules about them mean."""

    @property
    def people(self) -> int:
        """The number of people."""

    @property
    def number(self) -> int:
        """The number of slots."""

    @property
    def least(self) -> int:
        """The least number of people of a slot."""

    @property
    def most(self) -> int:
        """The greatest number of people of a slot."""

    def holds(self, rule: Rule, placement: Placement) -> bool:
        """Whether a placement satisfies a rule; only the slots of the people of the rule matter."""


def is_balanced(slots: Slots, placement: Placement) -> bool:
    """Whether each slot has as many people as it may."""
    counts = [0] * slots.number
    for slot in placement:
        counts[slot] += 1
    return all(slots.least <= count <= slots.most for count in counts)


def broken(slots: Slots, rules: Sequence[Rule], placement: Placement) -> list[int]:
    """The indices of the rules that a placement breaks."""
    return [n for n, rule in enumerate(rules) if not slots.holds(rule, placement)]


# --------------------------------------------------------------------------------------- search


class Searched(NamedTuple):
    """Placements that satisfy all rules, and how many partial ones were tried."""

    placements: list[tuple[int, ...]]
    examined: int


def search(slots: Slots, rules: Sequence[Rule], most: int = 1, limit: int = 10**9) -> Searched:
    """Up to ``most`` placements, after at most ``limit`` partial ones: people with many rules
    first, and a rule is checked as soon as all of its people have a slot.
    """
    order = by_rules(slots, rules)
    rank = {person: n for n, person in enumerate(order)}
    due: list[list[Rule]] = [[] for _ in order]
    for rule in rules:
        due[max(rank[person] for person in rule.people)].append(rule)
    result, placement, counts = list[tuple[int, ...]](), [-1] * slots.people, [0] * slots.number
    examined = 0

    def extend(depth: int) -> None:
        nonlocal examined
        if depth == len(order):
            result.append(tuple(placement))
            return
        person, left = order[depth], len(order) - depth - 1
        for slot in range(slots.number):
            if len(result) >= most or examined >= limit:
                break
            if counts[slot] == slots.most:
                continue
            examined += 1
            placement[person] = slot
            counts[slot] += 1
            missing = sum(max(0, slots.least - count) for count in counts)
            if missing <= left and all(slots.holds(rule, placement) for rule in due[depth]):
                extend(depth + 1)
            counts[slot] -= 1
        placement[person] = -1

    extend(0)
    return Searched(result, examined)


def by_rules(slots: Slots, rules: Sequence[Rule]) -> list[int]:
    """The people, those with most rules first."""
    number = [sum(person in rule.people for rule in rules) for person in range(slots.people)]
    return sorted(range(slots.people), key=lambda person: -number[person])


# --------------------------------------------------------------------------------- random rules

Makers = Sequence[Callable[[Random], Rule]]
"""Functions that return a random rule of some form."""


def random_placement(rng: Random, slots: Slots) -> tuple[int, ...]:
    """A placement with as many people in each slot as may be."""
    chairs = [slot for slot in range(slots.number) for _ in range(slots.least)]
    spare = [slot for slot in range(slots.number) for _ in range(slots.most - slots.least)]
    chairs += rng.sample(spare, slots.people - len(chairs))
    return tuple(rng.sample(chairs, slots.people))


def random_rules(rng: Random, slots: Slots, makers: Makers, number: int) -> list[Rule]:
    """Rules that a random placement satisfies. Each is chosen of some true ones, so that few of
    the placements of a pool, of which many break only a few rules, satisfy all of them.
    """
    planted = random_placement(rng, slots)
    pool = [random_placement(rng, slots) for _ in range(POOL)]
    rules = list[Rule]()
    for _ in range(number):
        offered = list[Rule]()
        for _ in range(40 * OFFERED):
            rule = rng.choice(makers)(rng)
            if rule not in rules and slots.holds(rule, planted):
                offered.append(rule)
            if len(offered) == OFFERED:
                break
        if not offered:
            break
        kept = [[each for each in pool if slots.holds(rule, each)] for rule in offered]
        # Not the rule that excludes most: such rules are simple, and so is the task.
        ranked = sorted(range(len(offered)), key=lambda n: len(kept[n]))
        chosen = rng.choice(ranked[: max(1, len(ranked) // 2)])
        rules.append(offered[chosen])
        pool = kept[chosen] or pool
    return rules


# ------------------------------------------------------------------------------- simple players


def in_order(slots: Slots, rules: Sequence[Rule], order: Sequence[int]) -> list[int]:
    """Each person in the first slot with room where no rule is broken by those placed so far, or
    else in the first with room.
    """
    placement, counts = [-1] * slots.people, [0] * slots.number
    for person in order:
        free = [slot for slot in range(slots.number) if counts[slot] < slots.most]
        for slot in free:
            placement[person] = slot
            settled = (r for r in rules if all(placement[each] >= 0 for each in r.people))
            if all(slots.holds(rule, placement) for rule in settled):
                break
        else:
            placement[person] = free[0]
        counts[placement[person]] += 1
    return placement


def neighbours(slots: Slots, placement: Sequence[int]) -> Iterator[list[int]]:
    """The placements after two people change places or, where slots have room, one moves."""
    for one, other in combinations(range(slots.people), 2):
        if placement[one] != placement[other]:
            moved = list(placement)
            moved[one], moved[other] = moved[other], moved[one]
            yield moved
    if slots.most > slots.least:
        for person in range(slots.people):
            for slot in range(slots.number):
                moved = [*placement[:person], slot, *placement[person + 1 :]]
                if slot != placement[person] and is_balanced(slots, moved):
                    yield moved


def climbed(slots: Slots, rules: Sequence[Rule], placement: Sequence[int]) -> list[int]:
    """The placement after the best changes of one or two people, as long as one satisfies more
    rules.
    """
    best, number = list(placement), len(broken(slots, rules, placement))
    while number:
        ranked = ((len(broken(slots, rules, each)), each) for each in neighbours(slots, best))
        least, other = min(ranked, key=lambda pair: pair[0], default=(number, best))
        if least >= number:
            break
        best, number = other, least
    return best


def first_free(slots: Slots, order: Iterable[int]) -> list[int]:
    """The people in this order in the slots in theirs, as evenly as may be."""
    placement = [0] * slots.people
    for n, person in enumerate(order):
        placement[person] = n * slots.number // slots.people
    return placement


# -------------------------------------------------------------------------------------- puzzles

LIMIT = 60_000
"""After how many partial placements a search counts as one that found nothing."""


FEW = 4
"""So many people may be placed one by one: the lowest levels are to be within reach."""


class PlacementPuzzle(Feasibility):
    """A puzzle that asks for any placement which satisfies all rules."""

    names: tuple[str, ...]
    rules: tuple[Rule, ...]

    @abstractmethod
    def slots(self) -> Slots:
        """The slots of the puzzle."""

    @abstractmethod
    def imbalance(self) -> str:
        """What is wrong where a slot has too few people or too many."""

    def is_valid(self) -> bool:
        """Whether the search ends, and no simple placement is right."""
        if not search(self.slots(), self.rules, limit=LIMIT).placements:
            return False
        return super().is_valid()

    def search(self) -> SearchResult:
        placements, examined = search(self.slots(), self.rules)
        return SearchResult(placements[0] if placements else (), examined)

    def violation(self, solution: Sequence[int]) -> str:
        slots = self.slots()
        if not is_balanced(slots, solution):
            return self.imbalance()
        number = len(broken(slots, self.rules, solution))
        verb = "is" if number == 1 else "are"
        return f"{number} of the {len(self.rules)} rules {verb} broken" if number else ""

    def naive_solutions(self) -> Iterable[Sequence[int]]:
        slots, people = self.slots(), range(len(self.names))
        alphabetical = sorted(people, key=self.names.__getitem__)
        if len(self.names) <= FEW:
            return [first_free(slots, alphabetical)]
        return [
            first_free(slots, alphabetical),
            in_order(slots, self.rules, alphabetical),
            in_order(slots, self.rules, by_rules(slots, self.rules)),
        ]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Sequence[int]]:
        """Players who place each person once, or improve a random placement by single changes."""
        slots, people = self.slots(), [*range(len(self.names))]
        start = random_placement(rng, slots)
        return {
            "in random order": in_order(slots, self.rules, rng.sample(people, len(people))),
            "random placement": start,
            "best single changes": climbed(slots, self.rules, start),
        }
