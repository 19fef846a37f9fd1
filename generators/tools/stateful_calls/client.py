"""A player that carries a conversation through the tools of ledgers."""

import re
from collections.abc import Callable
from typing import NamedTuple

from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.stateful_calls.domain import LARGEST, Entity, Row
from palaestra.generators.tools.stateful_calls.requests import Reference, Request
from palaestra.generators.tools.stateful_calls.world import ASK, DECLINE, NEXT, REPORT

_PAGES = re.compile(r"(.*) \(page \d+ of (\d+)\)", re.ASCII)


class Memory(NamedTuple):
    """What the player remembers of a request."""

    action: str = ""
    """``adjust``, ``transfer``, ``state`` or ``enter``; empty if nothing was changed."""
    entity: int = -1
    numbers: tuple[int, ...] = ()
    """The record that was changed or looked at, and the receiver."""
    amount: int = 0
    """In small units."""
    before: str = ""
    after: str = ""
    listed: tuple[int, ...] = ()
    reported: str = ""


class Refused(Exception):
    """A request that the tools cannot fulfil."""


class Client:
    """Knows the documentation of types of records, and calls tools through ``use``: a function from
    a tool and its arguments to the result that a player reads.

    It understands each request once it is shown, apart from what that does not say.
    """

    def __init__(
        self, entities: tuple[Entity, ...], use: Callable[[str, dict[str, int | str]], str]
    ) -> None:
        self.entities, self.use = entities, use
        self.opened = -1
        self.rates: dict[int, int] = {}
        self.memories: list[Memory] = []

    def converse(self, requests: tuple[Request, ...]) -> None:
        """Carry out requests one after the other."""
        for request in requests:
            self._call(NEXT)
            try:
                memory = self._fulfilled(request)
            except Refused:
                self._call(DECLINE)
                memory = Memory()
            if memory.reported:
                self._call(REPORT, value=memory.reported)
            self.memories.append(memory)
        self._call(NEXT)

    def _call(self, tool: str, **arguments: int | str) -> str:
        result = BUSY
        while result == BUSY:
            result = self.use(tool, arguments)
        return result

    def _list(self, tool: str, **arguments: int | str) -> list[int]:
        """The ids on all pages."""
        numbers: list[int] = []
        page = last = 1
        while page <= last:
            more: dict[str, int | str] = {"page": page} if page > 1 else {}
            match = _PAGES.fullmatch(self._call(tool, **arguments, **more))
            assert match
            numbers += map(int, re.findall(r"\d+", match[1], re.ASCII))
            page, last = page + 1, int(match[2])
        return numbers

    def _row(self, n: int, number: int) -> Row:
        """A record as it is now."""
        text = self._call(self.entities[n].tools.details, id=number)
        label, trait, stock, state, sealed = (part.rpartition(": ")[2] for part in text.split("; "))
        stock = stock.partition(" ")[0]
        return Row(number, label, trait, int(stock), state, sealed == "sealed")

    def _rate(self, n: int) -> int:
        if n not in self.rates:
            text = self._call(self.entities[n].tools.rate)
            self.rates[n] = int(re.findall(r"\d+", text, re.ASCII)[1])
        return self.rates[n]

    def _asked_for(self, request: Request) -> Request:
        """The request with what it does not say, which is not known yet."""
        if not request.missing:
            return request
        reply = self._call(ASK, about=request.missing)
        entity = self.entities[request.entity]
        if request.missing == "amount":
            (words,) = re.findall(r"(\d+) (\w+)", reply, re.ASCII)
            sign = -1 if request.amount < 0 else 1
            in_large = words[1] == entity.large
            return request._replace(amount=sign * int(words[0]), in_large=in_large)
        quoted = re.findall(r"'(\w+)'", reply)
        if request.missing == "state":
            return request._replace(state=quoted[0])
        if request.missing == "which":
            assert request.target
            return request._replace(target=request.target._replace(trait=quoted[0]))
        reference = Reference("label", request.entity, quoted[0], (*quoted, "")[1])
        return request._replace(receiver=reference)

    def _fulfilled(self, request: Request) -> Memory:
        request = self._asked_for(request)
        n = request.entity
        match request.action:
            case "list" | "count":
                return self._listing(request)
            case "look":
                row = self._row(n, self._number(request.target))
                value = row.state if request.state else str(row.stock)
                return Memory(entity=n, numbers=(row.number,), reported=value)
            case "enter":
                return self._enter(request)
            case "undo":
                return self._undo(self.memories[-request.back])
            case "repeat":
                return self._repeat(self.memories[-request.back], request)
            case "state":
                return self._set_state(n, self._number(request.target), request.state)
        amount = request.amount
        if request.counted:
            amount = int(self.memories[-1].reported) * (-1 if amount < 0 else 1)
        elif request.in_large:
            amount *= self._rate(n)
        numbers = [self._number(request.target)]
        if request.action == "transfer":
            numbers.append(self._number(request.receiver))
        return self._move(n, tuple(numbers), amount)

    def _listing(self, request: Request) -> Memory:
        n, tools = request.entity, self.entities[request.entity].tools
        if request.state:
            numbers = self._list(tools.by_state, state=request.state)
        else:
            numbers = self._list(tools.by_trait, trait=request.trait)
        if request.action == "count":
            return Memory(reported=str(len(numbers)))
        if request.by_stock:
            numbers.sort(key=lambda number: -self._row(n, number).stock)
        reported = ", ".join(map(str, numbers))
        return Memory(entity=n, listed=tuple(numbers), reported=reported)

    def _number(self, reference: Reference | None) -> int:
        """The id of the record that a request names."""
        assert reference
        if reference.manner == "listed":
            listed = next(each.listed for each in reversed(self.memories) if each.listed)
            return listed[reference.position - (reference.position > 0)]
        if reference.manner == "entered":
            entered = (each for each in self.memories if each.action == "enter")
            return next(each.numbers[0] for each in entered if each.entity == reference.entity)
        if reference.manner == "latest":
            return self.memories[-1].numbers[0]
        numbers = self._list(self.entities[reference.entity].tools.find, label=reference.label)
        if reference.trait:
            rows = [self._row(reference.entity, number) for number in numbers]
            numbers = [row.number for row in rows if row.trait == reference.trait]
        if not numbers:
            raise Refused
        (number,) = numbers
        return number

    def _open(self, n: int) -> None:
        if self.opened != n:
            self._call(self.entities[n].tools.open)
            self.opened = n

    def _change(self, n: int, rows: list[Row], tool: str, **arguments: int | str) -> str:
        """Call a tool that changes records, whose seals are off meanwhile."""
        self._open(n)
        tools, sealed = self.entities[n].tools, [row for row in rows if row.sealed]
        for row in sealed:
            self._call(tools.unseal, id=row.number)
        result = self._call(tool, **arguments)
        for row in sealed:
            self._call(tools.seal, id=row.number)
        return result

    def _move(self, n: int, numbers: tuple[int, ...], amount: int) -> Memory:
        """Change the stock of a record, or move some of it to another one."""
        entity = self.entities[n]
        rows = [self._row(n, number) for number in numbers]
        signed = [-amount, amount] if len(rows) > 1 else [amount]
        for row, change in zip(rows, signed):
            if row.state == entity.frozen or not 0 <= row.stock + change <= LARGEST:
                raise Refused
        work = "transfer" if len(rows) > 1 else "increase" if amount > 0 else "decrease"
        in_unit = abs(amount)
        if work in entity.in_large:
            in_unit //= self._rate(n)
        arguments = dict(zip(("id", "receiver"), numbers)) | {"amount": in_unit}
        self._change(n, rows, getattr(entity.tools, work), **arguments)
        return Memory("transfer" if len(rows) > 1 else "adjust", n, numbers, amount)

    def _set_state(self, n: int, number: int, state: str) -> Memory:
        entity, row = self.entities[n], self._row(n, number)
        if state not in entity.states or row.state == entity.final:
            raise Refused
        self._change(n, [row], entity.tools.advance, id=number, state=state)
        return Memory("state", n, (number,), before=row.state, after=state)

    def _enter(self, request: Request) -> Memory:
        n, entity = request.entity, self.entities[request.entity]
        if request.trait not in entity.traits:
            raise Refused
        arguments = {"label": request.label, "trait": request.trait}
        result = self._change(n, [], entity.tools.enter, **arguments)
        return Memory("enter", n, (int(re.findall(r"\d+", result, re.ASCII)[0]),))

    def _undo(self, memory: Memory) -> Memory:
        """Reverse what was done for an earlier request."""
        n, numbers = memory.entity, memory.numbers
        if memory.action == "adjust":
            return self._move(n, numbers, -memory.amount)
        if memory.action == "transfer":
            return self._move(n, numbers[::-1], memory.amount)
        if memory.action == "state":
            return self._set_state(n, numbers[0], memory.before)
        self._change(n, [self._row(n, numbers[0])], self.entities[n].tools.remove, id=numbers[0])
        return Memory("remove", n, numbers)

    def _repeat(self, memory: Memory, request: Request) -> Memory:
        """Do once more what was done for an earlier request, with what differs."""
        n, numbers = memory.entity, [*memory.numbers]
        if request.target:
            numbers[0] = self._number(request.target)
        if request.receiver:
            numbers[1] = self._number(request.receiver)
        if memory.action == "state":
            return self._set_state(n, numbers[0], request.state or memory.after)
        amount = request.factor * memory.amount
        if request.amount:
            size = abs(request.amount) * (self._rate(n) if request.in_large else 1)
            amount = -size if memory.amount < 0 else size
        return self._move(n, tuple(numbers), amount)
