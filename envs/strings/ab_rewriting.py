"""String rewriting, after Axel Thue (1914), in the order of A. A. Markov's algorithms (1951)."""

from functools import lru_cache
from random import Random
from typing import NamedTuple, Self

from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import number_and_word

Rules = tuple[tuple[str, str], ...]
LONGEST = 40
CHANGES = 400
"""The most changes of a system in the search for a long run."""


@lru_cache(maxsize=256)
def rewritten(text: str, rules: Rules, most: int) -> tuple[str, int] | None:
    """The final text and the number of steps; ``None`` after ``most`` steps or for long texts.

    >>> rewritten("aab", (("ab", "b"),), 9)
    ('b', 2)
    """
    for count in range(most + 1):
        for left, right in rules:
            if left in text:
                text = text.replace(left, right, 1)
                break
        else:
            return text, count
        if len(text) > LONGEST:
            return None
    return None


class Sampler(NamedTuple):
    """Random words and rules."""

    rng: Random
    letters: str

    def word(self, low: int, high: int) -> str:
        """A random word whose length is within bounds, both included."""
        length = low if low == high else self.rng.randint(low, high)
        return "".join(self.rng.choices(self.letters, k=length))

    def rule(self) -> tuple[str, str]:
        """A random rule. Swaps and growth lead to long runs, shrinking lets them end."""
        left = right = ""
        while left == right:
            left, share = self.word(2, 3), self.rng.random()
            if share < 0.6:
                right = left[::-1]
            else:
                right = self.word(1, 3) if share < 0.9 else self.word(0, 2)
        return left, right

    def rules(self, number: int) -> Rules:
        """Random rules with different left sides."""
        rules: dict[str, str] = {}
        while len(rules) < number:
            left, right = self.rule()
            rules[left] = right
        return tuple(rules.items())

    def changed(self, rules: Rules) -> Rules:
        """The rules after replacing one of them, unless another one has the same left side."""
        index, new = self.rng.randrange(len(rules)), self.rule()
        before, after = rules[:index], rules[index + 1 :]
        if any(left == new[0] for left, _ in before + after):
            return rules
        return (*before, new, *after)


class AbRewriting(Puzzle):
    """Apply the rules of a rewriting system until none applies, and give the final text."""

    version = 2
    tags = {"strings", "simulation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(2, 2, 3, 3, 4, 4, high=5)
        rules: int = ladder(2, 3, 3, 4, 5, 6, low=2, high=8)
        length: int = ladder(6, 8, 9, 10, 12, 14, low=5, high=20)
        steps: int = ladder(3, 6, 10, 16, 22, 30)  # at least, up to twice as many

    text: str
    rules: Rules
    steps: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Hill climbing: change the text or a rule of the system, unless its run gets shorter.

        If no system runs for the number of steps of the knobs, take the longest run.
        """
        sampler = Sampler(rng, "abcde"[: knobs.letters])
        number = min(knobs.rules, 3 * knobs.letters)  # with more rules, runs rarely end
        best: tuple[int, str, Rules] = (-1, "", ())
        for _ in range(CHANGES):
            longest, text, rules = best
            share = rng.random()
            if longest < 0 or share < 0.05:  # restart, to leave a local optimum
                text, rules = sampler.word(knobs.length, knobs.length), sampler.rules(number)
            elif share < 0.4:
                text = sampler.word(knobs.length, knobs.length)
            else:
                rules = sampler.changed(rules)
            end = rewritten.__wrapped__(text, rules, 2 * knobs.steps)  # not cached
            if end and end[1] >= longest and len(set(end[0])) > 1 and len(end[0]) > 3:
                best = end[1], text, rules
                if end[1] >= knobs.steps:
                    break
        return cls(text=best[1], rules=best[2], steps=knobs.steps)

    def is_valid(self) -> bool:
        return self.end()[1] > 1

    def end(self) -> tuple[str, int]:
        """The final text, and the number of steps."""
        result = rewritten(self.text, self.rules, 2 * self.steps)
        assert result is not None, "a sampled system ends in time"
        return result

    def canonical(self) -> str:
        table = renaming(self.text + "".join([left + right for left, right in self.rules]))
        return repr((self.text.translate(table), repr(self.rules).translate(table)))

    def prompt(self) -> str:
        task = self.phrase(
            "Rewrite this text step by step until no rule applies any more.",
            "Run these rewriting rules on the text until it can no longer be changed.",
        )
        rules = "\n".join(
            f"{number}. {left} -> {right or '(nothing)'}"
            for number, (left, right) in enumerate(self.rules, 1)
        )
        return (
            f"{task} In each step, take the first rule of the list whose left side occurs "
            "in the current text, and replace its leftmost occurrence by the rule's right side; "
            "'(nothing)' means that the occurrence is deleted. Then start again with the first "
            f"rule.\n\nThe text: {self.text}\n\n{rules}\n\nAnswer with the final text and the "
            "number of steps, separated by a space, such as 'xxyx 123'."
        )

    def answer(self) -> str:
        text, steps = self.end()
        return f"{text} {steps}"

    def verify(self, answer: str) -> Score:
        what = "a text and a number of steps, such as 'xxyx 123'"
        steps, text = number_and_word(answer, ("text", "steps"), what, word_first=True)
        right = self.end()
        if (text, steps) == right:
            return Score(1)
        wrong = [name for name, *ends in zip(("text", "number of steps"), (text, steps), right)
                 if ends[0] != ends[1]]  # fmt: skip
        return Score(0, f"wrong: the {wrong[0]}")

    def difficulty(self) -> float:
        return float(self.end()[1] * len(self.rules))
