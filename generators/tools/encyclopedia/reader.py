"""Articles as they are read, and a reader that answers questions by them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from palaestra.generators.tools.encyclopedia.questions import Chain, Question
from palaestra.generators.tools.encyclopedia.schema import (
    INVERSES,
    LISTS,
    OPENINGS,
    RELATIONS,
    TRAITS,
    TYPES,
    YEARS,
)
from palaestra.generators.tools.encyclopedia.world import UNKNOWN

_VALUE = r"(?P<value>[^.]+)"


class Reading(NamedTuple):
    """What an article says."""

    title: str
    type: str
    facts: dict[str, str]
    """The values by relation; a list is under ``members``."""
    sentences: dict[str, int]
    """The numbers of the sentences that state them, which count from 1."""

    @property
    def members(self) -> list[str]:
        """The titles in its list, for a house each with its year."""
        return self.facts.get("members", "").split(", ")


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.escape(sentence).replace(r"\{title\}", "[^.]+").replace(r"\{value\}", _VALUE)
    return re.compile(parts)


def _patterns() -> Iterator[tuple[re.Pattern[str], str, str]]:
    """The sentences of articles, each with its type and its relation."""
    for name, relation in RELATIONS.items():
        for sentence in relation.sentences:
            yield _pattern(sentence), relation.source, name
    for each in TYPES:
        for sentence in OPENINGS.get(each, ()):
            yield _pattern(sentence), each, ""
        if each in LISTS:
            for sentence in LISTS[each][1]:
                yield _pattern(sentence), each, "members"


_PATTERNS = tuple(_patterns())


def read(text: str) -> Reading:
    """What the text of an article says, which is its title in one line and sentences in another."""
    title, _, body = text.partition("\n")
    facts, numbers = dict[str, str](), dict[str, int]()
    source = ""
    for number, sentence in enumerate(body.removesuffix(".").split(". "), 1):
        for pattern, each, relation in _PATTERNS:
            match = pattern.fullmatch(f"{sentence}.") if source in ("", each) else None
            if match:
                source = each
                if relation:
                    facts[relation], numbers[relation] = match["value"], number
                break
    return Reading(title, source, facts, numbers)


class Reader:
    """Answers questions by articles. A subclass says how they are opened and searched.

    ``evidence`` lists the facts that the last answer rests on, each as the title of an article, a
    relation, and a value. For a list the relation is ``members`` and the value the length, and for
    a person from the list of a house it is ``head``.
    """

    def __init__(self) -> None:
        self.evidence: list[tuple[str, str, str]] = []

    def opened(self, title: str) -> Reading:
        """The article with a title."""
        raise NotImplementedError

    def results(self, query: str) -> Iterator[str]:
        """The titles of articles that name what a query names."""
        raise NotImplementedError

    def answer_to(self, question: Question) -> str:
        """The answer to a question."""
        self.evidence = []
        ends = [self._end(chain) for chain in question.chains]
        known = [end for end in ends if end is not None]
        return self._concluded(question, known) if len(known) == len(ends) else UNKNOWN

    def _note(self, title: str, relation: str, value: str) -> None:
        self.evidence.append((title, relation, value))

    def _concluded(self, question: Question, ends: list[str]) -> str:
        first, last = ends[0], ends[-1]
        if question.form == "follow":
            return first
        if question.form == "years":
            return str(abs(int(first) - int(last)))
        if question.form == "compare":
            years = [self._year(title) for title in ends]
            if 0 in years:
                return UNKNOWN
            return ends[years.index(max(years) if question.later else min(years))]
        members = self.opened(first).members
        if question.form == "count":
            self._note(first, "members", str(len(members)))
            years = [self._year(title) for title in members]
            bound, later = question.bound, question.later
            return str(sum(year > bound if later else year < bound for year in years))
        heads = [member.rpartition(" from ") for member in members]
        head = [title for title, _, year in heads if int(year) <= int(last)][-1]
        self._note(first, "head", head)
        return head

    def _year(self, title: str) -> int:
        """The year of an article, or 0 where it states none."""
        reading = self.opened(title)
        relation = YEARS[reading.type]
        if relation not in reading.facts:
            return 0
        self._note(title, relation, reading.facts[relation])
        return int(reading.facts[relation])

    def _end(self, chain: Chain) -> str | None:
        """The title or the year at the end of a chain, or None where it is unknown."""
        end = self._start(chain)
        for step in chain.path:
            if end is None:
                return None
            end = self._following(step, end)
        return end

    def _following(self, step: str, title: str) -> str | None:
        if step in INVERSES:
            relation = INVERSES[step].relation
            source = self._source(relation, title)
            if source is not None:
                self._note(source, relation, title)
            return source
        value = self.opened(title).facts.get(step)
        if value is not None:
            self._note(title, step, value)
        return value

    def _start(self, chain: Chain) -> str | None:
        """The title of the article that a chain begins at, if there is one."""
        for title in self.results(chain.name):
            if title.partition(" (")[0] == chain.name and self._fits(title, chain):
                return title
        return None

    def _fits(self, title: str, chain: Chain) -> bool:
        if not chain.trait:
            return True
        relation = TRAITS[chain.type][0]
        fits = self.opened(title).facts[relation] == chain.trait
        if fits:
            self._note(title, relation, chain.trait)
        return fits

    def _source(self, relation: str, title: str) -> str | None:
        """The title of the article that states a relation to one with a title."""
        for each in self.results(title):
            if self.opened(each).facts.get(relation) == title:
                return each
        return None
