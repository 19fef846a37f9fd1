"""Random records of a domain, and requests about them."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.generated_world.client import Client
from palaestra.generators.tools.generated_world.decisions import Description, Request, decide
from palaestra.generators.tools.generated_world.domain import Action, Deed, Domain
from palaestra.generators.tools.generated_world.tables import Row, Table, indexed
from palaestra.generators.tools.generated_world.world import World
from palaestra.generators.vocabulary import changed, words
from palaestra.toolbox import call

TRIES = 200
"""How many requests are drawn for one that suits."""

AMOUNTS = (5, 40)
"""The bounds of how much a request changes a stock by."""


class Solution(NamedTuple):
    """What a client does, and what becomes of the world."""

    calls: tuple[str, ...]
    changes: Changes


def random_tables(rng: Random, domain: Domain, rows: int, namesakes: int) -> list[Table]:
    """Records of each type. So many records more have the label of another one, and as many a label
    that differs from another in one letter.
    """
    tables: list[Table] = []
    for n, entity in enumerate(domain.entities):
        labels = list(words(rng, max(2, rows - 2 * namesakes), 5, 7))
        labels = [label.title() for label in labels]
        labels += rng.choices(labels, k=namesakes)
        labels += [changed(rng, rng.choice(labels).lower()).title() for _ in range(namesakes)]
        rng.shuffle(labels)
        numbers = sorted(rng.sample(range(100, 1000), len(labels)))
        owners = _owners(rng, [*tables[-1]], len(labels), entity.capacity) if n else []
        tables.append(
            indexed(
                [
                    Row(
                        number,
                        label,
                        rng.choice(entity.traits),
                        rng.randint(3, 90),
                        rng.choice(entity.states[: len(entity.states) // 2 + 1]),
                        owner,
                    )
                    for number, label, owner in zip(numbers, labels, owners or [0] * len(labels))
                ]
            )
        )
    return tables


def _owners(rng: Random, above: Sequence[int], number: int, capacity: int) -> list[int]:
    """An owner for each record. One is full, the next has a place left, and some have none."""
    few = rng.sample(above, max(1, -(-number // capacity)) + len(above) // 3)
    places = [each for each in few for _ in range(capacity)]
    owners = [few[0]] * capacity + [few[1]] * (capacity - 1) if len(few) > 1 else []
    owners += rng.sample(places[2 * capacity :], max(0, number - len(owners)))
    rng.shuffle(owners)
    return owners[:number]


class TableRecords:
    """The records of tables as they are, for drawing requests."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables

    def find(self, description: Description) -> Row:
        """The record that a description names."""
        n = description.entity
        rows = [row for row in self.tables[n].values() if description.fits(row)]
        if description.owner:
            above = self.tables[n - 1]
            rows = [row for row in rows if above[row.owner].label == description.owner]
        return rows[0]

    def row(self, entity: int, number: int) -> Row:
        """The record with an id."""
        return self.tables[entity][number]

    def owned(self, entity: int, owner: int) -> list[int]:
        """The ids of the records of a type that an owner has."""
        return [row.number for row in self.tables[entity].values() if row.owner == owner]


def random_requests(
    rng: Random, domain: Domain, tables: Sequence[Table], number: int, chains: int
) -> tuple[Request, ...]:
    """Requests about different records, or none at all where there are not enough.

    ``chains`` in 100 of those for a state need steps of an owner, and a fifth of all requests for a
    state or an owner cannot be fulfilled. None changes the owners of a type whose records others
    name by their owners.
    """
    chosen: list[Request] = []
    used: set[tuple[int, int]] = set()
    named_by_owner: set[int] = set()
    assigned: set[int] = set()
    drawing = _Drawing(rng, domain, tables)
    for _ in range(number):
        action, outcome = drawing.wanted(chains)
        for _ in range(TRIES):
            request = drawing.request(action)
            if request is None or not drawing.suits(request, outcome):
                continue
            n = request.record.entity
            key = (n, drawing.records.find(request.record).number)
            descriptions = (request.record, request.receiver or request.record)
            named = {each.entity for each in descriptions if each.owner}
            changes = {n} if action == "assign" else set()
            if key not in used and not (named_by_owner | named) & (assigned | changes):
                used.add(key)
                named_by_owner |= named
                assigned |= changes
                chosen.append(request)
                break
    return tuple(chosen) if len(chosen) == number else ()


Outcome = Literal["possible", "chain", "impossible"]


