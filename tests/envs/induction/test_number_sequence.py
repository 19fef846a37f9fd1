"""Tests of induction/number_sequence."""

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.induction import number_sequence

Rule = tuple[int, int, int, int]
Terms = tuple[int, ...]

SEEDS = st.integers(0, 10**6)


@settings(max_examples=10)
@given(SEEDS)
def test_sequences_by_all_rules(seed: int) -> None:
    terms = number_sequence.random_sequence(Random(seed), "second", 8)
    expected = {
        number_sequence.extended("second", [(p, q, 0, s)], terms, 2)[-2:]
        for p, q in product(range(-3, 4), repeat=2)
        for s in range(-30, 31)
        if number_sequence.extended("second", [(p, q, 0, s)], terms[:2], 6) == terms
    }
    assert number_sequence.continuations("second", terms, 2) == expected
    assert expected


def test_fibonacci_and_two_woven_sequences() -> None:
    assert number_sequence.continuations("second", (1, 1, 2, 3, 5, 8, 13, 21), 2) == {(34, 55)}
    assert number_sequence.continuations("woven", (1, 9, 2, 7, 4, 5, 8, 3, 16, 1), 2) == {(32, -1)}


def rules_of(kind: str) -> Iterator[Rule]:
    """Every p, q, r and s that a rule of a kind may have."""
    second = range(-3, 4) if kind == "second" else [0]
    position = range(-5, 6) if kind == "placed" else [0]
    return product(range(-3, 4), second, position, range(-30, 31))


def fits(rule: Rule, terms: Terms, positions: Iterable[int]) -> bool:
    """Whether a rule makes the terms at some positions of the two before them."""
    p, q, r, s = rule
    return all(terms[n - 1] == p * terms[n - 2] + q * terms[n - 3] + r * n + s for n in positions)


def continued(kind: str, terms: Terms) -> set[Terms]:
    """The next three terms by every rule of a kind that fits, by trying them all."""
    length = len(terms)
    if kind == "woven":
        halves = []
        for half in (terms[::2], terms[1::2]):
            steady = [r for r in rules_of(kind) if fits(r, (0, *half), range(3, len(half) + 2))]
            halves.append({grown((0, *half), rule)[len(half) + 1 :] for rule in steady})
        both = product(*halves) if length % 2 == 0 else product(halves[1], halves[0])
        return {(a[0], b[0], a[1]) for a, b in both}
    if kind == "turns":
        odd = [r for r in rules_of(kind) if fits(r, terms, range(3, length + 1, 2))]
        even = [r for r in rules_of(kind) if fits(r, terms, range(4, length + 1, 2))]
        return {grown(terms, a, b)[length:] for a in odd for b in even}
    every = [r for r in rules_of(kind) if fits(r, terms, range(3, length + 1))]
    return {grown(terms, rule)[length:] for rule in every}


def grown(terms: Terms, odd: Rule, even: Rule | None = None) -> Terms:
    """Three terms more, by one rule at odd positions and another at even ones."""
    for _ in range(3):
        position = len(terms) + 1
        p, q, r, s = odd if position % 2 or even is None else even
        terms = (*terms, p * terms[-1] + q * terms[-2] + r * position + s)
    return terms


@pytest.mark.parametrize("level", [0, 1, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_continuations_by_trying_all_rules(seed: int, level: int) -> None:
    task = Address.of("induction/number_sequence", seed, level).task()
    lines = []
    for terms in task.sequences:
        assert ", ".join(map(str, terms)) in task.prompt()
        (following,) = set().union(*(continued(kind, terms) for kind in task.kinds))
        lines.append(following)
    assert task.answer() == "\n".join(", ".join(map(str, line)) for line in lines)
    right = [term for line in lines for term in line]
    assert task.verify(", ".join(map(str, right))).value == 1
    for position, change in product(range(len(right)), (-1, 1)):
        near = [term + change * (position == n) for n, term in enumerate(right)]
        assert task.verify(", ".join(map(str, near))).value < 1
