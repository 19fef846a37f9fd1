"""The sandbox in a container: frames and refusals everywhere, the rest where an engine answers."""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.verifiers.sandbox import (
    Limits,
    Sandbox,
    SandboxUnavailable,
    container,
    engines,
    images,
)
from palaestra.verifiers.sandbox.canaries import chosen, contained, tried
from palaestra.verifiers.sandbox.container import ContainerSlot
from palaestra.verifiers.sandbox.engines import Engine, EngineError
from palaestra.verifiers.sandbox.lines import Attached, Meeting
from palaestra.verifiers.sandbox.relay import Relay, frames
from palaestra.verifiers.sandbox.sessions import Ended, Session
from palaestra.verifiers.sandbox.slots import Job

SPEECH = frames()
QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)
ADD = "print(sum(map(int, input().split())))"

# ------------------------------------------------------------------ frames

kinds = st.sampled_from(sorted(SPEECH.LARGEST))
numbers = st.integers(0, (1 << 32) - 1)
cuts = st.lists(st.integers(0))


def cut(stream, places):
    """A stream in pieces."""
    bounds = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[first:last] for first, last in pairwise(bounds)]


@given(
    st.lists(st.tuples(kinds, numbers, numbers, st.binary(max_size=5))), st.lists(st.integers(0))
)
def test_frames_are_found_however_they_are_cut(told, places):
    sent = [frame for frame in told if len(frame[3]) <= SPEECH.LARGEST[frame[0]]]
    stream = b"".join(SPEECH.HEAD.pack(*frame[:3], len(frame[3])) + frame[3] for frame in sent)
    decoder = SPEECH.Decoder(SPEECH.LARGEST)
    found = [frame for piece in cut(stream, places) for frame in decoder.feed(piece)]
    assert found == sent
    assert not decoder.held


@given(st.binary(max_size=300))
def test_noise_is_frames_or_is_refused(noise):
    decoder = SPEECH.Decoder(SPEECH.FROM_AGENT)
    with contextlib.suppress(SPEECH.Broken):
        for kind, _, _, payload in decoder.feed(noise):
            assert kind in SPEECH.FROM_AGENT
            assert len(payload) <= SPEECH.LARGEST[kind]


@pytest.mark.parametrize("kind", sorted(SPEECH.LARGEST))
def test_no_frame_is_longer_than_its_kind_allows(kind):
    head = SPEECH.HEAD.pack(kind, 0, 0, SPEECH.LARGEST[kind] + 1)
    with pytest.raises(SPEECH.Broken, match="a frame of kind"):
        SPEECH.Decoder(SPEECH.LARGEST).feed(head)


def test_each_side_hears_only_what_the_other_may_say():
    for kind in (SPEECH.JOB, SPEECH.OPEN, SPEECH.ABORT, SPEECH.CLOSE):
        with pytest.raises(SPEECH.Broken):
            SPEECH.Decoder(SPEECH.FROM_AGENT).feed(SPEECH.HEAD.pack(kind, 0, 0, 0))
    for kind in (SPEECH.OUT, SPEECH.STATUS, SPEECH.GONE):
        with pytest.raises(SPEECH.Broken):
            SPEECH.Decoder(SPEECH.FROM_JUDGE).feed(SPEECH.HEAD.pack(kind, 0, 0, 0))


@given(st.binary(max_size=50), st.binary(max_size=50), st.binary(max_size=50), st.booleans())
def test_jobs_come_through(told, source, stdin, channel):
    packed = SPEECH.packed(told, source, stdin, channel)
    assert SPEECH.unpacked(packed) == (told, source, stdin, channel)


@given(st.binary(max_size=40))
def test_noise_is_a_job_or_is_refused(noise):
    with contextlib.suppress(SPEECH.Broken):
        assert SPEECH.packed(*SPEECH.unpacked(noise)) == noise


