"""What the policy of a domain says on a request, and the calls that carry it out."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from palaestra.generators.tools.generated_world.domain import LARGEST, Action, Domain
from palaestra.generators.tools.generated_world.tables import Row

IMPOSSIBLE = 0
"""What a request is declined by that no calls can fulfil."""


class Description(NamedTuple):
    """How a request names a record: by its label, and where that is not enough by its trait or its
    owner's label.
    """

    entity: int
    label: str
    trait: str = ""
    owner: str = ""

    def fits(self, row: Row) -> bool:
        """Whether a row has the label and the trait."""
        return row.label == self.label and self.trait in ("", row.trait)


class Request(NamedTuple):
    """A request about a record: to bring it into a ``state``, to change its stock by an
    ``amount``, to give it to a ``receiver``, or to count the records in a ``state`` it owns.
    """

    action: Action
    record: Description
    state: str = ""
    amount: int = 0
    receiver: Description | None = None


class Step(NamedTuple):
    """A call that a request needs."""

    tool: str
    arguments: dict[str, int | str]


class Records(Protocol):
    """Access to the records of a world."""

    def find(self, description: Description) -> Row:
        """The record that a description names."""

    def row(self, entity: int, number: int) -> Row:
        """The record with an id."""

    def owned(self, entity: int, owner: int) -> Sequence[int]:
        """The ids of the records of a type that an owner has."""


class _Declined(Exception):
    """A request that no calls can fulfil."""


class _Plan:
    """The steps of a request, and the rules against them."""

    def __init__(self, domain: Domain, records: Records) -> None:
        self.domain, self.records = domain, records
        self.steps: list[Step] = []
        self.against: set[int] = set()
        self.rows: dict[tuple[int, int], Row] = {}

    def row(self, entity: int, number: int) -> Row:
        """A row as it is after the steps so far."""
        if (entity, number) not in self.rows:
            self.rows[entity, number] = self.records.row(entity, number)
        return self.rows[entity, number]

    def advance(self, entity: int, number: int, state: str) -> None:
        """Bring a record into a state, and before each transition its owner into that of the guard.

        All steps are forced: the transitions form a tree, and guards name one state each.
        """
        definition = self.domain.entities[entity]
        path = definition.path(self.row(entity, number).state, state)
        if path is None:
            raise _Declined
        for step in path:
            row = self.row(entity, number)
            if step.guard and self.row(entity - 1, row.owner).state != step.guard:
                self.advance(entity - 1, row.owner, step.guard)
            if row.stock < step.cost:
                raise _Declined
            self.check(entity, "advance", step.after, row)
            self.steps.append(Step(step.tool, {"id": number}))
            changed = row._replace(state=step.after, stock=row.stock - step.cost)
            self.rows[entity, number] = changed

    def adjust(self, entity: int, row: Row, amount: int) -> None:
        """Change the stock of a record."""
        if not 0 <= row.stock + amount <= LARGEST:
            raise _Declined
        self.check(entity, "adjust", "", row)
        definition = self.domain.entities[entity]
        self.steps.append(Step(definition.adjust, {"id": row.number, "amount": amount}))

    def assign(self, entity: int, row: Row, owner: Row) -> None:
        """Give a record to another owner."""
        definition = self.domain.entities[entity]
        if len(self.records.owned(entity, owner.number)) >= definition.capacity:
            raise _Declined
        self.check(entity, "assign", "", row)
        self.steps.append(
            Step(definition.assign, {"id": row.number, definition.owner: owner.number})
        )

    def check(self, entity: int, action: Action, after: str, row: Row) -> None:
        """Note the rules that forbid an action."""
        self.against |= {
            number
            for number, rule in enumerate(self.domain.rules, 1)
            if rule.forbids(entity, action, after, row.trait, row.stock)
        }


def decide(domain: Domain, records: Records, request: Request, number: int) -> list[Step]:
    """The calls that a request with a number needs: those that fulfil it, or the one that declines
    it.
    """
    entity = request.record.entity
    row = records.find(request.record)
    if request.action == "count":
        owned = records.owned(entity + 1, row.number)
        states = [records.row(entity + 1, each).state for each in owned]
        value = states.count(request.state)
        return [Step(domain.answer, {"request": number, "value": value})]
    plan = _Plan(domain, records)
    try:
        if request.action == "advance":
            plan.advance(entity, row.number, request.state)
        elif request.action == "adjust":
            plan.adjust(entity, row, request.amount)
        else:
            assert request.receiver
            plan.assign(entity, row, records.find(request.receiver))
    except _Declined:
        return [Step(domain.decline, {"request": number, "rule": IMPOSSIBLE})]
    if plan.against:
        return [Step(domain.decline, {"request": number, "rule": min(plan.against)})]
    return plan.steps
