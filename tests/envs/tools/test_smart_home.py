"""Tests of tools/smart_home."""

import re
from collections import Counter

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.generators.tools.records import new_row
from palaestra.generators.tools.smart_home.house import FIELDS
from palaestra.toolbox import call

NAME = "tools/smart_home"
RANKS = {"adult": 0, "child": 1, "guest": 2}


def extra(task, rng):
    """A refusal that is one too many."""
    return call("decline", member=rng.choice(dict(task.records)["member"])[0])


def test_lists_state_that_they_are_complete():
    world = app_tasks.instance(NAME, 1, 0, busy=0).world()
    assert world.use(call("list_members"))[0].endswith("}\n(page 1 of 1)")
    scene = world.use(call("read_scene", scene=next(n for n, _ in world.rows("scene"))))[0]
    assert scene.endswith("}")


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


@pytest.mark.parametrize(("level", "most"), [(3, 0.25), (6, 0.07)])
def test_lazy_players_earn_little(level, most):
    app_tasks.check_players(NAME, level, most)


class House:
    """A second reading of the rules, device by device over plain dictionaries."""

    def __init__(self, task):
        self.task, self.p = task, task.policy
        self.t = {
            name: {row[0]: dict(zip(FIELDS[name], row[1:])) for row in rows}
            for name, rows in task.records
        }
        self.before = {n: {k: dict(r) for k, r in rows.items()} for n, rows in self.t.items()}
        self.new = Counter()

    def rule(self, name):
        return name in self.p.rules

    def room(self, d):
        return next(r for r in self.t["room"].values() if r["name"] == d["room"])

    def person(self, name):
        return next(each for each in self.t["member"].items() if each[1]["name"] == name)

    def within(self, d, r):
        if r.room:
            return d["room"] == r.room
        return not r.floor or self.room(d)["floor"] == r.floor

    def quiet(self, time):
        minutes = [int(t[:2]) * 60 + int(t[3:]) for t in (time, self.p.quiet_from)]
        end = int(self.p.quiet_until[:2]) * 60 + 30
        return not end <= minutes[0] < minutes[1]

    def goal_level(self, d, level):
        if d["type"] == "heater" and self.rule("window") and self.room(d)["window_open"]:
            return self.p.frost
        caps = [level]
        if d["type"] == "speaker" and self.rule("quiet") and self.quiet(self.p.now):
            caps.append(self.p.volume)
        if d["type"] == "light" and self.rule("bright"):
            caps += [self.p.brightness] * (self.room(d)["floor"] == self.p.floor)
        return min(caps)

    def kept(self, d, level, asker):
        reasons = []
        if self.rule("held") and d["held_by"]:
            own = self.rule("adults") and asker == d["held_by"]
            reasons.append(not (own and self.person(asker)[1]["role"] == "adult"))
        if self.rule("ill"):
            reasons.append(d["room"] == f"room of {self.p.ill}" and d["type"] != "heater")
        if self.rule("protected"):
            reasons.append(level == 0 and d["name"] in self.p.protected)
        if self.rule("occupied"):
            used = self.room(d)["minutes_since_motion"] <= self.p.minutes
            reasons.append(d["type"] == "light" and used)
        return any(reasons)

    def forbidden(self, wishes, asker):
        if not asker:
            return False
        role, own = self.person(asker)[1]["role"], self.person(asker)[1]["room"]
        types = {self.t["device"][n]["type"] for n in wishes}
        rooms = {self.t["device"][n]["room"] for n in wishes}
        if role == "child" and self.rule("children"):
            return bool(types & {"heater", "lock"})
        return role == "guest" and self.rule("guests") and bool(rooms - {own})

    def bring(self, wishes, asker):
        if self.forbidden(wishes, asker):
            self.new[new_row("refusal", member=self.person(asker)[0])] += 1
            return
        for n, wish in wishes.items():
            d = self.t["device"][n]
            level = self.goal_level(d, wish)
            if d["level"] != level and not self.kept(d, level, asker):
                if d["online"]:
                    d["level"] = level
                else:
                    self.new[new_row("report", device=n)] = 1

    def set(self, r):
        wishes = {}
        for n, d in self.t["device"].items():
            named = d["type"] == r.type and self.within(d, r) and r.name in d["name"]
            if named and (r.above < 0 or d["level"] > r.above):
                wishes[n] = r.level
        self.bring(wishes, r.member)

    def scene(self, r):
        (text,) = [s["settings"] for s in self.t["scene"].values() if s["name"] == r.name]
        levels = {t: int(n) for t, n in re.findall(r"(\w+) (\d+)", text)}
        devices = {n: d for n, d in self.t["device"].items() if d["room"] == r.room}
        wishes = {n: levels[d["type"]] for n, d in devices.items() if d["type"] in levels}
        self.bring(wishes, r.member)

    def night(self, r):
        wishes = {}
        for n, d in self.t["device"].items():
            child = any(
                (m["role"], m["at_home"], m["room"]) == ("child", True, d["room"])
                for m in self.t["member"].values()
            )
            level = {
                "light": self.p.dimmed if child and "night light" in d["name"] else 0,
                "heater": self.p.night_children if child else self.p.night,
                "lock": 1,
            }.get(d["type"], 0)
            if self.within(d, r) and d["type"] != "plug":
                wishes[n] = level
        self.bring(wishes, "")

    def extreme(self, r):
        options = []
        for n, d in self.t["device"].items():
            room = self.room(d)
            counts = not (r.closed and room["window_open"])
            if d["type"] == "heater" and room["floor"] == r.floor and counts:
                options.append((room["temperature"], n))
        extreme = (max if r.warmest else min)(t for t, _ in options)
        self.bring({n: r.level for t, n in options if t == extreme}, r.member)

    def schedules(self, r):
        return {
            n: s
            for n, s in self.t["schedule"].items()
            if s["active"]
            and self.within(self.t["device"][s["device"]], r)
            and r.type in ("", self.t["device"][s["device"]]["type"])
        }

    def conflicts(self, r):
        active = self.schedules(r)
        losers = []
        for one in active.values():
            for other in active.values():
                if one is other or (one["device"], one["time"]) != (other["device"], other["time"]):
                    continue
                ranks = [RANKS[self.person(s["entered_by"])[1]["role"]] for s in (one, other)]
                later = one["entered_on"] > other["entered_on"]
                if ranks[1] < ranks[0] or (ranks[0] == ranks[1] and not later):
                    losers.append(one)
        for loser in losers:
            loser["active"] = False

    def budget(self, r):
        def used():
            return sum(d["watts"] for d in self.t["device"].values() if d["level"])

        while used() > r.level:
            options = [
                (-d["watts"], n)
                for n, d in self.t["device"].items()
                if d["level"]
                and d["online"]
                and d["type"] in ("light", "speaker", "fan", "plug")
                and not self.kept(d, 0, "")
            ]
            if not options:
                break
            self.t["device"][min(options)[1]]["level"] = 0

    def quiet_hours(self, r):
        for s in self.schedules(r).values():
            if self.quiet(s["time"]):
                s["time"] = self.p.quiet_until

    def goal(self):
        for request in self.task.requests:
            name = "quiet_hours" if request.action == "quiet" else request.action
            getattr(self, name)(request)
        goal = dict(self.new)
        for table, rows in self.before.items():
            for number, row in rows.items():
                for field, value in row.items():
                    if self.t[table][number][field] != value:
                        goal[table, str(number), field] = self.t[table][number][field]
        return goal


