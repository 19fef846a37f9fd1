"""Tests of tools/telecom_support."""

import json
import re
from collections import Counter
from random import Random

import pytest
from tests.envs.tools.playing import damaging, earned, in_polite_forms, score, stated

from palaestra.address import Address
from palaestra.envs.tools.telecom_support import TelecomSupport
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.conversation import Agenda, Deed, Intent
from palaestra.generators.tools.engine import Tool
from palaestra.generators.tools.service_desk import Step
from palaestra.generators.tools.telecom_support.client import QUESTIONS, sentence, serve
from palaestra.generators.tools.telecom_support.company import Company, Trouble
from palaestra.generators.tools.telecom_support.customer import CUES, PHRASES, TOPICS, Subscriber
from palaestra.generators.tools.telecom_support.desk import (
    CHANGED,
    PERMISSIONS,
    PICTURE,
    SETTINGS,
    SPEED,
    STATUS,
    TOOLS,
    is_connected,
    status,
)
from palaestra.generators.tools.telecom_support.policy import (
    TEAMS,
    Account,
    Plan,
    Settings,
    Terms,
    account_stage,
    data_stage,
    picture_stage,
    service_stage,
    speed_stage,
)
from palaestra.toolbox import call

NAME = "tools/telecom_support"
READS = ("say", "find_", "line_", "plan_", "list_", "check_")
TERMS = Terms("orbit-web", 100, 4, 20, "3G")
PLAN = Plan("Amber", 10, 7, 5, True, "5G")
ACCOUNT = Account(9, False, False, "", (), False, 3, PLAN)
SETTINGS_NOW = Settings(True, False, "4G", "orbit-web")
ABROAD = ACCOUNT._replace(abroad=True)
EMPTY = ACCOUNT._replace(left=0)
OWES = ACCOUNT._replace(suspended="overdue", overdue=((1, 60), (2, 40)))


def instance(seed: int, level: int, **knobs: int) -> TelecomSupport:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, TelecomSupport)
    return task


def brief(steps) -> list[str]:
    """Steps in short: deeds, reasons of escalations, or tools."""
    return [
        str(s.arguments.get("deed") or s.arguments.get("reason") or s.tool) for s in steps.steps
    ]


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        (account_stage(TERMS, ACCOUNT, True), []),
        (account_stage(TERMS, OWES._replace(outage=True), True), ["outage"]),
        (account_stage(TERMS, OWES._replace(suspended="stolen"), True), ["stolen"]),
        (
            account_stage(TERMS, OWES, True),
            ["request_payment", "request_payment", "pay", "resume_line", "restart"],
        ),
        (account_stage(TERMS, OWES, False), ["unwilling"]),
        (account_stage(TERMS, OWES._replace(overdue=((1, 101),)), False), ["large_debt"]),
        (account_stage(TERMS, OWES._replace(suspended=""), True), []),
        (service_stage(9, True, "loose"), ["airplane off", "reseat"]),
        (service_stage(9, True, "locked"), ["airplane off", "sim_locked"]),
        (service_stage(9, False, "damaged"), ["sim_damaged"]),
        (data_stage(TERMS, ACCOUNT, SETTINGS_NOW, 0), []),
        (data_stage(TERMS, ABROAD, SETTINGS_NOW, 0), ["set_roaming", "roaming on"]),
        (data_stage(TERMS, ABROAD._replace(is_roaming=True), SETTINGS_NOW, 0), ["roaming on"]),
        (
            data_stage(
                TERMS, ABROAD._replace(plan=PLAN._replace(roaming=False)),
                SETTINGS_NOW._replace(data=False), 0,
            ),
            ["data on", "no_roaming"],
        ),
        (data_stage(TERMS, EMPTY, SETTINGS_NOW._replace(apn="x"), 0), ["used_up"]),
        (
            data_stage(TERMS, EMPTY, SETTINGS_NOW._replace(apn="x"), 2),
            ["add_data", "reset apn", "restart"],
        ),
        (speed_stage(TERMS, PLAN, "4G", True, True), ["saver off", "vpn off"]),
        (speed_stage(TERMS, PLAN, "3G", False, False), ["mode 5G"]),
        (speed_stage(TERMS._replace(slow="2G"), PLAN, "3G", False, False), []),
        (picture_stage(PLAN, "3G", False, True), ["grant sms"]),
        (picture_stage(PLAN, "2G", True, False), ["mode 5G", "grant storage"]),
    ],
)  # fmt: skip
def test_policy_by_hand(stage, expected: list[str]) -> None:
    assert brief(stage) == expected


