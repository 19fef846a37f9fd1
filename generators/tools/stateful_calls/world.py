"""The tools on ledgers, and of the conversation with the user."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from palaestra.generators.tools.engine import Arguments, Changes, Tool, ToolWorld
from palaestra.generators.tools.stateful_calls.domain import (
    LARGEST,
    Entity,
    Ledgers,
    Row,
    indefinite,
)
from palaestra.generators.tools.stateful_calls.requests import differences
from palaestra.generators.vocabulary import plural
from palaestra.task import InvalidAnswer

PAGE = 10
"""How many ids a page of a list has."""

NEXT, ASK, REPORT, DECLINE = "next_request", "ask_user", "report", "decline"

TOPICS = {
    "amount": ("amount", "how much", "how many", "quantity", "number"),
    "state": ("state", "status"),
    "receiver": ("receiver", "recipient", "to whom", "where to", "destination"),
    "which": ("which", "record", "who"),
}
"""What the user can be asked for, and the words that name it."""

NO_ANSWER = "I have nothing to add to my request."


class UserTurn(NamedTuple):
    """What a user requests, what that does not say, and the answer to a question about it."""

    text: str
    missing: str
    reply: str


class World(ToolWorld):
    """Ledgers that are changed by calls, and a user who says one thing after another.

    What has been changed is noted whenever the player goes on to the next request.
    """

    def __init__(self, domain: Ledgers, turns: Sequence[UserTurn], seed: int, busy: int) -> None:
        super().__init__(toolkit(domain.entities), seed, busy)
        self.entities, self.rates, self.turns = domain.entities, domain.rates, turns
        self.start = [{row.number: row for row in rows} for rows in domain.records]
        self.tables = [dict(table) for table in self.start]
        self.request = 0
        self.opened = -1
        self.noted: Changes = {}
        self.touched: dict[tuple[int, int], None] = {}
        self.is_finished = False

    def changes(self) -> Changes:
        return self.noted

    def state(self) -> str:
        """The request in hand, and what has been changed and seen."""
        changed = sorted(self._differences().items())
        return f"request {self.request}, {changed}, {len(self.noted)}, seen {sorted(self.seen)}"

    def _differences(self) -> Changes:
        values: Changes = {}
        for n, number in self.touched:
            before, after = self.start[n].get(number), self.tables[n].get(number)
            values |= differences(str(n), before, after)
        return values

    def note(self) -> None:
        """Note what differs from the start after the request in hand, once for each request."""
        if self.is_finished or not self.request:
            return
        number = str(self.request)
        self.noted |= {("after", number, *path): v for path, v in self._differences().items()}
        self.is_finished = self.request == len(self.turns)

    def go_on(self) -> str:
        """Note what has been done for the request in hand, and show the next one."""
        if self.is_finished:
            raise InvalidAnswer("there are no more requests")
        self.note()
        if self.is_finished:
            return "There are no more requests."
        self.request += 1
        return f"Request {self.request}: {self.turns[self.request - 1].text}"

    def in_hand(self) -> str:
        """The number of the request in hand. Raises :class:`InvalidAnswer` if there is none."""
        if not self.request or self.is_finished:
            raise InvalidAnswer(f"there is no request in hand; see {NEXT}")
        return str(self.request)

    def row(self, n: int, number: int) -> Row:
        """The record with an id. Raises :class:`InvalidAnswer` if there is none."""
        row = self.tables[n].get(number)
        if row is None:
            raise InvalidAnswer(f"there is no {self.entities[n].noun} {number}")
        return row

    def check_open(self, n: int) -> None:
        """Raises :class:`InvalidAnswer` if the work is done or the ledger of a type not open."""
        if self.is_finished:
            raise InvalidAnswer("there are no more requests, so nothing is changed any more")
        if self.opened != n:
            entity = self.entities[n]
            raise InvalidAnswer(f"the {entity.ledger} of the {plural(entity.noun)} is not open")

    def changeable(self, n: int, number: int) -> Row:
        """A record that may be changed. Raises :class:`InvalidAnswer` if it may not."""
        self.check_open(n)
        row = self.row(n, number)
        if row.sealed:
            raise InvalidAnswer(f"{self.entities[n].noun} {number} is sealed")
        return row

    def put(self, n: int, row: Row) -> None:
        """Enter or replace a record."""
        self.tables[n][row.number] = row
        self.touched[n, row.number] = None


def toolkit(entities: Sequence[Entity]) -> list[Tool]:
    """The tools on all ledgers, and those of the conversation, in alphabetical order."""
    tools = [_next(), _ask(), _report(), _decline()]
    for n, entity in enumerate(entities):
        tools += [_find(n, entity), _details(n, entity), _by_state(n, entity), _by_trait(n, entity)]
        tools += [_increase(n, entity), _decrease(n, entity), _transfer(n, entity)]
        tools += [_advance(n, entity), _enter(n, entity), _remove(n, entity)]
        tools += [_seal(n, entity), _unseal(n, entity), _open(n, entity), _rate(n, entity)]
    return sorted(tools, key=lambda tool: tool.name)


def _next() -> Tool:
    about = (
        "Say that you have finished the request in hand, and see the next one; the first call "
        "shows the first request. What is done for a request counts as it is then."
    )
    return Tool(NEXT, about, {}, lambda world, _: str(world.go_on()))


def _ask() -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        number = int(world.in_hand())
        turn = world.turns[number - 1]
        question = arguments["about"].casefold()[:200]
        named = [key for key, texts in TOPICS.items() if any(each in question for each in texts)]
        if not named:
            raise InvalidAnswer(f"the user does not understand; topics are {', '.join(TOPICS)}")
        return turn.reply if turn.missing in named else NO_ANSWER

    about = (
        "Ask the user for what the request in hand does not say: 'amount', 'state', 'receiver', or "
        "'which' if several records fit."
    )
    return Tool(ASK, about, {"about": str}, run)


def canonical(text: str) -> str:
    """A report without punctuation: its numbers, or its words if it has none.

    >>> canonical("[12, 57 and 113]"), canonical(" 'Bofa'.")
    ('12 57 113', 'bofa')
    """
    return " ".join(re.findall(r"\d+", text, re.ASCII) or re.findall(r"\w+", text.casefold()))


def _report() -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        number = world.in_hand()
        text = canonical(arguments["value"][:2_000])
        if not text:
            raise InvalidAnswer("a report is a number, a word or ids")
        world.noted["report", number] = text
        return f"Reported for request {number}: {text}"

    about = (
        "Report what the request in hand asks to know: a number, a word, or ids in the order that "
        "is asked for, separated by commas. A second report replaces the first."
    )
    return Tool(REPORT, about, {"value": str}, run)


def _decline() -> Tool:
    def run(world: World, _: Arguments) -> str:
        number = world.in_hand()
        world.noted["decline", number] = True
        return f"Request {number} is declined."

    return Tool(
        DECLINE,
        "Decline the request in hand, which the tools cannot fulfil. This cannot be withdrawn.",
        {},
        run,
    )


def _listed(numbers: Sequence[int], page: int) -> str:
    pages = max(1, -(-len(numbers) // PAGE))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = ", ".join(map(str, numbers[(page - 1) * PAGE : page * PAGE])) or "none"
    return f"{shown} (page {page} of {pages})"


def _find(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        label = arguments["label"].strip().casefold()
        rows = [row.number for row in world.tables[n].values() if row.label.casefold() == label]
        return _listed(sorted(rows), 1)

    about = f"List the ids of the {plural(entity.noun)} by their {entity.label}."
    return Tool(entity.tools.find, about, {"label": str}, run)


def _details(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row = world.row(n, arguments["id"])
        return (
            f"{entity.noun} {row.number}: {entity.label}: {row.label}; {entity.trait}: "
            f"{row.trait}; {entity.stock}: {row.stock} {entity.small}; {entity.state}: "
            f"{row.state}; {'sealed' if row.sealed else 'not sealed'}"
        )

    about = (
        f"Show {entity.a()}: its {entity.label}, {entity.trait}, {entity.stock} in "
        f"{entity.small}, {entity.state}, and whether it is sealed."
    )
    return Tool(entity.tools.details, about, {"id": int}, run)


def _by_state(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        state, rows = arguments["state"].strip().casefold(), world.tables[n].values()
        numbers = sorted(row.number for row in rows if row.state == state)
        return _listed(numbers, arguments["page"])

    about = (
        f"List the ids of the {plural(entity.noun)} by their {entity.state}, the smallest first, "
        f"{PAGE} on a page."
    )
    return Tool(entity.tools.by_state, about, {"state": str, "page": int}, run, {"page": 1})


def _by_trait(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        trait, rows = arguments["trait"].strip().casefold(), world.tables[n].values()
        numbers = sorted(row.number for row in rows if row.trait == trait)
        return _listed(numbers, arguments["page"])

    about = (
        f"List the ids of the {plural(entity.noun)} by their {entity.trait}, the smallest first, "
        f"{PAGE} on a page."
    )
    return Tool(entity.tools.by_trait, about, {"trait": str, "page": int}, run, {"page": 1})


def _unit(entity: Entity, tool: str) -> str:
    return entity.large if tool in entity.in_large else entity.small


def _limits(entity: Entity) -> str:
    return (
        f"The {entity.ledger} of the {plural(entity.noun)} has to be open, and the {entity.noun} "
        f"must not be sealed. While its {entity.state} is '{entity.frozen}', its {entity.stock} "
        f"cannot be changed; it is from 0 to {LARGEST} {entity.small}."
    )


def _moved(world: World, n: int, row: Row, amount: int) -> Row:
    """A record with a changed stock. Raises :class:`InvalidAnswer` if that cannot be changed so."""
    entity = world.entities[n]
    if row.state == entity.frozen:
        raise InvalidAnswer(f"the {entity.state} of {entity.noun} {row.number} is '{row.state}'")
    if not 0 <= row.stock + amount <= LARGEST:
        raise InvalidAnswer(
            f"the {entity.stock} of {entity.noun} {row.number} would not be from 0 to {LARGEST} "
            f"{entity.small}"
        )
    return row._replace(stock=row.stock + amount)


def _amount(world: World, n: int, tool: str, amount: int) -> int:
    """An amount in small units. Raises :class:`InvalidAnswer` unless it is positive."""
    if not 0 < amount <= LARGEST:
        raise InvalidAnswer(f"an amount is from 1 to {LARGEST}")
    return amount * (world.rates[n] if tool in world.entities[n].in_large else 1)


def _change(n: int, entity: Entity, tool: str, sign: int) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row = world.changeable(n, arguments["id"])
        amount = sign * _amount(world, n, tool, arguments["amount"])
        changed = _moved(world, n, row, amount)
        world.put(n, changed)
        return (
            f"The {entity.stock} of {entity.noun} {row.number} is {changed.stock} {entity.small}."
        )

    verb = "Increase" if sign > 0 else "Decrease"
    about = (
        f"{verb} the {entity.stock} of {entity.a()} by an amount in {_unit(entity, tool)}. "
        f"{_limits(entity)}"
    )
    name = entity.tools.increase if sign > 0 else entity.tools.decrease
    return Tool(name, about, {"id": int, "amount": int}, run)


def _increase(n: int, entity: Entity) -> Tool:
    return _change(n, entity, "increase", 1)


def _decrease(n: int, entity: Entity) -> Tool:
    return _change(n, entity, "decrease", -1)


def _transfer(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        one, other = arguments["id"], arguments["receiver"]
        if one == other:
            raise InvalidAnswer("these are not two records")
        rows = world.changeable(n, one), world.changeable(n, other)
        amount = _amount(world, n, "transfer", arguments["amount"])
        lower, higher = _moved(world, n, rows[0], -amount), _moved(world, n, rows[1], amount)
        world.put(n, lower)
        world.put(n, higher)
        return f"The {entity.stock} is now {lower.stock} and {higher.stock} {entity.small}."

    about = (
        f"Move an amount in {_unit(entity, 'transfer')} of the {entity.stock} of {entity.a()} to "
        f"another one, the receiver. For both of them: {_limits(entity)}"
    )
    parameters = {"id": int, "receiver": int, "amount": int}
    return Tool(entity.tools.transfer, about, parameters, run)


def _advance(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row, state = world.changeable(n, arguments["id"]), arguments["state"].strip().casefold()
        if state not in entity.states:
            raise InvalidAnswer(f"there is no {entity.state} {state[:40]!r}")
        if row.state == entity.final:
            raise InvalidAnswer(
                f"{entity.noun} {row.number} stays in the {entity.state} '{row.state}'"
            )
        world.put(n, row._replace(state=state))
        return f"The {entity.state} of {entity.noun} {row.number} is '{state}'."

    states = ", ".join(f"'{each}'" for each in entity.states)
    about = (
        f"Set the {entity.state} of {entity.a()} to one of {states}. What is in the "
        f"{entity.state} '{entity.final}' stays there. The {entity.ledger} of the "
        f"{plural(entity.noun)} has to be open, and the {entity.noun} must not be sealed."
    )
    return Tool(entity.tools.advance, about, {"id": int, "state": str}, run)


def _enter(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        world.check_open(n)
        label, trait = arguments["label"].strip(), arguments["trait"].strip().casefold()
        if trait not in entity.traits:
            raise InvalidAnswer(f"there is no {entity.trait} {trait[:40]!r}")
        if not label.isalpha() or len(label) > 40:
            raise InvalidAnswer(f"{indefinite(entity.label)} is one word")
        number = max(world.tables[n], default=100) + 1
        world.put(n, Row(number, label, trait, 0, entity.states[0], sealed=False))
        return f"The id of the new {entity.noun} is {number}."

    traits = ", ".join(f"'{each}'" for each in entity.traits)
    about = (
        f"Enter a new {entity.noun} with {indefinite(entity.label)} and "
        f"{indefinite(entity.trait)}, one of {traits}. It begins with no {entity.stock}, in the "
        f"{entity.state} '{entity.states[0]}', not sealed. The {entity.ledger} of the "
        f"{plural(entity.noun)} has to be open."
    )
    return Tool(entity.tools.enter, about, {"label": str, "trait": str}, run)


def _remove(n: int, entity: Entity) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        row = world.changeable(n, arguments["id"])
        del world.tables[n][row.number]
        world.touched[n, row.number] = None
        return f"{entity.noun} {row.number} is removed."

    about = (
        f"Remove {entity.a()} for good. The {entity.ledger} of the {plural(entity.noun)} has to be "
        f"open, and the {entity.noun} must not be sealed."
    )
    return Tool(entity.tools.remove, about, {"id": int}, run)


def _sealing(n: int, entity: Entity, name: str, sealed: bool) -> Tool:
    def run(world: World, arguments: Arguments) -> str:
        world.check_open(n)
        row = world.row(n, arguments["id"])
        if row.sealed == sealed:
            raise InvalidAnswer(f"{entity.noun} {row.number} is {'' if sealed else 'not '}sealed")
        world.put(n, row._replace(sealed=sealed))
        return f"{entity.noun} {row.number} is {'' if sealed else 'not '}sealed."

    what = "Put a seal on" if sealed else "Take the seal off"
    about = f"{what} {entity.a()}. The {entity.ledger} of the {plural(entity.noun)} has to be open."
    return Tool(name, about, {"id": int}, run)


def _seal(n: int, entity: Entity) -> Tool:
    return _sealing(n, entity, entity.tools.seal, True)


def _unseal(n: int, entity: Entity) -> Tool:
    return _sealing(n, entity, entity.tools.unseal, False)


def _open(n: int, entity: Entity) -> Tool:
    def run(world: World, _: Arguments) -> str:
        world.opened = n
        return f"The {entity.ledger} of the {plural(entity.noun)} is open."

    about = f"Open the {entity.ledger} of the {plural(entity.noun)}. Any other ledger is closed."
    return Tool(entity.tools.open, about, {}, run)


def _rate(n: int, entity: Entity) -> Tool:
    def run(world: World, _: Arguments) -> str:
        return f"1 {entity.large} is {world.rates[n]} {entity.small}."

    about = f"Show how many {entity.small} there are in one {entity.large}."
    return Tool(entity.tools.rate, about, {}, run)
