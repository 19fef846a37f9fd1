"""Normal forms in term rewriting systems: Franz Baader and Tobias Nipkow, "Term Rewriting and All
That" (1998). Termination is due to a lexicographic path order.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.logic.term_rewriting import (
    Reducts,
    ambiguous_term,
    random_system,
    reducts,
)
from palaestra.generators.logic.terms import (
    Rewriting,
    Rule,
    least_renaming,
    rewritten,
    signature,
    size,
    written,
)
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.proofs.rewriting import Term, term
from palaestra.verifiers.reading.layout import lines
from palaestra.verifiers.reading.values import opened, plain

MOST = 800
"""The most terms that the term of a task can be rewritten to."""

LONGEST = 24
"""The most symbols of a normal form."""

SYSTEMS, TERMS = 400, 3
"""Systems that are tried for a task, and terms for each of them."""

HEADING = re.compile(r"\A[^\n()]{0,60}:[ *]{0,4}\n")
"""A line before the terms of an answer, such as ``Normal forms:``."""

FORMS = 60
"""The most lines of an answer."""


class TermRewriting(Puzzle):
    """List all normal forms of a term, which depend on the order in which rules are applied."""

    tags = {"rewriting", "algebra", "search"}

    class Knobs(Puzzle.Knobs):
        rules: int = ladder(3, 4, 5, 5, 6, 6, 6, low=3, high=8)
        symbols: int = ladder(6, 8, 10, 11, 12, 13, 14, low=5, high=16)  # of the term
        forms: int = ladder(1, 2, 3, 5, 6, 6, 7, low=1, high=8)  # or up to three more
        reach: int = ladder(3, 6, 14, 26, 36, 46, 60, low=2, high=80)  # terms, at least

    rules: tuple[tuple[str, str], ...]
    """The left and the right side of each rule."""
    start: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A system and a term that it rewrites to many others, but to few normal forms.

        Terms grow if no system suits for long. If none does, the one that comes nearest is taken.
        """
        symbols = signature(2, 2 if knobs.rules < 7 else 3)
        best: Self | None = None
        least = float("inf")
        for tried in range(SYSTEMS):
            rules = random_system(rng, symbols, knobs.rules)
            if len(rules) < knobs.rules:
                continue
            system, forms = Rewriting(rules), max(1, knobs.forms - tried // 50)
            for _ in range(TERMS):
                start = ambiguous_term(rng, symbols, system, knobs.symbols + tried // 40, forms)
                if start is None:
                    continue
                reached = reducts(start, system, min(MOST, 5 * knobs.reach + 10 * knobs.forms))
                off = float("inf") if reached is None else cls._off(reached, knobs)
                if off < least:
                    texts = tuple((written(left), written(right)) for left, right in rules)
                    best, least = cls(rules=texts, start=written(start)), off
                if best and not least:
                    return best
        if best is None:
            raise NoValidTask("no random system has a term that can be rewritten")
        return best

    @staticmethod
    def _off(reached: Reducts, knobs: Knobs) -> float:
        """How far the terms are from what the knobs ask for."""
        forms = len(reached.normal_forms)
        if max(map(size, reached.normal_forms)) > LONGEST:
            return float("inf")
        most = knobs.forms + (knobs.forms > 1) * 3
        missing = max(0, knobs.reach - len(reached.terms)) / knobs.reach
        return max(0, knobs.forms - forms, forms - most) + missing

    @property
    def reached(self) -> Reducts:
        """All terms that the start can be rewritten to."""
        return _reducts_of(self)

    def system(self) -> list[Rule]:
        """The rules as terms."""
        return [Rule(term(left), term(right)) for left, right in self.rules]

    def canonical(self) -> str:
        return least_renaming([self.start], self.rules, directed=True)

    def prompt(self) -> str:
        listed = "\n".join(f"{left} -> {right}" for left, right in self.rules)
        rules = (
            "Terms consist of the constants a and b, functions of one argument such as f(a), and "
            "sums such as f(a)+(a+b), of which the order and the parentheses matter: a+b is not "
            "b+a, and (a+b)+a is not a+(b+a). A rule applies to any part of a term, or to the "
            "whole, that is its left side with terms in place of the variables x and y; that part "
            "becomes the right side, with the same terms in place of the variables. A normal form "
            "is a term to which no rule applies. Nothing but the rules may be used."
        )
        task = self.phrase(
            f"{rules}\n\nRules:\n{listed}\n\nTerm: {self.start}\n\nRules can be applied in any "
            "order and at any part. Find all normal forms that the term can be rewritten to.",
            f"This is a term rewriting system.\n\n{listed}\n\n{rules}\n\nDepending on where and in "
            "which order rules are applied, rewriting may end in different normal forms. Which "
            f"ones can be reached from this term?\n\n{self.start}",
        )
        return (
            f"{task}\n\nWrite each normal form once, one on a line, in any order. For example, two "
            "normal forms look like:\nf(a)+b\ng(f(b)+(a+b))"
        )

    def answer(self) -> str:
        return self.as_text(self.reached.normal_forms)

    def as_text(self, terms: Iterable[Term]) -> str:
        """Terms as an answer."""
        return "\n".join(map(written, terms))

    def read(self, answer: str) -> list[Term]:
        """The terms of an answer."""
        text = plain(answer).replace("$", "").replace("\\left(", "(").replace("\\right)", ")")
        rows = lines(HEADING.sub("", text.strip()))
        if len(rows) == 1:
            rows = [part.strip() for part in opened(rows[0]).split(",")]
        if len(rows) > FORMS:
            raise InvalidAnswer(f"expected at most {FORMS} lines", "limit")
        if not rows:
            raise InvalidAnswer("no term is listed", "no_answer")
        return list(map(term, rows))

    def verify(self, answer: str) -> Score:
        terms = self.read(answer)
        right = self.reached.normal_forms
        if len(set(terms)) < len(terms):
            return Score(0, "a term is listed twice")
        for number, each in enumerate(terms, 1):
            if each not in self.reached.terms:
                return Score(0, f"term {number} cannot be reached")
            if each not in right:
                return Score(0, f"a rule applies to term {number}")
        missing = len(right) - len(terms)
        parts = {"progress": len(terms) / len(right)}
        return Score(not missing, "a normal form is missing" if missing else "", parts)

    def audit(self, answer: str) -> bool:
        """Whether the terms are the normal forms by recursion: those of a term are those of all
        results of one step, which are listed position by position.
        """
        rules, known = self.system(), dict[Term, set[Term]]()

        def forms(each: Term) -> set[Term]:
            if each not in known:
                after = set().union(*(rewritten(each, rule) for rule in rules))
                known[each] = set().union(*map(forms, after)) if after else {each}
            return known[each]

        terms = self.read(answer)
        return set(terms) == forms(term(self.start)) and len(set(terms)) == len(terms)

    def difficulty(self) -> float:
        """How many terms can be reached."""
        return len(self.reached.terms)

    def shortcuts(self) -> Iterable[str]:
        return [self.start, "a", "b"]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The ends of rewriting by one strategy, or by a few."""
        first = self._end(lambda options: options[0])
        last = self._end(lambda options: options[-1])
        some = [self._end(rng.choice) for _ in range(3)]
        longest = self._end(lambda options: max(options, key=size))
        return {
            "outermost first": self.as_text([first]),
            "innermost first": self.as_text([last]),
            "random": self.as_text(some[:1]),
            "outermost and innermost": self.as_text(dict.fromkeys([first, last])),
            "three at random": self.as_text(dict.fromkeys(some)),
            "all of these": self.as_text(dict.fromkeys([first, last, longest, *some])),
        }

    def _end(self, choose: Callable[[Sequence[Term]], Term]) -> Term:
        """The normal form that a strategy ends in, which chooses among the results of one step."""
        system, each = Rewriting(self.system()), term(self.start)
        while options := [result.term for result in system.results(each)]:
            each = choose(options)
        return each

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(rules=3, symbols=5, forms=2, reach=4)

    def candidates(self) -> Iterable[str]:
        """All sets of at most three terms that can be reached."""
        terms = sorted(self.reached.terms)[:12]
        terms += [each for each in self.reached.normal_forms if each not in terms]
        for number in (1, 2, 3):
            yield from map(self.as_text, product(terms, repeat=number))


@lru_cache(maxsize=64)
def _reducts_of(task: TermRewriting) -> Reducts:
    reached = reducts(term(task.start), Rewriting(task.system()), MOST)
    if reached is None:
        raise ValueError(f"too many or too long terms can be reached from {task.start}")
    return reached
