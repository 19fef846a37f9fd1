"""Derivations by equations: Garrett Birkhoff (1935) showed that replacing equals by equals derives
all that follows. The notions are those of Franz Baader and Tobias Nipkow, "Term Rewriting and All
That" (1998).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.logic.equational_derivation import (
    Derivation,
    both_ways,
    derivation,
    distances,
    neighbours,
    random_equations,
)
from palaestra.generators.logic.terms import (
    Rule,
    least_renaming,
    random_term,
    rewritten,
    signature,
    size,
    written,
)
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.proofs.equations import EquationalProof, read_chain
from palaestra.verifiers.proofs.rewriting import Term, term
from palaestra.verifiers.reading.layout import lines
from palaestra.verifiers.reading.values import plain

NAMES = "ABCDEFGH"
"""Names of the equations."""

SYSTEMS, TERMS = 400, 4
"""Sets of equations that are tried for a task, and terms for each of them."""

SPARE = 1
"""The allowed steps beyond those of a shortest derivation."""

Step = tuple[int, Term]


class EquationalDerivation(Puzzle):
    """Derive one term from another by replacing equals by equals, one equation a step."""

    tags = {"rewriting", "algebra", "proof", "search"}

    class Knobs(Puzzle.Knobs):
        equations: int = ladder(3, 3, 4, 5, 5, 5, low=3, high=8)
        symbols: int = ladder(5, 5, 6, 7, 7, 7, low=4, high=10)  # of the first term
        depth: int = ladder(2, 4, 6, 9, 10, 11, 12, low=2, high=12)  # steps, at least
        terms: int = ladder(0, 15, 60, 190, 250, 330, 400, high=600)  # as near, at least

    equations: tuple[tuple[str, str], ...]
    """The left and the right side of each equation."""
    start: str
    goal: str
    steps: int
    """How many are allowed."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Equations, a term, and a term that is ``depth`` steps away and not much longer, if any:
        the way to it leads through terms that are.
        """
        symbols = signature(2, 2)
        for tried in range(SYSTEMS):
            equations = random_equations(rng, symbols, knobs.equations)
            if len(equations) < knobs.equations:
                continue
            ways = both_ways(equations)
            near = knobs.terms * (SYSTEMS - tried) // SYSTEMS
            for _ in range(TERMS):
                start = random_term(rng, symbols, symbols.constants, knobs.symbols)
                reached = distances(start, ways, knobs.depth, 2 * knobs.terms + 200)
                far = [each for each, steps in reached.items() if steps == knobs.depth]
                if far and len(reached) >= near:
                    short = [each for each in far if size(each) <= knobs.symbols + 2]
                    rng.shuffle(far := sorted(short or far))
                    goal = max(far, key=lambda each: _alike(start, each))
                    texts = tuple((written(left), written(right)) for left, right in equations)
                    steps = knobs.depth + SPARE
                    return cls(
                        equations=texts, start=written(start), goal=written(goal), steps=steps
                    )
        raise NoValidTask("no random equations lead so far")

    def canonical(self) -> str:
        ends = [self.start, self.goal]
        return f"{self.steps} {least_renaming(ends, self.equations, directed=False)}"

    @property
    def shortest(self) -> Derivation:
        """A shortest derivation, among those of terms that are not long."""
        return _derivation(self)

    def system(self) -> list[Rule]:
        """The equations as terms."""
        return [Rule(term(left), term(right)) for left, right in self.equations]

    def prompt(self) -> str:
        listed = "\n".join(
            f"{name}: {left} = {right}" for name, (left, right) in zip(NAMES, self.equations)
        )
        rules = (
            "Terms consist of the constants a and b, functions of one argument such as f(a), and "
            "sums such as f(a)+(a+b), of which the order and the parentheses matter: a+b is not "
            "b+a, and (a+b)+a is not a+(b+a), unless an equation states it. The variables x and y "
            "stand for any terms, the same one on both sides of an equation. A step takes one part "
            "of a term, or the whole, that is one side of an equation with terms in place of its "
            "variables, and replaces this part by the other side."
        )
        task = self.phrase(
            f"{rules}\n\nEquations:\n{listed}\n\nTransform {self.start} into {self.goal} in at "
            f"most {self.steps} steps.",
            f"These equations hold.\n\n{listed}\n\n{rules}\n\nProve that {self.start} = "
            f"{self.goal} follows, in at most {self.steps} steps.",
        )
        return (
            f"{task} Write the first term on a line, and then a line for each step: an equals "
            "sign, the new term, the word by, and the name of the equation. The lines look like:\n"
            f"{self.start}\n= f(a)+b by A\n= f(b)+b by B"
        )

    def answer(self) -> str:
        return self.as_text(self.shortest.steps)

    def as_text(self, steps: Iterable[Step]) -> str:
        """Steps from the start as an answer."""
        rows = (f"= {written(each)} by {NAMES[number]}" for number, each in steps)
        return "\n".join([self.start, *rows])

    def verify(self, answer: str) -> Score:
        text = "\n".join(lines(plain(answer)))
        _, steps = read_chain(text)
        if len(steps) > self.steps:
            return Score(0, f"there are {len(steps)} steps, and {self.steps} are allowed")
        axioms = {name: f"{left}={right}" for name, (left, right) in zip(NAMES, self.equations)}
        return EquationalProof(axioms, f"{self.start}={self.goal}").verify(text)

    def audit(self, answer: str) -> bool:
        """Whether each term is one of those that one use of its equation at some position of the
        term before makes of it.
        """
        try:
            before, steps = read_chain("\n".join(lines(plain(answer))))
        except InvalidAnswer:
            return False
        ends = {before, steps[-1].result if steps else before}
        system = dict(zip(NAMES, self.system()))
        for step in steps:
            rule = system.get(step.axiom.upper())
            if rule is None or step.result not in rewritten(before, rule) | rewritten(
                before, Rule(rule.right, rule.left)
            ):
                return False
            before = step.result
        return ends == {term(self.start), term(self.goal)} and len(steps) <= self.steps

    def difficulty(self) -> float:
        """How many terms the search for a shortest derivation visits."""
        return self.shortest.visited

    def shortcuts(self) -> Iterable[str]:
        name = NAMES[0]
        return [self.start, f"{self.start}\n= {self.goal} by {name}", f"{self.start} = {self.goal}"]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Walks without a way back to a term of before, at random or to the nearest term."""
        goal = term(self.goal)
        keys: dict[str, Callable[[Term], float]] = {
            "random": lambda each: 0,
            "most alike": lambda each: -_alike(each, goal),
            "nearest length": lambda each: abs(size(each) - size(goal)) - _alike(each, goal) / 100,
            "nearest symbols": lambda each: _difference(written(each), self.goal),
            "shortest": size,
        }
        return {name: self.as_text(self._walk(rng, key)) for name, key in keys.items()}

    def _walk(self, rng: Random, key: Callable[[Term], float]) -> Sequence[Step]:
        """Steps to the neighbour of the least key, as many as are allowed."""
        each, goal, ways = term(self.start), term(self.goal), both_ways(self.system())
        seen, steps = {each}, list[Step]()
        while each != goal and len(steps) < self.steps:
            options = [step for step in neighbours(each, ways) if step[1] not in seen]
            if not options:
                break
            rng.shuffle(options)
            steps.append(min(options, key=lambda step: -1e9 if step[1] == goal else key(step[1])))
            each = steps[-1][1]
            seen.add(each)
        return steps


def _alike(one: Term, other: Term) -> int:
    """How many symbols two terms have in common from the top down."""
    if one[0] != other[0]:
        return 0
    return 1 + sum(map(_alike, one[1:], other[1:]))


def _difference(one: str, other: str) -> int:
    """By how many symbols two terms differ, wherever these are."""
    return sum(abs(one.count(sign) - other.count(sign)) for sign in "abfg+")


@lru_cache(maxsize=64)
def _derivation(task: EquationalDerivation) -> Derivation:
    return derivation(term(task.start), term(task.goal), task.system())
