"""Growth by parallel rewriting, after Aristid Lindenmayer's model of algae (1968)."""

from functools import lru_cache
from random import Random
from typing import Self

from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import integer, items

Rules = tuple[tuple[str, str], ...]


@lru_cache(maxsize=256)
def grown(start: str, rules: Rules, steps: int) -> str:
    """A text in which, so many times, every letter was replaced.

    >>> grown("a", (("a", "ab"), ("b", "a")), 3)
    'abaab'
    """
    table = str.maketrans(dict(rules))
    for _ in range(steps):
        start = start.translate(table)
    return start


class LindenmayerSystem(Puzzle):
    """Say how long a growing text is after some steps, and which letters stand at some places."""

    tags = {"strings", "simulation", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(2, 2, 3, 3, 4, 4, high=5)
        steps: int = ladder(3, 4, 5, 5, 6, 7, high=7)
        longest: int = ladder(2, 3, 3, 4, 4, 4)  # right side of a rule
        asked: int = ladder(3, 4, 5, 6, 7, 8, low=2, high=9)

    start: str
    rules: Rules
    steps: int
    places: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = "abcde"[: knobs.letters]

        def word(low: int, high: int) -> str:
            return "".join(rng.choices(kinds, k=rng.randint(low, high)))

        rules = tuple((kind, word(1, knobs.longest)) for kind in kinds)
        start = word(2, 4)
        size = len(grown(start, rules, knobs.steps))
        places = tuple(sorted(rng.sample(range(1, size + knobs.asked), knobs.asked)))
        return cls(start=start, rules=rules, steps=knobs.steps, places=places)

    def is_valid(self) -> bool:
        sizes = [len(grown(self.start, self.rules, n)) for n in range(self.steps + 1)]
        kinds = set(self.right()[1])
        return sizes[0] < sizes[1] < sizes[-1] >= self.places[-1] and len(kinds) > 1

    def right(self) -> tuple[int, str]:
        """The length and the letters that are asked for."""
        text = grown(self.start, self.rules, self.steps)
        return len(text), "".join(text[place - 1 : place] for place in self.places)

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
            f"{', '.join(map(str, self.places))}?\n\nAnswer with the number, a space, and the "
            f"letters in this order as one word, as in '999 {'xyz' * 3}'."
        )

    def answer(self) -> str:
        return "{} {}".format(*self.right())

    def verify(self, answer: str) -> Score:
        match items(answer.casefold()):
            case [number, word] if word.isalpha():
                size = integer(number, "a number of letters")
            case _:
                raise InvalidAnswer("not a number and a word, such as '999 xyz'")
        right = self.right()
        parts = {"length": float(size == right[0]), "letters": float(word == right[1])}
        wrong = [name for name, part in parts.items() if not part]
        return Score(0, f"wrong: {' and '.join(wrong)}", parts) if wrong else Score(1, "", parts)

    def difficulty(self) -> float:
        return float(self.right()[0] * self.steps)
