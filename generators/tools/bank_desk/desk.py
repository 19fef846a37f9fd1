"""The desk of a bank: its records, the caller, and tools that do not know the policy."""

from typing import Any

from palaestra.generators.tools.bank_desk.bank import Bank
from palaestra.generators.tools.bank_desk.policy import CAUSES, FACTS, REASONS, REQUESTS
from palaestra.generators.tools.conversation import ConversationWorld, User, say
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import Tables, page_of
from palaestra.task import InvalidAnswer

MOST = 1_000_000
"""The largest amount of a call."""

ATTEMPTS = 3
"""So many wrong facts lock a client."""

FACT_NAMES = {
    "born": "year of birth",
    "postcode": "postcode",
    "word": "memorable word",
    "phone": "end of the phone number",
}
"""The names of facts in sentences."""


def tables(bank: Bank) -> Tables:
    """The records of a bank as tables."""
    return {
        "client": {each.number: {**each._asdict(), "is_locked": False} for each in bank.people},
        "account": {
            each.account.number: {**each.account._asdict(), "owners": each.owners}
            for each in bank.holdings
        },
        "card": {each.number: each._asdict() for each in bank.cards},
        "payee": {each.number: each._asdict() for each in bank.payees},
        "order": {each.number: each._asdict() for each in bank.orders},
        "transaction": {each.number: each._asdict() for each in bank.transactions},
        "attempt": {},
        "check": {},
        "transfer": {},
        "new_card": {},
        "dispute": {},
        "escalation": {},
        "refusal": {},
    }


class Desk(ConversationWorld):
    """The world of a bank, with a caller."""

    def __init__(self, bank: Bank, user: User, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, tables(bank), seed, busy, free=("attempt",))
        self.user = user


def _find_clients(world: Desk, arguments: Arguments) -> str:
    name = arguments["name"].strip().casefold()
    lines = [
        f"{number}: {row['name']}, branch {row['branch']}, "
        f"{'premium' if row['is_premium'] else 'regular'}, contact details changed on day "
        f"{row['changed']}, representatives: {', '.join(row['representatives']) or 'none'}"
        for number, row in world.rows("client")
        if row["name"].casefold() == name
    ]
    if not lines:
        raise InvalidAnswer(f"there is no client {name[:40]!r}")
    return "\n".join(lines)


def _check_fact(world: Desk, arguments: Arguments) -> str:
    number, fact, value = arguments.values()
    row = world.row("client", number)
    if row["is_locked"]:
        raise InvalidAnswer("the client is locked")
    if str(row[fact]) == "".join(value.split()).casefold():
        rows = ((each["client"], each["fact"]) for _, each in world.rows("check"))
        if (number, fact) not in rows:
            world.add("check", client=number, fact=fact)
        return f"The {FACT_NAMES[fact]} matches."
    world.add("attempt", client=number)
    wrong = sum(each["client"] == number for _, each in world.rows("attempt"))
    if wrong >= ATTEMPTS:
        world.update("client", number, is_locked=True)
        return f"The {FACT_NAMES[fact]} does not match. Client {number} is locked."
    return f"The {FACT_NAMES[fact]} does not match."


def _list_accounts(world: Desk, arguments: Arguments) -> str:
    world.row("client", arguments["client"])
    return "\n".join(
        f"{number}: {row['type']}, balance {row['balance']}, held {row['held']}, overdraft "
        f"{row['overdraft']}, transfer limit {row['limit']}, owners "
        f"{' and '.join(map(str, row['owners']))}{', both sign' if row['both_sign'] else ''}"
        for number, row in world.rows("account")
        if arguments["client"] in row["owners"]
    )


def _listed(world: Desk, table: str, account: int, line: str) -> list[str]:
    """The rows of a table that belong to an account, in words."""
    world.row("account", account)
    rows = (row for _, row in world.rows(table) if row["account"] == account)
    return [line.format(**row) for row in rows]