class Wire:
    """A connection that only keeps what is sent."""

    def __init__(self):
        self.sent = []

    def send(self, kind, slot, job=0, payload=b""):
        self.sent.append((kind, slot, job, payload))

    def bytes_sent(self, kind):
        return sum(len(frame[3]) for frame in self.sent if frame[0] == kind)


def test_a_flood_is_held_up_by_its_window():
    wire = Wire()
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    source = SPEECH.Source(ours, SPEECH.OUT, 1, 1, wire)
    for _ in range(20):
        with contextlib.suppress(BlockingIOError):
            os.write(theirs, bytes(1 << 16))
        source.ready()
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW
    assert source.wants() == 0
    source.window += 10
    source.ready()
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW + 10
    os.close(theirs)
    source.finish()  # the writer is dead: the rest is let through
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW + (1 << 16)
    assert not source.open


def test_bytes_are_credited_as_they_are_taken_and_no_more_than_a_window_is_kept():
    wire = Wire()
    ours, theirs = socket.socketpair()
    sink = SPEECH.Sink(ours.detach(), SPEECH.SAY, 1, 1, wire)
    sink.put(b"hello")
    assert sink.wants() == select.POLLOUT
    sink.ready()
    assert theirs.recv(10) == b"hello"
    assert [SPEECH.credit(frame[3]) for frame in wire.sent] == [(SPEECH.SAY, 5)]
    with pytest.raises(SPEECH.Broken):
        sink.put(bytes(SPEECH.WINDOW + SPEECH.REST + 1))
    sink.close()
    assert theirs.recv(10) == b""
    sink.put(b"late")  # nobody takes it, and the other side still gets its credit
    assert SPEECH.credit(wire.sent[-1][3]) == (SPEECH.SAY, 4)
    theirs.close()


@given(
    st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=20))), st.lists(st.integers(0))
)
def test_the_engines_weave_is_taken_apart(told, places):
    stream = b"".join(
        bytes([kind, 0, 0, 0]) + len(text).to_bytes(4, "big") + text for kind, text in told
    )
    attached = Attached.__new__(Attached)
    attached.held, attached.errors, out = bytearray(), b"", b""
    for piece in cut(stream, places):
        attached.held += piece
        out += attached._split()
    assert out == b"".join(text for kind, text in told if kind == 1)
    assert attached.errors == b"".join(text for kind, text in told if kind == 2)[-1_000:]


def test_who_comes_without_the_key_is_sent_away():
    meeting = Meeting()
    for said in (b'{"key": "guess"}', b"[]", b"noise", b'{"key": "secret", "walls": "x"}'):
        other = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        other.connect(f"{meeting.folder}/agent")
        other.send(said)
        met = meeting.met("secret")
        assert (met is not None) == (b"secret" in said)
        if met is not None:
            met[0].close()
        other.close()
    meeting.close()
    assert not Path(meeting.folder).exists()


# ------------------------------------------------------------------ the agent, without a container


