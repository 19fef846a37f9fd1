"""Answers with a citation for each fact, from the encyclopaedia of a made-up world, an original
environment.

ALCE (T. Gao and others, "Enabling Large Language Models to Generate Text with Citations", 2023)
measures whether citations support what they stand behind, and whether all that is stated is cited.
CaRR (J. Zhang and others, "Chaining the Evidence: Robust Reinforcement Learning for Deep Search
Agents with Citation-Aware Rubric Rewards", 2026) rewards an agent for each hop that it identifies
and cites, where the hops are connected to the answer. Both leave the judgement to a model. Here
claims are relations between articles, so that whether a sentence states one is certain.
"""

from collections.abc import Generator, Mapping, Sequence
from functools import cached_property
from random import Random

from palaestra.generators.tools.cited_answers.client import LISTED, Reporter, read_numbered
from palaestra.generators.tools.cited_answers.world import GLOSSARY, TOOLS, Report, goal_of
from palaestra.generators.tools.encyclopedia.client import Use
from palaestra.generators.tools.encyclopedia.evidence import evidence
from palaestra.generators.tools.encyclopedia.task import SearchTask
from palaestra.generators.tools.encyclopedia.wording import in_words
from palaestra.generators.tools.encyclopedia.world import UNKNOWN
from palaestra.generators.tools.engine import Changes, Tool, acting, scripted
from palaestra.task import Policy, ladder
from palaestra.toolbox import call


class CitedAnswers(SearchTask):
    """Answer a question of several hops by search, and cite a sentence for each fact."""

    tags = {"tool-use", "search", "multi-hop", "citations", "hidden-state"}

    class Knobs(SearchTask.Knobs):
        articles: int = ladder(60, 100, 160, 240, 340, 460, 600, high=3_000)
        calls: int = ladder(45, 55, 65, 80, 95, 110, 125, high=250)

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def world(self) -> Report:
        return Report(self.index, self.noise, self.seed, self.busy)

    @cached_property
    def goal(self) -> Changes:
        try:
            facts = evidence(self.source, self.question, self.answer)
        except LookupError:  # another encyclopaedia in place of the hidden one: not before the end
            facts = []
        return goal_of(facts, self.answer)

    def client(self, use: Use) -> None:
        Reporter(use).report(self.question)

    def introduction(self) -> str:
        return self.phrase(
            "Answer a question with the help of an encyclopaedia, and prove the answer.",
            "Find the answer to a question in an encyclopaedia, and cite what it rests on.",
            "Here is a question. Write a report on it, with an answer and citations.",
            "A question is to be answered with evidence from an encyclopaedia.",
            "Search an encyclopaedia for the answer to a question, and document each step.",
        )

    def demands(self) -> str:
        relations = "\n".join(f"- {name}: {text}" for name, text in GLOSSARY.items())
        return (
            "Cite a sentence for each fact that the answer rests on, and nothing else:\n"
            "- each step from an article that the question names towards the answer, as a claim "
            "about the article that has the relation: for the only pupil of somebody it is the "
            "teacher of the pupil;\n"
            "- the profession, trade or subject by which the question tells an article from its "
            "namesakes;\n"
            "- for a comparison the year of each of the two;\n"
            "- for a count the number of titles in the list, and the year of each of them, whether "
            "it counts or not;\n"
            "- for who led a house in a year that person as its head;\n"
            f"- where the answer is {UNKNOWN}, all of this as far as the articles state it, for "
            "both parts of a question that has two.\n"
            "A claim needs a sentence that states it. The list of a guild states the guild of each "
            "member, and that of a province the province of each town. A report with a citation "
            "that does not support its claim, or with a claim that the answer does not rest on, is "
            f"worth nothing; such a citation can be withdrawn.\n\nRelations:\n{relations}\n\n"
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, answer without citations, cite the first article, or walk on from
        there and cite the links that they follow, or all that they read.
        """
        chain = self.question.chains[0]
        text = in_words(self.question, self.wording)[:200]
        hops = len(chain.path)
        return {
            "do nothing": scripted([]),
            "answer unknown": scripted([call("submit_answer", text=UNKNOWN)]),
            "first result": acting(_walk(rng, text, 0, False)),
            "walk from the name": acting(_walk(rng, chain.name, hops, False)),
            "walk from the name, all cited": acting(_walk(rng, chain.name, hops, True)),
        }


def _walk(rng: Random, query: str, hops: int, cites_all: bool) -> Generator[str, str, None]:
    """Go from the first result on by so many random links, cite them or all that the articles
    state, and answer with the last one.
    """
    title = (yield call("search", query=query)).partition(": ")[0]
    for _ in range(hops):
        reading = read_numbered((yield call("open_article", title=title)))
        facts = {name: value for name, value in reading.facts.items() if name not in LISTED}
        step = rng.choice([*facts]) if facts else ""
        for name in facts if cites_all else [step] * bool(step):
            yield call(
                "cite",
                topic=reading.title,
                relation=name,
                value=facts[name],
                article=reading.title,
                sentence=reading.sentences[name],
            )
        title = facts.get(step, title)
        if title.isdecimal():
            break
    yield call("submit_answer", text=title)
