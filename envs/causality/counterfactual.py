"""Counterfactuals by abduction, action and prediction: Judea Pearl, "Causality" (2000)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Self

from palaestra.generators.bayesian_networks import Claims
from palaestra.generators.causality.counterfactual import (
    NAMES,
    Model,
    by_enumeration,
    causes,
    counterfactual,
    equation_text,
    random_model,
)
from palaestra.generators.dags import descendants
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.probabilities import fractions, judged
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated

WORLDS = 1_000
"""The most worlds that the second opinion goes through."""


class Counterfactual(Puzzle):
    """Find the exact probability of what would have been in a structural causal model."""

    tags = {"causality", "probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(3, 4, 4, 5, 6, 7, 8, low=3, high=8)
        modulus: int = ladder(2, 2, 3, 3, 3, 3, 3, high=4)
        evidence: int = ladder(0, 0, 0, 1, 1, 1, 2)  # besides cause and effect
        denominator: int = ladder(10, 10, 10, 10, 10, low=8, high=20)

    model: Model
    known: Claims
    """What was observed: first the cause, then the effect, then others."""

    action: tuple[int, int]
    event: tuple[int, int]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        model = random_model(rng, knobs.variables, knobs.modulus, knobs.denominator)
        # If all variables were known, so would be all noises.
        evidence = min(knobs.evidence, knobs.variables - 3)
        nodes = rng.sample(range(knobs.variables), 2 + evidence)
        known = [(node, rng.randrange(knobs.modulus)) for node in nodes]
        (cause, value), (effect, _), *_ = known
        other = rng.choice([each for each in range(knobs.modulus) if each != value])
        return cls(
            model=model,
            known=tuple(known),
            action=(cause, other),
            event=(effect, rng.randrange(knobs.modulus)),
        )

    def is_valid(self) -> bool:
        """Whether all that is known matters, and neither seeing nor acting alone has the answer."""
        if self.event[0] not in descendants(causes(self.model), [self.action[0]]):
            return False
        result = counterfactual(self.model, self.known, (self.action,), (self.event,))
        if result is None or result.value.denominator <= 20:
            return False
        return result.value not in self.wrong_values().values()

    def wrong_values(self) -> dict[str, Fraction]:
        """The probabilities of the event after seeing, after acting, and with less known."""
        others = self.known[2:]
        acted = (self.action,)
        cases: dict[str, tuple[Claims, Claims]] = {
            "acting": ((), acted),
            "acting, and others seen": (others, acted),
            "seeing": ((self.action, *others), ()),
            "without the effect": ((self.known[0], *others), ()),
        }
        for claim in self.known:
            less = tuple(each for each in self.known if each != claim)
            cases[f"without {NAMES[claim[0]]}"] = less, acted
        results = {
            name: counterfactual(self.model, known, actions, (self.event,))
            for name, (known, actions) in cases.items()
        }
        return {name: result.value for name, result in results.items() if result is not None}

    def prompt(self) -> str:
        names = [NAMES[node] for node in range(len(self.model))]
        equations = "\n".join(equation_text(self.model, node) for node in range(len(self.model)))
        seen = [f"{names[node]} = {value}" for node, value in sorted(self.known)]
        listed = f"{', '.join(seen[:-1])} and {seen[-1]}"
        act = f"{names[self.action[0]]} = {self.action[1]}"
        event = f"{names[self.event[0]]} = {self.event[1]}"
        intro = self.phrase(
            "The variables of this structural causal model follow these equations, with "
            "independent noise:",
            "Each of these equations states how a variable comes about from its direct causes and "
            "its own noise. The noises of different variables are independent.",
        )
        question = self.phrase(
            f"In one case, {listed} were observed. What is the probability that {event} would have "
            f"been observed in this same case if {act} had been set by intervention?",
            f"In one case, {listed} were observed. Suppose that {act} had been set by intervention "
            f"in this very case. With what probability would {event} have come about?",
        )
        return (
            f"{intro}\n{equations}\n\n{question} All noises keep the values that they had; the "
            f"intervention replaces the equation of {names[self.action[0]]}, and all other "
            "equations still hold.\n\nGive the exact probability as a fraction such as '5/13', in "
            "any equal form; a decimal counts only if it is exact."
        )

    def value(self) -> Fraction:
        """The probability of the event."""
        result = counterfactual(self.model, self.known, (self.action,), (self.event,))
        assert result is not None, "what is known of a valid task can happen"
        return result.value

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        return judged(stated(answer), self.value())

    def audit(self, answer: str) -> bool | None:
        """Go through all values of the noise, unless there are too many."""
        if len(self.model[0].noise) ** len(self.model) > WORLDS:
            return None
        right = by_enumeration(
            self.model, dict(self.known), dict([self.action]), dict([self.event])
        )
        return probability(stated(answer)) == right

    def difficulty(self) -> float:
        """How many values of noise are tried, variable by variable."""
        result = counterfactual(self.model, self.known, (self.action,), (self.event,))
        assert result is not None, "what is known of a valid task can happen"
        return float(result.work)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who see or act without abduction, or answer with a chance of a noise."""
        wrong = self.wrong_values()
        noise = self.model[self.event[0]].noise
        return {
            "seeing": str(wrong.get("seeing", "")),
            "acting": str(wrong["acting"]),
            "noise": str(Fraction(rng.choice(noise), sum(noise))),
            "even": str(Fraction(1, len(noise))),
        }

    def shortcuts(self) -> list[str]:
        chances = {Fraction(w, sum(e.noise)) for e in self.model for w in e.noise}
        return [*map(str, self.wrong_values().values()), *map(str, sorted(chances)[:8])]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(variables=3, modulus=2, denominator=8)

    def candidates(self) -> Iterable[str]:
        """All probabilities with denominators up to that of three noises over 8, less a third."""
        return map(str, fractions(200))
