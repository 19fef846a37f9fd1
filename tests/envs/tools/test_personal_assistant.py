"""Tests of tools/personal_assistant."""

import re
from collections import Counter
from datetime import date, timedelta

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.generators.tools.personal_assistant.records import FIELDS
from palaestra.generators.tools.records import new_row
from palaestra.toolbox import call

NAME = "tools/personal_assistant"


def extra(task, rng):
    """A to-do that nobody wants."""
    return call("add_todo", title=f"water plant {rng.randrange(99)}", due="2031-01-01")


def test_the_oracle_wins():
    app_tasks.check_oracle(NAME, 175)


@pytest.mark.parametrize("level", range(7))
def test_other_changes_are_damage(level):
    app_tasks.check_damage(NAME, level, extra, seeds=4)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_call_is_needed(level):
    app_tasks.check_missing_calls(NAME, level, seeds=3)


def test_rewards():
    app_tasks.check_rewards(NAME, extra)


def test_replay():
    app_tasks.check_replay(NAME)


def test_dialects():
    app_tasks.check_dialects(NAME)


def test_hostile_arguments():
    app_tasks.check_hostile_arguments(NAME)


@pytest.mark.parametrize(("level", "most", "seeds"), [(3, 0.12, 240), (6, 0.05, 16)])
def test_lazy_players_earn_little(level, most, seeds):
    app_tasks.check_players(NAME, level, most, seeds)


