"""Tests of tools/mail_desk."""

import json
import re
from collections import Counter

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.generators.tools.mail_desk.app import canonical
from palaestra.generators.tools.records import new_row
from palaestra.toolbox import call

NAME = "tools/mail_desk"


def spam(task, rng):
    """A label for a message that no request gives this label."""
    number = rng.choice(task.mailbox.messages).number
    return call("add_label", message=number, label="spam")


def test_lists_state_that_they_are_complete():
    world = app_tasks.instance(NAME, 1, 0, busy=0).world()
    assert world.use(call("search_messages", subject="no such thing"))[0] == "none\n(page 1 of 1)"
    assert world.use(call("list_subscriptions"))[0].endswith("\n(page 1 of 1)")
    message = world.use(call("read_message", message=next(n for n, _ in world.rows("message"))))[0]
    assert message.endswith("}")


def test_the_oracle_wins():
    app_tasks.check_oracle(NAME, 210)


@pytest.mark.parametrize("level", range(7))
def test_other_changes_are_damage(level):
    app_tasks.check_damage(NAME, level, spam)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_call_is_needed(level):
    app_tasks.check_missing_calls(NAME, level)


def test_rewards():
    app_tasks.check_rewards(NAME, spam)


def test_replay():
    app_tasks.check_replay(NAME)


def test_dialects():
    app_tasks.check_dialects(NAME)


def test_hostile_arguments():
    app_tasks.check_hostile_arguments(NAME)


@pytest.mark.parametrize(("level", "most"), [(3, 0.2), (6, 0.07)])
def test_lazy_players_earn_little(level, most):
    app_tasks.check_players(NAME, level, most)


