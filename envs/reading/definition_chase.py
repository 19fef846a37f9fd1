"""Values of invented measures that a long text defines by each other.

Variable tracking is a task of RULER (C.-P. Hsieh and others, "RULER: What's the Real Context Size
of Your Long-Context Language Models?", 2024). Here a name has other meanings in parts of the text,
as in programming languages with lexical scope.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.fiction import CHARACTERS, LONGEST
from palaestra.generators.reading.definition_chase import (
    Book,
    Question,
    Reader,
    Section,
    careless_readers,
    layered_values,
    names_of,
    proper_reader,
    random_book,
    random_questions,
    sections,
    text_of,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import number_lines
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered

RULES = (
    "Measures are defined by other measures or in grains. A definition states where it holds: in "
    "the whole book, in the chapter or in the section in which it is written. Where several "
    "definitions of a measure hold, the one for the section counts, or else the one for the "
    "chapter. A measure that a definition names has the meaning that it has in the section in "
    "which that definition is written, even if the definition is used elsewhere. A definition may "
    "be written before or after those of the measures that it names, names that differ in a "
    "letter are different names, and values may be negative."
)


class DefinitionChase(Puzzle):
    """Find values of measures that a long text defines by each other, some in parts of it alone."""

    tags = {"reading", "long-context", "scope", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(500, 800, 1_500, 2_500, 4_000, 6_000, 8_000, high=LONGEST)
        depth: int = ladder(1, 2, 3, 3, 4, 5, 6, high=12)  # definitions below that of a question
        breadth: int = ladder(3, 3, 3, 4, 4, 5, 6, low=3, high=8)  # measures of a layer
        narrow: int = ladder(0, 1, 2, 3, 4, 4, 5, high=6)  # meanings in parts of the book
        chapters: int = ladder(1, 2, 2, 3, 3, 4, 5, high=9)
        sections: int = ladder(2, 2, 2, 2, 3, 3, 3, high=9)  # of a chapter
        questions: int = ladder(2, 2, 3, 3, 3, 4, 5, high=5)

    book: Book
    names: tuple[str, ...]
    shape: tuple[Section, ...]
    """The sections of the book."""
    questions: tuple[Question, ...]
    seed: int
    """Of the sentences around the definitions."""
    tokens: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shape = tuple(sections(knobs.chapters, knobs.sections))
        book = random_book(rng, shape, knobs.depth, knobs.breadth, knobs.narrow)
        size = (knobs.depth + 1) * knobs.breadth
        top = range(max(knobs.breadth, size - 5 if knobs.questions > 3 else size - 3), size)
        questions = random_questions(rng, book, shape, top, knobs.questions)
        return cls(
            book=book,
            names=names_of(rng, size),
            shape=shape,
            questions=questions if len(questions) == min(knobs.questions, len(top)) else (),
            seed=rng.getrandbits(48),
            tokens=knobs.tokens,
        )

    def is_valid(self) -> bool:
        """Whether there are questions whose values are not too large."""
        return bool(self.questions)

    def canonical(self) -> str:
        return repr((self.book, self.questions))

    @cached_property
    def text(self) -> str:
        """The text of the book."""
        characters = CHARACTERS * self.tokens
        return text_of(self.book, self.names, self.shape, self.seed, characters)

    def prompt(self) -> str:
        opening = self.phrase(
            "Work out the values of some measures that a book defines.",
            "A book of an invented country defines measures. Find the values of some of them.",
            "Read this book about an invented country, and state how much some measures are.",
        )
        lines = [
            f"{self.names[term]}, as the word is used in section {chapter}.{section}"
            for term, (chapter, section) in self.questions
        ]
        ask = self.phrase(
            "How many grains is each of these?", "State the number of grains of each of these:"
        )
        return (
            f"{opening} {RULES}\n\nThe book:\n\n{self.text}\n\n{ask}\n{numbered(lines)}\n\n"
            "Write one line for each, with its number, such as:\n1: 4321\n2: -56"
        )

    def values(self, reader: Reader) -> list[int]:
        """The answers of a reader."""
        return [reader.value(*question) for question in self.questions]

    @cached_property
    def right(self) -> list[int]:
        """The values of the questions."""
        return self.values(proper_reader(self.book))

    def answer(self) -> str:
        return numbered(self.right)

    def verify(self, answer: str) -> Score:
        names = line_numbers(len(self.questions))
        return matched(number_lines(answer, len(names), ["grain"]), dict(zip(names, self.right)))

    def audit(self, answer: str) -> bool:
        """Work out the values of all measures in all sections, the lowest layer first."""
        values = layered_values(self.book, self.shape)
        names = line_numbers(len(self.questions))
        right = {name: values[each] for name, each in zip(names, self.questions)}
        return number_lines(answer, len(names), ["grain"]) == right

    def difficulty(self) -> float:
        """The meanings that have to be looked up, times the length of the text."""
        reader = proper_reader(self.book)
        self.values(reader)
        return float(len(reader.known) * self.tokens)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who mistake where a meaning holds, or who answer with a number of the text."""
        readers = careless_readers(self.book)
        answers = {name: numbered(self.values(reader)) for name, reader in readers.items()}
        constants = [each.number for each in self.book if each.number]
        numbers = [rng.choice(constants) for _ in self.questions]
        return answers | {"random number": numbered(numbers)}

    def shortcuts(self) -> Iterable[str]:
        yield numbered([0] * len(self.questions))