def _list_cards(world: Desk, arguments: Arguments) -> str:
    line = "{number}: {status}, holder {holder}, limit {limit}"
    return "\n".join(_listed(world, "card", arguments["account"], line)) or "no cards"


def _list_payees(world: Desk, arguments: Arguments) -> str:
    line = "{number}: {name}, added on day {since}"
    return "\n".join(_listed(world, "payee", arguments["account"], line)) or "no payees"


def _list_orders(world: Desk, arguments: Arguments) -> str:
    line = "{number}: {amount} to {payee}, next on day {next}"
    return "\n".join(_listed(world, "order", arguments["account"], line)) or "no standing orders"


def _list_transactions(world: Desk, arguments: Arguments) -> str:
    line = "{number}: day {day}, {type}, {merchant}, amount {amount}, card {card}, {status}"
    rows = _listed(world, "transaction", arguments["account"], line)
    lines = [each.replace(", card 0,", ",") for each in rows]
    return page_of(lines, arguments["page"], "no transactions")


def _amount(value: int, least: int = 1) -> int:
    """An amount of a call. Raises :class:`InvalidAnswer` where it is out of its bounds."""
    if not least <= value <= MOST:
        raise InvalidAnswer(f"amounts are from {least} to {MOST}")
    return value


def _transfer(world: Desk, arguments: Arguments) -> str:
    number, payee, amount, fee = arguments.values()
    row = world.row("account", number)
    if world.row("payee", payee)["account"] != number:
        raise InvalidAnswer("the payee is not on the list of the account")
    total = _amount(amount) + _amount(fee, 0)
    if total > row["balance"] + row["overdraft"]:
        raise InvalidAnswer("the amount and the fee exceed the balance plus the overdraft")
    world.update("account", number, balance=row["balance"] - total)
    world.add("transfer", account=number, payee=payee, amount=amount, fee=fee)
    return f"{amount} is transferred from account {number}, for a fee of {fee}."


def _block_card(world: Desk, arguments: Arguments) -> str:
    number, cause = arguments.values()
    if world.row("card", number)["status"] == "blocked":
        raise InvalidAnswer("the card is blocked already")
    world.update("card", number, status="blocked", cause=cause)
    return f"Card {number} is blocked."


def _issue_card(world: Desk, arguments: Arguments) -> str:
    number, fee = arguments.values()
    world.row("card", number)
    world.add("new_card", card=number, fee=_amount(fee, 0))
    return f"A new card is issued in place of {number}, for a fee of {fee}."


def _set_card_limit(world: Desk, arguments: Arguments) -> str:
    number, limit = arguments.values()
    world.update("card", number, limit=_amount(limit))
    return f"The limit of card {number} is {limit}."


def _set_order(world: Desk, arguments: Arguments) -> str:
    number, amount = arguments.values()
    world.update("order", number, amount=_amount(amount))
    return f"Standing order {number} has the amount {amount}."


def _stop_order(world: Desk, arguments: Arguments) -> str:
    world.remove("order", arguments["order"])
    return f"Standing order {arguments['order']} is stopped."


def _open_dispute(world: Desk, arguments: Arguments) -> str:
    number, amount = arguments.values()
    row = world.row("transaction", number)
    if row["type"] != "payment" or row["status"] == "disputed":
        raise InvalidAnswer("only a payment that is not disputed yet can be disputed")
    world.add("dispute", transaction=number, amount=_amount(amount))
    world.update("transaction", number, status="disputed")
    return f"{amount} of transaction {number} is disputed."


def _waive_fee(world: Desk, arguments: Arguments) -> str:
    number, amount = arguments.values()
    row = world.row("transaction", number)
    if row["type"] != "fee":
        raise InvalidAnswer("the transaction is not a fee")
    account = world.row("account", row["account"])
    balance = account["balance"] + _amount(amount)
    world.update("account", row["account"], balance=balance)
    world.update("transaction", number, type="waived", amount=row["amount"] - amount)
    return f"{amount} of fee {number} is given back."


def _release_hold(world: Desk, arguments: Arguments) -> str:
    world.update("account", arguments["account"], held=0)
    return f"Nothing is held on account {arguments['account']}."


