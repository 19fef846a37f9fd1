"""A ranked search over the facts of an encyclopaedia."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from palaestra.generators.tools.encyclopedia.articles import CACHE, Encyclopedia, encyclopedia
from palaestra.generators.tools.encyclopedia.schema import FACTS, LISTS, TRAITS, YEARS

WORDS = 8
"""How many different words of a query count."""

RESULTS = 50
"""How many articles a search finds at most."""

SATURATION, LENGTH = 1.2, 0.75
"""The parameters k1 and b of BM25."""

TITLE = 3
"""How often a word of the title of an article counts as one of its words."""

STOP = {"the", "of", "province", "house", "guild", "born", "founded", "published"}
"""Words that are in so many articles that a search leaves them out."""

_WORD = re.compile(r"[a-z0-9]+")

_BRACKETS = str.maketrans("", "", "()")


def words_of(text: str) -> list[str]:
    """The words of a text that a search goes by.

    >>> words_of("Ulor (born 712)")
    ['ulor', '712']
    """
    return [word for word in _WORD.findall(text.casefold()) if word not in STOP]


class Index:
    """BM25 (S. Robertson and H. Zaragoza, 2009) over titles, and the names, years and traits that
    articles state; other words of the articles do not count. The length of an article is the number
    of facts that its type may have, and of its members and of the terms of its title.

    The postings of a word follow from the articles that have it in their titles, and those that
    name these.
    """

    def __init__(self, source: Encyclopedia) -> None:
        self.source = source
        self._titled: dict[str, list[int]] = {}

    @cached_property
    def _titles(self) -> Sequence[str]:
        """The titles in small letters without brackets."""
        return "\n".join(self.source.titles).casefold().translate(_BRACKETS).split("\n")

    def titled(self, word: str) -> Sequence[int]:
        """The articles with a word in their titles."""
        if word not in self._titled:
            near = ((n, title) for n, title in enumerate(self._titles) if word in title)
            self._titled[word] = [n for n, title in near if word in title.split()]
        return self._titled[word]

    def length(self, number: int) -> int:
        """The length of an article."""
        source = self.source
        return TITLE + len(FACTS[source.types[number]]) + len(source.members(number))

    @cached_property
    def mean(self) -> float:
        """The mean length."""
        source = self.source
        types = Counter(source.types)
        total = sum((TITLE + len(FACTS[name])) * number for name, number in types.items())
        listing = (n for n, name in enumerate(source.types) if name in LISTS)
        return (total + sum(len(source.members(n)) for n in listing)) / len(source)

    @cached_property
    def neighbours(self) -> dict[int, int]:
        """For each article the next one in alphabetical order, mostly one with a similar name."""
        order = sorted(range(len(self.source)), key=self.source.titles.__getitem__)
        return dict(zip(order, [*order[1:], order[0]]))

    def frequencies(self, word: str) -> Counter[int]:
        """How often each article has a word; in its title it counts as so many times."""
        source = self.source
        numbers = Counter(self._stating(word))
        for number in self.titled(word):
            numbers[number] += TITLE
            numbers.update(source.mentions(number))
        return numbers

    def _stating(self, word: str) -> list[int]:
        """The articles that state a trait, or a year, as often as they do."""
        source = self.source
        if not word.isdecimal():
            traits = [relation for relation, values in TRAITS.values() if word in values]
            return [number for relation in traits for number in source.sources(relation, word)]
        year = int(word)
        stating = [n for relation in YEARS.values() for n in source.sources(relation, year)]
        houses = (n for n, name in enumerate(source.types) if name == "house")
        stating += [n for n in houses for each in source[n].years if each == year]
        return stating if str(year) == word else []

    def search(self, query: str) -> list[int]:
        """The best articles: first those with all words of the query that occur at all, and then
        by their scores, and by their numbers where those are equal.
        """
        frequencies = map(self.frequencies, [*dict.fromkeys(words_of(query))][:WORDS])
        known = [each for each in frequencies if each]
        scores, matches = dict[int, float](), Counter[int]()
        for each in known:
            matches.update(each.keys())
            for number, score in self._scores(each):
                scores[number] = scores.get(number, 0) + score
        every = len(known)
        ranked = sorted(scores, key=lambda n: (matches[n] < every, -round(scores[n], 6), n))
        return ranked[:RESULTS]

    def _scores(self, frequencies: Counter[int]) -> Iterable[tuple[int, float]]:
        number, total = len(frequencies), len(self.source)
        weight = math.log(1 + (total - number + 0.5) / (number + 0.5)) * (SATURATION + 1)
        for article, frequency in frequencies.items():
            length = 1 - LENGTH + LENGTH * self.length(article) / self.mean
            yield article, weight * frequency / (frequency + SATURATION * length)


@lru_cache(maxsize=CACHE)
def index(seed: int, articles: int, namesakes: int) -> Index:
    """The index of :func:`encyclopedia` with the same arguments."""
    return Index(encyclopedia(seed, articles, namesakes))
