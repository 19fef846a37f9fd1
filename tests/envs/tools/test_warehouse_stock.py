"""Tests of tools/warehouse_stock."""

import math
import re
from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.episode import BARE, Episode
from palaestra.generators.tools.records import new_row
from palaestra.toolbox import call

NAME = "tools/warehouse_stock"


def stray(task, rng):
    """A change of an order that is not to be handled."""
    others = [each for each in task.records.orders if each.due > task.until]
    order = rng.choice(others or [each for each in task.records.orders if each.status != "open"])
    return call("finish_order", order=order.number, result="rejected: credit")


class Stock:
    """A second reading of the policy, which moves pieces one at a time."""

    def __init__(self, task):
        self.p, self.r, self.until = task.policy, task.records, task.until
        self.lots = {(lot.site, lot.code): dict(lot._asdict()) for lot in self.r.lots}
        self.items = {item.name: item for item in self.r.items}
        self.regions = {site.name: site.region for site in self.r.sites}
        self.status = {order.number: order.status for order in self.r.orders}
        self.shipped, self.moved, self.bought = Counter(), Counter(), Counter()

    def rule(self, name):
        return name in self.p.rules

    def recall(self):
        for lot in self.lots.values():
            for notice in self.r.recalls:
                if notice.item != lot["item"] or notice.status == "withdrawn":
                    continue
                first, last = int(notice.first_code[1:]), int(notice.last_code[1:])
                if int(lot["code"][1:]) in range(first, last + 1):
                    lot["status"] = "blocked"

    def free(self, lot, order):
        item = self.items[lot["item"]]
        left = (date.fromisoformat(lot["expires"]) - date.fromisoformat(order.due)).days
        days = dict(zip(("food", "chemical", "hardware"), self.p.shelf))[item.type]
        if lot["status"] == "blocked" or left <= (days if self.rule("shelf") else 0):
            return 0
        count = lot["pieces"] - lot["damaged_pieces"]
        if not (self.rule("reserved") and order.urgent and lot["site"] == order.site):
            count -= lot["reserved_pieces"]
        return max(0, count)

    def at(self, site, item, order):
        """The lots of an item at a site in turn, with what is free."""
        lots = [lot for lot in self.lots.values() if (lot["site"], lot["item"]) == (site, item)]
        lots.sort(key=lambda lot: (lot["expires"], lot["code"]))
        return [(lot, self.free(lot, order)) for lot in lots]

    def choice(self, item, order, pieces, elsewhere):
        """How many pieces come from each lot, or nothing where there are not enough."""
        own = self.at(order.site, item, order)
        if self.rule("single") and self.items[item].type == self.p.single:
            return self.from_one_lot(item, order, pieces, elsewhere)
        queue = [(lot, free, None) for lot, free in own]
        left = self.left(item, order) if elsewhere else {}
        if sum(free for _, free in own) < pieces:
            queue += [
                (lot, free, site) for site in left for lot, free in self.at(site, item, order)
            ]
        taken = []
        for lot, free, site in queue:
            count = 0
            while count < free and pieces and (site is None or left[site] > 0):
                count, pieces = count + 1, pieces - 1
                if site is not None:
                    left[site] -= 1
            if count:
                taken.append((lot, count))
        return taken if pieces == 0 else []

    def left(self, item, order):
        """How many pieces other sites can give, in the order of their turns."""
        sites = [site for site in self.regions if site != order.site]
        if self.rule("region") and not (self.rule("urgent") and order.urgent):
            sites = [site for site in sites if self.regions[site] == self.regions[order.site]]
        stock = {site: sum(free for _, free in self.at(site, item, order)) for site in sites}
        kept = self.p.safety if self.rule("safety") else 0
        if self.rule("dense") and self.items[item].box >= 12:
            kept = 0
        turns = sorted(sites, key=lambda site: (-stock[site], site))
        return {site: stock[site] - kept for site in turns}

    def from_one_lot(self, item, order, pieces, elsewhere):
        left = self.left(item, order) if elsewhere else {}
        for site in (order.site, *left):
            for lot, free in self.at(site, item, order):
                if free >= pieces and left.get(site, pieces) >= pieces:
                    return [(lot, pieces)]
        return []

    def ship(self, order, taken):
        for lot, count in taken:
            lot["pieces"] -= count
            self.shipped[order.number, lot["code"]] += count
            if lot["site"] != order.site:
                self.moved[lot["code"], lot["site"], order.site] += count
                if (order.site, lot["code"]) not in self.lots:
                    new = {**lot, "site": order.site, "pieces": 0}
                    new |= {"reserved_pieces": 0, "damaged_pieces": 0}
                    self.lots[order.site, lot["code"]] = {**new, "number": None}

    def handle(self, order):
        standings = {each.name: each.standing for each in self.r.customers}
        if self.rule("credit") and standings[order.customer] == "on hold":
            return "rejected: credit"
        if self.rule("duplicate"):
            for other in self.r.orders:
                same = other._replace(number=0, urgent=0, substitutes=0, status="")
                mine = order._replace(number=0, urgent=0, substitutes=0, status="")
                counts = self.status[other.number] in ("open", "shipped")
                if other.number < order.number and same == mine and counts:
                    return "rejected: duplicate"
        item = self.items[order.item]
        pieces = order.quantity * {"box": item.box, "piece": 1}[order.unit]
        taken = self.choice(order.item, order, pieces, elsewhere=True)
        if taken:
            self.ship(order, taken)
            return "shipped"
        barred = self.rule("unsubstituted") and item.type == self.p.unsubstituted
        rows = [row for row in self.r.substitutes if row.item == order.item]
        for row in sorted(rows, key=lambda row: row.rank):
            if order.substitutes and not barred:
                taken = self.choice(row.substitute, order, pieces, elsewhere=False)
                if taken:
                    self.ship(order, taken)
                    return "substituted"
        offers = [row for row in self.r.suppliers if row.item == order.item]
        if self.rule("supplier"):
            offers = [row for row in offers if row.name != self.p.supplier]
        fast = self.rule("quick") and order.urgent
        offer = min(offers, key=lambda row: row.days if fast else row.price)
        boxes = max(math.ceil(pieces / item.box), offer.minimum)
        values = {"supplier": offer.name, "item": item.name, "boxes": boxes, "site": order.site}
        self.bought[new_row("purchase", **values)] += 1
        return "backordered"

    def goal(self):
        self.recall()
        orders = [
            each for each in self.r.orders if each.status == "open" and each.due <= self.until
        ]
        for order in sorted(orders, key=lambda o: (0 if o.urgent else 1, o.due, o.number)):
            self.status[order.number] = self.handle(order)
        goal = dict(self.bought)
        for order in self.r.orders:
            if self.status[order.number] != order.status:
                goal["order", str(order.number), "status"] = self.status[order.number]
        for (order, code), pieces in self.shipped.items():
            goal[new_row("shipment", pieces=pieces, order=order, code=code)] = 1
        for (code, origin, there), pieces in self.moved.items():
            way = {"origin": origin, "destination": there}
            goal[new_row("transfer", pieces=pieces, code=code, **way)] = 1
        before = {(lot.site, lot.code): lot._asdict() for lot in self.r.lots}
        for key, lot in self.lots.items():
            if key not in before:
                row = {name: value for name, value in lot.items() if name != "number"}
                goal[new_row("lot", **row)] = 1
                continue
            for field, value in before[key].items():
                if lot[field] != value:
                    goal["lot", str(lot["number"]), field] = lot[field]
        return goal


