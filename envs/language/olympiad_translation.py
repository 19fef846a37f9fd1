"""Translation with an unknown language, as in the International Linguistics Olympiad (since 2003).

Sentences with their translations are all that is known, as in the benchmark LINGOLY (A. Bean and
others, 2024). Which grammars fit them is a version space (T. Mitchell, 1982); here, all forms of
all words are the same in each of these.
"""

from collections import Counter as Multiset
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Literal, Self

from palaestra.generators.language.olympiad_translation.grammars import (
    LONGEST_MARKER,
    SHORTEST_STEM,
    Cell,
    Features,
    Grammar,
    cells,
)
from palaestra.generators.language.olympiad_translation.meanings import (
    Lexicon,
    Meaning,
    in_english,
    random_lexicon,
    read_english,
)
from palaestra.generators.language.olympiad_translation.puzzles import (
    Language,
    all_cells,
    determined_pairs,
    is_distinct,
    random_grammar,
    random_queries,
    readings,
)
from palaestra.generators.language.olympiad_translation.solver import Counter, Pair, solution
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs

CASES: Mapping[str, str] = {
    "none": "",
    "plain": "There are two cases: all subjects have one of them and all objects the other one.",
    "ergative": (
        "There are two cases, and one of these rules holds: (a) all subjects have the first case "
        "and all objects the second one, or (b) subjects of sentences with an object have the "
        "second case, and other subjects and all objects have the first one."
    ),
    "split": (
        "There are two cases, and one of these rules holds: (a) all subjects have the first case "
        "and all objects the second one; (b) subjects of sentences with an object have the second "
        "case, and other subjects and all objects have the first one; (c) it is as in (a) in the "
        "present and as in (b) in the past; (d) it is as in (b) in the present and as in (a) in "
        "the past."
    ),
}


