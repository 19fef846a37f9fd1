"""Selections of articles for a long prompt, and a reader of such a prompt."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia
from palaestra.generators.tools.encyclopedia.evidence import relevant
from palaestra.generators.tools.encyclopedia.questions import Question
from palaestra.generators.tools.encyclopedia.reader import Reader, Reading, read

HEADING = "## "
"""What stands before the title of an article."""

NEAR = 0.3
"""The largest share of the text that articles have which are near to relevant ones."""


def rendered(source: Encyclopedia, number: int) -> str:
    """An article: its title in one line, and its sentences in another."""
    return f"{HEADING}{source.titles[number]}\n{' '.join(source.sentences(number))}"


def all_relevant(source: Encyclopedia, questions: Sequence[Question]) -> list[int]:
    """The numbers of the articles that a reader needs who answers the questions."""
    return [*dict.fromkeys(n for each in questions for n in relevant(source, each))]


def selection(
    rng: Random, source: Encyclopedia, questions: Sequence[Question], characters: int
) -> tuple[str, ...]:
    """Articles in random order that have about so many characters: those that the questions need,
    some that are namesakes of these or name the same articles, and random others.
    """
    needed = all_relevant(source, questions)
    texts = {number: rendered(source, number) for number in needed}
    length = sum(map(len, texts.values()))
    near = _near(source, needed)
    rng.shuffle(near)
    others = rng.sample(range(len(source)), len(source))
    for numbers, limit in ((near, length + NEAR * characters), (others, characters)):
        for number in numbers:
            if length >= min(limit, characters):
                break
            if number not in texts:
                texts[number] = rendered(source, number)
                length += len(texts[number]) + 2
    order = [*texts.values()]
    rng.shuffle(order)
    return tuple(order)


def _near(source: Encyclopedia, needed: Sequence[int]) -> list[int]:
    """The articles that share a name with needed ones, or name one of them."""
    numbers: dict[int, None] = {}
    for number in needed:
        name = source.titles[number].partition(" (")[0]
        numbers |= dict.fromkeys(source.namesakes.get(name, ()))
        numbers |= dict.fromkeys(source.mentions(number))
    return [*numbers]


class Prompt(Reader):
    """A reader of a prompt, who knows nothing but its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        parts = [part for part in text.split("\n\n") if part.startswith(HEADING)]
        self.texts = {each[len(HEADING) :].partition("\n")[0]: each for each in parts}

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The titles by the name before a bracket."""
        names: dict[str, list[str]] = {}
        for title in self.texts:
            names.setdefault(title.partition(" (")[0], []).append(title)
        return names

    def opened(self, title: str) -> Reading:
        return read(self.texts[title].removeprefix(HEADING))

    def results(self, query: str) -> Iterator[str]:
        yield from self.names.get(query, ())
        yield from (title for title, text in self.texts.items() if query in text)