def _set_account(world: Desk, arguments: Arguments) -> str:
    number, amount = arguments.values()
    world.update("account", number, limit=_amount(amount))
    return f"The transfer limit of account {number} is {amount}."


def _escalate(world: Desk, arguments: Arguments) -> str:
    number, team = arguments.values()
    world.row("account", number)
    if any(row == arguments for _, row in world.rows("escalation")):
        raise InvalidAnswer("the account has been handed over to this team already")
    world.add("escalation", account=number, team=team)
    return f"Account {number} is handed over to the {team} team."


def _refuse(world: Desk, arguments: Arguments) -> str:
    client, request, reason = arguments.values()
    world.row("client", client)
    for number, row in world.rows("refusal"):
        if (row["client"], row["request"]) == (client, request):
            world.remove("refusal", number)
    world.add("refusal", client=client, request=request, reason=reason)
    return f"The request ({request}) for client {client} is refused: {reason}."


CLIENT, ACCOUNT, CARD = ({name: int} for name in ("client", "account", "card"))


def _tool(name: str, description: str, parameters: Any, run: Any, **optional: Any) -> Tool:
    return Tool(name, description, parameters, run, optional)


TOOLS = (
    say("caller"),
    _tool(
        "find_clients",
        "List the clients with a name, with number, branch, status and representatives.",
        {"name": str},
        _find_clients,
    ),
    _tool(
        "check_fact",
        "Check what a caller says about a client: the year of birth, the postcode, the memorable "
        "word or the last four digits of the phone. The third wrong value locks the client.",
        CLIENT | {"fact": FACTS, "value": str},
        _check_fact,
    ),
    _tool("list_accounts", "List all accounts of a client.", CLIENT, _list_accounts),
    _tool("list_cards", "List all cards of an account.", ACCOUNT, _list_cards),
    _tool("list_payees", "List all payees of an account.", ACCOUNT, _list_payees),
    _tool("list_orders", "List all standing orders of an account.", ACCOUNT, _list_orders),
    _tool(
        "list_transactions",
        "List the transactions of an account in no special order, ten a page. Fees have no card.",
        ACCOUNT | {"page": int},
        _list_transactions,
        page=1,
    ),
    _tool(
        "transfer",
        "Transfer an amount to a payee, for a fee.",
        ACCOUNT | {"payee": int, "amount": int, "fee": int},
        _transfer,
    ),
    _tool("block_card", "Block a card for good.", CARD | {"cause": CAUSES[:2]}, _block_card),
    _tool(
        "issue_card",
        "Issue a new card in place of one, for a fee.",
        CARD | {"fee": int},
        _issue_card,
    ),
    _tool(
        "set_card_limit",
        "Set the spending limit of a card.",
        CARD | {"limit": int},
        _set_card_limit,
    ),
    _tool(
        "set_order",
        "Set the amount of a standing order.",
        {"order": int, "amount": int},
        _set_order,
    ),
    _tool("stop_order", "Stop a standing order.", {"order": int}, _stop_order),
    _tool(
        "open_dispute",
        "Dispute an amount of a card payment.",
        {"transaction": int, "amount": int},
        _open_dispute,
    ),
    _tool(
        "waive_fee",
        "Give an amount of a fee back.",
        {"transaction": int, "amount": int},
        _waive_fee,
    ),
    _tool("release_hold", "Release all that is held on an account.", ACCOUNT, _release_hold),
    _tool(
        "set_transfer_limit",
        "Set the transfer limit of an account.",
        ACCOUNT | {"limit": int},
        _set_account,
    ),
    _tool(
        "escalate",
        "Hand an account over to another team.",
        ACCOUNT | {"team": ("fraud", "legal", "credit")},
        _escalate,
    ),
    _tool(
        "refuse",
        "Refuse a request for a client. A second refusal of the same replaces the first.",
        CLIENT | {"request": REQUESTS, "reason": REASONS},
        _refuse,
    ),
)
