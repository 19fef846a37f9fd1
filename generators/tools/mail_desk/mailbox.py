"""Random mailboxes: contacts with namesakes and duplicates, messages, newsletters."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple, TypedDict, Unpack

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.mail_desk.policy import Policy, random_rules

ME = "me"
SURNAMES = (
    "Abt", "Brandt", "Castell", "Dahl", "Ekman", "Farkas", "Grau", "Holm", "Iversen", "Jonsson",
    "Keller", "Lind", "Moreau", "Novak", "Orlov", "Pinto", "Quist", "Rossi", "Sato", "Tamm",
)  # fmt: skip
COMPANIES = (
    "Amber Works", "Blue Harbor", "Copper Lane", "Delta Print", "Eastgate", "Fernhill", "Glasswing",
    "Highmoor", "Ironbridge", "Juniper Supply",
)  # fmt: skip
FOLDERS = ("Inbox", "Archive", "Projects", "Finance", "Travel", "Review", "Sent")
LABELS = ("urgent", "later", "family", "tax", "travel", "follow-up", "sealed", "legal", "private")
SEASONS = ("spring", "summer", "autumn", "winter", "harbour", "city")
EVENTS = ("fair", "trip", "workshop", "concert", "market", "regatta")
ATTRIBUTES = ("starting time", "price", "booking code", "room", "date")
NOTES = (
    "the budget", "the new printer", "the parking lot", "the keys", "the website", "the garden",
    "the archive", "the coffee machine",
)  # fmt: skip
BRANDS = (
    "Daily Seeds", "Trail Report", "Kitchen Letter", "Market Watcher", "Night Sky", "Paper Crane",
    "River Gazette", "Tool Shed", "Vinyl Weekly", "Wool Digest",
)  # fmt: skip
QUESTIONS = ("A question", "Quick question", "Can you help?")
"""The subjects of messages with a question."""
FILLERS = (
    "I hope that you had a good weekend.", "Thanks for your patience.", "More on this soon.",
    "Let me know what you think.", "I will be out of the office on Friday.",
    "Sorry for the late message.", "As discussed on the phone.", "Please keep this in mind.",
    "The weather is fine here.", "See you next week.",
)  # fmt: skip


class Contact(NamedTuple):
    """An entry of the address book; ``updated`` is a date, and ``emails`` a list by commas."""

    number: int
    name: str
    company: str
    emails: str
    phone: str
    updated: str


class Message(NamedTuple):
    """A message; ``date`` has the time, ``labels`` and ``attachments`` are lists by commas."""

    number: int
    sender: str
    to: str
    date: str
    subject: str
    body: str
    folder: str = "Inbox"
    labels: str = ""
    attachments: str = ""
    thread: int = 0


class Subscription(NamedTuple):
    """A newsletter that the mailbox gets."""

    number: int
    title: str
    address: str
    active: bool = True


class Mailbox(NamedTuple):
    """All records of the app."""

    contacts: tuple[Contact, ...]
    messages: tuple[Message, ...]
    subscriptions: tuple[Subscription, ...]


class Size(NamedTuple):
    """How much there is of each."""

    people: int
    namesakes: int
    duplicates: int
    events: int
    messages: int
    """Notes and invoices, besides what events, newsletters and questions need."""
    newsletters: int
    rules: int


class _Fields(TypedDict, total=False):
    """Fields of a message that are not the usual ones."""

    to: str
    folder: str
    labels: str
    attachments: str
    thread: int


class _Drawing:
    """The records so far; numbers and dates are drawn at once, so that they tell no order."""

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        self.today = date(2031, 1, 1) + timedelta(rng.randrange(90, 600))
        self.days = [(self.today - timedelta(60 - n)).isoformat() for n in range(60)]
        self.minutes = rng.sample(range(60 * 24 * 60), 600)
        self.numbers = rng.sample(range(100, 1_000), 600)
        self.house, *self.companies = rng.sample(COMPANIES, 6)
        self.address_of_me = f"{ME}@{domain(self.house)}"
        self.contacts: list[Contact] = []
        self.messages: list[Message] = []
        self.subscriptions: list[Subscription] = []
        self.threads = 0

    def day(self, minute: int) -> str:
        """A time as a text, a number of minutes from sixty days before today."""
        return f"{self.days[minute // 1440]} {minute // 60 % 24:02}:{minute % 60:02}"

    def message(
        self,
        sender: str,
        subject: str,
        lines: Sequence[str],
        minute: int = -1,
        **fields: Unpack[_Fields],
    ) -> None:
        """Add a message to me with a filler around its lines."""
        rng = self.rng
        minute = self.minutes.pop() if minute < 0 else minute
        first, more = rng.choice(FILLERS), rng.randrange(2)
        body = "\n".join([first, *lines, *([rng.choice(FILLERS)] if more else ())])
        labels = self.labels()
        message = Message(
            self.numbers.pop(), sender, fields.get("to", self.address_of_me), self.day(minute),
            subject, body, fields.get("folder", "Inbox"), fields.get("labels", labels),
            fields.get("attachments", ""), fields.get("thread", 0),
        )  # fmt: skip
        self.messages.append(message)

    def labels(self) -> str:
        """No label, one or two."""
        number = self.rng.choice((0, 0, 1, 1, 2))
        return ", ".join(sorted(self.rng.sample(LABELS, number))) if number else ""

    def thread(self) -> int:
        """The number of a new thread."""
        self.threads += 1
        return self.threads

    def someone(self, company: str = "") -> str:
        """The address of a contact."""
        contacts = self.contacts
        if company:
            contacts = [each for each in contacts if each.company == company]
        return self.rng.choice(contacts).emails


def domain(company: str) -> str:
    """The domain of the addresses of a company.

    >>> domain("Amber Works")
    'amberworks.example'
    """
    return company.replace(" ", "").lower() + ".example"


def random_mailbox(rng: Random, size: Size) -> tuple[Mailbox, Policy, str]:
    """A random mailbox, the policy, and today's date."""
    drawing = _Drawing(rng, size)
    _add_contacts(drawing)
    _add_events(drawing)
    _add_notes(drawing)
    _add_newsletters(drawing)
    policy = _random_policy(drawing)
    for records in (drawing.contacts, drawing.messages, drawing.subscriptions):
        records.sort()
    mailbox = Mailbox(
        tuple(drawing.contacts), tuple(drawing.messages), tuple(drawing.subscriptions)
    )
    return mailbox, policy, drawing.today.isoformat()


