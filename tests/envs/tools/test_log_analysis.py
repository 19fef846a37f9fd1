"""Tests of tools/log_analysis."""

import json
import math
import re
from collections import Counter
from datetime import datetime, timedelta
from random import Random

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.log_analysis import LogAnalysis
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.data_questions import persistent, read_answer
from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.log_analysis.client import Client
from palaestra.generators.tools.log_analysis.lines import milliseconds, stamp
from palaestra.generators.tools.log_analysis.questions import ANSWERS, gold
from palaestra.generators.tools.log_analysis.system import LONGEST
from palaestra.generators.tools.log_analysis.wording import FRAMES
from palaestra.testing.baselines import baseline_scores
from palaestra.toolbox import call

NAME = "tools/log_analysis"


def instance(seed: int, level: int, **knobs: int) -> LogAnalysis:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, LogAnalysis)
    return task


def text_of(task):
    """The whole log as text, with the offsets of the services."""
    log = task.world().log
    offsets = {each.name: timedelta(milliseconds=each.offset) for each in log.system.services}
    return [log.text(n).split("] ", 1)[1] for n in range(len(log.lines))], offsets


def brute_force(task, question, texts, offsets):
    """The answer by reading the whole log line by line, in UTC, request by request."""
    begin = datetime.fromisoformat(task.moment(question.start))
    end = datetime.fromisoformat(task.moment(question.end))
    lines: dict[str, list] = {}
    deploys = []
    for text in texts:
        when, service, level, rest = text.split(" ", 3)
        time = datetime.fromisoformat(when) - offsets[service]
        if rest.startswith("deploy "):
            deploys.append((time, service, rest.split()[1]))
        elif rest.startswith("req="):
            lines.setdefault(rest.split()[0][4:], []).append((time, service, level, rest))
    rows = []
    for key, own in lines.items():
        own.sort(key=lambda line: line[0])
        time, _, _, first = own[0]
        assert first.endswith("received")
        user, method, path = re.findall(r"user=(\S+) (\S+) (\S+) received", first)[0]
        if not begin <= time < end or question.endpoint not in ("", f"{method} {path}"):
            continue
        status, spent = re.findall(r"status=(\d+) ms=(\d+)", " ".join(line[3] for line in own))[0]
        causes = {
            line[1]
            for line in own
            if line[2] == "ERROR" and not re.search(r"upstream|status=|continuing", line[3])
        }
        rows.append((time, key, user, int(status), int(spent), causes))
    bad = [row for row in rows if row[3] != 200]
    assert all(len(row[5]) == 1 for row in bad)
    if question.form == "users":
        return str(len({row[2] for row in bad}))
    if question.form == "p95":
        values = sorted(row[4] for row in rows if row[3] == 200)
        return str(values[math.ceil(0.95 * len(values) - 1e-9) - 1])
    if question.form == "recovered":
        return str(sum(bool(row[5]) for row in rows if row[3] == 200))
    counts = Counter(next(iter(row[5])) for row in bad)
    root = max(counts, key=lambda name: counts[name])
    if question.form == "root":
        return root
    mine = sorted(row for row in bad if row[5] == {root})
    if question.form == "share":
        return str(len(mine))
    if question.form == "first":
        return mine[0][1]
    return [
        name for time, service, name in sorted(deploys) if service == root and time < mine[0][0]
    ][-1]


@pytest.mark.parametrize(("level", "seeds"), [(0, 60), (1, 50), (2, 40), (3, 25), (4, 8), (6, 3)])
def test_the_oracle_wins_and_brute_force_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        assert len(task.solution) <= 0.8 * task.calls
        texts, offsets = text_of(task)
        for question, answer in zip(task.questions, task.answers):
            assert brute_force(task, question, texts, offsets) == answer, question


def test_the_oracle_needs_no_world() -> None:
    task = instance(3, 4)
    episode = Episode(task, BARE)
    Client(persistent(caller(episode)), task.moment).answer(task.questions)
    episode.step("done")
    assert episode.score.value == 1