@pytest.mark.parametrize(("wanted", "number", "price"), [(3, 3, 21), (4, 4, 22), (8, 5, 28)])
def test_prices_of_added_data(wanted: int, number: int, price: int) -> None:
    (step,) = data_stage(TERMS, EMPTY, SETTINGS_NOW, wanted).steps
    assert (step.arguments["gigabytes"], step.arguments["price"]) == (number, price)


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(100, 124):
        task = instance(seed, level)
        assert score(task, *task.solve()).value == 1
        assert len(task.solution) * 3 // 2 < task.calls


def test_the_oracle_holds_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    client = serve(task.terms)
    move = next(client)
    while True:
        episode.step(move)
        try:
            move = client.send(episode.observation)
        except StopIteration:
            break
    episode.step("done")
    assert episode.score.value == 1


def test_the_goal_is_a_service_that_works() -> None:
    """Where nothing is escalated the phone does what the customer wants, by what it shows."""
    working = 0
    for seed in range(60):
        task = instance(seed, 4)
        world = task.world(busy=0)
        for move in task.solution:
            world.use(move)
        escalated = {row["line"] for _, row in world.rows("escalation")}
        for number, trouble in enumerate(task.troubles):
            world.user.number = number
            if trouble.line in escalated:
                continue
            working += 1
            assert "bars" in status(world)
            if trouble.symptom == "service":
                continue
            assert is_connected(world)
            if trouble.symptom == "pictures":
                assert "was sent" in world.perform("picture")
            else:
                assert "no connection" not in world.perform("speed")
    assert working > 40


def test_the_goal_by_another_reading() -> None:
    """The settings of a phone at the goal, worked out in one pass from its start."""
    compared = 0
    for seed in range(80):
        task = instance(seed, 4)
        steps, changes = task.handled
        for number, trouble in enumerate(task.troubles):
            if any(step.tool == "escalate" for step in steps[number]):
                continue
            compared += 1
            phone = dict(zip([each.number for each in task.company.lines], task.company.phones))
            start = phone[trouble.line]
            line = next(each for each in task.company.lines if each.number == trouble.line)
            plan = next(each for each in task.company.plans if each.name == line.plan)
            area = next(each for each in task.company.areas if each.name == trouble.area)
            want = start._asdict() | {"airplane": False, "sim": "in order"}
            if trouble.symptom != "service":
                want |= {"data": True, "apn": task.terms.apn}
                want["roaming"] = start.roaming or area.abroad
            if trouble.symptom == "data":
                want |= {"vpn": False, "saver": False}
                want["mode"] = plan.fastest if start.mode <= task.terms.slow else start.mode
            if trouble.symptom == "pictures":
                want |= {"sms": True, "storage": True}
                want["mode"] = plan.fastest if start.mode == "2G" else start.mode
            differs = {
                ("phone", str(trouble.line), field): value
                for field, value in want.items()
                if start._asdict()[field] != value
            }
            mine = {path: v for path, v in changes.items() if path[:2] == ("phone", str(line[0]))}
            assert mine == differs
    assert compared > 50