class Books:
    """A second reading of the policy, over plain dictionaries and by scanning everything."""

    def __init__(self, task):
        self.task, self.p = task, task.policy
        self.t = {
            name: [dict(zip(("id", *FIELDS[name]), row)) for row in rows]
            for name, rows in task.records
        }
        self.before = {name: [dict(row) for row in rows] for name, rows in self.t.items()}
        self.new = Counter()

    def rule(self, name):
        return name in self.p.rules

    def gets_nothing(self, person):
        return self.rule("blocked") and person["name"] == self.p.blocked

    def called(self, nickname):
        (person,) = [c for c in self.t["contact"] if c["nickname"] == nickname]
        return person

    def named(self, name):
        (person,) = [c for c in self.t["contact"] if c["name"] == name]
        return person

    def event(self, r):
        (event,) = [e for e in self.t["event"] if (e["title"], e["date"]) == (r.title, r.date)]
        return event

    def verdicts(self, r):
        latest = {}
        for m in self.t["message"]:
            match = re.fullmatch(rf"I (.*) the {r.title} on {r.date}\.", m["text"])
            if match and m["date"] >= latest.get(m["sender"], ("",))[0]:
                latest[m["sender"]] = (m["date"], match[1])
        return {nickname: verdict for nickname, (_, verdict) in latest.items()}

    def note(self, title):
        (note,) = [n for n in self.t["note"] if n["title"] == title]
        return note["text"]

    def paid(self, r, payer, receiver):
        return sum(
            p["amount"]
            for p in self.t["payment"]
            if p["event"] == f"{r.title} {r.date}"
            and p["payer"] == payer
            and p["receiver"] == receiver
            and p["status"] == "done"
        )

    def add(self, table, **row):
        self.new[new_row(table, **row)] += 1
        self.t[table].append({"id": -1, **row})

    def transfer(self, r, payer, receiver, amount, status):
        event = f"{r.title} {r.date}"
        self.add("payment", payer=payer, receiver=receiver, amount=amount, event=event,
                 status=status)  # fmt: skip

    def collect(self, r):
        text = self.note(f"Costs: {r.title} {r.date}")
        for name in self.event(r)["people"].split(", "):
            person = self.named(name)
            match = re.search(rf"^{person['nickname']}: share (\d+) EUR$", text, re.MULTILINE)
            if not match or "cannot" in self.verdicts(r).get(person["nickname"], ""):
                continue
            missing = int(match[1]) - self.paid(r, name, "me")
            small = missing < (self.p.minimum if self.rule("minimum") else 1)
            family = self.rule("family") and person["team"] == "family"
            if not (small or family or self.gets_nothing(person)):
                self.transfer(r, name, "me", missing, "requested")

    def repay(self, r):
        text = self.note(f"Costs: {r.title} {r.date}")
        for nickname, advance in re.findall(r"^(.*): advanced (\d+) EUR$", text, re.MULTILINE):
            person = self.called(nickname)
            missing = int(advance) - self.paid(r, "me", person["name"])
            small = missing < (self.p.minimum if self.rule("minimum") else 1)
            if small or self.gets_nothing(person):
                continue
            if self.rule("limit") and missing > self.p.limit:
                self.todo_item(f"pay {person['name']}", self.p.today)
            else:
                self.transfer(r, "me", person["name"], missing, "done")

    def todo_item(self, title, due):
        self.add("todo", title=title.lower(), due=due, done=False)

    def todo(self, r):
        for m in list(self.t["message"]):
            match = re.fullmatch(r"Please send me the file (.*) by (.*)\.", m["text"])
            person = self.called(m["sender"])
            if not match or person["team"] != r.team:
                continue
            (file,) = [f for f in self.t["file"] if f["name"] == match[1]]
            title = f"send {match[1]} to {person['name']}"
            there = any(t["title"].lower() == title.lower() for t in self.t["todo"])
            if there or person["name"] in file["shared_with"].split(", "):
                continue
            due = date.fromisoformat(match[2])
            while self.rule("weekend") and due.weekday() in (5, 6):
                due -= timedelta(1)
            self.todo_item(title, due.isoformat())

    def away(self, person, day):
        inside = person["away_from"] != "" and person["away_from"] <= day <= person["away_until"]
        return self.rule("away") and inside

    def put(self, text, name):
        return ", ".join(sorted({*filter(None, text.split(", ")), name}))

    def invite(self, r):
        event = self.event(r)
        for nickname, verdict in self.verdicts(r).items():
            person = self.called(nickname)
            out = self.gets_nothing(person) or self.away(person, r.date)
            if verdict == "would like to come to" and person["team"] == r.team and not out:
                event["people"] = self.put(event["people"], person["name"])

    def share(self, r):
        for base in self.note(f"Files: {r.title} {r.date}").splitlines():
            files = [f for f in self.t["file"] if f["name"].split("-v")[0] == base]
            if self.rule("newest") and files:
                files = [max(files, key=lambda f: int(f["name"].split("-v")[1]))]
            for f in files:
                for name in filter(None, self.event(r)["people"].split(", ")):
                    person = self.named(name)
                    private = self.rule("private") and f["folder"] == "Private"
                    private = private and person["team"] != "family"
                    if private or self.gets_nothing(person):
                        continue
                    f["shared_with"] = self.put(f["shared_with"], name)

    def reschedule(self, r):
        """Every minute of candidates is compared with every minute of events."""

        def minutes(start, end):
            numbers = [int(t[:2]) * 60 + int(t[3:]) for t in (start, end)]
            return set(range(*numbers))

        meetings = [
            e
            for e in self.t["event"]
            if e["date"] == r.date
            and e["end"] <= "17:00"
            and any(self.named(n)["team"] == r.team for n in e["people"].split(", "))
        ]
        for meeting in sorted(meetings, key=lambda e: e["start"]):
            length = len(minutes(meeting["start"], meeting["end"]))
            people = [self.named(n) for n in meeting["people"].split(", ")]
            options = []
            for offset in range(1, 60):
                day = date.fromisoformat(r.date) + timedelta(offset)
                when = day.isoformat()
                off = self.rule("closed") and day.weekday() == self.p.closed
                if off or day.weekday() > 4 or any(self.away(p, when) for p in people):
                    continue
                taken = set()
                for e in self.t["event"]:
                    if e is not meeting and e["date"] == when:
                        taken |= minutes(e["start"], e["end"])
                if self.rule("lunch"):
                    taken |= minutes("12:00", "13:00")
                starts = range(9 * 60, 17 * 60 - length + 1, 30)
                options += [(when, s) for s in starts if not taken & {*range(s, s + length)}]
                if options:
                    break
            meeting["date"], start = min(options)
            end = start + length
            meeting["start"] = f"{start // 60:02}:{start % 60:02}"
            meeting["end"] = f"{end // 60:02}:{end % 60:02}"

    def settle(self, r):
        for todo in self.t["todo"]:
            pattern = rf"get (\d+) EUR from (.*) for ({r.title} \d{{4}}-\d\d-\d\d)"
            match = re.fullmatch(pattern, todo["title"])
            if match:
                todo["done"] = todo["done"] or any(
                    p["status"] == "done"
                    and (p["payer"], p["receiver"]) == (match[2], "me")
                    and p["event"] == match[3]
                    and p["amount"] >= int(match[1])
                    for p in self.t["payment"]
                )

    def goal(self):
        for request in self.task.requests:
            getattr(self, request.action)(request)
        goal = dict(self.new)
        for table, rows in self.before.items():
            for before, now in zip(rows, self.t[table]):
                for field in FIELDS[table]:
                    if before[field] != now[field]:
                        goal[table, str(before["id"]), field] = now[field]
        return goal