class Clerk:
    """A player who reads the policy in the prompt, and moves pieces by the lists of the tools."""

    def __init__(self, session):
        self.session = session
        self.orders = session.rows("list_orders")
        self.status = {order["id"]: order["status"] for order in self.orders}
        self.items = {row["name"]: row for row in session.rows("find_items")}
        self.regions = {row["name"]: row["region"] for row in session.rows("list_sites")}
        self.standing = {row["name"]: row["standing"] for row in session.rows("find_customers")}
        self.lots = session.rows("list_lots")

    def rule(self, pattern, order, exception=None):
        """The values in a rule, unless another rule says that it does not apply to an order."""
        match = self.session.rule(pattern)
        if not match:
            return None
        number = self.session.rules.index(match.string) + 1
        for text in self.session.rules:
            if text == f"Rule {number} does not apply to urgent orders." and order["urgent"]:
                return None
            dense = re.match(rf"Rule {number} .* items with (\d+) pieces or more in a box", text)
            if dense and self.items[order["item"]]["box"] >= int(dense[1]):
                return None
        return match

    def play(self):
        for notice in self.session.rows("list_recalls"):
            for lot in self.lots:
                is_meant = notice["status"] == "active" and notice["item"] == lot["item"]
                is_in_range = notice["first_code"] <= lot["code"] <= notice["last_code"]
                if is_meant and is_in_range and lot["status"] == "free":
                    self.session.use("block_lot", code=lot["code"], site=lot["site"])
                    lot["status"] = "blocked"
        last = re.findall(r"\d{4}-\d\d-\d\d", self.session.prompt.partition("\n\nTools:")[0])[-1]
        due = [o for o in self.orders if o["status"] == "open" and o["due"] <= last]
        for order in sorted(due, key=lambda o: (not o["urgent"], o["due"], o["id"])):
            result = self.handle(order)
            self.session.use("finish_order", order=order["id"], result=result)
            self.status[order["id"]] = result.partition(":")[0]

    def handle(self, order):
        on_hold = self.standing[order["customer"]] == "on hold"
        credit = self.rule("on hold are rejected for credit", order) and on_hold
        duplicate = self.rule("rejected as a duplicate if", order) and self.is_double(order)
        if credit and duplicate:
            rank = int(self.session.rule(r"Rule (\d+) takes precedence")[1])
            assert "credit" in self.session.rules[rank - 1]
        if credit or duplicate:
            return "rejected: credit" if credit else "rejected: duplicate"
        box = self.items[order["item"]]["box"]
        pieces = order["quantity"] * (box if order["unit"] == "box" else 1)
        if self.shipped(order, order["item"], pieces, self.givers(order)):
            return "shipped"
        barred = self.rule(r"of the class (\w+) are not substituted", order)
        is_barred = barred and self.items[order["item"]]["type"] == barred[1]
        if order["substitutes"] and not is_barred:
            rows = self.session.rows("list_substitutes", item=order["item"])
            for row in sorted(rows, key=lambda row: row["rank"]):
                is_meant = row["item"] == order["item"]
                if is_meant and self.shipped(order, row["substitute"], pieces, {}):
                    return "substituted"
        self.buy(order, -(-pieces // box))
        return "backordered"

    def is_double(self, order):
        fields = ("customer", "item", "quantity", "unit", "site", "due")
        return any(
            other["id"] < order["id"]
            and self.status[other["id"]] in ("open", "shipped")
            and all(other[field] == order[field] for field in fields)
            for other in self.orders
        )

    def buy(self, order, boxes):
        barred = self.rule(r"Nothing is bought from (.*)\.", order)
        is_quick = self.rule("shortest delivery time", order) and order["urgent"]
        offers = [
            row
            for row in self.session.rows("list_suppliers", item=order["item"])
            if row["item"] == order["item"] and not (barred and row["name"] == barred[1])
        ]
        offer = min(offers, key=lambda row: row["days" if is_quick else "price"])
        values = {"item": order["item"], "boxes": max(boxes, offer["minimum"])}
        self.session.use("buy", supplier=offer["name"], site=order["site"], **values)

    def at(self, order, item, site):
        """The lots of an item at a site in turn, with the pieces that are available."""
        shelf = self.rule("expires more than so many days", order)
        days = re.search(rf"(\d+) for {self.items[item]['type']}", shelf.string) if shelf else None
        limit = date.fromisoformat(order["due"]) + timedelta(int(days[1]) if days else 0)
        is_open = self.rule("reserved pieces at the site", order) and order["urgent"]
        lots = []
        for lot in self.lots:
            pieces = lot["pieces"] - lot["damaged_pieces"]
            if not (is_open and site == order["site"]):
                pieces -= lot["reserved_pieces"]
            is_here = (lot["item"], lot["site"], lot["status"]) == (item, site, "free")
            if is_here and date.fromisoformat(lot["expires"]) > limit and pieces > 0:
                lots.append((lot, pieces))
        return sorted(lots, key=lambda each: (each[0]["expires"], each[0]["code"]))

    def givers(self, order):
        """The pieces that other sites can give, in the order of their turns."""
        keeps = self.rule(r"to another, (\d+) pieces of the item", order)
        is_bound = self.rule("between sites of the same region only", order)
        stock = {
            site: sum(pieces for _, pieces in self.at(order, order["item"], site))
            for site, region in self.regions.items()
            if site != order["site"] and (not is_bound or region == self.regions[order["site"]])
        }
        turns = sorted(stock, key=lambda site: (-stock[site], site))
        return {site: stock[site] - (int(keeps[1]) if keeps else 0) for site in turns}

    def shipped(self, order, item, pieces, givers):
        """Ship all of an order from the own site and those that give, or nothing."""
        single = self.rule(r"of the class (\w+) are shipped from one lot", order)
        is_single = single and self.items[item]["type"] == single[1]
        own = self.at(order, item, order["site"])
        if not is_single and sum(count for _, count in own) >= pieces:
            givers = {}
        parts, missing = [], pieces
        for site, most in [(order["site"], pieces), *givers.items()]:
            left = most
            for lot, count in own if site == order["site"] else self.at(order, item, site):
                taken = min(count, left, missing)
                if taken > 0 and (not is_single or taken == pieces):
                    parts.append((lot, taken))
                    left, missing = left - taken, missing - taken
        if missing:
            return False
        for lot, taken in parts:
            self.move(order, lot, taken)
        return True

    def move(self, order, lot, pieces):
        code = lot["code"]
        lot["pieces"] -= pieces
        if lot["site"] != order["site"]:
            way = {"origin": lot["site"], "destination": order["site"]}
            self.session.use("transfer", code=code, pieces=pieces, **way)
        self.session.use("ship", order=order["id"], code=code, pieces=pieces)


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 412), lambda session: Clerk(session).play())