@pytest.fixture
def agent():
    """An agent on this machine, as an ordinary user."""
    python = shutil.which("python3", path="/usr/bin")
    if python is None or tried("namespaces"):
        pytest.skip(f"no agent runs here: {tried('namespaces') or 'there is no /usr/bin/python3'}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(images.HERE / "jail-app", f"{folder}/jail-app")
        user = {"user": 60_998, "group": 60_998, "extra_groups": []} if os.getuid() == 0 else {}
        process = subprocess.Popen(
            [python, "-EsSB", f"{folder}/jail-app/agent.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            **user,
        )
        with process:
            yield process
            process.kill()


def greeted(process):
    """A line to an agent, and what it says first."""
    reading, writing = process.stdout.fileno(), process.stdin.fileno()
    for place in (reading, writing):
        os.set_blocking(place, False)
    line = SPEECH.Connection(
        lambda: os.read(reading, 1 << 16), lambda rest: os.write(writing, rest), SPEECH.FROM_AGENT
    )
    told = {"key": "k", "socket": "/nowhere", "tools": ["sh", "no-such-tool"]}
    line.send(SPEECH.HELLO, 0, 0, json.dumps(told).encode())
    line.flush()
    select.select([reading], [], [], 20)
    ((kind, _, _, payload),) = line.receive()
    assert kind == SPEECH.HELLO
    return line, json.loads(payload)


@pytest.fixture
def relayed(agent):
    """A slot whose jail stands behind an agent and a relay, and the relay."""
    line, hello = greeted(agent)
    if hello["walls"] != "namespaces":
        pytest.skip(f"an ordinary user builds no jail here, only {hello['walls']}")
    # What is polled for writing too has to be one descriptor, as it is with an engine.
    ours, theirs = socket.socketpair()
    pump = Pump(agent, theirs)
    ours.setblocking(False)
    line.read, line.write = lambda: ours.recv(1 << 16), ours.send
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    yield slot, relay
    slot.close()
    relay.close()
    ours.close()
    pump.join()


def standing(relay):
    """What a slot sees of a container."""
    return SimpleNamespace(walls="namespaces", line=relay, alive=True, user=60_998)


class Pump:
    """Joins an agent's two pipes to one socket."""

    def __init__(self, process, end):
        self.end = end
        for pipe in (process.stdin, process.stdout):
            os.set_blocking(pipe.fileno(), True)
        self.threads = ThreadPoolExecutor(2)
        socket_, pipes = end.fileno(), (process.stdin, process.stdout)
        self.threads.submit(self.move, socket_, pipes[0].fileno(), pipes[0].close)
        self.threads.submit(
            self.move, pipes[1].fileno(), socket_, lambda: end.shutdown(socket.SHUT_RDWR)
        )

    def move(self, source, target, finish):
        with contextlib.suppress(OSError):
            while piece := os.read(source, 1 << 16):
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(target, rest) :]
        with contextlib.suppress(OSError):
            finish()

    def join(self):
        self.threads.shutdown()
        self.end.close()


def test_what_an_agent_says_of_itself(agent):
    _, hello = greeted(agent)
    assert hello["key"] == "k"
    assert hello["tools"]["sh"][0].endswith("/sh")
    assert "no-such-tool" not in hello["tools"]
    assert hello["walls"] in {"namespaces", "landlock", "none"}
    agent.stdin.close()
    assert agent.wait(5) == 0


@pytest.mark.parametrize(
    "noise",
    [b"\xff" * 100, b"\x05" + b"\xff" * 30, SPEECH.HEAD.pack(7, 0, 0, 0)],
    ids=["noise", "too long", "its own kind"],
)
def test_an_agent_that_hears_noise_ends(agent, noise):
    agent.stdin.write(noise)
    agent.stdin.flush()
    assert agent.wait(10) == 0


def test_programs_behind_a_relay(relayed):
    slot, _ = relayed
    for source, status in (
        ("print('x' * 300_000)", "PASS"),
        ("while True: print('x' * 1000)", "OLE"),
        ("while True: pass", "TLE"),
        ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("print(open('/proc/1/status').read())", "RE"),
    ):
        assert slot.run(Job(source.encode(), limits=QUICK)).status == status
    large = os.urandom(2 << 20)
    limits = Limits(output_kb=4_096)
    echo = b"import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    assert slot.run(Job(echo, stdin=large, limits=limits)).stdout == large


def test_channels_behind_a_relay(relayed):
    slot, _ = relayed
    session = Session(slot, Job(b"def f(x): return x[::-1]", "calls", limits=QUICK))
    long = "ab" * 400_000
    assert session.call("f", [long], {}) == long[::-1]
    assert session.call("f", [[1, 2]], {}) == [2, 1]
    assert session.close().status != "JUDGE_ERROR"


def test_a_flood_on_the_channel_holds_nobody_up(relayed):
    slot, _ = relayed
    flood = b"import os\ndef f(): return 1\nos.set_blocking(3, True)\n"
    flood += b"try:\n    while True: os.write(3, b'x' * 65536)\nexcept OSError: pass"
    session = Session(slot, Job(flood, "calls", limits=QUICK))
    with pytest.raises((Ended, ValueError)):
        session.call("f", [], {})
    assert session.close().status in {"OLE", "TLE", "RE"}
    assert slot.run(Job(b"print(1)", limits=QUICK)).stdout == b"1\n"


def test_a_program_that_floods_its_channel_and_ends_is_told_of_soon(relayed, monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.relay.LINGER_S", 0.2)
    slot, _ = relayed
    flood = b"import os\nos.set_blocking(3, False)\n"
    flood += b"try:\n    while True: os.write(3, b'x' * 4096)\n"
    flood += b"except OSError: os._exit(7)"
    session = Session(slot, Job(flood, "calls", limits=QUICK))
    while not session.over:
        session.run.step()  # as the judge that is busy with something else
    assert session.close().exit_code == 7


def test_an_agent_that_is_killed_is_no_fault_of_the_program(relayed, agent):
    slot, relay = relayed
    assert slot.run(Job(b"print(1)")).status == "PASS"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slot.run, Job(b"import time; time.sleep(9)"))
        time.sleep(0.2)
        agent.kill()
        assert running.result(120).status == "JUDGE_ERROR"
    assert not slot.alive()
    assert not relay.alive
    with pytest.raises(RuntimeError, match="the container is gone"):
        ContainerSlot(standing(relay))


@pytest.mark.parametrize(
    "noise",
    [b"\xff" * 64, SPEECH.HEAD.pack(5, 1, 1, 4) + b"fake", b""],
    ids=["noise", "the judge's own kind", "the end"],
)
def test_a_relay_that_hears_noise_hangs_up(noise):
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    line = SPEECH.Connection(lambda: ours.recv(1 << 16), ours.send, SPEECH.FROM_AGENT)
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    theirs.send(noise) if noise else theirs.close()
    outcome = slot.run(Job(b"print(1)"))
    assert outcome.status == "JUDGE_ERROR"
    assert not relay.alive
    slot.close()
    relay.close()
    for end in (ours, theirs):
        end.close()


@given(st.lists(st.tuples(kinds, st.integers(0, 2), st.integers(0, 3), st.binary(max_size=60))))
def test_whatever_an_agent_says_is_borne(told):
    """Any frames at all end in an outcome: no fault but our own, and nothing hangs."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    line = SPEECH.Connection(lambda: ours.recv(1 << 16), ours.send, SPEECH.FROM_AGENT)
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slot.run, Job(b"print(1)"))
        for kind, number, job, payload in told:
            with contextlib.suppress(OSError):
                theirs.send(SPEECH.HEAD.pack(kind, number, job, len(payload)) + payload)
        theirs.shutdown(socket.SHUT_WR)
        outcome = running.result(120)
    statuses = [frame for frame in told if frame[0] == SPEECH.STATUS]
    assert outcome.status == "JUDGE_ERROR" or statuses
    slot.close()
    relay.close()
    for end in (ours, theirs):
        end.close()


# ------------------------------------------------------------------ images and refusals


def test_the_name_of_the_image_changes_with_what_is_in_it(monkeypatch):
    name = images.name()
    assert name.startswith("palaestra-sandbox:")
    parts = images.contents()
    assert {"Dockerfile", "jail-app/agent.py", "jail-app/__main__.py"} <= parts.keys()
    monkeypatch.setattr(images, "contents", lambda: parts | {"jail-app/more.py": b""})
    assert images.name.__wrapped__() != name
    script = subprocess.run([sys.executable, images.__file__], capture_output=True, check=True)
    assert script.stdout.decode().strip() == name


def test_the_profile_lets_jails_be_built_and_little_else():
    profile = json.loads(images.PROFILE.read_text())
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    allowed = {
        name
        for rule in profile["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW"
        for name in rule["names"]
    }
    assert {"clone", "unshare", "mount", "umount2", "pivot_root", "sethostname"} <= allowed
    assert not allowed & {
        *("add_key", "bpf", "clone3", "init_module", "io_uring_setup", "kexec_load", "keyctl"),
        *("open_by_handle_at", "perf_event_open", "process_vm_readv", "ptrace", "reboot"),
        *("request_key", "setns", "swapon", "userfaultfd"),
    }


@pytest.fixture
def no_engine(monkeypatch, tmp_path):
    pytest.importorskip("docker", reason="needs the docker library")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")
    container.close()
    contained.cache_clear()
    yield
    contained.cache_clear()


def test_without_an_engine_it_is_refused_with_advice(no_engine):
    with pytest.raises(SandboxUnavailable, match="no container engine answers") as refusal:
        Sandbox("docker").run("print(1)")
    assert "start Docker" in str(refusal.value)
    with pytest.raises(EngineError, match="forward its socket"):
        engines.connect(Engine(url="ssh://host"))


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "docker", None)
    with pytest.raises(EngineError, match=r'pip install "palaestra\[docker\]"'):
        engines.connect(Engine())


def test_where_engines_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", "tcp://elsewhere:1")
    assert engines.places() == ["tcp://elsewhere:1"]
    monkeypatch.delenv("DOCKER_HOST")
    monkeypatch.delenv("CONTAINER_HOST", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "podman").mkdir()
    (tmp_path / "podman" / "podman.sock").touch()
    assert f"unix://{tmp_path}/podman/podman.sock" in engines.places()
    assert Sandbox("podman").engine.url.endswith("podman.sock")
    assert Sandbox("podman", engine=Engine(url="unix:///mine")).engine.url == "unix:///mine"


def test_a_container_is_less_than_namespaces_and_more_than_landlock(monkeypatch):
    found = {"namespaces": "", "container": "", "landlock": ""}
    here = "palaestra.verifiers.sandbox.canaries"
    monkeypatch.setattr(f"{here}.tried", lambda level: found[level])
    monkeypatch.setattr(f"{here}.contained", lambda engine, build: found["container"])
    assert chosen("auto", "landlock") == "namespaces"
    found["namespaces"] = "no"
    assert chosen("auto", "landlock") == "container"
    found["container"] = "no engine"
    assert chosen("auto", "landlock") == "landlock"
    with pytest.raises(SandboxUnavailable, match="no engine"):
        chosen("auto", "container")
    with pytest.raises(SandboxUnavailable):
        chosen("docker", "namespaces")


# ------------------------------------------------------------------ with an engine

HANDED, RELAYED = Engine(), Engine(relayed=True)


@pytest.fixture(scope="module")
def engine():
    """A client of an engine that has our image; nothing is built here."""
    pytest.importorskip("docker", reason="needs the docker library")
    contained.cache_clear()
    if why := contained(HANDED, build=False):
        pytest.skip(f"no container: {why}")
    client, _ = engines.connect(HANDED)
    yield client
    client.close()
    container.close()


@pytest.fixture(scope="module", params=[HANDED, RELAYED], ids=["handed", "relayed"])
def jail(engine, request):
    with Sandbox("docker", slots=2, engine=request.param) as made:
        yield made


def test_an_engine_holds_programs(jail):
    report = jail.report()
    assert report["isolation"] == "container"
    far = jail.engine.relayed or not report["engine"].startswith("unix")
    assert report["jobs"] == ("relayed" if far else "handed over")
    outcome = jail.run(ADD, stdin="1 2")
    assert (outcome.status, outcome.text, outcome.isolation) == ("PASS", "3\n", "container")


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("1 / 0", "RE"),
        ("import os; os._exit(0)", "PASS"),
        ("while True: pass", "TLE"),
        ("import time; time.sleep(30)", "TLE"),
        ("b = bytearray(1 << 30)", "MLE"),
        ("while True: print('x' * 1000)", "OLE"),
        ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("import ctypes; ctypes.CDLL(None).mount(0, 0, 0, 0, 0)", "VIOLATION"),
        ("import ctypes; ctypes.CDLL(None).unshare(0x10000000)", "VIOLATION"),
        ("import socket; socket.socket()", "RE"),
        ("open('/usr/x', 'w')", "RE"),
        ("open('/palaestra/jail-app/agent.py')", "RE"),
        ("open('/run/palaestra/agent')", "RE"),
        ("import os; os.kill(1, 0) if os.getpid() != 1 else 1 / 0", "RE"),
    ],
)
def test_statuses(jail, source, status):
    outcome = jail.run(source, limits=QUICK)
    assert outcome.status == status, outcome


def test_languages(jail):
    programs = {
        "c": '#include <stdio.h>\nint main(void){int n; scanf("%d", &n); printf("%d\\n", 2*n);}',
        "c++": "#include <iostream>\nint main(){int n; std::cin >> n; std::cout << 2*n << '\\n';}",
        "javascript": "console.log(2 * parseInt(require('fs').readFileSync(0, 'utf8')))",
        "bash": "read n; echo $((2 * n))",
        "sql": "select 42;",
    }
    for language in programs.keys() & jail.report()["languages"].keys():
        outcome = jail.run(programs[language], language=language, stdin="21\n")
        assert outcome.text == "42\n", outcome


def test_every_way_of_judging(jail):
    assert jail.judge_io(ADD, [("1 2", "3"), ("4 5", "9")]).fraction == 1
    source = "def f(x): return x * 2\nclass A:\n    def g(self): return 1"
    assert jail.judge_calls(source, "f", [([n], 2 * n) for n in range(20)]).fraction == 1
    verdict = jail.judge_asserts(source, "assert f(2) == 4\nassert A().g() == 1")
    assert (verdict.fraction, verdict.isolation) == (1, "container")


def test_programs_in_threads_leave_nothing_behind(jail):
    source = "import os; print(input(), os.listdir('.')); open('left', 'w').write('x')"
    with ThreadPoolExecutor(6) as pool:
        texts = list(pool.map(lambda n: jail.run(source, stdin=f"{n}\n").text, range(60)))
    assert texts == [f"{n} []\n" for n in range(60)]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can choose users")
def test_containers_have_users_of_their_own(engine):
    found = Engine(), Engine(memory_mb=700)
    users = {container.shared(each).user for each in found}
    assert len(users) == 2
    assert images.USER not in users


def test_the_container_is_hardened(engine, jail):
    jail.run("print(1)")
    shared = container.shared(jail.engine)
    made = engine.api.inspect_container(shared.identity)
    held, config = made["HostConfig"], made["Config"]
    assert (held["NetworkMode"], held["ReadonlyRootfs"], held["AutoRemove"]) == ("none", True, True)
    assert [name.upper() for name in held["CapDrop"]] == ["ALL"] or len(held["CapDrop"]) > 10
    assert not held["Privileged"]
    assert held["Memory"] > 0
    assert held["PidsLimit"] > 0
    assert any(option.startswith("no-new-privileges") for option in held["SecurityOpt"])
    assert any(option.startswith("seccomp=") for option in held["SecurityOpt"])
    assert config["User"] == f"{shared.user}:{shared.user}"
    assert 60_999 <= shared.user < 65_000
    assert all(mount["Destination"] == container.MEETING for mount in made["Mounts"])
    assert all(not mount["RW"] for mount in made["Mounts"])
    assert not [mount for mount in made["Mounts"] if Path(mount["Source"], "agent").exists()]


def test_a_lost_container_is_replaced(engine, jail):
    jail.run("print(1)")
    lost = container.shared(jail.engine).identity
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(jail.run, "import time; time.sleep(3); print(2)")
        time.sleep(0.3)
        engine.api.kill(lost)
        assert running.result(120).text == "2\n"  # once more, in a fresh one
    assert container.shared(jail.engine).identity != lost


def test_a_forked_child_has_a_container_of_its_own(jail):
    jail.run("print(1)")
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if jail.run("print(2)").text == "2\n" else 1
            container.close()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert jail.run("print(3)").text == "3\n"


def gone(engine, identity):
    """Whether a container goes away within a while."""
    until = time.monotonic() + 120
    while left := engine.api.containers(all=True, filters={"id": identity}):
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    return not left


@pytest.mark.parametrize("relayed", [False, True])
def test_the_container_ends_with_its_judge(engine, relayed):
    code = f"""
import os
from palaestra.verifiers.sandbox import Sandbox, container, engines
box = Sandbox("docker", slots=1, engine=engines.Engine(relayed={relayed}))
box.run("print(1)")
print(container.shared(box.engine).identity, flush=True)
if os.fork() == 0:
    import time
    time.sleep(300)
    os._exit(0)
box.run("import time; time.sleep(300)")
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                          start_new_session=True) as judge:  # fmt: skip
        identity = judge.stdout.readline().strip()
        assert identity
        time.sleep(0.3)
        judge.send_signal(signal.SIGKILL)
        assert gone(engine, identity), "the container outlives its judge"
        os.killpg(judge.pid, signal.SIGKILL)  # the child that slept


