"""A player who knows the policy and the requests, and reads everything else through the tools."""

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.apps import Known, calling, listed
from palaestra.generators.tools.engine import Client, using
from palaestra.generators.tools.trip_planner.itineraries import Planner, Trip, timetable_of
from palaestra.generators.tools.trip_planner.policy import Policy
from palaestra.generators.tools.trip_planner.records import clocks, clocks_in_words, day_in_words
from palaestra.generators.tools.trip_planner.requests import Request

Reading = Generator[str, str, None]


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    changes: bool = True
    """Whether it looks for ways with a change."""
    clocks: bool = True
    """Whether it reads how clocks differ."""


CAREFUL = Habits()


def fulfil(policy: Policy, requests: Sequence[Request], habits: Habits = CAREFUL) -> Client:
    """Read what each request is about, and do what it needs."""
    for request in requests:
        reader = _Reader(policy, habits)
        yield from reader.read(request)
        yield from calling(reader.planner().deeds(request))


class _Reader:
    """What is known for one request."""

    def __init__(self, policy: Policy, habits: Habits) -> None:
        self.policy, self.habits = policy, habits
        self.view = Known()

    def planner(self) -> Planner:
        """A planner by what is known."""
        return Planner(self.view.rows, timetable_of(self.view.rows("leg")), self.policy)

    def read(self, request: Request) -> Reading:
        """Read all that a request depends on."""
        name, department = request.name, request.department
        yield from self._list("person", "find_staff", name=name, department=department)
        for number, row in self.view.rows("person"):
            if (row["name"], row["department"]) == (name, department):
                yield from self._list("appointment", "list_appointments", person=number)
                yield from self._list("booking", "list_bookings", person=number)
                yield from self._city(row["home"])
        yield from self._city(request.city)
        trip = self.planner().meeting(request)
        if trip is not None and trip.appointment["status"] != "cancelled":
            yield from self._list("hotel", "search_hotels", city=request.city)
            yield from self._timetable(trip)

    def _list(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list."""
        self.view.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))

    def _city(self, name: str) -> Reading:
        """Read the page of a city, and those of cities by whose clocks others are stated."""
        while name not in self.planner().cities:
            (row,) = yield from listed("city_page", city=name)
            if not self.habits.clocks:
                row["clocks"] = clocks_in_words(0, self.policy.head_office)
            self.view.note("city", [row])
            name = clocks(row["clocks"])[1]

    def _timetable(self, trip: Trip) -> Reading:
        """Read the legs between home, the city of the meeting, and those where one may change."""
        home, city = trip.traveller["home"], trip.appointment["city"]
        pairs = [(home, city)]
        for hub in (yield from _routes(home)) if self.habits.changes else ():
            if hub != city and city in (yield from _routes(hub)):
                yield from self._city(hub)
                pairs += [(home, hub), (hub, city)]
        for origin, end in pairs:
            for n in (-1, 0):
                yield from self._legs(origin, end, trip.day + n)
                yield from self._legs(end, origin, trip.day + n + 1)

    def _legs(self, origin: str, end: str, day: int) -> Reading:
        date = day_in_words(day)
        yield from self._list("leg", "search_legs", origin=origin, destination=end, date=date)


def _routes(city: str) -> Generator[str, str, list[str]]:
    """The cities that legs go to from a city; there are never more than a page."""
    text = yield from using("list_routes", city=city)
    return [line.rpartition(" (")[0] for line in text.splitlines() if line.endswith(")")]