def test_another_computation_comes_to_the_same_goal():
    app_tasks.check_same_goal(NAME, 175, lambda task: House(task).goal())


def test_wrong_levels_times_and_schedules_give_nothing():
    tried = Counter()
    for seed in range(30):
        task = app_tasks.instance(NAME, seed, 5, busy=0)
        subjects = [move.partition(",")[2].partition(",")[0] for move in task.solution]
        for n, move in enumerate(task.solution):
            if subjects[n] in subjects[n + 1 :]:
                continue  # what is wrong is put right later
            tool = re.search(r'"tool": "(\w+)"', move)[1]
            wrong = move
            if tool == "set_device":
                wrong = re.sub(r'"level": (\d+)', lambda m: f'"level": {abs(int(m[1]) - 1)}', move)
            elif tool == "move_schedule":
                wrong = re.sub(r'"time": "[^"]*"', '"time": "09:45"', move)
            elif tool == "switch_schedule":
                wrong = move.replace("false", "true")
            elif tool == "report_offline":
                wrong = move.replace("report_offline", "set_device")
            if wrong != move and tried[tool] < 5:
                tried[tool] += 1
                moves = [*task.solution[:n], wrong, *task.solution[n + 1 :]]
                assert score(task, *moves).value == 0
    assert {*tried} == {"set_device", "move_schedule", "switch_schedule", "report_offline"}