def test_another_computation_comes_to_the_same_goal():
    app_tasks.check_same_goal(NAME, 175, lambda task: Books(task).goal())


def test_wrong_amounts_times_and_people_give_nothing():
    tried = Counter()
    for seed in range(24):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        people = [row[0] for row in dict(task.records)["contact"]]
        for n, move in enumerate(task.solution):
            tool = re.search(r'"tool": "(\w+)"', move)[1]
            wrong = move
            if tool in ("pay", "request_payment"):
                wrong = re.sub(r'"amount": (\d+)', lambda m: f'"amount": {int(m[1]) + 1}', move)
            elif tool == "move_event":
                wrong = re.sub(r'"start": "[^"]*"', '"start": "08:30"', move)
            elif tool == "invite":
                number = re.search(r'"contact": (\d+)', move)[1]
                other = next(p for p in people if p != int(number))
                wrong = move.replace(f'"contact": {number}', f'"contact": {other}')
            elif tool == "add_todo":
                wrong = re.sub(r'"due": "[^"]*"', '"due": "2031-01-01"', move)
            if wrong != move and tried[tool] < 6:
                tried[tool] += 1
                moves = [*task.solution[:n], wrong, *task.solution[n + 1 :]]
                assert score(task, *moves).value == 0
    assert {*tried} == {"pay", "request_payment", "move_event", "invite", "add_todo"}


def test_titles_are_accepted_in_any_case_of_letters():
    for seed in range(20):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        moves = [
            re.sub(r'"title": "([^"]*)", "due"', lambda m: f'"title": "{m[1].upper()}.", "due"', m)
            for m in task.solution
        ]
        assert score(task, *moves).value == 1


def test_requests_may_be_taken_back():
    task = app_tasks.instance(NAME, 0, 1, busy=0)
    contact = dict(task.records)["contact"][0][0]
    event = dict(task.records)["event"][0][0]
    world = task.world()
    world.use(call("request_payment", contact=contact, amount=3, event=event))
    ((_, _, text),) = world.changes()
    assert "requested" in text
    number = max(number for number, _ in world.rows("payment"))
    last = [number for number, row in world.rows("payment") if row["amount"] == 3][-1]
    assert "cancelled" in world.use(call("cancel_request", payment=max(number, last)))[0]
    assert not world.changes()


def people(text):
    return [n for n in text.split(", ") if n]


def minutes(clock):
    return 60 * int(clock[:2]) + int(clock[3:])


