"""Jails over their life: what they give back, when they are replaced, and whom they disturb."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from palaestra.verifiers.sandbox import Limits, Sandbox, cgroups, users
from palaestra.verifiers.sandbox.attack import offspring
from palaestra.verifiers.sandbox.canaries import tried
from palaestra.verifiers.sandbox.slots import JailError, Job, Run, Slot, interpreter

LEVELS = [level for level in ("namespaces", "landlock") if not tried(level)]
BACKENDS = {"namespaces": "native", "landlock": "native-restricted"}
QUICK = Limits(cpu_s=5, wall_s=30, memory_mb=256)
ROOMY = Limits(cpu_s=5, wall_s=60, memory_mb=4096)
"""For many threads, each of which reserves much."""


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


@pytest.fixture
def slot(level):
    made = Slot(level)
    yield made
    made.close()


@pytest.fixture
def one(level):
    with Sandbox(BACKENDS[level], slots=1) as sandbox:
        yield sandbox


def descriptors():
    """What this process has open."""
    folder = Path("/proc/self/fd")
    return {file.name: str(file.readlink()) for file in folder.iterdir() if file.exists()}


def own_groups():
    """The control groups of this process's jails. Other groups are not looked into: they end at any
    time.
    """
    name = f"palaestra-{os.getpid()}-*"
    return {folder for parent in cgroups._parents() for folder in parent.glob(name)}


# ------------------------------------------------------------------ what programs give back


def used(group):
    """How many bytes a control group is charged with."""
    for folder in group.folders:
        for name in ("memory.current", "memory.usage_in_bytes"):
            if (folder / name).exists():
                return int((folder / name).read_text())
    raise AssertionError("a group without memory")


HOARD = """
import os, tempfile
open("first", "wb").write(bytes(12 << 20))
os.makedirs("a/b")
os.chdir("a/b")
held = open("second", "wb+")
held.write(bytes(12 << 20))
os.unlink("second")
"""


def test_what_a_program_has_written_is_given_back_before_the_next(slot):
    """From the first one on; the jail starts before it and must not hold its directory."""
    if slot.group is None:
        pytest.skip("no control groups can be made here")
    bases = []
    for _ in range(4):
        assert slot.run(Job(HOARD.encode(), limits=QUICK)).status == "PASS"
        assert slot.run(Job(b"print(1)", limits=QUICK)).stdout == b"1\n"
        bases.append(used(slot.group))
    fresh = Slot(slot.level)
    try:
        fresh.run(Job(b"print(1)", limits=QUICK))
        assert max(bases) < used(fresh.group) + (8 << 20)
    finally:
        fresh.close()


def test_a_large_file_of_each_program_leaves_room_for_that_of_the_next(slot):
    write = Job(b"open('large', 'wb').write(bytes(48 << 20))",
                limits=Limits(cpu_s=5, wall_s=30, memory_mb=128, file_mb=64))  # fmt: skip
    for _ in range(6):
        outcome = slot.run(write)
        assert outcome.status == "PASS", outcome


# ------------------------------------------------------------------ when a jail is replaced


def test_after_a_failure_of_ours_the_jail_is_not_used_again(one):
    """Its first process is killed: one program may be lost, and the next ones run."""
    assert one.run("print(1)").status == "PASS"
    (jail,) = one.free
    first = jail.process.pid  # where there are no namespaces it is the launcher itself
    if jail.walls == "namespaces":
        first = min(offspring(first))
    os.kill(first, signal.SIGKILL)
    verdicts = [one.judge_io("print(input())", [("7", "7")]) for _ in range(4)]
    assert [verdict.status for verdict in verdicts[1:]] == ["PASS"] * 3
    assert jail not in one.free


def test_a_jail_that_does_not_answer_is_replaced(one, monkeypatch):
    for name in ("GRACE_S", "CLEANING_S"):
        monkeypatch.setattr(f"palaestra.verifiers.sandbox.slots.{name}", 1.0)
    assert one.run("print(1)").status == "PASS"
    (jail,) = one.free
    stopped = {jail.process.pid, *offspring(jail.process.pid)}
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    short = Limits(cpu_s=0.5, wall_s=0.5)
    lost = one.judge_calls("def f(): return 1", "f", [((), 1)], limits=short)
    assert (lost.status, lost.fraction) == ("JUDGE_ERROR", None)
    assert jail not in one.free
    assert one.run("print(1)").status == "PASS"
    with pytest.raises(ProcessLookupError):
        os.kill(jail.process.pid, 0)
    # The process that watches over the jail was stopped as well, and ends once it goes on.
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    end = time.monotonic() + 120
    while any(Path(f"/proc/{pid}").exists() for pid in stopped) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [pid for pid in stopped if Path(f"/proc/{pid}").exists()]


def test_a_jail_whose_program_was_left_running_is_not_used_again(slot):
    run = Run(slot, Job(b"import time\nwhile time.time(): pass", limits=QUICK))
    run.close()
    assert not slot.alive()


# ------------------------------------------------------------------ out of descriptors


@contextmanager
def little_room(count):
    """Leaves this process so many descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in descriptors())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 60, hard))
    held = []
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(count):
            os.close(held.pop())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for place in held:
            os.close(place)


