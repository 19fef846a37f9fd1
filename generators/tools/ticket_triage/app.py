"""The tools of a help desk, which do not know the policy."""

from collections.abc import Callable
from typing import Any

from palaestra.generators.tools.apps import listing, shown
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.named_records import matching
from palaestra.generators.tools.records import RecordWorld, Row
from palaestra.generators.tools.ticket_triage.policy import CODES, LOWEST, TEAMS
from palaestra.task import InvalidAnswer


def _find_customers(world: RecordWorld, arguments: Arguments) -> str:
    name, organisation, page = arguments.values()
    return listing(world, matching(world, "customer", name=name, organisation=organisation), page)


def _list_tickets(world: RecordWorld, arguments: Arguments) -> str:
    organisation, status, new, page = arguments.values()
    rows = [
        (number, {name: row[name] for name in ("organisation", "subject", "opened", "status")})
        for number, row in matching(world, "ticket", organisation=organisation)
        if status in ("any", row["status"])
        and not (new and (row["team"] or row["status"] != "open"))
    ]
    return listing(world, rows, page)


def _read_ticket(world: RecordWorld, arguments: Arguments) -> str:
    ticket = arguments["ticket"]
    messages = sorted(
        (row["time"], number) for number, row in world.rows("message") if row["ticket"] == ticket
    )
    lines = [shown(number, world.row("message", number)) for _, number in messages]
    return "\n".join([shown(ticket, world.row("ticket", ticket)), *lines])


def _list_incidents(world: RecordWorld, arguments: Arguments) -> str:
    product, page = arguments.values()
    return listing(world, matching(world, "incident", product=product), page)


def _search_articles(world: RecordWorld, arguments: Arguments) -> str:
    product, problem, page = arguments.values()
    return listing(world, matching(world, "article", product=product, problem=problem), page)


def _open_ticket(world: RecordWorld, number: int) -> Row:
    """An open ticket. Raises :class:`InvalidAnswer` for another one."""
    row = world.row("ticket", number)
    if row["status"] != "open":
        raise InvalidAnswer(f"ticket {number} is {row['status']}")
    return row


def _set(world: RecordWorld, ticket: int, **values: Any) -> str:
    _open_ticket(world, ticket)
    world.update("ticket", ticket, **values)
    return f"Ticket {ticket} is changed."


def _setter(field: str) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that sets the field of a ticket to its second argument."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        ticket, value = arguments.values()
        return _set(world, ticket, **{field: value})

    return run


def _set_priority(world: RecordWorld, arguments: Arguments) -> str:
    if not 1 <= arguments["priority"] <= LOWEST:
        raise InvalidAnswer(f"a priority is from 1 to {LOWEST}")
    return _set(world, **arguments)


def _link_incident(world: RecordWorld, arguments: Arguments) -> str:
    if arguments["incident"]:
        world.row("incident", arguments["incident"])
    return _set(world, **arguments)


def _send_article(world: RecordWorld, arguments: Arguments) -> str:
    world.row("article", arguments["article"])
    return _set(world, **arguments)


def _merge_ticket(world: RecordWorld, arguments: Arguments) -> str:
    ticket, into = arguments.values()
    if ticket == into:
        raise InvalidAnswer("a ticket is not merged with itself")
    _open_ticket(world, into)
    return _set(world, ticket, status="merged", merged_into=into)


_PAGE = {"page": 1}

TOOLS = (
    Tool(
        "find_customers", "List customers with a text in the name and in the organisation, ten a "
        "page.", {"name": str, "organisation": str, "page": int}, _find_customers,
        {"name": "", "organisation": "", **_PAGE},
    ),
    Tool(
        "list_tickets",
        "List tickets, ten a page: with a text in the organisation, with a status, only new ones.",
        {"organisation": str, "status": ("any", "open", "closed", "merged"), "new": bool,
         "page": int},
        _list_tickets, {"organisation": "", "status": "any", "new": False, **_PAGE},
    ),
    Tool("read_ticket", "Give a ticket with its messages.", {"ticket": int}, _read_ticket),
    Tool(
        "list_incidents", "List the incidents of a product, ten a page.",
        {"product": str, "page": int}, _list_incidents, _PAGE,
    ),
    Tool(
        "search_articles",
        "List articles with a text in the product and in the problem, ten a page.",
        {"product": str, "problem": str, "page": int}, _search_articles,
        {"product": "", "problem": "", **_PAGE},
    ),
    Tool(
        "set_category", "Set the category of a ticket.", {"ticket": int, "category": CODES},
        _setter("category"),
    ),
    Tool(
        "set_priority", f"Set the priority of a ticket, from 1 to {LOWEST}.",
        {"ticket": int, "priority": int}, _set_priority,
    ),
    Tool("set_team", "Give a ticket to a team.", {"ticket": int, "team": TEAMS}, _setter("team")),
    Tool(
        "link_incident", "Link a ticket to an incident; 0 takes the link away.",
        {"ticket": int, "incident": int}, _link_incident,
    ),
    Tool(
        "send_article", "Answer a ticket with an article; another one replaces it.",
        {"ticket": int, "article": int}, _send_article,
    ),
    Tool(
        "escalate", "Mark a ticket as escalated, or not.", {"ticket": int, "escalated": bool},
        _setter("escalated"), {"escalated": True},
    ),
    Tool(
        "merge_ticket", "Merge a ticket into another one, which stays open.",
        {"ticket": int, "into": int}, _merge_ticket,
    ),
    Tool(
        "close_ticket", "Close a ticket.", {"ticket": int},
        lambda world, arguments: _set(world, arguments["ticket"], status="closed"),
    ),
)  # fmt: skip
