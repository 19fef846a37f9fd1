"""Requests of a conversation, and what each of them comes to on the ledgers as they are then."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.stateful_calls.domain import LARGEST, Entity, Row, Table

Action = Literal["list", "count", "look", "adjust", "transfer", "state", "enter", "undo", "repeat"]

Manner = Literal["label", "listed", "latest", "entered"]

DEEDS = frozenset({"adjust", "transfer", "state", "enter"})
"""The actions that change records."""


class Reference(NamedTuple):
    """How a request names a record."""

    manner: Manner
    entity: int
    label: str = ""
    trait: str = ""
    """What tells the record from others of the same label, if there are any."""
    position: int = 0
    """In the latest list, from 1; -1 is the last of it."""


Gap = Literal["amount", "state", "receiver", "which"]
"""What a request may leave open."""


class Request(NamedTuple):
    """A request. ``repeat`` does again what an earlier request did, with what it states instead."""

    action: Action
    entity: int
    target: Reference | None = None
    receiver: Reference | None = None
    amount: int = 0
    """In small or large units; negative if a stock becomes smaller."""
    in_large: bool = False
    counted: bool = False
    """Whether the amount is the number that the request before asks for."""
    factor: int = 1
    """By what a repetition multiplies the amount."""
    state: str = ""
    trait: str = ""
    label: str = ""
    by_stock: bool = False
    """Whether a list begins with the largest stock, and not with the smallest id."""
    back: int = 1
    """Which earlier request is undone or repeated: 1 is the one before."""
    missing: Gap | Literal[""] = ""
    """What the request does not say, but the user does when asked."""

    def visible(self) -> "Request":
        """The request without what it does not say."""
        match self.missing:
            case "amount":
                return self._replace(amount=-1 if self.amount < 0 else 1, in_large=False)
            case "state":
                return self._replace(state="")
            case "receiver":
                return self._replace(receiver=None)
            case "which":
                assert self.target
                return self._replace(target=self.target._replace(trait=""))
        return self


class Deed(NamedTuple):
    """A change that a request comes to, with amounts in small units."""

    action: Literal["adjust", "transfer", "state", "enter", "remove"]
    entity: int
    number: int
    receiver: int = 0
    amount: int = 0
    before: str = ""
    after: str = ""
    label: str = ""


class Outcome(NamedTuple):
    """What a request comes to: a deed, a report, or neither if it has to be declined."""

    deed: Deed | None = None
    report: str = ""
    listed: tuple[int, ...] = ()
    """The ids of a list, whose type is ``entity``."""
    entity: int = -1
    latest: tuple[int, int] | None = None
    """The type and the id of the record that it is about."""

    @property
    def is_declined(self) -> bool:
        """Whether it has to be declined."""
        return self.deed is None and not self.report


class Impossible(Exception):
    """A request that the tools cannot fulfil."""


class Unclear(Exception):
    """A request that refers to nothing."""


def differences(entity: str, before: Row | None, after: Row | None) -> Changes:
    """The values of a record that differ, by ``("row", type, id, column)``.

    All values of a new one do; one that is gone has ``exists`` as its only column.
    """
    if after is None:
        return {("row", entity, str(before.number), "exists"): False} if before else {}
    old = before._asdict() if before else {}
    return {
        ("row", entity, str(after.number), column): value
        for column, value in after._asdict().items()
        if column not in old or value != old[column]
    }


class Course:
    """The records in the course of a conversation that goes as it should."""

    def __init__(
        self, entities: Sequence[Entity], rates: Sequence[int], records: Sequence[Sequence[Row]]
    ) -> None:
        self.entities, self.rates = entities, rates
        self.tables: list[Table] = [{row.number: row for row in rows} for rows in records]
        self.outcomes: list[Outcome] = []

    def outcome(self, request: Request) -> Outcome:
        """What a request comes to now. Raises :class:`Unclear` if it refers to nothing."""
        try:
            if request.action in {"list", "count"}:
                return self._listing(request)
            if request.action == "look":
                row = self._row(request.target)
                report = row.state if request.state else str(row.stock)
                return Outcome(report=report, latest=(request.entity, row.number))
            deed = self._deed(request)
            self._check(deed)
        except Impossible:
            return Outcome()
        return Outcome(deed, latest=(deed.entity, deed.number))

    def changes(self, start: Sequence[Table]) -> Changes:
        """All values that differ from a start, by ``("row", type, id, column)``."""
        values: Changes = {}
        for n, (before, after) in enumerate(zip(start, self.tables)):
            for number in sorted(before.keys() | after.keys()):
                values |= differences(str(n), before.get(number), after.get(number))
        return values

    def go_on(self, outcome: Outcome) -> None:
        """Let an outcome happen."""
        self.outcomes.append(outcome)
        deed = outcome.deed
        if deed is None:
            return
        table = self.tables[deed.entity]
        if deed.action == "remove":
            del table[deed.number]
            return
        if deed.action == "enter":
            entity = self.entities[deed.entity]
            table[deed.number] = Row(
                deed.number, deed.label, deed.after, 0, entity.states[0], sealed=False
            )
            return
        row = table[deed.number]
        if deed.action == "state":
            table[deed.number] = row._replace(state=deed.after)
        elif deed.action == "adjust":
            table[deed.number] = row._replace(stock=row.stock + deed.amount)
        else:
            other = table[deed.receiver]
            table[deed.number] = row._replace(stock=row.stock - deed.amount)
            table[deed.receiver] = other._replace(stock=other.stock + deed.amount)

    def _listing(self, request: Request) -> Outcome:
        rows = [
            row
            for row in self.tables[request.entity].values()
            if request.state in {"", row.state} and request.trait in {"", row.trait}
        ]
        if request.action == "count":
            return Outcome(report=str(len(rows)))
        rows.sort(key=lambda row: (-row.stock if request.by_stock else 0, row.number))
        numbers = tuple(row.number for row in rows)
        return Outcome(report=" ".join(map(str, numbers)), listed=numbers, entity=request.entity)

    def _row(self, reference: Reference | None) -> Row:
        """The record that a reference names now."""
        if reference is None:
            raise Unclear
        table = self.tables[reference.entity]
        if reference.manner == "label":
            rows = [
                row
                for row in table.values()
                if row.label == reference.label and reference.trait in {"", row.trait}
            ]
            if len(rows) > 1:
                raise Unclear
            if not rows:
                raise Impossible
            return rows[0]
        number = self._number(reference)
        if number not in table:
            raise Unclear
        return table[number]

    def _number(self, reference: Reference) -> int:
        """The id of the record that a reference to an earlier request names."""
        if reference.manner == "listed":
            latest_list = next((each for each in reversed(self.outcomes) if each.listed), None)
            if latest_list is None or latest_list.entity != reference.entity:
                raise Unclear
            if reference.position > len(latest_list.listed):
                raise Unclear
            return latest_list.listed[reference.position - (reference.position > 0)]
        if reference.manner == "entered":
            entered = [each.deed for each in self.outcomes if each.deed]
            numbers = [
                deed.number
                for deed in entered
                if (deed.action, deed.entity) == ("enter", reference.entity)
            ]
            if len(numbers) != 1:
                raise Unclear
            return numbers[0]
        latest = self.outcomes[-1].latest if self.outcomes else None
        if latest is None or latest[0] != reference.entity:
            raise Unclear
        return latest[1]

    def _deed(self, request: Request) -> Deed:
        if request.action in {"undo", "repeat"}:
            base = self.outcomes[-request.back].deed if request.back <= len(self.outcomes) else None
            if base is None or base.action == "remove":
                raise Unclear
            return self._undone(base) if request.action == "undo" else self._repeated(base, request)
        n, entity = request.entity, self.entities[request.entity]
        if request.action == "enter":
            if request.trait not in entity.traits:
                raise Impossible
            number = max(self.tables[n]) + 1
            return Deed("enter", n, number, after=request.trait, label=request.label)
        row = self._row(request.target)
        if request.action == "state":
            return Deed("state", n, row.number, before=row.state, after=request.state)
        amount = self._amount(request)
        if request.action == "adjust":
            return Deed("adjust", n, row.number, amount=amount)
        receiver = self._row(request.receiver)
        if receiver.number == row.number:
            raise Unclear
        return Deed("transfer", n, row.number, receiver.number, amount)

    def _amount(self, request: Request) -> int:
        """An amount in small units."""
        if request.counted:
            if not self.outcomes or not self.outcomes[-1].report.isdigit():
                raise Unclear
            sign = -1 if request.amount < 0 else 1
            return sign * int(self.outcomes[-1].report)
        return request.amount * (self.rates[request.entity] if request.in_large else 1)

    def _undone(self, deed: Deed) -> Deed:
        match deed.action:
            case "adjust":
                return deed._replace(amount=-deed.amount)
            case "transfer":
                return deed._replace(number=deed.receiver, receiver=deed.number)
            case "state":
                row = self.tables[deed.entity].get(deed.number)
                if row is None or row.state != deed.after:
                    raise Unclear
                return deed._replace(before=deed.after, after=deed.before)
        return deed._replace(action="remove")

    def _repeated(self, deed: Deed, request: Request) -> Deed:
        if deed.action == "enter" or deed.entity != request.entity:
            raise Unclear
        if request.target:
            deed = deed._replace(number=self._row(request.target).number)
        if request.receiver:
            deed = deed._replace(receiver=self._row(request.receiver).number)
        if deed.number not in self.tables[deed.entity] or deed.number == deed.receiver:
            raise Unclear
        if deed.action == "state":
            if request.amount or request.factor > 1:
                raise Unclear
            row = self.tables[deed.entity][deed.number]
            return deed._replace(before=row.state, after=request.state or deed.after)
        if request.state:
            raise Unclear
        if request.amount:
            sign = -1 if deed.amount < 0 else 1
            amount = abs(request.amount) * (self.rates[deed.entity] if request.in_large else 1)
            return deed._replace(amount=sign * amount)
        return deed._replace(amount=request.factor * deed.amount)

    def _check(self, deed: Deed) -> None:
        """Raises :class:`Impossible` if the tools refuse a deed."""
        entity, table = self.entities[deed.entity], self.tables[deed.entity]
        if deed.action == "enter":
            return
        row = table.get(deed.number)
        if row is None:
            raise Unclear
        if deed.action == "remove":
            return
        if deed.action == "state":
            if row.state == deed.after:
                raise Unclear
            if row.state == entity.final or deed.after not in entity.states:
                raise Impossible
            return
        changes = {deed.number: deed.amount}
        if deed.action == "transfer":
            changes = {deed.number: -deed.amount, deed.receiver: deed.amount}
        for number, amount in changes.items():
            if number not in table:
                raise Unclear
            if table[number].state == entity.frozen:
                raise Impossible
            if not 0 <= table[number].stock + amount <= LARGEST:
                raise Impossible


def goal(
    entities: Sequence[Entity],
    rates: Sequence[int],
    records: Sequence[Sequence[Row]],
    requests: Sequence[Request],
) -> Changes:
    """What a world has noted at the end of a conversation that goes as it should: the changes since
    the start after each request, by ``("after", request, ...)``, and what was reported or declined.
    """
    course = Course(entities, rates, records)
    start = [dict(table) for table in course.tables]
    values: Changes = {}
    for n, request in enumerate(requests, 1):
        outcome = course.outcome(request)
        course.go_on(outcome)
        if outcome.is_declined:
            values["decline", str(n)] = True
        if outcome.report:
            values["report", str(n)] = outcome.report
        values |= {("after", str(n), *path): value for path, value in course.changes(start).items()}
    return values
