"""The tools of the apps for trips, which do not know the policy."""

from collections.abc import Mapping
from functools import cached_property

from palaestra.generators.tools.apps import Numbered, listing, shown
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.named_records import added, matching
from palaestra.generators.tools.records import RecordWorld, Tables, page_of
from palaestra.generators.tools.trip_planner.itineraries import Timetable
from palaestra.generators.tools.trip_planner.records import day_in_words, day_of
from palaestra.task import InvalidAnswer

MOST_NIGHTS = 14
REASONS = ("cancelled", "short", "impossible")
"""Reasons to decline a trip."""


class TripWorld(RecordWorld):
    """The apps; the timetable, which nobody changes, is shared with other worlds of a task."""

    def __init__(self, tables: Tables, timetable: Timetable, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, tables, seed, busy)
        self.timetable = timetable
        self.cities = {row["name"].casefold(): (n, row) for n, row in tables["city"].items()}

    @cached_property
    def routes(self) -> Mapping[str, Mapping[str, set[str]]]:
        """The modes of the legs from a city to another."""
        routes: dict[str, dict[str, set[str]]] = {}
        for (origin, end, _), legs in self.timetable.items():
            modes = routes.setdefault(origin, {}).setdefault(end, set())
            modes.update(row["mode"] for _, row in legs)
        return routes

    def city(self, name: str) -> Numbered:
        """A city by its name, in any case of letters. Raises :class:`InvalidAnswer`."""
        known = self.cities.get(name.strip().casefold())
        if known is None:
            raise InvalidAnswer(f"there is no city {name[:40]!r}")
        return known


def _find_staff(world: RecordWorld, arguments: Arguments) -> str:
    name, department, page = arguments.values()
    return listing(world, matching(world, "person", name=name, department=department), page)


def _list_appointments(world: RecordWorld, arguments: Arguments) -> str:
    person, page = arguments.values()
    world.row("person", person)
    rows = [each for each in world.rows("appointment") if each[1]["person"] == person]
    return listing(world, rows, page)


def _city_page(world: TripWorld, arguments: Arguments) -> str:
    return shown(*world.city(arguments["city"]))


def _list_routes(world: TripWorld, arguments: Arguments) -> str:
    name, page = arguments.values()
    routes = world.routes.get(world.city(name)[1]["name"], {})
    lines = [f"{end} ({', '.join(sorted(modes))})" for end, modes in sorted(routes.items())]
    return page_of(lines, page)


def _search_legs(world: TripWorld, arguments: Arguments) -> str:
    origin, end, date, page = arguments.values()
    origin, end = (world.city(each)[1]["name"] for each in (origin, end))
    legs = world.timetable.get((origin, end, day_in_words(day_of(date))), ())
    return listing(world, legs, page)


def _search_hotels(world: TripWorld, arguments: Arguments) -> str:
    name, page = arguments.values()
    city = world.city(name)[1]["name"]
    return listing(world, [each for each in world.rows("hotel") if each[1]["city"] == city], page)


def _list_bookings(world: RecordWorld, arguments: Arguments) -> str:
    person, page = arguments.values()
    world.row("person", person)
    rows = [
        (number, {**row, "departs": world.row("leg", row["leg"])["departs"]})
        for number, row in world.rows("booking")
        if row["person"] == person
    ]
    return listing(world, rows, page)


def _book_leg(world: RecordWorld, arguments: Arguments) -> str:
    person, leg, fare = arguments.values()
    world.row("person", person)
    if not world.row("leg", leg)["seats"]:
        raise InvalidAnswer("there are no seats left")
    number = added(world, "booking", person=person, leg=leg, fare=fare)
    return f"Booking {number}: leg {leg} with the {fare} fare."


def _cancel_booking(world: RecordWorld, arguments: Arguments) -> str:
    world.remove("booking", arguments["booking"])
    return "The booking is cancelled."


