"""What requests need by the policy, from what somebody knows."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from itertools import count
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.personal_assistant.policy import Policy
from palaestra.generators.tools.personal_assistant.records import ASKS, COMES, ME, clock
from palaestra.generators.tools.personal_assistant.requests import Action, Request
from palaestra.generators.tools.records import Row

ASKING = re.compile(ASKS.replace(".", r"\.").format(r"([\w-]{1,40})", r"([\d-]{10})"))
OWING = re.compile(r"get (\d{1,6}) EUR from ([\w ]{1,60}) for ([\w -]{1,60})")

FIRST, LAST, NOON = 18, 34, 24
"""The half-hours from midnight at which meetings may begin and have to end, and of the break."""


class Desk(NamedTuple):
    """What is known, and the policy."""

    known: Known
    policy: Policy

    def contact(self, field: str, name: str) -> tuple[int, Row]:
        """The contact of a name or of a nickname."""
        return self.known.by("contact", field)[name][0]

    def is_blocked(self, name: str) -> bool:
        """Whether a person gets nothing."""
        return self.policy.has("blocked") and name == self.policy.blocked

    def event(self, title: str, day: str) -> tuple[int, Row]:
        """The event of a title on a date."""
        return next(
            each
            for each in self.known.by("event", "date").get(day, ())
            if each[1]["title"] == title
        )

    def last_words(self, title: str, day: str) -> Mapping[str, str]:
        """The last message of each person about an event, by nickname."""
        messages = self.known.by("message", _event_of).get(f"{title} on {day}.", ())
        rows = sorted((row for _, row in messages), key=lambda row: row["date"])
        return {row["sender"]: row["text"] for row in rows}

    def note(self, title: str) -> list[str]:
        """The lines of a note."""
        ((_, row),) = self.known.by("note", "title")[title]
        return str(row["text"]).split("\n")

    def amounts(self, event: str, word: str) -> Mapping[str, int]:
        """The amounts of the note on an event after a word, by nickname."""
        lines = (line.split(f": {word} ") for line in self.note(f"Costs: {event}"))
        return {line[0]: int(line[1].removesuffix(" EUR")) for line in lines if len(line) > 1}

    def paid(self, event: str, payer: str, receiver: str) -> int:
        """What somebody has paid to somebody for an event."""
        wanted = (payer, receiver, "done")
        return sum(
            row["amount"]
            for _, row in self.known.by("payment", "event").get(event, ())
            if (row["payer"], row["receiver"], row["status"]) == wanted
        )


def _event_of(message: Row) -> str:
    """The event that somebody comes to or does not, as a message names it."""
    return str(message["text"]).partition(" come to the ")[2]


def names(people: str) -> list[str]:
    """The names in a list."""
    return people.split(", ") if people else []


def deeds(known: Known, policy: Policy, request: Request) -> list[Deed]:
    """The calls that a request needs, by what is known."""
    return _DEEDS[request.action](Desk(known, policy), request)


def _collect(desk: Desk, request: Request) -> list[Deed]:
    policy, event = desk.policy, f"{request.title} {request.date}"
    number, row = desk.event(request.title, request.date)
    words = desk.last_words(request.title, request.date)
    invited, steps = names(row["people"]), []
    for nickname, share in desk.amounts(event, "share").items():
        contact, person = desk.contact("nickname", nickname)
        came = not words.get(nickname, "").startswith("I cannot")
        amount = share - desk.paid(event, person["name"], ME)
        least = policy.minimum if policy.has("minimum") else 1
        is_family = policy.has("family") and person["team"] == "family"
        excepted = is_family or desk.is_blocked(person["name"])
        if came and person["name"] in invited and amount >= least and not excepted:
            step = {"contact": contact, "amount": amount, "event": number}
            steps.append(Deed("request_payment", step))
    return steps


def _repay(desk: Desk, request: Request) -> list[Deed]:
    policy, event = desk.policy, f"{request.title} {request.date}"
    number, _ = desk.event(request.title, request.date)
    steps = []
    for nickname, advance in desk.amounts(event, "advanced").items():
        contact, person = desk.contact("nickname", nickname)
        amount = advance - desk.paid(event, ME, person["name"])
        least = policy.minimum if policy.has("minimum") else 1
        if amount < least or desk.is_blocked(person["name"]):
            continue
        if policy.has("limit") and amount > policy.limit:
            title = f"pay {person['name']}"
            steps.append(Deed("add_todo", {"title": title, "due": policy.today}))
        else:
            step = {"contact": contact, "amount": amount, "event": number}
            steps.append(Deed("pay", step))
    return steps


def _is_asking(message: Row) -> bool:
    return ASKING.fullmatch(message["text"]) is not None


def _todo(desk: Desk, request: Request) -> list[Deed]:
    shared = {row["name"]: names(row["shared_with"]) for _, row in desk.known.rows("file")}
    titles = {row["title"].casefold() for _, row in desk.known.rows("todo")}
    steps = []
    for _, message in desk.known.by("message", _is_asking).get(True, ()):
        match = ASKING.fullmatch(message["text"])
        if not match:
            continue
        _, person = desk.contact("nickname", message["sender"])
        if person["team"] != request.team or person["name"] in shared[match[1]]:
            continue
        title, due = f"send {match[1]} to {person['name']}", date.fromisoformat(match[2])
        if title.casefold() in titles:
            continue
        if desk.policy.has("weekend"):
            due -= timedelta(max(0, due.weekday() - 4))
        steps.append(Deed("add_todo", {"title": title, "due": due.isoformat()}))
    return steps


def _invite(desk: Desk, request: Request) -> list[Deed]:
    number, event = desk.event(request.title, request.date)
    invited, steps = names(event["people"]), []
    for nickname, text in desk.last_words(request.title, request.date).items():
        contact, person = desk.contact("nickname", nickname)
        wants = text == COMES.format(request.title, request.date)
        free = not is_away(desk.policy, person, request.date)
        new = person["name"] not in invited and not desk.is_blocked(person["name"])
        if wants and free and new and person["team"] == request.team:
            steps.append(Deed("invite", {"event": number, "contact": contact}))
    return steps


def is_away(policy: Policy, person: Row, day: str) -> bool:
    """Whether the policy takes a person to be away on a date."""
    away = person["away_from"] and person["away_from"] <= day <= person["away_until"]
    return bool(policy.has("away") and away)


def _halves(time: str) -> int:
    """The half-hours from midnight to a time."""
    return 2 * int(time[:2]) + int(time[3:]) // 30


def _reschedule(desk: Desk, request: Request) -> list[Deed]:
    events = dict(desk.known.rows("event"))
    meetings = sorted(
        (row["start"], number)
        for number, row in events.items()
        if row["date"] == request.date
        and row["end"] <= "17:00"
        and any(
            desk.contact("name", name)[1]["team"] == request.team for name in names(row["people"])
        )
    )
    steps = []
    for _, number in meetings:
        row = events[number]
        others = [other for n, other in events.items() if n != number]
        attending = [desk.contact("name", name)[1] for name in names(row["people"])]
        length = _halves(row["end"]) - _halves(row["start"])
        day, start = _next_free(desk.policy, request.date, length, others, attending)
        begin, end = clock(start), clock(start + length)
        events[number] = {**row, "date": day, "start": begin, "end": end}
        steps.append(Deed("move_event", {"event": number, "date": day, "start": begin}))
    return steps


def _next_free(
    policy: Policy, day: str, length: int, others: list[Row], attending: list[Row]
) -> tuple[str, int]:
    """The first free time of a length after a day."""
    for when in _days_after(day):
        busy = [
            (_halves(other["start"]), _halves(other["end"]))
            for other in others
            if other["date"] == when
        ]
        if policy.has("lunch"):
            busy.append((NOON, NOON + 2))
        if date.fromisoformat(when).weekday() == policy.closed and policy.has("closed"):
            continue
        if any(is_away(policy, person, when) for person in attending):
            continue
        for start in range(FIRST, LAST - length + 1):
            if all(start + length <= begin or end <= start for begin, end in busy):
                return when, start
    raise AssertionError("days do not end")


def _days_after(day: str) -> Iterator[str]:
    """The days from Monday to Friday after a date."""
    start = date.fromisoformat(day)
    days = (start + timedelta(n) for n in count(1))
    return (each.isoformat() for each in days if each.weekday() < 5)


def _share(desk: Desk, request: Request) -> list[Deed]:
    _, event = desk.event(request.title, request.date)
    steps = []
    for base in desk.note(f"Files: {request.title} {request.date}"):
        versions = [
            (int(row["name"].rpartition("-v")[2]), number, row)
            for number, row in desk.known.rows("file")
            if row["name"].rpartition("-v")[0] == base
        ]
        versions.sort(key=lambda version: version[0])
        for _, number, row in versions[-1:] if desk.policy.has("newest") else versions:
            for name in names(event["people"]):
                contact, person = desk.contact("name", name)
                private = desk.policy.has("private") and row["folder"] == "Private"
                allowed = not desk.is_blocked(name) and (not private or person["team"] == "family")
                if allowed and name not in names(row["shared_with"]):
                    steps.append(Deed("share_file", {"file": number, "contact": contact}))
    return steps


def _settle(desk: Desk, request: Request) -> list[Deed]:
    payments, steps = desk.known.by("payment", "event"), []
    about = f" for {request.title} "
    for number, row in desk.known.rows("todo"):
        if row["done"] or about not in row["title"]:
            continue
        if match := OWING.fullmatch(row["title"]):
            wanted = (match[2], ME, "done")
            amounts = [
                payment["amount"]
                for _, payment in payments.get(match[3], ())
                if (payment["payer"], payment["receiver"], payment["status"]) == wanted
            ]
            if max(amounts, default=0) >= int(match[1]):
                steps.append(Deed("complete_todo", {"todo": number}))
    return steps


_DEEDS: Mapping[Action, Callable[[Desk, Request], list[Deed]]] = {
    "collect": _collect,
    "todo": _todo,
    "invite": _invite,
    "repay": _repay,
    "reschedule": _reschedule,
    "share": _share,
    "settle": _settle,
}
