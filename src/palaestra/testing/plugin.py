"""The part of pytest that knows which environments need all their checks.

The controller works the plan out once, before it starts any worker, and tells them; so all workers
collect the same items. In the end it says which checks were made in full and which were not, and
with ``--record`` enters what passed in the record.

========================  =====================================================================
``CHECKS=all``            make all checks of all environments
``SHARD=2/8``             take the second of eight parts of the environments
``pytest --record``       enter the environments that pass all checks in ``checks.txt``
========================  =====================================================================
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from palaestra.testing import CHEAP, COSTLY, Check, check_processes, due_checks
from palaestra.testing.digests import all_digests
from palaestra.testing.record import (
    FILE,
    SAMPLE,
    Plan,
    Reason,
    conclude,
    everything,
    listed,
    plan,
    sample_key,
    shard,
)
from palaestra.testing.sampling import OtherProcess, check_same_transcript

PROPERTY = "checks"
"""The property of a test report that says which environment was checked, why in full, and how many
costly checks the sample has otherwise.
"""


SAMPLED = 100
"""About how many costly checks of listed environments a run makes, however many there are."""


class Result(NamedTuple):
    """How the checks of an environment ended, ``sampled`` of which were costly ones of a sample."""

    reason: Reason
    sampled: int
    passed: bool


_PLAN = pytest.StashKey[Plan]()
_RESULTS = pytest.StashKey[dict[str, Result]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--record``."""
    parser.addoption(
        "--record",
        action="store_true",
        help=f"enter the environments that pass all checks in {FILE}",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse wrong values of ``CHECKS`` and ``SHARD`` at once, and collect results."""
    try:
        everything(os.environ.get("CHECKS", ""))
        shard([], os.environ.get("SHARD", ""))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[_RESULTS] = {}
    config.pluginmanager.register(_Collector(config), "palaestra-checks-results")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist the plan."""
    node.workerinput[PROPERTY] = tuple(current_plan(node.config))


def current_plan(config: pytest.Config) -> Plan:
    """The plan of this run. A worker has it from the controller."""
    if _PLAN not in config.stash:
        sent = getattr(config, "workerinput", {}).get(PROPERTY)
        config.stash[_PLAN] = Plan(*sent) if sent else _worked_out(config.rootpath)
    return config.stash[_PLAN]


def _worked_out(root: Path) -> Plan:
    file = root / FILE
    digests = all_digests()
    run_all = everything(os.environ.get("CHECKS", ""))
    return plan(digests, listed(file), run_all, sample_key(root, file))


@pytest.fixture(scope="session")
def other_processes() -> Iterator[list[OtherProcess]]:
    """Processes with other hash seeds, for as many environments as a worker checks."""
    with ExitStack() as stack:
        yield [stack.enter_context(OtherProcess(hash_seed)) for hash_seed in ("1", "2")]


@pytest.fixture
def check_environment(
    request: pytest.FixtureRequest,
    subtests: pytest.Subtests,
    record_property: Callable[[str, object], None],
    other_processes: list[OtherProcess],
) -> Callable[[str], None]:
    """Makes the checks of an environment that are due, each as a subtest of its own."""

    def make(name: str) -> None:
        plan = current_plan(request.config)
        checks, reason = checks_of(name, plan), plan.reasons[name]
        sampled = len(checks) - len(CHEAP) if reason == "listed" else 0
        record_property(PROPERTY, (name, reason, sampled))
        for check in checks:
            with subtests.test(msg=check.__name__):
                if check is check_processes:  # the same, without a process for each environment
                    for process in other_processes:
                        check_same_transcript(name, process)
                else:
                    check(name)

    return make


def checks_of(name: str, plan: Plan) -> tuple[Check, ...]:
    """The checks that a run makes of an environment: those that are due, where the sample of the
    costly ones is thinned out so that a run does not take longer the more environments there are.
    """
    checks = due_checks(name, plan)
    if plan.reasons[name] != "listed":
        return checks
    rate = one_in(plan)
    return tuple(
        check
        for check in checks
        if check in CHEAP or plan.samples(f"{name} {check.__name__}", rate)
    )


def one_in(plan: Plan) -> int:
    """Of how many costly checks of listed environments a run makes one: a multiple of the rate of
    :func:`~palaestra.testing.due_checks`.
    """
    expected = len(plan.of("listed")) * len(COSTLY) / SAMPLE
    return SAMPLE * max(1, round(expected / SAMPLED))


class _Collector:
    """Notes which environments were checked, says so in the end and writes the record."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_controller = not hasattr(config, "workerinput")
        self.ended = set[str]()
        """The environments whose checks have all been made, also where the run is cut off."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        results = self.config.stash[_RESULTS]
        for key, value in report.user_properties:
            if key == PROPERTY:
                name, reason, sampled = cast("tuple[str, Reason, int]", value)
                passed = report.passed and (name not in results or results[name].passed)
                results[name] = Result(reason, sampled, passed)
                if report.when == "teardown":
                    self.ended.add(name)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        results = self.config.stash[_RESULTS]
        if not self.is_controller or not results:
            return
        terminalreporter.section("checks of environments")
        for line in summary(results, one_in(current_plan(self.config))):
            terminalreporter.write_line(line)
        if self.config.getoption("--record"):
            terminalreporter.write_line(self._recorded())

    def _recorded(self) -> str:
        results = self.config.stash[_RESULTS].items()
        passed = [
            name
            for name, each in results
            if each.passed and each.reason != "listed" and name in self.ended
        ]
        failed = [name for name, each in results if not each.passed]
        file = self.config.rootpath / FILE
        return conclude(file, current_plan(self.config), all_digests(), passed, failed)


def summary(results: dict[str, Result], rate: int) -> list[str]:
    """What was checked in full, and what was not, in a line for each reason. ``rate`` is that of
    the sample, see :func:`one_in`.
    """
    by_reason: dict[str, list[str]] = {}
    for name, result in sorted(results.items()):
        by_reason.setdefault(result.reason, []).append(name)
    sampled = sum(result.sampled for result in results.values())
    texts: tuple[tuple[Reason, str], ...] = (
        ("all", "all checks, because CHECKS=all"),
        ("new", f"all checks, because {FILE} does not list the digest"),
        ("listed", f"the cheap checks, and {sampled} of the others, a sample of one in {rate}"),
    )
    return [
        f"{len(by_reason[reason]):5} environments: {text} ({_some(by_reason[reason])})"
        for reason, text in texts
        if reason in by_reason
    ]


def _some(names: Iterable[str], most: int = 8) -> str:
    first = list(names)
    more = f" and {len(first) - most} more" if len(first) > most else ""
    return ", ".join(first[:most]) + more
