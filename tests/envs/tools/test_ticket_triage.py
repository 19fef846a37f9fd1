"""Tests of tools/ticket_triage."""

import json
import re
from collections import Counter
from datetime import datetime, timedelta
from random import Random

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.generators.tools.ticket_triage import grammar
from palaestra.generators.tools.ticket_triage.grammar import Facts
from palaestra.generators.tools.ticket_triage.policy import PRODUCTS
from palaestra.toolbox import call

NAME = "tools/ticket_triage"


def stray(task, rng):
    """A change of a ticket that is not to be handled."""
    others = [
        each
        for each in task.records.tickets
        if each.status == "open" and each.team and each.priority
    ]
    ticket = rng.choice(others)
    return call("set_priority", ticket=ticket.number, priority=ticket.priority % 4 + 1)


def pattern(frame):
    return re.compile(re.escape(frame).replace(r"\{\}", r"(\w+)"))


class HelpDesk:
    """A second reading of the policy and of the messages."""

    def __init__(self, task):
        self.p, self.task = task.policy, task
        self.tickets = {t.number: dict(t._asdict()) for t in task.records.tickets}
        self.customers = {c.number: c for c in task.records.customers}
        self.now = self.time(task.now)

    @staticmethod
    def time(text):
        return datetime.strptime(text, "%Y-%m-%d %H:%M")

    def about(self, number):
        """What the customer states last on each matter."""
        known = {}
        messages = [m for m in self.task.records.messages if m.ticket == number]
        for m in sorted(messages, key=lambda m: m.time):
            if m.sender != "customer":
                continue
            text = "\n".join(re.findall(r"^(?!>).*$", m.text, re.MULTILINE))
            for symptom, frames in grammar.SYMPTOMS.items():
                for frame in frames:
                    for match in pattern(frame).finditer(text):
                        known["symptom"], known["product"] = symptom, match[1]
            for n, sentences in enumerate(grammar.IMPACTS.values()):
                if any(sentence in text for sentence in sentences):
                    known["level"] = 3 - n
            for frame in grammar.VERSIONS:
                for match in pattern(frame).finditer(text):
                    known["version"] = match[1]
            if any(each in text for each in grammar.WITHDRAWALS):
                known["done"] = True
        return known

    def age(self, ticket):
        return self.time(self.tickets[ticket]["opened"])

    def double_of(self, number, known):
        best = None
        for other, row in self.tickets.items():
            gap = self.age(number) - self.age(other)
            if row["organisation"] != self.tickets[number]["organisation"]:
                continue
            if row["status"] != "open" or not timedelta(0) < gap <= timedelta(hours=self.p.window):
                continue
            there = self.about(other)
            is_same = all(there[each] == known[each] for each in ("product", "symptom"))
            if is_same and (best is None or self.age(other) < self.age(best)):
                best = other
        return best

    def handle(self, number):
        row, known = self.tickets[number], self.about(number)
        if known.get("done"):
            row["status"] = "closed"
            return
        original = self.double_of(number, known)
        if original:
            row.update(status="merged", merged_into=original)
            return
        customer = self.customers[row["customer"]]
        for name, team, symptoms in self.p.categories:
            if known["symptom"] in symptoms:
                row.update(category=name, team=team)
        row["priority"] = known["level"]
        self.barred = False
        for rule in self.p.rules:
            if rule in ("enterprise", "starter", "critical", "product", "region", "calm"):
                self.simple(rule, row, known, customer)
            elif hasattr(self, rule):
                getattr(self, rule)(row, known, customer)
        if not self.barred:
            row["article"] = self.article(known)
        spared = "patient" in self.p.rules and (row["incident"] or customer.plan == "starter")
        if "escalate" in self.p.rules and not spared:
            hours = self.p.limits[row["priority"] - 1]
            row["escalated"] = self.now - self.age(number) > timedelta(hours=hours)

    def simple(self, rule, row, known, customer):
        if rule in ("enterprise", "starter"):
            table = {1: 1, 2: 1, 3: 2, 4: 3} if rule == "enterprise" else {1: 2, 2: 3, 3: 4, 4: 4}
            row["priority"] = table[row["priority"]] if customer.plan == rule else row["priority"]
        elif rule == "critical":
            row["priority"] = 1 if known["symptom"] in self.p.critical else row["priority"]
        elif rule == "product":
            row["team"] = self.p.product_team if known["product"] == self.p.product else row["team"]
        elif rule == "region":
            row["team"] = self.p.region_team if customer.region == self.p.region else row["team"]
        elif row["incident"]:
            row["priority"] = 4

    def incident(self, row, known, customer):
        fits = [
            each
            for each in self.task.records.incidents
            if each.product == known["product"]
            and each.problem == known["symptom"]
            and each.region == customer.region
            and each.status == "open"
            and self.time(each.started) < self.age(row["number"])
        ]
        assert len(fits) < 2, "one incident fits"
        for each in fits:
            row.update(incident=each.number, team=each.team)
            self.barred = True

    def silent(self, row, known, customer):
        self.barred = self.barred or row["priority"] == 1

    def repeat(self, row, known, customer):
        old = [
            other
            for other, there in self.tickets.items()
            if there["organisation"] == row["organisation"]
            and there["status"] == "closed"
            and timedelta(0) < self.age(row["number"]) - self.age(other) <= timedelta(self.p.days)
            and self.about(other)["product"] == known["product"]
        ]
        if len(old) >= self.p.repeats:
            row["priority"] = max(1, row["priority"] - 1)

    def expired(self, row, known, customer):
        if customer.contract_until < self.task.now[:10]:
            row.update(team=self.p.expired_team, priority=4)
            self.barred = True

    def article(self, known):
        fits = [
            each
            for each in self.task.records.articles
            if each.status == "current"
            and each.product == known["product"]
            and each.problem == known["symptom"]
            and ("version" not in self.p.rules or known["version"] in each.versions.split(", "))
        ]
        return max(fits, key=lambda each: each.updated).number if fits else 0

    def goal(self):
        new = [
            t
            for t in self.task.records.tickets
            if t.status == "open" and t.team == "" and t.opened >= self.task.since
        ]
        for ticket in sorted(new, key=lambda t: t.opened):
            self.handle(ticket.number)
        return {
            ("ticket", str(t.number), field): self.tickets[t.number][field]
            for t in self.task.records.tickets
            for field, value in t._asdict().items()
            if self.tickets[t.number][field] != value
        }


