"""Tests of tools/music_library."""

import json
import re
from collections import Counter
from random import Random

import pytest
from tests.envs.tools import app_tasks
from tests.envs.tools.playing import score

from palaestra.generators.tools.music_library.library import FIELDS
from palaestra.generators.tools.music_library.requests import Request, in_words
from palaestra.generators.tools.records import new_row
from palaestra.toolbox import call

NAME = "tools/music_library"


def extra(task, rng):
    """A playlist that nobody wants."""
    tables = dict(task.records)
    track, owner = rng.choice(tables["track"])[0], tables["member"][0][1]
    return call("create_playlist", name="Spam", owner=owner, tracks=str(track))


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


@pytest.mark.parametrize(("level", "most"), [(3, 0.2), (6, 0.07)])
def test_lazy_players_earn_little(level, most):
    app_tasks.check_players(NAME, level, most)


class Shelf:
    """A second reading of the rules, step by step over plain dictionaries."""

    def __init__(self, task):
        self.task, self.p = task, task.policy
        self.t = {
            name: {row[0]: dict(zip(FIELDS[name], row[1:])) for row in rows}
            for name, rows in task.records
        }
        self.before = {n: {k: dict(r) for k, r in rows.items()} for n, rows in self.t.items()}
        self.lists = {n: self.split(p["tracks"]) for n, p in self.t["playlist"].items()}
        self.queued = self.split(self.t["queue"][1]["tracks"])

    @staticmethod
    def split(text):
        return [int(each) for each in re.findall(r"\d+", text)]

    def rule(self, name):
        return name in self.p.rules

    def song(self, n):
        return self.t["track"][n]["title"], self.t["track"][n]["artist"]

    def year(self, t):
        albums = self.t["album"].values()
        return next(
            a["year"] for a in albums if a["title"] == t["album"] and a["artist"] == t["artist"]
        )

    def better(self, one, other):
        """Whether a track is preferred to another one."""
        a, b = self.t["track"][one], self.t["track"][other]
        ranks = [self.p.versions.index(t["version"]) for t in (a, b)]
        if ranks[0] != ranks[1]:
            return ranks[0] < ranks[1]
        return one < other if a["plays"] == b["plays"] else a["plays"] > b["plays"]

    def beaten(self, n, others):
        return any(self.song(m) == self.song(n) and self.better(m, n) for m in others if m != n)

    def out(self, n, owner=None):
        t = self.t["track"][n]
        children = [m["name"] for m in self.t["member"].values() if m["role"] == "child"]
        return (
            (self.rule("explicit") and t["explicit"] and owner in children)
            or (self.rule("live") and t["version"] == "live")
            or (self.rule("short") and t["seconds"] < self.p.seconds)
            or (self.rule("banned") and t["artist"] == self.p.banned and owner is not None)
            or (self.rule("holiday") and "Holiday" in t["album"])
        )

    def stuck(self, n):
        t = self.t["track"][n]
        favourite = self.rule("favourites") and t["rating"] == 5
        return favourite or (self.rule("kept") and t["artist"] == self.p.kept)

    def chosen(self, w):
        artists = {a["name"]: a["genre"] for a in self.t["artist"].values()}
        for n, t in self.t["track"].items():
            right = {
                "artist": t["artist"] == w.artist,
                "genre": artists[t["artist"]] == w.genre,
                "since": self.year(t) >= w.since,
                "until": self.year(t) <= w.until,
                "rating": t["rating"] >= w.rating,
                "plays": t["plays"] >= w.plays,
                "longest": t["seconds"] <= w.longest,
            }
            if all(right[field] for field, value in w._asdict().items() if value):
                yield n

    def sorted(self, tracks, order):
        tracks = sorted(tracks)
        value = {"plays": lambda t: -t["plays"], "year": self.year}.get(order, lambda t: t[order])
        return sorted(tracks, key=lambda n: value(self.t["track"][n]))

    def options(self, r, owner, present=()):
        tracks = [n for n in self.chosen(r.which) if n not in present and not self.out(n, owner)]
        if self.rule("versions"):
            tracks = [n for n in tracks if not self.beaten(n, tracks)]
        return self.sorted(tracks, r.order)

    def number(self, name):
        return next(n for n, p in self.t["playlist"].items() if p["name"] == name)

    def playlist(self, r):
        options = self.options(r, r.member)
        if self.rule("several"):
            artists = [self.t["track"][n]["artist"] for n in options]
            options = [
                n for k, n in enumerate(options) if artists[:k].count(artists[k]) < self.p.several
            ]
        taken = []
        for n in options:
            if self.rule("cap") and len(taken) == self.p.cap:
                break
            total = sum(self.t["track"][m]["seconds"] for m in [*taken, n])
            if not r.minutes or total <= r.minutes * 60:
                taken.append(n)
            elif not self.p.skips:
                break
        number = min(0, *self.lists) - 1
        self.t["playlist"][number] = {"name": r.name, "owner": r.member}
        self.lists[number] = taken

    def queue(self, r):
        self.queued += self.options(r, None, self.queued)[: r.number]

    def rate(self, r):
        for n in [*self.chosen(r.which)]:
            if not (self.rule("favourites") and self.t["track"][n]["rating"] == 5):
                self.t["track"][n]["rating"] = r.number

    def dedupe(self, r):
        tracks = self.lists[self.number(r.name)]
        for n in [n for n in tracks if self.beaten(n, tracks) and not self.stuck(n)]:
            tracks.remove(n)

    def undo(self, r):
        number = self.number(r.name)
        tracks, owner = self.lists[number], self.t["playlist"][number]["owner"]
        history = [
            (h["date"], h["track"], h["member"], h["change"])
            for h in self.t["history"].values()
            if h["playlist"] == number and h["date"].split()[0] >= r.date
        ]
        history.sort()
        mine = []
        for _, track, member, change in history:
            changes = [h for h in history if h[1] == track]
            known = any(track == each for each, _ in mine)
            if member == r.member and changes[-1][2] == r.member and not known:
                mine.append((track, change))
        for track, change in mine:
            if change == "added" and track in tracks and not self.stuck(track):
                tracks.remove(track)
        for track, change in mine:
            if change == "removed":
                self.put(tracks, track, owner)

    def put(self, tracks, track, owner):
        full = self.rule("cap") and len(tracks) >= self.p.cap
        if track not in tracks and not full and not self.out(track, owner):
            tracks.append(track)

    def fit(self, r):
        number = self.number(r.name)
        tracks, owner = self.lists[number], self.t["playlist"][number]["owner"]
        for n in [*tracks]:
            if not self.t["track"][n]["explicit"] or self.stuck(n):
                continue
            clean = [
                m
                for m, t in self.t["track"].items()
                if self.song(m) == self.song(n)
                and not (t["explicit"] or m in tracks or self.out(m, owner))
            ]
            best = [m for m in clean if not self.beaten(m, clean)]
            tracks[tracks.index(n) : tracks.index(n) + 1] = best

    def append(self, r):
        number = self.number(r.name)
        for n in self.lists[self.number(r.other)]:
            self.put(self.lists[number], n, self.t["playlist"][number]["owner"])

    def goal(self):
        for request in self.task.requests:
            getattr(self, request.action)(request)
        for number, playlist in self.t["playlist"].items():
            playlist["tracks"] = ", ".join(map(str, self.lists[number]))
        added = [p for number, p in self.t["playlist"].items() if number < 0]
        goal = {new_row("playlist", **playlist): 1 for playlist in added}
        self.t["queue"][1]["tracks"] = ", ".join(map(str, self.queued))
        for table, rows in self.before.items():
            for number, row in rows.items():
                for field, value in row.items():
                    if self.t[table][number][field] != value:
                        goal[table, str(number), field] = self.t[table][number][field]
        return goal


