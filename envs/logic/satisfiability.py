"""Propositional satisfiability at the ratio of clauses to variables where it is hardest.

At about 4.26 clauses of three literals for each variable, random formulas change from satisfiable
to unsatisfiable (David Mitchell, Bart Selman and Hector Levesque, 1992). Models are hidden as by
Haixia Jia, Cristopher Moore and Doug Strain (2005), so that the signs do not give them away.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from math import comb, log
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.satisfiability import Clauses, Outcome, random_clauses, solve
from palaestra.task import NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.proofs.sat import SatModel, SatVerdict, Unsat

REFUTABLE = 24
"""The most variables of a formula that may be unsatisfiable: refutations stay readable."""

TRIES = 200

Case = Literal["satisfiable", "unsatisfiable", "either"]

SATISFIABLE: tuple[Case, ...] = ("satisfiable",) * 7
"""The case at each level; the others are set by hand."""


class Satisfiability(Puzzle):
    """Find values that make a formula in conjunctive normal form true, or prove that none do."""

    tags = {"propositional-logic", "search", "constraint-satisfaction", "proof"}
    answer_type = "moves"
    longest = 20_000

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(6, 10, 15, 20, 26, 34, 44, low=4, high=60)
        width: int = ladder(3, 3, 3, 3, 3, 3, 3, low=3, high=5)  # literals of a clause
        ratio: float = ladder(3.4, 3.6, 3.8, 4.1, 4.2, 4.26, 4.26, low=1.0, high=12.0)
        case: Case = ladder(*SATISFIABLE)

    variables: int
    clauses: Clauses
    case: Case
    """What the prompt says of the formula."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A formula with a hidden model, or a random one without any."""
        wanted = knobs.case
        if wanted == "either":
            wanted = rng.choice(("satisfiable", "unsatisfiable"))
        variables = knobs.variables
        if knobs.case != "satisfiable":
            variables = min(variables, REFUTABLE)
        width = min(knobs.width, variables - 1)
        most = comb(variables, width) * 2 ** (width - 1)  # half of all clauses
        number = max(1, min(round(variables * knobs.ratio), most))
        clauses: Clauses | None = None
        if wanted == "satisfiable":
            planted = [rng.choice((n, -n)) for n in range(1, variables + 1)]
            clauses = random_clauses(rng, variables, width, number, planted)
        else:
            clauses = cls._unsatisfiable(rng, variables, width, number)
        return cls(variables=variables, clauses=clauses, case=knobs.case)

    @staticmethod
    def _unsatisfiable(rng: Random, variables: int, width: int, number: int) -> Clauses:
        """A random formula without a model; where the ratio is too small for that, one with as many
        more clauses as that takes.
        """
        for attempt in range(TRIES):
            more = min(number + attempt // 4, comb(variables, width) * 2 ** (width - 1))
            clauses = random_clauses(rng, variables, width, more)
            if solve(clauses, variables).model is None:
                return clauses
        raise NoValidTask(f"{TRIES} random formulas were satisfiable")

    def canonical(self) -> str:
        return repr((self.case, sorted(self.clauses)))

    def prompt(self) -> str:
        formula = "\n".join(" or ".join(map(_named, clause)) for clause in self.clauses)
        names = f"x1 to x{self.variables}"
        if self.case == "satisfiable":
            task = self.phrase(
                f"Find values, true or false, of the variables {names} that make every clause "
                "below true.",
                f"Each of the variables {names} is true or false. Choose their values so that all "
                "of the following clauses are true at the same time.",
            )
        elif self.case == "unsatisfiable":
            task = self.phrase(
                f"No values of the variables {names} make all of the clauses below true. Prove it.",
                f"The following clauses over the variables {names} contradict each other. Prove "
                "that they have no solution.",
            )
        else:
            task = self.phrase(
                f"Decide whether there are values of the variables {names} that make all of the "
                "clauses below true, and prove your verdict.",
                f"Is there a choice of true or false for each of the variables {names} that makes "
                "every one of these clauses true? Justify your verdict by a certificate.",
            )
        return (
            f"{task} A clause is true if at least one of its parts is.\n\n{formula}\n\n"
            f"{self._form()}"
        )

    def _example(self) -> list[int]:
        return [n if n % 2 else -n for n in range(1, self.variables + 1)]

    def _form(self) -> str:
        example = " ".join(map(str, self._example()))
        model = (
            "write the number of each variable, with a minus sign if it is false. For example, "
            f"'{example}' means that x1 is true, x2 is false, and so on."
        )
        proof = (
            "write a proof, one clause a line as numbers that end with 0, such as '1 -2 0' for "
            "'x1 or not x2'. Each line has to follow from the clauses above and the lines before "
            "it by unit propagation: if all parts of the line are assumed to be false, then "
            "clauses of which all parts but one are false give further values, until some clause "
            "has only false parts. The last line is the empty clause, '0'."
        )
        if self.case == "satisfiable":
            return model[0].upper() + model[1:]
        if self.case == "unsatisfiable":
            return proof[0].upper() + proof[1:]
        return (
            "If there is a solution, write SAT on the first line; on the second, "
            f"{model}\nIf there is none, write UNSAT on the first line. Then {proof}"
        )

    def outcome(self) -> Outcome:
        """A model or a refutation."""
        return _outcome(self.clauses, self.variables)

    def answer(self) -> str:
        model, refutation, _ = self.outcome()
        if model is not None:
            text = " ".join(map(str, model))
            return text if self.case == "satisfiable" else f"SAT\n{text}"
        lines = [" ".join(map(str, (*clause, 0))) for clause in refutation]
        proof = "\n".join(lines)
        return proof if self.case == "unsatisfiable" else f"UNSAT\n{proof}"

    def verify(self, answer: str) -> Score:
        if self.case == "satisfiable":
            return SatModel(self.clauses).verify(answer)
        if self.case == "unsatisfiable":
            return Unsat(self.clauses).verify(answer)
        return SatVerdict(self.clauses).verify(answer)

    def difficulty(self) -> float:
        """The decisions of the search, times the variables that a model has to get right."""
        return (1 + self.outcome().decisions) * self.variables

    def is_valid(self) -> bool:
        """Whether no player without search finds a model."""
        if self.case != "satisfiable":
            return True
        models = [*self._rules_of_thumb().values()]
        if self._is_tight():
            models.append(self._short_clauses_first())
        return not any(map(self._satisfied, models))

    def _is_tight(self) -> bool:
        """Whether there are at least 0.6 times as many clauses as make most random formulas
        unsatisfiable, by the first moment; with fewer, short clauses first hardly ever fails.
        """
        assignments = 2 ** len(self.clauses[0])  # of the variables of a clause
        return len(self.clauses) >= 0.6 * log(2) * float(assignments) * self.variables

    def _satisfied(self, model: Iterable[int]) -> bool:
        true = set(model)
        return not any(true.isdisjoint(clause) for clause in self.clauses)

    def _rules_of_thumb(self) -> Mapping[str, list[int]]:
        """All true, all false, the example, and the more or less frequent sign of each variable."""
        names = range(1, self.variables + 1)
        literals = [literal for clause in self.clauses for literal in clause]
        lead = [literals.count(n) - literals.count(-n) for n in names]
        return {
            "all true": [*names],
            "all false": [-n for n in names],
            "more frequent sign": [n if ahead > 0 else -n for n, ahead in zip(names, lead)],
            "signs in turn": self._example(),
            "less frequent sign": [n if ahead < 0 else -n for n, ahead in zip(names, lead)],
        }

    def shortcuts(self) -> Iterable[str]:
        if self.case == "satisfiable":
            return [" ".join(map(str, model)) for model in self._rules_of_thumb().values()]
        return ["SAT", "UNSAT", "UNSAT\n0", "0"]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """One-pass choices of values, without a way back."""
        names = range(1, self.variables + 1)
        models: dict[str, list[int]] = {
            "random": [rng.choice((n, -n)) for n in names],
            "random order": self._one_pass(rng.sample(names, self.variables)),
            "listed order": self._one_pass(names),
            "most frequent first": self._most_frequent_first(),
            "short clauses first": self._short_clauses_first(),
            "short clauses first, both signs": self._short_clauses_first(both=True),
            **self._rules_of_thumb(),
        }
        head = "" if self.case == "satisfiable" else "SAT\n"
        return {name: head + " ".join(map(str, model)) for name, model in models.items()}

    def _one_pass(self, order: Iterable[int]) -> list[int]:
        """Each variable in an order gets the sign that makes more of the open clauses true."""
        true = set[int]()
        for n in order:
            for_it = sum(true.isdisjoint(c) and n in c for c in self.clauses)
            against = sum(true.isdisjoint(c) and -n in c for c in self.clauses)
            true.add(n if for_it >= against else -n)
        return sorted(true, key=abs)

    def _most_frequent_first(self) -> list[int]:
        """The literal of most open clauses is made true, again and again."""
        true = set[int]()
        while len(true) < self.variables:
            counts = {
                literal: sum(true.isdisjoint(c) and literal in c for c in self.clauses)
                for n in range(1, self.variables + 1)
                if n not in true and -n not in true
                for literal in (n, -n)
            }
            true.add(max(counts, key=lambda each: (counts[each], -abs(each), each)))
        return sorted(true, key=abs)

    def _short_clauses_first(self, both: bool = False) -> list[int]:
        """The literal of most open clauses, where those with few literals left weigh more: 2 to the
        power of minus their number, after Jeroslow and Wang (1990).

        With ``both``, the variable whose two literals weigh most, and its heavier literal.
        """
        true = set[int]()
        while len(true) < self.variables:
            left = [n for n in range(1, self.variables + 1) if n not in true and -n not in true]
            weights = dict.fromkeys((sign * n for n in left for sign in (1, -1)), 0.0)
            for clause in self.clauses:
                if true.isdisjoint(clause):
                    free = [literal for literal in clause if -literal not in true]
                    for literal in free:
                        weights[literal] += 0.5 ** len(free)
            best = max(weights, key=lambda x: (weights[x] + both * weights[-x], weights[x], x))
            true.add(best)
        return sorted(true, key=abs)

    def audit(self, answer: str) -> bool:
        """Whether no variable has two values, and each clause has a part that is true."""
        values: dict[int, bool] = {}
        for part in answer.split():
            if not part.lstrip("-").isdecimal():
                return False
            if values.setdefault(abs(int(part)), int(part) > 0) != (int(part) > 0):
                return False
        return all(any(values.get(abs(x)) == (x > 0) for x in clause) for clause in self.clauses)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(variables=5, ratio=3.0)

    def candidates(self) -> Iterable[str]:
        names = range(1, self.variables + 1)
        signs = product((1, -1), repeat=self.variables)
        return (" ".join(str(s * n) for s, n in zip(each, names)) for each in signs)


def _named(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"not x{-literal}"


@lru_cache(maxsize=64)
def _outcome(clauses: Clauses, variables: int) -> Outcome:
    return solve(clauses, variables)