def _add_contacts(drawing: _Drawing) -> None:
    """People of the office and of companies, with namesakes and with second entries."""
    rng, size = drawing.rng, drawing.size
    first = rng.sample((*NAMES, *MORE_NAMES), size.people)
    people = [
        (f"{name} {rng.choice(SURNAMES)}", rng.choice([drawing.house, *drawing.companies]))
        for name in first
    ]
    for n in range(3):
        people[n] = (people[n][0], drawing.house)
    for name, company in rng.sample(people, min(size.namesakes, len(people))):
        others = [each for each in [drawing.house, *drawing.companies] if each != company]
        people.append((name, rng.choice(others)))
    numbers = rng.sample(range(10, 100), 2 * len(people))
    for name, company in people:
        email = f"{name.lower().replace(' ', '.')}@{domain(company)}"
        drawing.contacts.append(_contact(drawing, numbers.pop(), name, company, email))
    # The first three keep one entry, so that the office has people with one address.
    ones = drawing.contacts[3:]
    for n, one in enumerate(rng.sample(ones, min(2 * size.duplicates, len(ones)))):
        drawing.contacts.append(_second(drawing, one, numbers.pop(), n % 2 == 0))


def _contact(drawing: _Drawing, number: int, name: str, company: str, email: str) -> Contact:
    phone = f"0{drawing.rng.randint(20, 99)} {drawing.rng.randint(100_000, 999_999)}"
    updated = drawing.today - timedelta(drawing.rng.randint(70, 2_000))
    return Contact(number, name, company, email, phone, updated.isoformat())


def _second(drawing: _Drawing, one: Contact, number: int, by_phone: bool) -> Contact:
    """Another entry of the same name and company, with the same phone number or the same address
    in another form.
    """
    rng = drawing.rng
    user, _, host = one.emails.partition("@")
    email = f"{user.title()}+{rng.choice(('work', 'list', 'shop'))}@{host}"
    second = _contact(drawing, number, one.name, one.company, email)
    if not by_phone:
        return second
    phone = one.phone.replace(" ", rng.choice(("-", "/", "", " - ")))
    return second._replace(phone=phone, emails=f"{user}{rng.randint(10, 99)}@{host}")


def _add_events(drawing: _Drawing) -> None:
    """Messages on events with statements, corrections and quotations; questions; my polls."""
    rng = drawing.rng
    every = [f"{season} {event}" for season in SEASONS for event in EVENTS]
    for event in rng.sample(every, drawing.size.events):
        organiser = drawing.someone(drawing.house)
        attributes = rng.sample(ATTRIBUTES, 3)
        values = [_value(rng, attribute) for attribute in attributes]
        minutes = sorted(drawing.minutes.pop() for _ in range(6))
        thread = drawing.thread()
        statements = [f"The {a} of the {event} is {v}." for a, v in zip(attributes, values)]
        subject = f"About the {event}"
        drawing.message(
            organiser, subject, [f"I organise the {event}.", *statements], minutes[0], thread=thread
        )
        changed = f"The {attributes[0]} of the {event} is {_value(rng, attributes[0])}."
        drawing.message(organiser, subject, ["There is a change.", changed], minutes[1],
                        thread=thread)  # fmt: skip
        quotation = [f"> {line}" for line in statements]
        drawing.message(drawing.someone(), f"Re: {subject}", ["Fine with me.", *quotation],
                        minutes[3], thread=thread)  # fmt: skip
        rumour = f"The {attributes[1]} of the {event} is {_value(rng, attributes[1])}."
        names = {each.emails: each.name for each in drawing.contacts}
        others = [email for email, name in names.items() if name != names[organiser]]
        drawing.message(rng.choice(others), f"Re: {subject}", ["This is what I hear.", rumour],
                        minutes[rng.choice((2, 4))], thread=thread)  # fmt: skip
        _add_questions(drawing, event, attributes)
        _add_poll(drawing, event)


