"""Counterexamples, whose part in mathematics is the subject of Imre Lakatos (1976).

The claims hold for all small objects, and for most of the others with the same properties.
"""

import re
from collections.abc import Iterable, Mapping
from random import Random
from string import ascii_uppercase
from typing import Any, Self

from palaestra.generators.bitsets import ones
from palaestra.generators.critique.counterexample.claims import (
    DOMAINS,
    OBJECTS,
    Claim,
    Domain,
    Rarity,
    bits,
    claim,
    counterexamples,
    first_object,
    is_listed,
    negated,
    phrase,
    refutes,
)
from palaestra.generators.critique.counterexample.graphs import Graph
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines, listed, number_list, without
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.nodes import edge_list
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import joined

NO_EDGES = "none"

_PAIR = re.compile(r"\b([A-Z])([A-Z])\b")

TERMS: Mapping[Domain, str] = {
    "numbers": "",
    "graphs": (
        "Graphs are simple: an edge joins two different vertices, at most one joins each pair. A "
        "path or cycle visits no vertex twice, and a Hamiltonian one visits all vertices; a bridge "
        "is an edge, and a cut vertex a vertex, without which the graph has more components; a "
        "perfect matching is a set of edges of which each vertex has exactly one."
    ),
    "permutations": (
        "A permutation is a row p(1), p(2), ... of the numbers from 1 to n, each once, where n is "
        "its length. Its inversions are the pairs of which the greater number comes first; an "
        "ascent (descent) is a number followed directly by a greater (smaller) one; a fixed point "
        "is an i with p(i) = i; its cycles are those of i -> p(i), and its order is the least "
        "common multiple of their lengths. Subsequences need not be contiguous; a number's own "
        "position is that in 1, 2, ..., n, and positions count from 1."
    ),
}


