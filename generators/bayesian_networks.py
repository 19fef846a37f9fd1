"""Bayesian networks with rational tables: random ones, in words, and exact inference in them.

The tables contain whole weights: a row stands for the probabilities ``weight / sum of the row``.
Variables are elements of a network, as a tuple in topological order. Inference is by elimination
of variables (Zhang and Poole, 1994), in whole numbers throughout.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from random import Random
from typing import NamedTuple

from palaestra.generators.dags import ancestors, random_parents

NAMES = (
    "Alarm", "Beacon", "Boiler", "Camera", "Clock", "Fan", "Filter", "Gate", "Heater", "Horn",
    "Lamp", "Meter", "Motor", "Pump", "Relay", "Router", "Scanner", "Sensor", "Siren", "Switch",
    "Timer", "Turbine", "Valve", "Winch",
)  # fmt: skip
"""Names of variables. Their order and their usual connections say nothing about a network."""

VALUES: tuple[tuple[str, ...], ...] = (("on", "off"), ("low", "medium", "high"))

Assignment = Mapping[int, int]
"""Values of some variables: indices of values by those of variables."""


Claims = tuple[tuple[int, int], ...]
"""Variables with their values, both as indices."""


class Variable(NamedTuple):
    """A variable with its table, which has a row for each combination of values of the parents, in
    the order in which the last parent changes first.
    """

    name: str
    values: tuple[str, ...]
    parents: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]


Network = tuple[Variable, ...]


class Inference(NamedTuple):
    """A probability, and the number of products that were needed for it."""

    value: Fraction
    work: int


# --------------------------------------------------------------------------- random networks


def random_row(rng: Random, values: int, denominator: int) -> tuple[int, ...]:
    """Random positive weights that add up to a denominator, which is at least their number.

    >>> sum(random_row(Random(1), 3, 10))
    10
    """
    cuts = sorted(rng.sample(range(1, denominator), values - 1))
    return tuple(high - low for low, high in zip((0, *cuts), (*cuts, denominator)))


def random_network(
    rng: Random, parents: Sequence[tuple[int, ...]], most_values: int, denominator: int
) -> Network:
    """A network with these parents, names in random order, and variables of 2 to ``most_values``
    values.
    """
    names = rng.sample(NAMES, len(parents))
    values = [VALUES[rng.randint(2, most_values) - 2] for _ in parents]
    variables = list[Variable]()
    for node, above in enumerate(parents):
        rows = prod(len(values[parent]) for parent in above)
        table = tuple(random_row(rng, len(values[node]), denominator) for _ in range(rows))
        while rows > 1 and len(set(table)) == 1:
            table = tuple(random_row(rng, len(values[node]), denominator) for _ in range(rows))
        variables.append(Variable(names[node], values[node], above, table))
    return tuple(variables)


def sparse_network(
    rng: Random, nodes: int, most_parents: int, most_values: int, denominator: int
) -> Network:
    """A network of a random graph whose nodes have 1.5 parents on average, if they may have."""
    dag = random_parents(rng, nodes, most_parents, 1.5, window=max(3, most_parents + 1))
    return random_network(rng, dag, most_values, denominator)


def dag_of(network: Network) -> tuple[tuple[int, ...], ...]:
    """The parents of each variable."""
    return tuple(variable.parents for variable in network)


def structure(network: Network) -> str:
    """A network without names: equal for networks that differ in these only."""
    return str([(variable.parents, variable.table) for variable in network])


# ---------------------------------------------------------------------------------- in words


def weights(network: Network, node: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The rows of a table, each behind the values of the parents that it is for."""
    variable = network[node]
    above = [range(len(network[parent].values)) for parent in variable.parents]
    return zip(product(*above), variable.table)


def chances(row: Sequence[int]) -> list[Fraction]:
    """The probabilities of a row."""
    total = sum(row)
    return [Fraction(weight, total) for weight in row]


