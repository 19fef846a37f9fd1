"""Tests of tools/trip_planner."""

import itertools
import json
import re
from collections import Counter
from datetime import datetime, timedelta

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.episode import BARE, Episode
from palaestra.generators.tools.records import new_row
from palaestra.generators.tools.trip_planner.records import clocks, clocks_in_words
from palaestra.toolbox import call

NAME = "tools/trip_planner"
HOUR = timedelta(hours=1)
NUMBERS = ["one", "two", "three", "four", "five", "six"]


def stray(task, rng):
    """A booking for somebody who does not travel."""
    people = {request.name for request in task.requests}
    person = rng.choice([each for each in task.records.people if each.name not in people])
    leg = rng.choice([each for each in task.records.legs if each.seats])
    return call("book_leg", person=person.number, leg=leg.number, fare="basic")


class Agency:
    """A second reading of the policy: all combinations of legs and hotels are tried."""

    def __init__(self, task):
        self.p, self.r = task.policy, task.records
        self.ahead = {self.p.head_office: 0}
        while len(self.ahead) < len(self.r.cities):
            for city in self.r.cities:
                same = re.fullmatch(r"the same time as (.+)", city.clocks)
                other = re.fullmatch(r"(\w+) hours? (ahead of|behind) (.+)", city.clocks)
                base = same[1] if same else other[3]
                if base in self.ahead:
                    hours = 0 if same else NUMBERS.index(other[1]) + 1
                    sign = -1 if other and other[2] == "behind" else 1
                    self.ahead[city.name] = self.ahead[base] + sign * hours

    def rule(self, name):
        return name in self.p.rules

    @staticmethod
    def time(text):
        return datetime.strptime(text, "%Y-%m-%d %H:%M")

    def local(self, text, city):
        return self.time(text) + self.ahead[city] * HOUR

    def universal(self, text, city):
        return self.time(text) - self.ahead[city] * HOUR

    def subject(self, request):
        (person,) = [
            each
            for each in self.r.people
            if each.name == request.name and each.department == request.department
        ]
        entries = [
            each
            for each in self.r.appointments
            if each.person == person.number
            and each.title == request.title
            and each.city == request.city
        ]
        open_ones = [each for each in entries if each.status != "cancelled"]
        return person, min(open_ones or entries, key=lambda each: each.start)

    def exempt(self, person):
        return self.rule("director") and person.grade == "director"

    def permitted(self, person, leg):
        if leg.seats == 0:
            return False
        if self.rule("carrier") and leg.carrier == self.p.carrier:
            return False
        if self.rule("night") and not self.exempt(person):
            left, came = leg.departs.split(), leg.arrives.split()
            if left[1] < self.p.early or came[1] > self.p.late or came[0] > left[0]:
                return False
        if self.rule("train") and not self.exempt(person) and leg.mode == "flight":
            for other in self.r.legs:
                same = (other.origin, other.destination) == (leg.origin, leg.destination)
                if same and other.mode == "train" and other.departs[:10] == leg.departs[:10]:
                    took = self.universal(other.arrives, other.destination) - self.universal(
                        other.departs, other.origin
                    )
                    if took <= timedelta(minutes=self.p.train):
                        return False
        return True

    def ways(self, person, origin, end, dates):
        legs = [
            leg for leg in self.r.legs if leg.departs[:10] in dates and self.permitted(person, leg)
        ]
        ways = [(leg,) for leg in legs if (leg.origin, leg.destination) == (origin, end)]
        for one in [leg for leg in legs if leg.origin == origin and leg.destination != end]:
            for two in legs:
                if (two.origin, two.destination) == (one.destination, end):
                    wait = (self.time(two.departs) - self.time(one.arrives)).total_seconds() / 60
                    modes = {one.mode, two.mode}
                    least = self.p.changes[2 if len(modes) == 2 else 0 if modes == {"train"} else 1]
                    if least <= wait <= self.p.wait:
                        ways.append((one, two))
        return ways

    def fare(self, person, meeting, leg):
        flexible = self.rule("refundable") and meeting.status == "tentative"
        if self.rule("cheap") and leg.mode == "train" and leg.basic <= self.p.cheap:
            flexible = False
        price = leg.flexible if flexible else leg.basic
        if self.rule("card") and person.rail_card and leg.mode == "train":
            price = price * (100 - self.p.card) // 100
        return price, "flexible" if flexible else "basic"

    def hotels(self, meeting, arrival, nights):
        (city,) = [each for each in self.r.cities if each.name == meeting.city]
        dates = {(arrival + timedelta(n)).isoformat() for n in range(nights)}
        limit = dict(zip("ABC", self.p.limits))[city.category]
        if self.rule("fair") and city.trade_fair:
            first, last = city.trade_fair.split(" to ")
            if first <= arrival.isoformat() <= last:
                limit += limit * self.p.raised / 100
        for hotel in self.r.hotels:
            if hotel.city != meeting.city or hotel.walk > self.p.walk:
                continue
            if dates & {*hotel.full.split(", ")}:
                continue
            tentative = self.rule("refundable") and meeting.status == "tentative"
            if tentative and hotel.cancellation == "none":
                continue
            if not self.rule("hotel") or hotel.price <= limit:
                yield hotel

    def itineraries(self, person, meeting):
        """The totals of all itineraries that the policy allows, with what is booked."""
        start = self.local(meeting.start, meeting.city)
        end = self.local(meeting.end, meeting.city)
        nations = {c.name: c.country for c in self.r.cities}
        is_abroad = nations[person.home] != nations[meeting.city]
        margin = timedelta(minutes=self.p.abroad if is_abroad else self.p.margin)
        days = [(start.date() + timedelta(n)).isoformat() for n in (-1, 0, 1)]
        there = [
            way
            for way in self.ways(person, person.home, meeting.city, days[:2])
            if self.time(way[-1].arrives) <= start - margin
        ]
        back = [
            way
            for way in self.ways(person, meeting.city, person.home, days[1:])
            if self.time(way[0].departs) >= end + timedelta(minutes=self.p.leaving)
        ]
        others = [
            each
            for each in self.r.appointments
            if each.person == person.number and each != meeting and each.status == "confirmed"
        ]
        cache = {}
        for go, come in itertools.product(there, back):
            left = self.universal(go[0].departs, person.home)
            home = self.universal(come[-1].arrives, person.home)
            if self.rule("appointments") and any(
                self.time(each.start) < home and left < self.time(each.end) for each in others
            ):
                continue
            cost = [self.fare(person, meeting, leg) for leg in (*go, *come)]
            legs = [(leg.number, fare) for leg, (_, fare) in zip((*go, *come), cost)]
            total = sum(price for price, _ in cost)
            arrival = self.time(go[-1].arrives).date()
            nights = (self.time(come[0].departs).date() - arrival).days
            if nights == 0:
                yield total, legs, None
            if nights > 0:
                if (arrival, nights) not in cache:
                    cache[arrival, nights] = [*self.hotels(meeting, arrival, nights)]
                for hotel in cache[arrival, nights]:
                    stay = (hotel.number, arrival.isoformat(), nights)
                    yield total + nights * hotel.price, legs, stay

    def goal(self, requests):
        goal = Counter()
        for request in requests:
            person, meeting = self.subject(request)
            subject = {"person": person.number, "appointment": meeting.number}
            length = (self.time(meeting.end) - self.time(meeting.start)).total_seconds() / 60
            if meeting.status == "cancelled":
                goal[new_row("answer", **subject, reason="cancelled")] += 1
                continue
            if self.rule("short") and length < self.p.short and not meeting.external:
                goal[new_row("answer", **subject, reason="short")] += 1
                continue
            ways = sorted(self.itineraries(person, meeting), key=lambda way: way[0])
            if not ways:
                goal[new_row("answer", **subject, reason="impossible")] += 1
                continue
            total, legs, stay = ways[0]
            assert len(ways) == 1 or ways[1][0] > total, "one itinerary is the cheapest"
            limit = dict(zip(("junior", "senior", "director"), self.p.budgets))[person.grade]
            if self.rule("budget") and total > limit:
                goal[new_row("answer", **subject, amount=total)] += 1
                continue
            if self.rule("old"):
                day = self.local(meeting.start, meeting.city).date()
                for booking in self.r.bookings:
                    (leg,) = [leg for leg in self.r.legs if leg.number == booking.leg]
                    near = abs((self.time(leg.departs).date() - day).days) <= 1
                    if booking.person == person.number and near:
                        goal["booking", str(booking.number)] = "removed"
            for leg, fare in legs:
                goal[new_row("booking", person=person.number, leg=leg, fare=fare)] += 1
            if stay:
                hotel, arrival, nights = stay
                values = {"hotel": hotel, "arrival": arrival, "nights": nights}
                goal[new_row("stay", person=person.number, **values)] += 1
        return dict(goal)


