"""The support desk of a telephone company: its records, the phones, and tools for the former."""

from collections.abc import Callable, Mapping
from random import Random

from palaestra.generators.tools.conversation import ConversationWorld, Report, say
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import Row, Tables
from palaestra.generators.tools.telecom_support.company import Company, Trouble
from palaestra.generators.tools.telecom_support.policy import MODES, SYMPTOMS, TEAMS, Terms
from palaestra.task import InvalidAnswer

MOST = 1_000
"""The largest price and number of gigabytes of a call."""

STATUS = (
    "The status bar shows {}.", "At the top it has {}.", "Up there I see {}.",
    "On the bar at the top there is {}.", "The symbols at the top are {}.",
)  # fmt: skip
SETTINGS = (
    "The settings read: {}.", "On the settings screen: {}.", "Network settings, it says here: {}.",
    "The screen lists: {}.", "In the settings I read: {}.",
)  # fmt: skip
PERMISSIONS = (
    "The app may use {}.", "It is allowed to use {}.", "The list of permissions has {}.",
    "Ticked are {}.", "The app has the permissions for {}.",
)  # fmt: skip
SPEED = (
    "The test ends with {}.", "The speed test says {}.", "The result is {}.", "I get {}.",
    "The needle stops at {}.",
)  # fmt: skip
PICTURE = (
    "The picture {}.", "The picture message {}.", "My test picture {}.", "The photo {}.",
    "The message with the photo {}.",
)  # fmt: skip
CHANGED = (
    "It is {} now.", "Now it is {}.", "My phone has it {} now.", "It shows as {}.",
    "The phone says that it is {}.",
)  # fmt: skip
"""Ways in which customers report what they see."""


def tables(company: Company) -> Tables:
    """The records of a company and its phones as tables."""
    return {
        "line": {each.number: each._asdict() for each in company.lines},
        "phone": {
            line.number: {**phone._asdict(), "is_stale": False}
            for line, phone in zip(company.lines, company.phones)
        },
        "bill": {each.number: each._asdict() for each in company.bills},
        "plan": {n: each._asdict() for n, each in enumerate(company.plans)},
        "area": {n: each._asdict() for n, each in enumerate(company.areas)},
        "order": {},
        "escalation": {},
        "closed": {},
    }


