"""The tools of a mail desk, which do not know the policy."""

from collections.abc import Callable, Mapping

from palaestra.generators.tools.apps import containing, equal, lister, reader, since, until
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.mail_desk.mailbox import (
    FOLDERS,
    ME,
    Contact,
    Mailbox,
    Message,
    Subscription,
)
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.task import InvalidAnswer

LONGEST = 300
"""How many characters a label or a reply may have."""


def tables(mailbox: Mailbox) -> Tables:
    """The records of a mailbox as tables; ``outgoing`` has what is sent or saved as a draft."""
    named: Mapping[str, tuple[Contact | Message | Subscription, ...]] = {
        "contact": mailbox.contacts,
        "message": mailbox.messages,
        "subscription": mailbox.subscriptions,
    }
    rows = {
        name: {each.number: dict(zip(each._fields[1:], each[1:])) for each in every}
        for name, every in named.items()
    }
    return {**rows, "outgoing": {}}


def canonical(text: str) -> str:
    """The value in a reply: the only word with a digit in capitals, or else all words.

    >>> canonical("The total is 1,340 EUR."), canonical("kb-12"), canonical("No idea!")
    ('1340', 'KB-12', 'no idea')
    """
    words = [word.strip(".,;:!?'\"()*€$`") for word in text.split()]
    values = [word for word in words if any(map(str.isdigit, word))]
    if len({*values}) != 1:
        return " ".join(filter(None, words)).casefold()
    value = values[0].upper().removeprefix("EUR").removesuffix("EUR").removesuffix("€")
    plain = value.replace(",", "")
    return plain if plain.isdecimal() else value


def _text(text: str) -> str:
    """A label or a reply without superfluous blanks. Raises where it is empty or too long."""
    words = " ".join(text.split())
    if not words or len(words) > LONGEST:
        raise InvalidAnswer(f"a text has 1 to {LONGEST} characters")
    return words


def _move_message(world: RecordWorld, arguments: Arguments) -> str:
    world.update("message", arguments["message"], folder=arguments["folder"])
    return f"The message is in {arguments['folder']}."


def _change_label(adds: bool) -> Callable[[RecordWorld, Arguments], str]:
    def change(world: RecordWorld, arguments: Arguments) -> str:
        number, label = arguments["message"], _text(arguments["label"])
        if "," in label:
            raise InvalidAnswer("a label has no comma; add or remove one label at a time")
        labels = {*filter(None, world.row("message", number)["labels"].split(", "))}
        labels = labels | {label} if adds else labels - {label}
        world.update("message", number, labels=", ".join(sorted(labels)))
        return f"The labels of the message: {', '.join(sorted(labels)) or 'none'}."

    return change


def _send(world: RecordWorld, to: str, draft: bool, **row: str | int) -> str:
    """Put a message into the outgoing mail."""
    if "@" not in to or len(to) > LONGEST:
        raise InvalidAnswer(f"{to[:40]!r} is no e-mail address")
    number = world.add("outgoing", to=to, status="draft" if draft else "sent", **row)
    return f"It is {'saved as draft' if draft else 'sent with the number'} {number}."


def _forward_message(world: RecordWorld, arguments: Arguments) -> str:
    number, to, draft = arguments.values()
    world.row("message", number)
    return _send(world, to.strip().lower(), draft, action="forward", message=number, text="")


def _reply(world: RecordWorld, arguments: Arguments) -> str:
    number, text, draft = arguments.values()
    sender = world.row("message", number)["sender"]
    value = canonical(_text(text))
    return _send(world, sender, draft, action="reply", message=number, text=value)


def _draft_reminder(world: RecordWorld, arguments: Arguments) -> str:
    number = arguments["message"]
    row = world.row("message", number)
    if not row["sender"].startswith(f"{ME}@"):
        raise InvalidAnswer("a reminder is about a message that I sent, and this one is to me")
    return _send(world, row["to"], True, action="reminder", message=number, text="")


def _discard_draft(world: RecordWorld, arguments: Arguments) -> str:
    number = arguments["draft"]
    if number not in dict(world.rows("outgoing")):
        raise InvalidAnswer(f"there is no draft {str(number)[:20]}")
    if world.row("outgoing", number)["status"] != "draft":
        raise InvalidAnswer("it has been sent, and is no draft")
    world.remove("outgoing", number)
    return "The draft is discarded."


def _merge_contacts(world: RecordWorld, arguments: Arguments) -> str:
    kept, merged = arguments.values()
    if kept == merged:
        raise InvalidAnswer("a contact is not merged with itself")
    rows = [world.row("contact", number) for number in (kept, merged)]
    emails = {address for row in rows for address in row["emails"].split(", ")}
    world.update("contact", kept, emails=", ".join(sorted(emails)))
    world.remove("contact", merged)
    return f"Contact {kept} has the addresses of both; contact {merged} is gone."


def _unsubscribe(world: RecordWorld, arguments: Arguments) -> str:
    for number, row in world.rows("subscription"):
        if row["address"] == arguments["address"].strip().casefold():
            world.update("subscription", number, active=False)
            return f"You get no more mail from {row['address']}."
    raise InvalidAnswer(f"there is no newsletter from {arguments['address'][:40]!r}")


TOOLS = (
    Tool(
        "search_messages",
        "List messages, ten a page: those in a folder, with a text in the sender's address or in "
        "the subject, between two dates (YYYY-MM-DD), in a thread. They are in the order of their "
        "ids, without texts and receivers.",
        {"folder": ("", *FOLDERS), "sender": str, "subject": str, "since": str, "until": str,
         "thread": int, "page": int},
        lister(
            "message", equal("folder"), containing("sender"), containing("subject"), since, until,
            equal("thread"), left_out=["body", "to"],
        ),
        {"folder": "", "sender": "", "subject": "", "since": "", "until": "", "thread": 0,
         "page": 1},
    ),
    Tool("read_message", "Give a message with its text.", {"message": int}, reader("message")),
    Tool(
        "move_message", "Move a message to a folder.", {"message": int, "folder": FOLDERS},
        _move_message,
    ),
    Tool(
        "add_label", "Add a label to a message.", {"message": int, "label": str},
        _change_label(adds=True),
    ),
    Tool(
        "remove_label", "Take a label off a message.", {"message": int, "label": str},
        _change_label(adds=False),
    ),
    Tool(
        "forward_message", "Forward a message to an address, or save that as a draft.",
        {"message": int, "to": str, "draft": bool}, _forward_message, {"draft": False},
    ),
    Tool(
        "reply", "Reply to the sender of a message, or save that as a draft.",
        {"message": int, "text": str, "draft": bool}, _reply, {"draft": False},
    ),
    Tool(
        "draft_reminder", "Save the draft of a reminder to the receiver of one of my messages.",
        {"message": int}, _draft_reminder,
    ),
    Tool("discard_draft", "Delete a draft by its number.", {"draft": int}, _discard_draft),
    Tool(
        "find_contacts", "List contacts with a text in the name or company, ten a page.",
        {"name": str, "company": str, "page": int},
        lister("contact", containing("name"), containing("company")),
        {"name": "", "company": "", "page": 1},
    ),
    Tool(
        "merge_contacts",
        "Merge two contacts: the one that is kept gets the addresses of the other, which goes.",
        {"kept": int, "merged": int}, _merge_contacts,
    ),
    Tool(
        "list_subscriptions", "List the newsletters, ten a page.", {"page": int},
        lister("subscription"), {"page": 1},
    ),
    Tool(
        "unsubscribe", "Unsubscribe from the newsletter of an address.", {"address": str},
        _unsubscribe,
    ),
)  # fmt: skip