REQUESTS = [
    re.compile(re.sub(r"<(\w+)>", r"(?P<\1>.+)", form))
    for form in (
        r"Book the trip of <name> from <department> to the <title> in <city>\.",
        r"<name> \(<department>\) has to be in <city> for the <title>; book the trip\.",
        r"For the <title> in <city>, <name> of the department <department> needs a trip\.",
        r"Please get <name>, who works in <department>, to the <title> in <city> and back\.",
        r"<name> of <department> travels to the <title> in <city>\. Arrange the trip\.",
        r"The department <department> sends <name> to <city> for the <title>\. Book what .*",
        r"A trip to <city> is needed: <name>, department <department>, for the <title>\.",
    )
]
"""The forms of requests."""


class Agent:
    """A player who reads the policy in the prompt, and tries all pairs of ways there and back."""

    def __init__(self, session):
        self.session, self.offsets, self.cache = session, {}, {}

    def numbers(self, pattern):
        return [int(each) for each in re.search(pattern, self.session.prompt).groups()]

    def rule(self, pattern, person=None):
        """The values in a rule, unless another one says that it does not apply to a grade."""
        match = self.session.rule(pattern)
        exempt = self.session.rule(r"Rules (\d+) and (\d+) do not apply to .* the grade (\w+)\.")
        if not match or not exempt or not person or person["grade"] != exempt[3]:
            return match
        number = str(self.session.rules.index(match.string) + 1)
        return None if number in exempt.groups()[:2] else match

    def rows(self, tool, **arguments):
        key = tool, *arguments.values()
        if key not in self.cache:
            self.cache[key] = self.session.rows(tool, **arguments)
        return self.cache[key]

    def ahead(self, city):
        """By how much the clocks of a city are ahead of those of the head office."""
        if f"The head office is in {city}. " in self.session.prompt:
            return timedelta(0)
        if city not in self.offsets:
            text = self.page(city)["clocks"]
            if same := re.fullmatch(r"the same time as (.+)", text):
                self.offsets[city] = self.ahead(same[1])
            else:
                number, sign, other = re.fullmatch(
                    r"(\w+) hours? (ahead of|behind) (.+)", text
                ).groups()
                hours = (NUMBERS.index(number) + 1) * (1 if sign == "ahead of" else -1)
                self.offsets[city] = self.ahead(other) + hours * HOUR
        return self.offsets[city]

    def page(self, city):
        if ("page", city) not in self.cache:
            self.cache["page", city] = json.loads(self.session.use("city_page", city=city))
        return self.cache["page", city]

    @staticmethod
    def time(text):
        return datetime.strptime(text, "%Y-%m-%d %H:%M")

    def minutes(self, leg):
        zones = self.ahead(leg["destination"]) - self.ahead(leg["origin"])
        return (self.time(leg["arrives"]) - self.time(leg["departs"]) - zones).total_seconds() / 60

    def play(self):
        for text in self.session.requests:
            request = next(m for pattern in REQUESTS if (m := pattern.fullmatch(text)))
            self.handle(request)

    def handle(self, request):
        name, department = request["name"], request["department"]
        (person,) = [
            row
            for row in self.rows("find_staff", name=name)
            if (row["name"], row["department"]) == (name, department)
        ]
        entries = self.rows("list_appointments", person=person["id"])
        meetings = [
            row
            for row in entries
            if (row["title"], row["city"]) == (request["title"], request["city"])
        ]
        going = [row for row in meetings if row["status"] != "cancelled"]
        meeting = min(going or meetings, key=lambda row: row["start"])
        subject = {"person": person["id"], "appointment": meeting["id"]}
        length = (self.time(meeting["end"]) - self.time(meeting["start"])).total_seconds() / 60
        short = self.rule(r"takes less than (\d+) minutes and is not external")
        if not going or (short and length < int(short[1]) and not meeting["external"]):
            reason = "short" if going else "cancelled"
            self.session.use("decline_trip", **subject, reason=reason)
            return
        ways = [*self.itineraries(person, meeting, [e for e in entries if e != meeting])]
        if not ways:
            self.session.use("decline_trip", **subject, reason="impossible")
            return
        total, legs, stay = min(ways, key=lambda way: way[0])
        budget = self.rule(rf"(\d+) EUR for {person['grade']}s")
        if budget and total > int(budget[1]):
            self.session.use("request_approval", **subject, amount=total)
            return
        self.book(person, meeting, legs, stay)

    def book(self, person, meeting, legs, stay):
        day = (self.time(meeting["start"]) + self.ahead(meeting["city"])).date()
        if self.rule("cancel each booking that the traveller already has"):
            for row in self.session.rows("list_bookings", person=person["id"]):
                if abs((self.time(row["departs"]).date() - day).days) <= 1:
                    self.session.use("cancel_booking", booking=row["id"])
        for leg, fare in legs:
            self.session.use("book_leg", person=person["id"], leg=leg, fare=fare)
        if stay:
            values = dict(zip(("hotel", "arrival", "nights"), stay))
            self.session.use("book_hotel", person=person["id"], **values)

    def itineraries(self, person, meeting, entries):
        """All itineraries that the policy allows, with their totals."""
        home, city = person["home"], meeting["city"]
        start, end = (self.time(meeting[each]) + self.ahead(city) for each in ("start", "end"))
        near, abroad, after = self.numbers(
            r"arrives (\d+) minutes before the meeting or earlier; (\d+) minutes[^.]*\. The way "
            r"back departs (\d+) minutes"
        )
        is_abroad = self.page(home)["country"] != self.page(city)["country"]
        latest = start - timedelta(minutes=abroad if is_abroad else near)
        days = [str(start.date() + timedelta(n)) for n in (-1, 0, 1)]
        there = [
            way
            for way in self.ways(person, home, city, days[:2])
            if self.time(way[-1]["arrives"]) <= latest
        ]
        back = [
            way
            for way in self.ways(person, city, home, days[1:])
            if self.time(way[0]["departs"]) >= end + timedelta(minutes=after)
        ]
        for go, come in itertools.product(there, back):
            if self.is_free(home, go, come, entries):
                legs = [self.fare(person, meeting, leg) for leg in (*go, *come)]
                cost = sum(price for _, _, price in legs)
                booked = [leg[:2] for leg in legs]
                arrival = self.time(go[-1]["arrives"]).date()
                nights = (self.time(come[0]["departs"]).date() - arrival).days
                if nights == 0:
                    yield cost, booked, None
                for price, hotel in self.hotels(meeting, arrival, nights) if nights > 0 else ():
                    yield cost + price * nights, booked, (hotel, str(arrival), nights)

    def is_free(self, home, go, come, entries):
        if not self.rule("No other confirmed appointment of the traveller overlaps"):
            return True
        left = self.time(go[0]["departs"]) - self.ahead(home)
        back = self.time(come[-1]["arrives"]) - self.ahead(home)
        return not any(
            row["status"] == "confirmed"
            and self.time(row["start"]) < back
            and left < self.time(row["end"])
            for row in entries
        )

    def ways(self, person, origin, end, days):
        ways = [[leg] for leg in self.legs(person, origin, end, days)]
        trains, flights, mixed, most = self.numbers(
            r"at least (\d+) minutes from train to train, (\d+) minutes from flight to flight and "
            r"(\d+) minutes between a train and a flight; it takes at most (\d+) minutes"
        )
        for middle in self.routes(origin) - {end}:
            if end not in self.routes(middle):
                continue
            onward = self.legs(person, middle, end, days)
            for one, two in itertools.product(self.legs(person, origin, middle, days), onward):
                wait = (self.time(two["departs"]) - self.time(one["arrives"])).total_seconds() / 60
                least = trains if one["mode"] == "train" else flights
                if (least if one["mode"] == two["mode"] else mixed) <= wait <= most:
                    ways.append([one, two])
        return ways

    def routes(self, city):
        if ("routes", city) not in self.cache:
            lines = self.session.use("list_routes", city=city).splitlines()
            self.cache["routes", city] = {line.partition(" (")[0] for line in lines}
        return self.cache["routes", city]

    def legs(self, person, origin, end, days):
        """The legs that may be booked."""
        hours = self.rule(r"departs before ([\d:]+), and none arrives after ([\d:]+) or", person)
        barred = self.rule(r"The carrier (.*) is suspended")
        train = self.rule(r"of its departure in (\d+) minutes or less", person)
        legs = []
        for day in days:
            rows = self.rows("search_legs", origin=origin, destination=end, date=day)
            has_train = train and any(
                row["mode"] == "train" and self.minutes(row) <= int(train[1]) for row in rows
            )
            for row in rows:
                (left, when), (came, then) = row["departs"].split(), row["arrives"].split()
                is_late = hours and (when < hours[1] or then > hours[2] or came > left)
                is_barred = (barred and row["carrier"] == barred[1]) or row["seats"] == 0
                if not (is_late or is_barred or (has_train and row["mode"] == "flight")):
                    legs.append(row)
        return legs

    def fare(self, person, meeting, leg):
        is_train = leg["mode"] == "train"
        is_open = self.rule("If the meeting is tentative, all legs") and "tent" in meeting["status"]
        cheap = self.rule(r"basic fare is listed with (\d+) EUR")
        fare = "flexible" if is_open else "basic"
        if is_train and cheap and leg["basic"] <= int(cheap[1]):
            fare = "basic"
        card = self.rule(r"the price of each train counts (\d+) percent less")
        price = leg[fare]
        if is_train and card and person["rail_card"]:
            price = price * (100 - int(card[1])) // 100
        return leg["id"], fare, price

    def hotels(self, meeting, arrival, nights):
        page = self.page(meeting["city"])
        (walk,) = self.numbers(r"to the centre takes at most (\d+) minutes")
        limit = self.rule(rf"(\d+) EUR in cities of category {page['category']}")
        most = int(limit[1]) if limit else 10**6
        fair = self.rule(r"The limits of rule \d+ are (\d+) percent higher if there is a fair")
        first, _, last = page["trade_fair"].partition(" to ")
        if fair and first <= str(arrival) <= last:
            most *= 1 + int(fair[1]) / 100
        dates = {str(arrival + timedelta(n)) for n in range(nights)}
        is_open = self.rule("the hotel has free cancellation") and "tent" in meeting["status"]
        for row in self.rows("search_hotels", city=meeting["city"]):
            fits = row["walk"] <= walk and row["price"] <= most
            fits = fits and not (is_open and row["cancellation"] != "free")
            if fits and not dates & {*row["full"].split(", ")}:
                yield row["price"], row["id"]


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 356), lambda session: Agent(session).play())


