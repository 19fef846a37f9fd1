"""Tests of inference in Bayesian networks: elimination of variables against all worlds."""

from fractions import Fraction
from random import Random

import pytest

from palaestra.generators.bayesian_networks import (
    conditional,
    number_of_worlds,
    probability,
    sparse_network,
    structure,
    worlds,
)


def total(network, fixed, forced):
    return sum(
        chance
        for world, chance in worlds(network, forced)
        if all(world[node] == value for node, value in fixed.items())
    )


@pytest.mark.parametrize("seed", range(30))
def test_elimination_agrees_with_enumeration(seed):
    rng = Random(seed)
    network = sparse_network(rng, rng.randint(1, 6), rng.randint(1, 3), 3, rng.randint(5, 12))
    assert sum(chance for _, chance in worlds(network)) == 1
    assert len([*worlds(network)]) == number_of_worlds(network)
    claims = {
        node: rng.randrange(len(network[node].values))
        for node in rng.sample(range(len(network)), rng.randint(1, len(network)))
    }
    cut = rng.randint(1, len(claims))
    fixed, forced = dict([*claims.items()][:cut]), dict([*claims.items()][cut:])
    result = probability(network, fixed, forced)
    assert result.value == total(network, fixed, forced)
    (node, value), *known = fixed.items()
    part = conditional(network, ((node, value),), tuple(known), tuple(forced.items()))
    assert part.value == result.value / (total(network, dict(known), forced) if known else 1)


def test_rows_of_different_sums_are_allowed():
    network = sparse_network(Random(1), 2, 1, 2, 6)
    (_, _, _, _), second = network
    doubled = second._replace(table=(tuple(2 * w for w in second.table[0]), second.table[1]))
    other = (network[0], doubled)
    assert probability(other, {1: 0}).value == probability(network, {1: 0}).value
    assert structure(other) != structure(network)


def test_parents_matter():
    for seed in range(20):
        network = sparse_network(Random(seed), 5, 2, 3, 6)
        for variable in network:
            assert len(variable.table) == 1 or len({*variable.table}) > 1
            assert all(Fraction(w, sum(row)) > 0 for row in variable.table for w in row)
