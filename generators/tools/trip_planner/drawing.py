"""Random records and requests of trips, each with one cheapest itinerary."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import count
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.apps import Numbered
from palaestra.generators.tools.named_records import RecordT, row_of, rows_of
from palaestra.generators.tools.trip_planner.itineraries import Planner, Timetable
from palaestra.generators.tools.trip_planner.policy import (
    CARRIERS,
    CATEGORIES,
    GRADES,
    Policy,
    random_policy,
)
from palaestra.generators.tools.trip_planner.records import (
    DAY,
    MODES,
    Appointment,
    Booking,
    City,
    Hotel,
    Leg,
    Person,
    Records,
    clocks_in_words,
    day_in_words,
    minutes,
    time_in_words,
)
from palaestra.generators.tools.trip_planner.requests import Request

CITIES = (
    "Aldmoor", "Brixen Bay", "Calder", "Dunmere", "Eskfield", "Fallow Port", "Glenrath", "Halden",
    "Ister", "Jarrow", "Kestrel Hill", "Lundby", "Marwick", "New Orrin", "Ostrand", "Pellworth",
)  # fmt: skip
COUNTRIES = ("Norland", "Estvia", "Suder")
DEPARTMENTS = ("Sales", "Research", "Legal", "Logistics", "Design", "Finance")
SURNAMES = (
    "Abt", "Brandt", "Castell", "Dahl", "Ekman", "Farkas", "Grau", "Holm", "Iversen", "Jonsson",
    "Keller", "Lind", "Moreau", "Novak", "Orlov", "Pinto",
)  # fmt: skip
TITLES = (
    "budget review", "kick-off", "site inspection", "contract signing", "workshop", "audit",
    "product demonstration", "training day", "board meeting", "press briefing",
)  # fmt: skip
HOTELS = ("Anchor", "Bellevue", "Central", "Derby", "Elysium", "Fountain", "Grand", "Harbour",
          "Imperial", "Juniper", "Kingfisher", "Linden", "Metropole", "Northern")  # fmt: skip
SEATS = (0, 1, 2, 3, 5, 8, 9)
"""How many seats a leg may have left."""
ATTEMPTS = 8
"""How many trips are tried for one that is as wanted."""


class Size(NamedTuple):
    """How much there is of each."""

    trips: int
    cities: int
    hubs: int
    """Cities where one may change, for each trip."""
    departures: int
    """Legs between two cities on a day."""
    namesakes: int
    appointments: int
    """Of each traveller, besides the meeting."""
    hotels: int
    """In each city that somebody travels to."""
    zones: int
    """The hours by which clocks differ from those of another city, at most."""
    rules: int
    strict: int
    """The percentage of trips that the rules matter to."""


class Draft(NamedTuple):
    """What a trip adds to the records."""

    request: Request
    appointments: tuple[Appointment, ...]
    legs: Timetable
    hotels: tuple[Hotel, ...]
    bookings: tuple[Booking, ...]


class Wishes(NamedTuple):
    """What a trip should be like, in the order in which it counts."""

    books: bool
    """Something is booked, or else nothing."""
    changes: bool
    """The best itinerary has a change."""
    rules: bool
    clocks: bool
    """Without them, the itinerary would be another one."""


class Fares(NamedTuple):
    """What the fares of the legs of a trip depend on."""

    home: str
    city: str
    direct: float
    """The factor for legs from home to the meeting and back."""
    arrival: tuple[int, int]
    departure: tuple[int, int]
    """Local times in the city of the meeting, in minutes, that are in time by its clocks or by
    those of the head office, but not by both.
    """

    def windows(self, origin: str, end: str) -> tuple[range, range]:
        """In which minutes a leg departs or arrives in such a time."""
        departure = range(*self.departure) if origin == self.city else range(0)
        arrival = range(self.arrival[0] + 1, self.arrival[1] + 1)
        return departure, arrival if end == self.city else range(0)


class _Drawing:
    """The records so far."""

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        self.today = date(2031, 1, 1) + timedelta(rng.randrange(600))
        names = rng.sample(CITIES, size.cities)
        self.policy = random_policy(rng, names[0], size.rules)
        self.offsets = dict.fromkeys(names, 0)
        self.spots = {name: complex(rng.randrange(900), rng.randrange(600)) for name in names}
        self.cities = self._cities(names)
        self.city_rows = _numbered(self.cities)
        same = clocks_in_words(0, self.policy.head_office)
        self.flat_cities = _numbered(each._replace(clocks=same) for each in self.cities)
        """The cities as if all clocks showed the same."""
        self.people = self._people(names)
        self.appointments = list[Appointment]()
        self.bookings = list[Booking]()
        self.hotels = list[Hotel]()
        self.legs: dict[tuple[str, str, str], Sequence[Numbered]] = {}
        self.numbers = {name: count(rng.randrange(100, 300)) for name in ("leg", "appointment")}
        self.numbers |= {name: count(rng.randrange(20, 60)) for name in ("hotel", "booking")}

    def next(self, table: str) -> int:
        """A new number of a record."""
        return _scattered(next(self.numbers[table]))

    def _cities(self, names: Sequence[str]) -> list[City]:
        """Cities whose clocks are stated by those of the head office or of another city."""
        rng, zones = self.rng, self.size.zones
        numbers = rng.sample(range(10, 100), len(names))
        cities = list[City]()
        for n, name in enumerate(names):
            other = names[0] if n < 2 or rng.randrange(2) else rng.choice(names[1:n])
            ahead = rng.choice((-1, 1)) * rng.randint(1, zones) if n and zones else 0
            if abs(self.offsets[other] + ahead) > zones:
                ahead = 0
            self.offsets[name] = self.offsets[other] + ahead
            fair = ""
            if rng.randrange(2):
                start = self.today + timedelta(rng.randint(2, 40))
                fair = f"{start} to {start + timedelta(rng.randint(6, 16))}"
            cities.append(
                City(
                    numbers[n], name, rng.choice(COUNTRIES[: 2 + (zones > 1)]),
                    clocks_in_words(ahead, other), rng.choice(CATEGORIES), fair,
                )
            )  # fmt: skip
        return cities

    def _people(self, cities: Sequence[str]) -> list[Person]:
        """The travellers first, then colleagues, some of whom have the name of a traveller."""
        rng, size = self.rng, self.size
        names = [
            f"{first} {rng.choice(SURNAMES)}"
            for first in rng.sample((*NAMES, *MORE_NAMES), size.trips + 4)
        ]
        named = [(name, rng.choice(DEPARTMENTS)) for name in names]
        for n in range(size.namesakes):
            name, department = named[n % size.trips]
            others = [each for each in DEPARTMENTS if (name, each) not in named]
            named.append((name, rng.choice(others or [department])))
        numbers = rng.sample(range(100, 1_000), len(named))
        return [
            Person(
                number, name, department, rng.choice((cities[0], *cities)), rng.choice(GRADES),
                rng.randrange(5) < 2,
            )
            for number, (name, department) in zip(numbers, named)
        ]  # fmt: skip


def _scattered(number: int) -> int:
    """The number of a record from a running number, so that numbers are not consecutive."""
    return number * 7 % 9973 + 1


def random_trips(rng: Random, size: Size) -> tuple[Records, Policy, str, tuple[Request, ...]]:
    """Random records, the policy, today's date, and requests for trips of different people."""
    drawing = _Drawing(rng, size)
    requests = list[Request]()
    is_booked = False
    for person in drawing.people[: size.trips]:
        is_last = len(requests) + 1 == size.trips
        wishes = _random_wishes(drawing, books=is_last and not is_booked)
        draft = _wanted_draft(drawing, person, wishes)
        _commit(drawing, draft)
        requests.append(draft.request)
        is_booked |= wishes.books
    for person in drawing.people[size.trips :]:
        drawing.appointments += _decoys(drawing, person)
    records = Records(
        tuple(drawing.people),
        tuple(sorted(drawing.appointments, key=lambda each: (each.person, each.start))),
        tuple(drawing.cities),
        tuple(Leg(n, **row) for legs in drawing.legs.values() for n, row in legs),
        tuple(drawing.hotels),
        tuple(drawing.bookings),
    )
    return records, drawing.policy, drawing.today.isoformat(), tuple(requests)