class Counterexample(Puzzle):
    """Refute claims about numbers, graphs and permutations, each by a counterexample."""

    tags = {"mathematics", "search", "logic"}

    class Knobs(Puzzle.Knobs):
        claims: int = ladder(2, 2, 2, 3, 3, 4, 4, low=1, high=6)
        premises: int = ladder(1, 1, 2, 2, 2, 3, 3, high=4)
        largest: int = ladder(60, 120, 250, 500, 1000, 1800, 3000, low=50)  # of the numbers
        vertices: int = ladder(4, 5, 5, 6, low=4)
        length: int = ladder(4, 4, 5, 5, 6, 6, 7, low=4)  # of the permutations
        percent: int = ladder(30, 25, 20, 15, 12, 8, 5)  # counterexamples, at most

    claims: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = {
            "numbers": knobs.largest,
            "graphs": knobs.vertices,
            "permutations": knobs.length,
        }
        rarity = Rarity(knobs.percent / 100, 0.3)
        start = rng.randrange(len(DOMAINS))
        domains = [DOMAINS[(start + n) % len(DOMAINS)] for n in range(knobs.claims)]
        return cls(
            claims=tuple(
                claim(rng, domain, sizes[domain], knobs.premises, rarity) for domain in domains
            )
        )

    def prompt(self) -> str:
        task = self.phrase(
            "Each of these claims is false, though it holds in many cases. Find a counterexample "
            "to each:",
            "None of the following claims holds without exception. Refute each of them by a "
            "counterexample:",
        )
        domains = sorted({each.domain for each in self.claims})
        terms = " ".join(filter(None, (TERMS[domain] for domain in domains)))
        sizes = [self.example(each, n) for n, each in enumerate(self.claims)]
        forms = {
            "numbers": "the number",
            "graphs": f"the edges of the graph (or {NO_EDGES} if it has no edges)",
            "permutations": "the permutation as a row of numbers",
        }
        answers = " and ".join(f"{forms[domain]} for a claim about {domain}" for domain in domains)
        listed = numbered(map(claim_text, self.claims))
        return (
            f"{task}\n{listed}\n\n{terms}".rstrip() + "\n\nA counterexample has all the properties "
            "that the claim starts from, but not the last one. Any counterexample within the "
            f"stated range will do. Answer with a line for each claim: its number, and {answers}. "
            f"The answer looks like this:\n{numbered(sizes)}"
        )

    @staticmethod
    def example(each: Claim, n: int) -> str:
        """An object that is no counterexample."""
        things = OBJECTS[each.domain](each.size)
        some = (thing for thing in things[3 + n :] if not refutes(each, thing))
        return _as_text(each, next(some))

    def answer(self) -> str:
        return numbered(_as_text(each, solution(each)) for each in self.claims)

    def read(self, answer: str) -> list[Any]:
        """The object that an answer states for each claim. Raises :class:`InvalidAnswer`."""
        lines = answer_lines(answer, len(self.claims), ["claim", "counterexample"])
        return [_object(each, text) for each, text in zip(self.claims, lines)]

    def verify(self, answer: str) -> Score:
        things = self.read(answer)
        right = sum(map(refutes, self.claims, things))
        parts = {"progress": right / len(things)}
        if right == len(things):
            return Score(1, parts=parts)
        wrong = len(things) - right
        are = "does" if wrong == 1 else "do"
        return Score(0, f"{wrong} of the {len(things)} objects {are} not refute the claim", parts)

    def audit(self, answer: str) -> bool:
        """Look the objects up in tables of all objects; graphs by an invariant."""
        return all(map(is_listed, self.claims, self.read(answer)))

    def difficulty(self) -> float:
        """The properties looked at by a search among the objects that have the premises."""
        return float(sum(covered_before(each) * (len(each.premises) + 1) for each in self.claims))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who look at the premises alone, or at the conclusion alone."""
        covered = [ones(bits(each.domain, each.size, each.premises)) for each in self.claims]
        without = [
            ones(bits(each.domain, each.size, [negated(each.conclusion)])) for each in self.claims
        ]
        chosen = {
            "first with the premises": [each[0] for each in covered],
            "last with the premises": [each[-1] for each in covered],
            "random with the premises": [rng.choice(each) for each in covered],
            "first without the conclusion": [each[0] for each in without],
            "last without the conclusion": [each[-1] for each in without],
            "random without the conclusion": [rng.choice(each) for each in without],
        }
        return {player: self.chosen(indices) for player, indices in chosen.items()}

    def chosen(self, indices: Iterable[int]) -> str:
        """The objects of these indices as an answer."""
        return numbered(
            _as_text(each, OBJECTS[each.domain](each.size)[index])
            for each, index in zip(self.claims, indices)
        )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(claims=1, premises=1, largest=60, vertices=4, length=4, percent=30)

    def candidates(self) -> Iterable[str]:
        (each,) = self.claims
        return (numbered([_as_text(each, thing)]) for thing in OBJECTS[each.domain](each.size))


def solution(each: Claim) -> Any:
    """The first counterexample of the table."""
    return first_object(each, counterexamples(each))


def covered_before(each: Claim) -> int:
    """The number of objects with the premises up to the first counterexample, itself included."""
    exceptions = counterexamples(each)
    low = exceptions & -exceptions
    return (bits(each.domain, each.size, each.premises) & (2 * low - 1)).bit_count()


def claim_text(each: Claim) -> str:
    """A claim as a sentence."""
    letters = ascii_uppercase[: each.size]
    subject = {
        "numbers": f"Every whole number from 2 to {each.size}",
        "graphs": f"Every graph with the {each.size} vertices {joined(letters)}",
        "permutations": f"Every permutation of the numbers from 1 to {each.size}",
    }[each.domain]
    premises = " and that ".join(phrase(each.domain, atom) for atom in each.premises)
    return f"{subject} that {premises} also {phrase(each.domain, each.conclusion)}."


def _as_text(each: Claim, thing: Any) -> str:
    if each.domain == "numbers":
        return str(thing)
    if each.domain == "permutations":
        return " ".join(map(str, thing))
    edges = [f"{ascii_uppercase[u]}-{ascii_uppercase[v]}" for u, v in thing.edges()]
    return joined(edges) or NO_EDGES


def _object(each: Claim, text: str) -> Any:
    if each.domain == "numbers":
        number = integer(text)
        if not 2 <= number <= each.size:
            raise InvalidAnswer(f"expected a number from 2 to {each.size}")
        return number
    if each.domain == "permutations":
        row = tuple(number_list(text, what="a permutation"))
        if sorted(row) != [*range(1, each.size + 1)]:
            raise InvalidAnswer(f"expected a permutation of the numbers from 1 to {each.size}")
        return row
    text = _PAIR.sub(r"\1-\2", listed(without(text, ["edge"])))
    edges = edge_list(text, ascii_uppercase[: each.size])
    if any(u == v for u, v in edges) or len({frozenset(edge) for edge in edges}) < len(edges):
        raise InvalidAnswer("expected different edges, each with two ends")
    return Graph.of(each.size, edges)
