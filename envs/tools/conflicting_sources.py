"""Questions on which the pages of a made-up web contradict each other, an original environment.

RAMDocs (H. Wang and others, "Retrieval-Augmented Generation with Conflicting Evidence", 2025) puts
ambiguous questions to documents with misinformation and noise. Here the task states the rules by
which sources count, new ones with each task: ranks, corrections, retractions, copies, dates. So an
answer can be derived, or that there is none.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.conflicting_sources.client import answering, read, titles
from palaestra.generators.tools.conflicting_sources.policy import Claim, Policy, random_policy
from palaestra.generators.tools.conflicting_sources.web import (
    DAYS,
    TOPIC_OF,
    Page,
    Question,
    Size,
    careful_calls,
    random_web,
)
from palaestra.generators.tools.conflicting_sources.wording import question_in_words
from palaestra.generators.tools.conflicting_sources.world import TOOLS, UNRESOLVED, World
from palaestra.generators.tools.engine import (
    Changes,
    Client,
    acting,
    judged,
    manual,
    scripted,
    solved,
    using,
)
from palaestra.task import Play, Task, ladder
from palaestra.task import Policy as Player
from palaestra.toolbox import call
from palaestra.verifiers.reading.labels import numbered

MOST = 400
"""How many calls the oracle makes at most."""


class ConflictingSources(Task):
    """Answer questions by search in a web whose pages conflict, by stated rules on sources."""

    version = 2
    tags = {"tool-use", "search", "policy", "conflicting-evidence", "hidden-state"}
    hidden = {"pages"}

    class Knobs(Task.Knobs):
        questions: int = ladder(2, 3, 3, 3, 3, 3, 3, high=5)
        pages: int = ladder(
            4, 5, 5, 6, 7, 8, 8, low=3, high=16
        )  # of each question, without notices
        distractors: int = ladder(1, 2, 3, 4, 6, 8, 10, high=40)  # other things with pages
        rules: int = ladder(1, 2, 3, 4, 5, 6)  # of six that may be there or not
        traps: int = ladder(1, 2, 2, 2, 3, 3, 3, high=4)  # rules that matter for each question
        busy: int = ladder(0, 0, 0, 4, 6, 9, 12, high=30)  # percentage of calls that fail

    rules: Policy
    questions: tuple[Question, ...]
    pages: tuple[Page, ...]
    calls: int
    """How many calls there are: a multiple of ten, with more than half of what a careful player
    needs to spare. A field, as the pages are hidden, and the prompt states it.
    """
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rules = random_policy(rng, knobs.rules, DAYS)
        size = Size(knobs.questions, knobs.pages, knobs.distractors, knobs.traps)
        questions, pages = random_web(rng, rules, size) or ((), ())
        return cls(
            rules=rules,
            questions=questions,
            pages=pages,
            calls=20 + careful_calls(questions, pages) * 7 // 4 // 10 * 10,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether there is a web."""
        return bool(self.questions)

    def world(self) -> World:
        """The world at its start."""
        return World(self.pages, len(self.questions), self.seed, self.busy)

    @cached_property
    def goal(self) -> Changes:
        """What the world should be like in the end."""
        answers: Changes = {}
        for number, question in enumerate(self.questions, 1):
            claims = [page.claim for page in self.pages if page.question == question]
            value = self.rules.verdict(TOPIC_OF[question.attribute], claims)
            answers["answer", str(number)] = UNRESOLVED if value is None else str(value)
        return answers

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the documentation, the questions and results alone."""
        return solved(self.world(), answering(self.rules, self.questions), MOST)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        return judged(world.changes(), self.goal)

    def brief(self) -> str:
        """The documentation, the rules and the questions."""
        work = self.phrase(
            "Answer questions from the pages of a web, which contradict each other.",
            "The pages of a web disagree on some numbers. Find out which ones count.",
            "Here are questions on which sources conflict, and rules by which to settle them.",
            "Settle what the sources of a web dispute, by the rules that follow.",
            "Search a web whose pages do not agree, and answer questions by its rules on sources.",
        )
        questions = (
            question_in_words(each, self.wording + n) for n, each in enumerate(self.questions)
        )
        return (
            f"{work} All names are made up, and nothing counts but the pages and the rules. Things "
            "of the same name in different regions are different things.\n\n"
            f"Rules:\n{numbered(self.rules.rules())}\n\n"
            f"Questions:\n{numbered(questions)}\n\n{manual(TOOLS, self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, say that nothing is resolved, or read the first results for each
        question and go by the first, the latest, the commonest, the highest-ranking statement, or a
        random one.
        """
        unresolved = [
            call("submit_answer", question=number, value=UNRESOLVED)
            for number in range(1, len(self.questions) + 1)
        ]
        choices: dict[str, Callable[[list[Claim]], int]] = {
            "first statement": lambda claims: claims[0].value,
            "latest statement": lambda claims: max(claims, key=lambda each: each.day).value,
            "commonest statement": lambda claims: Counter(
                each.value for each in claims
            ).most_common(1)[0][0],
            "highest rank": lambda claims: (
                min(claims, key=lambda each: self.rules.rank(each.type)).value
            ),
            "random statement": lambda claims: rng.choice(claims).value,
        }
        return {
            "do nothing": scripted([]),
            "all unresolved": scripted(unresolved),
            **{name: acting(_skimming(self.questions, each)) for name, each in choices.items()},
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))


def _skimming(questions: Sequence[Question], choose: Callable[[list[Claim]], int]) -> Client:
    """Read the first results for each question, and choose a value without the rules."""
    for number, question in enumerate(questions, 1):
        listing = yield from using("search", query=f"{question.name} {question.region}")
        claims: list[Claim] = []
        for address in titles(listing):
            attribute, claim = read((yield from using("open_page", address=address)))
            if attribute == question.attribute and claim.value:
                claims.append(claim)
        value = str(choose(claims)) if claims else UNRESOLVED
        yield from using("submit_answer", question=number, value=value)
