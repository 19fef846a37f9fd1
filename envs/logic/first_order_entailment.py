"""Entailment by facts and general rules, as in FOLIO (S. Han et al., 2022)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators import baselines
from palaestra.generators.logic.first_order_entailment.clauses import Clause, depths
from palaestra.generators.logic.first_order_entailment.rules import (
    Rule,
    as_text,
    grounded,
    literal,
    verdicts,
)
from palaestra.generators.logic.first_order_entailment.theories import Scene, theory
from palaestra.generators.people import NAMES
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs

ADJECTIVES = (
    "brave", "calm", "clever", "curious", "famous", "gentle", "honest", "lonely", "modest", "noisy",
    "patient", "polite", "quiet", "rich", "stubborn", "tall", "wise", "young",
)  # fmt: skip
VERDICTS = ("true", "false", "unknown")


class FirstOrderEntailment(Puzzle):
    """Decide whether facts and general rules make each conclusion true, false or neither."""

    version = 4
    tags = {"deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        people: int = ladder(2, 2, 3, 4, 5, 6, 7, 8, low=2, high=10)
        adjectives: int = ladder(4, 5, 6, 7, 8, 10, 12, 16, low=4, high=18)
        rules: int = ladder(3, 4, 6, 8, 10, 14, 18, 30, 40, low=3)
        # of the longest proof; fewer where people, adjectives or rules are too few
        steps: int = ladder(0, 0, 0, 0, 0, 4, 8, 16, 30)
        conclusions: int = ladder(5, 6, 6, 6, 7, 7, 8, 8, low=4, high=10)
        shape: Literal["chain", "joint", "links", "choice"] = ladder(
            "chain", "chain", "joint", "links", "choice"
        )

    names: tuple[str, ...]
    adjectives: tuple[str, ...]
    rules: tuple[Rule, ...]
    facts: tuple[tuple[int, int], ...]
    """Pairs of a person and an adjective, numbered from 1; negative if it does not apply."""
    admires: tuple[tuple[int, int], ...]
    conclusions: tuple[tuple[int, int], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # Rules and facts are true in one world, so they are consistent.
        traits = range(1, knobs.adjectives + 1)
        world = [{rng.choice((1, -1)) * trait for trait in traits} for _ in range(knobs.people)]
        links = knobs.shape in {"links", "choice"}
        pairs = list(permutations(range(knobs.people), 2))
        couples = tuple(rng.sample(pairs, knobs.people)) if links else ()
        facts = tuple(
            (person, trait)
            for person, own in enumerate(world)
            for trait in rng.sample(sorted(own), min(rng.randint(1, 2), knobs.adjectives - 2))
        )
        scene = Scene(tuple(world), couples, facts)
        # Few people with few traits have no longer proofs.
        steps = min(knobs.steps, knobs.rules, knobs.people * knobs.adjectives // 4)
        rules = theory(rng, scene, knobs.shape, knobs.rules, steps)
        task = cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            adjectives=tuple(rng.sample(ADJECTIVES, knobs.adjectives)),
            rules=tuple(rng.sample(rules, len(rules))),
            facts=facts,
            admires=couples,
            conclusions=(),
        )
        conclusions = task.askable(rng, knobs.conclusions, steps)
        return task.model_copy(update={"conclusions": conclusions})

    def askable(self, rng: Random, number: int, steps: int) -> tuple[tuple[int, int], ...]:
        """Conclusions that are not stated as facts; some of them are settled, others are open.

        One that takes so many steps, or else the most, comes before other settled ones.
        """
        known = depths(self.clauses())
        atoms = list(product(range(len(self.names)), range(1, len(self.adjectives) + 1)))
        stated = {(person, abs(trait)) for person, trait in self.facts}
        atoms = [atom for atom in rng.sample(atoms, len(atoms)) if atom not in stated]
        depth = {a: max(known.get(sign * self.literal(*a), -1) for sign in (1, -1)) for a in atoms}
        settled = [atom for atom in atoms if depth[atom] >= 0]
        longest = min(steps, max(depth.values()))
        settled.sort(key=lambda atom: depth[atom] < longest)
        chosen = settled[: rng.randint(2, number - 1)]
        chosen += [atom for atom in atoms if atom not in settled][: number - len(chosen)]
        rng.shuffle(chosen)
        return tuple((person, rng.choice((1, -1)) * trait) for person, trait in chosen)

    def literal(self, person: int, trait: int) -> int:
        """The literal that a person has a trait, or has not."""
        return literal(person, trait, len(self.adjectives))

    def clauses(self) -> tuple[Clause, ...]:
        """The facts, and the rules for every person."""
        return grounded(len(self.names), len(self.adjectives), self.rules, self.facts, self.admires)

    def is_valid(self) -> bool:
        return len(self.conclusions) > 3 and set(self.verdicts()) == set(VERDICTS)

    def canonical(self) -> str:
        return repr(
            (sorted(self.rules), sorted(self.facts), sorted(self.admires), sorted(self.conclusions))
        )

    def sentences(self) -> Sequence[Sentence]:
        facts = [f"{self.names[one]} is {self._word(trait)}." for one, trait in self.facts]
        facts += [f"{self.names[a]} admires {self.names[b]}." for a, b in self.admires]
        return [Sentence(fact) for fact in facts]

    def prompt(self) -> str:
        rules = "\n".join(
            f"- {as_text(rule, self._word, self.wording + n)}" for n, rule in enumerate(self.rules)
        )
        lines = "\n".join(
            f"{n}. {self.names[one]} is {self._word(trait)}."
            for n, (one, trait) in enumerate(self.conclusions, 1)
        )
        ask = self.phrase(
            "For each of these conclusions, state whether it is true, false or unknown:",
            "Is each of these conclusions true, false or unknown?",
        )
        return (
            f"These rules hold for everyone:\n{rules}\n\nThese are facts:\n"
            + "\n".join(f"- {statement.text}" for statement in self.sentences())
            + f"\n\n{ask}\n{lines}\n\nA conclusion is true if the rules and facts imply it, false "
            "if they imply its negation, and unknown otherwise, since what is not stated may be "
            "true or false. 'Or' includes the case that both are true. People may admire others "
            "even if this is not stated. Write one line for each conclusion with its number, such "
            "as '1: unknown'."
        )

    def _word(self, trait: int) -> str:
        return ("" if trait > 0 else "not ") + self.adjectives[abs(trait) - 1]

    def verdicts(self) -> tuple[str, ...]:
        """The verdict on each conclusion."""
        return verdicts(self.clauses(), tuple(self.literal(*c) for c in self.conclusions))

    def answer(self) -> str:
        return numbered(self.verdicts())

    def verify(self, answer: str) -> Score:
        right = dict(zip(line_numbers(len(self.conclusions)), self.verdicts()))
        return matched(pairs(answer, right, VERDICTS), right)

    def difficulty(self) -> float:
        sizes = (len(condition) + len(then) for condition, then, _ in self.rules)
        return float(len(self.names) * sum(sizes) + len(self.conclusions))

    def random_baseline(self) -> float:
        # The chance of a player who knows that every verdict occurs.
        claims = len(self.conclusions)
        return 1.0 / int(3**claims - 3 * 2**claims + 3)

    def shortcuts(self) -> Iterable[str]:
        """One verdict for all positive conclusions, and another for all negative ones."""
        for yes, no in permutations(VERDICTS, 2):
            yield numbered(yes if trait > 0 else no for _, trait in self.conclusions)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(conclusions=4)

    def candidates(self) -> Iterable[str]:
        return map(numbered, product(VERDICTS, repeat=len(self.conclusions)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All verdicts alike, or random ones."""
        labels = baselines.verdicts(VERDICTS, len(self.conclusions), rng)
        return {player: numbered(some) for player, some in labels.items()}