def test_cities_that_there_are_not_are_refused():
    task = app_tasks.instance(NAME, 0, 2, busy=0)
    world, city = task.world(), task.records.cities[0].name
    for tool, arguments in (
        ("search_legs", {"origin": city, "destination": "Atlantis", "date": "2031-05-06"}),
        ("search_legs", {"origin": "Atlantis", "destination": city, "date": "2031-05-06"}),
        ("search_hotels", {"city": "Atlantis"}),
        ("list_routes", {"city": "Atlantis"}),
        ("city_page", {"city": "Atlantis"}),
    ):
        assert world.use(call(tool, **arguments))[0] == "Error: there is no city 'Atlantis'"


def test_an_answer_to_a_trip_may_be_corrected():
    tried = set()
    for seed in range(60):
        task = app_tasks.instance(NAME, seed, 4, busy=0)
        for n, move in enumerate(task.solution):
            if "decline_trip" in move:
                other = "impossible" if "cancelled" in move else "cancelled"
                wrong = re.sub(r'"reason": "\w+"', f'"reason": "{other}"', move)
                tried.add("decline_trip")
            elif "request_approval" in move:
                wrong = re.sub(r'"amount": (\d+)', r'"amount": 1\1', move)
                tried.add("request_approval")
            else:
                continue
            assert score(task, *task.solution[:n], wrong, *task.solution[n:]).value == 1
            assert score(task, *task.solution, wrong).value == 0
    assert tried == {"decline_trip", "request_approval"}


