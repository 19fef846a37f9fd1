"""What the conformance checks cost: CPU seconds of each check, and of a whole run of them.

    python benchmarks/checks_cost.py --every 10            # each tenth environment
    python benchmarks/checks_cost.py programs/bash_task    # these environments
    python benchmarks/checks_cost.py --copies 1100         # also collect that many copies

Processes that a check starts count as well, such as sandboxes. ``--every n`` takes the environments
that run programs all the same, because they cost far more than the others, and weights each group
by its size. ``--json`` keeps the figures; ``--from`` reads them again in place of measuring.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from statistics import fmean

import psutil

from palaestra.catalog import catalog
from palaestra.registry import class_name, module_name, names
from palaestra.testing import CHEAP, CHECKS, COSTLY, task
from palaestra.testing.digests import CHECKS as PACKAGE
from palaestra.testing.digests import Digests, Sources
from palaestra.testing.plugin import SAMPLED
from palaestra.testing.record import SAMPLE
from palaestra.testing.sampling import OtherProcess, check_same_transcript

Costs = Mapping[str, Mapping[str, float]]
"""CPU seconds of each check, by environment."""

CORES = 2
COLLECTING = '''"""Collects the copies as `tests/test_environments.py` collects the environments."""

import pytest

NAMES = open("names").read().split()


@pytest.mark.parametrize("name", NAMES)
def test_environment(name, check_environment):
    check_environment(name)
'''


def cpu_seconds() -> float:
    """CPU seconds of this process and of all that it has started."""
    this = psutil.Process()
    total = sum(this.cpu_times()[:4])
    for child in this.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended, and its parent has its time
            total += sum(child.cpu_times()[:4])
    return total


def measure(name: str, others: list[OtherProcess]) -> dict[str, float]:
    """The CPU seconds that each check of an environment takes, as the test suite makes them."""
    task.cache_clear()
    costs = {}
    for check in CHECKS:
        start = cpu_seconds()
        try:
            if check.__name__ == "check_processes":
                for process in others:
                    check_same_transcript(name, process)
            else:
                check(name)
        except AssertionError as fault:
            print(f"{name}: {check.__name__} FAILED: {fault}")
        costs[check.__name__] = cpu_seconds() - start
    return costs


def runs_programs(name: str) -> bool:
    """Whether an environment is one of the few that cost most."""
    return "sandboxed" in catalog()[name]["tags"]


def mean(costs: Costs, chosen: set[str]) -> float:
    """The mean CPU seconds of some checks; each group that was measured counts by its size."""
    total, measured = 0.0, 0
    for group in (True, False):
        sums = [
            sum(cost for check, cost in checks.items() if check in chosen)
            for name, checks in costs.items()
            if runs_programs(name) == group
        ]
        size = sum(runs_programs(name) == group for name in names()) if sums else 0
        total += size * fmean(sums or [0.0])
        measured += size
    return total / measured


def cheap_costs(costs: Costs) -> Costs:
    """The costs of the checks that every run makes."""
    cheap = {check.__name__ for check in CHEAP}
    return {
        name: {check: cost for check, cost in each.items() if check in cheap}
        for name, each in costs.items()
    }


def print_checks(costs: Costs) -> None:
    """A line for each check, the costliest first."""
    every = {check.__name__ for check in CHECKS}
    total = mean(costs, every)
    print(f"\n{'check':20} {'s each':>8} {'share':>7} {'most':>8}")
    for check, cost in Counter({each: mean(costs, {each}) for each in every}).most_common():
        most, where = max((each[check], name) for name, each in costs.items())
        print(f"{check:20} {cost:8.3f} {cost / total:7.1%} {most:8.2f} {where}")
    cheap = mean(cheap_costs(costs), every)
    print(f"{'all':20} {total:8.3f}\n{'the cheap ones':20} {cheap:8.3f} {cheap / total:7.1%}")


def print_runs(costs: Costs) -> None:
    """Minutes that the checks of a whole run take on two cores."""
    every = {check.__name__ for check in CHECKS}
    full = mean(costs, every)
    cheap = mean(cheap_costs(costs), every)
    print(
        f"\nminutes of {CORES} cores   nothing new   one environment   the costliest one   all new"
    )
    most = max(sum(each.values()) for each in costs.values())
    for number in (len(names()), 1_100):
        share = min(1 / SAMPLE, SAMPLED / (number * len(COSTLY)))
        calm = number * (cheap + (full - cheap) * share)
        runs = [calm, calm + full, calm + most, number * full]
        print(f"{number:6} environments", *(f"{run / 60 / CORES:14.1f}" for run in runs))


def print_copies(number: int) -> None:
    """The time to find, digest and collect generated copies of the environments."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("copied_envs", "copied-1.0.dist-info"):
            (folder / part).mkdir()
        info = folder / "copied-1.0.dist-info"
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: copied\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[palaestra.envs]\ncopied = copied_envs\n")
        (folder / "copied_envs" / "__init__.py").write_text('"""Copies."""\n')
        copies = [f"copied/copy_{n}" for n in range(number)]
        sources = Digests().sources
        for n, copy in enumerate(copies):
            name = names()[n % len(names())]
            text = (sources.file(module_name(name)) or Path()).read_text("utf-8")
            text = text.replace(class_name(name), class_name(copy))
            (folder / "copied_envs" / f"copy_{n}.py").write_text(text, "utf-8")
        (folder / "names").write_text("\n".join(copies))
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "conftest.py").write_text('pytest_plugins = ["palaestra.testing.plugin"]\n')
        (folder / "test_copies.py").write_text(COLLECTING)

        fresh = Sources(sources.packages | {"copied_envs": folder / "copied_envs"})
        start = time.process_time()
        digests = {fresh.digest([c.replace("copied/", "copied_envs."), PACKAGE]) for c in copies}
        spent = time.process_time() - start
        print(f"\n{len(digests)} digests of {number} copies: {spent:.1f} CPU seconds")
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
        start = cpu_seconds()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        print(f"pytest collects them in {cpu_seconds() - start:.1f} CPU seconds")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="measure each n-th environment")
    parser.add_argument("--copies", type=int, help="collect so many generated copies")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--from", dest="source", type=Path, nargs="*", help="figures to read")
    options = parser.parse_args()
    costs: dict[str, dict[str, float]] = {}
    for file in options.source or ():
        costs |= json.loads(file.read_text())
    chosen = options.names or [
        *[name for name in names() if runs_programs(name)],
        *[name for name in names() if not runs_programs(name)][:: options.every],
    ]
    with OtherProcess("1") as one, OtherProcess("2") as other:
        for process in (one, other):  # started, before anything is measured
            process.transcript("logic/knights_and_knaves")
        for number, name in enumerate([] if options.source else chosen, 1):
            costs[name] = measure(name, [one, other])
            total = sum(costs[name].values())
            print(f"{number:4}/{len(chosen)} {name:45} {total:7.2f} s", flush=True)
            if options.json:
                options.json.write_text(json.dumps(costs, indent=1))
    print_checks(costs)
    print_runs(costs)
    if options.copies:
        print_copies(options.copies)


main()