class Reading:
    """The steps as another reader understands their text, for one trouble by the records."""

    def __init__(self, text: str, company: Company) -> None:
        self.company = company
        self.titles = re.findall(r"\n\d+\. ([A-Z][A-Za-z ]*)[:,] ", text)
        self.teams = {reason: team for team, reason in re.findall(r"\((\w+), (\w+)\)", text)}
        (self.debt,) = re.findall(r"add up to more than (\d+), escalate", text)
        self.apn = re.findall(r"the right one is (\S+)\. If", text)
        self.rebate = re.findall(r"(\d+) % less, rounded down, if (\d+) or more are added", text)
        self.slow = re.findall(r"mobile internet: if the network mode is ([\w ]+), have it", text)

    def steps(self, trouble: Trouble) -> list[str]:
        """The steps in short, up to the escalation or the end."""
        self.trouble = trouble
        number = next(n for n, each in enumerate(self.company.lines) if each.number == trouble.line)
        self.line, self.phone = self.company.lines[number], self.company.phones[number]
        self.plan = next(each for each in self.company.plans if each.name == self.line.plan)
        self.area = next(each for each in self.company.areas if each.name == trouble.area)
        every: list[str] = []
        for title in self.titles:
            for each in getattr(self, title.lower().replace(" ", "_"))():
                every.append(each)
                if each in self.teams:
                    return [*every[:-1], f"{self.teams[each]} {each}"]
            if title == "SIM" and trouble.symptom == "service":
                break
        return [*every, f"close {trouble.symptom}"]

    def outage(self) -> list[str]:
        return ["outage"] * self.area.outage

    def suspension(self) -> list[str]:
        if self.line.suspended in ("", "stolen", "contract_ended"):
            return [self.line.suspended] * bool(self.line.suspended)
        mine = [each for each in self.company.bills if each.line == self.line.number]
        owed = {each.number: each.amount for each in mine if each.status == "overdue"}
        if sum(owed.values()) > int(self.debt):
            return ["large_debt"]
        requests = [f"request {number}" for number in sorted(owed)]
        return [*requests, "pay", "resume", "restart"] if self.trouble.willing else ["unwilling"]

    def airplane_mode(self) -> list[str]:
        return ["airplane off"] * self.phone.airplane

    def sim(self) -> list[str]:
        bad = {"damaged": ["sim_damaged"], "locked": ["sim_locked"], "loose": ["reseat"]}
        return bad.get(self.phone.sim, [])

    def mobile_data(self) -> list[str]:
        return ["data on"] * (not self.phone.data)

    def roaming(self) -> list[str]:
        if not self.area.abroad:
            return []
        if not self.plan.roaming:
            return ["no_roaming"]
        return ["roam"] * (not self.line.is_roaming) + ["roaming on"] * (not self.phone.roaming)

    def used_up(self) -> list[str]:
        if self.line.used < self.plan.data + self.line.added:
            return []
        if not self.trouble.gigabytes:
            return ["used_up"]
        ((less, many),) = self.rebate
        number = min(self.trouble.gigabytes, self.plan.most)
        price = number * self.plan.price
        if number >= int(many):
            price = int(price * (100 - int(less)) / 100 + 1e-9)
        return [f"add {number} {price}"]

    def access_point(self) -> list[str]:
        return ["reset apn", "restart"] * ([self.phone.apn] != self.apn)

    def speed(self) -> list[str]:
        if self.trouble.symptom != "data":
            return []
        is_slow = self.phone.mode in self.slow[0].split(" or ")
        others = ["saver off"] * self.phone.saver + ["vpn off"] * self.phone.vpn
        return [f"mode {self.plan.fastest}"] * is_slow + others

    def picture_messages(self) -> list[str]:
        if self.trouble.symptom != "pictures":
            return []
        faster = [f"mode {self.plan.fastest}"] * (self.phone.mode == "2G")
        rights = {"grant sms": self.phone.sms, "grant storage": self.phone.storage}
        return faster + [name for name, has in rights.items() if not has]