def _commit(drawing: _Drawing, draft: Draft) -> None:
    drawing.appointments += draft.appointments
    drawing.hotels += draft.hotels
    drawing.bookings += draft.bookings
    drawing.legs |= draft.legs


def _random_wishes(drawing: _Drawing, books: bool) -> Wishes:
    """What a trip should be like; something is booked if ``books``, and mostly otherwise."""
    rng, strict = drawing.rng, drawing.size.strict
    books = rng.randrange(100) < 88 or books
    return Wishes(books, *(rng.randrange(100) < strict for _ in range(3)))


def _wanted_draft(drawing: _Drawing, person: Person, wishes: Wishes) -> Draft:
    """A trip with one cheapest itinerary, which is as wanted, if such a one turns up."""
    best: tuple[int, Draft] | None = None
    for _ in range(ATTEMPTS):
        draft = _draft(drawing, person, wishes.books)
        suits = _suits(drawing, person, draft, wishes)
        if best is None or suits > best[0]:
            best = suits, draft
        if suits == len(wishes):
            break
    assert best is not None
    return best[1]


def _suits(drawing: _Drawing, person: Person, draft: Draft, wishes: Wishes) -> int:
    """How many wishes a draft meets; none if it has no single solution."""
    rows, timetable = _tables(drawing, person, draft), {**drawing.legs, **draft.legs}
    planner = Planner(rows.__getitem__, timetable, drawing.policy)
    trip = planner.meeting(draft.request)
    assert trip is not None
    best = planner.ranked(trip)
    if len(best) == 2 and best[0].total == best[1].total:
        return -1
    deeds = planner.deeds(draft.request)
    is_booked = deeds[-1].tool.startswith("book")
    if is_booked != wishes.books:
        return 0
    if not is_booked:
        return len(wishes)
    if wishes.changes and len(best[0].legs) == 2:
        return 1
    lawless = Planner(rows.__getitem__, timetable, drawing.policy._replace(rules=()))
    if wishes.rules and lawless.deeds(draft.request) == deeds:
        return 2
    if wishes.clocks and drawing.size.zones:
        rows["city"] = drawing.flat_cities
        if Planner(rows.__getitem__, timetable, drawing.policy).deeds(draft.request) == deeds:
            return 3
    return len(wishes)