class Books:
    """A second reading of the policy, over plain dictionaries and by scanning everything."""

    def __init__(self, task):
        self.task, self.p = task, task.policy
        box = task.mailbox
        self.contacts = {c.number: dict(c._asdict()) for c in box.contacts}
        self.messages = {m.number: dict(m._asdict()) for m in box.messages}
        self.active = {s.number: [s.address, True] for s in box.subscriptions}
        self.out = Counter()

    def rule(self, name):
        return name in self.p.rules

    def who(self, address):
        return [c for c in self.contacts.values() if address in c["emails"].split(", ")]

    def tag(self, m, label):
        m["labels"] = ", ".join(sorted({*filter(None, m["labels"].split(", ")), label}))

    def is_labelled(self, m, label):
        return re.search(rf"(^|, ){label}(, |$)", m["labels"]) is not None

    def amount(self, m):
        match = re.search(r"^The total is (\d+) EUR\.$", m["body"], re.MULTILINE)
        return int(match[1]) if match and m["attachments"].startswith("invoice") else 0

    def matches(self, m, w):
        people = self.who(m["sender"])
        if w.company and not any(c["company"] == w.company for c in people):
            return False
        if w.name and not any((c["name"], c["company"]) == (w.name, w.company) for c in people):
            return False
        day = m["date"].split()[0]
        suffixes = {a.rsplit(".")[-1] for a in m["attachments"].split(", ")}
        return (
            m["folder"] == w.folder
            and (w.topic in m["subject"] if w.topic else True)
            and (not w.since or day >= w.since)
            and (not w.until or day <= w.until)
            and (not w.extension or w.extension in suffixes)
            and (not w.least or self.amount(m) >= w.least)
        )

    def approve(self, m):
        if self.rule("approval") and self.amount(m) >= self.p.limit:
            self.tag(m, self.p.approval)

    def status(self, to):
        if not self.rule("outside") or to.split("@")[1] == self.p.domain:
            return "sent"
        partner = self.rule("partner") and any(c["company"] == self.p.partner for c in self.who(to))
        return "sent" if partner else "draft"

    def send(self, m, action, to, text=""):
        secret = self.rule("confidential") and self.is_labelled(m, self.p.confidential)
        if action != "reminder" and secret:
            self.tag(m, self.p.refused)
            return False
        status = "draft" if action == "reminder" else self.status(to)
        row = {"action": action, "message": m["number"], "to": to, "text": text, "status": status}
        self.out[new_row("outgoing", **row)] += 1
        return True

    def file(self, r):
        for m in [m for m in self.messages.values() if self.matches(m, r.which)]:
            expired = self.rule("expired") and m["date"].split()[0] < self.p.expiry
            if expired or not (self.rule("hold") and self.is_labelled(m, self.p.hold)):
                m["folder"] = r.target
                self.approve(m)

    def label(self, r):
        for m in self.messages.values():
            if self.matches(m, r.which):
                self.tag(m, r.target)

    def forward(self, r):
        extreme = max if r.newest else min
        chosen = [m for m in self.messages.values() if self.matches(m, r.which)]
        m = extreme(chosen, key=lambda m: m["date"])
        name = r.name
        addresses = [
            c["emails"]
            for c in self.contacts.values()
            if (c["name"], c["company"]) == (name, r.company)
        ]
        inside = addresses[0].endswith("@" + self.p.domain)
        if self.rule("deputy") and name == self.p.away and inside:
            addresses = [
                c["emails"]
                for c in self.contacts.values()
                if c["name"] == self.p.deputy and c["emails"].endswith("@" + self.p.domain)
            ]
        assert len(addresses) == 1
        if self.send(m, "forward", addresses[0]):
            self.approve(m)

    def answer(self, r):
        pattern = re.compile(rf"^What is the ([\w ]+) of the {r.target}\?$", re.MULTILINE)
        questions = [
            (m, match[1])
            for m in self.messages.values()
            if (match := pattern.search(m["body"]))
            and any((c["name"], c["company"]) == (r.name, r.company) for c in self.who(m["sender"]))
        ]
        ((m, attribute),) = questions
        stated = {}
        for other in self.messages.values():
            if self.rule("organiser"):
                organised = [
                    o["sender"]
                    for o in self.messages.values()
                    if f"I organise the {r.target}." in o["body"].splitlines()
                ]
                if other["sender"] != organised[0]:
                    continue
            fact = rf"^The {attribute} of the {r.target} is (.*)\.$"
            for match in re.finditer(fact, other["body"], re.MULTILINE):
                stated[other["date"]] = match[1]
        self.send(m, "reply", m["sender"], canonical(stated[max(stated)]))

    def unsubscribe(self, r):
        for entry in self.active.values():
            issues = [m for m in self.messages.values() if m["sender"] == entry[0]]
            if len(issues) >= r.number and not (self.rule("protected") and self.who(entry[0])):
                entry[1] = False

    def same(self, one, other):
        if self.p.criterion == "phone":
            return re.sub(r"\D", "", one["phone"]) == re.sub(r"\D", "", other["phone"])
        plain = [re.sub(r"\+[^@]*", "", c["emails"]).lower() for c in (one, other)]
        return plain[0] == plain[1]

    def merge(self, r):
        for one in [c for c in self.contacts.values() if c["company"] == r.target]:
            for other in [c for c in self.contacts.values() if c["company"] == r.target]:
                if one["number"] >= other["number"] or not self.same(one, other):
                    continue
                kept, gone = one, other
                if self.p.survivor == "latest update" and other["updated"] > one["updated"]:
                    kept, gone = other, one
                kept["emails"] = ", ".join(sorted([kept["emails"], gone["emails"]]))
                del self.contacts[gone["number"]]

    def remind(self, r):
        for m in self.messages.values():
            if m["subject"] != f"Your vote on the {r.target}" or m["folder"] != "Sent":
                continue
            replies = [o for o in self.messages.values() if o["thread"] == m["thread"]]
            if any(o["sender"] == m["to"] and o["date"] > m["date"] for o in replies):
                continue
            if not (self.rule("patience") and m["date"].split()[0] >= self.p.patience):
                self.send(m, "reminder", m["to"])

    def goal(self):
        for request in self.task.requests:
            getattr(self, request.action)(request)
        goal = dict(self.out)
        for m in self.task.mailbox.messages:
            for field, value in m._asdict().items():
                if self.messages[m.number][field] != value:
                    goal["message", str(m.number), field] = self.messages[m.number][field]
        for c in self.task.mailbox.contacts:
            if c.number not in self.contacts:
                goal["contact", str(c.number)] = "removed"
            elif self.contacts[c.number]["emails"] != c.emails:
                goal["contact", str(c.number), "emails"] = self.contacts[c.number]["emails"]
        for number, (_, active) in self.active.items():
            if not active:
                goal["subscription", str(number), "active"] = False
        return goal


def test_another_computation_comes_to_the_same_goal():
    app_tasks.check_same_goal(NAME, 210, lambda task: Books(task).goal())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,340 EUR", "1340"),
        ("It is €340.", "340"),
        ("340€", "340"),
        ("14:30", "14:30"),
        ("At 14:30, I think!", "14:30"),
        ("kb-1234", "KB-1234"),
        ("**B12**", "B12"),
        ("2032-03-01 or 2032-03-02", "2032-03-01 or 2032-03-02"),
    ],
)
def test_values_in_replies(text, value):
    assert canonical(text) == value


