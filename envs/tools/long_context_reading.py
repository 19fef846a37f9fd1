"""Reading many articles of a made-up world in one prompt, an original environment.

LongBench (Y. Bai and others, "LongBench: A Bilingual, Multitask Benchmark for Long Context
Understanding", 2024) puts questions of several hops to long texts, and RULER (C.-P. Hsieh and
others, "RULER: What's the Real Context Size of Your Long-Context Language Models?", 2024) sets the
length of a text freely. Here the articles are those of the encyclopaedia of
``tools/encyclopedia_search``, new with each task, among others that share names with them.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia, encyclopedia
from palaestra.generators.tools.encyclopedia.questions import Question, random_question
from palaestra.generators.tools.encyclopedia.schema import YEARS
from palaestra.generators.tools.encyclopedia.wording import RULES, in_words
from palaestra.generators.tools.encyclopedia.world import UNKNOWN, normalised
from palaestra.generators.tools.long_context_reading import (
    Prompt,
    all_relevant,
    rendered,
    selection,
)
from palaestra.rng import Rng
from palaestra.task import InvalidAnswer, Policy, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs

CHARACTERS = 4
"""How many characters are counted as a token, which is an average of English text."""

ARTICLE = 52
"""How many tokens an article has at the least, on average: there are enough articles then."""

SHARE = 0.6
"""The largest share of the text that the articles have which the questions need."""

_MARK = re.compile(r"^[*(\[]{0,3}\d[*]{0,2}[.:)\]][*]{0,2} ?[:;,!?]", re.MULTILINE | re.ASCII)
"""A label with a mark behind it that belongs to no answer."""


class LongContextReading(Puzzle):
    """Answer questions of several hops by a prompt with many articles of a made-up world."""

    tags = {"reading", "long-context", "multi-hop"}
    hidden = {"gold"}

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(1_000, 4_000, 8_000, 16_000, 32_000, 48_000, 64_000, high=256_000)
        hops: int = ladder(1, 2, 3, 4, 5, 6, 7)  # relations to follow
        questions: int = ladder(1, 2, 2, 2, 2, 3, 3, high=6)
        namesakes: int = ladder(0, 6, 10, 14, 18, 22, 25)  # percentage of articles
        unanswerable: int = ladder(0, 6, 10, 10, 10, 10, 10, high=50)  # percentage of questions

    seed: int
    tokens: int
    namesakes: int
    questions: tuple[Question, ...]
    gold: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        source = encyclopedia(seed, _articles(knobs.tokens), knobs.namesakes)
        answers: dict[Question, str] = {}
        for _ in range(knobs.questions):
            unanswerable = rng.random() * 100 < knobs.unanswerable
            result = random_question(rng, source, knobs.hops, unanswerable)
            answers |= [result] if result else []
        is_whole = len(answers) == knobs.questions
        return cls(
            seed=seed,
            tokens=knobs.tokens,
            namesakes=knobs.namesakes,
            questions=tuple(answers) if is_whole else (),
            gold=tuple(answers.values()),
        )

    def is_valid(self) -> bool:
        """Whether there are questions, and the articles that they need are a part of the text."""
        needed = all_relevant(self.source, self.questions)
        length = sum(len(rendered(self.source, number)) for number in needed)
        return 0 < length <= SHARE * CHARACTERS * self.tokens

    @property
    def source(self) -> Encyclopedia:
        """The encyclopaedia that the articles are taken from."""
        return encyclopedia(self.seed, _articles(self.tokens), self.namesakes)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The articles of the prompt in order."""
        rng = Rng(f"{self.seed} order")
        return selection(rng, self.source, self.questions, CHARACTERS * self.tokens)

    def prompt(self) -> str:
        work = self.phrase(
            "Answer questions by the articles that follow.",
            "Below are articles from an encyclopaedia. Find the answers to questions in them.",
            "Here are articles about a made-up world, and questions about it.",
            "Read these articles, and answer questions about what they say.",
            "Questions are to be answered with nothing but the articles below.",
        )
        wordings = [in_words(each, self.wording + n) for n, each in enumerate(self.questions)]
        questions = f"Questions:\n{numbered(wordings)}"
        before = f"{questions}\n\n" if self.wording % 3 == 0 else ""
        articles = "\n\n".join(self.texts)
        return (
            f"{work} There are {len(self.texts)} of them, in random order, about the people, "
            "towns, provinces, houses, books and guilds of a made-up world, and all that counts is "
            f"what they say.\n\n{before}{articles}\n\n{questions}\n\n{RULES} Write one line for "
            "each question, with its number, such as '1: Amber Guild'."
        )

    def answer(self) -> str:
        reader = Prompt(self.prompt())
        return numbered(map(reader.answer_to, self.questions))

    def verify(self, answer: str) -> Score:
        names = line_numbers(len(self.questions))
        texts = pairs(answer, names)
        if _MARK.search(answer) or any(
            {text[:1], text[-1:]} & {*":;,!?"} for text in texts.values()
        ):
            raise InvalidAnswer("an answer begins and ends with a letter, a digit or a bracket")
        values = {name: normalised(text) for name, text in texts.items()}
        return matched(values, dict(zip(names, map(normalised, self.gold))))

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        """Answers without a chain of thought: the same each time, the article with most words of
        the question, the commonest title, and what random links from the named article lead to.
        """
        reader = Prompt("\n\n".join(self.texts))
        titles = [*reader.texts]
        commonest = _commonest(reader)
        players: dict[str, Callable[[Question], str]] = {
            "answer unknown": lambda question: UNKNOWN,
            "answer 2": lambda question: "2",
            "answer 3": lambda question: "3",
            "random title": lambda question: rng.choice(titles),
            "most shared words": lambda question: self._nearest(reader, question),
            "title named most often": lambda question: commonest,
            "random links": lambda question: _wander(rng, reader, question),
            "year of the name": lambda question: _year(reader, question),
        }
        return {name: numbered(map(play, self.questions)) for name, play in players.items()}

    def _nearest(self, reader: Prompt, question: Question) -> str:
        words = {*in_words(question, self.wording).split()}
        texts = reader.texts
        return max(texts, key=lambda title: len(words.intersection(texts[title].split())))

    def difficulty(self) -> float:
        """The number of characters of the articles."""
        return float(sum(map(len, self.texts)))


def _articles(tokens: int) -> int:
    """The number of articles of an encyclopaedia that fills a text."""
    return max(60, tokens // ARTICLE)


def _commonest(reader: Prompt) -> str:
    """The title that the first articles name most often."""
    readings = [reader.opened(title) for title in [*reader.texts][:200]]
    values = Counter(value for reading in readings for value in reading.facts.values())
    return max(reader.texts, key=lambda title: values[title])


def _first(reader: Prompt, question: Question) -> str:
    """The first article with the name that a question begins with."""
    titles: Sequence[str] = reader.names.get(question.chains[0].name, [*reader.texts])
    return titles[0]


def _wander(rng: Random, reader: Prompt, question: Question) -> str:
    title = _first(reader, question)
    for _ in question.chains[0].path:
        links = [value for value in reader.opened(title).facts.values() if value in reader.texts]
        title = rng.choice(links) if links else title
    return title


def _year(reader: Prompt, question: Question) -> str:
    facts = reader.opened(_first(reader, question)).facts
    return next((facts[each] for each in YEARS.values() if each in facts), UNKNOWN)
