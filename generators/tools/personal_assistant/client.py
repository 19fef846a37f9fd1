"""A player who knows the policy and the requests, and reads everything else through the tools."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.apps import MOST_CALLS, Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.personal_assistant.decisions import deeds
from palaestra.generators.tools.personal_assistant.policy import Policy
from palaestra.generators.tools.personal_assistant.requests import Action, Request


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    steps: int = MOST_CALLS
    """How many of the calls that a request needs it makes."""
    skipped: str = ""
    """A table that it does not read."""


CAREFUL = Habits()


def fulfil(policy: Policy, requests: Sequence[Request], habits: Habits = CAREFUL) -> Client:
    """Read what each request is about, and do what it needs."""
    for request in requests:
        reader = _Reader(habits)
        yield from _READ[request.action](reader, request)
        try:
            steps = deeds(reader.known, policy, request)
        except (StopIteration, KeyError):
            continue  # a lazy client has not read enough to know
        yield from calling(steps[: habits.steps])


class _Reader:
    """What is known for one request."""

    def __init__(self, habits: Habits) -> None:
        self.habits, self.known = habits, Known()

    def list(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list."""
        if table != self.habits.skipped:
            self.known.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))

    def note(self, title: str) -> Reading:
        """Read the note with a title."""
        yield from self.list("note", "find_notes", title=title)
        for number, _ in self.known.rows("note"):
            yield from self.list("note", "read_note", note=number)

    def event(self, request: Request) -> Reading:
        """Read the event of a request, all contacts, and the messages about the event."""
        day = {"since": request.date, "until": request.date}
        yield from self.list("event", "list_events", title=request.title, **day)
        yield from self.list("contact", "list_contacts")
        about = f"{request.title} on {request.date}"
        yield from self.list("message", "find_messages", text=about)


def _money(reader: _Reader, request: Request) -> Reading:
    yield from reader.event(request)
    event = f"{request.title} {request.date}"
    yield from reader.note(f"Costs: {event}")
    yield from reader.list("payment", "list_payments", event=event)


def _todo(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("contact", "list_contacts", team=request.team)
    for _, person in reader.known.rows("contact"):
        sender = person["nickname"]
        text = "Please send me the file"
        yield from reader.list("message", "find_messages", sender=sender, text=text)
    yield from reader.list("file", "list_files")
    yield from reader.list("todo", "list_todos", title="send ")


def _invite(reader: _Reader, request: Request) -> Reading:
    yield from reader.event(request)


def _reschedule(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("event", "list_events", since=request.date)
    yield from reader.list("contact", "list_contacts")


def _share(reader: _Reader, request: Request) -> Reading:
    yield from reader.event(request)
    title = f"Files: {request.title} {request.date}"
    yield from reader.note(title)
    for _, row in [*reader.known.rows("note")]:
        for base in row.get("text", "").split("\n"):
            yield from reader.list("file", "list_files", name=f"{base}-v")


def _settle(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("todo", "list_todos", title=f" for {request.title} ")
    yield from reader.list("payment", "list_payments", event=f"{request.title} ")


_READ: Mapping[Action, Callable[[_Reader, Request], Reading]] = {
    "collect": _money,
    "todo": _todo,
    "invite": _invite,
    "repay": _money,
    "reschedule": _reschedule,
    "share": _share,
    "settle": _settle,
}
