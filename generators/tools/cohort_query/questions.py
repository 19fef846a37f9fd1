"""Questions about cohorts, and their answers by all records."""

from collections.abc import Iterable, Sequence, Set
from random import Random
from typing import get_args

from palaestra.generators.tools.cohort_query.charts import Entry, Patient, Records
from palaestra.generators.tools.cohort_query.code_book import LETTERS, SCALE, Type
from palaestra.generators.tools.cohort_query.persons import (
    Criterion,
    CriterionForm,
    Event,
    Person,
    Question,
    Terms,
    answer,
    first_amount,
    index_dates,
    meets,
    selected,
    years,
)

TRIES = 60
"""How many questions are tried for one that suits."""

SPANS = (14, 30, 60, 90, 120)
"""Usual numbers of days in criteria."""

Cohort = list[tuple[Person, int]]


def effective(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that are not withdrawn, with corrected values and days, without corrections.

    A withdrawn correction has no effect; of several corrections the last one counts.
    """
    withdrawn: set[int] = set()
    changed: dict[int, Entry] = {}
    ordered = sorted(entries, reverse=True)
    result: list[Entry] = []
    for entry in ordered:
        if entry.number in withdrawn:
            continue
        if entry.type != "correction":
            result.append(changed.get(entry.number, entry))
        elif entry.change == "withdrawn":
            withdrawn.add(entry.target)
        elif entry.target not in changed:
            (target,) = (each for each in ordered if each.number == entry.target)
            is_value = entry.change == "value"
            changed[entry.target] = (
                target._replace(value=entry.value, unit=entry.unit)
                if is_value
                else target._replace(day=entry.corrected_day)
            )
    return result


def persons_of(records: Records) -> list[Person]:
    """Everyone by the lower number, with what the charts under both numbers state."""
    persons: list[Person] = []
    for patient in records.patients.values():
        if 0 < patient.same < patient.number:
            continue
        entries = effective(patient.entries)
        if patient.same:
            entries += effective(records.patients[patient.same].entries)
        persons.append(_person(records, patient, entries))
    return persons


def raw_persons(records: Records) -> list[Person]:
    """What a reader takes for persons who overlooks corrections and second numbers."""
    return [
        _person(records, patient, [each for each in patient.entries if each.type != "correction"])
        for patient in records.patients.values()
    ]


def _person(records: Records, patient: Patient, entries: Iterable[Entry]) -> Person:
    codes, died, events = records.book.codes, 0, list[Event]()
    for entry in entries:
        if entry.type == "death":
            died = entry.day
        elif entry.code >= 0:
            code = codes[entry.code]
            amount = entry.value * code.factors[entry.unit] if code.factors else 0
            events.append(Event(entry.day, code.code, amount))
    return Person(patient.number, patient.born, patient.sex, died, tuple(events))


def terms_of(records: Records, deep: bool = True) -> Terms:
    """What names mean by the code book; without sub-codes unless ``deep``."""
    book = records.book
    names = {code.name: number for number, code in enumerate(book.codes)}
    known: dict[str, Set[str]] = {}

    def codes(name: str) -> Set[str]:
        if name not in known:
            numbers = book.below(names[name]) if deep else [names[name]]
            known[name] = frozenset(book.codes[number].code for number in numbers)
        return known[name]

    def high(name: str) -> int:
        return book.codes[names[name]].high * SCALE

    def factor(name: str, unit: str) -> int:
        code = book.codes[names[name]]
        return code.factors[code.units.index(unit)] * SCALE

    return Terms(codes, high, factor)


def random_questions(
    rng: Random, records: Records, number: int, criteria: int, trapped: bool
) -> list[tuple[Question, str]]:
    """Different questions with their answers, fewer where no more turn up.

    If they are ``trapped``, who overlooks corrections, second numbers and sub-codes altogether gets
    another answer.
    """
    draws = _Draws(rng, records, criteria)
    results: dict[Question, str] = {}
    for _ in range(TRIES):
        question = draws.question()
        if question is None or question in results:
            continue
        text = answer(question, selected(draws.persons, question, draws.terms), draws.terms)
        if text is None or (trapped and text == draws.raw_answer(question)):
            continue
        results[question] = text
        if len(results) == number:
            break
    return [*results.items()]


class _Draws:
    def __init__(self, rng: Random, records: Records, criteria: int) -> None:
        self.rng, self.records, self.criteria = rng, records, criteria
        self.persons, self.terms = persons_of(records), terms_of(records)
        self.raw, self.flat = raw_persons(records), terms_of(records, deep=False)
        book = records.book
        self.names = {
            each: [book.codes[number].name for number in book.of(each)] for each in LETTERS
        }
        self.cohorts = {
            name: index_dates(self.persons, self.terms.codes(name))
            for name in self.names["diagnosis"]
        }
        self.frequent = [
            name for name, cohort in self.cohorts.items() if len(cohort) > criteria + 2
        ]

    def raw_answer(self, question: Question) -> str | None:
        """The answer by entries as they stand."""
        return answer(question, selected(self.raw, question, self.flat), self.flat)

    def question(self) -> Question | None:
        """A question of which each criterion leaves somebody out, or None."""
        rng = self.rng
        if not self.frequent:
            return None
        name = rng.choice(self.frequent)
        cohort, criteria = self.cohorts[name], list[Criterion]()
        for form in rng.sample(get_args(CriterionForm), len(get_args(CriterionForm))):
            criterion = self.criterion(form, cohort)
            rest = [each for each in cohort if meets(each[0], criterion, each[1], self.terms)]
            missing = self.criteria - len(criteria)
            if 1 + missing <= len(rest) < len(cohort):
                cohort = rest
                criteria.append(criterion)
            if len(criteria) == self.criteria:
                break
        if len(criteria) < self.criteria:
            return None
        output = rng.choice(("count", "list", "list", "median"))
        if output != "median":
            return Question("count" if output == "count" else "list", name, tuple(criteria))
        measurement = rng.choice(self.names["measurement"])
        codes = self.terms.codes(measurement)
        if sum(first_amount(each[0], codes, each[1]) is not None for each in cohort) < 2:
            return None
        units = next(c.units for c in self.records.book.codes if c.name == measurement)
        return Question("median", name, tuple(criteria), measurement, rng.choice(units))

    def criterion(self, form: CriterionForm, cohort: Cohort) -> Criterion:
        """A random criterion, whose bounds are in many cases those of somebody."""
        rng = self.rng
        person, index = rng.choice(cohort)
        if form == "sex":
            return Criterion(form, person.sex)
        if form == "age":
            age = years(person.born, index)
            low = age - rng.choice((0, 0, 5, 10, 20))
            return Criterion(form, low=low, high=low + rng.choice((15, 20, 25, 30)))
        if form == "above":
            name = rng.choice(self.names["measurement"])
            return Criterion(form, name, low=rng.choice((1, 1, 2)))
        if form in {"survived", "died"}:
            gaps = [each.died - day for each, day in cohort if each.died > day]
            return Criterion(form, low=self.span(gaps))
        is_drug = form not in {"never_before", "also_before"}
        name = self.near_name(person, "drug" if is_drug else "diagnosis")
        if not is_drug:
            return Criterion(form, name)
        codes = self.terms.codes(name)
        sign = -1 if form == "drug_before" else 1
        gaps = [sign * (each - day) for one, day in cohort for each in one.days(codes)]
        return Criterion(form, name, low=self.span([gap for gap in gaps if 0 < gap <= 200]))

    def near_name(self, person: Person, code_type: Type) -> str:
        """A name that covers one of a person's events, or any."""
        names = self.names[code_type]
        codes = {event.code for event in person.events}
        options = [name for name in names if self.terms.codes(name) & codes]
        return self.rng.choice(options or names)

    def span(self, gaps: Sequence[int]) -> int:
        """A number of days, in many cases one that just includes or just excludes somebody."""
        rng = self.rng
        if gaps and rng.random() < 0.6:
            return max(1, rng.choice(gaps) - rng.randrange(2))
        return rng.choice(SPANS)
