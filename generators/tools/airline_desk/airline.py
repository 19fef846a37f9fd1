"""An airline: its customers, flights and reservations, and customers who want something."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.people import NAMES
from palaestra.generators.tools.airline_desk.policy import (
    CABINS,
    CAUSES,
    DAY,
    HOUR,
    REQUESTS,
    TIERS,
    Request,
    Terms,
)

CITIES = ("Bergen", "Cork", "Dakar", "Esbjerg", "Faro", "Graz", "Haifa", "Izmir", "Jaipur", "Lima")


class Flight(NamedTuple):
    """A departure. Moments are in minutes, the delay in hours; seats and prices are by cabin."""

    number: int
    origin: str
    destination: str
    departs: int
    arrives: int
    stops: int
    status: str
    delay: int
    seats: tuple[int, ...]
    prices: tuple[int, ...]


class Payment(NamedTuple):
    """What was paid by a method."""

    method: int
    amount: int


class Reservation(NamedTuple):
    """A reservation. ``legs`` are the numbers of flights with the fare of each passenger."""

    number: int
    customer: int
    cabin: str
    passengers: int
    legs: tuple[tuple[int, int], ...]
    bags: int
    insured: bool
    booked: int
    compensated: bool
    payments: tuple[Payment, ...]


class Account(NamedTuple):
    """A method of payment of a customer; the balance of a card is -1."""

    number: int
    customer: int
    type: str
    balance: int
    main: bool


class Customer(NamedTuple):
    """A customer of the airline."""

    number: int
    name: str
    born: int
    tier: str


class Airline(NamedTuple):
    """The records of the airline."""

    customers: tuple[Customer, ...]
    accounts: tuple[Account, ...]
    flights: tuple[Flight, ...]
    reservations: tuple[Reservation, ...]


Details = tuple[tuple[str, str], ...]


class Wish(NamedTuple):
    """What a customer wants for a leg, which the route and the day name.

    ``before`` are the request or the details that the customer states until asked to confirm, in
    place of those wanted in the end. ``mistaken`` is a wrong day that the customer states first.
    """

    request: Request
    origin: str
    destination: str
    day: int
    details: Details
    before: Details = ()
    mistaken: int = 0


class Visit(NamedTuple):
    """A customer, and the wishes, each with its choices in order of preference."""

    customer: int
    wishes: tuple[tuple[Wish, ...], ...]


class Size(NamedTuple):
    """The numbers of what a visit has."""

    wishes: int
    seconds: int
    """Wishes with a second choice."""
    thoughts: int
    """Wishes about which the customer changes the mind."""
    mistakes: int
    """Wishes with a mistaken day."""
    reservations: int
    """The customer's reservations without a wish."""
    flights: int
    """The flights on a day that a leg may be moved to."""
    namesakes: int
    requests: int
    """The number of types of requests."""


def random_terms(rng: Random) -> Terms:
    """A policy with random numbers."""
    delayed = rng.choice((40, 50, 60))
    return Terms(
        grace=rng.choice((12, 24, 36)),
        notice=rng.choice((6, 12, 18, 24)),
        cancel_notice=rng.choice((48, 72, 96)),
        cancel_fee=rng.choice((40, 50, 60, 80)),
        change_fee=rng.choice((20, 30, 50, 70)),
        premium=rng.choice((15, 18, 25)),
        bag=rng.choice((25, 30, 35, 45)),
        most_bags=rng.choice((3, 4)),
        silver_bags=rng.choice((0, 1)),
        gold_bags=rng.choice((1, 2)),
        delay=rng.choice((2, 3, 4)),
        delayed=delayed,
        cancelled=delayed + rng.choice((30, 50, 80)),
        silver_discount=rng.choice((5, 10)),
        gold_discount=rng.choice((15, 20, 25)),
    )


