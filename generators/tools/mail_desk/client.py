"""A player who knows the policy and the requests, and reads everything else through the tools."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.apps import MOST_CALLS, Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.mail_desk.decisions import Desk, deeds, question_of
from palaestra.generators.tools.mail_desk.mailbox import QUESTIONS
from palaestra.generators.tools.mail_desk.policy import Policy
from palaestra.generators.tools.mail_desk.requests import Action, Request, Selection


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    steps: int = MOST_CALLS
    """How many of the calls that a request needs it makes."""
    reads: bool = True
    """Whether it reads messages, rather than go by the list alone."""


CAREFUL = Habits()


def fulfil(policy: Policy, requests: Sequence[Request], habits: Habits = CAREFUL) -> Client:
    """Read what each request is about, and do what it needs."""
    for request in requests:
        reader = _Reader(policy, habits)
        yield from _READ[request.action](reader, request)
        try:
            steps = deeds(reader.known, policy, request)
        except (StopIteration, ValueError, KeyError):
            continue  # a lazy client has not read enough to know
        yield from calling(steps[: habits.steps])


class _Reader:
    """What is known for one request."""

    def __init__(self, policy: Policy, habits: Habits) -> None:
        self.policy, self.habits = policy, habits
        self.known = Known()
        self.desk = Desk(self.known, policy)

    def list(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list."""
        self.known.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))

    def contacts(self, company: str) -> Reading:
        """Read the contacts of a company."""
        yield from self.list("contact", "find_contacts", company=company)

    def texts(self, numbers: Sequence[int]) -> Reading:
        """Read messages with their texts."""
        for number in numbers if self.habits.reads else ():
            self.known.note("message", (yield from listed("read_message", message=number)))

    def selected(self, which: Selection) -> Reading:
        """Read the messages that may meet conditions, and those of them that are invoices."""
        if which.company:
            yield from self.contacts(which.company)
        yield from self.list(
            "message", "search_messages", folder=which.folder, subject=which.topic,
            since=which.since, until=which.until,
        )  # fmt: skip
        if which.least or self.policy.has("approval"):
            messages = self.desk.selected(which._replace(least=0))
            invoices = [n for n, row in messages if row["attachments"].startswith("invoice")]
            yield from self.texts(invoices)


def _selection(reader: _Reader, request: Request) -> Reading:
    yield from reader.selected(request.which)


def _forward(reader: _Reader, request: Request) -> Reading:
    yield from reader.selected(request.which)
    yield from reader.contacts(request.company)
    if reader.policy.has("partner"):
        yield from reader.contacts(reader.policy.partner)


def _answer(reader: _Reader, request: Request) -> Reading:
    """Read the messages of a person, up to the question, and all on the event."""
    yield from reader.contacts(request.company)
    if reader.policy.has("partner"):
        yield from reader.contacts(reader.policy.partner)
    for address in sorted(reader.desk.addresses(request.name, request.company)):
        rows = yield from listed("search_messages", most=reader.habits.rows, sender=address)
        reader.known.note("message", rows)
        for row in rows:
            if question_of(reader.desk, request) is None and row["subject"] in QUESTIONS:
                yield from reader.texts([row["id"]])
    subject = f"About the {request.target}"
    rows = yield from listed("search_messages", most=reader.habits.rows, subject=subject)
    reader.known.note("message", rows)
    yield from reader.texts([row["id"] for row in rows])


def _unsubscribe(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("subscription", "list_subscriptions")
    if reader.policy.has("protected"):
        yield from reader.list("contact", "find_contacts")
    for _, row in [*reader.known.rows("subscription")]:
        yield from reader.list("message", "search_messages", sender=row["address"])


def _merge(reader: _Reader, request: Request) -> Reading:
    yield from reader.contacts(request.target)


def _remind(reader: _Reader, request: Request) -> Reading:
    """Read my messages on the event; a list does not show their receivers."""
    subject = f"Your vote on the {request.target}"
    yield from reader.list("message", "search_messages", subject=subject)
    sent = [n for n, row in reader.known.rows("message") if row["folder"] == "Sent"]
    yield from reader.texts(sent)


_READ: Mapping[Action, Callable[[_Reader, Request], Reading]] = {
    "file": _selection,
    "label": _selection,
    "forward": _forward,
    "answer": _answer,
    "unsubscribe": _unsubscribe,
    "merge": _merge,
    "remind": _remind,
}
