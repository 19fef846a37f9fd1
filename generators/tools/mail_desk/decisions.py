"""What requests need by the policy, from what somebody knows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.mail_desk.policy import Policy
from palaestra.generators.tools.mail_desk.requests import Action, Request, Selection
from palaestra.generators.tools.records import Row

Message = tuple[int, Row]


class Desk(NamedTuple):
    """What is known, and the policy."""

    known: Known
    policy: Policy

    def addresses(self, name: str, company: str) -> set[str]:
        """The addresses of a person, or of all people of a company."""
        return {
            address
            for _, row in self.known.by("contact", "company").get(company, ())
            if name in ("", row["name"])
            for address in row["emails"].split(", ")
        }

    def selected(self, which: Selection) -> list[Message]:
        """The messages that meet conditions, the oldest first."""
        senders = self.addresses(which.name, which.company) if which.company else None
        last = which.until or "9"
        messages = [
            (number, row)
            for number, row in self.known.by("message", "folder").get(which.folder, ())
            if (senders is None or row["sender"] in senders)
            and which.topic in row["subject"]
            and which.since <= row["date"][:10] <= last
            and (not which.extension or f".{which.extension}" in row["attachments"])
            and (not which.least or total(row) >= which.least)
        ]
        return sorted(messages, key=lambda message: message[1]["date"])

    def outside(self, address: str) -> bool:
        """Whether mail to an address is saved as a draft."""
        policy = self.policy
        if not policy.has("outside") or address.endswith(f"@{policy.domain}"):
            return False
        return not (policy.has("partner") and address in self.addresses("", policy.partner))

    def approved(self, number: int, row: Row) -> list[Deed]:
        """The label that an invoice needs when it goes elsewhere."""
        policy = self.policy
        if not policy.has("approval") or total(row) < policy.limit:
            return []
        return self.labelled(number, row, policy.approval)

    @staticmethod
    def labelled(number: int, row: Row, label: str) -> list[Deed]:
        """A label for a message that does not have it yet."""
        if label in row["labels"].split(", "):
            return []
        return [Deed("add_label", {"message": number, "label": label})]

    def confidential(self, row: Row) -> bool:
        """Whether a message is not sent anywhere."""
        policy = self.policy
        labels = row["labels"].split(", ")
        return policy.has("confidential") and policy.confidential in labels


def total(row: Row) -> int:
    """The total of an invoice in euros; 0 for other messages."""
    if not row["attachments"].startswith("invoice") or "The total is " not in row.get("body", ""):
        return 0
    return int(row["body"].partition("The total is ")[2].partition(" EUR")[0])


def deeds(known: Known, policy: Policy, request: Request) -> list[Deed]:
    """The calls that a request needs, by what is known."""
    return _DEEDS[request.action](Desk(known, policy), request)


def _file(desk: Desk, request: Request) -> list[Deed]:
    policy, steps = desk.policy, list[Deed]()
    for number, row in desk.selected(request.which):
        held = policy.has("hold") and policy.hold in row["labels"].split(", ")
        if held and not (policy.has("expired") and row["date"] < policy.expiry):
            continue
        steps.append(Deed("move_message", {"message": number, "folder": request.target}))
        steps += desk.approved(number, row)
    return steps


def _label(desk: Desk, request: Request) -> list[Deed]:
    messages = desk.selected(request.which)
    return [step for message in messages for step in desk.labelled(*message, request.target)]


def _forward(desk: Desk, request: Request) -> list[Deed]:
    messages = desk.selected(request.which)
    if not messages:
        return []
    number, row = messages[-1 if request.newest else 0]
    policy = desk.policy
    if desk.confidential(row):
        return desk.labelled(number, row, policy.refused)
    name, company = request.name, request.company
    (address,) = desk.addresses(name, company)
    if policy.has("deputy") and name == policy.away and address.endswith(f"@{policy.domain}"):
        (address,) = desk.addresses(policy.deputy, company)
    step = {"message": number, "to": address, "draft": desk.outside(address)}
    return [Deed("forward_message", step), *desk.approved(number, row)]


def question_of(desk: Desk, request: Request) -> tuple[int, Row, str] | None:
    """The message with the question of a request, and the attribute that it asks for."""
    senders = desk.addresses(request.name, request.company)
    end = f" of the {request.target}?"
    for number, row in desk.known.rows("message"):
        if row["sender"] not in senders or end not in row.get("body", ""):
            continue
        line = next(line for line in row["body"].splitlines() if line.endswith(end))
        return number, row, line.removeprefix("What is the ").removesuffix(end)
    return None


def _answer(desk: Desk, request: Request) -> list[Deed]:
    question = question_of(desk, request)
    if question is None:
        return []
    number, row, attribute = question
    if desk.confidential(row):
        return desk.labelled(number, row, desk.policy.refused)
    value = stated(desk, request.target, attribute)
    step = {"message": number, "text": value, "draft": desk.outside(row["sender"])}
    return [Deed("reply", step)]


def stated(desk: Desk, event: str, attribute: str) -> str:
    """The value of an attribute of an event by the latest statement that counts."""
    subjects, subject = desk.known.by("message", "subject"), f"About the {event}"
    messages = [*subjects.get(subject, ()), *subjects.get(f"Re: {subject}", ())]
    about = sorted((row for _, row in messages), key=lambda row: row["date"])
    organiser = next(row["sender"] for row in about if f"I organise the {event}." in row["body"])
    start, value = f"The {attribute} of the {event} is ", ""
    for row in about:
        if desk.policy.has("organiser") and row["sender"] != organiser:
            continue
        for line in row["body"].splitlines():
            if line.startswith(start):
                value = line.removeprefix(start).removesuffix(".")
    return value


def _unsubscribe(desk: Desk, request: Request) -> list[Deed]:
    steps = []
    contacts = {row["emails"] for _, row in desk.known.rows("contact")}
    issues = desk.known.by("message", "sender")
    for _, row in desk.known.rows("subscription"):
        address = row["address"]
        protected = desk.policy.has("protected") and address in contacts
        if row["active"] and len(issues.get(address, ())) >= request.number and not protected:
            steps.append(Deed("unsubscribe", {"address": address}))
    return steps


def identity(policy: Policy, row: Row) -> str:
    """What two contacts of the same person have in common."""
    if policy.criterion == "phone":
        return "".join(filter(str.isdecimal, row["phone"]))
    user, _, host = row["emails"].lower().partition("@")
    return f"{user.partition('+')[0]}@{host}"


def _merge(desk: Desk, request: Request) -> list[Deed]:
    people: dict[str, list[tuple[int, Row]]] = {}
    for number, row in desk.known.by("contact", "company").get(request.target, ()):
        people.setdefault(identity(desk.policy, row), []).append((number, row))
    steps = []
    for entries in people.values():
        ordered = sorted(entries)
        if desk.policy.survivor == "latest update":
            ordered.sort(key=lambda entry: entry[1]["updated"], reverse=True)
        (kept, _), *others = ordered
        steps += [Deed("merge_contacts", {"kept": kept, "merged": n}) for n, _ in others]
    return steps


def _remind(desk: Desk, request: Request) -> list[Deed]:
    policy, threads = desk.policy, desk.known.by("message", "thread")
    steps = []
    for number, row in desk.known.by("message", "subject").get(
        f"Your vote on the {request.target}", ()
    ):
        recent = policy.has("patience") and row["date"] >= policy.patience
        answered = any(
            each["sender"] == row["to"] and each["date"] > row["date"]
            for _, each in threads[row["thread"]]
        )
        if row["folder"] == "Sent" and not recent and not answered:
            steps.append(Deed("draft_reminder", {"message": number}))
    return steps


_DEEDS: Mapping[Action, Callable[[Desk, Request], list[Deed]]] = {
    "file": _file,
    "label": _label,
    "forward": _forward,
    "answer": _answer,
    "unsubscribe": _unsubscribe,
    "merge": _merge,
    "remind": _remind,
}
