"""A player that answers questions by the lines that it finds."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from palaestra.generators.tools.data_questions import SUBMIT, Use, all_pages
from palaestra.generators.tools.log_analysis.questions import Outcome, Question, answer

_CLOCK = re.compile(r"(\S+): its clock is (?:right|([\d.]+) s (ahead of|behind) UTC)", re.ASCII)
_LINE = re.compile(r"\[\d+\] (\S+) (\S+) (\w+) (.*)", re.ASCII)
_RECEIVED = re.compile(r"req=(\w+) user=(\w+) (.+) received", re.ASCII)
_FINAL = re.compile(r"req=(\w+) status=(\d+) ms=(\d+)", re.ASCII)
_ERROR = re.compile(r"req=(\w+) (.+)", re.ASCII)
_DEPLOY = re.compile(r"deploy (\w+) is active", re.ASCII)

SLACK = timedelta(seconds=31)
"""Longer than requests take."""

Entry = tuple[datetime, str, str]
"""A line: its time in UTC, its service and its text."""


class Client:
    """Knows the documentation and the questions, and calls tools.

    ``moment`` puts the times of questions into the form of stamps.
    """

    def __init__(self, use: Use, moment: Callable[[int], str]) -> None:
        self.use, self.moment = use, moment
        self.offsets: dict[str, timedelta] = {}

    def answer(self, questions: tuple[Question, ...]) -> None:
        """Find the answers out and submit them."""
        for line in self.use("list_services").splitlines():
            if match := _CLOCK.fullmatch(line):
                ahead = timedelta(seconds=float(match[2] or 0))
                self.offsets[match[1]] = -ahead if match[3] == "behind" else ahead
        for number, question in enumerate(questions, 1):
            text = self.text(question)
            assert text is not None
            self.use(SUBMIT, question=number, answer=text)

    def text(self, question: Question) -> str | None:
        """The answer to a question."""
        start, end = (
            datetime.fromisoformat(self.moment(time)) for time in (question.start, question.end)
        )
        outcomes = self.outcomes(question, start, end)
        deploys = self.deploys() if question.form == "deploy" else []
        return answer(question.form, outcomes, deploys)

    def outcomes(self, question: Question, start: datetime, end: datetime) -> list[Outcome]:
        """The requests in question with what became of them."""
        gateway = next(name for name in self.offsets if name.endswith("-gateway"))
        received: dict[str, tuple[int, str]] = {}
        text = f"{question.endpoint} received".strip()
        for time, _, line in self.lines(start, end, text=text, service=gateway):
            match = _RECEIVED.fullmatch(line)
            if match and question.endpoint in {"", match[3]}:
                received[match[1]] = (_count(time), match[2])
        finals: dict[str, tuple[str, int]] = {}
        for _, _, line in self.lines(start, end + SLACK, text=" status=", service=gateway):
            if match := _FINAL.fullmatch(line):
                finals[match[1]] = (match[2], int(match[3]))
        needs_roots = question.form not in {"users", "p95", "recovered"}
        roots = self.roots(start, end) if needs_roots else {}
        retried = self.retried(start, end, gateway) if question.form == "recovered" else set()
        return [
            Outcome(
                time,
                request,
                user,
                finals[request][1],
                "" if finals[request][0] == "200" else roots.get(request, "unknown"),
                request in retried,
            )
            for request, (time, user) in received.items()
        ]

    def roots(self, start: datetime, end: datetime) -> dict[str, str]:
        """The services that logged the errors which others were due to, by request."""
        roots: dict[str, str] = {}
        for _, service, line in self.lines(start, end + SLACK, text="req=", level="ERROR"):
            match = _ERROR.fullmatch(line)
            assert match
            if not match[2].startswith(("upstream ", "status=")) and ", cont" not in match[2]:
                roots[match[1]] = service
        return roots

    def retried(self, start: datetime, end: datetime, gateway: str) -> set[str]:
        """The requests that had a second attempt."""
        lines = self.lines(start, end + SLACK, text="retrying", service=gateway)
        return {line.split()[0].removeprefix("req=") for _, _, line in lines}

    def deploys(self) -> list[tuple[int, str, str]]:
        """All deploys, each with its time, service and name."""
        result = []
        for time, service, line in self.parsed(text="deploy ", level="INFO"):
            if match := _DEPLOY.fullmatch(line):
                result.append((_count(time), service, match[1]))
        return result

    def lines(self, start: datetime, end: datetime, **filters: str) -> Iterator[Entry]:
        """The lines of a time in UTC, by the clock of a service or, if none is named, of all."""
        service = filters.get("service")
        offsets = [self.offsets[service]] if service else [*self.offsets.values()]
        first, last = start + min(offsets), end + max(offsets)
        stamps = {
            "start": first.isoformat(timespec="milliseconds"),
            "end": last.isoformat(timespec="milliseconds"),
        }
        for entry in self.parsed(**filters, **stamps):
            if start <= entry[0] < end:
                yield entry

    def parsed(self, **filters: str) -> Iterator[Entry]:
        """The lines that meet some conditions, with their times in UTC."""
        for line in all_pages(self.use, "search_logs", **filters):
            match = _LINE.fullmatch(line)
            assert match
            time = datetime.fromisoformat(match[1]) - self.offsets[match[2]]
            yield time, match[2], match[4]


def _count(time: datetime) -> int:
    """A time as a number of milliseconds."""
    return (time - datetime.min) // timedelta(milliseconds=1)
