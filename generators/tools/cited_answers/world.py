"""An encyclopaedia whose reader submits an answer and citations of the facts that it rests on."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia
from palaestra.generators.tools.encyclopedia.evidence import Evidence
from palaestra.generators.tools.encyclopedia.index import Index
from palaestra.generators.tools.encyclopedia.schema import LISTS
from palaestra.generators.tools.encyclopedia.world import (
    GOAL,
    SEARCH,
    SUBMIT,
    World,
    article_number,
    checked,
    normalised,
)
from palaestra.generators.tools.engine import Arguments, Changes, Tool
from palaestra.task import InvalidAnswer

MOST = 100
"""How many citations there may be at a time."""

GLOSSARY: Mapping[str, str] = {
    "profession": "of a person",
    "born": "year of birth of a person",
    "birthplace": "town of birth of a person",
    "residence": "town of work and later home of a person",
    "teacher": "of a person",
    "guild": "that a person belongs to",
    "trade": "what a town is known for or sells",
    "town_founded": "year of foundation of a town",
    "province": "that a town belongs to",
    "builder": "of the bridge of a town",
    "rival": "of a town",
    "house": "that rules a province",
    "capital": "of a province",
    "house_founded": "year of foundation of a house",
    "seat": "town of the seat of a house",
    "head": "a person who led a house",
    "subject": "of a book",
    "published": "year of publication of a book",
    "author": "of a book",
    "dedicated": "the person that a book is dedicated to",
    "printed": "town where a book was printed",
    "guild_founded": "year of foundation of a guild",
    "hall": "town of the hall of a guild",
    "patron": "the house that protects a guild",
    "master": "the first master of a guild",
    "members": "how many titles the list of a province or a guild has, in digits",
}
"""The relations of claims, and what each is."""


class Citation(NamedTuple):
    """A claim, and the article and the sentence that are to support it."""

    topic: str
    relation: str
    value: str
    article: int
    sentence: int


def statements(source: Encyclopedia, number: int, sentence: int) -> list[Evidence]:
    """What a sentence of an article states. Sentences count from 1. The list of a guild states the
    guild of each member, that of a province the province of each town, that of a house its heads.
    """
    article, relation = source[number], source.relations(number)[sentence - 1]
    if relation == "members":
        titles = [source.titles[member] for member in article.members]
        if article.type == "house":
            return [(article.title, "head", title) for title in titles]
        each = LISTS[article.type][0]
        length = (article.title, "members", str(len(titles)))
        return [length, *((title, each, article.title) for title in titles)]
    value = article.facts.get(relation)
    if value is None:
        return []
    return [(article.title, relation, source.shown(relation, value))]


def fact(evidence: Evidence) -> tuple[str, ...]:
    """The path of a fact among the changes."""
    title, relation, value = evidence
    return ("fact", normalised(title), relation, normalised(value))


class Report(World):
    """An encyclopaedia, the last answer, and citations by number."""

    def __init__(self, load: Callable[[], Index], noise: int, seed: int, busy: int) -> None:
        super().__init__(load, noise, seed, busy, TOOLS)
        self.citations: dict[int, Citation] = {}
        self.last = 0

    def changes(self) -> Changes:
        """The answer, and for each citation the fact, or that the sentence does not state it."""
        changes = super().changes()
        for each in self.citations.values():
            path = fact(each[:3])
            if path not in map(fact, statements(self.source, each.article, each.sentence)):
                path = ("unsupported", *path[1:], str(each.article), str(each.sentence))
            changes[path] = True
        return changes

    def state(self) -> str:
        citations = sorted(self.citations.items())
        return f"answer {self.answer!r}, cited {citations}, seen {sorted(self.seen)}"


def goal_of(evidence: list[Evidence], answer: str) -> Changes:
    """The changes of a report with these facts and an answer."""
    return {**{fact(each): True for each in evidence}, GOAL: normalised(answer)}


def _open(world: Report, arguments: Arguments) -> str:
    number = article_number(world, arguments["title"])
    sentences = enumerate(world.source.sentences(number), 1)
    lines = (f"{n}. {sentence}" for n, sentence in sentences)
    return "\n".join([world.source.titles[number], *lines])


def _cite(world: Report, arguments: Arguments) -> str:
    relation = arguments["relation"].strip().casefold()
    if relation not in GLOSSARY:
        raise InvalidAnswer(f"there is no relation {relation[:40]!r}; the relations are listed")
    topic, value = (normalised(checked(arguments[name], name)) for name in ("topic", "value"))
    number, sentence = article_number(world, arguments["article"]), arguments["sentence"]
    sentences = len(world.source.relations(number))
    if not 1 <= sentence <= sentences:
        raise InvalidAnswer(f"the sentences of this article go from 1 to {sentences}")
    if len(world.citations) == MOST:
        raise InvalidAnswer(f"there are {MOST} citations already")
    world.last += 1
    world.citations[world.last] = Citation(topic, relation, value, number, sentence)
    return f"This is citation {world.last}."


def _withdraw(world: Report, arguments: Arguments) -> str:
    if world.citations.pop(arguments["citation"], None) is None:
        raise InvalidAnswer("there is no citation with this number")
    return "The citation is withdrawn."


TOOLS = (
    Tool(
        "cite",
        "Claim that the relation of the topic, which is the title of an article, is the value, "
        "and cite a sentence of an article for it, by its number.",
        {"topic": str, "relation": str, "value": str, "article": str, "sentence": int},
        _cite,
    ),
    Tool(
        "open_article",
        "Show an article by its exact title, with what stands in brackets. Its sentences are "
        "numbered.",
        {"title": str},
        _open,
    ),
    SEARCH,
    SUBMIT,
    Tool(
        "withdraw_citation",
        "Take a citation back, by the number that cite returned.",
        {"citation": int},
        _withdraw,
    ),
)
"""The tools in alphabetical order."""