def in_tables(network: Network, order: Sequence[int]) -> str:
    """The tables of variables in an order, a paragraph for each.

    >>> rain = Variable("Rain", ("on", "off"), (), ((1, 3),))
    >>> print(in_tables((rain, Variable("Lamp", ("on", "off"), (0,), ((1, 1), (1, 4)))), [1, 0]))
    Lamp (on, off); parents: Rain
    Rain = on: 1/2, 1/2
    Rain = off: 1/5, 4/5
    <BLANKLINE>
    Rain (on, off); no parents
    1/4, 3/4
    """
    paragraphs = []
    for node in order:
        variable = network[node]
        above = [network[parent] for parent in variable.parents]
        parents = ", ".join(parent.name for parent in above)
        head = f"parents: {parents}" if above else "no parents"
        lines = [f"{variable.name} ({', '.join(variable.values)}); {head}"]
        for values, row in weights(network, node):
            case = ", ".join(f"{p.name} = {p.values[v]}" for p, v in zip(above, values))
            cells = ", ".join(map(str, chances(row)))
            lines.append(f"{case}: {cells}" if case else cells)
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def in_prose(network: Network, order: Sequence[int]) -> str:
    """The tables of variables in an order as sentences, a paragraph for each.

    >>> in_prose((Variable("Rain", ("on", "off"), (), ((1, 3),)),), [0])
    'Rain is on with probability 1/4 and off with probability 3/4.'
    """
    paragraphs = []
    for node in order:
        variable = network[node]
        above = [network[parent] for parent in variable.parents]
        sentences = []
        for values, row in weights(network, node):
            case = " and ".join(f"{p.name} is {p.values[v]}" for p, v in zip(above, values))
            cells = [f"{v} with probability {p}" for v, p in zip(variable.values, chances(row))]
            listed = f"{', '.join(cells[:-1])} and {cells[-1]}"
            start = f"If {case}, then " if case else ""
            sentences.append(f"{start}{variable.name} is {listed}.")
        paragraphs.append(" ".join(sentences))
    return "\n\n".join(paragraphs)


MARKOV = (
    "If the values of its parents are known, a variable is independent of all other variables that "
    "are not its descendants."
)
PRODUCT = (
    "The joint probability of values of all variables is the product of the probabilities of these "
    "values, each under the values of the parents."
)
"""What the tables of a network mean, in two wordings."""


def described(network: Network, order: Sequence[int], rendering: str, meaning: str) -> str:
    """A network in ``"tables"`` or in ``"prose"``, with one of the meanings above."""
    if rendering == "tables":
        return (
            "In the tables of this Bayesian network, the possible values of a variable stand in "
            "brackets behind its name. Each row below them states the probabilities of these "
            "values, in the same order, for one combination of values of the parents. "
            f"{meaning}\n\n{in_tables(network, order)}"
        )
    return (
        f"The states of {len(network)} devices are the variables of a Bayesian network. The "
        "parents of a variable are the others that its paragraph below names. "
        f"{meaning}\n\n{in_prose(network, order)}"
    )


def clause(network: Network, node: int, value: int) -> str:
    """The clause that a variable has a value, as in ``Lamp is on``."""
    return f"{network[node].name} is {network[node].values[value]}"


# --------------------------------------------------------------------------------- inference

Factor = tuple[tuple[int, ...], dict[tuple[int, ...], int]]


