"""What the walls of a jail cost: against another checkout, and what a jail of its own files takes.

``python benchmarks/jails.py [CHECKOUT]`` runs ``print(1)`` in batches that alternate between this
package and that of another checkout, each in a process of its own, so that whatever else the
machine does falls on both; then it starts jails with copies of their files and without.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import mean, median

from palaestra.verifiers.sandbox.slots import Job, Slot

BATCH, BATCHES = 20, 40
STARTS = 10
SIZE = b"import os; root = os.statvfs('/'); print((root.f_blocks - root.f_bfree) * root.f_frsize)"
RUNNER = """
import json, sys, time
from palaestra.verifiers.sandbox import Sandbox
with Sandbox(sys.argv[1], slots=1) as sandbox:
    sandbox.run("print(1)")
    print("ready", flush=True)
    for line in sys.stdin:
        rows = []
        for _ in range(int(line)):
            start = time.perf_counter()
            outcome = sandbox.run("print(1)")
            rows.append([time.perf_counter() - start, outcome.wall_s, outcome.cpu_s])
        print(json.dumps(rows), flush=True)
"""


def runner(backend: str, checkout: str | None) -> subprocess.Popen[str]:
    """A process that runs programs in batches, as many as each line of its input says."""
    path = {"PYTHONPATH": str(Path(checkout, "src"))} if checkout else {}
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, backend],
        env=os.environ | path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def compare(backend: str, checkout: str) -> None:
    """Prints times of both packages in milliseconds, and their ratios."""
    both = {"other": runner(backend, checkout), "this": runner(backend, None)}
    rows: dict[str, list[list[float]]] = {name: [] for name in both}
    for _ in range(BATCHES):
        for name, process in both.items():
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{BATCH}\n")
            process.stdin.flush()
            rows[name] += json.loads(process.stdout.readline())
    for process in both.values():
        process.communicate()
    costs = {}
    for name, times in rows.items():
        costs[name] = {
            "p50": 1e3 * median(whole for whole, _, _ in times),
            "over the program": 1e3 * median(whole - own for whole, own, _ in times),
            "cpu": 1e3 * mean(cpu for _, _, cpu in times),
        }
        print(backend, name, {key: round(value, 2) for key, value in costs[name].items()})
    print(backend, "ratio", {key: round(costs["this"][key] / costs["other"][key], 3)
                             for key in costs["this"]})  # fmt: skip


def start(whole: bool) -> None:
    """Prints what starting a jail takes, and how large its root is."""
    walls, cpus, sizes = [], [], []
    for _ in range(STARTS):
        begin, used = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
        with closing(Slot("namespaces", whole)) as slot:
            sizes.append(int(slot.run(Job(SIZE)).stdout))
            walls.append(time.perf_counter() - begin)
        after = getrusage(RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime)
    files = "files of the machine" if whole else "copies of its own"
    wall, cpu, size = 1e3 * median(walls), 1e3 * median(cpus), median(sizes) / 1e6
    print(f"a jail with {files}: {wall:.0f} ms to its first program's end, "
          f"{cpu:.0f} ms of processor time, {size:.1f} MB of files")  # fmt: skip


def main() -> None:
    """Prints all figures."""
    for backend in ("native", "native-restricted") if len(sys.argv) > 1 else ():
        compare(backend, sys.argv[1])
    for whole in (True, False):
        start(whole)


if __name__ == "__main__":
    main()
