"""Random requests, each drawn for the ledgers as the requests before it leave them."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.stateful_calls.domain import Ledgers, Row
from palaestra.generators.tools.stateful_calls.requests import (
    DEEDS,
    Action,
    Course,
    Gap,
    Outcome,
    Reference,
    Request,
    Unclear,
)
from palaestra.generators.vocabulary import changed, words

TRIES = 300
"""How many requests are drawn for one that suits."""

LONGEST = 7
"""How many records a list has at most that is asked for."""


class Shares(NamedTuple):
    """In which percentages of cases requests refer to earlier ones, lack an argument, or cannot be
    fulfilled, and amounts are in another unit than the tool takes.
    """

    references: int
    gaps: int
    impossible: int
    conversions: int


def random_requests(
    rng: Random, domain: Ledgers, number: int, shares: Shares
) -> tuple[Request, ...]:
    """Requests of a conversation, or none where luck does not lead to that many."""
    drawing = _Drawing(rng, domain, shares)
    for _ in range(number):
        if not drawing.add():
            return ()
    return tuple(drawing.requests)


class _Drawing:
    """Draws requests one after the other."""

    def __init__(self, rng: Random, domain: Ledgers, shares: Shares) -> None:
        self.rng, self.domain, self.shares = rng, domain, shares
        self.course = Course(*domain)
        self.requests: list[Request] = []

    def _percent(self, percentage: int) -> bool:
        return self.rng.randrange(100) < percentage

    def add(self) -> bool:
        """Add a request that comes to what is wanted, if one turns up."""
        impossible, refers = self._percent(self.shares.impossible), self._refers()
        has_gap = not impossible and self._percent(self.shares.gaps)
        for tries in range(TRIES):
            if tries > TRIES // 2:
                refers = has_gap = False
            try:
                request = self._candidate(refers, impossible)
                request = self._with_gap(request) if has_gap else request
                outcome = self.course.outcome(request)
            except Unclear:
                continue
            if outcome.is_declined == impossible and self._suits(request, outcome):
                self.course.go_on(outcome)
                self.requests.append(request)
                return True
        return False

    def _refers(self) -> bool:
        return bool(self.requests) and self._percent(self.shares.references)

    def _suits(self, request: Request, outcome: Outcome) -> bool:
        """Whether a report is worth its while, and a change leaves something changed."""
        if request.action == "list":
            table = self.course.tables[request.entity]
            stocks = [table[number].stock for number in outcome.listed]
            return 2 <= len(stocks) <= LONGEST and len({*stocks}) == len(stocks)
        if request.action == "count":
            return outcome.report != "0"
        return True

    def _candidate(self, refers: bool, impossible: bool) -> Request:
        if refers:
            return self._reference(impossible)
        actions: tuple[Action, ...] = ("adjust", "adjust", "transfer", "state", "state", "enter")
        if not impossible:
            actions = (*actions, "list", "list", "count", "look")
        n = self.rng.randrange(len(self.domain.entities))
        target = self._label(n, impossible and self._percent(25))
        return self._about(self.rng.choice(actions), target, impossible)

    def _reference(self, impossible: bool) -> Request:
        """A request that refers to an earlier one."""
        last = self.requests[-1]
        way = self.rng.choice(("record", "record", "undo", "repeat", "repeat", "counted"))
        if way == "undo":
            return self._undo()
        if way == "repeat":
            return self._repeat(impossible)
        if way == "counted":
            if last.action != "count" or self._in_large(last.entity):
                raise Unclear
            sign = self.rng.choice((-1, 1))
            target = self._label(last.entity, False)
            return Request("adjust", last.entity, target, amount=sign, counted=True)
        actions: tuple[Action, ...] = ("adjust", "transfer", "state", "look")
        return self._about(self.rng.choice(actions), self._earlier(), impossible)

    def _earlier(self) -> Reference:
        """A reference to a record that an earlier request is about."""
        manner = self.rng.choice(("listed", "listed", "latest", "entered"))
        if manner == "listed":
            outcome = next((each for each in reversed(self.course.outcomes) if each.listed), None)
            if outcome is None:
                raise Unclear
            position = self.rng.choice((-1, *range(1, len(outcome.listed) + 1)))
            return Reference("listed", outcome.entity, position=position)
        if manner == "entered":
            entered = [each for each in self.requests if each.action == "enter"]
            if not entered:
                raise Unclear
            return Reference("entered", self.rng.choice(entered).entity)
        outcome = self.course.outcomes[-1]
        deed = outcome.deed
        if outcome.latest is None or (deed and deed.action in {"transfer", "remove"}):
            raise Unclear
        return Reference("latest", outcome.latest[0])

    def _undo(self) -> Request:
        back = self.rng.choice((1, 1, 2))
        if back > len(self.requests) or (back > 1 and self.requests[-1].action == "undo"):
            raise Unclear
        base = self.course.outcomes[-back].deed
        if base is None or self.requests[-back].action == "undo":
            raise Unclear
        return Request("undo", base.entity, back=back)

    def _repeat(self, impossible: bool) -> Request:
        """Once more what an earlier request did, with one or two differences."""
        back = self.rng.choice((1, 1, 2))
        if back > len(self.requests):
            raise Unclear
        base = self.course.outcomes[-back].deed
        if base is None or base.action in {"enter", "remove"}:
            raise Unclear
        if self.requests[-back].action == "undo":
            raise Unclear
        n = base.entity
        request = Request("repeat", n, back=back)
        ways = ["target", "target", "state"] if base.action == "state" else ["target", "amount"]
        ways += ["receiver"] if base.action == "transfer" else []
        ways += ["factor"] if base.action != "state" else []
        for way in self.rng.sample(ways, self.rng.choice((1, 1, 2))):
            if way in {"target", "receiver"}:
                reference = self._label(n, impossible and self._percent(20))
                if way == "target":
                    request = request._replace(target=reference)
                else:
                    request = request._replace(receiver=reference)
            elif way == "state":
                request = request._replace(state=self._state(n, impossible))
            elif way == "factor" and not request.amount:
                request = request._replace(factor=self.rng.randint(2, 3))
            elif request.factor == 1:
                size, in_large = self._size(n, "adjust", impossible)
                request = request._replace(amount=size, in_large=in_large)
        return request

    def _about(self, action: Action, target: Reference, impossible: bool) -> Request:
        """A request about a record, or about records of its type."""
        rng, n = self.rng, target.entity
        entity = self.domain.entities[n]
        match action:
            case "list" | "count":
                by_state = rng.random() < 0.5
                return Request(
                    action,
                    n,
                    state=rng.choice(entity.states) if by_state else "",
                    trait="" if by_state else rng.choice(entity.traits),
                    by_stock=action == "list" and self._percent(self.shares.conversions),
                )
            case "look":
                return Request("look", n, target, state=rng.choice(("", entity.state)))
            case "enter":
                (label,) = words(rng, 1, 5, 7)
                traits = entity.states if impossible else entity.traits
                return Request("enter", n, trait=rng.choice(traits), label=label.title())
            case "state":
                return Request("state", n, target, state=self._state(n, impossible))
        size, in_large = self._size(n, action, impossible)
        if action == "transfer":
            receiver = self._label(n, impossible and self._percent(20))
            return Request("transfer", n, target, receiver, size, in_large)
        return Request("adjust", n, target, amount=rng.choice((-1, 1)) * size, in_large=in_large)

    def _in_large(self, n: int) -> bool:
        """Whether amounts of a type have to be whole numbers of large units."""
        return bool(self.domain.entities[n].in_large)

    def _size(self, n: int, action: str, impossible: bool) -> tuple[int, bool]:
        """An amount, and whether it is in large units."""
        rate, most = self.domain.rates[n], 60 if impossible else 8
        in_large = self._in_large(n) != self._percent(self.shares.conversions)
        if in_large:
            return self.rng.randint(2, most), True
        if self._in_large(n):
            return rate * self.rng.randint(2, most), False
        return self.rng.randint(5, most * 8), False

    def _state(self, n: int, impossible: bool) -> str:
        states = self.domain.entities[n].states
        if impossible and self._percent(30):
            others = [each for each in self.domain.entities if each.states != states]
            return self.rng.choice(self.rng.choice(others).states if others else ("open", "closed"))
        return self.rng.choice(states)

    def _label(self, n: int, unknown: bool) -> Reference:
        """A record by its label, with its trait if there are others of the label."""
        rows = [*self.course.tables[n].values()]
        row = self.rng.choice(rows)
        if unknown:
            label = changed(self.rng, row.label.lower()).title()
            if any(each.label == label for each in rows):
                raise Unclear
            return Reference("label", n, label)
        return _reference_to(rows, n, row)

    def _with_gap(self, request: Request) -> Request:
        """The request without one of its arguments."""
        target, gaps = request.target, list[Gap]()
        if request.action not in DEEDS - {"enter"} or request.counted:
            raise Unclear
        gaps.append("state" if request.action == "state" else "amount")
        gaps += ["receiver"] if request.action == "transfer" else []
        gaps += ["which"] * 3 if target and target.trait else []
        return request._replace(missing=self.rng.choice(gaps))


def _reference_to(rows: Sequence[Row], n: int, row: Row) -> Reference:
    namesakes = sum(each.label == row.label for each in rows)
    return Reference("label", n, row.label, row.trait if namesakes > 1 else "")
