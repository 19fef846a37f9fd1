"""Answering questions about cohorts of patients from their charts, an original environment.

MedAgentGym (R. Xu and others, "MedAgentGym: A Scalable Agentic Training Environment for
Code-Centric Reasoning in Biomedical Data Science", 2025) and EHRAgent (W. Shi and others,
"EHRAgent: Code Empowers Large Language Models for Few-shot Complex Tabular Reasoning on Electronic
Health Records", 2024) put questions about records of real hospitals; EHRSQL (G. Lee and others,
"EHRSQL: A Practical Text-to-SQL Benchmark for Electronic Health Records", 2022) collected such
questions. Here patients, diseases and drugs are made up, new with each task.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.tools.cohort_query.charts import Records, Sizes, random_records
from palaestra.generators.tools.cohort_query.client import Client
from palaestra.generators.tools.cohort_query.persons import Question
from palaestra.generators.tools.cohort_query.questions import random_questions
from palaestra.generators.tools.cohort_query.wording import in_words
from palaestra.generators.tools.cohort_query.world import TOOLS, World
from palaestra.generators.tools.data_questions import (
    SUBMIT,
    DataTask,
    Form,
    Moves,
    Use,
    acting,
    total_in,
)
from palaestra.generators.tools.engine import Tool, scripted
from palaestra.task import Policy, Task, ladder
from palaestra.toolbox import call

CONVENTIONS = """\
- A code stands for itself and all its sub-codes at every depth, in diagnoses and in drugs.
- The index date of a person in a question is the date of the first diagnosis of the condition that
  the question takes persons with; whoever has no such diagnosis does not count.
- An entry that is withdrawn counts as never written. An entry whose value or date is corrected
  counts with what the last correction says. A correction may be withdrawn, and then has no effect.
- A person with two patient numbers counts once, with the entries of both charts, and is named by
  the lower number.
- 'Within 30 days after' a date is from that date to the 30th day after it, both included. 'In the
  30 days before' a date is from the 30th day before it to the day before it, both included.
- Ages are in full years. 'Above the reference range' means above its upper end. Values are compared
  after they are converted into the same unit.
- The median is the value in the middle, or the mean of the two in the middle. A person without such
  a value does not count for it; if there are several values on one day, the smallest counts.
- Patients are listed by their numbers."""
"""What words in questions mean."""


class CohortQuery(DataTask):
    """Answer questions about cohorts of patients by a code book and charts."""

    tags = {"tool-use", "medicine", "search", "hidden-state"}

    class Knobs(Task.Knobs):
        patients: int = ladder(14, 18, 24, 30, 36, 42, 50, high=200)
        diagnoses: int = ladder(7, 9, 12, 16, 20, 25, 30, high=60)  # codes
        drugs: int = ladder(6, 8, 10, 12, 15, 18, 20, high=60)  # codes
        measurements: int = ladder(1, 2, 2, 3, 3, 4, 5, high=8)  # codes
        entries: int = ladder(5, 6, 7, 8, 9, 10, 12, high=30)  # of a person, at least
        corrected: int = ladder(0, 6, 10, 12, 15, 18, 20, high=40)  # percentage of entries
        twice: int = ladder(0, 0, 6, 8, 10, 12, 15, high=40)  # percentage with two numbers
        criteria: int = ladder(1, 1, 2, 2, 3, 3, 4, high=5)  # of a question
        questions: int = ladder(1, 2, 2, 2, 2, 2, 2, high=5)
        busy: int = ladder(0, 0, 0, 3, 5, 8, 10, high=30)  # percentage of calls that fail

    sizes: Sizes
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        sizes = Sizes(
            knobs.patients,
            knobs.diagnoses,
            knobs.drugs,
            knobs.measurements,
            knobs.entries,
            knobs.corrected,
            knobs.twice,
        )
        trapped = knobs.corrected > 0
        pairs = random_questions(
            rng, _records(seed, sizes), knobs.questions, knobs.criteria, trapped
        )
        is_full = len(pairs) == knobs.questions
        return cls(
            seed=seed,
            sizes=sizes,
            busy=knobs.busy,
            calls=_calls(knobs),
            questions=tuple(question for question, _ in pairs) if is_full else (),
            answers=tuple(answer for _, answer in pairs) if is_full else (),
        )

    @classmethod
    def readers(cls) -> Sequence[Tool]:
        return TOOLS

    @property
    def forms(self) -> Sequence[Form]:
        return [question.form for question in self.questions]

    def world(self) -> World:
        return World(lambda: _records(self.seed, self.sizes), self.forms, self.seed, self.busy)

    def answer_all(self, use: Use) -> None:
        Client(use).answer(self.questions)

    def opening(self) -> str:
        work = self.phrase(
            "Answer questions about patients by their charts.",
            "You work for the registry of a hospital. Answer questions from its charts.",
            "A hospital has charts of its patients and a code book. Answer questions about them.",
        )
        return f"{work} All names and codes are made up; the code book explains them."

    def conventions(self) -> str:
        return CONVENTIONS

    def words(self) -> Sequence[str]:
        return [in_words(each, self.wording + 7 * n) for n, each in enumerate(self.questions)]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, submit the same or random numbers, or the hits of a search."""
        numbers = range(1, len(self.questions) + 1)
        return {
            "do nothing": scripted([]),
            "answer 2": self.always("2"),
            "answer 3": self.always("3"),
            "random answers": scripted(
                [call(SUBMIT, question=n, answer=str(rng.randint(2, 9))) for n in numbers]
            ),
            "hits of the name": acting(self._hits()),
        }

    def _hits(self) -> Moves:
        """For each question the number or the list of the hits of its diagnosis."""
        for number, question in enumerate(self.questions, 1):
            result = yield call("search_codes", text=question.diagnosis)
            code = result.splitlines()[-1].partition(":")[0]
            result = yield call("search_patients", code=code)
            total, hits = total_in(result), result.splitlines()[1:]
            text = ", ".join(hits) if question.output == "list" else str(total)
            yield call(SUBMIT, question=number, answer=text)


def _calls(knobs: CohortQuery.Knobs) -> int:
    """A number of calls that is enough to read all charts and much of the code book."""
    charts = knobs.patients * (1 + (knobs.entries > 12)) * (100 + knobs.twice) // 100
    names = knobs.questions * (2 + knobs.criteria)
    codes = knobs.diagnoses + knobs.drugs + knobs.measurements
    calls = (40 + charts + 2 * names + codes) * 95 // (100 - knobs.busy)
    return -(-calls // 10) * 10


@lru_cache(maxsize=64)
def _records(seed: int, sizes: Sizes) -> Records:
    return random_records(seed, sizes)
