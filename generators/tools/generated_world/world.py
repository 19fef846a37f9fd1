"""The tools of a domain, on tables of records."""

from collections.abc import Sequence

from palaestra.generators.tools.engine import Arguments, Changes, Tool, ToolWorld
from palaestra.generators.tools.generated_world.domain import LARGEST, Domain, Entity, Transition
from palaestra.generators.tools.generated_world.tables import Row, Table, Tables
from palaestra.generators.vocabulary import plural
from palaestra.task import InvalidAnswer

PAGE = 8
"""How many ids a page of a list has."""


class World(ToolWorld):
    """The records of a domain, changed by calls of its tools, which do not enforce the policy."""

    def __init__(
        self, domain: Domain, start: Sequence[Table], requests: int, seed: int, busy: int
    ) -> None:
        super().__init__(toolkit(domain), seed, busy)
        self.domain, self.requests = domain, requests
        self.tables = Tables(start)

    def changes(self) -> Changes:
        return self.tables.changes()

    def check_request(self, number: int) -> None:
        """Raises :class:`InvalidAnswer` if there is no request with a number."""
        if not 1 <= number <= self.requests:
            raise InvalidAnswer(f"requests go from 1 to {self.requests}")

    def row(self, entity: int, number: int) -> Row:
        """The record with an id. Raises :class:`InvalidAnswer` if there is none."""
        row = self.tables.get(entity, number)
        if row is None:
            raise InvalidAnswer(f"there is no {self.domain.entities[entity].noun} {number}")
        return row


def toolkit(domain: Domain) -> list[Tool]:
    """The tools of a domain, in alphabetical order."""
    tools = [_answer(domain), _decline(domain)]
    for n, entity in enumerate(domain.entities):
        tools += [_find(n, entity), _details(domain, n, entity), _adjust(n, entity)]
        tools += [_transition(domain, n, entity, each) for each in entity.transitions]
        if n:
            tools += [_owned(domain, n, entity), _assign(domain, n, entity)]
    return sorted(tools, key=lambda tool: tool.name)


def _listed(numbers: Sequence[int], page: int) -> str:
    pages = max(1, -(-len(numbers) // PAGE))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = ", ".join(map(str, numbers[(page - 1) * PAGE : page * PAGE])) or "none"
    return f"{shown} (page {page} of {pages})"


def _find(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        label, rows = arguments[entity.label], world.tables.rows(n)
        return _listed([row.number for row in rows if row.label == label], arguments["page"])

    about = f"List the ids of the {plural(entity.noun)} by their {entity.label}, {PAGE} on a page."
    return Tool(entity.find, about, {entity.label: str, "page": int}, run, {"page": 1})


def _details(domain: Domain, n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row = world.row(n, arguments["id"])
        owner = f"; {entity.owner}: {row.owner}" if n else ""
        return (
            f"{entity.noun} {row.number}: {entity.label}: {row.label}; {entity.trait}: "
            f"{row.trait}; {entity.stock}: {row.stock}; {entity.state}: {row.state}{owner}"
        )

    owner = f", its {entity.owner} as the id of {domain.entities[n - 1].a()}" if n else ""
    about = (
        f"Show {entity.a()}: its {entity.label}, {entity.trait}, {entity.stock} and "
        f"{entity.state}{owner}."
    )
    return Tool(entity.details, about, {"id": int}, run)


def _owned(domain: Domain, n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        owner, page = arguments["id"], arguments["page"]
        world.row(n - 1, owner)
        return _listed([row.number for row in world.tables.rows(n) if row.owner == owner], page)

    about = (
        f"List the ids of the {plural(entity.noun)} whose {entity.owner} is the "
        f"{domain.entities[n - 1].noun} with this id, {PAGE} on a page."
    )
    return Tool(entity.owned, about, {"id": int, "page": int}, run, {"page": 1})


def _adjust(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row = world.row(n, arguments["id"])
        stock = row.stock + arguments["amount"]
        if not 0 <= stock <= LARGEST:
            raise InvalidAnswer(f"the {entity.stock} would not be from 0 to {LARGEST}")
        world.tables.put(n, row._replace(stock=stock))
        return f"The {entity.stock} of {entity.noun} {row.number} is {stock}."

    about = (
        f"Change the {entity.stock} of {entity.a()} by an amount, which may be negative; it is "
        f"from 0 to {LARGEST}."
    )
    return Tool(entity.adjust, about, {"id": int, "amount": int}, run)


def _transition(domain: Domain, n: int, entity: Entity, step: Transition) -> Tool:
    above = domain.entities[n - 1]

    def run(world: World, arguments: Arguments) -> str:
        row = world.row(n, arguments["id"])
        if row.state != step.before:
            raise InvalidAnswer(f"its {entity.state} is '{row.state}', not '{step.before}'")
        if step.guard and world.row(n - 1, row.owner).state != step.guard:
            raise InvalidAnswer(f"the {above.state} of its {entity.owner} is not '{step.guard}'")
        if row.stock < step.cost:
            raise InvalidAnswer(f"its {entity.stock} is less than {step.cost}")
        changed = row._replace(state=step.after, stock=row.stock - step.cost)
        world.tables.put(n, changed)
        return f"The {entity.state} of {entity.noun} {row.number} is '{step.after}'."

    about = f"Change the {entity.state} of {entity.a()} from '{step.before}' to '{step.after}'."
    if step.guard:
        about += f" The {above.state} of its {entity.owner} has to be '{step.guard}'."
    if step.cost:
        about += f" This takes {step.cost} from its {entity.stock}."
    return Tool(step.tool, about, {"id": int}, run)


def _assign(domain: Domain, n: int, entity: Entity) -> Tool:
    above = domain.entities[n - 1]

    def run(world: World, arguments: Arguments) -> str:
        row, owner = world.row(n, arguments["id"]), world.row(n - 1, arguments[entity.owner])
        owned = sum(each.owner == owner.number for each in world.tables.rows(n))
        if owned >= entity.capacity:
            raise InvalidAnswer(f"this {above.noun} has {owned} {plural(entity.noun)} already")
        world.tables.put(n, row._replace(owner=owner.number))
        return f"The {entity.owner} of {entity.noun} {row.number} is {owner.number}."

    about = (
        f"Set the {entity.owner} of {entity.a()}, by the ids of both. "
        f"{above.a().capitalize()} may have {entity.capacity} {plural(entity.noun)} at most."
    )
    return Tool(entity.assign, about, {"id": int, entity.owner: int}, run)


def _answer(domain: Domain) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        world.check_request(arguments["request"])
        world.tables.statements["answer", str(arguments["request"])] = arguments["value"]
        return f"The answer to request {arguments['request']} is {arguments['value']}."

    about = "Answer a request that asks for a number. A second answer replaces the first."
    return Tool(domain.answer, about, {"request": int, "value": int}, run)


def _decline(domain: Domain) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        world.check_request(arguments["request"])
        if not 0 <= arguments["rule"] <= len(world.domain.rules):
            raise InvalidAnswer("there is no such rule")
        world.tables.statements["decline", str(arguments["request"])] = arguments["rule"]
        return f"Request {arguments['request']} is declined by rule {arguments['rule']}."

    about = (
        "Decline a request, by the number of the rule that forbids it, or by 0 if it cannot be "
        "fulfilled. This replaces the rule named before, and cannot be withdrawn."
    )
    return Tool(domain.decline, about, {"request": int, "rule": int}, run)
