"""Insertion systems, which insert letters after patterns: Lila Kari (1991)."""

from random import Random
from typing import Self

from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

Rules = tuple[tuple[str, str], ...]
TRIES = 200


def inserted(text: str, rules: Rules) -> str:
    """A text after one round: after each letter, the insertion of the first rule that applies.

    >>> inserted("abab", (("ab", "c"), ("b", "d")))
    'abcabc'
    """
    out = ""
    for end, letter in enumerate(text, 1):
        out += letter
        for pattern, new in rules:
            if text.endswith(pattern, 0, end):
                out += new
                break
    return out


class StringInsertion(Puzzle):
    """Insert letters after patterns of a text, all at once in each of several rounds."""

    tags = {"strings", "simulation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        length: int = ladder(8, 10, 12, 14, 16, 18, low=6, high=24)
        letters: int = ladder(3, 4, 4, 5, 5, 6, low=3, high=7)
        rules: int = ladder(2, 3, 3, 4, 5, 6, low=1, high=7)
        rounds: int = ladder(1, 1, 2, 2, 3, 4)

    text: str
    rules: Rules
    rounds: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = "ABCDEFG"[: knobs.letters]
        text = "".join(rng.choices(alphabet, k=knobs.length))
        rules: dict[str, str] = {}
        for _ in range(TRIES):  # a short text may not have so many patterns
            if len(rules) == knobs.rules:
                break
            start, size = rng.randrange(len(text) - 2), rng.choice((2, 2, 3))
            insertion = "".join(rng.choices(alphabet, k=rng.choice((1, 1, 2))))
            rules[text[start : start + size]] = insertion
        return cls(text=text, rules=tuple(rules.items()), rounds=knobs.rounds)

    def is_valid(self) -> bool:
        states = [self.text, *self.states()]
        return len(states[1]) >= len(states[0]) + 2 and len(set(states)) == len(states)

    def states(self) -> list[str]:
        """The text after each round."""
        texts = [self.text]
        for _ in range(self.rounds):
            texts.append(inserted(texts[-1], self.rules))
        return texts[1:]

    def canonical(self) -> str:
        table = renaming(self.text + "".join([pattern + new for pattern, new in self.rules]))
        return repr((self.text, self.rules, self.rounds)).translate(table)

    def prompt(self) -> str:
        rules = "\n".join(
            f"{number}. after {pattern} insert {new}"
            for number, (pattern, new) in enumerate(self.rules, 1)
        )
        task = self.phrase(
            "Insert letters into this text by rules.",
            "Letters are inserted into this text by rules. Find the resulting text.",
        )
        again = ""
        if self.rounds > 1:
            again = (
                f" All of this is done {self.rounds} times; each time the whole current text, "
                "inserted letters included, is searched again."
            )
        return (
            f"{task} Wherever the pattern of a rule occurs, the letters of that rule are inserted "
            "directly after its last letter. Occurrences may overlap. If patterns of several rules "
            "end at the same letter, only the rule that comes first in the list applies there. "
            "Only patterns of the text before the insertions count, so that all insertions happen "
            f"at once.{again}\n\nThe text: "
            f"{self.text}\n\n{rules}\n\nAnswer with the resulting text, such as 'ABAAC'."
        )

    def answer(self) -> str:
        return self.states()[-1]

    def verify(self, answer: str) -> Score:
        return compared(letters(answer, "ABCDEFG"), self.answer(), "letter")

    def difficulty(self) -> float:
        return float(sum(map(len, self.states())) * len(self.rules))