def in_short(steps: tuple[Step, ...]) -> list[str]:
    """The steps of the environment in the form of the other reader; requests are in no order."""
    forms = {
        "do": "{deed}", "escalate": "{team} {reason}", "close_case": "close {complaint}",
        "request_payment": "request {bill}", "resume_line": "resume", "set_roaming": "roam",
        "add_data": "add {gigabytes} {price}",
    }  # fmt: skip
    texts = [forms[each.tool].format(**each.arguments) for each in steps]
    return sorted(texts, key=lambda text: text if text.startswith("request") else "s")


def test_the_text_of_the_policy_is_what_decides() -> None:
    """Troubles decided by the text alone, with the numbers, teams and order that are in it."""
    last = Counter()
    for seed in range(350):
        task = instance(seed, 2 + seed % 5)
        reading = Reading(task.brief(), task.company)
        assert len(reading.titles) == (9 if task.symptoms < 3 else 10)
        for trouble, steps in zip(task.troubles, task.handled[0]):
            assert in_short(steps) == reading.steps(trouble)
            last[reading.steps(trouble)[-1]] += 1
    assert len(last) == len(TEAMS) + 3
    assert min(last.values()) >= 5


def test_all_escalations_come_up() -> None:
    tasks = [instance(seed, level) for seed in range(70) for level in (3, 4, 6)]
    every = [steps for task in tasks for steps in task.handled[0]]
    reasons = [
        step.arguments["reason"] for steps in every for step in steps if step.tool == "escalate"
    ]
    assert {*reasons} == {*TEAMS}
    assert 0.25 < len(reasons) / len(every) < 0.75


@pytest.mark.parametrize("level", range(7))
def test_collateral_damage_and_what_is_left_out_give_nothing(level: int) -> None:
    for seed in range(4):
        task = instance(seed, level, busy=0)
        moves = [*task.solution]
        lines = {trouble.line for trouble in task.troubles}
        other = next(each for each in task.company.lines if each.number not in lines)
        world = task.world()
        for move in moves:
            world.use(move)
        is_on = world.row("phone", world.trouble.line)["airplane"]
        switch = sentence(f"airplane {'off' if is_on else 'on'}")
        for extra in (
            call("set_roaming", line=other.number, on=not other.is_roaming),
            call("add_data", line=task.troubles[0].line, gigabytes=1, price=0),
            call("replace_sim", line=task.troubles[0].line),
            call("close_case", line=other.number, complaint="data"),
            call("say", message=switch),
        ):
            assert score(task, *moves, extra).value == 0
        for n, move in enumerate(moves):
            if not json.loads(move)["tool"].startswith(READS):
                assert score(task, *moves[:n], *moves[n + 1 :]).value == 0


@pytest.mark.parametrize("tool", [t for t in TOOLS if not t.name.startswith(READS)])
def test_every_other_change_gives_nothing(tool: Tool) -> None:
    task = instance(4, 4, busy=0)
    world = task.world()
    for move in task.solution:
        world.use(move)
    extra = damaging(world, tool, {}, [plan.name for plan in task.company.plans])
    assert score(task, *task.solution).value == 1
    assert score(task, *task.solution, extra).value == 0


@pytest.mark.parametrize(
    "deed", [deed for deed in CUES if sentence(deed).startswith("Please turn")]
)
def test_every_other_turn_of_a_switch_gives_nothing(deed: str) -> None:
    task = instance(4, 4, busy=0)
    world = task.world()
    for move in task.solution:
        world.use(move)
    before = world.changes()
    extra = call("say", message=sentence(deed))
    world.use(extra)
    assert score(task, *task.solution, extra).value == (world.changes() == before)


def test_willingness_is_never_an_agreement_to_a_proposal() -> None:
    message = "Is it okay for you to pay the two overdue bills? Please confirm."
    assert stated(TOPICS, message, Subscriber) == ["willing"]


