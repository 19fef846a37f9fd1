"""Entailment in propositional logic, decided by truth tables (Emil Post, Wittgenstein; 1921)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.logic.propositions import (
    Link,
    Statement,
    claim,
    counterexamples,
    formula,
    holds,
    statement,
    theory,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.words import letters

COUNTEREXAMPLE = re.compile(r"counterexample:?\s+")
TRUTH_VALUES = ("T", "F", "True", "False")
LETTERS = "PQRSUWXY"  # neither T nor F, which are truth values
LINKS: tuple[Link, ...] = ("and", "or", "or", "if", "if", "iff")


class PropositionalEntailment(Puzzle):
    """Decide which claims premises entail, and give counterexamples to the others."""

    tags = {"deduction", "counterexample"}

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(3, 4, 5, 5, 6, 7, high=8)
        premises: int = ladder(2, 3, 4, 5, 6, 8, low=1, high=10)
        claims: int = ladder(5, 5, 5, 5, 6, 7, low=3, high=8)
        depth: int = ladder(1, 1, 1, 2, 2, 2, high=3)

    variables: int
    premises: tuple[Statement, ...]
    claims: tuple[Statement, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        draw = partial(statement, rng, range(knobs.variables), knobs.depth, LINKS)
        premises, models = theory(draw, knobs.variables, knobs.premises)
        follow = [True] * (knobs.claims // 3) + [False] * 2
        follow += [rng.random() < 0.5 for _ in range(knobs.claims - len(follow))]
        claims: list[Statement] = []
        for entailed in rng.sample(follow, len(follow)):
            known = claims + premises
            claims += claim(draw, knobs.variables, models, entailed, known)
        complete = tuple(claims) if len(claims) == knobs.claims else ()
        return cls(variables=knobs.variables, premises=tuple(premises), claims=complete)

    def is_valid(self) -> bool:
        """Whether no counterexample is one for all claims that have one."""
        against = [counter for counter in self.against() if counter]
        shared = -1
        for counter in against:
            shared &= counter
        return len(self.claims) > 2 and 1 < len(against) < len(self.claims) and not shared

    def against(self) -> tuple[int, ...]:
        """For each claim, the counterexamples as a mask of worlds."""
        return counterexamples(self.variables, self.premises, self.claims)

    def canonical(self) -> str:
        return repr((sorted(map(repr, self.premises)), sorted(map(repr, self.claims))))

    def sentences(self) -> Sequence[Sentence]:
        letters = LETTERS[: self.variables]
        return [Sentence(formula(premise, letters)) for premise in self.premises]

    def prompt(self) -> str:
        letters = LETTERS[: self.variables]
        premises = "\n".join(f"  {formula(premise, letters)}" for premise in self.premises)
        claims = "\n".join(f"{n}. {formula(c, letters)}" for n, c in enumerate(self.claims, 1))
        ask = self.phrase(
            "For each claim, state whether the premises entail it, that is, whether it is true "
            "under every assignment that makes all the premises true.",
            "A claim is entailed if no assignment makes all the premises true and the claim false. "
            "Which of the claims are?",
        )
        return (
            f"Each of the letters {', '.join(letters)} stands for a statement that is true (T) or "
            "false (F). '~' means not, '&' and, '|' or (perhaps both), '->' if ... then, '<->' if "
            "and only if. Their precedence is in this order, '~' the highest and '<->' the lowest; "
            f"brackets come first.\n\nPremises:\n{premises}\n\nClaims:\n{claims}\n\n{ask} Write "
            "one line for each claim, with its number, such as '1: entailed', or else a "
            "counterexample, which makes all the premises true and the claim false, given as "
            f"the truth values of {', '.join(letters)} in this order: "
            f"'1: {('TF' * 4)[: self.variables]}'. Any counterexample is accepted."
        )

    def answer(self) -> str:
        return self.as_text(
            None if not worlds else (worlds & -worlds).bit_length() - 1 for worlds in self.against()
        )

    def as_text(self, verdicts: Iterable[int | None]) -> str:
        """The answer that states for each claim the number of a world, or ``None`` if entailed."""
        rows = (
            "entailed"
            if world is None
            else "".join("FT"[world >> fact & 1] for fact in range(self.variables))
            for world in verdicts
        )
        return "\n".join(f"{number}: {row}" for number, row in enumerate(rows, 1))

    def verify(self, answer: str) -> Score:
        numbers = [str(n) for n in range(1, len(self.claims) + 1)]
        values = pairs(answer, numbers)
        worlds = {number: self._world(verdict) for number, verdict in values.items()}
        for number, proposition, against in zip(numbers, self.claims, self.against()):
            world = worlds[number]
            if world is None and against:
                return Score(0, f"claim {number} is not entailed")
            if world is not None and not all(holds(premise, world) for premise in self.premises):
                return Score(0, f"the assignment for claim {number} does not satisfy the premises")
            if world is not None and holds(proposition, world):
                return Score(0, f"the assignment for claim {number} makes it true")
        return Score(1)

    def _world(self, verdict: str) -> list[bool] | None:
        """The truth values of an answer, or ``None`` for ``entailed``."""
        verdict = COUNTEREXAMPLE.sub("", verdict.casefold(), count=1)
        if verdict == "entailed":
            return None
        names = LETTERS[: self.variables]
        if "=" in verdict or ":" in verdict:
            values = "".join(value[0] for value in pairs(verdict, names, TRUTH_VALUES).values())
        else:
            values = letters(verdict, "TF", f"'entailed', or {self.variables} truth values,")
        if len(values) != self.variables:
            raise InvalidAnswer(f"neither 'entailed' nor {self.variables} truth values, T or F")
        return [value == "T" for value in values]

    def audit(self, answer: str) -> bool:
        """Look the worlds up in the truth tables, while ``verify`` evaluates the statements."""
        numbers = [str(n) for n in range(1, len(self.claims) + 1)]
        rows = pairs(answer, numbers).values()
        for row, against in zip(rows, self.against(), strict=True):
            verdict = row.casefold().replace(",", "").replace(" ", "")
            values = sum(1 << fact for fact, letter in enumerate(verdict) if letter == "t")
            if (verdict == "entailed") != (not against):
                return False
            if against and not against >> values & 1:
                return False
        return True

    def difficulty(self) -> float:
        return (len(self.premises) + len(self.claims)) * 2.0**self.variables

    def random_baseline(self) -> float:
        share = 1.0
        for worlds in self.against():
            share *= max(1, worlds.bit_count()) / (1 + 2**self.variables)
        return share

    def shortcuts(self) -> Iterable[str]:
        """One counterexample for every claim that it refutes, and ``entailed`` for the rest."""
        yield self.as_text(None for _ in self.claims)
        first = next(worlds for worlds in self.against() if worlds)
        world = (first & -first).bit_length() - 1
        yield self.as_text(world for _ in self.claims)
        yield self.as_text(world if worlds >> world & 1 else None for worlds in self.against())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(variables=3, premises=2, claims=3)

    def candidates(self) -> Iterable[str]:
        verdicts = [None, *range(2**self.variables)]
        return map(self.as_text, product(verdicts, repeat=len(self.claims)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """One assignment against each claim: all true, all false, or a random one of its own."""
        everything = (1 << self.variables) - 1
        number = len(self.claims)
        return {
            "all entailed": self.as_text([None] * number),
            "all true": self.as_text([everything] * number),
            "all false": self.as_text([0] * number),
            "random assignments": self.as_text(rng.choices(range(everything + 1), k=number)),
        }
