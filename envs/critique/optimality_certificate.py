"""Proofs of optimality: duality, after John von Neumann (1947) and Dénes Kőnig (1931), and
combinatorial bounds where duality leaves a gap, after Jack Edmonds (1965).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from string import ascii_uppercase
from typing import Self

from palaestra.generators.critique.optimality_certificate.problems import (
    SORTS,
    Problem,
    Proof,
    careless_proofs,
    example,
    is_tight,
    proof,
    random_problem,
    violation,
)
from palaestra.scenes import Cell, Edge, Graph, Node, Panels, Table
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, numbered, pairs
from palaestra.verifiers.reading.nodes import groups, node_set
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined

NONE = "none"

FORMS: Mapping[str, str] = {
    "cut": (
        "Flow: a proof is a set of vertices with the source and without the sink, such that the "
        "capacities of all arcs from a vertex in the set to one outside add up to the value of the "
        "flow."
    ),
    "cover": (
        "Matching, proved by a cover: a proof is a set of vertices, as many as the matching has "
        "edges, such that every edge of the graph has at least one end in the set."
    ),
    "partition": (
        "Independent set: a proof is a partition of all vertices into parts, separated by "
        "semicolons. Each vertex is in exactly one part. A part whose vertices are pairwise "
        "adjacent, or that is a single vertex, counts 1. Any other part has to be a cycle, its "
        "vertices listed in the order of the cycle, and counts half of its number of vertices, "
        "rounded down. The counts of all parts have to add up to the size of the independent set."
    ),
    "barrier": (
        "Matching, proved by a barrier: a proof is a set U of vertices such that n + u - q is "
        "twice the size of the matching, where n is the number of vertices of the graph, u is that "
        "of U, and q is the number of connected components of the graph without U that have an "
        f"odd number of vertices. Write '{NONE}' for an empty set."
    ),
    "dual": (
        "Linear program: a proof is a multiplier for each constraint, in their order, none of "
        "them negative (fractions such as 3/2 are allowed). Each constraint is multiplied by its "
        "number and all are added up; the sum must have for each variable a coefficient that is at "
        "least the one of the objective, and the value of the maximum as its right side."
    ),
}


class OptimalityCertificate(Puzzle):
    """Prove for each of several problems that its optimum cannot be exceeded."""

    tags = {"optimisation", "mathematics", "proof", "search"}

    class Knobs(Puzzle.Knobs):
        problems: int = ladder(2, 2, 3, 3, 4, 5, 5, low=1, high=6)
        sorts: int = ladder(2, 3, 3, 4, 5, 5, 5, low=1)
        size: int = ladder(6, 8, 9, 11, 13, 15, 18, low=6, high=22)  # vertices
        cycles: int = ladder(0, 0, 1, 2, 2, 2, 3, low=0, high=3)  # of a partition

    problems: tuple[Problem, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        start = rng.randrange(knobs.sorts)
        sorts = [SORTS[(start + n) % knobs.sorts] for n in range(knobs.problems)]
        problems = [random_problem(rng, sort, knobs.size, knobs.cycles) for sort in sorts]
        return cls(problems=tuple(problems))

    def prompt(self) -> str:
        opening = self.phrase(
            "The optimum of each of these problems is known. Prove for each that no solution is "
            "better.",
            "Below are problems with the values of their best solutions. Show for each problem "
            "that nothing better exists.",
        )
        listed = numbered(map(problem_text, self.problems))
        sorts = [sort for sort in SORTS if any(sort == each.sort for each in self.problems)]
        forms = "\n".join(f"- {FORMS[sort]}" for sort in sorts)
        terms = [
            "A matching is a set of edges of which no two share a vertex. "
            * bool({"cover", "barrier"} & {*sorts}),
            "An independent set is a set of vertices of which no two are adjacent. "
            * ("partition" in sorts),
        ]
        shown = numbered(as_text(each, example(each)) for each in self.problems)
        return (
            f"{opening}\n\n{listed}\n\n{''.join(terms)}These are the forms of proofs:\n{forms}\n\n"
            "Any proof will do. Answer with a line for "
            "each problem: its number and the proof, which is a list separated by commas. The "
            f"answer looks like this:\n{shown}"
        )

    def scene(self) -> Panels:
        """A picture of each problem."""
        names = [f"{n}: {value_text(each)}" for n, each in enumerate(self.problems, 1)]
        return Panels(tuple(map(_picture, self.problems)), tuple(names), columns=2)

    def answer(self) -> str:
        proofs = _proofs(self)
        return numbered(as_text(each, stated) for each, (stated, _) in zip(self.problems, proofs))

    def read(self, answer: str) -> list[Proof]:
        """The object that an answer states for each problem. Raises :class:`InvalidAnswer`."""
        texts = pairs(answer, line_numbers(len(self.problems))).values()
        return [_object(each, text) for each, text in zip(self.problems, texts)]

    def verify(self, answer: str) -> Score:
        reasons = [violation(*each) for each in zip(self.problems, self.read(answer))]
        parts = {"progress": 1 - sum(map(bool, reasons)) / len(reasons)}
        wrong = [(n, reason) for n, reason in enumerate(reasons, 1) if reason]
        if not wrong:
            return Score(1, parts=parts)
        return Score(0, f"problem {wrong[0][0]} is not proved: {wrong[0][1]}", parts)

    def audit(self, answer: str) -> bool:
        """Compare each proof with an optimal solution, by complementary slackness."""
        return all(map(is_tight, self.problems, self.read(answer)))

    def difficulty(self) -> float:
        """What the computation of all proofs examined."""
        return float(sum(examined for _, examined in _proofs(self)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who choose greedily, who use the n-th careless rule, or a random one."""
        careless = [[*careless_proofs(rng, each).values()] for each in self.problems]
        rows = [
            [proofs[n % len(proofs)] for proofs in careless] for n in range(max(map(len, careless)))
        ]
        players = {f"careless {n}" if n else "greedy": row for n, row in enumerate(rows)}
        players["random careless"] = [rng.choice(proofs) for proofs in careless]
        return {name: numbered(map(as_text, self.problems, row)) for name, row in players.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(problems=1, sorts=1, size=6)

    def candidates(self) -> Iterable[str]:
        """All sets of vertices that are not empty."""
        nodes = range(self.problems[0].nodes)
        every = (some for size in nodes for some in combinations(nodes, size + 1))
        return (numbered([as_text(self.problems[0], some)]) for some in every)


@lru_cache(maxsize=128)
def _proofs(task: OptimalityCertificate) -> tuple[tuple[Proof, int], ...]:
    return tuple(map(proof, task.problems))


def names_of(nodes: Iterable[int]) -> list[str]:
    """The letters of vertices."""
    return [ascii_uppercase[n] for n in nodes]


def value_text(problem: Problem) -> str:
    """The optimum of a problem."""
    return {
        "cut": "largest flow {}",
        "cover": "largest matching {}",
        "barrier": "largest matching {}",
        "partition": "largest independent set {}",
        "dual": "maximum {}",
    }[problem.sort].format(problem.optimum)


def problem_text(problem: Problem) -> str:
    """A problem in words."""
    best = problem.optimum
    if problem.sort == "dual":
        variables = [f"x{n}" for n in range(1, len(problem.ends) + 1)]
        constraints = "; ".join(f"{_sum(row[:-1], variables)} <= {row[-1]}" for row in problem.rows)
        return (
            f"Linear program. The maximum of {_sum(problem.ends, variables)} is {best}, where no "
            f"variable is negative. Constraints: {constraints}"
        )
    vertices = joined(names_of(range(problem.nodes)))
    if problem.sort == "cut":
        source, sink = names_of(problem.ends)
        arcs = ", ".join(f"{'->'.join(names_of(row[:2]))} {row[2]}" for row in problem.rows)
        return (
            f"Flow. The largest flow from the source {source} to the sink {sink} has the value "
            f"{best}. Vertices: {vertices}. Arcs with their capacities: {arcs}"
        )
    edges = ", ".join("-".join(names_of(row)) for row in problem.rows)
    what = {
        "cover": f"Matching, to be proved by a cover. The largest matching has {best} edges.",
        "barrier": f"Matching, to be proved by a barrier. The largest matching has {best} edges.",
        "partition": f"Independent set. The largest independent set has {best} vertices.",
    }[problem.sort]
    return f"{what} Vertices: {vertices}. Edges: {edges}"


def _sum(numbers: Iterable[int], variables: Sequence[str]) -> str:
    terms = [f"{n if n > 1 else ''}{x}" for n, x in zip(numbers, variables) if n]
    return " + ".join(terms)


def as_text(problem: Problem, stated: Proof) -> str:
    """An object as it is written in an answer."""
    if problem.sort == "dual":
        return joined(list(map(str, stated)))
    if problem.sort == "partition":
        return "; ".join(joined(names_of(part)) for part in stated)
    return joined(names_of(sorted(stated))) or NONE


def _object(problem: Problem, text: str) -> Proof:
    if problem.sort == "dual":
        return rationals(text, problem.nodes, "a multiplier for each constraint")
    letters = ascii_uppercase[: problem.nodes]
    if problem.sort == "partition":
        return [part for part in groups(text, letters) if part]
    return {*node_set(text, letters)}


def _picture(problem: Problem) -> Graph | Table:
    """A graph with the source and the sink marked, or the constraints as a table."""
    if problem.sort == "dual":
        variables = tuple(f"x{n}" for n in range(1, len(problem.ends) + 1))
        rows = tuple(tuple(map(Cell, map(str, row))) for row in problem.rows)
        last = (*(Cell(str(c), "t1") for c in problem.ends), Cell(str(problem.optimum), "t1"))
        left = (*(str(n) for n in range(1, problem.nodes + 1)), "objective")
        return Table((*rows, last), (*variables, "at most"), left)
    tones = dict(zip(problem.ends, ("t6", "t4")))
    nodes = [
        Node(name, tones.get(n, "paper")) for n, name in enumerate(names_of(range(problem.nodes)))
    ]
    edges = [Edge(row[0], row[1], "".join(map(str, row[2:]))) for row in problem.rows]
    return Graph(tuple(nodes), tuple(edges), directed=problem.sort == "cut")
