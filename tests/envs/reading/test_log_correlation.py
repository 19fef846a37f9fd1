"""Tests of reading/log_correlation."""

import re
import sqlite3

import pytest

from palaestra.address import Address
from palaestra.envs.reading.log_correlation import LogCorrelation
from palaestra.generators.reading.log_correlation import (
    ALL,
    Attempt,
    Job,
    Names,
    Question,
    Request,
    answer,
    by_lines,
)

LINES = {
    "requests": r"\w+ (\d+): request of (\w+), operation (\w+)",
    "handed": r"(\w+) (\d+): handed to (\w+) as (\d+)",
    "ends": r"(\w+) (\d+): (done|failed), (?:code )?(\d+)(?: units)?",
}
CHAINS = """
with recursive jobs(request, attempt, service, job) as (
  select handed.job, handed.number, target, target_job from handed where service = :entry
  union all
  select request, attempt, target, target_job from jobs join handed using (service, job)
), last as (select request, max(attempt) attempt, count(distinct attempt) attempts
            from jobs group by request)
select requests.*, group_concat(jobs.service) services, max(last.attempts) attempts,
       max(ends.outcome) outcome, max(ends.amount) amount, max(ends.time) finish
from requests join last on last.request = requests.job
join jobs on jobs.request = last.request and jobs.attempt = last.attempt
left join ends on ends.service = jobs.service and ends.job = jobs.job
group by requests.job
"""


def seconds(text):
    hours, minutes, rest = map(int, text.split(":"))
    return hours * 3600 + minutes * 60 + rest


def requests_from(prompt):
    """The requests of a log with what became of them, joined by a database."""
    entry = re.search(r"A request is a job of (\w+)", prompt)[1]
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript(
        "create table requests(time, job, user, operation);"
        "create table handed(number, service, job, target, target_job);"
        "create table ends(time, service, job, outcome, amount);"
    )
    for n, (time, text) in enumerate(re.findall(r"^([\d:]{8}) (.+)$", prompt, re.MULTILINE)):
        for table, pattern in LINES.items():
            if match := re.fullmatch(pattern, text):
                row = [n if table == "handed" else seconds(time), *match.groups()]
                marks = ", ".join("?" * len(row))
                database.execute(f"insert into {table} values ({marks})", row)
    return database.execute(CHAINS, {"entry": entry}).fetchall()


def kept_by(line, rows):
    """The requests that a question is about."""
    if match := re.search(r"requests of (\w+)", line):
        rows = [row for row in rows if row["user"] == match[1]]
    if match := re.search(r"for operation (\w+)", line):
        rows = [row for row in rows if row["operation"] == match[1]]
    if match := re.search(r"in which (\w+) takes part", line):
        rows = [row for row in rows if match[1] in row["services"].split(",")]
    if match := re.search(r"from ([\d:]+) on and before ([\d:]+)", line):
        first, last = map(seconds, match.groups())
        rows = [row for row in rows if first <= row["time"] < last]
    return rows


ANSWERS = {
    "the total of the units": lambda rows: sum(
        int(row["amount"]) for row in rows if row["outcome"] == "done"
    ),
    "the longest time": lambda rows: max(
        row["finish"] - row["time"] for row in rows if row["outcome"] == "done"
    ),
    ".* are lost": lambda rows: sum(row["outcome"] is None for row in rows),
    ".* after a failed attempt": lambda rows: sum(
        row["outcome"] == "done" and row["attempts"] > 1 for row in rows
    ),
    "the number of different users": lambda rows: len(
        {row["user"] for row in rows if row["outcome"] == "failed"}
    ),
    **{
        f".* failed with code {code}": lambda rows, code=code: sum(
            (row["outcome"], row["amount"]) == ("failed", str(code)) for row in rows
        )
        for code in range(1, 6)
    },
    ".* that failed$": lambda rows: sum(row["outcome"] == "failed" for row in rows),
}


def answers_from(prompt):
    rows = requests_from(prompt)
    lines = re.findall(r"^\d: (the (?:total|longest|number) .+)$", prompt, re.MULTILINE)
    return [
        next(value for form, value in ANSWERS.items() if re.match(form, line))(kept_by(line, rows))
        for line in lines
    ]


@pytest.mark.parametrize("level", range(LogCorrelation.Knobs.levels()))
def test_a_database_gives_the_answers(level):
    for seed in range(5):
        task = Address.of("reading/log_correlation", seed, level).task()
        assert answers_from(task.prompt()) == task.right


@pytest.mark.parametrize("tokens", [8_000, 32_000, 128_000])
def test_long_logs(tokens):
    task = Address.of("reading/log_correlation", 3, 6, tokens=tokens).task()
    prompt = task.prompt()
    assert 0.95 * tokens < len(prompt) / 4 < 1.1 * tokens
    assert answers_from(prompt) == task.right


def test_numbers_of_jobs_suffice():
    knobs = LogCorrelation.Knobs.at(6, requests=150, services=3, hops=6, retries=80)
    Address.of("reading/log_correlation", 1, 6, **knobs.model_dump()).task().prompt()


FAILED = Attempt((Job(1, 500, 10),), "failed", 20, 3)
DONE = Attempt((Job(1, 600, 30), Job(2, 600, 40)), "done", 50, 77)
LOG = (
    Request(0, 0, Job(0, 500, 5), (FAILED, DONE)),
    Request(1, 0, Job(0, 600, 6), (FAILED, Attempt((Job(2, 500, 60),), "lost", 70, 1))),
    Request(1, 1, Job(0, 700, 7), (FAILED,)),
)


def test_the_last_attempt_counts():
    forms = {"units": 77, "longest": 45, "failed": 1, "recovered": 1, "lost": 1, "users": 1}
    assert {form: answer(LOG, Question(form, ALL)) for form in forms} == forms
    assert answer(LOG, Question("code", ALL, 3)) == 1
    assert by_lines(LOG, Question("failed", ALL)) == 3
    in_service = ALL._replace(service=1)
    assert answer(LOG, Question("failed", in_service)) == 1
    assert answer(LOG, Question("lost", in_service)) == 0


def test_scores():
    task = LogCorrelation(
        log=LOG,
        names=Names(("etal", "azez", "bobu"), ("kede", "opana"), ("sepi", "lora")),
        questions=(Question("units", ALL), Question("failed", ALL)),
        seed=1,
        tokens=500,
    )
    assert task.verify("1: 77\n2: 1").value == 1
    assert task.verify("1: 77\n2: 3").reason == "1 of the 2 values is wrong"