class Reader:
    """A reading of the prompt as text, and of what the tools answer, without the task."""

    def __init__(self, session):
        self.session = session
        self.contacts = session.rows("list_contacts")
        self.events = session.rows("list_events")
        self.messages = sorted(session.rows("find_messages"), key=lambda m: m["date"])
        self.payments = session.rows("list_payments")
        self.todos = session.rows("list_todos")
        self.files = session.rows("list_files")
        self.notes = session.rows("find_notes")
        self.today = re.search(r"Today is \w+, (\S+)\.", session.prompt)[1]

    def play(self):
        for text in self.session.requests:
            self.request(text)

    def by_nick(self, nick):
        return next(c for c in self.contacts if c["nickname"] == nick)

    def by_name(self, name):
        return next(c for c in self.contacts if c["name"] == name)

    def blocked(self, person):
        rule = self.session.rule(r"^(.*?) is not paid, not asked for money")
        return bool(rule) and rule[1] == person["name"]

    def note(self, start, event):
        number = next(
            n["id"]
            for n in self.notes
            if n["title"] == f"{start}: {event['title']} {event['date']}"
        )
        return self.session.use("read_note", note=number)

    def event_of(self, text):
        day = re.search(r"\d{4}-\d\d-\d\d", text)[0]
        return next(
            e
            for e in self.events
            if e["date"] == day and f"the {e['title']} on".lower() in text.lower()
        )

    def last(self, person, event):
        end = f"the {event['title']} on {event['date']}."
        texts = [
            m["text"]
            for m in self.messages
            if m["sender"] == person["nickname"] and m["text"].endswith(end)
        ]
        return texts[-1] if texts else ""

    def rest(self, person, event, amount, out):
        ends = ("me", person["name"]) if out else (person["name"], "me")
        key = f"{event['title']} {event['date']}"
        return amount - sum(
            p["amount"]
            for p in self.payments
            if (p["payer"], p["receiver"]) == ends and p["event"] == key and p["status"] == "done"
        )

    def small(self, amount):
        rule = self.session.rule(r"Amounts below (\d+) EUR")
        return amount < (int(rule[1]) if rule else 1)

    def request(self, text):
        low = text.lower()
        if "next free time" in low:
            self.move(text)
        elif re.search(r"for '([\w ]+)' events", text):
            self.settle(re.search(r"'([\w ]+)' events", text)[1])
        elif "team" in low and re.search("files?", low):
            self.todo(re.search(r"team '(\w+)'", text)[1])
        elif "file" in low:
            self.share(self.event_of(text))
        elif "team" in low:
            self.invite(self.event_of(text), re.search(r"team '(\w+)'", text)[1])
        elif "advanced" in low:
            self.repay(self.event_of(text))
        else:
            self.collect(self.event_of(text))

    def collect(self, event):
        for nick, share in re.findall(
            r"([\w]+): share (\d+) EUR", self.note("Costs", event).replace("\\n", "\n")
        ):
            person = self.by_nick(nick)
            due = self.rest(person, event, int(share), out=False)
            if person["name"] not in people(event["people"]) or "cannot" in self.last(
                person, event
            ):
                continue
            family = (
                self.session.rule("Nobody of the team 'family' is asked")
                and person["team"] == "family"
            )
            if due > 0 and not self.small(due) and not family and not self.blocked(person):
                self.session.use(
                    "request_payment", contact=person["id"], amount=due, event=event["id"]
                )

    def repay(self, event):
        limit = self.session.rule(r"A payment of more than (\d+) EUR is not made")
        for nick, advance in re.findall(
            r"([\w]+): advanced (\d+) EUR", self.note("Costs", event).replace("\\n", "\n")
        ):
            person = self.by_nick(nick)
            due = self.rest(person, event, int(advance), out=True)
            if due <= 0 or self.small(due) or self.blocked(person):
                continue
            if limit and due > int(limit[1]):
                title = f"pay {person['name']}"
                self.session.use("add_todo", title=title, due=self.today)
                self.todos.append({"title": title, "done": False})
            else:
                self.session.use("pay", contact=person["id"], amount=due, event=event["id"])
                self.payments.append(
                    {
                        "payer": "me",
                        "receiver": person["name"],
                        "amount": due,
                        "event": f"{event['title']} {event['date']}",
                        "status": "done",
                    }
                )

    def todo(self, team):
        for m in self.messages:
            asks = re.match(r"Please send me the file (\S+) by (\S+)\.$", m["text"])
            person = self.by_nick(m["sender"])
            if not asks or person["team"] != team:
                continue
            file = next(f for f in self.files if f["name"] == asks[1])
            title = f"send {asks[1]} to {person['name']}"
            if person["name"] in people(file["shared_with"]) or any(
                t["title"].lower() == title.lower() for t in self.todos
            ):
                continue
            day = date.fromisoformat(asks[2])
            while self.session.rule("Saturday or Sunday is due") and day.weekday() > 4:
                day -= timedelta(1)
            self.session.use("add_todo", title=title, due=str(day))
            self.todos.append({"title": title, "done": False})

    def away(self, person, day):
        return (
            self.session.rule("A contact may be away")
            and person["away_from"]
            and person["away_from"] <= day <= person["away_until"]
        )

    def invite(self, event, team):
        for person in self.contacts:
            if (
                person["team"] == team
                and "would like" in self.last(person, event)
                and person["name"] not in people(event["people"])
                and not self.away(person, event["date"])
                and not self.blocked(person)
            ):
                self.session.use("invite", event=event["id"], contact=person["id"])
                event["people"] = ", ".join([*people(event["people"]), person["name"]])

    def share(self, event):
        note = self.note("Files", event)
        bases = re.search(r'"text": "(.*?)"', note)[1].split("\\n")
        newest = self.session.rule("only the one with the highest number")
        for base in bases:
            files = sorted(
                (f for f in self.files if re.fullmatch(re.escape(base) + r"-v\d+", f["name"])),
                key=lambda f: int(f["name"].split("-v")[1]),
            )
            for file in files[-1:] if newest else files:
                for name in people(event["people"]):
                    person = self.by_name(name)
                    private = (
                        self.session.rule("folder 'Private'")
                        and file["folder"] == "Private"
                        and person["team"] != "family"
                    )
                    if (
                        name not in people(file["shared_with"])
                        and not private
                        and not self.blocked(person)
                    ):
                        self.session.use("share_file", file=file["id"], contact=person["id"])
                        file["shared_with"] = ", ".join([*people(file["shared_with"]), name])

    def settle(self, title):
        for todo in self.todos:
            match = re.fullmatch(r"get (\d+) EUR from (.*?) for (.*) (\S+)", todo["title"])
            if not match or todo["done"] or match[3] != title:
                continue
            if any(
                p["payer"] == match[2]
                and p["receiver"] == "me"
                and p["status"] == "done"
                and p["event"] == f"{match[3]} {match[4]}"
                and p["amount"] >= int(match[1])
                for p in self.payments
            ):
                self.session.use("complete_todo", todo=todo["id"])
                todo["done"] = True

    def move(self, text):
        day = re.search(r"\d{4}-\d\d-\d\d", text)[0]
        team = re.search(r"team '(\w+)'", text)[1]
        meetings = sorted(
            (
                e
                for e in self.events
                if e["date"] == day
                and e["end"] <= "17:00"
                and any(self.by_name(n)["team"] == team for n in people(e["people"]))
            ),
            key=lambda e: e["start"],
        )
        for e in meetings:
            when, start, end = self.free(e)
            self.session.use("move_event", event=e["id"], date=when, start=start)
            e.update(date=when, start=start, end=end)

    def free(self, e):
        length = minutes(e["end"]) - minutes(e["start"])
        closed = self.session.rule(r"No meeting is moved to a (\w+day)\.")
        lunch = self.session.rule("between 12:00 and 13:00")
        day = date.fromisoformat(e["date"])
        while True:
            day += timedelta(1)
            if (
                day.weekday() > 4
                or (closed and f"{day:%A}" == closed[1])
                or any(self.away(self.by_name(n), str(day)) for n in people(e["people"]))
            ):
                continue
            for start in range(540, 1021 - length, 30):
                taken = [
                    (minutes(o["start"]), minutes(o["end"]))
                    for o in self.events
                    if o is not e and o["date"] == str(day)
                ] + ([(720, 780)] if lunch else [])
                if not any(a < start + length and start < b for a, b in taken):
                    return (
                        str(day),
                        f"{start // 60:02}:{start % 60:02}",
                        f"{(start + length) // 60:02}:{(start + length) % 60:02}",
                    )


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 342), lambda session: Reader(session).play())


def test_what_is_known_from_drawing_is_what_the_records_say():
    app_tasks.check_solution(NAME, 35)


def test_every_tool_may_damage():
    app_tasks.check_every_tool_may_damage(
        NAME,
        lambda task, rng: {
            "title": "call Eve",
            "due": "2031-01-02",
            "date": "2033-03-04",
            "start": "09:30",
        },
        {
            "move_event",
            "invite",
            "pay",
            "request_payment",
            "cancel_request",
            "add_todo",
            "complete_todo",
            "share_file",
        },
    )


@pytest.mark.parametrize("field", ["since", "until"])
def test_dates_that_are_none_are_refused(field):
    world = app_tasks.instance(NAME, 1, 2).world()
    move = call("list_events", **{field: "next week"})
    assert world.use(move)[0] == "Error: a date is written as 2031-03-04"


def test_rules_of_easy_levels_are_about_their_requests():
    """At level 1 there are requests for money, to-dos and invitations."""
    rules = {rule for seed in range(20) for rule in app_tasks.instance(NAME, seed, 1).policy.rules}
    assert rules == {"family", "weekend"}