def test_rules_that_reject_the_same_order_have_an_order():
    for seed in range(12):
        prompt = Episode(app_tasks.instance(NAME, seed, 6), BARE).observation
        (credit,) = re.findall(r"Rule (\d+): Orders of customers on hold", prompt)
        assert re.search(rf"or shipped\. Rule {credit} takes precedence\.", prompt)


def test_an_order_that_cannot_be_shipped_from_one_lot_may_be_substituted():
    """The words do not make it depend on the pieces of several lots, which do not help it."""
    for seed in range(3):
        prompt = Episode(app_tasks.instance(NAME, seed, 6), BARE).observation
        assert "If the order cannot be shipped in one of these ways and allows subst" in prompt
        assert "Without such a lot, the order cannot be shipped." in prompt


def test_dates_that_are_none_are_refused():
    task = app_tasks.instance(NAME, 0, 2, busy=0)
    world = task.world()
    for text in ("tomorrow", "31.12.2031", "2031-13-01"):
        result, _ = world.use(call("list_orders", due_until=text))
        assert result == "Error: a date is written as 2031-03-04"
    assert "Error" not in world.use(call("list_orders", due_until=" 2031-12-31 "))[0]


def test_errors_state_how_many_pieces_there_are():
    task = app_tasks.instance(NAME, 0, 2, busy=0)
    lot = next(each for each in task.records.lots if each.pieces > 1)
    there = next(each.name for each in task.records.sites if each.name != lot.site)
    world = task.world()
    values = {"code": lot.code, "origin": lot.site, "destination": there}
    for number in (0, lot.pieces + 1):
        result, _ = world.use(call("transfer", **values, pieces=number))
        expected = f"lot {lot.code} at {lot.site} is from 1 to {lot.pieces}"
        assert result == f"Error: the number of pieces of {expected}"
    world.use(call("transfer", **values, pieces=lot.pieces))
    result, _ = world.use(call("transfer", **values, pieces=1))
    assert result == f"Error: there are no pieces of lot {lot.code} at {lot.site}"