def _tables(drawing: _Drawing, person: Person, draft: Draft) -> dict[str, Sequence[Numbered]]:
    """What a planner for a traveller knows, who knows what a draft adds, besides the timetable."""
    booked = {each.leg for each in draft.bookings}
    timetable = (*drawing.legs.values(), *draft.legs.values()) if booked else ()
    return {
        "person": [(person.number, row_of(person))],
        "appointment": _numbered(draft.appointments),
        "city": drawing.city_rows,
        "leg": [each for legs in timetable for each in legs if each[0] in booked],
        "hotel": _numbered((*drawing.hotels, *draft.hotels)),
        "booking": _numbered(draft.bookings),
    }


def _numbered(records: Iterable[RecordT]) -> list[Numbered]:
    """Records as rows with their numbers."""
    return [*rows_of(records).items()]


def _draft(drawing: _Drawing, person: Person, books: bool) -> Draft:
    """A trip of an employee, with legs, hotels and appointments around it; the meeting is neither
    cancelled nor too short if something is to be booked.
    """
    rng, size = drawing.rng, drawing.size
    names = [each.name for each in drawing.cities if each.name != person.home]
    city = rng.choice([name for name in names if drawing.offsets[name]] or names)
    names.remove(city)
    hubs = rng.sample(names, min(size.hubs, len(names)))
    title = rng.choice(TITLES)
    day = drawing.today.toordinal() + rng.randint(9, 35)
    start = day * DAY + 15 * rng.randint(38, 64) - 60 * drawing.offsets[city]
    is_cancelled = not books and rng.randrange(8) == 0
    status = "cancelled" if is_cancelled else rng.choice(("confirmed", "confirmed", "tentative"))
    length = 15 * rng.randint(4, 14)
    meeting = _appointment(drawing, person, (title, city, status), start, length)
    if books and drawing.policy.has("short") and length < drawing.policy.short:
        meeting = meeting._replace(external=True)
    appointments = [meeting, *_near(drawing, person, day), *_doubles(drawing, person, meeting)]
    legs = _new_legs(drawing, _fares(drawing, person.home, meeting), hubs, day)
    is_known = any(each.city == city for each in drawing.hotels)
    hotels = [] if is_known else _hotels(drawing, city, day)
    bookings = _bookings(drawing, person, [leg for each in legs.values() for leg in each])
    return Draft(
        Request(person.name, person.department, title, city), tuple(appointments), legs,
        tuple(hotels), tuple(bookings),
    )  # fmt: skip


