"""Questions about the requests in a log of services, an original environment.

LogHub (J. Zhu and others, "Loghub: A Large Collection of System Log Datasets for AI-driven Log
Analytics", 2023) collects logs of real systems. Here the services and their log are invented, so
that the answers are certain; a request has other numbers in each service, so that lines have to be
joined, and a count of lines that match a pattern is wrong.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.fiction import CHARACTERS, LONGEST
from palaestra.generators.reading.log_correlation import (
    Filter,
    Log,
    Names,
    Question,
    Sizes,
    answer,
    careless_answers,
    clock,
    lines_of,
    noise,
    random_log,
    random_questions,
)
from palaestra.generators.vocabulary import words
from palaestra.rng import Rng
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import number_lines
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered

RULES = """\
- Each line has a time, a service and, for most, the number of a job of that service. Services
  number their jobs independently: job 4170 of one service is not job 4170 of another one.
- A request is a job of {entry}. "Handed to X as N" states that job N of X goes on with the job of
  that line.
- {entry} may hand a request on again after it failed, which makes a new attempt. The last attempt
  alone counts: it failed if one of its jobs failed, it succeeded if one of its jobs is done, and it
  is lost if the log states neither.
- A service takes part in a request if the last attempt of it was handed to that service.
- Warnings, units so far and lines without the number of a job have no effect."""

FORMS = {
    "units": "the total of the units of the requests{which} that succeeded",
    "longest": (
        "the longest time, in seconds, from the request to its success among the requests{which}"
    ),
    "failed": "the number of the requests{which} that failed",
    "recovered": "the number of the requests{which} that succeeded after a failed attempt",
    "lost": "the number of the requests{which} that are lost",
    "users": "the number of different users with requests{which} that failed",
    "code": "the number of the requests{which} that failed with code {code}",
}


class LogCorrelation(Puzzle):
    """Answer questions about requests by a log of services with lines that have to be joined."""

    tags = {"reading", "long-context", "logs", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(500, 900, 1_600, 2_600, 4_000, 6_000, 8_000, high=LONGEST)
        requests: int = ladder(5, 9, 14, 22, 34, 50, 70, low=4, high=150)
        services: int = ladder(3, 3, 4, 5, 6, 7, 8, low=3, high=12)
        hops: int = ladder(1, 2, 2, 3, 3, 4, 4, high=6)  # services that an attempt goes through
        retries: int = ladder(0, 40, 50, 60, 60, 70, 70, high=80)  # percentage of failed attempts
        filters: int = ladder(0, 1, 1, 2, 2, 2, 2, high=3)  # conditions of a question
        questions: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=6)

    log: Log
    names: Names
    questions: tuple[Question, ...]
    seed: int
    """Of the lines without a bearing on the questions."""
    tokens: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = Sizes(knobs.requests, knobs.services, knobs.hops, knobs.retries)
        log = random_log(rng, sizes)
        questions = random_questions(rng, log, sizes, knobs.filters, knobs.questions)
        people = sizes.services + sizes.users
        names = words(rng, people + sizes.operations, 4, 6)
        return cls(
            log=log,
            names=Names(names[: knobs.services], names[knobs.services : people], names[people:]),
            questions=questions if len(questions) == knobs.questions else (),
            seed=rng.getrandbits(48),
            tokens=knobs.tokens,
        )

    def is_valid(self) -> bool:
        """Whether there are questions."""
        return bool(self.questions)

    def canonical(self) -> str:
        return repr((self.log, sorted(self.questions)))

    @cached_property
    def text(self) -> str:
        """The lines of the log."""
        lines = [line for request in self.log for line in lines_of(request, self.names)]
        rest = CHARACTERS * self.tokens - sum(len(text) + 10 for _, text in lines)
        last = max(time for time, _ in lines)
        lines += noise(Rng(f"{self.seed} noise"), self.names, last, rest)
        lines.sort(key=lambda line: line[0])
        return "\n".join(f"{clock(time)} {text}" for time, text in lines)

    def in_words(self, question: Question) -> str:
        """A question as a noun phrase."""
        which = self._which(question.filter)
        return FORMS[question.form].format(which=which, code=question.code)

    def _which(self, kept: Filter) -> str:
        names = self.names
        parts = [
            f" of {names.users[kept.user]}" if kept.user >= 0 else "",
            f" for operation {names.operations[kept.operation]}" if kept.operation >= 0 else "",
            f" in which {names.services[kept.service]} takes part" if kept.service >= 0 else "",
            f", made from {clock(kept.start)} on and before {clock(kept.end)},"
            if kept.start >= 0
            else "",
        ]
        return "".join(parts)

    def prompt(self) -> str:
        opening = self.phrase(
            "Answer questions about the requests in a log of services.",
            "This is the log of a system of services. Find out what became of its requests.",
            "Read the log of some services, and answer questions about their requests.",
        )
        rules = RULES.format(entry=self.names.services[0])
        ask = self.phrase("State these numbers:", "What are these numbers?")
        return (
            f"{opening}\n\n{rules}\n\nThe log:\n{self.text}\n\n{ask}\n"
            f"{numbered(map(self.in_words, self.questions))}\n\nWrite one line for each, with its "
            "number, such as:\n1: 234\n2: 0"
        )

    @cached_property
    def right(self) -> list[int]:
        """The answers."""
        return [answer(self.log, question) for question in self.questions]

    def answer(self) -> str:
        return numbered(self.right)

    def verify(self, answer: str) -> Score:
        names = line_numbers(len(self.questions))
        return matched(number_lines(answer, len(names)), dict(zip(names, self.right)))

    def difficulty(self) -> float:
        """The jobs of the log, times the questions."""
        jobs = sum(len(each.jobs) for request in self.log for each in request.attempts)
        return float(jobs * len(self.questions))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not join lines or leave a rule out, and one who guesses small numbers."""
        each = [careless_answers(self.log, question) for question in self.questions]
        players = {name: numbered(values[name] for values in each) for name in each[0]}
        return players | {"random": numbered(rng.randint(1, 9) for _ in self.questions)}

    def shortcuts(self) -> Iterable[str]:
        yield numbered([1] * len(self.questions))
