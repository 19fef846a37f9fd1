"""Tests of critique/counterexample: properties are those that sympy and networkx compute."""

from itertools import combinations
from random import Random

import networkx
import pytest
import sympy
from sympy.combinatorics import Permutation

from palaestra.address import Address
from palaestra.envs.critique.counterexample import Counterexample
from palaestra.generators.critique.counterexample import graphs, numbers, permutations
from palaestra.generators.critique.counterexample.claims import (
    DOMAINS,
    OBJECTS,
    PROPERTIES,
    Atom,
    Claim,
    bits,
    counterexamples,
    refutes,
)

NAME = "critique/counterexample"


def has(domain, clause, thing):
    (known,) = (each for each in PROPERTIES[domain] if each.positive == clause)
    return known.holds(thing)


def test_numbers():
    for n in range(2, 1500):
        factors = sympy.factorint(n)
        expected = {
            "is prime": sympy.isprime(n),
            "is divisible by the square of a prime": max(factors.values()) > 1,
            "is a sum of two squares of whole numbers (0 included)": any(
                sympy.integer_nthroot(n - a * a, 2)[1] for a in range(int(n**0.5) + 1)
            ),
            "has more than 6 divisors (1 and itself included)": len(sympy.divisors(n)) > 6,
            "is less than the sum of its smaller divisors": sum(sympy.divisors(n)[:-1]) > n,
            "has a sum of divisors (itself included) that is divisible by 3": sum(sympy.divisors(n))
            % 3
            == 0,
            "has exactly 2 different prime factors": len(factors) == 2,
            "has a prime factor above 40": max(factors) > 40,
            "is one less than a prime": sympy.isprime(n + 1),
            "has a square that is one less than a prime": sympy.isprime(n * n + 1),
            "is a square": sympy.integer_nthroot(n, 2)[1],
            "has an even number of ones in binary": n.bit_count() % 2 == 0,
        }
        for clause, value in expected.items():
            assert has("numbers", clause, n) == bool(value), (n, clause)


def hamiltonian(graph, closed):
    """By subsets of edges."""
    number = len(graph) if closed else len(graph) - 1
    for edges in combinations(graph.edges, number):
        part = networkx.Graph(edges)
        degrees = sorted(d for _, d in part.degree)
        wanted = [2] * len(graph) if closed else [1, 1, *[2] * (len(graph) - 2)]
        if len(part) == len(graph) and degrees == wanted and networkx.is_connected(part):
            return True
    return False


def test_graphs():
    assert [len(graphs.objects(n)) for n in (4, 5, 6)] == [11, 34, 156]  # OEIS A000088
    for each in (*graphs.objects(4), *graphs.objects(5), *graphs.objects(6)):
        graph = networkx.Graph(each.edges())
        graph.add_nodes_from(range(len(each.rows)))
        whole = networkx.is_connected(graph)
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        cliques = [len(clique) for clique in networkx.find_cliques(graph)]
        free = [len(clique) for clique in networkx.find_cliques(networkx.complement(graph))]
        cycles = {len(cycle) for cycle in networkx.simple_cycles(graph)}
        expected = {
            "is connected": whole,
            "is bipartite": networkx.is_bipartite(graph),
            "has a triangle": max(cliques) > 2,
            "has a cycle of length 4": 4 in cycles,
            "has a cycle": bool(cycles),
            "has a Hamiltonian cycle": hamiltonian(graph, closed=True),
            "has a Hamiltonian path": hamiltonian(graph, closed=False),
            "has a bridge": any(True for _ in networkx.bridges(graph)),
            "has a cut vertex": any(True for _ in networkx.articulation_points(graph)),
            "has three vertices of which no two are joined": max(free) > 2,
            "has a perfect matching": 2 * len(matching) == len(graph),
            "has a connected complement": networkx.is_connected(networkx.complement(graph)),
            "has a path of at most two edges between any two vertices": whole
            and networkx.diameter(graph) <= 2,
            "has vertices that all have the same degree": networkx.is_regular(graph),
        }
        for clause, value in expected.items():
            assert has("graphs", clause, each) == value, (each.edges(), clause)


def test_colourings_with_three_colours():
    """Those of six vertices that need more have a clique of four, or a wheel of odd length."""
    wheel = networkx.wheel_graph(6)
    for each in graphs.objects(6):
        graph = networkx.Graph(each.edges())
        matcher = networkx.algorithms.isomorphism.GraphMatcher(graph, wheel)
        dense = matcher.subgraph_is_monomorphic() or graphs.has_clique(each, 4)
        assert graphs.is_colourable(each, 3) != dense


def test_permutations():
    for row in permutations.objects(5):
        one = Permutation([n - 1 for n in row])
        expected = {
            "has an even number of inversions": one.is_even,
            "has more inversions than its length": one.inversions() > 5,
            "is its own inverse": one**2 == Permutation(4),
            "has a cycle of length 3": 3 in one.cycle_structure,
            "is a single cycle": one.cycle_structure == {5: 1},
            "has an order above its length": one.order() > 5,
            "has a fixed point": 1 in one.cycle_structure,
            "has more ascents than descents": len(one.ascents()) > len(one.descents()),
        }
        for clause, value in expected.items():
            assert has("permutations", clause, row) == value, (row, clause)


@pytest.mark.parametrize("domain", DOMAINS)
def test_tables_agree_with_single_objects(domain):
    rng = Random(3)
    size = {"numbers": 300, "graphs": 5, "permutations": 5}[domain]
    things = OBJECTS[domain](size)
    for _ in range(40):
        first, second, third = rng.sample(range(len(PROPERTIES[domain])), 3)
        claim = Claim(domain, size, (Atom(first, True), Atom(second, False)), Atom(third, True))
        listed = sum(1 << n for n, thing in enumerate(things) if refutes(claim, thing))
        assert counterexamples(claim) == listed


def test_claims_hold_for_small_objects():
    for seed in range(20):
        for each in Address.of(NAME, seed, 3).task().claims:
            if each.domain == "numbers":
                covered = bits(each.domain, each.size, each.premises)
                exceptions = counterexamples(each)
                before = covered & ((exceptions & -exceptions) - 1)
                assert before.bit_count() >= 5
            else:
                assert counterexamples(each, each.size - 1) == 0


ODD = Claim("numbers", 60, (Atom(0, False),), Atom(1, True))  # odd numbers are prime
TRIANGLE = Claim("graphs", 4, (Atom(0, True),), Atom(1, True))  # connected: bipartite
TASK = Counterexample(claims=(ODD, TRIANGLE))


def test_scores():
    assert "1: Every whole number from 2 to 60 that is odd also is prime.\n" in TASK.prompt()
    assert numbers.is_prime(9) is False
    assert TASK.verify("1: 9\n2: A-B, B-C, C-A, C-D").correct
    assert TASK.verify("1. 51\n2. (A, B), (B, C), (A, C), (A, D)").correct
    assert TASK.verify("1: 9\n2: A-B, B-C").reason == "1 of the 2 objects does not refute the claim"
    assert TASK.verify("1: 4\n2: A-B, B-C, C-A").value == 0  # even, and not connected
    with pytest.raises(ValueError, match="from 2 to 60"):
        TASK.verify("1: 1\n2: A-B")
    with pytest.raises(ValueError, match="different edges"):
        TASK.verify("1: 9\n2: A-B, B-A")
