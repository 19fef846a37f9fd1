"""The sandbox in a container."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from palaestra.verifiers.sandbox import (
    Limits,
    Sandbox,
    SandboxUnavailable,
    container,
    engines,
    images,
)
from palaestra.verifiers.sandbox.canaries import chosen, contained
from palaestra.verifiers.sandbox.engines import Engine, EngineError

QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)
ADD = "print(sum(map(int, input().split())))"


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
    problems = {"namespaces": "", "container": "", "landlock": ""}
    here = "palaestra.verifiers.sandbox.canaries"
    monkeypatch.setattr(f"{here}.tried", lambda level: problems[level])
    monkeypatch.setattr(f"{here}.contained", lambda engine, build: problems["container"])
    assert chosen("auto", "landlock") == "namespaces"
    problems["namespaces"] = "no"
    assert chosen("auto", "landlock") == "container"
    problems["container"] = "no engine"
    assert chosen("auto", "landlock") == "landlock"
    with pytest.raises(SandboxUnavailable, match="no engine"):
        chosen("auto", "container")
    with pytest.raises(SandboxUnavailable):
        chosen("docker", "namespaces")


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
    with Sandbox("docker", slots=2, engine=request.param) as sandbox:
        yield sandbox


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
    engines = Engine(), Engine(memory_mb=700)
    users = {container.shared(each).user for each in engines}
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