def test_a_judge_out_of_descriptors_fails_by_its_own_fault_and_leaks_none(one):
    """Wherever they run out: in the judge's pipes, in what is sealed, when a jail is started."""
    assert one.run("print(1)").status == "PASS"
    before = descriptors()
    judges = {
        "run": lambda: one.run("print(1)").status,
        "io": lambda: one.judge_io("print(input())", [("7", "7")]).status,
        "calls": lambda: one.judge_calls("def f(): return 1", "f", [((), 1)]).status,
        "asserts": lambda: one.judge_asserts("x = 1", "assert x == 1").status,
    }
    for name, judge in judges.items():
        seen = set()
        for room in (*range(1, 16), 40):
            with little_room(room):
                seen.add(judge())
            assert one.run("print(1)").status == "PASS", (name, room)
        assert seen == {"PASS", "JUDGE_ERROR"}, name
    for kept in [one, one._referees]:
        for jail in kept.free:
            jail.close()
        kept.started -= len(kept.free)
        kept.free.clear()
    assert len(descriptors()) <= len(before)


def test_a_jail_that_cannot_be_started_leaves_nothing(level, monkeypatch):
    before = descriptors()

    def refused(*_, **__):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("palaestra.verifiers.sandbox.slots.subprocess.Popen", refused)
    groups = own_groups()
    with pytest.raises((OSError, JailError)):
        Slot(level)
    assert descriptors() == before
    assert own_groups() <= groups  # none is new; those of ending jails may go meanwhile


# ------------------------------------------------------------------ two judges on a machine

BUSY = """
import threading
import time
threading.stack_size(1 << 16)
for _ in range(28):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
"""
MANY = """
import threading
import time
threading.stack_size(1 << 16)
end = threading.Event()
threads = [threading.Thread(target=end.wait, daemon=True) for _ in range(28)]
for thread in threads:
    thread.start()
end.set()
print("fine")
"""
OTHER = f"""
import sys
from palaestra.verifiers.sandbox.outcomes import Limits
from palaestra.verifiers.sandbox.slots import Job, Run, Slot

slot = Slot(sys.argv[1])
run = Run(slot, Job({BUSY.encode()!r}, limits=Limits(cpu_s=5, wall_s=300, memory_mb=4096)))
while run.status is None and not any(b"ready" in text for text in run.output.values()):
    run.step()
print("ready" if run.status is None else run.outcome(), flush=True)
sys.stdin.read()
run.close()
slot.close()
"""


