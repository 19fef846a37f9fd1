"""A bank: its clients with accounts, cards, payees, orders and transactions, and its callers."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.bank_desk.policy import (
    CAUSES,
    COMPLAINTS,
    FACTS,
    FEES,
    REQUESTS,
    Account,
    Card,
    Order,
    Payee,
    Request,
    Terms,
    Transaction,
)

BRANCHES = ("Mill Square", "North Gate", "Harbour", "Old Town", "West End", "Station")
WORDS = (
    "acorn", "beacon", "cedar", "dolphin", "ember", "falcon", "garnet", "hazel", "indigo",
    "jasper", "kestrel", "lantern", "maple", "nectar", "orchid", "pepper", "quartz", "raven",
)  # fmt: skip
MERCHANTS = (
    "Bluebird Books", "Corner Cafe", "Delta Garage", "Evergreen Garden", "Fleet Shoes",
    "Gallery Nine", "Hilltop Hotel", "Ivory Tailors", "Jumbo Toys",
)  # fmt: skip
FIRMS = ("Northgas", "Citywater", "Rentwell", "Gymline", "Cablenet", "Readers Club", "Safeguard")
RELATIONS = ("mother", "father", "sister", "brother", "aunt", "uncle", "friend", "neighbour")


class Person(NamedTuple):
    """A client with what identifies one. ``changed`` is the day of the last new contact."""

    number: int
    name: str
    branch: str
    born: int
    postcode: int
    word: str
    phone: int
    is_premium: bool
    changed: int
    representatives: tuple[str, ...]


class Holding(NamedTuple):
    """An account with the numbers of its owners."""

    account: Account
    owners: tuple[int, ...]


class Bank(NamedTuple):
    """The records of the bank."""

    people: tuple[Person, ...]
    holdings: tuple[Holding, ...]
    cards: tuple[Card, ...]
    payees: tuple[Payee, ...]
    orders: tuple[Order, ...]
    transactions: tuple[Transaction, ...]


Details = tuple[tuple[str, str], ...]


class Wish(NamedTuple):
    """What a caller wants for a client.

    ``before`` are the request or the details that the caller states until asked to confirm, in
    place of those wanted in the end. ``wrong`` is a fact that the caller does not know, and
    ``mistaken`` one that is stated wrongly at first; both may be empty.
    """

    request: Request
    client: int
    relation: str
    details: Details
    before: Details = ()
    wrong: str = ""
    mistaken: str = ""


class Visit(NamedTuple):
    """A caller, by name, the day, and what is wanted."""

    caller: str
    today: int
    wishes: tuple[Wish, ...]


class Size(NamedTuple):
    """The numbers of what a call is about."""

    requests: int
    wishes: int
    thoughts: int
    """Wishes about which the caller changes the mind."""
    mistakes: int
    """Wishes with a fact that is stated wrongly at first."""
    others: int
    """Clients that the caller represents, or claims to."""
    strangers: int
    """Percentage of what is wanted for these clients that the caller may not."""
    namesakes: int
    transactions: int
    """Transactions of an account without any wish, at most."""


def random_terms(rng: Random) -> Terms:
    """A policy with random numbers."""
    return Terms(
        facts=tuple(rng.sample(FACTS, 4)),
        large=rng.choice((500, 800, 1_000)),
        joint=rng.choice((300, 400, 600)),
        recent=rng.choice((5, 7, 10, 14)),
        transfer_fee=rng.choice((3, 4, 6)),
        card_fee=rng.choice((8, 10, 12, 16)),
        cap=rng.choice((1_500, 2_000, 2_500)),
        lead=rng.choice((2, 3, 4)),
        dispute_days=rng.choice((45, 60, 90)),
        fee_days=rng.choice((30, 45, 60)),
        waived_days=rng.choice((180, 270, 365)),
    )


def paid(account: Account, card: int, day: int, merchant: str, amount: int) -> Transaction:
    """A payment by card, without a number."""
    return Transaction(0, account.number, card, day, "payment", merchant, amount, "booked")


class Draft:
    """A bank in the making."""

    def __init__(self, rng: Random, terms: Terms, today: int) -> None:
        self.rng, self.terms, self.today = rng, terms, today
        self.numbers = iter(rng.sample(range(1_000, 10_000), 1_500))
        self.people: list[Person] = []
        self.holdings: list[Holding] = []
        self.cards: list[Card] = []
        self.payees: list[Payee] = []
        self.orders: list[Order] = []
        self.transactions: list[Transaction] = []

    def ago(self, limit: int, most: int) -> int:
        """A day that is as likely within a limit of days as before it."""
        rng = self.rng
        days = rng.randint(0, limit) if rng.random() < 0.4 else rng.randint(limit + 1, most)
        return self.today - days

    def person(self, name: str, branch: str, representatives: Sequence[str]) -> Person:
        """Add a client."""
        rng = self.rng
        person = Person(
            number=next(self.numbers),
            name=name,
            branch=branch,
            born=rng.randint(1940, 2004),
            postcode=rng.randint(10_000, 99_999),
            word=rng.choice(WORDS),
            phone=rng.randint(1_000, 9_999),
            is_premium=rng.random() < 0.4,
            changed=self.ago(self.terms.recent, 200),
            representatives=tuple(representatives),
        )
        self.people.append(person)
        return person

    def accounts(self, person: Person, other: Person, transactions: int) -> None:
        """Add a current account, which may be a joint one, and a savings account."""
        rng = self.rng
        for name in ("current", "savings"):
            is_joint = name == "current" and rng.random() < 0.65
            owners = (person.number, other.number) if is_joint else (person.number,)
            account = Account(
                number=next(self.numbers),
                type=name,
                balance=rng.randint(300, 4_000),
                held=rng.choice((0, rng.randint(50, 700), rng.randint(500, 2_500))),
                overdraft=rng.choice((0, 200, 500)) if name == "current" else 0,
                limit=rng.choice((250, 600, 1_500)),
                both_sign=is_joint and rng.random() < 0.8,
            )
            self.holdings.append(Holding(account, owners))
            for payee in rng.sample(MORE_NAMES, 4):
                since = self.ago(self.terms.recent, 300)
                self.payees.append(Payee(next(self.numbers), account.number, payee, since))
            if name == "current":
                self._cards(account, owners)
                self._orders(account)
            self._transactions(account, transactions)

    def _cards(self, account: Account, owners: Sequence[int]) -> None:
        rng = self.rng
        for holder in (owners[0], *owners):
            status = "blocked" if rng.random() < 0.2 else "active"
            limit = rng.randrange(400, 1_600, 100)
            self.cards.append(Card(next(self.numbers), account.number, holder, status, limit))

    def _orders(self, account: Account) -> None:
        rng = self.rng
        for firm in rng.sample(FIRMS, 3):
            due = self.today + rng.choice((0, 1, 2, 3, 4, 9, 15, 22))
            amount = rng.randint(20, 500)
            self.orders.append(Order(next(self.numbers), account.number, firm, amount, due))

    def _transactions(self, account: Account, number: int) -> None:
        rng = self.rng
        cards = [card for card in self.cards if card.account == account.number]
        for _ in range(rng.randint(number // 2, number)):
            day = self.today - rng.randint(1, 120)
            if not cards or rng.random() < 0.25:
                name, amount = rng.choice(FEES), rng.randint(5, 40)
                self._add(Transaction(0, account.number, 0, day, "fee", name, amount, "booked"))
            else:
                card, merchant = rng.choice(cards).number, rng.choice(MERCHANTS)
                self._add(paid(account, card, day, merchant, rng.randint(10, 300)))

    def _add(self, transaction: Transaction) -> None:
        """Add a transaction, which gets a number."""
        self.transactions.append(transaction._replace(number=next(self.numbers)))

    def bank(self) -> Bank:
        """The records, in no order."""
        lists: tuple[list[Any], ...] = (
            self.people, self.holdings, self.cards, self.payees, self.orders, self.transactions,
        )  # fmt: skip
        for each in lists:
            self.rng.shuffle(each)
        return Bank(*map(tuple, lists))

    def own(self, client: int, name: str) -> Account:
        """The account of a type that a client was given first."""
        return next(h.account for h in self.holdings if h.account.type == name
                    and h.owners[0] == client)  # fmt: skip

    def dispute(self, account: Account) -> Details:
        """Add a payment that may be disputed or not, with refunds, and say which it is."""
        rng = self.rng
        card = rng.choice([card for card in self.cards if card.account == account.number]).number
        taken = {(t.merchant, t.day) for t in self.transactions if t.account == account.number}
        merchant = rng.choice(MERCHANTS)
        span = self.terms.dispute_days
        day = rng.choice((self.ago(span, span + 40), self.today - rng.randint(1, span)))
        while (merchant, day) in taken:
            day -= 1
        (status,) = rng.choices(("booked", "pending", "disputed"), (6, 1, 1))
        payment = paid(account, card, day, merchant, rng.randint(40, 400))
        self._add(payment._replace(status=status))
        for part in rng.choice(((), (), (0.3,), (0.2, 0.5), (1,))):
            refund = self.today - rng.randint(0, self.today - day)
            amount = int(payment.amount * part)
            self._add(payment._replace(day=refund, type="refund", amount=amount))
        self._add(payment._replace(day=day - 2, type="refund", amount=rng.randint(5, 30)))
        return (
            ("merchant", merchant),
            ("day", str(day)),
            ("complaint", rng.choice(COMPLAINTS)),
            ("contacted", rng.choice(("yes", "yes", "no"))),
        )

    def fee(self, account: Account) -> Details:
        """Add a fee that may be waived or not, and say which it is."""
        rng = self.rng
        taken = {t.day for t in self.transactions if (t.account, t.type) == (account.number, "fee")}
        span = self.terms.fee_days
        day = rng.choice((self.ago(span, span + 30), self.today - rng.randint(1, span)))
        while day in taken:
            day -= 1
        (name,) = rng.choices(FEES, (4, 4, 2))
        fee = Transaction(0, account.number, 0, day, "fee", name, rng.randint(9, 60), "booked")
        self._add(fee)
        if rng.random() < 0.5:
            waived = self.ago(self.terms.waived_days, self.terms.waived_days + 200)
            name, amount = rng.choice(FEES), rng.randint(5, 30)
            self._add(fee._replace(day=waived, type="waived", merchant=name, amount=amount))
        return (("account", account.type), ("day", str(day)))


def random_visit(rng: Random, size: Size, terms: Terms) -> tuple[Bank, Visit]:
    """A random bank and a call, in which no request is made twice for a client."""
    today = rng.randint(400, 900)
    draft = Draft(rng, terms, today)
    caller, *names = rng.sample(NAMES, size.others + 4)
    branches = rng.sample(BRANCHES, size.namesakes + 1)
    me = draft.person(caller, branches[0], ())
    refusals = [rng.random() * 100 < size.strangers for _ in range(size.others)]
    others = [
        draft.person(name, rng.choice(BRANCHES), () if refused and n % 2 else (caller,))
        for n, (name, refused) in enumerate(zip(names, refusals))
    ]
    more = [draft.person(caller, branch, ()) for branch in branches[1:]]
    more += [draft.person(name, rng.choice(BRANCHES), names[:1]) for name in names[size.others :]]
    for n, person in enumerate(draft.people):
        draft.accounts(person, more[n % len(more)], size.transactions)
    mine = rng.sample(REQUESTS[: size.requests], min(size.requests, size.wishes))
    owners = [me if n >= len(others) or len(mine) == 1 else others[n] for n in range(len(mine))]
    extra = [
        (me if not others else others[n % len(others)], REQUESTS[n % size.requests])
        for n in range(size.wishes)
    ]
    pairs = list(zip(owners, mine))
    pairs += [each for each in extra if each not in pairs][: size.wishes - len(pairs)]
    wrong = {me.number: rng.choice(terms.facts[1:3]) if rng.random() * 700 < size.strangers else ""}
    for n, (person, refused) in enumerate(zip(others, refusals)):
        wrong[person.number] = rng.choice(terms.facts[:2]) if refused and n % 2 == 0 else ""
    relations = dict(zip((each.number for each in others), rng.sample(RELATIONS, len(others))))
    wishes = [
        Wish(request, person.number, relations.get(person.number, "none"),
             _details(draft, person, request), wrong=wrong[person.number])
        for person, request in pairs
    ]  # fmt: skip
    if size.wishes > 2:
        last = max(n for n, wish in enumerate(wishes) if wish.client == me.number)
        wishes[last] = _hopeless(draft, wishes[last])
    wishes = [
        _with_errors(draft, wish, size, n < size.thoughts, n < size.mistakes)
        for n, wish in enumerate(wishes)
    ]
    rng.shuffle(wishes)
    return draft.bank(), Visit(caller, today, tuple(wishes))


def _details(draft: Draft, person: Person, request: Request) -> Details:
    rng, terms = draft.rng, draft.terms
    current = draft.own(person.number, "current")
    cards = [card for card in draft.cards if card.account == current.number]
    if request == "dispute":
        return draft.dispute(current)
    if request == "fee":
        return draft.fee(draft.own(person.number, rng.choice(("current", "savings"))))
    if request == "block":
        return (("card", str(rng.choice(cards).number)), ("cause", rng.choice(CAUSES)))
    if request == "limit":
        amount = rng.choice(
            (rng.randrange(300, 2 * terms.cap + 1_500, 50), rng.randrange(1_000, terms.cap, 50))
        )
        return (("card", str(rng.choice(cards).number)), ("amount", str(amount)))
    if request == "standing":
        firm = rng.choice([o.payee for o in draft.orders if o.account == current.number])
        large = rng.randint(301, 900)
        amount = rng.choice((0, rng.randint(20, 299), large, large))
        return (("payee", firm), ("amount", str(amount)))
    account = rng.choice((current, draft.own(person.number, "savings")))
    payee = rng.choice([p.name for p in draft.payees if p.account == account.number])
    few = rng.randint(10, max(11, account.balance // 3))
    amount = rng.choice((few, few, rng.randint(200, account.balance + 300)))
    return (
        ("account", account.type),
        ("payee", payee),
        ("amount", str(amount)),
        ("urged", "yes" if rng.random() < 0.15 else "no"),
    )


def _hopeless(draft: Draft, wish: Wish) -> Wish:
    """A wish that is not fulfilled, for which the records are changed where that is needed."""
    details = dict(wish.details)
    current = draft.own(wish.client, "current").number
    if wish.request in ("block", "limit"):
        draft.cards = [
            card._replace(status="blocked") if str(card.number) == details["card"] else card
            for card in draft.cards
        ]
    elif wish.request == "standing":
        draft.orders = [
            order._replace(next=draft.today)
            if (order.account, order.payee) == (current, details["payee"])
            else order
            for order in draft.orders
        ]
    elif wish.request == "transfer":
        details["urged"] = "yes"
    elif wish.request == "fee":
        account = draft.own(wish.client, details["account"]).number
        draft.transactions = [
            each._replace(merchant=FEES[-1])
            if (each.account, each.type, str(each.day)) == (account, "fee", details["day"])
            else each
            for each in draft.transactions
        ]
    else:
        draft.transactions = [
            each._replace(status="pending")
            if (each.account, each.type, each.merchant, str(each.day))
            == (current, "payment", details["merchant"], details["day"])
            else each
            for each in draft.transactions
        ]
    return wish._replace(details=tuple(details.items()))


def _with_errors(
    draft: Draft, wish: Wish, size: Size, has_thoughts: bool, is_mistaken: bool
) -> Wish:
    """A wish that comes out when the caller is asked to confirm, or with a fact misremembered."""
    rng, terms = draft.rng, draft.terms
    if is_mistaken and not wish.wrong:
        wish = wish._replace(mistaken=terms.facts[0])
    if not has_thoughts:
        return wish
    person = next(each for each in draft.people if each.number == wish.client)
    details = dict(wish.details)
    if rng.random() < 0.5 or "amount" not in details:
        other = rng.choice([each for each in REQUESTS[: size.requests] if each != wish.request])
        earlier = _details(draft, person, other)
        extra = tuple(each for each in earlier if each[0] not in details)
        return wish._replace(before=(("request", other), *extra))
    other_amount = int(details["amount"]) + rng.choice((10, 20, 50, 100))
    return wish._replace(before=(("amount", str(other_amount)),))
