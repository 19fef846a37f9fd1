"""Random requests that change something in a mailbox."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from random import Random
from typing import TypedDict

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.errands import Asking, Wanted
from palaestra.generators.tools.mail_desk.app import TOOLS
from palaestra.generators.tools.mail_desk.decisions import Desk, deeds
from palaestra.generators.tools.mail_desk.mailbox import FOLDERS, LABELS, NOTES
from palaestra.generators.tools.mail_desk.policy import Policy
from palaestra.generators.tools.mail_desk.requests import Request, Selection
from palaestra.generators.tools.records import RecordWorld, Row, Tables


class _Conditions(TypedDict, total=False):
    """The fields of a selection that are not empty."""

    folder: str
    name: str
    company: str
    topic: str
    since: str
    until: str
    extension: str
    least: int


class MailAsking(Asking[Request, Policy]):
    """Draws requests about a mailbox; ``conditions`` is the number of those that messages meet."""

    single = frozenset({"forward", "answer"})
    unruled = frozenset({"label", "merge"})

    def __init__(
        self, rng: Random, tables: Tables, policy: Policy, wanted: Wanted, conditions: int
    ) -> None:
        super().__init__(rng, RecordWorld(TOOLS, tables), policy, wanted)
        self.conditions = conditions
        self.contacts = [row for _, row in self.known.rows("contact")]
        self.senders = {each: row for row in self.contacts for each in row["emails"].split(", ")}
        names = [(row["name"], row["company"]) for row in self.contacts]
        self.receivers = [each for each in names if names.count(each) == 1 and each[0] != each[1]]
        """People with one contact, to whom messages are forwarded."""

    def ask(self, action: str) -> Request:
        return _DRAW[action](self)

    def deeds(self, known: Known, policy: Policy, request: Request) -> list[Deed]:
        return deeds(known, policy, request)

    def selection(self) -> Selection:
        """Conditions, which random messages meet."""
        rng = self.rng
        _, model = rng.choice(self.known.by("message", _is_mine)[False])
        sender = self.senders.get(model["sender"])
        conditions: dict[str, _Conditions] = {}
        day = date.fromisoformat(model["date"][:10])
        if sender is not None:
            named = rng.randrange(3) > 0
            conditions["sender"] = {"company": sender["company"]}
            if named:
                conditions["sender"]["name"] = sender["name"]
        topics = [topic for topic in NOTES if topic in model["subject"]]
        if topics:
            conditions["topic"] = {"topic": topics[0]}
        conditions["since"] = {"since": (day - timedelta(rng.randint(0, 12))).isoformat()}
        conditions["until"] = {"until": (day + timedelta(rng.randint(0, 12))).isoformat()}
        if model["attachments"]:
            conditions["extension"] = {"extension": model["attachments"].rpartition(".")[2]}
        if model["subject"].startswith("Invoice"):
            conditions = {"least": {"least": rng.randint(1, 9) * 100}, **conditions}
        first = [*conditions][: 1 if "least" in conditions else 0]
        others = [name for name in conditions if name not in first]
        number = min(self.conditions, len(others))
        values: _Conditions = {"folder": model["folder"]}
        for name in [*first, *rng.sample(others, number)]:
            values |= conditions[name]
        return Selection(**values)


def _is_mine(message: Row) -> bool:
    return bool(message["folder"] == "Sent")


def _is_question(message: Row) -> bool:
    return "What is the" in message["body"]


def _file(asking: MailAsking) -> Request:
    which = asking.selection()
    others = [folder for folder in FOLDERS if folder not in (which.folder, "Sent")]
    return Request("file", which, asking.rng.choice(others))


def _label(asking: MailAsking) -> Request:
    return Request("label", asking.selection(), asking.rng.choice(LABELS[:6]))


def _forward(asking: MailAsking) -> Request:
    rng, policy = asking.rng, asking.policy
    name, company = rng.choice(asking.receivers)
    if policy.has("deputy") and rng.randrange(3) == 0:
        name, company = next(each for each in asking.receivers if each[0] == policy.away)
    which = asking.selection()
    return Request("forward", which, name=name, company=company, newest=rng.random() < 0.5)


def _answer(asking: MailAsking) -> Request:
    """A question of which a person asks just one about the event."""
    rng = asking.rng
    questions = asking.known.by("message", _is_question)[True]
    _, row = rng.choice(questions)
    question = row["body"].partition("What is the ")[2].partition("?")[0]
    event = question.rpartition(" of the ")[2]
    contact = asking.senders[row["sender"]]
    request = Request("answer", target=event, name=contact["name"], company=contact["company"])
    addresses = Desk(asking.known, asking.policy).addresses(contact["name"], contact["company"])
    same = [
        each
        for _, each in questions
        if each["sender"] in addresses and f" of the {event}?" in each["body"]
    ]
    return request if len(same) == 1 else request._replace(target="")


def _unsubscribe(asking: MailAsking) -> Request:
    return Request("unsubscribe", number=asking.rng.randint(2, 4))


def _merge(asking: MailAsking) -> Request:
    return Request("merge", target=asking.rng.choice(asking.contacts)["company"])


def _remind(asking: MailAsking) -> Request:
    _, row = asking.rng.choice(asking.known.by("message", _is_mine)[True])
    return Request("remind", target=row["subject"].removeprefix("Your vote on the "))


_DRAW: Mapping[str, Callable[[MailAsking], Request]] = {
    "file": _file,
    "label": _label,
    "forward": _forward,
    "answer": _answer,
    "unsubscribe": _unsubscribe,
    "merge": _merge,
    "remind": _remind,
}
