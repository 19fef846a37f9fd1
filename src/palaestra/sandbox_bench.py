"""How fast programs run in the sandbox, beside plain subprocesses, bubblewrap and docker exec, in
one run.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Any

from palaestra.verifiers.sandbox import Sandbox, SandboxUnavailable, Verdict, engines, images

PROGRAM = "print(1)"
WALLS = ("--ro-bind", "/", "/", "--unshare-all", "--tmpfs", "/tmp")
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Row:
    """How a way to run programs did on ``print(1)``."""

    way: str
    p50_ms: float
    p99_ms: float
    cpu_ms: float
    """Processor time a program, of the judge and of what it waits for. Of jails, which live on,
    what the programs themselves took counts instead."""

    per_second: float
    """Programs a second, two at once."""


def ways(stack: ExitStack) -> Iterator[tuple[str, Callable[[], float]]]:
    """What can run a program here; each gives the processor seconds that it knows of."""
    for backend in ("native", "native-restricted"):
        sandbox = stack.enter_context(Sandbox(backend, slots=AT_ONCE))
        try:
            sandbox.report()
        except SandboxUnavailable:
            continue
        yield f"palaestra {backend}", lambda sandbox=sandbox: sandbox.run(PROGRAM).cpu_s  # type: ignore[misc]
    python = os.path.realpath(sys.executable)
    yield "subprocess", lambda: _subprocess([python, "-I", "-c", PROGRAM])
    if bwrap := shutil.which("bwrap"):
        yield "bubblewrap", lambda: _subprocess([bwrap, *WALLS, python, "-I", "-c", PROGRAM])
    if contained("docker"):
        sandbox = stack.enter_context(Sandbox("docker", slots=AT_ONCE))
        yield "palaestra docker", lambda: sandbox.run(PROGRAM).cpu_s
        execute = stack.enter_context(_container())
        yield "docker exec", lambda: execute(["python3", "-I", "-c", PROGRAM])


def contained(backend: str) -> bool:
    """Whether a container engine answers that can hold jails."""
    with Sandbox(backend) as sandbox:
        try:
            sandbox.report()
        except SandboxUnavailable:
            return False
    return True


@contextmanager
def _container() -> Iterator[Callable[[list[str]], float]]:
    """A container of our image without an agent, and what runs commands in it."""
    held = {"network_mode": "none", "read_only": True, "cap_drop": ["ALL"]}
    client, _ = engines.connect(engines.ANY)
    api = client.api
    container = client.containers.run(
        images.name(), [], entrypoint=["sleep", "infinity"], detach=True, init=True, **held
    )

    def execute(command: list[str]) -> float:
        # Not exec_run, which loses the output that arrives together with the response's headers.
        job = api.exec_create(container.id, command)["Id"]
        url = f"{api.base_url}/v{api.api_version}/exec/{job}/start"
        response = api.post(url, json={"Detach": False, "Tty": False}, timeout=api.timeout)
        response.raise_for_status()
        assert response.content == b"\x01\0\0\0\0\0\0\x021\n"  # a frame of standard output
        return 0.0

    try:
        yield execute
    finally:
        container.remove(force=True)
        client.close()


def _subprocess(command: list[str]) -> float:
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == b"1\n"
    return 0.0


def rates(programs: int = 300) -> Iterator[Row]:
    """Measures every way there is."""
    with ExitStack() as stack:
        for way, run in ways(stack):
            run(), run()
            yield measured(way, run, programs)


def measured(way: str, run: Callable[[], float], programs: int) -> Row:
    """Times one way: one by one, then two at once."""
    before, own, times = _cpu_s(), 0.0, []
    for _ in range(programs):
        start = perf_counter()
        own += run()
        times.append(perf_counter() - start)
    cpu_s = _cpu_s() - before + own
    times.sort()
    start = perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda _: run(), range(programs)))
    rate = programs / (perf_counter() - start)
    p50, p99 = (1e3 * times[int(share * programs)] for share in (0.5, 0.99))
    return Row(way, p50, p99, 1e3 * cpu_s / programs, rate)


def _cpu_s() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def problems(sandbox: Sandbox) -> dict[str, float]:
    """Milliseconds that whole problems take: 20 tests by output, 20 calls."""
    ways: dict[str, Callable[[], Verdict]] = {
        "20 tests by output": lambda: sandbox.judge_io("print(input())", [("7", "7")] * 20),
        "20 calls": lambda: sandbox.judge_calls("def f(x): return x", "f", [([7], 7)] * 20),
    }
    reasons = {}
    for name, judge in ways.items():
        judge()
        times = []
        for _ in range(20):
            start = perf_counter()
            assert judge().fraction == 1
            times.append(perf_counter() - start)
        reasons[name] = 1e3 * sorted(times)[10]
    return reasons


def soak(sandbox: Sandbox, programs: int) -> dict[str, float]:
    """Runs many mixed programs: how many went wrong, and what has grown."""
    kinds = [
        ("print(7 * 6)", "PASS"),
        ("1 / 0", "RE"),
        ("import os; os._exit(4)", "RE"),
        ("open('x', 'w').write('y' * 100_000)", "PASS"),
        ("import threading; threading.Thread(target=print).start()", "PASS"),
        ("print('z' * 300_000)", "PASS"),
    ]
    for source, _ in kinds:
        sandbox.run(source)
    start, wrong = _open(), 0
    for number in range(programs):
        source, status = kinds[number % len(kinds)]
        wrong += sandbox.run(source).status != status
    files, kilobytes = (now - then for now, then in zip(_open(), start))
    return {"programs": programs, "wrong": wrong, "files": files, "kilobytes": kilobytes}


def _open() -> tuple[int, int]:
    return len(list(Path("/proc/self/fd").iterdir())), getrusage(RUSAGE_SELF).ru_maxrss


def rows(programs: int = 300) -> Iterator[dict[str, Any]]:
    """The same as plain values."""
    return map(asdict, rates(programs))
