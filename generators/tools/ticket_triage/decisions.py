"""What a ticket needs by the policy, from the rows that somebody knows."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Numbered
from palaestra.generators.tools.named_records import Rows
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.ticket_triage.grammar import Facts, reading
from palaestra.generators.tools.ticket_triage.policy import LOWEST, Policy, Rule
from palaestra.generators.tools.ticket_triage.records import hours_between

PRIORITIES = {"one person": 3, "several people": 2, "everybody": 1}


class Desk(NamedTuple):
    """The rows that are known, the policy, and the time."""

    rows: Rows
    policy: Policy
    now: str

    def facts(self, number: int) -> Facts:
        """What a ticket is about, as far as it has been read."""
        messages = sorted(
            (row["time"], row["text"])
            for _, row in self.rows("message")
            if row["ticket"] == number and row["sender"] == "customer"
        )
        facts = Facts()
        for _, text in messages:
            facts = reading(facts, text)
        return facts

    def original(self, number: int, ticket: Row) -> int:
        """The ticket that this one is a duplicate of, or 0."""
        facts = self.facts(number)
        same = [
            (row["opened"], other)
            for other, row in self.of_organisation(ticket)
            if row["status"] == "open"
            and 0 < hours_between(row["opened"], ticket["opened"]) <= self.policy.window
            and self.facts(other)[:2] == facts[:2]
        ]
        return min(same)[1] if same else 0

    def of_organisation(self, ticket: Row) -> list[Numbered]:
        """The tickets of the organisation of a ticket."""
        organisation = ticket["organisation"]
        return [each for each in self.rows("ticket") if each[1]["organisation"] == organisation]

    def repeats(self, ticket: Row, product: str) -> int:
        """How many closed tickets an organisation has about a product in the last days."""
        return sum(
            row["status"] == "closed"
            and 0 < hours_between(row["opened"], ticket["opened"]) <= 24 * self.policy.days
            and self.facts(number).product == product
            for number, row in self.of_organisation(ticket)
        )


class Outcome(NamedTuple):
    """What a ticket gets; ``incident`` is a number or 0."""

    priority: int
    team: str
    incident: int = 0
    has_article: bool = True
    escalates: bool = False

    def raised(self, by: int = 1) -> "Outcome":
        """With another priority."""
        return self._replace(priority=min(LOWEST, max(1, self.priority - by)))


class Case(NamedTuple):
    """A ticket with all that the rules are about."""

    desk: Desk
    ticket: Row
    customer: Row
    facts: Facts


def deeds(desk: Desk, number: int) -> list[Deed]:
    """The calls that a ticket needs."""
    ticket = dict(desk.rows("ticket"))[number]
    facts = desk.facts(number)
    if facts.withdrawn:
        return [Deed("close_ticket", {"ticket": number})]
    if original := desk.original(number, ticket):
        return [Deed("merge_ticket", {"ticket": number, "into": original})]
    category, team = desk.policy.category(facts.symptom)
    customer = dict(desk.rows("customer"))[ticket["customer"]]
    case = Case(desk, ticket, customer, facts)
    outcome = Outcome(PRIORITIES[facts.impact], team)
    for rule in desk.policy.rules:
        outcome = _APPLY[rule](case, outcome)
    return [*_calls(case, number, category, outcome)]


def _calls(case: Case, number: int, category: str, outcome: Outcome) -> Iterator[Deed]:
    yield Deed("set_category", {"ticket": number, "category": category})
    yield Deed("set_priority", {"ticket": number, "priority": outcome.priority})
    yield Deed("set_team", {"ticket": number, "team": outcome.team})
    if outcome.incident:
        yield Deed("link_incident", {"ticket": number, "incident": outcome.incident})
    if outcome.has_article and (article := _article(case)):
        yield Deed("send_article", {"ticket": number, "article": article})
    if outcome.escalates and _is_late(case, outcome):
        yield Deed("escalate", {"ticket": number})


def _article(case: Case) -> int:
    """The article that fits, or 0."""
    policy, facts = case.desk.policy, case.facts
    articles = [
        (row["updated"], number)
        for number, row in case.desk.rows("article")
        if (row["product"], row["problem"], row["status"])
        == (facts.product, facts.symptom, "current")
        and (not policy.has("version") or str(facts.version) in row["versions"].split(", "))
    ]
    return max(articles)[1] if articles else 0


def _is_late(case: Case, outcome: Outcome) -> bool:
    """Whether a ticket is older than its priority allows, unless a rule is patient."""
    policy = case.desk.policy
    spared = case.customer["plan"] == "starter" or outcome.incident
    if policy.has("patient") and spared:
        return False
    age = hours_between(case.ticket["opened"], case.desk.now)
    return age > policy.limits[outcome.priority - 1]


def _incident(case: Case, outcome: Outcome) -> Outcome:
    for number, row in case.desk.rows("incident"):
        fits = (row["product"], row["problem"], row["region"], row["status"]) == (
            case.facts.product, case.facts.symptom, case.customer["region"], "open",
        )  # fmt: skip
        if fits and row["started"] < case.ticket["opened"]:
            return outcome._replace(team=row["team"], incident=number, has_article=False)
    return outcome


def _expired(case: Case, outcome: Outcome) -> Outcome:
    if case.customer["contract_until"] >= case.desk.now[:10]:
        return outcome
    return outcome._replace(team=case.desk.policy.expired_team, priority=LOWEST, has_article=False)


def _repeat(case: Case, outcome: Outcome) -> Outcome:
    number = case.desk.repeats(case.ticket, case.facts.product)
    return outcome.raised() if number >= case.desk.policy.repeats else outcome


_APPLY: Mapping[Rule, Callable[[Case, Outcome], Outcome]] = {
    "enterprise": lambda case, outcome: (
        outcome.raised() if case.customer["plan"] == "enterprise" else outcome
    ),
    "starter": lambda case, outcome: (
        outcome.raised(-1) if case.customer["plan"] == "starter" else outcome
    ),
    "critical": lambda case, outcome: (
        outcome._replace(priority=1) if case.facts.symptom in case.desk.policy.critical else outcome
    ),
    "product": lambda case, outcome: (
        outcome._replace(team=case.desk.policy.product_team)
        if case.facts.product == case.desk.policy.product
        else outcome
    ),
    "region": lambda case, outcome: (
        outcome._replace(team=case.desk.policy.region_team)
        if case.customer["region"] == case.desk.policy.region
        else outcome
    ),
    "incident": _incident,
    "calm": lambda case, outcome: (
        outcome._replace(priority=LOWEST) if outcome.incident else outcome
    ),
    "silent": lambda case, outcome: (
        outcome._replace(has_article=False) if outcome.priority == 1 else outcome
    ),
    "repeat": _repeat,
    "version": lambda case, outcome: outcome,
    "escalate": lambda case, outcome: outcome._replace(escalates=True),
    "patient": lambda case, outcome: outcome,
    "expired": _expired,
}