def test_a_setting_may_be_changed_back() -> None:
    task = instance(1, 1, busy=0)
    on, off = (call("say", message=f"Please turn airplane mode {each}.") for each in ("on", "off"))
    assert score(task, *task.solution, on).value == 0
    assert score(task, *task.solution, on, off).value == 1


def test_phones_are_out_of_the_reach_of_tools_and_deeds_wait_for_a_message() -> None:
    task = instance(4, 6, busy=0)
    goal = {path for path in task.handled[1] if path[0] == "phone"}
    world = task.world()
    for move in task.solution:
        if json.loads(move)["tool"] != "say":
            world.use(move)
    assert goal
    assert not goal & world.changes().keys()


def test_questions_and_sentences_are_understood_in_one_way() -> None:
    for topic, question in QUESTIONS.items():
        assert stated(TOPICS, question, Subscriber) == [topic]
        assert not done_by(question)
    for deed, cues in CUES.items():
        assert done_by(sentence(deed)) == [deed]
        assert not stated(TOPICS, sentence(deed), Subscriber)
        assert len({*cues}) >= 6


ASKED = {
    "name": (
        "what is your name", "may I have your full name", "who am I speaking with",
        "could you tell me your name", "your name please", "who are you", "what's your full name",
        "under what name is the account", "can you confirm your name for me",
        "I need your name first", "which name is the line under", "give me your name",
    ),
    "number": (
        "what is your telephone number", "which number is it", "what is the number of the phone",
        "which line is it about", "could you give me the phone number", "your mobile number please",
        "what number does the phone have", "can you tell me the number of the affected line",
        "may I have the telephone number", "which of your lines is concerned",
        "which phone number has the problem", "what is the number of the line",
        "could you check the number again", "which phone is it about", "the phone number",
    ),
    "symptom": (
        "how can I help you", "what is wrong", "what does not work", "what should work",
        "what is the problem", "what is the issue", "what can I do for you", "what's the trouble",
        "could you describe the issue you are experiencing", "how may I assist you today",
        "what seems to be the problem", "what is not working", "what exactly is wrong with it",
        "what would you like to do with it", "what is the matter with the phone",
        "what are you having trouble with", "can you describe the problem",
        "is it calls, mobile internet or picture messages", "what can I help you with",
        "what do you want to have working again", "which service does not work",
    ),
    "area": (
        "where are you", "where are you at the moment", "what is your location",
        "which area are you in", "where do you use the phone", "are you abroad",
        "in which country are you", "where are you located right now", "what area is the phone in",
        "are you at home or abroad", "which town are you in", "where is the phone",
        "in what place are you at the moment", "could you tell me where you are",
        "what is your current location", "are you travelling",
    ),
    "willing": (
        "are you willing to pay", "would you be willing to pay the overdue bills",
        "are you ready to pay the bills", "do you want to pay them",
        "would you like to pay the bill",
        "can you pay the overdue bills", "will you pay the bills", "are you able to pay them",
        "do you agree to pay the bills", "are you prepared to pay what is overdue",
        "would you pay the bills if I sent you a request", "are you going to pay them",
        "are you willing to settle the bills", "is it okay for you to pay the bills",
    ),
    "gigabytes": (
        "how many gigabytes would you like to add", "how much data do you want to add",
        "how many GB should I add", "how many gigabytes do you want", "how much more data",
        "what amount of data would you like", "how many more gigabytes",
        "would you like to buy more data", "how many GB would you like",
        "do you want to add data", "how many additional gigabytes", "how much data should it be",
        "would you like to add data to the line", "how many gigs do you need",
    ),
}  # fmt: skip
"""Questions of people for each topic, each of which is put in five forms."""


@pytest.mark.parametrize("topic", TOPICS)
def test_fifty_questions_for_each_topic_are_understood_as_no_other(topic: str) -> None:
    questions = [*in_polite_forms(ASKED[topic])]
    assert len(questions) >= 50
    assert [q for q in questions if stated(TOPICS, q, Subscriber) != [topic]] == []


