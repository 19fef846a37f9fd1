"""Invented planning domains in the language of STRIPS: actions with conditions and effects.

A state is a whole number, whose bit ``predicate * objects + object`` is set if the predicate is
true of the object.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import NamedTuple

BUDGET = 6_000
"""How many states the planner visits at most."""


class Literal(NamedTuple):
    """That a predicate is true, or false, of a parameter of an action."""

    predicate: int
    parameter: int
    positive: bool


class Schema(NamedTuple):
    """An action with one or two parameters, which stand for different objects. Those of an action
    with two are joined by a link.
    """

    parameters: int
    conditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]


class Domain(NamedTuple):
    """The actions, the number of predicates and objects, and the links between objects."""

    schemas: tuple[Schema, ...]
    predicates: int
    objects: int
    links: tuple[tuple[int, int], ...]
    """Pairs of objects; a link joins the first one to the second, and not the reverse."""


Step = tuple[int, ...]
"""An action, and the objects of its parameters."""


class Ground(NamedTuple):
    """A step as numbers: it is possible in states that have ``value`` on the bits of ``mask``."""

    step: Step
    mask: int
    value: int
    keep: int
    add: int


class Goal(NamedTuple):
    """Bits of a state, and the values that they should have."""

    mask: int
    value: int

    def holds(self, state: int) -> bool:
        """Whether a state satisfies the goal."""
        return state & self.mask == self.value


class Problem(NamedTuple):
    """A domain with a state to start from, a goal, and the length of a shortest plan."""

    domain: Domain
    initial: int
    goal: Goal
    length: int


def random_domain(rng: Random, actions: int, predicates: int, objects: int) -> Domain:
    """A domain in which each action takes something away that it needs, and gives something that
    it does not need. Each predicate is made true by some action, if there are enough.
    """
    schemas = list[Schema]()
    order = rng.sample(range(predicates), predicates)
    for n in range(actions):
        parameters = 1 if n % 3 == 0 else 2
        gained = order[n % predicates]
        target = rng.randrange(parameters)
        slots = [(p, x) for p in range(predicates) for x in range(parameters)]
        slots.remove((gained, target))
        chosen = rng.sample(slots, min(len(slots), parameters + 1))
        conditions = [
            Literal(p, x, k == 0 or rng.random() < 0.6) for k, (p, x) in enumerate(chosen)
        ]
        effects = [Literal(gained, target, True)]
        needed = [each for each in conditions if each.positive]
        spent = rng.choice(needed)
        effects.append(spent._replace(positive=False))
        if parameters == 2 and rng.random() < 0.5:
            p, x = rng.choice(slots)
            if (p, x) != spent[:2]:
                effects.append(Literal(p, x, rng.random() < 0.4))
        schemas.append(Schema(parameters, tuple(sorted(conditions)), tuple(sorted(effects))))
    pairs = [*permutations(range(objects), 2)]
    circle = rng.sample(range(objects), objects)
    links = {(a, b) for a, b in zip(circle, circle[1:] + circle[:1])}
    links |= set(rng.sample(pairs, objects // 2))
    return Domain(tuple(schemas), predicates, objects, tuple(sorted(links)))


@lru_cache(maxsize=256)
def grounded(domain: Domain) -> tuple[Ground, ...]:
    """All steps of a domain."""
    steps = list[Ground]()
    for n, schema in enumerate(domain.schemas):
        options = domain.links if schema.parameters == 2 else [(x,) for x in range(domain.objects)]
        steps += [ground(domain, (n, *objects)) for objects in options]
    return tuple(steps)


def ground(domain: Domain, step: Step) -> Ground:
    """A step as numbers."""
    schema, objects = domain.schemas[step[0]], step[1:]

    def bit(literal: Literal) -> int:
        return 1 << (literal.predicate * domain.objects + objects[literal.parameter])

    mask = sum(bit(each) for each in schema.conditions)
    value = sum(bit(each) for each in schema.conditions if each.positive)
    add = sum(bit(each) for each in schema.effects if each.positive)
    lost = sum(bit(each) for each in schema.effects if not each.positive)
    return Ground(step, mask, value, ~lost, add)


Layers = list[dict[int, tuple[int, Step] | None]]
"""For each number of steps the states that take so many, each with the one before and the step."""


def layers(domain: Domain, initial: int, depth: int, goal: Goal | None = None) -> Layers:
    """The states that can be reached, by the least number of steps, up to a depth or to the goal.

    The last layer is the one of the depth, or has the goal; there are fewer layers if no more
    states can be reached, or if their number exceeds the budget.
    """
    steps = [(each.mask, each.value, each.keep, each.add, each.step) for each in grounded(domain)]
    result: Layers = [{initial: None}]
    seen = {initial}
    while len(result) <= depth and len(seen) <= BUDGET:
        if goal and any(map(goal.holds, result[-1])):
            break
        new: dict[int, tuple[int, Step] | None] = {}
        for state in result[-1]:
            for mask, value, keep, add, step in steps:
                if state & mask == value:
                    after = state & keep | add
                    if after not in seen:
                        seen.add(after)
                        new[after] = state, step
        if not new:
            break
        result.append(new)
    return result


def random_problem(rng: Random, domain: Domain, depth: int) -> Problem | None:
    """A problem with a shortest plan of a length, or None if no state takes so many steps.

    The goal is what distinguishes a state of that depth from all that take fewer steps.
    """
    bits = domain.predicates * domain.objects
    initial = sum(1 << n for n in range(bits) if rng.random() < 0.45)
    reached = layers(domain, initial, depth)
    if len(reached) <= depth:
        return None
    target = rng.choice([*reached[depth]])
    mask = (1 << bits) - 1
    nearer = [state for layer in reached[:depth] for state in layer]
    # What the initial state has already goes first, as it makes an easy goal.
    same = [n for n in range(bits) if not (initial ^ target) >> n & 1]
    differ = [n for n in range(bits) if (initial ^ target) >> n & 1]
    for n in (*rng.sample(same, len(same)), *rng.sample(differ, len(differ))):
        smaller = Goal(mask & ~(1 << n), target & mask & ~(1 << n))
        if not any(map(smaller.holds, nearer)):
            mask = smaller.mask
    return Problem(domain, initial, Goal(mask, target & mask), depth)


@lru_cache(maxsize=64)
def shortest_plan(problem: Problem) -> tuple[tuple[Step, ...], int] | None:
    """A shortest plan and the number of states visited, or None if the budget does not suffice."""
    reached = layers(problem.domain, problem.initial, problem.length, problem.goal)
    state = next(filter(problem.goal.holds, reached[-1]), None)
    if state is None:
        return None
    steps = list[Step]()
    for layer in reversed(reached):
        link = layer[state]
        if link:
            state, step = link
            steps.append(step)
    return tuple(reversed(steps)), sum(map(len, reached))


class Names(NamedTuple):
    """The names of actions, predicates and objects."""

    actions: tuple[str, ...]
    predicates: tuple[str, ...]
    objects: tuple[str, ...]


PARAMETERS = ("X", "Y")


def _phrase(literal: Literal, names: Names) -> str:
    not_ = "" if literal.positive else "not "
    return f"{PARAMETERS[literal.parameter]} is {not_}{names.predicates[literal.predicate]}"


def in_prose(schema: Schema, name: str, names: Names) -> str:
    """An action in words."""
    shown = " ".join(PARAMETERS[: schema.parameters])
    conditions = ["X is linked to Y"] * (schema.parameters - 1)
    conditions += [_phrase(each, names) for each in schema.conditions]
    effects = ", ".join(_phrase(each, names) for each in schema.effects)
    return f"- {name} {shown}: possible if {', '.join(conditions)}. Afterwards, {effects}."


def facts(state: int, domain: Domain) -> list[tuple[int, int]]:
    """The predicates that are true in a state, each with an object."""
    pairs = (divmod(n, domain.objects) for n in range(domain.predicates * domain.objects))
    return [(p, x) for p, x in pairs if state >> (p * domain.objects + x) & 1]


def world_in_prose(problem: Problem, names: Names) -> str:
    """The actions, the links, the first state and the goal in words."""
    domain = problem.domain
    actions = "\n".join(
        in_prose(schema, name, names) for schema, name in zip(domain.schemas, names.actions)
    )
    true = facts(problem.initial, domain)
    states = "\n".join(
        f"- {name} is "
        + (", ".join(names.predicates[p] for p, x in true if x == n) or "nothing of all this")
        for n, name in enumerate(names.objects)
    )
    links = ", ".join(f"{names.objects[a]} to {names.objects[b]}" for a, b in domain.links)
    wanted = facts(problem.goal.mask, domain)
    right = {*facts(problem.goal.value, domain)}
    goal = ", ".join(
        f"{names.objects[x]} is {'' if (p, x) in right else 'not '}{names.predicates[p]}"
        for p, x in wanted
    )
    return (
        f"These are the actions, where X and Y are different objects:\n{actions}\n\nLinks, which "
        f"hold in one direction: {links}.\n\nAt first:\n{states}\n\nThe goal: {goal}."
    )


def in_pddl(problem: Problem, names: Names) -> str:
    """The domain and the problem in the planning domain definition language."""
    domain = problem.domain

    def literal(positive: bool, predicate: int, term: str) -> str:
        atom = f"({names.predicates[predicate]} {term})"
        return atom if positive else f"(not {atom})"

    def conjunction(literals: Sequence[Literal], *more: str) -> str:
        terms = [
            literal(each.positive, each.predicate, f"?{'xy'[each.parameter]}") for each in literals
        ]
        return f"(and {' '.join([*more, *terms])})"

    linked = ["(linked ?x ?y)"]  # what a step with two objects needs
    actions = "\n".join(
        f"  (:action {name}\n    :parameters ({' '.join(('?x', '?y')[: schema.parameters])})\n"
        f"    :precondition "
        f"{conjunction(schema.conditions, *linked[: schema.parameters - 1])}\n"
        f"    :effect {conjunction(schema.effects)})"
        for schema, name in zip(domain.schemas, names.actions)
    )
    predicates = " ".join(f"({name} ?x)" for name in names.predicates)
    true = [literal(True, p, names.objects[x]) for p, x in facts(problem.initial, domain)]
    true += [f"(linked {names.objects[a]} {names.objects[b]})" for a, b in domain.links]
    right = {*facts(problem.goal.value, domain)}
    wanted = facts(problem.goal.mask, domain)
    goal = " ".join(literal((p, x) in right, p, names.objects[x]) for p, x in wanted)
    return (
        "(define (domain invented)\n  (:requirements :strips :negative-preconditions)\n"
        f"  (:predicates {predicates} (linked ?x ?y))\n{actions})\n\n"
        "(define (problem one)\n  (:domain invented)\n"
        f"  (:objects {' '.join(names.objects)})\n  (:init {' '.join(true)})\n"
        f"  (:goal (and {goal})))"
    )


def by_name(names: Sequence[str]) -> Mapping[str, int]:
    """The indices of names."""
    return {name: n for n, name in enumerate(names)}
