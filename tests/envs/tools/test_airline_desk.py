"""Tests of tools/airline_desk."""

import json
import re
from random import Random

import pytest
from tests.envs.tools.playing import caller, damaging, earned, in_polite_forms, score, stated

from palaestra.address import Address
from palaestra.envs.tools.airline_desk import AirlineDesk
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.airline_desk.client import QUESTIONS, serve
from palaestra.generators.tools.airline_desk.customer import PHRASES, TOPICS, in_words, meaning
from palaestra.generators.tools.airline_desk.desk import TOOLS
from palaestra.generators.tools.airline_desk.policy import (
    CABINS,
    DAY,
    REASONS,
    REQUESTS,
    Case,
    Leg,
    Method,
    Offer,
    Request,
    Terms,
    decision,
    moment,
)
from palaestra.generators.tools.conversation import meant, normalised
from palaestra.generators.tools.engine import Tool
from palaestra.toolbox import call

NAME = "tools/airline_desk"
READS = ("say", "find_", "payment_", "list_", "reservation_details", "flight_", "search_")

TERMS = Terms(24, 12, 48, 50, 30, 20, 30, 3, 1, 2, 3, 50, 100, 10, 20)
NOW = 100 * DAY
LEG = Leg(1, NOW + 5 * DAY, "scheduled", 0, (9, 2, 2, 2), (100, 150, 200, 400), 140)
CARD, GIFT = Method(11, "card", -1), Method(12, "gift card", 25)
COUPON = Method(13, "certificate", 40)
CASE = Case(
    "cancel", NOW, 7, "regular", "economy", 2, 2, False, False, NOW - 30 * DAY, (LEG,), 0,
    ((CARD, 280),), 11, (("cause", "plans"),),
)  # fmt: skip
OFFERS = (
    Offer(2, NOW + 6 * DAY, NOW + 6 * DAY + 200, 1, "scheduled", (0, 2, 0, 0), (90, 150, 0, 0)),
    Offer(3, NOW + 6 * DAY, NOW + 6 * DAY + 100, 0, "scheduled", (0, 2, 0, 0), (90, 180, 0, 0)),
    Offer(4, NOW + 6 * DAY, NOW + 6 * DAY + 90, 0, "scheduled", (0, 1, 0, 0), (90, 120, 0, 0)),
    Offer(5, NOW + 6 * DAY, NOW + 6 * DAY + 80, 0, "cancelled", (0, 5, 0, 0), (90, 110, 0, 0)),
)
CHANGE = CASE._replace(
    request="change", offers=OFFERS, method=GIFT,
    details=(("new day", "106"), ("preference", "cheapest"), ("payment", "12")),
)  # fmt: skip
BAGS = CASE._replace(request="bags", details=(("bags", "2"),), method=CARD)
UPGRADE = CASE._replace(request="upgrade", details=(("cabin", "business"),), method=CARD)
LATE = LEG._replace(departs=NOW + 60)
DELAYED = LEG._replace(status="delayed", delay=3)
PAY = CASE._replace(request="compensation", details=(), legs=(DELAYED,))


def instance(seed: int, level: int, **knobs: int) -> AirlineDesk:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, AirlineDesk)
    return task


