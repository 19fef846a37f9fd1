"""Random records of a person: people with nicknames, outings, meetings, files, and messages."""

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.personal_assistant.policy import Policy, random_policy, weekday
from palaestra.generators.tools.ruled_records import Records, Values

ME = "me"
SURNAMES = (
    "Abt", "Brandt", "Castell", "Dahl", "Ekman", "Farkas", "Grau", "Holm", "Iversen", "Jonsson",
    "Keller", "Lind", "Moreau", "Novak", "Orlov", "Pinto",
)  # fmt: skip
TEAMS = ("family", "choir", "design", "sales", "support", "tennis", "research")
NICKNAMES = (
    "Ace", "Birdie", "Buddy", "Chip", "Coco", "Dodo", "Fizz", "Gogo", "Jazz", "Kiki", "Lolo",
    "Mimi", "Nano", "Pip", "Rocky", "Sunny", "Taz", "Ziggy", "Bear", "Duke", "Flash", "Moss",
    "Pepper", "Robin",
)  # fmt: skip
OUTINGS = ("Dinner", "Lunch", "Picnic", "Concert", "Boat trip", "Bowling")
PARTIES = ("Garden party", "Game night", "Film night", "Barbecue", "Reading circle")
MEETINGS = ("Review", "Planning", "Check-in", "Demo", "Budget", "Interview", "Training")
FILES = ("plan", "budget", "slides", "photos", "menu", "contract", "report", "map", "songs", "logo")
FOLDERS = ("Work", "Home", "Private", "Shared")
COMES = "I would like to come to the {} on {}."
DECLINES = "I cannot come to the {} on {}."
ASKS = "Please send me the file {} by {}."
CHATTER = (
    "How are you?", "See you soon!", "That was fun.", "I am late, sorry.", "Call me back, please.",
    "Good idea.", "Have a nice weekend!", "Where are you?",
)  # fmt: skip

_ROLES = ("owing", "paid", "absent", "paid", "owing")
"""What some people of an outing are, so that one cannot know without payments and messages who
has to pay: some have paid, and one who has not may have been absent. The others are anything.
"""
_CASES = {
    "owing": (("none",), ("failed", "requested")),
    "absent": (("none",), ("failed", "requested")),
    "paid": (("all",), ("part",)),
    "": (("all", "all", "none", "none"), ("part", "failed", "requested")),
}
"""What people have paid by role, and what else where records are like others."""


class Size(NamedTuple):
    """How much there is of each."""

    people: int
    outings: int
    parties: int
    meetings: int
    files: int
    wishes: int
    """Messages that ask for files."""
    rules: int
    traps: int
    """The percentage of records that look like others: nicknames that are first names, payments
    that failed, people who changed their minds, and so on.
    """


FIELDS: Mapping[str, tuple[str, ...]] = {
    "contact": ("name", "nickname", "team", "away_from", "away_until"),
    "event": ("title", "date", "start", "end", "people"),
    "note": ("title", "text"),
    "message": ("sender", "date", "text"),
    "payment": ("payer", "receiver", "amount", "event", "status"),
    "todo": ("title", "due", "done"),
    "file": ("name", "folder", "shared_with"),
}
"""The fields of each table. Lists are texts, separated by commas."""


class _Drawing:
    """The records so far."""

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        day = date(2031, 1, 1) + timedelta(rng.randrange(30, 600))
        self.monday = day - timedelta(day.weekday())
        self.today = self.monday + timedelta(rng.randrange(5))
        self.rows: dict[str, list[Values]] = {name: [] for name in FIELDS}
        self.numbers = {name: rng.sample(range(10, 1_000), 240) for name in FIELDS}
        self.minutes = rng.sample(range(21 * 24 * 60), 240)
        self.people: list[dict[str, str]] = []

    def add(self, table: str, *values: Any) -> int:
        """Add a row, and give its number."""
        number = self.numbers[table].pop()
        self.rows[table].append((number, *values))
        return number

    def trap(self) -> bool:
        """Whether a record is like another one that it is not."""
        return self.rng.randrange(100) < self.size.traps

    def day(self, offset: int) -> str:
        """A date, a number of days from the Monday of this week."""
        return (self.monday + timedelta(offset)).isoformat()

    def message(self, person: Mapping[str, str], text: str, minute: int) -> None:
        """A message to me in the last three weeks."""
        day = (self.today - timedelta(21) + timedelta(minutes=minute)).isoformat()
        clock = f"{minute // 60 % 24:02}:{minute % 60:02}"
        self.add("message", person["nickname"], f"{day} {clock}", text)

    def group(self, least: int, most: int) -> list[dict[str, str]]:
        """Some people in random order."""
        number = min(len(self.people), self.rng.randint(least, most))
        return self.rng.sample(self.people, number)


