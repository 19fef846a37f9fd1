"""A player who knows the policy and the tools, and learns everything else by calls."""

import re
from typing import NamedTuple

from palaestra.generators.tools.conversation import slot
from palaestra.generators.tools.engine import Client, using
from palaestra.generators.tools.service_desk import Calls, answer, take, tell
from palaestra.generators.tools.telecom_support.customer import ANSWERS, PHRASES, TOPICS
from palaestra.generators.tools.telecom_support.desk import PERMISSIONS, SETTINGS, STATUS
from palaestra.generators.tools.telecom_support.policy import (
    Account,
    Plan,
    Settings,
    Stage,
    Symptom,
    Terms,
    account_stage,
    closing,
    data_stage,
    escalation,
    has_large_debt,
    picture_stage,
    service_stage,
    speed_stage,
)

QUESTIONS = {
    "name": "What is your name?",
    "number": "Which phone number is it?",
    "symptom": "How can I help you?",
    "area": "Where are you at the moment?",
    "willing": "Are you willing to pay?",
    "gigabytes": "How many gigabytes would you add?",
}
"""How each topic is asked for."""

SENTENCES = {
    "look": "What does the status bar show?",
    "settings": "Please open the network settings.",
    "permissions": "Which permissions does the app have?",
    "speed": "Please run a speed test.",
    "picture": "Please send a test picture.",
    "restart": "Please restart the phone.",
    "reseat": "Please take the SIM out and put it in.",
    "reset apn": "Please reset the access point.",
    "pay": "Please pay the bills now.",
    "grant sms": "Please grant SMS to it.",
    "grant storage": "Please grant storage to it.",
}
"""How the customer is asked for deeds; switches and modes have sentences of their own."""


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    stages: tuple[str, ...] = ("account", "service", "data", "rest")
    fixes_all: bool = False
    """All settings that are unusual, whatever the customer complains about."""
    escalates: bool = True
    is_hasty: bool = False
    """Every line is escalated at once."""


CAREFUL = Habits()


def sentence(deed: str) -> str:
    """The message that asks for a deed.

    >>> sentence("vpn off"), sentence("mode 4G")
    ('Please turn vpn off.', 'Please set the network mode to 4G.')
    """
    if deed in SENTENCES:
        return SENTENCES[deed]
    subject, value = deed.split(" ")
    if subject == "mode":
        return f"Please set the network mode to {value}."
    names = {"airplane": "airplane mode", "data": "mobile data", "saver": "data saver"}
    return f"Please turn {names.get(subject, subject)} {value}."


def serve(terms: Terms, habits: Habits = CAREFUL) -> Client:
    """Handle one trouble after the other."""
    name = yield from answer(TOPICS, QUESTIONS, "name")
    earlier = 0
    while True:
        line = yield from _line(name)
        if line == earlier:
            return
        yield from _diagnose(line, terms, habits)
        earlier = line
        yield from tell("Is there anything else?")


def _line(name: str) -> Calls:
    """The line that it is about: its number is asked for again where it is another customer's."""
    for _ in range(2):
        telephone = yield from answer(TOPICS, QUESTIONS, "number")
        text = yield from using("find_line", telephone=int(telephone))
        match = re.search(rf"Line (\d+), .* of {name}\.", text)
        if match:
            return int(match[1])
    return 0


def _diagnose(line: int, terms: Terms, habits: Habits) -> Calls:
    words = yield from answer(TOPICS, QUESTIONS, "symptom")
    symptom = next(each for each, phrases in PHRASES.items() if words in phrases)
    if habits.is_hasty:
        yield from take(escalation(line, "sim_damaged").steps)
        return
    account = yield from _account(line)
    willing = True
    if account.suspended == "overdue" and not account.outage and not has_large_debt(terms, account):
        willing = (yield from answer(TOPICS, QUESTIONS, "willing")) in ANSWERS[True]
    if "account" in habits.stages and (
        yield from _done(account_stage(terms, account, willing), habits)
    ):
        return
    if "service" in habits.stages and (yield from _service(line, habits)):
        return
    if symptom == "service" and not habits.fixes_all:
        ends = False
    else:
        ends = yield from _settings(symptom, account, terms, habits)
    if not ends:
        yield from take(closing(line, symptom).steps)