def _value(rng: Random, attribute: str) -> str:
    """A value of an attribute of an event."""
    return {
        "starting time": f"{rng.randint(8, 20):02}:{rng.choice((0, 15, 30, 45)):02}",
        "price": f"{rng.randint(12, 980)} EUR",
        "booking code": f"{rng.choice('KLMNPR')}{rng.choice('ABCDEF')}-{rng.randint(1000, 9999)}",
        "room": f"{rng.choice('ABCDEFG')}{rng.randint(10, 99)}",
        "date": (date(2032, 1, 1) + timedelta(rng.randrange(300))).isoformat(),
    }[attribute]


def _add_questions(drawing: _Drawing, event: str, attributes: Sequence[str]) -> None:
    rng = drawing.rng
    people = {each.name: each.emails for each in drawing.contacts}
    for name in rng.sample([*people], min(2, len(people))):
        question = f"What is the {rng.choice(attributes)} of the {event}?"
        subject = rng.choice(QUESTIONS)
        drawing.message(people[name], subject, [question], thread=drawing.thread())


def _add_poll(drawing: _Drawing, event: str) -> None:
    """My message on an event to several people, of whom some have answered."""
    rng = drawing.rng
    names = {each.emails: each.name for each in drawing.contacts}
    for address in rng.sample([*names], min(len(names), rng.randint(3, 6))):
        thread, minutes = drawing.thread(), sorted(drawing.minutes.pop() for _ in range(2))
        subject = f"Your vote on the {event}"
        drawing.message(
            drawing.address_of_me, subject, ["Please vote."], minutes[0],
            to=address, folder="Sent", thread=thread, labels="",
        )  # fmt: skip
        if rng.randrange(2):
            others = [email for email, name in names.items() if name != names[address]]
            sender = rng.choice(others) if rng.randrange(6) == 0 else address
            drawing.message(sender, f"Re: {subject}", ["My vote is yes."], minutes[1],
                            thread=thread)  # fmt: skip


def _add_notes(drawing: _Drawing) -> None:
    """Invoices and notes, in all folders."""
    rng = drawing.rng
    for _ in range(drawing.size.messages):
        folder = rng.choice(("Inbox", "Inbox", "Inbox", *FOLDERS[1:6]))
        sender, thread = drawing.someone(), drawing.thread()
        topic = rng.choice(NOTES)
        if rng.randrange(2):
            number = rng.randint(1000, 9999)
            drawing.message(
                sender, f"Invoice {number}", [f"The total is {rng.randint(20, 2_000)} EUR."],
                folder=folder, attachments=f"invoice-{number}.pdf", thread=thread,
            )  # fmt: skip
        else:
            files = [f"{topic.split()[-1]}-{n}.{rng.choice(('pdf', 'png', 'csv'))}" for n in (1, 2)]
            drawing.message(
                sender, rng.choice(("", "", "Re: ")) + f"About {topic}", [], folder=folder,
                attachments=", ".join(files[: rng.randrange(3)]), thread=thread,
            )  # fmt: skip


def _add_newsletters(drawing: _Drawing) -> None:
    rng, number = drawing.rng, drawing.size.newsletters
    numbers = rng.sample(range(10, 100), number)
    for n, title in zip(numbers, rng.sample(BRANDS, number)):
        address = f"news@{domain(title)}"
        drawing.subscriptions.append(Subscription(n, title, address))
        for _ in range(rng.randint(1, 5)):
            folder = rng.choice(("Inbox", "Archive"))
            subject, thread = f"{title}: the latest issue", drawing.thread()
            drawing.message(address, subject, ["Read more below."], thread=thread, folder=folder)
        if rng.randrange(3) == 0:
            entry = _contact(drawing, 100 + n, title, title, address)
            drawing.contacts.append(entry)


def _random_policy(drawing: _Drawing) -> Policy:
    rng = drawing.rng
    labels = rng.sample(LABELS[6:], 3)
    away, deputy = rng.sample([each.name for each in drawing.contacts[:3]], 2)
    return Policy(
        rules=random_rules(rng, drawing.size.rules),
        domain=domain(drawing.house),
        hold=labels[0],
        confidential=labels[1],
        refused=rng.choice(("ask", "check first", "on my desk")),
        approval=rng.choice(("to approve", "second look", "for signature")),
        limit=rng.choice((300, 500, 800, 1_000)),
        partner=rng.choice(drawing.companies),
        expiry=(drawing.today - timedelta(rng.randint(20, 40))).isoformat(),
        patience=(drawing.today - timedelta(rng.randint(10, 25))).isoformat(),
        away=away,
        deputy=deputy,
        criterion=rng.choice(("phone", "email")),
        survivor=rng.choice(("lowest id", "latest update")),
    )
