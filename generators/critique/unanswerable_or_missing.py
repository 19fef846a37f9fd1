"""Facts about whole numbers that determine one of them, or leave two values of it open."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Literal, NamedTuple

Form = Literal[
    "more", "sum", "times", "differ", "sum of three", "above", "even", "odd", "multiple", "least",
    "most",
]  # fmt: skip

LINKS: tuple[Form, ...] = ("more", "sum", "times", "differ")
"""Equations between two numbers, by how many of these forms there are."""

LIMITS: tuple[Form, ...] = ("above", "even", "least", "most", "odd", "multiple", "sum of three")
"""Other facts, by how many of these forms there are."""

MOST_WORLDS = 3_000
"""How many worlds may satisfy the equations that a problem begins with."""

World = tuple[int, ...]


class Fact(NamedTuple):
    """A fact about the numbers of some people, by their indices, with a number of its own."""

    form: Form
    people: tuple[int, ...]
    number: int


class Problem(NamedTuple):
    """Facts about numbers from 1 to ``most``, and whose number is asked for."""

    people: int
    most: int
    facts: tuple[Fact, ...]
    target: int


TEXTS: dict[Form, str] = {
    "more": "{0} has {n} more than {1}.",
    "sum": "{0} and {1} have {n} together.",
    "times": "{0} has {n} times as many as {1}.",
    "differ": "The numbers of {0} and {1} differ by {n}.",
    "sum of three": "{0}, {1} and {2} have {n} together.",
    "above": "{0} has more than {1}.",
    "even": "{0} has an even number.",
    "odd": "{0} has an odd number.",
    "multiple": "The number of {0} is divisible by {n}.",
    "least": "{0} has at least {n}.",
    "most": "{0} has at most {n}.",
}


def fact_text(fact: Fact, names: Sequence[str]) -> str:
    """A fact as a sentence.

    >>> fact_text(Fact("more", (1, 0), 3), ["Ada", "Bo"])
    'Bo has 3 more than Ada.'
    """
    return TEXTS[fact.form].format(*(names[n] for n in fact.people), n=fact.number)


def holds(fact: Fact, world: Sequence[int]) -> bool:
    """Whether a fact is true.

    >>> holds(Fact("differ", (0, 1), 2), (3, 5)), holds(Fact("times", (0, 1), 2), (3, 6))
    (True, False)
    """
    form, number = fact.form, fact.number
    a, *others = [world[n] for n in fact.people]
    if form in ("even", "odd"):
        return a % 2 == (form == "odd")
    if form == "multiple":
        return a % number == 0
    if form in ("least", "most"):
        return a >= number if form == "least" else a <= number
    if form in ("sum", "sum of three"):
        return a + sum(others) == number
    b = others[0]
    if form == "differ":
        return abs(a - b) == number
    if form == "above":
        return a > b
    return a == b + number if form == "more" else a == b * number


def _values(fact: Fact, person: int, world: Sequence[int]) -> tuple[int, ...]:
    """The numbers of a person that an equation allows with the number of the other one."""
    one, other = fact.people
    number = fact.number
    if person == one:
        b = world[other]
        return {
            "more": (b + number,),
            "sum": (number - b,),
            "times": (b * number,),
            "differ": (b - number, b + number),
        }[fact.form]
    a = world[one]
    if fact.form == "times":
        return (a // number,) if a % number == 0 else ()
    return {"more": (a - number,), "sum": (number - a,), "differ": (a - number, a + number)}[
        fact.form
    ]


class Search:
    """Lists the worlds that satisfy facts, person by person along the equations."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.examined = problem, 0
        self.order = _order(problem)
        rank = {person: n for n, person in enumerate(self.order)}
        self.checks: list[list[Fact]] = [[] for _ in self.order]
        self.links: list[Fact | None] = [None] * len(self.order)
        for fact in problem.facts:
            last = max(rank[person] for person in fact.people)
            self.checks[last].append(fact)
            if fact.form in LINKS:
                self.links[last] = fact

    def worlds(self) -> Iterator[World]:
        """All worlds, in the order of the numbers of the first person."""
        yield from self._from(0, [0] * self.problem.people)

    def _from(self, step: int, world: list[int]) -> Iterator[World]:
        if step == len(self.order):
            yield tuple(world)
            return
        person, link = self.order[step], self.links[step]
        values: Iterable[int] = range(1, self.problem.most + 1)
        if link is not None:
            values = [v for v in _values(link, person, world) if 1 <= v <= self.problem.most]
        for value in values:
            self.examined += 1
            world[person] = value
            if all(holds(fact, world) for fact in self.checks[step]):
                yield from self._from(step + 1, world)


def _order(problem: Problem) -> list[int]:
    """The people, the one of the question first, and then each that is linked to one before."""
    links = [fact.people for fact in problem.facts if fact.form in LINKS]
    order = [problem.target]
    while len(order) < problem.people:
        ends = (pair for pair in links if (pair[0] in order) != (pair[1] in order))
        rest = (n for n in range(problem.people) if n not in order)
        pair = next(ends, None)
        order.append(next(rest) if pair is None else pair[pair[0] in order])
    return order


def settled(problem: Problem) -> tuple[World | None, World | None, int]:
    """A world, another one in which the number asked for differs, and what was examined.

    There is no other one if the number is determined.
    """
    search = Search(problem)
    first: World | None = None
    for world in search.worlds():
        if first is None:
            first = world
        elif world[problem.target] != first[problem.target]:
            return first, world, search.examined
    return first, None, search.examined