class Desk(ConversationWorld):
    """The world of a telephone company and of the phones, which the customer alone can touch.

    ``user`` has to be set before use: the customer's deeds are methods of this world.
    """

    def __init__(
        self, company: Company, troubles: tuple[Trouble, ...], terms: Terms,
        seed: int = 0, busy: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(TOOLS, tables(company), seed, busy)
        self.troubles, self.terms = troubles, terms

    @property
    def trouble(self) -> Trouble:
        """What the customer talks about."""
        return self.troubles[self.user.number]

    def named(self, table: str, name: str) -> Row:
        """The row with a name. Raises :class:`InvalidAnswer` where there is none."""
        for _, row in self.rows(table):
            if row["name"].casefold() == name.strip().casefold():
                return row
        raise InvalidAnswer(f"there is no {table} {name[:40]!r}")

    def report(self, frames: tuple[str, ...], value: str) -> Report:
        """What the customer says to see."""
        frame = Random(f"{self.seed} {self.calls} {frames[0]}").choice(frames)
        return Report.of(frame, value)

    def perform(self, deed: str) -> str:
        """What the customer sees after a deed on the phone that the conversation is about."""
        if deed in LOOKS:
            return LOOKS[deed](self)
        if deed == "pay":
            return self._pay()
        line = self.trouble.line
        phone = self.row("phone", line)
        if deed == "restart":
            self.update("phone", line, is_stale=False)
            return self.report(STATUS, status(self))
        if deed == "reseat":
            self.update("phone", line, sim="in order" if phone["sim"] == "loose" else phone["sim"])
            return self.report(STATUS, status(self))
        if deed == "reset apn":
            if phone["apn"] != self.terms.apn:
                self.update("phone", line, apn=self.terms.apn, is_stale=True)
            return self.report(CHANGED, "reset")
        subject, _, value = deed.rpartition(" ")
        if subject == "mode":
            self.update("phone", line, mode=value)
        elif subject == "grant":
            self.update("phone", line, **{value: True})
            value = "allowed"
        else:
            self.update("phone", line, **{subject: value == "on"})
        return self.report(CHANGED, value)

    def _pay(self) -> str:
        """Pay the bills of the line whose payment was requested."""
        trouble = self.trouble
        bills = [
            number
            for number, row in self.rows("bill")
            if row["line"] == trouble.line and row["status"] == "requested"
        ]
        if not bills:
            return "But there is no request for a payment."
        if not trouble.willing:
            return "I looked at the request, but I am not going to pay."
        for number in bills:
            self.update("bill", number, status="paid")
        return self.report(CHANGED, "paid")


def status(world: Desk) -> str:
    """What the status bar of the phone shows."""
    line = world.row("line", world.trouble.line)
    phone = world.row("phone", line["number"])
    if phone["airplane"]:
        return "an airplane"
    if phone["sim"] in ("loose", "damaged"):
        return "no SIM"
    if phone["sim"] == "locked":
        return "a SIM that is locked"
    if line["suspended"] or phone["is_stale"] or _has_outage(world):
        return "no service"
    symbols = [f"{2 + line['number'] % 3} bars", phone["mode"]]
    symbols += ["VPN"] * phone["vpn"] + ["data saver"] * phone["saver"]
    return " and ".join(symbols)


def _has_outage(world: Desk) -> bool:
    return bool(world.named("area", world.trouble.area)["outage"])


def is_connected(world: Desk) -> bool:
    """Whether mobile data works."""
    line = world.row("line", world.trouble.line)
    phone = world.row("phone", line["number"])
    plan = world.named("plan", line["plan"])
    roams = phone["roaming"] and line["is_roaming"] and plan["roaming"]
    return (
        "bars" in status(world)
        and phone["data"]
        and phone["apn"] == world.terms.apn
        and line["used"] < plan["data"] + line["added"]
        and (roams or not world.named("area", world.trouble.area)["abroad"])
    )


def _see_settings(world: Desk) -> str:
    phone = world.row("phone", world.trouble.line)
    if "bars" not in status(world):
        return world.report(SETTINGS, "all greyed out")
    data, roaming = ("on" if phone[field] else "off" for field in ("data", "roaming"))
    return world.report(
        SETTINGS,
        f"mobile data {data}, roaming {roaming}, network mode {phone['mode']}, access point "
        f"{phone['apn']}",
    )


def _see_permissions(world: Desk) -> str:
    phone = world.row("phone", world.trouble.line)
    names = ["contacts"] + ["SMS"] * phone["sms"] + ["storage"] * phone["storage"]
    return world.report(PERMISSIONS, " and ".join(names))


def _speed(world: Desk) -> str:
    if not is_connected(world):
        return world.report(SPEED, "no connection")
    phone = world.row("phone", world.trouble.line)
    speed = (1, 4, 40, 200)[MODES.index(phone["mode"])]
    speed = max(1, speed // (4 if phone["vpn"] else 1) // (5 if phone["saver"] else 1))
    return world.report(SPEED, f"{speed} Mbit per second")


def _picture(world: Desk) -> str:
    phone = world.row("phone", world.trouble.line)
    works = is_connected(world) and phone["mode"] != "2G" and phone["sms"] and phone["storage"]
    return world.report(PICTURE, "was sent" if works else "cannot be sent")


LOOKS: Mapping[str, Callable[[Desk], str]] = {
    "look": lambda world: world.report(STATUS, status(world)),
    "settings": _see_settings,
    "permissions": _see_permissions,
    "speed": _speed,
    "picture": _picture,
}
"""Deeds that change nothing."""


def _find_line(world: Desk, arguments: Arguments) -> str:
    for number, row in world.rows("line"):
        if row["telephone"] == arguments["telephone"]:
            return f"Line {number}, telephone {row['telephone']}, of {row['customer']}."
    raise InvalidAnswer("there is no line with this telephone number")


def _line_details(world: Desk, arguments: Arguments) -> str:
    number = arguments["line"]
    row = world.row("line", number)
    state = f"suspended ({row['suspended']})" if row["suspended"] else "active"
    return (
        f"Line {number} of {row['customer']}: {state}. Plan: {row['plan']}. Roaming: "
        f"{'on' if row['is_roaming'] else 'off'}. Data used: {row['used']} GB. Data added to that "
        f"of the plan: {row['added']} GB."
    )


def _plan_details(world: Desk, arguments: Arguments) -> str:
    row = world.named("plan", arguments["plan"])
    return (
        f"{row['name']}: {row['data']} GB; each GB more costs {row['price']}, at most "
        f"{row['most']} GB at once; roaming: {'yes' if row['roaming'] else 'no'}; fastest network: "
        f"{row['fastest']}."
    )


def _list_bills(world: Desk, arguments: Arguments) -> str:
    world.row("line", arguments["line"])
    lines = [
        f"{number}: {row['amount']}, {row['status']}"
        for number, row in world.rows("bill")
        if row["line"] == arguments["line"]
    ]
    return "\n".join(lines) or "no bills"


def _check_area(world: Desk, arguments: Arguments) -> str:
    row = world.named("area", arguments["area"])
    where = "abroad, in the network of a partner" if row["abroad"] else "at home"
    return f"{row['name']}: {where}; {'outage' if row['outage'] else 'no outage'}."


def _request_payment(world: Desk, arguments: Arguments) -> str:
    number = arguments["bill"]
    if world.row("bill", number)["status"] == "paid":
        raise InvalidAnswer("the bill is paid")
    world.update("bill", number, status="requested")
    return f"The customer is requested to pay bill {number}."


def _resume_line(world: Desk, arguments: Arguments) -> str:
    number = arguments["line"]
    if not world.row("line", number)["suspended"]:
        raise InvalidAnswer("the line is not suspended")
    world.update("line", number, suspended="")
    world.update("phone", number, is_stale=True)
    return f"Line {number} is active. The phone has to be restarted."


def _suspend_line(world: Desk, arguments: Arguments) -> str:
    number = arguments["line"]
    if world.row("line", number)["suspended"]:
        raise InvalidAnswer("the line is suspended")
    world.update("line", number, suspended="support")
    return f"Line {number} is suspended."


def _set_roaming(world: Desk, arguments: Arguments) -> str:
    number, on = arguments.values()
    world.update("line", number, is_roaming=on)
    return f"Roaming of line {number} is {'on' if on else 'off'}."


def _add_data(world: Desk, arguments: Arguments) -> str:
    number, gigabytes, price = arguments.values()
    row = world.row("line", number)
    if not (1 <= gigabytes <= MOST and 0 <= price <= MOST):
        raise InvalidAnswer(f"the data is 1 to {MOST} GB, and the price 0 to {MOST}")
    world.update("line", number, added=row["added"] + gigabytes)
    world.add("order", line=number, gigabytes=gigabytes, price=price)
    return f"Line {number} has {gigabytes} GB more, for {price}."


def _change_plan(world: Desk, arguments: Arguments) -> str:
    number, name = arguments.values()
    plan = world.named("plan", name)["name"]
    world.update("line", number, plan=plan)
    return f"Line {number} has the plan {plan}."


def _replace_sim(world: Desk, arguments: Arguments) -> str:
    number = arguments["line"]
    world.row("line", number)
    world.add("order", line=number, sim=True)
    return f"A SIM for line {number} is on its way."


def _escalate(world: Desk, arguments: Arguments) -> str:
    number, team, reason = arguments.values()
    world.row("line", number)
    for escalation, row in world.rows("escalation"):
        if row["line"] == number:
            world.remove("escalation", escalation)
    world.add("escalation", line=number, team=team, reason=reason)
    return f"Line {number} is handed over to the team {team}: {reason}."


def _close_case(world: Desk, arguments: Arguments) -> str:
    number, complaint = arguments.values()
    world.row("line", number)
    for closed, row in world.rows("closed"):
        if row["line"] == number:
            world.remove("closed", closed)
    world.add("closed", line=number, complaint=complaint)
    return f"The case of line {number} ({complaint}) is closed."


LINE = {"line": int}

TOOLS = (
    say(),
    Tool(
        "find_line",
        "Find the line of a telephone number, and whose it is.",
        {"telephone": int},
        _find_line,
    ),
    Tool("line_details", "Give all details of a line.", LINE, _line_details),
    Tool("plan_details", "Give all details of a plan.", {"plan": str}, _plan_details),
    Tool("list_bills", "List the bills of a line.", LINE, _list_bills),
    Tool(
        "check_area",
        "Say whether an area or a country is abroad, and whether there is an outage.",
        {"area": str},
        _check_area,
    ),
    Tool(
        "request_payment",
        "Request the payment of a bill, which the customer may then pay.",
        {"bill": int},
        _request_payment,
    ),
    Tool("resume_line", "Make a suspended line active.", LINE, _resume_line),
    Tool("suspend_line", "Suspend a line.", LINE, _suspend_line),
    Tool("set_roaming", "Turn roaming of a line on or off.", LINE | {"on": bool}, _set_roaming),
    Tool(
        "add_data",
        "Add gigabytes to a line for a price.",
        LINE | {"gigabytes": int, "price": int},
        _add_data,
    ),
    Tool("change_plan", "Give a line another plan.", LINE | {"plan": str}, _change_plan),
    Tool("replace_sim", "Send a new SIM for a line.", LINE, _replace_sim),
    Tool(
        "close_case",
        "Close the case of a line. A second one of the same line replaces the first.",
        LINE | {"complaint": SYMPTOMS},
        _close_case,
    ),
    Tool(
        "escalate",
        "Hand a line over to another team. A second escalation of a line replaces the first.",
        LINE | {"team": tuple(dict.fromkeys(TEAMS.values())), "reason": tuple(TEAMS)},
        _escalate,
    ),
)
