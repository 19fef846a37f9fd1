"""The desk of an airline: its records, the customer, and tools that do not know the policy."""

from typing import Any

from palaestra.generators.tools.airline_desk.airline import Airline
from palaestra.generators.tools.airline_desk.policy import CABINS, DAY, REASONS, REQUESTS, moment
from palaestra.generators.tools.conversation import ConversationWorld, User, say
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import Row, Tables, page_of
from palaestra.task import InvalidAnswer

MOST = 100_000
"""The largest amount of a payment."""


def tables(airline: Airline) -> Tables:
    """The records of an airline as tables."""
    payments = [
        {"reservation": reservation.number, "method": payment.method, "amount": payment.amount}
        for reservation in airline.reservations
        for payment in reservation.payments
    ]
    return {
        "customer": {each.number: each._asdict() for each in airline.customers},
        "method": {each.number: each._asdict() for each in airline.accounts},
        "flight": {each.number: each._asdict() for each in airline.flights},
        "reservation": {
            each.number: {**each._asdict(), "status": "active"} for each in airline.reservations
        },
        "payment": dict(enumerate(payments, 1)),
        "certificate": {},
        "refusal": {},
    }


class Desk(ConversationWorld):
    """The world of an airline, with a customer at its desk."""

    def __init__(self, airline: Airline, user: User, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, tables(airline), seed, busy)
        self.user = user

    def active(self, number: int) -> Row:
        """A reservation that is not cancelled. Raises :class:`InvalidAnswer` otherwise."""
        row = self.row("reservation", number)
        if row["status"] != "active":
            raise InvalidAnswer("the reservation is cancelled")
        return row

    def has_seats(self, flight: int, cabin: str, passengers: int) -> None:
        """Check that there are seats. Raises :class:`InvalidAnswer` if there are too few."""
        row = self.row("flight", flight)
        if row["seats"][CABINS.index(cabin)] < passengers:
            raise InvalidAnswer(f"flight {flight} has fewer free seats in {cabin}")

    def is_open(self, flight: int) -> None:
        """Check that a flight can be booked. Raises :class:`InvalidAnswer` otherwise."""
        status = self.row("flight", flight)["status"]
        if status in ("flown", "cancelled"):
            raise InvalidAnswer(f"flight {flight} is {status}")

    def release(self, flight: int, cabin: str, passengers: int) -> None:
        """Add to the free seats of a flight; a negative number takes them."""
        seats = [*self.row("flight", flight)["seats"]]
        seats[CABINS.index(cabin)] += passengers
        self.update("flight", flight, seats=tuple(seats))


def _find_customers(world: Desk, arguments: Arguments) -> str:
    name = arguments["name"].strip().casefold()
    lines = [
        f"{number}: {row['name']}, born in {row['born']}, {row['tier']} member"
        for number, row in world.rows("customer")
        if row["name"].casefold() == name
    ]
    if not lines:
        raise InvalidAnswer(f"there is no customer {name[:40]!r}")
    return "\n".join(lines)


def _payment_methods(world: Desk, arguments: Arguments) -> str:
    world.row("customer", arguments["customer"])
    return "\n".join(
        f"{number}: {row['type']}"
        + (" (main)" if row["main"] else "")
        + (f", balance {row['balance']}" if row["balance"] >= 0 else "")
        for number, row in world.rows("method")
        if row["customer"] == arguments["customer"]
    )


def _legs(world: Desk, row: Row) -> str:
    flights = (world.row("flight", flight) for flight, _ in row["legs"])
    return "; ".join(
        f"{each['origin']} to {each['destination']} on day {each['departs'] // DAY}"
        for each in flights
    )


def _list_reservations(world: Desk, arguments: Arguments) -> str:
    customer, page = arguments.values()
    world.row("customer", customer)
    lines = [
        f"{number}: {_legs(world, row)} ({row['status']})"
        for number, row in world.rows("reservation")
        if row["customer"] == customer
    ]
    return page_of(lines, page)


def _reservation_details(world: Desk, arguments: Arguments) -> str:
    number = arguments["reservation"]
    row = world.row("reservation", number)
    legs = "; ".join(f"flight {flight} at fare {fare}" for flight, fare in row["legs"])
    payments = "; ".join(
        f"{each['amount']} by {each['method']}"
        for _, each in world.rows("payment")
        if each["reservation"] == number
    )
    return (
        f"Reservation {number} of customer {row['customer']}, {row['status']}. Cabin: "
        f"{row['cabin']}. Passengers: {row['passengers']}. Bags: {row['bags']}. Insurance: "
        f"{'yes' if row['insured'] else 'no'}. Booked: {moment(row['booked'])}. Compensated: "
        f"{'yes' if row['compensated'] else 'no'}. Legs, with the fare of each passenger: {legs}. "
        f"Payments: {payments}."
    )


