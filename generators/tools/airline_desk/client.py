"""A player who knows the policy and the tools, and learns everything else by calls."""

import re
from typing import NamedTuple

from palaestra.generators.tools.airline_desk.customer import DETAILS, TOPICS, meaning
from palaestra.generators.tools.airline_desk.policy import (
    CABINS,
    DAY,
    HOUR,
    REQUESTS,
    Case,
    Leg,
    Method,
    Offer,
    Request,
    Terms,
    decision,
    fulfilment,
    reason,
    refusal,
)
from palaestra.generators.tools.engine import Client, using
from palaestra.generators.tools.service_desk import Calls, answer, pages, take, tell

QUESTIONS = {
    "name": "What is your name?",
    "born": "In which year were you born?",
    "request": "How can I help you?",
    "route": "From where to where do you fly?",
    "day": "On which day is the flight?",
    "new day": "To which day should it be moved?",
    "preference": "Do you have a preference among the flights?",
    "cause": "Why do you cancel?",
    "bags": "How many bags do you want to add?",
    "cabin": "Which cabin would you like?",
    "payment": "How would you like to pay?",
}
"""How each topic is asked for."""

FIRST: dict[Request, str] = {
    "cancel": "already_flown",
    "bags": "too_many_bags",
    "change": "basic_fare",
    "compensation": "not_disrupted",
    "upgrade": "no_seats",
}
"""A common reason against each request."""


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    confirms: bool = True
    decides: bool = True
    """By the policy; otherwise everything is fulfilled, or ``refuses``."""
    refuses: bool = False
    takes_first: bool = False
    """The first reservation and the first flight of every list."""


CAREFUL = Habits()


class Known(NamedTuple):
    """What the client knows of the customer: the numbers of reservations by leg, and methods."""

    number: int
    tier: str
    legs: dict[tuple[str, int], int]
    methods: dict[int, Method]
    main: int


class Wanted(NamedTuple):
    """What the customer says to want."""

    request: Request
    route: str
    day: int


def serve(terms: Terms, now: int, habits: Habits = CAREFUL) -> Client:
    """Find the customer, and handle one request after the other."""
    known = yield from _customer()
    earlier = None
    while True:
        wanted = yield from _wanted(known)
        if wanted == earlier:
            return
        earlier = yield from _handle(known, wanted, terms, now, habits)
        yield from tell("Is there anything else?")


def _handle(known: Known, wanted: Wanted, terms: Terms, now: int, habits: Habits) -> Calls:
    """Handle a request, or what is wanted in its place, and give what was wanted at last."""
    while True:
        if habits.confirms:
            yield from tell("I will handle your request. Do you confirm?")
            wanted = yield from _wanted(known)
        case = yield from _case(known, wanted, now, habits)
        against = reason(terms, case)
        if not habits.decides:
            against = FIRST[wanted.request] if habits.refuses else None
        if against is None:
            steps = decision(terms, case).steps if habits.decides else fulfilment(terms, case)
            yield from take(steps)
            return wanted
        yield from tell("I am sorry, but this is not possible.")
        other = yield from _wanted(known)
        if other == wanted:
            yield from take(refusal(case, against))
            return wanted
        wanted = other


def _customer() -> Calls:
    name, born = (yield from _ask("name")), (yield from _ask("born"))
    people = yield from using("find_customers", name=name)
    number, tier = _groups(rf"(\d+): [^\n]*, born in {born}, (\w+)", people)
    lines = yield from pages("list_reservations", customer=int(number))
    legs = {
        (route, int(day)): int(line.partition(":")[0])
        for line in lines
        for route, day in re.findall(r"(\w+ to \w+) on day (\d+)", line)
    }
    text = yield from using("payment_methods", customer=int(number))
    rows = re.findall(r"(\d+): ([a-z ]+?)( \(main\))?(?:, balance (\d+))?(?:\n|$)", text)
    methods = {int(n): Method(int(n), name, int(b or -1)) for n, name, _, b in rows}
    main = next(int(n) for n, _, main, _ in rows if main)
    return Known(int(number), tier, legs, methods, main)