def probability(network: Network, fixed: Assignment, forced: Assignment | None = None) -> Inference:
    """The probability that variables have these values, while others are forced to values.

    A forced variable has its value whatever its parents are: it is the intervention ``do`` of
    causal models. No variable is both fixed and forced.

    >>> rain = Variable("Rain", ("on", "off"), (), ((1, 3),))
    >>> lamp = Variable("Lamp", ("on", "off"), (0,), ((1, 1), (1, 4)))
    >>> probability((rain, lamp), {1: 0}).value, probability((rain, lamp), {0: 0}, {1: 0}).value
    (Fraction(11, 40), Fraction(1, 4))
    """
    forced = forced or {}
    assigned = {**fixed, **forced}
    dag = [() if node in forced else variable.parents for node, variable in enumerate(network)]
    relevant = ancestors(dag, fixed)
    scale, factors = 1, list[Factor]()
    for node in sorted(relevant - forced.keys()):
        below = lcm(*map(sum, network[node].table))
        scale *= below
        factors.append(_factor(network, node, assigned, below))
    work = 0
    free = relevant - assigned.keys()
    while free:
        # The variable whose factors have the fewest other variables is the cheapest to sum out.
        node = min(sorted(free), key=lambda each: len(_scope(factors, each)))
        free.remove(node)
        scope = _scope(factors, node)
        involved = [factor for factor in factors if node in factor[0]]
        factors = [factor for factor in factors if node not in factor[0]]
        summed, products = _summed(network, node, scope, involved)
        work += products
        factors.append(summed)
    value = Fraction(prod(table[()] for _, table in factors), scale)
    return Inference(value, work + len(factors))


def _factor(network: Network, node: int, assigned: Assignment, below: int) -> Factor:
    """The table of a variable as a factor of those that have no value yet, over ``below``."""
    scope = (*network[node].parents, node)
    open_scope = tuple(each for each in scope if each not in assigned)
    table = dict[tuple[int, ...], int]()
    for values, row in weights(network, node):
        multiple = below // sum(row)
        for value, weight in enumerate(row):
            full = dict(zip(scope, (*values, value)))
            if all(assigned.get(each, full[each]) == full[each] for each in scope):
                table[tuple(full[each] for each in open_scope)] = weight * multiple
    return open_scope, table


def _scope(factors: Sequence[Factor], node: int) -> tuple[int, ...]:
    """The other variables of the factors that depend on a variable."""
    return tuple(sorted({each for scope, _ in factors if node in scope for each in scope} - {node}))


def _summed(
    network: Network, node: int, scope: tuple[int, ...], factors: Sequence[Factor]
) -> tuple[Factor, int]:
    """The sum over a variable of the product of factors, and the number of products."""
    values = range(len(network[node].values))
    index = {each: n for n, each in enumerate((*scope, node))}
    picks = [([index[each] for each in own], table) for own, table in factors]
    result, products = dict[tuple[int, ...], int](), 0
    for case in product(*(range(len(network[each].values)) for each in scope)):
        total = 0
        for value in values:
            full = (*case, value)
            total += prod(table[tuple([full[n] for n in pick])] for pick, table in picks)
            products += len(picks)
        result[case] = total
    return (scope, result), products


@lru_cache(maxsize=512)
def conditional(network: Network, event: Claims, known: Claims, forced: Claims = ()) -> Inference:
    """The probability of values of variables under a condition of positive probability.

    The three groups of claims name different variables.
    """
    both = probability(network, dict((*event, *known)), dict(forced))
    if not known:
        return both
    condition = probability(network, dict(known), dict(forced))
    return Inference(both.value / condition.value, both.work + condition.work)


def worlds(
    network: Network, forced: Assignment | None = None
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """All assignments of values to all variables with their probabilities, one by one."""
    forced = forced or {}
    for values in product(*(range(len(variable.values)) for variable in network)):
        if any(values[node] != value for node, value in forced.items()):
            continue
        chance = Fraction(1)
        for node, variable in enumerate(network):
            if node not in forced:
                row = 0
                for parent in variable.parents:
                    row = row * len(network[parent].values) + values[parent]
                chance *= Fraction(variable.table[row][values[node]], sum(variable.table[row]))
        yield values, chance


def number_of_worlds(network: Network) -> int:
    """How many assignments :func:`worlds` gives without forced variables."""
    return prod(len(variable.values) for variable in network)


def numbers(network: Network) -> set[Fraction]:
    """All probabilities of the tables."""
    return {chance for variable in network for row in variable.table for chance in chances(row)}