def test_wrong_replies_and_wrong_ways_of_sending_give_nothing():
    replies = 0
    for seed in range(30):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        n = next((n for n, move in enumerate(task.solution) if '"reply"' in move), None)
        if n is None:
            continue
        replies += 1
        move = task.solution[n]
        before, after = task.solution[:n], task.solution[n + 1 :]
        text = re.search(r'"text": "([^"]*)"', move)[1]
        other = move.replace(f'"{text}"', '"7"')
        sentence = move.replace(f'"{text}"', f'"The answer is {text}."')
        turned = {"true": "false", "false": "true"}
        draft = re.search(r'"draft": (true|false)', move)
        other_way = move.replace(draft[0], f'"draft": {turned[draft[1]]}')
        assert score(task, *before, other, *after).value == 0
        assert score(task, *before, other_way, *after).value == 0
        assert score(task, *before, sentence, *after).value == 1
        assert score(task, *before, move, *after).value == 1
    assert replies > 10


def test_a_draft_may_be_discarded():
    task = app_tasks.instance(NAME, 1, 0)
    sent = next(m for m in task.mailbox.messages if m.folder == "Sent")
    moves = [call("draft_reminder", message=sent.number), call("discard_draft", draft=1)]
    assert score(task, *moves, *task.solution).value == 1


def test_rules_matter():
    """Without them most requests come to something else."""
    ruled = 0
    for seed in range(40):
        task = app_tasks.instance(NAME, seed, 4)
        free = task.model_copy(update={"policy": task.policy._replace(rules=())})
        vars(free).pop("goal", None)
        ruled += free.goal != task.goal
    assert ruled > 30


FOLDERS = "(Inbox|Archive|Projects|Finance|Travel|Review|Sent)"
TARGETS = re.compile(
    rf"to the folder {FOLDERS}|into the folder {FOLDERS}|^{FOLDERS} is the folder|under {FOLDERS}"
    rf"|[Ii]n the folder {FOLDERS}|file them in {FOLDERS}"
)
LABELS = re.compile(r"the label '([^']*)'|with '([^']*)'\.$|^Put '([^']*)' as a label")


def items(text):
    return [each for each in text.split(", ") if each]