@pytest.mark.parametrize(
    ("case", "reason", "amounts"),
    [
        (CASE, None, [180]),
        (CASE._replace(tier="silver"), None, [230]),
        (CASE._replace(tier="gold"), None, [280]),
        (CASE._replace(insured=True), None, [140]),
        (CASE._replace(insured=True, details=(("cause", "illness"),)), None, [240]),
        (CASE._replace(payments=((COUPON, 40), (GIFT, 60), (CARD, 180))), None, [140]),
        (CASE._replace(cabin="basic"), "basic_fare", []),
        (CASE._replace(cabin="basic", booked=NOW - DAY), None, [280]),
        (CASE._replace(cabin="basic", legs=(DELAYED,)), None, [280]),
        (CASE._replace(legs=(LATE,)), "too_late", []),
        (CASE._replace(legs=(LATE,), cabin="business"), None, [280]),
        (CASE._replace(legs=(LEG, LEG._replace(status="flown"))), "already_flown", []),
        (CHANGE, None, [25, 55]),
        (CHANGE._replace(tier="silver", method=CARD), None, [50]),
        (CHANGE._replace(tier="gold", method=CARD), None, [20]),
        (CHANGE._replace(legs=(DELAYED,)), None, []),
        (CHANGE._replace(details=(("preference", "earliest"),), method=CARD), None, [140]),
        (CHANGE._replace(details=(("preference", "by 02:00"),), method=CARD), None, [140]),
        (CHANGE._replace(details=(("preference", "by 01:30"),)), "no_flight", []),
        (CHANGE._replace(passengers=3), "no_flight", []),
        (CHANGE._replace(cabin="basic", passengers=3), "basic_fare", []),
        (CHANGE._replace(legs=(LATE,)), "too_late", []),
        (BAGS, None, [60]),
        (BAGS._replace(tier="silver"), None, []),
        (BAGS._replace(details=(("bags", "5"),)), "too_many_bags", []),
        (BAGS._replace(cabin="basic"), None, [60]),
        (UPGRADE, None, [520]),
        (UPGRADE._replace(tier="gold"), None, [416]),
        (UPGRADE._replace(cabin="business"), "not_higher", []),
        (UPGRADE._replace(passengers=3), "no_seats", []),
        (UPGRADE._replace(cabin="basic", passengers=3), "basic_fare", []),
        (PAY, "not_entitled", []),
        (PAY._replace(insured=True), None, [100]),
        (PAY._replace(tier="gold"), None, [150]),
        (PAY._replace(tier="gold", legs=(LEG._replace(status="cancelled"),)), None, [300]),
        (PAY._replace(tier="gold", legs=(LEG._replace(delay=2),)), "not_disrupted", []),
        (PAY._replace(compensated=True), "already_compensated", []),
    ],
)
def test_policy_by_hand(case: Case, reason: str | None, amounts: list[int]) -> None:
    verdict = decision(TERMS, case)
    assert verdict.reason == reason
    entered = [s.arguments["amount"] for s in verdict.steps if "amount" in s.arguments]
    assert entered == amounts


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(100, 122 if level < 4 else 121):
        task = instance(seed, level)
        assert score(task, *task.solve()).value == 1
        assert len(task.solution) * 3 // 2 < task.calls


def test_the_oracle_holds_no_world() -> None:
    """It is sent what a player reads, and nothing else."""
    task = instance(3, 4)
    episode = Episode(task, BARE)
    client = serve(task.terms, task.now)
    move = next(client)
    while True:
        episode.step(move)
        try:
            move = client.send(episode.observation)
        except StopIteration:
            break
    episode.step("done")
    assert episode.score.value == 1


def writes(task: AirlineDesk) -> list[int]:
    """The positions of the calls that change something."""
    names = [json.loads(move)["tool"] for move in task.solution]
    return [n for n, name in enumerate(names) if not name.startswith(READS)]


@pytest.mark.parametrize("level", range(7))
def test_collateral_damage_and_what_is_left_out_give_nothing(level: int) -> None:
    rng = Random(level)
    for seed in range(2):
        task = instance(seed, level, busy=0)
        moves = [*task.solution]
        mine = {case.reservation for case, _ in task.handled.decisions}
        other = rng.choice([r for r in task.airline.reservations if r.number not in mine])
        method = next(a for a in task.airline.accounts if a.customer == other.customer)
        for extra in (
            call("set_bags", reservation=other.number, bags=49),
            call("charge", reservation=other.number, method=method.number, amount=3),
            call("issue_certificate", reservation=other.number, amount=5),
        ):
            result = score(task, *moves, extra)
            assert (result.value, result.parts["damage"] > 0) == (0, True)
        for n in writes(task):
            assert score(task, *moves[:n], *moves[n + 1 :]).value == 0


