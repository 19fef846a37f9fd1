"""A player who knows the policy and the tools, and learns everything else by calls."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from palaestra.generators.tools.bank_desk.caller import DETAILS, MYSELF, OPENINGS, TOPICS, meaning
from palaestra.generators.tools.bank_desk.policy import (
    REQUESTS,
    Account,
    Card,
    Case,
    Client,
    Order,
    Payee,
    Request,
    Terms,
    Transaction,
    authority_reason,
    decision,
    fulfilment,
    refusal,
)
from palaestra.generators.tools.engine import Client as Player
from palaestra.generators.tools.engine import using
from palaestra.generators.tools.service_desk import Calls, answer, pages, take, tell

QUESTIONS = {
    "name": "What is your name?",
    "client": "For whom are you calling?",
    "branch": "Which branch is it?",
    "request": "How can I help you?",
    "born": "In which year was the client born?",
    "postcode": "What is the postcode?",
    "word": "What is the memorable word?",
    "phone": "In what does the phone number end?",
    "account": "Which account is it?",
    "payee": "Who is the payee?",
    "amount": "What is the amount?",
    "urged": "Has anybody urged you to do it?",
    "card": "Which card is it?",
    "cause": "Is it lost?",
    "merchant": "Who is the merchant?",
    "day": "On which day was it?",
    "complaint": "What is your complaint?",
    "contacted": "Have you contacted them?",
}
"""How each topic is asked for."""

FIRST: dict[Request, str] = {
    "block": "not_holder",
    "transfer": "insufficient",
    "fee": "waived_before",
    "limit": "too_high",
    "dispute": "too_old",
    "standing": "too_late",
}
"""A common reason against each request."""


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    confirms: bool = True
    decides: bool = True
    """By the policy; otherwise everything is fulfilled, or ``refuses``."""
    refuses: bool = False
    trusts: bool = False
    """Callers are whom they say they are, and may do what they want."""
    refuses_with: str = ""
    """The one reason for everything."""


CAREFUL = Habits()


class Person(NamedTuple):
    """What the records have of a client whom the caller names."""

    client: Client
    represents: bool
    representatives: str


class Session:
    """A player in a call: what it knows of callers and clients by now."""

    def __init__(self, terms: Terms, today: int, habits: Habits) -> None:
        self.terms, self.today, self.habits = terms, today, habits
        self.caller = ""
        self.checked: dict[int, list[str]] = {}
        self.failed: set[int] = set()

    def play(self) -> Player:
        """Handle one request after the other."""
        self.caller = yield from _ask("name")
        has_more = True
        while has_more:
            yield from self._handle(*(yield from self._wanted()))
            reply = yield from tell("Is there anything else?")
            has_more = any(opening in reply for opening in OPENINGS)

    def _wanted(self) -> Calls:
        """The client and the request."""
        who, branch = (yield from _ask("client")), (yield from _ask("branch"))
        name = self.caller if who == MYSELF else who.split(" ")[-1]
        text = yield from using("find_clients", name=name)
        number, status, day, others = _groups(
            rf"(\d+): {name}, branch {branch}, (\w+), .* day (\d+), representatives: (.*)", text
        )
        client = Client(int(number), status == "premium", int(day))
        request = yield from _request()
        return Person(client, who != MYSELF, others), request

    def _handle(self, person: Person, request: Request) -> Calls:
        """Handle a request."""
        if self.habits.confirms:
            yield from tell("I will see to it. Do you confirm?")
            request = yield from _request()
        client = person.client.number
        against = yield from self._identified(person, request)
        if self.habits.refuses_with:
            against = self.habits.refuses_with
        if against:
            yield from take([refusal(client, request, against)])
            return
        details: dict[str, str] = {}
        for topic in DETAILS[request]:
            details[topic] = meaning(topic, (yield from _ask(topic)))
        against = yield from self._verified(client, request, details)
        case = None if against else (yield from self._case(person.client, request, details))
        if against:
            yield from take([refusal(client, request, against)])
        elif case is not None and self.habits.decides:
            yield from take(decision(self.terms, case).steps)
        elif self.habits.refuses:
            yield from take([refusal(client, request, FIRST[request])])
        elif case is not None:
            yield from take(fulfilment(self.terms, case))

    def _identified(self, person: Person, request: Request) -> Calls:
        """The reason against a caller who calls for another, or has failed before."""
        yield from ()
        if self.habits.trusts:
            return None
        known = self.caller in person.representatives.split(", ")
        against = authority_reason(request, person.represents, known)
        return against or ("not_verified" if person.client.number in self.failed else None)

    def _verified(self, client: int, request: Request, details: Mapping[str, str]) -> Calls:
        """Check the facts that are needed and not checked yet, each twice at most."""
        if self.habits.trusts:
            return None
        done = self.checked.setdefault(client, [])
        amount = details.get("amount", "")
        needs = self.terms.needs(request, int(amount) if amount.isdecimal() else 0)
        for fact in self.terms.facts[:needs]:
            for _ in range(2):
                if fact in done:
                    break
                value = yield from _ask(fact)
                text = yield from using("check_fact", client=client, fact=fact, value=value)
                if "matches" in text:
                    done.append(fact)
            if fact not in done:
                self.failed.add(client)
                return "not_verified"
        return None

    def _case(self, client: Client, request: Request, details: Mapping[str, str]) -> Calls:
        """All that the decision depends on; None where the caller names what there is not."""
        if not all(details.values()):
            return None
        case = Case(request, self.today, client, tuple(details.items()))
        accounts = yield from _accounts(client.number)
        names = [details.get("account", "current")]
        own = [account for account in accounts if account.type in names]
        rows = yield from _rows(own[0].number)
        case = case._replace(account=own[0])
        if request in ("block", "limit"):
            card = rows.cards.get(int(details["card"]))
            return case._replace(card=card) if card else None
        if request == "transfer":
            payee = rows.payees.get(details["payee"])
            return case._replace(payee=payee) if payee else None
        if request == "standing":
            order = rows.orders.get(details["payee"])
            return case._replace(order=order) if order else None
        return _about(case, rows, details)


class Rows(NamedTuple):
    """The rows of an account."""

    cards: dict[int, Card]
    payees: dict[str, Payee]
    orders: dict[str, Order]
    transactions: tuple[Transaction, ...]


def _about(case: Case, rows: Rows, details: Mapping[str, str]) -> Case | None:
    """The case with the fee or payment that it is about."""
    wanted = "fee" if case.request == "fee" else "payment"
    for each in rows.transactions:
        if (each.type, each.day) != (wanted, int(details["day"])):
            continue
        if each.merchant == details.get("merchant", each.merchant):
            card = rows.cards.get(each.card)
            return case._replace(transaction=each, others=rows.transactions, card=card)
    return None


def _accounts(client: int) -> Calls:
    """The accounts of which a client is the first owner, current before savings."""
    text = yield from using("list_accounts", client=client)
    pattern = (
        r"(\d+): (\w+), balance (-?\d+), held (\d+), overdraft (\d+), transfer limit (\d+), owners "
        r"(\d+)([^\n]*)"
    )
    return [
        Account(int(number), name, int(balance), int(held), int(over), int(limit), "sign" in rest)
        for number, name, balance, held, over, limit, owner, rest in re.findall(pattern, text)
        if int(owner) == client
    ]


def _rows(account: int) -> Calls:
    """All rows of an account."""
    text = yield from using("list_cards", account=account)
    cards = [
        Card(int(n), account, int(holder), status, int(limit))
        for n, status, holder, limit in re.findall(r"(\d+): (\w+), holder (\d+), limit (\d+)", text)
    ]
    text = yield from using("list_payees", account=account)
    payees = [
        Payee(int(n), account, name, int(day))
        for n, name, day in re.findall(r"(\d+): (.+), added on day (\d+)", text)
    ]
    text = yield from using("list_orders", account=account)
    orders = [
        Order(int(n), account, name, int(amount), int(day))
        for n, amount, name, day in re.findall(r"(\d+): (\d+) to (.+), next on day (\d+)", text)
    ]
    pattern = r"(\d+): day (\d+), (\w+), (.+), amount (\d+), (?:card (\d+), )?(\w+)"
    transactions = [
        Transaction(int(n), account, int(card or 0), int(day), name, shop, int(amount), status)
        for line in (yield from pages("list_transactions", account=account))
        for n, day, name, shop, amount, card, status in re.findall(pattern, line)
    ]
    return Rows(
        {each.number: each for each in cards},
        {each.name: each for each in payees},
        {each.payee: each for each in orders},
        tuple(transactions),
    )


def serve(terms: Terms, today: int, habits: Habits = CAREFUL) -> Player:
    """The calls of a player in a call."""
    return Session(terms, today, habits).play()


def _request() -> Calls:
    words = meaning("request", (yield from _ask("request")))
    return next(each for each in REQUESTS if each == words)


def _groups(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that is in a result."""
    match = re.search(pattern, text)
    assert match is not None, text
    return match.groups()


def _ask(topic: str) -> Calls:
    return answer(TOPICS, QUESTIONS, topic)
