"""Number sequences to be continued, a staple of intelligence tests since the 1910s.

Any continuation fits some rule. The prompt states the kinds of rules, and a task is valid only
if all rules of these kinds that fit the terms shown continue them in the same way.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain, islice, pairwise, product
from random import Random
from typing import Literal, Self

from palaestra.generators.induction.hidden_rules import HiddenRule
from palaestra.generators.induction.number_sequence import (
    FACTORS,
    LARGEST,
    POSITIONS,
    Kind,
    Numbers,
    continuations,
    random_sequence,
    shapes,
)
from palaestra.generators.induction.pictures import UNKNOWN
from palaestra.generators.tiles import entered, level, tiles
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

NEXT = 3
"""How many terms an answer continues a sequence with."""

KINDS: tuple[Kind, ...] = ("steady", "placed", "woven", "turns", "second")

RULES: dict[Kind, str] = {
    "steady": "Each term from the third on is p times the one before it, plus s.",
    "placed": "Each term from the third on is p times the one before it, plus r times its own "
    "place, plus s. (The places are 1, 2, 3 and so on.)",
    "woven": "The terms at odd places (1st, 3rd, ...) are a sequence of their own, and so are "
    "those at even places: from the second term of either on, each is p times the one before it "
    "in the same sequence, plus s. Each of the two has its own p and s.",
    "turns": "Each term from the third on is p times the one just before it, plus s, with one p "
    "and s for odd places (3rd, 5th, ...) and another p and s for even places.",
    "second": "Each term from the third on is p times the one before it, plus q times the one "
    "before that, plus s.",
}


class NumberSequence(HiddenRule):
    """Continue number sequences whose rules are of a few stated kinds."""

    tags = HiddenRule.tags | {"calculation"}

    class Knobs(HiddenRule.Knobs):
        kinds: int = ladder(1, 2, 3, 4, 5, 5, 5, low=1, high=5)
        sequences: int = ladder(1, 1, 1, 1, 1, 2, 3, low=1, high=4)
        terms: int = ladder(6, 7, 9, 9, 9, 9, 8, low=6, high=9)
        largest: int = ladder(9000, 9000, 9000, 10_000, 20_000, 50_000, 10**6, low=9000, high=10**7)
        hardest: Literal["any", "last"] = ladder("any", "any", "any", "any", "last")

    sequences: tuple[Numbers, ...]
    kinds: tuple[Kind, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = KINDS[: knobs.kinds]
        sequences: list[Numbers] = []
        while len(sequences) < knobs.sequences:
            rule = rng.choice(kinds[-3:] if knobs.hardest == "last" else kinds)
            terms = random_sequence(rng, rule, knobs.terms + NEXT)
            # Constant and periodic sequences are too easy.
            if len(set(terms)) >= len(terms) - 2 and max(map(abs, terms)) <= knobs.largest:
                sequences.append(terms[: knobs.terms])
        return cls(sequences=tuple(sequences), kinds=kinds)

    def outcomes(self) -> list[tuple[int, ...]]:
        """Up to two lists of the next terms of all sequences."""
        continued = product(*(fitting(self.kinds, terms) for terms in self.sequences))
        return [tuple(chain(*each)) for each in islice(continued, 2)]

    def canonical(self) -> str:
        return repr((sorted(self.sequences), self.kinds))

    def prompt(self) -> str:
        lines = "\n".join(f"{n}. {joined(terms)}" for n, terms in enumerate(self.sequences, 1))
        kinds = "\n".join(f"- {RULES[rule]}" for rule in self.kinds)
        one = len(self.sequences) == 1
        lines = joined(self.sequences[0]) if one else lines
        opening = self.phrase(
            f"Continue {'this sequence' if one else 'each of these sequences'} of whole numbers:",
            f"What comes next in {'this sequence' if one else 'these sequences'}?",
        )
        sample = "\n".join(["-12, 40, 7"] * len(self.sequences))
        each = "The rule is" if one else "Each of the rules is"
        return (
            f"{opening}\n\n{lines}\n\n{each} of "
            f"{'one of these kinds' if self.kinds[1:] else 'this kind'}:\n{kinds}\n"
            f"{self._bounds()}; the first two terms are arbitrary. All such rules that fit agree "
            f"on what comes next. Write the next {NEXT} terms"
            + (
                f", such as '{sample}'."
                if one
                else f" of each, a line for each sequence without its number, such as:\n{sample}"
            )
        )

    def _bounds(self) -> str:
        """What the numbers in the rules may be."""
        p = "p, q are whole numbers" if "second" in self.kinds else "p is a whole number"
        r = f", r from {POSITIONS[0]} to {POSITIONS[-1]}" if "placed" in self.kinds else ""
        s = f", and s from -{LARGEST} to {LARGEST}"
        return f"Here {p} from {FACTORS[0]} to {FACTORS[-1]}{r}{s}"

    def as_text(self, outcome: tuple[int, ...]) -> str:
        return "\n".join(joined(outcome[n : n + NEXT]) for n in range(0, len(outcome), NEXT))

    def scene(self) -> Grid:
        return self.pictured([UNKNOWN] * (NEXT * len(self.sequences)))

    def solved_scene(self, answer: str) -> Grid:
        terms = integers(answer, NEXT * len(self.sequences))
        return self.pictured(entered(terms))

    def pictured(self, following: list[Cell]) -> Grid:
        """The sequences, one below the other, with cells for the next terms of each."""
        rows = [
            [*tiles(terms), *following[NEXT * n : NEXT * (n + 1)]]
            for n, terms in enumerate(self.sequences)
        ]
        names = tuple((str(n),) for n in range(1, len(rows) + 1))
        return Grid(level(rows), left=names if rows[1:] else ())

    def difficulty(self) -> float:
        rules = sum(len(shapes(rule)) ** 2 if rule == "second" else 50 for rule in self.kinds)
        return float(len(self.sequences) * rules)

    def shortcuts(self) -> Iterable[str]:
        """Continuations that repeat the last difference, or the last change of differences."""
        linear, quadratic = list[int](), list[int]()
        for terms in self.sequences:
            difference, before = terms[-1] - terms[-2], terms[-2] - terms[-3]
            linear += [terms[-1] + difference * n for n in range(1, NEXT + 1)]
            last, change = terms[-1], difference - before
            for _ in range(NEXT):
                difference += change
                last += difference
                quadratic.append(last)
        yield self.as_text(tuple(linear))
        yield self.as_text(tuple(quadratic))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The last term again, the last ratio kept, and the last differences repeated."""
        again, ratio, differences = list[int](), list[int](), list[int]()
        for terms in self.sequences:
            again += [terms[-1]] * NEXT
            last, before = terms[-1], terms[-2]
            for _ in range(NEXT):
                last, before = (round(last * last / before) if before else last), last
                ratio.append(last)
            steps = [b - a for a, b in pairwise(terms)][-NEXT:]
            differences += [terms[-1] + sum(steps[: n + 1]) for n in range(NEXT)]
        return {
            "last term again": self.as_text(tuple(again)),
            "last ratio kept": self.as_text(tuple(ratio)),
            "last differences repeated": self.as_text(tuple(differences)),
        }


@lru_cache(maxsize=256)
def fitting(kinds: tuple[Kind, ...], terms: Numbers) -> tuple[Numbers, ...]:
    """All continuations of a sequence by rules of some kinds."""
    return tuple(sorted(set().union(*(continuations(rule, terms, NEXT) for rule in kinds))))