@pytest.mark.parametrize("tool", [t for t in TOOLS if not t.name.startswith(READS)])
def test_every_other_change_gives_nothing(tool: Tool) -> None:
    task = instance(2, 4, busy=0)
    world = task.world()
    for move in task.solution:
        world.use(move)
    names = ("reservation", "old_flight", "new_flight") if tool.name == "change_flight" else ()
    extra = damaging(world, tool, dict(zip(names, zip(*moves_of_legs(task)))))
    assert score(task, *task.solution).value == 1
    assert score(task, *task.solution, extra).value == 0


def moves_of_legs(task: AirlineDesk) -> list[tuple[int, int, int]]:
    """A reservation with a leg that may be moved to another flight, and that flight."""
    flights = {each.number: each for each in task.airline.flights}
    done = {case.reservation for case, _ in task.handled.decisions}
    return [
        (each.number, leg, other.number)
        for each in task.airline.reservations
        for leg, _ in each.legs
        for other in flights.values()
        if each.number not in done
        and other.status == "scheduled"
        and leg != other.number
        and other.seats[CABINS.index(each.cabin)] >= each.passengers
        and (other.origin, other.destination) == (flights[leg].origin, flights[leg].destination)
    ][:1]


def test_wrong_amounts_methods_and_reasons_give_nothing() -> None:
    tried = set()
    for seed in range(20):
        task = instance(seed, 4, busy=0)
        for n in writes(task):
            move = json.loads(task.solution[n])
            arguments = move["args"]
            if "amount" in arguments:
                arguments["amount"] += 1
            elif "reason" in arguments:
                number = (REASONS.index(arguments["reason"]) + 1) % len(REASONS)
                arguments["reason"] = REASONS[number]
            else:
                continue
            tried.add(move["tool"])
            moves = [*task.solution[:n], call(move["tool"], **arguments), *task.solution[n + 1 :]]
            assert score(task, *moves).value == 0
    assert tried == {"charge", "refund", "issue_certificate", "refuse"}


def test_flights_by_brute_force() -> None:
    """Another reading of the rule for the new flight, over all flights of the airline."""
    compared = 0
    for seed in range(60):
        task = instance(seed, 5)
        world = task.world()
        for case, verdict in task.handled.decisions:
            if case.request != "change" or verdict.reason in ("already_flown", "basic_fare"):
                continue
            if verdict.reason == "too_late":
                continue
            leg = world.row("flight", case.legs[case.leg].flight)
            details = dict(case.details)
            column = ("basic", "economy", "premium", "business").index(case.cabin)
            best = None
            for flight in task.airline.flights:
                if (flight.origin, flight.destination) != (leg["origin"], leg["destination"]):
                    continue
                if flight.departs // 1440 != int(details["new day"]):
                    continue
                if flight.status != "scheduled" or flight.seats[column] < case.passengers:
                    continue
                wish = details["preference"]
                if wish == "non-stop" and flight.stops:
                    continue
                clock = f"by {flight.arrives % 1440 // 60:02}:{flight.arrives % 60:02}"
                if wish.startswith("by") and clock > wish:
                    continue
                key = (flight.prices[column], flight.departs)
                key = (flight.arrives, *key) if wish == "earliest" else key
                if best is None or key < best[0]:
                    best = (key, flight.number)
            chosen = [s.arguments["new_flight"] for s in verdict.steps if s.tool == "change_flight"]
            assert chosen == ([best[1]] if best else [])
            compared += 1
    assert compared > 20


def numbers(text: str, pattern: str) -> list[int]:
    """The numbers that a policy has where a pattern is."""
    match = re.search(pattern, text)
    assert match, pattern
    return [int(each) for each in match.groups()]


