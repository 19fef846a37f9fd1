"""What is true of persons by their charts, and which of them a question is about."""

from collections.abc import Callable, Iterable, Sequence, Set
from datetime import date
from fractions import Fraction
from typing import Literal, NamedTuple

from palaestra.generators.tools.data_questions import Form, is_tie, median, plain

CriterionForm = Literal[
    "drug_after", "drug_before", "never_before", "also_before", "age", "sex", "survived", "died",
    "above", "no_drug_after",
]  # fmt: skip


class Criterion(NamedTuple):
    """A condition on a person. Names are those of the code book."""

    form: CriterionForm
    name: str = ""
    """Of a diagnosis, a drug or a measurement; or a sex."""
    low: int = 0
    """A number of days, of measurements, or the least age in years."""
    high: int = 0
    """The largest age in years."""


class Question(NamedTuple):
    """What is to be known of the persons with a diagnosis who meet all criteria."""

    output: Literal["count", "list", "median"]
    diagnosis: str
    criteria: tuple[Criterion, ...]
    measurement: str = ""
    """The name of what the median is about: the first one from the index date on."""
    unit: str = ""

    @property
    def form(self) -> Form:
        """The form of the answer."""
        forms: dict[str, Form] = {"count": "number", "list": "numbers", "median": "decimal"}
        return forms[self.output]


class Event(NamedTuple):
    """Something that is true of a person: a diagnosis, a prescription or a measurement."""

    day: int
    code: str
    amount: int = 0
    """Of a measurement, in ten-thousandths of its first unit."""


class Person(NamedTuple):
    """A person with what has not been withdrawn, after corrections. ``died`` is 0 if alive."""

    number: int
    born: int
    sex: str
    died: int
    events: tuple[Event, ...]

    def days(self, codes: Set[str]) -> list[int]:
        """The days of the events with one of the codes."""
        return [event.day for event in self.events if event.code in codes]


class Terms(NamedTuple):
    """What the names in a question mean."""

    codes: Callable[[str], Set[str]]
    """From the name of a diagnosis, a drug or a measurement to its code and all sub-codes."""
    high: Callable[[str], int]
    """From a measurement to the upper end of its reference range, like amounts."""
    factor: Callable[[str, str], int]
    """From a measurement and one of its units to that unit, like amounts."""


def years(born: int, day: int) -> int:
    """The age in full years on a day.

    >>> years(date(2000, 3, 5).toordinal(), date(2041, 3, 4).toordinal())
    40
    """
    birth, now = date.fromordinal(born), date.fromordinal(day)
    return now.year - birth.year - ((now.month, now.day) < (birth.month, birth.day))


def meets(person: Person, criterion: Criterion, index: int, terms: Terms) -> bool:
    """Whether a person meets a criterion; ``index`` is the person's index date."""
    form, name, low, high = criterion
    if form == "sex":
        return person.sex == name
    if form == "age":
        return low <= years(person.born, index) <= high
    if form in {"survived", "died"}:
        died = 0 < person.died <= index + low
        return died == (form == "died")
    codes = terms.codes(name)
    days = person.days(codes)
    if form == "above":
        bound = terms.high(name)
        return sum(event.code in codes and event.amount > bound for event in person.events) >= low
    if form in {"drug_after", "no_drug_after"}:
        return any(index <= day <= index + low for day in days) == (form == "drug_after")
    if form == "drug_before":
        return any(index - low <= day < index for day in days)
    return any(day < index for day in days) == (form == "also_before")


def index_dates(persons: Iterable[Person], codes: Set[str]) -> list[tuple[Person, int]]:
    """The persons with one of the codes, each with the first day of it."""
    dated = ((person, person.days(codes)) for person in persons)
    return [(person, min(days)) for person, days in dated if days]


def selected(
    persons: Iterable[Person], question: Question, terms: Terms
) -> list[tuple[Person, int]]:
    """The persons that a question is about, with their index dates."""
    return [
        (person, index)
        for person, index in index_dates(persons, terms.codes(question.diagnosis))
        if all(meets(person, each, index, terms) for each in question.criteria)
    ]


def answer(question: Question, cohort: Sequence[tuple[Person, int]], terms: Terms) -> str | None:
    """The answer in canonical form, by the persons selected; None where there is none."""
    if question.output == "count":
        return str(len(cohort))
    if question.output == "list":
        return ", ".join(str(number) for number in sorted(person.number for person, _ in cohort))
    codes = terms.codes(question.measurement)
    factor = terms.factor(question.measurement, question.unit)
    firsts = [first_amount(person, codes, index) for person, index in cohort]
    amounts = [Fraction(amount, factor) for amount in firsts if amount is not None]
    if not amounts or is_tie(median(amounts)):
        return None
    return plain(median(amounts))


def first_amount(person: Person, codes: Set[str], index: int) -> int | None:
    """The first amount measured from a day on, the smallest of several on one day."""
    later = [
        (event.day, event.amount)
        for event in person.events
        if event.code in codes and event.day >= index
    ]
    return min(later)[1] if later else None
