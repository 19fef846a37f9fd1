"""Jails of threads and processes: how they start, end and are replaced."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from palaestra.verifiers.sandbox import Sandbox, sandbox
from palaestra.verifiers.sandbox.canaries import tried
from palaestra.verifiers.sandbox.outcomes import Outcome

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]
ADD = "print(sum(map(int, input().split())))"


def test_threads_and_coroutines_share_the_jails(jail):
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: jail.run(f"print({n})").text, range(40)))
    assert texts == [f"{n}\n" for n in range(40)]

    async def many():
        return await asyncio.gather(*(jail.arun(f"print({n})") for n in range(10)))

    assert [outcome.text for outcome in asyncio.run(many())] == [f"{n}\n" for n in range(10)]


def test_a_jail_that_is_lost_is_replaced(native):
    assert native.run("print(1)").status == "PASS"
    for slot in native.free:
        slot.process.kill()
    assert native.run("print(2)").text == "2\n"


def test_a_jail_that_is_lost_on_the_way_is_a_failure_of_ours(native, monkeypatch):
    def lost(self, job):
        return Outcome("JUDGE_ERROR", reason="gone")

    monkeypatch.setattr("palaestra.verifiers.sandbox.slots.Slot.run", lost)
    verdict = native.judge_io(ADD, [("1 2", "3")])
    assert (verdict.fraction, verdict.status) == (None, "JUDGE_ERROR")


def test_nothing_is_left_open(native):
    native.run("print(1)")
    before = {file.name for file in Path("/proc/self/fd").iterdir()}
    for source in ("print(1)", "1 / 0", "import os; os._exit(1)", "def f(): return 1"):
        native.run(source)
        native.judge_calls(source, "f", [([], 1)])
        native.judge_asserts(source, "assert f() == 1")
    native.judge_asserts("", "assert True")
    grown = {file.name for file in Path("/proc/self/fd").iterdir()} - before
    assert len(grown) <= 3 * native.size + 1, grown  # the jails of the suites, once


def test_files_can_be_listed_without_complaint(native):
    if "bash" not in native.languages():
        pytest.skip("there is no bash")
    result = native.run("echo hi > a; cp -p a b; ls -l a b", language="bash")
    assert (result.status, result.stderr) == ("PASS", b"")
    assert result.text.count("nobody nobody 3") == 2


def test_jails_outlive_the_threads_that_start_them(native):
    """As those of a pool, or of a server, do not last."""
    with Sandbox("native", 1) as sandbox:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(sandbox.run, "print(1)").result().status == "PASS"
        (slot,) = sandbox.free
        with pytest.raises(subprocess.TimeoutExpired):
            slot.process.wait(0.3)
        assert sandbox.judge_asserts("x = 1", "assert x == 1").fraction == 1
        assert sandbox.started == 1


def test_a_jail_that_ended_while_nobody_looked_is_replaced(native):
    with Sandbox("native", 1) as sandbox:
        sandbox.run("print(1)")
        sandbox.free[0].process.kill()
        sandbox.free[0].process.wait()
        assert sandbox.judge_calls("def f(): return 1", "f", [([], 1)]).fraction == 1
        assert sandbox.started == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_killed_judge_leaves_nothing(backend):
    code = f"""
import sys
from palaestra.verifiers.sandbox import Sandbox
made = Sandbox({backend!r}, slots=1)
made.run("print(1)")
print(made.free[0].process.pid, flush=True)
made.run("import time; time.sleep(60)")
"""
    judge = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    launcher = int(judge.stdout.readline())
    time.sleep(0.3)
    group = os.getpgid(launcher)
    judge.send_signal(signal.SIGKILL)
    judge.wait()
    for _ in range(2_400):
        alive = [
            entry
            for entry in Path("/proc").iterdir()
            if entry.name.isdecimal() and in_group(entry, group)
        ]
        if not alive:
            break
        time.sleep(0.05)
    assert not alive
    judge.stdout.close()


def in_group(entry, group):
    """Whether a process, that is no zombie, belongs to a process group."""
    try:
        fields = (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z" and int(fields[2]) == group


def test_a_forked_child_has_jails_of_its_own(native):
    native.run("print(1)")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if native.run("print(2)").text == "2\n" else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert native.run("print(3)").text == "3\n"


def test_importing_starts_nothing():
    code = """
import os, threading
from palaestra.verifiers.sandbox import Sandbox, sandbox
sandbox(), Sandbox()
print(threading.active_count(), len(os.listdir(f"/proc/self/task")))
import subprocess
print(subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "jail-app"]).returncode)
"""
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == ["1", "1", "1"]


def test_the_shared_sandbox():
    assert sandbox() is sandbox()
    assert sandbox().run("print('shared')").text == "shared\n"
    report = sandbox().report()
    assert report["isolation"] in {"namespaces", "landlock"}
    assert "python" in report["languages"]
