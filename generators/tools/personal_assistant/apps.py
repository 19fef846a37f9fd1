"""The tools of the apps of one person, which do not know the policy."""

from collections.abc import Callable

from palaestra.generators.tools.apps import (
    containing,
    day,
    equal,
    lister,
    reader,
    shown,
    since,
    until,
)
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.personal_assistant.decisions import names
from palaestra.generators.tools.personal_assistant.records import ME, clock
from palaestra.generators.tools.records import RecordWorld
from palaestra.task import InvalidAnswer

TIMES = {clock(half): half for half in range(48)}
"""The times of a day, with the half-hours from midnight."""

LONGEST = 200
"""How many characters the title of a to-do may have."""

MOST = 10_000
"""The largest amount of a payment in euros."""


def _move_event(world: RecordWorld, arguments: Arguments) -> str:
    number, when, start = arguments.values()
    row = world.row("event", number)
    start = start.strip().rjust(5, "0")
    if start not in TIMES:
        raise InvalidAnswer("times are 00:00, 00:30, 01:00, ... 23:30")
    length = TIMES[row["end"]] - TIMES[row["start"]]
    if TIMES[start] + length > 47:
        raise InvalidAnswer("an event ends on the day on which it begins")
    end = clock(TIMES[start] + length)
    world.update("event", number, date=day(when), start=start, end=end)
    return shown(number, world.row("event", number))


def _invite(world: RecordWorld, arguments: Arguments) -> str:
    number, contact = arguments.values()
    people = {*names(world.row("event", number)["people"]), world.row("contact", contact)["name"]}
    world.update("event", number, people=", ".join(sorted(people)))
    return shown(number, world.row("event", number))


def _transfer(status: str) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that pays or asks for money."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        contact, amount, number = arguments.values()
        name, event = world.row("contact", contact)["name"], world.row("event", number)
        if not 0 < amount <= MOST:
            raise InvalidAnswer(f"amounts go from 1 to {MOST} euros")
        payer, receiver = (ME, name) if status == "done" else (name, ME)
        payment = world.add(
            "payment",
            payer=payer,
            receiver=receiver,
            amount=amount,
            event=f"{event['title']} {event['date']}",
            status=status,
        )
        return shown(payment, world.row("payment", payment))

    return run


def _cancel_request(world: RecordWorld, arguments: Arguments) -> str:
    number = arguments["payment"]
    if world.row("payment", number)["status"] != "requested":
        raise InvalidAnswer("only payments that are requested can be cancelled")
    world.remove("payment", number)
    return "The request is cancelled."


def _add_todo(world: RecordWorld, arguments: Arguments) -> str:
    title = " ".join(arguments["title"].split()).strip(".!'\"").casefold()
    if not title or len(title) > LONGEST:
        raise InvalidAnswer(f"a title has 1 to {LONGEST} characters")
    number = world.add("todo", title=title, due=day(arguments["due"]), done=False)
    return shown(number, world.row("todo", number))


def _complete_todo(world: RecordWorld, arguments: Arguments) -> str:
    world.update("todo", arguments["todo"], done=arguments["done"])
    return shown(arguments["todo"], world.row("todo", arguments["todo"]))


def _share_file(world: RecordWorld, arguments: Arguments) -> str:
    number, contact = arguments.values()
    people = {*names(world.row("file", number)["shared_with"])}
    people.add(world.row("contact", contact)["name"])
    world.update("file", number, shared_with=", ".join(sorted(people)))
    return shown(number, world.row("file", number))


TOOLS = (
    Tool(
        "list_contacts", "List contacts by a part of the name and by team, ten a page.",
        {"name": str, "team": str, "page": int},
        lister("contact", containing("name"), equal("team")),
        {"name": "", "team": "", "page": 1},
    ),
    Tool(
        "list_events",
        "List events in the calendar by a part of the title and between two dates (YYYY-MM-DD), "
        "ten a page.",
        {"title": str, "since": str, "until": str, "page": int},
        lister("event", containing("title"), since, until),
        {"title": "", "since": "", "until": "", "page": 1},
    ),
    Tool(
        "move_event", "Move an event to a date and a time such as 09:30; its length stays.",
        {"event": int, "date": str, "start": str}, _move_event,
    ),
    Tool(
        "invite", "Invite a contact to an event.", {"event": int, "contact": int}, _invite,
    ),
    Tool(
        "find_notes", "List the titles of notes with a text in the title, ten a page.",
        {"title": str, "page": int},
        lister("note", containing("title"), left_out=["text"]), {"title": "", "page": 1},
    ),
    Tool("read_note", "Give a note with its text.", {"note": int}, reader("note")),
    Tool(
        "find_messages",
        "List the messages to me by the sender's nickname and by a part of the text, ten a page.",
        {"sender": str, "text": str, "page": int},
        lister("message", equal("sender"), containing("text")),
        {"sender": "", "text": "", "page": 1},
    ),
    Tool(
        "list_payments",
        "List payments by a part of the event, which is written as 'Dinner 2031-03-04', ten a "
        "page.",
        {"event": str, "page": int},
        lister("payment", containing("event")), {"event": "", "page": 1},
    ),
    Tool(
        "pay", "Pay an amount in whole euros to a contact for an event.",
        {"contact": int, "amount": int, "event": int}, _transfer("done"),
    ),
    Tool(
        "request_payment", "Ask a contact to pay me an amount in whole euros for an event.",
        {"contact": int, "amount": int, "event": int}, _transfer("requested"),
    ),
    Tool(
        "cancel_request", "Take back a request for a payment.", {"payment": int}, _cancel_request,
    ),
    Tool(
        "list_todos", "List to-dos by a part of the title, ten a page.",
        {"title": str, "page": int},
        lister("todo", containing("title")), {"title": "", "page": 1},
    ),
    Tool(
        "add_todo", "Add a to-do with a date. Titles are stored in small letters.",
        {"title": str, "due": str}, _add_todo,
    ),
    Tool(
        "complete_todo", "Tick off a to-do, or take that back.", {"todo": int, "done": bool},
        _complete_todo, {"done": True},
    ),
    Tool(
        "list_files", "List files by a part of the name and by folder, ten a page.",
        {"name": str, "folder": str, "page": int},
        lister("file", containing("name"), equal("folder")),
        {"name": "", "folder": "", "page": 1},
    ),
    Tool(
        "share_file", "Share a file with a contact.", {"file": int, "contact": int}, _share_file,
    ),
)  # fmt: skip