def test_another_computation_comes_to_the_same_goal():
    app_tasks.check_same_goal(NAME, 175, lambda task: Shelf(task).goal())


def test_wrong_orders_tracks_and_owners_give_nothing():
    tried = Counter()
    for seed in range(20):
        task = app_tasks.instance(NAME, seed, 3, busy=0)
        owners = [row[1] for row in dict(task.records)["member"]]
        tracks = [row[0] for row in dict(task.records)["track"]]
        for n, move in enumerate(task.solution):
            if '"create_playlist"' not in move:
                continue
            values = json.loads(move)["args"]
            content = values["tracks"].split(", ")
            others = [t for t in tracks if str(t) not in content]
            wrong = {
                "longer": values | {"tracks": f"{values['tracks']}, {others[0]}"},
                "owner": values | {"owner": next(o for o in owners if o != values["owner"])},
                "name": values | {"name": "Another name"},
            }
            if len(content) > 1:
                wrong["order"] = values | {"tracks": ", ".join(content[::-1])}
                wrong["shorter"] = values | {"tracks": ", ".join(content[:-1])}
            right = values | {"tracks": f"[{','.join(content)}]"}
            for what, arguments in [*wrong.items(), ("right", right)]:
                moves = [*task.solution]
                moves[n] = call("create_playlist", **arguments)
                earned = score(task, *moves).value
                assert earned == (what == "right"), (seed, what)
                tried[what] += 1
    assert min(tried.values()) > 8
    assert {*tried} == {"longer", "owner", "name", "order", "shorter", "right"}


