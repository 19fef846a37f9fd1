"""Random sequents of propositional logic, in which the goal needs every premise."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.verifiers.proofs.formulas import Formula, truth_table

FORMULAS = 40
"""Formulas that are tried for each place of a sequent."""


class Sequent(NamedTuple):
    """Premises, and a goal that they entail."""

    premises: tuple[Formula, ...]
    goal: Formula


def random_formula(
    rng: Random, names: Sequence[str], connectives: int, links: Sequence[str]
) -> Formula:
    """A random formula with at most so many connectives, without double negations, and without
    two equal parts of a connective.

    ``links`` are connectives of two parts, and ``not``; as often as they are listed, they occur.
    """
    if not connectives:
        return (rng.choice(names),)
    link = rng.choice(links)
    if link == "not":
        part = random_formula(rng, names, connectives - 1, links)
        return part if part[0] == "not" else ("not", part)
    left = rng.randrange(connectives)
    one = random_formula(rng, names, left, links)
    other = random_formula(rng, names, connectives - 1 - left, links)
    return one if one == other else (link, one, other)


def random_sequent(
    rng: Random,
    names: Sequence[str],
    sizes: Sequence[int],
    links: Sequence[str],
) -> Sequent | None:
    """A sequent with formulas of these numbers of connectives, the last for the goal.

    The premises are consistent, and the goal does not follow from fewer of them. None if no goal is
    found in a few tries.
    """
    everywhere = (1 << (1 << len(names))) - 1
    premises, tables = list[Formula](), list[int]()
    models = everywhere
    for size in sizes[:-1]:
        for _ in range(FORMULAS):
            formula = random_formula(rng, names, size, links)
            table = truth_table(formula, names)
            if models & table not in {0, models}:
                break
        else:
            return None
        premises.append(formula)
        tables.append(table)
        models &= table
    fewer = [everywhere] * len(tables)
    for n in range(len(tables)):
        for other, table in enumerate(tables):
            fewer[n] &= table if n != other else everywhere
    for _ in range(FORMULAS):
        goal = random_formula(rng, names, sizes[-1], links)
        false = everywhere & ~truth_table(goal, names)
        if not models & false and all(each & false for each in fewer):
            return Sequent(tuple(premises), goal)
    return None
