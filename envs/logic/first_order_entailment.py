"""Entailment by facts and rules about everyone, as in FOLIO (S. Han et al., 2022)."""

from collections.abc import Iterable
from itertools import permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.first_order_entailment.clauses import Clause, propagated
from palaestra.generators.logic.first_order_entailment.rules import (
    Rule,
    as_text,
    drawn,
    literal,
    spelt_out,
    weighed,
)
from palaestra.generators.people import NAMES
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.named_values import by_name, matched, numbered, places

ADJECTIVES = (
    "brave", "calm", "clever", "curious", "famous", "gentle", "honest", "lonely", "modest", "noisy",
    "patient", "polite", "quiet", "rich", "stubborn", "tall", "wise", "young",
)  # fmt: skip
VERDICTS = ("true", "false", "unknown")


class FirstOrderEntailment(Puzzle):
    """Decide whether facts and general rules make each conclusion true, false or neither."""

    tags = {"deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        people: int = ladder(2, 2, 3, 4, 5, 6, 7, low=2, high=10)
        adjectives: int = ladder(4, 5, 6, 7, 8, 10, 12, low=4, high=18)
        rules: int = ladder(3, 4, 6, 8, 10, 14, 18, low=3, high=20)
        conclusions: int = ladder(5, 6, 6, 6, 7, 7, 8, low=4, high=10)
        shape: Literal["chain", "joint", "links", "choice"] = ladder(
            "chain", "chain", "joint", "links", "choice"
        )

    names: tuple[str, ...]
    adjectives: tuple[str, ...]
    rules: tuple[Rule, ...]
    facts: tuple[tuple[int, int], ...]
    """Who, and what they are or are not."""
    admires: tuple[tuple[int, int], ...]
    conclusions: tuple[tuple[int, int], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # All that is said is true in one world, so that it can be true together.
        traits = range(1, knobs.adjectives + 1)
        world = [{rng.choice((1, -1)) * trait for trait in traits} for _ in range(knobs.people)]
        links = knobs.shape in {"links", "choice"}
        pairs = list(permutations(range(knobs.people), 2))
        couples = tuple(rng.sample(pairs, knobs.people)) if links else ()
        rules: dict[Rule, None] = {}
        for _ in range(10 * knobs.rules):
            if len(rules) < knobs.rules and (rule := drawn(rng, knobs.shape, world, couples)):
                rules[rule] = None
        facts = [
            (person, trait)
            for person, own in enumerate(world)
            for trait in rng.sample(sorted(own), min(rng.randint(1, 2), knobs.adjectives - 2))
        ]
        theory = cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            adjectives=tuple(rng.sample(ADJECTIVES, knobs.adjectives)),
            rules=tuple(rng.sample(list(rules), len(rules))),
            facts=tuple(facts),
            admires=couples,
            conclusions=(),
        )
        asked = theory.askable(rng, knobs.conclusions)
        return theory.model_copy(update={"conclusions": asked})

    def askable(self, rng: Random, number: int) -> tuple[tuple[int, int], ...]:
        """Conclusions that are no facts; about half of them follow, as do their opposites."""
        literals = propagated(self.clauses())
        known = literals[0] if literals else set()
        atoms = list(product(range(len(self.names)), range(1, len(self.adjectives) + 1)))
        stated = {(person, abs(trait)) for person, trait in self.facts}
        atoms = [atom for atom in rng.sample(atoms, len(atoms)) if atom not in stated]
        settled = [a for a in atoms if {self.literal(*a), -self.literal(*a)} & known]
        chosen = settled[: rng.randint(2, number - 1)]
        chosen += [atom for atom in atoms if atom not in settled][: number - len(chosen)]
        rng.shuffle(chosen)
        return tuple((person, rng.choice((1, -1)) * trait) for person, trait in chosen)

    def literal(self, person: int, trait: int) -> int:
        """The number of a statement about somebody, among the statements about all."""
        return literal(person, trait, len(self.adjectives))

    def clauses(self) -> tuple[Clause, ...]:
        """The facts, and the rules spelt out for everybody."""
        return spelt_out(
            len(self.names), len(self.adjectives), self.rules, self.facts, self.admires
        )

    def is_valid(self) -> bool:
        return len(self.conclusions) > 3 and set(self.verdicts()) == set(VERDICTS)

    def canonical(self) -> str:
        return repr(
            (sorted(self.rules), sorted(self.facts), sorted(self.admires), sorted(self.conclusions))
        )

    def prompt(self) -> str:
        rules = "\n".join(
            f"- {as_text(rule, self._word, self.wording + n)}" for n, rule in enumerate(self.rules)
        )
        facts = [f"{self.names[one]} is {self._word(trait)}." for one, trait in self.facts]
        facts += [f"{self.names[a]} admires {self.names[b]}." for a, b in self.admires]
        asked = "\n".join(
            f"{n}. {self.names[one]} is {self._word(trait)}."
            for n, (one, trait) in enumerate(self.conclusions, 1)
        )
        ask = self.phrase(
            "For each of these conclusions, say whether it is true, false or unknown:",
            "Is each of these conclusions true, false or unknown?",
        )
        return (
            f"These rules hold for everyone:\n{rules}\n\nThese are facts:\n"
            + "\n".join(f"- {fact}" for fact in facts)
            + f"\n\n{ask}\n{asked}\n\nA conclusion is true if the rules and facts imply it, false "
            "if they imply its opposite, and unknown otherwise, since what is not stated may be "
            "either way. 'Or' includes the case that both are true. People may admire others even "
            "where this is not stated. Write one line for each conclusion with its number, such "
            "as '1: unknown'."
        )

    def _word(self, trait: int) -> str:
        return ("" if trait > 0 else "not ") + self.adjectives[abs(trait) - 1]

    def verdicts(self) -> tuple[str, ...]:
        """What becomes of each conclusion."""
        return weighed(self.clauses(), tuple(self.literal(*c) for c in self.conclusions))

    def answer(self) -> str:
        return numbered(self.verdicts())

    def verify(self, answer: str) -> Score:
        right = dict(zip(places(len(self.conclusions)), self.verdicts()))
        return matched(by_name(answer, right, VERDICTS), right)

    def difficulty(self) -> float:
        sizes = (len(given) + len(then) for given, then, _ in self.rules)
        return float(len(self.names) * sum(sizes) + len(self.conclusions))

    def random_baseline(self) -> float:
        # Each verdict is there, which those who know it may make use of.
        claims = len(self.conclusions)
        return 1.0 / int(3**claims - 3 * 2**claims + 3)

    def shortcuts(self) -> Iterable[str]:
        """What is denied has one verdict, and what is asserted another."""
        for yes, no in permutations(VERDICTS, 2):
            yield numbered(yes if trait > 0 else no for _, trait in self.conclusions)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(conclusions=4)

    def candidates(self) -> Iterable[str]:
        return map(numbered, product(VERDICTS, repeat=len(self.conclusions)))
