"""Stories drawn at random, and the cases on which models of them are tried."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import NamedTuple

from palaestra.generators.optimisation.write_model import blends, jobs, projects, shipments, talks
from palaestra.generators.optimisation.write_model.parts import (
    Chosen,
    Family,
    Feature,
    Story,
    Values,
    is_constraint,
    relaxed,
    widened,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.modelling.branching import optimum
from palaestra.verifiers.modelling.language import Model, Program, instance, parse
from palaestra.verifiers.modelling.simplex import WorkLimit

FAMILIES: Mapping[str, Family] = {
    "blends": blends.FAMILY,
    "shipments": shipments.FAMILY,
    "projects": projects.FAMILY,
    "jobs": jobs.FAMILY,
    "talks": talks.FAMILY,
}

MIXED = ("blends", "shipments", "projects", "jobs")

FEWEST = 11
"""How many cases there are at least, besides that of the prompt."""

DRAWS = 60
"""How many cases are drawn at most until leaving out any of the conditions shows."""

FURTHER = 40
"""How many are drawn at least where a mistake does not show, since some make no difference."""

EDITS = 16
"""How many models with a random slip of the pen have to show as well."""

HOPELESS = 30
"""After how many a condition that never mattered is given up."""

WORK = 400_000
"""How many entries of dictionaries a model may take in each case."""


class Case(NamedTuple):
    """Numbers for the quantities of a story, and weights of its items if it has no objective."""

    values: tuple[int, ...]
    weights: tuple[int, ...]


class Plan(NamedTuple):
    """A story in short."""

    family: str
    items: tuple[str, ...]
    chosen: tuple[Chosen, ...]


def story_of(plan: Plan) -> Story:
    """The story with its texts and its model."""
    family = FAMILIES[plan.family]
    conditions = tuple(
        family.features[name].build(plan.items, *(plan.items[n] for n in picks))
        for name, picks in plan.chosen
    )
    return Story(family.sense, family.base(plan.items), conditions)


def random_plan(rng: Random, problem: str, size: int, conditions: int) -> Plan:
    """A story of a ``problem`` (linear, mixed, constraints) with so many conditions."""
    if problem == "any":
        problem = rng.choice(("mixed", "mixed", "mixed", "constraints"))
    names = {"linear": ("blends", "shipments"), "mixed": MIXED, "constraints": ("talks",)}[problem]
    family = rng.choice(names)
    number = size + {"blends": 0, "shipments": 1, "projects": 2, "jobs": 0, "talks": 0}[family]
    number = min(number, {"shipments": 5, "jobs": 4, "talks": 5}.get(family, 8))
    conditions = min(conditions, size if problem == "linear" else size + 2)  # more rarely matter
    items = tuple(rng.sample(FAMILIES[family].words, number))
    chosen = _chosen(rng, family, number, problem == "linear", conditions)
    return Plan(family, items, chosen)


def _chosen(
    rng: Random, family: str, number: int, is_linear: bool, conditions: int
) -> tuple[Chosen, ...]:
    """Conditions of a family: at most one of each sort; half of them need integers if any may."""
    features = FAMILIES[family].features
    able = [name for name, each in features.items() if not (is_linear and each.is_mixed)]
    rng.shuffle(able)
    if not is_linear:  # those that need integers first, as long as half of them do not
        able.sort(key=lambda name: not features[name].is_mixed)
        half = -(-conditions // 2)
        able = [*able[:half], *rng.sample(able[half:], len(able) - half)]
    chosen = [Chosen(n, _picked(rng, family, features[n], number)) for n in able[:conditions]]
    rng.shuffle(chosen)
    return tuple(chosen)


def _picked(rng: Random, family: str, feature: Feature, number: int) -> tuple[int, ...]:
    """Items for a condition."""
    if family == "shipments":
        plant, shop = rng.randrange(shipments.PLANTS), rng.randrange(shipments.PLANTS, number)
        return {0: (), 1: (plant,), 2: (plant, shop), -1: (shop,)}[feature.items]
    return tuple(rng.sample(range(number), feature.items))


# ----------------------------------------------------------------------------------------- cases


def random_case(rng: Random, plan: Plan, story: Story, is_shown: bool = False) -> Case:
    """Numbers within the ranges of the story, for which there need not be a solution. Many are at
    the ends of the ranges, unless the case is to be shown: constraints matter more often there.
    """
    values = tuple(
        rng.choice((low, high, rng.randint(low, high))) if not is_shown else rng.randint(low, high)
        for low, high in story.quantities.values()
    )
    has_weights = not story.sense
    weights = tuple(rng.choice((-3, -2, -1, 1, 2, 3)) for _ in plan.items) if has_weights else ()
    return Case(values, weights)


def program_of(model: Model, plan: Plan, names: Sequence[str], case: Case) -> Program:
    """The program of a model in a case. The weights are the objective where there is none.

    Raises :class:`InvalidAnswer` where the model cannot be put into numbers.
    """
    program = instance(model, dict(zip(names, case.values)))
    if not case.weights:
        return program
    weights = {f"slot_{i}": w for i, w in zip(plan.items, case.weights)}
    return program._replace(sense="minimize", objective=weights, constant=0)


def value(model: Model, plan: Plan, names: Sequence[str], case: Case) -> Fraction | None:
    """The optimum of a model in a case; None if there is none, or none without much work."""
    try:
        return optimum(program_of(model, plan, names, case), work=WORK // 2).value
    except WorkLimit:
        return None


def is_optimum(
    model: Model, plan: Plan, names: Sequence[str], case: Case, target: Fraction
) -> bool:
    """Whether the optimum of a model in a case is this one, as far as little work shows."""
    try:
        return optimum(program_of(model, plan, names, case), target, WORK // 2).value == target
    except (WorkLimit, InvalidAnswer):
        return False


def value_by_cases(plan: Plan, names: Sequence[str], case: Case) -> Fraction | None:
    """The optimum by another method than a model of the whole story."""
    values: Values = dict(zip(names, case.values))
    return FAMILIES[plan.family].optimum(plan.items, plan.chosen, values, case.weights)


def omissions(story: Story) -> list[str]:
    """Models without one of the conditions."""
    return [story.without(n).text() for n in range(len(story.conditions))]


def lapses(story: Story) -> list[str]:
    """Models without one of the constraints."""
    lines = story.text().splitlines()
    able = [n for n, line in enumerate(lines) if is_constraint(line)]
    return ["\n".join([*lines[:n], *lines[n + 1 :]]) for n in able]


def mistakes(story: Story) -> list[str]:
    """Models with a slip in a condition, without one of the terms or of the bounds of variables,
    and with continuous variables in place of integer ones. Some are right all the same, as another
    constraint does the work.
    """
    right = story.text()
    slips = [
        story.text(slipped=[n]) for n, part in enumerate(story.conditions) if part.slip is not None
    ]
    lines = right.splitlines()
    short = [
        "\n".join([*lines[:n], " + ".join([*terms[:k], *terms[k + 1 :]]), *lines[n + 1 :]])
        for n, terms in enumerate(line.split(" + ") for line in lines)
        for k in range(len(terms) if len(terms) > 1 else 0)
    ]
    loose = [
        "\n".join([*lines[:n], relaxed(line), *lines[n + 1 :]]) for n, line in enumerate(lines)
    ]
    wide = [
        "\n".join([*lines[:n], wider, *lines[n + 1 :]])
        for n, line in enumerate(lines)
        for wider in widened(line)
    ]
    return [text for text in (*slips, *short, *wide, *loose, relaxed(right)) if text != right]


def edits(rng: Random, story: Story, number: int) -> list[str]:
    """Models with a slip of the pen in a line: a name or number in place of another, a sign or a
    comparison the wrong way round.
    """
    right = story.text()
    lines = [_WORD.findall(line) for line in right.splitlines()]
    names = [word for words in lines for word in words if word[0].isalnum() and len(words) > 2]
    texts = list[str]()
    for _ in range(number):
        row = rng.randrange(len(lines))
        words = [*lines[row]]
        able = [n for n, word in enumerate(words) if word in _TURNED or (n and word[0].isalnum())]
        spot = rng.choice(able)
        words[spot] = _TURNED.get(words[spot]) or rng.choice(names)
        text = "\n".join(" ".join(each) for each in (*lines[:row], words, *lines[row + 1 :]))
        if words != lines[row]:
            texts.append(text)
    return texts


_WORD = re.compile(r"\w+|[<>]=|[^\w\s]")
_TURNED = {"<=": ">=", ">=": "<=", "+": "-", "-": "+", "=": "<="}


def _readable(texts: Iterable[str], names: Sequence[str]) -> list[Model]:
    """The models of texts, as far as they are in the language."""
    models = list[Model]()
    for text in dict.fromkeys(texts):
        with suppress(InvalidAnswer):
            models.append(parse(text, names))
    return models


def adequate_cases(rng: Random, plan: Plan, story: Story) -> tuple[Case, ...]:
    """The case to be shown, and others that tell a right model from wrong ones: each of the
    :func:`omissions` and :func:`lapses` has another optimum in one of them at least, and so have
    the :func:`mistakes` and :func:`edits` that make a difference in a case that was drawn. Empty if
    a condition or a constraint never matters.
    """
    names = [*story.quantities]
    right = parse(story.text(), names)
    needed = _readable([*omissions(story), *lapses(story)], names)
    further = _solved_cases(rng, plan, story, right)

    def pass_all(models: list[Model], case: Case, target: Fraction) -> list[Model]:
        return [each for each in models if is_optimum(each, plan, names, case, target)]

    targets, tried = dict[Case, Fraction](), 0
    for tried, (case, target) in enumerate(further, 1):
        left = pass_all(needed, case, target)
        if len(left) < len(needed) or len(targets) <= FEWEST:
            targets[case] = target
        needed = left
        if not needed or tried > HOPELESS:
            break
    if needed or not targets:
        return ()
    wanted = _readable([*mistakes(story), *edits(rng, story, EDITS)], names)
    for case, target in targets.items():
        wanted = pass_all(wanted, case, target)
    for case, target in further:
        if len(targets) > FEWEST and (not wanted or tried > FURTHER):
            break
        tried += 1
        left = pass_all(wanted, case, target)
        if len(left) < len(wanted) or len(targets) <= FEWEST:
            targets[case] = target
        wanted = left
    return tuple(targets) if len(targets) > FEWEST else ()


def _solved_cases(
    rng: Random, plan: Plan, story: Story, right: Model
) -> Iterator[tuple[Case, Fraction]]:
    """Cases that have a solution, with it; the first is one to be shown."""
    names, is_first = [*story.quantities], True
    for _ in range(DRAWS):
        case = random_case(rng, plan, story, is_shown=is_first)
        target = value(right, plan, names, case)
        if target is not None:
            is_first = False
            yield case, target