def test_the_player_refuses_what_makes_no_sense():
    task = app_tasks.instance(NAME, 1, 4, busy=0)
    tables = dict(task.records)
    number, _, owner, text = next(p for p in tables["playlist"] if p[3])
    track = int(text.split(", ")[0])
    queued = int(tables["queue"][0][1].split(", ")[0])
    for move in (
        call("add_to_playlist", playlist=number, track=track),
        call("remove_from_playlist", playlist=number, track=5_000),
        call("replace_in_playlist", playlist=number, track=track, replacement=track),
        call("add_to_queue", track=queued),
        call("rate", track=track, rating=6),
        call("create_playlist", name="A", owner=owner, tracks=f"{track}, {track}"),
        call("create_playlist", name="A", owner=owner, tracks="x"),
        call("create_playlist", name="A", owner="nobody", tracks=str(track)),
        call("create_playlist", name="", owner=owner, tracks=str(track)),
        call("create_playlist", name=tables["playlist"][0][1], owner=owner, tracks=str(track)),
    ):
        world = task.world()
        assert world.use(move)[0].startswith("Error"), move
        assert not world.changes()


def test_a_playlist_may_be_deleted_again():
    task = app_tasks.instance(NAME, 1, 0, busy=0)
    world = task.world()
    created = world.use(extra(task, Random(1)))[0]
    world.use(call("delete_playlist", playlist=json.loads(created)["id"]))
    assert not world.changes()


ORDERS = {
    "most played": lambda t: -t["plays"],
    "oldest": lambda t: t["year"],
    "shortest": lambda t: t["seconds"],
    "by title": lambda t: t["title"],
}


def ids(text):
    return [int(n) for n in text.split(", ") if n]


