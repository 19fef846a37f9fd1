"""A player that answers questions by the charts that it reads."""

import re
from collections.abc import Set
from datetime import date
from fractions import Fraction

from palaestra.generators.tools.cohort_query.persons import (
    Event,
    Person,
    Question,
    Terms,
    answer,
    selected,
)
from palaestra.generators.tools.data_questions import SUBMIT, Use, all_pages, pages_in

_HEAD = re.compile(
    r"patient (\d+): (\w+), born ([\d-]+)(?:; the same person as patient (\d+))?;", re.ASCII
)
_VALUE = re.compile(r"the value is (.+)|the date is (.+)", re.ASCII)
_UNIT = re.compile(r"\(1 (\S+) = ([\d.]+) (\S+)\)", re.ASCII)


UNIT = 10_000
"""What amounts are parts of: the first unit of a measurement is so many."""


def _ordinal(text: str) -> int:
    return date.fromisoformat(text).toordinal()


class Chart:
    """The lines of a chart, read into what is true after all corrections."""

    def __init__(self, head: str, lines: list[str]) -> None:
        match = _HEAD.match(head)
        assert match
        self.number, self.sex, self.born = int(match[1]), match[2], _ordinal(match[3])
        self.same = int(match[4] or 0)
        rows = {row[0]: row[1:] for row in (line.split(" | ") for line in lines)}
        self.rows = _after_corrections(rows)


def _after_corrections(rows: dict[str, list[str]]) -> list[list[str]]:
    """What stands behind the numbers of entries, with all that corrections change."""
    active = set(rows)
    for number in sorted(rows, key=lambda text: int(text.split()[1]), reverse=True):
        row = rows[number]
        if row[1] == "correction" and row[2].endswith(" is withdrawn") and number in active:
            active.discard(row[2].removesuffix(" is withdrawn"))
    for number in sorted(active, key=lambda text: int(text.split()[1])):
        _, sort, *rest = rows[number]
        if sort == "correction" and ": " in rest[0]:
            target, _, text = rest[0].partition(": ")
            match = _VALUE.fullmatch(text)
            assert match
            old = rows[target]
            rows[target] = [*old[:-1], match[1]] if match[1] else [match[2], *old[1:]]
    return [row for number, row in rows.items() if number in active and row[1] != "correction"]


class Client:
    """Knows the documentation and the questions, and calls tools."""

    def __init__(self, use: Use) -> None:
        self.use = use
        self.charts: dict[int, Chart] = {}
        self.known: dict[str, Set[str]] = {}
        self.articles: dict[str, list[str]] = {}
        self.own_codes: dict[str, str] = {}
        self.terms = Terms(self.codes, self.high, self.factor)

    def answer(self, questions: tuple[Question, ...]) -> None:
        """Find the answers out and submit them."""
        for number, question in enumerate(questions, 1):
            persons = self.persons(self.codes(question.diagnosis))
            text = answer(question, selected(persons, question, self.terms), self.terms)
            assert text is not None
            self.use(SUBMIT, question=number, answer=text)

    def persons(self, codes: Set[str]) -> list[Person]:
        """Everyone with one of the codes in a chart."""
        numbers: set[int] = set()
        for code in sorted(codes):
            numbers.update(map(int, all_pages(self.use, "search_patients", code=code)))
        persons: dict[int, Person] = {}
        for number in sorted(numbers):
            charts = [self.chart(number)]
            if charts[0].same:
                charts.append(self.chart(charts[0].same))
            person = self.person(charts)
            persons[person.number] = person
        return [*persons.values()]

    def chart(self, number: int) -> Chart:
        """A chart, read once."""
        if number not in self.charts:
            head, *lines = self.use("read_chart", patient=number).splitlines()
            for page in range(2, pages_in(head) + 1):
                lines += self.use("read_chart", patient=number, page=page).splitlines()[1:]
            self.charts[number] = Chart(head, lines)
        return self.charts[number]

    def person(self, charts: list[Chart]) -> Person:
        """The person of one chart or two."""
        died, events = 0, list[Event]()
        for day, sort, *rest in (row for chart in charts for row in chart.rows):
            if sort == "death":
                died = _ordinal(day)
            elif sort == "measurement":
                value, unit = rest[1].split()
                amount = Fraction(value) * self.unit_factor(rest[0], unit)
                events.append(Event(_ordinal(day), rest[0], int(amount)))
            elif sort != "visit":
                events.append(Event(_ordinal(day), rest[0]))
        number = min(chart.number for chart in charts)
        return Person(number, charts[0].born, charts[0].sex, died, tuple(events))

    def article(self, code: str) -> list[str]:
        """The lines of the code book on a code, read once."""
        if code not in self.articles:
            self.articles[code] = self.use("read_code", code=code).splitlines()
        return self.articles[code]

    def code(self, name: str) -> str:
        """The code of a name, looked up once."""
        if name not in self.own_codes:
            for line in all_pages(self.use, "search_codes", text=name):
                code, _, rest = line.partition(": ")
                self.own_codes[rest.rpartition(" (")[0]] = code
        return self.own_codes[name]

    def codes(self, name: str) -> Set[str]:
        """The code of a name with all sub-codes."""
        if name not in self.known:
            open_codes, codes = [self.code(name)], set[str]()
            while open_codes:
                code = open_codes.pop()
                codes.add(code)
                *_, last = self.article(code)
                if last.startswith("sub-codes: ") and last != "sub-codes: none":
                    open_codes += last.removeprefix("sub-codes: ").split(", ")
            self.known[name] = codes
        return self.known[name]

    def high(self, name: str) -> int:
        """The upper end of the reference range of a measurement."""
        return int(Fraction(self.article(self.code(name))[1].split()[4]) * UNIT)

    def factor(self, name: str, unit: str) -> int:
        """A unit of a measurement in ten-thousandths of its first unit."""
        return self.unit_factor(self.code(name), unit)

    def unit_factor(self, code: str, unit: str) -> int:
        """The same by the code of the measurement."""
        match = _UNIT.search(self.article(code)[2])
        assert match
        return int(Fraction(match[2]) * UNIT) if unit == match[1] else UNIT
