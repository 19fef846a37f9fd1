"""The policy of a bank, in words and as decisions on what callers want."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from palaestra.generators.tools.service_desk import Decision, Step, step

Request = Literal["block", "transfer", "fee", "limit", "dispute", "standing"]
REQUESTS: tuple[Request, ...] = ("block", "transfer", "fee", "limit", "dispute", "standing")
FACTS = ("born", "postcode", "word", "phone")
REASONS = (
    "no_authority", "beyond_authority", "not_verified", "not_holder", "already_blocked",
    "card_blocked", "recent_change", "too_high", "needs_other_owner", "over_limit",
    "insufficient", "too_late", "pending", "too_old", "already_disputed", "refunded",
    "contact_merchant", "not_waivable", "waived_before",
)  # fmt: skip
CAUSES = ("lost", "stolen", "broken")
COMPLAINTS = ("not mine", "not delivered")
FEES = ("overdraft fee", "transfer fee", "fee for cash abroad")
BEYOND = ("transfer", "limit")
"""What no representative may request."""


class Terms(NamedTuple):
    """The numbers of a policy: days, amounts of money, and the order in which facts are checked."""

    facts: tuple[str, ...]
    large: int
    """Transfers above it need more facts."""
    joint: int
    """Payments above it need both owners, where both have to sign."""
    recent: int
    transfer_fee: int
    card_fee: int
    cap: int
    """The highest card limit of regular clients."""
    lead: int
    dispute_days: int
    fee_days: int
    waived_days: int

    def text(self, request: Request) -> str:
        """The rule for a type of request, with the reasons against it in order of priority."""
        return TEXTS[request].format(**self._asdict(), double=2 * self.cap, half=self.card_fee // 2)

    def needs(self, request: Request, amount: int) -> int:
        """How many facts are checked for a request."""
        if request == "transfer":
            return 3 if amount > self.large else 2
        return {"block": 1, "fee": 2, "dispute": 2, "limit": 3, "standing": 3}[request]


TEXTS = {
    "block": "block (1 fact): a card is lost, stolen or broken. (a) Not if the card's holder is "
    "another than the client, even on a joint account (not_holder), (b) nor if it is blocked "
    "(already_blocked). (c) Lost and stolen cards are blocked, broken ones are not. (d) A new card "
    "is issued in each case. It costs {card_fee} if the card is lost, {half} if it is broken, and "
    "nothing if it is stolen or the client is premium.",
    "transfer": "transfer (2 facts, 3 if the amount is above {large}): from an account of the "
    "client to a payee on its list. (a) Ask whether somebody has urged the caller to make the "
    "transfer. If so, escalate the account to the fraud team. Do so also if two of these three are "
    "true: the payee was added at most {recent} days ago; the client's contact details were "
    "changed at most {recent} days ago; the amount is more than half of the balance. An "
    "escalation takes the place of a transfer and of a refusal. (b) Not from a joint account that "
    "both owners have to sign for if the amount is above {joint} (needs_other_owner), (c) nor if "
    "the amount is above the account's transfer limit (over_limit), (d) nor if the amount and the "
    "fee together are more than what is available: the balance less what is held plus the "
    "overdraft (insufficient). (e) The fee is {transfer_fee} from a savings account; it is 0 from "
    "a current account and for premium clients.",
    "fee": "fee (2 facts): a fee is given back. (a) Not a fee for cash abroad (not_waivable), (b) "
    "nor if it was charged more than {fee_days} days ago (too_old), (c) nor if another fee of the "
    "account was waived at most {waived_days} days ago (waived_before), which does not matter for "
    "premium clients. (d) Premium clients get all of it, regular ones half, rounded down.",
    "limit": "limit (3 facts): a card gets another spending limit. (a) Not if the card's holder is "
    "another than the client (not_holder), (b) nor if the card is blocked (card_blocked), (c) nor, "
    "if the new limit is higher than the old one, when the client's contact details were changed "
    "at most {recent} days ago (recent_change), (d) nor above {cap}, for premium clients above "
    "{double} (too_high).",
    "dispute": "dispute (2 facts): a card payment is disputed. (a) Not while it is pending "
    "(pending), (b) nor if it is more than {dispute_days} days old (too_old), (c) nor if it is "
    "disputed already (already_disputed). (d) Ask what the complaint is. If goods were not "
    "delivered, ask whether the caller has contacted the merchant; if not, refuse "
    "(contact_merchant). (e) The disputed amount is that of the payment less all refunds by the "
    "same merchant to the same card on the day of the payment or later; if nothing is left, refuse "
    "(refunded). (f) If the client did not make the payment, its card is also blocked as stolen, "
    "unless it is blocked; no new card is issued then.",
    "standing": "standing (3 facts): a standing order gets another amount, or is stopped if the "
    "amount is 0. (a) Not "
    "if it is next executed in less than {lead} days (too_late), (b) nor if the new amount is "
    "above {joint} and the account is a joint one that both owners have to sign for "
    "(needs_other_owner). Stopping an order needs no other owner.",
}
"""The rules, with slots for the numbers."""


class Client(NamedTuple):
    """What the decisions need of a client. ``changed`` is the day of the last new contact."""

    number: int
    is_premium: bool
    changed: int


class Account(NamedTuple):
    """An account. ``both_sign`` is true of joint accounts that both owners have to sign for."""

    number: int
    type: str
    balance: int
    held: int
    overdraft: int
    limit: int
    both_sign: bool


class Card(NamedTuple):
    """A card, by its last digits."""

    number: int
    account: int
    holder: int
    status: str
    limit: int


class Payee(NamedTuple):
    """Whom an account may pay, since a day."""

    number: int
    account: int
    name: str
    since: int


class Order(NamedTuple):
    """A standing order, which is next executed on a day."""

    number: int
    account: int
    payee: str
    amount: int
    next: int


class Transaction(NamedTuple):
    """A payment, a refund or a fee of an account; ``card`` is 0 for what no card was used for."""

    number: int
    account: int
    card: int
    day: int
    type: str
    merchant: str
    amount: int
    status: str


class Case(NamedTuple):
    """What a decision depends on. What the request is not about is None."""

    request: Request
    today: int
    client: Client
    details: tuple[tuple[str, str], ...]
    account: Account | None = None
    card: Card | None = None
    payee: Payee | None = None
    order: Order | None = None
    transaction: Transaction | None = None
    others: tuple[Transaction, ...] = ()
    """All transactions of the account."""

    def detail(self, topic: str) -> str:
        """What the caller wants by topic, such as the amount."""
        return dict(self.details)[topic]


def authority_reason(request: Request, represents: bool, has_authority: bool) -> str | None:
    """The reason against a caller who calls for another."""
    if not represents:
        return None
    if not has_authority:
        return "no_authority"
    return "beyond_authority" if request in BEYOND else None


def decision(terms: Terms, case: Case) -> Decision:
    """The decision on a request of a verified caller, with its steps."""
    if case.request == "transfer" and is_suspicious(terms, case):
        assert case.account is not None
        return Decision("fraud", (step("escalate", account=case.account.number, team="fraud"),))
    against = reason(terms, case)
    if against:
        return Decision(against, (refusal(case.client.number, case.request, against),))
    return Decision(None, tuple(fulfilment(terms, case)))


def refusal(client: int, request: Request, against: str) -> Step:
    """The step that refuses a request."""
    return step("refuse", client=client, request=request, reason=against)


def is_suspicious(terms: Terms, case: Case) -> bool:
    """Whether a transfer is handed over to the fraud team."""
    assert case.payee is not None
    assert case.account is not None
    signs = (
        case.today - case.payee.since <= terms.recent,
        case.today - case.client.changed <= terms.recent,
        2 * int(case.detail("amount")) > case.account.balance,
    )
    return case.detail("urged") == "yes" or sum(signs) >= 2


def reason(terms: Terms, case: Case) -> str | None:
    """The first reason against a request, apart from fraud; None where it is allowed."""
    rules = {
        "block": _against_block,
        "transfer": _against_transfer,
        "fee": _against_fee,
        "limit": _against_limit,
        "dispute": _against_dispute,
        "standing": _against_standing,
    }
    return rules[case.request](terms, case)


def _against_block(terms: Terms, case: Case) -> str | None:
    assert case.card is not None
    if case.card.holder != case.client.number:
        return "not_holder"
    return "already_blocked" if case.card.status == "blocked" else None


def _against_transfer(terms: Terms, case: Case) -> str | None:
    account, amount = case.account, int(case.detail("amount"))
    assert account is not None
    if account.both_sign and amount > terms.joint:
        return "needs_other_owner"
    if amount > account.limit:
        return "over_limit"
    available = account.balance - account.held + account.overdraft
    return "insufficient" if amount + transfer_fee(terms, case) > available else None


def _against_fee(terms: Terms, case: Case) -> str | None:
    fee = case.transaction
    assert fee is not None
    if fee.merchant == "fee for cash abroad":
        return "not_waivable"
    if case.today - fee.day > terms.fee_days:
        return "too_old"
    waived = [
        other
        for other in case.others
        if other.type == "waived" and case.today - other.day <= terms.waived_days
    ]
    return "waived_before" if waived and not case.client.is_premium else None


def _against_limit(terms: Terms, case: Case) -> str | None:
    card, limit = case.card, int(case.detail("amount"))
    assert card is not None
    if card.holder != case.client.number:
        return "not_holder"
    if card.status == "blocked":
        return "card_blocked"
    if limit > card.limit and case.today - case.client.changed <= terms.recent:
        return "recent_change"
    return "too_high" if limit > terms.cap * (2 if case.client.is_premium else 1) else None


def _against_dispute(terms: Terms, case: Case) -> str | None:
    payment = case.transaction
    assert payment is not None
    if payment.status == "pending":
        return "pending"
    if case.today - payment.day > terms.dispute_days:
        return "too_old"
    if payment.status == "disputed":
        return "already_disputed"
    if case.detail("complaint") == "not delivered" and case.detail("contacted") == "no":
        return "contact_merchant"
    return None if disputed_amount(case) > 0 else "refunded"


def _against_standing(terms: Terms, case: Case) -> str | None:
    assert case.order is not None
    assert case.account is not None
    if case.order.next - case.today < terms.lead:
        return "too_late"
    is_large = int(case.detail("amount")) > terms.joint
    return "needs_other_owner" if is_large and case.account.both_sign else None


def transfer_fee(terms: Terms, case: Case) -> int:
    """What a transfer costs."""
    assert case.account is not None
    is_free = case.account.type == "current" or case.client.is_premium
    return 0 if is_free else terms.transfer_fee


def disputed_amount(case: Case) -> int:
    """What is left of a payment when refunds are taken off."""
    payment = case.transaction
    assert payment is not None
    refunds = (
        other.amount
        for other in case.others
        if other.type == "refund"
        and (other.merchant, other.card) == (payment.merchant, payment.card)
        and other.day >= payment.day
    )
    return payment.amount - sum(refunds)


def fulfilment(terms: Terms, case: Case) -> Iterator[Step]:
    """The steps that fulfil a request, whether it is allowed or not."""
    details = dict(case.details)
    if case.request == "block":
        yield from _new_card(terms, case, details["cause"])
    elif case.request == "transfer":
        assert case.payee is not None
        yield step(
            "transfer", account=case.payee.account, payee=case.payee.number,
            amount=int(details["amount"]), fee=transfer_fee(terms, case),
        )  # fmt: skip
    elif case.request == "fee":
        assert case.transaction is not None
        fee = case.transaction
        amount = fee.amount if case.client.is_premium else fee.amount // 2
        yield step("waive_fee", transaction=fee.number, amount=amount)
    elif case.request == "limit":
        assert case.card is not None
        yield step("set_card_limit", card=case.card.number, limit=int(details["amount"]))
    elif case.request == "dispute":
        yield from _dispute(case, details["complaint"])
    elif case.order is not None and details["amount"] == "0":
        yield step("stop_order", order=case.order.number)
    elif case.order is not None:
        yield step("set_order", order=case.order.number, amount=int(details["amount"]))


def _new_card(terms: Terms, case: Case, cause: str) -> Iterator[Step]:
    assert case.card is not None
    fee = {"lost": terms.card_fee, "broken": terms.card_fee // 2, "stolen": 0}[cause]
    if cause != "broken":
        yield step("block_card", card=case.card.number, cause=cause)
    yield step("issue_card", card=case.card.number, fee=0 if case.client.is_premium else fee)


def _dispute(case: Case, complaint: str) -> Iterator[Step]:
    assert case.transaction is not None
    amount = max(1, disputed_amount(case))
    yield step("open_dispute", transaction=case.transaction.number, amount=amount)
    if complaint == "not mine" and case.card is not None and case.card.status != "blocked":
        yield step("block_card", card=case.card.number, cause="stolen")