def _settings(symptom: Symptom, account: Account, terms: Terms, habits: Habits) -> Calls:
    """Set the settings of a phone right, and say whether that has ended the diagnosis."""
    text = slot(SETTINGS, (yield from _do("settings"))) or ""
    values = re.search(r"data (\w+), roaming (\w+), network mode (\w+), access point (\S+)", text)
    if values is None:
        return False
    settings = Settings(values[1] == "on", values[2] == "on", values[3], values[4])
    if "data" in habits.stages and (yield from _data(terms, account, settings, habits)):
        return True
    if "rest" not in habits.stages:
        return False
    if symptom == "data" or habits.fixes_all:
        bar = slot(STATUS, (yield from _do("look"))) or ""
        stage = speed_stage(terms, account.plan, values[3], "data saver" in bar, "VPN" in bar)
        yield from _done(stage, habits)
    if symptom == "pictures" or habits.fixes_all:
        rights = slot(PERMISSIONS, (yield from _do("permissions"))) or ""
        stage = picture_stage(account.plan, values[3], "SMS" in rights, "storage" in rights)
        yield from _done(stage, habits)
    return False


def _account(line: int) -> Calls:
    """What the tools have about a line."""
    area = yield from answer(TOPICS, QUESTIONS, "area")
    where = yield from using("check_area", area=area)
    details = yield from using("line_details", line=line)
    bills = yield from using("list_bills", line=line)
    name, roaming, used, added = _groups(
        r"Plan: (\w+)\. Roaming: (\w+)\. Data used: (\d+) GB\..*: (\d+) GB", details
    )
    text = yield from using("plan_details", plan=name)
    data, price, most, included, fastest = _groups(
        r"(\d+) GB; each GB more costs (\d+), at most (\d+) GB.*: (\w+); fastest network: (\w+)",
        text,
    )
    suspension = re.search(r"suspended \((\w+)\)", details)
    overdue = re.findall(r"(\d+): (\d+), overdue", bills)
    plan = Plan(name, int(data), int(price), int(most), included == "yes", fastest)
    return Account(
        line=line,
        outage="no outage" not in where,
        abroad="abroad" in where,
        suspended=suspension[1] if suspension else "",
        overdue=tuple((int(number), int(amount)) for number, amount in overdue),
        is_roaming=roaming == "on",
        left=plan.data + int(added) - int(used),
        plan=plan,
    )


def _service(line: int, habits: Habits) -> Calls:
    """Bring the signal back, and say whether that has ended the diagnosis."""
    bar = slot(STATUS, (yield from _do("look"))) or ""
    if "airplane" in bar:
        yield from _done(service_stage(line, airplane=True, sim="in order"), habits)
        bar = slot(STATUS, (yield from _do("look"))) or ""
    if bar == "no SIM":
        yield from _done(service_stage(line, airplane=False, sim="loose"), habits)
        bar = slot(STATUS, (yield from _do("look"))) or ""
    sim = {"no SIM": "damaged", "a SIM that is locked": "locked"}.get(bar, "in order")
    return (yield from _done(service_stage(line, airplane=False, sim=sim), habits))


def _data(terms: Terms, account: Account, settings: Settings, habits: Habits) -> Calls:
    gigabytes = "0"
    if account.left <= 0 and (account.plan.roaming or not account.abroad):
        yield from tell("You have used all of your data. Do you confirm?")
        gigabytes = yield from answer(TOPICS, QUESTIONS, "gigabytes")
    return (yield from _done(data_stage(terms, account, settings, int(gigabytes)), habits))


def _done(stage: Stage, habits: Habits) -> Calls:
    """Take the steps of a stage, and say whether it ends the diagnosis."""
    for step in stage.steps:
        if step.tool == "do":
            yield from _do(step.arguments["deed"])
        elif step.tool != "escalate" or habits.escalates:
            yield from take([step])
    return stage.ends and habits.escalates


def _do(deed: str) -> Calls:
    return (yield from tell(sentence(deed)))


def _groups(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that is in a result."""
    match = re.search(pattern, text)
    assert match is not None, text
    return match.groups()
