"""The itinerary that the policy determines, from the rows that somebody knows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Numbered
from palaestra.generators.tools.named_records import Rows
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.trip_planner.policy import CATEGORIES, GRADES, Policy
from palaestra.generators.tools.trip_planner.records import (
    DAY,
    MODES,
    clocks,
    day_in_words,
    minutes,
)
from palaestra.generators.tools.trip_planner.requests import Request

Timetable = Mapping[tuple[str, str, str], Sequence[Numbered]]
"""Legs by origin, destination and date of departure."""


class Trip(NamedTuple):
    """A traveller and a meeting; its times are local, in minutes."""

    person: int
    traveller: Row
    meeting: int
    appointment: Row
    start: int
    end: int

    @property
    def day(self) -> int:
        """The local day of the meeting."""
        return self.start // DAY


class Journey(NamedTuple):
    """A way there or back: what it costs, its legs with fares, local times in minutes, and its mode
    if it is a single leg.
    """

    cost: int
    legs: tuple[tuple[int, str], ...]
    departs: int
    arrives: int
    mode: str = ""


class Terms(NamedTuple):
    """What the rules mean for the single legs of a trip."""

    carrier: str
    """The carrier that is suspended, or nothing."""
    has_hours: bool
    """Whether legs are bound to hours of the day."""
    prefers_trains: bool
    is_flexible: bool
    """Whether legs have the flexible fare."""
    cheap: int
    """Trains up to this price have the basic fare nevertheless."""
    share: int
    """The percentage of the prices of trains that counts."""


class Itinerary(NamedTuple):
    """A whole trip: its total, its legs with fares, and the hotel with arrival and nights, of which
    there are none if no hotel is needed.
    """

    total: int
    legs: tuple[tuple[int, str], ...]
    hotel: int = 0
    arrival: str = ""
    nights: int = 0


class Planner:
    """Decides on trips by the policy."""

    def __init__(self, rows: Rows, timetable: Timetable, policy: Policy) -> None:
        self.rows, self.timetable, self.policy = rows, timetable, policy
        self.cities = {row["name"]: row for _, row in rows("city")}
        self._offsets: dict[str, int] = {}
        self._ranked: dict[int, list[Itinerary]] = {}
        trains, flights, mixed = policy.changes
        self._least = {mode: dict.fromkeys(MODES, mixed) for mode in MODES}
        """The least time of a change, by the modes of the legs."""
        self._least["train"]["train"], self._least["flight"]["flight"] = trains, flights

    def offset(self, city: str) -> int:
        """By how many minutes the clocks of a city are ahead of those of the head office."""
        if city not in self._offsets:
            self._offsets[city] = self._offset(city)
        return self._offsets[city]

    def _offset(self, city: str) -> int:
        total = 0
        for _ in range(len(self.cities) + 1):
            if city == self.policy.head_office or city not in self.cities:
                break
            hours, city = clocks(self.cities[city]["clocks"])
            total += hours * 60
        return total

    def meeting(self, request: Request) -> Trip | None:
        """The traveller and the meeting of a request; None where nobody knows them."""
        people = [
            (number, row)
            for number, row in self.rows("person")
            if (row["name"], row["department"]) == (request.name, request.department)
        ]
        if not people:
            return None
        person, traveller = people[0]
        entries = sorted(
            (row["status"] == "cancelled", row["start"], number, row)
            for number, row in self.rows("appointment")
            if (row["person"], row["title"], row["city"]) == (person, request.title, request.city)
        )
        if not entries:
            return None
        *_, number, row = entries[0]
        ahead = self.offset(row["city"])
        start, end = (minutes(row[each]) + ahead for each in ("start", "end"))
        return Trip(person, traveller, number, row, start, end)

    def deeds(self, request: Request) -> list[Deed]:
        """The calls that a request needs."""
        trip = self.meeting(request)
        if trip is None:
            return []
        subject = {"person": trip.person, "appointment": trip.meeting}
        reason = self._reason(trip)
        best = [] if reason else self.ranked(trip)
        if not best:
            return [Deed("decline_trip", {**subject, "reason": reason or "impossible"})]
        total = best[0].total
        budget = self.policy.budgets[GRADES.index(trip.traveller["grade"])]
        if self.policy.has("budget") and total > budget:
            return [Deed("request_approval", {**subject, "amount": total})]
        return [*self._cancellations(trip), *_bookings(trip.person, best[0])]

    def _reason(self, trip: Trip) -> str:
        """The reason to decline a trip at once, or nothing."""
        if trip.appointment["status"] == "cancelled":
            return "cancelled"
        is_short = trip.end - trip.start < self.policy.short and not trip.appointment["external"]
        return "short" if is_short and self.policy.has("short") else ""

    def _cancellations(self, trip: Trip) -> Iterator[Deed]:
        if not self.policy.has("old"):
            return
        legs = dict(self.rows("leg"))
        days = [day_in_words(trip.day + n) for n in (-1, 0, 1)]
        for number, row in self.rows("booking"):
            departs = (row if "departs" in row else legs[row["leg"]])["departs"]
            if row["person"] == trip.person and departs[:10] in days:
                yield Deed("cancel_booking", {"booking": number})

    def ranked(self, trip: Trip) -> list[Itinerary]:
        """The two cheapest itineraries, or fewer, with their legs in the order of travel."""
        if trip.meeting not in self._ranked:
            self._ranked[trip.meeting] = self._itineraries(trip)
        return self._ranked[trip.meeting]

    def _itineraries(self, trip: Trip) -> list[Itinerary]:
        there, back = self._there(trip), self._back(trip)
        itineraries = list[Itinerary]()
        for arrival, first in there.items():
            for departure, second in back.items():
                nights = departure - arrival
                if nights < 0:
                    continue
                for hotel, price in self._hotels(trip, arrival, nights):
                    stay = (hotel, day_in_words(arrival), nights) if nights else (0, "", 0)
                    itineraries += (
                        Itinerary(a.cost + b.cost + price * nights, a.legs + b.legs, *stay)
                        for a in first
                        for b in second
                    )
        return sorted(itineraries)[:2]

    def _there(self, trip: Trip) -> dict[int, list[Journey]]:
        """The two cheapest ways there by the day of arrival."""
        home, city = trip.traveller["home"], trip.appointment["city"]
        abroad = self.cities[home]["country"] != self.cities[city]["country"]
        latest = trip.start - (self.policy.abroad if abroad else self.policy.margin)
        earliest = max((end for _, end in self._others(trip, before=True)), default=0)
        earliest += self.offset(home)
        days: dict[int, list[Journey]] = defaultdict(list)
        for journey in self._journeys(trip, home, city, trip.day - 1):
            if journey.arrives <= latest and journey.departs >= earliest:
                days[journey.arrives // DAY].append(journey)
        return {day: sorted(journeys)[:2] for day, journeys in days.items()}

    def _back(self, trip: Trip) -> dict[int, list[Journey]]:
        """The two cheapest ways back by the day of departure."""
        home, city = trip.traveller["home"], trip.appointment["city"]
        earliest = trip.end + self.policy.leaving
        others = [start for start, _ in self._others(trip, before=False)]
        latest = min(others) + self.offset(home) if others else None
        days: dict[int, list[Journey]] = defaultdict(list)
        for journey in self._journeys(trip, city, home, trip.day):
            if journey.departs >= earliest and (latest is None or journey.arrives <= latest):
                days[journey.departs // DAY].append(journey)
        return {day: sorted(journeys)[:2] for day, journeys in days.items()}

    def _others(self, trip: Trip, before: bool) -> Iterator[tuple[int, int]]:
        """The other appointments that count, before the meeting or after it, by the time of the
        head office.
        """
        if not self.policy.has("appointments"):
            return
        for number, row in self.rows("appointment"):
            if row["person"] != trip.person or row["status"] != "confirmed":
                continue
            if number != trip.meeting and (row["start"] < trip.appointment["start"]) == before:
                yield minutes(row["start"]), minutes(row["end"])

    def _journeys(self, trip: Trip, origin: str, end: str, first: int) -> Iterator[Journey]:
        """All ways that depart on the first day or the next one."""
        days, terms = [day_in_words(first), day_in_words(first + 1)], self._terms(trip)
        yield from self._legs(terms, origin, end, days)
        for middle in self.cities:
            has_way = any((origin, middle, day) in self.timetable for day in days)
            onward = self._legs(terms, middle, end, days) if has_way else []
            for one in self._legs(terms, origin, middle, days) if onward else ():
                least, most = self._least[one.mode], self.policy.wait
                for other in onward:
                    if least[other.mode] <= other.departs - one.arrives <= most:
                        yield Journey(
                            one.cost + other.cost, one.legs + other.legs, one.departs,
                            other.arrives,
                        )  # fmt: skip

    def _terms(self, trip: Trip) -> Terms:
        """What the rules mean for the legs of a trip."""
        policy, traveller = self.policy, trip.traveller
        is_exempt = policy.has("director") and traveller["grade"] == "director"
        is_flexible = policy.has("refundable") and trip.appointment["status"] == "tentative"
        return Terms(
            carrier=policy.carrier if policy.has("carrier") else "",
            has_hours=policy.has("night") and not is_exempt,
            prefers_trains=policy.has("train") and not is_exempt,
            is_flexible=is_flexible,
            cheap=policy.cheap if policy.has("cheap") else -1,
            share=100 - policy.card * (policy.has("card") and traveller["rail_card"]),
        )

    def _legs(self, terms: Terms, origin: str, end: str, days: Sequence[str]) -> list[Journey]:
        """The legs between two cities that may be booked, with their prices."""
        journeys = list[Journey]()
        for day in days:
            legs = self.timetable.get((origin, end, day), ())
            has_train = terms.prefers_trains and self._has_train(legs, origin, end)
            for number, row in legs:
                if not (has_train and row["mode"] == "flight") and self._allowed(terms, row):
                    journeys.append(_priced(terms, number, row))
        return journeys

    def _has_train(self, legs: Sequence[Numbered], origin: str, end: str) -> bool:
        """Whether one of the legs between two cities is a train that is preferred to flights."""
        most = self.policy.train + self.offset(end) - self.offset(origin)
        return any(
            row["mode"] == "train" and minutes(row["arrives"]) - minutes(row["departs"]) <= most
            for _, row in legs
        )

    def _allowed(self, terms: Terms, row: Row) -> bool:
        """Whether there is a seat, and no rule on single legs is against it."""
        if not row["seats"] or row["carrier"] == terms.carrier:
            return False
        if not terms.has_hours:
            return True
        departs: str = row["departs"]
        arrives: str = row["arrives"]
        same_date = departs[:10] >= arrives[:10]
        return same_date and departs[11:] >= self.policy.early and arrives[11:] <= self.policy.late

    def _hotels(self, trip: Trip, arrival: int, nights: int) -> list[tuple[int, int]]:
        """The two cheapest hotels for some nights with their prices; a pair of zeros if none is
        needed.
        """
        if not nights:
            return [(0, 0)]
        policy, city = self.policy, trip.appointment["city"]
        dates = [day_in_words(arrival + n) for n in range(nights)]
        refundable = policy.has("refundable") and trip.appointment["status"] == "tentative"
        limit = self._limit(self.cities[city], dates[0])
        hotels = [
            (row["price"], number)
            for number, row in self.rows("hotel")
            if row["city"] == city
            and row["walk"] <= policy.walk
            and not any(night in row["full"] for night in dates)
            and not (refundable and row["cancellation"] != "free")
            and row["price"] * 100 <= limit
        ]
        return [(number, price) for price, number in sorted(hotels)[:2]]

    def _limit(self, city: Row, arrival: str) -> int:
        """The limit of a night in cents."""
        if not self.policy.has("hotel"):
            return 10**9
        limit = self.policy.limits[CATEGORIES.index(city["category"])]
        first, _, last = city["trade_fair"].partition(" to ")
        is_fair = self.policy.has("fair") and bool(last) and first <= arrival <= last
        return limit * (100 + self.policy.raised * is_fair)


def _priced(terms: Terms, number: int, row: Row) -> Journey:
    """A leg with its fare and what it counts."""
    mode = row["mode"]
    is_basic = not terms.is_flexible or (mode == "train" and row["basic"] <= terms.cheap)
    fare = "basic" if is_basic else "flexible"
    cost = row[fare] if mode == "flight" else row[fare] * terms.share // 100
    departs, arrives = minutes(row["departs"]), minutes(row["arrives"])
    return Journey(cost, ((number, fare),), departs, arrives, mode)


def _bookings(person: int, best: Itinerary) -> Iterator[Deed]:
    for leg, fare in best.legs:
        yield Deed("book_leg", {"person": person, "leg": leg, "fare": fare})
    if best.nights:
        stay = {"hotel": best.hotel, "arrival": best.arrival, "nights": best.nights}
        yield Deed("book_hotel", {"person": person, **stay})


def timetable_of(legs: Iterable[Numbered]) -> Timetable:
    """The timetable that some legs make up, with those of a day by departure."""
    timetable: dict[tuple[str, str, str], list[Numbered]] = {}
    for number, row in legs:
        key = row["origin"], row["destination"], row["departs"][:10]
        timetable.setdefault(key, []).append((number, row))
    for day in timetable.values():
        day.sort(key=lambda leg: leg[1]["departs"])
    return timetable