@pytest.mark.parametrize(
    "message",
    ["Is there another one?", "Is there anything else?", "Another phone?", "Anything else?",
     "Do you have a second line?", "Do you have trouble with another phone?",
     "Is there another phone with trouble?", "Are there more phones?", "What about other lines?",
     "Do any of your other phones have trouble?", "Are there any other devices?",
     "Which is the next phone?", "Do you have another line that does not work?",
     "Can I help you with another phone?", "Are any more lines affected?", "Is that everything?"],
)  # fmt: skip
def test_questions_for_another_phone_are_understood(message: str) -> None:
    intents = [Intent("it is this.", ()), Intent("it is the red one.", ())]
    user = Subscriber(Agenda(TOPICS, intents))
    assert "it is the red one." in user.reply(message)
    assert user.number == 1


@pytest.mark.parametrize(
    "message",
    [
        "Could you call me from another phone?",
        "Is it another line?",
        "What is on the second line?",
        "Please put the SIM into another phone.",
        "Is this about the other line?",
    ],
)
def test_messages_that_name_another_phone_do_not_ask_for_it(message: str) -> None:
    user = Subscriber(Agenda(TOPICS, [Intent("it is this.", ()), Intent("the red one.", ())]))
    user.reply(message)
    assert user.number == 0


def done_by(message: str) -> list[str]:
    """The deeds that a customer does when a message asks for them."""
    done: list[str] = []
    deeds = [
        Deed(cues, lambda name=name: done.append(name) or "")  # type: ignore[misc, func-returns-value]
        for name, cues in CUES.items()
    ]
    Subscriber(Agenda(TOPICS, [Intent("it is this.", ())], (), deeds)).reply(message)
    return done