class Reading:
    """The policy as another reader understands its text, and nothing else."""

    def __init__(self, text: str) -> None:
        self.rules = {line.split(":")[0]: line for line in re.findall(r"\n- (.*)", text)}
        (self.late,) = numbers(text, r"delayed by at least (\d+) hours")

    def order(self, request: str) -> list[str]:
        """The reasons in the order in which the rule names them."""
        return re.findall(r"\((\w+_\w+)\)", self.rules[request])

    def first(self, request: str, holds: dict[str, bool]) -> str | None:
        assert {*self.order(request)} == {*holds}
        return next((each for each in self.order(request) if holds[each]), None)

    def disrupted(self, leg: Leg) -> bool:
        return leg.status == "cancelled" or leg.delay >= self.late

    def cancel(self, case: Case) -> tuple[str | None, list[tuple]]:
        rule = self.rules["cancel"]
        (grace,) = numbers(rule, r"booked at most (\d+) hours ago")
        (notice,) = numbers(rule, r"less than (\d+) hours before the departure of its first leg")
        (fee,) = numbers(rule, r"The fee is (\d+) for each passenger, for silver members half")
        (insurance,) = numbers(rule, r"The insurance, (\d+) for each passenger")
        ill = dict(case.details)["cause"] != "plans"
        free = case.now - case.booked <= grace * 60 or (case.insured and ill)
        free = free or any(map(self.disrupted, case.legs))
        soon = case.legs[0].departs < case.now + notice * 60
        against = self.first("cancel", {
            "already_flown": "flown" in {leg.status for leg in case.legs},
            "basic_fare": case.cabin == "basic" and not free,
            "too_late": soon and case.cabin != "business" and not free,
        })  # fmt: skip
        off = insurance * case.passengers * case.insured
        if not free and case.cabin != "business":
            off += {"regular": fee, "silver": fee // 2, "gold": 0}[case.tier] * case.passengers
        steps: list[tuple] = [("cancel_reservation", case.reservation)]
        for method, amount in case.payments:
            if method.type != "certificate":
                rest, off = max(0, amount - off), max(0, off - amount)
                steps += [("refund", case.reservation, method.number, rest)] * (rest > 0)
        return against, steps

    def paid(self, case: Case, amount: int) -> list[tuple]:
        """The charges of an amount."""
        assert case.method
        first = amount if case.method.type == "card" else min(amount, case.method.balance)
        parts = {case.method.number: first}
        if amount > first:
            parts[case.main] = amount - first
        return [("charge", case.reservation, n, part) for n, part in parts.items() if part]

    def bags(self, case: Case) -> tuple[str | None, list[tuple]]:
        rule = self.rules["bags"]
        (most,) = numbers(rule, r"more than (\d+) bags for each passenger")
        basic, economy, other, silver, gold = numbers(
            rule,
            r"(\d+) bags in basic, (\d+) in economy, (\d+) in premium and business, and (\d+) more "
            r"for silver members and (\d+) more for gold members",
        )
        (cost,) = numbers(rule, r"free ones costs (\d+)")
        total = case.bags + int(dict(case.details)["bags"])
        against = self.first("bags", {
            "already_flown": "flown" in {leg.status for leg in case.legs},
            "too_many_bags": total / case.passengers > most,
        })  # fmt: skip
        free = {"basic": basic, "economy": economy}.get(case.cabin, other)
        free += {"silver": silver, "gold": gold}.get(case.tier, 0)
        added = [bag for bag in range(1, total + 1) if bag > case.bags]
        price = cost * sum(bag > free * case.passengers for bag in added)
        return against, [("set_bags", case.reservation, total), *self.paid(case, price)]

    def change(self, case: Case) -> tuple[str | None, list[tuple]]:
        rule = self.rules["change"]
        (notice,) = numbers(rule, r"less than (\d+) hours before the departure of the leg")
        (fee,) = numbers(rule, r"change fee of (\d+) for each passenger, for silver members half")
        leg, column = case.legs[case.leg], CABINS.index(case.cabin)
        free, wish = self.disrupted(leg), dict(case.details)["preference"]
        left = [
            offer for offer in case.offers
            if offer.status == "scheduled" and offer.departs > case.now
            and offer.seats[column] >= case.passengers and offer.flight != leg.flight
        ]  # fmt: skip
        if wish == "earliest":
            left = [o for o in left if o.arrives == min(each.arrives for each in left)]
        elif wish == "non-stop":
            left = [o for o in left if not o.stops]
        elif wish != "cheapest":
            left = [o for o in left if moment(o.arrives).split()[-1] <= wish[3:]]
        left = [o for o in left if o.prices[column] == min(each.prices[column] for each in left)]
        left.sort(key=lambda offer: offer.departs)
        soon = leg.departs < case.now + notice * 60
        against = self.first("change", {
            "already_flown": leg.status == "flown",
            "basic_fare": case.cabin == "basic" and not free,
            "too_late": soon and case.tier != "gold" and not free,
            "no_flight": not left,
        })  # fmt: skip
        if not left:
            return against, []
        each = {"regular": fee, "silver": fee // 2, "gold": 0}[case.tier]
        each = (0 if case.cabin == "business" else each) + max(0, left[0].prices[column] - leg.fare)
        moved = ("change_flight", case.reservation, leg.flight, left[0].flight)
        return against, [moved, *self.paid(case, 0 if free else each * case.passengers)]

    def compensation(self, case: Case) -> tuple[str | None, list[tuple]]:
        rule = self.rules["compensation"]
        gone, late = numbers(rule, r"for (\d+) for each passenger .* cancelled, and for (\d+) if")
        leg = case.legs[case.leg]
        lowly = case.tier == "regular" and not case.insured and case.cabin in ("basic", "economy")
        against = self.first("compensation", {
            "already_compensated": case.compensated,
            "not_disrupted": not self.disrupted(leg),
            "not_entitled": lowly,
        })  # fmt: skip
        each = gone if leg.status == "cancelled" else late
        amount = case.passengers * (each + (each // 2 if case.tier == "gold" else 0))
        return against, [("issue_certificate", case.reservation, amount)]

    def upgrade(self, case: Case) -> tuple[str | None, list[tuple]]:
        rule = self.rules["upgrade"]
        silver, gold = numbers(rule, r"Silver members pay (\d+) % less .* gold members (\d+) %")
        wanted = dict(case.details)["cabin"]
        column = CABINS.index(wanted)
        against = self.first("upgrade", {
            "already_flown": "flown" in {leg.status for leg in case.legs},
            "basic_fare": case.cabin == "basic",
            "not_higher": column <= CABINS.index(case.cabin),
            "no_seats": min(leg.seats[column] for leg in case.legs) < case.passengers,
        })  # fmt: skip
        dearer = [max(0, leg.prices[column] - leg.fare) * case.passengers for leg in case.legs]
        price = sum(dearer) * (100 - {"silver": silver, "gold": gold}.get(case.tier, 0)) // 100
        return against, [("change_cabin", case.reservation, wanted), *self.paid(case, price)]


def drawn_offer(rng: Random, number: int, day: int) -> Offer:
    """A flight, which has much in common with others that are drawn."""
    departs = day * DAY + rng.choice((300, 600, 900))
    return Offer(
        number, departs, departs + rng.choice((90, 150, 300)), rng.choice((0, 0, 1, 2)),
        rng.choice(("scheduled", "scheduled", "scheduled", "delayed", "cancelled")),
        tuple(rng.randint(0, 6) for _ in CABINS), tuple(rng.choice((90, 120, 200)) for _ in CABINS),
    )  # fmt: skip


def drawn_leg(rng: Random, number: int) -> Leg:
    status = rng.choice(("scheduled", "scheduled", "scheduled", "delayed", "cancelled", "flown"))
    delay = rng.randint(1, 6) if status == "delayed" or rng.random() < 0.1 else 0
    return Leg(
        number, NOW + rng.randint(-10, 110) * 60, status, delay,
        tuple(rng.randint(0, 6) for _ in CABINS), tuple(rng.randint(90, 400) for _ in CABINS),
        rng.randint(90, 400),
    )  # fmt: skip


def drawn_case(rng: Random, request: Request) -> Case:
    """A situation in which much may be the case."""
    legs = tuple(drawn_leg(rng, number) for number in range(1, rng.randint(2, 3)))
    preference = rng.choice(("cheapest", "earliest", "non-stop", "by 07:30", "by 12:00"))
    details = {
        "cause": rng.choice(("illness", "weather", "plans")), "bags": str(rng.randint(1, 5)),
        "preference": preference, "cabin": rng.choice(CABINS[1:]),
    }  # fmt: skip
    return Case(
        request, NOW, 7, rng.choice(("regular", "silver", "gold")), rng.choice(CABINS),
        rng.randint(1, 4), rng.randint(0, 8), rng.random() < 0.5, rng.random() < 0.2,
        NOW - rng.randint(0, 60) * 60, legs, rng.randrange(len(legs)),
        tuple((each, rng.randint(20, 300)) for each in rng.sample((CARD, GIFT, COUPON), 2)), 11,
        tuple(details.items()), rng.choice((CARD, GIFT)),
        tuple(drawn_offer(rng, n, rng.choice((99, 101))) for n in range(1, rng.randint(1, 9))),
    )  # fmt: skip


@pytest.mark.parametrize("request_type", REQUESTS)
def test_the_text_of_the_policy_is_what_decides(request_type: Request) -> None:
    """Situations decided by the text alone, with the numbers and reasons that are in it."""
    rng = Random(request_type)
    reasons = set()
    for seed in range(15):
        task = instance(seed, 6)
        reading = Reading(task.brief())
        for _ in range(120):
            case = drawn_case(rng, request_type)
            verdict = decision(task.terms, case)
            against, steps = getattr(reading, request_type)(case)
            assert verdict.reason == against
            reasons.add(against)
            if against is None:
                mine = [(each.tool, *each.arguments.values()) for each in verdict.steps]
                assert mine == steps
    assert len(reasons) == len(reading.order(request_type)) + 1


def test_all_decisions_come_up() -> None:
    tasks = [instance(seed, level) for seed in range(60) for level in (4, 6)]
    verdicts = [(case, each) for task in tasks for case, each in task.handled.decisions]
    refused = [verdict.reason for _, verdict in verdicts if verdict.reason]
    assert 0.2 < len(refused) / len(verdicts) < 0.75
    assert {*refused} == {*REASONS}
    assert {case.request for case, verdict in verdicts if not verdict.reason} == {*REQUESTS}


def test_questions_name_one_topic_and_phrases_have_one_meaning() -> None:
    for topic, question in QUESTIONS.items():
        words = normalised(question)
        assert meant(words, {name: each.cues for name, each in TOPICS.items()}) == [topic]
    for topic, each in TOPICS.items():
        assert len({*each.frames}) >= 5
        assert all(frame.index("{}") for frame in each.frames), topic
    for topic, phrases in PHRASES.items():
        for value in phrases:
            exact = "by 14:30" if value == "by" else value
            for seed in range(20):
                assert meaning(topic, in_words(Random(seed), topic, exact)) == exact


ASKED = {
    "name": (
        "what is your name", "may I have your full name", "could you tell me your name",
        "who am I speaking with", "under what name was it booked", "your name please",
        "I need your name to find you", "what's your full name", "who are you",
        "can you confirm your name for me", "which name is the booking under", "and your name is",
        "please give me the name on the reservation", "can I get your name",
    ),
    "born": (
        "what is your year of birth", "when were you born", "what is your date of birth",
        "in which year were you born", "your birth year please", "how old are you",
        "could you give me your birthday", "may I have your year of birth", "your birthdate",
        "please confirm your year of birth", "what year were you born in", "what's your DOB",
        "I also need the year you were born", "can I have your age",
    ),
    "request": (
        "how can I help you", "what can I do for you today", "what would you like me to do",
        "what would you like to do with it", "what do you want to be done", "what is your request",
        "what do you need", "what seems to be the problem", "how may I assist you",
        "what is it that you want", "what would you like to have sorted out", "what is this about",
        "what can I help you with", "what should I do with the booking", "how can I be of help",
        "could you describe your request", "what exactly would you like us to do",
        "what is it about the trip", "what brings you here",
    ),
    "route": (
        "from where to where do you fly", "which flight is it", "which route is it",
        "where are you flying", "what is the route", "which trip do you mean",
        "where do you fly from and where to", "what is your origin and your destination",
        "which booking is this about", "which reservation do you mean",
        "what cities are you flying between", "from which city do you depart",
        "where does the flight go", "what is your departure city", "which leg is concerned",
        "where are you travelling to",
    ),
    "day": (
        "when is the flight", "on which day is it", "what day do you fly",
        "on which date does it depart", "when do you depart", "what is the date of the flight",
        "on what day is that flight", "which day is your flight", "what is the departure date",
        "when are you flying", "what day is the booking for", "when does it leave",
        "the day of departure is", "on what day do you travel", "when is your trip",
        "can you check the day of the flight again",
    ),
    "new day": (
        "what is the new day", "to which day should I move it", "which day would you like instead",
        "when would you like to fly instead", "what other day would suit you",
        "on which new date do you want to travel", "which day would you prefer",
        "to what date would you like to change", "which day do you want to fly",
        "when do you want to fly instead", "what day should it be moved to",
        "which day suits you better", "what day would work for you",
        "on what day would you like to fly", "which other day do you have in mind",
        "what is your desired new date",
    ),
    "preference": (
        "do you have a preference", "which of the flights do you want",
        "what matters most to you, the price or the time", "what kind of flight would you like",
        "any requirements for the flight", "do you want the cheapest or the earliest",
        "what is important to you", "should it be direct", "are there any constraints",
        "which flight do you prefer", "how should I choose among the flights",
        "is there a time by which you have to arrive", "do you mind stops",
        "what are your criteria", "any preferences", "would you rather save money or time",
    ),
    "cause": (
        "why do you want to cancel", "what is the reason", "what has happened", "why is that",
        "may I ask why", "could you tell me the reason", "what is the cause", "how come",
        "what made you cancel", "what's the reason for the cancellation", "what happened",
        "why can you not fly", "is it because of illness", "for what reason", "why",
        "what is the reason for your cancellation",
    ),
    "bags": (
        "how many bags do you want to add", "how many suitcases", "how much luggage do you have",
        "how many more bags would you like", "what number of bags should I add",
        "how many additional bags", "how many extra pieces", "how many pieces of luggage",
        "what is the number of additional bags", "how many bags would that be",
        "how many bags are you bringing", "how much more luggage is it",
        "how many do you want to add", "the number of bags, please",
    ),
    "cabin": (
        "which cabin would you like", "which class do you want", "what class would you like to fly",
        "to which cabin should I upgrade you", "premium or business", "what cabin do you prefer",
        "which class should it be", "into which class shall we move you", "what is the new cabin",
        "which cabin class", "what travel class are you thinking of", "your desired cabin",
        "which seat class would you like", "to what class would you like to be upgraded",
    ),
    "payment": (
        "how would you like to pay", "which payment method do you want to use",
        "how do you want to pay", "which card should I charge", "what would you like to pay with",
        "which method of payment", "how will you pay for it", "to which card should I charge it",
        "what payment method would you prefer", "which card shall be charged",
        "which of your payment methods should I use", "how are you paying",
        "would you like to pay by card or by gift card", "which method should be charged",
    ),
}  # fmt: skip
"""Questions of people for each topic, each of which is put in five forms."""


@pytest.mark.parametrize("topic", TOPICS)
def test_fifty_questions_for_each_topic_are_understood_as_no_other(topic: str) -> None:
    questions = [*in_polite_forms(ASKED[topic])]
    assert len(questions) >= 50
    assert [q for q in questions if stated(TOPICS, q) != [topic]] == []


def test_a_question_for_an_alternative_is_not_for_the_next_matter() -> None:
    for seed in range(200, 230):
        user = instance(seed, 4).user()
        has_choice = bool(user.intents[0].instead)
        reply = user.reply("I am sorry, but no. What else would you want instead?")
        assert user.number == 0
        assert user.acts[0].name == ("instead" if has_choice else "acceptance"), reply
        user.reply("What else would you want instead?")
        assert user.number == 0
        assert [act.name for act in user.acts] == ["acceptance"]


def test_rewards_add_up_and_are_taken_back() -> None:
    task = instance(5, 4)
    number = task.airline.reservations[0].number
    extra = call("issue_certificate", reservation=number, amount=1)
    for moves in ([*task.solution, "done"], [*task.solution, extra, "done"], ["x", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_replays_give_the_same_states() -> None:
    task = instance(2, 5)
    states = []
    for _ in range(2):
        episode = Episode(task, BARE)
        states.append([])
        for move in task.solution:
            episode.step(move)
            states[-1].append(episode.turn.state)
    assert states[0] == states[1]


def test_calls_in_several_dialects_do_the_same() -> None:
    task = instance(1, 2)
    arguments = {"reservation": task.airline.reservations[0].number}
    named = json.dumps({"name": "reservation_details", "arguments": arguments})
    forms = [
        call("reservation_details", **arguments),
        f"<tool_call>\n{named}\n</tool_call>",
        f"reservation_details(reservation={arguments['reservation']})",
        f"Action: reservation_details\nAction Input: {json.dumps(arguments)}",
    ]
    assert len({task.world(busy=0).use(form) for form in forms}) == 1


def test_hostile_calls_change_nothing() -> None:
    task = instance(2, 3)
    world = task.world(busy=0)
    mine = task.airline.reservations[0]
    method = next(a.number for a in task.airline.accounts if a.customer == mine.customer)
    other = next(a.number for a in task.airline.accounts if a.customer != mine.customer)
    pay = {"reservation": mine.number, "method": method}
    for move in (
        call("charge", **pay, amount=0),
        call("charge", **pay, amount=-5),
        call("charge", **pay, amount=10**9),
        call("charge", **pay, amount="5"),
        call("charge", **pay, amount=True),
        call("refund", **{**pay, "method": other}, amount=5),
        call("set_bags", reservation=mine.number, bags=-1),
        call("set_bags", reservation=10**4000 // 10**3990, bags=1),
        call("change_flight", reservation=mine.number, old_flight=1, new_flight=2),
        call("change_cabin", reservation=mine.number, cabin="first"),
        call("refuse", reservation=mine.number, request="cancel", reason="no"),
        call("search_flights", origin="x", destination="y", day=1, page=0),
        call("find_customers", name="x" * 100_000),
        call("no_such_tool"),
        "{" * 10_000,
    ):
        assert world.use(move)[0].startswith("Error"), move[:80]
        assert not world.changes()
    world.use(call("say", message="what " * 100_000))
    assert not world.changes()


@pytest.mark.parametrize("level", [1, 3, 6])
def test_random_calls_and_silence_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(12):
        task = instance(seed, level)
        numbers = [r.number for r in task.airline.reservations]
        numbers += [f.number for f in task.airline.flights] + [1, 2]
        moves = []
        for _ in range(task.calls):
            tool = rng.choice(TOOLS)
            arguments = {
                name: rng.choice(numbers) if each is int else "Ada" if each is str
                else rng.choice(each)
                for name, each in tool.parameters.items()
            }  # fmt: skip
            moves.append(call(tool.name, **arguments))
        values.append(score(task, *moves).value)
        assert score(task).value == 0
    assert sum(values) / len(values) <= 0.05


@pytest.mark.parametrize(("level", "most"), [(0, 0.5), (1, 0.5), (2, 0.05), (4, 0.05)])
def test_players_that_decide_nothing_fail(level: int, most: float) -> None:
    """At the first levels too, a wish is refused in half of the tasks and more."""
    rates = earned(NAME, level, range(40))
    assert rates["fulfil all"] <= most
    assert rates["refuse all"] <= max(most, 0.1)
    assert level < 2 or max(rates.values()) <= 0.1


def test_worlds_share_records() -> None:
    task = instance(3, 1)
    episode = Episode(task, BARE)
    use = caller(episode)
    before = task.model_dump_json()
    number = task.airline.reservations[0].number
    use("set_bags", {"reservation": number, "bags": 9})
    assert task.model_dump_json() == before
    assert not task.world().changes()
