"""Logs of services that hand jobs on to each other, and questions about the requests in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, get_args

Outcome = Literal["done", "failed", "lost"]
Form = Literal["units", "longest", "failed", "recovered", "lost", "users", "code"]

FORMS: tuple[Form, ...] = get_args(Form)

LARGE: tuple[Form, ...] = ("units", "longest")
"""Questions whose answers are no small numbers. Every task has one of them."""

JOBS = range(1_000, 10_000)

CODES = 5

LONGEST_ROUTE = 6

START = 8 * 3_600
"""When a log begins, in seconds of the day."""

BATCH = 128


class Job(NamedTuple):
    """A job of a service, and the second at which it was handed to that service."""

    service: int
    number: int
    time: int


class Attempt(NamedTuple):
    """An attempt at a request: a chain of jobs, of which the last one ends it."""

    jobs: tuple[Job, ...]
    outcome: Outcome
    end: int
    amount: int
    """The units of an attempt that was done, the code of one that failed."""


class Request(NamedTuple):
    """A request. Its number is that of a job of the entry, which is service 0."""

    user: int
    operation: int
    job: Job
    attempts: tuple[Attempt, ...]


class Filter(NamedTuple):
    """Which requests a question is about; -1 where that is open."""

    user: int
    operation: int
    service: int
    """A service that takes part in the last attempt."""
    start: int
    end: int
    """Times between which the request came in, without the second one."""

    def fits(self, request: Request) -> bool:
        """Whether a question is about a request."""
        return (
            self.user in (-1, request.user)
            and self.operation in (-1, request.operation)
            and (self.start < 0 or self.start <= request.job.time < self.end)
            and (
                self.service < 0
                or any(job.service == self.service for job in request.attempts[-1].jobs)
            )
        )


class Question(NamedTuple):
    """A question about the requests that a filter keeps."""

    form: Form
    filter: Filter
    code: int = 0


Log = tuple[Request, ...]


class Sizes(NamedTuple):
    """The numbers of what a log has."""

    requests: int
    services: int
    hops: int
    """Through how many services an attempt goes at most."""
    retries: int
    """How many of 100 failed attempts are followed by another one."""

    @property
    def users(self) -> int:
        """The number of users."""
        return 2 + self.requests // 12

    @property
    def operations(self) -> int:
        """The number of operations."""
        return 2 + self.requests // 20


def random_log(rng: Random, sizes: Sizes) -> Log:
    """Requests of which about half fail at first, some of those are tried again.

    A service never uses a number for two jobs.
    """
    used = [set[int]() for _ in range(sizes.services)]
    log, time = list[Request](), START
    for _ in range(sizes.requests):
        time += rng.randint(1, 40)
        job = Job(0, _unused(rng, used[0]), time)
        attempts, at = list[Attempt](), time
        while not attempts or (
            attempts[-1].outcome == "failed"
            and len(attempts) < 4
            and rng.random() * 100 < sizes.retries
        ):
            attempts.append(_attempt(rng, at, rng.randint(1, sizes.hops), used))
            at = attempts[-1].end
        log.append(
            Request(
                rng.randrange(sizes.users), rng.randrange(sizes.operations), job, tuple(attempts)
            )
        )
    return tuple(log)


def _unused(rng: Random, used: set[int]) -> int:
    """A number that no job of a service has, which is used from then on."""
    number = rng.choice(JOBS)
    while number in used:
        number = rng.choice(JOBS)
    used.add(number)
    return number


def _attempt(rng: Random, time: int, hops: int, used: Sequence[set[int]]) -> Attempt:
    jobs = list[Job]()
    for _ in range(hops):
        last = jobs[-1].service if jobs else 0
        service = rng.choice([n for n in range(1, len(used)) if n != last])
        time += rng.randint(1, 30)
        jobs.append(Job(service, _unused(rng, used[service]), time))
    chance = rng.random()
    outcome: Outcome = "done" if chance < 0.45 else "failed" if chance < 0.88 else "lost"
    amount = rng.randint(11, 99) if outcome == "done" else rng.randint(1, CODES)
    return Attempt(tuple(jobs), outcome, time + rng.randint(1, 60), amount)


Judge = Callable[[Request], Attempt]
"""Which attempt of a request counts."""


def last_attempt(request: Request) -> Attempt:
    """The attempt that counts."""
    return request.attempts[-1]


def answer(log: Iterable[Request], question: Question, judge: Judge = last_attempt) -> int:
    """The answer to a question, from the attempt of each request that counts."""
    pairs = [(request, judge(request)) for request in log if question.filter.fits(request)]
    done = [(request, each) for request, each in pairs if each.outcome == "done"]
    failed = [(request, each) for request, each in pairs if each.outcome == "failed"]
    match question.form:
        case "units":
            return sum(each.amount for _, each in done)
        case "longest":
            return max((each.end - request.job.time for request, each in done), default=0)
        case "failed":
            return len(failed)
        case "recovered":
            return sum(len(request.attempts) > 1 for request, _ in done)
        case "lost":
            return sum(each.outcome == "lost" for _, each in pairs)
        case "users":
            return len({request.user for request, _ in failed})
        case "code":
            return sum(each.amount == question.code for _, each in failed)


def _first_attempt(request: Request) -> Attempt:
    return request.attempts[0]


def _any_failure(request: Request) -> Attempt:
    """An attempt that failed, if there is one."""
    failed = [each for each in request.attempts if each.outcome == "failed"]
    return failed[0] if failed else request.attempts[-1]


def by_lines(log: Iterable[Request], question: Question) -> int:
    """What a count of lines comes to, which joins nothing: all attempts in the time of a filter."""
    times = question.filter
    attempts = [
        (request, each)
        for request in log
        for each in request.attempts
        if times.start < 0 or times.start <= each.end < times.end
    ]
    split = (Request(r.user, r.operation, r.job, (each,)) for r, each in attempts)
    return answer(split, question._replace(filter=ALL))


ALL = Filter(-1, -1, -1, -1, -1)
"""The filter that keeps all requests."""


def careless_answers(log: Log, question: Question) -> Mapping[str, int]:
    """Answers of players who do not join lines or leave a rule out, by name."""
    times = question.filter._replace(user=-1, operation=-1, service=-1)
    return {
        "first attempts": answer(log, question, _first_attempt),
        "any failure counts": answer(log, question, _any_failure),
        "count of lines": by_lines(log, question),
        "no filters": answer(log, question._replace(filter=ALL)),
        "filters of time alone": answer(log, question._replace(filter=times)),
    }


def random_questions(
    rng: Random, log: Log, sizes: Sizes, filters: int, number: int
) -> tuple[Question, ...]:
    """Different questions, which careless players get wrong if that is possible."""
    forms = [rng.choice(LARGE), *rng.sample(FORMS, len(FORMS))]
    questions = list[Question]()
    for form in forms[:number]:
        candidates = []
        for _ in range(12):
            question = Question(
                form,
                _random_filter(rng, log, sizes, _fields(rng, filters, form)),
                rng.randint(1, CODES) if form == "code" else 0,
            )
            value = answer(log, question)
            wrong = sum(each != value for each in careless_answers(log, question).values())
            if value and question not in questions:
                candidates.append((wrong, question))
        if candidates:
            questions.append(max(candidates, key=lambda pair: pair[0])[1])
    rng.shuffle(questions)
    return tuple(questions)


def _fields(rng: Random, number: int, form: Form) -> list[str]:
    """So many fields of a filter, of those that a question of a form may have."""
    fields = ["operation", "service", "time"] + ["user"] * (form != "users")
    return rng.sample(fields, min(number, len(fields)))


def _random_filter(rng: Random, log: Log, sizes: Sizes, fields: Sequence[str]) -> Filter:
    """A filter with conditions on some fields."""
    start = end = -1
    if "time" in fields:
        size = len(log)
        first = rng.randrange(max(1, size // 3))
        last = rng.randrange(min(size - 1, first + size // 2), size)
        start, end = log[first].job.time, log[last].job.time
    return Filter(
        rng.randrange(sizes.users) if "user" in fields else -1,
        rng.randrange(sizes.operations) if "operation" in fields else -1,
        rng.randrange(1, sizes.services) if "service" in fields else -1,
        start,
        end,
    )


def clock(seconds: int) -> str:
    """A time of the day.

    >>> clock(29_107)
    '08:05:07'
    """
    return f"{seconds // 3_600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


class Names(NamedTuple):
    """The names of a log."""

    services: tuple[str, ...]
    users: tuple[str, ...]
    operations: tuple[str, ...]


def lines_of(request: Request, names: Names) -> Iterator[tuple[int, str]]:
    """The lines about a request, each with its time."""
    services = names.services
    start = request.job
    own = f"{services[0]} {start.number}"
    user, operation = names.users[request.user], names.operations[request.operation]
    yield start.time, f"{own}: request of {user}, operation {operation}"
    for attempt in request.attempts:
        before = own
        for job in attempt.jobs:
            name = services[job.service]
            yield job.time, f"{before}: handed to {name} as {job.number}"
            before = f"{name} {job.number}"
        if attempt.outcome == "done":
            yield attempt.end, f"{before}: done, {attempt.amount} units"
        elif attempt.outcome == "failed":
            yield attempt.end, f"{before}: failed, code {attempt.amount}"


NOISE = (
    "{service}: heartbeat, {number} jobs are waiting",
    "{service} {job}: warning, code {code}",
    "{service} {job}: {number} units so far",
    "{service}: {number} units of memory are free",
    "{service}: job table is read, {number} entries",
    "{service} {job}: request is slow",
    "{service}: user {user} has a new key",
    "{service}: operation {operation} is cached for {number} s",
)
"""Lines without a bearing on any question."""


def noise(rng: Random, names: Names, last: int, characters: int) -> Iterator[tuple[int, str]]:
    """Other lines that have about so many characters, each with its time."""
    while characters > 0:
        columns: Mapping[str, Sequence[object]] = {
            "service": rng.choices(names.services, k=BATCH),
            "job": rng.choices(JOBS, k=BATCH),
            "code": rng.choices(range(1, CODES + 1), k=BATCH),
            "number": rng.choices(range(11, 100), k=BATCH),
            "user": rng.choices(names.users, k=BATCH),
            "operation": rng.choices(names.operations, k=BATCH),
        }
        frames = rng.choices(NOISE, k=BATCH)
        times = rng.choices(range(START, last + 1), k=BATCH)
        for time, frame, *values in zip(times, frames, *columns.values()):
            text = frame.format_map(dict(zip(columns, values)))
            characters -= len(text) + 10
            if characters <= 0:
                break
            yield time, text