class Reader:
    """A reading of the prompt as text, and of what the tools answer, without the task."""

    def __init__(self, session):
        self.session = session
        genres = {a["name"]: a["genre"] for a in session.rows("list_artists")}
        years = {(a["artist"], a["title"]): a["year"] for a in session.rows("list_albums")}
        self.tracks = {
            t["id"]: t | {"genre": genres[t["artist"]], "year": years[t["artist"], t["album"]]}
            for t in session.rows("list_tracks")
        }
        self.children = {m["name"] for m in session.rows("list_members") if m["role"] == "child"}
        self.lists = {
            p["name"]: p | {"tracks": ids(p["tracks"])} for p in session.rows("list_playlists")
        }
        self.queue = [t["id"] for t in session.rows("show_queue")]
        self.versions = re.search(r"in this order: (.*?);", session.prompt)[1].split(", ")

    def play(self):
        for text in self.session.requests:
            self.request(text)

    def request(self, text):
        rating = re.search(r"[Rr]at(e|ing)\b", text)
        if "duplicates" in text:
            self.dedupe(self.named(text)[0])
        elif "fit for" in text:
            self.fit(self.named(text)[0])
        elif re.search("undo|take back", text, re.IGNORECASE):
            self.undo(self.named(text)[0], text)
        elif "queue" in text:
            self.enqueue(text)
        elif re.search("'.*'.*(tracks )?.*'|append", text, re.IGNORECASE):
            self.append(text)
        elif re.search(r"[Aa] new playlist|[Cc]reate the playlist|[Mm]ake a playlist", text):
            self.create(text)
        elif rating:
            self.rate(text)
        else:
            raise ValueError(text)

    def named(self, text):
        return [self.lists[n] for n in re.findall(r"'([^']+)'", text)]

    def chosen(self, text):
        conditions = (
            (r"by (\w+ [A-Z]\w+)", lambda t, v: t["artist"] == v),
            (r"by (\w+) artists", lambda t, v: t["genre"] == v),
            (r"from (\d{4}) or later", lambda t, v: t["year"] >= int(v)),
            (r"from (\d{4}) or earlier", lambda t, v: t["year"] <= int(v)),
            (r"from (\d{4} to \d{4})", lambda t, v: v[:4] <= str(t["year"]) <= v[-4:]),
            (r"from (\d{4})(?! or| to)", lambda t, v: t["year"] == int(v)),
            (r"rated (\d+) or more", lambda t, v: t["rating"] >= int(v)),
            (r"played (\d+) times or more", lambda t, v: t["plays"] >= int(v)),
            (r"no longer than (\d+) seconds", lambda t, v: t["seconds"] <= int(v)),
        )
        text = text.replace("by title from A to Z", "")
        tests = [(m[1], test) for pattern, test in conditions if (m := re.search(pattern, text))]
        return [t for t in self.tracks.values() if all(test(t, v) for v, test in tests)]

    def best(self, tracks):
        songs = {}
        for t in tracks:
            songs.setdefault((t["title"], t["artist"]), []).append(t)
        return [
            min(each, key=lambda t: (self.versions.index(t["version"]), -t["plays"], t["id"]))
            for each in songs.values()
        ]

    def addable(self, t, owner):
        short = self.session.rule(r"Tracks of less than (\d+) seconds")
        banned = self.session.rule(r"Tracks of (.*) are added to no playlist")
        return not (
            (
                self.session.rule("Explicit tracks are not added")
                and t["explicit"]
                and owner in self.children
            )
            or (self.session.rule("Live versions are added to nothing") and t["version"] == "live")
            or (short and t["seconds"] < int(short[1]))
            or (banned and owner and t["artist"] == banned[1])
            or (self.session.rule("'Holiday' in the title") and "Holiday" in t["album"])
        )

    def removable(self, t):
        kept = self.session.rule(r"Tracks of (.*) are not removed")
        return not (
            (self.session.rule("rated 5") and t["rating"] == 5) or (kept and t["artist"] == kept[1])
        )

    def candidates(self, text, owner, without=()):
        tracks = [t for t in self.chosen(text) if t["id"] not in without and self.addable(t, owner)]
        if self.session.rule("If several versions of a song might go"):
            tracks = self.best(tracks)
        key = next(k for name, k in ORDERS.items() if name in text)
        return sorted(tracks, key=lambda t: (key(t), t["id"]))

    def enqueue(self, text):
        n = int(re.search(r"the first (\d+)\b", text)[1])
        for t in self.candidates(text, "", self.queue)[:n]:
            self.session.use("add_to_queue", track=t["id"])
            self.queue.append(t["id"])

    def create(self, text):
        name = re.search(r"'([^']+)'", text)[1]
        owner = next(
            m["name"]
            for m in self.session.rows("list_members")
            if re.search(rf"\b{m['name']}\b", text)
        )
        minutes = re.search(r"at most (\d+) minutes", text)
        several, cap = (
            self.session.rule(r"only the first (\d+) tracks"),
            self.session.rule(r"with (\d+) tracks or more"),
        )
        tracks, counts = [], {}
        for t in self.candidates(text, owner):
            counts[t["artist"]] = counts.get(t["artist"], 0) + 1
            if not several or counts[t["artist"]] <= int(several[1]):
                tracks.append(t)
        content = []
        for t in tracks:
            if cap and len(content) >= int(cap[1]):
                break
            if minutes and sum(c["seconds"] for c in content) + t["seconds"] > 60 * int(minutes[1]):
                if "later ones that still fit are taken" in self.session.prompt:
                    continue
                break
            content.append(t)
        numbers = [t["id"] for t in content]
        self.lists[name] = {"name": name, "owner": owner, "tracks": numbers}
        self.lists[name]["id"] = int(
            re.search(
                r'"id": (\d+)',
                self.session.use(
                    "create_playlist", name=name, owner=owner, tracks=", ".join(map(str, numbers))
                ),
            )[1]
        )

    def rate(self, text):
        rest = re.sub(
            r"rated \d+ or more|played \d+ times or more|no longer than \d+ seconds",
            "",
            text,
        )
        n = int(re.search(r"\b(\d)\b", rest)[1])
        for t in self.chosen(text):
            if t["rating"] != n and not (self.session.rule("rated 5") and t["rating"] == 5):
                self.session.use("rate", track=t["id"], rating=n)
                t["rating"] = n

    def remove(self, playlist, track):
        self.session.use("remove_from_playlist", playlist=playlist["id"], track=track)
        playlist["tracks"].remove(track)

    def dedupe(self, playlist):
        tracks = [self.tracks[n] for n in playlist["tracks"]]
        keep = [t["id"] for t in self.best(tracks)]
        for t in tracks:
            if t["id"] not in keep and self.removable(t):
                self.remove(playlist, t["id"])

    def add(self, playlist, track):
        cap = self.session.rule(r"with (\d+) tracks or more")
        if track in playlist["tracks"] or not self.addable(self.tracks[track], playlist["owner"]):
            return
        if not cap or len(playlist["tracks"]) < int(cap[1]):
            self.session.use("add_to_playlist", playlist=playlist["id"], track=track)
            playlist["tracks"].append(track)

    def append(self, text):
        one, two = self.named(text)
        source, goal = (
            (two, one) if re.search(r"^To the playlist|^The playlist '", text) else (one, two)
        )
        for track in [*source["tracks"]]:
            self.add(goal, track)

    def fit(self, playlist):
        for n in [*playlist["tracks"]]:
            t = self.tracks[n]
            if not t["explicit"] or not self.removable(t):
                continue
            others = [
                o
                for o in self.tracks.values()
                if (o["title"], o["artist"]) == (t["title"], t["artist"])
                and not o["explicit"]
                and o["id"] not in playlist["tracks"]
                and self.addable(o, playlist["owner"])
            ]
            if others:
                new = self.best(others)[0]["id"]
                self.session.use(
                    "replace_in_playlist", playlist=playlist["id"], track=n, replacement=new
                )
                playlist["tracks"][playlist["tracks"].index(n)] = new
            else:
                self.remove(playlist, n)

    def undo(self, playlist, text):
        day = re.search(r"\d{4}-\d\d-\d\d", text)[0]
        history = sorted(
            self.session.rows("playlist_history", playlist=playlist["id"]), key=lambda h: h["date"]
        )
        member = next(
            m["name"]
            for m in self.session.rows("list_members")
            if re.search(rf"\b{m['name']}\b", re.sub("'.*?'", "", text))
        )
        added = []
        for track in dict.fromkeys(
            h["track"] for h in history if h["member"] == member and h["date"] >= day
        ):
            mine = [
                h
                for h in history
                if h["track"] == track and h["member"] == member and h["date"] >= day
            ]
            if any(
                h["track"] == track and h["member"] != member and h["date"] > mine[-1]["date"]
                for h in history
            ):
                continue
            if mine[0]["change"] == "added":
                if track in playlist["tracks"] and self.removable(self.tracks[track]):
                    self.remove(playlist, track)
            else:
                added.append(track)
        for track in added:
            self.add(playlist, track)


