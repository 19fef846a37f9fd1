"""Answering questions by search in the encyclopaedia of a made-up world, an original environment.

Search-R1 (B. Jin and others, "Search-R1: Training LLMs to Reason and Leverage Search Engines with
Reinforcement Learning", 2025) has a model call a search engine over Wikipedia. WebShaper (Z. Tao
and others, "WebShaper: Agentically Data Synthesizing via Information-Seeking Formalization", 2025)
composes questions from relations between entities. Here the encyclopaedia is new with each task, so
that no model knows it, and whether it answers a question is certain.
"""

from collections.abc import Generator, Mapping, Sequence
from random import Random

from palaestra.generators.tools.encyclopedia.client import Client, Use
from palaestra.generators.tools.encyclopedia.reader import read
from palaestra.generators.tools.encyclopedia.schema import YEARS
from palaestra.generators.tools.encyclopedia.task import SearchTask
from palaestra.generators.tools.encyclopedia.wording import in_words
from palaestra.generators.tools.encyclopedia.world import (
    GOAL,
    TOOLS,
    UNKNOWN,
    World,
    normalised,
)
from palaestra.generators.tools.engine import Changes, Tool, acting, scripted
from palaestra.task import Policy, ladder
from palaestra.toolbox import call


class EncyclopediaSearch(SearchTask):
    """Answer a question of several hops by search in the encyclopaedia of a made-up world."""

    tags = {"tool-use", "search", "multi-hop", "hidden-state"}

    class Knobs(SearchTask.Knobs):
        articles: int = ladder(60, 100, 180, 300, 700, 1500, 3000)
        calls: int = ladder(30, 40, 50, 60, 75, 90, 100, high=200)

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def world(self) -> World:
        return World(self.index, self.noise, self.seed, self.busy)

    @property
    def goal(self) -> Changes:
        return {GOAL: normalised(self.answer)}

    def client(self, use: Use) -> None:
        Client(use).answer(self.question)

    def introduction(self) -> str:
        return self.phrase(
            "Answer a question with the help of an encyclopaedia.",
            "There is an encyclopaedia that you can search. Find the answer to a question in it.",
            "Here is a question about the world that an encyclopaedia describes.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, answer the same each time, answer with the first result, or go on
        from there to whatever articles name.
        """
        text = in_words(self.question, self.wording)[:200]
        name = self.question.chains[0].name
        return {
            "do nothing": scripted([]),
            "answer unknown": scripted([call("submit_answer", text=UNKNOWN)]),
            "answer 3": scripted([call("submit_answer", text="3")]),
            "first result": acting(_wander(rng, text, 0)),
            "first result for the name": acting(_wander(rng, name, 0)),
            "walk from the name": acting(_wander(rng, name, len(self.question.chains[0].path))),
            "year of the name": acting(_year(name)),
        }


def _wander(rng: Random, query: str, hops: int) -> Generator[str, str, None]:
    """Answer with the first result for a query, or what so many random links lead to from there."""
    results = yield call("search", query=query)
    title = results.partition(": ")[0]
    for _ in range(hops):
        reading = read((yield call("open_article", title=title)))
        links = [value for value in reading.facts.values() if not value.isdecimal()]
        title = rng.choice(links) if links else title
    yield call("submit_answer", text=title)


def _year(query: str) -> Generator[str, str, None]:
    """Answer with the year of the first result for a query."""
    results = yield call("search", query=query)
    reading = read((yield call("open_article", title=results.partition(": ")[0])))
    years = [reading.facts[each] for each in YEARS.values() if each in reading.facts]
    yield call("submit_answer", text=next(iter(years), UNKNOWN))