def random_records(rng: Random, size: Size) -> tuple[Records, Policy]:
    """Random records by table, and the policy."""
    drawing = _Drawing(rng, size)
    _add_people(drawing)
    _add_outings(drawing)
    _add_parties(drawing)
    _add_meetings(drawing)
    _add_files(drawing)
    for person in drawing.group(3, 3 + size.people // 2):
        drawing.message(person, rng.choice(CHATTER), drawing.minutes.pop())
    names = [person["name"] for person in drawing.people]
    policy = random_policy(rng, size.rules, drawing.today.isoformat(), names)
    return tuple((name, tuple(sorted(rows))) for name, rows in drawing.rows.items()), policy


def _add_people(drawing: _Drawing) -> None:
    """Contacts; a nickname may be the first name of somebody else."""
    rng, size = drawing.rng, drawing.size
    first = rng.sample((*NAMES, *MORE_NAMES), size.people)
    nicknames = rng.sample(NICKNAMES, size.people)
    for n in range(2, size.people):
        if n % 2 == 0 and drawing.trap():
            nicknames[n] = first[n - 1]
    for name, nickname in zip(first, nicknames):
        away = ("", "")
        if rng.randrange(3) == 0:
            start = rng.randrange(0, 24)
            away = drawing.day(start), drawing.day(start + rng.randint(1, 6))
        values = f"{name} {rng.choice(SURNAMES)}", nickname, rng.choice(TEAMS), *away
        drawing.add("contact", *values)
        drawing.people.append(dict(zip(FIELDS["contact"], values)))


def _add_outings(drawing: _Drawing) -> None:
    """Past events with notes on shares and advances, payments, messages and to-dos."""
    rng = drawing.rng
    days = rng.sample(range(-19, -1), min(18, drawing.size.outings))
    # Few titles, so that there are several outings of a title.
    titles = rng.sample(OUTINGS, 1 + len(days) // 2)
    for day in days:
        title, when = rng.choice(titles), drawing.day(day)
        people = drawing.group(5, 8)
        others = [""] * (len(people) - len(_ROLES))
        event = f"{title} {when}"
        names = sorted(person["name"] for person in people)
        drawing.add("event", title, when, "18:00", "21:00", ", ".join(names))
        lines = [f"{title} on {weekday(when)} {when}"]
        for person, role in zip(people, rng.sample([*_ROLES, *others], len(people))):
            share, advance = rng.randint(4, 60), rng.choice((0, 0, rng.randint(20, 150)))
            lines.append(f"{person['nickname']}: share {share} EUR")
            _add_payments(drawing, event, person["name"], share, role)
            if advance:
                lines.append(f"{person['nickname']}: advanced {advance} EUR")
                if rng.randrange(3):
                    paid = rng.choice((advance, rng.randint(5, advance)))
                    status = rng.choice(("done", "done", "failed"))
                    drawing.add("payment", ME, person["name"], paid, event, status)
            _add_absence(drawing, (title, when), person, role)
        drawing.add("note", f"Costs: {event}", "\n".join(lines))
    drawing.rng.shuffle(drawing.rows["payment"])


def _add_absence(
    drawing: _Drawing, event: tuple[str, str], person: Mapping[str, str], role: str
) -> None:
    """Messages of somebody who cannot come to an event, and perhaps can after all."""
    rng = drawing.rng
    if role in ("", "absent") and drawing.trap() and (role or rng.randrange(2)):
        minutes = sorted(drawing.minutes.pop() for _ in range(2))
        drawing.message(person, DECLINES.format(*event), minutes[0])
        if not role and rng.randrange(3) == 0:
            drawing.message(person, COMES.format(*event), minutes[1])


def _add_payments(drawing: _Drawing, event: str, name: str, share: int, role: str) -> None:
    """What somebody has paid to me for an event, and a to-do about it."""
    rng = drawing.rng
    cases, more = _CASES[role]
    case = rng.choice((*cases, *more) if drawing.trap() else cases)
    if case != "none":
        amount = rng.randint(1, share - 1) if case == "part" else share
        status = case if case in ("failed", "requested") else "done"
        drawing.add("payment", name, ME, amount, event, status)
    if rng.randrange(2):
        asked_for = share if rng.randrange(4) else share + rng.randint(1, 9)
        title = f"get {asked_for} EUR from {name} for {event}"
        drawing.add("todo", title, drawing.day(rng.randrange(7, 20)), False)


def _add_parties(drawing: _Drawing) -> None:
    """Future events with messages of people who would like to come, or cannot after all."""
    rng = drawing.rng
    days = rng.sample(range(7, 24), drawing.size.parties)
    titles = rng.sample(PARTIES, 1 + len(days) // 2)
    for day in days:
        title, when = rng.choice(titles), drawing.day(day)
        people = drawing.group(5, 10)
        invited = sorted(person["name"] for person in people if rng.randrange(5) == 0)
        drawing.add("event", title, when, "19:00", "22:00", ", ".join(invited))
        for person in people:
            minutes = sorted(drawing.minutes.pop() for _ in range(2))
            drawing.message(person, COMES.format(title, when), minutes[0])
            if drawing.trap() and rng.randrange(2):
                drawing.message(person, DECLINES.format(title, when), minutes[1])
        bases = rng.sample(FILES, 3)
        drawing.add("note", f"Files: {title} {when}", "\n".join(bases))


def _add_meetings(drawing: _Drawing) -> None:
    """Meetings in this and the next two weeks that do not clash."""
    rng = drawing.rng
    taken: set[tuple[int, int]] = set()
    for _ in range(drawing.size.meetings):
        day, start = rng.randrange(14), 2 * 9 + rng.randrange(15)
        length = rng.choice((1, 2, 2, 3))
        slots = {(day, half) for half in range(start, min(start + length, 34))}
        if day % 7 > 4 or taken & slots:
            continue
        taken |= slots
        names = sorted(person["name"] for person in drawing.group(1, 3))
        end = min(start + length, 34)
        drawing.add("event", rng.choice(MEETINGS), drawing.day(day), clock(start), clock(end),
                    ", ".join(names))  # fmt: skip


def clock(half: int) -> str:
    """The time after a number of half-hours from midnight.

    >>> clock(19)
    '09:30'
    """
    return f"{half // 2:02}:{30 * (half % 2):02}"


def _add_files(drawing: _Drawing) -> None:
    """Files in versions, messages that ask for them, and to-dos that there are already."""
    rng = drawing.rng
    files = []
    for base in rng.sample(FILES, min(len(FILES), drawing.size.files)):
        versions = rng.sample(range(1, 12), rng.randint(1, 3) if drawing.trap() else 1)
        for version in versions:
            name = f"{base}-v{version}"
            people = sorted(each["name"] for each in drawing.group(0, 3))
            drawing.add("file", name, rng.choice(FOLDERS), ", ".join(people))
            files.append((name, people))
    pairs = [(person, file) for person in drawing.people for file in files]
    for person, (name, people) in rng.sample(pairs, min(len(pairs), drawing.size.wishes)):
        due = drawing.day(rng.randrange(7, 28))
        drawing.message(person, ASKS.format(name, due), drawing.minutes.pop())
        if person["name"] not in people and drawing.trap() and rng.randrange(2):
            title = f"send {name} to {person['name']}"
            drawing.add("todo", title, due, bool(rng.randrange(2)))
