"""What an invented statute decides, an original environment.

SARA (N. Holzenberger and others, "A Dataset for Statutory Reasoning in Tax Law Entailment and
Question Answering", 2020) applies sections of the tax code of the United States to cases. Here the
statute is new with each task. Exceptions defeat what they are made from, and may be defeated, as in
default logic (R. Reiter, "A Logic for Default Reasoning", 1980).
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.fiction import CHARACTERS, LONGEST, world
from palaestra.generators.rules.statute_application import (
    AROUND,
    CHARGES,
    SIZES,
    TOWNS,
    TRAITS,
    Case,
    Decision,
    Names,
    Reader,
    Shape,
    Statute,
    careless_readers,
    due,
    random_case,
    random_cases,
    random_statute,
    settled,
    term_names,
    text_of,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines, number_list
from palaestra.verifiers.reading.labels import matched, numbered
from palaestra.verifiers.reading.values import joined

RULES = (
    "A paragraph applies to a ship if it is in force in the year in which the ship comes, its "
    "condition is met, and no paragraph that applies to the ship states that it does not apply. "
    "Years are included on both ends. A ship counts as something if, and only if, a paragraph that "
    "states so applies. A condition with 'and' needs both parts, one with 'or' at least one of "
    "them. The due of a ship is the sum of what the paragraphs that apply charge, less what they "
    "reduce it by; it may be negative. Notes have no effect, and terms that differ in a letter are "
    "different terms."
)


WORDS = ("coin", "paragraph", "\u00a7")
"""Words that may stand beside numbers."""


class StatuteApplication(Puzzle):
    """Decide cases by an invented statute with definitions, exceptions and exceptions to these."""

    tags = {"reading", "law", "defeasible-reasoning", "long-context", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(400, 700, 1_200, 2_000, 3_500, 5_500, 8_000, high=LONGEST)
        terms: int = ladder(1, 2, 3, 4, 5, 7, 9, high=20)  # that the statute defines
        charges: int = ladder(2, 3, 4, 5, 6, 7, 8, low=2, high=16)
        exceptions: int = ladder(1, 4, 7, 11, 15, 20, 26, high=30)
        depth: int = ladder(1, 2, 2, 3, 3, 4, 5, high=8)  # of exceptions to exceptions
        dated: int = ladder(0, 0, 15, 25, 25, 25, 25, high=60)  # percentage of paragraphs
        cases: int = ladder(2, 2, 2, 3, 3, 4, 4, high=6)

    statute: Statute
    numbers: tuple[int, ...]
    """The numbers of the paragraphs in the text, among others that are not about ships."""
    names: Names
    cases: tuple[Case, ...]
    seed: int
    """Of the other paragraphs and the notes."""
    paragraphs: int
    """How many there are."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shape = Shape(knobs.terms, knobs.charges, knobs.exceptions, knobs.depth, knobs.dated)
        case = random_case(rng)
        statute = random_statute(rng, shape, case)
        seed = rng.getrandbits(48)
        size = max(len(statute), knobs.tokens * CHARACTERS // AROUND)
        cases = random_cases(rng, statute, case, knobs.cases)
        return cls(
            statute=statute,
            numbers=tuple(sorted(rng.sample(range(1, size + 1), len(statute)))),
            names=Names(term_names(rng, knobs.terms), world(seed).towns[:TOWNS]),
            cases=cases if len(cases) == knobs.cases else (),
            seed=seed,
            paragraphs=size,
        )

    def is_valid(self) -> bool:
        """Whether there are cases in which something is due, all of them different."""
        return bool(self.cases) and len({*self.cases}) == len(self.cases)

    def canonical(self) -> str:
        return repr((self.statute, sorted(self.cases)))

    @property
    def text(self) -> str:
        """The text of the statute."""
        return text_of(self.statute, self.numbers, self.names, self.seed, self.paragraphs)

    def in_words(self, case: Case) -> str:
        """A case as a list of facts."""
        sizes = [f"{name} {n} {unit}" for (name, unit, _, _), n in zip(SIZES, case.sizes)]
        towns = [f"{name} {self.names.towns[n]}" for name, n in zip(TRAITS, case.towns)]
        return f"a ship that comes in {case.year}; {'; '.join(sizes + towns)}"

    def prompt(self) -> str:
        opening = self.phrase(
            "Decide by a statute what is due for some ships.",
            "Apply this statute of an invented country to some ships.",
            "Find out what the following statute charges for some ships.",
        )
        ask = self.phrase("What is due in each of these cases?", "Decide these cases:")
        return (
            f"{opening} {RULES}\n\nThe statute:\n\n{self.text}\n\n{ask}\n"
            f"{numbered(map(self.in_words, self.cases))}\n\nWrite one line for each case, with its "
            "number: the due in coins, and then the numbers of all paragraphs that apply to the "
            "ship and state an amount of coins, separated by commas, such as:\n1: 345, 2, 6"
        )

    def as_line(self, decision: Decision) -> str:
        """A decision as it is written."""
        return joined([decision.amount, *sorted(self.numbers[n] for n in decision.paragraphs)])

    @cached_property
    def right(self) -> list[Decision]:
        """The decisions."""
        return [Reader(self.statute, case).decision() for case in self.cases]

    def answer(self) -> str:
        return numbered(map(self.as_line, self.right))

    def read(self, answer: str) -> list[Decision]:
        """The decisions that an answer states; a paragraph without a bearing has the index -1."""
        indices = {number: n for n, number in enumerate(self.numbers)}
        decisions = []
        for text in answer_lines(answer, len(self.cases), ["ship"]):
            stated = number_list(text, WORDS)
            if not stated:
                raise InvalidAnswer("expected a number of coins for each case")
            amount, *numbers = stated
            if len({*numbers}) < len(numbers):
                raise InvalidAnswer("a paragraph is listed twice")
            decisions.append(Decision(amount, frozenset(indices.get(n, -1) for n in numbers)))
        return decisions

    def verify(self, answer: str) -> Score:
        return matched(dict(enumerate(self.read(answer))), dict(enumerate(self.right)))

    def audit(self, answer: str) -> bool:
        """Decide all paragraphs in rounds, each from what is certain by then."""
        for decision, case in zip(self.read(answer), self.cases):
            applied = settled(self.statute, case)
            charged = frozenset(n for n in applied if self.statute[n].role in CHARGES)
            if decision != (sum(due(self.statute[n], case) for n in charged), charged):
                return False
        return True

    def difficulty(self) -> float:
        """The paragraphs that have to be looked at, for each case, times those of the text."""
        total = 0
        for case in self.cases:
            reader = Reader(self.statute, case)
            reader.decision()
            total += len(reader.known)
        return float(total * self.paragraphs)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave a part of the statute out, and one who takes all charges."""
        readers = [careless_readers(self.statute, case) for case in self.cases]
        players = {
            name: numbered(self.as_line(each[name].decision()) for each in readers)
            for name in readers[0]
        }
        every = frozenset(n for n, each in enumerate(self.statute) if each.role in CHARGES)
        return players | {
            "all charges": numbered(
                self.as_line(Decision(sum(due(self.statute[n], case) for n in every), every))
                for case in self.cases
            )
        }

    def shortcuts(self) -> Iterable[str]:
        yield numbered([0] * len(self.cases))