class Reader:
    """A reading of the prompt as text, and of what the tools answer, without the task."""

    def __init__(self, session):
        self.session = session
        self.contacts = {c["id"]: c for c in session.rows("find_contacts")}
        self.messages = [
            json.loads(session.use("read_message", message=m["id"]))
            for m in session.rows("search_messages")
        ]
        self.newsletters = session.rows("list_subscriptions")
        companies = {c["company"] for c in self.contacts.values()}
        self.companies = f"({'|'.join(map(re.escape, sorted(companies)))})"

    def play(self):
        for text in self.session.requests:
            self.request(text)

    def request(self, text):
        event = re.search(
            "(spring|summer|autumn|winter|harbour|city) "
            "(fair|trip|workshop|concert|market|regatta)",
            text,
        )
        if re.search("newsletter", text, re.IGNORECASE):
            self.unsubscribe(int(re.search(r"\d+", text)[0]))
        elif re.search("remind", text, re.IGNORECASE):
            self.remind(event[0])
        elif re.search("merge", text, re.IGNORECASE):
            self.merge(re.search(self.companies, text)[1])
        elif event and re.search("question|wants to know|asks something", text):
            self.answer(event[0], text)
        elif re.search("forward|send on", text, re.IGNORECASE):
            self.forward(text)
        elif "label" in text:
            label = next(filter(None, LABELS.search(text).groups()))
            for message in self.chosen(text):
                self.tag(message, label)
        else:
            match = TARGETS.search(text)
            self.file(self.chosen(text.replace(match[0], "")), next(filter(None, match.groups())))

    def senders(self, company, name=""):
        return [
            a
            for c in self.contacts.values()
            if c["company"] == company and name in ("", c["name"])
            for a in items(c["emails"])
        ]

    def amount(self, message):
        is_invoice = any(a.startswith("invoice") for a in items(message["attachments"]))
        return int(re.search(r"The total is (\d+) EUR", message["body"])[1]) if is_invoice else 0

    def chosen(self, text):
        company = re.search(rf"from (?:people of )?{self.companies}", text)
        person = re.search(rf"from (\w+ \w+) of {self.companies}", text)
        senders = (
            self.senders(person[2], person[1])
            if person
            else self.senders(company[1])
            if company
            else None
        )
        conditions = (
            (rf"\bin {FOLDERS}\b", lambda m, v: m["folder"] == v),
            (r"with '([^']+)' in the subject", lambda m, v: v in m["subject"]),
            (r"dated (\S+) or later", lambda m, v: m["date"][:10] >= v),
            (r"dated (\S+) or earlier", lambda m, v: m["date"][:10] <= v),
            (
                r"with a (\w+) file attached",
                lambda m, v: any(a.endswith(f".{v}") for a in items(m["attachments"])),
            ),
            (r"invoices of (\d+) EUR or more", lambda m, v: self.amount(m) >= int(v)),
        )
        tests = [(m[1], test) for pattern, test in conditions if (m := re.search(pattern, text))]
        return [
            m
            for m in self.messages
            if (senders is None or m["sender"] in senders) and all(test(m, v) for v, test in tests)
        ]

    def tag(self, message, label):
        if label not in items(message["labels"]):
            self.session.use("add_label", message=message["id"], label=label)
            message["labels"] = ", ".join([*items(message["labels"]), label])

    def approve(self, message):
        rule = self.session.rule(r"invoice of (\d+) EUR or more .*label '(.*)'")
        if rule and self.amount(message) >= int(rule[1]):
            self.tag(message, rule[2])

    def is_secret(self, message):
        rule = self.session.rule("label '(.*)' is neither forwarded nor replied to. .*label '(.*)'")
        if not rule or rule[1] not in items(message["labels"]):
            return False
        self.tag(message, rule[2])
        return True

    def is_draft(self, address):
        rule = self.session.rule(r"does not end in @(\S+) is saved as a draft")
        partner = self.session.rule("does not apply to addresses of contacts of (.*)\\.")
        if not rule or address.endswith(f"@{rule[1]}"):
            return False
        return not (partner and address in self.senders(partner[1]))

    def file(self, messages, folder):
        hold, expired = (
            self.session.rule("label '(.*)' stays in its folder"),
            self.session.rule(r"does not apply to messages from before (\S+)\."),
        )
        for message in messages:
            is_held = hold and hold[1] in items(message["labels"])
            if is_held and not (expired and message["date"][:10] < expired[1]):
                continue
            self.session.use("move_message", message=message["id"], folder=folder)
            message["folder"] = folder
            self.approve(message)

    def unsubscribe(self, number):
        addresses = {a for c in self.contacts.values() for a in items(c["emails"])}
        kept = self.session.rule("newsletter whose address is that of a contact")
        for each in self.newsletters:
            many = sum(m["sender"] == each["address"] for m in self.messages) >= number
            if each["active"] and many and not (kept and each["address"] in addresses):
                self.session.use("unsubscribe", address=each["address"])
                each["active"] = False

    def remind(self, event):
        recent = self.session.rule(r"messages that I sent on (\S+) or later")
        for message in self.messages:
            is_mine = message["sender"].startswith("me@") and event in message["subject"]
            if not is_mine or (recent and message["date"][:10] >= recent[1]):
                continue
            thread = [m for m in self.messages if m["thread"] == message["thread"]]
            if not any(
                m["sender"] == message["to"] and m["date"] > message["date"] for m in thread
            ):
                self.session.use("draft_reminder", message=message["id"])

    def merge(self, company):
        people = {}
        for contact in self.contacts.values():
            digits = re.sub(r"\D", "", contact["phone"])
            address = re.sub(r"\+[^@]*@", "@", contact["emails"]).lower()
            key = digits if "same digits" in self.session.prompt else address
            if contact["company"] == company:
                people.setdefault(key, []).append(contact)
        for entries in people.values():
            entries.sort(key=lambda c: c["id"])
            if "updated later" in self.session.prompt:
                entries.sort(key=lambda c: c["updated"], reverse=True)
            kept, *others = entries
            for other in others:
                self.session.use("merge_contacts", kept=kept["id"], merged=other["id"])
                kept["emails"] += f", {other['emails']}"
                del self.contacts[other["id"]]

    def answer(self, event, text):
        words = re.sub("^(What|Answer|There)|in which|from", "", text)
        name, company = re.search(rf"([A-Z]\w+ [A-Z]\w+) of {self.companies}", words).groups()
        question = re.compile(rf"^What is the (.*) of the {event}\?$", re.MULTILINE)
        senders = self.senders(company, name)
        (message,) = [
            m for m in self.messages if m["sender"] in senders and question.search(m["body"])
        ]
        if self.is_secret(message):
            return
        attribute = question.search(message["body"])[1]
        organisers = [
            m["sender"] for m in self.messages if f"\nI organise the {event}." in m["body"]
        ]
        everybody = not self.session.rule("only in messages of its organiser")
        values = [
            (m["date"], value)
            for m in self.messages
            for value in re.findall(
                rf"^The {attribute} of the {event} is (.*)\.$", m["body"], re.MULTILINE
            )
            if everybody or m["sender"] in organisers
        ]
        self.session.use(
            "reply",
            message=message["id"],
            text=max(values)[1],
            draft=self.is_draft(message["sender"]),
        )

    def forward(self, text):
        receiver = re.search(rf"(?:to |^)([A-Z]\w+ [A-Z]\w+) of {self.companies}", text)
        messages = sorted(self.chosen(text.replace(receiver[0], "")), key=lambda m: m["date"])
        message = messages[-1 if "newest" in text else 0]
        if self.is_secret(message):
            return
        name, company = receiver.groups()
        (address,) = self.senders(company, name)
        deputy = self.session.rule(
            "^(.*) of the office is away.*is forwarded to (.*) of the office, and"
        )
        home = next(
            m["to"] if m["to"].startswith("me@") else m["sender"] for m in self.messages
        ).partition("@")[2]
        if deputy and name == deputy[1] and address.endswith(f"@{home}"):
            (address,) = self.senders(company, deputy[2])
        self.session.use(
            "forward_message", message=message["id"], to=address, draft=self.is_draft(address)
        )
        self.approve(message)


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 342), lambda session: Reader(session).play())