WORDS = {
    "sign-in problems": "locked out|right password|My login|get past|The password for",
    "slow pages": "takes a minute|takes ages|wait forever|crawl|make coffee",
    "crashes": "closes by itself|just vanishes|quits|falls over|disappears from the screen",
    "wrong invoices": "bill|invoice for",
    "double charges": "twice|two times|once more|a second time",
    "lost records": "are gone|have disappeared|not there today|are missing|has vanished",
    "failed exports": "exports is empty|report out|download of a table|export button|spreadsheet",
    "failed synchronisation": "different things|other devices|out of step|never arrives|in step",
    "suspicious sign-ins": "abroad|not mine|stranger|unknown devices|nobody we know",
    "questions on use": "How do I|Where in|Is there a way|explain how|like to know",
    3: "only me|do not have this|Just one of us|Everyone else is fine|the only one",
    2: "have it, too|half of the team|handful|Three of us|part of the office",
    1: "whole company|Not one of us|All of us|Every single|Nobody here",
    "done": "please close|we have solved|can close|No need to do|settled itself",
}
"""Words in the sentences of customers that tell what they are about."""


class Sorter:
    """A player who reads the policy in the prompt, and sentences by the words in them."""

    def __init__(self, session):
        self.session, self.facts = session, {}
        self.brief = session.prompt.partition("\n\nTools:")[0]
        self.tickets = {row["id"]: row for row in session.rows("list_tickets")}
        self.people = {row["id"]: row for row in session.rows("find_customers")}
        self.now, *_, self.since = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", self.brief)

    def play(self):
        rows = self.session.rows("list_tickets", new=True)
        for row in sorted(rows, key=lambda row: row["opened"]):
            if row["opened"] >= self.since:
                self.handle(row["id"])

    def about(self, ticket):
        """The customer of a ticket, and what it is about."""
        if ticket not in self.facts:
            lines = self.session.use("read_ticket", ticket=ticket).splitlines()
            row, *messages = map(json.loads, lines)
            facts = {"customer": self.people[row["customer"]]}
            for message in sorted(messages, key=lambda each: each["time"]):
                if message["sender"] == "customer":
                    facts |= self.read(message["text"])
            self.facts[ticket] = facts
        return self.facts[ticket]

    def read(self, text):
        facts = {}
        lines = [line for line in text.splitlines() if not line.startswith(">")]
        for sentence in re.split(r"\n|(?<=[.?!]) ", "\n".join(lines)):
            for meaning, words in WORDS.items():
                if re.search(words, sentence):
                    name = "impact" if isinstance(meaning, int) else "problem"
                    facts["done" if meaning == "done" else name] = meaning
                    if name == "problem" and meaning != "done":
                        (facts["product"],) = {*PRODUCTS} & {*re.findall(r"\w+", sentence)}
            if version := re.search(r"[Vv]ersion (?:is )?(\d+)", sentence):
                facts["version"] = version[1]
        return facts

    def age(self, ticket, until=None):
        """The hours from when a ticket was opened until another was, or until now."""
        end = self.tickets[until]["opened"] if until else self.now
        times = [
            datetime.strptime(t, "%Y-%m-%d %H:%M") for t in (self.tickets[ticket]["opened"], end)
        ]
        return (times[1] - times[0]) / timedelta(hours=1)

    def others(self, ticket, status, hours):
        """The tickets of the same organisation with a status in the hours before, by age."""
        row = self.tickets[ticket]
        others = [
            other
            for other, there in self.tickets.items()
            if there["organisation"] == row["organisation"]
            and there["status"] == status
            and 0 < self.age(other, ticket) <= hours
        ]
        return sorted(others, key=lambda other: self.tickets[other]["opened"])

    def handle(self, ticket):
        facts = self.about(ticket)
        if "done" in facts:
            self.session.use("close_ticket", ticket=ticket)
            self.tickets[ticket]["status"] = "closed"
            return
        hours = int(re.search(r"opened before it, by at most (\d+) hours", self.brief)[1])
        for other in self.others(ticket, "open", hours):
            there = self.about(other)
            if all(there[name] == facts[name] for name in ("product", "problem")):
                self.session.use("merge_ticket", ticket=ticket, into=other)
                self.tickets[ticket]["status"] = "merged"
                return
        case = re.search(rf"(\w+) \(team (\w+)\): [^;.]*{facts['problem']}", self.brief)
        state = {"priority": facts["impact"], "team": case[2], "article": True, "incident": 0}
        for rule in self.session.rules:
            self.apply(rule, ticket, facts, state)
        use = self.session.use
        use("set_category", ticket=ticket, category=case[1])
        use("set_priority", ticket=ticket, priority=state["priority"])
        use("set_team", ticket=ticket, team=state["team"])
        if state["incident"]:
            use("link_incident", ticket=ticket, incident=state["incident"])
        if state["article"] and (article := self.article(facts)):
            use("send_article", ticket=ticket, article=article)
        if self.is_late(ticket, facts, state):
            use("escalate", ticket=ticket)

    def apply(self, rule, ticket, facts, state):
        """Apply a rule, if it is about the ticket, to what the earlier ones result in."""
        customer = facts["customer"]
        plan = re.match(r"Tickets of customers with the plan (\w+) are (raised|lowered)", rule)
        if plan and customer["plan"] == plan[1]:
            state["priority"] += -1 if plan[2] == "raised" else 1
        problems = re.match(r"Tickets about (.*) or (.*) have the priority 1", rule)
        if problems and facts["problem"] in problems.groups():
            state["priority"] = 1
        team = re.match(
            r"Tickets (?:about|of customers in the region) (\w+) go to .* (\w+)\.", rule
        )
        if team and team[1] in (facts["product"], customer["region"]):
            state["team"] = team[2]
        if rule.startswith("If there is an open incident"):
            self.link(facts, state, self.tickets[ticket]["opened"])
        if rule.startswith("Tickets that are linked to an incident have") and state["incident"]:
            state["priority"] = 4
        if rule.startswith("Tickets with the priority 1 by now") and state["priority"] == 1:
            state["article"] = False
        closed = re.search(r"has (\d+) closed tickets or more .* in the (\d+) days before", rule)
        if closed:
            others = self.others(ticket, "closed", 24 * int(closed[2]))
            same = [n for n in others if self.about(n)["product"] == facts["product"]]
            state["priority"] -= len(same) >= int(closed[1])
        ended = re.search(
            r"contract .* ended before today, the ticket goes to the team (\w+),", rule
        )
        if ended and customer["contract_until"] < self.now[:10]:
            state.update(team=ended[1], priority=4, article=False)
        state["priority"] = min(4, max(1, state["priority"]))

    def link(self, facts, state, opened):
        for row in self.session.rows("list_incidents", product=facts["product"]):
            fits = [
                row["status"] == "open",
                row["problem"] == facts["problem"],
                row["region"] == facts["customer"]["region"],
                row["started"] < opened,
            ]
            if all(fits):
                state.update(incident=row["id"], team=row["team"], article=False)

    def article(self, facts):
        subject = {name: facts[name] for name in ("product", "problem")}
        bound = self.session.rule("Articles count only if the version")
        rows = [
            row
            for row in self.session.rows("search_articles", **subject)
            if row["status"] == "current"
            and (not bound or facts["version"] in row["versions"].split(", "))
        ]
        return max(rows, key=lambda row: row["updated"])["id"] if rows else 0

    def is_late(self, ticket, facts, state):
        limit = self.session.rule(rf"escalate .* (\d+) for priority {state['priority']}")
        spared = self.session.rule("plan starter are not escalated")
        if spared and (state["incident"] or facts["customer"]["plan"] == "starter"):
            return False
        return limit and self.age(ticket) > int(limit[1])


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 412), lambda session: Sorter(session).play())


