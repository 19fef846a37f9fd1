"""A player who knows the policy, and reads everything else through the tools."""

from typing import Any, NamedTuple

from palaestra.generators.tools.apps import Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.ticket_triage.decisions import Desk, deeds
from palaestra.generators.tools.ticket_triage.policy import Policy
from palaestra.generators.tools.ticket_triage.records import hours_between


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    follow_ups: bool = True
    """Whether it reads more than the first message of a ticket."""
    others: bool = True
    """Whether it reads the other tickets of an organisation."""


CAREFUL = Habits()


def triage(policy: Policy, now: str, since: str, habits: Habits = CAREFUL) -> Client:
    """Handle all new tickets that were opened since a time."""
    new = yield from listed("list_tickets", new=True, most=habits.rows)
    for row in sorted(new, key=lambda row: row["opened"]):
        if row["opened"] < since:
            continue
        reader = _Reader(policy, now, habits)
        yield from reader.read(row["id"])
        yield from calling(reader.decided(row["id"]))


class _Reader:
    """What is known for one ticket."""

    def __init__(self, policy: Policy, now: str, habits: Habits) -> None:
        self.habits, self.book = habits, Known()
        self.desk = Desk(self.book.rows, policy, now)

    def decided(self, number: int) -> list[Any]:
        """The calls that the ticket needs; none where a lazy client has not read enough."""
        facts = self.desk.facts(number)
        return deeds(self.desk, number) if facts.withdrawn or facts.impact else []

    def read(self, number: int) -> Reading:
        """Read all that a ticket depends on."""
        yield from self._ticket(number)
        ticket = dict(self.book.rows("ticket"))[number]
        facts = self.desk.facts(number)
        if facts.withdrawn:
            return
        if self.habits.others:
            yield from self._others(ticket["organisation"], ticket["opened"])
        if self.desk.original(number, ticket):
            return
        organisation = ticket["organisation"]
        rows = yield from listed("find_customers", organisation=organisation)
        self.book.note("customer", rows)
        yield from self._list("incident", "list_incidents", product=facts.product)
        yield from self._list(
            "article", "search_articles", product=facts.product, problem=facts.symptom
        )

    def _list(self, table: str, tool: str, **arguments: str) -> Reading:
        self.book.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))

    def _ticket(self, number: int) -> Reading:
        """Read a ticket with its messages."""
        ticket, *messages = yield from listed("read_ticket", ticket=number)
        self.book.note("ticket", [ticket])
        self.book.note("message", messages if self.habits.follow_ups else messages[:1])

    def _others(self, organisation: str, opened: str) -> Reading:
        """Read the tickets of an organisation that may be originals or repeated."""
        policy = self.desk.policy
        rows = yield from listed("list_tickets", organisation=organisation, most=self.habits.rows)
        for row in rows:
            age = hours_between(row["opened"], opened)
            hours = {"open": policy.window, "closed": 24 * policy.days * policy.has("repeat")}
            if row["organisation"] == organisation and 0 < age <= hours.get(row["status"], 0):
                yield from self._ticket(row["id"])
