"""How a telephone company wants faults to be handled, in words and as steps."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from palaestra.generators.tools.service_desk import Step, step

Symptom = Literal["service", "data", "pictures"]
SYMPTOMS: tuple[Symptom, ...] = ("service", "data", "pictures")
MODES = ("2G", "3G", "4G", "5G")
TEAMS = {
    "outage": "network",
    "stolen": "security",
    "contract_ended": "sales",
    "large_debt": "billing",
    "unwilling": "billing",
    "sim_locked": "technical",
    "sim_damaged": "technical",
    "no_roaming": "sales",
    "used_up": "sales",
}
"""The team that each reason to escalate goes to."""


class Terms(NamedTuple):
    """The numbers and names of a policy."""

    apn: str
    """The right access point."""
    debt: int
    """The largest sum of overdue bills that is not escalated."""
    bulk: int
    """So many gigabytes and more are sold at a discount."""
    discount: int
    """The discount as a percentage."""
    slow: str
    """The fastest network mode that counts as slow."""

    def text(self, symptoms: int) -> str:
        """The order of diagnosis for the first symptoms of the list."""
        steps = [*ACCOUNT, *SERVICE]
        if symptoms > 1:
            steps += [*DATA, *SPEED]
        if symptoms > 2:
            steps += PICTURES
        lines = (f"{number}. {line}" for number, line in enumerate(steps, 1))
        modes = " or ".join(MODES[: MODES.index(self.slow) + 1])
        return "\n".join(lines).format(**self._asdict(), modes=modes)


ACCOUNT = (
    "Outage: if there is an outage in the area where the customer is, escalate (network, outage).",
    (
        "Suspension, only if the line is suspended: if as stolen, escalate (security, stolen); if "
        "because its contract has ended, escalate (sales, contract_ended). If because of overdue "
        "bills, and the overdue bills of the line add up to more than {debt}, escalate (billing, "
        "large_debt). If they add up to no more, ask whether the customer is willing to pay; if "
        "not, escalate (billing, unwilling). If so, request the payment of each overdue bill of "
        "the line, ask the customer to pay the bills, resume the line, and have the phone "
        "restarted. Bills that are open but not overdue are none of your business, and overdue "
        "bills of a line that is not suspended are left alone."
    ),
)
SERVICE = (
    "Airplane mode: if the status bar shows an airplane, have airplane mode turned off.",
    (
        "SIM: if the status bar shows that there is no SIM, have the SIM taken out and put back. "
        "If it is still not there, escalate (technical, sim_damaged). If the SIM is locked, "
        "escalate (technical, sim_locked). For calls, that is all: other settings stay as they "
        "are."
    ),
)
DATA = (
    "Mobile data: if it is off, have it turned on.",
    (
        "Roaming, only if the customer is abroad; at home leave it alone. If the plan has no "
        "roaming, escalate (sales, no_roaming). Otherwise turn it on for the line if it is off "
        "there, and have it turned on in the phone if it is off there. Both are needed."
    ),
    (
        "Used up: if the line has used all of its data, that of the plan and what was added, ask "
        "how many gigabytes the customer wants to add, and ask to confirm, for some change their "
        "minds then. If the customer wants none, escalate (sales, used_up). Otherwise add them, "
        "but no more than the plan allows at once, at the plan's price for each gigabyte, and "
        "{discount} % less, rounded down, if {bulk} or more are added. Enter the price of all of "
        "them together."
    ),
    (
        "Access point: the right one is {apn}. If there is another one, have the access point "
        "reset, and the phone restarted."
    ),
)
SPEED = (
    (
        "Speed, only if the customer complains about mobile internet: if the network mode is "
        "{modes}, have it set to the fastest that the plan includes; have data saver "
        "turned off, and the VPN, if they are on."
    ),
)
PICTURES = (
    (
        "Picture messages, only if the customer complains about them: if the network mode is 2G, "
        "have it set to the fastest that the plan includes. The app for messages needs the "
        "permissions for SMS and for storage; have missing ones granted. Data saver and VPN stay "
        "as they are."
    ),
)
"""The steps of the diagnosis, with slots."""


class Plan(NamedTuple):
    """A plan: gigabytes, the price of one more, and how many may be added at once."""

    name: str
    data: int
    price: int
    most: int
    roaming: bool
    fastest: str


class Account(NamedTuple):
    """What is known of a line without the phone. ``overdue`` are bills with amounts."""

    line: int
    outage: bool
    abroad: bool
    suspended: str
    """Why it is suspended; empty if it is not."""
    overdue: tuple[tuple[int, int], ...]
    is_roaming: bool
    left: int
    """Gigabytes that are left."""
    plan: Plan


class Settings(NamedTuple):
    """What the screen with the network settings of a phone shows."""

    data: bool
    roaming: bool
    mode: str
    apn: str


class Stage(NamedTuple):
    """The steps of a stage of the diagnosis, and whether it ends there."""

    steps: tuple[Step, ...]
    ends: bool = False


def do(deed: str) -> Step:
    """A step that the customer takes when a message asks for it."""
    return step("do", deed=deed)


def escalation(line: int, reason: str) -> Stage:
    """The stage that hands a line over to a team."""
    return Stage((step("escalate", line=line, team=TEAMS[reason], reason=reason),), ends=True)


def account_stage(terms: Terms, account: Account, willing: bool) -> Stage:
    """The steps about the account. ``willing`` matters only if bills are to be paid."""
    if account.outage:
        return escalation(account.line, "outage")
    if account.suspended in ("stolen", "contract_ended"):
        return escalation(account.line, account.suspended)
    if not account.suspended:
        return Stage(())
    if has_large_debt(terms, account):
        return escalation(account.line, "large_debt")
    if not willing:
        return escalation(account.line, "unwilling")
    requests = (step("request_payment", bill=number) for number, _ in account.overdue)
    resumed = step("resume_line", line=account.line)
    return Stage((*requests, do("pay"), resumed, do("restart")))


def has_large_debt(terms: Terms, account: Account) -> bool:
    """Whether the overdue bills are escalated."""
    return sum(amount for _, amount in account.overdue) > terms.debt


def service_stage(line: int, airplane: bool, sim: str) -> Stage:
    """The steps that give a phone its signal back."""
    steps = (do("airplane off"),) if airplane else ()
    if sim in ("damaged", "locked"):
        end = escalation(line, f"sim_{sim}")
        return Stage((*steps, *end.steps), ends=True)
    return Stage((*steps, do("reseat")) if sim == "loose" else steps)


def data_stage(terms: Terms, account: Account, settings: Settings, gigabytes: int) -> Stage:
    """The steps that give a phone its data back. ``gigabytes`` matter only if none are left."""
    steps = [] if settings.data else [do("data on")]
    if account.abroad:
        if not account.plan.roaming:
            end = escalation(account.line, "no_roaming")
            return Stage((*steps, *end.steps), ends=True)
        if not account.is_roaming:
            steps.append(step("set_roaming", line=account.line, on=True))
        if not settings.roaming:
            steps.append(do("roaming on"))
    if account.left <= 0:
        if not gigabytes:
            end = escalation(account.line, "used_up")
            return Stage((*steps, *end.steps), ends=True)
        steps.append(added_data(terms, account, gigabytes))
    if settings.apn != terms.apn:
        steps += [do("reset apn"), do("restart")]
    return Stage(tuple(steps))


def added_data(terms: Terms, account: Account, gigabytes: int) -> Step:
    """The step that adds data to a line."""
    number = min(gigabytes, account.plan.most)
    price = number * account.plan.price
    if number >= terms.bulk:
        price = price * (100 - terms.discount) // 100
    return step("add_data", line=account.line, gigabytes=number, price=price)


def speed_stage(terms: Terms, plan: Plan, mode: str, saver: bool, vpn: bool) -> Stage:
    """The steps that make the internet of a phone fast."""
    steps = [do(f"mode {plan.fastest}")] if MODES.index(mode) <= MODES.index(terms.slow) else []
    steps += [do("saver off")] * saver + [do("vpn off")] * vpn
    return Stage(tuple(steps))


def picture_stage(plan: Plan, mode: str, sms: bool, storage: bool) -> Stage:
    """The steps that let a phone send pictures."""
    steps = [do(f"mode {plan.fastest}")] if mode == "2G" else []
    steps += [do("grant sms")] * (not sms) + [do("grant storage")] * (not storage)
    return Stage(tuple(steps))


def closing(line: int, symptom: Symptom) -> Stage:
    """The stage that closes the case of a line that works again."""
    return Stage((step("close_case", line=line, complaint=symptom),))


def until_end(stages: Iterator[Stage]) -> Iterator[Step]:
    """The steps of stages, up to the one that ends the diagnosis."""
    for stage in stages:
        yield from stage.steps
        if stage.ends:
            return
