"""How far graders agree with people: false accepts and false rejects by the type of the answer."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from palaestra.verifier_bench.reports import Report, Ruling, Table, markdown_table

NORMAL = 1.959964
"""Of a normal distribution, 95 % lies within so many deviations of its mean."""

SHOWN = 200
"""How many characters of a gold and of the end of a reply are listed."""

TOTAL = "all"


def wilson(count: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a rate, of ``count`` among ``number`` (Wilson 1927); 0 to 1 for none.

    >>> [round(end, 3) for end in wilson(0, 20)], [round(end, 3) for end in wilson(10, 20)]
    ([0.0, 0.161], [0.299, 0.701])
    """
    if not number:
        return 0.0, 1.0
    rate, squared = count / number, NORMAL**2
    centre = rate + squared / (2 * number)
    spread = NORMAL * sqrt(rate * (1 - rate) / number + squared / (4 * number**2))
    low, high = ((centre + sign * spread) / (1 + squared / number) for sign in (-1, 1))
    return (0.0 if not count else max(0.0, low)), (1.0 if count == number else min(1.0, high))


@dataclass(slots=True)
class Agreement:
    """How verdicts on some replies agree with the labels of people."""

    right: int = 0
    """Replies that people call right and that have a verdict."""

    wrong: int = 0
    false_accepts: int = 0
    """Wrong replies that the grader accepts."""

    false_rejects: int = 0
    unscored: int = 0
    """Replies without a verdict: the grader cannot read the gold, crashed or hung."""

    def add(self, ruling: Ruling) -> None:
        """Count a verdict."""
        if not is_verdict(ruling):
            self.unscored += 1
        elif ruling.case.correct:
            self.right += 1
            self.false_rejects += ruling.wrong
        else:
            self.wrong += 1
            self.false_accepts += ruling.wrong

    def rates(self) -> Mapping[str, tuple[int, int]]:
        """Counts, each with the number of replies that it is among."""
        judged = self.right + self.wrong
        return {
            "agreement": (judged - self.false_accepts - self.false_rejects, judged),
            "false_accepts": (self.false_accepts, self.wrong),
            "false_rejects": (self.false_rejects, self.right),
        }

    def as_row(self) -> dict[str, Any]:
        """The counts, and the rates with their intervals, as a JSON object."""
        row: dict[str, Any] = {"cases": self.right + self.wrong + self.unscored}
        for name, (count, number) in self.rates().items():
            low, high = wilson(count, number)
            rate = count / number if number else None
            row[name] = {"count": count, "of": number, "rate": rate, "low": low, "high": high}
        return row | {"unscored": self.unscored}


def is_verdict(ruling: Ruling) -> bool:
    """Whether a ruling is one on the reply: not where the gold is at fault, or the grader."""
    return ruling.correct is not None and ruling.status not in {"gold_error", "infra_error"}


def agreements(report: Report) -> dict[str, Agreement]:
    """The agreement for all replies together, and for each type of answer, by name."""
    total, groups = Agreement(), defaultdict[str, Agreement](Agreement)
    for ruling in report.measured():
        total.add(ruling)
        groups[ruling.case.group].add(ruling)
    return {TOTAL: total, **{name: groups[name] for name in sorted(groups) if name != TOTAL}}


def agreement_rows(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """A JSON object for each grader, with its figures by type of answer."""
    return [
        {"candidate": report.name, "absent": report.absent}
        if report.absent
        else {
            "candidate": report.name,
            "types": {name: each.as_row() for name, each in agreements(report).items()},
        }
        for report in reports
    ]


HEADS = ("candidate", "answer type", "replies", "agreement", "false accepts", "false rejects",
         "unscored")  # fmt: skip


def agreement_tables(reports: Sequence[Report]) -> list[Table]:
    """One table: a row for each grader and type of answer, with rates and their intervals."""
    rows: list[Sequence[str]] = []
    for report in reports:
        if report.absent:
            rows.append([report.name, report.absent.partition(":")[0], *[""] * (len(HEADS) - 2)])
            continue
        for name, each in agreements(report).items():
            cells = [_rate(*pair) for pair in each.rates().values()]
            number = str(each.right + each.wrong + each.unscored)
            rows.append([report.name, name, number, *cells, str(each.unscored)])
    return [(HEADS, rows)]


def agreement_markdown(reports: Sequence[Report]) -> str:
    """The table of :func:`agreement_tables` as Markdown."""
    return markdown_table(*agreement_tables(reports)[0])


def _rate(count: int, number: int) -> str:
    if not number:
        return "none"
    low, high = wilson(count, number)
    return f"{count}/{number} {count / number:.1%} ({low:.1%} to {high:.1%})"


def disagreements(reports: Sequence[Report]) -> Iterator[str]:
    """A line for each reply on which a grader and the people differ, or that it has not judged."""
    for report in reports:
        for ruling in report.rulings:
            if not is_verdict(ruling):
                why = ruling.error or ruling.status or "no verdict"
                yield _line(report, ruling, f"unscored ({why})")
            elif ruling.wrong:
                yield _line(report, ruling, "false accept" if ruling.correct else "false reject")


def _line(report: Report, ruling: Ruling, what: str) -> str:
    case = ruling.case
    text, gold = case.text, " or ".join(case.golds)
    end = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
    status = f", {ruling.status}" if ruling.status not in {"", "scored"} else ""
    return f"{report.name} {case.id} ({case.group}): {what}{status}: {gold[:SHOWN]!r} and {end!r}"
