"""Shuffled words to be put in order by the rules of a made-up language.

Sentences to be unscrambled are an old exercise of language teaching, and J. Berko made words up to
see whether children know the rules (1958). Every word tells by its ending which phrase it is of.
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.language.sentence_reordering import Language, language, sentence
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import items


class SentenceReordering(Puzzle):
    """Put the shuffled words of a made-up language in the one order that its grammar allows."""

    tags = {"language", "rules", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        phrases: int = ladder(2, 2, 3, 3, 4, 5, 5, low=2, high=5)
        length: int = ladder(3, 3, 3, 4, 4, 5, 6, low=2, high=6)
        twists: int = ladder(0, 1, 2, 3, 4, 5, 5, high=5)

    language: Language
    shuffled: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        spoken = language(rng, knobs.phrases, knobs.length, knobs.twists)
        words = sentence(rng, spoken, knobs.length)
        rng.shuffle(words)
        return cls(language=spoken, shuffled=tuple(words))

    def is_valid(self) -> bool:
        return self.answer() not in self.shortcuts()

    def canonical(self) -> str:
        spoken = self.language
        kinds = spoken.kinds()
        seen = sorted((kinds[w[:-1]], w[-1]) for w in self.shuffled if w[:-1] in kinds)
        there = [particle in self.shuffled for particle in spoken.particles]
        rules = (spoken.endings, spoken.classes, spoken.verb_after, spoken.twists, spoken.long_from)
        return repr((seen, there, rules))

    def prompt(self) -> str:
        rules = "\n".join(f"{n}. {rule}" for n, rule in enumerate(self.language.rules(), 1))
        lexicon = "\n".join(self.language.listed())
        ask = self.phrase("Put these words in order:", "In which order do these words belong?")
        opening = self.phrase("This is the grammar of a language:", "A language has these rules:")
        return (
            f"{opening}\n\n{rules}\n\nWhere rules disagree, the later one counts. The lexicon, "
            f"without endings:\n{lexicon}\n\n{ask}\n\n{' '.join(self.shuffled)}\n\nWrite the "
            f"sentence: all {len(self.shuffled)} words in order, separated by spaces."
        )

    def answer(self) -> str:
        return " ".join(self.language.arranged(self.shuffled))

    def verify(self, answer: str) -> Score:
        words = [word.casefold() for word in items(answer, "a sentence")]
        if sorted(words) != sorted(self.shuffled):
            raise InvalidAnswer(f"not each of the {len(self.shuffled)} words as often as given")
        right = self.language.arranged(self.shuffled)
        wrong = sum(one != other for one, other in zip(words, right))
        return Score(0, f"{wrong} words are in the wrong place") if wrong else Score(1)

    def difficulty(self) -> float:
        return float(len(self.shuffled) * (2 + len(self.language.twists)))

    def shortcuts(self) -> Iterable[str]:
        yield " ".join(self.shuffled)
        yield " ".join(sorted(self.shuffled))
        yield " ".join(sorted(self.shuffled, key=lambda word: (word[-1], len(word))))