def test_devices_refuse_what_they_cannot_do():
    task = app_tasks.instance(NAME, 1, 4, busy=0)
    devices = dict(task.records)["device"]
    online = next(d for d in devices if d[6])
    offline = next(d for d in devices if not d[6])
    for move in (
        call("set_device", device=online[0], level=101),
        call("set_device", device=offline[0], level=offline[4]),
        call("report_offline", device=online[0]),
        call("move_schedule", schedule=dict(task.records)["schedule"][0][0], time="25:00"),
        call("list_devices", type="laser"),
        call("list_rooms", page=99),
    ):
        world = task.world()
        assert world.use(move)[0].startswith("Error"), move
        assert not world.changes()


def test_times_may_lack_a_zero():
    task = app_tasks.instance(NAME, 1, 4, busy=0)
    number = dict(task.records)["schedule"][0][0]
    world = task.world()
    world.use(call("move_schedule", schedule=number, time="6:45"))
    assert world.changes() == {("schedule", str(number), "time"): "06:45"}


class Reader:
    """A reading of the prompt as text, and of what the tools answer, without the task."""

    def __init__(self, session):
        self.session = session
        self.rooms = {r["name"]: r for r in session.rows("list_rooms")}
        self.members = {m["name"]: m for m in session.rows("list_members")}
        self.devices = sorted(session.rows("list_devices"), key=lambda d: d["id"])
        self.schedules = session.rows("list_schedules")
        self.scenes = {c["name"]: c["id"] for c in session.rows("list_scenes")}
        self.reported = set()
        self.range = dict(
            re.findall(
                r"(\w+) \d+ to (\d+)", session.prompt.split("A device has a level")[1].split(".")[0]
            )
        )

    def number(self, pattern):
        return int(re.search(pattern, self.session.prompt)[1])

    def is_quiet(self, time):
        start, end = re.search(
            r"Quiet hours are from (\S+) to (\S+)\.", self.session.prompt
        ).groups()
        return time >= start or time < end

    def play(self):
        for text in self.session.requests:
            asks = re.match(r"(\w+) asks: (.*)", text)
            self.who = self.members[asks[1]] if asks else None
            self.request(asks[2] if asks else text)

    def place(self, text):
        floor = re.search(r"the floor '(\w+)'", text)
        if floor:
            return {n for n, r in self.rooms.items() if r["floor"] == floor[1]}
        names = [n for n in self.rooms if f"the {n}".lower() in text.lower()]
        name = max(names, key=len)
        return {name}

    def request(self, text):
        if "scene" in text:
            name = re.search(r"scene '(\w+)'", text)[1]
            settings = self.session.use("read_scene", scene=self.scenes[name])
            levels = dict(re.findall(r"(\w+) (\d+)[;\"]", settings))
            rooms = self.place(text)
            self.set(
                [
                    (d, int(levels[d["type"]]))
                    for d in self.devices
                    if d["room"] in rooms and d["type"] in levels
                ]
            )
        elif "night" in text.lower():
            self.night(self.place(text))
        elif re.search("warmest|coldest", text):
            self.extreme(text)
        elif "conflict" in text:
            self.conflicts(self.place(text))
        elif "watts" in text:
            self.budget(int(re.search(r"\d+", text)[0]))
        elif "uiet hours" in text:
            sort = re.search(r"(light|heater|blind|speaker|fan)s? in", text)[1]
            ids = {
                d["id"] for d in self.devices if d["type"] == sort and d["room"] in self.place(text)
            }
            end = re.search(r"Quiet hours are from \S+ to (\S+)\.", self.session.prompt)[1]
            for c in self.schedules:
                if c["device"] in ids and c["active"] and self.is_quiet(c["time"]):
                    self.session.use("move_schedule", schedule=c["id"], time=end)
                    c["time"] = end
        else:
            sort = re.search(r"all (\w+?)s in", text)[1]
            part = re.search(r"with '([^']+)' in the name", text)
            above = re.search(r"that are above (\d+)", text)
            rest = re.sub(r"that are above \d+|with '[^']+' in the name", "", text)
            level = int(re.search(r"\d+", re.sub(r"'[^']*'", "", rest))[0])
            self.set(
                [
                    (d, level)
                    for d in self.devices
                    if d["type"] == sort
                    and d["room"] in self.place(text)
                    and (not part or part[1] in d["name"])
                    and (not above or d["level"] > int(above[1]))
                ]
            )

    def night(self, rooms):
        base = {
            "light": 0,
            "speaker": 0,
            "fan": 0,
            "blind": 0,
            "lock": 1,
            "heater": self.number(r"heaters at (\d+)\. In rooms"),
        }
        wanted = []
        for d in self.devices:
            if d["room"] not in rooms or d["type"] == "plug":
                continue
            level = base[d["type"]]
            if any(
                m["role"] == "child" and m["at_home"] and m["room"] == d["room"]
                for m in self.members.values()
            ):
                if d["type"] == "heater":
                    level = self.number(r"who are at home, heaters are at (\d+)")
                if "night light" in d["name"]:
                    level = self.number(r"'night light' in their name at (\d+)")
            wanted.append((d, level))
        self.set(wanted)

    def extreme(self, text):
        rooms = [
            r
            for r in self.place(text)
            if any(d["room"] == r and d["type"] == "heater" for d in self.devices)
        ]
        if "no open window" in text:
            rooms = [r for r in rooms if not self.rooms[r]["window_open"]]
        pick = max if "warmest" in text else min
        room = pick(rooms, key=lambda r: self.rooms[r]["temperature"])
        level = int(re.search(r"\d+", text)[0])
        self.set([(d, level) for d in self.devices if d["room"] == room and d["type"] == "heater"])

    def conflicts(self, rooms):
        ids = {d["id"] for d in self.devices if d["room"] in rooms}
        rank = ["guest", "child", "adult"]
        for one in [c for c in self.schedules if c["device"] in ids and c["active"]]:

            def key(c):
                return rank.index(self.members[c["entered_by"]]["role"]), c["entered_on"]

            if any(
                o["active"]
                and (o["device"], o["time"]) == (one["device"], one["time"])
                and key(o) > key(one)
                for o in self.schedules
            ):
                self.session.use("switch_schedule", schedule=one["id"], active=False)
                one["off"] = True
        for c in self.schedules:
            if c.pop("off", False):
                c["active"] = False

    def budget(self, most):
        for d in sorted(self.devices, key=lambda d: (-d["watts"], d["id"])):
            if sum(e["watts"] for e in self.devices if e["level"]) <= most:
                break
            if (
                d["type"] in ("light", "speaker", "fan", "plug")
                and d["level"]
                and d["online"]
                and not self.keeps(d, 0)
            ):
                self.session.use("set_device", device=d["id"], level=0)
                d["level"] = 0

    def keeps(self, d, level):
        held = self.session.rule("A device that somebody holds stays")
        if held and d["held_by"]:
            mine = self.who and self.who["name"] == d["held_by"] and self.who["role"] == "adult"
            if not (mine and self.session.rule("A device that an adult holds")):
                return True
        ill = self.session.rule(r"(\w+) is ill")
        if ill and d["room"] == f"room of {ill[1]}" and d["type"] != "heater":
            return True
        off = self.session.rule(r"never turned off: (.*?)\. They")
        if off and d["name"] in off[1].split(", ") and level == 0:
            return True
        motion = self.session.rule(r"a motion in the last (\d+) minutes")
        return bool(
            motion
            and d["type"] == "light"
            and self.rooms[d["room"]]["minutes_since_motion"] <= int(motion[1])
        )

    def set(self, wanted):
        role = self.who["role"] if self.who else "adult"
        child = (
            role == "child"
            and self.session.rule("a child asks for")
            and any(d["type"] in ("heater", "lock") for d, _ in wanted)
        )
        guest = (
            role == "guest"
            and self.session.rule("a guest asks for")
            and any(d["room"] != self.who["room"] for d, _ in wanted)
        )
        if child or guest:
            self.session.use("decline", member=self.who["id"])
            return
        for d, wish in wanted:
            level = self.level(d, wish)
            if self.keeps(d, level) or d["level"] == level:
                continue
            if d["online"]:
                self.session.use("set_device", device=d["id"], level=level)
                d["level"] = level
            elif d["id"] not in self.reported:
                self.session.use("report_offline", device=d["id"])
                self.reported.add(d["id"])

    def level(self, d, level):
        room = self.rooms[d["room"]]
        window = self.session.rule(r"open window gets (\d+) in place")
        if window and d["type"] == "heater" and room["window_open"]:
            return int(window[1])
        quiet = self.session.rule(r"It is (\S+) now\. .*a speaker gets (\d+)")
        if quiet and d["type"] == "speaker" and self.is_quiet(quiet[1]):
            return min(level, int(quiet[2]))
        bright = self.session.rule(r"On the floor '(\w+)', a light gets (\d+)")
        if bright and d["type"] == "light" and room["floor"] == bright[1]:
            return min(level, int(bright[2]))
        return level


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 342), lambda session: Reader(session).play())


def test_what_is_known_from_drawing_is_what_the_records_say():
    app_tasks.check_solution(NAME, 35)


def test_every_tool_may_damage():
    app_tasks.check_every_tool_may_damage(
        NAME,
        lambda task, rng: {"time": "05:55"},
        {"set_device", "report_offline", "switch_schedule", "move_schedule", "decline"},
    )
