"""Answering questions about incidents from the logs of services, an original environment.

RCAEval (L. Pham and others, "RCAEval: A Benchmark for Root Cause Analysis of Microservice Systems
with Telemetry Data", 2024) and OpenRCA (J. Xu and others, "OpenRCA: Can Large Language Models
Locate the Root Cause of Software Failures?", 2025) ask for root causes in the telemetry of real
systems. Here services, traffic and incidents are made up, new with each task, so that answers are
certain.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

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
from palaestra.generators.tools.log_analysis.client import Client
from palaestra.generators.tools.log_analysis.lines import Log, stamp
from palaestra.generators.tools.log_analysis.questions import (
    ANSWERS,
    Question,
    random_questions,
)
from palaestra.generators.tools.log_analysis.system import LONGEST, Sizes, System, random_system
from palaestra.generators.tools.log_analysis.wording import in_words
from palaestra.generators.tools.log_analysis.world import TOOLS, World
from palaestra.task import Policy, Task, ladder
from palaestra.toolbox import call

CONVENTIONS = f"""\
- Stamps are by the clock of the service that writes a line; times in questions are in UTC. A span
  of time includes its beginning and excludes its end. A request belongs to the time at which the
  gateway, the service whose name ends in -gateway, receives it.
- A request has the same id (req=) in all services and takes at most {LONGEST // 1_000} s. The
  gateway logs its end with the status and the duration (ms=). It fails if that status is not 200;
  an attempt that fails and is followed by one that succeeds is no failure of the request.
- The root cause of a failed request is the service that logs an error for it which is not about an
  upstream service. An error that ends in ', continuing' has no effect. The main root cause of
  failures among some requests is the service that is the root cause of most of them.
- The deploy to blame for failures is the last deploy of their main root cause before the first of
  the requests that fail because of it is received.
- The 95th percentile (p95) is the smallest of the values that at least 95 % of them are not
  above."""
"""What words in questions mean."""


class LogAnalysis(DataTask):
    """Answer questions about incidents by the logs of services."""

    tags = {"tool-use", "search", "debugging", "hidden-state"}

    class Knobs(Task.Knobs):
        requests: int = ladder(60, 120, 240, 400, 700, 1_100, 1_600, high=3_000)
        services: int = ladder(4, 5, 6, 8, 10, 12, 14, high=16)
        endpoints: int = ladder(3, 4, 5, 6, 8, 10, 12, high=20)
        noise: int = ladder(60, 200, 600, 1_500, 3_500, 7_000, 12_000, high=20_000)  # lines
        offset: int = ladder(0, 0, 4, 10, 30, 60, 120, high=600)  # of clocks in s, at most
        retries: int = ladder(0, 10, 20, 30, 30, 40, 40, high=60)  # percentage
        incidents: int = ladder(1, 1, 1, 2, 2, 3, 3)
        forms: int = ladder(5, 5, 7, 7, 7, 7, 7, low=3)  # of questions
        questions: int = ladder(1, 2, 2, 3, 3, 4, 4, high=5)
        busy: int = ladder(0, 0, 0, 3, 5, 8, 10, high=30)  # percentage of calls that fail

    sizes: Sizes
    start: int
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        sizes = Sizes(
            knobs.requests,
            knobs.services,
            knobs.endpoints,
            knobs.noise,
            knobs.offset,
            knobs.retries,
            knobs.incidents,
        )
        system = _system(seed, sizes)
        pairs = random_questions(rng, system, knobs.questions, knobs.forms)
        is_full = len(pairs) == knobs.questions
        return cls(
            seed=seed,
            sizes=sizes,
            busy=knobs.busy,
            calls=_calls(knobs),
            start=system.start,
            questions=tuple(question for question, _ in pairs) if is_full else (),
            answers=tuple(answer for _, answer in pairs) if is_full else (),
        )

    @classmethod
    def readers(cls) -> Sequence[Tool]:
        return TOOLS

    @property
    def forms(self) -> Sequence[Form]:
        return [ANSWERS[question.form] for question in self.questions]

    def world(self) -> World:
        return World(lambda: _log(self.seed, self.sizes), self.forms, self.seed, self.busy)

    def answer_all(self, use: Use) -> None:
        Client(use, self.moment).answer(self.questions)

    def moment(self, time: int) -> str:
        """A time of a question in the form of stamps."""
        return stamp(self.start + time)

    def opening(self) -> str:
        work = self.phrase(
            "Answer questions about incidents by the logs of services.",
            "You are on call for a system of services. Answer questions from their logs.",
            "The log of a system of services can be searched. Answer questions about it.",
        )
        return f"{work} All names are made up."

    def conventions(self) -> str:
        return CONVENTIONS

    def words(self) -> Sequence[str]:
        numbered = enumerate(self.questions)
        return [in_words(each, self.wording + 7 * n, self.moment) for n, each in numbered]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, submit the same or random answers, or what the first lines and
        counts of errors seem to say.
        """
        return {
            "do nothing": scripted([]),
            "answer 9": self.always("9"),
            "first error": acting(self._errors(rng, last=False)),
            "last error": acting(self._errors(rng, last=True)),
        }

    def _errors(self, rng: Random, last: bool) -> Moves:
        """For each question what the first or the last line with an error in its time shows, or
        the number of such lines.
        """
        for number, question in enumerate(self.questions, 1):
            times = {"start": self.moment(question.start), "end": self.moment(question.end)}
            result = yield call("search_logs", level="ERROR", text="req=", **times)
            lines = result.splitlines()[1:] or ["[1] 0 none ERROR req=0"]
            words = lines[-1 if last else 0].split()
            text = str(total_in(result))
            if question.form == "root":
                text = words[2]
            elif question.form == "first":
                text = words[4].removeprefix("req=") if len(words) > 4 else text
            elif question.form == "deploy":
                result = yield call("search_logs", text="deploy ", **times)
                text = rng.choice(result.splitlines()[1:] or ["deploy d1 is active"]).split()[-3]
            yield call(SUBMIT, question=number, answer=text)


def _calls(knobs: LogAnalysis.Knobs) -> int:
    """A number of calls that is enough to read the parts of the log that questions are about."""
    lines = knobs.requests * 4 // knobs.incidents
    calls = (20 + knobs.questions * (8 + lines // 100)) * 100 // (100 - knobs.busy)
    return -(-calls // 10) * 10


@lru_cache(maxsize=64)
def _system(seed: int, sizes: Sizes) -> System:
    return random_system(seed, sizes)


@lru_cache(maxsize=8)
def _log(seed: int, sizes: Sizes) -> Log:
    return Log(_system(seed, sizes), seed, sizes.noise)