class _Drawing:
    """Draws requests about the records of a domain, whose rules come later."""

    def __init__(self, rng: Random, domain: Domain, tables: Sequence[Table]) -> None:
        self.rng, self.domain, self.tables = rng, domain, tables
        self.records = TableRecords(tables)

    def wanted(self, chains: int) -> tuple[Action, Outcome]:
        """An action, and what is to come of it."""
        actions: tuple[Action, ...] = ("advance", "advance", "advance", "adjust", "assign", "count")
        action = self.rng.choice(actions)
        if action in {"advance", "assign"} and self.rng.random() < 0.2:
            return action, "impossible"
        is_chain = action == "advance" and 100 * self.rng.random() < chains
        return action, "chain" if is_chain else "possible"

    def suits(self, request: Request, outcome: Outcome) -> bool:
        """Whether a request has an outcome, without rules."""
        steps = decide(self.domain._replace(rules=()), self.records, request, 1)
        if steps[0].tool == self.domain.decline:
            return outcome == "impossible"
        if request.action != "advance":
            return outcome == "possible"
        own = {each.tool for each in self.domain.entities[request.record.entity].transitions}
        is_chain = any(step.tool not in own for step in steps)
        return outcome == ("chain" if is_chain else "possible")

    def request(self, action: Action) -> Request | None:
        """A request about a random record, or None where that has no description."""
        last = len(self.domain.entities) - 1
        n = self.rng.randint(1 if action == "assign" else 0, last - (action == "count"))
        row = self.rng.choice([*self.tables[n].values()])
        record = described(self.rng, self.tables, n, row)
        if record is None:
            return None
        entity = self.domain.entities[n]
        if action == "advance":
            state = self.rng.choice(entity.states)
            return Request(action, record, state) if state != row.state else None
        if action == "adjust":
            amount = self.rng.choice((-1, 1)) * self.rng.randint(*AMOUNTS)
            return Request(action, record, amount=amount)
        return self._count(record, row) if action == "count" else self._assign(record, row)

    def _count(self, record: Description, row: Row) -> Request | None:
        """A request to count among several records, in most cases in a state of one of them."""
        n = record.entity + 1
        states = [self.tables[n][each].state for each in self.records.owned(n, row.number)]
        if len(states) < 2:
            return None
        pool = states if self.rng.random() < 0.9 else self.domain.entities[n].states
        return Request("count", record, self.rng.choice(pool))

    def _assign(self, record: Description, row: Row) -> Request | None:
        above = record.entity - 1
        owner = self.rng.choice([*self.tables[above].values()])
        receiver = described(self.rng, self.tables, above, owner)
        suits = receiver is not None and owner.number != row.owner
        return Request("assign", record, receiver=receiver) if suits else None


def deeds(domain: Domain, tables: Sequence[Table], requests: Sequence[Request]) -> list[Deed]:
    """What the requests need to be done with records, owners among them."""
    records = TableRecords(tables)
    transitions: dict[str, tuple[int, str]] = {}
    for n, entity in enumerate(domain.entities):
        transitions |= {each.tool: (n, each.after) for each in entity.transitions}
    result: list[Deed] = []
    for request in requests:
        n, row = request.record.entity, records.find(request.record)
        if request.action in {"adjust", "assign"}:
            result.append((n, request.action, "", row.trait))
        for step in decide(domain, records, request, 1):
            if step.tool in transitions:
                m, after = transitions[step.tool]
                trait = tables[m][int(step.arguments["id"])].trait
                result.append((m, "advance", after, trait))
    return result


def described(rng: Random, tables: Sequence[Table], entity: int, row: Row) -> Description | None:
    """A description of a record that fits no other one, or None where there is none."""
    namesakes = [each for each in tables[entity].values() if each.label == row.label]
    if len(namesakes) == 1:
        return Description(entity, row.label)
    options = []
    if sum(each.trait == row.trait for each in namesakes) == 1:
        options.append(Description(entity, row.label, trait=row.trait))
    if entity:
        owners = [tables[entity - 1][each.owner].label for each in namesakes]
        own = tables[entity - 1][row.owner].label
        options += [Description(entity, row.label, owner=own)] if owners.count(own) == 1 else []
    return rng.choice(options) if options else None


def solved(
    domain: Domain, tables: Sequence[Table], requests: Sequence[Request], seed: int, busy: int
) -> Solution:
    """What a client does in a world, which it sees through the tools alone."""
    world, calls = World(domain, tables, len(requests), seed, busy), list[str]()

    def use(tool: str, arguments: dict[str, int | str]) -> str:
        calls.append(call(tool, **arguments))
        return world.use(calls[-1])[0]

    Client(domain, use).fulfil(requests)
    return Solution(tuple(calls), world.tables.changes())