class Draft:
    """An airline in the making."""

    def __init__(self, rng: Random, now: int) -> None:
        self.rng, self.now = rng, now
        self.flights: list[Flight] = []
        self.numbers = iter(rng.sample(range(1_000, 10_000), 600))
        self.reservations: list[Reservation] = []

    def flight(self, origin: str, destination: str, departs: int, base: int, late: float) -> Flight:
        """Add a flight; with the probability ``late`` it is delayed or cancelled."""
        rng = self.rng
        flown, disrupted = departs < self.now, rng.random() < late
        cancelled = not flown and disrupted and rng.random() < 0.4
        delay = rng.randint(1, 6) if disrupted and not cancelled else 0
        status = "flown" if flown else "cancelled" if cancelled else "delayed" if delay else ""
        stops = rng.choice((0, 0, 1, 2))
        basic = base + rng.randrange(-30, 60)
        flight = Flight(
            number=next(self.numbers),
            origin=origin,
            destination=destination,
            departs=departs,
            arrives=departs + 90 + stops * rng.randrange(60, 150, 5),
            stops=stops,
            status=status or "scheduled",
            delay=delay,
            seats=tuple(rng.randint(0, 6) for _ in CABINS),
            prices=(basic, basic + 40, basic + 95, basic + rng.randrange(180, 260)),
        )
        self.flights.append(flight)
        return flight

    def reservation(
        self, owner: Customer, request: Request, accounts: Sequence[Account],
        route: tuple[str, str], day: int,
    ) -> tuple[Flight, ...]:  # fmt: skip
        """Add a reservation for which a request may be possible or not, and give its flights."""
        rng, base = self.rng, self.rng.randrange(90, 260)
        late = {"compensation": 0.75, "change": 0.25, "cancel": 0.15}.get(request, 0.1)
        first = day * DAY + rng.randrange(6 * HOUR, 15 * HOUR, 5)
        flights = [self.flight(*route, first, base, late)]
        if rng.random() < 0.5:
            back = first + rng.randint(2, 6) * DAY + rng.randrange(0, 2 * HOUR, 5)
            flights.append(self.flight(*route[::-1], back, base, late))
        (cabin,) = rng.choices(range(4), (3, 4, 2, 2) if request != "upgrade" else (1, 5, 3, 1))
        people = rng.randint(1, 4)
        legs = [(f.number, f.prices[cabin] - rng.choice((-20, 0, 15, 35))) for f in flights]
        insured = rng.random() < 0.4
        total = sum(fare for _, fare in legs) * people + (20 * people if insured else 0)
        recent = rng.random() < 0.15 and first > self.now
        ago = rng.randint(2, 60) * HOUR if recent else rng.randint(20 * 24, 60 * 24) * HOUR
        self.reservations.append(
            Reservation(
                number=next(self.numbers),
                customer=owner.number,
                cabin=CABINS[cabin],
                passengers=people,
                legs=tuple(legs),
                bags=rng.randint(0, people * 2),
                insured=insured,
                booked=self.now - ago,
                compensated=rng.random() < (0.2 if request == "compensation" else 0.1),
                payments=_payments(rng, accounts, total),
            )
        )
        return tuple(flights)


