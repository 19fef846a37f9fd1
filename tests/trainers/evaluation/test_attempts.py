"""Attempts that are kept, and runs that go on."""

import json
import re
import signal
import subprocess
import sys

import pytest
from tests.trainers.evaluation.endpoints import (
    KNIGHTS,
    SMALL,
    Endpoint,
    attempt,
    keys_in,
    manifest,
    process_of,
    run,
    wait_for,
)

from palaestra import Address, Episode
from palaestra.trainers.evaluation import (
    Attempt,
    BrokenLog,
    Evaluation,
    OtherEvaluation,
    Suite,
)
from palaestra.trainers.evaluation.attempts import ATTEMPTS, MANIFEST, Log


def started(url, suite_file, out, *more):
    options = ["--suite", str(suite_file), "--samples", "3", "--seed", "1", *more]
    return process_of("eval", url, out, *options)


def test_killed_and_started_again_it_loses_nothing_and_repeats_nothing(tmp_path, suite_file):
    planned = 3 * SMALL.tasks
    endpoint = Endpoint(SMALL, 0.3, delay=0.03)
    out = tmp_path / "out"
    with endpoint.serving() as url:
        kept = b""
        for lines in (5, 20, 35):
            process = started(url, suite_file, out, "--concurrency", "4")
            wait_for(out, lines, process, endpoint)
            process.kill()
            process.communicate()
            now = (out / ATTEMPTS).read_bytes()
            assert now.startswith(kept)
            kept = now[: now.rfind(b"\n") + 1]
            with (out / ATTEMPTS).open("wb") as file:  # as if it had died while it wrote
                file.write(kept + b'{"address": "logic/kni')
        requests = endpoint.asked.copy()
        endpoint.held = lambda: False
        last = started(url, suite_file, out, "--concurrency", "4")
        shown, errors = last.communicate(timeout=300)
        assert last.returncode == 0, errors
    now = (out / ATTEMPTS).read_bytes()
    assert now.startswith(kept)
    keys = keys_in(out)
    assert len(keys) == len(set(keys)) == planned
    left = planned - kept.count(b"\n")
    assert f"{left} attempts made" in shown
    done = {Attempt.read(line).key for line in kept.splitlines()}
    for address, _, sample in done:  # what was kept was not asked for again
        opening = Episode(Address.parse(address).task()).observation
        for key, times in endpoint.asked.items():
            if key[:2] == (opening, 1 + sample):
                assert times == requests[key]
    # Each kill may only have cost what was under way.
    assert sum(max(0, times - 1) for key, times in endpoint.asked.items() if key[2] == 1) <= 3 * 4
    whole = json.loads((out / "report.json").read_text())
    assert (whole["complete"], whole["overall"]["attempts"]) == (True, planned)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_where_it_stands(sign, tmp_path, suite_file):
    endpoint = Endpoint(SMALL, delay=0.05)
    out = tmp_path / "out"
    with endpoint.serving() as url:
        process = started(url, suite_file, out)
        wait_for(out, 8, process, endpoint)
        process.send_signal(sign)
        shown, errors = process.communicate(timeout=300)
        assert process.returncode == 130, errors
        assert "interrupted" in errors
        assert "Traceback" not in errors
        part = json.loads((out / "report.json").read_text())
        assert not part["complete"]
        assert 8 <= part["overall"]["attempts"] < part["planned"] == 60
        assert "Not complete" in (out / "report.html").read_text()
        endpoint.held = lambda: False
        again = started(url, suite_file, out)
        shown, errors = again.communicate(timeout=300)
    assert again.returncode == 0
    assert "60 of 60 attempts" in shown
    assert "Not complete" not in (out / "report.html").read_text()


def test_a_torn_line_is_dropped_wherever_it_is_torn(tmp_path):
    with Log(tmp_path, manifest()) as log:
        for n in range(3):
            log.add(attempt(n, reason="ü" * 40))
    file = tmp_path / ATTEMPTS
    whole = file.read_bytes()
    last = whole[: whole[:-1].rfind(b"\n") + 1]
    for end in range(len(last), len(whole) + 1):
        file.write_bytes(whole[:end])
        with Log(tmp_path, manifest()) as log:
            held = len(log.held)
            log.add(attempt(7))
        kept = whole if end >= len(whole) - 1 else last
        assert held == kept.count(b"\n"), end
        assert file.read_bytes() == kept + attempt(7).line().encode()


