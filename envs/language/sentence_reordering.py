"""Unscrambling sentences by the grammar of an invented language.

Unscrambling is an old exercise of language teaching; J. Berko (1958) used invented words to test
whether children know grammatical rules. The ending of each word states its phrase.
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.language.sentence_reordering import Language, language, sentence
from palaestra.generators.tiles import written
from palaestra.scenes import Text
from palaestra.scenes.entries import WordsEntry
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.words import word_list


class SentenceReordering(Puzzle):
    """Put the shuffled words of an invented language in the order that its grammar requires."""

    tags = {"language", "rules", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        phrases: int = ladder(2, 2, 3, 3, 4, 5, 5, low=2, high=5)
        length: int = ladder(3, 3, 3, 4, 4, 5, 6, low=2, high=6)
        twists: int = ladder(0, 1, 2, 3, 4, 5, 5, high=5)

    language: Language
    shuffled: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        grammar = language(rng, knobs.phrases, knobs.length, knobs.twists)
        words = sentence(rng, grammar, knobs.length)
        rng.shuffle(words)
        return cls(language=grammar, shuffled=tuple(words))

    def is_valid(self) -> bool:
        return self.answer() not in self.shortcuts()

    def canonical(self) -> str:
        grammar = self.language
        classes = grammar.word_classes()
        words = sorted((classes[w[:-1]], w[-1]) for w in self.shuffled if w[:-1] in classes)
        particles = [particle in self.shuffled for particle in grammar.particles]
        order = (grammar.endings, grammar.classes, grammar.verb_after)
        rules = (*order, grammar.twists, grammar.long_from)
        return repr((words, particles, rules))

    def prompt(self) -> str:
        rules = "\n".join(f"{n}. {rule}" for n, rule in enumerate(self.language.rules(), 1))
        lexicon = "\n".join(self.language.listed())
        ask = self.phrase("Put these words in order:", "In which order do these words belong?")
        opening = self.phrase("This is the grammar of a language:", "A language has these rules:")
        return (
            f"{opening}\n\n{rules}\n\nIf rules contradict each other, the later one counts. The "
            f"lexicon, without endings:\n{lexicon}\n\n{ask}\n\n{' '.join(self.shuffled)}\n\nWrite "
            f"the sentence: all {len(self.shuffled)} words in order, separated by spaces, "
            f"such as '{' '.join(sorted(self.shuffled))}' (this is the alphabetical order)."
        )

    def answer(self) -> str:
        return " ".join(self.language.arranged(self.shuffled))

    def scene(self) -> Text:
        return written(self.shuffled)

    def entry(self) -> WordsEntry:
        return WordsEntry(self.shuffled, repeats=False)

    def verify(self, answer: str) -> Score:
        sentence = word_list(answer, len(self.shuffled), "a sentence")
        if sorted(sentence) != sorted(self.shuffled):
            raise InvalidAnswer(f"not exactly the {len(self.shuffled)} words of the task")
        right = self.language.arranged(self.shuffled)
        wrong = sum(one != other for one, other in zip(sentence, right))
        return Score(0, f"{wrong} words are in the wrong position") if wrong else Score(1)

    def difficulty(self) -> float:
        return float(len(self.shuffled) * (2 + len(self.language.twists)))

    def shortcuts(self) -> Iterable[str]:
        yield " ".join(self.shuffled)
        yield " ".join(sorted(self.shuffled))
        yield " ".join(sorted(self.shuffled, key=lambda word: (word[-1], len(word))))
