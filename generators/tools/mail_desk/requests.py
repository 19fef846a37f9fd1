"""Requests to a mail desk: what they are about, and their wording."""

from typing import Literal, NamedTuple

from palaestra.generators.tools.apps import in_any_order, worded
from palaestra.generators.tools.mail_desk.mailbox import COMPANIES

Action = Literal["file", "label", "forward", "answer", "unsubscribe", "merge", "remind"]
ACTIONS: tuple[Action, ...] = (
    "file", "label", "answer", "forward", "unsubscribe", "merge", "remind",
)  # fmt: skip
"""In the order in which levels add them."""


class Selection(NamedTuple):
    """The conditions that messages meet. Empty ones do not count."""

    folder: str = ""
    name: str = ""
    company: str = ""
    """Of the sender."""
    topic: str = ""
    """What the subject contains."""
    since: str = ""
    until: str = ""
    """The first and the last date."""
    extension: str = ""
    """Of an attachment."""
    least: int = 0
    """The least total of an invoice in euros."""


class Request(NamedTuple):
    """What is wanted. ``target`` is a folder, a label, an event or a company, by the action."""

    action: Action
    which: Selection = Selection()
    target: str = ""
    name: str = ""
    company: str = ""
    """The person who gets a message or asks a question."""
    newest: bool = True
    """Whether the newest of the messages is forwarded, or the oldest one."""
    number: int = 0
    """How many issues a newsletter has sent, at least."""


_FRAMES = {
    "file": (
        "move the messages {which} to the folder {target}.",
        "put into the folder {target} all messages {which}.",
        "{target} is the folder where the messages {which} should be; move them.",
        "please file the messages {which} under {target}.",
        "in the folder {target} I want to see the messages {which}.",
        "take the messages {which}, and file them in {target}.",
    ),
    "label": (
        "give the label '{target}' to the messages {which}.",
        "the messages {which} should have the label '{target}'.",
        "please label the messages {which} with '{target}'.",
        "put '{target}' as a label on all messages {which}.",
        "I want to find the messages {which} by the label '{target}'.",
    ),
    "forward": (
        "forward to {person} the {end} of the messages {which}.",
        "the {end} of the messages {which} should go to {person}; forward it.",
        "{person} needs a message: the {end} of those {which}. Forward it.",
        "of the messages {which}, please forward the {end} one to {person}.",
        "send on to {person} the {end} message of those {which}.",
    ),
    "answer": (
        "{person} has a question about the {target}; answer it.",
        "answer the question on the {target} that {person} asks.",
        "please reply to the message in which {person} asks something about the {target}.",
        "there is a question about the {target} from {person}. Reply with the answer.",
        "what {person} wants to know about the {target} should be answered.",
    ),
    "unsubscribe": (
        "unsubscribe from all newsletters that have sent {number} messages or more.",
        "newsletters with {number} messages or more are too many; unsubscribe from them.",
        "count the messages of each newsletter, and unsubscribe where there are {number} or more.",
        "{number} messages or more from a newsletter are too much for me: unsubscribe from those.",
        "I want no more newsletters of which I have {number} messages or more; unsubscribe.",
    ),
    "merge": (
        "merge the contacts of {target} that are the same person.",
        "some people of {target} may have two contacts; merge those.",
        "clean up the contacts of {target}: merge the entries of the same person.",
        "the address book should have one contact for each person of {target}; merge the others.",
        "among the contacts of {target}, merge those that are one person.",
    ),
    "remind": (
        "draft a reminder for everyone who has not answered my message about the {target}.",
        "who has not answered me about the {target} should get a reminder; save drafts.",
        "draft reminders for my messages about the {target} that have no answer yet.",
        "my messages on the vote about the {target}: for those without an answer, draft reminders.",
        "prepare reminders, as drafts, to the people whose answer about the {target} is missing.",
    ),
}


def in_words(request: Request, wording: int, number: int) -> str:
    """A request as a sentence, which depends on the wording of the task."""
    return worded(
        _FRAMES[request.action], wording, number,
        which=_in_words(request.which, wording, number), target=request.target,
        person=f"{request.name} of {request.company}",
        end="newest" if request.newest else "oldest", number=str(request.number),
    )  # fmt: skip


def _in_words(which: Selection, wording: int, number: int) -> str:
    """The conditions, in an order that depends on the wording."""
    person = f"{which.name} of {which.company}" if which.name else f"people of {which.company}"
    if which.company not in COMPANIES:  # a newsletter is a contact without a company
        person = which.company
    clauses = {
        f"in {which.folder}": which.folder,
        f"from {person}": which.company,
        f"with {which.topic!r} in the subject": which.topic,
        f"dated {which.since} or later": which.since,
        f"dated {which.until} or earlier": which.until,
        f"with a {which.extension} file attached": which.extension,
        f"that are invoices of {which.least} EUR or more": which.least,
    }
    return in_any_order([text for text, value in clauses.items() if value], wording, number)
