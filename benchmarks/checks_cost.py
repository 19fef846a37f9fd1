"""What the checks cost: CPU seconds of each check, and what a run of them comes to.

    python benchmarks/checks_cost.py --every 10            # each tenth environment
    python benchmarks/checks_cost.py programs/bash_task    # these
    python benchmarks/checks_cost.py --every 10 --json costs.json

Processes that a check starts count as well, such as sandboxes. The measured environments stand for
all others in what the second table extrapolates; the digests that it counts are those of generated
copies, which are written, read and collected for real.
"""

import argparse
import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil

from palaestra.registry import names
from palaestra.testing import CHECKS, task

ONE_PROCESS = {"check_processes"}
"""Checks that the test suite makes with one process for many environments."""


def spent() -> float:
    """CPU seconds of this process and of all that it has started."""
    this = psutil.Process()
    total = sum(this.cpu_times()[:4])
    for child in this.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended, and its parent has its time
            total += sum(child.cpu_times()[:4])
    return total


def measured(name: str, checks: tuple) -> dict[str, float]:
    """The CPU seconds that each check of an environment takes."""
    task.cache_clear()
    costs = {}
    for check in checks:
        start = spent()
        try:
            check(name)
        except AssertionError as fault:
            print(f"{name}: {check.__name__} FAILED: {fault}")
        costs[check.__name__] = spent() - start
    return costs


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="measure each n-th environment")
    parser.add_argument("--check", action="append", help="only these checks")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    asked = parser.parse_args()
    chosen = asked.names or names()[:: asked.every]
    checks = [each for each in CHECKS if not asked.check or each.__name__ in asked.check]
    checks = tuple(each for each in checks if each.__name__ not in ONE_PROCESS or asked.check)
    costs = {}
    for number, name in enumerate(chosen, 1):
        costs[name] = measured(name, checks)
        total = sum(costs[name].values())
        print(f"{number:4}/{len(chosen)} {name:45} {total:7.2f} s", flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(costs, indent=1))
    total = sum(sum(each.values()) for each in costs.values())
    by_check = Counter()
    for each in costs.values():
        by_check.update(each)
    print(f"\n{'check':20} {'s each':>8} {'share':>7} {'most':>8}")
    for check, cost in by_check.most_common():
        most, where = max((each[check], name) for name, each in costs.items())
        print(f"{check:20} {cost / len(costs):8.3f} {cost / total:7.1%} {most:8.2f} {where}")
    print(f"{'all':20} {total / len(costs):8.3f}")


main()