def values_by_propagation(problem: Problem) -> set[int]:
    """The values of the number asked for: each fact keeps the numbers that have a support in it, as
    with A. Mackworth (1977), and those that are left are tried.
    """
    numbers = frozenset(range(1, problem.most + 1))
    values, stack = set[int](), [[numbers] * problem.people]
    while stack:
        domains = _supported(problem.facts, stack.pop())
        if not all(domains) or domains[problem.target] <= values:
            continue
        open_ = [n for n, domain in enumerate(domains) if len(domain) > 1]
        if not open_:
            values |= domains[problem.target]
            continue
        person = min(open_, key=lambda n: len(domains[n]))
        stack += [
            [frozenset({value}) if n == person else each for n, each in enumerate(domains)]
            for value in domains[person]
        ]
    return values


def _supported(facts: Sequence[Fact], domains: list[frozenset[int]]) -> list[frozenset[int]]:
    """The numbers of each person that are part of a solution of each single fact."""
    domains, changed = [*domains], True
    while changed:
        changed = False
        for fact in facts:
            rows = product(*(domains[person] for person in fact.people))
            alone = fact._replace(people=tuple(range(len(fact.people))))
            columns = [*zip(*(row for row in rows if holds(alone, row)))]
            for n, person in enumerate(fact.people):
                kept = frozenset(columns[n]) if columns else frozenset()
                if kept != domains[person]:
                    domains[person], changed = kept, True
    return domains


def random_problem(
    rng: Random, people: int, most: int, forms: tuple[int, int], determined: bool
) -> Problem:
    """A problem in which the number asked for is determined, or has two values.

    ``forms`` is how many forms of links and of limits there are. In either case, the facts but the
    last leave two values, and the last one excludes one of them or changes nothing.
    """
    while True:
        world = tuple(rng.randint(1, most) for _ in range(people))
        links = _links(rng, world, forms[0])
        if rng.random() < 0.5 and people > 3:  # one of them is missing
            links.pop(rng.randrange(len(links)))
        target = rng.randrange(people)
        left = list[World]()
        for each in Search(Problem(people, most, tuple(links), target)).worlds():
            left.append(each)
            if len(left) > MOST_WORLDS:
                break
        if len(left) > MOST_WORLDS:
            continue
        others = [each for each in left if each[target] != world[target]]
        if not others:
            continue
        twin = rng.choice(others)
        facts = _narrowed(rng, links, left, (world, twin), (most, forms[1], target))
        if facts is None:
            continue
        last = _last(rng, facts, (world, twin), (most, forms, target), determined)
        if last is not None:
            facts = [*facts, last]
            rng.shuffle(facts)
            return Problem(people, most, tuple(facts), target)


def _narrowed(
    rng: Random,
    facts: Sequence[Fact],
    left: Sequence[World],
    twins: tuple[World, World],
    setting: tuple[int, int, int],
) -> list[Fact] | None:
    """The facts, and others that leave no value but those of two worlds; None without such."""
    most, limits, target = setting
    result, values = [*facts], {each[target] for each in twins}
    for _ in range(60):
        if {each[target] for each in left} == values:
            return result
        fact = random_limit(rng, twins[0], most, limits)
        rest = [each for each in left if holds(fact, each)]
        if holds(fact, twins[1]) and len(rest) < len(left) and fact not in result:
            left = rest
            result.append(fact)
    return None


def _last(
    rng: Random,
    facts: Sequence[Fact],
    twins: tuple[World, World],
    setting: tuple[int, tuple[int, int], int],
    determined: bool,
) -> Fact | None:
    """A fact that leaves the first of two worlds, and not the value of the other one if it has to
    be determined; None if there is none.
    """
    most, forms, target = setting
    world, twin = twins
    for _ in range(60):
        fact = random_limit(rng, world, most, forms[1])
        if rng.random() < 0.4:
            one, other = rng.sample(range(len(world)), 2)
            fact = _link(rng, world, one, other, forms[0])
        if fact in facts or holds(fact, twin) == determined:
            continue
        if not determined:
            return fact
        problem = Problem(len(world), most, (*facts, fact), target)
        if settled(problem)[1] is None:
            return fact
    return None


def _links(rng: Random, world: World, forms: int) -> list[Fact]:
    """Equations that link all people, each to one before."""
    order = rng.sample(range(len(world)), len(world))
    return [
        _link(rng, world, person, order[rng.randrange(n)], forms)
        for n, person in enumerate(order[1:], 1)
    ]


def _link(rng: Random, world: World, one: int, other: int, forms: int) -> Fact:
    """An equation that is true of the numbers of two people."""
    if rng.random() < 0.5:
        one, other = other, one
    form = rng.choice(LINKS[:forms])
    if form == "times" and world[one] % world[other]:
        form = "sum"
    if form in ("more", "times") and world[one] < world[other]:
        one, other = other, one
    a, b = world[one], world[other]
    if form == "times" and a % b == 0 and a > b:
        return Fact("times", (one, other), a // b)
    if form in ("more", "differ") and a != b:
        return Fact(form, (one, other), abs(a - b))
    return Fact("sum", (one, other), a + b)


def random_limit(rng: Random, world: World, most: int, forms: int) -> Fact:
    """A fact that is true of a world and leaves many others."""
    form = rng.choice(LIMITS[:forms])
    people = rng.sample(range(len(world)), min(3, len(world)))
    one, other = people[:2]
    a, b = world[one], world[other]
    if form == "multiple" and a % 3 == 0:
        return Fact("multiple", (one,), 3)
    if form == "least" and a > 4:
        return Fact("least", (one,), a - rng.randint(0, 3))
    if form == "most" and a < most - 3:
        return Fact("most", (one,), a + rng.randint(0, 3))
    if form == "sum of three" and len(world) > 3:
        return Fact("sum of three", tuple(people), sum(world[n] for n in people))
    if form == "above" and a != b:
        return Fact("above", (one, other) if a > b else (other, one), 0)
    return Fact("odd" if a % 2 else "even", (one,), 0)