class OlympiadTranslation(Puzzle):
    """Translate to and from an unknown language after a few sentences with translations."""

    tags = {"induction", "linguistics", "translation", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        nouns: int = ladder(3, 3, 3, 4, 4, 5, 6, low=3, high=8)
        adjectives: int = ladder(0, 0, 2, 2, 2, 3, 4, low=0, high=5)
        transitive: int = ladder(2, 2, 2, 2, 3, 3, 4, low=1, high=5)
        intransitive: int = ladder(0, 0, 0, 1, 2, 2, 3, low=0, high=4)
        number: int = ladder(0, 1, 1, 1, 1, 1, 1, low=0, high=1)  # whether nouns have it
        cases: Literal["none", "plain", "ergative", "split"] = ladder(
            "plain", "plain", "plain", "ergative", "split", "split", "split"
        )
        agreement: int = ladder(0, 0, 0, 1, 1, 1, 1, low=0, high=1)
        elision: int = ladder(0, 0, 0, 0, 0, 1, 1, low=0, high=1)
        spare: int = ladder(4, 4, 3, 3, 2, 1, 0, low=0, high=6)  # sentences without new words
        sentences: int = ladder(1, 1, 1, 2, 2, 2, 3, low=1, high=4)  # to translate each way

    features: Features
    lexicon: Lexicon
    pairs: tuple[Pair, ...]
    english: tuple[Meaning, ...]
    """What is to be translated into the language."""
    foreign: tuple[str, ...]
    """What is to be translated into English."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        features = Features(
            bool(knobs.number),
            knobs.cases,
            bool(knobs.agreement and knobs.number),
            bool(knobs.adjectives),
            bool(knobs.elision),
        )
        intransitive = knobs.intransitive
        if knobs.cases in ("ergative", "split"):  # which differ in sentences without an object
            intransitive = max(1, intransitive)
        lexicon = random_lexicon(rng, knobs.nouns, knobs.adjectives, knobs.transitive, intransitive)
        language = Language(features, lexicon, random_grammar(rng, features, lexicon))
        known, queries = None, None
        if is_distinct(language.grammar):
            known = determined_pairs(rng, language, knobs.spare)
        if known:
            queries = random_queries(rng, language, known, 2 * knobs.sentences)
        known, queries = known or [], queries or []
        half = len(queries) // 2
        foreign = tuple(map(language.text, queries[half:]))
        return cls(
            features=features,
            lexicon=lexicon,
            pairs=tuple(known),
            english=tuple(queries[:half]),
            foreign=foreign,
        )

    def is_valid(self) -> bool:
        """Whether the sentences determine all forms, and there are some to translate."""
        return bool(self.english)

    @property
    def number(self) -> int:
        """How many sentences are to be translated."""
        return len(self.english) + len(self.foreign)

    def prompt(self) -> str:
        task = self.phrase(
            "Here are some sentences of an unknown language with their translations:",
            "The following sentences of an invented language are translated into English:",
        )
        ask = self.phrase(
            "Translate these sentences, from English into the language and from the language into "
            "English:",
            "Give the translations of these sentences into the other language:",
        )
        known = "\n".join(f"{text} = {in_english(meaning)}" for meaning, text in self.pairs)
        queries = numbered([*map(in_english, self.english), *self.foreign])
        meaning, text = self.pairs[0]
        example = [text] * len(self.english) + [in_english(meaning)] * len(self.foreign)
        return (
            f"{task}\n\n{known}\n\nWhat is known of the language:\n{self.description()}\n\n"
            "The translations follow from the sentences above: every language as described that "
            f"fits them has the same ones.\n\n{ask}\n{queries}\n\nWrite one line for each "
            "sentence, with its number. Write English sentences in the form of those above. The "
            f"answer looks like this:\n{numbered(example)}"
        )

    def description(self) -> str:
        """The class of grammars in words."""
        number, cases, agreement, adjectives, elision = self.features
        object_ = "verb, subject and object" if self.lexicon.transitive else "verb and subject"
        order = f"The {object_} stand in the same order in all sentences that have them."
        lines = [f"{order} There are no articles."]
        if adjectives:
            lines.append(
                "Adjectives stand directly before their noun in all sentences, or directly behind "
                "it in all. Either they consist of their stem alone, or they always have the same "
                "markers as their noun, in the same positions."
            )
        marks = [*["number (singular or plural)"] * number, *["case"] * (cases != "none")]
        if marks:
            lines.append(f"A noun consists of {_markers(marks)}")
        if cases != "none":
            lines.append(CASES[cases])
        marks = ["tense (present or past)"]
        if agreement:
            intransitive = ", or that of the subject if there is no object"
            marks.append("number")
            agrees = (
                "The number of the verb is always that of the subject, or it is always that of the "
                f"object{intransitive if self.lexicon.intransitive else ''}."
            )
        lines.append(f"A verb consists of {_markers(marks)}")
        if agreement:
            lines.append(agrees)
        lines.append(
            f"A stem has at least {SHORTEST_STEM} letters. A marker has at most {LONGEST_MARKER}, "
            "and may have none at all. Stems and markers are the same in all words"
            + (
                ", except that a stem that ends in a vowel (a, e, i, o or u) loses this vowel if "
                "the part of the word behind the stem begins with a vowel."
                if elision
                else "."
            )
        )
        return "\n".join(f"- {line}" for line in lines)

    @property
    def language(self) -> Language:
        """The language that follows from the sentences."""
        return Language(self.features, self.lexicon, _solved(self)[0])

    def right(self) -> dict[str, str]:
        """The translations by their numbers."""
        language = self.language
        texts = [*map(language.text, self.english)]
        for text in self.foreign:
            (meaning,) = readings(language, text)
            texts.append(in_english(meaning))
        return dict(zip(line_numbers(self.number), texts))

    def answer(self) -> str:
        return numbered(self.right().values())

    def read(self, answer: str) -> dict[str, str]:
        """The sentences of an answer, in lower case. Raises :class:`InvalidAnswer`."""
        stated = pairs(answer, line_numbers(self.number))
        return {n: " ".join(text.casefold().strip(" .").split()) for n, text in stated.items()}

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), self.right())

    def audit(self, answer: str) -> bool:
        """Translate the answers back."""
        texts = [*self.read(answer).values()]
        half = len(self.english)
        back = [readings(self.language, text) for text in texts[:half]]
        meanings = [read_english(text) for text in texts[half:]]
        return back == [[each] for each in self.english] and [
            meaning and self._sentence(meaning) for meaning in meanings
        ] == [*self.foreign]

    def _sentence(self, meaning: Meaning) -> str:
        """A meaning in the language, or nothing if it has other words than the sentences."""
        listed = {cell[0] for cell in self.language.cells(meaning)}
        known = {cell[0] for cell in all_cells(self.features, self.lexicon)}
        return self.language.text(meaning) if listed <= known else ""

    def difficulty(self) -> float:
        """The words, and the ways to split them, that the search for all grammars looked at."""
        return float(_solved(self)[1])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who copy, who take words for one another, or who know no endings."""
        tables = {
            "word by word": self._table(ordered=False),
            "seen words in order": self._table(ordered=True),
        }
        players = {name: self._by_table(table, rng) for name, table in tables.items()}
        return {**players, "most similar sentence": self._most_similar()}

    def _table(self, ordered: bool) -> Mapping[Cell, str]:
        """The words of forms that were seen. Without the order, the word that stands most often in
        the sentences with a form.
        """
        syntax = self.language.grammar.syntax
        table: dict[Cell, str] = {}
        near: dict[Cell, Multiset[str]] = {}
        for meaning, text in self.pairs:
            for cell, word in zip(cells(self.features, syntax, meaning), text.split()):
                table[cell] = word
                near.setdefault(cell, Multiset()).update(text.split())
        if ordered:
            return table
        return {cell: words.most_common(1)[0][0] for cell, words in near.items()}

    def _by_table(self, table: Mapping[Cell, str], rng: Random) -> str:
        """Translations with the seen word whose form has most in common with the one needed."""

        def nearest(cell: Cell) -> str:
            own = [c for c in table if c[0] == cell[0]]
            best = max(own, key=lambda c: sum(a == b for a, b in zip(c, cell)), default=None)
            return table[best] if best else ""

        syntax = self.language.grammar.syntax
        rows = [" ".join(map(nearest, cells(self.features, syntax, each))) for each in self.english]
        by_meaning = {
            meaning: " ".join(map(nearest, cells(self.features, syntax, meaning)))
            for meaning, _ in self.pairs
        }
        for text in self.foreign:
            words = {*text.split()}
            most = max(by_meaning, key=lambda m: len(words & {*by_meaning[m].split()}))
            rows.append(in_english(most))
        return numbered(rows)

    def _most_similar(self) -> str:
        """The translation of the known sentence that has most words in common with each."""

        def nearest(text: str, known: Sequence[tuple[str, str]]) -> str:
            words = {*text.split()}
            return max(known, key=lambda pair: len(words & {*pair[0].split()}))[1]

        there = [(in_english(meaning), text) for meaning, text in self.pairs]
        back = [(text, english) for english, text in there]
        rows = chain(
            (nearest(in_english(each), there) for each in self.english),
            (nearest(text, back) for text in self.foreign),
        )
        return numbered(rows)

    def shortcuts(self) -> Iterable[str]:
        """The sentences as they stand."""
        yield numbered([*map(in_english, self.english), *self.foreign])


@lru_cache(maxsize=128)
def _solved(task: OlympiadTranslation) -> tuple[Grammar, int]:
    counter = Counter()
    every = all_cells(task.features, task.lexicon)
    grammar = solution(task.features, task.pairs, every, counter)
    assert grammar is not None, "the sentences determine all forms"
    return grammar, counter.examined


def _markers(marks: Sequence[str]) -> str:
    """What a word consists of."""
    if len(marks) == 1:
        return (
            f"a stem and a marker for {marks[0]}, which is a prefix in all of these words, or a "
            "suffix in all."
        )
    return (
        f"a stem, a marker for {marks[0]} and a marker for {marks[1]}. Each of these markers is a "
        "prefix in all of these words, or a suffix in all; if both are on the same side of the "
        "stem, their order is the same in all."
    )