def _payments(rng: Random, accounts: Sequence[Account], total: int) -> tuple[Payment, ...]:
    if rng.random() < 0.4:
        return (Payment(rng.choice([a for a in accounts if a.balance < 0]).number, total),)
    one, other = rng.sample(accounts, 2)
    part = rng.randint(total // 4, total * 3 // 4)
    return (Payment(one.number, part), Payment(other.number, total - part))


def random_visit(rng: Random, size: Size) -> tuple[Airline, Visit, int]:
    """A random airline, a visit, in which every wish is about a different reservation, and the
    moment.
    """
    today = rng.randint(100, 300)
    now = today * DAY + rng.randrange(8 * HOUR, 18 * HOUR)
    draft = Draft(rng, now)
    customers = _customers(rng, size.namesakes)
    me = customers[0]
    accounts = [account for each in customers for account in _accounts(draft, each)]
    own = [account for account in accounts if account.customer == me.number]
    wishes = _wishes(draft, me, own, size, today)
    for n in range(size.reservations + size.namesakes + 1):
        owner = me if n < size.reservations else rng.choice(customers[1:])
        wish = rng.choice(wishes)[0]
        route = (wish.origin, wish.destination)
        if rng.random() < 0.3:
            route = (rng.choice(CITIES[5:]), rng.choice(CITIES[:5]))
        taken = {f.departs // DAY for f in draft.flights if (f.origin, f.destination) == route}
        days = [today + d for d in range(-12, 30) if today + d not in taken and d]
        theirs = [account for account in accounts if account.customer == owner.number]
        draft.reservation(owner, rng.choice(REQUESTS), theirs, route, rng.choice(days))
    wishes = [(_mistaken(draft, w[0]) if n < size.mistakes else w[0], *w[1:])
              for n, w in enumerate(wishes)]  # fmt: skip
    for shuffled in (wishes, customers, accounts, draft.flights, draft.reservations):
        rng.shuffle(shuffled)
    airline = Airline(
        tuple(customers), tuple(accounts), tuple(draft.flights), tuple(draft.reservations)
    )
    return airline, Visit(me.number, tuple(wishes)), now


def _customers(rng: Random, namesakes: int) -> list[Customer]:
    """The visitor, namesakes born in other years, and two other customers."""
    name, *others = rng.sample(NAMES, 3)
    years = rng.sample(range(1950, 2003), namesakes + 3)
    numbers = rng.sample(range(100, 1_000), namesakes + 3)
    names = [name] * (namesakes + 1) + others
    tiers = [*rng.choices(TIERS, (1, 2, 2)), *rng.choices(TIERS, k=namesakes + 2)]
    return [Customer(*each) for each in zip(numbers, names, years, tiers)]


def _accounts(draft: Draft, customer: Customer) -> list[Account]:
    rng = draft.rng
    gift, certificate = rng.randint(5, 160), rng.randint(20, 200)
    balances = (("card", -1), ("card", -1), ("gift card", gift), ("certificate", certificate))
    return [
        Account(next(draft.numbers), customer.number, name, balance, n == 0)
        for n, (name, balance) in enumerate(balances)
    ]


def _wishes(
    draft: Draft, me: Customer, accounts: Sequence[Account], size: Size, today: int
) -> list[tuple[Wish, ...]]:
    rng = draft.rng
    routes = [(a, b) for a in CITIES[:5] for b in CITIES[5:]]
    chains = []
    for n, route in enumerate(rng.sample(routes, size.wishes)):
        request, second = rng.sample(REQUESTS[: size.requests], 2)
        days = {"compensation": (-6, 2), "change": (0, 9), "cancel": (1, 9)}.get(request, (0, 12))
        is_late = n == 0 and size.wishes > 2 and request != "compensation"
        if is_late or rng.random() < 0.1:
            days = (-3, -1)
        flights = draft.reservation(me, request, accounts, route, today + rng.randint(*days))
        leg = flights[0] if is_late else rng.choice(flights)
        wish = _wish(draft, leg, request, accounts, size)
        if n < size.thoughts:
            wish = _with_thoughts(draft, leg, wish, accounts, size)
        chain = [wish]
        if size.wishes - n <= size.seconds:
            chain.append(_wish(draft, leg, second, accounts, size))
        chains.append(tuple(chain))
    return chains


def _wish(
    draft: Draft, leg: Flight, request: Request, accounts: Sequence[Account], size: Size
) -> Wish:
    rng = draft.rng
    details: list[tuple[str, str]] = []
    if request == "cancel":
        details = [("cause", rng.choice(CAUSES))]
    elif request == "bags":
        details = [("bags", str(rng.randint(1, 5)))]
    elif request == "upgrade":
        details = [("cabin", rng.choice(CABINS[2:]))]
    elif request == "change":
        later = max(leg.departs, draft.now) // DAY + rng.randint(1, 3)
        number = size.flights if rng.random() < 0.75 else rng.randint(0, 2)
        for day in (later, later + 1):
            for _ in range(number):
                departs = day * DAY + rng.randrange(5 * HOUR, 17 * HOUR, 5)
                draft.flight(leg.origin, leg.destination, departs, leg.prices[0], 0.2)
        details = [("new day", str(later)), ("preference", _preference(rng))]
    if request in ("bags", "upgrade", "change"):
        payable = [account for account in accounts if account.type != "certificate"]
        details.append(("payment", str(rng.choice(payable).number)))
    return Wish(request, leg.origin, leg.destination, leg.departs // DAY, tuple(details))


def _preference(rng: Random) -> str:
    time = f"by {rng.randint(10, 17)}:{rng.choice(('00', '30'))}"
    return rng.choice(("cheapest", "earliest", "non-stop", time))


def _with_thoughts(
    draft: Draft, leg: Flight, wish: Wish, accounts: Sequence[Account], size: Size
) -> Wish:
    """A wish that comes out when the customer is asked to confirm another one."""
    rng = draft.rng
    other = rng.choice(REQUESTS[: max(2, size.requests)])
    if wish.request == "compensation" or rng.random() < 0.6:
        other = other if other != wish.request else "cancel" if other != "cancel" else "bags"
        details = _wish(draft, leg, other, accounts, size).details
        own = {topic for topic, _ in wish.details}
        extra = tuple(each for each in details if each[0] not in own)
        return wish._replace(before=(("request", other), *extra))
    earlier = dict(_wish(draft, leg, wish.request, accounts, size).details)
    if "new day" in earlier:
        earlier["new day"] = str(int(dict(wish.details)["new day"]) + 1)
    if "bags" in earlier:
        earlier["bags"] = str(int(dict(wish.details)["bags"]) % 5 + 1)
    before = [each for each in earlier.items() if each not in wish.details]
    return wish._replace(before=tuple(before))


def _mistaken(draft: Draft, wish: Wish) -> Wish:
    """A wish of a customer who states a day on which there is no flight of the route."""
    route = (wish.origin, wish.destination)
    taken = {f.departs // DAY for f in draft.flights if (f.origin, f.destination) == route}
    days = [wish.day + d for d in range(-9, 10) if wish.day + d not in taken]
    return wish._replace(mistaken=draft.rng.choice(days))