def _book_hotel(world: RecordWorld, arguments: Arguments) -> str:
    person, hotel, arrival, nights = arguments.values()
    world.row("person", person)
    row, first = world.row("hotel", hotel), day_of(arrival)
    if not 1 <= nights <= MOST_NIGHTS:
        raise InvalidAnswer(f"the number of nights is from 1 to {MOST_NIGHTS}")
    dates = [day_in_words(min(first + n, 3_000_000)) for n in range(nights)]
    if any(night in row["full"] for night in dates):
        raise InvalidAnswer("the hotel is full in one of these nights")
    values = {"person": person, "hotel": hotel, "arrival": dates[0], "nights": nights}
    number = added(world, "stay", **values)
    return f"Stay {number}: from {dates[0]}, nights: {nights}."


def _cancel_hotel(world: RecordWorld, arguments: Arguments) -> str:
    world.remove("stay", arguments["stay"])
    return "The stay is cancelled."


def _answer(world: RecordWorld, person: int, appointment: int, **values: object) -> None:
    """Record the answer to a trip, which replaces an earlier one."""
    world.row("person", person)
    if world.row("appointment", appointment)["person"] != person:
        raise InvalidAnswer("this is an appointment of somebody else")
    earlier = [n for n, row in world.rows("answer") if row["appointment"] == appointment]
    added(world, "answer", person=person, appointment=appointment, **values)
    for number in earlier:
        world.remove("answer", number)


def _decline_trip(world: RecordWorld, arguments: Arguments) -> str:
    person, appointment, reason = arguments.values()
    _answer(world, person, appointment, reason=reason)
    return f"The trip is declined: {reason}."


def _request_approval(world: RecordWorld, arguments: Arguments) -> str:
    person, appointment, amount = arguments.values()
    if not 1 <= amount < 100_000:
        raise InvalidAnswer("an amount is from 1 to 99999 EUR")
    _answer(world, person, appointment, amount=amount)
    return f"Approval of {amount} EUR is requested."


_PAGE = {"page": 1}

TOOLS = (
    Tool(
        "find_staff", "List employees with a text in the name and in the department, ten a page.",
        {"name": str, "department": str, "page": int}, _find_staff,
        {"name": "", "department": "", **_PAGE},
    ),
    Tool(
        "list_appointments",
        "List the appointments of an employee, ten a page; times are those of the head office.",
        {"person": int, "page": int}, _list_appointments, _PAGE,
    ),
    Tool(
        "city_page", "Give the country, clocks, category and fair of a city.", {"city": str},
        _city_page,
    ),
    Tool(
        "list_routes", "List the cities that legs go to from a city, and whether by train or "
        "flight.", {"city": str, "page": int}, _list_routes, _PAGE,
    ),
    Tool(
        "search_legs",
        "List the legs from a city to another that depart on a date (YYYY-MM-DD), ten a page. Times"
        " are local, fares in EUR.",
        {"origin": str, "destination": str, "date": str, "page": int}, _search_legs, _PAGE,
    ),
    Tool(
        "search_hotels",
        "List the hotels of a city, ten a page: the price of a night in EUR, the walk to the centre"
        " in minutes, whether cancellation is free, and the dates of nights that are full.",
        {"city": str, "page": int}, _search_hotels, _PAGE,
    ),
    Tool(
        "list_bookings", "List the legs that an employee has booked, ten a page.",
        {"person": int, "page": int}, _list_bookings, _PAGE,
    ),
    Tool(
        "book_leg", "Book a leg for an employee.",
        {"person": int, "leg": int, "fare": ("basic", "flexible")}, _book_leg,
    ),
    Tool("cancel_booking", "Cancel the booking of a leg.", {"booking": int}, _cancel_booking),
    Tool(
        "book_hotel", "Book a hotel for an employee from a date (YYYY-MM-DD) on.",
        {"person": int, "hotel": int, "arrival": str, "nights": int}, _book_hotel,
    ),
    Tool("cancel_hotel", "Cancel a stay in a hotel.", {"stay": int}, _cancel_hotel),
    Tool(
        "decline_trip", "Decline the trip of an employee to an appointment; an earlier answer to "
        "it is replaced.",
        {"person": int, "appointment": int, "reason": REASONS}, _decline_trip,
    ),
    Tool(
        "request_approval", "Request approval of the total of a trip in EUR; an earlier answer to "
        "it is replaced.",
        {"person": int, "appointment": int, "amount": int}, _request_approval,
    ),
)  # fmt: skip