def _wanted(known: Known) -> Calls:
    """What the customer wants: the day is asked for again where there is no such leg."""
    words = meaning("request", (yield from _ask("request")))
    request = next(each for each in REQUESTS if each == words)
    route = yield from _ask("route")
    day = int((yield from _ask("day")))
    if (route, day) not in known.legs:
        day = int((yield from _ask("day")))
    return Wanted(request, route, day)


def _case(known: Known, wanted: Wanted, now: int, habits: Habits) -> Calls:
    """All that the decision on a request depends on."""
    number = known.legs[wanted.route, wanted.day]
    if habits.takes_first:
        number = next(iter(known.legs.values()))
    details = {}
    for topic in DETAILS[wanted.request]:
        details[topic] = meaning(topic, (yield from _ask(topic)))
    text = yield from using("reservation_details", reservation=number)
    index = 0
    legs: list[Leg] = []
    for flight, fare in re.findall(r"flight (\d+) at fare (\d+)", text):
        line = yield from using("flight_details", flight=int(flight))
        if f"{wanted.route}," in line and f"departs day {wanted.day} " in line:
            index = len(legs)
        legs.append(_leg(_offer(line), line, int(fare)))
    yes = {name: f"{name}: yes" in text for name in ("Insurance", "Compensated")}
    cabin, passengers, bags = _groups(r"Cabin: (\w+)\. Passengers: (\d+)\. Bags: (\d+)", text)
    booked = _moment(*_groups(r"Booked: day (\d+) (\d+):(\d+)", text))
    payments = re.findall(r"(-?\d+) by (\d+)", text)
    method = known.methods.get(int(details["payment"])) if "payment" in details else None
    case = Case(
        request=wanted.request, now=now, reservation=number,
        tier=known.tier, cabin=cabin,
        passengers=int(passengers), bags=int(bags), insured=yes["Insurance"],
        compensated=yes["Compensated"], booked=booked, legs=tuple(legs), leg=index,
        payments=tuple((known.methods[int(each)], int(amount)) for amount, each in payments),
        main=known.main, details=tuple(details.items()), method=method,
    )  # fmt: skip
    if method is not None:
        case = case._replace(method=(yield from _current(known, method)))
    if wanted.request == "change":
        case = case._replace(offers=(yield from _offers(wanted, details["new day"], habits)))
    return case


def _current(known: Known, method: Method) -> Calls:
    """A method with its balance as it is now."""
    text = yield from using("payment_methods", customer=known.number)
    match = re.search(rf"{method.number}: gift card, balance (\d+)", text)
    return method._replace(balance=int(match[1])) if match else method


def _offers(wanted: Wanted, day: str, habits: Habits) -> Calls:
    origin, _, destination = wanted.route.partition(" to ")
    route = {"origin": origin, "destination": destination}
    lines = yield from pages("search_flights", **route, day=int(day))
    offers = [_offer(line) for line in lines if line != "no flights"]
    return tuple(offers[:1] if habits.takes_first else offers)


def _offer(line: str) -> Offer:
    """A flight in a list."""
    number, departure, arrival, stops, status = _groups(
        r"(\d+): .*?, departs day (\d+ \d+:\d+), arrives day (\d+ \d+:\d+), stops (\d), (\w+)", line
    )
    seats = re.findall(rf"(?:{'|'.join(CABINS)}) (\d+) at (\d+)", line)
    return Offer(
        int(number), _moment(*re.split("[ :]", departure)), _moment(*re.split("[ :]", arrival)),
        int(stops), status, tuple(int(n) for n, _ in seats), tuple(int(p) for _, p in seats),
    )  # fmt: skip


def _leg(offer: Offer, line: str, fare: int) -> Leg:
    late = re.search(r"(\d) h", line)
    delay = int(late[1]) if late else 0
    return Leg(
        offer.flight, offer.departs, offer.status, delay, offer.seats, offer.prices, fare
    )  # fmt: skip


def _moment(day: str, hours: str, minutes: str) -> int:
    return int(day) * DAY + int(hours) * HOUR + int(minutes)


def _groups(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that is in a result."""
    match = re.search(pattern, text)
    assert match is not None, text
    return match.groups()


def _ask(topic: str) -> Calls:
    return answer(TOPICS, QUESTIONS, topic)
