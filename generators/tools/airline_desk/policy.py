"""The policy of an airline, in words and as decisions on what customers want."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from palaestra.generators.tools.service_desk import Decision, Step, step

Request = Literal["cancel", "bags", "change", "compensation", "upgrade"]
REQUESTS: tuple[Request, ...] = ("cancel", "bags", "change", "compensation", "upgrade")
REASONS = (
    "already_flown", "basic_fare", "too_late", "no_flight", "no_seats", "not_higher",
    "too_many_bags", "already_compensated", "not_disrupted", "not_entitled",
)  # fmt: skip
CABINS = ("basic", "economy", "premium", "business")
TIERS = ("regular", "silver", "gold")
CAUSES = ("illness", "weather", "plans")
COVERED = ("illness", "weather")
"""The causes that the insurance covers."""

HOUR, DAY = 60, 24 * 60
"""In minutes, in which moments are counted."""


def moment(minutes: int) -> str:
    """A moment in words.

    >>> moment(100 * DAY + 61)
    'day 100 01:01'
    """
    day, rest = divmod(minutes, DAY)
    return f"day {day} {rest // HOUR:02}:{rest % HOUR:02}"


class Terms(NamedTuple):
    """The numbers of a policy: times in hours, amounts of money for each passenger."""

    grace: int
    notice: int
    cancel_notice: int
    cancel_fee: int
    change_fee: int
    premium: int
    bag: int
    most_bags: int
    silver_bags: int
    gold_bags: int
    delay: int
    delayed: int
    cancelled: int
    silver_discount: int
    gold_discount: int

    def text(self, request: Request) -> str:
        """The rule for a type of request, with the reasons against it in order of priority."""
        return TEXTS[request].format(**self._asdict())


TEXTS = {
    "cancel": "cancel: a reservation is cancelled with all its passengers and legs. (a) Not if a "
    "leg is flown (already_flown). (b) It is free if a leg is disrupted, or if the reservation was "
    "booked at most {grace} hours ago, or if it is insured and the cause is illness or the "
    "weather; (c) and (d) do not apply then. (c) Otherwise a basic fare is not cancelled "
    "(basic_fare), nor any other less than {cancel_notice} hours before the departure of its first "
    "leg (too_late), which does not matter in business. (d) The fee is {cancel_fee} for each "
    "passenger, for silver members half of it; there is none for gold members and in business. (e) "
    "The insurance, {premium} for each passenger if there is one, is never refunded, and nor is "
    "what was paid by certificate. Fee and insurance are taken off the first payment that is not "
    "by certificate, and what is left of them off the next one. The rest of each payment is "
    "refunded to the method that it was paid by.",
    "bags": "bags: the number of bags of a reservation is for all its passengers together. (a) Not "
    "if a leg is flown (already_flown), (b) nor if there would be more than {most_bags} bags for "
    "each passenger (too_many_bags). (c) Free are for each passenger 0 bags in basic, 1 in "
    "economy, 2 in premium and business, and {silver_bags} more for silver members and {gold_bags} "
    "more for gold members. Each bag that is added beyond the free ones costs {bag}; bags that are "
    "there already are paid for.",
    "change": "change: one leg is moved to another flight on the same route and in the same cabin. "
    "(a) Not if the leg is flown (already_flown). (b) If the leg is disrupted, the change is free, "
    "and (c) and (e) do not apply. (c) Otherwise a basic fare is not changed (basic_fare), nor any "
    "other less than {notice} hours before the departure of the leg (too_late), which does not "
    "matter for gold members. (d) The new flight is the one that the customer wants by the day and "
    "the preference: of the flights of that day that are scheduled, not departed, and have seats "
    "in the cabin for all passengers. If several are left, the cheapest one in the cabin, and of "
    "those the one that departs first. If there is none, refuse (no_flight). (e) The customer pays "
    "the change fee of {change_fee} for each passenger, for silver members half of it, for gold "
    "members and in business nothing, and for each passenger the price of the new flight in the "
    "cabin less the fare paid for the leg; if that is below 0, it counts as 0.",
    "compensation": "compensation: a certificate for a disrupted leg, flown or not. (a) Not if the "
    "reservation was compensated before (already_compensated), (b) nor if the leg that the "
    "customer names is not disrupted, whatever the customer says (not_disrupted), (c) nor for "
    "regular members without insurance in basic or economy (not_entitled). (d) The certificate is "
    "for {cancelled} for each passenger if the leg is cancelled, and for {delayed} if it is "
    "delayed; gold members get half as much again.",
    "upgrade": "upgrade: all legs of a reservation get a higher cabin. (a) Not if a leg is flown "
    "(already_flown), (b) nor for a basic fare (basic_fare), (c) nor to the same or a lower cabin "
    "(not_higher), (d) nor if a leg has fewer free seats in the new cabin than there are "
    "passengers (no_seats). (e) For each leg and passenger the customer pays the price of the leg "
    "in the new cabin less the fare paid, at least 0. Silver members pay {silver_discount} % less "
    "in all and gold members {gold_discount} % less, rounded down.",
}
"""The rules, with slots for the numbers."""


class Leg(NamedTuple):
    """A leg of a reservation: ``departs`` is in minutes, ``delay`` in hours, and ``seats`` and
    ``prices`` are by cabin. ``fare`` is what each passenger paid.
    """

    flight: int
    departs: int
    status: str
    delay: int
    seats: tuple[int, ...]
    prices: tuple[int, ...]
    fare: int


class Offer(NamedTuple):
    """A flight on the route and day that the customer wants."""

    flight: int
    departs: int
    arrives: int
    stops: int
    status: str
    seats: tuple[int, ...]
    prices: tuple[int, ...]


class Method(NamedTuple):
    """A way to pay: ``balance`` is -1 for cards, which have no limit."""

    number: int
    type: str
    balance: int


class Case(NamedTuple):
    """What a decision depends on. ``leg`` is the index of the leg that the customer names."""

    request: Request
    now: int
    reservation: int
    tier: str
    cabin: str
    passengers: int
    bags: int
    insured: bool
    compensated: bool
    booked: int
    legs: tuple[Leg, ...]
    leg: int
    payments: tuple[tuple[Method, int], ...]
    main: int
    details: tuple[tuple[str, str], ...]
    method: Method | None = None
    offers: tuple[Offer, ...] = ()

    def detail(self, topic: str) -> str:
        """What the customer wants by topic, such as the new cabin."""
        return dict(self.details)[topic]


def decision(terms: Terms, case: Case) -> Decision:
    """The decision on a request, with the steps of the fulfilment or the refusal."""
    against = reason(terms, case)
    return Decision(against, refusal(case, against) if against else fulfilment(terms, case))


def refusal(case: Case, against: str) -> tuple[Step, ...]:
    """The step that refuses a request."""
    arguments = {"reservation": case.reservation, "request": case.request, "reason": against}
    return (Step("refuse", arguments),)


def is_disrupted(terms: Terms, leg: Leg) -> bool:
    """Whether the airline has cancelled a leg or delayed it by much."""
    return leg.status == "cancelled" or leg.delay >= terms.delay


def reason(terms: Terms, case: Case) -> str | None:
    """The first reason against a request; None where it is allowed."""
    if case.request == "compensation":
        return _against_compensation(terms, case)
    concerned = (case.legs[case.leg],) if case.request == "change" else case.legs
    if any(leg.status == "flown" for leg in concerned):
        return "already_flown"
    if case.request == "cancel":
        return _against_cancelling(terms, case)
    if case.request == "change":
        return _against_change(terms, case)
    if case.request == "bags":
        total = case.bags + int(case.detail("bags"))
        return "too_many_bags" if total > terms.most_bags * case.passengers else None
    return _against_upgrade(case)


def _is_free_to_cancel(terms: Terms, case: Case) -> bool:
    return (
        any(is_disrupted(terms, leg) for leg in case.legs)
        or case.now - case.booked <= terms.grace * HOUR
        or (case.insured and case.detail("cause") in COVERED)
    )


def _against_cancelling(terms: Terms, case: Case) -> str | None:
    if _is_free_to_cancel(terms, case):
        return None
    if case.cabin == "basic":
        return "basic_fare"
    late = case.legs[0].departs - case.now < terms.cancel_notice * HOUR
    return "too_late" if late and case.cabin != "business" else None


def _against_change(terms: Terms, case: Case) -> str | None:
    leg = case.legs[case.leg]
    if not is_disrupted(terms, leg):
        if case.cabin == "basic":
            return "basic_fare"
        if leg.departs - case.now < terms.notice * HOUR and case.tier != "gold":
            return "too_late"
    return None if best_offer(case) else "no_flight"


def best_offer(case: Case) -> Offer | None:
    """The flight that the customer wants, if there is one."""
    cabin, preference = CABINS.index(case.cabin), case.detail("preference")
    offers = [
        offer
        for offer in case.offers
        if offer.status == "scheduled"
        and offer.departs > case.now
        and offer.seats[cabin] >= case.passengers
        and offer.flight != case.legs[case.leg].flight
        and _is_preferred(offer, preference)
    ]
    is_first = preference == "earliest"
    return min(
        offers,
        key=lambda o: (is_first and o.arrives, o.prices[cabin], o.departs, o.flight),
        default=None,
    )


def _is_preferred(offer: Offer, preference: str) -> bool:
    if preference.startswith("by "):
        hours, _, minutes = preference[3:].partition(":")
        return offer.arrives % DAY <= int(hours) * HOUR + int(minutes)
    return offer.stops == 0 or preference != "non-stop"


def _against_compensation(terms: Terms, case: Case) -> str | None:
    if case.compensated:
        return "already_compensated"
    if not is_disrupted(terms, case.legs[case.leg]):
        return "not_disrupted"
    entitled = case.tier != "regular" or case.insured or case.cabin in ("premium", "business")
    return None if entitled else "not_entitled"


def _against_upgrade(case: Case) -> str | None:
    if case.cabin == "basic":
        return "basic_fare"
    cabin = CABINS.index(case.detail("cabin"))
    if cabin <= CABINS.index(case.cabin):
        return "not_higher"
    return "no_seats" if any(leg.seats[cabin] < case.passengers for leg in case.legs) else None


def fulfilment(terms: Terms, case: Case) -> tuple[Step, ...]:
    """The steps that fulfil a request, whether it is allowed or not."""
    number = case.reservation
    if case.request == "cancel":
        return (step("cancel_reservation", reservation=number), *_refunds(terms, case))
    if case.request == "compensation":
        amount = certificate(terms, case)
        return (step("issue_certificate", reservation=number, amount=amount),)
    if case.request == "bags":
        total = case.bags + int(case.detail("bags"))
        return (
            step("set_bags", reservation=number, bags=total),
            *charges(case, bag_price(terms, case)),
        )
    if case.request == "upgrade":
        cabin = case.detail("cabin")
        return (
            step("change_cabin", reservation=number, cabin=cabin),
            *charges(case, upgrade_price(terms, case)),
        )
    offer = best_offer(case)
    if offer is None:
        return ()
    legs = {"old_flight": case.legs[case.leg].flight, "new_flight": offer.flight}
    price = change_price(terms, case, offer)
    return (step("change_flight", reservation=number, **legs), *charges(case, price))


def _by_tier(case: Case, fee: int) -> int:
    if case.tier == "gold" or case.cabin == "business":
        return 0
    return fee // 2 if case.tier == "silver" else fee


def _refunds(terms: Terms, case: Case) -> Iterator[Step]:
    kept = terms.premium * case.passengers if case.insured else 0
    if not _is_free_to_cancel(terms, case):
        kept += _by_tier(case, terms.cancel_fee) * case.passengers
    for method, amount in case.payments:
        if method.type == "certificate":
            continue
        off = min(kept, amount)
        kept -= off
        if amount > off:
            arguments = {"method": method.number, "amount": amount - off}
            yield step("refund", reservation=case.reservation, **arguments)


def bag_price(terms: Terms, case: Case) -> int:
    """What the bags cost that are added."""
    free = (0, 1, 2, 2)[CABINS.index(case.cabin)]
    free += (0, terms.silver_bags, terms.gold_bags)[TIERS.index(case.tier)]
    paid = max(case.bags, free * case.passengers)
    return max(0, case.bags + int(case.detail("bags")) - paid) * terms.bag


def change_price(terms: Terms, case: Case, offer: Offer) -> int:
    """What a change to another flight costs."""
    leg = case.legs[case.leg]
    if is_disrupted(terms, leg):
        return 0
    more = max(0, offer.prices[CABINS.index(case.cabin)] - leg.fare)
    return (_by_tier(case, terms.change_fee) + more) * case.passengers


def certificate(terms: Terms, case: Case) -> int:
    """The amount of a compensation."""
    each = terms.cancelled if case.legs[case.leg].status == "cancelled" else terms.delayed
    return case.passengers * (each * 3 // 2 if case.tier == "gold" else each)


def upgrade_price(terms: Terms, case: Case) -> int:
    """What an upgrade costs."""
    cabin = CABINS.index(case.detail("cabin"))
    each = sum(max(0, leg.prices[cabin] - leg.fare) for leg in case.legs)
    less = (0, terms.silver_discount, terms.gold_discount)[TIERS.index(case.tier)]
    return each * case.passengers * (100 - less) // 100


def charges(case: Case, amount: int) -> Iterator[Step]:
    """The charges of an amount to the method that the customer names; what a gift card does not
    cover goes to the main card.
    """
    method = case.method
    if method is None or not amount:
        return
    first = amount if method.balance < 0 else min(amount, method.balance)
    for number, part in ((method.number, first), (case.main, amount - first)):
        if part:
            yield step("charge", reservation=case.reservation, method=number, amount=part)