def test_articles_fit_the_titles():
    for seed in range(80):
        prompt = Episode(app_tasks.instance(NAME, seed, 6), BARE).observation
        assert not re.search(r"\ba [aeiou]", prompt)


def test_one_itinerary_is_right_by_brute_force():
    app_tasks.check_same_goal(NAME, 98, lambda task: Agency(task).goal(task.requests))


def test_the_oracle_wins():
    app_tasks.check_oracle(NAME, 154)


def test_all_decisions_come_up():
    seen = Counter()
    for seed in range(60):
        task = app_tasks.instance(NAME, seed, 4)
        for path, value in task.goal.items():
            reason = re.search(r"'(reason', '\w+|amount|nights)", path[-1])
            seen[reason[1] if reason else value if value == "removed" else path[0]] += 1
    assert {*seen} >= {
        "amount", "nights", "booking", "removed", "reason', 'short", "reason', 'impossible",
        "reason', 'cancelled",
    }  # fmt: skip
    assert seen["booking"] > 5 * (seen["amount"] + seen["reason', 'impossible"])


def test_the_oracle_holds_no_world():
    app_tasks.check_solution(NAME, 7)


@pytest.mark.parametrize("level", range(7))
def test_other_changes_are_damage(level):
    app_tasks.check_damage(NAME, level, stray, seeds=3)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_call_is_needed(level):
    app_tasks.check_missing_calls(NAME, level, seeds=2)