def test_every_form_of_question_occurs() -> None:
    forms = {q.form for seed in range(60) for q in instance(seed, 3).questions}
    assert forms == {*FRAMES} == {*ANSWERS}
    assert all(len(frames) >= 5 for frames in FRAMES.values())


def test_logs_have_traps() -> None:
    """Retries, errors without effect, requests at the ends of windows, and clocks that matter."""
    saved = harmless = exact = shifted = asked_of = other_roots = 0
    for seed in range(30):
        task = instance(seed, 4)
        system = task.world().log.system
        saved += sum(request.attempts > 1 and request.succeeds for request in system.requests)
        harmless += sum(request.harmless >= 0 for request in system.requests)
        times = {request.time for request in system.requests}
        roots = {incident.service for incident in system.incidents}
        other_roots += sum(r.root not in roots for r in system.requests if r.root >= 0)
        assert all(request.duration <= LONGEST for request in system.requests)
        assert len({request.id for request in system.requests}) == len(system.requests)
        for question, answer in zip(task.questions, task.answers):
            asked_of += 1
            exact += question.start in times or question.end in times
            shifted += gold(system, question, system.services[0].offset) != answer
    assert min(saved, harmless, other_roots) > 30
    assert exact > asked_of / 3
    assert shifted > asked_of / 2


def test_stamps_are_read_and_written() -> None:
    rng = Random(1)
    for _ in range(200):
        time = rng.randrange(10**13, 10**14)
        assert milliseconds(stamp(time)) == time


def test_sizes_of_logs() -> None:
    assert 200 < len(instance(0, 0).world().log.lines) < 900
    assert 15_000 < len(instance(0, 6).world().log.lines) < 25_000


@pytest.mark.parametrize("level", range(6))
def test_other_answers_earn_nothing_and_the_last_one_counts(level: int) -> None:
    for seed in range(5):
        task = instance(seed, level, busy=0)
        system = task.world().log.system
        for number, (question, answer) in enumerate(zip(task.questions, task.answers), 1):
            if ANSWERS[question.form] == "number":
                wrongs = [str(int(answer) + 1), "0", f"-{answer}", f"{answer}.5"]
            elif question.form == "root":
                wrongs = [each.name for each in system.services if each.name != answer]
            elif question.form == "first":
                wrongs = [each.id for each in system.requests[:3] if each.id != answer]
            else:
                wrongs = [each.name for each in system.deploys if each.name != answer]
            for wrong in [*wrongs[:4], "", "unknown"]:
                extra = call("submit_answer", question=number, answer=wrong)
                if wrong and not (wrong == "unknown" and ANSWERS[question.form] == "number"):
                    assert score(task, *task.solution, extra).value == 0
                    assert score(task, extra, *task.solution).value == 1
                assert score(task, extra).value == 0


def test_answers_may_have_their_labels() -> None:
    for text in ("r0a81f2", "req=r0a81f2", "Request R0A81F2.", '"r0a81f2"', "id: r0a81f2"):
        assert read_answer("text", text) == "r0a81f2"