def test_closing_leaves_no_container(engine):
    kind = Engine(processes=4_096)
    with Sandbox("docker", slots=1, engine=kind) as box:
        box.run("print(1)")
        identity = container.shared(kind).identity
    container.close()
    contained.cache_clear()
    assert gone(engine, identity)


def test_jails_have_landlock_where_the_container_may_build_no_namespaces(
    engine, monkeypatch, tmp_path
):
    profile = json.loads(images.PROFILE.read_text())
    for rule in profile["syscalls"]:
        rule["names"] = [name for name in rule["names"] if name not in {"unshare", "mount"}]
    (tmp_path / "profile.json").write_text(json.dumps(profile))
    monkeypatch.setattr(images, "PROFILE", tmp_path / "profile.json")
    kind = Engine(processes=4_000)
    if "neither" in contained(kind, build=False):
        pytest.skip("this kernel has no Landlock")
    with Sandbox("docker", slots=1, engine=kind) as box:
        assert box.report()["walls"] == "landlock"
        assert box.run("open('mine', 'w').write('x'); print(1)").text == "1\n"
        assert box.run("import os; print(os.listdir('.'))").text == "[]\n"
        assert box.run("import os; os.fork()").status == "RE"
    container.close()


def test_an_image_is_made_where_it_may_be(engine, monkeypatch):
    """From an image that is there already, for a registry might not be."""
    base = images.name()
    recipe = f"FROM {base}\nCOPY jail-app /palaestra/jail-app\n".encode()
    parts = images.contents() | {"Dockerfile": recipe}
    monkeypatch.setattr(images, "contents", lambda: parts)
    monkeypatch.setattr(images, "name", lambda: "palaestra-sandbox:of-a-test")
    made = container.Container(HANDED, build=True)
    try:
        assert made.alive
        assert made.image == "palaestra-sandbox:of-a-test"
    finally:
        made.close()
        engine.images.remove("palaestra-sandbox:of-a-test", force=True)


def test_an_image_that_is_missing_is_told(engine, monkeypatch):
    monkeypatch.setattr(images, "name", lambda: "palaestra-sandbox:none")
    with pytest.raises(EngineError, match="is missing; make it with"):
        container.Container(HANDED, build=False)


def test_a_runtime_that_is_missing_is_told(engine):
    with pytest.raises(SandboxUnavailable, match=r"no-such-runtime|containers\.conf"):
        Sandbox("docker", engine=Engine(runtime="no-such-runtime")).run("print(1)")
