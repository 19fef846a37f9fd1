"""Counting what a candidate got right and wrong, class by class, and how fast it was."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from palaestra.verifier_bench.cases import Case, plain
from palaestra.verifiers.versions import versions

SLOW = 0.05
"""CPU seconds above which a call counts as slow."""

ANCHOR = "math-verify"
"""Whose rate the other rates are compared with."""


class NothingMeasured(ValueError):
    """There is no ruling to count. The message says why the candidate gave none."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a candidate said of a case; ``correct`` is None where it said nothing."""

    case: Case
    correct: bool | None
    status: str
    error: str
    cpu: float
    wall: float
    hung: bool = False

    @property
    def wrong(self) -> bool:
        """Whether it is not what the label says."""
        return self.correct is not self.case.correct

    @property
    def astray(self) -> bool:
        """Whether the judging ended in another way than the case lays down."""
        return bool(self.case.status and self.status and self.status != self.case.status)


@dataclass(slots=True)
class Tally:
    """How many rulings there are of each kind: true and false, positives and negatives."""

    cases: int = 0
    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0
    crashes: int = 0
    hangs: int = 0
    slow: int = 0
    astray: int = 0

    def add(self, ruling: Ruling) -> None:
        """Count a ruling."""
        self.cases += 1
        self.slow += ruling.cpu > SLOW
        self.astray += ruling.astray
        if ruling.hung:
            self.hangs += 1
        elif ruling.correct is None:
            self.crashes += 1
        else:
            sign = "p" if ruling.correct else "n"
            name = ("f" if ruling.wrong else "t") + sign
            setattr(self, name, getattr(self, name) + 1)

    @property
    def accuracy(self) -> float:
        """The share that is right, from 0 to 1."""
        return (self.tp + self.tn) / self.cases if self.cases else 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """The rulings of a candidate, or why it could not run.

    Figures of a report without rulings raise :class:`NothingMeasured`, as an empty tally would pass
    for one without errors.
    """

    name: str
    rulings: tuple[Ruling, ...] = field(default=(), repr=False)
    absent: str = ""

    def measured(self) -> tuple[Ruling, ...]:
        """The rulings, of which there is one at least. Raises :class:`NothingMeasured`."""
        if not self.rulings:
            raise NothingMeasured(f"{self.name}: {self.absent or 'no case was put to it'}")
        return self.rulings

    @property
    def classes(self) -> Mapping[str, Tally]:
        """The tally of each class, in the order of the cases."""
        tallies: dict[str, Tally] = defaultdict(Tally)
        for ruling in self.measured():
            tallies[ruling.case.group].add(ruling)
        return dict(tallies)

    @property
    def total(self) -> Tally:
        """The tally of all classes together."""
        tally = Tally()
        for ruling in self.measured():
            tally.add(ruling)
        return tally

    def rate(self, among: Iterable[str] | None = None) -> float:
        """Pairs of answers judged in a CPU second; only those with the given ids, where given."""
        kept = {case.id for case in plain([ruling.case for ruling in self.measured()])}
        kept &= set(among) if among is not None else kept
        spent = [ruling.cpu for ruling in self.rulings if ruling.case.id in kept]
        return len(spent) / sum(spent) if sum(spent) else 0.0

    @property
    def settled(self) -> set[str]:
        """The ids of the cases that did not end with the process."""
        return {ruling.case.id for ruling in self.rulings if ruling.cpu}

    def percentile(self, share: float) -> float:
        """The CPU seconds within which this share of the calls were done."""
        spent = sorted(ruling.cpu for ruling in self.measured())
        return spent[min(int(share * len(spent)), len(spent) - 1)]


