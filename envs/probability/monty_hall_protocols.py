"""The game of three doors: Steve Selvin (1975); Maya Bar-Hillel and Ruma Falk (1982)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.bayesian_networks import random_row
from palaestra.generators.probability.monty_hall_protocols import (
    OPENING,
    PROTOCOLS,
    Step,
    histories,
    outcome_text,
    posterior,
    random_steps,
    rule_text,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.probabilities import fractions, judged
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated

HISTORIES = 5_000
"""The most courses of events that the second opinion goes through."""


class MontyHallProtocols(Puzzle):
    """Find the probability that a box hides a prize after a host acts by a stated protocol."""

    tags = {"probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(Puzzle.Knobs):
        boxes: int = ladder(3, 4, 5, 6, 7, 9, 11, high=12)
        steps: int = ladder(1, 2, 2, 3, 3, 4, 6, high=8)
        protocol: Literal["uniform", "host", "opening", "all"] = ladder(
            "uniform", "host", "opening", "all"
        )
        denominator: int = ladder(40, 20, 20, 20, 20, low=20, high=60)  # of the first chances

    prior: tuple[int, ...]
    """The weights of the boxes."""

    chosen: int
    steps: tuple[Step, ...]
    box: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        chosen = rng.randrange(knobs.boxes)
        steps = random_steps(rng, knobs.boxes, chosen, knobs.steps, PROTOCOLS[knobs.protocol])
        opened = {step.outcome[1] for step in steps if step.outcome[0] == "open"}
        return cls(
            prior=random_row(rng, knobs.boxes, knobs.denominator),
            chosen=chosen,
            steps=steps,
            box=rng.choice([box for box in range(knobs.boxes) if box not in opened]),
        )

    def is_valid(self) -> bool:
        """Whether the value is not that of another protocol, nor a simple fraction."""
        value = self.value()
        return value.denominator > 20 and value not in self.wrong_values()

    def value(self) -> Fraction:
        """The probability of the box that the question is about."""
        return posterior(self.prior, self.chosen, self.steps)[self.box]

    def wrong_values(self) -> list[Fraction]:
        """The value without any step, with opened boxes as bare facts, and under other rules."""
        opened = {step.outcome[1] for step in self.steps if step.outcome[0] == "open"}
        total = sum(self.prior)
        left = total - sum(self.prior[box] for box in opened)
        weight = self.prior[self.box]
        values = [Fraction(weight, total), Fraction(weight, left)]
        values += [Fraction(each, total) for each in self.prior]
        values.append(self.under("blind"))
        if any(step.rule in OPENING and step.rule != "knowing" for step in self.steps):
            values.append(self.under("knowing"))
        return values

    def under(self, rule: Literal["knowing", "blind"]) -> Fraction:
        """The value if all boxes were opened by a rule."""
        steps = tuple(
            step._replace(rule=rule) if step.rule in OPENING else step for step in self.steps
        )
        return posterior(self.prior, self.chosen, steps)[self.box]

    def prompt(self) -> str:
        total = sum(self.prior)
        chances = ", ".join(
            f"box {box} with probability {Fraction(weight, total)}"
            for box, weight in enumerate(self.prior, 1)
        )
        intro = self.phrase(
            f"A prize is in one of {len(self.prior)} closed boxes: {chances}. A contestant chooses "
            f"box {self.chosen + 1}, without knowing where the prize is. Then the following steps "
            "are taken; their rules are known in advance, and chances of different steps are "
            "independent of one another.",
            f"There are {len(self.prior)} closed boxes, and one of them hides a prize: {chances}. "
            f"A player who knows no more than this chooses box {self.chosen + 1}. What happens "
            "next follows these rules, which everybody knows from the start. The random choices "
            "of different steps are independent.",
        )
        steps = "\n".join(
            f"Step {n}. {rule_text(step, 'box')} {outcome_text(step, 'box')}"
            for n, step in enumerate(self.steps, 1)
        )
        return (
            f"{intro}\n\n{steps}\n\nWhat is the probability, under the condition of all that has "
            f"happened, that the prize is in box {self.box + 1}?\n\nGive the exact "
            "probability as a fraction such as '5/13', in any equal form; a decimal counts only if "
            "it is exact."
        )

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        return judged(stated(answer), self.value())

    def audit(self, answer: str) -> bool | None:
        """Go through all courses of events, unless there are too many."""
        if len(self.prior) ** (len(self.steps) + 1) > HISTORIES:
            return None
        happened = tuple(step.outcome for step in self.steps)
        ways = [
            (prize, chance)
            for prize, seen, chance in histories(self.prior, self.chosen, self.steps)
            if seen == happened
        ]
        right = sum(chance for prize, chance in ways if prize == self.box)
        return probability(stated(answer)) == right / sum(chance for _, chance in ways)

    def difficulty(self) -> float:
        """How many chances there are: of each step, for each box."""
        return float(len(self.prior) * sum(2 + (step.rule == "coin") for step in self.steps))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who know the famous answer, or take what they see as a bare fact."""
        prior, fact, *_ = self.wrong_values()
        opened = {step.outcome[1] for step in self.steps if step.outcome[0] == "open"}
        boxes = len(self.prior)
        return {
            "famous": "1/3" if self.box == self.chosen else "2/3",
            "prior": str(prior),
            "bare fact": str(fact),
            "boxes left": str(Fraction(1, boxes - len(opened))),
            "blind": str(self.under("blind")),
        }

    def shortcuts(self) -> list[str]:
        return [*map(str, self.wrong_values()), "1/2", "1/3", "2/3"]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(boxes=3, steps=1, protocol="uniform", denominator=20)

    def candidates(self) -> Iterable[str]:
        """All probabilities that one step of this rule can lead to."""
        return map(str, fractions(40))