def test_wrong_fares_and_nights_give_nothing():
    for seed in range(8):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        for n, move in enumerate(task.solution):
            if "book_leg" in move:
                other = '"basic"' if "flexible" in move else '"flexible"'
                wrong = re.sub(r'"(basic|flexible)"', other, move)
            elif "book_hotel" in move:
                wrong = re.sub(r'"nights": (\d+)', r'"nights": 1\1', move)
            elif "request_approval" in move:
                wrong = re.sub(r'"amount": (\d+)', r'"amount": 1\1', move)
            else:
                continue
            assert score(task, *task.solution[:n], wrong, *task.solution[n + 1 :]).value == 0


def test_dates_are_read_in_both_forms():
    task = next(
        task
        for task in (app_tasks.instance(NAME, seed, 3, busy=0) for seed in range(40))
        if any("book_hotel" in move for move in task.solution)
    )
    moves = [
        re.sub(r'("arrival": ")(\d+)-(\d+)-(\d+)', r"\1 \2\3\4", move) for move in task.solution
    ]
    assert moves != [*task.solution]
    assert score(task, *moves).value == 1


def test_clocks_in_words_have_an_inverse():
    for hours in range(-6, 7):
        assert clocks(clocks_in_words(hours, "New Orrin")) == (hours, "New Orrin")


def test_rewards():
    app_tasks.check_rewards(NAME, stray)


def test_replay():
    app_tasks.check_replay(NAME)


def test_dialects():
    app_tasks.check_dialects(NAME)


def test_hostile_arguments():
    app_tasks.check_hostile_arguments(NAME)


@pytest.mark.parametrize(("level", "most"), [(3, 0.26), (6, 0.07)])
def test_lazy_players_earn_little(level, most):
    app_tasks.check_players(NAME, level, most)