def test_problems_do_not_state_how_many_people_have_them():
    for frames in grammar.SYMPTOMS.values():
        for frame in frames:
            assert not re.match("Nobody|Everybody|Everyone|All of us|None of us", frame)


def test_the_goal_by_another_reading():
    app_tasks.check_same_goal(NAME, 105, lambda task: HelpDesk(task).goal())


def test_the_oracle_wins():
    for seed in range(175):
        task = app_tasks.instance(NAME, seed, seed % 7)
        assert score(task, *task.solution).value == 1, (seed, seed % 7)
        assert len(task.solution) * 3 // 2 < task.calls
        assert score(task).value == 0
        assert len(task.new_tickets()) == task.Knobs.at(seed % 7).tickets


def test_all_decisions_come_up():
    fields, rules = Counter(), Counter()
    for seed in range(60):
        task = app_tasks.instance(NAME, seed, 5)
        for path, value in task.goal.items():
            fields[path[2] if path[2] != "status" else value] += 1
        rules.update(task.policy.rules)
    assert {*fields} == {
        "category", "priority", "team", "article", "incident", "escalated", "closed", "merged",
        "merged_into",
    }  # fmt: skip
    assert min(fields.values()) > 15
    assert len(rules) == 13


def test_sentences_have_one_meaning():
    for seed in range(300):
        rng = Random(seed)
        facts = Facts(
            rng.choice(PRODUCTS), rng.choice([*grammar.SYMPTOMS]), rng.choice([*grammar.IMPACTS]),
            rng.randint(1, 99),
        )  # fmt: skip
        quoted = [rng.choice(grammar.WITHDRAWALS), "It is only me."]
        assert grammar.reading(Facts(), grammar.opening(rng, facts, quoted)) == facts
    for frames in (*grammar.SYMPTOMS.values(), *grammar.IMPACTS.values(), grammar.WITHDRAWALS):
        assert len({*frames}) >= 5