def test_rewards_add_up_to_the_score() -> None:
    task = instance(5, 4)
    wrong = call("submit_answer", question=1, answer="1")
    for moves in ([*task.solution, "done"], [*task.solution, wrong, "done"], ["?", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_errors_and_busy_services_change_nothing() -> None:
    world = instance(2, 5).world()
    for move in (
        call("search_logs", text="x" * 10_000),
        call("search_logs", page=0),
        call("search_logs", page=10**30),
        call("search_logs", text=3),
        call("search_logs", service="no"),
        call("search_logs", level="LOUD"),
        call("search_logs", start="yesterday"),
        call("search_logs", start="9" * 80),
        call("search_logs", start="2070-02-30T00:00:00"),
        call("search_logs", start="2070-02-03T00:00:00+01:00"),
        call("search_logs", end="\u0660\u0661:00:00"),
        call("count_lines", text=["a"]),
        call("count_lines", page=1),
        call("read_lines", first=0),
        call("read_lines", first=10**30),
        call("read_lines", first=True),
        call("list_services", name="x"),
        call("submit_answer", question=0, answer="1"),
        call("submit_answer", question=1, answer="x" * 100_000),
        call("submit_answer", question=1),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error"), move
        assert not world.changes()
    results = {world.use(call("count_lines", text="(a+)+$"))[0] for _ in range(99)}
    assert results == {BUSY, "0 lines"}


def test_search_count_and_reading_agree() -> None:
    task = instance(1, 3, busy=0)
    world = task.world()
    log = world.log
    rng = Random(2)
    for _ in range(60):
        service = rng.choice(["", *[each.name for each in log.system.services]])
        level = rng.choice(["", "INFO", "error", "WARN"])
        text = rng.choice(["", "REQ=", "status=200", "failed", "heartbeat 1"])
        first, last = sorted(rng.sample(range(len(log.lines)), 2))
        filters = {
            "service": service,
            "level": level,
            "text": text,
            "start": stamp(log.system.start + log.times[first]),
            "end": stamp(log.system.start + log.times[last]),
        }
        expected = [
            log.text(n)
            for n, line in enumerate(log.lines)
            if log.times[first] <= line.time < log.times[last]
            and text.lower() in line.text.lower()
            and level.upper() in ("", line.level)
            and service in ("", log.system.services[line.service].name)
        ]
        assert world.use(call("count_lines", **filters))[0] == f"{len(expected)} lines"
        lines, page = [], 1
        while page == 1 or len(lines) < len(expected):
            lines += world.use(call("search_logs", **filters, page=page))[0].splitlines()[1:]
            page += 1
        assert lines == expected
        number = rng.randint(1, len(log.lines))
        assert world.use(call("read_lines", first=number))[0].startswith(f"[{number}] ")


def test_times_of_day_will_do() -> None:
    task = instance(1, 2, busy=0)
    question = task.questions[0]
    full = {"start": task.moment(question.start), "end": task.moment(question.end)}
    short = {name: text[11:] for name, text in full.items()}
    zoned = {name: f"{text}Z" for name, text in full.items()}
    results = {task.world().use(call("count_lines", **each)) for each in (full, short, zoned)}
    assert len(results) == 1


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    named = json.dumps({"name": "count_lines", "arguments": {"text": "req="}})
    forms = [
        call("count_lines", text="req="),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        "count_lines('req=')",
        "count_lines(text='req=', level='')",
        'Action: count_lines\nAction Input: {"text": "req="}',
    ]
    assert len({task.world().use(form) for form in forms}) == 1
    calls = [json.loads(move) for move in task.solution]
    assert score(task, json.dumps(calls)).value == 1


def test_replays_give_the_same_states() -> None:
    task = instance(7, 3)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in task.solution:
        for episode in episodes:
            episode.step(move)
        if episodes[0].scores is None:
            assert episodes[0].turn.state == episodes[1].turn.state


@pytest.mark.parametrize(("level", "limit"), [(1, 0.08), (3, 0.08), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    values = baseline_scores(NAME, level, range(16))
    assert max(values.values()) <= limit
    assert values["do nothing"] == 0


@pytest.mark.parametrize("level", [2, 4, 6])
def test_random_calls_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(12):
        task = instance(seed, level)
        system = task.world().log.system
        names = [each.name for each in (*system.services, *system.deploys)]
        ids = [request.id for request in system.requests]
        moves = [call("search_logs", service=rng.choice(names)) for _ in range(5)]
        for n in range(1, len(task.questions) + 1):
            answer = rng.choice([str(rng.randint(3, 40)), rng.choice(names), rng.choice(ids)])
            moves.append(call("submit_answer", question=n, answer=answer))
        values.append(score(task, *moves).value)
    assert sum(values) / len(values) <= 0.05
