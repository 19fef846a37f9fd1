"""Whether sentences follow from others by their form.

Natural logic is after J. van Benthem (1986) and B. MacCartney ("Natural Language Inference", 2009);
implicative and factive verbs are those of L. Karttunen ("Implicative Verbs", 1971). All words that
matter are invented, and a lexicon in the prompt states what they mean.
"""

import re
from collections.abc import Iterable, Mapping
from math import factorial, prod
from random import Random
from typing import Self

from palaestra.generators.language.entailment_by_form import (
    LABELS,
    SIGNATURES,
    Label,
    Lexicon,
    Names,
    Pair,
    Shape,
    careless_labels,
    hypothesis_text,
    lexicon_lines,
    premise_text,
    random_lexicon,
    random_pairs,
    right_label,
)
from palaestra.generators.people import NAMES
from palaestra.generators.vocabulary import words
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered
from palaestra.verifiers.reading.labels import pairs as labelled_pairs
from palaestra.verifiers.reading.numbered_items import without_nouns

RULES = (
    "Nothing is known about the words but what the lexicon states, in which X is any noun, with or "
    "without adjectives. 'Not' and 'it is not the case that' deny all that follows them. What "
    "follows 'to' behind a verb is the thing that the verb is about; a person either does it or "
    "does not do it. Each pair is about a world of its own, with at least one thing of each of the "
    "two sorts that its sentences name."
)

_LINE = re.compile(
    r"\s*(\d{1,3})\s?[:.)=]\s+(?:b\s+)?"
    r"(?:(follows)(?:\s+from\s+a)?|(contradicts)(?:\s+a)?|(?:is\s+)?(open))\s?[.,;]?\s*",
    re.IGNORECASE | re.ASCII,
)
"""A number and a label, which may be a sentence in the words of the prompt."""


class EntailmentByForm(Puzzle):
    """Decide what follows from sentences with quantifiers, negations and verbs of a lexicon."""

    tags = {"language", "natural-logic", "deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        verbs: int = ladder(0, 1, 1, 2, 2, 3, 4, high=6)  # above the clause of a premise
        adjectives: int = ladder(0, 0, 1, 1, 2, 2, 3, high=4)  # of a noun, at most
        quantifiers: int = ladder(3, 3, 4, 4, 6, 6, 6, low=2)
        nouns: int = ladder(3, 4, 4, 5, 6, 6, 7, low=3, high=9)
        pairs: int = ladder(6, 6, 7, 8, 9, 10, 12, low=3, high=20)

    lexicon: Lexicon
    names: Names
    pairs: tuple[Pair, ...]
    people: tuple[int, ...]
    """Who each pair is about."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        verbs = min(len(SIGNATURES), knobs.verbs + 2) if knobs.verbs else 0
        adjectives = max(3, knobs.adjectives + 1) if knobs.adjectives else 0
        lexicon = random_lexicon(rng, knobs.nouns, adjectives, verbs)
        shape = Shape(knobs.verbs, knobs.adjectives, knobs.quantifiers)
        names = words(rng, knobs.nouns + adjectives + verbs, 4, 6)
        first = knobs.nouns + adjectives
        return cls(
            lexicon=lexicon,
            names=Names(names[: knobs.nouns], names[knobs.nouns : first], names[first:]),
            pairs=random_pairs(rng, lexicon, shape, knobs.pairs),
            people=tuple(rng.randrange(len(NAMES)) for _ in range(knobs.pairs)),
        )

    def is_valid(self) -> bool:
        """Whether there are pairs."""
        return bool(self.pairs)

    def canonical(self) -> str:
        return repr((self.lexicon, sorted(self.pairs)))

    def prompt(self) -> str:
        lines = [
            f"A: {premise_text(premise, NAMES[n], self.names)} "
            f"B: {hypothesis_text(hypothesis, NAMES[n], self.names)}"
            for (premise, hypothesis), n in zip(self.pairs, self.people)
        ]
        task = self.phrase(
            "For each of these pairs of sentences, decide whether B follows from A, contradicts A, "
            "or is open, so that it may be true or false if A is true.",
            "Suppose that sentence A of each pair is true. Is B then true for certain (follows), "
            "false for certain (contradicts), or neither (open)?",
        )
        opening = self.phrase("This lexicon has invented words:", "Some words are invented:")
        meanings = "\n".join(lexicon_lines(self.lexicon, self.names))
        return (
            f"{opening}\n{meanings}\n\n{RULES}\n\n{task}\n{numbered(lines)}\n\nWrite one line for "
            "each pair, with its number and one of the words follows, contradicts and open, such "
            "as:\n1: open\n2: open"
        )

    def labels(self) -> list[Label]:
        """The labels of the pairs."""
        return [right_label(self.lexicon, pair) for pair in self.pairs]

    def answer(self) -> str:
        return numbered(self.labels())

    def verify(self, answer: str) -> Score:
        names = line_numbers(len(self.pairs))
        stated = labelled_pairs(plain_lines(answer), names, LABELS)
        return matched(stated, dict(zip(names, self.labels())))

    def random_baseline(self) -> float:
        """The chance of a guess with about as many of each label."""
        labels = self.labels()
        ways = factorial(len(labels)) // prod(factorial(labels.count(each)) for each in LABELS)
        return 1 / ways

    def difficulty(self) -> float:
        """The verbs, negations and adjectives of all pairs, and one for each of these."""
        return float(
            sum(
                1
                + 2 * len(pair.premise.verbs)
                + len(pair.premise.clause.phrase.adjectives)
                + len(pair.hypothesis.clause.phrase.adjectives)
                + sum(pair.premise.negations)
                for pair in self.pairs
            )
        )

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave a part of the form out, or who guess."""
        each = [careless_labels(self.lexicon, pair) for pair in self.pairs]
        players = {name: numbered(labels[name] for labels in each) for name in each[0]}
        return players | {"random": numbered(rng.choice(LABELS) for _ in self.pairs)}

    def shortcuts(self) -> Iterable[str]:
        return [numbered([label] * len(self.pairs)) for label in LABELS]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(pairs=3)

    def candidates(self) -> Iterable[str]:
        """All ways to label three pairs."""
        labels = list(LABELS)
        return (numbered([a, b, c]) for a in labels for b in labels for c in labels)


def plain_lines(answer: str) -> str:
    r"""Lines such as "Pair 1: B follows from A" as numbers and labels; any other text as it is.

    >>> plain_lines("Pair 1: B follows from A.\n#2: open")
    '1: follows\n2: open'
    """
    rows = [row for row in without_nouns(answer, ["pair"]).splitlines() if row.strip()]
    matches = [_LINE.fullmatch(row) for row in rows]
    lines = [f"{match[1]}: {match[2] or match[3] or match[4]}" for match in matches if match]
    return "\n".join(lines) if len(lines) == len(rows) else "\n".join(rows)