def test_tickets_have_thousands_of_wordings():
    facts = Facts("Quillow", "crashes", "everybody", 4)
    assert len({grammar.opening(Random(seed), facts) for seed in range(3_000)}) > 2_900


def test_the_oracle_holds_no_world():
    app_tasks.check_solution(NAME, 7)


@pytest.mark.parametrize("level", range(7))
def test_other_changes_are_damage(level):
    app_tasks.check_damage(NAME, level, stray, seeds=4)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_call_is_needed(level):
    app_tasks.check_missing_calls(NAME, level, seeds=3, replaced=False)


def test_wrong_values_give_nothing():
    tried = set()
    for seed in range(40):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        for n, move in enumerate(task.solution):
            wrong = re.sub(r'("priority": )(\d)', lambda m: f"{m[1]}{int(m[2]) % 4 + 1}", move)
            wrong = re.sub(r'("team": )"\w+"', r'\1"Quail"', wrong)
            wrong = re.sub(r'("category": )"\w+"', r'\1"Lapis"', wrong)
            article = task.records.articles[seed % 2].number
            wrong = re.sub(r'("article": )\d+', rf"\g<1>{article}", wrong)
            last = task.records.tickets[0].number
            wrong = re.sub(r'("into": )\d+', rf"\g<1>{last}", wrong)
            unused = "Quail" not in str(task.policy) and "Lapis" not in str(task.policy)
            if wrong == move or not unused:
                continue
            tried.add(re.match(r'\{"tool": "(\w+)', move)[1])
            assert score(task, *task.solution[:n], wrong, *task.solution[n + 1 :]).value == 0
    assert {"set_priority", "set_team", "set_category", "send_article", "merge_ticket"} <= tried


def test_rewards():
    app_tasks.check_rewards(NAME, stray)


def test_replay():
    app_tasks.check_replay(NAME)


def test_dialects():
    app_tasks.check_dialects(NAME)


def test_hostile_arguments():
    app_tasks.check_hostile_arguments(NAME)


@pytest.mark.parametrize(("level", "most"), [(3, 0.26), (6, 0.07)])
def test_lazy_players_earn_little(level, most):
    app_tasks.check_players(NAME, level, most)
