"""Questions about logs, and their answers by all that has happened."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple, get_args

from palaestra.generators.tools.data_questions import Form
from palaestra.generators.tools.log_analysis.lines import request_lines
from palaestra.generators.tools.log_analysis.system import LONGEST, Incident, Request, System

TRIES = 200
"""How many questions are tried for one that suits."""

QuestionForm = Literal["root", "first", "users", "p95", "deploy", "recovered", "share"]

ANSWERS: dict[QuestionForm, Form] = {
    "root": "text",
    "first": "text",
    "users": "number",
    "p95": "number",
    "deploy": "text",
    "recovered": "number",
    "share": "number",
}


class Question(NamedTuple):
    """What is to be known of the requests to an endpoint that are received in a time.

    - ``root``: the service that most of those that fail have as their root cause;
    - ``first``: the id of the first one that fails because of that service;
    - ``users``: the number of users with one that fails;
    - ``p95``: the 95th percentile of the durations of those that succeed;
    - ``deploy``: the last deploy of that service before the first one that fails because of it;
    - ``recovered``: the number of those that are retried and succeed;
    - ``share``: the number of those that fail because of that service.
    """

    form: QuestionForm
    endpoint: str
    """The name of an endpoint, or nothing for all of them."""
    start: int
    end: int
    """The times in milliseconds since the beginning of the log; the end is not included."""


class Outcome(NamedTuple):
    """What a question needs to know of a request: its duration, and the root cause if it fails."""

    time: int
    id: str
    user: str
    duration: int
    root: str
    retried: bool


def main_root(outcomes: Sequence[Outcome]) -> str | None:
    """The root cause of most requests that fail, or None where two have as many or there is none.

    >>> main_root([Outcome(0, "a", "u1", 5, "ulor", False), Outcome(9, "b", "u1", 5, "", False)])
    'ulor'
    """
    common = Counter(outcome.root for outcome in outcomes if outcome.root).most_common(2)
    if not common or (len(common) == 2 and common[0][1] == common[1][1]):
        return None
    return common[0][0]


def percentile(values: Sequence[int]) -> int:
    """The smallest value that at least 95 % of all values are not above.

    >>> percentile(range(1, 101)), percentile([7, 9])
    (95, 9)
    """
    return sorted(values)[-(-len(values) * 95 // 100) - 1]


def answer(
    form: QuestionForm, outcomes: Sequence[Outcome], deploys: Sequence[tuple[int, str, str]]
) -> str | None:
    """The answer by the requests in question and by the deploys, each with its time, service and
    name; None where there is none.
    """
    if form == "users":
        return str(len({outcome.user for outcome in outcomes if outcome.root}))
    if form == "p95":
        values = [outcome.duration for outcome in outcomes if not outcome.root]
        return str(percentile(values)) if values else None
    if form == "recovered":
        return str(sum(outcome.retried and not outcome.root for outcome in outcomes))
    root = main_root(outcomes)
    if root is None or form == "root":
        return root
    failing = [outcome for outcome in outcomes if outcome.root == root]
    if form == "share":
        return str(len(failing))
    first = min(failing)
    if form == "first":
        return first.id
    before = [deploy for deploy in deploys if deploy[1] == root and deploy[0] < first.time]
    return max(before)[2] if before else None


def outcomes_of(system: System, question: Question, shift: int = 0) -> list[Outcome]:
    """The requests that a question is about, read with an error of so much in the time."""
    first, last = (
        bisect_left(system.requests, (time - shift,)) for time in (question.start, question.end)
    )
    return [
        _outcome(system, request)
        for request in system.requests[first:last]
        if question.endpoint in {"", system.endpoints[request.endpoint].name}
    ]


def _outcome(system: System, request: Request) -> Outcome:
    root = "" if request.succeeds else system.services[request.root].name
    return Outcome(
        request.time,
        request.id,
        f"u{request.user}",
        request.duration,
        root,
        request.attempts > 1,
    )


def gold(system: System, question: Question, shift: int = 0) -> str | None:
    """The answer to a question, or what it would be with an error in the time of requests."""
    deploys = [
        (each.time, system.services[each.service].name, each.name) for each in system.deploys
    ]
    return answer(question.form, outcomes_of(system, question, shift), deploys)


def random_questions(
    rng: Random, system: System, number: int, forms: int
) -> list[tuple[Question, str]]:
    """Questions of different forms, out of the first so many ones, with their answers; fewer where
    no more turn up.
    """
    results: list[tuple[Question, str]] = []
    options = rng.sample(get_args(QuestionForm)[:forms], min(number, forms))
    for form in options:
        for _ in range(TRIES):
            question = random_question(rng, system, form)
            text = gold(system, question)
            if text is not None and _suits(rng, system, question, text):
                results.append((question, text))
                break
    return results


def _suits(rng: Random, system: System, question: Question, text: str) -> bool:
    """Whether an answer is no small number, nor too often what errors in the time of the question
    show first or last; in most cases also whether one who overlooks the offset of the gateway's
    clock gets another one.
    """
    if text.isdecimal() and int(text) < 3:
        return False
    if question.form == "first" and text in _ends(system, question):
        return False
    if question.form == "root" and text in _ends(system, question) and rng.random() < 0.7:
        return False
    offset = system.services[0].offset
    if not offset or question.form in {"root", "deploy"} or rng.random() < 0.1:
        return True
    return gold(system, question, offset) != text


def _ends(system: System, question: Question) -> set[str]:
    """The services and the ids of the requests of the first and the last line with an error, by
    their stamps, in the time of a question.
    """
    offsets = [service.offset for service in system.services]
    margin = LONGEST + max(map(abs, offsets))
    first = bisect_left(system.requests, (question.start - margin,))
    last = bisect_left(system.requests, (question.end + margin,))
    errors = [
        (time + offsets[service], system.services[service].name, request.id)
        for request in system.requests[first:last]
        for time, service, level, _ in request_lines(system, request)
        if level == "ERROR" and question.start <= time + offsets[service] < question.end
    ]
    return {*min(errors)[1:], *max(errors)[1:]} if errors else set()


def random_question(rng: Random, system: System, form: QuestionForm) -> Question:
    """A question about a time around an incident, whose ends are often those of requests."""
    incident = rng.choice(system.incidents)
    start, end = _window(rng, system, incident)
    through = [each.name for each in system.endpoints if incident.service in each.chain]
    every = [each.name for each in system.endpoints]
    whole = form not in {"p95", "root"} and rng.random() < 0.6
    endpoint = "" if whole else rng.choice(every if form == "p95" else through)
    return Question(form, endpoint, start, end)


def _window(rng: Random, system: System, incident: Incident) -> tuple[int, int]:
    length = incident.end - incident.start
    start = incident.start + rng.randint(-length // 3, length // 4)
    end = incident.end + rng.randint(-length // 4, length // 4)
    bounds = []
    for time in (max(start, 0), end):
        near = bisect_left(system.requests, (time,))
        is_exact = near < len(system.requests) and rng.random() < 0.5
        bounds.append(system.requests[near].time if is_exact else time // 1_000 * 1_000)
    return bounds[0], bounds[1]
