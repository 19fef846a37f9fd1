"""Refutations by resolution: John Alan Robinson, "A Machine-Oriented Logic Based on the Resolution
Principle" (1965). The parity formulas of one of the knobs are those of Grigori Tseitin (1968).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.resolution_refutation import (
    Step,
    elimination,
    grown,
    parity,
    refutation,
    resolvent,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.proofs.resolution import ResolutionProof, read_steps

LETTERS = "abcdefghijklmnpqrstuwyz"  # "v" may be read as the sign for "or", "o" as a zero
NODES = (4, 6, 8)
"""Sizes of the graphs of parity formulas."""

Form = Literal["grown", "parity"]
Clause = tuple[int, ...]
Priority = Callable[[Step, Sequence[frozenset[int]]], float]
"""The rank of a step, least first, beside the clauses so far."""


class ResolutionRefutation(Puzzle):
    """Derive the empty clause from contradictory clauses by resolution, in a few steps."""

    tags = {"propositional-logic", "proof", "search", "deduction"}

    class Knobs(Puzzle.Knobs):
        form: Form = ladder("grown")  # no level has parity formulas, which players may ask for
        clauses: int = ladder(5, 7, 10, 16, 26, 32, 36, 44, low=3, high=48)
        variables: int = ladder(4, 5, 6, 6, 7, 7, 8, 9, low=3, high=12)  # of grown clauses
        # Wide clauses and little spare defeat fixed orders of elimination.
        width: int = ladder(1, 2, 3, 4, 4, 5, 5, 5, low=1, high=5)  # of a clause, at least
        decoys: int = ladder(0, 0, 0, 2, 4, 4, 4, 4, high=12)  # clauses added at random
        spare: int = ladder(50, 50, 40, 20, 4, 4, 5, 5, low=0, high=100)  # steps, in %

    clauses: tuple[Clause, ...]
    steps: int
    """How many are allowed."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Clauses in random order, and as many steps as a known proof has, and some more."""
        if knobs.form == "parity":
            nodes = min(NODES, key=lambda each: abs(4 * each - knobs.clauses))
            clauses = parity(rng, nodes)
        else:
            clauses = grown(rng, knobs.clauses, knobs.variables, knobs.width)
            for _ in range(knobs.decoys):
                wide = min(max(2, knobs.width), knobs.variables)
                chosen = rng.sample(range(1, knobs.variables + 1), wide)
                clauses.append(frozenset(n * rng.choice((1, -1)) for n in chosen))
        names = sorted({abs(literal) for clause in clauses for literal in clause})
        numbers = rng.sample(range(1, len(names) + 1), len(names))
        named = {name: number * rng.choice((1, -1)) for name, number in zip(names, numbers)}
        named |= {-name: -number for name, number in named.items()}
        rows = [
            tuple(sorted(map(named.__getitem__, clause), key=abs))
            for clause in dict.fromkeys(clauses)
        ]
        rng.shuffle(rows)
        shortest = len(refutation(tuple(map(frozenset, rows))))
        return cls(clauses=tuple(rows), steps=shortest + -(-shortest * knobs.spare // 100))

    def is_valid(self) -> bool:
        """Whether no clause is empty, and one step is not enough."""
        units = {clause[0] for clause in self.clauses if len(clause) == 1}
        return all(self.clauses) and not any(-literal in units for literal in units)

    def canonical(self) -> str:
        return repr((sorted(self.clauses), self.steps))

    @property
    def proof(self) -> tuple[Step, ...]:
        """A refutation; its clauses are counted from 0."""
        return refutation(tuple(map(frozenset, self.clauses)))

    def prompt(self) -> str:
        number = len(self.clauses)
        listed = "\n".join(f"{n}: {_written(clause)}" for n, clause in enumerate(self.clauses, 1))
        rules = (
            "A clause is a set of literals, of which at least one is true; a literal is a letter, "
            "or a letter with ~ before it, which means not. If one clause has a letter and another "
            "has the same letter with ~, their resolvent is the clause of all other literals of "
            "both, each listed once. A resolvent removes one letter only: that of 'a b c' and "
            "'~a ~b d' is 'b ~b c d' or 'a ~a c d', both of which are always true and of no use."
        )
        task = self.phrase(
            f"{rules}\n\nThese clauses contradict each other:\n\n{listed}\n\nProve that by "
            f"deriving the empty clause in at most {self.steps} steps.",
            f"No truth values make all of the following clauses true.\n\n{listed}\n\n{rules}\n\n"
            f"Show the contradiction: derive the empty clause in at most {self.steps} resolution "
            "steps.",
        )
        return (
            f"{task} Each step adds a resolvent of two clauses, which may be clauses of the list "
            "or of earlier steps. Write one line for each step: the number of the new clause, "
            f"which goes on from {number + 1}, a colon, the numbers of the two clauses, and the "
            "literals of the resolvent in any order, all separated by spaces. The last line is the "
            f"empty clause, written as the word empty. The lines look like:\n{number + 1}: 1 2 a ~b"
            f"\n{number + 2}: {number + 1} 3 ~b"
        )

    def answer(self) -> str:
        return self.as_text(self.proof)

    def as_text(self, steps: Iterable[Step]) -> str:
        """Steps as an answer."""
        return "\n".join(
            f"{number}: {step.one + 1} {step.other + 1} {_written(sorted(step.clause, key=abs))}"
            for number, step in enumerate(steps, len(self.clauses) + 1)
        )

    def verify(self, answer: str) -> Score:
        return ResolutionProof([*map(_written, self.clauses)], self.steps).verify(answer)

    def audit(self, answer: str) -> bool:
        """Whether each clause is what two earlier ones leave in a table of the signs of letters."""
        known = [_signs(_written(clause).split()) for clause in self.clauses]
        steps = read_steps(answer, len(known))
        for one, other, clause in steps:
            if not (0 < one <= len(known) and 0 < other <= len(known)):
                return False
            left, right = known[one - 1], known[other - 1]
            results = [
                left - {(letter, sign)} | right - {(letter, not sign)}
                for letter, sign in left
                if (letter, not sign) in right
            ]
            known.append(_signs(clause))
            if known[-1] not in results:
                return False
        return 0 < len(steps) <= self.steps and not known[-1]

    def difficulty(self) -> float:
        """The number of steps of a short proof."""
        return len(self.proof)

    def shortcuts(self) -> Iterable[str]:
        number = len(self.clauses) + 1
        return [f"{number}: 1 2 empty", f"{number}: 1 1 empty", "empty"]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Derivations in which each step is the best by a rule of thumb, and the needed steps of
        an elimination of the letters one after the other.
        """
        players: dict[str, Priority] = {
            "random resolvents": lambda step, known: 0,
            "shortest resolvent first": lambda step, known: len(step.clause),
            "shortest parents first": lambda step, known: (
                len(known[step.one]) + len(known[step.other])
            ),
            "latest clause first": lambda step, known: len(step.clause) / 100 - step.other,
            "listed order": lambda step, known: step.other + step.one / 100,
        }
        derived = {name: self._derived(rng, key) for name, key in players.items()}
        return {name: self.as_text(steps) for name, steps in (derived | self.eliminated()).items()}

    def eliminated(self) -> dict[str, list[Step]]:
        """The needed steps of eliminations of the letters in natural orders."""
        clauses = [*map(frozenset, self.clauses)]
        counts = Counter(abs(literal) for clause in clauses for literal in clause)
        letters = sorted(counts)
        orders = {
            "rarest letter": sorted(letters, key=counts.__getitem__),
            "letter with the fewest pairs": [],
            "letters by name": letters,
            "letters by name backwards": letters[::-1],
        }
        return {
            f"eliminating {name}": elimination(clauses, order) for name, order in orders.items()
        }

    def _derived(self, rng: Random, key: Priority) -> list[Step]:
        """As many steps as are allowed, up to the empty clause, each of the least key."""
        known, steps = [*map(frozenset, self.clauses)], list[Step]()
        options = [step for n in range(len(known)) for step in _latest(known[: n + 1])]
        while len(steps) < self.steps:
            options = [step for step in options if step.clause not in known]
            if not options:
                break
            shuffled = rng.sample(options, len(options))
            step = min(shuffled, key=lambda each: key(each, known))
            known.append(step.clause)
            steps.append(step)
            options += _latest(known)
            if not step.clause:
                break
        return steps

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(clauses=3, variables=4, width=1, spare=0)

    def candidates(self) -> Iterable[str]:
        """All answers of two steps, of which the last is the empty clause."""
        number = len(self.clauses)
        literals = sorted({literal for clause in self.clauses for literal in clause})
        clauses = [(), *((x,) for x in literals), *combinations(literals, 2)]
        for first, second in product(
            permutations(range(number), 2), permutations(range(number + 1), 2)
        ):
            for clause in clauses:
                steps = [Step(*first, frozenset(clause)), Step(*second, frozenset())]
                yield self.as_text(steps)


def _latest(known: Sequence[frozenset[int]]) -> list[Step]:
    """The resolvents of the last clause and earlier ones."""
    last = len(known) - 1
    resolvents = ((n, resolvent(clause, known[last])) for n, clause in enumerate(known[:-1]))
    return [Step(n, last, clause) for n, clause in resolvents if clause is not None]


def _written(clause: Sequence[int]) -> str:
    """A clause as literals, such as ``a ~b``."""
    names = ("~" * (literal < 0) + LETTERS[abs(literal) - 1] for literal in clause)
    return " ".join(names) or "empty"


def _signs(literals: Iterable[str]) -> frozenset[tuple[str, bool]]:
    """Each literal as a letter, and whether it is not negated."""
    return frozenset((literal.lstrip("~"), not literal.startswith("~")) for literal in literals)