def _flight(row: Row) -> str:
    cabins = ", ".join(
        f"{cabin} {seats} at {price}"
        for cabin, seats, price in zip(CABINS, row["seats"], row["prices"])
    )
    late = f" by {row['delay']} h" if row["status"] == "delayed" else ""
    late = late or (f", {row['delay']} h late" if row["delay"] else "")
    return (
        f"{row['number']}: {row['origin']} to {row['destination']}, departs "
        f"{moment(row['departs'])}, arrives {moment(row['arrives'])}, stops {row['stops']}, "
        f"{row['status']}{late}; free seats: {cabins}"
    )


def _flight_details(world: Desk, arguments: Arguments) -> str:
    return _flight(world.row("flight", arguments["flight"]))


def _search_flights(world: Desk, arguments: Arguments) -> str:
    origin, destination, day, page = arguments.values()
    route = (origin.strip().casefold(), destination.strip().casefold())
    lines = [
        _flight(row)
        for _, row in world.rows("flight")
        if (row["origin"].casefold(), row["destination"].casefold()) == route
        and row["departs"] // DAY == day
    ]
    return page_of(lines, page, "no flights")


def _cancel(world: Desk, arguments: Arguments) -> str:
    number = arguments["reservation"]
    row = world.active(number)
    world.update("reservation", number, status="cancelled")
    for flight, _ in row["legs"]:
        if world.row("flight", flight)["status"] != "flown":
            world.release(flight, row["cabin"], row["passengers"])
    return f"Reservation {number} is cancelled. Nothing is refunded yet."


def _change_flight(world: Desk, arguments: Arguments) -> str:
    number, old, new = arguments.values()
    row = world.active(number)
    if old not in dict(row["legs"]):
        raise InvalidAnswer(f"flight {str(old)[:20]} is not a leg of the reservation")
    before, after = world.row("flight", old), world.row("flight", new)
    if any(before[field] != after[field] for field in ("origin", "destination")):
        raise InvalidAnswer("the flights have different routes")
    cabin, people = row["cabin"], row["passengers"]
    world.is_open(new)
    world.has_seats(new, cabin, people)
    price = after["prices"][CABINS.index(cabin)]
    legs = tuple((new, price) if leg[0] == old else tuple(leg) for leg in row["legs"])
    world.update("reservation", number, legs=legs)
    world.release(old, cabin, people)
    world.release(new, cabin, -people)
    return f"Reservation {number} has flight {new} in place of {old}. Nothing is charged yet."


def _change_cabin(world: Desk, arguments: Arguments) -> str:
    number, cabin = arguments.values()
    row = world.active(number)
    if cabin == row["cabin"]:
        raise InvalidAnswer("the reservation has this cabin")
    for flight, _ in row["legs"]:
        world.has_seats(flight, cabin, row["passengers"])
    for flight, _ in row["legs"]:
        world.release(flight, row["cabin"], row["passengers"])
        world.release(flight, cabin, -row["passengers"])
    world.update("reservation", number, cabin=cabin)
    return f"Reservation {number} is in {cabin}. Nothing is charged yet."


def _set_bags(world: Desk, arguments: Arguments) -> str:
    number, bags = arguments.values()
    world.active(number)
    if not 0 <= bags <= 50:
        raise InvalidAnswer("the number of bags is from 0 to 50")
    world.update("reservation", number, bags=bags)
    return f"Reservation {number} has {bags} bags. Nothing is charged yet."


def _pay(world: Desk, arguments: Arguments, sign: int) -> None:
    """Book a payment with a positive sign and a refund with a negative one."""
    number, method, amount = arguments.values()
    row, account = world.row("reservation", number), world.row("method", method)
    if account["customer"] != row["customer"]:
        raise InvalidAnswer("the method of payment is another customer's")
    if not 1 <= amount <= MOST:
        raise InvalidAnswer(f"amounts are from 1 to {MOST}")
    balance = account["balance"]
    if 0 <= balance < sign * amount:
        raise InvalidAnswer(f"the balance is {balance}")
    if balance >= 0:
        world.update("method", method, balance=balance - sign * amount)
    world.add("payment", reservation=number, method=method, amount=sign * amount)


