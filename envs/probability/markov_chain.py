"""Markov chains: Andrei Markov (1906); James Norris, "Markov Chains" (1997)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from string import ascii_uppercase
from typing import Literal, Self

from palaestra.generators.probability.markov_chain import (
    LIMITS,
    Chain,
    Question,
    Topic,
    as_text,
    distribution,
    entries,
    paths,
    random_chain,
    reachable,
    stationary,
    value,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.probabilities import fractions
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated

TOPICS: dict[str, tuple[Topic, ...]] = {
    "after": ("after",),
    "steps": ("after", "between"),
    "limits": LIMITS,
    "any": ("between", *LIMITS),
}

PATHS = 2_000
"""The most paths that the second opinion goes through."""


UNITS = ("steps", "step", "visits", "visit", "times")
"""Words that may follow an expected number."""


class MarkovChain(Puzzle):
    """Find an exact probability or expectation of a Markov chain."""

    tags = {"probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(Puzzle.Knobs):
        states: int = ladder(3, 3, 4, 4, 5, 6, 8, low=3, high=10)
        degree: int = ladder(2, 3, 3, 3, 3, 3, 4, low=2, high=10)  # next states of a state
        steps: int = ladder(2, 3, 4, 5, 6, 7, 9, high=12)
        denominator: int = ladder(20, 8, 6, 6, 6, 8, 10, low=6, high=20)
        topics: Literal["after", "steps", "limits", "any"] = ladder(
            "after", "after", "steps", "any"
        )

    chain: Chain
    question: Question

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        degree = min(knobs.degree, knobs.denominator - 1)
        chain = random_chain(rng, knobs.states, degree, knobs.denominator)
        topic = rng.choice(TOPICS[knobs.topics])
        start, target, other = rng.sample(range(knobs.states), 3)
        steps, last = knobs.steps, 0
        if topic == "between":
            steps, last = rng.randint(1, knobs.steps - 1), knobs.steps
        elif topic != "after":
            steps = 0
        if topic in {"after", "time", "long run"}:
            other = 0
        if topic == "long run":
            start = 0
        return cls(chain=chain, question=Question(topic, start, target, other, steps, last))

    def is_valid(self) -> bool:
        question = self.question
        if question.topic == "between" and not self.is_possible():
            return False
        blocked = {question.target, question.other}
        if question.topic == "before" and not (
            blocked <= reachable(self.chain, question.start, blocked)
        ):
            return False
        # Transitions have no denominators above 20, so that the value is not one of theirs.
        value = self.value()
        return value.denominator > 20 and value not in self.wrong_values()

    def is_possible(self) -> bool:
        """Whether the state after the last step can be what the condition states."""
        return (
            distribution(self.chain, self.question.start, self.question.last)[self.question.other]
            > 0
        )

    def wrong_values(self) -> Iterable[Fraction]:
        """Values of other questions: fewer steps, no condition, a swap of states, long run."""
        question = self.question
        yield stationary(self.chain)[question.start]
        if question.topic != "long run":
            yield stationary(self.chain)[question.target]
        if question.topic in {"after", "between"}:
            for steps in (question.steps - 1, question.steps + 1):
                yield distribution(self.chain, question.start, steps)[question.target]
        if question.topic == "between":
            yield distribution(self.chain, question.start, question.steps)[question.target]
        swapped = question._replace(start=question.target, target=question.start)
        if question.topic in {"after", "time"}:
            yield value(self.chain, swapped)
        if question.topic == "before":
            yield 1 - value(self.chain, question)

    def value(self) -> Fraction:
        """The value that the question asks for."""
        return value(self.chain, self.question)

    def prompt(self) -> str:
        names = ascii_uppercase[: len(self.chain)]
        rows = [
            f"From {names[state]}: "
            + ", ".join(
                f"to {names[target]} with probability {Fraction(weight, sum(row))}"
                for target, weight in enumerate(row)
                if weight
            )
            for state, row in enumerate(self.chain)
        ]
        intro = self.phrase(
            f"A process is in one of {len(names)} states at any time. In each step it moves at "
            "random, and the next state depends on the present one alone:",
            f"A Markov chain has {len(names)} states. In each step, the next state is chosen with "
            "these probabilities, independently of all earlier states:",
        )
        listed = "\n".join(rows)
        return (
            f"{intro}\n{listed}\n\n{as_text(self.question, names)}\n\nGive the exact value as a "
            "fraction such as '5/13', in any equal form; a decimal counts only if it is exact."
        )

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        number = self.read(answer)
        if self.is_count() and number < 0:
            return Score(0, "a number of steps is not negative")
        if not self.is_count() and not 0 <= number <= 1:
            return Score(0, "a probability is from 0 to 1")
        return Score(1) if number == self.value() else Score(0, "the value is wrong")

    def is_count(self) -> bool:
        """Whether the question is about an expected number of steps, and not a probability."""
        return self.question.topic in {"time", "visits"}

    def read(self, answer: str) -> Fraction:
        """The value that an answer states."""
        if not self.is_count():
            return probability(stated(answer))
        try:
            return probability(stated(answer, UNITS))
        except InvalidAnswer as error:
            what = str(error).replace("a probability", "an expected number of steps")
            raise InvalidAnswer(what, error.status) from None

    def audit(self, answer: str) -> bool | None:
        """Add up the probabilities of all paths, unless there are too many or they have no end."""
        question, last = self.question, max(self.question.steps, self.question.last)
        if not last or max(sum(map(bool, row)) for row in self.chain) ** last > PATHS:
            return None
        ways = paths(self.chain, question.start, last)
        if question.topic == "between":
            ways = [way for way in ways if way[0][-1] == question.other]
        total = sum(chance for _, chance in ways)
        right = sum(chance for path, chance in ways if path[question.steps] == question.target)
        return self.read(answer) == right / total

    def difficulty(self) -> float:
        """Products of the steps, or four for each coefficient that elimination changes."""
        if steps := max(self.question.steps, self.question.last):
            number = sum(map(bool, (weight for row in self.chain for weight in row)))
            return float(steps * number * (1 if self.question.topic == "after" else 2))
        return 4.0 * (len(self.chain) - 1) ** 3

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who answer with a number of the chain, or a simpler question."""
        row = self.chain[self.question.start]
        return {
            "transition": str(Fraction(row[self.question.target], sum(row))),
            "stationary": str(stationary(self.chain)[self.question.start]),
            "uniform": str(Fraction(1, len(self.chain))),
            "random entry": str(rng.choice(sorted(entries(self.chain)))),
        }

    def shortcuts(self) -> list[str]:
        return [*map(str, self.wrong_values()), *map(str, sorted(entries(self.chain))[:6])]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(states=3, degree=3, steps=2, denominator=6)

    def candidates(self) -> Iterable[str]:
        """All probabilities that two steps can have."""
        return map(str, fractions(36))