def _fares(drawing: _Drawing, home: str, meeting: Appointment) -> Fares:
    """Fares of the legs of a trip, so that changes and clocks matter to it."""
    policy, city = drawing.policy, meeting.city
    ahead = 60 * drawing.offsets[city]
    countries = {each.country for each in drawing.cities if each.name in (city, home)}
    margin = policy.margin if len(countries) == 1 else policy.abroad
    last = minutes(meeting.start) + ahead - margin
    first = minutes(meeting.end) + ahead + policy.leaving
    later, earlier = max(0, ahead), min(0, ahead)
    return Fares(
        home, city, drawing.rng.uniform(2.4, 3.2), (last - later, last - earlier),
        (first - later, first - earlier),
    )  # fmt: skip


def _new_legs(drawing: _Drawing, fares: Fares, hubs: Sequence[str], day: int) -> Timetable:
    """The legs of a trip that are not in the timetable yet."""
    home, city = fares.home, fares.city
    pairs = [(home, city), *((home, hub) for hub in hubs), *((hub, city) for hub in hubs)]
    days = [day_in_words(day + n) for n in (-1, 0, 1)]
    return {
        (*pair, when): _legs(drawing, *pair, when, fares)
        for one, other in pairs
        for pair, dates in (((one, other), days[:2]), ((other, one), days[1:]))
        for when in dates
        if (*pair, when) not in drawing.legs
    }


def _appointment(
    drawing: _Drawing, person: Person, what: tuple[str, str, str], start: int, length: int
) -> Appointment:
    """An appointment with a title, a city and a status, by the time of the head office."""
    title, city, status = what
    times = time_in_words(start), time_in_words(start + length)
    is_external = drawing.rng.randrange(2) > 0
    number = drawing.next("appointment")
    return Appointment(number, person.number, title, city, *times, status, is_external)


def _near(drawing: _Drawing, person: Person, day: int) -> Iterable[Appointment]:
    """Appointments at home on the day before the meeting or after it, and on others."""
    rng = drawing.rng
    for n in range(drawing.size.appointments):
        when = day + (rng.choice((-1, 1)) if n < 2 else rng.choice((-5, -4, -3, 3, 4, 5)))
        hour = rng.randint(8, 11) if when < day else rng.randint(13, 19)
        title = rng.choice(TITLES)
        start = when * DAY + 60 * hour
        status = rng.choice(("confirmed", "confirmed", "tentative", "cancelled"))
        length = 30 * rng.randint(1, 5)
        yield _appointment(drawing, person, (title, person.home, status), start, length)


def _doubles(drawing: _Drawing, person: Person, meeting: Appointment) -> Iterable[Appointment]:
    """Entries with the same title: a cancelled one before, one later, and one elsewhere. If the
    meeting is cancelled, the later one is, too.
    """
    rng, start = drawing.rng, minutes(meeting.start)
    elsewhere = [each.name for each in drawing.cities if each.name != meeting.city]
    for days, city, status in (
        (-7, meeting.city, "cancelled"),
        (7, meeting.city, "cancelled" if meeting.status == "cancelled" else "confirmed"),
        (rng.choice((-6, 6, 8)), rng.choice(elsewhere), rng.choice(("confirmed", "tentative"))),
    ):
        if rng.randrange(2):
            what = meeting.title, city, status
            yield _appointment(drawing, person, what, start + days * DAY, 15 * rng.randint(4, 12))


