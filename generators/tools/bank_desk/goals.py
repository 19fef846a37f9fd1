"""The state that the policy asks for, worked out from the records without the conversation."""

from collections.abc import Iterator
from typing import NamedTuple

from palaestra.generators.tools.bank_desk.bank import Visit, Wish
from palaestra.generators.tools.bank_desk.desk import Desk
from palaestra.generators.tools.bank_desk.policy import (
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
    refusal,
)
from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.service_desk import Decision, Step, carry_out, step


class Handled(NamedTuple):
    """The decision on each wish, and what differs in the end."""

    decisions: tuple[tuple[Wish, Decision], ...]
    changes: Changes


def handled(desk: Desk, visit: Visit, terms: Terms) -> Handled:
    """Handle all wishes in turn, which changes ``desk``."""
    failed: set[int] = set()
    decisions = []
    for wish in visit.wishes:
        verdict = _decided(desk, visit, terms, wish, failed)
        carry_out(desk, verdict.steps)
        decisions.append((wish, verdict))
    return Handled(tuple(decisions), desk.changes())


def _decided(desk: Desk, visit: Visit, terms: Terms, wish: Wish, failed: set[int]) -> Decision:
    """The decision on a wish, with the checks before it."""
    client, request = wish.client, wish.request
    row = desk.row("client", client)
    has_authority = visit.caller in row["representatives"]
    against = authority_reason(request, wish.relation != "none", has_authority)
    if against is None and client in failed:
        against = "not_verified"
    if against:
        return Decision(against, (refusal(client, request, against),))
    checks = tuple(_checks(desk, terms, wish))
    if wish.wrong and wish.wrong in _needed(terms, wish):
        failed.add(client)
        against = "not_verified"
        return Decision(against, (*checks, refusal(client, request, against)))
    verdict = decision(terms, case_of(desk, visit, wish))
    return verdict._replace(steps=(*checks, *verdict.steps))


def _needed(terms: Terms, wish: Wish) -> tuple[str, ...]:
    amount = int(dict(wish.details).get("amount", 0))
    return terms.facts[: terms.needs(wish.request, amount)]


def _checks(desk: Desk, terms: Terms, wish: Wish) -> Iterator[Step]:
    """The checks that succeed, up to the fact that the caller does not know."""
    row = desk.row("client", wish.client)
    for fact in _needed(terms, wish):
        if fact == wish.wrong:
            return
        yield step("check_fact", client=wish.client, fact=fact, value=str(row[fact]))


def case_of(desk: Desk, visit: Visit, wish: Wish) -> Case:
    """The case of a wish by the current records."""
    row = desk.row("client", wish.client)
    details = dict(wish.details)
    client = Client(wish.client, row["is_premium"], row["changed"])
    accounts = [
        each
        for _, each in desk.rows("account")
        if wish.client == each["owners"][0] and each["type"] == details.get("account", "current")
    ]
    number = accounts[0]["number"]
    case = Case(
        request=wish.request,
        today=visit.today,
        client=client,
        details=wish.details,
        account=Account(*(accounts[0][field] for field in Account._fields)),
        others=tuple(
            Transaction(*(each[field] for field in Transaction._fields))
            for _, each in desk.rows("transaction")
            if each["account"] == number
        ),
    )
    return _with_rows(desk, wish.request, case, number)


def _with_rows(desk: Desk, request: Request, case: Case, account: int) -> Case:
    """The case with the card, payee, order or transaction that the request is about."""
    details = dict(case.details)
    if request in ("block", "limit"):
        return case._replace(card=_card(desk.row("card", int(details["card"]))))
    if request == "transfer":
        row = next(_named(desk, "payee", account, details["payee"]))
        return case._replace(payee=Payee(*(row[field] for field in Payee._fields)))
    if request == "standing":
        row = next(_named(desk, "order", account, details["payee"]))
        return case._replace(order=Order(*(row[field] for field in Order._fields)))
    wanted = (
        ("fee", int(details["day"]))
        if request == "fee"
        else ("payment", int(details["day"]), details["merchant"])
    )
    (transaction,) = (
        t for t in case.others if (t.type, t.day, t.merchant)[: len(wanted)] == wanted
    )
    card = _card(desk.row("card", transaction.card)) if transaction.card else None
    return case._replace(transaction=transaction, card=card)


def _named(desk: Desk, table: str, account: int, name: str) -> Iterator[Row]:
    field = "name" if table == "payee" else "payee"
    for _, row in desk.rows(table):
        if (row["account"], row[field]) == (account, name):
            yield row


def _card(row: Row) -> Card:
    return Card(*(row[field] for field in Card._fields))
