"""The state that the policy asks for, worked out from records and phones without talking."""

from collections.abc import Iterator

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.service_desk import Step, carry_out
from palaestra.generators.tools.telecom_support.company import Trouble
from palaestra.generators.tools.telecom_support.desk import Desk
from palaestra.generators.tools.telecom_support.policy import (
    Account,
    Plan,
    Settings,
    Stage,
    Terms,
    account_stage,
    closing,
    data_stage,
    picture_stage,
    service_stage,
    speed_stage,
    until_end,
)


def handled(desk: Desk, terms: Terms) -> tuple[tuple[tuple[Step, ...], ...], Changes]:
    """The steps for each trouble in turn, and what differs then; they are taken in ``desk``."""
    every = []
    for number, trouble in enumerate(desk.troubles):
        desk.user.number = number
        steps = tuple(until_end(stages(desk, trouble, terms)))
        for step in steps:
            if step.tool == "do":
                desk.perform(step.arguments["deed"])
            else:
                carry_out(desk, [step])
        every.append(steps)
    return tuple(every), desk.changes()


def stages(desk: Desk, trouble: Trouble, terms: Terms) -> Iterator[Stage]:
    """The stages of the diagnosis of a trouble."""
    account = account_of(desk, trouble)
    phone = desk.row("phone", trouble.line)
    yield account_stage(terms, account, trouble.willing)
    yield service_stage(trouble.line, phone["airplane"], phone["sim"])
    if trouble.symptom != "service":
        yield from _data_stages(account, trouble, terms, phone)
    yield closing(trouble.line, trouble.symptom)


def _data_stages(account: Account, trouble: Trouble, terms: Terms, phone: Row) -> Iterator[Stage]:
    settings = Settings(phone["data"], phone["roaming"], phone["mode"], phone["apn"])
    yield data_stage(terms, account, settings, trouble.gigabytes)
    if trouble.symptom == "data":
        yield speed_stage(terms, account.plan, phone["mode"], phone["saver"], phone["vpn"])
    else:
        yield picture_stage(account.plan, phone["mode"], phone["sms"], phone["storage"])


def account_of(desk: Desk, trouble: Trouble) -> Account:
    """What the records have about a trouble."""
    line, area = desk.row("line", trouble.line), desk.named("area", trouble.area)
    plan = Plan(**desk.named("plan", line["plan"]))
    bills = [
        (number, row["amount"])
        for number, row in desk.rows("bill")
        if row["line"] == trouble.line and row["status"] == "overdue"
    ]
    return Account(
        line=trouble.line,
        outage=area["outage"],
        abroad=area["abroad"],
        suspended=line["suspended"],
        overdue=tuple(bills),
        is_roaming=line["is_roaming"],
        left=plan.data + line["added"] - line["used"],
        plan=plan,
    )