MESSAGES = {
    "look": (
        "Could you look at your status bar and tell me what it shows?", "What's in the status bar?",
        "Please check whether airplane mode is on.", "Do you see any signal bars?",
        "Which icons do you see at the top of the screen?", "Is there an airplane symbol?",
        "How many bars do you have?", "Please tell me what the top of your screen shows.",
        "Could you read me the symbols at the top?", "Do you have a signal now?",
        "Is the SIM recognised now?", "Is airplane mode turned on?", "Is a VPN active?",
        "Is data saver on?",
    ),
    "settings": (
        "Please open the network settings.", "What do the network settings say?",
        "Please open Settings > Network and tell me what you see.", "Is mobile data turned on?",
        "Could you look at the settings of the network for me?", "Check your mobile settings.",
        "Please go to the network settings and read them to me.", "Which access point is set?",
        "What network mode is the phone in?", "Is roaming enabled on your phone?",
        "What is the APN?", "Is your network mode 2G?", "Is data roaming on?",
    ),
    "permissions": (
        "Which permissions does the messaging app have?", "Please check the app permissions.",
        "Could you look at the permissions of the app for messages?",
        "What is the messages app allowed to use?", "Open the app's permissions, please.",
        "Does the app have the permissions for SMS and storage?",
        "Please check if the app is allowed to use storage.",
    ),
    "speed": (
        "Please run a speed test.", "Could you do a speed test?", "Test the speed now.",
        "How fast is it now?", "Please measure the speed.", "Start a speed test for me.",
    ),
    "picture": (
        "Please send a test picture.", "Could you try to send a picture message?",
        "Try sending a photo.", "Send me a picture to see if it works.",
        "Please send a test photo.",
    ),
    "restart": (
        "Please restart the phone.", "Could you reboot your phone?", "Turn the phone off and on.",
        "Please switch your phone off and back on again.", "Please power cycle it.",
        "Now do a restart, please.",
    ),
    "reseat": (
        "Please take the SIM out and put it back.", "Please remove the SIM card and reinsert it.",
        "Could you reseat the SIM?", "Take out the SIM card and put it in again.",
        "Pull the SIM out, then put it back in.", "Please eject the SIM and insert it again.",
    ),
    "reset apn": (
        "Please reset the access point.", "Could you reset the APN to its default?",
        "Restore the default APN, please.", "Reset your APN settings.",
        "Please set the access point back to the default.", "Please have the access point reset.",
    ),
    "pay": (
        "Please pay the bills now.", "You can now pay the bill.", "Please settle the bill.",
        "Could you pay the requested bills, please?", "Go to the app and pay the overdue bill.",
        "I have sent the payment requests; please pay them.",
    ),
    "grant sms": (
        "Please grant SMS to it.", "Please grant the app the permission for SMS.",
        "Allow the app to use SMS, please.", "Give the app the SMS permission.",
        "Please turn on the SMS permission.",
    ),
    "grant storage": (
        "Please grant storage to it.", "Please grant the app the permission for storage.",
        "Allow the app to use storage, please.", "Give the app the storage permission.",
        "Please enable the storage permission for the messages app.",
    ),
    "airplane off": (
        "Please turn airplane mode off.", "Switch off flight mode, please.",
        "Please toggle off airplane mode.", "Could you disable airplane mode?",
        "Deactivate the airplane mode.", "Please take the phone out of airplane mode.",
    ),
    "airplane on": ("Please turn on airplane mode.", "Activate flight mode."),
    "data on": (
        "Please turn mobile data on.", "Could you enable mobile data?", "Switch on cellular data.",
        "Please turn your mobile data back on.", "Please toggle mobile data on.",
    ),
    "data off": ("Please turn off mobile data.", "Disable cellular data."),
    "roaming on": (
        "Please turn roaming on.", "Turn on data roaming.", "Enable roaming in the phone.",
        "Could you activate data roaming on your phone?", "Please switch the roaming switch on.",
    ),
    "roaming off": ("Please turn off roaming.", "Please disable data roaming."),
    "saver off": (
        "Please turn data saver off.", "Disable the data saver.", "Switch off data saving mode.",
        "Please turn off the data saver mode.",
    ),
    "saver on": ("Please turn on the data saver.", "Enable data saver."),
    "vpn off": (
        "Please turn vpn off.", "Disable the VPN.", "Could you switch off your VPN?",
        "Please disconnect the VPN.", "Please turn your VPN app off.",
    ),
    "vpn on": ("Please turn on the VPN.", "Activate VPN."),
    "mode 5G": (
        "Please set the network mode to 5G.", "Please change the network mode from 3G to 5G.",
        "Switch to 5G, please.", "Could you select 5G as the network mode?",
        "Set the preferred network to 5G.",
    ),
    "mode 4G": ("Please set the network mode to 4G.", "Please choose 4G."),
    "mode 3G": ("Please set the network mode to 3G.", "Change to 3G."),
    "mode 2G": ("Please set the network mode to 2G.", "Switch to 2G."),
}  # fmt: skip
"""Messages that ask for each deed and for no other."""


@pytest.mark.parametrize("deed", CUES)
def test_deeds_are_done_when_people_ask_for_them(deed: str) -> None:
    assert [m for m in MESSAGES[deed] if done_by(m) != [deed]] == []


@pytest.mark.parametrize(
    "message",
    [
        "Please do not turn off the VPN.", "Is your phone on 5G?", "Was the phone restarted?",
        "There is a VPN, but leave it on.", "Your data saver stays as it is.",
        "The bills are overdue.", "Thank you, it is paid.", "Mobile data is on, that is good.",
        "I have turned on roaming for the line.", "The permissions are fine.",
    ],
)  # fmt: skip
def test_statements_are_no_deeds(message: str) -> None:
    assert not {*done_by(message)} - {"look", "settings", "permissions"}


def test_two_switches_in_a_message_are_both_turned() -> None:
    assert done_by("Please turn off your VPN and data saver.") == ["vpn off", "saver off"]
    assert done_by("Please turn off the VPN and leave data saver on.") == ["vpn off"]


