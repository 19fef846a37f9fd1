"""Tasks with a question that is answered by search in an encyclopaedia."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia, encyclopedia
from palaestra.generators.tools.encyclopedia.client import Use
from palaestra.generators.tools.encyclopedia.index import Index, index
from palaestra.generators.tools.encyclopedia.questions import Question, random_question
from palaestra.generators.tools.encyclopedia.wording import RULES, in_words
from palaestra.generators.tools.encyclopedia.world import World
from palaestra.generators.tools.engine import Changes, Tool, judged, manual
from palaestra.task import Play, Task, ladder
from palaestra.toolbox import call

SLACK = 1.25
"""How many times as many calls as the oracle makes there are at least."""


class SearchTask(Task):
    """A question about an encyclopaedia. A subclass says what an answer is besides its text."""

    hidden = {"seed", "answer"}

    class Knobs(Task.Knobs):
        articles: int
        hops: int = ladder(1, 2, 3, 4, 5, 6, 7)  # relations to follow
        namesakes: int = ladder(0, 4, 8, 12, 16, 20, 25)  # percentage of articles
        noise: int = ladder(0, 0, 10, 15, 20, 30, 40)  # percentage of results
        unanswerable: int = ladder(0, 2, high=50)  # percentage of questions
        calls: int
        busy: int = ladder(0, 0, 0, 4, 6, 9, 12, high=30)  # percentage of calls that fail

    seed: int
    articles: int
    namesakes: int
    noise: int
    busy: int
    calls: int
    question: Question
    answer: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        source = encyclopedia(seed, knobs.articles, knobs.namesakes)
        unanswerable = rng.random() * 100 < knobs.unanswerable
        result = random_question(rng, source, knobs.hops, unanswerable)
        question, answer = result or (Question("follow", ()), "")
        return cls(
            seed=seed,
            articles=knobs.articles,
            namesakes=knobs.namesakes,
            noise=knobs.noise,
            busy=knobs.busy,
            calls=knobs.calls,
            question=question,
            answer=answer,
        )

    @classmethod
    @abstractmethod
    def toolkit(cls) -> Sequence[Tool]:
        """The tools of the world."""

    @abstractmethod
    def world(self) -> World:
        """The world at its start."""

    @property
    @abstractmethod
    def goal(self) -> Changes:
        """What the world should be like in the end."""

    @abstractmethod
    def introduction(self) -> str:
        """What the task is, in a sentence or two."""

    def demands(self) -> str:
        """What is wanted besides the answer, as paragraphs of the documentation."""
        return ""

    @abstractmethod
    def client(self, use: Use) -> None:
        """Play as the oracle: it sees the documentation, the question and results alone."""

    def is_valid(self) -> bool:
        """Whether there is a question, and a client finds the answer well within the calls."""
        if not self.answer or len(self.solution) * SLACK > self.calls:
            return False
        return self.solution[-1] == call("submit_answer", text=self.answer)

    @property
    def source(self) -> Encyclopedia:
        """The encyclopaedia."""
        return self.index().source

    def index(self) -> Index:
        """The search of the encyclopaedia."""
        return index(self.seed, self.articles, self.namesakes)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of the oracle."""
        world, calls = self.world(), list[str]()

        def use(tool: str, arguments: dict[str, int | str]) -> str:
            calls.append(call(tool, **arguments))
            return world.use(calls[-1])[0]

        self.client(use)
        return tuple(calls)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        return judged(world.changes(), self.goal)

    def brief(self) -> str:
        """The documentation and the question."""
        return (
            f"{self.introduction()} Its {self.articles} articles are about the people, towns, "
            "provinces, houses, books and guilds of a made-up world, and all that counts is what "
            f"they say. {RULES}\n\n{self.demands()}"
            f"Question: {in_words(self.question, self.wording)}\n\n"
            f"{manual(self.toolkit(), self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in self.toolkit()]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