def _charge(world: Desk, arguments: Arguments) -> str:
    _pay(world, arguments, 1)
    return f"{arguments['amount']} is charged to {arguments['method']}."


def _refund(world: Desk, arguments: Arguments) -> str:
    _pay(world, arguments, -1)
    return f"{arguments['amount']} is refunded to {arguments['method']}."


def _issue_certificate(world: Desk, arguments: Arguments) -> str:
    number, amount = arguments.values()
    world.row("reservation", number)
    if not 1 <= amount <= MOST:
        raise InvalidAnswer(f"amounts are from 1 to {MOST}")
    world.add("certificate", reservation=number, amount=amount)
    world.update("reservation", number, compensated=True)
    return f"A certificate of {amount} is issued for reservation {number}."


def _book(world: Desk, arguments: Arguments) -> str:
    customer, flight, cabin, passengers = arguments.values()
    world.row("customer", customer)
    if not 1 <= passengers <= 9:
        raise InvalidAnswer("a reservation has 1 to 9 passengers")
    world.is_open(flight)
    world.has_seats(flight, cabin, passengers)
    fare = world.row("flight", flight)["prices"][CABINS.index(cabin)]
    values: dict[str, Any] = {
        "customer": customer, "cabin": cabin, "passengers": passengers, "status": "active",
        "legs": ((flight, fare),), "bags": 0, "insured": False, "booked": 0, "compensated": False,
    }  # fmt: skip
    world.release(flight, cabin, -passengers)
    return f"Reservation {world.add('reservation', **values)} is booked. Nothing is charged yet."


def _refuse(world: Desk, arguments: Arguments) -> str:
    number, request, reason = arguments.values()
    world.row("reservation", number)
    for refusal, row in world.rows("refusal"):
        if (row["reservation"], row["request"]) == (number, request):
            world.remove("refusal", refusal)
    world.add("refusal", reservation=number, request=request, reason=reason)
    return f"The request ({request}) about reservation {number} is refused: {reason}."


PAYMENT = {"reservation": int, "method": int, "amount": int}
FIRST_PAGE = {"page": 1}

TOOLS = (
    say(),
    Tool(
        "find_customers",
        "List the customers with a name, with number, year of birth and membership.",
        {"name": str},
        _find_customers,
    ),
    Tool(
        "payment_methods",
        "List the methods of payment of a customer, by number.",
        {"customer": int},
        _payment_methods,
    ),
    Tool(
        "list_reservations",
        "List the reservations of a customer with their legs.",
        {"customer": int, "page": int},
        _list_reservations,
        FIRST_PAGE,
    ),
    Tool(
        "reservation_details",
        "Give all details of a reservation.",
        {"reservation": int},
        _reservation_details,
    ),
    Tool("flight_details", "Give all details of a flight.", {"flight": int}, _flight_details),
    Tool(
        "search_flights",
        "List the flights of a route that depart on a day, in no order.",
        {"origin": str, "destination": str, "day": int, "page": int},
        _search_flights,
        FIRST_PAGE,
    ),
    Tool(
        "cancel_reservation",
        "Cancel a reservation. Its seats become free. Refunds are made by `refund`.",
        {"reservation": int},
        _cancel,
    ),
    Tool(
        "change_flight",
        "Move a leg of a reservation to another flight. Charges are made by `charge`.",
        {"reservation": int, "old_flight": int, "new_flight": int},
        _change_flight,
    ),
    Tool(
        "change_cabin",
        "Move all legs of a reservation to another cabin. Charges are made by `charge`.",
        {"reservation": int, "cabin": CABINS},
        _change_cabin,
    ),
    Tool(
        "set_bags",
        "Set the number of bags of a reservation. Charges are made by `charge`.",
        {"reservation": int, "bags": int},
        _set_bags,
    ),
    Tool("charge", "Charge an amount to a method of payment.", PAYMENT, _charge),
    Tool("refund", "Refund an amount to a method of payment.", PAYMENT, _refund),
    Tool(
        "issue_certificate",
        "Issue a certificate of an amount to the customer of a reservation.",
        {"reservation": int, "amount": int},
        _issue_certificate,
    ),
    Tool(
        "book_reservation",
        "Book a new reservation on a flight.",
        {"customer": int, "flight": int, "cabin": CABINS, "passengers": int},
        _book,
    ),
    Tool(
        "refuse",
        "Refuse a request about a reservation. A second refusal of the same replaces the first.",
        {"reservation": int, "request": REQUESTS, "reason": REASONS},
        _refuse,
    ),
)