def test_what_is_known_from_drawing_is_what_the_records_say():
    app_tasks.check_solution(NAME, 35)


def test_every_tool_may_damage():
    app_tasks.check_every_tool_may_damage(
        NAME,
        lambda task, rng: {
            "label": rng.choice(("tax", "urgent", "legal")),
            "to": "eve@elsewhere.example",
            "text": "no idea",
            "address": rng.choice(task.mailbox.subscriptions).address,
        },
        {
            "move_message",
            "add_label",
            "remove_label",
            "forward_message",
            "reply",
            "draft_reminder",
            "discard_draft",
            "merge_contacts",
            "unsubscribe",
        },
    )


def result(task, tool, **arguments):
    """What the tools answer at the start."""
    return task.world().use(call(tool, **arguments))[0]


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("search_messages", {"folder": "Spam"}, "'folder' of search_messages is one of"),
        ("search_messages", {"since": "July 3"}, "a date is written as 2031-03-04"),
        ("search_messages", {"until": "2031-13-01"}, "a date is written as 2031-03-04"),
        ("discard_draft", {"draft": 7}, "there is no draft 7"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(tool, arguments, error):
    assert error in result(app_tasks.instance(NAME, 1, 2), tool, **arguments)


def test_a_reminder_is_about_a_message_of_mine():
    task = app_tasks.instance(NAME, 1, 2)
    to_me = next(m.number for m in task.mailbox.messages if m.to.startswith("me@"))
    assert "a message that I sent" in result(task, "draft_reminder", message=to_me)


def test_a_label_is_one_label():
    task = app_tasks.instance(NAME, 1, 2)
    number = task.mailbox.messages[0].number
    assert "no comma" in result(task, "add_label", message=number, label="tax, urgent")


def test_addresses_are_the_same_in_any_case_of_letters():
    forwards = 0
    for seed in range(40):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        moves = [re.sub(r'"to": "[^"]+"', lambda to: to[0].replace("example", "EXAMPLE"), move)
                 for move in task.solution]  # fmt: skip
        if moves != [*task.solution]:
            forwards += 1
            assert score(task, *moves).value == 1
    assert forwards > 5


def test_a_newsletter_is_nobody_of_a_company():
    for seed in range(60):
        brief = app_tasks.instance(NAME, seed, 2).brief()
        assert not re.search(r"(\w+ \w+) of \1", brief)
        titles = [each.title for each in app_tasks.instance(NAME, seed, 2).mailbox.subscriptions]
        assert not any(f"people of {title}" in brief for title in titles)