def test_two_judges_do_not_disturb_one_another(level, one):
    """Limits on processes are counted for a user, on the whole machine."""
    command = [sys.executable, "-c", OTHER, level]
    with subprocess.Popen(
        command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == "ready\n"
        outcome = one.run(MANY, limits=ROOMY)
        assert (outcome.status, outcome.text) == ("PASS", "fine\n"), outcome


def test_jails_of_one_process_do_not_disturb_one_another(level):
    """Those of two sandboxes, as of programs and of the suites that test them."""
    with closing(Slot(level)) as first, closing(Slot(level)) as second:
        run = Run(first, Job(BUSY.encode(), limits=ROOMY))
        while run.status is None and not any(b"ready" in text for text in run.output.values()):
            run.step()
        assert run.status is None
        assert second.run(Job(MANY.encode(), limits=ROOMY)).stdout == b"fine\n"
        run.close()


def test_a_program_has_as_many_processes_as_its_limit_says(slot):
    """Those of the jail itself are not counted."""
    source = MANY.replace("range(28)", "range(31)").encode()
    assert slot.run(Job(source, limits=ROOMY)).stdout == b"fine\n"
    more = MANY.replace("range(28)", "range(34)").encode()
    assert slot.run(Job(more, limits=ROOMY)).status == "RE"


# ------------------------------------------------------------------ users

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can choose users")


@as_root
def test_a_group_whose_process_ends_late_is_removed_then():
    group = cgroups.group(f"palaestra-{os.getpid()}-late")
    if group is None:
        pytest.skip("there are no control groups here")
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            for file in group.procs:
                Path(file).write_text(str(process.pid))
            group.remove()
            waiting = [each for each in threading.enumerate() if each.name == cgroups.REMOVAL]
            assert any(folder.exists() for folder in group.folders)
        finally:
            process.kill()
    for thread in waiting:
        thread.join()
    assert not any(folder.exists() for folder in group.folders)


def test_a_user_is_claimed_once_and_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(users, "_idle", lambda _: True)  # other judges' programs come and go
    files = (str(tmp_path / "users"),)
    first, second = users.claim(files), users.claim(files)
    assert first.number != second.number
    second.close()
    third = users.claim(files)
    assert third.number == second.number
    first.close()
    third.close()


@as_root
def test_a_user_whose_processes_run_is_not_taken(tmp_path):
    """Also by a judge that does not see the lock, as from inside of a container."""
    with (
        closing(users.claim((str(tmp_path / "a"),))) as taken,
        subprocess.Popen(["cat"], user=taken.number, stdin=subprocess.PIPE),
        closing(users.claim((str(tmp_path / "b"),))) as other,
    ):
        assert other.number != taken.number


@as_root
def test_the_lock_of_users_is_not_reached_by_a_link(tmp_path):
    link = tmp_path / "users"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        users.claim((str(link),))
    assert not (tmp_path / "elsewhere").exists()


# ------------------------------------------------------------------ files of a jail's own

IMPORTS = """
import importlib, sys
missing = []
for name in sorted(sys.stdlib_module_names - {"antigravity", "this"}):
    try:
        importlib.import_module(name)
    except ImportError:
        missing.append(name)
print(*missing)
"""
NOT_COPIED = {
    "_tkinter",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "nis",
    "pydoc_data",
    "tkinter",
    "turtle",
}


def test_a_jail_has_the_standard_library_with_all_that_it_is_linked_to():
    if "namespaces" not in LEVELS:
        pytest.skip(tried("namespaces"))
    command = [interpreter()[0], "-sPSW", "ignore", "-c", IMPORTS]
    here = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    with closing(Slot()) as slot:
        outcome = slot.run(Job(IMPORTS.encode(), limits=ROOMY))
    assert outcome.status == "PASS", outcome
    assert set(outcome.text.split()) <= {*here, *NOT_COPIED, "turtledemo"}


def test_jails_share_no_file_but_those_that_show_all_that_is_installed():
    if "namespaces" not in LEVELS:
        pytest.skip(tried("namespaces"))
    look = b"""
import os, sys
found = {os.stat(path).st_dev for path in (os.__file__, sys.executable, "/usr/bin/env", "/lib")}
print(*found, os.path.exists("/usr/include"), os.access("/usr", os.W_OK))
"""
    with closing(Slot()) as first, closing(Slot()) as second, closing(Slot(whole=True)) as whole:
        rows = [slot.run(Job(look, limits=QUICK)).text.split() for slot in (first, second, whole)]
    assert [row[1:] for row in rows[:2]] == [["False", "False"]] * 2
    assert rows[0][0] != rows[1][0]
    assert {rows[0][0], rows[1][0]}.isdisjoint(rows[2])
    assert rows[2][-1] == "False"