def test_players_without_units_earn_little_at_the_top():
    earned = 0
    for seed in range(60):
        task = app_tasks.instance(NAME, seed, 6)
        policy = task.baselines(Random(seed))["no units"]
        episode = Episode(task, BARE)
        while episode.scores is None:
            episode.step(policy(episode.turn))
        earned += episode.score.value
    assert earned <= 2


def test_the_goal_by_another_reading():
    app_tasks.check_same_goal(NAME, 140, lambda task: Stock(task).goal())


def test_the_oracle_wins():
    for seed in range(154):
        task = app_tasks.instance(NAME, seed, seed % 7)
        assert score(task, *task.solution).value == 1, (seed, seed % 7)
        assert len(task.solution) * 5 // 4 < task.calls
        assert score(task).value == 0


def test_all_decisions_come_up():
    seen, rules = Counter(), Counter()
    for seed in range(80):
        task = app_tasks.instance(NAME, seed, 4)
        for path, value in task.goal.items():
            seen[value if path[0] == "order" else value if value == "blocked" else path[0]] += 1
        rules.update(task.policy.rules)
    assert {*seen} >= {
        "shipped", "substituted", "backordered", "rejected: credit", "rejected: duplicate",
        "blocked", "transfer", "purchase", "shipment",
    }  # fmt: skip
    assert len(rules) == 12


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
    for seed in range(10):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        for n in app_tasks.changing_calls(task):
            move = task.solution[n]
            wrong = re.sub(r'"(pieces|boxes)": (\d+)', lambda m: f'"{m[1]}": {int(m[2]) + 1}', move)
            wrong = re.sub(r'"result": "\w+"', '"result": "rejected: duplicate"', wrong)
            if wrong == move:
                continue
            tried.add(re.match(r'\{"tool": "(\w+)', move)[1])
            assert score(task, *task.solution[:n], wrong, *task.solution[n + 1 :]).value == 0
    assert tried == {"ship", "transfer", "buy", "finish_order"}


def test_pieces_may_be_shipped_in_several_calls():
    for seed in range(5):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        moves = []
        for move in task.solution:
            match = re.search(r'"tool": "(ship|transfer)".*"pieces": (\d+)', move)
            count = int(match[2]) if match else 1
            parts = [1, count - 1] if count > 1 else [count]
            moves += [re.sub(r'("pieces": )\d+', rf"\g<1>{part}", move) for part in parts]
        if len(moves) <= task.calls:
            assert score(task, *moves).value == 1


def test_codes_and_names_are_read_in_any_case():
    task = app_tasks.instance(NAME, 5, 3, busy=0)
    moves = [
        re.sub(r'"(site|supplier|item)": "([^"]+)"', lambda m: m[0].lower(), move)
        for move in task.solution
    ]
    assert score(task, *(re.sub('"L([0-9]+)"', r'" l\1 "', move) for move in moves)).value == 1


def test_expired_stock_comes_up():
    task = app_tasks.instance(NAME, 1, 6)
    today = date.fromisoformat(task.today)
    assert any(
        date.fromisoformat(each.expires) < today + timedelta(6) for each in task.records.lots
    )


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
    app_tasks.check_players(NAME, level, most, seeds=40)
