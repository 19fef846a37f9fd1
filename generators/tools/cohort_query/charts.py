"""Charts of made-up patients: entries, and corrections of entries."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Literal, NamedTuple, TypeVar

from palaestra.generators.tools.cohort_query.code_book import CodeBook, decimal, random_code_book

START = date(2061, 1, 1).toordinal()
"""The first day of the records."""

DAYS = 1_500
"""How many days the records go over."""

USUAL = 6
"""How many diagnoses, and how many drugs, most entries are drawn from."""

Type = Literal["visit", "diagnosis", "prescription", "measurement", "death", "correction"]
Change = Literal["", "withdrawn", "value", "date"]

T = TypeVar("T")


class Entry(NamedTuple):
    """A line of a chart. Days are ordinals of :class:`datetime.date`."""

    number: int
    day: int
    type: Type
    code: int = -1
    """The number of a code of the code book."""
    value: int = 0
    """Of a measurement, or a corrected one, in hundredths of its unit; the number of a ward."""
    unit: int = 0
    """Which unit of the measurement it is."""
    target: int = 0
    """The number of the entry that a correction is about."""
    change: Change = ""
    corrected_day: int = 0


class Patient(NamedTuple):
    """A chart. ``same`` is the other number of the same person, or 0."""

    number: int
    born: int
    sex: str
    same: int
    entries: tuple[Entry, ...]


class Sizes(NamedTuple):
    """How large the records are; shares are percentages."""

    patients: int
    diagnoses: int
    drugs: int
    measurements: int
    entries: int
    corrected: int
    twice: int


class Records(NamedTuple):
    """The code book and the charts, by number."""

    book: CodeBook
    patients: dict[int, Patient]


def random_records(seed: int, sizes: Sizes) -> Records:
    """The records of a seed, always the same ones."""
    rng = Random(seed)
    book = random_code_book(rng, sizes.diagnoses, sizes.drugs, sizes.measurements)
    patients = _Patients(rng, book, sizes).drawn_patients()
    return Records(book, {patient.number: patient for patient in patients})


class _Patients:
    def __init__(self, rng: Random, book: CodeBook, sizes: Sizes) -> None:
        self.rng, self.random, self.book, self.sizes = rng, rng.random, book, sizes
        diagnoses, drugs = book.of("diagnosis"), book.of("drug")
        self.diagnoses, self.drugs = diagnoses, drugs
        self.usual = rng.sample(diagnoses, min(USUAL, len(diagnoses)))
        self.usual_drugs = rng.sample(drugs, min(USUAL, len(drugs)))
        self.measurements = book.of("measurement")
        self.next = self.between(1_000, 3_000)

    def number(self) -> int:
        """A new number of an entry."""
        self.next += self.between(1, 4)
        return self.next

    def between(self, low: int, high: int) -> int:
        """A number within bounds, in less time than ``randint`` takes."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """One of several, in less time than ``choice`` takes."""
        return options[int(self.random() * len(options))]

    def drawn_patients(self) -> list[Patient]:
        """All charts; those of one person under two numbers stand apart."""
        persons = self.sizes.patients
        twice = persons * self.sizes.twice // 100
        numbers = self.rng.sample(range(1_000, 10_000), persons + twice)
        patients: list[Patient] = []
        for n in range(persons):
            born = START - self.between(20 * 365, 85 * 365)
            sex = "female" if self.random() < 0.5 else "male"
            entries = self.entries()
            if n >= twice:
                patients.append(Patient(numbers[n], born, sex, 0, self.corrected(entries)))
                continue
            other = numbers[persons + n]
            first = [entry for entry in entries if self.random() < 0.5]
            second = [entry for entry in entries if entry not in first]
            patients.append(Patient(numbers[n], born, sex, other, self.corrected(first)))
            patients.append(Patient(other, born, sex, numbers[n], self.corrected(second)))
        return sorted(patients)

    def entries(self) -> list[Entry]:
        """The entries of a person before corrections, around one to three diagnoses."""
        entries: list[Entry] = []
        last = START + DAYS
        for _ in range(self.between(1, 3)):
            day = START + self.between(0, DAYS - 1)
            code = self.pick(self.usual if self.random() < 0.8 else self.diagnoses)
            entries.append(Entry(self.number(), day, "diagnosis", code))
            if self.random() < 0.3:
                later = day + self.between(1, 200)
                entries.append(Entry(self.number(), later, "diagnosis", code))
            for _ in range(self.between(1, 2)):
                near = day + self.pick((0, 7, 14, 30, 60, 90, -10, -30)) + self.between(-1, 1)
                drug = self.pick(self.usual_drugs if self.random() < 0.8 else self.drugs)
                entries.append(Entry(self.number(), near, "prescription", drug))
            entries += [
                self.measurement(day + self.between(-20, 100)) for _ in range(self.between(1, 2))
            ]
        if self.random() < 0.3:
            last = max(entry.day for entry in entries) + self.pick((1, 10, 20, 40, 80))
            entries.append(Entry(self.number(), last, "death"))
        while len(entries) < self.sizes.entries:
            day = START + self.between(0, last - START - 1)
            entries.append(
                self.measurement(day)
                if self.random() < 0.4
                else Entry(self.number(), day, "visit", value=self.between(1, 9))
            )
        entries.sort(key=lambda _: self.random())
        numbers = sorted(entry.number for entry in entries)
        return [entry._replace(number=number) for entry, number in zip(entries, numbers)]

    def measurement(self, day: int) -> Entry:
        """A measurement, in most cases close to the reference range."""
        code = self.pick(self.measurements)
        entry = self.book.codes[code]
        amount = self.pick((entry.low, entry.high, entry.high)) + self.between(-18, 18) * 10
        unit = self.between(0, len(entry.units) - 1)
        value = max(1, amount * 100 // entry.factors[unit])
        return Entry(self.number(), day, "measurement", code, value, unit)

    def corrected(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """The entries with corrections behind them, some of which are withdrawn again."""
        result = list(entries)
        for entry in entries:
            if self.random() * 100 >= self.sizes.corrected or entry.type == "visit":
                continue
            result.append(self.correction(entry))
            if self.random() < 0.2:
                day = result[-1].day + self.between(0, 5)
                target = result[-1].number
                number = self.number()
                result.append(Entry(number, day, "correction", target=target, change="withdrawn"))
        return tuple(result)

    def correction(self, entry: Entry) -> Entry:
        """A correction of an entry."""
        day = entry.day + self.between(0, 30)
        base = Entry(self.number(), day, "correction", target=entry.number, change="withdrawn")
        draw = self.random()
        if draw < 0.5:
            return base
        if entry.type == "measurement" and draw < 0.8:
            value = max(1, entry.value * self.pick((50, 80, 120, 150)) // 100)
            return base._replace(change="value", value=value, unit=entry.unit, code=entry.code)
        moved = entry.day + self.pick((-30, -7, -1, 1, 7, 30))
        return base._replace(change="date", corrected_day=moved)


def line(book: CodeBook, entry: Entry) -> str:
    """An entry as a chart shows it."""
    head = f"entry {entry.number} | {date.fromordinal(entry.day)} | {entry.type}"
    if entry.type == "death":
        return head
    if entry.type == "visit":
        return f"{head} | ward {entry.value}"
    if entry.type == "correction":
        about = f"{head} | entry {entry.target}"
        if entry.change == "withdrawn":
            return f"{about} is withdrawn"
        if entry.change == "value":
            return f"{about}: the value is {_quantity(book, entry)}"
        return f"{about}: the date is {date.fromordinal(entry.corrected_day)}"
    shown = f"{head} | {book.codes[entry.code].code}"
    return f"{shown} | {_quantity(book, entry)}" if entry.type == "measurement" else shown


def _quantity(book: CodeBook, entry: Entry) -> str:
    return f"{decimal(entry.value)} {book.codes[entry.code].units[entry.unit]}"