def test_conditions_of_requests_are_a_list_about_the_tracks():
    """Several conditions follow "that are", with both years in one of them, so that none is about
    the artists or the tracks of another condition.
    """
    clause = (
        r"(by \w+ [A-Z]\w+|by \w+ artists|from \d{4}( or later| or earlier| to \d{4})?"
        r"|rated \d or more|played \d+ times or more|no longer than \d+ seconds)"
    )
    several = (
        rf"tracks that are {clause}(, {clause})* and {clause}(,|\.| should|:| the rating| into)"
    )
    counts = Counter()
    for seed in range(60):
        for level in (0, 3, 6):
            task = app_tasks.instance(NAME, seed, level)
            for number, request in enumerate(task.requests, 1):
                text = in_words(request, task.wording, number)
                if request.action not in ("playlist", "queue", "rate"):
                    continue
                conditions = len(re.findall(clause, text.replace("by title", "")))
                assert re.search(several if conditions > 1 else rf"tracks {clause}", text), text
                if request.action == "queue":
                    assert f"the first {request.number}" in text
                counts[conditions] += 1
    assert min(counts[n] for n in (2, 3)) > 20


def test_undone_changes_are_those_of_the_member():
    frames = {
        in_words(Request("undo", name="Sleep", member="Bo", date="2031-05-06"), wording, 1)
        for wording in range(60)
    }
    assert len(frames) == 5
    assert not [text for text in frames if re.search("'Sleep' by Bo|undo the changes", text)]


def test_lists_state_that_they_are_complete():
    world = app_tasks.instance(NAME, 1, 0, busy=0).world()
    assert world.use(call("list_members"))[0].endswith("}\n(page 1 of 1)")
    assert world.use(call("list_artists", genre="none"))[0] == "none\n(page 1 of 1)"


def test_the_prompt_suffices():
    app_tasks.check_prompt_suffices(NAME, range(300, 342), lambda session: Reader(session).play())


def test_what_is_known_from_drawing_is_what_the_records_say():
    app_tasks.check_solution(NAME, 35)


def test_every_tool_may_damage():
    app_tasks.check_every_tool_may_damage(
        NAME,
        lambda task, rng: {
            "name": "Lullabies",
            "owner": dict(task.records)["member"][0][1],
            "tracks": "",
        },
        {
            "create_playlist",
            "delete_playlist",
            "add_to_playlist",
            "remove_from_playlist",
            "replace_in_playlist",
            "add_to_queue",
            "remove_from_queue",
            "rate",
        },
    )


def test_the_history_of_no_playlist_is_refused():
    world = app_tasks.instance(NAME, 1, 2).world()
    assert world.use(call("playlist_history", playlist=1))[0] == "Error: there is no playlist 1"