@pytest.mark.parametrize("junk", [b"\n", b"{}\n", b"[" * 9_000 + b"\n", b"\xff\n", b'{"sample": 1'])
def test_a_line_that_is_none(junk, tmp_path):
    with Log(tmp_path, manifest()) as log:
        log.add(attempt(1))
    file = tmp_path / ATTEMPTS
    file.write_bytes(file.read_bytes() + junk + (b"" if b"\n" not in junk else b"x\n"))
    if b"\n" not in junk:
        with Log(tmp_path, manifest()) as log:
            assert len(log.held) == 1
        return
    with pytest.raises(BrokenLog, match=f"line 2 of .*{ATTEMPTS}"):
        Log(tmp_path, manifest())


def test_long_lines_are_repaired_too(tmp_path):
    with Log(tmp_path, manifest()) as log:
        log.add(attempt(1, replies=("x" * 300_000,)))
    file = tmp_path / ATTEMPTS
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:-100_000])
    with Log(tmp_path, manifest()) as log:
        assert len(log.held) == 1
    assert file.read_bytes() == whole


def test_an_attempt_is_read_as_it_was_written():
    one = attempt(1, replies=("a", "\ud800\u2028"), parts={"x": 0.5}, finish_reasons=("stop", None))
    assert Attempt.read(one.line()) == one
    assert one.line().count("\n") == 1
    for odd in ("3", "{}", "null", one.line().replace('"score": 1.0', '"score": 7'),
                one.line().replace('"sample": 0', '"sample": "0"')):  # fmt: skip
        with pytest.raises(ValueError, match=r"attempt|score"):
            Attempt.read(odd)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "other"}, "model 'oracle', not 'other'"),
        ({"suite": Suite.of(KNIGHTS, [1], 3)}, "suite"),
        ({"temperature": 1.0}, "settings"),
        ({"seed": 5}, "settings"),
        ({"system": "Think."}, "system '', not 'Think.'"),
        ({"answer_format": "boxed"}, "answer_format None, not 'boxed'"),
        ({"max_turns": 9}, "max_turns 256, not 9"),
        ({"tools": "text"}, "tools 'auto', not 'text'"),
    ],
)
def test_a_folder_holds_one_evaluation(change, message, tmp_path):
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path)
        before = (tmp_path / ATTEMPTS).read_bytes()
        requests = sum(endpoint.asked.values())
        change = {"suite": SMALL, **change}
        with pytest.raises(OtherEvaluation, match=re.escape(message)):
            run(url, out=tmp_path, **change)
    assert (tmp_path / ATTEMPTS).read_bytes() == before
    assert sum(endpoint.asked.values()) == requests


def test_more_samples_go_on_and_fewer_take_nothing_away(tmp_path):
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path)
        first = keys_in(tmp_path)
        more = run(url, SMALL, out=tmp_path, samples=3, concurrency=3)
        assert keys_in(tmp_path)[: len(first)] == first
        assert len(keys_in(tmp_path)) == 3 * SMALL.tasks
        requests = sum(endpoint.asked.values())
        fewer = run(url, SMALL, out=tmp_path, samples=1)
    assert sum(endpoint.asked.values()) == requests
    assert more.report()["overall"] == fewer.report()["overall"]


def test_one_process_at_a_time(tmp_path):
    with Log(tmp_path, manifest()):
        code = f"""
from pathlib import Path
from palaestra.trainers.evaluation.attempts import Log, OtherEvaluation
try:
    Log(Path({str(tmp_path)!r}), {manifest()!r})
except OtherEvaluation as fault:
    print(fault)
"""
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
    assert "another process" in out.stdout
    Log(tmp_path, manifest()).close()


def test_folders_that_are_something_else(tmp_path):
    with pytest.raises(OtherEvaluation, match="holds no evaluation"):
        Evaluation.load(tmp_path)
    (tmp_path / ATTEMPTS).write_text(attempt(1).line())
    with pytest.raises(OtherEvaluation, match=f"no {MANIFEST}"):
        Log(tmp_path, manifest())
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(OtherEvaluation, match="not an evaluation's"):
        Log(tmp_path, manifest())


def test_what_is_kept_can_be_judged_again(tmp_path, suite_file):
    with Endpoint(SMALL, 0.4).serving() as url:
        run(url, SMALL, out=tmp_path)
    lines = (tmp_path / ATTEMPTS).read_text()
    out = subprocess.run(
        [sys.executable, "-m", "palaestra", "score"],
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    again = [json.loads(line) for line in out.stdout.splitlines()]
    kept = [json.loads(line) for line in lines.splitlines()]
    assert [each["value"] for each in again] == [each["score"] for each in kept]
    assert {each["score"] == 1 for each in kept} == {True, False}