def compared(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """A row of figures for each candidate; rates are over the pairs that all of them settled."""
    present = [report for report in reports if not report.absent]
    common = set.intersection(*(report.settled for report in present)) if present else set()
    rates = {report.name: report.rate(common) for report in present}
    anchor = rates.get(ANCHOR, 0.0)
    return [_row(report, rates.get(report.name, 0.0), anchor) for report in reports]


def _row(report: Report, rate: float, anchor: float) -> dict[str, Any]:
    if report.absent:
        return {"candidate": report.name, "absent": report.absent}
    total = report.total
    speed = {"p99_ms": report.percentile(0.99) * 1e3, "per_cpu_second": rate}
    ratio = {"ratio": rate / anchor if anchor else None}
    classes = {name: asdict(tally) for name, tally in report.classes.items()}
    figures = {"candidate": report.name, "accuracy": total.accuracy, **asdict(total)}
    figures |= {"versions": versions()}
    return figures | speed | ratio | {"classes": classes}


Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""Heads, and rows of as many cells."""

HEADS = (
    "candidate", "cases", "right", "false positives", "false negatives", "crashes", "hangs",
    "over 50 ms", "p99", "pairs/CPU s", "ratio",
)  # fmt: skip


def _cells(row: Mapping[str, Any]) -> list[str]:
    """The figures of a candidate as they are told, in the order of ``HEADS``."""
    if "absent" in row:
        return [row["candidate"], row["absent"].partition(":")[0], *[""] * (len(HEADS) - 2)]
    counts = (str(row[name]) for name in ("fp", "fn", "crashes", "hangs", "slow"))
    speed = (f"{row['p99_ms']:.1f} ms", f"{row['per_cpu_second']:,.0f}")
    ratio = f"{row['ratio']:.1f}" if row["ratio"] else ""
    return [row["candidate"], str(row["cases"]), f"{row['accuracy']:.1%}", *counts, *speed, ratio]


def _by_class(reports: Sequence[Report]) -> Table:
    """For each class, what each candidate got wrong: false positives and false negatives."""
    present = {report.name: report.classes for report in reports if not report.absent}
    groups = dict.fromkeys(group for classes in present.values() for group in classes)
    most = {g: max(c[g].cases for c in present.values() if g in c) for g in groups}
    lines = [
        [group, str(most[group]), *(_wrong(classes.get(group)) for classes in present.values())]
        for group in groups
    ]
    return ["class", "cases", *present], lines


def _wrong(tally: Tally | None) -> str:
    if tally is None:
        return ""
    lost = tally.crashes + tally.hangs
    return f"{tally.fp} / {tally.fn}" + (f" / {lost}" if lost else "")


def tables(reports: Sequence[Report]) -> list[Table]:
    """Two tables: a row for each candidate, and a row for each class of cases."""
    return [(HEADS, [_cells(row) for row in compared(reports)]), _by_class(reports)]


def markdown(reports: Sequence[Report]) -> str:
    """The two tables as Markdown."""
    first, second = (markdown_table(*table) for table in tables(reports))
    lines = "False positives / false negatives, then crashes and hangs where there are any:"
    return f"{first}\n\n{lines}\n\n{second}"


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown; all columns but the first are set to the right."""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, rule, *rows))


def mistakes(reports: Sequence[Report]) -> Iterator[str]:
    """A line for each ruling that is not what the label says, or that took too long."""
    for report in reports:
        for ruling in report.rulings:
            if ruling.wrong or ruling.astray:
                yield f"{report.name} {_told(ruling)}"
            elif ruling.cpu > SLOW:
                yield f"{report.name} {ruling.case.id}: {ruling.cpu:.2f} seconds of CPU time"


def _told(ruling: Ruling) -> str:
    case = ruling.case
    verdict = ruling.error or f"{'right' if ruling.correct else 'wrong'} {ruling.status}".strip()
    due = f"{'right' if case.correct else 'wrong'} {case.status or ''}".strip()
    text = case.text if len(case.text) <= 200 else f"{case.text[:200]}…"
    return f"{case.id} ({case.rule}): {case.gold!r} and {text!r}: {verdict}, not {due}: {case.why}"
