"""Number sequences to be continued, a staple of intelligence tests since the 1910s.

Any continuation fits some rule. Here the kinds of rules are stated, and a task is fair only if
all rules of these kinds that fit what is shown continue it in the same way.
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.induction.number_sequence import (
    FACTORS,
    LARGEST,
    PLACES,
    Kind,
    Numbers,
    continuations,
    drawn,
    shapes,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.named_values import in_order
from palaestra.verifiers.reading.values import integers, joined

ASKED = 3
KINDS: tuple[Kind, ...] = ("steady", "placed", "woven", "turns", "second")

TOLD: dict[Kind, str] = {
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


class NumberSequence(Puzzle):
    """Continue number sequences whose rules are of a few stated kinds."""

    tags = {"induction", "calculation", "unique-solution"}

    class Knobs(Puzzle.Knobs):
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
            kind = rng.choice(kinds[-3:] if knobs.hardest == "last" else kinds)
            terms = drawn(rng, kind, knobs.terms + ASKED)
            # Sequences that stand still or go round tell little.
            if len(set(terms)) >= len(terms) - 2 and max(map(abs, terms)) <= knobs.largest:
                sequences.append(terms[: knobs.terms])
        return cls(sequences=tuple(sequences), kinds=kinds)

    def is_valid(self) -> bool:
        """Whether all rules agree, and say something else than that a step is repeated."""
        if any(len(fitting(self.kinds, terms)) != 1 for terms in self.sequences):
            return False
        return self.answer() not in self.shortcuts()

    def canonical(self) -> str:
        return repr((sorted(self.sequences), self.kinds))

    def prompt(self) -> str:
        lines = "\n".join(f"{n}. {joined(terms)}" for n, terms in enumerate(self.sequences, 1))
        kinds = "\n".join(f"- {TOLD[kind]}" for kind in self.kinds)
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
            f"on what comes next. Write the next {ASKED} terms"
            + (
                f", such as '{sample}'."
                if one
                else f" of each, a line for each sequence without its number, such as:\n{sample}"
            )
        )

    def _bounds(self) -> str:
        """What the numbers in the rules may be."""
        p = "p, q are whole numbers" if "second" in self.kinds else "p is a whole number"
        r = f", r from {PLACES[0]} to {PLACES[-1]}" if "placed" in self.kinds else ""
        s = f", and s from -{LARGEST} to {LARGEST}"
        return f"Here {p} from {FACTORS[0]} to {FACTORS[-1]}{r}{s}"

    def right(self) -> list[Numbers]:
        """The terms asked for."""
        return [fitting(self.kinds, terms)[0] for terms in self.sequences]

    def answer(self) -> str:
        return "\n".join(map(joined, self.right()))

    def verify(self, answer: str) -> Score:
        right = [term for terms in self.right() for term in terms]
        return in_order(integers(answer, len(right)), right)

    def difficulty(self) -> float:
        rules = sum(len(shapes(kind)) ** 2 if kind == "second" else 50 for kind in self.kinds)
        return float(len(self.sequences) * rules)

    def shortcuts(self) -> Iterable[str]:
        """As if the last step, or the last change of steps, were repeated."""
        flat, bent = [], []
        for terms in self.sequences:
            step, before = terms[-1] - terms[-2], terms[-2] - terms[-3]
            flat.append(joined([terms[-1] + step * n for n in range(1, ASKED + 1)]))
            bend, last, row = step - before, terms[-1], []
            for _ in range(ASKED):
                step += bend
                last += step
                row.append(last)
            bent.append(joined(row))
        yield "\n".join(flat)
        yield "\n".join(bent)


@lru_cache(maxsize=256)
def fitting(kinds: tuple[Kind, ...], terms: Numbers) -> tuple[Numbers, ...]:
    """All continuations of a sequence by rules of some kinds."""
    return tuple(sorted(set().union(*(continuations(kind, terms, ASKED) for kind in kinds))))
