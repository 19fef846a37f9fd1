"""Random encyclopaedias: facts about made-up people, towns and books, rendered on demand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, overload

from palaestra.generators.tools.encyclopedia.facts import Column, Facts, Value
from palaestra.generators.tools.encyclopedia.names import QUALIFIERS, random_names, titles_of
from palaestra.generators.tools.encyclopedia.schema import (
    FACTS,
    LINKS,
    LISTS,
    OPENINGS,
    OPTIONAL,
    RELATIONS,
    YEARS,
    Type,
)

MISSING = 0.08
"""The share of optional facts that are left out."""

CACHE = 16
"""How many encyclopaedias a process keeps, which are some megabytes each at the most."""


_NAMING: Mapping[Type, Sequence[str]] = {
    name: tuple(each for each, relation in RELATIONS.items() if relation.target == name)
    for name in FACTS
}
"""For each type the relations to its articles."""

_SENTENCES = {name: relation.sentences for name, relation in RELATIONS.items()}


class Article(NamedTuple):
    """An article. The value of a fact is the number of an article, a year or a trait."""

    type: Type
    title: str
    facts: Mapping[str, Value]
    members: Sequence[int]
    """The articles in its list."""
    years: Sequence[int]
    """For each head of a house the year from which on."""
    style: int
    """What selects its sentences."""

    @property
    def year(self) -> int | None:
        """The year of birth, foundation or publication, where the article states one."""
        year = self.facts.get(YEARS.get(self.type, ""))
        return year if isinstance(year, int) else None


class Encyclopedia(Sequence[Article]):
    """The articles by number. Articles of a type have consecutive numbers.

    An article is put together when it is asked for. What it says is a function of the seed, the
    number of articles, the percentage of namesakes and its title alone.
    """

    def __init__(self, seed: int, articles: int, namesakes: int) -> None:
        self.facts = Facts(seed, articles)
        self.types: list[Type] = []
        """The types of the articles."""
        self.titles: list[str] = []
        """The titles of the articles."""
        ranges = self.facts.ranges
        sizes = {name: len(numbers) for name, numbers in ranges.items()}
        names = random_names(self.facts.stream("names"), sizes, namesakes)
        for name, size in sizes.items():
            self.types += [name] * size
            self.titles += self._titled(name, names[name])
        self._articles: dict[int, Article] = {}
        self._columns: dict[str, Column] = {}
        self._values: dict[Type, Sequence[Column]] = {}
        self._sources: dict[str, dict[Value, list[int]]] = {}

    def _titled(self, name: Type, names: Sequence[str]) -> Sequence[str]:
        if name not in QUALIFIERS:
            return names
        return titles_of(
            self.facts.stream(f"titles of {name}"), name, names, self.facts.years(YEARS[name])
        )

    def __len__(self) -> int:
        return len(self.titles)

    @overload
    def __getitem__(self, number: int) -> Article: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Article]: ...

    def __getitem__(self, number: int | slice) -> Article | Sequence[Article]:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        if number not in self._articles:
            self._articles[number] = self._article(range(len(self))[number])
        return self._articles[number]

    def _article(self, number: int) -> Article:
        name = self.types[number]
        n = number - self.facts.ranges[name].start
        pairs = zip(FACTS[name], self._rows(name)[n])
        return Article(
            name,
            self.titles[number],
            {relation: value for relation, value in pairs if value is not None},
            self.members(number),
            self._heads[n][1] if name == "house" else (),
            self._styles[number],
        )

    def _rows(self, name: Type) -> Sequence[Column]:
        """The values of all relations for each article of a type."""
        if name not in self._values:
            self._values[name] = [*zip(*map(self.column, FACTS[name]))]
        return self._values[name]

    @cached_property
    def _styles(self) -> Sequence[int]:
        bits = self.facts.stream("styles").getrandbits
        return [bits(32) for _ in self.titles]

    @cached_property
    def _heads(self) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        return self.facts.heads()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the articles by their titles in small letters."""
        return {title.casefold(): n for n, title in enumerate(self.titles)}

    @cached_property
    def namesakes(self) -> Mapping[str, Sequence[int]]:
        """The articles whose titles have brackets, by the name before that."""
        namesakes: dict[str, list[int]] = {}
        for number, title in enumerate(self.titles):
            if title.endswith(")"):
                namesakes.setdefault(title.partition(" (")[0], []).append(number)
        return namesakes

    def column(self, relation: str) -> Column:
        """The values of a relation in the articles of a type, some of which leave it out."""
        if relation not in self._columns:
            whole = self.facts.column(relation)
            self._columns[relation] = self._kept(relation, whole) if relation in OPTIONAL else whole
        return self._columns[relation]

    def _kept(self, relation: str, whole: Column) -> Column:
        """The values but for a share. An article states the year that is in its title."""
        chance = self.facts.stream(f"left out {relation}").random
        some = [value if chance() >= MISSING else None for value in whole]
        if relation in YEARS.values():
            start = self.facts.ranges[RELATIONS[relation].source].start
            titles = self.titles[start : start + len(whole)]
            return [w if title.endswith(")") else s for w, s, title in zip(whole, some, titles)]
        return some

    def value(self, number: int, relation: str) -> Value | None:
        """The value of a relation in an article, or None where the article does not state it."""
        name = self.types[number]
        if RELATIONS[relation].source != name:
            return None
        return self.column(relation)[number - self.facts.ranges[name].start]

    def sources(self, relation: str, value: Value) -> Sequence[int]:
        """The articles that state a relation to a value."""
        if relation not in self._sources:
            sources = defaultdict[Value, list[int]](list)
            start = self.facts.ranges[RELATIONS[relation].source].start
            for number, each in enumerate(self.column(relation), start):
                if each is not None:
                    sources[each].append(number)
            self._sources[relation] = sources
        return self._sources[relation].get(value, ())

    def members(self, number: int) -> Sequence[int]:
        """The articles in the list of an article."""
        name = self.types[number]
        if name == "house":
            return self._heads[number - self.facts.ranges[name].start][0]
        return self.sources(LISTS[name][0], number) if name in LISTS else ()

    @cached_property
    def houses(self) -> Mapping[int, Sequence[int]]:
        """For each head of a house the houses whose lists name this person."""
        houses: dict[int, list[int]] = {}
        for house, (members, _) in zip(self.facts.ranges["house"], self._heads):
            for member in members:
                houses.setdefault(member, []).append(house)
        return houses

    def mentions(self, number: int) -> list[int]:
        """The articles that name an article in a fact or in a list, each as often as they do."""
        name, mentions = self.types[number], [*self.houses.get(number, ())]
        for relation in _NAMING[name]:
            mentions += self.sources(relation, number)
        for relation, _ in LISTS.values():
            owner = self.value(number, relation) if relation in FACTS[name] else None
            if isinstance(owner, int):
                mentions.append(owner)
        return mentions

    def shown(self, relation: str, value: Value) -> str:
        """The value of a relation in words: a title, a year or a trait."""
        if relation in LINKS and isinstance(value, int):
            return self.titles[value]
        return str(value)

    def sentences(self, number: int) -> list[str]:
        """The sentences of an article: what it is about, and then its facts in some order."""
        article = self[number]
        style, title = article.style, article.title
        parts = [
            frames[(style >> 2 * n) % len(frames)].replace("{value}", value)
            for n, (_, frames, value) in enumerate(self._statements(article))
        ]
        return _turned(style, [parts[0].replace("{title}", title), *parts[1:]])

    def relations(self, number: int) -> list[str]:
        """What each sentence of an article states: a relation, or ``members`` for the list, or
        nothing.
        """
        article = self[number]
        return _turned(article.style, [relation for relation, _, _ in self._statements(article)])

    def _statements(self, article: Article) -> list[tuple[str, Sequence[str], str]]:
        """The relation, the frames and the value of each sentence."""
        statements: list[tuple[str, Sequence[str], str]] = []
        if article.type in OPENINGS:
            statements.append(("", OPENINGS[article.type], ""))
        for relation, value in article.facts.items():
            statements.append((relation, _SENTENCES[relation], self.shown(relation, value)))
        if article.members:
            titles = [self.titles[n] for n in article.members]
            if article.years:
                titles = [f"{title} from {year}" for title, year in zip(titles, article.years)]
            statements.append(("members", LISTS[article.type][1], ", ".join(titles)))
        return statements


def _turned(style: int, parts: Sequence[str]) -> list[str]:
    """The parts in the order that a style selects, in which the first one stays."""
    opening, *rest = parts
    turn = style % max(1, len(rest))
    return [opening, *rest[turn:], *rest[:turn]]


@lru_cache(maxsize=CACHE)
def encyclopedia(seed: int, articles: int, namesakes: int) -> Encyclopedia:
    """The encyclopaedia of a seed, with so many articles. ``namesakes`` is the percentage of
    people, towns and books whose names are those of others or nearly so.
    """
    return Encyclopedia(seed, articles, namesakes)