def test_topics_have_cues_and_frames() -> None:
    for each in TOPICS.values():
        assert len({*each.frames}) >= 5
        assert all(frame.index("{}") for frame in each.frames)
    assert all(len({*phrases}) >= 5 for phrases in PHRASES.values())
    for frames in (STATUS, SETTINGS, PERMISSIONS, SPEED, PICTURE, CHANGED):
        assert len({*frames}) >= 5


def test_rewards_add_up_and_are_taken_back() -> None:
    task = instance(5, 4)
    extra = call("replace_sim", line=task.troubles[0].line)
    for moves in ([*task.solution, "done"], [*task.solution, extra, "done"], ["x", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_replays_give_the_same_states() -> None:
    task = instance(2, 5)
    states = []
    for _ in range(2):
        episode = Episode(task, BARE)
        states.append([])
        for move in task.solution:
            episode.step(move)
            states[-1].append(episode.turn.state)
    assert states[0] == states[1]


def test_calls_in_several_dialects_do_the_same() -> None:
    task = instance(1, 2)
    arguments = {"line": task.troubles[0].line}
    named = json.dumps({"name": "line_details", "arguments": arguments})
    forms = [
        call("line_details", **arguments),
        f"<tool_call>\n{named}\n</tool_call>",
        f"line_details(line={arguments['line']})",
        f"Action: line_details\nAction Input: {json.dumps(arguments)}",
    ]
    assert len({task.world(busy=0).use(form) for form in forms}) == 1


def test_hostile_calls_change_nothing() -> None:
    task = instance(2, 3)
    world = task.world(busy=0)
    line = next(each for each in task.company.lines if not each.suspended).number
    for move in (
        call("add_data", line=line, gigabytes=0, price=1),
        call("add_data", line=line, gigabytes=1, price=-1),
        call("add_data", line=line, gigabytes=10**9, price=1),
        call("add_data", line=line, gigabytes=True, price=1),
        call("set_roaming", line=line, on="yes"),
        call("resume_line", line=line),
        call("request_payment", bill=-1),
        call("change_plan", line=line, plan="x" * 100_000),
        call("escalate", line=line, team="police", reason="stolen"),
        call("escalate", line=10**4000 // 10**3990, team="sales", reason="used_up"),
        call("find_line", telephone="5550000"),
        call("check_area", area=""),
        call("no_such_tool"),
        "{" * 10_000,
    ):
        assert world.use(move)[0].startswith("Error"), move[:80]
        assert not world.changes()
    world.use(call("say", message="hello " * 100_000))
    assert not world.changes()


@pytest.mark.parametrize("level", [1, 3, 6])
def test_random_calls_and_silence_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(12):
        task = instance(seed, level)
        numbers = [each.number for each in (*task.company.lines, *task.company.bills)]
        moves = []
        for _ in range(task.calls):
            tool = rng.choice(TOOLS)
            arguments = {
                name: rng.choice(numbers) if each is int else rng.choice([True, False])
                if each is bool else sentence(rng.choice([*CUES])) if name == "message"
                else rng.choice(["Amber", "Coral"]) if each is str else rng.choice(each)
                for name, each in tool.parameters.items()
            }  # fmt: skip
            moves.append(call(tool.name, **arguments))
        values.append(score(task, *moves).value)
        assert score(task).value == 0
    assert sum(values) / len(values) <= 0.05


@pytest.mark.parametrize(("level", "most"), [(0, 0.5), (1, 0.5), (2, 0.05), (4, 0.05)])
def test_players_that_decide_nothing_fail(level: int, most: float) -> None:
    """At the first levels too, a trouble is escalated in half of the tasks and more."""
    rates = earned(NAME, level, range(200))
    assert rates["escalate nothing"] <= most
    assert rates["escalate all"] <= 0.1
    assert level < 2 or max(rates.values()) <= 0.1
