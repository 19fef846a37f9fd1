"""The state that the policy asks for, worked out from the records without the conversation."""

from collections.abc import Iterator
from typing import NamedTuple

from palaestra.generators.tools.airline_desk.airline import Airline, Visit, Wish
from palaestra.generators.tools.airline_desk.desk import Desk
from palaestra.generators.tools.airline_desk.policy import (
    DAY,
    Case,
    Leg,
    Method,
    Offer,
    Terms,
    decision,
)
from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.service_desk import Decision, carry_out


class Handled(NamedTuple):
    """The decisions on the wishes, each with the case that it was about, and what differs then."""

    decisions: tuple[tuple[Case, Decision], ...]
    changes: Changes


def handled(desk: Desk, airline: Airline, visit: Visit, terms: Terms, now: int) -> Handled:
    """Handle all wishes in turn, which changes ``desk``."""
    decisions = []
    for choices in visit.wishes:
        for wish in choices:
            case = case_of(desk, visit.customer, wish, now)
            verdict = decision(terms, case)
            if verdict.reason is None:
                break
        decisions.append((case, verdict))
        carry_out(desk, verdict.steps)
    return Handled(tuple(decisions), desk.changes())


def case_of(desk: Desk, customer: int, wish: Wish, now: int) -> Case:
    """The case of a wish by the current records."""
    number, row, index = next(_matches(desk, customer, wish))
    flights = [desk.row("flight", flight) for flight, _ in row["legs"]]
    details = dict(wish.details)
    method = _method(desk, int(details["payment"])) if "payment" in details else None
    return Case(
        request=wish.request,
        now=now,
        reservation=number,
        tier=desk.row("customer", customer)["tier"],
        cabin=row["cabin"],
        passengers=row["passengers"],
        bags=row["bags"],
        insured=row["insured"],
        compensated=row["compensated"],
        booked=row["booked"],
        legs=tuple(_leg(flight, fare) for flight, (_, fare) in zip(flights, row["legs"])),
        leg=index,
        payments=tuple(
            (_method(desk, each["method"]), each["amount"])
            for _, each in desk.rows("payment")
            if each["reservation"] == number
        ),
        main=next(
            n for n, each in desk.rows("method") if each["customer"] == customer and each["main"]
        ),
        details=wish.details,
        method=method,
        offers=tuple(_offers(desk, wish, int(details["new day"]))) if "new day" in details else (),
    )


def _matches(desk: Desk, customer: int, wish: Wish) -> Iterator[tuple[int, Row, int]]:
    for number, row in desk.rows("reservation"):
        if row["customer"] != customer:
            continue
        for index, (flight, _) in enumerate(row["legs"]):
            leg = desk.row("flight", flight)
            where = (leg["origin"], leg["destination"], leg["departs"] // DAY)
            if where == (wish.origin, wish.destination, wish.day):
                yield number, row, index


def _leg(row: Row, fare: int) -> Leg:
    return Leg(
        row["number"],
        row["departs"],
        row["status"],
        row["delay"],
        row["seats"],
        row["prices"],
        fare,
    )


def _method(desk: Desk, number: int) -> Method:
    row = desk.row("method", number)
    return Method(number, row["type"], row["balance"])


def _offers(desk: Desk, wish: Wish, day: int) -> Iterator[Offer]:
    for number, row in desk.rows("flight"):
        route = (row["origin"], row["destination"])
        if route == (wish.origin, wish.destination) and row["departs"] // DAY == day:
            names = ("departs", "arrives", "stops", "status", "seats", "prices")
            yield Offer(number, *(row[name] for name in names))
