"""Growth by parallel rewriting, after Aristid Lindenmayer's model of algae (1968)."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.simulations import Simulation
from palaestra.scenes import Card, Cards
from palaestra.task import ladder
from palaestra.verifiers.reading.words import number_and_word

Rules = tuple[tuple[str, str], ...]


@lru_cache(maxsize=256)
def grown(start: str, rules: Rules, steps: int) -> str:
    """A text after some steps, in each of which every letter is replaced.

    >>> grown("a", (("a", "ab"), ("b", "a")), 3)
    'abaab'
    """
    table = str.maketrans(dict(rules))
    for _ in range(steps):
        start = start.translate(table)
    return start


class LindenmayerSystem(Simulation):
    """State the length of a growing text after some steps, and its letters at some positions."""

    version = 2
    tags = {"strings", "simulation", "unique-solution"}
    labels = ("length", "letters")

    class Knobs(Simulation.Knobs):
        letters: int = ladder(2, 2, 3, 3, 4, 4, high=5)
        steps: int = ladder(3, 4, 5, 5, 6, 7, high=7)
        longest: int = ladder(2, 3, 3, 4, 4, 4)  # right side of a rule
        positions: int = ladder(3, 4, 5, 6, 7, 8, low=2, high=9)

    start: str
    rules: Rules
    steps: int
    positions: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        letters = "abcde"[: knobs.letters]

        def word(low: int, high: int) -> str:
            return "".join(rng.choices(letters, k=rng.randint(low, high)))

        rules = tuple((letter, word(1, knobs.longest)) for letter in letters)
        start = word(2, 4)
        size = len(grown(start, rules, knobs.steps))
        positions = tuple(sorted(rng.sample(range(1, size + knobs.positions), knobs.positions)))
        return cls(start=start, rules=rules, steps=knobs.steps, positions=positions)

    def is_valid(self) -> bool:
        sizes = [len(grown(self.start, self.rules, n)) for n in range(self.steps + 1)]
        letters = set(self.result()[1])
        return sizes[0] < sizes[1] < sizes[-1] >= self.positions[-1] and len(letters) > 1

    def result(self) -> tuple[int, str]:
        text = grown(self.start, self.rules, self.steps)
        return len(text), "".join(text[n - 1 : n] for n in self.positions)

    def prompt(self) -> str:
        rules = "\n".join(f"{one} -> {more}" for one, more in self.rules)
        task = self.phrase(
            f"A text grows for {self.steps} steps.",
            f"Rewrite a text in {self.steps} steps.",
        )
        return (
            f"{task} In each step, all of its letters are replaced at the same time, each by the "
            f"letters to the right of its arrow:\n\n{rules}\n\nAt the start the text is "
            f"{self.start}\n\nHow many letters does the text have after {self.steps} steps, and "
            "which letters are then at these positions, counted from 1 at the left: "
            f"{', '.join(map(str, self.positions))}?\n\nAnswer with the number, a space, and the "
            f"letters in this order as one word, such as '999 {'xyz' * 3}'."
        )

    def scene(self) -> Cards:
        """The start and the rules, with a colour for each letter."""
        texts = {"start": self.start, **{f"{one} ->": more for one, more in self.rules}}
        rows = tuple(
            tuple(Card(sign, fill=f"t{'abcde'.index(sign)}", shape="tile") for sign in text)
            for text in texts.values()
        )
        return Cards(rows, tuple(texts))

    def read(self, answer: str) -> tuple[int, str]:
        return number_and_word(answer, self.labels, "a number and a word, such as '999 xyz'")

    def as_text(self, values: Sequence[int | str]) -> str:
        return " ".join(map(str, values))

    def difficulty(self) -> float:
        return float(self.result()[0] * self.steps)