def _decoys(drawing: _Drawing, person: Person) -> Iterable[Appointment]:
    """Appointments of colleagues, with titles and cities of the requests."""
    rng = drawing.rng
    start = drawing.today.toordinal() * DAY
    for _ in range(drawing.size.appointments // 2 + 1):
        model = rng.choice(drawing.appointments)
        when = start + rng.randint(9, 35) * DAY + 30 * rng.randint(16, 30)
        yield _appointment(drawing, person, (model.title, model.city, "confirmed"), when, 90)


def _legs(drawing: _Drawing, origin: str, end: str, day: str, fares: Fares) -> list[Numbered]:
    """The legs of a day through the whole of it; what the policy may forbid is cheaper."""
    policy, random, numbers = drawing.policy, drawing.rng.random, drawing.numbers["leg"]
    distance = 120 + abs(drawing.spots[origin] - drawing.spots[end]) * 0.8
    lengths = {"train": distance / 2.2 + 20, "flight": distance / 11 + 50}
    start, span = minutes(f"{day} 05:00"), 18 * 60 // drawing.size.departures
    zone = 60 * (drawing.offsets[end] - drawing.offsets[origin])
    early, late = fares.windows(origin, end)
    dear = fares.direct if {origin, end} == {fares.home, fares.city} else 1
    legs = list[Numbered]()
    for earliest in range(start, start + drawing.size.departures * span, span):
        mode = MODES[random() < 0.35]
        departs = earliest + 5 * int(random() * (span // 5))
        arrives = departs + int(lengths[mode] * (0.9 + 0.3 * random())) // 5 * 5 + zone
        carrier = CARRIERS[int(random() * len(CARRIERS))]
        clock = time_in_words(departs)
        tempts = carrier == policy.carrier or not policy.early <= clock[11:] <= "19:30"
        tempts = tempts or departs in early or arrives in late
        price = (30 + distance * 0.16) * (0.6 + 0.8 * random()) * dear
        basic = int(price * (0.6 if tempts else 1) * (0.85 if mode == "flight" else 1))
        flexible = int(basic * (1.15 + 0.65 * random())) + 3
        row = {
            "mode": mode, "carrier": carrier, "origin": origin, "destination": end,
            "departs": clock, "arrives": time_in_words(arrives), "basic": basic,
            "flexible": flexible, "seats": SEATS[int(random() * len(SEATS))],
        }  # fmt: skip
        legs.append((_scattered(next(numbers)), row))
    return legs


def _hotels(drawing: _Drawing, city: str, day: int) -> Iterable[Hotel]:
    """The hotels of a city; those far from the centre are cheaper. During a fair, and in some
    other cities, most prices are above the limit.
    """
    rng, policy = drawing.rng, drawing.policy
    (row,) = (each for each in drawing.cities if each.name == city)
    limit = policy.limits[CATEGORIES.index(row.category)]
    first, _, last = row.trade_fair.partition(" to ")
    is_dear = first <= day_in_words(day) <= last or rng.randrange(6) == 0
    low, high = (0.98, 1.4) if is_dear else (0.7, 1.3)
    for name in rng.sample(HOTELS, drawing.size.hotels):
        walk = rng.randint(3, 34)
        price = int(limit * rng.uniform(low, high) * (0.75 if walk > policy.walk else 1))
        full = [day_in_words(day + n) for n in range(-3, 4) if rng.randrange(5) == 0]
        cancellation = rng.choice(("free", "free", "free", "none"))
        yield Hotel(
            drawing.next("hotel"), city, f"Hotel {name}", price, walk, cancellation,
            ", ".join(full),
        )  # fmt: skip


def _bookings(drawing: _Drawing, person: Person, legs: Sequence[Numbered]) -> Iterable[Booking]:
    """Bookings of a traveller, some of them on the days of a trip, where a rule is about them."""
    rng = drawing.rng
    if not drawing.policy.has("old"):
        return
    chosen = rng.sample(legs, min(rng.randrange(3), len(legs)))
    if drawing.legs:
        chosen.append(rng.choice(rng.choice([*drawing.legs.values()])))
    for leg, _ in chosen:
        fare = rng.choice(("basic", "flexible"))
        yield Booking(drawing.next("booking"), person.number, leg, fare)
